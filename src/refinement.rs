//! What is known of a value that is not known yet: a lattice of refinements.

mod contradiction;
mod describe;
mod lattice;
mod length_range;
mod number_range;
mod prefix;
pub(crate) mod syntax;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use crate::number::Number;
use crate::types::Type;

pub use contradiction::Contradiction;
pub use describe::Description;
pub use length_range::LengthRange;
pub use number_range::{Bound, NumberRange};
pub use prefix::Prefix;

/// What is known of a value that is not known yet: whether it can be null, and a range for what it is otherwise.
///
/// A refinement stands for a set of values, written γ(r): those that agree with it. Null agrees with everything but
/// *not null*: `stringprefix("vpc-")` alone says that the value is null or starts with `vpc-`.
///
/// | | γ |
/// |---|---|
/// | [`any()`](Refinement::any) | everything |
/// | [`not_null()`](Refinement::not_null) | everything but null |
/// | [`null()`](Refinement::null) | null |
/// | [`prefix(p)`](Refinement::prefix) | null, and the strings that start with p |
/// | [`number(r)`](Refinement::number) | null, and the numbers of an interval |
/// | [`length(r)`](Refinement::length) | null, and the lists, sets and maps of so many elements |
/// | [`meet`](Refinement::meet) of a and b | γ(a) ∩ γ(b), exactly |
/// | [`join`](Refinement::join) of a and b | the smallest that holds γ(a) ∪ γ(b) |
///
/// γ is never empty: what would be is a [`Contradiction`] instead. Two refinements are equal exactly when they stand
/// for the same values. The order is total, by representation, and has no other meaning.
///
/// ```
/// use plantime::Refinement;
///
/// let vpc = Refinement::prefix("vpc-").and_not_null();
/// assert_eq!(vpc.to_string(), r#"notnull(stringprefix("vpc-"))"#);
/// assert_eq!(vpc.describe().to_string(), r#"not null, starts with "vpc-""#);
///
/// let longer = vpc.meet(&Refinement::prefix("vpc-0a"))?;
/// assert!(vpc.contains(&longer));
/// assert!(vpc.meet(&Refinement::prefix("subnet-")).is_err());
/// assert_eq!(Refinement::prefix("vpc-").meet(&Refinement::prefix("subnet-"))?, Refinement::null());
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Text
///
/// `Display` writes and `FromStr` reads this form; what is written reads back as the same refinement.
///
/// | form | |
/// |---|---|
/// | `any()` | |
/// | `null()` | |
/// | `notnull(R, …)` | not null, and R |
/// | `stringprefix("vpc-", R, …)` | in quotes, with the escapes `\"` `\\` `\n` `\r` `\t` `\u00e9` `\u{e9}` |
/// | `numbermin(1, R, …)`, `numbermax(5, R, …)` | at least, at most |
/// | `numberabove(1, R, …)`, `numberbelow(5, R, …)` | the same without the number itself |
/// | `numberrange(1, 5, R, …)` | at least 1 and at most 5 |
/// | `length(2, R, …)`, `length(1, 3, R, …)` | exactly 2 elements, 1 to 3 elements |
/// | `lengthmin(1, R, …)`, `lengthmax(3, R, …)` | at least, at most |
/// | `R, R, …` | all of them |
///
/// `R, …` stands for any number of further refinements, which hold as well. Before `length`, `list`, `set` or `map`
/// may say which it is about. White space may stand between all parts, and a comma after the last. A number is
/// written as [`Number`] reads it. What no value but null could agree with is refused, unless `null()` says so.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Refinement {
    nullness: Nullness,
    /// `Any` where nullness is `Null`.
    range: Range,
}

/// Whether a value can be null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nullness {
    /// Null or not: nothing is known.
    #[default]
    Nullable,
    /// Certainly not null.
    NotNull,
    /// Certainly null.
    Null,
}

/// What a value that is not null is like. A range is about one kind of value; it holds for no value of another.
///
/// A range that every value of its kind is in, such as that of zero or more elements, is `Any`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Range {
    /// Nothing is known.
    #[default]
    Any,
    /// A string that starts so.
    Prefix(Prefix),
    /// A number between two bounds.
    Number(NumberRange),
    /// A list, set or map of so many elements.
    Length(LengthRange),
}

impl Refinement {
    /// The refinement that says nothing: every value satisfies it.
    pub const fn any() -> Refinement {
        Refinement { nullness: Nullness::Nullable, range: Range::Any }
    }

    /// The value is not null; nothing else is known.
    pub const fn not_null() -> Refinement {
        Refinement { nullness: Nullness::NotNull, range: Range::Any }
    }

    /// The value is null, which leaves one value of each type.
    pub const fn null() -> Refinement {
        Refinement { nullness: Nullness::Null, range: Range::Any }
    }

    /// Null, or a string that starts so. The empty text says nothing.
    #[inline]
    pub fn prefix(prefix: &str) -> Refinement {
        Prefix::new(prefix).map_or(Refinement::any(), |prefix| Refinement::of(Range::Prefix(prefix)))
    }

    /// Null, or a number of this range.
    #[inline]
    pub fn number(range: NumberRange) -> Refinement {
        Refinement::of(Range::number(range))
    }

    /// Null, or a number that is at least `least`.
    pub fn number_at_least(least: impl Into<Number>) -> Refinement {
        Refinement::number(NumberRange::at_least(least))
    }

    /// Null, or a number that is at most `most`.
    pub fn number_at_most(most: impl Into<Number>) -> Refinement {
        Refinement::number(NumberRange::at_most(most))
    }

    /// Null, or a list, set or map whose length is in this range.
    #[inline]
    pub fn length(range: LengthRange) -> Refinement {
        Refinement::of(Range::length(range))
    }

    #[inline]
    fn of(range: Range) -> Refinement {
        Refinement { nullness: Nullness::Nullable, range }
    }

    /// The same, and not null. [`null()`](Refinement::null) leaves nothing that is not null, and stays as it is:
    /// where that can happen, [`meet`](Refinement::meet) with [`not_null()`](Refinement::not_null) says so.
    #[must_use]
    #[inline]
    pub fn and_not_null(mut self) -> Refinement {
        if self.nullness == Nullness::Nullable {
            self.nullness = Nullness::NotNull;
        }
        self
    }

    /// Whether the value can be null.
    pub fn nullness(&self) -> Nullness {
        self.nullness
    }

    /// What the value is like when it is not null.
    pub fn range(&self) -> &Range {
        &self.range
    }

    /// What a string starts with, where anything is known of it.
    pub fn prefix_str(&self) -> Option<&str> {
        match &self.range {
            Range::Prefix(prefix) => Some(prefix.as_str()),
            _ => None,
        }
    }

    /// Between which bounds a number is, where anything is known of it.
    pub fn number_range(&self) -> Option<&NumberRange> {
        match &self.range {
            Range::Number(range) => Some(range),
            _ => None,
        }
    }

    /// How many elements a list, set or map has, where anything is known of it.
    pub fn length_range(&self) -> Option<LengthRange> {
        match self.range {
            Range::Length(range) => Some(range),
            _ => None,
        }
    }

    /// Whether it says nothing at all.
    pub fn is_trivial(&self) -> bool {
        matches!(self, Refinement { nullness: Nullness::Nullable, range: Range::Any })
    }

    /// Whether values of the type can agree with it other than by being null. Nullness applies to every type, a
    /// prefix to strings, a number range to numbers, a length to lists, sets and maps.
    ///
    /// ```
    /// use plantime::{Refinement, Type};
    ///
    /// assert!(Refinement::prefix("vpc-").applies_to(&Type::String));
    /// assert!(!Refinement::prefix("vpc-").applies_to(&Type::Bool));
    /// assert!(Refinement::not_null().applies_to(&Type::Bool));
    /// ```
    pub fn applies_to(&self, ty: &Type) -> bool {
        match self.range {
            Range::Any => true,
            Range::Prefix(_) => matches!(ty, Type::String),
            Range::Number(_) => matches!(ty, Type::Number),
            Range::Length(_) => matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_)),
        }
    }

    /// The refinement in words for people, as messages use them: `not null, starts with "vpc-"`.
    ///
    /// | refinement | words |
    /// |---|---|
    /// | `any()` | `nothing` |
    /// | `notnull()` | `not null` |
    /// | `notnull(numbermin(1), numberbelow(5))` | `not null, at least 1, below 5` |
    /// | `length(1, 4)` | `1 to 4 elements, or null` |
    pub fn describe(&self) -> Description<'_> {
        Description::of(self)
    }
}

impl Range {
    /// The range of a number, `Any` where every number is in it.
    #[inline]
    fn number(range: NumberRange) -> Range {
        if range.is_trivial() { Range::Any } else { Range::Number(range) }
    }

    /// The range of a length, `Any` where every length is in it.
    #[inline]
    fn length(range: LengthRange) -> Range {
        if range.is_trivial() { Range::Any } else { Range::Length(range) }
    }

    /// What it is ordered by.
    fn key(&self) -> impl Ord {
        match self {
            Range::Any => (0, None, None, None),
            Range::Prefix(prefix) => (1, Some(prefix), None, None),
            Range::Number(range) => (2, None, Some(range), None),
            Range::Length(range) => (3, None, None, Some((range.lower(), range.upper()))),
        }
    }

    /// The range in words for people, without a word on null: `starts with "vpc-"`; `nothing` for `Any`.
    pub fn describe(&self) -> Description<'_> {
        Description::of_range(self)
    }
}

impl Ord for Range {
    fn cmp(&self, other: &Range) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Range {
    fn partial_cmp(&self, other: &Range) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Refinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Refinement({self})")
    }
}
