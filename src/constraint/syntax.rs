//! The expressions of the text form, before they mean anything: words, calls, lists, maps and literals.

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::number::Number;
use crate::text::read_quoted;
use crate::text::{continues_word, starts_word};
use crate::types::node::too_deep;

pub(super) enum Expr {
    Word(String),
    Call(String, Vec<Expr>),
    List(Vec<Expr>),
    Map(Vec<(Expr, Expr)>),
    Text(String),
    Number(Number),
}

/// Reads the one expression that the text is.
pub(super) fn parse(text: &str) -> Result<Expr> {
    let mut reader = Reader { text, rest: text };
    // A level of an object type is a call and a map.
    let expr = reader.expr(limits::DEPTH.saturating_mul(3))?;
    match reader.peek() {
        None => Ok(expr),
        Some(_) => Err(reader.expected("end of the type constraint")),
    }
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.rest = self.rest.strip_prefix(wanted).unwrap_or(self.rest);
        }
        found
    }

    #[cold]
    fn expected(&mut self, what: &str) -> Error {
        let found = self.peek();
        let at = self.text.len().saturating_sub(self.rest.len());
        let message = match found {
            Some(found) => format!("{what} expected, but found {found:?} at byte {at}"),
            None => "unexpected end of the type constraint".to_owned(),
        };
        Error::new(Kind::Syntax, message)
    }

    fn expr(&mut self, depth: usize) -> Result<Expr> {
        let below = depth.checked_sub(1).ok_or_else(too_deep)?;
        match self.peek() {
            Some('"') => self.quoted(),
            Some('[') => self.list('[', ']', below).map(Expr::List),
            Some('{') => self.map(below),
            Some('-' | '.' | '0'..='9') => self.number(),
            Some(c) if starts_word(c) => self.word_or_call(below),
            _ => Err(self.expected("a type")),
        }
    }

    fn word_or_call(&mut self, depth: usize) -> Result<Expr> {
        let end = self.rest.find(|c| !continues_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        let word = word.to_owned();
        self.rest = rest;
        if self.peek() == Some('(') {
            return Ok(Expr::Call(word, self.list('(', ')', depth)?));
        }
        Ok(Expr::Word(word))
    }

    /// Expressions with commas between, and perhaps one after the last.
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

    /// Entries with a comma or a line end between.
    fn map(&mut self, depth: usize) -> Result<Expr> {
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
            // What has been read of the value, with the white space after it.
            let read = start.get(..start.len().saturating_sub(self.rest.len())).unwrap_or("");
            if !read.get(read.trim_end().len()..).is_some_and(|space| space.contains('\n')) {
                return Err(self.expected("\",\" or \"}\""));
            }
        }
        Ok(Expr::Map(entries))
    }

    fn number(&mut self) -> Result<Expr> {
        let mut last = ' ';
        let end = self.rest.find(|c: char| {
            let sign = matches!(c, '+' | '-') && matches!(last, ' ' | 'e' | 'E');
            last = c;
            !(sign || c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E'))
        });
        let (digits, rest) =
            self.rest.split_at_checked(end.unwrap_or(self.rest.len())).unwrap_or((self.rest, ""));
        let number = digits.parse()?;
        self.rest = rest;
        Ok(Expr::Number(number))
    }

    fn quoted(&mut self) -> Result<Expr> {
        let content = self.rest.strip_prefix('"').unwrap_or(self.rest);
        let Some((text, rest)) = read_quoted(content) else { return Err(self.expected("a closed string")) };
        self.rest = rest;
        Ok(Expr::Text(text))
    }
}
