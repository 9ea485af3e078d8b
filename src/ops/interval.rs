//! Interval arithmetic: the interval of an operand, and its parts by sign.
//!
//! The infinities are numbers here: an interval without a bound includes them, one that excludes an infinity contains
//! only finite numbers. An interval is split into parts (below 0, 0, above 0, each infinity). On these each operation
//! is monotone, so the ends of the parts give the ends of the results.

use super::null_operand;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, view_below_marks};

/// One end of an interval: the bound, and whether the interval includes it (`closed`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Endpoint {
    pub(super) bound: Number,
    pub(super) closed: bool,
}

impl Endpoint {
    /// The end at an excluded bound.
    pub(super) fn open(bound: Number) -> Endpoint {
        Endpoint { bound, closed: false }
    }

    /// The end at an included bound.
    pub(super) fn closed(bound: Number) -> Endpoint {
        Endpoint { bound, closed: true }
    }

    /// The end of the mirrored interval: the negated bound, included or not as before.
    fn negated(&self) -> Endpoint {
        Endpoint { bound: Number::negate(&self.bound), closed: self.closed }
    }

    /// The end as a bound of a number range.
    fn into_bound(self) -> Bound {
        if self.closed { Bound::Inclusive(self.bound) } else { Bound::Exclusive(self.bound) }
    }
}

/// An interval of numbers; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: Endpoint,
    pub(super) high: Endpoint,
}

/// The absolute values of a part of an interval.
#[derive(Clone, Debug)]
pub(super) enum Magnitude {
    Zero,
    /// Numbers between 0 and infinity, both excluded.
    Finite(Interval),
    Infinite,
}

/// A part of an interval with numbers of one sign.
#[derive(Clone, Debug)]
pub(super) struct SignedPart {
    pub(super) negative: bool,
    pub(super) magnitude: Magnitude,
}

/// The interval of an operand; an error if it is null or of another type. `result` names the result in errors.
pub(super) fn interval_of(operand: &Value, result: &str) -> Result<Interval> {
    if let Some(number) = operand.number() {
        return Ok(Interval::point(number.clone()));
    }
    match operand.as_unknown() {
        Some((Type::Number, refinement)) => return Ok(Interval::of(refinement.number_range())),
        Some((found, _)) => return Err(Error::mismatch(&Type::Number, found)),
        None => {}
    }
    match view_below_marks(operand) {
        View::Null(Type::Number | Type::Dynamic) => Err(null_operand(result)),
        View::Dynamic => Ok(Interval::of(None)),
        _ => Err(Error::mismatch(&Type::Number, &operand.ty())),
    }
}

/// The number of an operand, if it is known.
pub(super) fn known_number(operand: &Value) -> Option<&Number> {
    operand.number()
}

impl Interval {
    /// The interval that contains only this number.
    pub(super) fn point(number: Number) -> Interval {
        Interval { low: Endpoint::closed(number.clone()), high: Endpoint::closed(number) }
    }

    /// The interval of a number range; all numbers, infinities included, for `None`.
    fn of(range: Option<&NumberRange>) -> Interval {
        let end = |bound: Option<&Bound>, infinity| match bound {
            Some(Bound::Inclusive(bound)) => Endpoint::closed(bound.clone()),
            Some(Bound::Exclusive(bound)) => Endpoint::open(bound.clone()),
            Some(Bound::Unbounded) | None => Endpoint::closed(infinity),
        };
        Interval {
            low: end(range.map(NumberRange::lower), Number::NEG_INFINITY),
            high: end(range.map(NumberRange::upper), Number::INFINITY),
        }
    }

    /// The interval between two ends; `None` if it is empty.
    fn between(low: Endpoint, high: Endpoint) -> Option<Interval> {
        let some = low.bound < high.bound || low.bound == high.bound && low.closed && high.closed;
        some.then_some(Interval { low, high })
    }

    /// The number, if the interval contains only one.
    pub(super) fn single(&self) -> Option<&Number> {
        (self.low == self.high).then_some(&self.low.bound)
    }

    /// The interval of the negated numbers.
    pub(super) fn negated(&self) -> Interval {
        Interval { low: self.high.negated(), high: self.low.negated() }
    }

    /// The interval of the absolute values.
    pub(super) fn absolute(self) -> Interval {
        if !self.low.bound.is_negative() {
            return self;
        }
        let mirrored = self.negated();
        if !self.high.bound.is_positive() {
            return mirrored;
        }
        let high = if reaches_further(&self.high, &mirrored.high) { self.high } else { mirrored.high };
        Interval { low: Endpoint::closed(Number::ZERO), high }
    }

    /// The part of the interval between two excluded bounds; `None` if it is empty.
    fn between_exclusive(&self, low: Number, high: Number) -> Option<Interval> {
        let (low, high) = (Endpoint::open(low), Endpoint::open(high));
        let from = if self.low.bound > low.bound { self.low.clone() } else { low };
        let to = if self.high.bound < high.bound { self.high.clone() } else { high };
        Interval::between(from, to)
    }

    /// The interval without the infinities; `None` if nothing remains.
    pub(super) fn finite(&self) -> Option<Interval> {
        self.between_exclusive(Number::NEG_INFINITY, Number::INFINITY)
    }

    /// Whether the interval includes positive infinity.
    pub(super) fn reaches_infinity(&self) -> bool {
        self.high.closed && self.high.bound == Number::INFINITY
    }

    /// Splits the interval into its parts by sign; 0 counts as positive.
    pub(super) fn parts(&self) -> Vec<SignedPart> {
        let mirrored = self.negated();
        let mut parts = Vec::new();
        for (negative, half) in [(true, &mirrored), (false, self)] {
            let finite = half.between_exclusive(Number::ZERO, Number::INFINITY).map(Magnitude::Finite);
            let infinite = half.reaches_infinity().then_some(Magnitude::Infinite);
            parts.extend(
                finite.into_iter().chain(infinite).map(|magnitude| SignedPart { negative, magnitude }),
            );
        }
        let zero = NumberRange::new(self.low.clone().into_bound(), self.high.clone().into_bound());
        if zero.is_ok_and(|range| range.contains(&Number::ZERO)) {
            parts.push(SignedPart { negative: false, magnitude: Magnitude::Zero });
        }
        parts
    }

    /// The smallest interval that contains both.
    fn join(self, other: Interval) -> Interval {
        let high =
            if reaches_further(&self.high, &other.high) { self.high.clone() } else { other.high.clone() };
        let (mirrored, other) = (self.negated(), other.negated());
        let low = if reaches_further(&mirrored.high, &other.high) { mirrored.high } else { other.high };
        Interval { low: low.negated(), high }
    }

    /// A number value that may be each number of the interval: unknown and not null, or known if the interval contains
    /// only one number.
    pub(super) fn into_value(self) -> Value {
        let range = NumberRange::new(self.low.into_bound(), self.high.into_bound());
        let refinement = range.map_or_else(|_| Refinement::any(), Refinement::number);
        canonical(Type::Number, refinement.and_not_null())
    }
}

/// Whether the upper end `a` is beyond the upper end `b`, or the same with its bound included.
fn reaches_further(a: &Endpoint, b: &Endpoint) -> bool {
    a.bound > b.bound || a.bound == b.bound && a.closed
}

/// The smallest interval that contains all results added to it; empty at first.
#[derive(Default)]
pub(super) struct ResultInterval(Option<Interval>);

impl ResultInterval {
    /// Extends the interval by these results.
    pub(super) fn add(&mut self, results: Interval) {
        self.0 = Some(match self.0.take() {
            Some(known) => known.join(results),
            None => results,
        });
    }

    /// Extends the interval by these results, negated if `negative`.
    pub(super) fn add_signed(&mut self, negative: bool, results: Interval) {
        self.add(if negative { results.negated() } else { results });
    }

    /// A number value that may be each of the results; `None` if no result was added.
    pub(super) fn into_value(self) -> Option<Value> {
        self.0.map(Interval::into_value)
    }
}
