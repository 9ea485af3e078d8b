//! Converts values to and from MessagePack, byte for byte as cty does: the format in which Terraform, OpenTofu and
//! their providers exchange values, and that plan files contain. Feature `msgpack`.
//!
//! Unlike JSON, this format has unknown values, with the facts known about them.
//!
//! | value | bytes |
//! |---|---|
//! | null | nil |
//! | bool | bool |
//! | whole number of 64 bits (signed) | the shortest integer |
//! | other number that is an `f64`, infinities among them | float 64 |
//! | any other number | its decimal text as str: `0.1`, 2^63 |
//! | string | str |
//! | list, set, tuple | array; a set in [its order](crate::SetView::iter) |
//! | map, object | map, sorted by key |
//! | unknown | extension 0, one byte 0 |
//! | unknown with a refinement | extension 12, a map, below |
//! | any value where the requested type is `dynamic` | array of two: the type in [JSON](crate::Type::to_json_text) as bin, the value |
//! | unknown or null of unknown type | extension 0, nil |
//!
//! | key | fact | encoding |
//! |---|---|---|
//! | 1 | not null | false |
//! | 2 | the prefix of a string | str, at most 256 bytes |
//! | 3, 4 | the lower, the upper bound of a number | array of two: the number, whether it is included |
//! | 5, 6 | the minimum, the maximum length of a list, set or map | integer |
//!
//! A fact that the format cannot express is left out, so the value that is read back may become at least everything
//! that the written one may. A longer prefix is cut as cty cuts it, a bound of more than 1,024 bytes is dropped,
//! and so is a narrower length that an assumption has given to a set with undecided members. If the requested type
//! is `list(dynamic)` or the like, an empty collection and a null are read back with that type: the bytes do not
//! contain a narrower one.
//!
//! ```
//! use plantime::{msgpack, Refinement, Type, Value};
//!
//! let ty: Type = "object({id = string, ports = list(number)})".parse()?;
//! let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
//! let vpc = Value::object([("id", id), ("ports", Value::list([80, 443])?)])?;
//!
//! let bytes = msgpack::to_vec(&vpc, &ty)?;
//! assert_eq!(bytes, b"\x82\xa2id\xc7\x09\x0c\x82\x01\xc2\x02\xa4vpc-\xa5ports\x92\x50\xcd\x01\xbb");
//! assert_eq!(msgpack::from_slice(&bytes, &ty)?, vpc);
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # Untrusted bytes
//!
//! Reading is total: no input makes it panic, overflow the stack, or allocate out of proportion. Input that crashes
//! go-cty (NaN, refinements that contradict each other, headers that announce gigabytes) is an error here, with the
//! path.

pub(crate) mod decode;
mod encode;
mod head;
mod implied;
pub mod lenient;
mod prefix;
pub(crate) mod reader;
mod refinement;
#[cfg(test)]
mod tests;
mod untyped;

use std::io;

use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

/// The extension code of an unknown value without a refinement.
const UNKNOWN: i8 = 0;
/// The extension code of an unknown value with a refinement.
const REFINED: i8 = 12;
/// The maximum length of a refinement in bytes, as in cty.
const REFINEMENT_BYTES: usize = 1024;

/// Writes a value as MessagePack bytes of the type `ty`: see [the table](self). A value of another type is
/// [converted](crate::convert) first, as in cty.
///
/// ```
/// use plantime::{msgpack, Type, Value};
///
/// assert_eq!(msgpack::to_vec(&Value::from("a"), &Type::String)?, b"\xa1a");
/// assert_eq!(msgpack::to_vec(&Value::from("a"), &Type::Dynamic)?, b"\x92\xc4\x08\"string\"\xa1a");
/// assert_eq!(msgpack::to_vec(&Value::unknown(Type::String), &Type::String)?, b"\xd4\x00\x00");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// [`is_marked`](crate::Error::is_marked) where a value is marked,
/// [`is_type_mismatch`](crate::Error::is_type_mismatch) for a capsule, both with the path; and the errors of the
/// conversion.
pub fn to_vec(value: &Value, ty: &Type) -> Result<Vec<u8>> {
    encode::to_vec(value, ty)
}

/// Writes a value like [`to_vec`], into a writer, in pieces. The writer is not flushed.
///
/// ```
/// use plantime::{Type, Value, msgpack};
///
/// let mut bytes = Vec::new();
/// msgpack::to_writer(&mut bytes, &Value::unknown(Type::String), &Type::String)?;
/// assert_eq!(bytes, msgpack::to_vec(&Value::unknown(Type::String), &Type::String)?);
/// assert!(!msgpack::from_slice(&bytes, &Type::String)?.is_known());
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_vec`], and [`is_io`](crate::Error::is_io) where the writer fails. Some bytes may have been written by then.
pub fn to_writer(mut writer: impl io::Write, value: &Value, ty: &Type) -> Result<()> {
    encode::to_writer(&mut writer, value, ty)
}

/// Reads MessagePack as a value of the type.
///
/// | type | bytes |
/// |---|---|
/// | any | nil is the null of the type, an extension an unknown of it |
/// | bool | bool |
/// | number | integer; float, exactly what its bits say; str that [`Number`](crate::Number) reads |
/// | string | str or bin in valid UTF-8 |
/// | list, set | array |
/// | map | map with keys that are strings, each once |
/// | tuple | array of the same length |
/// | object | map of just the attributes |
/// | dynamic | array of two: the JSON of a type (bin or str), and a value of it |
///
/// Integers, lengths and extensions may use any of MessagePack's forms for them. A key of a refinement that is not
/// in [the table](self) is ignored.
///
/// If the element type of a collection is dynamic, all elements together decide it: a type that is dynamic in one
/// element may be known from others.
///
/// ```
/// use plantime::{msgpack, Type, Value};
///
/// let ids = Type::list(Type::String)?;
/// let read = msgpack::from_slice(b"\x92\xa1a\xd4\x00\x00", &ids)?;
/// assert_eq!(read, Value::list([Value::from("a"), Value::unknown(Type::String)])?);
///
/// let error = msgpack::from_slice(b"\x92\xa1a\x05", &ids).unwrap_err();
/// assert_eq!(error.to_string(), "[1]: string is required");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// [`is_syntax`](crate::Error::is_syntax) for bytes that are not one value in MessagePack, a key that occurs twice and
/// an extension without a meaning; [`is_type_mismatch`](crate::Error::is_type_mismatch) for a value of another type;
/// [`is_contradiction`](crate::Error::is_contradiction) for a refinement that no value satisfies;
/// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels,
/// [`limits::DIGITS`](crate::limits::DIGITS) digits, [`limits::SIZE`](crate::limits::SIZE) parts, or 1,024 bytes of
/// refinement.
pub fn from_slice(bytes: &[u8], ty: &Type) -> Result<Value> {
    decode::read(bytes, ty, false)
}

/// The type that the bytes imply, for values that were written without a type.
///
/// | bytes | type |
/// |---|---|
/// | nil, extension | dynamic |
/// | bool; integer or float; str | bool; number; string |
/// | array | tuple |
/// | map with keys that are strings, each once | object |
/// | bin | none: an error, as in cty |
///
/// ```
/// use plantime::msgpack;
///
/// let ty = msgpack::implied_type(b"\x82\xa1a\x92\x01\xc0\xa1b\xc3")?;
/// assert_eq!(ty.to_string(), "object({a = tuple([number, dynamic]), b = bool})");
/// assert_eq!(msgpack::from_slice(b"\x82\xa1a\x92\x01\xc0\xa1b\xc3", &ty)?.ty(), ty);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// [`is_syntax`](crate::Error::is_syntax) for bytes that are not one value in MessagePack, a bin, a key that is no
/// string or occurs twice;
/// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels.
pub fn implied_type(bytes: &[u8]) -> Result<Type> {
    implied::read(bytes, false)
}
