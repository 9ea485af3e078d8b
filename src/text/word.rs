//! Words: names that need no quotes in the text forms of the crate.

use std::fmt::{self, Write};

use super::write_quoted;

/// Writes an attribute name or key: as it is if it is a word, else in quotes with escapes.
pub(crate) fn write_word(out: &mut impl Write, name: &str) -> fmt::Result {
    if is_word(name) { out.write_str(name) } else { write_quoted(out, name) }
}

/// Splits a text after the decimal digits at its start, of which there may be none.
pub(crate) fn split_digits(text: &str) -> (&str, &str) {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Whether the string is a word: letters, digits, `_` and `-`, and neither a digit nor `-` first.
pub fn is_word(text: &str) -> bool {
    text.starts_with(starts_word) && text.chars().all(continues_word)
}

/// Whether a word may start with the character.
pub(crate) fn starts_word(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether a word may contain the character after its first one.
pub(crate) fn continues_word(c: char) -> bool {
    matches!(c, '_' | '-') || c.is_alphanumeric()
}
