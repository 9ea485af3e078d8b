//! The canonical form of an unknown with a refinement.

use std::sync::Arc;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::mark::Marks;
use crate::refinement::{LengthRange, Nullness, Range, Refinement};
use crate::types::Type;

use super::repr::RefinedNode;
use super::{Refined, Value, build, set};

/// The canonical value of a type and a refinement, or an error if they do not go together; see [`Value::refined`].
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
    Ok(canonical_by_ref(ty, &mut refinement))
}

/// The canonical value of a type and a refinement that applies to it (L9).
pub(crate) fn canonical(ty: Type, mut refinement: Refinement) -> Value {
    canonical_by_ref(ty, &mut refinement)
}

/// As [`canonical`], but takes the refinement by reference: moving one copies its bytes.
fn canonical_by_ref(ty: Type, refinement: &mut Refinement) -> Value {
    if let Some(possible) = canonical_length(&ty, refinement) {
        *refinement = possible;
    }
    if refinement.is_trivial() || ty == Type::Dynamic {
        return Value::unknown(ty);
    }
    let decided = match refinement.nullness() {
        Nullness::Nullable => None,
        Nullness::Null if ty.has_dynamic() => None,
        Nullness::Null => Some(Value::null(ty.clone())),
        Nullness::NotNull => only_value(&ty, refinement.range()),
    };
    if let Some(value) = decided {
        return value;
    }
    let refinement = std::mem::take(refinement);
    Value::Refined(Refined(Arc::new(RefinedNode { ty, refinement, marks: Marks::new() })))
}

/// The refinement of a set type in canonical form, if its element type is finite (such as bool): drops an upper bound
/// that no such set can exceed, and becomes null if no such set is long enough. `None` if nothing changes.
fn canonical_length(ty: &Type, refinement: &Refinement) -> Option<Refinement> {
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

/// Whether the refinement requires a set with more members than its element type has values, and excludes null.
pub(crate) fn is_impossible(ty: &Type, refinement: &Refinement) -> bool {
    let Range::Length(length) = refinement.range() else { return false };
    !refinement.allows_null() && set::capacity(ty).is_some_and(|most| length.lower() > most)
}

/// The value of this type and range that is not null, if only one value or one partial container is possible.
fn only_value(ty: &Type, range: &Range) -> Option<Value> {
    match (ty, range) {
        (Type::Number, Range::Number(range)) => range.singleton().map(|number| Value::from(number.clone())),
        (Type::String, Range::Language(language)) => language.single().map(Value::from),
        (Type::Object(ty), _) if ty.is_empty() => Some(build::object_node(ty.clone(), Box::new([]))),
        (Type::Tuple(ty), _) if ty.is_empty() => Some(build::tuple_node(ty.clone(), Box::new([]))),
        (Type::Set(set), Range::Length(range)) if set::capacity(ty) == Some(range.lower()) => {
            set::set_of_all_values(set)
        }
        (_, Range::Length(range)) => collection_of_unknowns(ty, range.exact()?),
        _ => None,
    }
}

/// The collection of exactly `length` unknown elements; `None` unless it is a list of at most [`limits::COLLAPSE`]
/// elements, a set of at most one member, or an empty map, and, if empty, of a type without `dynamic`.
fn collection_of_unknowns(ty: &Type, length: u64) -> Option<Value> {
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
