//! Errors of YAML documents, with line and column.

use saphyr_parser::Marker;

use crate::error::{Error, Kind};
use crate::text::yaml::NESTING;

/// The error for collections that are nested too deeply.
#[cold]
pub(super) fn too_deep(at: &Marker) -> Error {
    let message = format!("more than {NESTING} collections are in one another");
    with_position(Error::new(Kind::Limit, message), at)
}

/// The error for a mapping key that is not a scalar.
#[cold]
pub(super) fn invalid_key(at: &Marker) -> Error {
    syntax_error(at, "only strings are allowed as mapping keys")
}

/// A syntax error with its position.
#[cold]
pub(super) fn syntax_error(at: &Marker, message: &str) -> Error {
    with_position(Error::new(Kind::Syntax, message), at)
}

/// The error with its position in front of the message.
#[cold]
pub(super) fn with_position(error: Error, at: &Marker) -> Error {
    let message =
        format!("on line {}, column {}: {}", at.line(), at.col().saturating_add(1), error.message());
    error.with_message(message)
}
