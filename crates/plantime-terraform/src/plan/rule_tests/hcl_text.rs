//! Values as HCL, as test files write them.

use std::fmt::Write as _;

use crate::plan::checking::HIDDEN;
use plantime::unstable::text::write_quoted;
use plantime::{Mark, Refinement, Type, Value, View};

/// What is written in place of content behind a mark.
const SENSITIVE: &str = "sensitive(unknown())";

/// Appends a value, at a depth of nested blocks. What is behind a mark is not written; without `is_typed` no schema tells the types of
/// unknown values.
pub(super) fn push_value(value: &Value, (is_typed, depth): (bool, usize), out: &mut String) {
    match value.view() {
        View::Marked(_) if is_hidden(value) => out.push_str(SENSITIVE),
        View::Marked(_) => push_value(&value.clone().unmark().0, (is_typed, depth), out),
        View::Null(_) => out.push_str("null"),
        View::Bool(truth) => drop(write!(out, "{truth}")),
        View::Number(number) if number.is_infinite() => out.push_str("unknown(number)"),
        View::Number(number) => drop(write!(out, "{number}")),
        View::String(text) => push_text(text, out),
        View::Dynamic | View::Capsule(_) => out.push_str("unknown()"),
        View::Unknown(range) => push_unknown(&value.ty(), range.refinement(), is_typed, out),
        View::List(list) => push_items(list.iter(), (is_typed, depth), out),
        View::Set(set) => push_items(set.iter(), (is_typed, depth), out),
        View::Tuple(tuple) => push_items(tuple.iter(), (is_typed, depth), out),
        View::Map(map) => push_entries(map.iter(), (is_typed, depth), out),
        View::Object(object) => push_entries(object.iter(), (is_typed, depth), out),
    }
}

/// Whether a value is not to be shown: for every mark but that something is deprecated.
fn is_hidden(value: &Value) -> bool {
    let marks = value.marks();
    marks.contains(&Mark::SENSITIVE)
        || marks.has_name(HIDDEN)
        || marks.iter().any(|mark| mark.name() != Mark::DEPRECATED.name())
}

/// Appends a text in quotes, in which `${` and `%{` begin no template.
pub(super) fn push_text(text: &str, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write_quoted(out, &text.replace("${", "$${").replace("%{", "%%{"));
}

/// Appends an unknown value: its type where nothing else tells it, and what is known of it.
fn push_unknown(ty: &Type, refinement: &Refinement, is_typed: bool, out: &mut String) {
    let text = refinement.to_string();
    let is_plain = text == "any()";
    // What has no text that reads back is left out: less is known then.
    let is_read = text.parse::<Refinement>().is_ok_and(|read| read == *refinement);
    let known = if is_plain || !is_read { "" } else { &text };
    let is_scalar = matches!(ty, Type::String | Type::Number | Type::Bool);
    let _ = match (is_typed, known, ty) {
        (true, "", _) | (_, "", Type::Dynamic) => write!(out, "unknown()"),
        (false, "", ty) if is_scalar => write!(out, "unknown({ty})"),
        (_, "", _) => write!(out, "unknown()"),
        (_, known, ty) if is_scalar => write!(out, "unknown({ty}, {known})"),
        (_, known, Type::List(_) | Type::Set(_) | Type::Map(_)) => write!(out, "unknown({ty}, {known})"),
        _ => write!(out, "unknown()"),
    };
}

/// The number of parts from which on a list or object of scalars stands on several lines.
const ON_ONE_LINE: usize = 4;

/// Whether a value has parts.
fn is_nested(value: &Value) -> bool {
    !is_hidden(value)
        && matches!(
            value.view_below_marks(),
            View::List(_) | View::Set(_) | View::Tuple(_) | View::Map(_) | View::Object(_)
        )
}

/// Whether parts stand on a line each.
fn is_long<'v>(mut parts: impl Iterator<Item = &'v Value>) -> bool {
    let mut first = parts.by_ref().take(ON_ONE_LINE);
    first.any(is_nested) || parts.next().is_some()
}

/// Appends a list.
fn push_items<'v>(
    items: impl Iterator<Item = &'v Value> + Clone,
    (is_typed, depth): (bool, usize),
    out: &mut String,
) {
    let is_long = is_long(items.clone());
    let mut is_first = true;
    out.push('[');
    for item in items {
        if is_long {
            push_line_end(depth.saturating_add(1), out);
        } else if !is_first {
            out.push_str(", ");
        }
        is_first = false;
        push_value(item, (is_typed, depth.saturating_add(1)), out);
        out.push_str(if is_long { "," } else { "" });
    }
    if is_long {
        push_line_end(depth, out);
    }
    out.push(']');
}

/// Appends an object.
fn push_entries<'v>(
    entries: impl Iterator<Item = (&'v str, &'v Value)> + Clone,
    (is_typed, depth): (bool, usize),
    out: &mut String,
) {
    let is_long = is_long(entries.clone().map(|(_, value)| value));
    let mut is_first = true;
    out.push('{');
    for (name, value) in entries {
        match (is_long, is_first) {
            (true, _) => push_line_end(depth.saturating_add(1), out),
            (false, true) => out.push(' '),
            (false, false) => out.push_str(", "),
        }
        is_first = false;
        push_name(name, out);
        out.push_str(" = ");
        push_value(value, (is_typed, depth.saturating_add(1)), out);
    }
    match (is_long, is_first) {
        (true, _) => push_line_end(depth, out),
        (false, true) => {}
        (false, false) => out.push(' '),
    }
    out.push('}');
}

/// Ends a line and begins the next at a depth.
fn push_line_end(depth: usize, out: &mut String) {
    out.push('\n');
    // Deeper lines are as far in: a deeply nested value is not larger than its text by its square.
    out.push_str(&"  ".repeat(depth.min(20)));
}

/// Whether a text is a name of HCL.
pub(super) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Appends the key of an entry: in quotes, unless it is a name.
pub(super) fn push_name(name: &str, out: &mut String) {
    // `for` begins an expression.
    if is_name(name) && name != "for" { out.push_str(name) } else { push_text(name, out) }
}
