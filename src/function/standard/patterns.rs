//! Searching for regular expressions, and replacing. Their syntax and meaning are those of [`crate::regexp`].

mod compiled;
mod replace;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function};
use crate::limits;
use crate::refinement::{LengthRange, Refinement};
use crate::regexp::Invalid;
use crate::text::stable_prefix;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;
use super::texts::{Known, starting, text};
use compiled::Pattern;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["regex"], "the type that the groups of a known pattern give"),
    (
        &["regexall"],
        "the type that the groups of a known pattern give to each element; at most one more than the characters of a known text",
    ),
    (&["regexreplace"], "what stands before the first match; the text, if there is none"),
    (
        &["replace"],
        "what stands before the first match; the text, if there is none; of a beginning, what no later text can make part of something that is replaced",
    ),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let regex = Function::new("regex")
        .description("What the first match of a regular expression is, or its groups.")
        .parameter(text("pattern"))
        .parameter(text("string"))
        .returns_by(|arguments| match Known::of(arguments.at(0)) {
            Known::Whole(text) => pattern(text)?.match_type(),
            Known::Start(_) => Ok(Type::Dynamic),
        })
        .not_null()
        .body(|arguments| {
            let pattern = pattern(arguments.text(0)?)?;
            let text = arguments.text(1)?;
            pattern.check_effort(text, false)?;
            let found = pattern.first(text);
            let none = || Error::new(Kind::NotFound, "pattern did not match any part of the given string");
            pattern.value(&found.ok_or_else(none)?)
        });
    all.push(Standard::both(regex));
    let regexall = Function::new("regexall")
        .description("What all matches of a regular expression are, or their groups.")
        .parameter(text("pattern"))
        .parameter(text("string"))
        .returns_by(|arguments| match Known::of(arguments.at(0)) {
            Known::Whole(text) => Type::list(pattern(text)?.match_type()?),
            Known::Start(_) => Type::list(Type::Dynamic),
        })
        .not_null()
        .transformer(|arguments| {
            let length = match Known::of(arguments.at(1)) {
                Known::Whole(text) => LengthRange::at_most((text.chars().count() as u64).saturating_add(1)),
                Known::Start(_) => LengthRange::default(),
            };
            Ok(canonical(arguments.ty().clone(), Refinement::length(length).and_not_null()))
        })
        .body(|arguments| {
            let pattern = pattern(arguments.text(0)?)?;
            let text = arguments.text(1)?;
            pattern.check_effort(text, true)?;
            let found = pattern.all(text);
            let values = found.map(|found| pattern.value(&found)).collect::<Result<Vec<_>>>()?;
            Value::list_of(pattern.match_type()?, values)
        });
    all.push(Standard::both(regexall));
    let regexreplace = Function::new("regexreplace")
        .description(
            "The text with all matches of a regular expression replaced, in which $1 is the first group.",
        )
        .parameter(text("str"))
        .parameter(text("pattern"))
        .parameter(text("replace"))
        .returns(Type::String)
        .not_null()
        .transformer(unknown_replaced)
        .body(|arguments| {
            let pattern = to_replace(arguments.text(1)?)?;
            replaced(arguments.text(0)?, &pattern, arguments.text(2)?)
        });
    all.push(Standard::cty(regexreplace));
    replace::add_to(all);
}

/// The pattern of a search. Its errors have go-cty's words.
fn pattern(text: &str) -> Result<Pattern> {
    let error = |invalid| match invalid {
        Invalid::Syntax { code, part } => {
            Error::new(Kind::Syntax, format!("invalid regexp pattern: {code} in {part}"))
        }
        Invalid::Limit(message) => Error::new(Kind::Limit, message),
    };
    Pattern::new(text).map_err(|invalid| error(invalid).in_argument(0))
}

/// The pattern of what is replaced. Its errors have Go's words.
fn to_replace(text: &str) -> Result<Pattern> {
    let error = |invalid| match invalid {
        Invalid::Syntax { code, part } => {
            Error::new(Kind::Syntax, format!("error parsing regexp: {code}: `{part}`"))
        }
        Invalid::Limit(message) => Error::new(Kind::Limit, message),
    };
    Pattern::new(text).map_err(|invalid| error(invalid).in_argument(1))
}

fn replaced(text: &str, pattern: &Pattern, template: &str) -> Result<Value> {
    let most = text.len().saturating_add(template.len()).max(limits::TEXT);
    pattern.check_effort(text, true)?;
    let replaced = pattern.replaced(text, template, most).map(Value::from);
    replaced.ok_or_else(|| Error::new(Kind::Limit, format!("the text would have more than {most} bytes")))
}

/// What stands before the first match stays, but for what the replacement may join.
fn unknown_replaced(arguments: &Arguments<'_>) -> Result<Value> {
    let pattern = match Known::of(arguments.at(1)) {
        Known::Whole(text) => to_replace(text)?,
        Known::Start(_) => return Ok(starting("")),
    };
    let Known::Whole(text) = Known::of(arguments.at(0)) else { return Ok(starting("")) };
    if pattern.check_effort(text, false).is_err() {
        return Ok(starting(""));
    }
    Ok(match pattern.place(text) {
        Some(found) => starting(stable_prefix(text.get(..found.start).unwrap_or_default())),
        None => Value::from(text),
    })
}
