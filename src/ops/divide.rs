//! Quotient.

use super::arithmetic::{binary, corner, single};
use super::interval::{End, Interval, Part, Results, Size};
use crate::error::Result;
use crate::number::Number;
use crate::value::Value;

fn quotient(a: &Interval, b: &Interval) -> Results {
    let mut results = Results::default();
    let others = b.parts();
    for Part { negative, size } in a.parts() {
        for other in &others {
            let signed = negative != other.negative;
            let (signed, found) = match (&size, &other.size) {
                (Size::Zero, Size::Zero) | (Size::Infinite, Size::Infinite) => continue,
                // By the sign of the dividend.
                (_, Size::Zero) => (negative, Interval::point(Number::INFINITY)),
                (Size::Zero, _) | (_, Size::Infinite) => (false, Interval::point(Number::ZERO)),
                (Size::Infinite, _) => (signed, Interval::point(Number::INFINITY)),
                (Size::Finite(x), Size::Finite(y)) => match single(x, y, Number::divide) {
                    Some(None) => continue,
                    Some(Some(found)) => (signed, found),
                    None => (signed, of_finite(x, y)),
                },
            };
            results.add_signed(signed, found);
        }
    }
    results
}

/// Quotients of numbers above 0 and below infinity. None of them is 0 or an infinity: what would be rounded to one is
/// above the limit.
fn of_finite(x: &Interval, y: &Interval) -> Interval {
    let (zero, infinity) = (End::open(Number::ZERO), End::open(Number::INFINITY));
    let never_rounds =
        y.single().is_some_and(|y| matches!(Number::ONE.divide(y), Ok(one) if one.is_integer()));
    if never_rounds {
        return Interval {
            low: corner(&x.low, &y.high, Number::divide).unwrap_or(zero),
            high: corner(&x.high, &y.low, Number::divide).unwrap_or(infinity),
        };
    }
    let low = match (x.low.bound.is_zero(), y.high.bound.is_finite()) {
        (false, true) => rounded(&x.low, &y.high, false),
        _ => None,
    };
    let high = match (x.high.bound.is_finite(), y.low.bound.is_zero()) {
        (true, false) => rounded(&x.high, &y.low, true),
        _ => None,
    };
    Interval { low: low.unwrap_or(zero), high: high.unwrap_or(infinity) }
}

/// The end from two ends: the upper one for `up`. Quotients close to it that do not end are rounded, and may be rounded
/// to it or beyond: then what it is rounded to itself is the end, and it is closed. Where it does not end and is
/// rounded inward, quotients that do end lie beyond that, so the end is beside it, and open.
fn rounded(a: &End, b: &End, up: bool) -> Option<End> {
    let (_, nearest) = a.bound.div_and_rounded(&b.bound).ok()?;
    let (own, ends) = a.bound.div_outward(&b.bound, up).ok()?;
    Some(if if up { nearest >= own } else { nearest <= own } {
        End::closed(nearest)
    } else if ends {
        End { bound: own, closed: a.closed && b.closed }
    } else {
        End::open(own)
    })
}

impl Value {
    /// The quotient of two numbers; of what is not known yet, the interval of all quotients.
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
    /// A quotient that does not end is rounded to
    /// [`limits::DIVISION_DIGITS`](crate::limits::DIVISION_DIGITS) digits, so a quotient close to an open end may be
    /// rounded to that very end. An open end becomes a closed one, unless the divisor is a number such as 1 or 0.1, which
    /// never makes a quotient longer.
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
        binary((self, other), "quotient", Number::divide, quotient)
    }
}
