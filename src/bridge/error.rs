//! What serde says about errors, in the words of this crate.

use std::fmt::Display;

use serde_core::de::{self, Expected, Unexpected};
use serde_core::ser;

use crate::error::{Error, Kind};
use crate::path::Step;
use crate::types::Type;
use crate::value::Value;

/// So that a value can be written as one of this crate: see [`bridge::to_value`](crate::bridge::to_value).
impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::custom(message.to_string())
    }
}

/// So that a value of this crate can be read: see [`bridge::from_value`](crate::bridge::from_value).
impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::custom(message.to_string())
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        Error::new(Kind::TypeMismatch, format!("{expected} required, but have {}", kind(&found))).foreign()
    }

    #[cold]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        Error::new(Kind::Argument, format!("{expected} required, but have {found}")).foreign()
    }

    #[cold]
    fn invalid_length(length: usize, expected: &dyn Expected) -> Error {
        Error::new(Kind::TypeMismatch, format!("{expected} required, but have {length}")).foreign()
    }

    #[cold]
    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Error {
        let names = expected.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        let message = match expected {
            [] => format!("unsupported variant {variant:?}; there is none"),
            _ => format!("unsupported variant {variant:?}; there are {names}"),
        };
        Error::new(Kind::Argument, message).foreign()
    }

    #[cold]
    fn unknown_field(field: &str, _: &'static [&'static str]) -> Error {
        Error::new(Kind::NotFound, format!("unsupported attribute {field:?}")).foreign()
    }

    #[cold]
    fn missing_field(field: &'static str) -> Error {
        Error::new(Kind::NotFound, format!("missing required attribute {field:?}"))
    }

    #[cold]
    fn duplicate_field(field: &'static str) -> Error {
        Error::new(Kind::Argument, format!("attribute {field:?} is given twice"))
    }
}

/// What was found, without its content.
fn kind(found: &Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "bool",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "number",
        Unexpected::Char(_) | Unexpected::Str(_) => "string",
        Unexpected::Bytes(_) => "bytes",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "list, set or tuple",
        Unexpected::Map => "map or object",
        Unexpected::Enum
        | Unexpected::UnitVariant
        | Unexpected::NewtypeVariant
        | Unexpected::TupleVariant
        | Unexpected::StructVariant => "variant",
        _ => "another value",
    }
}

#[cold]
pub(super) fn unknown() -> Error {
    Error::new(Kind::Unknown, "value must be known")
}

#[cold]
pub(super) fn marked() -> Error {
    Error::new(Kind::Marked, "value is marked, so must be unmarked first")
}

#[cold]
pub(super) fn null() -> Error {
    Error::new(Kind::Null, "null value is not allowed")
}

/// A value of one type is needed.
#[cold]
pub(super) fn mismatch(expected: &Type, found: &Value) -> Error {
    Error::mismatch(expected, &found.ty())
}

/// A value of one of several types is needed.
#[cold]
pub(super) fn needs(expected: &str, found: &Value) -> Error {
    Error::new(Kind::TypeMismatch, format!("{expected} required, but have {}", found.ty().friendly_name()))
}

/// The error of reading a part, seen from its container. The caller's own code may have seen what is marked inside the
/// part, so then its words are not shown.
#[cold]
pub(super) fn of_part(error: Error, part: &Value, step: Option<Step>) -> Error {
    let error = if part.contains_marks() { error.concealed() } else { error }.vetted();
    match step {
        Some(step) => error.under(step),
        None => error,
    }
}
