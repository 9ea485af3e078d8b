//! The decoder of YAML. It handles the events of the parser in a loop, without recursion. Aliases share the value of
//! their anchor, and the total size of aliased values is limited.

use std::cell::Cell;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Input, Marker, Parser, ScalarStyle, ScanError, Tag};

use crate::error::{Error, Kind, Result};
use crate::limits::ALIASED;
use crate::text::Text;
use crate::text::yaml::{NESTING, PrefixChars, is_printable};
use crate::value::{Value, View};

use super::errors::{invalid_key, syntax_error, too_deep, with_position};
use super::scalar;

/// The value of a text that contains exactly one YAML document; else an error with line and column.
pub(super) fn decode(text: &str) -> Result<Value> {
    check_characters(text)?;
    Reader::new(Parser::new_from_str(text), text).read_document().map_err(|error| error.in_argument(0))
}

/// An error if no valid YAML document starts with this prefix.
pub(super) fn check_prefix(prefix: &str) -> Result<()> {
    check_characters(prefix)?;
    let is_exhausted = Cell::new(false);
    let parser = Parser::new_from_iter(PrefixChars::new(prefix, &is_exhausted));
    match Reader::new(parser, prefix).read_document() {
        // Only an error before the parser reads the end of the prefix holds for all continuations.
        Err(error) if !is_exhausted.get() => Err(error.in_argument(0)),
        _ => Ok(()),
    }
}

/// An error if the text contains a character that YAML does not allow.
fn check_characters(text: &str) -> Result<()> {
    match text.chars().all(is_printable) {
        true => Ok(()),
        false => Err(Error::new(Kind::Syntax, "control characters are not allowed").in_argument(0)),
    }
}

/// Builds the value of a document from the events of the YAML parser.
struct Reader<'t, 'i, T: Input> {
    parser: Parser<'i, T>,
    /// The text of the document, or its known prefix: messages quote it.
    text: &'t str,
    /// The values of anchors, by the number that the parser gives them. `None` while the value is being read.
    anchors: BTreeMap<usize, Option<Value>>,
    /// The total size of the values that aliases stand for.
    aliased_size: usize,
    /// The sequences and mappings that have begun and not ended, the innermost one last.
    open_collections: Vec<OpenCollection>,
}

/// A sequence or mapping that has begun and not ended.
struct OpenCollection {
    /// The number of its anchor; 0 if it has none.
    anchor: usize,
    content: CollectionContent,
}

/// The elements or entries read so far of a sequence or mapping.
enum CollectionContent {
    Sequence(Vec<Value>),
    Mapping {
        entries: BTreeMap<Text, Value>,
        /// The key whose value comes next; `None` if a key comes next.
        key: Option<Key>,
    },
}

/// The key of a mapping entry: a name, or the merge key `<<`.
enum Key {
    Name(Text),
    /// `<<`, with its position: the entries of the value become entries of this mapping.
    Merge(Marker),
}

impl<'t, 'i, T: Input> Reader<'t, 'i, T> {
    /// A reader that has read nothing yet.
    fn new(parser: Parser<'i, T>, text: &'t str) -> Reader<'t, 'i, T> {
        Reader { parser, text, anchors: BTreeMap::new(), aliased_size: 0, open_collections: Vec::new() }
    }

    /// Reads the only document of the text, and returns its value. An error if there is none, or a second one.
    fn read_document(mut self) -> Result<Value> {
        let mut root = None;
        let mut end = None;
        while let Some(event) = self.parser.next_event() {
            let (event, span) = event.map_err(|error| self.parser_error(&error))?;
            let at = span.start;
            end = Some(at);
            let value = match event {
                Event::DocumentStart(_) if root.is_some() => {
                    return Err(syntax_error(&at, "unexpected extra content after value"));
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
                    self.begin_collection(
                        anchor,
                        CollectionContent::Sequence(Vec::new()),
                        tag.as_deref(),
                        &at,
                    )?;
                    continue;
                }
                Event::MappingStart(anchor, tag) => {
                    let content = CollectionContent::Mapping { entries: BTreeMap::new(), key: None };
                    self.begin_collection(anchor, content, tag.as_deref(), &at)?;
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => match self.open_collections.pop() {
                    Some(OpenCollection { anchor, content }) => {
                        let value = match content {
                            CollectionContent::Sequence(items) => Value::tuple(items),
                            CollectionContent::Mapping { entries, .. } => {
                                Value::object(entries.iter().map(|(name, value)| (name.as_str(), value)))
                            }
                        };
                        self.store_anchor(anchor, value?)
                    }
                    None => continue,
                },
            };
            if let Some(value) = self.add_to_collection(value)? {
                root = Some(value);
            }
        }
        root.ok_or_else(|| syntax_error(&end.unwrap_or_default(), "missing start of document"))
    }

    /// Whether the next scalar, sequence or mapping would be the key of a mapping entry.
    fn expects_key(&self) -> bool {
        matches!(
            self.open_collections.last(),
            Some(OpenCollection { content: CollectionContent::Mapping { key: None, .. }, .. })
        )
    }

    /// Handles a scalar: returns its value; `None` if it is a key, which is then stored in the innermost open mapping.
    /// `anchor` is 0 without an anchor, and `at` the position for errors.
    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        at: &Marker,
    ) -> Result<Option<Value>> {
        let tag = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix));
        let is_key = self.expects_key();
        let is_merge = match tag.as_deref() {
            None => text == "<<",
            Some(tag) => tag == "tag:yaml.org,2002:merge",
        };
        let key = if is_key && is_merge {
            Key::Merge(*at)
        } else {
            let value = scalar::scalar_value(text, style, tag.as_deref())
                .map_err(|error| with_position(error, at))?;
            if !is_key {
                return Ok(Some(self.store_anchor(anchor, value)));
            }
            match value.view() {
                View::String(name) => Key::Name(Text::new(name)),
                View::Number(number) => Key::Name(Text::new(&number.to_string())),
                View::Bool(truth) => Key::Name(Text::new(if truth { "true" } else { "false" })),
                _ => return Err(syntax_error(at, "mapping key cannot be null")),
            }
        };
        if let Some(OpenCollection { content: CollectionContent::Mapping { key: pending, .. }, .. }) =
            self.open_collections.last_mut()
        {
            *pending = Some(key);
        }
        Ok(None)
    }

    /// Begins to read a sequence or mapping, with the empty `content`. An error if it has a tag of another kind, is a
    /// mapping key, or is nested too deeply.
    fn begin_collection(
        &mut self,
        anchor: usize,
        content: CollectionContent,
        tag: Option<&Tag>,
        at: &Marker,
    ) -> Result<()> {
        if self.expects_key() {
            return Err(invalid_key(at));
        }
        let (kind, default_tag) = match content {
            CollectionContent::Sequence(_) => ("sequence", "tag:yaml.org,2002:seq"),
            CollectionContent::Mapping { .. } => ("mapping", "tag:yaml.org,2002:map"),
        };
        if let Some(tag) =
            tag.map(|tag| format!("{}{}", tag.handle, tag.suffix)).filter(|tag| tag != default_tag)
        {
            let tag: String = tag.chars().take(100).collect();
            return Err(syntax_error(at, &format!("can't interpret {kind} as {tag}")));
        }
        if self.open_collections.len() >= NESTING {
            return Err(too_deep(at));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, None);
        }
        self.open_collections.push(OpenCollection { anchor, content });
        Ok(())
    }

    /// Stores a value under the number of its anchor, and returns the value. Numbers start at 1; 0 means that it has no
    /// anchor.
    fn store_anchor(&mut self, anchor: usize, value: Value) -> Value {
        if anchor > 0 {
            self.anchors.insert(anchor, Some(value.clone()));
        }
        value
    }

    /// The value of the anchor that an alias refers to; an error if there is none, if it is not complete yet, or for an
    /// alias as a key.
    fn alias(&mut self, anchor: usize, at: &Marker) -> Result<Value> {
        if self.expects_key() {
            return Err(invalid_key(at));
        }
        match self.anchors.get(&anchor) {
            Some(Some(value)) => {
                let value = value.clone();
                self.count_aliased(value.ty().size(), at)?;
                Ok(value)
            }
            Some(None) => {
                let name = scalar::quote(self.alias_name(at));
                Err(syntax_error(
                    at,
                    &format!("cannot refer to anchor {name} from inside its own definition"),
                ))
            }
            // Anchors of keys are not stored.
            None => Err(self.undefined_anchor(at)),
        }
    }

    /// Adds `size` to the total size of aliased values; an error if that is above the limit. Aliases of aliases grow
    /// exponentially.
    fn count_aliased(&mut self, size: usize, at: &Marker) -> Result<()> {
        self.aliased_size = self.aliased_size.saturating_add(size);
        if self.aliased_size <= ALIASED {
            return Ok(());
        }
        let message = format!("the aliases of the document stand for more than {ALIASED} parts");
        Err(with_position(Error::new(Kind::Limit, message), at))
    }

    /// Adds a value to the innermost open sequence or mapping, and returns `None`. Returns the value itself if none is
    /// open: it is that of the document.
    fn add_to_collection(&mut self, value: Value) -> Result<Option<Value>> {
        let Some(OpenCollection { content, .. }) = self.open_collections.last_mut() else {
            return Ok(Some(value));
        };
        match content {
            CollectionContent::Sequence(items) => items.push(value),
            CollectionContent::Mapping { entries, key } => match key.take() {
                Some(Key::Name(name)) => drop(entries.insert(name, value)),
                Some(Key::Merge(at)) => self.merge(&value, &at)?,
                None => {}
            },
        }
        Ok(None)
    }

    /// Adds the entries of `value`, that of the key `<<`, to the innermost open mapping: a mapping or a sequence of
    /// mappings, else an error.
    fn merge(&mut self, value: &Value, at: &Marker) -> Result<()> {
        if let View::Tuple(items) = value.view() {
            return items.iter().try_for_each(|item| self.merge_mapping(item, " (from sequence)", at));
        }
        self.merge_mapping(value, "", at)
    }

    /// Adds the entries of the mapping `value` to the innermost open mapping; an error if it is not a mapping. `from`
    /// says in the message where the value comes from.
    fn merge_mapping(&mut self, value: &Value, from: &str, at: &Marker) -> Result<()> {
        let View::Object(object) = value.view() else {
            let kind = value.ty().friendly_name();
            return Err(syntax_error(at, &format!("cannot merge {kind}{from} into mapping")));
        };
        self.count_aliased(object.len(), at)?;
        if let Some(OpenCollection { content: CollectionContent::Mapping { entries, .. }, .. }) =
            self.open_collections.last_mut()
        {
            entries.extend(object.iter().map(|(name, value)| (Text::new(name), value.clone())));
        }
        Ok(())
    }

    /// The error for an alias, at this position, of an anchor that does not exist.
    #[cold]
    fn undefined_anchor(&self, at: &Marker) -> Error {
        let name = scalar::quote(self.alias_name(at));
        syntax_error(at, &format!("reference to undefined anchor {name}"))
    }

    /// The error of this crate for one that the YAML parser reports.
    #[cold]
    fn parser_error(&self, error: &ScanError) -> Error {
        match error.info() {
            "while parsing node, found unknown anchor" => self.undefined_anchor(error.marker()),
            "recursion limit exceeded" => too_deep(error.marker()),
            what => syntax_error(error.marker(), what),
        }
    }

    /// The name of the alias whose `*` is at this position of the text.
    fn alias_name(&self, at: &Marker) -> &'t str {
        let start = self
            .text
            .char_indices()
            .nth(at.index().saturating_add(1))
            .map_or(self.text.len(), |(start, _)| start);
        let name = self.text.get(start..).unwrap_or_default();
        name.split(|c: char| c.is_whitespace() || ",[]{}".contains(c)).next().unwrap_or_default()
    }
}
