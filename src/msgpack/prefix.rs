//! The length to which a known string prefix is cut when it is written.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::stable_prefix;

/// The maximum length of a written prefix in bytes; a longer one is cut.
const MAX_BYTES: usize = 256;

/// Characters after which cty cuts a prefix: one of them at its end is kept.
const DELIMITERS: &str = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";

/// Cuts a known string prefix to at most 256 bytes for writing; a shorter one is returned whole. Of a longer one the
/// first 255 bytes are cut as cty cuts them: the last grapheme cluster is dropped unless it is a delimiter. If byte
/// 255 is inside a character, the result is the part before that character which no continuation can change.
pub(super) fn truncated(prefix: &str) -> &str {
    if prefix.len() <= MAX_BYTES {
        return prefix;
    }
    let most = MAX_BYTES.saturating_sub(1);
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
