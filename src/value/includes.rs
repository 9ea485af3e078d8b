//! Whether the outcomes of a value are within a range.

use crate::refinement::{LengthRange, Nullness, Range, Refinement};
use crate::types::Type;

use super::equality::{is_always_null, may_be_null, may_be_of_type};
use super::repr::KnownRepr;
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
fn by_range(wanted: &Range, value: &Value) -> (bool, bool) {
    if *wanted == Range::Any {
        return (true, false);
    }
    if let (Range::Prefix(_) | Range::Language(_), Value::Known(known)) = (wanted, value)
        && let KnownRepr::String(text) = known.0.bare()
    {
        let is_inside = wanted.contains_string(text.as_str());
        return (is_inside, !is_inside);
    }
    let range = range::of(value);
    let own = match range.refinement().range() {
        Range::Length(length) => &Range::Length(within_capacity(range.ty(), *length)),
        Range::Any => &match within_capacity(range.ty(), LengthRange::default()) {
            length if length.is_trivial() => Range::Any,
            length => Range::Length(length),
        },
        own => own,
    };
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
        (Range::Number(_) | Range::Multiples(_), Range::Number(_) | Range::Multiples(_)) => {
            let contained = wanted.covers(own);
            (contained, contained || wanted.overlaps(own))
        }
        (Range::Length(wanted), Range::Length(own)) => {
            let met = wanted.meet(*own);
            (met == Some(*own), met.is_some())
        }
        // Nothing is known of the value's own range, or its type is not known yet and the range belongs to another
        // type. Each kind is named, so that the compiler reports a new one that is forgotten here.
        (
            Range::Any
            | Range::Prefix(_)
            | Range::Language(_)
            | Range::Number(_)
            | Range::Multiples(_)
            | Range::Length(_),
            Range::Any,
        )
        | (
            Range::Any | Range::Number(_) | Range::Multiples(_) | Range::Length(_),
            Range::Prefix(_) | Range::Language(_),
        )
        | (
            Range::Any | Range::Prefix(_) | Range::Language(_) | Range::Length(_),
            Range::Number(_) | Range::Multiples(_),
        )
        | (
            Range::Any | Range::Prefix(_) | Range::Language(_) | Range::Number(_) | Range::Multiples(_),
            Range::Length(_),
        ) => (false, true),
    };
    (met, !contained)
}
