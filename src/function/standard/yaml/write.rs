//! Writing YAML in block style, up to the first part that is not certain.

mod uncertain;

use crate::error::{Error, Kind, Result};
use crate::function::standard::texts::{check_length, starting};
use crate::types::Type;
use crate::value::{Value, View};

use super::style::{self, pad};

/// The text of a value, or what it certainly begins with.
pub(super) enum Lead {
    Whole(String),
    Start(String),
}

impl Lead {
    pub(super) fn value(self) -> Value {
        match self {
            Lead::Whole(text) => Value::from(text),
            Lead::Start(text) => starting(&text),
        }
    }
}

/// An error only if no value that it may become has a text: what comes after the first unknown is looked at too.
pub(super) fn text(value: &Value) -> Result<Lead> {
    let mut writer = Writer { text: String::new(), certain: None, longest: 0, aside: 0 };
    match writer.node(value, 0, Place::Top) {
        // What is not known yet may be a text so long that more is allowed.
        Err(error) if error.is_limit() && !value.is_wholly_known() => writer.open(),
        result => result?,
    }
    Ok(writer.found())
}

/// Where a node stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Top,
    /// After `- ` or its like, on the same line.
    Inline,
    /// After the colon of a key.
    Value,
}

struct Writer {
    text: String,
    /// How much of the text is certain, from the first place on where it is not.
    certain: Option<usize>,
    /// The length of the longest string, written.
    longest: usize,
    /// How many bytes were written to find out what members of sets have in common.
    aside: usize,
}

impl Writer {
    fn found(self) -> Lead {
        let mut text = self.text;
        match self.certain {
            None => Lead::Whole(text),
            Some(end) => {
                text.truncate(end);
                Lead::Start(text)
            }
        }
    }

    /// From here on the text is not certain.
    fn open(&mut self) {
        self.certain.get_or_insert(self.text.len());
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes a node and ends its line. A collection around it is indented so far.
    fn node(&mut self, value: &Value, indent: usize, place: Place) -> Result<()> {
        check_length(self.text.len().saturating_add(self.aside), self.longest)?;
        match value.view() {
            View::Marked(_) => return Err(Error::new(Kind::Marked, "a marked value has no text")),
            View::Capsule(capsule) => return Err(no_text(&Type::Capsule(capsule.ty()))),
            View::Dynamic => self.open(),
            View::Unknown(range) => return self.unknown(&range, indent, place),
            View::Null(_) => self.plain("null", place),
            View::Bool(truth) => self.plain(if truth { "true" } else { "false" }, place),
            View::Number(number) if number.is_infinite() => {
                self.plain(if number.is_negative() { "-.inf" } else { ".inf" }, place);
            }
            View::Number(number) => self.plain(&number.to_string(), place),
            View::String(text) => {
                self.space(place);
                self.string(text, indent);
            }
            View::List(list) => return self.items(list.iter(), indent, place),
            View::Tuple(tuple) => return self.items(tuple.iter(), indent, place),
            View::Set(set) if set.undecided().is_empty() => return self.items(set.iter(), indent, place),
            View::Set(set) => return self.set(&set, indent, place),
            View::Map(map) => return self.entries(map.iter(), indent, place),
            View::Object(object) => return self.entries(object.iter(), indent, place),
        }
        Ok(())
    }

    /// What stands between a colon and a value on the same line.
    fn space(&mut self, place: Place) {
        if place == Place::Value {
            self.push(" ");
        }
    }

    fn plain(&mut self, text: &str, place: Place) {
        self.space(place);
        self.push(text);
        // The document would go on otherwise.
        self.push(if place == Place::Top { "\n...\n" } else { "\n" });
    }

    fn string(&mut self, text: &str, indent: usize) {
        let before = self.text.len();
        style::string(text, indent.saturating_add(2), &mut self.text);
        self.longest = self.longest.max(self.text.len().saturating_sub(before));
    }

    fn empty(&mut self, brackets: &str, place: Place) {
        self.space(place);
        self.push(brackets);
        self.push("\n");
    }

    /// Begins a sequence, and tells how far its items are indented: in a mapping as far as the keys.
    fn sequence(&mut self, indent: usize, place: Place) -> usize {
        match place {
            Place::Top => 0,
            Place::Inline => indent.saturating_add(2),
            Place::Value => {
                self.push("\n");
                pad(indent, &mut self.text);
                indent
            }
        }
    }

    /// Begins a mapping, and tells how far its keys are indented.
    fn mapping(&mut self, indent: usize, place: Place) -> usize {
        let inner = if place == Place::Top { 0 } else { indent.saturating_add(2) };
        if place == Place::Value {
            self.push("\n");
            pad(inner, &mut self.text);
        }
        inner
    }

    fn items<'v>(
        &mut self,
        items: impl Iterator<Item = &'v Value>,
        indent: usize,
        place: Place,
    ) -> Result<()> {
        let mut items = items.peekable();
        if items.peek().is_none() {
            self.empty("[]", place);
            return Ok(());
        }
        let indent = self.sequence(indent, place);
        for (i, item) in items.enumerate() {
            if i > 0 {
                pad(indent, &mut self.text);
            }
            self.push("- ");
            self.node(item, indent, Place::Inline)?;
        }
        Ok(())
    }

    fn entries<'v>(
        &mut self,
        entries: impl Iterator<Item = (&'v str, &'v Value)>,
        indent: usize,
        place: Place,
    ) -> Result<()> {
        let mut entries = entries.peekable();
        if entries.peek().is_none() {
            self.empty("{}", place);
            return Ok(());
        }
        let indent = self.mapping(indent, place);
        for (i, (name, value)) in entries.enumerate() {
            if i > 0 {
                pad(indent, &mut self.text);
            }
            if style::is_simple_key(name) {
                style::key(name, &mut self.text);
                self.push(":");
                self.node(value, indent, Place::Value)?;
            } else {
                self.push("? ");
                self.string(name, indent);
                pad(indent, &mut self.text);
                self.push(": ");
                self.node(value, indent, Place::Inline)?;
            }
        }
        Ok(())
    }
}

#[cold]
fn no_text(ty: &Type) -> Error {
    Error::new(Kind::TypeMismatch, format!("{} cannot be written as YAML", ty.friendly_name()))
}
