//! Sum, difference, product, negation, size.

use super::interval::{End, Interval, Part, Results, Size, known, read};
use super::{integers, numbers};
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::value::Value;

/// Two numbers by their own operation, or what is known of two by that on intervals.
#[inline(never)]
pub(super) fn binary(
    (a, b): (&Value, &Value),
    name: &str,
    exact: fn(&Number, &Number) -> Result<Number>,
    abstracted: fn(&Interval, &Interval) -> Results,
) -> Result<Value> {
    if let Some((a, b)) = numbers(a, b) {
        return exact(a, b).map(Value::from);
    }
    let value = match (known(a), known(b)) {
        (Some(a), Some(b)) => Value::from(exact(a, b)?),
        _ => {
            let (x, y) = (read(a, name)?, read(b, name)?);
            abstracted(&x, &y).into_value().ok_or_else(|| undefined(name))?
        }
    };
    Ok(value.with_marks_of(&[a, b]))
}

#[cold]
fn undefined(name: &str) -> Error {
    Error::new(Kind::Undefined, format!("the {name} is undefined, whatever the operands become"))
}

/// One end of the results from two ends; none where it is beyond the limit.
pub(super) fn corner(a: &End, b: &End, exact: fn(&Number, &Number) -> Result<Number>) -> Option<End> {
    Some(End { bound: exact(&a.bound, &b.bound).ok()?, closed: a.closed && b.closed })
}

/// The result of two single numbers, if that is what two intervals are; none in it where there is none.
pub(super) fn single(
    a: &Interval,
    b: &Interval,
    exact: fn(&Number, &Number) -> Result<Number>,
) -> Option<Option<Interval>> {
    let (a, b) = (a.single()?, b.single()?);
    Some(exact(a, b).ok().map(Interval::point))
}

fn sum(a: &Interval, b: &Interval) -> Results {
    let mut results = Results::default();
    let (x, y) = (a.finite(), b.finite());
    if let (Some(x), Some(y)) = (&x, &y) {
        let found = single(x, y, Number::add).unwrap_or_else(|| {
            Some(Interval {
                low: corner(&x.low, &y.low, Number::add).unwrap_or(End::open(Number::NEG_INFINITY)),
                high: corner(&x.high, &y.high, Number::add).unwrap_or(End::open(Number::INFINITY)),
            })
        });
        found.into_iter().for_each(|found| results.add(found));
    }
    for (negative, a, b) in [(false, a, b), (true, &a.negated(), &b.negated())] {
        let (far, other_far) = (a.reaches_infinity(), b.reaches_infinity());
        if far && (other_far || y.is_some()) || other_far && x.is_some() {
            results.add_signed(negative, Interval::point(Number::INFINITY));
        }
    }
    results
}

fn product(a: &Interval, b: &Interval) -> Results {
    let mut results = Results::default();
    let others = b.parts();
    for Part { negative, size } in a.parts() {
        for other in &others {
            let found = match (&size, &other.size) {
                (Size::Zero, Size::Infinite) | (Size::Infinite, Size::Zero) => None,
                (Size::Zero, _) | (_, Size::Zero) => Some(Interval::point(Number::ZERO)),
                (Size::Infinite, _) | (_, Size::Infinite) => Some(Interval::point(Number::INFINITY)),
                (Size::Finite(x), Size::Finite(y)) => single(x, y, Number::multiply).unwrap_or_else(|| {
                    Some(Interval {
                        low: corner(&x.low, &y.low, Number::multiply).unwrap_or(End::open(Number::ZERO)),
                        high: corner(&x.high, &y.high, Number::multiply)
                            .unwrap_or(End::open(Number::INFINITY)),
                    })
                }),
            };
            found.into_iter().for_each(|found| results.add_signed(negative != other.negative, found));
        }
    }
    results
}

impl Value {
    /// The sum of two numbers; of what is not known yet, the interval of all sums.
    ///
    /// | `a` | `b` | `a + b` |
    /// |---|---|---|
    /// | `[1, 3]` | `(1, 3)` | `(2, 6)` |
    /// | `[1, ∞]` | 1 | `[2, ∞]` |
    /// | `[0, 0]`, or null | 1 | 1, or an error later |
    /// | unknown | unknown | a number, not null |
    /// | ∞ | -∞ | an error |
    ///
    /// An end that is longer than a number can be ([`limits::DIGITS`](crate::limits::DIGITS)) is left out.
    ///
    /// ```
    /// use plantime::{Number, NumberRange, Refinement, Type, Value};
    ///
    /// let few = Refinement::number(NumberRange::new(
    ///     plantime::Bound::Inclusive(Number::from(1)),
    ///     plantime::Bound::Exclusive(Number::from(3)),
    /// )?);
    /// let few = Value::refined(Type::Number, few)?;
    /// assert_eq!(few.add(&Value::from(10))?.to_string(), "(known after apply, >= 11, < 13)");
    /// assert_eq!(Value::from(1).add(&Value::from(2))?, Value::from(3));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When an operand is null or of a type other than number, when the sum is undefined whatever the operands become
    /// (opposite infinities), and when the sum of two known numbers is above the limit.
    #[inline]
    pub fn add(&self, other: &Value) -> Result<Value> {
        if let Some(sum) = integers(self, other).and_then(|(a, b)| a.checked_add(b)) {
            return Ok(Value::from(sum));
        }
        binary((self, other), "sum", Number::add, sum)
    }

    /// The difference of two numbers: the sum of the first and the second [negated](Value::negate).
    ///
    /// ```
    /// use plantime::{Type, Refinement, Value};
    ///
    /// let many = Value::refined(Type::Number, Refinement::number_at_least(10).and_not_null())?;
    /// assert_eq!(Value::from(3).subtract(&many)?.to_string(), "(known after apply, <= -7)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`add`](Value::add); ∞ - ∞ is undefined.
    #[inline]
    pub fn subtract(&self, other: &Value) -> Result<Value> {
        if let Some(difference) = integers(self, other).and_then(|(a, b)| a.checked_sub(b)) {
            return Ok(Value::from(difference));
        }
        binary((self, other), "difference", Number::subtract, |a, b| sum(a, &b.negated()))
    }

    /// The product of two numbers; of what is not known yet, the interval of all products.
    ///
    /// | `a` | `b` | `a * b` |
    /// |---|---|---|
    /// | `[1, 3]` | `[-2, 3)` | `[-6, 9)` |
    /// | `[0, ∞)` | `[1, ∞]` | `[0, ∞]` |
    /// | unknown | 0 | 0: an infinity times 0 is an error |
    /// | unknown | unknown | a number, not null |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// assert_eq!(Value::unknown(Type::Number).multiply(&Value::from(0))?, Value::from(0));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`add`](Value::add); 0 times an infinity is undefined.
    #[inline]
    pub fn multiply(&self, other: &Value) -> Result<Value> {
        if let Some(product) = integers(self, other).and_then(|(a, b)| a.checked_mul(b)) {
            return Ok(Value::from(product));
        }
        binary((self, other), "product", Number::multiply, product)
    }

    /// The number of the other sign; an interval is mirrored: of `[1, 3)` it is `(-3, -1]`.
    ///
    /// ```
    /// use plantime::{Type, Refinement, Value};
    ///
    /// let many = Value::refined(Type::Number, Refinement::number_at_least(10).and_not_null())?;
    /// assert_eq!(many.negate()?.to_string(), "(known after apply, <= -10)");
    /// assert_eq!(Value::from(0).negate()?, Value::from(0));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the operand is null or of a type other than number.
    pub fn negate(&self) -> Result<Value> {
        Ok(read(self, "negation")?.negated().into_value().with_marks_of(&[self]))
    }

    /// The number without its sign.
    ///
    /// | `a` | absolute |
    /// |---|---|
    /// | `[-5, -3)` | `(3, 5]` |
    /// | `[-5, 3]` | `[0, 5]` |
    /// | unknown | `[0, ∞]` |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// assert_eq!(Value::unknown(Type::Number).absolute()?.to_string(), "(known after apply, >= 0)");
    /// assert_eq!(Value::from(-3).absolute()?, Value::from(3));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the operand is null or of a type other than number.
    pub fn absolute(&self) -> Result<Value> {
        Ok(read(self, "absolute value")?.absolute().into_value().with_marks_of(&[self]))
    }
}
