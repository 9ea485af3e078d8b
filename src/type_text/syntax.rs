//! Parsing the text form of constraints into expressions: words, calls, lists, maps and literals.

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::number::Number;
use crate::text::{continues_word, position, read_quoted, starts_word};
use crate::types::node::too_deep;

/// A parsed expression, and the index of the byte where it starts.
pub(super) struct Expr {
    pub(super) at: usize,
    pub(super) kind: ExprKind,
}

/// The kind and content of an expression: a word such as `string`, a call with its arguments, a list in brackets, a
/// map in braces, a quoted string or a number.
pub(super) enum ExprKind {
    Word(String),
    Call(String, Vec<Expr>),
    List(Vec<Expr>),
    Map(Vec<(Expr, Expr)>),
    Text(String),
    Number(Number),
}

/// Parses a string that is exactly one expression.
pub(super) fn parse(text: &str) -> Result<Expr> {
    let mut reader = ExprParser { text, rest: text };
    // A level of an object type is a call and a map.
    let expr = reader.expr(limits::DEPTH.saturating_mul(3))?;
    match reader.peek() {
        None => Ok(expr),
        Some(_) => Err(reader.expected("end of the type constraint")),
    }
}

/// The parser: the whole string, and the part of it that was not read yet.
struct ExprParser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl ExprParser<'_> {
    /// Skips white space and returns the next character without reading it; `None` at the end.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.rest.chars().next()
    }

    /// Skips white space and reads the character `wanted` if it is next. Returns whether it was.
    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.rest = self.rest.strip_prefix(wanted).unwrap_or(self.rest);
        }
        found
    }

    /// The syntax error that `what` is expected, with the character found and its position.
    #[cold]
    fn expected(&mut self, what: &str) -> Error {
        let found = self.peek();
        let message = match found {
            Some(found) => {
                format!("{what} expected, but found {found:?} at {}", position(self.text, self.at()))
            }
            None => "unexpected end of the type constraint".to_owned(),
        };
        Error::new(Kind::Syntax, message)
    }

    /// The index of the next byte in the whole string.
    fn at(&self) -> usize {
        self.text.len().saturating_sub(self.rest.len())
    }

    /// Parses an expression that nests at most `depth` levels.
    fn expr(&mut self, depth: usize) -> Result<Expr> {
        let below = depth.checked_sub(1).ok_or_else(too_deep)?;
        let next = self.peek();
        let at = self.at();
        let kind = match next {
            Some('"') => self.quoted(),
            Some('[') => self.list('[', ']', below).map(ExprKind::List),
            Some('{') => self.map(below),
            Some('-' | '.' | '0'..='9') => self.number(),
            Some(c) if starts_word(c) => self.word_or_call(below),
            _ => Err(self.expected("a type")),
        }?;
        Ok(Expr { at, kind })
    }

    /// Parses a word, and, if a parenthesis follows, the arguments of a call. These nest at most `depth` levels.
    fn word_or_call(&mut self, depth: usize) -> Result<ExprKind> {
        let end = self.rest.find(|c| !continues_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        let word = word.to_owned();
        self.rest = rest;
        if self.peek() == Some('(') {
            return Ok(ExprKind::Call(word, self.list('(', ')', depth)?));
        }
        Ok(ExprKind::Word(word))
    }

    /// Parses expressions between `open` and `close`, separated by commas, with an optional comma after the last.
    fn list(&mut self, open: char, close: char, depth: usize) -> Result<Vec<Expr>> {
        let mut items = Vec::new();
        self.take(open);
        while !self.take(close) {
            items.push(self.expr(depth)?);
            if !self.take(',') && self.peek() != Some(close) {
                return Err(self.expected(&format!("\",\" or \"{close}\"")));
            }
        }
        Ok(items)
    }

    /// Parses the entries of a map between braces, `key = value` or `key: value`, separated by commas or line ends.
    fn map(&mut self, depth: usize) -> Result<ExprKind> {
        let mut entries = Vec::new();
        self.take('{');
        while !self.take('}') {
            let key = self.expr(depth)?;
            if !self.take('=') && !self.take(':') {
                return Err(self.expected("\"=\""));
            }
            let start = self.rest;
            entries.push((key, self.expr(depth)?));
            if self.take(',') || self.peek() == Some('}') {
                continue;
            }
            // The source of the value with the white space after it, which may contain the line end.
            let read = start.get(..start.len().saturating_sub(self.rest.len())).unwrap_or("");
            if !read.get(read.trim_end().len()..).is_some_and(|space| space.contains('\n')) {
                return Err(self.expected("\",\" or \"}\""));
            }
        }
        Ok(ExprKind::Map(entries))
    }

    /// Parses a number literal.
    fn number(&mut self) -> Result<ExprKind> {
        let mut last = ' ';
        let end = self.rest.find(|c: char| {
            let sign = matches!(c, '+' | '-') && matches!(last, ' ' | 'e' | 'E');
            last = c;
            !(sign || c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E'))
        });
        let (digits, rest) =
            self.rest.split_at_checked(end.unwrap_or(self.rest.len())).unwrap_or((self.rest, ""));
        let placed = |error: Error| {
            let place = position(self.text, self.at());
            if error.is_syntax() {
                Error::new(Kind::Syntax, format!("{} at {place}", error.message()))
            } else {
                error
            }
        };
        let number = digits.parse().map_err(placed)?;
        self.rest = rest;
        Ok(ExprKind::Number(number))
    }

    /// Parses a string in double quotes.
    fn quoted(&mut self) -> Result<ExprKind> {
        let content = self.rest.strip_prefix('"').unwrap_or(self.rest);
        let Some((text, rest)) = read_quoted(content) else { return Err(self.expected("a closed string")) };
        self.rest = rest;
        Ok(ExprKind::Text(text))
    }
}
