//! Evaluates `multiple_of`, `even` and `odd`.

use crate::number::Number;
use crate::refinement::{Bound, Multiples, NumberRange, Range, Refinement};
use crate::value::{Value, View, view_below_marks};

use super::numbers;

/// The maximum number of multiples that are tried one by one: each is divided by the divisor to see its remainder.
const TRIED: usize = 64;

/// Whether the number leaves the remainder `rest` when divided by `divisor`. `None` if that depends on unknowns.
/// `divisor` is positive, and `rest` at least 0 and below it. Infinities leave no remainder. For an unknown number the
/// answer is `Some(true)` only for multiples: every interval of several numbers contains one that leaves another remainder.
pub(in crate::rule) fn has_remainder(value: &Value, divisor: &Number, rest: &Number) -> Option<bool> {
    if let View::Number(number) = view_below_marks(value) {
        // A remainder with more digits than a number can have does not equal `rest`.
        return Some(number.is_finite() && remainder(number, divisor).is_some_and(|left| left == *rest));
    }
    if let Some(multiples) = value.refinement().and_then(multiples_of) {
        // The remainder of all multiples, if the divisor divides the step. Otherwise two neighbours differ.
        if remainder(&Number::from(multiples.step()), divisor).is_some_and(|left| left.is_zero()) {
            return Some(rest.is_zero());
        }
        if let Some(members) = multiples.members(TRIED) {
            let leaves = |number: &Number| remainder(number, divisor).is_some_and(|left| left == *rest);
            return if members.iter().any(leaves) { None } else { Some(false) };
        }
        if rest.is_zero()
            && let Some(divisor) = divisor.to_u64()
            && !multiples.may_be_multiple_of(divisor)
        {
            return Some(false);
        }
    }
    let range = numbers::range(value)?;
    let (Bound::Inclusive(low) | Bound::Exclusive(low)) = range.lower() else { return None };
    let (Bound::Inclusive(high) | Bound::Exclusive(high)) = range.upper() else { return None };
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    // The smallest number of the interval that leaves the remainder.
    let missing = rest.subtract(&remainder(low, divisor)?).ok()?;
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

/// The multiples that a refinement restricts a number to, if it does.
fn multiples_of(refinement: &Refinement) -> Option<&Multiples> {
    match refinement.range() {
        Range::Multiples(multiples) => Some(multiples),
        _ => None,
    }
}

/// Whether every number of the interval `a` is a multiple of every number of the interval `b` (`Some(true)`), or none
/// is a multiple of any (`Some(false)`). As for [`MultipleOf`](crate::rule::NumberRule::MultipleOf), 0 is a multiple of
/// every number, and of 0 and the infinities 0 is the only one.
pub(in crate::rule) fn is_multiple(a: &NumberRange, b: &NumberRange) -> Option<bool> {
    if a.singleton().is_some_and(Number::is_zero) {
        return Some(true);
    }
    if let (Some(a), Some(b)) = (a.singleton(), b.singleton()) {
        let divides = a.is_finite() && b.is_finite() && !b.is_zero();
        return Some(divides && remainder(a, &b.absolute())?.is_zero());
    }
    if a.contains(&Number::ZERO) {
        return None;
    }
    // Signs do not matter from here on: the factor may be negative.
    let (Some(a), Some(b)) = (Magnitudes::of(a), Magnitudes::of(b)) else { return Some(false) };
    if b.low.is_zero() {
        // `b` contains arbitrarily small numbers, and some of them divide a number of `a`.
        return None;
    }
    let factor = b.least_factor_to(&a)?;
    let least = factor.multiply(&b.low).ok()?;
    let reached = least < a.high || least == a.high && b.low_closed && a.high_closed;
    (!reached).then_some(false)
}

/// The interval of the absolute values of those numbers of an interval that are finite and not 0. An endpoint at 0 or
/// infinity does not belong to it.
struct Magnitudes {
    /// The lower endpoint.
    low: Number,
    /// Whether the lower endpoint belongs to the interval.
    low_closed: bool,
    /// The upper endpoint.
    high: Number,
    /// Whether the upper endpoint belongs to the interval.
    high_closed: bool,
}

impl Magnitudes {
    /// The absolute values of the numbers in an interval that does not contain 0; `None` if no number in it is finite.
    fn of(range: &NumberRange) -> Option<Magnitudes> {
        let end = |bound: &Bound| match bound {
            Bound::Unbounded => (Number::INFINITY, false),
            Bound::Inclusive(number) => (number.absolute(), number.is_finite() && !number.is_zero()),
            Bound::Exclusive(number) => (number.absolute(), false),
        };
        let (lower, upper) = (end(range.lower()), end(range.upper()));
        let around = |sign: i8, bound: &Bound| match bound {
            Bound::Unbounded => true,
            Bound::Inclusive(number) | Bound::Exclusive(number) => number.signum() == sign,
        };
        let (low, high) = match (around(-1, range.lower()), around(1, range.upper())) {
            (true, true) => ((Number::ZERO, false), if lower.0 > upper.0 { lower } else { upper }),
            (true, false) => (upper, lower),
            (false, _) => (lower, upper),
        };
        let some = low.0 < high.0 || low.0 == high.0 && low.1 && high.1;
        some.then_some(Magnitudes { low: low.0, low_closed: low.1, high: high.0, high_closed: high.1 })
    }

    /// The smallest integer, at least 1, whose product with the upper endpoint of `self` reaches the lower endpoint of
    /// `a`: with a smaller factor, every product is below `a`. `None` if a number on the way has too many digits.
    fn least_factor_to(&self, a: &Magnitudes) -> Option<Number> {
        if self.high.is_infinite() {
            return Some(Number::ONE);
        }
        let rest = a.low.modulo(&self.high).ok()?;
        let whole = a.low.subtract(&rest).ok()?;
        let times = whole.divide(&self.high).ok()?;
        // A quotient with too many digits is rounded, so it is checked by multiplication.
        if times.multiply(&self.high).ok()? != whole {
            return None;
        }
        let touches = rest.is_zero() && a.low_closed && self.high_closed;
        if touches { Some(times) } else { times.add(&Number::ONE).ok() }
    }
}

/// The remainder of the division by a positive divisor: at least 0 and below the divisor, for negative numbers too.
/// `None` if it has more digits than a number can have.
fn remainder(number: &Number, divisor: &Number) -> Option<Number> {
    let rest = number.modulo(divisor).ok()?;
    if rest.is_negative() { rest.add(divisor).ok() } else { Some(rest) }
}

#[cfg(test)]
mod tests {
    use super::is_multiple;
    use crate::number::Number;
    use crate::refinement::{Bound, NumberRange};
    use crate::rule::Rule;
    use crate::value::Value;

    #[test]
    fn a_known_number_is_decided_beyond_the_limits_too() {
        let (tiny, huge): (Number, Number) = ("-1e-4200".parse().unwrap(), "1e4200".parse().unwrap());
        assert!(Rule::multiple_of(huge).check_value(&Value::from(tiny)).unwrap().is_fail());
    }

    #[test]
    fn an_open_end_is_not_reached() {
        let range = |upper: Bound| NumberRange::new(Bound::Inclusive(4.into()), upper).unwrap();
        let three = NumberRange::exactly(3);
        assert_eq!(is_multiple(&range(Bound::Exclusive(6.into())), &three), Some(false));
        assert_eq!(is_multiple(&range(Bound::Inclusive(6.into())), &three), None);
    }
}
