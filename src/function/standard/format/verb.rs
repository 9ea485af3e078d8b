//! Format strings: text, and verbs such as `%-5.2f` that say how a value is written.

use crate::error::{Error, Kind, Result};
use crate::text::{CharInMessage, grapheme_count};

/// How one value is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verb<'a> {
    /// All of it, from the `%` on, which is at `offset`.
    pub(super) raw: &'a str,
    pub(super) offset: usize,
    /// The argument, from 1 on.
    pub(super) argument: usize,
    pub(super) mode: char,
    pub(super) zero: bool,
    pub(super) sharp: bool,
    pub(super) plus: bool,
    pub(super) minus: bool,
    pub(super) space: bool,
    /// 0 where none is said.
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

pub(super) enum Piece<'a> {
    Text(&'a str),
    Verb(Verb<'a>),
}

/// What a format string is made of, up to the first fault.
pub(super) struct Pieces<'a> {
    format: &'a str,
    at: usize,
    /// The argument that comes next.
    next: usize,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(format: &'a str) -> Pieces<'a> {
        Pieces { format, at: 0, next: 1 }
    }

    fn rest(&self) -> &'a str {
        self.format.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// The digits that come next, as a number.
    fn digits(&mut self) -> usize {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.step(length);
        match rest.get(..length) {
            None | Some("") => 0,
            Some(digits) => digits.parse().unwrap_or(usize::MAX),
        }
    }

    fn unrecognized(&self) -> Error {
        let message = match self.rest().chars().next() {
            Some(c) => format!("unrecognized format character {} at offset {}", CharInMessage(c), self.at),
            None => format!("invalid format string starting at offset {}", self.at),
        };
        Error::new(Kind::Syntax, message)
    }

    fn verb(&mut self) -> Result<Verb<'a>> {
        let offset = self.at;
        let raw = self.rest();
        self.step(1);
        let mut verb = Verb {
            raw,
            offset,
            argument: self.next,
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
            self.step(1);
        }
        verb.width = self.digits();
        if self.rest().starts_with('.') {
            self.step(1);
            verb.precision = Some(self.digits());
        }
        if self.rest().starts_with('[') {
            self.step(1);
            if !self.rest().starts_with(|c| matches!(c, '1'..='9')) {
                return Err(self.unrecognized());
            }
            verb.argument = self.digits();
            if !self.rest().starts_with(']') {
                return Err(self.unrecognized());
            }
            self.step(1);
        }
        verb.mode = match self.rest().chars().next() {
            Some(mode) if mode.is_ascii_alphabetic() => mode,
            _ => return Err(self.unrecognized()),
        };
        self.step(1);
        self.next = verb.argument.saturating_add(1);
        verb.raw = raw.get(..self.at.saturating_sub(offset)).unwrap_or(raw);
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
                self.step(2);
                Some(Ok(Piece::Text("%")))
            }
            [b'%', ..] => Some(self.verb().map(Piece::Verb)),
            bytes => {
                let length = bytes.iter().take_while(|byte| **byte != b'%').count();
                let text = rest.get(..length).unwrap_or(rest);
                self.step(text.len());
                Some(Ok(Piece::Text(text)))
            }
        }
    }
}

impl Verb<'_> {
    /// Adds a text, filled up to the width: with zeros if these are asked for.
    pub(super) fn pad(&self, text: &str, out: &mut String) {
        if self.width == 0 {
            return out.push_str(text);
        }
        let missing = self.width.saturating_sub(grapheme_count(text));
        let fill = if self.zero { "0" } else { " " }.repeat(missing);
        out.extend(if self.minus { [text, &fill] } else { [&fill, text] });
    }

    /// The sign that is written before a number.
    pub(super) fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}
