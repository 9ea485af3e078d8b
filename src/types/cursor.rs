//! Reading tokens, for the text form and the JSON form of types.

use crate::error::{Error, Kind, Result};
use crate::text::{CharInMessage, continues_word, position, starts_word};

/// Reads the tokens of a string from left to right. `at` is the index of the next byte.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of the string.
    pub(crate) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// The part of the string that was not read yet.
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Skips white space (space, tab, line feed, carriage return), and returns the next character without reading it.
    pub(crate) fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.advance(rest.len().saturating_sub(trimmed.len()));
        trimmed.chars().next()
    }

    /// Skips white space and reads the character `wanted` if it is next. Returns whether it was.
    pub(crate) fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.advance(wanted.len_utf8());
        }
        found
    }

    /// Skips white space and reads the character `wanted`; a syntax error if it is not next.
    pub(crate) fn expect(&mut self, wanted: char) -> Result<()> {
        if self.take(wanted) { Ok(()) } else { Err(self.expected(&format!("\"{wanted}\""))) }
    }

    /// Skips white space, then reads a comma and returns true, or `close` and returns false; an error if neither is
    /// next.
    pub(crate) fn take_comma_or(&mut self, close: char) -> Result<bool> {
        if self.take(',') {
            Ok(true)
        } else if self.take(close) {
            Ok(false)
        } else {
            Err(self.expected(&format!("\",\" or \"{close}\"")))
        }
    }

    /// Reads a word of letters, digits, `_` and `-` that starts with a letter or `_`; empty if none is next.
    pub(crate) fn word(&mut self) -> &'a str {
        if !self.peek().is_some_and(starts_word) {
            return "";
        }
        let rest = self.rest();
        let word = rest.find(|c| !continues_word(c)).and_then(|end| rest.get(..end)).unwrap_or(rest);
        self.advance(word.len());
        word
    }

    /// Reads a JSON string with its quotes. A lone surrogate escape becomes U+FFFD, as in Go.
    pub(crate) fn string(&mut self) -> Result<String> {
        if !self.take('"') {
            return Err(self.expected("a string"));
        }
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let run = rest
                .find(|c: char| matches!(c, '"' | '\\') || c < ' ')
                .and_then(|end| rest.get(..end))
                .ok_or_else(unexpected_end)?;
            text.push_str(run);
            self.advance(run.len());
            let place = self.at;
            match self.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                _ => return Err(self.error_at(place, "control character in a string")),
            }
        }
    }

    /// Reads the rest of an escape in a JSON string, after its backslash, and returns the character that it stands
    /// for.
    fn escape(&mut self) -> Result<char> {
        let place = self.at;
        match self.next() {
            Some(c @ ('"' | '\\' | '/')) => Ok(c),
            Some('b') => Ok('\u{8}'),
            Some('f') => Ok('\u{c}'),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => self.unicode_escape(),
            None => Err(unexpected_end()),
            Some(_) => Err(self.error_at(place, "unknown escape in a string")),
        }
    }

    /// Reads the rest of a `\u` escape, or of two that form a surrogate pair, and returns the character. A lone
    /// surrogate gives U+FFFD.
    fn unicode_escape(&mut self) -> Result<char> {
        let first = self.hex4()?;
        if let 0xd800..0xdc00 = first
            && self.rest().starts_with("\\u")
        {
            let back = self.at;
            self.advance(2);
            let second = self.hex4()?;
            let pair = char::decode_utf16([first, second]).next();
            if let Some(Ok(c)) = pair {
                return Ok(c);
            }
            self.at = back;
        }
        Ok(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Reads four hexadecimal digits and returns their number; an error if other characters are next.
    fn hex4(&mut self) -> Result<u16> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(number) = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) else {
            return Err(self.error("four hexadecimal digits expected after \\u"));
        };
        self.advance(4);
        Ok(number)
    }

    /// Reads the next character, white space included; `None` at the end.
    fn next(&mut self) -> Option<char> {
        let next = self.rest().chars().next();
        self.advance(next.map_or(0, char::len_utf8));
        next
    }

    /// Moves the position on by this number of bytes.
    fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// The syntax error `<what> expected, but found <the next character>`, with the position.
    #[cold]
    pub(crate) fn expected(&mut self, what: &str) -> Error {
        match self.peek() {
            Some(found) => self.error(&format!("{what} expected, but found {}", CharInMessage(found))),
            None => unexpected_end(),
        }
    }

    /// A syntax error with this message and the current position.
    #[cold]
    pub(crate) fn error(&self, message: &str) -> Error {
        self.error_at(self.at, message)
    }

    /// A syntax error with this message and the position of the byte at index `place`.
    #[cold]
    pub(crate) fn error_at(&self, place: usize, message: &str) -> Error {
        Error::new(Kind::Syntax, format!("{message} at {}", position(self.text, place)))
    }

    /// Skips white space, and returns the byte index of the next character.
    pub(crate) fn place(&mut self) -> usize {
        self.peek();
        self.at
    }
}

/// The error for a description of a type that ends too early.
#[cold]
fn unexpected_end() -> Error {
    Error::new(Kind::Syntax, "unexpected end of the type description")
}
