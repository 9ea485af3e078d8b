//! Words: the names that stand without quotes in every text form of the crate.

use std::fmt::{self, Write};

use super::write_quoted;

/// A name as it is where it is a word, else in quotes.
pub(crate) fn write_word(out: &mut impl Write, name: &str) -> fmt::Result {
    if is_word(name) { out.write_str(name) } else { write_quoted(out, name) }
}

/// Whether a text is a word: letters, digits, `_` and `-`, not starting with a digit or `-`.
pub(crate) fn is_word(text: &str) -> bool {
    text.starts_with(starts_word) && text.chars().all(continues_word)
}

/// Whether a word may start so.
pub(crate) fn starts_word(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether a word may go on so.
pub(crate) fn continues_word(c: char) -> bool {
    matches!(c, '_' | '-') || c.is_alphanumeric()
}
