//! Bytes: the numbers of a list, or those of a text.

use serde_core::de::Visitor;

use crate::error::Result;
use crate::path::Step;

use super::super::error::{needs, null, of_part};
use super::super::number::integer;
use super::content::{Content, ElementsOf};
use super::{Elements, Reader};

pub(super) fn visit<'de, V: Visitor<'de>>(reader: Reader<'de>, visitor: V) -> Result<V::Value> {
    match Content::of(reader.value)? {
        Content::Text(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
        Content::Elements(elements) => visitor.visit_byte_buf(collected(elements, reader)?),
        Content::Null => Err(null()),
        _ => Err(needs("list of numbers or string", reader.value)),
    }
}

fn collected<'de>(elements: ElementsOf<'de>, reader: Reader<'de>) -> Result<Vec<u8>> {
    let mut elements = Elements::new(elements, reader.room);
    let mut bytes: Vec<u8> = Vec::new();
    while let Some(value) = elements.next() {
        let byte = Reader { value, ..reader }.number().and_then(integer);
        bytes.push(byte.map_err(|error| of_part(error, value, Some(Step::index(bytes.len()))))?);
    }
    Ok(bytes)
}
