//! Multiples: even, odd, divisible by.

use crate::number::Number;
use crate::refinement::{Bound, NumberRange};
use crate::value::{Value, View, view_below_marks};

use super::numbers;

/// Whether a number leaves this rest when divided by a positive number; the rest is not negative and smaller.
///
/// Of a range, no more can hold than that some number in it does: between two numbers there are always others.
/// Infinities are no multiples.
pub(in crate::rule) fn leaves(value: &Value, divisor: &Number, rest: &Number) -> Option<bool> {
    if let View::Number(number) = view_below_marks(value) {
        // A rest beyond the limits is no number, so it is not this one.
        return Some(number.is_finite() && remainder(number, divisor).is_some_and(|left| left == *rest));
    }
    let range = numbers::range(value)?;
    let (Bound::Inclusive(low) | Bound::Exclusive(low)) = range.lower() else { return None };
    let (Bound::Inclusive(high) | Bound::Exclusive(high)) = range.upper() else { return None };
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    // The first number from `low` on that leaves the rest.
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

/// Whether every number of `a` is a multiple of every number of `b`, or none of any: as
/// [`MultipleOf`](crate::rule::Rule::MultipleOf), 0 is a multiple of every number, and of 0 and the infinities nothing else.
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
    // Below, signs do not matter: the factor may have any.
    let (Some(a), Some(b)) = (Ends::of(a), Ends::of(b)) else { return Some(false) };
    if b.low.is_zero() {
        // Numbers as small as one likes, one of which goes into a number of `a`.
        return None;
    }
    let factor = b.least_factor_to(&a)?;
    let least = factor.multiply(&b.low).ok()?;
    let reached = least < a.high || least == a.high && b.low_closed && a.high_closed;
    (!reached).then_some(false)
}

/// The sizes of the finite numbers but 0 in a range; an end at 0 or infinity is open.
struct Ends {
    low: Number,
    low_closed: bool,
    high: Number,
    high_closed: bool,
}

impl Ends {
    fn of(range: &NumberRange) -> Option<Ends> {
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
        some.then_some(Ends { low: low.0, low_closed: low.1, high: high.0, high_closed: high.1 })
    }

    /// The least whole factor from 1 on by which the upper end reaches the lower end of `a`; none beyond the limits.
    fn least_factor_to(&self, a: &Ends) -> Option<Number> {
        if self.high.is_infinite() {
            return Some(Number::ONE);
        }
        let rest = a.low.modulo(&self.high).ok()?;
        let whole = a.low.subtract(&rest).ok()?;
        let times = whole.divide(&self.high).ok()?;
        // Division rounds what is too long.
        if times.multiply(&self.high).ok()? != whole {
            return None;
        }
        let touches = rest.is_zero() && a.low_closed && self.high_closed;
        if touches { Some(times) } else { times.add(&Number::ONE).ok() }
    }
}

/// At least 0 and below the divisor, also for negative numbers; none beyond the limits of arithmetic.
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
        assert!(Rule::MultipleOf(huge).check_value(&Value::from(tiny)).unwrap().is_fail());
    }

    #[test]
    fn an_open_end_is_not_reached() {
        let range = |upper: Bound| NumberRange::new(Bound::Inclusive(4.into()), upper).unwrap();
        let three = NumberRange::exactly(3);
        assert_eq!(is_multiple(&range(Bound::Exclusive(6.into())), &three), Some(false));
        assert_eq!(is_multiple(&range(Bound::Inclusive(6.into())), &three), None);
    }
}
