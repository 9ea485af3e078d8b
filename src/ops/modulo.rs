//! Remainder.

use super::arithmetic::{binary, single};
use super::integers;
use super::interval::{End, Interval, Part, Results, Size};
use crate::error::Result;
use crate::number::Number;
use crate::value::Value;

fn remainder(a: &Interval, b: &Interval) -> Results {
    let mut results = Results::default();
    let others = b.parts();
    for Part { negative, size } in a.parts() {
        for other in &others {
            let found = match (&size, &other.size) {
                (Size::Infinite, _) | (_, Size::Zero) => continue,
                (Size::Zero, _) => Interval::point(Number::ZERO),
                (Size::Finite(x), Size::Infinite) => x.clone(),
                (Size::Finite(x), Size::Finite(y)) => match single(x, y, Number::modulo) {
                    Some(None) => continue,
                    Some(Some(found)) => found,
                    None => of_finite(x, y),
                },
            };
            results.add_signed(negative, found);
        }
    }
    results
}

/// Remainders of numbers above 0 and below infinity.
fn of_finite(x: &Interval, y: &Interval) -> Interval {
    let zero = End::closed(Number::ZERO);
    let high = greatest(x, y).unwrap_or_else(|_| {
        if x.high.bound < y.high.bound { x.high.clone() } else { End::open(y.high.bound.clone()) }
    });
    Interval { low: least(x, y).unwrap_or(zero), high }
}

/// How often `b` goes into `a`, and what that makes.
fn times(a: &Number, b: &Number) -> Result<(Number, Number)> {
    let made = a.subtract(&a.modulo(b)?)?;
    Ok((made.divide(b)?, made))
}

/// 0, if some `x` is a multiple of some `y`. If none is, all of `y` go into all of `x` equally often, and the least
/// remainder is that of the least `x` and the greatest `y`.
fn least(x: &Interval, y: &Interval) -> Result<End> {
    let zero = End::closed(Number::ZERO);
    if x.high.bound.is_infinite() || y.low.bound.is_zero() {
        return Ok(zero);
    }
    let (often, made) = if y.high.bound.is_infinite() {
        (Number::ZERO, Number::ZERO)
    } else {
        times(&x.low.bound, &y.high.bound)?
    };
    let both = x.low.closed && y.high.closed;
    // The least whole number that is a quotient, if it is not above all quotients.
    let whole = if both && made == x.low.bound { often.clone() } else { often.add(&Number::ONE)? };
    let made_least = whole.multiply(&y.low.bound)?;
    if made_least < x.high.bound || made_least == x.high.bound && x.high.closed && y.low.closed {
        return Ok(zero);
    }
    let closed = if often.is_zero() { x.low.closed } else { both };
    Ok(End { bound: x.low.bound.subtract(&made)?, closed })
}

/// The greatest remainder of dividing by the greatest `y`, if `x` comes close to a multiple of it from below. If it
/// does not, of two neighbours in how often they go into the greatest `x`, the one further down.
fn greatest(x: &Interval, y: &Interval) -> Result<End> {
    if x.high.bound.is_infinite() {
        return Ok(End::open(y.high.bound.clone()));
    }
    if y.high.bound.is_infinite() {
        return Ok(x.high.clone());
    }
    let (often, made) = times(&x.high.bound, &y.high.bound)?;
    if often.is_zero() {
        return Ok(x.high.clone());
    }
    if x.low.bound < made {
        return Ok(End::open(y.high.bound.clone()));
    }
    let next = often.add(&Number::ONE)?;
    if next.multiply(&y.low.bound)? > x.high.bound {
        let bound = x.high.bound.subtract(&often.multiply(&y.low.bound)?)?;
        return Ok(End { bound, closed: x.high.closed && y.low.closed });
    }
    Ok(End::open(x.high.bound.div_up(&next)?))
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
        if let Some(remainder) = integers(self, other).and_then(|(a, b)| a.checked_rem(b)) {
            return Ok(Value::from(remainder));
        }
        binary((self, other), "remainder", Number::modulo, remainder)
    }
}
