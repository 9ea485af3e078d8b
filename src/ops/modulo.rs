//! Remainders of numbers and of intervals.

use super::arithmetic::{apply_to_numbers, result_of_single_numbers, step_of, without_marked_content};
use super::few_numbers::result_of_members;
use super::interval::{Endpoint, Interval, Magnitude, ResultInterval, SignedPart};
use super::known_integers;
use crate::error::Result;
use crate::number::Number;
use crate::refinement::{Range, Refinement, gcd};
use crate::value::Value;

/// The interval of all remainders.
fn remainder_of_intervals(a: &Interval, b: &Interval) -> ResultInterval {
    let mut results = ResultInterval::default();
    let others = b.parts();
    for SignedPart { negative, magnitude } in a.parts() {
        for other in &others {
            let found = match (&magnitude, &other.magnitude) {
                (Magnitude::Infinite, _) | (_, Magnitude::Zero) => continue,
                (Magnitude::Zero, _) => Interval::point(Number::ZERO),
                (Magnitude::Finite(x), Magnitude::Infinite) => x.clone(),
                (Magnitude::Finite(x), Magnitude::Finite(y)) => {
                    match result_of_single_numbers(x, y, Number::modulo) {
                        Some(None) => continue,
                        Some(Some(found)) => found,
                        None => remainder_of_finite(x, y),
                    }
                }
            };
            results.add_signed(negative, found);
        }
    }
    results
}

/// The interval of the remainders of two intervals between 0 and infinity, both excluded.
fn remainder_of_finite(x: &Interval, y: &Interval) -> Interval {
    let zero = Endpoint::closed(Number::ZERO);
    let high = greatest_remainder(x, y).unwrap_or_else(|_| {
        if x.high.bound < y.high.bound { x.high.clone() } else { Endpoint::open(y.high.bound.clone()) }
    });
    Interval { low: least_remainder(x, y).unwrap_or(zero), high }
}

/// The whole quotient of `a` divided by `b`, and the multiple of `b` with that factor.
fn whole_quotient(a: &Number, b: &Number) -> Result<(Number, Number)> {
    let multiple = a.subtract(&a.modulo(b)?)?;
    Ok((multiple.divide(b)?, multiple))
}

/// The least remainder: 0 if some `x` is a multiple of some `y`. Otherwise all pairs have the same whole quotient, and
/// the least `x` divided by the greatest `y` has the least remainder.
fn least_remainder(x: &Interval, y: &Interval) -> Result<Endpoint> {
    let zero = Endpoint::closed(Number::ZERO);
    if x.high.bound.is_infinite() || y.low.bound.is_zero() {
        return Ok(zero);
    }
    let (quotient, multiple) = if y.high.bound.is_infinite() {
        (Number::ZERO, Number::ZERO)
    } else {
        whole_quotient(&x.low.bound, &y.high.bound)?
    };
    let both = x.low.closed && y.high.closed;
    // The least whole number that is at least the smallest quotient: some `x` is a multiple of some `y` exactly if it
    // is at most the greatest quotient.
    let whole =
        if both && multiple == x.low.bound { quotient.clone() } else { quotient.add(&Number::ONE)? };
    let least_multiple = whole.multiply(&y.low.bound)?;
    if least_multiple < x.high.bound || least_multiple == x.high.bound && x.high.closed && y.low.closed {
        return Ok(zero);
    }
    let closed = if quotient.is_zero() { x.low.closed } else { both };
    Ok(Endpoint { bound: x.low.bound.subtract(&multiple)?, closed })
}

/// The greatest remainder. If some `x` is just below a multiple of the greatest `y`, it is that `y`, which is excluded.
/// Otherwise it is the remainder of the greatest `x`: by the least `y` if all `y` have the same whole quotient, else by
/// the `y` just above the one where the whole quotient changes.
fn greatest_remainder(x: &Interval, y: &Interval) -> Result<Endpoint> {
    if x.high.bound.is_infinite() {
        return Ok(Endpoint::open(y.high.bound.clone()));
    }
    if y.high.bound.is_infinite() {
        return Ok(x.high.clone());
    }
    let (quotient, multiple) = whole_quotient(&x.high.bound, &y.high.bound)?;
    if quotient.is_zero() {
        return Ok(x.high.clone());
    }
    if x.low.bound < multiple {
        return Ok(Endpoint::open(y.high.bound.clone()));
    }
    let next = quotient.add(&Number::ONE)?;
    if next.multiply(&y.low.bound)? > x.high.bound {
        let bound = x.high.bound.subtract(&quotient.multiply(&y.low.bound)?)?;
        return Ok(Endpoint { bound, closed: x.high.closed && y.low.closed });
    }
    Ok(Endpoint::open(x.high.bound.div_up(&next)?))
}

/// Splits a divisor into its values below 0 and its values above 0, if it is an unknown multiple of a step and 0 is one
/// of its values. `None` for any other divisor.
fn without_zero(divisor: &Value) -> Option<[Result<Value>; 2]> {
    let Range::Multiples(multiples) = divisor.as_unknown()?.1.range() else { return None };
    if !multiples.contains(&Number::ZERO) {
        return None;
    }
    let step = Number::from(multiples.step());
    let below = Refinement::number_at_most(step.negate()).and_not_null();
    Some([divisor.assume(&below), divisor.assume(&Refinement::number_at_least(step).and_not_null())])
}

impl Value {
    /// The remainder of a division that rounds toward zero: it has the sign of the dividend.
    ///
    /// | `a` | `b` | `a % b` |
    /// |---|---|---|
    /// | 5, -5 | 3, -3 | 2, -2 |
    /// | `[0, ∞)` | 3 | `[0, 3)` |
    /// | `[4, 5]` | 3 | `[1, 2]` |
    /// | `[1, 2]` | `[3, ∞]` | `[1, 2]` |
    /// | unknown | `[-3, 3]` | `(-3, 3)` |
    /// | unknown | 0 | an error |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let rest = Value::unknown(Type::Number).modulo(&Value::from(3))?;
    /// assert_eq!(rest.to_string(), "(known after apply, > -3, < 3)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`add`](Value::add); the remainder of an infinity and that of a division by 0 are undefined.
    #[inline]
    pub fn modulo(&self, other: &Value) -> Result<Value> {
        if let Some(remainder) = known_integers(self, other).and_then(|(a, b)| a.checked_rem(b)) {
            return Ok(Value::from(remainder));
        }
        remainder(self, other)
    }
}

/// The remainder of any two values; see [`Value::modulo`]. Not inlined, to keep that function short for integers.
#[inline(never)]
fn remainder(dividend: &Value, divisor: &Value) -> Result<Value> {
    match remainder_of_multiples(dividend, divisor)
        .or_else(|| result_of_members(dividend, divisor, Value::modulo))
    {
        Some(remainder) => {
            remainder.map_err(|error| without_marked_content(error, [dividend, divisor], "remainder"))
        }
        None => apply_to_numbers(
            (dividend, divisor),
            "remainder",
            Number::modulo,
            remainder_of_intervals,
            Some(gcd),
        ),
    }
}

/// The remainder where the general computation on intervals would be too wide: the dividend is a multiple of a known
/// divisor, or the divisor is an unknown multiple that may be 0. `None` in all other cases.
#[inline(never)]
fn remainder_of_multiples(dividend: &Value, divisor: &Value) -> Option<Result<Value>> {
    if dividend.number().is_some() && divisor.number().is_some() {
        return None;
    }
    if let (Some(step), Some(number)) = (step_of(dividend), divisor.number())
        && number.is_finite()
        && Number::from(step).modulo(number).is_ok_and(|rest| rest.is_zero())
    {
        // Every possible dividend is a multiple of the divisor.
        return Some(Ok(Value::from(0).with_marks_of(&[dividend, divisor])));
    }
    let [below, above] = without_zero(divisor)?;
    let [below, above] = [below, above].map(|part| part.and_then(|part| dividend.modulo(&part)));
    Some(match (below, above) {
        (Ok(below), Ok(above)) => Value::join(&[&below, &above]),
        (Ok(rest), Err(_)) | (Err(_), Ok(rest)) => Ok(rest),
        // A part that the divisor has nothing in has no error of its own.
        (Err(below), Err(above)) => Err(if below.is_contradiction() { above } else { below }),
    })
}
