//! `jsonencode` and `jsondecode`.

use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter, work};
use crate::json::{KnownText, known_text, lenient, read_prefix, string_prefix};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::text::CharInMessage;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::StandardFunction;

/// Adds `jsonencode` and `jsondecode`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let note = "the text around the values that are not certain, and the shape of these: `{\"id\":\"vpc-${…}\",\"a\":1}`";
    functions.push(StandardFunction::shared(jsonencode(), note));
    let note = "what a known prefix determines: the value once it is complete, the type, the prefix of a string, the \
                interval of a number";
    functions.push(StandardFunction::shared(jsondecode(), note));
}

/// Defines `jsonencode`: a value as JSON text. Of a value that is not wholly known, what is certain of the text: its
/// prefix up to the first character that is not certain, its end, and the shape between.
fn jsonencode() -> Function {
    Function::new("jsonencode")
        .description("The value as JSON text.")
        .parameter(Parameter::new("val", Type::Dynamic).allow_null().allow_dynamic())
        .returns(Type::String)
        .not_null()
        .body_for_all(|arguments| {
            Ok(match known_text(arguments.at(0))? {
                KnownText::Complete(text) => Value::from(text),
                KnownText::Open(text) => text.into_value(),
            })
        })
}

/// Defines `jsondecode`: the value of a JSON text. Of an unknown text with a known prefix, the facts that the prefix
/// determines.
fn jsondecode() -> Function {
    Function::new("jsondecode")
        .description("The value of a JSON document. An array becomes a tuple, an object an object.")
        .parameter(Parameter::new("str", Type::String))
        .returns_by(|arguments| match arguments.text(0) {
            Ok(text) => lenient::implied_type(text.as_bytes()),
            Err(_) => type_with_prefix(&known_prefix(arguments)),
        })
        .transformer(|arguments| value_with_prefix(&known_prefix(arguments)))
        .body(|arguments| lenient::from_slice(arguments.text(0)?.as_bytes()).map(work::charged))
}

/// The known prefix of the first argument, an unknown string; empty if it has none.
fn known_prefix(arguments: &Arguments<'_>) -> String {
    arguments.at(0).range().prefix().unwrap_or_default().to_owned()
}

/// The string without the white space of JSON at its start.
fn without_leading_space(prefix: &str) -> &str {
    prefix.trim_start_matches([' ', '\t', '\n', '\r'])
}

/// The type that the values of all JSON documents with this prefix have; `dynamic` if they differ, and an error if no
/// document has the prefix.
fn type_with_prefix(prefix: &str) -> Result<Type> {
    let ty = match without_leading_space(prefix).chars().next() {
        Some('"') => Type::String,
        Some('t' | 'f') => Type::Bool,
        Some('-' | '0'..='9') => Type::Number,
        None | Some('{' | '[' | 'n') => Type::Dynamic,
        Some(other) => return Err(invalid_first_character(other).in_argument(0)),
    };
    Ok(read_prefix(prefix).into_value()?.map_or(ty, |value| value.ty()))
}

/// The error for a character that no JSON document starts with, which is `found`.
#[cold]
fn invalid_first_character(found: char) -> Error {
    let message = format!("a JSON document cannot begin with the character {}", CharInMessage(found));
    Error::new(Kind::Syntax, message)
}

/// The value of all JSON documents with this prefix, or an unknown with what these values have in common. An error if
/// no document has the prefix.
fn value_with_prefix(prefix: &str) -> Result<Value> {
    if let Some(value) = read_prefix(prefix).into_value()? {
        return Ok(value);
    }
    let text = without_leading_space(prefix);
    Ok(match text.chars().next() {
        Some('t') => Value::from(true),
        Some('f') => Value::from(false),
        Some('n') => Value::null(Type::Dynamic),
        Some('"') => {
            let prefix = string_prefix(text.get(1..).unwrap_or_default());
            canonical(Type::String, Refinement::prefix(&prefix).and_not_null())
        }
        Some('-' | '0'..='9') => number_with_prefix(text)?,
        _ => Value::dynamic(),
    })
}

/// An unknown number in the interval of the JSON numbers whose text starts with these digits. The conversion of a
/// string with the prefix computes it, and considers that an exponent may follow. In addition, JSON has no infinities,
/// and a number without a sign is at least 0.
fn number_with_prefix(digits: &str) -> Result<Value> {
    let text = canonical(Type::String, Refinement::prefix(digits).and_not_null());
    let number = convert(&text, &Type::Number.into())?;
    let range = match digits.starts_with('-') {
        true => NumberRange::new(Bound::Exclusive(Number::NEG_INFINITY), Bound::Inclusive(Number::ZERO))?,
        false => NumberRange::new(Bound::Inclusive(Number::ZERO), Bound::Exclusive(Number::INFINITY))?,
    };
    number.assume(&Refinement::number(range).and_not_null())
}
