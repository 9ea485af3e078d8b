//! Rules on numbers, answered by both ends of an interval, open or closed.

use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

use super::congruence;

/// The interval of a value that is not null; `None` where it may be no number at all.
pub(in crate::rule) fn range(value: &Value) -> Option<NumberRange> {
    match view_below_marks(value) {
        View::Number(number) => Some(NumberRange::exactly(number.clone())),
        View::Unknown(range) if *range.ty() == Type::Number => {
            Some(range.number_range().cloned().unwrap_or_default())
        }
        _ => None,
    }
}

pub(in crate::rule) fn at_least(value: &Value, least: &Number) -> Option<bool> {
    if let View::Number(number) = view_below_marks(value) {
        return Some(number >= least);
    }
    above(&range(value)?, &NumberRange::exactly(least.clone()))
}

pub(in crate::rule) fn at_most(value: &Value, most: &Number) -> Option<bool> {
    if let View::Number(number) = view_below_marks(value) {
        return Some(number <= most);
    }
    above(&NumberRange::exactly(most.clone()), &range(value)?)
}

/// Whether it is a whole number from `low` to `high`. Of a range, no more can hold than that some number in it does.
pub(in crate::rule) fn whole_between(value: &Value, low: u64, high: u64) -> Option<bool> {
    let range = range(value)?;
    let wanted = NumberRange::new(Bound::Inclusive(Number::from(low)), Bound::Inclusive(Number::from(high)));
    let Some(within) = range.meet(&wanted.unwrap_or_default()) else { return Some(false) };
    if let Some(number) = range.singleton() {
        return Some(number.is_integer());
    }
    let within = Refinement::number(within).and_not_null();
    let within = Value::refined(Type::Number, within).ok()?;
    congruence::leaves(&within, &Number::ONE, &Number::ZERO).filter(|whole| !whole)
}

/// Whether every number of `a` is at least as large as every number of `b`, or none is.
pub(in crate::rule) fn above(a: &NumberRange, b: &NumberRange) -> Option<bool> {
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
