//! Refinements: facts about an unknown value. They form a lattice.

mod contradiction;
mod describe;
mod elements;
pub(crate) mod kind;
mod lattice;
mod length_range;
mod multiples;
mod number_range;
mod numbers;
mod prefix;
mod string_language;
mod strings;
mod structure;
pub(crate) mod syntax;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use crate::number::Number;
use crate::types::Type;

pub use contradiction::Contradiction;
pub use describe::Description;
pub use elements::ElementRange;
pub use length_range::LengthRange;
pub use multiples::Multiples;
pub(crate) use multiples::{gcd, magnitude};
pub use number_range::{Bound, NumberRange};
pub use numbers::Numbers;
pub use prefix::Prefix;
pub use string_language::StringLanguage;
pub(crate) use structure::PartName;
pub use structure::StructureRange;

/// The known facts about an unknown value: whether it can be null, and the range of its other outcomes.
///
/// A refinement stands for the set of values that satisfy it, written γ(r). Null satisfies every refinement except *not
/// null*: `stringprefix("vpc-")` alone means that the value is null or starts with `vpc-`.
///
/// | | γ |
/// |---|---|
/// | [`any()`](Refinement::any) | all values |
/// | [`not_null()`](Refinement::not_null) | all values except null |
/// | [`null()`](Refinement::null) | null |
/// | [`prefix(p)`](Refinement::prefix) | null, and the strings that start with p |
/// | [`pattern(p)`](Refinement::pattern), [`suffix`](Refinement::suffix), [`containing`](Refinement::containing), [`string_length`](Refinement::string_length), [`one_of`](Refinement::one_of) | null, and the strings of that language |
/// | [`number(r)`](Refinement::number) | null, and the numbers of an interval |
/// | [`integer()`](Refinement::integer), [`multiple_of(n)`](Refinement::multiple_of) | null, and the integers, the multiples of a whole number |
/// | [`one_of_numbers`](Refinement::one_of_numbers) | null, and these numbers |
/// | [`length(r)`](Refinement::length) | null, and the lists, sets and maps whose length is in the range |
/// | [`elements(r)`](Refinement::elements) | null, and the lists, sets and maps every element of which satisfies r |
/// | [`keys(r)`](Refinement::keys) | null, the maps every key of which satisfies r, and lists and sets without elements |
/// | [`attribute(n, r)`](Refinement::attribute) | null, and the objects whose attribute n satisfies r |
/// | [`tuple_element(i, r)`](Refinement::tuple_element) | null, and the tuples whose element i satisfies r |
/// | [`meet`](Refinement::meet) of a and b | γ(a) ∩ γ(b), exactly |
/// | [`join`](Refinement::join) of a and b | the smallest γ(r) that contains γ(a) ∪ γ(b) |
///
/// γ is never empty: operations return a [`Contradiction`] instead. Two refinements are equal exactly if they stand for
/// the same values. The order is total, by representation, and has no other meaning.
///
/// One exception comes from multiples: where a least common multiple does not fit 64 bits, a meet is a larger one. One comes from
/// attributes: where more is known of them together than a refinement [may hold](crate::limits::STRUCTURE_SIZE), a meet is a larger
/// one that says all that the first one says.
/// Four come from languages of strings. A meet or join whose language would be larger than a
/// [`Language`](crate::language::Language) may be is a larger one that fits. The join of two prefixes is their longest
/// common prefix, though their union is smaller. A language may have strings with characters from U+0300 on that are
/// not in normalization form C; these do not count, yet two languages that differ in them only are not equal, and a
/// contradiction between languages of such strings may not be noticed.
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
/// `Display` writes and `FromStr` reads this form; reading a written refinement gives the same refinement.
///
/// | form | |
/// |---|---|
/// | `any()` | |
/// | `null()` | |
/// | `notnull(R, …)` | not null, and R |
/// | `stringprefix("vpc-", R, …)` | in quotes, with the escapes `\"` `\\` `\n` `\r` `\t` `\u00e9` `\u{e9}` |
/// | `stringsuffix("-b", R, …)`, `stringcontains("db", R, …)` | ends with, contains |
/// | `stringlength(3, R, …)`, `stringlength(1, 63, R, …)` | exactly 3 characters (code points), 1 to 63 characters |
/// | `stringlengthmin(1, R, …)`, `stringlengthmax(63, R, …)` | at least, at most |
/// | `oneof("a", "b", R, …)`, `oneof(1, 5, R, …)` | one of these strings, one of these numbers |
/// | `stringpattern("^vpc-[0-9a-f]{17}$", R, …)` | a regular expression of RE2 finds a match |
/// | `stringautomaton("…", R, …)` | the table of an automaton, written where a pattern would have thousands of characters |
/// | `numbermin(1, R, …)`, `numbermax(5, R, …)` | at least, at most |
/// | `numberabove(1, R, …)`, `numberbelow(5, R, …)` | the same without the number itself |
/// | `numberrange(1, 5, R, …)` | at least 1 and at most 5 |
/// | `numberinteger(R, …)`, `numbermultiple(5, R, …)` | an integer, a multiple of a whole number from 1 on |
/// | `length(2, R, …)`, `length(1, 3, R, …)` | exactly 2 elements, 1 to 3 elements |
/// | `lengthmin(1, R, …)`, `lengthmax(3, R, …)` | at least, at most |
/// | `elements(R, …)` | every element satisfies R |
/// | `keys(R, …)` | every key of the map satisfies R |
/// | `attribute("id", R, …)` | the attribute of the object satisfies R |
/// | `tupleelement(0, R, …)` | the element of the tuple satisfies R, counted from 0 |
/// | `R, R, …` | all of them |
///
/// `R, …` stands for any number of further refinements that also hold. The prefix `list`, `set` or `map` before
/// `length` restricts it to one kind of collection. White space is allowed between all tokens, and a comma after the
/// last refinement. A number is written as [`Number`] reads it. Refinements that only null satisfies are an error,
/// unless `null()` is among them.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Refinement {
    nullness: Nullness,
    /// Always `Any` if nullness is `Null`.
    range: Range,
}

/// Whether a value can be null.
///
/// ```
/// use plantime::{Nullness, Refinement, Type, Value};
///
/// assert_eq!(Value::unknown(Type::String).range().nullness(), Nullness::Nullable);
/// assert_eq!(Value::from("a").range().nullness(), Nullness::NotNull);
/// assert_eq!(Refinement::null().nullness(), Nullness::Null);
/// ```
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

/// A range of values other than null. Every range but `Any` applies to one kind of value and contains no value of
/// another kind.
///
/// A range that contains every value of its kind, such as zero or more elements, is represented as `Any`.
///
/// ```
/// use plantime::{Range, Refinement};
///
/// let vpc = Refinement::prefix("vpc-").and_not_null();
/// let Range::Prefix(prefix) = vpc.range() else { unreachable!() };
/// assert_eq!(prefix.as_str(), "vpc-");
/// assert_eq!(vpc.range().describe().to_string(), r#"starts with "vpc-""#);
/// assert_eq!(Refinement::not_null().range(), &Range::Any);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Range {
    /// Nothing is known.
    #[default]
    Any,
    /// The strings with a prefix.
    Prefix(Prefix),
    /// The numbers between two bounds.
    Number(NumberRange),
    /// The lists, sets and maps whose length is in a range.
    Length(LengthRange),
    /// The strings of a language that is more than a prefix.
    Language(StringLanguage),
    /// The multiples of a whole number between two bounds.
    Multiples(Multiples),
    /// The lists, sets and maps whose elements satisfy a refinement, or whose keys are in a range of strings.
    Elements(ElementRange),
    /// A few numbers.
    Numbers(Numbers),
    /// The objects some attributes of which satisfy refinements, or the tuples some elements of which do.
    Structure(StructureRange),
}

impl Refinement {
    /// The refinement that every value satisfies.
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// assert_eq!(Refinement::any(), Refinement::default());
    /// assert!(Refinement::any().is_trivial() && !Refinement::not_null().is_trivial());
    /// assert!(Refinement::any().contains(&Refinement::null()));
    /// ```
    pub const fn any() -> Refinement {
        Refinement { nullness: Nullness::Nullable, range: Range::Any }
    }

    /// The refinement that the value is not null.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let id = Value::unknown(Type::String).assume(&Refinement::not_null())?;
    /// assert_eq!(id.equals(&Value::null(Type::String))?, Value::from(false));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub const fn not_null() -> Refinement {
        Refinement { nullness: Nullness::NotNull, range: Range::Any }
    }

    /// The refinement that the value is null.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// // An unknown that is certainly null is the known null.
    /// assert_eq!(Value::refined(Type::String, Refinement::null())?, Value::null(Type::String));
    /// assert!(Refinement::null().meet(&Refinement::not_null()).is_err());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub const fn null() -> Refinement {
        Refinement { nullness: Nullness::Null, range: Range::Any }
    }

    /// The refinement that the value is null or a string with this prefix; [`any()`](Refinement::any) for the empty
    /// prefix.
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// let vpc = Refinement::prefix("vpc-");
    /// assert_eq!(vpc.prefix_str(), Some("vpc-"));
    /// assert_eq!(vpc.to_string(), r#"stringprefix("vpc-")"#);
    /// assert!(Refinement::prefix("").is_trivial());
    /// ```
    #[inline]
    pub fn prefix(prefix: &str) -> Refinement {
        Prefix::new(prefix).map_or(Refinement::any(), |prefix| Refinement::of(Range::Prefix(prefix)))
    }

    /// The refinement that the value is null or a number in this range.
    ///
    /// ```
    /// use plantime::{Bound, NumberRange, Refinement, Type, Value};
    ///
    /// let port = NumberRange::new(Bound::Inclusive(1.into()), Bound::Exclusive(65536.into()))?;
    /// let port = Value::refined(Type::Number, Refinement::number(port))?;
    /// assert_eq!(port.assume_not_null()?.less_than(&Value::from(100_000))?, Value::from(true));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[inline]
    pub fn number(range: NumberRange) -> Refinement {
        Refinement::of(Range::number(range))
    }

    /// The refinement that the value is null or a number that is at least `least`.
    ///
    /// ```
    /// use plantime::{NumberRange, Refinement};
    ///
    /// let replicas = Refinement::number_at_least(1).meet(&Refinement::number_at_most(5))?;
    /// assert_eq!(replicas.to_string(), "numberrange(1, 5)");
    /// assert!(replicas.number_range().is_some_and(|range| range.contains(&3.into())));
    /// assert_eq!(Refinement::number_at_least(1), Refinement::number(NumberRange::at_least(1)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn number_at_least(least: impl Into<Number>) -> Refinement {
        Refinement::number(NumberRange::at_least(least))
    }

    /// The refinement that the value is null or a number that is at most `most`.
    ///
    /// [Example](Refinement::number_at_least)
    pub fn number_at_most(most: impl Into<Number>) -> Refinement {
        Refinement::number(NumberRange::at_most(most))
    }

    /// The refinement that the value is null or an integer. The infinities are none.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let count = Refinement::integer().meet(&Refinement::number_at_least(1))?.and_not_null();
    /// assert_eq!(count.to_string(), "notnull(numberinteger(numbermin(1)))");
    /// let count = Value::refined(Type::Number, count)?;
    /// assert_eq!(count.equals(&Value::from("1.5".parse::<plantime::Number>()?))?, Value::from(false));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn integer() -> Refinement {
        Refinement::multiple_of(1)
    }

    /// The refinement that the value is null or an integer in the interval; the interval alone if it contains none.
    pub(crate) fn integer_in(range: &NumberRange) -> Refinement {
        Refinement::of(Range::of_multiples(1, range).unwrap_or_else(|| Range::number(range.clone())))
    }

    /// The refinement that the value is null or a length of the range.
    pub(crate) fn of_lengths(lengths: &LengthRange) -> Refinement {
        Refinement::of(Range::of_lengths(lengths))
    }

    /// The refinement that the value is null or a multiple of this number: of 0, that it is 0. The infinities are none.
    ///
    /// ```
    /// use plantime::{Number, Refinement};
    ///
    /// let tens = Refinement::multiple_of(10);
    /// assert_eq!(tens.meet(&Refinement::multiple_of(4))?, Refinement::multiple_of(20));
    /// assert_eq!(tens.join(&Refinement::multiple_of(4)), Refinement::multiple_of(2));
    /// // Only one multiple of 10 is there.
    /// let near: Refinement = "numbermultiple(10, numberrange(21, 39))".parse()?;
    /// assert_eq!(near.number_range().and_then(|range| range.singleton()), Some(&Number::from(30)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn multiple_of(step: u64) -> Refinement {
        Range::of_multiples(step, &NumberRange::default()).map_or_else(Refinement::any, Refinement::of)
    }

    /// The refinement that the value is null or a list, set or map whose length is in this range.
    ///
    /// ```
    /// use plantime::{LengthRange, Refinement, Type, Value};
    ///
    /// let subnets = Refinement::length(LengthRange::exactly(2)).and_not_null();
    /// assert_eq!(subnets.length_range(), Some(LengthRange::exactly(2)));
    /// // A list of a known length becomes a list of unknowns.
    /// let subnets = Value::refined(Type::list(Type::String)?, subnets)?;
    /// assert_eq!(subnets.at(0)?, Value::unknown(Type::String));
    /// assert!(subnets.at(2).unwrap_err().is_not_found());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[inline]
    pub fn length(range: LengthRange) -> Refinement {
        Refinement::of(Range::length(range))
    }

    /// The refinement that the value is null or in this range.
    #[inline]
    pub(crate) fn of(range: Range) -> Refinement {
        Refinement { nullness: Nullness::Nullable, range }
    }

    /// The refinement with *not null* added. [`null()`](Refinement::null) contradicts that and is returned unchanged;
    /// use [`meet`](Refinement::meet) with [`not_null()`](Refinement::not_null) to get the contradiction as an error.
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// let vpc = Refinement::prefix("vpc-").and_not_null();
    /// assert_eq!(vpc, Refinement::prefix("vpc-").meet(&Refinement::not_null())?);
    /// assert!(!vpc.allows_null());
    /// assert_eq!(Refinement::null().and_not_null(), Refinement::null());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn and_not_null(mut self) -> Refinement {
        if self.nullness == Nullness::Nullable {
            self.nullness = Nullness::NotNull;
        }
        self
    }

    /// Whether the value can be null.
    ///
    /// [Example](Nullness)
    pub fn nullness(&self) -> Nullness {
        self.nullness
    }

    /// The range of the values other than null.
    ///
    /// [Example](Range)
    pub fn range(&self) -> &Range {
        &self.range
    }

    /// The longest prefix that the string certainly has; `None` if no prefix is known.
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// // All ids of this pattern start the same.
    /// assert_eq!(Refinement::pattern("^vpc-[0-9a-f]{17}$")?.prefix_str(), Some("vpc-"));
    /// assert_eq!(Refinement::suffix(".example.com")?.prefix_str(), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[inline]
    pub fn prefix_str(&self) -> Option<&str> {
        match &self.range {
            Range::Prefix(prefix) => Some(prefix.as_str()),
            Range::Language(language) => Some(language.prefix()).filter(|prefix| !prefix.is_empty()),
            _ => None,
        }
    }

    /// The interval of the number, if one is known; of multiples and of a few numbers the smallest interval that contains them.
    ///
    /// [Example](Refinement::number_at_least)
    pub fn number_range(&self) -> Option<&NumberRange> {
        self.range.numbers()
    }

    /// The range of the length of the list, set or map, if one is known.
    ///
    /// [Example](Refinement::length)
    pub fn length_range(&self) -> Option<LengthRange> {
        match &self.range {
            Range::Length(range) => Some(*range),
            Range::Elements(elements) => Some(elements.length()).filter(|range| !range.is_trivial()),
            _ => None,
        }
    }

    /// Whether every value satisfies the refinement.
    ///
    /// [Example](Refinement::any)
    pub fn is_trivial(&self) -> bool {
        matches!(self, Refinement { nullness: Nullness::Nullable, range: Range::Any })
    }

    /// Whether the refinement is of a kind that values of the type other than null can satisfy. Nullness applies to
    /// every type, a prefix and a language to strings, a number range, multiples and a list of numbers to numbers, a length to lists, sets and maps,
    /// a refinement of elements to those whose element type it applies to, one of keys to maps, one of attributes to objects with
    /// such attributes, one of tuple elements to tuples that have them.
    ///
    /// ```
    /// use plantime::{Refinement, Type};
    ///
    /// assert!(Refinement::prefix("vpc-").applies_to(&Type::String));
    /// assert!(!Refinement::prefix("vpc-").applies_to(&Type::Bool));
    /// assert!(Refinement::not_null().applies_to(&Type::Bool));
    /// ```
    pub fn applies_to(&self, ty: &Type) -> bool {
        match &self.range {
            Range::Any => true,
            Range::Prefix(_) | Range::Language(_) => matches!(ty, Type::String),
            Range::Number(_) | Range::Multiples(_) | Range::Numbers(_) => matches!(ty, Type::Number),
            Range::Length(_) => matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_)),
            Range::Elements(elements) => elements.applies_to(ty),
            Range::Structure(structure) => structure.applies_to(ty),
        }
    }

    /// The refinement in words, for messages: `not null, starts with "vpc-"`.
    ///
    /// | refinement | words |
    /// |---|---|
    /// | `any()` | `nothing` |
    /// | `notnull()` | `not null` |
    /// | `notnull(numbermin(1), numberbelow(5))` | `not null, at least 1, below 5` |
    /// | `numberinteger(numbermin(1))` | `a whole number, at least 1, or null` |
    /// | `length(1, 4)` | `1 to 4 elements, or null` |
    /// | `elements(notnull(stringprefix("a")))` | `each element (not null, starts with "a"), or null` |
    /// | `stringlength(1, 63)` | `1 to 63 characters long, or null` |
    /// | `notnull(oneof("a", "b"))` | `not null, one of "a", "b"` |
    /// | `oneof(1, 5, 9)` | `one of 1, 5, 9, or null` |
    /// | `attribute("id", notnull())` | `attribute "id" (not null), or null` |
    /// | `stringpattern("^[a-z]+$")` | `matches ^[a-z]+$, or null` |
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// let name: Refinement = "notnull(stringlength(1, 63))".parse()?;
    /// assert_eq!(name.describe().to_string(), "not null, 1 to 63 characters long");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn describe(&self) -> Description<'_> {
        Description::of(self)
    }
}

impl Range {
    /// A range of numbers; `Any` if it contains all numbers.
    #[inline]
    fn number(range: NumberRange) -> Range {
        if range.is_trivial() { Range::Any } else { Range::Number(range) }
    }

    /// A range of lengths; `Any` if it contains all lengths.
    #[inline]
    fn length(range: LengthRange) -> Range {
        if range.is_trivial() { Range::Any } else { Range::Length(range) }
    }

    /// The key of the total order.
    fn key(&self) -> impl Ord {
        match self {
            Range::Any => (0, None, None, None, None, None),
            Range::Prefix(prefix) => (1, Some(prefix), None, None, None, None),
            Range::Number(range) => (2, None, Some(range), None, None, None),
            Range::Length(range) => (3, None, None, Some((range.lower(), range.upper())), None, None),
            Range::Language(language) => (4, None, None, None, Some(language), None),
            Range::Multiples(multiples) => (5, None, None, None, None, Some(multiples)),
            // `Ord` of a range compares these before it asks for a key.
            Range::Elements(_) => (6, None, None, None, None, None),
            Range::Numbers(_) => (7, None, None, None, None, None),
            Range::Structure(_) => (8, None, None, None, None, None),
        }
    }

    /// The range in words, without nullness: `starts with "vpc-"`; `nothing` for `Any`.
    ///
    /// [Example](Range)
    pub fn describe(&self) -> Description<'_> {
        Description::of_range(self)
    }
}

impl Ord for Range {
    fn cmp(&self, other: &Range) -> Ordering {
        match (self, other) {
            (Range::Elements(a), Range::Elements(b)) => a.cmp(b),
            (Range::Numbers(a), Range::Numbers(b)) => a.cmp(b),
            (Range::Structure(a), Range::Structure(b)) => a.cmp(b),
            _ => self.key().cmp(&other.key()),
        }
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
