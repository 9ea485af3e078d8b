//! The elements of lists, tuples and sets.

use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::value::Value;

use super::super::error::of_part;
use super::super::room::Room;
use super::Reader;
use super::content::ElementsOf;

/// The elements not read yet.
pub(super) struct Elements<'de> {
    elements: ElementsOf<'de>,
    place: usize,
    room: Room,
}

/// The error where a Rust type has so many elements.
#[cold]
pub(super) fn of_length(length: usize, is_tuple: bool) -> Error {
    let message = if is_tuple {
        format!("a tuple of {length} elements is required")
    } else {
        format!("must be a list of length {length}")
    };
    Error::new(Kind::TypeMismatch, message)
}

impl<'de> Elements<'de> {
    pub(super) fn new(elements: ElementsOf<'de>, room: Room) -> Elements<'de> {
        Elements { elements, place: 0, room }
    }

    pub(super) fn len(&self) -> usize {
        match &self.elements {
            ElementsOf::Items(items) => items.len(),
            ElementsOf::Members(members) => members.len(),
        }
    }

    pub(super) fn next(&mut self) -> Option<&'de Value> {
        match &mut self.elements {
            ElementsOf::Items(items) => items.next(),
            ElementsOf::Members(members) => members.next(),
        }
    }

    /// Has all of them read.
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let read = visitor.visit_seq(&mut self)?;
        match self.len() {
            0 => Ok(read),
            _ => Err(of_length(self.place, false)),
        }
    }

    /// The error of reading the element that came last.
    #[cold]
    fn at(&self, error: Error, element: &Value) -> Error {
        let step = match self.elements {
            ElementsOf::Items(_) => Step::index(self.place),
            ElementsOf::Members(_) => Step::Index(element.clone()),
        };
        of_part(error, element, Some(step))
    }
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(element) = self.next() else { return Ok(None) };
        let read = seed.deserialize(Reader { value: element, room: self.room });
        let read = read.map_err(|error| self.at(error, element))?;
        self.place = self.place.saturating_add(1);
        Ok(Some(read))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len())
    }
}
