//! In which intervals sums and products are.

use crate::number::Number;
use crate::refinement::{NumberRange, Refinement};
use crate::rule::decide::numbers;
use crate::types::Type;
use crate::value::Value;

/// The most intervals of sums that are kept apart; more are replaced by one around all of them.
const APART: usize = 64;

/// The intervals in which sums are, and whether there may be no sum.
pub(super) fn sums(parts: &[(NumberRange, bool)]) -> (Vec<NumberRange>, bool) {
    let mut sums = vec![NumberRange::exactly(Number::ZERO)];
    for (range, nullable) in parts {
        let with = sums.iter().filter_map(|sum| combined(sum, range, Value::add));
        let mut next: Vec<NumberRange> = with.collect();
        if *nullable {
            next.extend(sums);
        }
        sums = apart(next);
    }
    let up = |range: &NumberRange| range.contains(&Number::INFINITY);
    let down = |range: &NumberRange| range.contains(&Number::NEG_INFINITY);
    (sums, two_of(parts, up, down))
}

pub(super) fn products(parts: &[(NumberRange, bool)]) -> (Vec<NumberRange>, bool) {
    let start = Some(NumberRange::exactly(Number::ONE));
    let product = parts.iter().fold(start, |product, (range, _)| combined(&product?, range, Value::multiply));
    let zero = |range: &NumberRange| range.contains(&Number::ZERO);
    let infinite =
        |range: &NumberRange| range.contains(&Number::INFINITY) || range.contains(&Number::NEG_INFINITY);
    (product.into_iter().collect(), two_of(parts, zero, infinite))
}

/// Whether one part can be the one, and another part the other.
fn two_of(
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

/// The interval of results, computed with the arithmetic of values; `None` where there is no result.
fn combined(
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
        // Longer than a number can be: somewhere.
        Err(error) if error.is_limit() => Some(NumberRange::default()),
        Err(_) => None,
    }
}

/// The intervals without those contained in others; one around all where there are too many.
fn apart(ranges: Vec<NumberRange>) -> Vec<NumberRange> {
    let mut kept: Vec<NumberRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        if !kept.iter().any(|other| other.covers(&range)) {
            kept.retain(|other| !range.covers(other));
            kept.push(range);
        }
    }
    match kept.split_first() {
        Some((first, rest)) if kept.len() > APART => {
            vec![rest.iter().fold(first.clone(), |all, range| all.join(range))]
        }
        _ => kept,
    }
}
