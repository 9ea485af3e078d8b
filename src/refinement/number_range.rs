//! Ranges of numbers.

use std::cmp::Ordering;
use std::fmt;

use super::LengthRange;
use super::describe::DescribedBounds;
use crate::error::{Error, Kind, Result};
use crate::number::Number;

/// One end of a [`NumberRange`].
///
/// ```
/// use plantime::{Bound, Number, NumberRange};
///
/// let positive = NumberRange::above(0)?;
/// assert_eq!(positive.lower(), &Bound::Exclusive(Number::ZERO));
/// assert!(!positive.lower().is_inclusive());
/// assert_eq!(positive.lower().number(), Some(&Number::ZERO));
/// assert_eq!(positive.upper(), &Bound::Unbounded);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// No bound: the infinity of this side is in the range.
    #[default]
    Unbounded,
    /// The number is the bound, and is in the range.
    Inclusive(Number),
    /// The number is the bound, and is not in the range.
    Exclusive(Number),
}

impl Bound {
    /// The number of the bound; `None` without a bound.
    ///
    /// [Example](Bound)
    pub fn number(&self) -> Option<&Number> {
        match self {
            Bound::Unbounded => None,
            Bound::Inclusive(number) | Bound::Exclusive(number) => Some(number),
        }
    }

    /// Whether the bound itself is in the range. Without a bound, the infinity of this side is.
    ///
    /// [Example](Bound)
    pub fn is_inclusive(&self) -> bool {
        !matches!(self, Bound::Exclusive(_))
    }

    /// Replaces an inclusive bound at the infinity of its side by `Unbounded`, which means the same (L9).
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

/// An interval of numbers, never empty. Each bound is inclusive, exclusive or absent.
///
/// The infinities are numbers too. Between any two numbers there is another one, so `(1, 2)` is not empty, even if the
/// value is always a whole number.
///
/// | bound | meaning |
/// |---|---|
/// | at least `-inf`, at most `inf` | the same as no bound |
/// | above `-inf`, below `inf` | excludes the infinity |
/// | at least `inf`, at most `-inf` | only the infinity |
/// | above `inf`, below `-inf` | an empty range: an error |
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
    /// Never an inclusive `-inf`.
    lower: Bound,
    /// Never an inclusive `inf`.
    upper: Bound,
}

impl NumberRange {
    /// The range of the numbers between two bounds.
    ///
    /// ```
    /// use plantime::{Bound, NumberRange};
    ///
    /// let port = NumberRange::new(Bound::Inclusive(1.into()), Bound::Exclusive(65536.into()))?;
    /// assert!(port.contains(&1.into()) && !port.contains(&65536.into()));
    /// let none = NumberRange::new(Bound::Inclusive(5.into()), Bound::Exclusive(5.into()));
    /// assert!(none.unwrap_err().is_contradiction());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) if no number is between them.
    #[inline]
    pub fn new(lower: Bound, upper: Bound) -> Result<NumberRange> {
        let lower = lower.canonical(&Number::NEG_INFINITY);
        let upper = upper.canonical(&Number::INFINITY);
        if is_empty(&lower, &upper) {
            return Err(contradiction(&lower, &upper));
        }
        Ok(NumberRange { lower, upper })
    }

    /// The range of the numbers that a length in the given range can be. Without an upper bound it excludes infinity.
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
    ///
    /// ```
    /// use plantime::{Number, NumberRange};
    ///
    /// let one = NumberRange::exactly(1);
    /// assert_eq!(one.singleton(), Some(&Number::ONE));
    /// assert_eq!(one.join(&NumberRange::exactly(3)).to_string(), "numberrange(1, 3)");
    /// assert!(NumberRange::at_least(0).covers(&one) && !one.is_trivial());
    /// ```
    pub fn exactly(number: impl Into<Number>) -> NumberRange {
        let number = number.into();
        NumberRange {
            lower: Bound::Inclusive(number.clone()).canonical(&Number::NEG_INFINITY),
            upper: Bound::Inclusive(number).canonical(&Number::INFINITY),
        }
    }

    /// The range of this number and all numbers above it.
    ///
    /// ```
    /// use plantime::NumberRange;
    ///
    /// let replicas = NumberRange::at_least(1).meet(&NumberRange::at_most(5)).unwrap();
    /// assert_eq!(replicas.to_string(), "numberrange(1, 5)");
    /// assert!(NumberRange::at_least(6).meet(&replicas).is_none());
    /// ```
    pub fn at_least(number: impl Into<Number>) -> NumberRange {
        let lower = Bound::Inclusive(number.into()).canonical(&Number::NEG_INFINITY);
        NumberRange { lower, upper: Bound::Unbounded }
    }

    /// The range of this number and all numbers below it.
    ///
    /// [Example](NumberRange::at_least)
    pub fn at_most(number: impl Into<Number>) -> NumberRange {
        let upper = Bound::Inclusive(number.into()).canonical(&Number::INFINITY);
        NumberRange { lower: Bound::Unbounded, upper }
    }

    /// The range of all numbers above this one.
    ///
    /// ```
    /// use plantime::{Number, NumberRange};
    ///
    /// let fraction = NumberRange::above(0)?.meet(&NumberRange::below(1)?).unwrap();
    /// assert!(fraction.contains(&"0.5".parse()?) && !fraction.contains(&Number::ZERO));
    /// assert!(NumberRange::above(Number::INFINITY).unwrap_err().is_contradiction());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) for `inf`.
    pub fn above(number: impl Into<Number>) -> Result<NumberRange> {
        NumberRange::new(Bound::Exclusive(number.into()), Bound::Unbounded)
    }

    /// The range of all numbers below this one.
    ///
    /// [Example](NumberRange::above)
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) for `-inf`.
    pub fn below(number: impl Into<Number>) -> Result<NumberRange> {
        NumberRange::new(Bound::Unbounded, Bound::Exclusive(number.into()))
    }

    /// The lower bound of the range.
    ///
    /// [Example](Bound)
    pub fn lower(&self) -> &Bound {
        &self.lower
    }

    /// The upper bound of the range.
    ///
    /// [Example](Bound)
    pub fn upper(&self) -> &Bound {
        &self.upper
    }

    /// Whether the range contains the number.
    ///
    /// [Example](NumberRange::new)
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

    /// The number, if the range contains only one.
    ///
    /// [Example](NumberRange::exactly)
    pub fn singleton(&self) -> Option<&Number> {
        match (&self.lower, &self.upper) {
            (Bound::Inclusive(lower), Bound::Inclusive(upper)) if lower == upper => Some(lower),
            (Bound::Inclusive(inf), Bound::Unbounded) if *inf == Number::INFINITY => Some(inf),
            (Bound::Unbounded, Bound::Inclusive(inf)) if *inf == Number::NEG_INFINITY => Some(inf),
            _ => None,
        }
    }

    /// Whether the range contains every number.
    ///
    /// [Example](NumberRange::exactly)
    #[inline]
    pub fn is_trivial(&self) -> bool {
        matches!(self, NumberRange { lower: Bound::Unbounded, upper: Bound::Unbounded })
    }

    /// The intersection of two ranges; `None` if it is empty.
    ///
    /// [Example](NumberRange::at_least)
    pub fn meet(&self, other: &NumberRange) -> Option<NumberRange> {
        let lower = if compare_lower(&self.lower, &other.lower).is_lt() { &other.lower } else { &self.lower };
        let upper = if compare_upper(&self.upper, &other.upper).is_lt() { &self.upper } else { &other.upper };
        if is_empty(lower, upper) {
            return None;
        }
        Some(NumberRange { lower: lower.clone(), upper: upper.clone() })
    }

    /// The smallest range that contains both ranges.
    ///
    /// [Example](NumberRange::exactly)
    #[must_use]
    pub fn join(&self, other: &NumberRange) -> NumberRange {
        let lower = if compare_lower(&self.lower, &other.lower).is_lt() { &self.lower } else { &other.lower };
        let upper = if compare_upper(&self.upper, &other.upper).is_lt() { &other.upper } else { &self.upper };
        NumberRange { lower: lower.clone(), upper: upper.clone() }
    }

    /// Whether the range contains every number of `other`.
    ///
    /// [Example](NumberRange::exactly)
    pub fn covers(&self, other: &NumberRange) -> bool {
        compare_lower(&self.lower, &other.lower).is_le() && compare_upper(&other.upper, &self.upper).is_le()
    }
}

/// Compares two lower bounds by the first number that they allow.
fn compare_lower(a: &Bound, b: &Bound) -> Ordering {
    lower_number(a).cmp(lower_number(b)).then(b.is_inclusive().cmp(&a.is_inclusive()))
}

/// Compares two upper bounds by the last number that they allow.
fn compare_upper(a: &Bound, b: &Bound) -> Ordering {
    upper_number(a).cmp(upper_number(b)).then(a.is_inclusive().cmp(&b.is_inclusive()))
}

/// The number of a lower bound; negative infinity without a bound.
#[inline]
fn lower_number(bound: &Bound) -> &Number {
    bound.number().unwrap_or(&Number::NEG_INFINITY)
}

/// The number of an upper bound; infinity without a bound.
#[inline]
fn upper_number(bound: &Bound) -> &Number {
    bound.number().unwrap_or(&Number::INFINITY)
}

/// The error for bounds that no number is between.
#[cold]
fn contradiction(lower: &Bound, upper: &Bound) -> Error {
    let ends = DescribedBounds { lower, upper, separator: " and " };
    Error::new(Kind::Contradiction, format!("no number is {ends}"))
}

/// Whether no number is between a lower and an upper bound.
#[inline]
fn is_empty(lower: &Bound, upper: &Bound) -> bool {
    match lower_number(lower).cmp(upper_number(upper)) {
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
