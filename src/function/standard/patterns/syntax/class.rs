//! Classes of characters: `[a-z]`.

use super::escape::{escaped, perl_class};
use super::{BRACKET, RANGE, Read, Reader, fault, literal, start};

/// The classes of POSIX.
const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
];

impl Reader<'_> {
    pub(super) fn class(&mut self) -> Read<()> {
        let whole = self.rest;
        self.operand = true;
        let negated = whole.starts_with("[^");
        self.copy(if negated { 2 } else { 1 });
        let mut first = true;
        loop {
            match self.rest.chars().next() {
                Some(']') if !first => break,
                Some('[') if self.posix_class()? => {}
                Some('\\') if self.rest.starts_with("\\p") || self.rest.starts_with("\\P") => {
                    self.property()?
                }
                Some('\\') if self.rest.chars().nth(1).is_some_and(|sign| perl_class(sign).is_some()) => {
                    let class = self.rest.chars().nth(1).and_then(perl_class);
                    self.out.text.push_str(class.unwrap_or_default());
                    self.skip(2);
                }
                _ => self.span(whole)?,
            }
            first = false;
        }
        self.copy(1);
        Ok(())
    }

    /// `[:alpha:]`, in a class.
    fn posix_class(&mut self) -> Read<bool> {
        let Some((name, _)) = self.rest.strip_prefix("[:").and_then(|name| name.split_once(":]")) else {
            return Ok(false);
        };
        let text = start(self.rest, name.len().saturating_add(4));
        if !POSIX.contains(&name.strip_prefix('^').unwrap_or(name)) {
            return fault(RANGE, text);
        }
        self.copy(text.len());
        Ok(true)
    }

    /// A character, or from one to another.
    fn span(&mut self, class: &str) -> Read<()> {
        let before = self.rest;
        let first = self.member(class)?;
        let mut last = first;
        if self.rest.starts_with('-') && self.rest.len() > 1 && !self.rest.starts_with("-]") {
            self.skip(1);
            last = self.member(class)?;
        }
        if last < first {
            return fault(RANGE, start(before, before.len().saturating_sub(self.rest.len())));
        }
        literal(&mut self.out.text, first);
        if last > first {
            self.out.text.push('-');
            literal(&mut self.out.text, last);
        }
        Ok(())
    }

    fn member(&mut self, class: &str) -> Read<char> {
        let Some(c) = self.rest.chars().next() else { return fault(BRACKET, class) };
        let (c, length) = if c == '\\' { escaped(self.rest)? } else { (c, c.len_utf8()) };
        self.skip(length);
        Ok(c)
    }
}
