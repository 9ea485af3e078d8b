//! Rules on numbers, decided by the lower and the upper bound of what is known.

use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

use super::congruence;

/// The interval of a value that is not null; `None` if the value may have another type.
pub(in crate::rule) fn range(value: &Value) -> Option<NumberRange> {
    match view_below_marks(value) {
        View::Number(number) => Some(NumberRange::exactly(number.clone())),
        View::Unknown(range) if *range.ty() == Type::Number => {
            Some(range.number_range().cloned().unwrap_or_default())
        }
        _ => None,
    }
}

/// Whether the number is at least `least`.
pub(in crate::rule) fn at_least(value: &Value, least: &Number) -> Option<bool> {
    if let View::Number(number) = view_below_marks(value) {
        return Some(number >= least);
    }
    is_at_least(&range(value)?, &NumberRange::exactly(least.clone()))
}

/// Whether the number is at most `most`.
pub(in crate::rule) fn at_most(value: &Value, most: &Number) -> Option<bool> {
    if let View::Number(number) = view_below_marks(value) {
        return Some(number <= most);
    }
    is_at_least(&NumberRange::exactly(most.clone()), &range(value)?)
}

/// Whether the number is an integer from `low` to `high`. An interval of several numbers can only exclude it: between
/// two numbers there are always fractions.
pub(in crate::rule) fn whole_between(value: &Value, low: u64, high: u64) -> Option<bool> {
    let range = range(value)?;
    let wanted = NumberRange::new(Bound::Inclusive(Number::from(low)), Bound::Inclusive(Number::from(high)));
    let Some(within) = range.meet(&wanted.unwrap_or_default()) else { return Some(false) };
    if let Some(number) = range.singleton() {
        return Some(number.is_integer());
    }
    let within = Refinement::number(within).and_not_null();
    let within = Value::refined(Type::Number, within).ok()?;
    congruence::has_remainder(&within, &Number::ONE, &Number::ZERO).filter(|whole| !whole)
}

/// Whether every number of `a` is at least as large as every number of `b` (true), or smaller than every one (false).
pub(in crate::rule) fn is_at_least(a: &NumberRange, b: &NumberRange) -> Option<bool> {
    let (a_low, _) = endpoint(a.lower(), Number::NEG_INFINITY);
    let (b_high, _) = endpoint(b.upper(), Number::INFINITY);
    if a_low >= b_high {
        return Some(true);
    }
    let (a_high, a_closed) = endpoint(a.upper(), Number::INFINITY);
    let (b_low, b_closed) = endpoint(b.lower(), Number::NEG_INFINITY);
    let never = a_high < b_low || a_high == b_low && !(a_closed && b_closed);
    never.then_some(false)
}

/// The endpoint of an interval, and whether it belongs to the interval. A missing bound is the infinity, which
/// belongs to it.
fn endpoint(bound: &Bound, infinity: Number) -> (Number, bool) {
    match bound {
        Bound::Unbounded => (infinity, true),
        Bound::Inclusive(number) => (number.clone(), true),
        Bound::Exclusive(number) => (number.clone(), false),
    }
}
