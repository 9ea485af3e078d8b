//! The parser of format strings: literal text, and verbs such as `%-5.2f`.

use crate::error::{Error, Kind, Result};
use crate::text::{CharInMessage, grapheme_count};

/// A verb of a format string, such as `%-5.2f`: says how one value is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verb<'a> {
    /// The text of the verb, from the `%` on.
    pub(super) raw: &'a str,
    /// The byte position of the `%` in the format string.
    pub(super) offset: usize,
    /// The number of the argument to write; the first one is 1.
    pub(super) argument: usize,
    /// The letter that ends the verb, such as `d`.
    pub(super) mode: char,
    /// The flag `0`: padding is zeros, not spaces.
    pub(super) zero: bool,
    /// The flag `#`: the alternative form, such as `0x` before a hexadecimal number.
    pub(super) sharp: bool,
    /// The flag `+`: a plus sign before numbers that are not negative.
    pub(super) plus: bool,
    /// The flag `-`: padding is on the right.
    pub(super) minus: bool,
    /// The flag ` `: a space before numbers that are not negative.
    pub(super) space: bool,
    /// The minimum width, in characters, to which the text is padded; 0 if the verb gives none.
    pub(super) width: usize,
    /// The number after the point, such as the number of decimals of `%.2f`; `None` if the verb has no point.
    pub(super) precision: Option<usize>,
}

/// A segment of a format string: literal text or a verb.
pub(super) enum Piece<'a> {
    Text(&'a str),
    Verb(Verb<'a>),
}

/// An iterator over the segments of a format string. It must not be used after an error.
pub(super) struct Pieces<'a> {
    format: &'a str,
    /// The byte position of the first segment that is not read yet.
    position: usize,
    /// The number of the argument for the next verb without an explicit one.
    next_argument: usize,
}

impl<'a> Pieces<'a> {
    /// The segments of this format string.
    pub(super) fn of(format: &'a str) -> Pieces<'a> {
        Pieces { format, position: 0, next_argument: 1 }
    }

    /// The text of the format that is not read yet.
    fn rest(&self) -> &'a str {
        self.format.get(self.position..).unwrap_or_default()
    }

    /// Skips this many bytes of the format.
    fn advance(&mut self, bytes: usize) {
        self.position = self.position.saturating_add(bytes);
    }

    /// Reads the digits that come next as a number; 0 if there are none, the greatest `usize` if there are too many.
    fn number(&mut self) -> usize {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.advance(length);
        match rest.get(..length) {
            None | Some("") => 0,
            Some(digits) => digits.parse().unwrap_or(usize::MAX),
        }
    }

    /// The error for the character that comes next, or for the end of the format, where it is not allowed.
    fn unexpected_character(&self) -> Error {
        let message = match self.rest().chars().next() {
            Some(c) => {
                format!("unrecognized format character {} at offset {}", CharInMessage(c), self.position)
            }
            None => format!("invalid format string starting at offset {}", self.position),
        };
        Error::new(Kind::Syntax, message)
    }

    /// Reads a verb; the `%` of it comes next. An error if it is incomplete or invalid.
    fn verb(&mut self) -> Result<Verb<'a>> {
        let offset = self.position;
        let raw = self.rest();
        self.advance(1);
        let mut verb = Verb {
            raw,
            offset,
            argument: self.next_argument,
            mode: 'v',
            zero: false,
            sharp: false,
            plus: false,
            minus: false,
            space: false,
            width: 0,
            precision: None,
        };
        while let Some(flag) = self.rest().bytes().next() {
            match flag {
                b'0' => verb.zero = true,
                b'#' => verb.sharp = true,
                b'+' => verb.plus = true,
                b'-' => verb.minus = true,
                b' ' => verb.space = true,
                _ => break,
            }
            self.advance(1);
        }
        verb.width = self.number();
        if self.rest().starts_with('.') {
            self.advance(1);
            verb.precision = Some(self.number());
        }
        if self.rest().starts_with('[') {
            self.advance(1);
            if !self.rest().starts_with(|c| matches!(c, '1'..='9')) {
                return Err(self.unexpected_character());
            }
            verb.argument = self.number();
            if !self.rest().starts_with(']') {
                return Err(self.unexpected_character());
            }
            self.advance(1);
        }
        verb.mode = match self.rest().chars().next() {
            Some(mode) if mode.is_ascii_alphabetic() => mode,
            _ => return Err(self.unexpected_character()),
        };
        self.advance(1);
        self.next_argument = verb.argument.saturating_add(1);
        verb.raw = raw.get(..self.position.saturating_sub(offset)).unwrap_or(raw);
        Ok(verb)
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Result<Piece<'a>>;

    fn next(&mut self) -> Option<Result<Piece<'a>>> {
        let rest = self.rest();
        match rest.as_bytes() {
            [] => None,
            [b'%', b'%', ..] => {
                self.advance(2);
                Some(Ok(Piece::Text("%")))
            }
            [b'%', ..] => Some(self.verb().map(Piece::Verb)),
            bytes => {
                let length = bytes.iter().take_while(|byte| **byte != b'%').count();
                let text = rest.get(..length).unwrap_or(rest);
                self.advance(text.len());
                Some(Ok(Piece::Text(text)))
            }
        }
    }
}

impl Verb<'_> {
    /// Appends a text to `out`, padded to the width of the verb with spaces or zeros. The width counts grapheme
    /// clusters.
    pub(super) fn pad(&self, text: &str, out: &mut String) {
        if self.width == 0 {
            return out.push_str(text);
        }
        let missing = self.width.saturating_sub(grapheme_count(text));
        let fill = if self.zero { "0" } else { " " }.repeat(missing);
        out.extend(if self.minus { [text, &fill] } else { [&fill, text] });
    }

    /// The sign that the verb writes before a number: a minus if it is negative, else a plus, a space or nothing, by
    /// the flags.
    pub(super) fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}
