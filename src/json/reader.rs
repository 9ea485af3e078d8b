//! The one reader of JSON text: a place in it that moves from token to token.

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::number::Number;
use crate::text::plain_run;

use super::number::number;
use super::string::Str;

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Token {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Token::Null => "null",
            Token::Bool => "bool",
            Token::Number => "number",
            Token::String => "string",
            Token::Array => "array",
            Token::Object => "object",
        }
    }
}

/// Reads JSON text (RFC 8259) from front to back, one token at a time. Copying it remembers a place.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// How many bytes large numbers have taken so far.
    numbers: usize,
}

/// A place in a text that a reader has reached.
#[derive(Clone, Copy)]
pub(crate) struct ReaderPlace {
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the front of a text, which must be UTF-8.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Reader<'a>> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Reader::of(text)),
            Err(error) => Err(not_utf8(bytes, error.valid_up_to())),
        }
    }

    /// Starts at the front of a text.
    pub(super) fn of(text: &'a str) -> Reader<'a> {
        Reader { text, at: 0, depth: 0, numbers: 0 }
    }

    /// The place reached, to come back to in the same text with [`at_place`](Reader::at_place).
    pub(crate) fn place(&self) -> ReaderPlace {
        ReaderPlace { at: self.at, depth: self.depth }
    }

    /// Starts at a place that was reached before in this text.
    pub(crate) fn at_place(text: &'a str, place: ReaderPlace) -> Reader<'a> {
        Reader { text, at: place.at, depth: place.depth, numbers: 0 }
    }

    /// How long the whole text is.
    pub(super) fn text_len(&self) -> usize {
        self.text.len()
    }

    /// The place reached.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// How many arrays and objects are open.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Goes to a place that was reached before, at this depth.
    pub(super) fn go_to(&mut self, at: usize, depth: usize) {
        self.at = at;
        self.depth = depth;
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// The next byte that is not white space, left in place.
    pub(super) fn next_byte(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.step(),
                other => return other,
            }
        }
    }

    /// The kind of the value that comes next.
    pub(crate) fn peek(&mut self) -> Result<Token> {
        match self.next_byte() {
            Some(b'"') => Ok(Token::String),
            Some(b'{') => Ok(Token::Object),
            Some(b'[') => Ok(Token::Array),
            Some(b't' | b'f') => Ok(Token::Bool),
            Some(b'n') => Ok(Token::Null),
            Some(b'-' | b'0'..=b'9') => Ok(Token::Number),
            _ => Err(self.expected("a value")),
        }
    }

    fn word(&mut self, word: &str) -> Result<()> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(self.error(&format!("not JSON: {word} expected")));
        }
        self.at = self.at.saturating_add(word.len());
        Ok(())
    }

    pub(crate) fn null(&mut self) -> Result<()> {
        self.next_byte();
        self.word("null")
    }

    pub(crate) fn bool(&mut self) -> Result<bool> {
        match self.next_byte() {
            Some(b't') => self.word("true").map(|()| true),
            _ => self.word("false").map(|()| false),
        }
    }

    fn digits(&mut self) -> Result<()> {
        if !self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.expected("a digit"));
        }
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.step();
        }
        Ok(())
    }

    /// A number, exactly.
    pub(crate) fn exact_number(&mut self) -> Result<Number> {
        if let Some(small) = self.small_integer() {
            return Ok(Number::from(small));
        }
        let read = number(self.number()?);
        self.within_reason(read.map_err(|error| self.locate(error))?)
    }

    /// The digits of a number that is made later, counted now.
    pub(super) fn counted_number(&mut self) -> Result<&'a str> {
        let digits = self.number()?;
        // Without an exponent a number is smaller than its text.
        if digits.bytes().any(|byte| matches!(byte, b'e' | b'E'))
            && let Ok(number) = number(digits)
        {
            self.within_reason(number)?;
        }
        Ok(digits)
    }

    /// Passes over a number that [`exact_number`](Reader::exact_number) reads, and refuses what that refuses.
    pub(super) fn checked_number(&mut self) -> Result<()> {
        let start = *self;
        let digits = self.number()?;
        if digits.len() <= 18 && !digits.bytes().any(|byte| matches!(byte, b'e' | b'E')) {
            return Ok(());
        }
        *self = start;
        self.exact_number().map(drop)
    }

    /// A whole number of up to 18 digits, when one comes next.
    fn small_integer(&mut self) -> Option<i64> {
        let first = self.next_byte();
        let rest = self.text.as_bytes().get(self.at..)?;
        let negative = first == Some(b'-');
        let digits = if negative { rest.get(1..)? } else { rest };
        let (mut value, mut count) = (0_i64, 0_usize);
        for digit in digits.iter().map(|byte| byte.wrapping_sub(b'0')) {
            if digit > 9 || count > 18 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
            count = count.saturating_add(1);
        }
        let ends = !matches!(digits.get(count), Some(b'.' | b'e' | b'E' | b'0'..=b'9'));
        let zeros = count > 1 && digits.first() == Some(&b'0');
        if count == 0 || count > 18 || zeros || !ends {
            return None;
        }
        self.at = self.at.saturating_add(usize::from(negative)).saturating_add(count);
        Some(if negative { value.wrapping_neg() } else { value })
    }

    /// Lets a number pass, unless exponents have made the numbers of the text larger than it by far: `1e8000` is six
    /// bytes and has 8,001 digits.
    pub(super) fn within_reason(&mut self, number: Number) -> Result<Number> {
        self.numbers = self.numbers.saturating_add(number.heap_bytes());
        if self.numbers > self.text.len().saturating_mul(32).saturating_add(1 << 16) {
            return Err(self.error("the numbers of the JSON have too many digits").of_kind(Kind::Limit));
        }
        Ok(number)
    }

    /// The digits of a number as they stand.
    pub(crate) fn number(&mut self) -> Result<&'a str> {
        self.next_byte();
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.step();
        }
        if self.byte() == Some(b'0') {
            self.step()
        } else {
            self.digits()?
        }
        if self.byte() == Some(b'.') {
            self.step();
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.step();
            if let Some(b'+' | b'-') = self.byte() {
                self.step();
            }
            self.digits()?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    pub(crate) fn string(&mut self) -> Result<Str<'a>> {
        if self.next_byte() != Some(b'"') {
            return Err(self.expected("a string"));
        }
        self.step();
        let start = self.at;
        let mut escaped = false;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            self.at = self.at.saturating_add(plain_run(rest));
            match self.byte() {
                Some(b'"') => {
                    let raw = self.text.get(start..self.at).unwrap_or_default();
                    self.step();
                    return Ok(Str { raw, escaped });
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err(self.error("not JSON: a control character in a string")),
                None => return Err(self.error("not JSON: the text ends inside a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<()> {
        self.step();
        match self.byte() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.step(),
            Some(b'u') => {
                self.step();
                for _ in 0..4 {
                    if !self.byte().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.expected("four hexadecimal digits after \\u"));
                    }
                    self.step();
                }
            }
            _ => return Err(self.error("not JSON: no such escape in a string")),
        }
        Ok(())
    }

    /// Enters an array or object, which comes next.
    pub(crate) fn open(&mut self) -> Result<()> {
        if self.depth >= limits::DEPTH {
            let message = format!("JSON may nest at most {} levels", limits::DEPTH);
            return Err(self.error(&message).of_kind(Kind::Limit));
        }
        self.depth = self.depth.saturating_add(1);
        self.step();
        Ok(())
    }

    /// Whether an array that was opened has another element; leaves the array when not. `first` before the first.
    pub(crate) fn element(&mut self, first: bool) -> Result<bool> {
        self.more(b']', first)
    }

    /// The name of the next property of an object that was opened; leaves the object when there is none.
    pub(crate) fn key(&mut self, first: bool) -> Result<Option<Str<'a>>> {
        if !self.more(b'}', first)? {
            return Ok(None);
        }
        if self.next_byte() != Some(b'"') {
            return Err(self.expected("a property name"));
        }
        let key = self.string()?;
        if self.next_byte() != Some(b':') {
            return Err(self.expected("\":\""));
        }
        self.step();
        Ok(Some(key))
    }

    fn more(&mut self, close: u8, first: bool) -> Result<bool> {
        let next = self.next_byte();
        if next == Some(close) {
            self.depth = self.depth.saturating_sub(1);
            self.step();
            return Ok(false);
        }
        if first {
            return Ok(true);
        }
        if next != Some(b',') {
            return Err(self.expected(if close == b']' { "\",\" or \"]\"" } else { "\",\" or \"}\"" }));
        }
        self.step();
        if self.next_byte() == Some(close) {
            return Err(self.error("not JSON: a comma before a closing bracket"));
        }
        Ok(true)
    }

    /// Passes over the value that comes next.
    pub(crate) fn skip(&mut self) -> Result<()> {
        match self.peek()? {
            Token::Null => self.null(),
            Token::Bool => self.bool().map(|_| ()),
            Token::Number => self.number().map(|_| ()),
            Token::String => self.string().map(|_| ()),
            Token::Array => {
                self.open()?;
                let mut first = true;
                while self.element(std::mem::take(&mut first))? {
                    self.skip()?;
                }
                Ok(())
            }
            Token::Object => {
                self.open()?;
                let mut first = true;
                while self.key(std::mem::take(&mut first))?.is_some() {
                    self.skip()?;
                }
                Ok(())
            }
        }
    }

    /// Nothing but white space may follow.
    pub(crate) fn end(&mut self) -> Result<()> {
        match self.next_byte() {
            None => Ok(()),
            Some(_) => Err(self.error("extraneous data after the JSON value")),
        }
    }

    /// Nothing but white space may follow, or a closing bracket, which hides the rest from cty.
    pub(super) fn end_or_bracket(&mut self) -> Result<()> {
        match self.next_byte() {
            Some(b']' | b'}') => Ok(()),
            _ => self.end(),
        }
    }

    #[cold]
    pub(super) fn expected(&self, what: &str) -> Error {
        match self.text.get(self.at..).unwrap_or_default().chars().next() {
            Some(found) => self.error(&format!("not JSON: {what} expected, but found {found:?}")),
            None => self.error(&format!("not JSON: {what} expected, but the text ends")),
        }
    }

    /// An error at the place reached.
    #[cold]
    pub(crate) fn error(&self, message: &str) -> Error {
        let (line, column) = place(self.text.as_bytes(), self.at);
        Error::new(Kind::Syntax, format!("{message} at line {line} column {column}"))
    }

    /// `<wanted> required, but have <what comes next>`.
    #[cold]
    pub(crate) fn mismatch(&mut self, wanted: &str) -> Error {
        match self.peek() {
            Ok(found) => self
                .error(&format!("{wanted} required, but have {}", found.name()))
                .of_kind(Kind::TypeMismatch),
            Err(error) => error,
        }
    }

    /// Puts line and column of the place reached on an error that has none.
    #[cold]
    pub(crate) fn locate(&self, error: Error) -> Error {
        let (line, column) = place(self.text.as_bytes(), self.at);
        let message = format!("{} at line {line} column {column}", error.message());
        error.with_message(message)
    }

    /// The text from here to a later place.
    pub(crate) fn text_until(&self, end: &Reader<'a>) -> &'a str {
        self.text.get(self.at..end.at).unwrap_or_default()
    }
}

/// Line and column, both from 1; columns count characters.
fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line_start =
        before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline.saturating_add(1));
    let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
    let last = before.get(line_start..).unwrap_or_default();
    (line, String::from_utf8_lossy(last).chars().count().saturating_add(1))
}

#[cold]
fn not_utf8(bytes: &[u8], at: usize) -> Error {
    let (line, column) = place(bytes, at);
    let hint = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => " (the text looks like UTF-16)",
        [0x1f, 0x8b, ..] => " (the data looks like gzip)",
        [b'P', b'K', 3, 4, ..] => " (the data looks like a zip archive, such as a binary plan)",
        _ => "",
    };
    Error::new(Kind::Syntax, format!("not JSON: invalid UTF-8{hint} at line {line} column {column}"))
}
