//! What all that reads YAML shares. The reader is saphyr-parser, event by event: it neither recurses nor follows aliases.

use std::cell::Cell;
use std::str::Chars;

/// How many collections nest in one another at most: more than that the reader of YAML does not take in one line, and
/// none is taken in lines of their own either.
pub(crate) const NESTING: usize = 255;

/// The characters that YAML allows in a text.
pub(crate) fn is_printable(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    }
}

/// The characters of the beginning of a text, for a reader that is watched. Where it gives up before it has seen the end,
/// it gives up on every text that begins so; it looks some characters ahead, so the last few decide nothing.
pub(crate) struct Beginning<'a> {
    chars: Chars<'a>,
    seen_all: &'a Cell<bool>,
}

impl<'a> Beginning<'a> {
    /// `seen_all` tells whether the reader has asked for more than there is.
    pub(crate) fn new(text: &'a str, seen_all: &'a Cell<bool>) -> Beginning<'a> {
        Beginning { chars: text.chars(), seen_all }
    }
}

impl Iterator for Beginning<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let next = self.chars.next();
        self.seen_all.set(self.seen_all.get() || next.is_none());
        next
    }
}
