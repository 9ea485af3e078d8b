//! Writes maps.

use serde_core::Serialize;
use serde_core::ser::SerializeMap;

use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::value::View;

use super::key::KeyWriter;
use super::{Writer, Written, build, write_child};

/// Writes a map: the entries written so far, and the key whose value comes next.
pub(in super::super) struct MapWriter {
    writer: Writer,
    entries: Vec<(String, Written)>,
    key: Option<String>,
}

impl MapWriter {
    /// A writer of an empty map.
    pub(super) fn new(writer: Writer) -> MapWriter {
        MapWriter { writer, entries: Vec::new(), key: None }
    }
}

impl SerializeMap for MapWriter {
    type Ok = Written;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key = Some(key.serialize(KeyWriter)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let key = self.key.take().ok_or_else(no_key)?;
        let value = write_child(value, self.writer, || Step::index(key.as_str()))?;
        self.entries.push((key, value));
        Ok(())
    }

    fn end(self) -> Result<Written> {
        let given = self.entries.len();
        check_key_count(build::map(self.entries)?, given)
    }
}

/// The error for a value that is written before its key.
#[cold]
fn no_key() -> Error {
    Error::new(Kind::Argument, "an entry of a map is written without its key")
}

/// Returns the map or object if it has as many entries as were written. Fewer means that two keys were equal after
/// Unicode normalisation, which is an error.
pub(super) fn check_key_count(made: Written, given: usize) -> Result<Written> {
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
