//! Attributes with their defaults, which stand in place of what is null, or may be.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::Result;
use crate::refinement::{Nullness, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical, join};

use super::{run, unknown};

/// What is given for an attribute, converted, with the default in the place of null. An unknown that may be null
/// becomes what holds the default and all that it may be beside null.
pub(super) fn attribute(given: &Value, attribute: &AttributeConstraint) -> Result<Value> {
    let constraint = attribute.constraint();
    let Some(default) = attribute.default().filter(|default| !default.is_null()) else {
        return run(given, constraint);
    };
    let other = match not_null(given, constraint) {
        Part::Whole => return run(given, constraint),
        Part::None => None,
        Part::Some(other) => other.ok(),
    };
    let filled = match other {
        Some(other) => join(&[&other, default]).unwrap_or(other),
        None => default.clone(),
    };
    Ok(filled.with_marks(given.marks()))
}

/// The value of an attribute that is not there.
pub(super) fn missing(attribute: &AttributeConstraint) -> Value {
    match attribute.default() {
        Some(default) => default.clone(),
        None => Value::null(attribute.constraint().to_type()),
    }
}

/// What a value may be beside null, converted.
pub(super) enum Part {
    /// All: it is not null.
    Whole,
    /// Nothing: it is null.
    None,
    Some(Result<Value>),
}

pub(super) fn not_null(given: &Value, constraint: &TypeConstraint) -> Part {
    match given {
        Value::Known(_) if given.is_null() => Part::None,
        Value::Known(_) | Value::Partial(_) => Part::Whole,
        Value::Dynamic(_) => Part::Some(unknown::of_any_type(constraint)),
        Value::Unknown(_) => {
            let given = canonical(given.ty(), Refinement::not_null());
            Part::Some(run(&given, constraint))
        }
        Value::Refined(_) => match given.range().nullness() {
            Nullness::NotNull => Part::Whole,
            Nullness::Null => Part::None,
            Nullness::Nullable => Part::Some(run(&without_null(given), constraint)),
        },
    }
}

/// The value without null among what it may be, and without its marks.
pub(super) fn without_null(value: &Value) -> Value {
    match value {
        Value::Unknown(_) | Value::Refined(_) if value.ty() != Type::Dynamic => {
            let refinement = value.range().refinement().clone().and_not_null();
            canonical(value.ty(), refinement)
        }
        _ => value.clone().unmark().0,
    }
}
