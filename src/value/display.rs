//! `Display` of values: known values as in the configuration language, unknowns as in a plan.

use std::fmt;

use crate::mark::{Mark, Marks};
use crate::refinement::{Bound, LengthRange, NumberRange, Range};
use crate::text::{write_quoted, write_word};
use crate::types::Type;

use super::{Value, ValueRange, View};

/// | value | text |
/// |---|---|
/// | known | `"a"`, `1.5`, `true`, `null`, `[1, 2]`, `{a = 1}` (object), `{"a" = 1}` (map), `toset(["a"])` |
/// | capsule | its name: `(regex)`; its content may be a secret |
/// | unknown | `(known after apply)` |
/// | unknown with a prefix | `"vpc-${(known after apply)}"` |
/// | unknown with a range or length | `(known after apply, >= 1)`, `(known after apply, 1 to 4 elements)`; of a set, members |
/// | marked sensitive | `(sensitive value)` |
/// | marked ephemeral | `(ephemeral value)` |
/// | marked otherwise | `(value marked NAME)` |
///
/// The content of a marked value never appears.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view() {
            View::Marked(view) => write_marked(f, view.marks()),
            View::Dynamic => f.write_str("(known after apply)"),
            View::Unknown(range) => write_unknown(f, &range),
            View::Null(_) => f.write_str("null"),
            View::Bool(truth) => write!(f, "{truth}"),
            View::Number(number) => write!(f, "{number}"),
            View::String(text) => write_template(f, text, "\""),
            View::Capsule(capsule) => write!(f, "({})", capsule.ty().name()),
            View::List(list) => write_sequence(f, "[", list.iter(), "]"),
            View::Tuple(tuple) => write_sequence(f, "[", tuple.iter(), "]"),
            View::Set(set) => write_sequence(f, "toset([", set.iter(), "])"),
            View::Map(map) => {
                f.write_str("{")?;
                for (i, (key, value)) in map.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    write_quoted(f, key)?;
                    write!(f, " = {value}")?;
                }
                f.write_str("}")
            }
            View::Object(object) => {
                f.write_str("{")?;
                for (i, (name, value)) in object.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    write_word(f, name)?;
                    write!(f, " = {value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Writes what is shown in place of a marked value.
fn write_marked(f: &mut fmt::Formatter<'_>, marks: &Marks) -> fmt::Result {
    if marks.has_name(Mark::SENSITIVE.name()) {
        f.write_str("(sensitive value)")
    } else if marks.has_name(Mark::EPHEMERAL.name()) {
        f.write_str("(ephemeral value)")
    } else {
        f.write_str("(value marked ")?;
        for (i, mark) in marks.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            f.write_str(mark.name())?;
        }
        f.write_str(")")
    }
}

/// Writes values between brackets, separated by commas.
fn write_sequence<'a>(
    f: &mut fmt::Formatter<'_>,
    open: &str,
    items: impl Iterator<Item = &'a Value>,
    close: &str,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        fmt::Display::fmt(item, f)?;
    }
    f.write_str(close)
}

/// Writes an opening quote, the escaped string and `end`. Doubles the `$` of `${` and the `%` of `%{`, which would
/// start a template.
fn write_template(f: &mut fmt::Formatter<'_>, text: &str, end: &str) -> fmt::Result {
    if text.contains("${") || text.contains("%{") {
        let text = text.replace("${", "$${").replace("%{", "%%{");
        return write_quoted_up_to(f, &text, end);
    }
    write_quoted_up_to(f, text, end)
}

/// Writes a template of which the beginning and the end are known.
fn write_enclosed(f: &mut fmt::Formatter<'_>, prefix: &str, suffix: &str) -> fmt::Result {
    write_template(f, prefix, "${(known after apply)}")?;
    let suffix = suffix.replace("${", "$${").replace("%{", "%%{");
    crate::text::write_escaped(f, &suffix)?;
    f.write_str("\"")
}

/// Writes an opening quote, the escaped string and `end`.
fn write_quoted_up_to(f: &mut fmt::Formatter<'_>, text: &str, end: &str) -> fmt::Result {
    f.write_str("\"")?;
    crate::text::write_escaped(f, text)?;
    f.write_str(end)
}

/// Writes an unknown with its prefix, interval or length.
fn write_unknown(f: &mut fmt::Formatter<'_>, range: &ValueRange) -> fmt::Result {
    match range.refinement().range() {
        Range::Any => f.write_str("(known after apply)"),
        Range::Prefix(prefix) => write_template(f, prefix.as_str(), "${(known after apply)}\""),
        Range::Language(language) => match language.ends() {
            Some((prefix, suffix)) => write_enclosed(f, &prefix, &suffix),
            None => write!(f, "(known after apply, {})", range.refinement().range().describe()),
        },
        Range::Number(range) => {
            f.write_str("(known after apply, ")?;
            write_number_range(f, range)?;
            f.write_str(")")
        }
        Range::Multiples(multiples) => {
            match multiples.step() {
                1 => f.write_str("(known after apply, whole number")?,
                step => write!(f, "(known after apply, multiple of {step}")?,
            }
            let range = multiples.stated_range();
            if !range.is_trivial() {
                f.write_str(", ")?;
                write_number_range(f, &range)?;
            }
            f.write_str(")")
        }
        Range::Length(length) => {
            f.write_str("(known after apply, ")?;
            write_length_range(f, *length, range.ty())?;
            f.write_str(")")
        }
        Range::Elements(_) | Range::Numbers(_) | Range::Structure(_) => {
            write!(f, "(known after apply, {})", range.refinement().range().describe())
        }
    }
}

/// Writes an interval as comparisons: `>= 1, < 5`.
fn write_number_range(f: &mut fmt::Formatter<'_>, range: &NumberRange) -> fmt::Result {
    match range.lower() {
        Bound::Unbounded => {}
        Bound::Inclusive(bound) => write!(f, ">= {bound}")?,
        Bound::Exclusive(bound) => write!(f, "> {bound}")?,
    }
    if *range.lower() != Bound::Unbounded && *range.upper() != Bound::Unbounded {
        f.write_str(", ")?;
    }
    match range.upper() {
        Bound::Unbounded => Ok(()),
        Bound::Inclusive(bound) => write!(f, "<= {bound}"),
        Bound::Exclusive(bound) => write!(f, "< {bound}"),
    }
}

/// Writes a length range in words: `at least 1 element`.
fn write_length_range(f: &mut fmt::Formatter<'_>, length: LengthRange, ty: &Type) -> fmt::Result {
    let noun = |count: u64| match (ty, count) {
        (Type::Set(_), 1) => "member",
        (Type::Set(_), _) => "members",
        (_, 1) => "element",
        _ => "elements",
    };
    match (length.lower(), length.upper()) {
        (min, None) => write!(f, "at least {min} {}", noun(min)),
        (min, Some(max)) if min == max => write!(f, "{min} {}", noun(min)),
        (0, Some(max)) => write!(f, "at most {max} {}", noun(max)),
        (min, Some(max)) => write!(f, "{min} to {max} {}", noun(max)),
    }
}
