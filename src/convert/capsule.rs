//! Conversion from and to capsules, by the functions of the Rust type; never safe.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::refinement::Refinement;
use crate::types::{CapsuleType, Type};
use crate::value::{CapsuleView, Value, ValueRange, View, canonical, view_below_marks};

use super::available::{Mode, available as is_available};
use super::mismatch::mismatch;
use super::target::Target;
use super::{result_type, unknown};

/// Whether one of the types is a capsule type that has the conversion.
pub(super) fn available(from: &Type, to: &Type, mode: Mode) -> bool {
    if mode == Mode::Common && matches!(to, Type::Capsule(_)) {
        return false;
    }
    let undecided = mode == Mode::Open && from.has_dynamic();
    undecided || capsule_converts_from(from, to) || capsule_converts_to(from, to)
}

/// Whether the target is a capsule type with a conversion from the type.
fn capsule_converts_from(from: &Type, to: &Type) -> bool {
    matches!(to, Type::Capsule(capsule) if capsule.converts_from(from))
}

/// Whether the type is a capsule type with a conversion to the target.
fn capsule_converts_to(from: &Type, to: &Type) -> bool {
    matches!(from, Type::Capsule(capsule) if capsule.converts_to(to))
}

/// Converts a value to a capsule: by the target's type, else by the type of the given capsule.
pub(super) fn from_value(value: &Value, capsule: CapsuleType, target: &mut Target) -> Result<Value> {
    let to = target.constraint();
    match view_below_marks(value) {
        View::Dynamic => return Ok(Value::unknown(to.to_type())),
        View::Unknown(range) => return unknown::convert(&range, target),
        View::Null(_) => return Ok(Value::null(to.to_type())),
        _ => {}
    }
    let (bare, marks) = value.unmark_deep();
    if !value.is_wholly_known() {
        return if is_available(&bare.ty(), to, Mode::Open) {
            Ok(canonical(to.to_type(), Refinement::not_null()).with_marks(&marks))
        } else {
            Err(mismatch(&bare.ty(), to))
        };
    }
    match (capsule.convert_from(&bare), bare.view()) {
        (Some(Ok(content)), _) => Ok(Value::from(content).with_marks(&marks)),
        (Some(Err(error)), _) if marks.is_empty() => Err(error.foreign()),
        (Some(Err(error)), _) => Err(error.foreign().concealed()),
        (None, View::Capsule(source)) => to_value(&source, target),
        (None, _) => Err(mismatch(&bare.ty(), to)),
    }
}

/// Converts a capsule to another type.
pub(super) fn to_value(capsule: &CapsuleView<'_>, target: &mut Target) -> Result<Value> {
    let to = target.constraint();
    let ty = to.as_type();
    let Some(converted) = capsule.convert_to(ty) else {
        return Err(mismatch(&Type::Capsule(capsule.ty()), to));
    };
    let value = converted.map_err(Error::foreign)?;
    if value.is_null() {
        // Null is the absence of a value, and this capsule is present.
        return Err(Error::new(Kind::Null, format!("conversion of {} gave null", capsule.ty().name())));
    }
    let found = value.ty();
    if !ty.covers(&found) {
        let (name, want) = (capsule.ty().name(), ty.friendly_name_for_constraint());
        let message = format!("conversion of {name} gave {}, but {want} is required", found.friendly_name());
        return Err(Error::new(Kind::TypeMismatch, message).with_types(ty.clone(), found));
    }
    if !value.is_wholly_known() {
        let message = format!("conversion of {} gave a value that is not wholly known", capsule.ty().name());
        return Err(Error::new(Kind::Unknown, message));
    }
    // Optional attributes take their defaults.
    if to.has_optional() { target.convert(&value) } else { Ok(value) }
}

/// Converts an unknown that is not null, from or to a capsule type.
pub(super) fn from_unknown(range: &ValueRange, to: &TypeConstraint) -> Result<Value> {
    let from = range.ty();
    if !is_available(from, to, Mode::Open) {
        return Err(mismatch(from, to));
    }
    Ok(canonical(result_type::of_any(from, to), Refinement::not_null()))
}
