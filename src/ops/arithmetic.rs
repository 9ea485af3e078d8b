//! Sum, difference, product, negation, absolute value.

use super::few_numbers::{result_of_each, result_of_pairs};
use super::interval::{Endpoint, Interval, Magnitude, ResultInterval, SignedPart, interval_of, known_number};
use super::{known_integers, known_numbers};
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::refinement::{Range, Refinement, gcd, magnitude};
use crate::value::Value;

/// Applies an arithmetic operation: `exact` to two known numbers, else `abstracted` to the intervals of the operands.
/// `name` names the result in errors. `combine_steps`: if the operands are multiples of two steps, the result is a multiple of the step
/// that it returns for them.
#[inline(never)]
pub(super) fn apply_to_numbers(
    (a, b): (&Value, &Value),
    name: &str,
    exact: fn(&Number, &Number) -> Result<Number>,
    abstracted: fn(&Interval, &Interval) -> ResultInterval,
    combine_steps: Option<fn(u64, u64) -> u64>,
) -> Result<Value> {
    if let Some((a, b)) = known_numbers(a, b) {
        return exact(a, b).map(Value::from);
    }
    let number = || match (known_number(a), known_number(b)) {
        (Some(a), Some(b)) => exact(a, b).map(Value::from),
        _ => {
            let value = match result_of_pairs(a, b, exact) {
                Some(value) => value.map_err(|_| undefined(name))?,
                None => {
                    let (x, y) = (interval_of(a, name)?, interval_of(b, name)?);
                    abstracted(&x, &y).into_value().ok_or_else(|| undefined(name))?
                }
            };
            Ok(match combine_steps {
                Some(combine) => with_step(value, [a, b], combine),
                None => value,
            })
        }
    };
    let value = number().map_err(|error| without_marked_content(error, [a, b], name))?;
    Ok(value.with_marks_of(&[a, b]))
}

/// The error of an operation; if an operand is marked, one that does not tell why there is no result.
#[cold]
pub(super) fn without_marked_content(error: Error, operands: [&Value; 2], name: &str) -> Error {
    let hides = error.is_undefined() && operands.iter().any(|operand| operand.is_marked());
    if hides { undefined(name) } else { error }
}

/// Adds to an unknown result the fact that it is a multiple of a step, which `combine` computes from the steps of the
/// two operands (see [`step_of`]). Returns the result unchanged if it is known, or if an operand need not be an
/// integer.
fn with_step(result: Value, operands: [&Value; 2], combine: fn(u64, u64) -> u64) -> Value {
    if result.is_known() || result.refinement().is_some_and(|said| matches!(said.range(), Range::Numbers(_)))
    {
        return result;
    }
    let [Some(a), Some(b)] = operands.map(step_of) else { return result };
    // Every possible result is such a multiple, so the refinement excludes none.
    result.assume(&Refinement::multiple_of(combine(a, b))).unwrap_or(result)
}

/// An integer of which every possible value of the operand is a multiple; for a known integer its absolute value. `None` if the operand need not be an integer, or the step does not fit.
pub(super) fn step_of(operand: &Value) -> Option<u64> {
    match operand.number() {
        Some(number) => magnitude(number),
        None => match operand.as_unknown()?.1.range() {
            Range::Multiples(multiples) => Some(multiples.step()),
            Range::Numbers(few) => few.step(),
            _ => None,
        },
    }
}

/// A step of the products of multiples of two steps: their product, or the larger one if that does not fit.
fn step_of_products(a: u64, b: u64) -> u64 {
    a.checked_mul(b).unwrap_or(a.max(b))
}

/// The error for an operation without a result for any outcome of the operands.
#[cold]
fn undefined(name: &str) -> Error {
    Error::new(Kind::Undefined, format!("the {name} is undefined, whatever the operands become"))
}

/// The end of the results that `exact` computes from one end of each operand; `None` if it is above the size limit of
/// numbers.
pub(super) fn end_of_results(
    a: &Endpoint,
    b: &Endpoint,
    exact: fn(&Number, &Number) -> Result<Number>,
) -> Option<Endpoint> {
    Some(Endpoint { bound: exact(&a.bound, &b.bound).ok()?, closed: a.closed && b.closed })
}

/// The result of `exact` if each interval is a single number, else `None`. The inner `None` says that these numbers
/// have no result.
pub(super) fn result_of_single_numbers(
    a: &Interval,
    b: &Interval,
    exact: fn(&Number, &Number) -> Result<Number>,
) -> Option<Option<Interval>> {
    let (a, b) = (a.single()?, b.single()?);
    Some(exact(a, b).ok().map(Interval::point))
}

/// The interval of all sums.
fn sum_of_intervals(a: &Interval, b: &Interval) -> ResultInterval {
    let mut results = ResultInterval::default();
    let (x, y) = (a.finite(), b.finite());
    if let (Some(x), Some(y)) = (&x, &y) {
        let found = result_of_single_numbers(x, y, Number::add).unwrap_or_else(|| {
            Some(Interval {
                low: end_of_results(&x.low, &y.low, Number::add)
                    .unwrap_or(Endpoint::open(Number::NEG_INFINITY)),
                high: end_of_results(&x.high, &y.high, Number::add)
                    .unwrap_or(Endpoint::open(Number::INFINITY)),
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

/// The interval of all products.
fn product_of_intervals(a: &Interval, b: &Interval) -> ResultInterval {
    let mut results = ResultInterval::default();
    let others = b.parts();
    for SignedPart { negative, magnitude } in a.parts() {
        for other in &others {
            let found = match (&magnitude, &other.magnitude) {
                (Magnitude::Zero, Magnitude::Infinite) | (Magnitude::Infinite, Magnitude::Zero) => None,
                (Magnitude::Zero, _) | (_, Magnitude::Zero) => Some(Interval::point(Number::ZERO)),
                (Magnitude::Infinite, _) | (_, Magnitude::Infinite) => {
                    Some(Interval::point(Number::INFINITY))
                }
                (Magnitude::Finite(x), Magnitude::Finite(y)) => {
                    result_of_single_numbers(x, y, Number::multiply).unwrap_or_else(|| {
                        Some(Interval {
                            low: end_of_results(&x.low, &y.low, Number::multiply)
                                .unwrap_or(Endpoint::open(Number::ZERO)),
                            high: end_of_results(&x.high, &y.high, Number::multiply)
                                .unwrap_or(Endpoint::open(Number::INFINITY)),
                        })
                    })
                }
            };
            found.into_iter().for_each(|found| results.add_signed(negative != other.negative, found));
        }
    }
    results
}

impl Value {
    /// The sum of two numbers; for unknown operands the interval of all sums.
    ///
    /// | `a` | `b` | `a + b` |
    /// |---|---|---|
    /// | `[1, 3]` | `(1, 3)` | `(2, 6)` |
    /// | `[1, ∞]` | 1 | `[2, ∞]` |
    /// | `[0, 0]`, or null | 1 | 1, or an error later |
    /// | unknown | unknown | a number, not null |
    /// | ∞ | -∞ | an error |
    /// | an integer | an integer | an integer |
    /// | one of 1, 3 | one of 0, 10 | one of 1, 3, 11, 13 |
    ///
    /// A bound that would have more digits than a number may have ([`limits::DIGITS`](crate::limits::DIGITS)) is
    /// dropped.
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
        if let Some(sum) = known_integers(self, other).and_then(|(a, b)| a.checked_add(b)) {
            return Ok(Value::from(sum));
        }
        apply_to_numbers((self, other), "sum", Number::add, sum_of_intervals, Some(gcd))
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
        if let Some(difference) = known_integers(self, other).and_then(|(a, b)| a.checked_sub(b)) {
            return Ok(Value::from(difference));
        }
        let difference_of_intervals = |a: &Interval, b: &Interval| sum_of_intervals(a, &b.negated());
        apply_to_numbers((self, other), "difference", Number::subtract, difference_of_intervals, Some(gcd))
    }

    /// The product of two numbers; for unknown operands the interval of all products.
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
        if let Some(product) = known_integers(self, other).and_then(|(a, b)| a.checked_mul(b)) {
            return Ok(Value::from(product));
        }
        let step = Some(step_of_products as fn(u64, u64) -> u64);
        apply_to_numbers((self, other), "product", Number::multiply, product_of_intervals, step)
    }

    /// The number with the opposite sign. The interval of an unknown is mirrored: `[1, 3)` becomes `(-3, -1]`.
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
        if let Some(negation) = result_of_each(self, Number::negate) {
            return Ok(negation.with_marks_of(&[self]));
        }
        let negation = interval_of(self, "negation")?.negated().into_value().with_marks_of(&[self]);
        Ok(with_step(negation, [self, self], gcd))
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
        if let Some(absolute) = result_of_each(self, Number::absolute) {
            return Ok(absolute.with_marks_of(&[self]));
        }
        let absolute = interval_of(self, "absolute value")?.absolute().into_value().with_marks_of(&[self]);
        Ok(with_step(absolute, [self, self], gcd))
    }
}
