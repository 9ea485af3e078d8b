//! Descriptions of refinements in words.

use std::fmt;

use super::string_language::Form;
use super::syntax::Quoted;
use super::{
    Bound, ElementRange, LengthRange, Nullness, Numbers, Range, Refinement, StringLanguage, StructureRange,
};
use crate::number::Number;

/// A description of a refinement or a range in words; its `Display` writes it.
#[derive(Clone, Copy, Debug)]
pub struct Description<'a> {
    /// `None` for the description of a range, which does not mention null.
    nullness: Option<Nullness>,
    range: &'a Range,
}

impl<'a> Description<'a> {
    /// The description of a refinement, null included.
    pub(super) fn of(refinement: &'a Refinement) -> Description<'a> {
        Description { nullness: Some(refinement.nullness), range: &refinement.range }
    }

    /// The description of a range alone.
    pub(super) fn of_range(range: &'a Range) -> Description<'a> {
        Description { nullness: None, range }
    }
}

impl Refinement {
    /// The description without "or null", for contradictions: these are never about null.
    pub(super) fn describe_demand(&self) -> Description<'_> {
        match (self.nullness, &self.range) {
            (Nullness::Nullable, range) => Description::of_range(range),
            _ => Description::of(self),
        }
    }
}

impl fmt::Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.nullness, self.range) {
            (Some(Nullness::Null), _) => f.write_str("null"),
            (Some(Nullness::NotNull), Range::Any) => f.write_str("not null"),
            (Some(Nullness::NotNull), range) => write!(f, "not null, {}", range.describe()),
            (Some(Nullness::Nullable) | None, Range::Any) => f.write_str("nothing"),
            (Some(Nullness::Nullable), range) => write!(f, "{}, or null", range.describe()),
            (None, Range::Prefix(prefix)) => write!(f, "starts with {}", Quoted(prefix.as_str())),
            (None, Range::Number(range)) => match range.singleton() {
                Some(number) => write!(f, "exactly {number}"),
                None => {
                    DescribedBounds { lower: range.lower(), upper: range.upper(), separator: ", " }.fmt(f)
                }
            },
            (None, Range::Multiples(multiples)) => {
                match multiples.step() {
                    1 => f.write_str("a whole number")?,
                    step => write!(f, "a multiple of {step}")?,
                }
                let range = multiples.stated_range();
                if range.is_trivial() {
                    return Ok(());
                }
                write!(
                    f,
                    ", {}",
                    DescribedBounds { lower: range.lower(), upper: range.upper(), separator: ", " }
                )
            }
            (None, Range::Numbers(numbers)) => describe_numbers(numbers, f),
            (None, Range::Length(range)) => describe_length(*range, f),
            (None, Range::Elements(elements)) => describe_elements(elements, f),
            (None, Range::Structure(structure)) => describe_structure(structure, f),
            (None, Range::Language(language)) => describe_language(language, f),
        }
    }
}

/// The two bounds of an interval in words.
pub(super) struct DescribedBounds<'a> {
    pub(super) lower: &'a Bound,
    pub(super) upper: &'a Bound,
    /// The text between them.
    pub(super) separator: &'a str,
}

impl fmt::Display for DescribedBounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((words, number)) = bound_in_words(self.lower, "at least", "above") {
            write!(f, "{words} {number}")?;
            if *self.upper != Bound::Unbounded {
                f.write_str(self.separator)?;
            }
        }
        if let Some((words, number)) = bound_in_words(self.upper, "at most", "below") {
            write!(f, "{words} {number}")?;
        }
        Ok(())
    }
}

/// The words for a bound and its number; `None` without a bound.
fn bound_in_words<'a>(
    bound: &'a Bound,
    inclusive: &'static str,
    exclusive: &'static str,
) -> Option<(&'static str, &'a Number)> {
    match bound {
        Bound::Unbounded => None,
        Bound::Inclusive(number) => Some((inclusive, number)),
        Bound::Exclusive(number) => Some((exclusive, number)),
    }
}

/// Writes a length range in words.
fn describe_length(range: LengthRange, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let elements = |n: u64| if n == 1 { "element" } else { "elements" };
    match (range.lower(), range.upper()) {
        (0, Some(0)) => f.write_str("no elements"),
        (0, Some(max)) => write!(f, "at most {max} {}", elements(max)),
        (min, Some(max)) if min == max => write!(f, "exactly {min} {}", elements(min)),
        (min, Some(max)) => write!(f, "{min} to {max} elements"),
        (min, None) => write!(f, "at least {min} {}", elements(min)),
    }
}

/// Writes a length, and what is known of each element and key, in words.
fn describe_elements(elements: &ElementRange, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let length = elements.length();
    if !length.is_trivial() {
        describe_length(length, f)?;
        f.write_str(", ")?;
    }
    if !elements.element().is_trivial() {
        write!(f, "each element ({})", elements.element().describe())?;
    }
    if *elements.keys() != Range::Any {
        let separator = if elements.element().is_trivial() { "" } else { ", " };
        write!(f, "{separator}each key ({})", elements.keys().describe())?;
    }
    Ok(())
}

/// Writes the refinements of attributes or tuple elements in words.
fn describe_structure(structure: &StructureRange, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut separator = "";
    for (name, refinement) in structure.attributes() {
        write!(f, "{separator}attribute {} ({})", Quoted(name), refinement.describe())?;
        separator = ", ";
    }
    for (index, refinement) in structure.elements() {
        write!(f, "{separator}element {index} ({})", refinement.describe())?;
        separator = ", ";
    }
    Ok(())
}

/// The maximum number of strings of a language that a description lists.
const LISTED: usize = 10;

/// The maximum number of characters of a pattern in a description.
const PATTERN: usize = 120;

/// The number of strings that a description gives as examples of a language whose pattern is longer.
const EXAMPLES: usize = 2;

impl StringLanguage {
    /// Whether the description starts with a verb, as "ends with", which "is" cannot precede.
    #[doc(hidden)]
    pub fn is_described_by_verb(&self) -> bool {
        match &*self.form() {
            Form::Suffix(_) | Form::Containing(_) | Form::Enclosed(..) => true,
            Form::Pattern(pattern) => is_short(pattern),
            Form::Lengths(..) | Form::OneOf(_) | Form::Table(_) => false,
        }
    }
}

/// Whether a description shows the pattern.
fn is_short(pattern: &str) -> bool {
    pattern.chars().nth(PATTERN).is_none()
}

/// Writes a language in words.
fn describe_language(language: &StringLanguage, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let characters = |n: u32| if n == 1 { "character" } else { "characters" };
    match &*language.form() {
        Form::Suffix(suffix) => write!(f, "ends with {}", Quoted(suffix)),
        Form::Containing(part) => write!(f, "contains {}", Quoted(part)),
        Form::Enclosed(prefix, suffix) => {
            write!(f, "starts with {} and ends with {}", Quoted(prefix), Quoted(suffix))
        }
        Form::Lengths(least, None) => write!(f, "at least {least} {} long", characters(*least)),
        Form::Lengths(0, Some(most)) => write!(f, "at most {most} {} long", characters(*most)),
        Form::Lengths(least, Some(most)) if least == most => {
            write!(f, "exactly {most} {} long", characters(*most))
        }
        Form::Lengths(least, Some(most)) => write!(f, "{least} to {most} characters long"),
        Form::OneOf(strings) => {
            if let [only] = strings.as_slice() {
                return write!(f, "exactly {}", Quoted(only));
            }
            f.write_str("one of ")?;
            write_strings(f, strings.iter().take(LISTED))?;
            match strings.len().saturating_sub(LISTED) {
                0 => Ok(()),
                others => write!(f, " and {others} others"),
            }
        }
        Form::Pattern(pattern) if is_short(pattern) => {
            write!(f, "matches {pattern}")
        }
        Form::Pattern(_) | Form::Table(_) => {
            f.write_str("of a shape such as ")?;
            write_strings(f, language.language().examples(EXAMPLES).iter())
        }
    }
}

/// Writes a list of numbers in words, all of them: there are few.
fn describe_numbers(numbers: &Numbers, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("one of ")?;
    for (place, number) in numbers.as_slice().iter().enumerate() {
        write!(f, "{}{number}", if place == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// Writes strings in quotes with commas between them.
fn write_strings<'a>(f: &mut fmt::Formatter<'_>, strings: impl Iterator<Item = &'a String>) -> fmt::Result {
    for (place, string) in strings.enumerate() {
        write!(f, "{}{}", if place == 0 { "" } else { ", " }, Quoted(string))?;
    }
    Ok(())
}
