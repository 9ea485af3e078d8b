//! Reading what cty reads, where the [strict](super) functions refuse.
//!
//! | text | here, as in cty | strict |
//! |---|---|---|
//! | something follows the value that is read with a type | passed over | error |
//! | a closing bracket follows a value of an implied type | passed over, with all behind it | error |
//! | a property comes twice | the last one counts; with implied types both must be of one type | error |
//! | a byte that is no UTF-8, in a string | U+FFFD | error |
//! | the type of a dynamic value has optional attributes | they are attributes like others | error |
//!
//! Everything else is as it is there: a tuple with too few elements is an error in both.
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
use super::{Reading, from_reader, typed};
use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

/// As [`json::from_slice`](super::from_slice). What follows the value is an error here too, as it is in cty, but for a
/// closing bracket.
///
/// # Errors
///
/// As [`json::from_slice`](super::from_slice), for less.
pub fn from_slice(text: &[u8]) -> Result<Value> {
    from_reader(Reader::of(&repaired(text)), Reading::Lenient)
}

/// Reads JSON as a value of a type, as [`json::from_slice_as`](super::from_slice_as) does, but accepts all that cty
/// accepts.
///
/// # Errors
///
/// As [`json::from_slice_as`](super::from_slice_as), for less.
pub fn from_slice_as(text: &[u8], ty: &Type) -> Result<Value> {
    typed::Typed::new(Reader::of(&repaired(text)), Reading::Lenient).whole(ty)
}

/// The type that a JSON text implies, as [`json::implied_type`](super::implied_type) gives it, but accepts all that
/// cty accepts.
///
/// # Errors
///
/// As [`from_slice`].
pub fn implied_type(text: &[u8]) -> Result<Type> {
    from_reader(Reader::of(&repaired(text)), Reading::Lenient)
}

/// U+FFFD for each byte that is no UTF-8: as many as Go puts.
fn repaired(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut repaired = String::with_capacity(text.len().saturating_mul(2));
    for chunk in text.utf8_chunks() {
        repaired.push_str(chunk.valid());
        repaired.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Cow::Owned(repaired)
}
