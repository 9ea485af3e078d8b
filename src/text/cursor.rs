//! One cursor for the small grammars: types, refinements, paths, path expressions and addresses. Each grammar words its
//! own errors.

use super::{continues_word, read_quoted, starts_word};

/// Reads a string from left to right.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    /// The index of the next byte.
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of the string.
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// The whole string.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The index of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The part of the string that was not read yet.
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Moves on by this number of bytes.
    pub fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// Skips white space (space, tab, line feed, carriage return), and returns the index of the next byte.
    pub fn skip_space(&mut self) -> usize {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
        self.at
    }

    /// The next character, without reading it; `None` at the end.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads the next character; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.advance(next.map_or(0, char::len_utf8));
        next
    }

    /// Reads the character `wanted` if it is next. Returns whether it was.
    pub fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.advance(wanted.len_utf8());
        }
        found
    }

    /// Reads characters as long as they belong to the token.
    pub fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let run = rest.find(|c| !belongs(c)).and_then(|end| rest.get(..end)).unwrap_or(rest);
        self.advance(run.len());
        run
    }

    /// Reads a word of letters, digits, `_` and `-` that starts with a letter or `_`; empty if none is next.
    pub(crate) fn take_word(&mut self) -> &'a str {
        if self.peek().is_some_and(starts_word) { self.take_while(continues_word) } else { "" }
    }

    /// Reads four hexadecimal digits; `None`, without reading anything, if other characters are next.
    pub(crate) fn take_hex4(&mut self) -> Option<&'a str> {
        let digits = self.rest().get(..4).filter(|four| four.bytes().all(|b| b.is_ascii_hexdigit()))?;
        self.advance(digits.len());
        Some(digits)
    }

    /// Reads the rest of a quoted string, after its opening quote; `None` if it does not end.
    pub fn take_quoted(&mut self) -> Option<String> {
        let (text, after) = read_quoted(self.rest())?;
        self.at = self.text.len().saturating_sub(after.len());
        Some(text)
    }
}
