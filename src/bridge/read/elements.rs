//! Passes the elements of lists, tuples and sets to serde.

use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::value::Value;

use super::super::depth::DepthLeft;
use super::super::error::error_in_child;
use super::Reader;
use super::content::ElementsOf;

/// The elements that were not read yet.
pub(super) struct ElementAccess<'de> {
    elements: ElementsOf<'de>,
    index: usize,
    depth: DepthLeft,
}

/// The error for a number of elements other than the `length` of the Rust type.
#[cold]
pub(super) fn wrong_length(length: usize, is_tuple: bool) -> Error {
    let message = if is_tuple {
        format!("a tuple of {length} elements is required")
    } else {
        format!("must be a list of length {length}")
    };
    Error::new(Kind::TypeMismatch, message)
}

impl<'de> ElementAccess<'de> {
    /// All elements of a container.
    pub(super) fn new(elements: ElementsOf<'de>, depth: DepthLeft) -> ElementAccess<'de> {
        ElementAccess { elements, index: 0, depth }
    }

    /// The number of elements not read yet.
    pub(super) fn len(&self) -> usize {
        match &self.elements {
            ElementsOf::Items(items) => items.len(),
            ElementsOf::Members(members) => members.len(),
        }
    }

    /// Takes the next element.
    pub(super) fn next(&mut self) -> Option<&'de Value> {
        match &mut self.elements {
            ElementsOf::Items(items) => items.next(),
            ElementsOf::Members(members) => members.next(),
        }
    }

    /// Passes all elements to the visitor; an error if it does not read all.
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let read = visitor.visit_seq(&mut self)?;
        match self.len() {
            0 => Ok(read),
            _ => Err(wrong_length(self.index, false)),
        }
    }

    /// The error with the step to the element that was read last.
    #[cold]
    fn locate(&self, error: Error, element: &Value) -> Error {
        let step = match self.elements {
            ElementsOf::Items(_) => Step::index(self.index),
            ElementsOf::Members(_) => Step::Index(element.clone()),
        };
        error_in_child(error, element, Some(step))
    }
}

impl<'de> SeqAccess<'de> for ElementAccess<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(element) = self.next() else { return Ok(None) };
        let read = seed.deserialize(Reader { value: element, depth: self.depth });
        let read = read.map_err(|error| self.locate(error, element))?;
        self.index = self.index.saturating_add(1);
        Ok(Some(read))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len())
    }
}
