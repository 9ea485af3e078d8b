//! Ranges of numbers and prefixes of strings: the prefix that all numbers of a range share as strings, and the range of
//! the numbers whose strings have a prefix.

use std::iter::repeat_n;

use crate::number::Number;
use crate::refinement::{Bound, NumberRange};
use crate::text::common_prefix;

/// The longest known prefix of the strings of all numbers in the range; may be empty.
pub(super) fn shared_prefix(range: &NumberRange) -> String {
    if let Some(number) = range.singleton() {
        return number.to_string();
    }
    let negative = range.meet(&NumberRange::at_least(0)).is_none();
    if !negative && !NumberRange::at_least(0).covers(range) {
        return String::new();
    }
    let (near, far) = if negative { (range.upper(), range.lower()) } else { (range.lower(), range.upper()) };
    let digits = digits_between(near, far).unwrap_or_default();
    if negative { format!("-{digits}") } else { digits }
}

/// The common leading digits of all magnitudes between two bounds of one sign; `near` is nearer to zero. `None` if a
/// bound is missing or infinite, or the numbers differ in their number of digits before the point.
fn digits_between(near: &Bound, far: &Bound) -> Option<String> {
    let (low, high) = (near.number()?.absolute(), far.number()?.absolute());
    if low.is_infinite() || high.is_infinite() {
        return None;
    }
    let places = decimal_places(&low).max(decimal_places(&high));
    let low_digits = padded(&low.to_string(), places);
    let high_digits =
        if far.is_inclusive() { padded(&high.to_string(), places) } else { below(&high, places)? };
    if low_digits.find('.') != high_digits.find('.') {
        return None;
    }
    let shared = common_prefix(&low_digits, &high_digits);
    // The near bound itself is written without trailing zeros.
    let shared = if near.is_inclusive() {
        common_prefix(shared, &low.to_string()).to_owned()
    } else {
        shared.to_owned()
    };
    Some(shared)
}

/// The number of digits after the decimal point.
fn decimal_places(number: &Number) -> usize {
    number.to_string().split_once('.').map_or(0, |(_, places)| places.len())
}

/// The number as a string with a point and one place more than `places` after it.
fn padded(text: &str, places: usize) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let zeros = places.saturating_sub(fraction.len()).saturating_add(1);
    let mut padded = format!("{whole}.{fraction}");
    padded.extend(repeat_n('0', zeros));
    padded
}

/// The digits of the numbers just below a number: all nines after `places` decimal places. `None` if these numbers are
/// negative.
fn below(number: &Number, places: usize) -> Option<String> {
    let step: Number = format!("1e-{places}").parse().ok()?;
    let lower = number.subtract(&step).ok()?;
    if lower.is_negative() {
        return None;
    }
    let text = lower.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut digits = format!("{whole}.{fraction}");
    digits.extend(repeat_n('0', places.saturating_sub(fraction.len())));
    digits.push('9');
    Some(digits)
}

/// The range of the numbers whose strings may have the prefix; `None` if there are none.
pub(super) fn numbers_with_prefix(prefix: &str) -> Option<NumberRange> {
    let (negative, rest) = match prefix.strip_prefix(['+', '-']) {
        Some(rest) => (prefix.starts_with('-'), rest),
        None => (false, prefix),
    };
    let signed = |number: Number| if negative { number.negate() } else { number };
    if rest.starts_with(['i', 'I']) {
        let may_be = ["inf", "Inf"].iter().any(|word| word.starts_with(rest));
        return may_be.then(|| NumberRange::exactly(signed(Number::INFINITY)));
    }
    let magnitude = magnitude_of(rest)?;
    if !negative {
        return Some(magnitude);
    }
    let mirrored = |bound: &Bound| match bound {
        Bound::Unbounded => Bound::Unbounded,
        Bound::Inclusive(number) => Bound::Inclusive(number.negate()),
        Bound::Exclusive(number) => Bound::Exclusive(number.negate()),
    };
    NumberRange::new(mirrored(magnitude.upper()), mirrored(magnitude.lower())).ok()
}

/// The range of the numbers whose strings start with this unsigned text; `None` if there are none.
fn magnitude_of(text: &str) -> Option<NumberRange> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let is_zero = mantissa.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    // A string with a digit or a point is no infinity.
    let most = if mantissa.is_empty() { Bound::Unbounded } else { Bound::Exclusive(Number::INFINITY) };
    let Some(exponent) = exponent else {
        let zero = if is_zero { Bound::Inclusive(Number::ZERO) } else { Bound::Exclusive(Number::ZERO) };
        return NumberRange::new(zero, most).ok();
    };
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if !is_digits(digits) || whole.len().saturating_add(fraction.len()) == 0 {
        return None;
    }
    if is_zero {
        return Some(NumberRange::exactly(0));
    }
    let bound = format!("{text}{}", if digits.is_empty() { "0" } else { "" }).parse::<Number>();
    let open = || NumberRange::new(Bound::Exclusive(Number::ZERO), most.clone()).ok();
    match (bound, exponent.starts_with('-')) {
        // Any exponent may follow a bare `e`.
        _ if exponent.is_empty() => open(),
        (Ok(most), true) => NumberRange::new(Bound::Exclusive(Number::ZERO), Bound::Inclusive(most)).ok(),
        (Ok(least), false) => NumberRange::new(Bound::Inclusive(least), most.clone()).ok(),
        // Longer exponents are beyond the limit as well, but for zeros.
        (Err(_), _) => open(),
    }
}
