//! Reading tokens, for the text form and the JSON form of types.

use crate::error::{Error, Kind, Result};
use crate::text::{CharInMessage, Cursor, position};

/// Reads the tokens of the texts of types. White space before a token is skipped.
pub(crate) struct TypeTokens<'a>(Cursor<'a>);

impl<'a> TypeTokens<'a> {
    /// The tokens of a string, from its start.
    pub(crate) fn new(text: &'a str) -> TypeTokens<'a> {
        TypeTokens(Cursor::new(text))
    }

    /// Skips white space, and returns the next character without reading it.
    pub(crate) fn peek(&mut self) -> Option<char> {
        self.0.skip_space();
        self.0.peek()
    }

    /// Skips white space and reads the character `wanted` if it is next. Returns whether it was.
    pub(crate) fn take(&mut self, wanted: char) -> bool {
        self.0.skip_space();
        self.0.take(wanted)
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
        self.0.skip_space();
        self.0.take_word()
    }

    /// Reads a JSON string with its quotes. A lone surrogate escape becomes U+FFFD, as in Go.
    pub(crate) fn string(&mut self) -> Result<String> {
        if !self.take('"') {
            return Err(self.expected("a string"));
        }
        let mut text = String::new();
        loop {
            text.push_str(self.0.take_while(|c| !matches!(c, '"' | '\\') && c >= ' '));
            let place = self.0.at();
            match self.0.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                None => return Err(unexpected_end()),
                Some(_) => return Err(self.error_at(place, "control character in a string")),
            }
        }
    }

    /// Reads the rest of an escape in a JSON string, after its backslash, and returns the character that it stands
    /// for.
    fn escape(&mut self) -> Result<char> {
        let place = self.0.at();
        match self.0.next() {
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
            && self.0.rest().starts_with("\\u")
        {
            let back = self.0.clone();
            self.0.advance(2);
            let second = self.hex4()?;
            if let Some(Ok(c)) = char::decode_utf16([first, second]).next() {
                return Ok(c);
            }
            self.0 = back;
        }
        Ok(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Reads four hexadecimal digits and returns their number; an error if other characters are next.
    fn hex4(&mut self) -> Result<u16> {
        let digits = self.0.take_hex4();
        let number = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        number.ok_or_else(|| self.error("four hexadecimal digits expected after \\u"))
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
        self.error_at(self.0.at(), message)
    }

    /// A syntax error with this message and the position of the byte at index `place`.
    #[cold]
    pub(crate) fn error_at(&self, place: usize, message: &str) -> Error {
        Error::new(Kind::Syntax, format!("{message} at {}", position(self.0.text(), place)))
    }

    /// Skips white space, and returns the byte index of the next character.
    pub(crate) fn place(&mut self) -> usize {
        self.0.skip_space()
    }
}

/// The error for a description of a type that ends too early.
#[cold]
fn unexpected_end() -> Error {
    Error::new(Kind::Syntax, "unexpected end of the type description")
}
