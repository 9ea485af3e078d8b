//! The canonical form of an unknown with a refinement.

use std::sync::Arc;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::mark::Marks;
use crate::refinement::{LengthRange, Nullness, Range, Refinement};
use crate::types::Type;

use super::repr::RefinedNode;
use super::{Refined, Value, build, set};

#[inline]
pub(super) fn refined(ty: Type, mut refinement: Refinement) -> Result<Value> {
    if ty == Type::Dynamic && !refinement.is_trivial() {
        return Err(Error::new(
            Kind::NeedsType,
            "a value of unknown type cannot be refined: its type must be known first",
        ));
    }
    if !refinement.applies_to(&ty) {
        let message = format!("a {} has no such refinement: {refinement}", ty.friendly_name());
        return Err(Error::new(Kind::TypeMismatch, message));
    }
    if is_impossible(&ty, &refinement) {
        let message = format!("no {} has so many different elements: {refinement}", ty.friendly_name());
        return Err(Error::new(Kind::Contradiction, message));
    }
    Ok(taken(ty, &mut refinement))
}

/// The value for a refinement that applies to the type.
pub(crate) fn canonical(ty: Type, mut refinement: Refinement) -> Value {
    taken(ty, &mut refinement)
}

/// As [`canonical`], which takes the refinement from where it is: each move of one is a copy.
fn taken(ty: Type, refinement: &mut Refinement) -> Value {
    if let Some(possible) = possible_length(&ty, refinement) {
        *refinement = possible;
    }
    if refinement.is_trivial() || ty == Type::Dynamic {
        return Value::unknown(ty);
    }
    let decided = match refinement.nullness() {
        Nullness::Nullable => None,
        Nullness::Null if ty.has_dynamic() => None,
        Nullness::Null => Some(Value::null(ty.clone())),
        Nullness::NotNull => single(&ty, refinement.range()),
    };
    if let Some(value) = decided {
        return value;
    }
    let refinement = std::mem::take(refinement);
    Value::Refined(Refined(Arc::new(RefinedNode { ty, refinement, marks: Marks::new() })))
}

/// The refinement in the form that says no more of the length than has to be said, where a set has few values for its
/// members: without an upper length that every such set keeps to, and null where none is as long. `None` where it is
/// in that form.
fn possible_length(ty: &Type, refinement: &Refinement) -> Option<Refinement> {
    let Range::Length(length) = refinement.range() else { return None };
    let most = set::capacity(ty)?;
    if length.lower() > most && refinement.allows_null() {
        return Some(Refinement::null());
    }
    if length.upper().is_none_or(|upper| upper < most) {
        return None;
    }
    let said = Refinement::length(LengthRange::at_least(length.lower()));
    Some(if refinement.allows_null() { said } else { said.and_not_null() })
}

/// Whether a set has to have more members than there are values for them.
pub(crate) fn is_impossible(ty: &Type, refinement: &Refinement) -> bool {
    let Range::Length(length) = refinement.range() else { return false };
    !refinement.allows_null() && set::capacity(ty).is_some_and(|most| length.lower() > most)
}

/// The value that a not-null unknown of this type and range is, if its shape is decided.
fn single(ty: &Type, range: &Range) -> Option<Value> {
    match (ty, range) {
        (Type::Number, Range::Number(range)) => range.singleton().map(|number| Value::from(number.clone())),
        (Type::Object(ty), _) if ty.is_empty() => Some(build::object_node(ty.clone(), Box::new([]))),
        (Type::Tuple(ty), _) if ty.is_empty() => Some(build::tuple_node(ty.clone(), Box::new([]))),
        (Type::Set(set), Range::Length(range)) if set::capacity(ty) == Some(range.lower()) => {
            set::all_members(set)
        }
        (_, Range::Length(range)) => collection_of(ty, range.exact()?),
        _ => None,
    }
}

fn collection_of(ty: &Type, length: u64) -> Option<Value> {
    let length = usize::try_from(length).ok()?;
    if length == 0 && ty.has_dynamic() {
        return None;
    }
    match ty {
        Type::List(list) if length <= limits::COLLAPSE => {
            let items = vec![Value::unknown(list.element().clone()); length];
            Some(build::list_node(list.clone(), items.into_boxed_slice()))
        }
        Type::Set(set) if length <= 1 => {
            Some(set::build(set.clone(), vec![Value::unknown(set.element().clone()); length]))
        }
        Type::Map(map) if length == 0 => Some(build::map_node(map.clone(), Box::new([]))),
        _ => None,
    }
}
