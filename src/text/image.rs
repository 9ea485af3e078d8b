//! The prefix of a mapped string, such as `upper(x)`, when only a prefix of `x` is known.

use unicode_normalization::char::compose;

use super::stable::{JOINERS_VERSION, is_boundary, joiners};
use super::{common_prefix, nfc, stable_prefix};

/// The maximum length in bytes of the last character of `start` with its combining marks for which every character
/// that may follow is tried. A longer one is cut off instead.
const MAX_CLUSTER_BYTES: usize = 64;

/// The longest prefix (in form C) that `map` of every string with the prefix `start` begins with.
///
/// `map(before, text)` maps a string character by character; its result may depend on `before`, the character before
/// the string. It never maps a character that does not combine with its predecessor to one that does.
///
/// A character that follows `start` does not combine with its end, or the string would not have the prefix `start`.
/// After mapping it may: `ı` and a combining dot are two characters, `I` and that dot are one (`İ`).
pub(crate) fn image_prefix(start: &str, before: char, map: impl Fn(char, &str) -> String) -> String {
    let mut whole = nfc(&map(before, start)).into_owned();
    let surely = stable_prefix(&whole).len();
    if surely < whole.len() {
        let unstable = unstable_end(start, &whole, before, map);
        whole.truncate(unstable.map_or(surely, |bytes| whole.len().saturating_sub(bytes)));
    }
    whole
}

/// The number of bytes at the end of `whole`, the mapped `start`, that a character following `start` can change;
/// `None` if that is not determined. Trying each single character that may follow is enough, for the reason given at
/// [`stable_prefix`].
fn unstable_end(start: &str, whole: &str, before: char, map: impl Fn(char, &str) -> String) -> Option<usize> {
    if unicode_normalization::UNICODE_VERSION != JOINERS_VERSION {
        return None;
    }
    let at = start.char_indices().rev().find(|(_, c)| is_boundary(*c)).map_or(0, |(at, _)| at);
    let (rest, end) = start.split_at_checked(at).filter(|(_, end)| end.len() <= MAX_CLUSTER_BYTES)?;
    let before = rest.chars().next_back().unwrap_or(before);
    let alone = nfc(&map(before, end)).into_owned();
    if !whole.ends_with(&alone) {
        return None;
    }
    if let (&[unmapped], &[mapped]) = (end.as_bytes(), alone.as_bytes()) {
        let joins = |c: u8, joiner| compose(char::from(c), joiner).is_some();
        return Some(usize::from(joiners().any(|joiner| joins(mapped, joiner) && !joins(unmapped, joiner))));
    }
    let follows = joiners().map(|joiner| format!("{end}{joiner}")).filter(|text| nfc(text).starts_with(end));
    let same = follows.map(|text| common_prefix(&alone, &nfc(&map(before, &text))).len());
    Some(alone.len().saturating_sub(same.min().unwrap_or(alone.len())))
}
