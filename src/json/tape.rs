//! A JSON value as a flat run of nodes: one allocation for any number of values, text borrowed from the source.

use std::borrow::Cow;

use crate::error::{Error, Kind, Result};
use crate::path::Step;

use super::reader::{Reader, Token};
use super::string::Str;

/// One node. A container is followed by everything in it; before each value of an object stands its name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String(Str<'a>),
    /// How many elements, and how many nodes they take in all.
    Array {
        len: u32,
        nodes: usize,
    },
    /// As for arrays. `sorted`: the names are plain ASCII in ascending order.
    Object {
        len: u32,
        sorted: bool,
        nodes: usize,
    },
}

/// The nodes of one value; reading another keeps the memory. A property that comes twice is on it twice.
#[derive(Default)]
pub(crate) struct Tape<'a>(Vec<Node<'a>>);

impl<'a> Tape<'a> {
    pub(crate) fn new() -> Tape<'a> {
        Tape(Vec::new())
    }

    /// Reads the value that comes next, in place of the one held.
    pub(crate) fn read<'t>(&'t mut self, reader: &mut Reader<'a>) -> Result<Item<'t, 'a>> {
        self.0.clear();
        read(&mut self.0, reader)?;
        Ok(self.root())
    }

    /// The value held; null before anything was read.
    pub(crate) fn root<'t>(&'t self) -> Item<'t, 'a> {
        Item { nodes: &self.0 }
    }
}

fn read<'a>(nodes: &mut Vec<Node<'a>>, reader: &mut Reader<'a>) -> Result<()> {
    match reader.peek()? {
        Token::Null => reader.null().map(|()| nodes.push(Node::Null)),
        Token::Bool => reader.bool().map(|value| nodes.push(Node::Bool(value))),
        Token::Number => reader.counted_number().map(|digits| nodes.push(Node::Number(digits))),
        Token::String => reader.string().map(|text| nodes.push(Node::String(text))),
        Token::Array => read_array(nodes, reader),
        Token::Object => read_object(nodes, reader),
    }
}

fn read_array<'a>(nodes: &mut Vec<Node<'a>>, reader: &mut Reader<'a>) -> Result<()> {
    reader.open()?;
    let place = nodes.len();
    nodes.push(Node::Array { len: 0, nodes: 0 });
    let mut len = 0_u32;
    while reader.element(len == 0)? {
        read(nodes, reader).map_err(|error| error.under(Step::index(len)))?;
        len = len.saturating_add(1);
    }
    let inside = nodes.len().saturating_sub(place).saturating_sub(1);
    if let Some(node) = nodes.get_mut(place) {
        *node = Node::Array { len, nodes: inside };
    }
    Ok(())
}

fn read_object<'a>(nodes: &mut Vec<Node<'a>>, reader: &mut Reader<'a>) -> Result<()> {
    reader.open()?;
    let place = nodes.len();
    nodes.push(Node::Null);
    let (mut len, mut sorted, mut last) = (0_u32, true, None);
    while let Some(key) = reader.key(len == 0)? {
        match key.plain() {
            Some(plain) if last.is_none_or(|last| last < plain) => last = Some(plain),
            _ => sorted = false,
        }
        nodes.push(Node::String(key));
        read(nodes, reader).map_err(|error| error.under(Step::attr(&key.text())))?;
        len = len.saturating_add(1);
    }
    let inside = nodes.len().saturating_sub(place).saturating_sub(1);
    if let Some(node) = nodes.get_mut(place) {
        *node = Node::Object { len, sorted, nodes: inside };
    }
    Ok(())
}

/// One value on a tape.
#[derive(Clone, Copy)]
pub(crate) struct Item<'t, 'a> {
    /// Starts with the node of the value; may go on beyond it.
    nodes: &'t [Node<'a>],
}

impl<'t, 'a> Item<'t, 'a> {
    pub(crate) fn node(self) -> Node<'a> {
        self.nodes.first().copied().unwrap_or(Node::Null)
    }

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

    pub(crate) fn is_null(self) -> bool {
        matches!(self.node(), Node::Null)
    }

    pub(crate) fn is_true(self) -> bool {
        matches!(self.node(), Node::Bool(true))
    }

    pub(crate) fn as_text(self) -> Option<Cow<'a, str>> {
        match self.node() {
            Node::String(text) => Some(text.text()),
            _ => None,
        }
    }

    /// How many elements or properties.
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

    fn inside(self) -> &'t [Node<'a>] {
        match self.node() {
            Node::Array { nodes, .. } | Node::Object { nodes, .. } => {
                self.nodes.get(1..nodes.saturating_add(1)).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// The elements of an array; nothing of anything else.
    pub(crate) fn elements(self) -> Elements<'t, 'a> {
        let is_array = matches!(self.node(), Node::Array { .. });
        Elements { rest: if is_array { self.inside() } else { &[] } }
    }

    /// The properties of an object in their order; nothing of anything else.
    pub(crate) fn entries(self) -> Entries<'t, 'a> {
        let is_object = matches!(self.node(), Node::Object { .. });
        Entries { rest: if is_object { self.inside() } else { &[] } }
    }

    /// A property of an object. Linear.
    pub(crate) fn get(self, name: &str) -> Option<Item<'t, 'a>> {
        self.entries().find(|(key, _)| key.is(name)).map(|(_, item)| item)
    }

    /// `<wanted> required, but have <kind>`.
    #[cold]
    pub(crate) fn mismatch(self, wanted: &str) -> Error {
        Error::new(Kind::TypeMismatch, format!("{wanted} required, but have {}", self.kind().name()))
    }
}

pub(crate) struct Elements<'t, 'a> {
    rest: &'t [Node<'a>],
}

impl<'t, 'a> Iterator for Elements<'t, 'a> {
    type Item = Item<'t, 'a>;

    fn next(&mut self) -> Option<Item<'t, 'a>> {
        let taken = match self.rest.first()? {
            Node::Array { nodes, .. } | Node::Object { nodes, .. } => nodes.saturating_add(1),
            _ => 1,
        };
        let item = Item { nodes: self.rest };
        self.rest = self.rest.get(taken..).unwrap_or_default();
        Some(item)
    }
}

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
