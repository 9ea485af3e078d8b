//! Errors of YAML documents, with line and column.

use saphyr_parser::Marker;

use crate::error::{Error, Kind};
use crate::text::yaml::NESTING;

/// The error for sequences and mappings that are nested too deeply, at this position.
#[cold]
pub(super) fn too_deep(at: &Marker) -> Error {
    let message = format!("more than {NESTING} collections are in one another");
    with_position(Error::new(Kind::Limit, message), at)
}

/// The error for a mapping key that is not a scalar, at this position.
#[cold]
pub(super) fn invalid_key(at: &Marker) -> Error {
    syntax_error(at, "only strings are allowed as mapping keys")
}

/// A syntax error with this message, which gets the position in front.
#[cold]
pub(super) fn syntax_error(at: &Marker, message: &str) -> Error {
    with_position(Error::new(Kind::Syntax, message), at)
}

/// The error with the line and the column, both from 1 on, in front of its message.
#[cold]
pub(super) fn with_position(error: Error, at: &Marker) -> Error {
    let message =
        format!("on line {}, column {}: {}", at.line(), at.col().saturating_add(1), error.message());
    error.with_message(message)
}
