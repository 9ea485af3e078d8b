//! Reads JSON text as leniently as cty, where the [strict](super) functions return an error.
//!
//! | text | here, as in cty | strict |
//! |---|---|---|
//! | other text follows a value that is read with a type | ignored | error |
//! | a closing bracket follows a value of an implied type | ignored, with all text after it | error |
//! | an object has a property twice | the last one counts; with implied types both must be of one type | error |
//! | a string contains a byte that is not UTF-8 | U+FFFD | error |
//! | the type of a dynamic value has optional attributes | they are read as required attributes | error |
//!
//! Everything else is read as in the strict functions: a tuple with too few elements is an error in both.
//!
//! ```
//! use plantime::{Type, Value, json};
//!
//! let text = b"{\"a\": 1, \"a\": \"caf\xff\"} and so on";
//! let ty: Type = "map(string)".parse()?;
//! assert_eq!(json::lenient::from_slice_as(text, &ty)?, Value::map([("a", "caf\u{fffd}")])?);
//! assert!(json::from_slice_as(text, &ty).unwrap_err().is_syntax());
//! # Ok::<(), plantime::Error>(())
//! ```

use std::borrow::Cow;

use super::reader::Reader;
use super::{Reading, read_all, typed};
use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

/// Reads JSON text like [`json::from_slice`](super::from_slice), but accepts all that cty accepts. Text after the
/// value is an error here too, unless it starts with a closing bracket: then it is ignored.
///
/// [Example](self)
///
/// # Errors
///
/// As [`json::from_slice`](super::from_slice), for fewer texts.
pub fn from_slice(text: &[u8]) -> Result<Value> {
    read_all(Reader::of(&to_utf8(text)), Reading::Lenient)
}

/// Reads JSON as a value of a type, as [`json::from_slice_as`](super::from_slice_as) does, but accepts all that cty
/// accepts.
///
/// [Example](self)
///
/// # Errors
///
/// As [`json::from_slice_as`](super::from_slice_as), for fewer texts.
pub fn from_slice_as(text: &[u8], ty: &Type) -> Result<Value> {
    typed::Typed::new(Reader::of(&to_utf8(text)), Reading::Lenient).read(ty)
}

/// The type that a JSON text implies, as [`json::implied_type`](super::implied_type) gives it, but accepts all that
/// cty accepts.
///
/// [Example](self)
///
/// # Errors
///
/// As [`from_slice`].
pub fn implied_type(text: &[u8]) -> Result<Type> {
    read_all(Reader::of(&to_utf8(text)), Reading::Lenient)
}

/// The text with U+FFFD in place of each byte that is not UTF-8: as many of them as in Go.
fn to_utf8(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut to_utf8 = String::with_capacity(text.len().saturating_mul(2));
    for chunk in text.utf8_chunks() {
        to_utf8.push_str(chunk.valid());
        to_utf8.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Cow::Owned(to_utf8)
}
