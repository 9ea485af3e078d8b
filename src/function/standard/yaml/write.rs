//! The encoder of YAML in block style. While a value is not wholly known, the text is a prefix: it ends at the first
//! character that is not certain.

mod uncertain;

use crate::error::{Error, Kind, Result};
use crate::function::standard::strings::{check_length, string_with_prefix};
use crate::types::Type;
use crate::value::{Value, View};

use super::style::{self, write_spaces};

/// The YAML text of a value, as far as it is known.
pub(super) enum Encoded {
    /// The whole text.
    Whole(String),
    /// A prefix of the text, which is certain.
    Prefix(String),
}

impl Encoded {
    /// The text as a string value; an unknown string with this prefix, if only that is known.
    pub(super) fn value(self) -> Value {
        match self {
            Encoded::Whole(text) => Value::from(text),
            Encoded::Prefix(text) => string_with_prefix(&text),
        }
    }
}

/// Encodes a value as YAML: the whole text, or of a value that is not wholly known the prefix that is certain. An error
/// if no value that it may turn out to be can be encoded: the values after the first unknown one are checked too.
pub(super) fn encode(value: &Value) -> Result<Encoded> {
    let mut writer =
        Writer { text: String::new(), certain_bytes: None, longest_string: 0, discarded_bytes: 0 };
    match writer.node(value, 0, Position::Top) {
        // An unknown string may turn out so long that the limit is higher: the limit depends on the longest string.
        Err(error) if error.is_limit() && !value.is_wholly_known() => writer.mark_uncertain(),
        result => result?,
    }
    Ok(writer.finish())
}

/// Where in the text a value is written.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    /// At the start of the document.
    Top,
    /// On the same line after `- `, `? ` or `: `.
    Inline,
    /// After the colon of a key.
    Value,
}

/// Writes YAML text: a buffer, and how much of it is certain.
struct Writer {
    text: String,
    /// The length in bytes of the prefix of `text` that is certain. `None` while all of it is.
    certain_bytes: Option<usize>,
    /// The length in bytes of the longest string as it was written: the limit of the text's length depends on it.
    longest_string: usize,
    /// The number of bytes that were written to compare members of sets and then discarded. They count towards the
    /// limit.
    discarded_bytes: usize,
}

impl Writer {
    /// The text that was written: the whole, or the prefix that is certain.
    fn finish(self) -> Encoded {
        let mut text = self.text;
        match self.certain_bytes {
            None => Encoded::Whole(text),
            Some(end) => {
                text.truncate(end);
                Encoded::Prefix(text)
            }
        }
    }

    /// Declares that the text written from here on is not certain.
    fn mark_uncertain(&mut self) {
        self.certain_bytes.get_or_insert(self.text.len());
    }

    /// Appends a string to the text.
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes a value and ends its line. `indent` is the number of spaces before the lines of the collection that
    /// contains it. An error if the value cannot be encoded or the text is too long.
    fn node(&mut self, value: &Value, indent: usize, position: Position) -> Result<()> {
        check_length(self.text.len().saturating_add(self.discarded_bytes), self.longest_string)?;
        match value.view() {
            View::Marked(_) => return Err(Error::new(Kind::Marked, "a marked value has no text")),
            View::Capsule(capsule) => return Err(not_encodable(&Type::Capsule(capsule.ty()))),
            View::Dynamic => self.mark_uncertain(),
            View::Unknown(range) => return self.unknown_value(&range, indent, position),
            View::Null(_) => self.plain("null", position),
            View::Bool(truth) => self.plain(if truth { "true" } else { "false" }, position),
            View::Number(number) if number.is_infinite() => {
                self.plain(if number.is_negative() { "-.inf" } else { ".inf" }, position);
            }
            View::Number(number) => self.plain(&number.to_string(), position),
            View::String(text) => {
                self.space_before(position);
                self.string(text, indent);
            }
            View::List(list) => return self.items(list.iter(), indent, position),
            View::Tuple(tuple) => return self.items(tuple.iter(), indent, position),
            View::Set(set) if set.not_wholly_known().is_empty() => {
                return self.items(set.iter(), indent, position);
            }
            View::Set(set) => return self.set(&set, indent, position),
            View::Map(map) => return self.entries(map.iter(), indent, position),
            View::Object(object) => return self.entries(object.iter(), indent, position),
        }
        Ok(())
    }

    /// Writes the space between the colon of a key and a value on the same line; nothing in other positions.
    fn space_before(&mut self, position: Position) {
        if position == Position::Value {
            self.push(" ");
        }
    }

    /// Writes a scalar without quotes, and ends its line.
    fn plain(&mut self, text: &str, position: Position) {
        self.space_before(position);
        self.push(text);
        // A plain scalar at the top needs the end marker: without it the next line would continue the scalar.
        self.push(if position == Position::Top { "\n...\n" } else { "\n" });
    }

    /// Writes a string in quotes or as a block of lines, and ends its line.
    fn string(&mut self, text: &str, indent: usize) {
        let before = self.text.len();
        style::write_string(text, indent.saturating_add(2), &mut self.text);
        self.longest_string = self.longest_string.max(self.text.len().saturating_sub(before));
    }

    /// Writes an empty collection, `[]` or `{}` as `brackets` says, and ends its line.
    fn empty(&mut self, brackets: &str, position: Position) {
        self.space_before(position);
        self.push(brackets);
        self.push("\n");
    }

    /// Begins a sequence, and returns the number of spaces before its items. In a mapping they are indented like the
    /// keys.
    fn begin_sequence(&mut self, indent: usize, position: Position) -> usize {
        match position {
            Position::Top => 0,
            Position::Inline => indent.saturating_add(2),
            Position::Value => {
                self.push("\n");
                write_spaces(indent, &mut self.text);
                indent
            }
        }
    }

    /// Begins a mapping, and returns the number of spaces before its keys.
    fn begin_mapping(&mut self, indent: usize, position: Position) -> usize {
        let inner = if position == Position::Top { 0 } else { indent.saturating_add(2) };
        if position == Position::Value {
            self.push("\n");
            write_spaces(inner, &mut self.text);
        }
        inner
    }

    /// Writes a sequence of these values, each after `- `.
    fn items<'v>(
        &mut self,
        items: impl Iterator<Item = &'v Value>,
        indent: usize,
        position: Position,
    ) -> Result<()> {
        let mut items = items.peekable();
        if items.peek().is_none() {
            self.empty("[]", position);
            return Ok(());
        }
        let indent = self.begin_sequence(indent, position);
        for (i, item) in items.enumerate() {
            if i > 0 {
                write_spaces(indent, &mut self.text);
            }
            self.push("- ");
            self.node(item, indent, Position::Inline)?;
        }
        Ok(())
    }

    /// Writes a mapping of these keys and values.
    fn entries<'v>(
        &mut self,
        entries: impl Iterator<Item = (&'v str, &'v Value)>,
        indent: usize,
        position: Position,
    ) -> Result<()> {
        let mut entries = entries.peekable();
        if entries.peek().is_none() {
            self.empty("{}", position);
            return Ok(());
        }
        let indent = self.begin_mapping(indent, position);
        for (i, (name, value)) in entries.enumerate() {
            if i > 0 {
                write_spaces(indent, &mut self.text);
            }
            if style::is_simple_key(name) {
                style::write_key(name, &mut self.text);
                self.push(":");
                self.node(value, indent, Position::Value)?;
            } else {
                self.push("? ");
                self.string(name, indent);
                write_spaces(indent, &mut self.text);
                self.push(": ");
                self.node(value, indent, Position::Inline)?;
            }
        }
        Ok(())
    }
}

/// The error for a type that YAML has no notation for.
#[cold]
fn not_encodable(ty: &Type) -> Error {
    Error::new(Kind::TypeMismatch, format!("{} cannot be written as YAML", ty.friendly_name()))
}
