//! Quotients of numbers and of intervals.

use super::arithmetic::{apply_to_numbers, end_of_results, result_of_single_numbers, without_marked_content};
use super::few_numbers::result_of_members;
use super::interval::{Endpoint, Interval, Magnitude, ResultInterval, SignedPart};
use crate::error::Result;
use crate::number::Number;
use crate::value::Value;

/// The interval of all quotients.
fn quotient_of_intervals(a: &Interval, b: &Interval) -> ResultInterval {
    let mut results = ResultInterval::default();
    let others = b.parts();
    for SignedPart { negative, magnitude } in a.parts() {
        for other in &others {
            let signed = negative != other.negative;
            let (signed, found) = match (&magnitude, &other.magnitude) {
                (Magnitude::Zero, Magnitude::Zero) | (Magnitude::Infinite, Magnitude::Infinite) => continue,
                // A number divided by 0 is an infinity with the sign of the dividend.
                (_, Magnitude::Zero) => (negative, Interval::point(Number::INFINITY)),
                (Magnitude::Zero, _) | (_, Magnitude::Infinite) => (false, Interval::point(Number::ZERO)),
                (Magnitude::Infinite, _) => (signed, Interval::point(Number::INFINITY)),
                (Magnitude::Finite(x), Magnitude::Finite(y)) => {
                    match result_of_single_numbers(x, y, Number::divide) {
                        Some(None) => continue,
                        Some(Some(found)) => (signed, found),
                        None => (signed, quotient_of_finite(x, y)),
                    }
                }
            };
            results.add_signed(signed, found);
        }
    }
    results
}

/// The interval of the quotients of two intervals between 0 and infinity, both excluded. No quotient is 0 or an
/// infinity: one that would be rounded to either is above the limits of numbers, and an error.
fn quotient_of_finite(x: &Interval, y: &Interval) -> Interval {
    let (zero, infinity) = (Endpoint::open(Number::ZERO), Endpoint::open(Number::INFINITY));
    let never_rounds =
        y.single().is_some_and(|y| matches!(Number::ONE.divide(y), Ok(one) if one.is_integer()));
    if never_rounds {
        return Interval {
            low: end_of_results(&x.low, &y.high, Number::divide).unwrap_or(zero),
            high: end_of_results(&x.high, &y.low, Number::divide).unwrap_or(infinity),
        };
    }
    let low = match (x.low.bound.is_zero(), y.high.bound.is_finite()) {
        (false, true) => rounded_end(&x.low, &y.high, false),
        _ => None,
    };
    let high = match (x.high.bound.is_finite(), y.low.bound.is_zero()) {
        (true, false) => rounded_end(&x.high, &y.low, true),
        _ => None,
    };
    Interval { low: low.unwrap_or(zero), high: high.unwrap_or(infinity) }
}

/// The end of the quotients from an end of each operand: the upper end if `up`, else the lower one. Quotients with
/// too many digits are rounded to the nearest number, so a quotient close to the end may be rounded to the end or
/// beyond it. So if the exact end is rounded outward, the rounded number is the end, and it is closed. If it is
/// rounded inward, some shorter quotients are still beyond the rounded number, so the end is the next number outward,
/// and it is open.
fn rounded_end(a: &Endpoint, b: &Endpoint, up: bool) -> Option<Endpoint> {
    let (_, nearest) = a.bound.div_and_rounded(&b.bound).ok()?;
    let (own, ends) = a.bound.div_outward(&b.bound, up).ok()?;
    Some(if if up { nearest >= own } else { nearest <= own } {
        Endpoint::closed(nearest)
    } else if ends {
        Endpoint { bound: own, closed: a.closed && b.closed }
    } else {
        Endpoint::open(own)
    })
}

impl Value {
    /// The quotient of two numbers; for unknown operands the interval of all quotients.
    ///
    /// | `a` | `b` | `a / b` |
    /// |---|---|---|
    /// | `[1, 3]` | `[1, 2]` | `[0.5, 3]` |
    /// | `[1, 3]` | `[0, 2]` | `[0.5, ∞]`: a number above 0 divided by 0 is ∞ |
    /// | `[1, 3]` | `[-2, 2]` | a number, not null |
    /// | `(1, 3)` | 0.5 | `(2, 6)` |
    /// | `(1, 3)` | 3 | `[0.333…, 1]` |
    /// | `[1, 3]` | ∞ | 0 |
    /// | 0 | `[0, ∞]` | 0: 0 / 0 is an error |
    ///
    /// A quotient with more digits than [`limits::DIVISION_DIGITS`](crate::limits::DIVISION_DIGITS) is rounded, so a
    /// quotient close to an excluded bound may be rounded to this bound. So an excluded bound becomes an included
    /// one, unless the divisor is a number such as 1 or 0.1, whose quotients have no more digits than the dividend.
    ///
    /// ```
    /// use plantime::{Type, Refinement, Value};
    ///
    /// let many = Value::refined(Type::Number, Refinement::number_at_least(10).and_not_null())?;
    /// assert_eq!(many.divide(&Value::from(4))?.to_string(), "(known after apply, >= 2.5)");
    /// assert_eq!(Value::from(1).divide(&many)?.to_string(), "(known after apply, >= 0, <= 0.1)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`add`](Value::add); 0 / 0 and ∞ / ∞ are undefined.
    pub fn divide(&self, other: &Value) -> Result<Value> {
        if let Some(quotient) = result_of_members(self, other, Value::divide) {
            return quotient.map_err(|error| without_marked_content(error, [self, other], "quotient"));
        }
        apply_to_numbers((self, other), "quotient", Number::divide, quotient_of_intervals, None)
    }
}
