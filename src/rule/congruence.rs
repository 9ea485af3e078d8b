//! Multiples: even, odd, divisible by.

use crate::number::Number;
use crate::refinement::Bound;
use crate::value::{Value, View, view_below_marks};

use super::numbers;

/// Whether a number leaves this rest when divided by a positive number; the rest is not negative and smaller.
///
/// Of a range, no more can hold than that some number in it does: between two numbers there are always others.
/// Infinities are no multiples.
pub(super) fn leaves(value: &Value, divisor: &Number, rest: &Number) -> Option<bool> {
    if let View::Number(number) = view_below_marks(value) {
        return Some(number.is_finite() && remainder(number, divisor)? == *rest);
    }
    let range = numbers::range(value)?;
    let (Bound::Inclusive(low) | Bound::Exclusive(low)) = range.lower() else { return None };
    let (Bound::Inclusive(high) | Bound::Exclusive(high)) = range.upper() else { return None };
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    // The first number from `low` on that leaves the rest.
    let missing = rest.sub(&remainder(low, divisor)?).ok()?;
    let missing = if missing.is_negative() { missing.add(divisor).ok()? } else { missing };
    let missing = match range.lower() {
        Bound::Exclusive(_) if missing.is_zero() => divisor.clone(),
        _ => missing,
    };
    let first = low.add(&missing).ok()?;
    let inside = match range.upper() {
        Bound::Exclusive(_) => first < *high,
        _ => first <= *high,
    };
    (!inside).then_some(false)
}

/// At least 0 and below the divisor, also for negative numbers; none beyond the limits of arithmetic.
fn remainder(number: &Number, divisor: &Number) -> Option<Number> {
    let rest = number.rem(divisor).ok()?;
    if rest.is_negative() { rest.add(divisor).ok() } else { Some(rest) }
}
