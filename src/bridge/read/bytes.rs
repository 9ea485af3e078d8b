//! Reads bytes from a list of numbers or from a string.

use serde_core::de::Visitor;

use crate::error::Result;
use crate::number::primitive::integer;
use crate::path::Step;

use super::super::error::{error_in_child, needs, null};
use super::content::{Content, ElementsOf};
use super::{ElementAccess, Reader};

/// Passes the bytes of the value to the visitor.
pub(super) fn visit<'de, V: Visitor<'de>>(reader: Reader<'de>, visitor: V) -> Result<V::Value> {
    match Content::of(reader.value)? {
        Content::Text(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
        Content::Elements(elements) => visitor.visit_byte_buf(collect_bytes(elements, reader)?),
        Content::Null => Err(null()),
        _ => Err(needs("list of numbers or string", reader.value)),
    }
}

/// The elements as bytes; an error for one that is not an integer from 0 to 255.
fn collect_bytes<'de>(elements: ElementsOf<'de>, reader: Reader<'de>) -> Result<Vec<u8>> {
    let mut elements = ElementAccess::new(elements, reader.depth);
    let mut bytes: Vec<u8> = Vec::new();
    while let Some(value) = elements.next() {
        let byte = Reader { value, ..reader }.number().and_then(integer);
        bytes.push(byte.map_err(|error| error_in_child(error, value, Some(Step::index(bytes.len()))))?);
    }
    Ok(bytes)
}
