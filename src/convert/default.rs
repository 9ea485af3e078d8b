//! Defaults in place of what is null, or may be.

use crate::constraint::AttributeConstraint;
use crate::refinement::{Nullness, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical, join};

/// The converted value of an attribute with the default in the place of null. An unknown that may be null becomes
/// what holds the default and all that it may be beside null.
pub(super) fn fill(value: Value, attribute: &AttributeConstraint) -> Value {
    let Some(default) = attribute.default().filter(|default| !default.is_null()) else { return value };
    let (bare, marks) = value.unmark();
    let filled = match bare.range().nullness() {
        Nullness::NotNull => bare,
        Nullness::Null => default.clone(),
        Nullness::Nullable => {
            let other = not_null(bare);
            join(&[&other, default]).unwrap_or(other)
        }
    };
    filled.with_marks(&marks)
}

/// The value of an attribute that is not there.
pub(super) fn missing(attribute: &AttributeConstraint) -> Value {
    match attribute.default() {
        Some(default) => default.clone(),
        None => Value::null(attribute.constraint().to_type()),
    }
}

fn not_null(value: Value) -> Value {
    match &value {
        Value::Unknown(_) => canonical(value.ty(), Refinement::not_null()),
        Value::Refined(_) if value.ty() != Type::Dynamic => {
            let refinement = value.range().refinement().clone().and_not_null();
            canonical(value.ty(), refinement)
        }
        _ => value,
    }
}
