//! Helpers shared by the two users of the YAML parser: the function `yamldecode` and the format `yaml` of rules.
//! The parser is saphyr-parser, which gives one event after the other; it does not recurse and does not expand
//! aliases.

use std::cell::Cell;
use std::str::Chars;

/// The maximum nesting depth of YAML collections. saphyr-parser refuses deeper flow collections (`[[…]]`) itself;
/// the readers refuse deeper block collections too, so that both notations accept the same documents.
pub(crate) const NESTING: usize = 255;

/// Whether YAML allows the character in a document.
pub(crate) fn is_printable(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    }
}

/// Iterates over the characters of a known prefix of a document, for a parser, and records whether the parser asked
/// for more than the prefix. A parser that fails before it has asked for more fails on every document with this
/// prefix. As the parser looks a few characters ahead, it may ask for more too early, which is safe: the failure then
/// decides nothing.
pub(crate) struct PrefixChars<'a> {
    chars: Chars<'a>,
    read_past_end: &'a Cell<bool>,
}

impl<'a> PrefixChars<'a> {
    /// Iterates over the characters of the prefix `text`; sets `read_past_end` when a character after its last one is
    /// requested.
    pub(crate) fn new(text: &'a str, read_past_end: &'a Cell<bool>) -> PrefixChars<'a> {
        PrefixChars { chars: text.chars(), read_past_end }
    }
}

impl Iterator for PrefixChars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let next = self.chars.next();
        self.read_past_end.set(self.read_past_end.get() || next.is_none());
        next
    }
}
