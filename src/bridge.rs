//! Converts between Rust types and values through serde.
//!
//! A provider's author writes a plain struct. [`to_value`] converts it to a value, [`from_value`] reads it back. A
//! field that may be unknown is a [`Planned`]; a field of type [`Value`] is passed on unchanged.
//!
//! ```
//! use plantime::bridge::{from_value, to_value_as};
//! use plantime::{Type, Value};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Listener {
//!     host: String,
//!     ports: Vec<u16>,
//! }
//!
//! let listener = Listener { host: "web".into(), ports: vec![80, 443] };
//! let ty: Type = "object({host = string, ports = set(number)})".parse()?;
//! let value = to_value_as(&listener, &(&ty).into())?;
//! assert_eq!(value.to_string(), r#"{host = "web", ports = toset([80, 443])}"#);
//! assert_eq!(from_value::<Listener>(&value)?, listener);
//!
//! let wrong = to_value_as(&serde_json::json!({"host": "web", "ports": [80, 65536]}), &ty.into())?;
//! let error = from_value::<Listener>(&wrong).unwrap_err();
//! assert_eq!(error.to_string(), "ports[65536]: value must be a whole number, between 0 and 65535 inclusive");
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # Which Rust type becomes which value
//!
//! | Rust type, as serde sees it | value written | values it is read from |
//! |---|---|---|
//! | `bool` | bool | bool |
//! | integer of any size | number | integer in the type's range |
//! | `f32`, `f64` | number: the shortest decimal that reads back as the float; NaN is an error | number, to the nearest float; out of range is an error, an infinity is not |
//! | [`Number`](crate::Number) | number, every digit | number |
//! | a number of another crate, with [`decimal`] | number, every digit | number |
//! | `char`, text | string, in normal form C | string; of one character for `char`. `&str` borrows |
//! | bytes | list of numbers | list, set or tuple of numbers; string, its bytes |
//! | `()`, unit struct, `None` | null of unknown type | null |
//! | `Some(x)`, newtype | x | the value itself |
//! | sequence (`Vec`, `HashSet`, …) | list; tuple if the elements have no common type | list, set (in its order), tuple |
//! | tuple, array, tuple struct | tuple | list, set or tuple of that length |
//! | map | map; object if the elements have no common type. Keys are strings, whole numbers, bools or unit variants | map, object |
//! | struct | object | object, map; tuple with one element for each field |
//! | unit variant | string: the name of the variant | string; an object as in the next row whose attribute is null |
//! | any other variant | object of one attribute: the name of the variant, and the content | object or map with exactly one entry, or exactly one that is not null |
//! | [`Value`], [`Planned`] | the value itself, with marks, capsules and unknowns | any value; see [`Planned`] |
//! | [`Type`](crate::Type), [`TypeConstraint`], [`Refinement`](crate::Refinement), [`Path`](crate::Path), … | their [form](crate::serial) | their form |
//!
//! A null can be read only as `None`, `()`, [`Planned`] or [`Value`]; an unknown value only as [`Planned`] or
//! [`Value`]; a marked value only as [`Value`]. Anything else is an error with the path.
//!
//! The elements of a sequence or map have a common type if they are of one type. Nulls, empty sequences and empty
//! maps have no type of their own and take that of the others: `[Some("a"), None]` becomes a list of strings. To
//! request a type, use [`to_value_as`]. [`implied_type`] finds out which type a Rust type reads.
//!
//! An attribute without a field in the struct is ignored, unless the struct has `#[serde(deny_unknown_fields)]`. A
//! missing attribute is an error unless the field is an `Option` or has `#[serde(default)]`.
//!
//! Types that serde reads without a hint of what they need (`serde_json::Value`, untagged and internally tagged
//! enums, flattened fields) get a number as the first of these that holds it: an integer of 64 bits, the float
//! whose shortest decimal it is, an integer of 128 bits, the nearest float. They get no infinity. A [`Planned`]
//! works there; a [`Value`] there is read only from an unknown value.
//!
//! # Bounds
//!
//! Values nest up to [`limits::DEPTH`](crate::limits::DEPTH) levels, options and newtypes around them twice as
//! deep. No memory is allocated on the strength of a length that a type or value announces.

use serde_core::{Deserialize, Serialize};

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::serial::{NUMBER, VALUE};
use crate::value::Value;

/// Calls a macro with the names of serde's methods for all integer types: `deserialize` passes each deserializer method
/// with its visitor method, `serialize` each serializer method with its integer type.
macro_rules! for_integers {
    (deserialize $callback:ident) => {
        $callback! {
            deserialize_i8 visit_i8
            deserialize_i16 visit_i16
            deserialize_i32 visit_i32
            deserialize_i64 visit_i64
            deserialize_i128 visit_i128
            deserialize_u8 visit_u8
            deserialize_u16 visit_u16
            deserialize_u32 visit_u32
            deserialize_u64 visit_u64
            deserialize_u128 visit_u128
        }
    };
    (serialize $callback:ident) => {
        $callback! {
            serialize_i8 i8
            serialize_i16 i16
            serialize_i32 i32
            serialize_i64 i64
            serialize_i128 i128
            serialize_u8 u8
            serialize_u16 u16
            serialize_u32 u32
            serialize_u64 u64
            serialize_u128 u128
        }
    };
}

pub mod decimal;
mod depth;
mod error;
mod implied;
mod number;
mod planned;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use implied::{implied_constraint, implied_type};
pub use planned::{Planned, UnknownValue};

use depth::DepthLeft;
use read::Reader;
use write::Writer;

/// The newtype name under which a [`Planned`] is read.
pub(crate) const PLANNED: &str = "$plantime::Planned";
/// The struct name of serde_json's numbers when it keeps all their digits.
const JSON_NUMBER: &str = "$serde_json::private::Number";
/// The newtype names under which a `Value` or a `Number` passes itself to the serializer of this module unchanged.
const NAMES: [&str; 2] = [VALUE, NUMBER];

/// Converts a Rust value to a [`Value`], by [this table](crate::bridge#which-rust-type-becomes-which-value).
///
/// ```
/// use plantime::Value;
/// use plantime::bridge::to_value;
///
/// assert_eq!(to_value(&["a", "b"].as_slice())?, Value::list(["a", "b"])?);
/// assert_eq!(to_value(&("a", 1))?, Value::tuple([Value::from("a"), Value::from(1)])?);
/// assert_eq!(to_value(&[("x", f64::NAN)]).unwrap_err().to_string(), "[0][1]: NaN is no number");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// With the path to the place: [`is_argument`](crate::Error::is_argument) for NaN and for two keys that are the same text
/// once normalised, [`is_type_mismatch`](crate::Error::is_type_mismatch) for a key that is not a string,
/// [`is_limit`](crate::Error::is_limit) above the [bounds](crate::bridge#bounds), and errors of the type's own code
/// ([`is_custom`](crate::Error::is_custom)).
pub fn to_value<T: Serialize + ?Sized>(rust: &T) -> Result<Value> {
    Ok(rust.serialize(Writer(DepthLeft::FULL))?.value)
}

/// Converts a Rust value to a [`Value`] of a type.
///
/// The conversion is [`convert`] with every attribute optional: one that the Rust value does not have takes its default, or
/// becomes null.
///
/// ```
/// use std::collections::BTreeMap;
/// use plantime::bridge::to_value_as;
/// use plantime::Value;
///
/// let tags = BTreeMap::from([("Name", "web"), ("Tier", "1")]);
/// let tagged = to_value_as(&tags, &"object({Name = string, Tier = number, Team = string})".parse()?)?;
/// assert_eq!(tagged.to_string(), r#"{Name = "web", Team = null, Tier = 1}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_value`] and [`convert`].
pub fn to_value_as<T: Serialize + ?Sized>(rust: &T, constraint: &TypeConstraint) -> Result<Value> {
    convert(&to_value(rust)?, &constraint.with_optional_attributes()?)
}

/// Reads a Rust value from a [`Value`], by [this table](crate::bridge#which-rust-type-becomes-which-value).
///
/// Strings may be borrowed from the value.
///
/// ```
/// use std::collections::BTreeMap;
/// use plantime::bridge::from_value;
/// use plantime::{Type, Value, value};
///
/// let tags = Value::map([("Name", "web")])?;
/// assert_eq!(from_value::<BTreeMap<&str, String>>(&tags)?["Name"], "web");
///
/// let planned = value!({ "id": (Value::unknown(Type::String)) })?;
/// let error = from_value::<BTreeMap<String, String>>(&planned).unwrap_err();
/// assert_eq!(error.to_string(), "id: value must be known");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// With the path to the place: [`is_type_mismatch`](crate::Error::is_type_mismatch), [`is_null`](crate::Error::is_null),
/// [`is_unknown`](crate::Error::is_unknown) and [`is_marked`](crate::Error::is_marked) if the value does not fit the Rust type;
/// [`is_argument`](crate::Error::is_argument) for a number that is not whole or out of range, and a variant that is
/// none; [`is_not_found`](crate::Error::is_not_found) for an attribute that is missing or not supported; and errors of
/// the type's own code ([`is_custom`](crate::Error::is_custom)). A message contains nothing of marked values except their paths.
pub fn from_value<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T> {
    T::deserialize(Reader { value, depth: DepthLeft::FULL })
        .map_err(|error| error::error_in_child(error, value, None))
}
