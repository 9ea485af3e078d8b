//! Reads MessagePack as leniently as cty, where the [strict](super) functions return an error.
//!
//! | bytes | read as |
//! |---|---|
//! | bytes after the value, or after the map in a refinement | ignored |
//! | a key of a map twice | the last one counts |
//! | a key of a refinement twice | both count |
//! | nil as nullness | not null |
//! | nil as a prefix, a minimum length, a key of a refinement | ignored |
//! | a negative minimum length | 0 |
//! | an extension of any code with one byte or none | unknown |
//! | any extension 12 where the type is dynamic | unknown, its content ignored |
//! | the type of a dynamic value with optional attributes | they are read as required attributes |
//!
//! Input on which cty panics, or for which it returns a value of another type than requested, is an error here too.
//!
//! ```
//! use plantime::{msgpack, Type, Value};
//!
//! assert!(msgpack::from_slice(b"\xc3\xff", &Type::Bool).unwrap_err().is_syntax());
//! assert_eq!(msgpack::lenient::from_slice(b"\xc3\xff", &Type::Bool)?, Value::from(true));
//! # Ok::<(), plantime::Error>(())
//! ```

use super::{decode, implied};
use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

/// Reads MessagePack as [`msgpack::from_slice`](super::from_slice) does, but accepts all that cty accepts.
///
/// [Example](self)
///
/// # Errors
///
/// As [`msgpack::from_slice`](super::from_slice), for fewer inputs.
pub fn from_slice(bytes: &[u8], ty: &Type) -> Result<Value> {
    decode::read(bytes, ty, true)
}

/// Like [`msgpack::implied_type`](super::implied_type), but a key may occur twice. Bytes after the value are an
/// error here too, as they are in cty.
///
/// [Example](self)
///
/// # Errors
///
/// As [`msgpack::implied_type`](super::implied_type), except for a key that occurs twice.
pub fn implied_type(bytes: &[u8]) -> Result<Type> {
    implied::read(bytes, true)
}
