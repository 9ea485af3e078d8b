//! For [`Planned`](super::super::Planned): the value beside what can be read of it.

use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use crate::error::{Error, Result};
use crate::serial::handover;

use super::super::error::marked;
use super::Reader;

/// Offers the value, and if it is known the reading of it as a sequence of at most one element: none, where something
/// in it is not known and the type has no place for that.
pub(super) fn visit<'de, V: Visitor<'de>>(reader: Reader<'de>, visitor: V) -> Result<V::Value> {
    if reader.value.is_marked() {
        return Err(marked());
    }
    let readable = reader.value.is_known() && !reader.value.is_null();
    handover::offer(reader.value, || {
        if readable { visitor.visit_seq(Attempt(Some(reader))) } else { visitor.visit_unit() }
    })
}

struct Attempt<'de>(Option<Reader<'de>>);

impl<'de> SeqAccess<'de> for Attempt<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(reader) = self.0.take() else { return Ok(None) };
        match seed.deserialize(reader) {
            Ok(read) => Ok(Some(read)),
            Err(error) if error.is_unknown() && !reader.value.is_wholly_known() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
