//! Conversion of known primitive values.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::number::{NUMBER_REQUIRED, Number};
use crate::text::Text;
use crate::types::Type;
use crate::value::Value;

use super::mismatch::mismatch;

/// Converts a known bool.
pub(super) fn convert_bool(bool: bool, to: &TypeConstraint) -> Result<Value> {
    match to.as_type() {
        Type::Bool => Ok(Value::from(bool)),
        Type::String => Ok(Value::from(if bool { "true" } else { "false" })),
        _ => Err(mismatch(&Type::Bool, to)),
    }
}

/// Converts a known number.
pub(super) fn convert_number(number: &Number, to: &TypeConstraint) -> Result<Value> {
    match to.as_type() {
        Type::Number => Ok(Value::from(number.clone())),
        Type::String => Ok(Value::from(Text::of_ascii(number))),
        _ => Err(mismatch(&Type::Number, to)),
    }
}

/// Converts a known string.
pub(super) fn convert_string(text: &str, to: &TypeConstraint) -> Result<Value> {
    match to.as_type() {
        Type::String => Ok(Value::from(text)),
        Type::Number => text.parse::<Number>().map(Value::from),
        Type::Bool => self::parse_bool(text).map(Value::from),
        _ => Err(mismatch(&Type::String, to)),
    }
}

/// The strings that convert to a bool, with that bool.
pub(super) const BOOLS: [(&str, bool); 4] = [("true", true), ("1", true), ("false", false), ("0", false)];

/// The only string with this prefix that converts to a bool, if there is exactly one.
pub(super) fn only_word(prefix: &str) -> Option<&'static str> {
    let mut words = BOOLS.iter().map(|(word, _)| *word).filter(|word| word.starts_with(prefix));
    words.next().filter(|_| words.next().is_none())
}

/// The error for a string that is no number.
#[cold]
pub(super) fn not_a_number() -> Error {
    Error::new(Kind::Syntax, NUMBER_REQUIRED)
}

/// Parses a string as a bool; the error for `True` and the like suggests the lowercase word.
fn parse_bool(text: &str) -> Result<bool> {
    if let Some((_, bool)) = BOOLS.iter().find(|(word, _)| *word == text) {
        return Ok(*bool);
    }
    let lowercase = ["true", "false"].into_iter().find(|word| text.eq_ignore_ascii_case(word));
    Err(not_a_bool(lowercase))
}

/// The error for a string that is no bool; suggests `lowercase` if the string is that word in another case.
#[cold]
pub(super) fn not_a_bool(lowercase: Option<&str>) -> Error {
    let message = match lowercase {
        Some(word) => format!("a bool is required; to convert from string, use lowercase \"{word}\""),
        None => "a bool is required".to_owned(),
    };
    Error::new(Kind::Syntax, message)
}
