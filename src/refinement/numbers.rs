//! Small finite sets of numbers.

use std::fmt;
use std::sync::Arc;

use super::multiples::{gcd_with, magnitude};
use super::{Bound, NumberRange, Range, Refinement};
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::number::Number;

/// A few numbers, of which the value is one: at least two, and at most [`limits::ONE_OF`](crate::limits::ONE_OF).
///
/// Numbers that are all multiples of one whole number in an interval, as 4, 6 and 8, are [`Multiples`](super::Multiples) instead. So
/// equal sets are equal representations (L9). A clone shares the numbers.
///
/// ```
/// use plantime::{Number, Range, Refinement};
///
/// let days = Refinement::one_of_numbers([1, 3, 7])?;
/// let Range::Numbers(days) = days.range() else { unreachable!() };
/// assert_eq!(days.as_slice(), [Number::from(1), Number::from(3), Number::from(7)]);
/// assert!(days.contains(&3.into()) && !days.contains(&2.into()));
/// assert_eq!(days.range().to_string(), "numberrange(1, 7)");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Numbers(Arc<Inner>);

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Inner {
    /// In ascending order, none twice.
    numbers: Box<[Number]>,
    /// From the first to the last.
    range: NumberRange,
}

impl Numbers {
    /// The numbers in ascending order.
    ///
    /// [Example](Numbers)
    pub fn as_slice(&self) -> &[Number] {
        &self.0.numbers
    }

    /// The smallest interval that contains them.
    ///
    /// [Example](Numbers)
    pub fn range(&self) -> &NumberRange {
        &self.0.range
    }

    /// Whether the number is one of them.
    ///
    /// [Example](Numbers)
    pub fn contains(&self, number: &Number) -> bool {
        self.0.numbers.binary_search(number).is_ok()
    }

    /// The greatest whole number that all are multiples of; `None` if one of them is no integer.
    pub(crate) fn step(&self) -> Option<u64> {
        if !self.0.numbers.iter().all(Number::is_integer) {
            return None;
        }
        // Those that fit 64 bits come first: with one of them other than 0 the divisor of all is exact. Of larger
        // numbers alone none is computed.
        let small = self.0.numbers.iter().filter_map(magnitude).reduce(super::gcd);
        let Some(small) = small else { return Some(1) };
        let large = self.0.numbers.iter().filter(|number| magnitude(number).is_none());
        Some(large.fold(small, gcd_with))
    }

    /// The smallest range that contains them and is not a list: their multiples in an interval, or an interval.
    fn hull(&self) -> Range {
        self.step()
            .and_then(|step| Range::of_multiples(step, self.range()))
            .unwrap_or_else(|| Range::number(self.range().clone()))
    }

    /// Those of them that are in another range, in canonical form; `None` if none is.
    pub(super) fn meet(&self, other: &Range) -> Option<Range> {
        let kept: Vec<Number> =
            self.0.numbers.iter().filter(|number| other.contains_number(number)).cloned().collect();
        if kept.len() == self.0.numbers.len() {
            return Some(Range::Numbers(self.clone()));
        }
        Range::of_sorted_numbers(kept)
    }

    /// Whether one of them is in another range.
    pub(super) fn overlaps(&self, other: &Range) -> bool {
        self.0.numbers.iter().any(|number| other.contains_number(number))
    }

    /// Whether all numbers of another range are among them.
    pub(super) fn covers(&self, other: &Range) -> bool {
        let most = self.0.numbers.len();
        other.few_numbers(most).is_some_and(|few| few.iter().all(|number| self.contains(number)))
    }

    /// Whether all of them are in another range.
    pub(super) fn is_within(&self, other: &Range) -> bool {
        match other {
            Range::Numbers(other) if Arc::ptr_eq(&self.0, &other.0) => true,
            Range::Number(range) => range.covers(self.range()),
            other => self.0.numbers.iter().all(|number| other.contains_number(number)),
        }
    }
}

impl Refinement {
    /// The refinement that the value is null or one of these numbers.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let days = Refinement::one_of_numbers([7, 1, 3])?.and_not_null();
    /// assert_eq!(days.to_string(), "notnull(oneof(1, 3, 7))");
    /// let days = Value::refined(Type::Number, days)?;
    /// assert_eq!(days.equals(&Value::from(2))?, Value::from(false));
    /// assert_eq!(days.multiply(&Value::from(24))?.to_string(), "(known after apply, one of 24, 72, 168)");
    /// // Multiples of one number in an interval are written as such.
    /// assert_eq!(Refinement::one_of_numbers([4, 6, 8])?.to_string(), "numbermultiple(2, numberrange(4, 8))");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) if there are more than [`limits::ONE_OF`](crate::limits::ONE_OF) that are not the multiples of one
    /// number in an interval; [`is_contradiction`](Error::is_contradiction) if there are none.
    pub fn one_of_numbers<N: Into<Number>>(numbers: impl IntoIterator<Item = N>) -> Result<Refinement> {
        let numbers = sorted(numbers.into_iter().map(Into::into).collect());
        if numbers.len() > limits::ONE_OF {
            return progression(&numbers).map(Refinement::of).ok_or_else(|| {
                let message = format!("a refinement lists at most {} numbers", limits::ONE_OF);
                Error::new(Kind::Limit, message)
            });
        }
        Range::of_sorted_numbers(numbers)
            .map(Refinement::of)
            .ok_or_else(|| Error::new(Kind::Contradiction, "there is no number to be one of"))
    }
}

impl Range {
    /// The smallest range that contains all these numbers; `None` if there are none.
    pub(crate) fn of_numbers(numbers: Vec<Number>) -> Option<Range> {
        Range::of_sorted_numbers(sorted(numbers))
    }

    /// The same for numbers in ascending order, none of them twice.
    fn of_sorted_numbers(numbers: Vec<Number>) -> Option<Range> {
        if let Some(range) = progression(&numbers) {
            return Some(range);
        }
        let (first, last) = (numbers.first()?, numbers.last()?);
        let bounds = (Bound::Inclusive(first.clone()), Bound::Inclusive(last.clone()));
        let range = NumberRange::new(bounds.0, bounds.1).ok()?;
        let are_few = numbers.len() <= limits::ONE_OF;
        let listed = Numbers(Arc::new(Inner { numbers: numbers.into_boxed_slice(), range }));
        Some(if are_few { Range::Numbers(listed) } else { listed.hull() })
    }

    /// All numbers of the range in ascending order, if they are at most `most`.
    pub(crate) fn few_numbers(&self, most: usize) -> Option<Vec<Number>> {
        match self {
            Range::Numbers(numbers) => {
                (numbers.as_slice().len() <= most).then(|| numbers.as_slice().to_vec())
            }
            Range::Number(range) => range.singleton().filter(|_| most > 0).map(|number| vec![number.clone()]),
            Range::Multiples(multiples) => multiples.members(most),
            Range::Any
            | Range::Prefix(_)
            | Range::Length(_)
            | Range::Language(_)
            | Range::Elements(_)
            | Range::Structure(_) => None,
        }
    }

    /// The union of two ranges of few numbers, if it can be listed; `None` for other ranges.
    pub(super) fn union_of_few(&self, other: &Range) -> Option<Range> {
        let (a, b) = (self.few_numbers(limits::ONE_OF)?, other.few_numbers(limits::ONE_OF)?);
        let union = sorted(a.into_iter().chain(b).collect());
        if union.len() > limits::ONE_OF { None } else { Range::of_sorted_numbers(union) }
    }

    /// The range of numbers without a list: the multiples or the interval that contain the listed ones.
    pub(super) fn without_list(&self) -> Range {
        match self {
            Range::Numbers(numbers) => numbers.hull(),
            other => other.clone(),
        }
    }
}

/// The numbers in ascending order, none of them twice.
fn sorted(mut numbers: Vec<Number>) -> Vec<Number> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The range of numbers, in ascending order, that are all multiples of one whole number in an interval, or only one
/// number; `None` for others.
fn progression(numbers: &[Number]) -> Option<Range> {
    let exactly = |number: &Number| Range::Number(NumberRange::exactly(number.clone()));
    let (first, second) = match numbers {
        [] => return None,
        [only] => return Some(exactly(only)),
        [first, second, ..] => (first, second),
    };
    let last = numbers.last()?;
    if !(first.is_integer() && second.is_integer() && last.is_integer()) {
        return None;
    }
    let step = magnitude(&second.subtract(first).ok()?)?;
    let range = NumberRange::new(Bound::Inclusive(first.clone()), Bound::Inclusive(last.clone())).ok()?;
    match Range::of_multiples(step, &range)? {
        // The multiples in the interval include the numbers if their bounds are the first and the last, and are these
        // if they are as many.
        Range::Multiples(multiples)
            if *multiples.range() == range
                && numbers.iter().all(|number| multiples.contains(number))
                && multiples.has_count(numbers.len()) =>
        {
            Some(Range::Multiples(multiples))
        }
        _ => None,
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Numbers({self})")
    }
}
