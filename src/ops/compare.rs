//! Ordering of numbers, decided from both intervals with their open and closed ends.

use std::cmp::Ordering;

use super::{null_operand, numbers, truth};
use crate::error::{Error, Result};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// One end of an interval: the bound, and whether it is itself a possible number.
#[derive(Clone, Copy)]
struct End<'a> {
    bound: &'a Number,
    closed: bool,
}

/// The interval that an operand lies in; an absent bound is the infinity, which is a possible number.
struct Interval<'a> {
    low: End<'a>,
    high: End<'a>,
}

static LOWEST: Number = Number::NEG_INFINITY;
static HIGHEST: Number = Number::INFINITY;

#[inline]
fn read(operand: &Value) -> Result<Interval<'_>> {
    if let Some(bound) = operand.number() {
        let end = End { bound, closed: true };
        return Ok(Interval { low: end, high: end });
    }
    match operand.as_unknown() {
        Some((Type::Number, refinement)) => return Ok(interval(refinement.number_range())),
        Some((found, _)) => return Err(Error::mismatch(&Type::Number, found)),
        None => {}
    }
    of_no_range(operand)
}

#[cold]
fn of_no_range(operand: &Value) -> Result<Interval<'_>> {
    match view_below_marks(operand) {
        View::Null(Type::Number | Type::Dynamic) => Err(null_operand("order")),
        View::Dynamic => Ok(interval(None)),
        _ => Err(Error::mismatch(&Type::Number, &operand.ty())),
    }
}

#[inline]
fn interval(range: Option<&NumberRange>) -> Interval<'_> {
    fn end<'a>(bound: Option<&'a Bound>, infinity: &'static Number) -> End<'a> {
        match bound {
            Some(Bound::Inclusive(bound)) => End { bound, closed: true },
            Some(Bound::Exclusive(bound)) => End { bound, closed: false },
            Some(Bound::Unbounded) | None => End { bound: infinity, closed: true },
        }
    }
    Interval {
        low: end(range.map(NumberRange::lower), &LOWEST),
        high: end(range.map(NumberRange::upper), &HIGHEST),
    }
}

/// Whether some number of `a` is below some number of `b`. Numbers are dense, so open ends do not matter.
fn some_below(a: &Interval<'_>, b: &Interval<'_>) -> bool {
    a.low.bound < b.high.bound
}

/// Whether some number of `a` is below, or is, some number of `b`.
fn some_at_most(a: &Interval<'_>, b: &Interval<'_>) -> bool {
    match a.low.bound.cmp(b.high.bound) {
        Ordering::Less => true,
        Ordering::Equal => a.low.closed && b.high.closed,
        Ordering::Greater => false,
    }
}

/// The answer from both intervals, which say whether it can be true and whether it can be false.
#[inline(never)]
fn undecided(
    a: &Value,
    b: &Value,
    outcomes: fn(&Interval<'_>, &Interval<'_>) -> (bool, bool),
) -> Result<Value> {
    let (can_be_true, can_be_false) = outcomes(&read(a)?, &read(b)?);
    if can_be_true != can_be_false && !a.is_marked() && !b.is_marked() {
        return Ok(Value::from(can_be_true));
    }
    let value = truth(can_be_true, can_be_false).ok_or_else(|| null_operand("order"))?;
    Ok(value.with_marks_of(&[a, b]))
}

impl Value {
    /// Whether this number is below the other: true, false, or an unknown bool that is not null.
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
        if let Some((a, b)) = numbers(self, other) {
            return Ok(Value::from(a < b));
        }
        undecided(self, other, |a, b| (some_below(a, b), some_at_most(b, a)))
    }

    /// Whether this number is above the other. `a > b` is `b < a`.
    ///
    /// # Errors
    ///
    /// As for [`less_than`](Value::less_than).
    #[inline]
    pub fn greater_than(&self, other: &Value) -> Result<Value> {
        if let Some((a, b)) = numbers(self, other) {
            return Ok(Value::from(a > b));
        }
        undecided(self, other, |a, b| (some_below(b, a), some_at_most(a, b)))
    }

    /// Whether this number is the other or below it.
    ///
    /// # Errors
    ///
    /// As for [`less_than`](Value::less_than).
    #[inline]
    pub fn less_than_or_equal(&self, other: &Value) -> Result<Value> {
        if let Some((a, b)) = numbers(self, other) {
            return Ok(Value::from(a <= b));
        }
        undecided(self, other, |a, b| (some_at_most(a, b), some_below(b, a)))
    }

    /// Whether this number is the other or above it.
    ///
    /// # Errors
    ///
    /// As for [`less_than`](Value::less_than).
    #[inline]
    pub fn greater_than_or_equal(&self, other: &Value) -> Result<Value> {
        if let Some((a, b)) = numbers(self, other) {
            return Ok(Value::from(a >= b));
        }
        undecided(self, other, |a, b| (some_at_most(b, a), some_below(a, b)))
    }
}
