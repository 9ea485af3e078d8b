//! What a value is, if it may be read.

use crate::error::{Error, Result};
use crate::number::Number;
use crate::types::Type;
use crate::value::{Attributes, Members, Value, View};

use super::super::error::{marked, mismatch, null, unknown};

/// What a value is that is known, at its top, and not marked.
pub(super) enum Content<'a> {
    Null,
    Bool(bool),
    Number(&'a Number),
    Text(&'a str),
    Elements(ElementsOf<'a>),
    Entries(EntriesOf<'a>),
    Capsule,
}

/// The elements of a list, tuple or set.
pub(super) enum ElementsOf<'a> {
    Items(std::slice::Iter<'a, Value>),
    Members(Members<'a>),
}

/// The entries of a map, the attributes of an object.
pub(super) enum EntriesOf<'a> {
    Map(crate::value::Entries<'a>),
    Object(Attributes<'a>),
}

impl<'a> Content<'a> {
    pub(super) fn of(value: &'a Value) -> Result<Content<'a>> {
        Ok(match value.view() {
            View::Marked(_) => return Err(marked()),
            View::Dynamic | View::Unknown(_) => return Err(unknown()),
            View::Null(_) => Content::Null,
            View::Bool(truth) => Content::Bool(truth),
            View::Number(number) => Content::Number(number),
            View::String(text) => Content::Text(text),
            View::Capsule(_) => Content::Capsule,
            View::List(list) => Content::Elements(ElementsOf::Items(list.iter())),
            View::Tuple(tuple) => Content::Elements(ElementsOf::Items(tuple.iter())),
            View::Set(set) => Content::Elements(ElementsOf::Members(set.iter())),
            View::Map(map) => Content::Entries(EntriesOf::Map(map.iter())),
            View::Object(object) => Content::Entries(EntriesOf::Object(object.iter())),
        })
    }

    /// The error where something of another type is needed.
    #[cold]
    pub(super) fn is_not(&self, expected: &Type, value: &Value) -> Error {
        match self {
            Content::Null => null(),
            _ => mismatch(expected, value),
        }
    }
}
