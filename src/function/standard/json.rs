//! JSON.

use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::json::{Lead, beginning, beginning_of_string, lead, lenient};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::text::CharInMessage;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["jsonencode"], "the text up to the first part that is not certain: `{\"a\":1,\"id\":\"vpc-`"),
    (
        &["jsondecode"],
        "what a known beginning says: the value once it is all there, the type, the beginning of a string, the range of a number",
    ),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    all.push(Standard::both(jsonencode()));
    all.push(Standard::both(jsondecode()));
}

fn jsonencode() -> Function {
    Function::new("jsonencode")
        .description("The value as JSON text.")
        .parameter(Parameter::new("val", Type::Dynamic).allow_null().allow_dynamic())
        .returns(Type::String)
        .not_null()
        .body_for_all(|arguments| {
            Ok(match lead(arguments.at(0))? {
                Lead::Whole(text) => Value::from(text),
                Lead::Start(text) => canonical(Type::String, Refinement::prefix(&text).and_not_null()),
            })
        })
}

fn jsondecode() -> Function {
    Function::new("jsondecode")
        .description("The value that a JSON text means: arrays are tuples, objects are objects.")
        .parameter(Parameter::new("str", Type::String))
        .returns_by(|arguments| match arguments.text(0) {
            Ok(text) => lenient::implied_type(text.as_bytes()),
            Err(_) => type_of_unknown(&prefix(arguments)),
        })
        .transformer(|arguments| of_unknown(&prefix(arguments)))
        .body(|arguments| lenient::from_slice(arguments.text(0)?.as_bytes()))
}

/// What the text begins with.
fn prefix(arguments: &Arguments<'_>) -> String {
    arguments.at(0).range().prefix().unwrap_or_default().to_owned()
}

fn trimmed(prefix: &str) -> &str {
    prefix.trim_start_matches([' ', '\t', '\n', '\r'])
}

fn type_of_unknown(prefix: &str) -> Result<Type> {
    let ty = match trimmed(prefix).chars().next() {
        Some('"') => Type::String,
        Some('t' | 'f') => Type::Bool,
        Some('-' | '0'..='9') => Type::Number,
        None | Some('{' | '[' | 'n') => Type::Dynamic,
        Some(other) => return Err(no_beginning(other).in_argument(0)),
    };
    Ok(beginning(prefix).possible()?.map_or(ty, |value| value.ty()))
}

#[cold]
fn no_beginning(found: char) -> Error {
    let message = format!("a JSON document cannot begin with the character {}", CharInMessage(found));
    Error::new(Kind::Syntax, message)
}

fn of_unknown(prefix: &str) -> Result<Value> {
    if let Some(value) = beginning(prefix).possible()? {
        return Ok(value);
    }
    let text = trimmed(prefix);
    Ok(match text.chars().next() {
        Some('t') => Value::from(true),
        Some('f') => Value::from(false),
        Some('n') => Value::null(Type::Dynamic),
        Some('"') => {
            let start = beginning_of_string(text.get(1..).unwrap_or_default());
            canonical(Type::String, Refinement::prefix(&start).and_not_null())
        }
        Some('-' | '0'..='9') => number(text)?,
        _ => Value::dynamic(),
    })
}

/// A number whose digits begin so. JSON has no infinities, and a number without a sign is at least 0; what the digits
/// say beyond that is what they say to `tonumber`, which knows that an exponent can follow.
fn number(digits: &str) -> Result<Value> {
    let text = canonical(Type::String, Refinement::prefix(digits).and_not_null());
    let number = convert(&text, &Type::Number.into())?;
    let range = match digits.starts_with('-') {
        true => NumberRange::new(Bound::Exclusive(Number::NEG_INFINITY), Bound::Inclusive(Number::ZERO))?,
        false => NumberRange::new(Bound::Inclusive(Number::ZERO), Bound::Exclusive(Number::INFINITY))?,
    };
    number.assume(&Refinement::number(range).and_not_null())
}
