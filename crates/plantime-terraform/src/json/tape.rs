//! A JSON value as a flat list of nodes: one allocation for any number of values, with strings borrowed from the
//! source.

use std::borrow::Cow;

use plantime::unstable::error::Kind;
use plantime::unstable::json::{Reader, Str, Token};
use plantime::{Error, Result, Step};

/// One entry of a [`Tape`]: a scalar, the start of an array or object, or a property name. The nodes of a container's
/// children follow its own; the value of each property follows a node with its name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String(Str<'a>),
    /// The number of elements, and the number of nodes of all descendants.
    Array {
        len: u32,
        nodes: usize,
    },
    /// As for arrays. `sorted` if the names are plain ASCII in ascending order.
    Object {
        len: u32,
        sorted: bool,
        nodes: usize,
    },
}

/// One JSON value as a flat list of nodes. The tape is reused, with its allocation, for the next value. A property
/// that occurs twice is an error.
#[derive(Default)]
pub(crate) struct Tape<'a>(Vec<Node<'a>>);

impl<'a> Tape<'a> {
    /// An empty tape.
    pub(crate) fn new() -> Tape<'a> {
        Tape(Vec::new())
    }

    /// Replaces the value on the tape by the next value of the reader; returns it.
    pub(crate) fn read<'t>(&'t mut self, reader: &mut Reader<'a>) -> Result<Item<'t, 'a>> {
        self.0.clear();
        append(&mut self.0, reader)?;
        Ok(self.root())
    }

    /// The value on the tape; null if none was read yet.
    pub(crate) fn root<'t>(&'t self) -> Item<'t, 'a> {
        Item { nodes: &self.0 }
    }
}

/// Appends the nodes of the next value.
fn append<'a>(nodes: &mut Vec<Node<'a>>, reader: &mut Reader<'a>) -> Result<()> {
    match reader.peek()? {
        Token::Null => reader.null().map(|()| nodes.push(Node::Null)),
        Token::Bool => reader.bool().map(|value| nodes.push(Node::Bool(value))),
        Token::Number => reader.counted_number().map(|digits| nodes.push(Node::Number(digits))),
        Token::String => reader.string().map(|text| nodes.push(Node::String(text))),
        Token::Array => read_array(nodes, reader),
        Token::Object => read_object(nodes, reader),
    }
}

/// Appends the nodes of the next value, an array.
fn read_array<'a>(nodes: &mut Vec<Node<'a>>, reader: &mut Reader<'a>) -> Result<()> {
    reader.enter()?;
    let place = nodes.len();
    nodes.push(Node::Array { len: 0, nodes: 0 });
    let mut len = 0_u32;
    while reader.element(len == 0)? {
        append(nodes, reader).map_err(|error| error.under(Step::index(len)))?;
        len = len.saturating_add(1);
    }
    let inside = nodes.len().saturating_sub(place).saturating_sub(1);
    if let Some(node) = nodes.get_mut(place) {
        *node = Node::Array { len, nodes: inside };
    }
    Ok(())
}

/// Appends the nodes of the next value, an object.
fn read_object<'a>(nodes: &mut Vec<Node<'a>>, reader: &mut Reader<'a>) -> Result<()> {
    reader.enter()?;
    let place = nodes.len();
    nodes.push(Node::Null);
    let (mut len, mut sorted, mut last) = (0_u32, true, None);
    while let Some(key) = reader.key(len == 0)? {
        match key.plain() {
            Some(plain) if last.is_none_or(|last| last < plain) => last = Some(plain),
            _ => sorted = false,
        }
        nodes.push(Node::String(key));
        append(nodes, reader).map_err(|error| error.under(Step::attr(&key.text())))?;
        len = len.saturating_add(1);
    }
    let inside = nodes.len().saturating_sub(place).saturating_sub(1);
    if let Some(node) = nodes.get_mut(place) {
        *node = Node::Object { len, sorted, nodes: inside };
    }
    let item = Item { nodes: nodes.get(place..).unwrap_or_default() };
    if !sorted {
        reader.check_unique(item.entries().map(|(name, _)| name).collect())?;
    }
    Ok(())
}

/// A JSON value on a [`Tape`], borrowed: the value of the tape or one inside it.
#[derive(Clone, Copy)]
pub(crate) struct Item<'t, 'a> {
    /// The nodes of the tape from the value's own on, including those of later values.
    nodes: &'t [Node<'a>],
}

impl<'t, 'a> Item<'t, 'a> {
    /// The node of the value.
    pub(crate) fn node(self) -> Node<'a> {
        self.nodes.first().copied().unwrap_or(Node::Null)
    }

    /// The kind of the value.
    pub(crate) fn kind(self) -> Token {
        match self.node() {
            Node::Null => Token::Null,
            Node::Bool(_) => Token::Bool,
            Node::Number(_) => Token::Number,
            Node::String(_) => Token::String,
            Node::Array { .. } => Token::Array,
            Node::Object { .. } => Token::Object,
        }
    }

    /// Whether the value is `null`.
    pub(crate) fn is_null(self) -> bool {
        matches!(self.node(), Node::Null)
    }

    /// Whether the value is `true`.
    pub(crate) fn is_true(self) -> bool {
        matches!(self.node(), Node::Bool(true))
    }

    /// The decoded string, if the value is a string.
    pub(crate) fn as_text(self) -> Option<Cow<'a, str>> {
        match self.node() {
            Node::String(text) => Some(text.text()),
            _ => None,
        }
    }

    /// The number of elements or properties; 0 for a scalar.
    pub(crate) fn len(self) -> usize {
        match self.node() {
            Node::Array { len, .. } | Node::Object { len, .. } => len as usize,
            _ => 0,
        }
    }

    /// Whether this is an object whose names are plain ASCII in ascending order.
    pub(crate) fn is_sorted(self) -> bool {
        matches!(self.node(), Node::Object { sorted: true, .. })
    }

    /// The nodes of all descendants.
    fn descendants(self) -> &'t [Node<'a>] {
        match self.node() {
            Node::Array { nodes, .. } | Node::Object { nodes, .. } => {
                self.nodes.get(1..nodes.saturating_add(1)).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// The elements of an array; none for another value.
    pub(crate) fn elements(self) -> Elements<'t, 'a> {
        let is_array = matches!(self.node(), Node::Array { .. });
        Elements { rest: if is_array { self.descendants() } else { &[] } }
    }

    /// The properties of an object in the order of the text; none for another value.
    pub(crate) fn entries(self) -> Entries<'t, 'a> {
        let is_object = matches!(self.node(), Node::Object { .. });
        Entries { rest: if is_object { self.descendants() } else { &[] } }
    }

    /// The value of a property of an object, in linear time.
    pub(crate) fn get(self, name: &str) -> Option<Item<'t, 'a>> {
        self.entries().find(|(key, _)| key.is(name)).map(|(_, item)| item)
    }

    /// The error "`wanted` required, but have …" with the kind of the value.
    #[cold]
    pub(crate) fn mismatch(self, wanted: &str) -> Error {
        Error::new(Kind::TypeMismatch, format!("{wanted} required, but have {}", self.kind().name()))
    }
}

/// Iterates over the elements of an array.
pub(crate) struct Elements<'t, 'a> {
    rest: &'t [Node<'a>],
}

impl<'t, 'a> Iterator for Elements<'t, 'a> {
    type Item = Item<'t, 'a>;

    fn next(&mut self) -> Option<Item<'t, 'a>> {
        let length = match self.rest.first()? {
            Node::Array { nodes, .. } | Node::Object { nodes, .. } => nodes.saturating_add(1),
            _ => 1,
        };
        let item = Item { nodes: self.rest };
        self.rest = self.rest.get(length..).unwrap_or_default();
        Some(item)
    }
}

/// Iterates over the names and values of an object.
pub(crate) struct Entries<'t, 'a> {
    rest: &'t [Node<'a>],
}

impl<'t, 'a> Iterator for Entries<'t, 'a> {
    type Item = (Str<'a>, Item<'t, 'a>);

    fn next(&mut self) -> Option<(Str<'a>, Item<'t, 'a>)> {
        let (Node::String(key), rest) = self.rest.split_first()? else { return None };
        let mut values = Elements { rest };
        let item = values.next()?;
        self.rest = values.rest;
        Some((*key, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_finds_what_it_holds() {
        let text = br#"{"b": [1, {"x": 2}, 3], "a": "t"}"#;
        let mut reader = Reader::new(text).unwrap();
        let mut tape = Tape::new();
        let root = tape.read(&mut reader).unwrap();
        assert_eq!((root.len(), root.is_sorted()), (2, false));
        assert_eq!(root.get("a").unwrap().as_text().unwrap(), "t");
        let elements: Vec<_> = root.get("b").unwrap().elements().collect();
        assert_eq!(elements.len(), 3);
        assert!(matches!(elements[2].node(), Node::Number("3")));
        assert!(matches!(elements[1].get("x").unwrap().node(), Node::Number("2")));
    }

    /// The reader counts levels, so a limit on the stack of a thread is no concern.
    #[test]
    fn nesting_is_limited() {
        let open = "[".repeat(1_000_000);
        let mut reader = Reader::new(open.as_bytes()).unwrap();
        assert!(Tape::new().read(&mut reader).map(|_| ()).unwrap_err().is_limit());
    }
}
