//! Serde's errors as errors of this crate.

use std::fmt::Display;

use serde_core::de::{self, Expected, Unexpected};
use serde_core::ser;

use crate::error::{Error, Kind};
use crate::path::Step;
use crate::types::Type;
use crate::value::Value;

/// Lets a `Serializer` of this crate return [`Error`]: see [`bridge::to_value`](crate::bridge::to_value).
impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::custom(message.to_string())
    }
}

/// Lets a `Deserializer` of this crate return [`Error`]: see [`bridge::from_value`](crate::bridge::from_value).
impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::custom(message.to_string())
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        Error::new(Kind::TypeMismatch, format!("{expected} required, but have {}", kind_name(&found)))
            .foreign()
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

/// The name of the kind of an unexpected value. The value itself stays out of messages: it may be marked.
fn kind_name(found: &Unexpected<'_>) -> &'static str {
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

/// The error for an unknown value where a known one is required.
#[cold]
pub(super) fn unknown() -> Error {
    Error::new(Kind::Unknown, "value must be known")
}

/// The error for a marked value, which only a field of type `Value` can hold.
#[cold]
pub(super) fn marked() -> Error {
    Error::new(Kind::Marked, "value is marked, so must be unmarked first")
}

/// The error for a null where none is allowed.
#[cold]
pub(super) fn null() -> Error {
    Error::new(Kind::Null, "null value is not allowed")
}

/// The error for a value of another type than `expected`.
#[cold]
pub(super) fn mismatch(expected: &Type, found: &Value) -> Error {
    Error::mismatch(expected, &found.ty())
}

/// The error for a value of none of several types, which `expected` names.
#[cold]
pub(super) fn needs(expected: &str, found: &Value) -> Error {
    Error::new(Kind::TypeMismatch, format!("{expected} required, but have {}", found.ty().friendly_name()))
}

/// The error of reading a child, as its container reports it: with the step to the child. If the child contains
/// marks, the message is replaced, because it may come from the caller's own code, which has seen the marked
/// content.
#[cold]
pub(super) fn error_in_child(error: Error, part: &Value, step: Option<Step>) -> Error {
    let error = if part.contains_marks() { error.concealed() } else { error }.vetted();
    match step {
        Some(step) => error.under(step),
        None => error,
    }
}
