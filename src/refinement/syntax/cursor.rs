//! Reading the tokens of the text form of refinements.

use super::{Quoted, RefinementSyntaxError};
use crate::error::{Error, Kind};
use crate::number::Number;
use crate::text::Cursor;

/// Reads the tokens of the text form of refinements. White space before a token is skipped.
#[derive(Clone)]
pub(super) struct RefinementTokens<'a>(Cursor<'a>);

impl<'a> RefinementTokens<'a> {
    pub(super) fn new(text: &'a str) -> RefinementTokens<'a> {
        RefinementTokens(Cursor::new(text))
    }

    /// Skips white space, and returns the position of the next token.
    pub(super) fn skip_to_token(&mut self) -> usize {
        self.0.skip_space()
    }

    /// Skips white space, and returns the next character without reading it.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.0.skip_space();
        self.0.peek()
    }

    /// Reads the sign if it is next. Returns whether it was.
    pub(super) fn take(&mut self, sign: char) -> bool {
        self.0.skip_space();
        self.0.take(sign)
    }

    /// Reads the sign, which must be next; an error says after what it belongs.
    pub(super) fn expect(&mut self, sign: char, after: &str) -> Result<(), RefinementSyntaxError> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("\"{sign}\" after {after}"))) }
    }

    /// Reads a name: letters, digits, `_` and `-`, beginning with a letter; empty if no name is next.
    pub(super) fn read_name(&mut self) -> &'a str {
        self.0.skip_space();
        self.0.take_word()
    }

    /// Whether a number is next, rather than a name.
    pub(super) fn is_at_number(&mut self) -> bool {
        let starts = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.');
        self.peek().is_some_and(starts) || matches!(self.next_name(), "inf" | "Inf")
    }

    /// The next name, without reading it; empty if no name is next.
    fn next_name(&self) -> &'a str {
        self.clone().read_name()
    }

    /// Reads a number, which must be next.
    pub(super) fn read_number(&mut self) -> Result<Number, RefinementSyntaxError> {
        let place = self.skip_to_token();
        if !self.is_at_number() {
            return Err(self.expected("a number"));
        }
        let text = self.0.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        text.parse().map_err(|error: Error| {
            let kind = if error.is_limit() { Kind::Limit } else { Kind::Syntax };
            let error = RefinementSyntaxError::from_error(place, kind, &error);
            if kind == Kind::Limit { error } else { with_found_text(error, text) }
        })
    }

    /// Reads a length, which must be next.
    pub(super) fn read_length(&mut self) -> Result<u64, RefinementSyntaxError> {
        let place = self.skip_to_token();
        let number = self.read_number()?;
        number.to_u64().ok_or_else(|| {
            let message = format!("a whole number between 0 and {} is required", u64::MAX);
            with_found_text(RefinementSyntaxError::new(place, message), &number.to_string())
        })
    }

    /// Reads a quoted string, which must be next.
    pub(super) fn read_quoted(&mut self) -> Result<String, RefinementSyntaxError> {
        let place = self.skip_to_token();
        if !self.take('"') {
            return Err(self.expected("text in quotes"));
        }
        let mut text = String::new();
        loop {
            text.push_str(self.0.take_while(|c| !matches!(c, '"' | '\\' | '\n' | '\r')));
            match self.0.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                _ => {
                    return Err(RefinementSyntaxError::new(
                        place,
                        "the text in quotes does not end on its line",
                    ));
                }
            }
        }
    }

    /// Reads the escape after a backslash and returns its character.
    fn escape(&mut self) -> Result<char, RefinementSyntaxError> {
        let place = self.0.at().saturating_sub(1);
        match self.0.next() {
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => self.code_point(place),
            Some(c) => Err(RefinementSyntaxError::new(
                place,
                format!("there is no escape \\{}; write \\\\ for a backslash", c.escape_debug()),
            )),
            None => Err(RefinementSyntaxError::new(place, "the text in quotes does not end on its line")),
        }
    }

    /// Reads the code point after `\u`; `skip_to_token` is the position of the backslash.
    fn code_point(&mut self, place: usize) -> Result<char, RefinementSyntaxError> {
        let digits = if self.0.take('{') {
            let digits = self.0.take_while(|c| c.is_ascii_hexdigit());
            if !(1..=6).contains(&digits.len()) || self.0.next() != Some('}') {
                return Err(RefinementSyntaxError::new(
                    place,
                    "one to six hexadecimal digits and \"}\" belong after \\u{",
                ));
            }
            digits
        } else {
            self.0.take_hex4().ok_or_else(|| {
                RefinementSyntaxError::new(place, "four hexadecimal digits belong after \\u")
            })?
        };
        let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        code.ok_or_else(|| {
            let message = format!("U+{} is no character", digits.to_uppercase());
            RefinementSyntaxError::new(
                place,
                format!("{message}; one above U+FFFF is written like \\u{{1f600}}"),
            )
        })
    }

    /// The error `<what> expected, but found <the next token>`.
    #[cold]
    pub(super) fn expected(&mut self, what: &str) -> RefinementSyntaxError {
        let place = self.skip_to_token();
        let message = format!("{what} expected");
        match self.0.peek() {
            None => RefinementSyntaxError::new(place, format!("{message}, but the text ends here")),
            Some('"') => RefinementSyntaxError::new(place, format!("{message}, but found text in quotes")),
            Some(c) => {
                let name = self.next_name();
                let c = c.to_string();
                RefinementSyntaxError::new(
                    place,
                    format!(
                        "{message}, but found {}",
                        quoted_and_cut(if name.is_empty() { &c } else { name })
                    ),
                )
            }
        }
    }
}

/// Adds the text that was found to the message.
#[cold]
fn with_found_text(mut error: RefinementSyntaxError, text: &str) -> RefinementSyntaxError {
    error.message = format!("{}, found {}", error.message, quoted_and_cut(text));
    error
}

/// A text for messages: quoted, and cut to 40 characters.
pub(super) fn quoted_and_cut(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", Quoted(text.get(..end).unwrap_or_default())),
        None => Quoted(text).to_string(),
    }
}
