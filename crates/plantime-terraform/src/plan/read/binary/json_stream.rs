//! Reads a JSON document piece by piece: of its objects and arrays no more than one member is held in memory.
//!
//! What is skipped is only followed to its end. What is kept is a text for a [`Reader`], which checks all of it.

use std::io::BufRead;

use super::archive::not_unpacked;
use plantime::unstable::error::Kind;
use plantime::unstable::json::Reader;
use plantime::{Error, Result};

/// The most bytes of a member that is kept.
const MEMBER_BYTES: usize = 1 << 24;

/// A JSON document that is read piece by piece.
pub(super) struct JsonStream<'s> {
    source: &'s mut dyn BufRead,
    /// The text of the member that was kept last.
    member: Vec<u8>,
}

impl<'s> JsonStream<'s> {
    /// A reader of the document from this source.
    pub(super) fn new(source: &'s mut dyn BufRead) -> JsonStream<'s> {
        JsonStream { source, member: Vec::new() }
    }

    /// Reads an object: calls `property` for each name, which must read or skip the value. A `null` has no properties.
    pub(super) fn object(
        &mut self,
        mut property: impl FnMut(&str, &mut JsonStream<'s>) -> Result<()>,
    ) -> Result<()> {
        self.members(b'{', b'}', |stream| {
            let name = {
                let mut reader = Reader::new(stream.keep()?)?;
                let name = reader.string()?.text().into_owned();
                reader.end()?;
                name
            };
            stream.take(b':')?;
            property(&name, stream)
        })
    }

    /// Reads an array: calls `element` for each element, which must read or skip it. A `null` has no elements.
    pub(super) fn array(&mut self, element: impl FnMut(&mut JsonStream<'s>) -> Result<()>) -> Result<()> {
        self.members(b'[', b']', element)
    }

    /// Reads an object or array from its opening bracket to its closing one: calls `member`, which must read or skip the
    /// member, for each of them. A `null` has no members.
    fn members(
        &mut self,
        open: u8,
        close: u8,
        mut member: impl FnMut(&mut JsonStream<'s>) -> Result<()>,
    ) -> Result<()> {
        if self.next()? == Some(b'n') {
            let mut reader = Reader::new(self.keep()?)?;
            reader.null()?;
            return reader.end();
        }
        self.take(open)?;
        if self.next()? == Some(close) {
            return self.take(close);
        }
        loop {
            member(self)?;
            if self.next()? == Some(close) {
                return self.take(close);
            }
            self.take(b',')?;
        }
    }

    /// Reads a value and returns its text.
    pub(super) fn keep(&mut self) -> Result<&[u8]> {
        self.value(true)?;
        Ok(&self.member)
    }

    /// Skips a value without keeping its text.
    pub(super) fn skip(&mut self) -> Result<()> {
        self.value(false)
    }

    /// Fails if anything but space is left.
    pub(super) fn end(&mut self) -> Result<()> {
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(malformed()),
        }
    }

    /// Skips space; returns the next byte without reading it, or `None` at the end.
    fn next(&mut self) -> Result<Option<u8>> {
        loop {
            let piece = self.source.fill_buf().map_err(|_| not_unpacked())?;
            let length = piece.len();
            if length == 0 {
                return Ok(None);
            }
            let found = piece.iter().position(|byte| !is_space(*byte));
            let byte = found.and_then(|place| piece.get(place)).copied();
            self.source.consume(found.unwrap_or(length));
            if byte.is_some() {
                return Ok(byte);
            }
        }
    }

    /// Skips space and reads the next byte; an error unless it is `byte`.
    fn take(&mut self, byte: u8) -> Result<()> {
        if self.next()? != Some(byte) {
            return Err(malformed());
        }
        self.source.consume(1);
        Ok(())
    }

    /// Reads a value to its end, into `member` if it is to be kept.
    fn value(&mut self, is_kept: bool) -> Result<()> {
        self.member.clear();
        self.next()?;
        let (mut state, mut is_empty) = (State::default(), true);
        loop {
            let piece = self.source.fill_buf().map_err(|_| not_unpacked())?;
            if piece.is_empty() {
                // A number or word ends with the document too.
                let is_whole = !is_empty && state.depth == 0 && !state.in_string;
                return if is_whole { Ok(()) } else { Err(malformed()) };
            }
            let (count, is_end) = state.follow(piece);
            is_empty &= count == 0;
            if is_kept {
                if self.member.len().saturating_add(count) > MEMBER_BYTES {
                    let message =
                        format!("the state in the plan has a part of more than {MEMBER_BYTES} bytes");
                    return Err(Error::new(Kind::Limit, message));
                }
                self.member.extend_from_slice(piece.get(..count).unwrap_or(piece));
            }
            self.source.consume(count);
            if is_end {
                return if is_empty { Err(malformed()) } else { Ok(()) };
            }
        }
    }
}

/// The state of a scan for the end of a value, which continues from one piece of text to the next.
#[derive(Default)]
struct State {
    /// The number of open brackets.
    depth: u64,
    in_string: bool,
    /// Whether the last byte was a backslash in a string that escapes the next one.
    is_escaped: bool,
}

impl State {
    /// Follows the value through a piece of text: the number of bytes that belong to it, and whether it ends there.
    fn follow(&mut self, piece: &[u8]) -> (usize, bool) {
        for (place, byte) in piece.iter().enumerate() {
            let after = place.saturating_add(1);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_string => self.is_escaped = true,
                b'"' if self.in_string => {
                    self.in_string = false;
                    if self.depth == 0 {
                        return (after, true);
                    }
                }
                _ if self.in_string => {}
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth = self.depth.saturating_add(1),
                b'}' | b']' if self.depth > 0 => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return (after, true);
                    }
                }
                b'}' | b']' => return (place, true),
                byte if self.depth == 0 && (matches!(byte, b',' | b':') || is_space(*byte)) => {
                    return (place, true);
                }
                _ => {}
            }
        }
        (piece.len(), false)
    }
}

/// Whether JSON takes a byte for space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The error for a state that is no JSON document.
#[cold]
fn malformed() -> Error {
    Error::new(Kind::Syntax, "the plan file is damaged: the state inside is no JSON document")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the properties of an object, in pieces of one to five bytes; none for `skipped`.
    fn properties(text: &str, size: usize) -> Result<Vec<(String, String)>> {
        let mut found = Vec::new();
        let mut source = std::io::BufReader::with_capacity(size, text.as_bytes());
        let mut stream = JsonStream::new(&mut source);
        stream.object(|name, stream| {
            if name == "skipped" {
                return stream.skip();
            }
            let value = String::from_utf8_lossy(stream.keep()?).into_owned();
            found.push((name.to_owned(), value));
            Ok(())
        })?;
        stream.end()?;
        Ok(found)
    }

    #[test]
    fn members_are_found_wherever_the_pieces_end() {
        let text = " { \"a\" : [1, \"]\\\"\", {\"b\": []}] ,\"skipped\":{\"x\":\"}\\\\\"},\"\\u00e9\":-1.5e3,\"n\":null}\n ";
        for size in 1..6 {
            let found = properties(text, size).unwrap();
            let expected = [("a", "[1, \"]\\\"\", {\"b\": []}]"), ("é", "-1.5e3"), ("n", "null")];
            let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
            assert_eq!(found, expected);
        }
        assert_eq!(properties("null", 3).unwrap(), []);
        assert_eq!(properties("{ }", 3).unwrap(), []);
    }

    #[test]
    fn what_is_no_document_is_an_error() {
        for text in [
            "",
            "[]",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":1}}",
            "{\"a\":1 2}",
            "{1:2}",
            "{\"a\" 1}",
            "{\"a\":[1}",
            "nul",
            "{\"a\":\"",
            "{,}",
            "{\"skipped\":}",
            "{\"skipped\":[[]}",
        ] {
            assert!(properties(text, 4).is_err(), "{text}");
        }
    }

    #[test]
    fn a_member_that_is_too_long_is_an_error_unless_it_is_skipped() {
        let text = |name: &str| format!("{{\"{name}\":\"{}\"}}", "a".repeat(MEMBER_BYTES));
        assert!(properties(&text("kept"), 1 << 16).unwrap_err().is_limit());
        assert_eq!(properties(&text("skipped"), 1 << 16).unwrap(), []);
    }
}
