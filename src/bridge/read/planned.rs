//! Reads a [`Planned`](super::super::Planned): the value itself, and the Rust value if it can be read.

use serde_core::de::{DeserializeSeed, SeqAccess, Visitor};

use crate::error::{Error, Result};
use crate::serial::handover;

use super::super::error::marked;
use super::Reader;

/// Offers the value by [`handover`]. If it is known, the visitor gets a sequence of at most one element, the value
/// read as the Rust type. The sequence is empty if the type cannot hold an unknown part of the value.
pub(super) fn visit<'de, V: Visitor<'de>>(reader: Reader<'de>, visitor: V) -> Result<V::Value> {
    if reader.value.is_marked() {
        return Err(marked());
    }
    let readable = reader.value.is_known() && !reader.value.is_null();
    handover::offer(reader.value, || {
        if readable { visitor.visit_seq(OptionalContent(Some(reader))) } else { visitor.visit_unit() }
    })
}

/// A sequence with the Rust value as its only element, or without one if part of the value is unknown.
struct OptionalContent<'de>(Option<Reader<'de>>);

impl<'de> SeqAccess<'de> for OptionalContent<'de> {
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
