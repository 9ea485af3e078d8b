//! Passes the entries of maps and the attributes of objects to serde.

use serde_core::de::{DeserializeSeed, MapAccess, Visitor};

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::value::Value;

use super::super::depth::DepthLeft;
use super::super::error::error_in_child;
use super::Reader;
use super::content::EntriesOf;
use super::key::KeyReader;

/// The entries that were not read yet.
pub(super) struct EntryAccess<'de> {
    entries: EntriesOf<'de>,
    /// The entry whose key was read but not its value.
    current: Option<(&'de str, &'de Value)>,
    depth: DepthLeft,
}

impl<'de> EntryAccess<'de> {
    /// All entries of a container.
    pub(super) fn new(entries: EntriesOf<'de>, depth: DepthLeft) -> EntryAccess<'de> {
        EntryAccess { entries, current: None, depth }
    }

    /// The number of entries not read yet.
    pub(super) fn len(&self) -> usize {
        match &self.entries {
            EntriesOf::Map(entries) => entries.len(),
            EntriesOf::Object(attributes) => attributes.len(),
        }
    }

    /// Takes the next entry.
    pub(super) fn next(&mut self) -> Option<(&'de str, &'de Value)> {
        match &mut self.entries {
            EntriesOf::Map(entries) => entries.next(),
            EntriesOf::Object(attributes) => attributes.next(),
        }
    }

    /// The step that leads to the value of a key.
    pub(super) fn step(&self, key: &str) -> Step {
        match self.entries {
            EntriesOf::Map(_) => Step::index(key),
            EntriesOf::Object(_) => Step::attr(key),
        }
    }

    /// Passes all entries to the visitor; an error if it does not read all.
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let read = visitor.visit_map(&mut self)?;
        match self.next() {
            None => Ok(read),
            Some((key, _)) => Err(Error::new(Kind::NotFound, format!("unsupported attribute {key:?}"))),
        }
    }

    /// The error with the step to the value of the key.
    #[cold]
    fn locate(&self, error: Error, key: &str, value: &Value) -> Error {
        error_in_child(error, value, Some(self.step(key)))
    }
}

impl<'de> MapAccess<'de> for EntryAccess<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.current = self.next();
        let Some((key, _)) = self.current else { return Ok(None) };
        seed.deserialize(KeyReader { key, depth: self.depth }).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Some((key, value)) = self.current.take() else {
            return Err(Error::new(Kind::Argument, "a value is read before its key"));
        };
        seed.deserialize(Reader { value, depth: self.depth }).map_err(|error| self.locate(error, key, value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len())
    }
}
