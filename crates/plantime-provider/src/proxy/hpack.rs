//! HPACK (RFC 7541), the headers of HTTP/2: read with the table that their sender builds up, written without a table.

mod huffman;
mod static_table;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use bytes::Bytes;

use self::static_table::STATIC;

/// The maximum size of a table: what more a peer allows is not passed on to the other.
pub(super) const TABLE_BYTES: usize = 64 << 10;
/// The size of a table before a peer says anything.
const INITIAL_BYTES: usize = 4096;
/// What an entry of a table counts beside its text.
const ENTRY_BYTES: usize = 32;
/// The maximum size of the headers of a message, each counted as in a table, as hosts have it: an index of one byte may stand for a
/// long text.
const LIST_BYTES: usize = 16 << 20;

/// A name and its value.
pub(super) type Header = (Bytes, Bytes);

/// The headers of one message.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Block {
    /// What the sender says of the size of its table, as it was sent.
    sizes: Bytes,
    pub(super) headers: Vec<Header>,
}

impl Block {
    /// A block with these headers.
    pub(super) fn new(headers: &[(&'static str, String)]) -> Block {
        let header = |(name, value): &(&'static str, String)| {
            (Bytes::from_static(name.as_bytes()), Bytes::from(value.clone()))
        };
        Block { sizes: Bytes::new(), headers: headers.iter().map(header).collect() }
    }

    /// The value of a header; `None` where there is none.
    pub(super) fn value(&self, name: &str) -> Option<&Bytes> {
        self.headers.iter().find(|(own, _)| own == name.as_bytes()).map(|(_, value)| value)
    }

    /// Encodes the header block without the dynamic table: each text is written in full or as an index of the static table, so
    /// that a decoder in any state reads it, and its table does not change.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = self.sizes.to_vec();
        for (name, value) in &self.headers {
            let of_name = STATIC.iter().position(|(own, _)| own.as_bytes() == name);
            let of_both =
                STATIC.iter().position(|(own, text)| own.as_bytes() == name && text.as_bytes() == value);
            let number = |place: usize| place.saturating_add(1);
            match (of_both, of_name) {
                (Some(place), _) => write_integer(&mut out, 0x80, 7, number(place)),
                // "Never indexed", as the sender may have asked for.
                (None, Some(place)) => write_integer(&mut out, 0x10, 4, number(place)),
                (None, None) => {
                    out.push(0x10);
                    write_text(&mut out, name);
                }
            }
            if of_both.is_none() {
                write_text(&mut out, value);
            }
        }
        out
    }
}

/// Writes an integer after the highest bits of its first byte.
fn write_integer(out: &mut Vec<u8>, high: u8, bits: u32, number: usize) {
    let most = 1_usize.wrapping_shl(bits).saturating_sub(1);
    let low = |number: usize| u8::try_from(number & 0x7f).unwrap_or_default();
    if number < most {
        out.push(high | low(number));
        return;
    }
    out.push(high | low(most));
    let mut rest = number.saturating_sub(most);
    while rest > 0x7f {
        out.push(low(rest) | 0x80);
        rest = rest.wrapping_shr(7);
    }
    out.push(low(rest));
}

/// Writes a text as it is.
fn write_text(out: &mut Vec<u8>, text: &[u8]) {
    write_integer(out, 0, 7, text.len());
    out.extend_from_slice(text);
}

/// Reads the headers that one side of a connection sends.
#[derive(Debug)]
pub(super) struct Decoder {
    /// The table, the newest entry first.
    entries: VecDeque<Header>,
    size: usize,
    /// The size that the sender has chosen.
    limit: usize,
    /// The largest size that its peer has ever allowed: a block may have been sent before the sender heard of a smaller one.
    allowed: usize,
}

impl Decoder {
    /// A decoder for a new connection.
    pub(super) fn new() -> Decoder {
        Decoder { entries: VecDeque::new(), size: 0, limit: INITIAL_BYTES, allowed: INITIAL_BYTES }
    }

    /// Allows the sender a table of this size.
    pub(super) fn allow(&mut self, size: usize) {
        self.allowed = self.allowed.max(size.min(TABLE_BYTES));
    }

    /// The headers of a message; `None` for bytes that are none.
    pub(super) fn decode(&mut self, bytes: &[u8]) -> Option<Block> {
        let mut rest = bytes;
        while rest.first().is_some_and(|first| first & 0xe0 == 0x20) {
            let size = integer(&mut rest, 5)?;
            if size > self.allowed {
                return None;
            }
            self.limit = size;
            self.evict(0);
        }
        let sizes = bytes.get(..bytes.len().checked_sub(rest.len())?)?;
        let mut headers = Vec::new();
        let mut size = 0_usize;
        while let Some(first) = rest.first().copied() {
            let header = self.header(first, &mut rest)?;
            size = size.saturating_add(counted(&header));
            if size > LIST_BYTES {
                return None;
            }
            headers.push(header);
        }
        Some(Block { sizes: Bytes::copy_from_slice(sizes), headers })
    }

    /// The next header.
    fn header(&mut self, first: u8, rest: &mut &[u8]) -> Option<Header> {
        if first & 0x80 != 0 {
            return self.entry(integer(rest, 7)?);
        }
        let (bits, is_kept) = if first & 0x40 != 0 { (6, true) } else { (4, false) };
        // The size of the table changes before the first header only.
        if first & 0xe0 == 0x20 {
            return None;
        }
        let name = match integer(rest, bits)? {
            0 => text(rest)?,
            number => self.entry(number)?.0,
        };
        let header = (name, text(rest)?);
        if is_kept {
            let size = counted(&header);
            self.evict(size);
            if size <= self.limit {
                self.size = self.size.saturating_add(size);
                self.entries.push_front(header.clone());
            }
        }
        Some(header)
    }

    /// The entry of a number: the static table has the first ones.
    fn entry(&self, number: usize) -> Option<Header> {
        let place = number.checked_sub(1)?;
        match STATIC.get(place) {
            Some((name, value)) => {
                Some((Bytes::from_static(name.as_bytes()), Bytes::from_static(value.as_bytes())))
            }
            None => self.entries.get(place.checked_sub(STATIC.len())?).cloned(),
        }
    }

    /// Removes the oldest entries until there is room for one of this size.
    fn evict(&mut self, size: usize) {
        while self.size.saturating_add(size) > self.limit {
            let Some(oldest) = self.entries.pop_back() else { return };
            self.size = self.size.saturating_sub(counted(&oldest));
        }
    }
}

/// The size of a header in a table.
fn counted((name, value): &Header) -> usize {
    name.len().saturating_add(value.len()).saturating_add(ENTRY_BYTES)
}

/// Reads an integer that begins in the lowest bits of the first byte.
fn integer(rest: &mut &[u8], bits: u32) -> Option<usize> {
    let most = 1_usize.wrapping_shl(bits).saturating_sub(1);
    let (first, mut left) = rest.split_first()?;
    let mut number = usize::from(*first) & most;
    if number == most {
        // Four more bytes are enough for all that a frame can hold.
        let mut is_whole = false;
        for shift in [0, 7, 14, 21] {
            let (byte, after) = left.split_first()?;
            left = after;
            number = number.checked_add((usize::from(*byte) & 0x7f).wrapping_shl(shift))?;
            is_whole = byte & 0x80 == 0;
            if is_whole {
                break;
            }
        }
        if !is_whole {
            return None;
        }
    }
    *rest = left;
    Some(number)
}

/// Reads a text.
fn text(rest: &mut &[u8]) -> Option<Bytes> {
    let is_encoded = rest.first()? & 0x80 != 0;
    let length = integer(rest, 7)?;
    let (text, left) = rest.split_at_checked(length)?;
    *rest = left;
    if is_encoded { huffman::decode(text).map(Bytes::from) } else { Some(Bytes::copy_from_slice(text)) }
}
