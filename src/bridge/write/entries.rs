//! Maps.

use serde_core::Serialize;
use serde_core::ser::SerializeMap;

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::value::View;

use super::key::KeyWriter;
use super::{Made, Writer, part, settle};

/// The entries written so far.
pub(in super::super) struct Entries {
    writer: Writer,
    entries: Vec<(String, Made)>,
    key: Option<String>,
}

impl Entries {
    pub(super) fn new(writer: Writer) -> Entries {
        Entries { writer, entries: Vec::new(), key: None }
    }
}

impl SerializeMap for Entries {
    type Ok = Made;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key = Some(key.serialize(KeyWriter)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let key = self.key.take().ok_or_else(no_key)?;
        let value = part(value, self.writer, || Step::index(key.as_str()))?;
        self.entries.push((key, value));
        Ok(())
    }

    fn end(self) -> Result<Made> {
        let given = self.entries.len();
        once(settle::map(self.entries)?, given)
    }
}

#[cold]
fn no_key() -> Error {
    Error::new(Kind::Argument, "an entry of a map is written without its key")
}

/// The map or object, if no name was given twice: two texts that look the same are one.
pub(super) fn once(made: Made, given: usize) -> Result<Made> {
    let count = match made.value.view() {
        View::Map(map) => map.len(),
        View::Object(object) => object.len(),
        _ => given,
    };
    if count == given {
        return Ok(made);
    }
    Err(Error::new(Kind::Argument, "two keys are the same text once normalised"))
}
