//! The layout of a long JSON document: each entry on a line of its own, without line breaks inside it.

use std::io::{self, Write};

use plantime::unstable::text::printable_json;
use serde_json::ser::Formatter;

/// A JSON layout that puts each element of arrays and objects on a line of its own down to a depth, and deeper ones
/// on one line.
pub(super) struct Lines {
    /// How many arrays and objects the document is in.
    indent: usize,
    /// How many arrays and objects of the document are open.
    open: usize,
    /// The depth down to which each element has a line of its own.
    broken_depth: usize,
    /// Whether the innermost open array or object has an element.
    has_element: bool,
}

impl Lines {
    /// The layout of a document at this indent, broken down to this depth.
    pub(super) fn new(indent: usize, broken_depth: usize) -> Lines {
        Lines { indent, open: 0, broken_depth, has_element: false }
    }

    /// Writes the opening bracket `with` of an array or object.
    fn open_container(&mut self, writer: &mut (impl Write + ?Sized), with: &[u8]) -> io::Result<()> {
        self.open = self.open.saturating_add(1);
        self.has_element = false;
        writer.write_all(with)
    }

    /// Writes the closing bracket `with`, on a line of its own if the elements have theirs.
    fn close_container(&mut self, writer: &mut (impl Write + ?Sized), with: &[u8]) -> io::Result<()> {
        let is_broken = self.has_element && self.open <= self.broken_depth;
        self.open = self.open.saturating_sub(1);
        self.has_element = true;
        if is_broken {
            self.break_line(writer)?;
        }
        writer.write_all(with)
    }

    /// Writes the comma (unless the element is the `first`) and the line break or space before an element.
    fn begin_element(&mut self, writer: &mut (impl Write + ?Sized), first: bool) -> io::Result<()> {
        self.has_element = true;
        if !first {
            writer.write_all(b",")?;
        }
        match self.open {
            open if open <= self.broken_depth => self.break_line(writer),
            _ if first => Ok(()),
            _ => writer.write_all(b" "),
        }
    }

    /// Writes a line break and the indent.
    fn break_line(&self, writer: &mut (impl Write + ?Sized)) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.indent.saturating_add(self.open)).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open_container(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close_container(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_element(writer, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open_container(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close_container(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_element(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        writer.write_all(printable_json(fragment).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use serde_core::ser::Serialize;
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_are_broken_down_to_a_depth() {
        let written = |indent, broken_depth| {
            let mut text = Vec::new();
            let json = json!({"a": [{"b": [1, 2], "c": {}}, {}], "d": [], "e": {}});
            let lines = Lines::new(indent, broken_depth);
            json.serialize(&mut serde_json::Serializer::with_formatter(&mut text, lines)).unwrap();
            assert_eq!(serde_json::from_slice::<serde_json::Value>(&text).unwrap(), json);
            String::from_utf8(text).unwrap()
        };
        assert_eq!(written(0, 0), r#"{"a": [{"b": [1, 2], "c": {}}, {}], "d": [], "e": {}}"#);
        let expected = "{\n    \"a\": [\n      {\"b\": [1, 2], \"c\": {}},\n      {}\n    ],\n    \"d\": [],\n    \"e\": {}\n  }";
        assert_eq!(written(1, 2), expected);
    }
}
