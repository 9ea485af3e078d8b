//! Messages as bytes: one field replaced or added, all others left as they are, known to this crate or not.

#[cfg(test)]
mod tests;

use bytes::{Buf, Bytes};
use prost::encoding::{
    DecodeContext, WireType, decode_key, decode_varint, encode_key, encode_varint, skip_field,
};

/// A field of a message.
pub(crate) struct Field {
    pub(crate) number: u32,
    /// Key and content.
    pub(crate) whole: Bytes,
    /// The content of a string, of bytes or of a message.
    pub(crate) content: Option<Bytes>,
}

/// The fields of a message in their order; `None` for bytes that are no message. Copies nothing.
pub(crate) fn fields(message: &Bytes) -> Option<Vec<Field>> {
    let mut rest = message.clone();
    let mut found = Vec::new();
    while rest.has_remaining() {
        let start = message.len().checked_sub(rest.len())?;
        let (number, kind) = decode_key(&mut rest).ok()?;
        let content = if kind == WireType::LengthDelimited {
            let length = usize::try_from(decode_varint(&mut rest).ok()?).ok()?;
            (length <= rest.len()).then(|| rest.split_to(length)).map(Some)?
        } else {
            skip_field(kind, number, &mut rest, DecodeContext::default()).ok()?;
            None
        };
        let end = message.len().checked_sub(rest.len())?;
        found.push(Field { number, whole: message.slice(start..end), content });
    }
    Some(found)
}

/// The content of the last field of a number: it counts where there are several.
pub(crate) fn content(message: &Bytes, number: u32) -> Option<Bytes> {
    fields(message)?.into_iter().rfind(|field| field.number == number)?.content
}

/// The text in a field; empty where there is none.
pub(crate) fn text(message: &Bytes, number: u32) -> String {
    content(message, number).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
}

/// The value of an entry of a map from strings.
pub(crate) fn map_entry(message: &Bytes, number: u32, key: &str) -> Option<Bytes> {
    let entries = fields(message)?.into_iter().filter(|field| field.number == number);
    entries
        .filter_map(|field| field.content)
        .find(|entry| text(entry, 1) == key)
        .and_then(|entry| content(&entry, 2))
}

/// The message with another content of a field; `None` for bytes that are no message.
pub(crate) fn replaced(message: &Bytes, number: u32, content: &[u8]) -> Option<Vec<u8>> {
    let mut new = Vec::with_capacity(message.len().saturating_add(content.len()));
    write(&mut new, number, content);
    for field in fields(message)?.iter().filter(|field| field.number != number) {
        new.extend_from_slice(&field.whole);
    }
    Some(new)
}

/// Writes one more field.
pub(crate) fn write(message: &mut Vec<u8>, number: u32, content: &[u8]) {
    encode_key(number, WireType::LengthDelimited, message);
    encode_varint(u64::try_from(content.len()).unwrap_or(u64::MAX), message);
    message.extend_from_slice(content);
}
