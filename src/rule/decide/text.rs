//! Rules on strings. Of an unknown string, a prefix may be known.

use crate::text::nfc;
use crate::types::Type;
use crate::value::Value;

use crate::rule::evaluate::known_text;
use crate::rule::{Pattern, Words};

/// Whether the string starts with `start`.
///
/// | known prefix `p` | answer |
/// |---|---|
/// | starts with `start` | holds |
/// | `p` is a shorter prefix of `start` | depends |
/// | anything else | does not hold |
pub(in crate::rule) fn starts_with(value: &Value, start: &str) -> Option<bool> {
    let start = nfc(start);
    if let Some(text) = known_text(value) {
        return Some(text.starts_with(&*start));
    }
    decide_by_prefix(value, |known| {
        if known.starts_with(&*start) {
            Some(true)
        } else if start.starts_with(known) {
            None
        } else {
            Some(false)
        }
    })
}

/// Whether the string is `first` or sorts after it.
///
/// Every string with the prefix `p` is at least `p`; and if `p` is not a prefix of `first`, all such strings are on
/// the same side of `first`.
///
/// | known prefix `p` | answer |
/// |---|---|
/// | is `first` or after it | holds |
/// | `p` is a shorter prefix of `first` | depends |
/// | anything else | does not hold |
pub(in crate::rule) fn not_before(value: &Value, first: &str) -> Option<bool> {
    let first = nfc(first);
    if let Some(text) = known_text(value) {
        return Some(text >= &*first);
    }
    decide_by_prefix(value, |known| {
        (known >= &*first || !first.starts_with(known)).then_some(known >= &*first)
    })
}

/// Whether the string is `last` or sorts before it.
///
/// | known prefix `p` | answer |
/// |---|---|
/// | is after `last` | does not hold |
/// | is `last` or a prefix of it | depends |
/// | anything else | holds |
pub(in crate::rule) fn not_after(value: &Value, last: &str) -> Option<bool> {
    let last = nfc(last);
    if let Some(text) = known_text(value) {
        return Some(text <= &*last);
    }
    decide_by_prefix(value, |known| (!last.starts_with(known)).then_some(known <= &*last))
}

/// Whether the string ends with `end`. A prefix decides nothing about the end of a string.
pub(in crate::rule) fn ends_with(value: &Value, end: &str) -> Option<bool> {
    match known_text(value) {
        Some(text) => Some(text.ends_with(&*nfc(end))),
        None if !is_string(value) => None,
        None => end.is_empty().then_some(true),
    }
}

/// Whether the string contains `part`.
pub(in crate::rule) fn contains(value: &Value, part: &str) -> Option<bool> {
    match known_text(value) {
        Some(text) => Some(text.contains(part)),
        None => decide_by_prefix(value, |known| known.contains(part).then_some(true)),
    }
}

/// Whether the pattern finds a match in the string.
pub(in crate::rule) fn matches(value: &Value, pattern: &Pattern) -> Option<bool> {
    is_in_language(value, |text| pattern.is_match(text), |known| pattern.decides_prefix(known))
}

/// Whether the string is one of the words, ignoring case.
pub(in crate::rule) fn is_one_of(value: &Value, words: &Words) -> Option<bool> {
    is_in_language(value, |text| words.has(text), |known| words.decides_prefix(known))
}

/// Whether the string is in a set of strings: `accepts` decides a known string, `decides` an unknown one by its known
/// prefix.
pub(in crate::rule) fn is_in_language(
    value: &Value,
    accepts: impl FnOnce(&str) -> bool,
    decides: impl FnOnce(&str) -> Option<bool>,
) -> Option<bool> {
    match known_text(value) {
        Some(text) => Some(accepts(text)),
        None => decide_by_prefix(value, decides),
    }
}

/// Whether the value certainly has the type string.
fn is_string(value: &Value) -> bool {
    value.ty() == Type::String
}

/// Decides by the known prefix of an unknown string, which may be empty; `None` if the value may not be a string.
fn decide_by_prefix(value: &Value, answer: impl FnOnce(&str) -> Option<bool>) -> Option<bool> {
    if let Some((ty, refinement)) = value.bare_unknown() {
        return if *ty == Type::String { answer(refinement.prefix_str().unwrap_or_default()) } else { None };
    }
    if !is_string(value) {
        return None;
    }
    answer(value.range().prefix().unwrap_or_default())
}
