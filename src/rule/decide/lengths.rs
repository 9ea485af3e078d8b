//! Rules on lengths: code points of a string, elements of a collection or tuple, attributes of an object.

use crate::language::Language;
use crate::refinement::{LengthRange, Refinement, StringLanguage};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

use super::text::language_of;
use crate::rule::Rule;
use crate::rule::keywords::{Keyword, row};

/// A rule on the length of a string, collection, tuple or object: compares it with a fixed length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LengthRule {
    /// The unit in which lengths are counted.
    pub unit: Unit,
    /// How the length is compared.
    pub test: LengthTest,
    /// The length to compare with.
    pub length: u64,
}

/// How the length of a value is compared with the length in the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LengthTest {
    /// At least this length.
    Min,
    /// At most this length.
    Max,
    /// Exactly this length.
    Exact,
}

/// The unit of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// Code points of a string; elements, members, entries or attributes of other values.
    Elements,
    /// Bytes of a string in UTF-8.
    Bytes,
    /// Grapheme clusters of a string: what readers see as one character.
    Graphemes,
}

impl Rule {
    /// The string has at least this many code points, or the collection this many elements.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{LengthRange, Refinement, Type, Value};
    ///
    /// let some = Rule::min_len(1);
    /// assert!(some.check_value(&Value::from("web"))?.is_pass());
    /// assert!(some.check_value(&Value::from(""))?.is_fail());
    /// // How many subnets there will be is open, but it is at least two.
    /// let subnets = Refinement::length(LengthRange::at_least(2)).and_not_null();
    /// let subnets = Value::refined(Type::list(Type::String)?, subnets)?;
    /// assert!(some.check_value(&subnets)?.is_pass());
    /// assert!(Rule::max_len(5).check_value(&subnets)?.is_undetermined());
    /// assert!(Rule::len(1).check_value(&subnets)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn min_len(length: u64) -> Rule {
        Rule::min_len_in(Unit::Elements, length)
    }

    /// The string has at most this many code points, or the collection this many elements.
    ///
    /// [Example](Rule::min_len)
    pub fn max_len(length: u64) -> Rule {
        Rule::max_len_in(Unit::Elements, length)
    }

    /// The string has exactly this many code points, or the collection this many elements.
    ///
    /// [Example](Rule::min_len)
    pub fn len(length: u64) -> Rule {
        Rule::len_in(Unit::Elements, length)
    }

    /// The value has at least this length in a unit.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Rule, Unit};
    ///
    /// // One character to its readers, two code points, eight bytes: the flag of France.
    /// let flag = Value::from("\u{1f1eb}\u{1f1f7}");
    /// assert!(Rule::len_in(Unit::Graphemes, 1).check_value(&flag)?.is_pass());
    /// assert!(Rule::max_len_in(Unit::Elements, 2).check_value(&flag)?.is_pass());
    /// assert!(Rule::min_len_in(Unit::Bytes, 9).check_value(&flag)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn min_len_in(unit: Unit, length: u64) -> Rule {
        Rule::Length(LengthRule { unit, test: LengthTest::Min, length })
    }

    /// The value has at most this length in a unit.
    ///
    /// [Example](Rule::min_len_in)
    pub fn max_len_in(unit: Unit, length: u64) -> Rule {
        Rule::Length(LengthRule { unit, test: LengthTest::Max, length })
    }

    /// The value has exactly this length in a unit.
    ///
    /// [Example](Rule::min_len_in)
    pub fn len_in(unit: Unit, length: u64) -> Rule {
        Rule::Length(LengthRule { unit, test: LengthTest::Exact, length })
    }
}

impl LengthRule {
    /// The entry of the keyword table for this rule: its name in rules files and the types that it can read.
    pub(in crate::rule) fn row(&self) -> &'static Keyword {
        match (self.unit, self.test) {
            (Unit::Elements, LengthTest::Min) => const { row("min_len") },
            (Unit::Elements, LengthTest::Max) => const { row("max_len") },
            (Unit::Elements, LengthTest::Exact) => const { row("len") },
            (Unit::Bytes, LengthTest::Min) => const { row("min_byte_len") },
            (Unit::Bytes, LengthTest::Max) => const { row("max_byte_len") },
            (Unit::Bytes, LengthTest::Exact) => const { row("byte_len") },
            (Unit::Graphemes, LengthTest::Min) => const { row("min_grapheme_len") },
            (Unit::Graphemes, LengthTest::Max) => const { row("max_grapheme_len") },
            (Unit::Graphemes, LengthTest::Exact) => const { row("grapheme_len") },
        }
    }

    /// Whether the rule holds for a value that is not null. `None` if that depends on unknowns.
    pub(in crate::rule) fn holds(&self, value: &Value) -> Option<bool> {
        self.decide(self.range_of(value)?).or_else(|| self.decide_by_language(value))
    }

    /// Whether the rule holds for all strings of the known language of a value, or for none, where the bounds of their
    /// lengths cannot tell: a language may have shorter and longer strings but none of exactly this length, and its
    /// characters may take different numbers of bytes. `None` if the language cannot tell either.
    pub(in crate::rule) fn decide_by_language(&self, value: &Value) -> Option<bool> {
        let known = language_of(value)?;
        let counts_bytes = match self.unit {
            Unit::Bytes => !counts_characters(self.unit, known),
            Unit::Elements | Unit::Graphemes => false,
        };
        if !counts_bytes && (self.test != LengthTest::Exact || !counts_characters(self.unit, known)) {
            return None;
        }
        let range = self.range();
        let least = u32::try_from(range.lower()).unwrap_or(u32::MAX);
        let most = range.upper().map(|most| u32::try_from(most).unwrap_or(u32::MAX));
        let wanted =
            if counts_bytes { Language::byte_lengths(least, most) } else { Language::lengths(least, most) };
        known.language().decides(&wanted.ok()?)
    }

    /// Whether every length of the range satisfies the rule (`Some(true)`), or none does (`Some(false)`).
    pub(in crate::rule) fn decide(&self, range: LengthRange) -> Option<bool> {
        match self.test {
            LengthTest::Min => at_least(range, self.length),
            LengthTest::Max => at_most(range, self.length),
            LengthTest::Exact => exactly(range, self.length),
        }
    }

    /// The range of the lengths that satisfy the rule.
    pub(in crate::rule) fn range(&self) -> LengthRange {
        match self.test {
            LengthTest::Min => LengthRange::at_least(self.length),
            LengthTest::Max => LengthRange::at_most(self.length),
            LengthTest::Exact => LengthRange::exactly(self.length),
        }
    }

    /// The range of the lengths that a value, which is not null, may have, in the unit of the rule. `None` if its type
    /// has no such length or is unknown.
    pub(in crate::rule) fn range_of(&self, value: &Value) -> Option<LengthRange> {
        match self.unit {
            Unit::Elements => length_range(value),
            unit => string_length_range(value, unit),
        }
    }

    /// The words for the comparison: `at least`, `at most` or `exactly`.
    pub(in crate::rule) fn comparison(&self) -> &'static str {
        match self.test {
            LengthTest::Min => "at least",
            LengthTest::Max => "at most",
            LengthTest::Exact => "exactly",
        }
    }

    /// The required length in words: `at least 16 characters`, `exactly 1 element`. Where the type is not given or has
    /// no noun for its elements, `a length of at least 16`.
    pub(in crate::rule) fn in_words(&self, ty: Option<&Type>) -> String {
        let (how, length) = (self.comparison(), self.length);
        let noun = match (self.unit, ty) {
            (Unit::Bytes, _) => "byte",
            (Unit::Graphemes, _) => "grapheme",
            (Unit::Elements, Some(Type::String)) => "character",
            (Unit::Elements, Some(Type::Set(_))) => "member",
            (Unit::Elements, Some(Type::Object(_))) => "attribute",
            (Unit::Elements, Some(Type::List(_) | Type::Map(_) | Type::Tuple(_))) => "element",
            _ if self.test == LengthTest::Exact => return format!("a length of {length}"),
            _ => return format!("a length of {how} {length}"),
        };
        let plural = if length == 1 { "" } else { "s" };
        format!("{how} {length} {noun}{plural}")
    }
}

/// The range of the lengths that a value, which is not null, may have; `None` if its type has no length or is unknown.
///
/// | value | length |
/// |---|---|
/// | known string | its code points |
/// | unknown string | at least the code points of its known prefix |
/// | list, map | its length, known even if elements are not |
/// | set | from the minimum to the maximum number of distinct members |
/// | tuple, object | what the type says |
fn length_range(value: &Value) -> Option<LengthRange> {
    let exactly = |length: usize| Some(LengthRange::exactly(length as u64));
    match view_below_marks(value) {
        View::String(text) => exactly(text.chars().count()),
        View::List(list) => exactly(list.len()),
        View::Map(map) => exactly(map.len()),
        View::Set(set) => Some(set.length()),
        View::Tuple(tuple) => exactly(tuple.len()),
        View::Object(object) => exactly(object.len()),
        View::Unknown(range) => match range.ty() {
            Type::String => Some(unknown_string_lengths(range.refinement(), Unit::Elements)),
            Type::Tuple(ty) => exactly(ty.len()),
            Type::Object(ty) => exactly(ty.len()),
            Type::List(_) | Type::Set(_) | Type::Map(_) => Some(range.length_range().unwrap_or_default()),
            _ => None,
        },
        _ => None,
    }
}

/// The range of the lengths that a string, which is not null, may have, in a unit; `None` if the value may not be a
/// string. An unknown string is at least as long as its known prefix: appending never makes it shorter, since a
/// boundary between grapheme clusters depends on the string before it and one character after it.
fn string_length_range(value: &Value, unit: Unit) -> Option<LengthRange> {
    match view_below_marks(value) {
        View::String(text) => Some(LengthRange::exactly(count(unit, text))),
        View::Unknown(range) if *range.ty() == Type::String => {
            Some(unknown_string_lengths(range.refinement(), unit))
        }
        _ => None,
    }
}

/// The lengths that an unknown string may have, in a unit.
///
/// | unit | of a language |
/// |---|---|
/// | code points | those of its shortest and its longest string |
/// | bytes | those of its prefix, and one to four of each code point |
/// | grapheme clusters | those of its prefix, and at most one of each code point |
///
/// Of characters of ASCII without the line end `\r\n`, each is one byte and one grapheme cluster.
pub(in crate::rule) fn unknown_string_lengths(refinement: &Refinement, unit: Unit) -> LengthRange {
    let of_prefix = count(unit, refinement.prefix_str().unwrap_or_default());
    let Some(known) = refinement.string_language() else { return LengthRange::at_least(of_prefix) };
    let (shortest, longest) = (known.language().shortest().unwrap_or(0), known.language().longest());
    let (shortest, longest) = (u64::from(shortest), longest.map(u64::from));
    let (least, most) = match unit {
        unit if counts_characters(unit, known) => (shortest, longest),
        Unit::Elements | Unit::Graphemes => (shortest.min(1), longest),
        Unit::Bytes => {
            let last = known.language().characters().last().map_or('\0', |(_, last)| *last);
            (shortest, longest.map(|longest| longest.saturating_mul(last.len_utf8() as u64)))
        }
    };
    LengthRange::new(least.max(of_prefix), most).unwrap_or_default()
}

/// Whether each code point of the strings of a language counts as one in the unit.
fn counts_characters(unit: Unit, known: &StringLanguage) -> bool {
    let characters = || known.language().characters();
    match unit {
        Unit::Elements => true,
        Unit::Bytes => characters().iter().all(|(_, last)| last.is_ascii()),
        Unit::Graphemes => {
            characters().iter().all(|(first, last)| last.is_ascii() && !(*first..=*last).contains(&'\r'))
        }
    }
}

/// The length of a string in a unit: code points, bytes or grapheme clusters.
fn count(unit: Unit, text: &str) -> u64 {
    match unit {
        Unit::Elements => text.chars().count() as u64,
        Unit::Bytes => text.len() as u64,
        Unit::Graphemes => crate::text::grapheme_count(text) as u64,
    }
}

/// Whether every length of the range is at least `least` (`Some(true)`), or every one is smaller (`Some(false)`).
fn at_least(length: LengthRange, least: u64) -> Option<bool> {
    if length.lower() >= least {
        Some(true)
    } else if length.upper().is_some_and(|upper| upper < least) {
        Some(false)
    } else {
        None
    }
}

/// Whether every length of the range is at most `most` (`Some(true)`), or every one is larger (`Some(false)`).
fn at_most(length: LengthRange, most: u64) -> Option<bool> {
    if length.upper().is_some_and(|upper| upper <= most) {
        Some(true)
    } else if length.lower() > most {
        Some(false)
    } else {
        None
    }
}

/// Whether `wanted` is the only length of the range (`Some(true)`), or is not in the range (`Some(false)`).
fn exactly(length: LengthRange, wanted: u64) -> Option<bool> {
    match length.exact() {
        Some(length) => Some(length == wanted),
        None if !length.contains(wanted) => Some(false),
        None => None,
    }
}
