//! Rust types as values, and values as Rust types, by way of serde.
//!
//! A provider's author writes a plain struct. [`to_value`] makes a value of it, [`from_value`] reads it back; a field that may
//! not be known yet is a [`Planned`], and a field of type [`Value`] is passed on as it is.
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
//! # What becomes of what
//!
//! | Rust, as serde sees it | value made of it | values it is read from |
//! |---|---|---|
//! | `bool` | bool | bool |
//! | integer of any size | number | number that is whole and in the type's range |
//! | `f32`, `f64` | number: the shortest decimal that reads back as the float; NaN is an error | number, to the nearest float; out of range is an error, an infinity is not |
//! | [`Number`](crate::Number) | number, every digit | number |
//! | a number of another crate, with [`decimal`] | number, every digit | number |
//! | `char`, text | string, in normal form C | string; of one character for `char`. `&str` borrows |
//! | bytes | list of numbers | list, set or tuple of numbers; string, its bytes |
//! | `()`, unit struct, `None` | null of no type | null |
//! | `Some(x)`, newtype | x | the value itself |
//! | sequence (`Vec`, `HashSet`, …) | list; tuple where the elements have no type in common | list, set (in its order), tuple |
//! | tuple, array, tuple struct | tuple | list, set or tuple of that length |
//! | map | map; object where the elements have no type in common. Keys are text, whole numbers, bools or unit variants | map, object |
//! | struct | object | object, map; tuple of as many elements as there are fields |
//! | unit variant | string: the name of the variant | string; an object as below whose attribute is null |
//! | any other variant | object of one attribute: the name of the variant, and the content | object or map with one entry, or of which one is not null |
//! | [`Value`], [`Planned`] | the value itself, marks, capsules, unknowns and all | any value; see [`Planned`] |
//! | [`Type`](crate::Type), [`TypeConstraint`], [`Refinement`](crate::Refinement), [`Path`](crate::Path), … | their [form](crate::serial) | their form |
//!
//! A null is read as `None`, `()`, [`Planned`] or [`Value`] only; what is unknown as [`Planned`] or [`Value`]; what is marked as [`Value`].
//! Anything else is an error that says where.
//!
//! The elements of a sequence or map have a type in common where they are of one type but for nulls and empty sequences
//! and maps, which have none of their own; then they are given that type: of `[Some("a"), None]` a list of strings is made.
//! Where a type is wanted, say so: [`to_value_as`]. Which type a Rust type reads, [`implied_type`] finds out.
//!
//! An attribute for which a struct has no field is passed over, unless the struct has `#[serde(deny_unknown_fields)]`. One that
//! is missing is an error unless the field is an `Option` or has `#[serde(default)]`.
//!
//! What serde reads without saying what it wants (`serde_json::Value`, untagged and internally tagged enums, flattened fields)
//! gets a number as an integer of 64 bits, or the float whose shortest decimal it is, or an integer of 128 bits, or the
//! nearest float, whichever fits first; and no infinity. A [`Planned`] there works; a [`Value`] is read only from what is
//! unknown.
//!
//! # Bounds
//!
//! Values nest up to [`limits::DEPTH`](crate::limits::DEPTH) levels, options and newtypes around them twice as deep. Nothing is allocated because
//! a type or a value says how long it is.

use serde_core::{Deserialize, Serialize};

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::serial::{NUMBER, VALUE};
use crate::value::Value;

pub mod decimal;
mod error;
mod implied;
mod number;
mod planned;
mod read;
mod room;
#[cfg(test)]
mod tests;
mod write;

pub use implied::{implied_constraint, implied_type};
pub use planned::{Planned, UnknownValue};

use read::Reader;
use room::Room;
use write::Writer;

/// The name under which a [`Planned`] is asked for.
pub(crate) const PLANNED: &str = "$plantime::Planned";
/// What is written under a name.
const NAMES: [&str; 2] = [VALUE, NUMBER];

/// The value of something in Rust, as the [table](crate::bridge#what-becomes-of-what) says.
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
/// once normalised, [`is_type_mismatch`](crate::Error::is_type_mismatch) for a key that is no text,
/// [`is_limit`](crate::Error::is_limit) above the [bounds](crate::bridge#bounds), and what the type's own code says
/// ([`is_custom`](crate::Error::is_custom)).
pub fn to_value<T: Serialize + ?Sized>(rust: &T) -> Result<Value> {
    Ok(rust.serialize(Writer(Room::TOP))?.value)
}

/// The value of something in Rust, converted to a type.
///
/// As [`convert`], but an attribute that Rust does not have is null if it has no default; one that the type does not have is
/// dropped.
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

/// Something in Rust that a value says, as the [table](crate::bridge#what-becomes-of-what) says.
///
/// Text may be borrowed from the value.
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
/// [`is_unknown`](crate::Error::is_unknown) and [`is_marked`](crate::Error::is_marked) where the value is not what the type needs;
/// [`is_argument`](crate::Error::is_argument) for a number that is not whole or out of range, and a variant that is
/// none; [`is_not_found`](crate::Error::is_not_found) for an attribute that is missing or not supported; what the type's
/// own code says ([`is_custom`](crate::Error::is_custom)). Of what is marked the message says nothing but its path.
pub fn from_value<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T> {
    T::deserialize(Reader { value, room: Room::TOP }).map_err(|error| error::of_part(error, value, None))
}
