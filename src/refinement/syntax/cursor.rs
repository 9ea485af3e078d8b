//! A place in the text of a refinement, and the smallest parts that can stand there.

use super::{Misread, Quoted};
use crate::error::{Error, Kind};
use crate::number::Number;
use crate::text::{continues_word, starts_word};

/// Reads a text from left to right.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// Steps over white space, and says where the next part begins.
    pub(super) fn place(&mut self) -> usize {
        let rest = self.rest();
        let next = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.advance(rest.len().saturating_sub(next.len()));
        self.at
    }

    /// The character that the next part begins with.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.place();
        self.rest().chars().next()
    }

    /// Steps over a sign if it comes next.
    pub(super) fn take(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(sign);
        if found {
            self.advance(sign.len_utf8());
        }
        found
    }

    pub(super) fn expect(&mut self, sign: char, after: &str) -> Result<(), Misread> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("\"{sign}\" after {after}"))) }
    }

    /// A run of letters, digits, `_` and `-` that begins with a letter; empty where there is none.
    pub(super) fn name(&mut self) -> &'a str {
        match self.peek() {
            Some(c) if starts_word(c) => self.take_while(continues_word),
            _ => "",
        }
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let run = rest.find(|c| !belongs(c)).and_then(|end| rest.get(..end)).unwrap_or(rest);
        self.advance(run.len());
        run
    }

    /// Whether a number comes next, rather than a name.
    pub(super) fn at_number(&mut self) -> bool {
        let starts = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.');
        self.peek().is_some_and(starts) || matches!(self.next_name(), "inf" | "Inf")
    }

    /// The name that comes next, left in place; empty where there is none.
    fn next_name(&self) -> &'a str {
        self.clone().name()
    }

    /// A number, which must come next.
    pub(super) fn number(&mut self) -> Result<Number, Misread> {
        let place = self.place();
        if !self.at_number() {
            return Err(self.expected("a number"));
        }
        let text = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        text.parse().map_err(|error: Error| {
            let kind = if error.is_limit() { Kind::Limit } else { Kind::Syntax };
            let misread = Misread::from_error(place, kind, &error);
            if kind == Kind::Limit { misread } else { found(misread, text) }
        })
    }

    /// A length, which must come next.
    pub(super) fn length(&mut self) -> Result<u64, Misread> {
        let place = self.place();
        let number = self.number()?;
        number.to_u64().ok_or_else(|| {
            let message = format!("a whole number between 0 and {} is required", u64::MAX);
            found(Misread::new(place, message), &number.to_string())
        })
    }

    /// Text in quotes, which must come next.
    pub(super) fn quoted(&mut self) -> Result<String, Misread> {
        let place = self.place();
        if !self.take('"') {
            return Err(self.expected("text in quotes"));
        }
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|c| !matches!(c, '"' | '\\' | '\n' | '\r')));
            match self.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                _ => return Err(Misread::new(place, "the text in quotes does not end on its line")),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest().chars().next();
        self.advance(next.map_or(0, char::len_utf8));
        next
    }

    /// The character that an escape stands for, whose backslash has been read.
    fn escape(&mut self) -> Result<char, Misread> {
        let place = self.at.saturating_sub(1);
        match self.next() {
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => self.code_point(place),
            Some(c) => Err(Misread::new(
                place,
                format!("there is no escape \\{}; write \\\\ for a backslash", c.escape_debug()),
            )),
            None => Err(Misread::new(place, "the text in quotes does not end on its line")),
        }
    }

    fn code_point(&mut self, place: usize) -> Result<char, Misread> {
        let digits = if self.rest().starts_with('{') {
            self.advance(1);
            let digits = self.take_while(|c| c.is_ascii_hexdigit());
            if !(1..=6).contains(&digits.len()) || self.next() != Some('}') {
                return Err(Misread::new(place, "one to six hexadecimal digits and \"}\" belong after \\u{"));
            }
            digits
        } else {
            let digits = self.rest().get(..4).filter(|four| four.bytes().all(|b| b.is_ascii_hexdigit()));
            self.advance(digits.map_or(0, str::len));
            digits.ok_or_else(|| Misread::new(place, "four hexadecimal digits belong after \\u"))?
        };
        let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        code.ok_or_else(|| {
            let message = format!("U+{} is no character", digits.to_uppercase());
            Misread::new(place, format!("{message}; one above U+FFFF is written like \\u{{1f600}}"))
        })
    }

    /// `<what> expected, but found <what is there>`.
    #[cold]
    pub(super) fn expected(&mut self, what: &str) -> Misread {
        let place = self.place();
        let message = format!("{what} expected");
        match self.rest().chars().next() {
            None => Misread::new(place, format!("{message}, but the text ends here")),
            Some('"') => Misread::new(place, format!("{message}, but found text in quotes")),
            Some(c) => {
                let name = self.next_name();
                let c = c.to_string();
                Misread::new(
                    place,
                    format!("{message}, but found {}", shown(if name.is_empty() { &c } else { name })),
                )
            }
        }
    }
}

#[cold]
fn found(mut misread: Misread, text: &str) -> Misread {
    misread.message = format!("{}, found {}", misread.message, shown(text));
    misread
}

/// What is there, in quotes and not too long.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", Quoted(text.get(..end).unwrap_or_default())),
        None => Quoted(text).to_string(),
    }
}
