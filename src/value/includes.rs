//! Whether the outcomes of a value are within a range.

use crate::refinement::{ElementRange, LengthRange, Nullness, PartName, Range, Refinement, StructureRange};
use crate::types::Type;

use super::becomes::has_keys_in;
use super::equality::{is_always_null, may_be_null, may_be_of_type};
use super::refined::is_impossible;
use super::repr::{Container, KnownRepr};
use super::set::within_capacity;
use super::{Value, ValueRange, range};

/// Whether some outcome of the value is within the range, and whether some is outside.
pub(super) fn inside_and_outside(within: &ValueRange, value: &Value) -> (bool, bool) {
    let (mut can_be_in, mut can_be_out) = (false, false);
    let wanted = within.refinement();
    if may_be_null(value) {
        let (inside, outside) = null_outcomes(within, value);
        can_be_in |= inside;
        can_be_out |= outside;
    }
    if !is_always_null(value) {
        let (inside, outside) = not_null_outcomes(within.ty(), wanted, value);
        can_be_in |= inside;
        can_be_out |= outside;
    }
    (can_be_in, can_be_out)
}

/// A null of any type is within a range that may be null: nulls are equal whatever their types.
fn null_outcomes(within: &ValueRange, _value: &Value) -> (bool, bool) {
    let allowed = within.nullness() != Nullness::NotNull;
    (allowed, !allowed)
}

/// The same for the outcomes that are not null.
fn not_null_outcomes(ty: &Type, wanted: &Refinement, value: &Value) -> (bool, bool) {
    let own = value.ty();
    if wanted.nullness() == Nullness::Null || !may_be_of_type(value, ty, false) {
        return (false, true);
    }
    // A `dynamic` in the value's type may become a type outside the range.
    let type_may_differ = !ty.covers(&own);
    let (can_be_in, can_be_out) = by_range(wanted.range(), value);
    (can_be_in, can_be_out || type_may_differ)
}

/// The same for the interval, prefix or length alone, whatever type and nullness.
pub(super) fn by_range(wanted: &Range, value: &Value) -> (bool, bool) {
    if *wanted == Range::Any {
        return (true, false);
    }
    if let (Range::Elements(elements), Some(container)) = (wanted, value.container()) {
        let length = within_capacity(&value.ty(), elements.element(), elements.length());
        return by_elements(elements, length, container);
    }
    if let (Range::Structure(structure), Some(container)) = (wanted, value.container()) {
        return by_parts(structure, container);
    }
    if let (Range::Prefix(_) | Range::Language(_), Value::Known(known)) = (wanted, value)
        && let KnownRepr::String(text) = known.0.bare()
    {
        let is_inside = wanted.contains_string(text.as_str());
        return (is_inside, !is_inside);
    }
    let range = range::of(value);
    let own = &within_type(&range);
    let (contained, met) = match (wanted, own) {
        (Range::Prefix(wanted), Range::Prefix(own)) => {
            let contained = own.as_str().starts_with(wanted.as_str());
            (contained, contained || wanted.as_str().starts_with(own.as_str()))
        }
        (Range::Prefix(_) | Range::Language(_), Range::Prefix(_) | Range::Language(_)) => {
            let contained = wanted.covers(own);
            (contained, contained || wanted.overlaps(own))
        }
        (Range::Number(wanted), Range::Number(own)) => {
            let met = wanted.meet(own);
            (met.as_ref() == Some(own), met.is_some())
        }
        (
            Range::Number(_) | Range::Multiples(_) | Range::Numbers(_),
            Range::Number(_) | Range::Multiples(_) | Range::Numbers(_),
        ) => {
            let contained = wanted.covers(own);
            (contained, contained || wanted.overlaps(own))
        }
        (Range::Length(_) | Range::Elements(_), Range::Length(_) | Range::Elements(_)) => {
            let contained = wanted.covers(own);
            (contained, contained || collections_overlap(wanted, own, range.ty()))
        }
        (Range::Structure(_), Range::Structure(_)) => {
            let contained = wanted.covers(own);
            (contained, contained || collections_overlap(wanted, own, range.ty()))
        }
        // Nothing is known of the value's own range, or its type is not known yet and the range belongs to another
        // type. Each kind is named, so that the compiler reports a new one that is forgotten here.
        (
            Range::Any
            | Range::Prefix(_)
            | Range::Language(_)
            | Range::Number(_)
            | Range::Multiples(_)
            | Range::Numbers(_)
            | Range::Length(_)
            | Range::Elements(_)
            | Range::Structure(_),
            Range::Any,
        )
        | (
            Range::Any
            | Range::Number(_)
            | Range::Multiples(_)
            | Range::Numbers(_)
            | Range::Length(_)
            | Range::Elements(_)
            | Range::Structure(_),
            Range::Prefix(_) | Range::Language(_),
        )
        | (
            Range::Any
            | Range::Prefix(_)
            | Range::Language(_)
            | Range::Length(_)
            | Range::Elements(_)
            | Range::Structure(_),
            Range::Number(_) | Range::Multiples(_) | Range::Numbers(_),
        )
        | (
            Range::Any
            | Range::Prefix(_)
            | Range::Language(_)
            | Range::Number(_)
            | Range::Multiples(_)
            | Range::Numbers(_)
            | Range::Structure(_),
            Range::Length(_) | Range::Elements(_),
        )
        | (
            Range::Any
            | Range::Prefix(_)
            | Range::Language(_)
            | Range::Number(_)
            | Range::Multiples(_)
            | Range::Numbers(_)
            | Range::Length(_)
            | Range::Elements(_),
            Range::Structure(_),
        ) => (false, true),
    };
    (met, !contained)
}

/// Whether some list, set, map, object or tuple of the type may be in both ranges.
pub(super) fn collections_overlap(a: &Range, b: &Range, ty: &Type) -> bool {
    a.meet(b).is_some_and(|both| {
        let is_of_elements = matches!(both, Range::Elements(_) | Range::Structure(_));
        !is_of_elements || !is_impossible(ty, &Refinement::not_null().and_range(both))
    })
}

/// Whether some outcome of a collection has elements, keys and a length in the range, and whether some has not.
fn by_elements(wanted: &ElementRange, length: LengthRange, container: &Container) -> (bool, bool) {
    let Some(own) = container.length() else { return (false, true) };
    let (mut can_be_in, mut can_be_out) = (length.meet(own).is_some(), !length.covers(own));
    // The members of a set that has one member at most are equal: what cannot be said of one of them is said of none.
    let are_equal = matches!(container, Container::Set(_)) && own.upper() == Some(1);
    let mut an_element_is_out = are_equal;
    for element in container.children() {
        let (inside, outside) = refinement_outcomes(wanted.element(), element);
        can_be_in &= inside;
        an_element_is_out =
            if are_equal { an_element_is_out && outside } else { an_element_is_out || outside };
    }
    can_be_out |= an_element_is_out;
    let has_keys = has_keys_in(container, wanted.keys());
    can_be_in &= has_keys;
    can_be_out |= !has_keys;
    (can_be_in, can_be_out)
}

/// Whether an object or tuple can become a value in the range, and whether it can become one outside. Its parts become known
/// independently of each other.
fn by_parts(wanted: &StructureRange, container: &Container) -> (bool, bool) {
    let (mut can_be_in, mut can_be_out) = (true, false);
    for (place, refinement) in wanted.parts() {
        let part = match (container, place) {
            (Container::Object(node), PartName::Attribute(name)) => {
                node.ty.index_of(name.as_str()).and_then(|index| node.slots.get(index))
            }
            (Container::Tuple(node), PartName::Element(index)) => node.items.get(*index),
            _ => None,
        };
        let (inside, outside) = part.map_or((false, true), |part| refinement_outcomes(refinement, part));
        can_be_in &= inside;
        can_be_out |= outside;
    }
    (can_be_in, can_be_out)
}

/// Whether some outcome of the value satisfies the refinement, whatever its type, and whether some does not.
pub(super) fn refinement_outcomes(wanted: &Refinement, value: &Value) -> (bool, bool) {
    let (mut can_be_in, mut can_be_out) = (false, false);
    if may_be_null(value) {
        can_be_in |= wanted.allows_null();
        can_be_out |= !wanted.allows_null();
    }
    if !is_always_null(value) {
        let (inside, outside) = match wanted.nullness() {
            Nullness::Null => (false, true),
            _ => by_range(wanted.range(), value),
        };
        can_be_in |= inside;
        can_be_out |= outside;
    }
    (can_be_in, can_be_out)
}

/// Whether every outcome of the value certainly satisfies the refinement.
pub fn always_satisfies(value: &Value, refinement: &Refinement) -> bool {
    refinement.is_trivial() || !refinement_outcomes(refinement, value).1
}

/// The range with the lengths that its type allows: a set has at most as many members as there are values for them.
pub(super) fn within_type(range: &ValueRange) -> Range {
    match range.refinement().range() {
        Range::Length(_) | Range::Elements(_) | Range::Any => {
            let length = range.length_range().unwrap_or_default();
            let length = within_capacity(range.ty(), range.refinement().element(), length);
            range.refinement().with_length(length).range().clone()
        }
        own => own.clone(),
    }
}
