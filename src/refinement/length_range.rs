//! Ranges of lengths of lists, sets and maps.

use std::fmt;

use crate::error::{Error, Kind, Result};

/// A range of lengths of a list, set or map: at least `min` and, if there is a `max`, at most `max`.
///
/// ```
/// use plantime::LengthRange;
///
/// let some = LengthRange::new(1, Some(3))?;
/// assert_eq!((some.lower(), some.upper(), some.exact()), (1, Some(3), None));
/// assert!(some.contains(3) && !some.contains(4));
/// assert_eq!(some.meet(LengthRange::at_least(3)), Some(LengthRange::exactly(3)));
/// assert_eq!(some.meet(LengthRange::exactly(0)), None);
/// assert_eq!(some.join(LengthRange::exactly(0)), LengthRange::at_most(3));
/// assert!(LengthRange::at_most(3).covers(some));
/// assert!(LengthRange::new(3, Some(1)).unwrap_err().is_contradiction());
/// # Ok::<(), plantime::Error>(())
/// ```
// No `Ord`: the methods `min` and `max` of that trait would be confused with the bounds.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct LengthRange {
    min: u64,
    /// Never below `min`. `None` for no bound, also in place of `u64::MAX`, so that equal ranges have one form (L9).
    max: Option<u64>,
}

impl LengthRange {
    /// The range of the lengths that are at least `min` and at most `max`.
    ///
    /// [Example](LengthRange)
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) if `max` is below `min`.
    #[inline]
    pub fn new(min: u64, max: Option<u64>) -> Result<LengthRange> {
        LengthRange::between(min, max).ok_or_else(|| contradiction(min, max.unwrap_or(u64::MAX)))
    }

    /// As [`new`](LengthRange::new); `None` if `max` is below `min`.
    #[inline]
    fn between(min: u64, max: Option<u64>) -> Option<LengthRange> {
        match max {
            Some(max) if max < min => None,
            max => Some(LengthRange { min, max: max.filter(|max| *max < u64::MAX) }),
        }
    }

    /// The range of exactly one length.
    ///
    /// [Example](LengthRange)
    pub const fn exactly(n: u64) -> LengthRange {
        LengthRange { min: n, max: if n == u64::MAX { None } else { Some(n) } }
    }

    /// The range of all lengths that are at least `min`.
    ///
    /// [Example](LengthRange)
    pub const fn at_least(min: u64) -> LengthRange {
        LengthRange { min, max: None }
    }

    /// The range of all lengths that are at most `max`.
    ///
    /// [Example](LengthRange)
    pub const fn at_most(max: u64) -> LengthRange {
        LengthRange { min: 0, max: if max == u64::MAX { None } else { Some(max) } }
    }

    /// The smallest length in the range.
    ///
    /// [Example](LengthRange)
    pub fn lower(&self) -> u64 {
        self.min
    }

    /// The largest length in the range; `None` if there is no upper bound.
    ///
    /// [Example](LengthRange)
    pub fn upper(&self) -> Option<u64> {
        self.max
    }

    /// The length, if the range contains only one.
    ///
    /// [Example](LengthRange)
    pub fn exact(&self) -> Option<u64> {
        if self.max.unwrap_or(u64::MAX) == self.min { Some(self.min) } else { None }
    }

    /// Whether the range contains every length.
    ///
    /// [Example](LengthRange)
    #[inline]
    pub fn is_trivial(&self) -> bool {
        matches!(self, LengthRange { min: 0, max: None })
    }

    /// Whether the range contains the length.
    ///
    /// [Example](LengthRange)
    pub fn contains(&self, length: u64) -> bool {
        self.min <= length && length <= self.max.unwrap_or(u64::MAX)
    }

    /// The intersection of two ranges; `None` if it is empty.
    ///
    /// [Example](LengthRange)
    pub fn meet(self, other: LengthRange) -> Option<LengthRange> {
        let max = self.max.unwrap_or(u64::MAX).min(other.max.unwrap_or(u64::MAX));
        LengthRange::between(self.min.max(other.min), Some(max))
    }

    /// The smallest range that contains both ranges.
    ///
    /// [Example](LengthRange)
    #[must_use]
    pub fn join(self, other: LengthRange) -> LengthRange {
        let max = self.max.zip(other.max).map(|(a, b)| a.max(b));
        LengthRange { min: self.min.min(other.min), max }
    }

    /// Whether the range contains every length of `other`.
    ///
    /// [Example](LengthRange)
    pub fn covers(self, other: LengthRange) -> bool {
        self.min <= other.min && other.max.unwrap_or(u64::MAX) <= self.max.unwrap_or(u64::MAX)
    }
}

/// The error for a lower bound above the upper one.
#[cold]
fn contradiction(min: u64, max: u64) -> Error {
    Error::new(Kind::Contradiction, format!("no length is at least {min} and at most {max}"))
}

impl fmt::Debug for LengthRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LengthRange({self})")
    }
}
