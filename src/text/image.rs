//! What is known of a text that another one is made into, character by character.

use unicode_normalization::char::compose;

use super::stable::{JOINERS_VERSION, is_boundary, joiners};
use super::{common_prefix, nfc, stable_prefix};

/// An end of more bytes is not tried with everything that may follow it.
const END: usize = 64;

/// The longest text that all the images of texts in form C which start with `start` start with, in form C.
///
/// `map` gives the image of a text, which may hang on the character before it: first that is `before`. It maps
/// character by character, and to no character that joins others unless it was that one.
///
/// What follows in the text does not join its start, or the text would not start so; in the image it may: `ı` and a
/// dot above are two characters, and `I` with that dot is one.
pub(crate) fn image(start: &str, before: char, map: impl Fn(char, &str) -> String) -> String {
    let mut whole = nfc(&map(before, start)).into_owned();
    let surely = stable_prefix(&whole).len();
    if surely < whole.len() {
        let lost = lost(start, &whole, before, map);
        whole.truncate(lost.map_or(surely, |lost| whole.len().saturating_sub(lost)));
    }
    whole
}

/// How many bytes at the end of the image can change. As with [`stable_prefix`], one character that follows shows it.
fn lost(start: &str, whole: &str, before: char, map: impl Fn(char, &str) -> String) -> Option<usize> {
    if unicode_normalization::UNICODE_VERSION != JOINERS_VERSION {
        return None;
    }
    let at = start.char_indices().rev().find(|(_, c)| is_boundary(*c)).map_or(0, |(at, _)| at);
    let (rest, end) = start.split_at_checked(at).filter(|(_, end)| end.len() <= END)?;
    let before = rest.chars().next_back().unwrap_or(before);
    let alone = nfc(&map(before, end)).into_owned();
    if !whole.ends_with(&alone) {
        return None;
    }
    if let (&[one], &[image]) = (end.as_bytes(), alone.as_bytes()) {
        let joins = |c: u8, joiner| compose(char::from(c), joiner).is_some();
        return Some(usize::from(joiners().any(|joiner| joins(image, joiner) && !joins(one, joiner))));
    }
    let follows = joiners().map(|joiner| format!("{end}{joiner}")).filter(|text| nfc(text).starts_with(end));
    let same = follows.map(|text| common_prefix(&alone, &nfc(&map(before, &text))).len());
    Some(alone.len().saturating_sub(same.min().unwrap_or(alone.len())))
}
