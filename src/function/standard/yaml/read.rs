//! Reading YAML: event by event, without recursion. What an alias stands for is shared, and counted.

use std::cell::Cell;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Input, Marker, Parser, ScalarStyle, ScanError, Tag};

use crate::error::{Error, Kind, Result};
use crate::limits::ALIASED;
use crate::text::Text;
use crate::value::{Value, View};
use crate::yaml::{Beginning, NESTING, is_printable};

use super::fault::{no_key, placed, too_deep, with_place};
use super::scalar;

/// The value of a text that is one document.
pub(super) fn document(text: &str) -> Result<Value> {
    check(text)?;
    Reader::new(Parser::new_from_str(text), text).document().map_err(|error| error.in_argument(0))
}

/// The error of every text that begins so.
pub(super) fn may_go_on(start: &str) -> Result<()> {
    check(start)?;
    let seen_all = Cell::new(false);
    let parser = Parser::new_from_iter(Beginning::new(start, &seen_all));
    match Reader::new(parser, start).document() {
        Err(error) if !seen_all.get() => Err(error.in_argument(0)),
        _ => Ok(()),
    }
}

fn check(text: &str) -> Result<()> {
    match text.chars().all(is_printable) {
        true => Ok(()),
        false => Err(Error::new(Kind::Syntax, "control characters are not allowed").in_argument(0)),
    }
}

struct Reader<'t, 'i, T: Input> {
    parser: Parser<'i, T>,
    text: &'t str,
    /// What has been read under an anchor, by the number that the parser gives it. None while it is being read.
    anchors: BTreeMap<usize, Option<Value>>,
    aliased: usize,
    open: Vec<Open>,
}

/// A collection that is being read.
struct Open {
    anchor: usize,
    parts: Parts,
}

enum Parts {
    Sequence(Vec<Value>),
    Mapping {
        entries: BTreeMap<Text, Value>,
        /// What the next node is the value of. None where the next node is a key.
        key: Option<Key>,
    },
}

enum Key {
    Name(Text),
    /// `<<`, and where it stands: the value's entries become entries here.
    Merge(Marker),
}

impl<'t, 'i, T: Input> Reader<'t, 'i, T> {
    fn new(parser: Parser<'i, T>, text: &'t str) -> Reader<'t, 'i, T> {
        Reader { parser, text, anchors: BTreeMap::new(), aliased: 0, open: Vec::new() }
    }

    fn document(mut self) -> Result<Value> {
        let mut root = None;
        let mut end = None;
        while let Some(event) = self.parser.next_event() {
            let (event, span) = event.map_err(|error| self.unread(&error))?;
            let at = span.start;
            end = Some(at);
            let value = match event {
                Event::DocumentStart(_) if root.is_some() => {
                    return Err(placed(&at, "unexpected extra content after value"));
                }
                Event::Nothing
                | Event::StreamStart
                | Event::StreamEnd
                | Event::DocumentStart(_)
                | Event::DocumentEnd => continue,
                Event::Scalar(text, style, anchor, tag) => {
                    match self.scalar(&text, style, anchor, tag.as_deref(), &at)? {
                        Some(value) => value,
                        None => continue,
                    }
                }
                Event::Alias(anchor) => self.alias(anchor, &at)?,
                Event::SequenceStart(anchor, tag) => {
                    self.begin(anchor, Parts::Sequence(Vec::new()), tag.as_deref(), &at)?;
                    continue;
                }
                Event::MappingStart(anchor, tag) => {
                    let parts = Parts::Mapping { entries: BTreeMap::new(), key: None };
                    self.begin(anchor, parts, tag.as_deref(), &at)?;
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                    Some(Open { anchor, parts }) => {
                        let value = match parts {
                            Parts::Sequence(items) => Value::tuple(items),
                            Parts::Mapping { entries, .. } => {
                                Value::object(entries.iter().map(|(name, value)| (name.as_str(), value)))
                            }
                        };
                        self.named(anchor, value?)
                    }
                    None => continue,
                },
            };
            if let Some(value) = self.put(value)? {
                root = Some(value);
            }
        }
        root.ok_or_else(|| placed(&end.unwrap_or_default(), "missing start of document"))
    }

    /// Whether a key comes next.
    fn at_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { parts: Parts::Mapping { key: None, .. }, .. }))
    }

    /// A scalar that is a value. One that is a key is remembered.
    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        at: &Marker,
    ) -> Result<Option<Value>> {
        let tag = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix));
        let at_key = self.at_key();
        let merges = match tag.as_deref() {
            None => text == "<<",
            Some(tag) => tag == "tag:yaml.org,2002:merge",
        };
        let key = if at_key && merges {
            Key::Merge(*at)
        } else {
            let value = scalar::value(text, style, tag.as_deref()).map_err(|error| with_place(error, at))?;
            if !at_key {
                return Ok(Some(self.named(anchor, value)));
            }
            match value.view() {
                View::String(name) => Key::Name(Text::new(name)),
                View::Number(number) => Key::Name(Text::new(&number.to_string())),
                View::Bool(truth) => Key::Name(Text::new(if truth { "true" } else { "false" })),
                _ => return Err(placed(at, "mapping key cannot be null")),
            }
        };
        if let Some(Open { parts: Parts::Mapping { key: next, .. }, .. }) = self.open.last_mut() {
            *next = Some(key);
        }
        Ok(None)
    }

    fn begin(&mut self, anchor: usize, parts: Parts, tag: Option<&Tag>, at: &Marker) -> Result<()> {
        if self.at_key() {
            return Err(no_key(at));
        }
        let (kind, own) = match parts {
            Parts::Sequence(_) => ("sequence", "tag:yaml.org,2002:seq"),
            Parts::Mapping { .. } => ("mapping", "tag:yaml.org,2002:map"),
        };
        if let Some(tag) = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix)).filter(|tag| tag != own) {
            let tag: String = tag.chars().take(100).collect();
            return Err(placed(at, &format!("can't interpret {kind} as {tag}")));
        }
        if self.open.len() >= NESTING {
            return Err(too_deep(at));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, None);
        }
        self.open.push(Open { anchor, parts });
        Ok(())
    }

    /// Keeps a value under its anchor, if it has one.
    fn named(&mut self, anchor: usize, value: Value) -> Value {
        if anchor > 0 {
            self.anchors.insert(anchor, Some(value.clone()));
        }
        value
    }

    fn alias(&mut self, anchor: usize, at: &Marker) -> Result<Value> {
        if self.at_key() {
            return Err(no_key(at));
        }
        match self.anchors.get(&anchor) {
            Some(Some(value)) => {
                let value = value.clone();
                self.count(value.ty().size(), at)?;
                Ok(value)
            }
            Some(None) => {
                let name = scalar::quote(self.name_of_alias(at));
                Err(placed(at, &format!("cannot refer to anchor {name} from inside its own definition")))
            }
            // That of a key.
            None => Err(self.undefined(at)),
        }
    }

    fn count(&mut self, parts: usize, at: &Marker) -> Result<()> {
        self.aliased = self.aliased.saturating_add(parts);
        if self.aliased <= ALIASED {
            return Ok(());
        }
        let message = format!("the aliases of the document stand for more than {ALIASED} parts");
        Err(with_place(Error::new(Kind::Limit, message), at))
    }

    /// Puts a value into the collection that is open, or gives it back where there is none.
    fn put(&mut self, value: Value) -> Result<Option<Value>> {
        let Some(Open { parts, .. }) = self.open.last_mut() else { return Ok(Some(value)) };
        match parts {
            Parts::Sequence(items) => items.push(value),
            Parts::Mapping { entries, key } => match key.take() {
                Some(Key::Name(name)) => drop(entries.insert(name, value)),
                Some(Key::Merge(at)) => self.merge(&value, &at)?,
                None => {}
            },
        }
        Ok(None)
    }

    /// Puts the entries of a mapping, or of a sequence of mappings, into the mapping that is open.
    fn merge(&mut self, value: &Value, at: &Marker) -> Result<()> {
        if let View::Tuple(items) = value.view() {
            return items.iter().try_for_each(|item| self.merge_one(item, " (from sequence)", at));
        }
        self.merge_one(value, "", at)
    }

    fn merge_one(&mut self, value: &Value, from: &str, at: &Marker) -> Result<()> {
        let View::Object(object) = value.view() else {
            let kind = value.ty().friendly_name();
            return Err(placed(at, &format!("cannot merge {kind}{from} into mapping")));
        };
        self.count(object.len(), at)?;
        if let Some(Open { parts: Parts::Mapping { entries, .. }, .. }) = self.open.last_mut() {
            entries.extend(object.iter().map(|(name, value)| (Text::new(name), value.clone())));
        }
        Ok(())
    }

    #[cold]
    fn undefined(&self, at: &Marker) -> Error {
        let name = scalar::quote(self.name_of_alias(at));
        placed(at, &format!("reference to undefined anchor {name}"))
    }

    /// What the reader says of a text that is no YAML.
    #[cold]
    fn unread(&self, error: &ScanError) -> Error {
        match error.info() {
            "while parsing node, found unknown anchor" => self.undefined(error.marker()),
            "recursion limit exceeded" => too_deep(error.marker()),
            what => placed(error.marker(), what),
        }
    }

    /// The name after the `*` that stands here.
    fn name_of_alias(&self, at: &Marker) -> &'t str {
        let start = self
            .text
            .char_indices()
            .nth(at.index().saturating_add(1))
            .map_or(self.text.len(), |(start, _)| start);
        let name = self.text.get(start..).unwrap_or_default();
        name.split(|c: char| c.is_whitespace() || ",[]{}".contains(c)).next().unwrap_or_default()
    }
}
