//! The texts of types and constraints. What needs a conversion stands here, above the module `convert`: a default is
//! converted when it is read, and is written so that it converts back.

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
    /// An attribute that has this value when it is left out or null. The value is converted first.
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
