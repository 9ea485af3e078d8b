//! Functions of strings: case, trimming, substrings, searching, paths. Also the helpers for strings of which only a
//! prefix is known, which other families use.
//!
//! Strings are in Unicode normal form C, and so is every substring of one. A prefix that is cut out of a known prefix
//! therefore stays a prefix of the result, whatever follows.

mod case;
mod characters;
mod contains;
mod indent;
mod join_split;
mod paths;
mod trim;

use std::ops::RangeInclusive;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Parameter};
use crate::language::{self, Language};
use crate::limits;
use crate::number::Number;
use crate::refinement::{Bound, Refinement, StringLanguage};
use crate::types::Type;
use crate::value::{Value, View, canonical};

use super::StandardFunction;

pub(super) use characters::language_length;
pub(super) use trim::overlap;

/// Registers the functions on strings.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    case::register(functions);
    characters::register(functions);
    trim::register(functions);
    indent::register(functions);
    join_split::register(functions);
    contains::register(functions);
    paths::register(functions);
}

/// What is known of a string that is not null.
#[derive(Clone, Copy)]
pub(super) enum KnownText<'a> {
    Whole(&'a str),
    /// The string is unknown, except that it starts with this.
    Prefix(&'a str),
}

impl<'a> KnownText<'a> {
    /// What is known of an argument that is a string and not null.
    pub(super) fn of(value: &'a Value) -> KnownText<'a> {
        match value.view() {
            View::String(text) => KnownText::Whole(text),
            _ => KnownText::Prefix(value.refinement().and_then(Refinement::prefix_str).unwrap_or_default()),
        }
    }

    /// The whole string if it is known, else its known prefix.
    pub(super) fn known_prefix(self) -> &'a str {
        match self {
            KnownText::Whole(text) | KnownText::Prefix(text) => text,
        }
    }

    /// The string as a value: known as a whole, or an unknown string with this prefix.
    pub(super) fn value(self) -> Value {
        match self {
            KnownText::Whole(text) => Value::from(text),
            KnownText::Prefix(prefix) => string_with_prefix(prefix),
        }
    }
}

/// The language of an argument that is an unknown string, if one is known that is more than a prefix.
pub(super) fn language_of(value: &Value) -> Option<&Language> {
    value.refinement()?.string_language().map(StringLanguage::language)
}

/// The language of an argument, if all its characters are ASCII and none is a carriage return, which joins a following
/// line feed: then each of them counts as one character (grapheme cluster), and no result needs normalization.
pub(super) fn ascii_language_of(value: &Value) -> Option<&Language> {
    let language = language_of(value)?;
    let is_plain = |(first, last): &(char, char)| last.is_ascii() && !(*first..=*last).contains(&'\r');
    language.characters().iter().all(is_plain).then_some(language)
}

/// The unknown string `value`, narrowed to the strings of a language; a known string is returned as it is.
pub(super) fn in_language(value: Value, language: language::Result) -> Value {
    match value.refinement() {
        Some(known) => canonical(Type::String, known.clone().and_language(language)),
        None if value.is_known() => value,
        None => canonical(Type::String, Refinement::not_null().and_language(language)),
    }
}

/// An unknown string, not null, that starts with this prefix.
pub(super) fn string_with_prefix(prefix: &str) -> Value {
    canonical(Type::String, Refinement::prefix(prefix).and_not_null())
}

/// A bool that is not null; unknown for None.
fn bool_or_unknown(truth: Option<bool>) -> Value {
    truth.map_or_else(|| canonical(Type::Bool, Refinement::not_null()), Value::from)
}

/// A parameter of type string.
pub(super) fn string_parameter(name: &str) -> Parameter {
    Parameter::new(name, Type::String)
}

/// An error if a text of `made` bytes is longer than [`limits::TEXT`] and longer than what it is made from: `given` is the
/// number of bytes that the caller counts for its arguments.
pub(super) fn check_length(made: usize, given: usize) -> Result<()> {
    if made <= given.max(limits::TEXT) {
        return Ok(());
    }
    Err(Error::new(Kind::Limit, format!("the text would have more than {} bytes", limits::TEXT)))
}

/// The 64-bit integers that an argument may be; an error if it can be none.
fn integer_range(arguments: &Arguments<'_>, index: usize) -> Result<RangeInclusive<i64>> {
    let value = arguments.at(index);
    if value.is_known() {
        return arguments.integer(index).map(|number| number..=number);
    }
    let range = value.range().number_range().cloned().unwrap_or_default();
    let min = match range.lower() {
        Bound::Unbounded => Some(Number::NEG_INFINITY),
        Bound::Inclusive(number) => Some(number.ceil()),
        Bound::Exclusive(number) => number.floor().add(&Number::ONE).ok(),
    };
    let max = match range.upper() {
        Bound::Unbounded => Some(Number::INFINITY),
        Bound::Inclusive(number) => Some(number.floor()),
        Bound::Exclusive(number) => number.ceil().subtract(&Number::ONE).ok(),
    };
    let (first, last) = (Number::from(i64::MIN), Number::from(i64::MAX));
    let (min, max) = (min.map(|number| number.max(first)), max.map(|number| number.min(last)));
    match (min.and_then(|number| number.to_i64()), max.and_then(|number| number.to_i64())) {
        (Some(min), Some(max)) if min <= max => Ok(min..=max),
        _ => Err(Error::new(Kind::Argument, "value must be a whole number").in_argument(index)),
    }
}
