//! The content of a value that may be read: known at its top, and not marked.

use crate::error::{Error, Result};
use crate::number::Number;
use crate::types::Type;
use crate::value::{Attributes, Members, Value, View};

use super::super::error::{marked, mismatch, null, unknown};

/// The content of a value that is known at its top and not marked.
pub(super) enum Content<'a> {
    Null,
    Bool(bool),
    Number(&'a Number),
    Text(&'a str),
    Elements(ElementsOf<'a>),
    Entries(EntriesOf<'a>),
    Capsule,
}

/// An iterator over the elements of a list, tuple or set.
pub(super) enum ElementsOf<'a> {
    Items(std::slice::Iter<'a, Value>),
    Members(Members<'a>),
}

/// An iterator over the entries of a map or the attributes of an object.
pub(super) enum EntriesOf<'a> {
    Map(crate::value::Entries<'a>),
    Object(Attributes<'a>),
}

impl<'a> Content<'a> {
    /// The content of a value; an error if the value is unknown or marked.
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

    /// The error for this content where a value of the type `expected` is required.
    #[cold]
    pub(super) fn is_not(&self, expected: &Type, value: &Value) -> Error {
        match self {
            Content::Null => null(),
            _ => mismatch(expected, value),
        }
    }
}
