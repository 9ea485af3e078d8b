//! The entries of maps and the attributes of objects.

use serde_core::de::{DeserializeSeed, MapAccess, Visitor};

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::value::Value;

use super::super::error::of_part;
use super::super::room::Room;
use super::Reader;
use super::content::EntriesOf;
use super::key::KeyReader;

/// The pairs not read yet.
pub(super) struct Pairs<'de> {
    entries: EntriesOf<'de>,
    /// The one of which the key has been read.
    open: Option<(&'de str, &'de Value)>,
    room: Room,
}

impl<'de> Pairs<'de> {
    pub(super) fn new(entries: EntriesOf<'de>, room: Room) -> Pairs<'de> {
        Pairs { entries, open: None, room }
    }

    pub(super) fn len(&self) -> usize {
        match &self.entries {
            EntriesOf::Map(entries) => entries.len(),
            EntriesOf::Object(attributes) => attributes.len(),
        }
    }

    pub(super) fn next(&mut self) -> Option<(&'de str, &'de Value)> {
        match &mut self.entries {
            EntriesOf::Map(entries) => entries.next(),
            EntriesOf::Object(attributes) => attributes.next(),
        }
    }

    pub(super) fn step(&self, key: &str) -> Step {
        match self.entries {
            EntriesOf::Map(_) => Step::index(key),
            EntriesOf::Object(_) => Step::attr(key),
        }
    }

    /// Has all of them read.
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let read = visitor.visit_map(&mut self)?;
        match self.next() {
            None => Ok(read),
            Some((key, _)) => Err(Error::new(Kind::NotFound, format!("unsupported attribute {key:?}"))),
        }
    }

    #[cold]
    fn at(&self, error: Error, key: &str, value: &Value) -> Error {
        of_part(error, value, Some(self.step(key)))
    }
}

impl<'de> MapAccess<'de> for Pairs<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.open = self.next();
        let Some((key, _)) = self.open else { return Ok(None) };
        seed.deserialize(KeyReader { key, room: self.room }).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Some((key, value)) = self.open.take() else {
            return Err(Error::new(Kind::Argument, "a value is read before its key"));
        };
        seed.deserialize(Reader { value, room: self.room }).map_err(|error| self.at(error, key, value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len())
    }
}
