//! Ranges of the multiples of a whole number, integers among them.

use std::fmt;
use std::sync::Arc;

use super::{Bound, LengthRange, NumberRange, Range};
use crate::number::Number;

/// The multiples of a whole number within an interval: at least two numbers. Those of 1 are the integers. The infinities
/// are multiples of no number.
///
/// The [`range`](Multiples::range) is the smallest interval: each bound is a multiple itself, or an infinity that is
/// excluded. So equal sets are equal representations (L9).
///
/// ```
/// use plantime::{Bound, Number, Range, Refinement};
///
/// let even = Refinement::multiple_of(2).meet(&Refinement::number_at_least(3))?;
/// let Range::Multiples(even) = even.range() else { unreachable!() };
/// assert_eq!((even.step(), even.range().lower()), (2, &Bound::Inclusive(4.into())));
/// assert!(even.contains(&6.into()) && !even.contains(&5.into()) && !even.contains(&Number::INFINITY));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Multiples(Repr);

/// The interval: each bound is a multiple of the step, or an infinity that is excluded.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    /// Step 1, without an allocation: every unknown length is an integer.
    Integers(NumberRange),
    Stepped(Arc<Stepped>),
}

/// The multiples of a step other than 1, within a range.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Stepped {
    /// At least 2.
    step: u64,
    range: NumberRange,
}

impl Multiples {
    /// The number that all are multiples of, at least 1.
    ///
    /// [Example](Multiples)
    pub fn step(&self) -> u64 {
        match &self.0 {
            Repr::Integers(_) => 1,
            Repr::Stepped(stepped) => stepped.step,
        }
    }

    /// The smallest interval that contains them.
    ///
    /// [Example](Multiples)
    pub fn range(&self) -> &NumberRange {
        match &self.0 {
            Repr::Integers(range) => range,
            Repr::Stepped(stepped) => &stepped.range,
        }
    }

    /// Whether the number is one of them.
    ///
    /// [Example](Multiples)
    pub fn contains(&self, number: &Number) -> bool {
        is_multiple(number, self.step()) && self.range().contains(number)
    }

    /// All of them in ascending order, if they are at most `most`.
    pub(crate) fn members(&self, most: usize) -> Option<Vec<Number>> {
        let count = self.count().filter(|count| *count <= most as u64)?;
        let (first, step) = (self.range().lower().number()?, Number::from(self.step()));
        if !is_multiple(first, self.step()) {
            return None;
        }
        if let (Some(first), Ok(step)) = (first.to_i64(), i64::try_from(self.step())) {
            let at = |place: u64| first.checked_add(i64::try_from(place).ok()?.checked_mul(step)?);
            if at(count).is_some() {
                return (0..count).map(|place| at(place).map(Number::from)).collect();
            }
        }
        (0..count).map(|place| first.add(&step.multiply(&Number::from(place)).ok()?).ok()).collect()
    }

    /// Whether they are this many.
    pub(super) fn has_count(&self, count: usize) -> bool {
        self.count() == Some(count as u64)
    }

    /// How many they are; `None` if they are infinitely many, or more than fit 64 bits.
    fn count(&self) -> Option<u64> {
        let end = |bound: &'_ Bound| bound.number().filter(|number| number.is_finite()).cloned();
        let (first, last) = (end(self.range().lower())?, end(self.range().upper())?);
        let distance = match (first.to_i64(), last.to_i64()) {
            (Some(first), Some(last)) => last.abs_diff(first),
            _ => magnitude(&last.subtract(&first).ok()?)?,
        };
        distance.checked_div(self.step())?.checked_add(1)
    }

    /// The interval without the bounds that only exclude an infinity, which goes without saying.
    #[doc(hidden)]
    pub fn stated_range(&self) -> NumberRange {
        let stated = |bound: &Bound| match bound {
            Bound::Exclusive(number) if number.is_infinite() => Bound::Unbounded,
            bound => bound.clone(),
        };
        NumberRange::new(stated(self.range().lower()), stated(self.range().upper())).unwrap_or_default()
    }

    /// The numbers that are in both. Where the least common multiple does not fit 64 bits, those of the larger step.
    pub(super) fn meet(&self, other: &Multiples) -> Option<Range> {
        let range = self.range().meet(other.range())?;
        let (a, b) = (self.step(), other.step());
        let common = u128::from(a).checked_div(u128::from(gcd(a, b)))?.checked_mul(u128::from(b))?;
        match u64::try_from(common) {
            Ok(step) => Range::of_multiples(step, &range),
            Err(_) => match narrowed(&Number::from(common), &range)? {
                (lower, upper) if are_same_number(&lower, &upper) => {
                    Range::of_multiples(a.max(b), &NumberRange::new(lower, upper).ok()?)
                }
                _ => Range::of_multiples(a.max(b), &range),
            },
        }
    }

    /// Whether one of them is a multiple of another number too.
    pub(crate) fn may_be_multiple_of(&self, step: u64) -> bool {
        Range::of_multiples(step, self.range()).is_some_and(|other| match other {
            Range::Multiples(other) => self.meet(&other).is_some(),
            other => other.numbers().and_then(NumberRange::singleton).is_some_and(|one| self.contains(one)),
        })
    }

    /// The smallest range of multiples that contains both.
    pub(super) fn join(&self, other: &Multiples) -> Option<Range> {
        Range::of_multiples(gcd(self.step(), other.step()), &self.range().join(other.range()))
    }

    /// Whether each number of `other` is one of them.
    pub(super) fn covers(&self, other: &Multiples) -> bool {
        other.step().is_multiple_of(self.step()) && self.range().covers(other.range())
    }
}

impl Range {
    /// The multiples of a step in an interval, in canonical form; `None` if there is none. Of the step 0 that is 0.
    pub(crate) fn of_multiples(step: u64, range: &NumberRange) -> Option<Range> {
        if step == 0 {
            return range.contains(&Number::ZERO).then(|| Range::Number(NumberRange::exactly(0)));
        }
        let (lower, upper) = narrowed(&Number::from(step), range)?;
        let is_single = are_same_number(&lower, &upper);
        let range = NumberRange::new(lower, upper).ok()?;
        Some(if is_single {
            Range::Number(range)
        } else {
            Range::Multiples(Multiples(match step {
                1 => Repr::Integers(range),
                _ => Repr::Stepped(Arc::new(Stepped { step, range })),
            }))
        })
    }

    /// The integers of a range of lengths: its bounds are in canonical form already.
    pub(super) fn of_lengths(lengths: &LengthRange) -> Range {
        let range = NumberRange::of_length(lengths);
        if lengths.exact().is_some() {
            Range::Number(range)
        } else {
            Range::Multiples(Multiples(Repr::Integers(range)))
        }
    }

    /// The smallest range that contains both ranges of numbers: intervals, or multiples.
    pub(super) fn join_numbers(&self, other: &Range) -> Range {
        // Of known numbers joined one after the other most add nothing.
        if matches!(self, Range::Numbers(few) if few.covers(other)) {
            return self.clone();
        }
        if let Some(union) = self.union_of_few(other) {
            return union;
        }
        if let (Range::Numbers(_), _) | (_, Range::Numbers(_)) = (self, other) {
            return self.without_list().join_numbers_by_bounds(&other.without_list());
        }
        self.join_numbers_by_bounds(other)
    }

    /// The same for ranges that list no numbers, as if no range did.
    fn join_numbers_by_bounds(&self, other: &Range) -> Range {
        let either = match (self, other) {
            (Range::Multiples(a), Range::Multiples(b)) => a.join(b),
            (Range::Number(a), Range::Number(b)) => join_of_two(a, b),
            (Range::Number(number), Range::Multiples(multiples))
            | (Range::Multiples(multiples), Range::Number(number)) => match single_integer(number) {
                Some(integer) => {
                    Range::of_multiples(gcd_with(multiples.step(), integer), &number.join(multiples.range()))
                }
                None => None,
            },
            _ => return Range::Any,
        };
        let hull = |range: &Range| range.numbers().cloned().unwrap_or_default();
        either.unwrap_or_else(|| Range::number(hull(self).join(&hull(other))))
    }

    /// The smallest interval of the numbers of the range; `None` if it is not one of numbers.
    pub(crate) fn numbers(&self) -> Option<&NumberRange> {
        match self {
            Range::Number(range) => Some(range),
            Range::Multiples(multiples) => Some(multiples.range()),
            Range::Numbers(numbers) => Some(numbers.range()),
            Range::Any
            | Range::Prefix(_)
            | Range::Length(_)
            | Range::Language(_)
            | Range::Elements(_)
            | Range::Structure(_) => None,
        }
    }

    /// Whether a number is in the range.
    #[inline]
    #[doc(hidden)]
    pub fn contains_number(&self, number: &Number) -> bool {
        match self {
            Range::Any => true,
            Range::Number(range) => range.contains(number),
            Range::Multiples(multiples) => multiples.contains(number),
            Range::Numbers(numbers) => numbers.contains(number),
            Range::Prefix(_)
            | Range::Length(_)
            | Range::Language(_)
            | Range::Elements(_)
            | Range::Structure(_) => false,
        }
    }
}

/// Two different integers as the multiples of their greatest common divisor; `None` for other intervals.
fn join_of_two(a: &NumberRange, b: &NumberRange) -> Option<Range> {
    let (one, other) = (single_integer(a)?, single_integer(b)?);
    if one == other {
        return None;
    }
    let step = match (magnitude(one), magnitude(other)) {
        (Some(one), _) => gcd_with(one, other),
        (None, Some(other)) => gcd_with(other, one),
        // Their greatest common divisor may not fit.
        (None, None) => 1,
    };
    Range::of_multiples(step, &a.join(b))
}

/// The integer of an interval that contains only this one number.
fn single_integer(range: &NumberRange) -> Option<&Number> {
    range.singleton().filter(|number| number.is_integer())
}

/// The absolute value of a number that is an integer and fits 64 bits.
pub(crate) fn magnitude(integer: &Number) -> Option<u64> {
    integer.to_i128().and_then(|integer| u64::try_from(integer.unsigned_abs()).ok())
}

/// The greatest common divisor of two numbers; of 0 and a number that number.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a.checked_rem(b).unwrap_or(0));
    }
    a
}

/// The greatest common divisor of a number and an integer of any size. Of 0 and an integer that does not fit: 1.
pub(super) fn gcd_with(a: u64, integer: &Number) -> u64 {
    match magnitude(integer) {
        Some(b) => gcd(a, b),
        None if a == 0 => 1,
        None => {
            let rest = integer.modulo(&Number::from(a)).ok().and_then(|rest| magnitude(&rest));
            rest.map_or(1, |rest| gcd(a, rest))
        }
    }
}

/// Whether a number is a multiple of a step, which is at least 1.
fn is_multiple(number: &Number, step: u64) -> bool {
    if step == 1 || !number.is_integer() {
        return number.is_integer();
    }
    match number.to_i128() {
        Some(integer) => integer.checked_rem(step.into()) == Some(0),
        None => number.modulo(&Number::from(step)).is_ok_and(|rest| rest.is_zero()),
    }
}

/// The bounds of the multiples of a step in an interval: each is one of them, or an infinity that is excluded. `None` if
/// there is none.
fn narrowed(step: &Number, range: &NumberRange) -> Option<(Bound, Bound)> {
    let lower = first_multiple(step, range.lower(), &Number::NEG_INFINITY)?;
    // The largest multiple is the negated smallest one of the negated interval.
    let mirrored = match range.upper() {
        Bound::Unbounded => Bound::Unbounded,
        Bound::Inclusive(number) => Bound::Inclusive(number.negate()),
        Bound::Exclusive(number) => Bound::Exclusive(number.negate()),
    };
    let upper = match first_multiple(step, &mirrored, &Number::NEG_INFINITY)? {
        Bound::Inclusive(number) => Bound::Inclusive(number.negate()),
        _ => Bound::Exclusive(Number::INFINITY),
    };
    match (&lower, &upper) {
        (Bound::Inclusive(first), Bound::Inclusive(last)) if first > last => None,
        _ => Some((lower, upper)),
    }
}

/// The first multiple of a step that a lower bound allows, or the excluded infinity below all. `None` if the bound allows
/// only the infinity above all.
fn first_multiple(step: &Number, bound: &Bound, lowest: &Number) -> Option<Bound> {
    let open = || Some(Bound::Exclusive(lowest.clone()));
    let (Bound::Inclusive(number) | Bound::Exclusive(number)) = bound else { return open() };
    if number == lowest {
        return open();
    }
    if number.is_infinite() {
        return None;
    }
    let floor = number.floor();
    let is_beyond = floor != *number || matches!(bound, Bound::Exclusive(_));
    // An integer with more digits than a number can have stays as it is: the bound is right, if not the narrowest.
    let multiple = (|| {
        let rest = floor.modulo(step).ok()?;
        let rest = if rest.is_negative() { rest.add(step).ok()? } else { rest };
        match rest.is_zero() {
            true if !is_beyond => Some(floor.clone()),
            true => floor.add(step).ok(),
            // Never further from zero than the multiple itself.
            false => floor.add(&step.subtract(&rest).ok()?).ok(),
        }
    })();
    Some(multiple.map_or_else(|| bound.clone(), Bound::Inclusive))
}

/// Whether two bounds are the same number.
fn are_same_number(lower: &Bound, upper: &Bound) -> bool {
    matches!((lower, upper), (Bound::Inclusive(lower), Bound::Inclusive(upper)) if lower == upper)
}

impl fmt::Debug for Multiples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Multiples({self})")
    }
}
