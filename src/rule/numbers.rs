//! Rules on numbers, answered by both ends of an interval, open or closed.

use crate::number::Number;
use crate::refinement::{Bound, NumberRange};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// The interval of a value that is not null; `None` where it may be no number at all.
pub(super) fn range(value: &Value) -> Option<NumberRange> {
    match view_below_marks(value) {
        View::Number(number) => Some(NumberRange::exactly(number.clone())),
        View::Unknown(range) if *range.ty() == Type::Number => {
            Some(range.number_range().cloned().unwrap_or_default())
        }
        _ => None,
    }
}

pub(super) fn at_least(value: &Value, least: &Number) -> Option<bool> {
    above(&range(value)?, &NumberRange::exactly(least.clone()))
}

pub(super) fn at_most(value: &Value, most: &Number) -> Option<bool> {
    above(&NumberRange::exactly(most.clone()), &range(value)?)
}

/// Whether every number of `a` is at least as large as every number of `b`, or none is.
pub(super) fn above(a: &NumberRange, b: &NumberRange) -> Option<bool> {
    let (a_low, _) = end(a.lower(), Number::NEG_INFINITY);
    let (b_high, _) = end(b.upper(), Number::INFINITY);
    if a_low >= b_high {
        return Some(true);
    }
    let (a_high, a_closed) = end(a.upper(), Number::INFINITY);
    let (b_low, b_closed) = end(b.lower(), Number::NEG_INFINITY);
    let never = a_high < b_low || a_high == b_low && !(a_closed && b_closed);
    never.then_some(false)
}

/// The end of an interval, and whether it belongs to it. No end is the infinity, which does.
fn end(bound: &Bound, infinity: Number) -> (Number, bool) {
    match bound {
        Bound::Unbounded => (infinity, true),
        Bound::Inclusive(number) => (number.clone(), true),
        Bound::Exclusive(number) => (number.clone(), false),
    }
}
