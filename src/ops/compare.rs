//! Comparison of numbers, by the intervals of both operands.

use std::cmp::Ordering;

use super::{bool_of_outcomes, known_numbers, null_operand};
use crate::error::{Error, Result};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// One end of an interval: the bound, and whether the interval includes it (`closed`).
#[derive(Clone, Copy)]
struct BorrowedEndpoint<'a> {
    bound: &'a Number,
    closed: bool,
}

/// The interval of an operand, borrowed from it. Without a bound it includes the infinity.
struct BorrowedInterval<'a> {
    low: BorrowedEndpoint<'a>,
    high: BorrowedEndpoint<'a>,
}

/// The bound of an interval without a lower bound.
static LOWEST: Number = Number::NEG_INFINITY;
/// The bound of an interval without an upper bound.
static HIGHEST: Number = Number::INFINITY;

/// The interval of an operand; an error if it is null or of another type.
#[inline]
fn interval_of(operand: &Value) -> Result<BorrowedInterval<'_>> {
    if let Some(bound) = operand.number() {
        let end = BorrowedEndpoint { bound, closed: true };
        return Ok(BorrowedInterval { low: end, high: end });
    }
    match operand.as_unknown() {
        Some((Type::Number, refinement)) => return Ok(interval_of_range(refinement.number_range())),
        Some((found, _)) => return Err(Error::mismatch(&Type::Number, found)),
        None => {}
    }
    interval_of_other(operand)
}

/// The interval of an operand that is neither a known number nor an unknown of known type.
#[cold]
fn interval_of_other(operand: &Value) -> Result<BorrowedInterval<'_>> {
    match view_below_marks(operand) {
        View::Null(Type::Number | Type::Dynamic) => Err(null_operand("order")),
        View::Dynamic => Ok(interval_of_range(None)),
        _ => Err(Error::mismatch(&Type::Number, &operand.ty())),
    }
}

/// The interval of a number range; all numbers for `None`.
#[inline]
fn interval_of_range(range: Option<&NumberRange>) -> BorrowedInterval<'_> {
    fn end<'a>(bound: Option<&'a Bound>, infinity: &'static Number) -> BorrowedEndpoint<'a> {
        match bound {
            Some(Bound::Inclusive(bound)) => BorrowedEndpoint { bound, closed: true },
            Some(Bound::Exclusive(bound)) => BorrowedEndpoint { bound, closed: false },
            Some(Bound::Unbounded) | None => BorrowedEndpoint { bound: infinity, closed: true },
        }
    }
    BorrowedInterval {
        low: end(range.map(NumberRange::lower), &LOWEST),
        high: end(range.map(NumberRange::upper), &HIGHEST),
    }
}

/// Whether some number in `a` is below some number in `b`. Between two numbers there is another one, so it does not
/// matter whether the bounds are included.
fn some_below(a: &BorrowedInterval<'_>, b: &BorrowedInterval<'_>) -> bool {
    a.low.bound < b.high.bound
}

/// Whether some number in `a` is at most some number in `b`.
fn some_at_most(a: &BorrowedInterval<'_>, b: &BorrowedInterval<'_>) -> bool {
    match a.low.bound.cmp(b.high.bound) {
        Ordering::Less => true,
        Ordering::Equal => a.low.closed && b.high.closed,
        Ordering::Greater => false,
    }
}

/// The result of a comparison of operands that are not both known. `outcomes` says, for their intervals, whether it can
/// be true and whether it can be false.
#[inline(never)]
fn compare_intervals(
    a: &Value,
    b: &Value,
    outcomes: fn(&BorrowedInterval<'_>, &BorrowedInterval<'_>) -> (bool, bool),
) -> Result<Value> {
    let (can_be_true, can_be_false) = outcomes(&interval_of(a)?, &interval_of(b)?);
    if can_be_true != can_be_false && !a.is_marked() && !b.is_marked() {
        return Ok(Value::from(can_be_true));
    }
    let value = bool_of_outcomes(can_be_true, can_be_false).ok_or_else(|| null_operand("order"))?;
    Ok(value.with_marks_of(&[a, b]))
}

impl Value {
    /// Whether this number is less than the other: true, false, or an unknown bool that is not null.
    ///
    /// | `a` | `b` | `a < b` |
    /// |---|---|---|
    /// | `[1, 3]` | 4 | true |
    /// | `[1, 3)` | 3 | true |
    /// | `[1, 3]` | 3 | unknown |
    /// | `[1, 3]` | 1 | false |
    ///
    /// ```
    /// use plantime::{Number, NumberRange, Refinement, Type, Value};
    ///
    /// let size = Refinement::number(NumberRange::at_most(Number::from(3)));
    /// let size = Value::refined(Type::Number, size.and_not_null())?;
    /// assert_eq!(size.less_than(&Value::from(4))?, Value::from(true));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When an operand is null, or is of a type other than number.
    #[inline]
    pub fn less_than(&self, other: &Value) -> Result<Value> {
        if let Some((a, b)) = known_numbers(self, other) {
            return Ok(Value::from(a < b));
        }
        compare_intervals(self, other, |a, b| (some_below(a, b), some_at_most(b, a)))
    }

    /// Whether this number is greater than the other. `a > b` is `b < a`.
    ///
    /// [Example](Value::less_than)
    ///
    /// # Errors
    ///
    /// As for [`less_than`](Value::less_than).
    #[inline]
    pub fn greater_than(&self, other: &Value) -> Result<Value> {
        if let Some((a, b)) = known_numbers(self, other) {
            return Ok(Value::from(a > b));
        }
        compare_intervals(self, other, |a, b| (some_below(b, a), some_at_most(a, b)))
    }

    /// Whether this number is less than the other or equal.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let replicas = Value::refined(Type::Number, "notnull(numberrange(1, 5))".parse::<Refinement>()?)?;
    /// assert_eq!(replicas.less_than_or_equal(&Value::from(5))?, Value::from(true));
    /// assert_eq!(replicas.greater_than_or_equal(&Value::from(6))?, Value::from(false));
    /// assert!(!replicas.less_than_or_equal(&Value::from(3))?.is_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`less_than`](Value::less_than).
    #[inline]
    pub fn less_than_or_equal(&self, other: &Value) -> Result<Value> {
        if let Some((a, b)) = known_numbers(self, other) {
            return Ok(Value::from(a <= b));
        }
        compare_intervals(self, other, |a, b| (some_at_most(a, b), some_below(b, a)))
    }

    /// Whether this number is greater than the other or equal.
    ///
    /// [Example](Value::less_than_or_equal)
    ///
    /// # Errors
    ///
    /// As for [`less_than`](Value::less_than).
    #[inline]
    pub fn greater_than_or_equal(&self, other: &Value) -> Result<Value> {
        if let Some((a, b)) = known_numbers(self, other) {
            return Ok(Value::from(a >= b));
        }
        compare_intervals(self, other, |a, b| (some_at_most(b, a), some_below(a, b)))
    }
}
