//! JSON text and `serde_json` values, both ways. Feature `json`.
//!
//! Reading follows cty's *implied types*: a JSON array is a tuple, an object is an object, `null` is a null of no
//! type. With a type at hand ([`from_slice_as`]) arrays become lists and sets, objects become maps.
//!
//! Numbers are exact: they are read from their digits and never pass through a floating point number, whatever
//! features `serde_json` was built with.
//!
//! ```
//! use plantime::{json, Type, Value};
//!
//! let value = json::from_slice(br#"{"port": 5432, "share": 0.1}"#)?;
//! assert_eq!(value, Value::object([("port", Value::from(5432)), ("share", "0.1".parse::<plantime::Number>()?.into())])?);
//!
//! let ports = json::from_slice_as(b"[80, 443]", &Type::list(Type::Number)?)?;
//! assert_eq!(ports, Value::list([80, 443])?);
//! # Ok::<(), plantime::Error>(())
//! ```

mod bridge;
mod implied;
mod number;
mod reader;
#[cfg(feature = "schema")]
pub(crate) mod shape;
mod string;
#[cfg(feature = "plan")]
mod tape;
#[cfg(test)]
mod tests;
mod typed;

use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

#[cfg(feature = "plan")]
pub(crate) use bridge::exactly;
pub(crate) use reader::Reader;
#[cfg(feature = "schema")]
pub(crate) use {implied::value as implied, reader::Token};
#[cfg(feature = "plan")]
pub(crate) use {
    number::number,
    string::Str,
    tape::{Entries, Item, Node, Tape},
};

/// Reads JSON text; the type of the value is the one that the text implies.
///
/// | JSON | value |
/// |---|---|
/// | `null` | null of no type |
/// | `true`, number, string | bool, number (exact), string (in normal form C) |
/// | array | tuple |
/// | object | object |
///
/// # Errors
///
/// [`is_syntax`](crate::Error::is_syntax) when the text is not one JSON value in valid UTF-8, or an object names a
/// property twice; [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels or for a
/// number above [`limits::DIGITS`](crate::limits::DIGITS). The message ends with line and column, the error's path
/// leads to the place.
pub fn from_slice(text: &[u8]) -> Result<Value> {
    let mut reader = Reader::new(text)?;
    let value = implied::value(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Reads JSON text as a value of a type, as cty does.
///
/// | type | JSON |
/// |---|---|
/// | any | `null` is the null of the type |
/// | bool | `true`, `false`, or one of these (also `1`, `0`) as text |
/// | number | a number, or text that [`Number`](crate::Number) reads |
/// | string | text; of a number its digits as they stand, of a bool `true` or `false` |
/// | list, set | array |
/// | map | object |
/// | tuple | array of the same length |
/// | object | object without other properties; missing ones are null |
/// | dynamic | `{"type": …, "value": …}`, the type in the JSON form of [`Type::from_json_text`] |
///
/// ```
/// use plantime::{json, Type, Value};
///
/// let ty: Type = "object({name = string, tags = map(string)})".parse()?;
/// let value = json::from_slice_as(br#"{"name": "web"}"#, &ty)?;
/// assert_eq!(value.ty(), ty);
/// assert!(json::from_slice_as(br#"{"name": ["web"]}"#, &ty).unwrap_err().is_type_mismatch());
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`from_slice`], and [`is_type_mismatch`](crate::Error::is_type_mismatch) where the text does not fit the type.
pub fn from_slice_as(text: &[u8], ty: &Type) -> Result<Value> {
    let mut reader = Reader::new(text)?;
    let value = typed::value(&mut reader, ty)?;
    reader.end()?;
    Ok(value)
}
