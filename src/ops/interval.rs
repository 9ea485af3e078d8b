//! What arithmetic knows of an operand: an interval of numbers, and its parts by sign.
//!
//! The infinities are numbers: an interval without a bound reaches them, one that ends open at an infinity holds
//! finite numbers only. On the parts that an interval falls into (below 0, 0, above 0, the infinities) each
//! operation is monotone, so the ends of its results come from the ends of the parts.

use super::null_operand;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, view_below_marks};

/// One end of an interval: the bound, and whether it is itself a possible number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) bound: Number,
    pub(super) closed: bool,
}

impl End {
    pub(super) fn open(bound: Number) -> End {
        End { bound, closed: false }
    }

    pub(super) fn closed(bound: Number) -> End {
        End { bound, closed: true }
    }

    fn negated(&self) -> End {
        End { bound: Number::negate(&self.bound), closed: self.closed }
    }

    fn into_bound(self) -> Bound {
        if self.closed { Bound::Inclusive(self.bound) } else { Bound::Exclusive(self.bound) }
    }
}

/// The numbers between two ends; never none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: End,
    pub(super) high: End,
}

/// The numbers of one sign, without the sign.
#[derive(Clone, Debug)]
pub(super) enum Size {
    Zero,
    /// Above 0 and below infinity; an end at either is open.
    Finite(Interval),
    Infinite,
}

/// A part of an interval: numbers of one sign.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) negative: bool,
    pub(super) size: Size,
}

/// What is known of an operand; an error where it can be no number.
pub(super) fn read(operand: &Value, result: &str) -> Result<Interval> {
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

/// The number, where it is known.
pub(super) fn known(operand: &Value) -> Option<&Number> {
    operand.number()
}

impl Interval {
    pub(super) fn point(number: Number) -> Interval {
        Interval { low: End::closed(number.clone()), high: End::closed(number) }
    }

    fn of(range: Option<&NumberRange>) -> Interval {
        let end = |bound: Option<&Bound>, infinity| match bound {
            Some(Bound::Inclusive(bound)) => End::closed(bound.clone()),
            Some(Bound::Exclusive(bound)) => End::open(bound.clone()),
            Some(Bound::Unbounded) | None => End::closed(infinity),
        };
        Interval {
            low: end(range.map(NumberRange::lower), Number::NEG_INFINITY),
            high: end(range.map(NumberRange::upper), Number::INFINITY),
        }
    }

    /// The numbers between the ends, if there are any.
    fn between(low: End, high: End) -> Option<Interval> {
        let some = low.bound < high.bound || low.bound == high.bound && low.closed && high.closed;
        some.then_some(Interval { low, high })
    }

    /// The number, where there is only one.
    pub(super) fn single(&self) -> Option<&Number> {
        (self.low == self.high).then_some(&self.low.bound)
    }

    pub(super) fn negated(&self) -> Interval {
        Interval { low: self.high.negated(), high: self.low.negated() }
    }

    pub(super) fn absolute(self) -> Interval {
        if !self.low.bound.is_negative() {
            return self;
        }
        let mirrored = self.negated();
        if !self.high.bound.is_positive() {
            return mirrored;
        }
        let high = if further(&self.high, &mirrored.high) { self.high } else { mirrored.high };
        Interval { low: End::closed(Number::ZERO), high }
    }

    /// Those within two bounds, both of which are out.
    fn inside(&self, low: Number, high: Number) -> Option<Interval> {
        let (low, high) = (End::open(low), End::open(high));
        let from = if self.low.bound > low.bound { self.low.clone() } else { low };
        let to = if self.high.bound < high.bound { self.high.clone() } else { high };
        Interval::between(from, to)
    }

    pub(super) fn finite(&self) -> Option<Interval> {
        self.inside(Number::NEG_INFINITY, Number::INFINITY)
    }

    pub(super) fn reaches_infinity(&self) -> bool {
        self.high.closed && self.high.bound == Number::INFINITY
    }

    /// The parts by sign; the unsigned 0 counts as positive.
    pub(super) fn parts(&self) -> Vec<Part> {
        let mirrored = self.negated();
        let mut parts = Vec::new();
        for (negative, half) in [(true, &mirrored), (false, self)] {
            let finite = half.inside(Number::ZERO, Number::INFINITY).map(Size::Finite);
            let infinite = half.reaches_infinity().then_some(Size::Infinite);
            parts.extend(finite.into_iter().chain(infinite).map(|size| Part { negative, size }));
        }
        let zero = NumberRange::new(self.low.clone().into_bound(), self.high.clone().into_bound());
        if zero.is_ok_and(|range| range.contains(&Number::ZERO)) {
            parts.push(Part { negative: false, size: Size::Zero });
        }
        parts
    }

    fn join(self, other: Interval) -> Interval {
        let high = if further(&self.high, &other.high) { self.high.clone() } else { other.high.clone() };
        let (mirrored, other) = (self.negated(), other.negated());
        let low = if further(&mirrored.high, &other.high) { mirrored.high } else { other.high };
        Interval { low: low.negated(), high }
    }

    /// A number that is not null, within the interval.
    pub(super) fn into_value(self) -> Value {
        let range = NumberRange::new(self.low.into_bound(), self.high.into_bound());
        let refinement = range.map_or_else(|_| Refinement::any(), Refinement::number);
        canonical(Type::Number, refinement.and_not_null())
    }
}

/// Whether an upper end reaches further than another.
fn further(a: &End, b: &End) -> bool {
    a.bound > b.bound || a.bound == b.bound && a.closed
}

/// The results on the parts, put together.
#[derive(Default)]
pub(super) struct Results(Option<Interval>);

impl Results {
    pub(super) fn add(&mut self, results: Interval) {
        self.0 = Some(match self.0.take() {
            Some(known) => known.join(results),
            None => results,
        });
    }

    pub(super) fn add_signed(&mut self, negative: bool, results: Interval) {
        self.add(if negative { results.negated() } else { results });
    }

    /// `None` where no choice of numbers has a result.
    pub(super) fn into_value(self) -> Option<Value> {
        self.0.map(Interval::into_value)
    }
}
