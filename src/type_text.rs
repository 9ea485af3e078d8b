//! The text forms of types and constraints. This module is above `convert` since the text of a constraint contains
//! defaults: reading converts a default, and writing must produce a text that converts back to it.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::convert::convert;
use crate::error::{Error, Kind, Result};
use crate::value::Value;

mod capsule;
mod plain;
mod read;
mod syntax;
mod write;

impl AttributeConstraint {
    /// An optional attribute with a default, the value of the attribute if it is missing or null. Converts the
    /// default to the constraint.
    ///
    /// [Example](AttributeConstraint)
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](Error::is_type_mismatch) and the other errors of [`convert`];
    /// [`is_unknown`](Error::is_unknown) and [`is_marked`](Error::is_marked) as a default is a constant.
    pub fn with_default(
        constraint: impl Into<TypeConstraint>,
        default: &Value,
    ) -> Result<AttributeConstraint> {
        let constraint = constraint.into();
        if default.contains_marks() {
            return Err(Error::new(Kind::Marked, "a default has no marks"));
        }
        if !default.is_wholly_known() {
            return Err(Error::new(Kind::Unknown, "a default is wholly known"));
        }
        let default = convert(default, &constraint)?;
        Ok(AttributeConstraint::with_converted_default(constraint, default))
    }
}
