//! How much of a known prefix is written.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::stable_prefix;

/// A prefix of more bytes is cut.
const MOST: usize = 256;

/// Single characters that cty takes for ends of words: one at the end of a prefix is kept.
const DELIMITERS: &str = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";

/// The part of a prefix that is written: the whole up to 256 bytes; of a longer one what is safe of the first 255 bytes
/// in the eyes of cty, which drops the last grapheme cluster unless it is a delimiter, and of a character that is cut
/// through, what nothing that follows can change before it.
pub(super) fn kept(prefix: &str) -> &str {
    if prefix.len() <= MOST {
        return prefix;
    }
    let most = MOST.saturating_sub(1);
    let Some(cut) = prefix.get(..most) else {
        let end = (0..most).rev().find(|end| prefix.is_char_boundary(*end)).unwrap_or(0);
        return stable_prefix(prefix.get(..end).unwrap_or_default());
    };
    match cut.grapheme_indices(true).next_back() {
        Some((at, last)) if !(last.chars().count() == 1 && DELIMITERS.contains(last)) => {
            cut.get(..at).unwrap_or_default()
        }
        _ => cut,
    }
}
