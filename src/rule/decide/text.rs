//! Rules on text. Of an unknown text, a beginning may be known.

use crate::text::nfc;
use crate::types::Type;
use crate::value::Value;

use crate::rule::evaluate::known_text;
use crate::rule::{Pattern, Words};

/// | known beginning `p` | answer |
/// |---|---|
/// | starts with `start` | holds |
/// | `start` goes on after `p` | depends |
/// | anything else | does not hold |
pub(in crate::rule) fn starts_with(value: &Value, start: &str) -> Option<bool> {
    let start = nfc(start);
    if let Some(text) = known_text(value) {
        return Some(text.starts_with(&*start));
    }
    prefix(value, |known| {
        if known.starts_with(&*start) {
            Some(true)
        } else if start.starts_with(known) {
            None
        } else {
            Some(false)
        }
    })
}

/// Every string with the prefix `p` is at least `p`; and if `p` is not a prefix of `first`, all such strings are on
/// the same side of `first`.
///
/// | known beginning `p` | answer |
/// |---|---|
/// | is `first` or after it | holds |
/// | `first` goes on after `p` | depends |
/// | anything else | does not hold |
pub(in crate::rule) fn not_before(value: &Value, first: &str) -> Option<bool> {
    let first = nfc(first);
    if let Some(text) = known_text(value) {
        return Some(text >= &*first);
    }
    prefix(value, |known| (known >= &*first || !first.starts_with(known)).then_some(known >= &*first))
}

/// | known beginning `p` | answer |
/// |---|---|
/// | is after `last` | does not hold |
/// | is `last`, or `last` goes on after `p` | depends |
/// | anything else | holds |
pub(in crate::rule) fn not_after(value: &Value, last: &str) -> Option<bool> {
    let last = nfc(last);
    if let Some(text) = known_text(value) {
        return Some(text <= &*last);
    }
    prefix(value, |known| (!last.starts_with(known)).then_some(known <= &*last))
}

/// A prefix decides nothing about the end of a string.
pub(in crate::rule) fn ends_with(value: &Value, end: &str) -> Option<bool> {
    match known_text(value) {
        Some(text) => Some(text.ends_with(&*nfc(end))),
        None if !is_text(value) => None,
        None => end.is_empty().then_some(true),
    }
}

pub(in crate::rule) fn contains(value: &Value, part: &str) -> Option<bool> {
    match known_text(value) {
        Some(text) => Some(text.contains(part)),
        None => prefix(value, |known| known.contains(part).then_some(true)),
    }
}

pub(in crate::rule) fn matches(value: &Value, pattern: &Pattern) -> Option<bool> {
    is_of(value, |text| pattern.is_match(text), |known| pattern.decides_prefix(known))
}

pub(in crate::rule) fn is_among(value: &Value, words: &Words) -> Option<bool> {
    is_of(value, |text| words.has(text), |known| words.decides_prefix(known))
}

/// Of a known text, whether it is accepted; else what its beginning says.
pub(in crate::rule) fn is_of(
    value: &Value,
    accepts: impl FnOnce(&str) -> bool,
    decides: impl FnOnce(&str) -> Option<bool>,
) -> Option<bool> {
    match known_text(value) {
        Some(text) => Some(accepts(text)),
        None => prefix(value, decides),
    }
}

fn is_text(value: &Value) -> bool {
    value.ty() == Type::String
}

/// The answer of a known beginning, which may be empty; none where the value may be no text at all.
fn prefix(value: &Value, answer: impl FnOnce(&str) -> Option<bool>) -> Option<bool> {
    if let Some((ty, refinement)) = value.bare_unknown() {
        return if *ty == Type::String { answer(refinement.prefix_str().unwrap_or_default()) } else { None };
    }
    if !is_text(value) {
        return None;
    }
    answer(value.range().prefix().unwrap_or_default())
}
