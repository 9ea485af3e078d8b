//! Interval arithmetic: the intervals that contain all sums or products of numbers of which only intervals are known.

use crate::number::Number;
use crate::refinement::{NumberRange, Refinement};
use crate::rule::decide::numbers;
use crate::types::Type;
use crate::value::Value;

/// The maximum number of intervals in a result; above it, one interval around all replaces them.
const MAX_INTERVALS: usize = 64;

/// The intervals that contain every sum of one number from each interval, and whether there may be no sum (∞ and -∞).
/// The bool of each part says that the number may be null, which counts as 0.
pub(super) fn sums(parts: &[(NumberRange, bool)]) -> (Vec<NumberRange>, bool) {
    let mut sums = vec![NumberRange::exactly(Number::ZERO)];
    for (range, nullable) in parts {
        let with = sums.iter().filter_map(|sum| combine(sum, range, Value::add));
        let mut next: Vec<NumberRange> = with.collect();
        if *nullable {
            next.extend(sums);
        }
        sums = without_contained(next);
    }
    let up = |range: &NumberRange| range.contains(&Number::INFINITY);
    let down = |range: &NumberRange| range.contains(&Number::NEG_INFINITY);
    (sums, two_parts_satisfy(parts, up, down))
}

/// The interval that contains every product of one number from each interval, and whether there may be no product (0
/// and ∞). Empty if there is never a product. The bool of each part, whether the number may be null, is ignored.
pub(super) fn products(parts: &[(NumberRange, bool)]) -> (Vec<NumberRange>, bool) {
    let start = Some(NumberRange::exactly(Number::ONE));
    let product = parts.iter().fold(start, |product, (range, _)| combine(&product?, range, Value::multiply));
    let zero = |range: &NumberRange| range.contains(&Number::ZERO);
    let infinite =
        |range: &NumberRange| range.contains(&Number::INFINITY) || range.contains(&Number::NEG_INFINITY);
    (product.into_iter().collect(), two_parts_satisfy(parts, zero, infinite))
}

/// Whether two different parts exist of which the first satisfies the condition `one` and the second the condition
/// `other`.
fn two_parts_satisfy(
    parts: &[(NumberRange, bool)],
    one: impl Fn(&NumberRange) -> bool,
    other: impl Fn(&NumberRange) -> bool,
) -> bool {
    let count = |is: &dyn Fn(&NumberRange) -> bool| parts.iter().filter(|(range, _)| is(range)).count();
    let both = |range: &NumberRange| one(range) && other(range);
    match (count(&one), count(&other)) {
        (0, _) | (_, 0) => false,
        (1, 1) => count(&both) == 0,
        _ => true,
    }
}

/// The interval of all results of an operation on a number of `a` and a number of `b`, computed with the arithmetic of
/// unknown values; `None` if there is never a result.
fn combine(
    a: &NumberRange,
    b: &NumberRange,
    operation: fn(&Value, &Value) -> crate::error::Result<Value>,
) -> Option<NumberRange> {
    let value = |range: &NumberRange| {
        let refinement = Refinement::number(range.clone()).and_not_null();
        Value::refined(Type::Number, refinement).unwrap_or_else(|_| Value::unknown(Type::Number))
    };
    match operation(&value(a), &value(b)) {
        Ok(result) => Some(numbers::range(&result).unwrap_or_default()),
        // The result has more digits than a number can have, so nothing is known of it.
        Err(error) if error.is_limit() => Some(NumberRange::default()),
        Err(_) => None,
    }
}

/// Removes each interval that another one contains; replaces all by one interval around them if more than
/// [`MAX_INTERVALS`] remain.
fn without_contained(ranges: Vec<NumberRange>) -> Vec<NumberRange> {
    let mut kept: Vec<NumberRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        if !kept.iter().any(|other| other.covers(&range)) {
            kept.retain(|other| !range.covers(other));
            kept.push(range);
        }
    }
    match kept.split_first() {
        Some((first, rest)) if kept.len() > MAX_INTERVALS => {
            vec![rest.iter().fold(first.clone(), |all, range| all.join(range))]
        }
        _ => kept,
    }
}
