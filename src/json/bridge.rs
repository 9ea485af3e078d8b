//! Converts values to and from `serde_json::Value`.

use serde_json::Value as Json;

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::path::Step;
use crate::types::Type;
use crate::types::json::not_allowed;
use crate::value::{Value, View};

use super::number::number;
use super::writer::{marked, unknown};

/// Converts a JSON document to a value: arrays become tuples, objects become objects, `null` becomes a null of
/// unknown type.
///
/// Without its feature `arbitrary_precision`, `serde_json` holds every number that is not a 64-bit integer as an
/// `f64`, so digits may be lost already. [`json::from_slice`](crate::json::from_slice) reads the same document
/// exactly.
///
/// ```
/// use plantime::Value;
///
/// let json = serde_json::json!({"ports": [80, 443], "name": null});
/// let value = Value::try_from(&json)?;
/// assert_eq!(value.ty().to_string(), "object({name = dynamic, ports = tuple([number, number])})");
/// assert_eq!(serde_json::Value::try_from(&value)?, json);
/// # Ok::<(), plantime::Error>(())
/// ```
impl TryFrom<&Json> for Value {
    type Error = Error;

    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels, or for a number above
    /// [`limits::DIGITS`](crate::limits::DIGITS).
    fn try_from(json: &Json) -> Result<Value> {
        from_json(json, crate::limits::DEPTH)
    }
}

/// Converts a JSON document that may nest `depth` more levels.
fn from_json(json: &Json, depth: usize) -> Result<Value> {
    let too_deep =
        || Error::new(Kind::Limit, format!("JSON may nest at most {} levels", crate::limits::DEPTH));
    let below = || depth.checked_sub(1).ok_or_else(too_deep);
    match json {
        Json::Null => Ok(Value::null(Type::Dynamic)),
        Json::Bool(value) => Ok(Value::from(*value)),
        Json::Number(digits) => number(&digits.to_string()).map(Value::from),
        Json::String(text) => Ok(Value::from(text.as_str())),
        Json::Array(items) => {
            let below = below()?;
            let item = |(i, item)| from_json(item, below).map_err(|error| error.under(Step::index(i)));
            Value::tuple(items.iter().enumerate().map(item).collect::<Result<Vec<_>>>()?)
        }
        Json::Object(properties) => {
            let below = below()?;
            let mut attributes = Vec::with_capacity(properties.len());
            for (name, value) in properties {
                let value = from_json(value, below).map_err(|error| error.under(Step::attr(name)))?;
                attributes.push((name.as_str(), value));
            }
            Value::object(attributes)
        }
    }
}

/// Converts a value to a JSON document. Lists, sets (in iteration order) and tuples become arrays; maps and objects
/// become objects.
///
/// `serde_json` holds a number that is not a 64-bit integer as the nearest `f64`. With its feature
/// `arbitrary_precision` it keeps every digit.
impl TryFrom<&Value> for Json {
    type Error = Error;

    /// # Errors
    ///
    /// [`is_unknown`](Error::is_unknown) and [`is_marked`](Error::is_marked) where something is unknown or marked,
    /// [`is_argument`](Error::is_argument) for an infinity, [`is_limit`](Error::is_limit) for a number that `serde_json`
    /// cannot hold; with the path.
    fn try_from(value: &Value) -> Result<Json> {
        encode(value, |number| to_number(number).map(Json::Number))
    }
}

/// Converts a value to a JSON document that keeps every digit: a number that `serde_json` would round becomes a
/// string.
pub fn lossless_or_text(value: &Value) -> Result<Json> {
    encode(value, |exact| Ok(lossless_number(exact).unwrap_or_else(|| Json::String(exact.to_string()))))
}

/// Converts a value to a JSON document that keeps every digit; an error for a number that `serde_json` would round.
pub fn lossless(value: &Value) -> Result<Json> {
    encode(value, |exact| match lossless_number(exact) {
        Some(number) => Ok(number),
        None => Err(to_number(exact).err().unwrap_or_else(|| {
            Error::new(
                Kind::Limit,
                "serde_json holds all digits of this number only with arbitrary_precision",
            )
        })),
    })
}

/// The number as JSON, if `serde_json` holds all of its digits.
fn lossless_number(exact: &Number) -> Option<Json> {
    let held = to_number(exact).ok()?;
    number(&held.to_string()).is_ok_and(|held| held == *exact).then_some(Json::Number(held))
}

/// Converts a value to a JSON document; `number` converts each number in it.
fn encode(value: &Value, number: fn(&Number) -> Result<Json>) -> Result<Json> {
    let items = |items: &mut dyn Iterator<Item = &Value>| -> Result<Json> {
        let item = |(i, item): (usize, &Value)| {
            encode(item, number).map_err(|error: Error| error.under(Step::index(i)))
        };
        items.enumerate().map(item).collect::<Result<_>>().map(Json::Array)
    };
    match value.view() {
        View::Marked(_) => Err(marked()),
        View::Dynamic | View::Unknown(_) => Err(unknown()),
        View::Null(_) => Ok(Json::Null),
        View::Bool(value) => Ok(Json::Bool(value)),
        View::Number(value) => number(value),
        View::String(text) => Ok(Json::String(text.to_owned())),
        View::Capsule(capsule) => Err(not_allowed(&Type::Capsule(capsule.ty()))),
        View::List(list) => items(&mut list.iter()),
        View::Tuple(tuple) => items(&mut tuple.iter()),
        View::Set(set) => {
            let member = |member: &Value| {
                encode(member, number).map_err(|error| error.under(Step::index(member.clone())))
            };
            set.iter().map(member).collect::<Result<_>>().map(Json::Array)
        }
        View::Map(map) => {
            let entry = |(key, value): (&str, &Value)| {
                let json = encode(value, number).map_err(|error| error.under(Step::index(key)))?;
                Ok((key.to_owned(), json))
            };
            map.iter().map(entry).collect::<Result<_>>().map(Json::Object)
        }
        View::Object(object) => {
            let attribute = |(name, value): (&str, &Value)| {
                let json = encode(value, number).map_err(|error| error.under(Step::attr(name)))?;
                Ok((name.to_owned(), json))
            };
            object.iter().map(attribute).collect::<Result<_>>().map(Json::Object)
        }
    }
}

/// Converts a number to the nearest number of `serde_json`; an error for an infinity.
fn to_number(number: &Number) -> Result<serde_json::Number> {
    if number.is_infinite() {
        return Err(Error::new(Kind::Argument, "cannot serialize infinity as JSON"));
    }
    if let Some(small) = number.to_i64() {
        return Ok(small.into());
    }
    if let Some(small) = number.to_u64() {
        return Ok(small.into());
    }
    let too_large = |_| Error::new(Kind::Limit, "the number is too large for serde_json");
    serde_json::from_str(&number.to_string()).map_err(too_large)
}
