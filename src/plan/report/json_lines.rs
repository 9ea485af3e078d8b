//! The layout of a long JSON document: a line for each entry, and nothing broken inside one.

use std::io::{self, Write};

use serde_json::ser::Formatter;

/// Breaks lines between the elements of arrays and objects down to a depth, and writes what lies deeper in one line.
pub(super) struct Lines {
    /// How many arrays and objects the document stands in.
    indent: usize,
    /// How many arrays and objects of the document are open.
    open: usize,
    /// Where no line is broken any more.
    deepest: usize,
    /// Whether the innermost open one has an element.
    has_element: bool,
}

impl Lines {
    pub(super) fn new(indent: usize, deepest: usize) -> Lines {
        Lines { indent, open: 0, deepest, has_element: false }
    }

    fn begin(&mut self, writer: &mut (impl Write + ?Sized), with: &[u8]) -> io::Result<()> {
        self.open = self.open.saturating_add(1);
        self.has_element = false;
        writer.write_all(with)
    }

    fn end(&mut self, writer: &mut (impl Write + ?Sized), with: &[u8]) -> io::Result<()> {
        let is_broken = self.has_element && self.open <= self.deepest;
        self.open = self.open.saturating_sub(1);
        self.has_element = true;
        if is_broken {
            self.line(writer)?;
        }
        writer.write_all(with)
    }

    fn element(&mut self, writer: &mut (impl Write + ?Sized), first: bool) -> io::Result<()> {
        self.has_element = true;
        if !first {
            writer.write_all(b",")?;
        }
        match self.open {
            open if open <= self.deepest => self.line(writer),
            _ if first => Ok(()),
            _ => writer.write_all(b" "),
        }
    }

    fn line(&self, writer: &mut (impl Write + ?Sized)) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.indent.saturating_add(self.open)).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.element(writer, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.element(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use serde_core::ser::Serialize;
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_are_broken_down_to_a_depth() {
        let written = |indent, deepest| {
            let mut text = Vec::new();
            let json = json!({"a": [{"b": [1, 2], "c": {}}, {}], "d": [], "e": {}});
            let lines = Lines::new(indent, deepest);
            json.serialize(&mut serde_json::Serializer::with_formatter(&mut text, lines)).unwrap();
            assert_eq!(serde_json::from_slice::<serde_json::Value>(&text).unwrap(), json);
            String::from_utf8(text).unwrap()
        };
        assert_eq!(written(0, 0), r#"{"a": [{"b": [1, 2], "c": {}}, {}], "d": [], "e": {}}"#);
        let expected = "{\n    \"a\": [\n      {\"b\": [1, 2], \"c\": {}},\n      {}\n    ],\n    \"d\": [],\n    \"e\": {}\n  }";
        assert_eq!(written(1, 2), expected);
    }
}
