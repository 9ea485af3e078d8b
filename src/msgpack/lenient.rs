//! Reading what cty reads, where the [strict](super) functions refuse.
//!
//! | bytes | read as |
//! |---|---|
//! | anything after the value, or after the map in a refinement | not there |
//! | a key of a map twice | the later one |
//! | a key of a refinement twice | both |
//! | nil as nullness | not null |
//! | nil as a prefix, a least length, a key of a refinement | not there |
//! | a negative least length | 0 |
//! | an extension of any code with one byte or none | unknown |
//! | any extension 12 where no type is known | unknown, without a look inside |
//! | the type of a dynamic value with optional attributes | they are attributes like others |
//!
//! Where cty panics, or gives a value of another type than asked for, this is an error too.
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
/// # Errors
///
/// As [`msgpack::from_slice`](super::from_slice), for less.
pub fn from_slice(bytes: &[u8], ty: &Type) -> Result<Value> {
    decode::read(bytes, ty, true)
}

/// As [`msgpack::implied_type`](super::implied_type). Bytes after the value are an error here too, as they are in cty.
///
/// # Errors
///
/// As [`msgpack::implied_type`](super::implied_type), but for a key that comes twice.
pub fn implied_type(bytes: &[u8]) -> Result<Type> {
    implied::read(bytes, true)
}
