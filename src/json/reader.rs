//! The tokenizer of JSON text: the one reader under all functions that read JSON.

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::number::Number;
use crate::text::{nfc, plain_run};

use super::number::number;
use super::string::Str;

/// The kind of a JSON value, as its first byte tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Token {
    /// The name of the kind in messages.
    pub fn name(self) -> &'static str {
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

/// Reads JSON text (RFC 8259) token by token. A copy of the reader is a bookmark to return to.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    /// The current position, as a byte index of the text.
    at: usize,
    /// The number of arrays and objects that enclose the position.
    depth: usize,
    /// The number of bytes that large numbers have taken so far.
    numbers: usize,
}

/// A position in a text that a reader can resume from.
#[derive(Clone, Copy, Debug)]
pub struct ReaderPosition {
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the start of a text; an error if the bytes are not UTF-8.
    pub fn new(bytes: &'a [u8]) -> Result<Reader<'a>> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Reader::of(text)),
            Err(error) => Err(not_utf8(bytes, error.valid_up_to())),
        }
    }

    /// A reader at the start of a text.
    pub(super) fn of(text: &'a str) -> Reader<'a> {
        Reader { text, at: 0, depth: 0, numbers: 0 }
    }

    /// The current position, to resume from in the same text with [`resume`](Reader::resume).
    pub fn position(&self) -> ReaderPosition {
        ReaderPosition { at: self.at, depth: self.depth }
    }

    /// A reader at a position that was taken in this text.
    pub fn resume(text: &'a str, position: ReaderPosition) -> Reader<'a> {
        Reader { text, at: position.at, depth: position.depth, numbers: 0 }
    }

    /// The length of the whole text in bytes.
    pub(super) fn text_len(&self) -> usize {
        self.text.len()
    }

    /// The current position as a byte index.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The number of arrays and objects that enclose the current position.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Moves to a byte index that was read before, at this nesting depth.
    pub fn go_to(&mut self, at: usize, depth: usize) {
        self.at = at;
        self.depth = depth;
    }

    /// The next byte, without moving past it; `None` at the end of the text.
    #[inline]
    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Moves past the next byte.
    #[inline]
    pub(super) fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// Skips white space; returns the byte after it without moving past it.
    #[inline]
    pub(super) fn next_byte(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.step(),
                other => return other,
            }
        }
    }

    /// The kind of the next value, without reading it.
    #[inline]
    pub fn peek(&mut self) -> Result<Token> {
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

    /// Reads exactly this literal: `true`, `false` or `null`.
    fn literal(&mut self, word: &str) -> Result<()> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(self.error(&format!("not JSON: {word} expected")));
        }
        self.at = self.at.saturating_add(word.len());
        Ok(())
    }

    /// Reads `null`.
    #[inline]
    pub fn null(&mut self) -> Result<()> {
        self.next_byte();
        self.literal("null")
    }

    /// Reads `true` or `false`.
    #[inline]
    pub fn bool(&mut self) -> Result<bool> {
        match self.next_byte() {
            Some(b't') => self.literal("true").map(|()| true),
            _ => self.literal("false").map(|()| false),
        }
    }

    /// Moves past one or more digits.
    fn skip_digits(&mut self) -> Result<()> {
        if !self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.expected("a digit"));
        }
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.step();
        }
        Ok(())
    }

    /// Reads a number exactly.
    pub(crate) fn exact_number(&mut self) -> Result<Number> {
        if let Some(small) = self.small_integer() {
            return Ok(Number::from(small));
        }
        let read = number(self.number()?);
        self.count_digits(read.map_err(|error| self.locate(error))?)
    }

    /// Reads the digits of a number for a later conversion, and counts them now (see `count_digits`).
    #[inline]
    pub fn counted_number(&mut self) -> Result<&'a str> {
        let digits = self.number()?;
        // Without an exponent a number takes no more bytes than its digits.
        if digits.bytes().any(|byte| matches!(byte, b'e' | b'E'))
            && let Ok(number) = number(digits)
        {
            self.count_digits(number)?;
        }
        Ok(digits)
    }

    /// Skips a number that [`exact_number`](Reader::exact_number) would read; the same errors, without building the
    /// number.
    pub(super) fn skip_exact_number(&mut self) -> Result<()> {
        let start = *self;
        let digits = self.number()?;
        if digits.len() <= 18 && !digits.bytes().any(|byte| matches!(byte, b'e' | b'E')) {
            return Ok(());
        }
        *self = start;
        self.exact_number().map(drop)
    }

    /// Reads an integer of up to 18 digits; `None`, without moving, if the next value is anything else. The fast
    /// path of most numbers.
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

    /// Returns the number, or an error if the numbers so far take more than 32 times the length of the text.
    /// Exponents make that possible: `1e8000` is six bytes and has 8,001 digits.
    pub(super) fn count_digits(&mut self, number: Number) -> Result<Number> {
        self.numbers = self.numbers.saturating_add(number.heap_bytes());
        if self.numbers > self.text.len().saturating_mul(32).saturating_add(1 << 16) {
            return Err(self.error("the numbers of the JSON have too many digits").of_kind(Kind::Limit));
        }
        Ok(number)
    }

    /// Reads a number; returns its digits as written.
    pub fn number(&mut self) -> Result<&'a str> {
        self.next_byte();
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.step();
        }
        if self.byte() == Some(b'0') {
            self.step()
        } else {
            self.skip_digits()?
        }
        if self.byte() == Some(b'.') {
            self.step();
            self.skip_digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.step();
            if let Some(b'+' | b'-') = self.byte() {
                self.step();
            }
            self.skip_digits()?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Reads a string, without decoding it.
    #[inline]
    pub fn string(&mut self) -> Result<Str<'a>> {
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

    /// Moves past one escape in a string.
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

    /// Enters the array or object that comes next; an error beyond the maximum depth.
    #[inline]
    pub fn enter(&mut self) -> Result<()> {
        if self.depth >= limits::DEPTH {
            let message = format!("JSON may nest at most {} levels", limits::DEPTH);
            return Err(self.error(&message).of_kind(Kind::Limit));
        }
        self.depth = self.depth.saturating_add(1);
        self.step();
        Ok(())
    }

    /// Whether the entered array has another element; leaves the array if not. `first` is true before the first
    /// element.
    #[inline]
    pub fn element(&mut self, first: bool) -> Result<bool> {
        self.has_next(b']', first)
    }

    /// The name of the next property of the entered object; leaves the object and returns `None` if there is none.
    /// `first` is true before the first property.
    #[inline]
    pub fn key(&mut self, first: bool) -> Result<Option<Str<'a>>> {
        if !self.has_next(b'}', first)? {
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

    /// Whether the entered container has another child, by its closing bracket `close`; leaves the container if
    /// not.
    #[inline]
    fn has_next(&mut self, close: u8, first: bool) -> Result<bool> {
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

    /// Skips the next value, checking its syntax.
    pub fn skip(&mut self) -> Result<()> {
        match self.peek()? {
            Token::Null => self.null(),
            Token::Bool => self.bool().map(|_| ()),
            Token::Number => self.number().map(|_| ()),
            Token::String => self.string().map(|_| ()),
            Token::Array => {
                self.enter()?;
                let mut first = true;
                while self.element(std::mem::take(&mut first))? {
                    self.skip()?;
                }
                Ok(())
            }
            Token::Object => {
                self.enter()?;
                let mut first = true;
                while self.key(std::mem::take(&mut first))?.is_some() {
                    self.skip()?;
                }
                Ok(())
            }
        }
    }

    /// Skips the next value, checking its syntax, and that no object in it has a property twice.
    pub fn skip_unique(&mut self) -> Result<()> {
        match self.peek()? {
            Token::Array => {
                self.enter()?;
                let mut first = true;
                while self.element(std::mem::take(&mut first))? {
                    self.skip_unique()?;
                }
                Ok(())
            }
            Token::Object => {
                self.enter()?;
                let mut names = Vec::new();
                while let Some(name) = self.key(names.is_empty())? {
                    names.push(name);
                    self.skip_unique()?;
                }
                self.check_unique(names)
            }
            _ => self.skip(),
        }
    }

    /// An error if a name occurs twice among those of an object that ends here. It does not say which: names may be content.
    pub fn check_unique(&self, names: Vec<Str<'_>>) -> Result<()> {
        match has_duplicate(names) {
            true => Err(self.error("a property occurs twice in a JSON object that ends")),
            false => Ok(()),
        }
    }

    /// An error if anything but white space follows.
    pub fn end(&mut self) -> Result<()> {
        match self.next_byte() {
            None => Ok(()),
            Some(_) => Err(self.error("extraneous data after the JSON value")),
        }
    }

    /// An error if anything follows but white space or a closing bracket: at a bracket cty stops reading and
    /// ignores the rest.
    pub(super) fn end_or_bracket(&mut self) -> Result<()> {
        match self.next_byte() {
            Some(b']' | b'}') => Ok(()),
            _ => self.end(),
        }
    }

    /// The error "not JSON: `what` expected, but found …" at the current position.
    #[cold]
    pub(super) fn expected(&self, what: &str) -> Error {
        match self.text.get(self.at..).unwrap_or_default().chars().next() {
            Some(found) => self.error(&format!("not JSON: {what} expected, but found {found:?}")),
            None => self.error(&format!("not JSON: {what} expected, but the text ends")),
        }
    }

    /// A syntax error with the line and column of the current position.
    #[cold]
    pub fn error(&self, message: &str) -> Error {
        let (line, column) = line_and_column(self.text.as_bytes(), self.at);
        Error::new(Kind::Syntax, format!("{message} at line {line} column {column}"))
    }

    /// The error "`wanted` required, but have …" with the kind of the next value.
    #[cold]
    pub fn mismatch(&mut self, wanted: &str) -> Error {
        match self.peek() {
            Ok(found) => self
                .error(&format!("{wanted} required, but have {}", found.name()))
                .of_kind(Kind::TypeMismatch),
            Err(error) => error,
        }
    }

    /// Appends the line and column of the current position to the message of an error.
    #[cold]
    pub fn locate(&self, error: Error) -> Error {
        let (line, column) = line_and_column(self.text.as_bytes(), self.at);
        let message = format!("{} at line {line} column {column}", error.message());
        error.with_message(message)
    }

    /// The text from this position to the end.
    pub fn text_until_end(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text between this position and a later one.
    pub fn text_until(&self, end: &Reader<'a>) -> &'a str {
        self.text.get(self.at..end.at).unwrap_or_default()
    }
}

/// The line and the column of a byte, both counted from 1; columns count characters.
/// Whether a name occurs twice.
fn has_duplicate(mut names: Vec<Str<'_>>) -> bool {
    let plain = |[a, b]: [Option<&str>; 2]| matches!((a, b), (Some(a), Some(b)) if a < b);
    if names.windows(2).all(|pair| matches!(pair, [a, b] if plain([a.plain(), b.plain()]))) {
        return false;
    }
    let by_text = |a: &Str<'_>, b: &Str<'_>| match (a.plain(), b.plain()) {
        (Some(a), Some(b)) => a.cmp(b),
        _ => nfc(&a.text()).cmp(&nfc(&b.text())),
    };
    names.sort_unstable_by(by_text);
    names.windows(2).any(|pair| matches!(pair, [a, b] if by_text(a, b).is_eq()))
}

fn line_and_column(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line_start =
        before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline.saturating_add(1));
    let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
    let last = before.get(line_start..).unwrap_or_default();
    (line, String::from_utf8_lossy(last).chars().count().saturating_add(1))
}

/// The error for invalid UTF-8, with a guess at the format of the data.
#[cold]
fn not_utf8(bytes: &[u8], at: usize) -> Error {
    let (line, column) = line_and_column(bytes, at);
    let hint = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => " (the text looks like UTF-16)",
        [0x1f, 0x8b, ..] => " (the data looks like gzip)",
        [b'P', b'K', 3, 4, ..] => " (the data looks like a zip archive, such as a binary plan)",
        _ => "",
    };
    Error::new(Kind::Syntax, format!("not JSON: invalid UTF-8{hint} at line {line} column {column}"))
}
