//! Between which bounds a number is.

use std::cmp::Ordering;
use std::fmt;

use super::LengthRange;
use super::describe::Ends;
use crate::error::{Error, Kind, Result};
use crate::number::Number;

/// One end of a [`NumberRange`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// No bound: the infinity of this side is in the range.
    #[default]
    Unbounded,
    /// Up to the number, which is in the range.
    Inclusive(Number),
    /// Up to the number, which is not in the range.
    Exclusive(Number),
}

impl Bound {
    /// The number, where there is a bound.
    pub fn number(&self) -> Option<&Number> {
        match self {
            Bound::Unbounded => None,
            Bound::Inclusive(number) | Bound::Exclusive(number) => Some(number),
        }
    }

    /// Whether the end itself is in the range. Without a bound, that is the infinity of this side.
    pub fn is_inclusive(&self) -> bool {
        !matches!(self, Bound::Exclusive(_))
    }

    /// No bound instead of one at the infinity of its side.
    #[inline]
    fn canonical(self, infinity: &Number) -> Bound {
        if let Bound::Inclusive(number) = &self
            && number.is_infinite()
            && number == infinity
        {
            return Bound::Unbounded;
        }
        self
    }
}

/// An interval of numbers, which is never empty. Each end is open, closed or absent.
///
/// The infinities are numbers too. Numbers lie densely: between any two there is another, so `(1, 2)` is not empty,
/// whatever the value counts.
///
/// | bound | says |
/// |---|---|
/// | at least `-inf`, at most `inf` | nothing: the same as no bound |
/// | above `-inf`, below `inf` | not the infinity |
/// | at least `inf`, at most `-inf` | is the infinity |
/// | above `inf`, below `-inf` | nothing is: an empty range |
///
/// ```
/// use plantime::{Bound, Number, NumberRange};
///
/// let port = NumberRange::new(Bound::Inclusive(1.into()), Bound::Exclusive(65536.into()))?;
/// assert!(port.contains(&"65535.5".parse()?) && !port.contains(&65536.into()));
/// assert_eq!(port.to_string(), "numbermin(1), numberbelow(65536)");
/// assert_eq!(port.meet(&NumberRange::at_most(1)).unwrap().singleton(), Some(&Number::ONE));
/// assert!(port.meet(&NumberRange::at_most(0)).is_none());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NumberRange {
    /// Never at least `-inf`.
    lower: Bound,
    /// Never at most `inf`.
    upper: Bound,
}

impl NumberRange {
    /// The numbers between two bounds.
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) where no number is between them.
    #[inline]
    pub fn new(lower: Bound, upper: Bound) -> Result<NumberRange> {
        let lower = lower.canonical(&Number::NEG_INFINITY);
        let upper = upper.canonical(&Number::INFINITY);
        if is_empty(&lower, &upper) {
            return Err(contradiction(&lower, &upper));
        }
        Ok(NumberRange { lower, upper })
    }

    /// What a number of elements can be: without a largest one still not infinite.
    #[inline]
    pub(crate) fn of_length(length: &LengthRange) -> NumberRange {
        let lower = Bound::Inclusive(length.lower().into());
        let upper = match length.upper() {
            Some(most) => Bound::Inclusive(most.into()),
            None => Bound::Exclusive(Number::INFINITY),
        };
        NumberRange { lower, upper }
    }

    /// The range of this one number.
    pub fn exactly(number: impl Into<Number>) -> NumberRange {
        let number = number.into();
        NumberRange {
            lower: Bound::Inclusive(number.clone()).canonical(&Number::NEG_INFINITY),
            upper: Bound::Inclusive(number).canonical(&Number::INFINITY),
        }
    }

    /// This number and those above.
    pub fn at_least(number: impl Into<Number>) -> NumberRange {
        let lower = Bound::Inclusive(number.into()).canonical(&Number::NEG_INFINITY);
        NumberRange { lower, upper: Bound::Unbounded }
    }

    /// This number and those below.
    pub fn at_most(number: impl Into<Number>) -> NumberRange {
        let upper = Bound::Inclusive(number.into()).canonical(&Number::INFINITY);
        NumberRange { lower: Bound::Unbounded, upper }
    }

    /// The range of all numbers above this one.
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) for `inf`.
    pub fn above(number: impl Into<Number>) -> Result<NumberRange> {
        NumberRange::new(Bound::Exclusive(number.into()), Bound::Unbounded)
    }

    /// The range of all numbers below this one.
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) for `-inf`.
    pub fn below(number: impl Into<Number>) -> Result<NumberRange> {
        NumberRange::new(Bound::Unbounded, Bound::Exclusive(number.into()))
    }

    /// The lower end of the range.
    pub fn lower(&self) -> &Bound {
        &self.lower
    }

    /// The upper end of the range.
    pub fn upper(&self) -> &Bound {
        &self.upper
    }

    /// Whether the number is in it.
    pub fn contains(&self, number: &Number) -> bool {
        let above = match &self.lower {
            Bound::Unbounded => true,
            Bound::Inclusive(lower) => lower <= number,
            Bound::Exclusive(lower) => lower < number,
        };
        let below = match &self.upper {
            Bound::Unbounded => true,
            Bound::Inclusive(upper) => number <= upper,
            Bound::Exclusive(upper) => number < upper,
        };
        above && below
    }

    /// The number, where there is only one.
    pub fn singleton(&self) -> Option<&Number> {
        match (&self.lower, &self.upper) {
            (Bound::Inclusive(lower), Bound::Inclusive(upper)) if lower == upper => Some(lower),
            (Bound::Inclusive(inf), Bound::Unbounded) if *inf == Number::INFINITY => Some(inf),
            (Bound::Unbounded, Bound::Inclusive(inf)) if *inf == Number::NEG_INFINITY => Some(inf),
            _ => None,
        }
    }

    /// Whether every number is in it.
    #[inline]
    pub fn is_trivial(&self) -> bool {
        matches!(self, NumberRange { lower: Bound::Unbounded, upper: Bound::Unbounded })
    }

    /// The numbers in both, if any.
    pub fn meet(&self, other: &NumberRange) -> Option<NumberRange> {
        let lower = if compare_lower(&self.lower, &other.lower).is_lt() { &other.lower } else { &self.lower };
        let upper = if compare_upper(&self.upper, &other.upper).is_lt() { &self.upper } else { &other.upper };
        if is_empty(lower, upper) {
            return None;
        }
        Some(NumberRange { lower: lower.clone(), upper: upper.clone() })
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn join(&self, other: &NumberRange) -> NumberRange {
        let lower = if compare_lower(&self.lower, &other.lower).is_lt() { &self.lower } else { &other.lower };
        let upper = if compare_upper(&self.upper, &other.upper).is_lt() { &other.upper } else { &self.upper };
        NumberRange { lower: lower.clone(), upper: upper.clone() }
    }

    /// Whether each number of `other` is in this one too.
    pub fn covers(&self, other: &NumberRange) -> bool {
        compare_lower(&self.lower, &other.lower).is_le() && compare_upper(&other.upper, &self.upper).is_le()
    }
}

/// Which of two lower ends begins first.
fn compare_lower(a: &Bound, b: &Bound) -> Ordering {
    low(a).cmp(low(b)).then(b.is_inclusive().cmp(&a.is_inclusive()))
}

/// Which of two upper ends ends first.
fn compare_upper(a: &Bound, b: &Bound) -> Ordering {
    high(a).cmp(high(b)).then(a.is_inclusive().cmp(&b.is_inclusive()))
}

/// The number of a lower end.
#[inline]
fn low(bound: &Bound) -> &Number {
    bound.number().unwrap_or(&Number::NEG_INFINITY)
}

/// The number of an upper end.
#[inline]
fn high(bound: &Bound) -> &Number {
    bound.number().unwrap_or(&Number::INFINITY)
}

#[cold]
fn contradiction(lower: &Bound, upper: &Bound) -> Error {
    let ends = Ends { lower, upper, joint: " and " };
    Error::new(Kind::Contradiction, format!("no number is {ends}"))
}

/// Whether no number is between a lower and an upper end.
#[inline]
fn is_empty(lower: &Bound, upper: &Bound) -> bool {
    match low(lower).cmp(high(upper)) {
        Ordering::Less => false,
        Ordering::Equal => !(lower.is_inclusive() && upper.is_inclusive()),
        Ordering::Greater => true,
    }
}

impl fmt::Debug for NumberRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NumberRange({self})")
    }
}
