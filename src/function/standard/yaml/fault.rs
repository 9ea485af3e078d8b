//! What is wrong with a document, and where.

use saphyr_parser::Marker;

use crate::error::{Error, Kind};
use crate::yaml::NESTING;

#[cold]
pub(super) fn too_deep(at: &Marker) -> Error {
    let message = format!("more than {NESTING} collections are in one another");
    with_place(Error::new(Kind::Limit, message), at)
}

#[cold]
pub(super) fn no_key(at: &Marker) -> Error {
    placed(at, "only strings are allowed as mapping keys")
}

#[cold]
pub(super) fn placed(at: &Marker, message: &str) -> Error {
    with_place(Error::new(Kind::Syntax, message), at)
}

#[cold]
pub(super) fn with_place(error: Error, at: &Marker) -> Error {
    let message =
        format!("on line {}, column {}: {}", at.line(), at.col().saturating_add(1), error.message());
    error.with_message(message)
}
