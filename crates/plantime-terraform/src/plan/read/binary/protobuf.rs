//! Reads protobuf messages field by field, as slices of the input.
//!
//! Nothing is copied and nothing is allocated, so that a message of a million empty fields costs no more than its bytes.
//! A decoder that builds a struct for each message takes a hundred times as much for the same input.

use std::io::BufRead;

use super::archive::not_unpacked;
use super::budget::Budget;
use plantime::unstable::error::Kind;
use plantime::{Error, Result};

/// The content of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field<'a> {
    /// An integer, a boolean or an enumeration.
    Varint(u64),
    /// A string, bytes, or another message, and the budget that what is kept of it counts for.
    Bytes(&'a [u8], &'a Budget),
    /// A number of fixed width, which no message of a plan has.
    Fixed,
}

/// Reads the fields of one message.
#[derive(Clone, Debug)]
pub(super) struct Message<'a> {
    rest: &'a [u8],
    budget: &'a Budget,
}

impl<'a> Message<'a> {
    /// A reader of the message in these bytes, whose fields count for this budget.
    fn new(bytes: &'a [u8], budget: &'a Budget) -> Message<'a> {
        Message { rest: bytes, budget }
    }

    /// A message without fields, which counts for the same budget.
    pub(super) fn empty(&self) -> Message<'a> {
        Message::new(&[], self.budget)
    }

    /// Calls `read` with the number and the content of each field, in the order of the bytes. A field among `single` may
    /// occur once: of two messages in such a field other readers make one, so that they would read another plan.
    pub(super) fn for_each(
        mut self,
        single: &[u32],
        mut read: impl FnMut(u32, Field<'a>) -> Result<()>,
    ) -> Result<()> {
        let mut seen = 0;
        while let Some((number, field)) = self.next_field(single, &mut seen)? {
            read(number, field)?;
        }
        Ok(())
    }

    /// Reads the next field, if there is one. Not inlined: messages nest, and the frame of the caller is on the stack once for each
    /// level.
    #[inline(never)]
    fn next_field(&mut self, single: &[u32], seen: &mut u64) -> Result<Option<(u32, Field<'a>)>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let key = self.varint()?;
        let number = u32::try_from(key >> 3).map_err(|_| malformed())?;
        let field = match key & 7 {
            0 => Field::Varint(self.varint()?),
            1 => self.take(8).map(|_| Field::Fixed)?,
            2 => {
                let length = usize::try_from(self.varint()?).map_err(|_| malformed())?;
                Field::Bytes(self.take(length)?, self.budget)
            }
            5 => self.take(4).map(|_| Field::Fixed)?,
            _ => return Err(malformed()),
        };
        if number == 0 {
            return Err(malformed());
        }
        record_occurrence(number, single, seen)?;
        self.budget.keep_parts(1)?;
        Ok(Some((number, field)))
    }

    /// Reads an integer of one to ten bytes.
    fn varint(&mut self) -> Result<u64> {
        let (value, rest) = varint(self.rest)?;
        self.rest = rest;
        Ok(value)
    }

    /// Takes this number of bytes off the input.
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(malformed)?;
        self.rest = rest;
        Ok(taken)
    }
}

/// Adds a field to the set of fields that have occurred; an error if a field that may occur only once (`single`) occurs again.
fn record_occurrence(number: u32, single: &[u32], seen: &mut u64) -> Result<()> {
    if !single.contains(&number) {
        return Ok(());
    }
    let bit = 1_u64.checked_shl(number).unwrap_or(0);
    if *seen & bit != 0 {
        return Err(occurs_twice());
    }
    *seen |= bit;
    Ok(())
}

/// Reads an integer of one to ten bytes off the input.
fn varint(mut bytes: &[u8]) -> Result<(u64, &[u8])> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or_else(malformed)?;
        bytes = rest;
        let bits = u64::from(*byte & 0x7f);
        // The tenth byte has room for one bit.
        if shift == 63 && bits > 1 {
            return Err(malformed());
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return Ok((value, bytes));
        }
    }
    Err(malformed())
}

/// The most bytes of one field of a message that is read piece by piece. It is held twice, as bytes and as values.
const FIELD_BYTES: u64 = 1 << 25;

/// The number of bytes by which the memory for a field grows at least.
const GROWTH: usize = 1 << 16;

/// Reads the fields of a message piece by piece: of the fields that are `wanted`, one at a time is held in memory. Calls
/// `read` as [`Message::for_each`] does, and refuses the same.
pub(super) fn for_each_field(
    source: &mut dyn BufRead,
    budget: &Budget,
    single: &[u32],
    wanted: impl Fn(u32) -> bool,
    mut read: impl FnMut(u32, Field<'_>) -> Result<()>,
) -> Result<()> {
    let (mut content, mut seen) = (Vec::new(), 0);
    while !source.fill_buf().map_err(|_| not_unpacked())?.is_empty() {
        let key = read_varint(source)?;
        let number = u32::try_from(key >> 3).ok().filter(|number| *number > 0).ok_or_else(malformed)?;
        record_occurrence(number, single, &mut seen)?;
        let length = match key & 7 {
            0 => {
                read(number, Field::Varint(read_varint(source)?))?;
                continue;
            }
            1 => 8,
            2 => read_varint(source)?,
            5 => 4,
            _ => return Err(malformed()),
        };
        if key & 7 != 2 {
            skip(source, length)?;
            read(number, Field::Fixed)?;
        } else if wanted(number) {
            read_content(source, length, &mut content)?;
            budget.keep_bytes(content.len())?;
            budget.keep_parts(1)?;
            read(number, Field::Bytes(&content, budget))?;
        } else {
            skip(source, length)?;
        }
    }
    Ok(())
}

/// Reads an integer of one to ten bytes.
fn read_varint(source: &mut dyn BufRead) -> Result<u64> {
    let mut bytes = [0; 10];
    for (place, byte) in bytes.iter_mut().enumerate() {
        source.read_exact(std::slice::from_mut(byte)).map_err(ended)?;
        if *byte & 0x80 == 0 {
            let (read, _) = bytes.split_at_checked(place.saturating_add(1)).ok_or_else(malformed)?;
            return varint(read).map(|(value, _)| value);
        }
    }
    Err(malformed())
}

/// Reads the content of a field. Memory grows with what is there, not with the length that is claimed.
fn read_content(source: &mut dyn BufRead, length: u64, content: &mut Vec<u8>) -> Result<()> {
    if length > FIELD_BYTES {
        let message =
            format!("the plan file has a part of {length} bytes inside; at most {FIELD_BYTES} are read");
        return Err(Error::new(Kind::Limit, message));
    }
    content.clear();
    let mut left = usize::try_from(length).map_err(|_| malformed())?;
    while left > 0 {
        let piece = source.fill_buf().map_err(|_| not_unpacked())?;
        let taken = piece.len().min(left);
        let Some(taken_piece) = piece.get(..taken).filter(|piece| !piece.is_empty()) else {
            return Err(malformed());
        };
        if content.capacity().saturating_sub(content.len()) < taken {
            content.reserve_exact(left.min(content.len().max(GROWTH)));
        }
        content.extend_from_slice(taken_piece);
        source.consume(taken);
        left = left.saturating_sub(taken);
    }
    Ok(())
}

/// Skips this number of bytes.
fn skip(source: &mut dyn BufRead, mut count: u64) -> Result<()> {
    while count > 0 {
        let piece = source.fill_buf().map_err(|_| not_unpacked())?.len();
        if piece == 0 {
            return Err(malformed());
        }
        let skipped = usize::try_from(count).unwrap_or(usize::MAX).min(piece);
        source.consume(skipped);
        count = count.saturating_sub(skipped as u64);
    }
    Ok(())
}

/// The error for a message that ends inside a number, or that cannot be unpacked.
#[cold]
fn ended(error: std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => malformed(),
        _ => not_unpacked(),
    }
}

impl<'a> Field<'a> {
    /// The bytes of a field; an error for a number.
    pub(super) fn bytes(self) -> Result<&'a [u8]> {
        match self {
            Field::Bytes(bytes, _) => Ok(bytes),
            Field::Varint(_) | Field::Fixed => Err(malformed()),
        }
    }

    /// The text of a field; an error if it is a number or not UTF-8.
    pub(super) fn text(self) -> Result<&'a str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| malformed())
    }

    /// The text of a field as an owned string; `None` if it is empty, which stands for a field that is not set.
    pub(super) fn set_text(self) -> Result<Option<String>> {
        self.text().map(|text| (!text.is_empty()).then(|| text.to_owned()))
    }

    /// The message of a field.
    pub(super) fn message(self) -> Result<Message<'a>> {
        match self {
            Field::Bytes(bytes, budget) => Ok(Message::new(bytes, budget)),
            Field::Varint(_) | Field::Fixed => Err(malformed()),
        }
    }

    /// The bytes of a field that hold a value in MessagePack, whose parts are counted.
    pub(super) fn value(self) -> Result<&'a [u8]> {
        if let Field::Bytes(bytes, budget) = self {
            budget.keep_parts_of(|| plantime::unstable::msgpack::count_parts(bytes))?;
        }
        self.bytes()
    }

    /// The integer of a field; an error for anything else.
    pub(super) fn varint(self) -> Result<u64> {
        match self {
            Field::Varint(value) => Ok(value),
            Field::Bytes(..) | Field::Fixed => Err(malformed()),
        }
    }

    /// The boolean of a field.
    pub(super) fn flag(self) -> Result<bool> {
        self.varint().map(|value| value != 0)
    }
}

/// The error for bytes that are no protobuf message.
#[cold]
pub(super) fn malformed() -> Error {
    Error::new(Kind::Syntax, "the plan file is damaged: its plan is no message of the expected form")
}

/// The error for a field that occurs twice in a message that has it once.
#[cold]
fn occurs_twice() -> Error {
    Error::new(Kind::Syntax, "the plan file is damaged: a field of its plan that may occur once occurs twice")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content of a field without its budget.
    #[derive(Debug, PartialEq)]
    enum Content<'a> {
        Varint(u64),
        Bytes(&'a [u8]),
        Fixed,
    }

    fn fields(bytes: &[u8]) -> Result<Vec<(u32, Content<'_>)>> {
        let mut found = Vec::new();
        let budget = Budget::default();
        Message::new(bytes, &budget).for_each(&[7], |number, field| {
            let content = match field {
                Field::Varint(value) => Content::Varint(value),
                Field::Bytes(content, _) => {
                    // The same bytes with the lifetime of the message.
                    let start = (content.as_ptr() as usize).saturating_sub(bytes.as_ptr() as usize);
                    let end = start.saturating_add(content.len());
                    Content::Bytes(bytes.get(start..end).unwrap_or_default())
                }
                Field::Fixed => Content::Fixed,
            };
            found.push((number, content));
            Ok(())
        })?;
        Ok(found)
    }

    /// The numbers of the fields of a message that is read piece by piece.
    fn streamed(bytes: &[u8]) -> Result<Vec<u32>> {
        let mut found = Vec::new();
        let mut source = std::io::BufReader::with_capacity(2, bytes);
        for_each_field(
            &mut source,
            &Budget::default(),
            &[7],
            |number| number != 9,
            |number, _| {
                found.push(number);
                Ok(())
            },
        )?;
        Ok(found)
    }

    #[test]
    fn a_message_in_pieces_has_the_same_fields() {
        let whole: &[u8] = b"\x08\x96\x01\x12\x03abc\x4a\x02xy\x19\0\0\0\0\0\0\0\0\x25\0\0\0\0\x08\x02";
        assert_eq!(streamed(whole).unwrap(), [1, 2, 3, 4, 1]);
        for end in 0..whole.len() {
            let cut = &whole[..end];
            assert_eq!(streamed(cut).is_ok(), fields(cut).is_ok(), "{end}");
        }
        assert!(streamed(b"\x12\xff\xff\xff\xff\x01").unwrap_err().is_limit());
        assert!(streamed(b"\x00\x01").is_err() && streamed(b"\x0b").is_err());
        assert!(streamed(&[0xff; 11]).is_err());
    }

    #[test]
    fn fields_are_read_in_the_order_of_the_bytes() {
        let read = fields(b"\x08\x96\x01\x12\x03abc\x19\0\0\0\0\0\0\0\0\x25\0\0\0\0\x08\x02").unwrap();
        let expected = [
            (1, Content::Varint(150)),
            (2, Content::Bytes(b"abc")),
            (3, Content::Fixed),
            (4, Content::Fixed),
            (1, Content::Varint(2)),
        ];
        assert_eq!(read, expected);
        assert_eq!(fields(b"").unwrap(), []);
    }

    #[test]
    fn a_field_that_may_occur_once_occurs_once() {
        for bytes in [&b"\x38\x01\x38\x01"[..], b"\x3a\x01a\x08\x01\x3a\0", b"\x3a\x01a\x38\x01"] {
            assert!(fields(bytes).is_err() && streamed(bytes).is_err(), "{bytes:?}");
        }
        assert!(fields(b"\x38\x01\x30\x01\x30\x01").is_ok());
    }

    #[test]
    fn integers_have_at_most_sixty_four_bits() {
        let greatest = b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
        assert_eq!(fields(greatest).unwrap(), [(1, Content::Varint(u64::MAX))]);
        assert!(fields(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02").is_err());
        assert!(fields(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\x01").is_err());
    }

    #[test]
    fn what_ends_early_or_has_an_unknown_kind_is_damaged() {
        for bytes in [
            &b"\x08"[..],
            b"\x12\x05abc",
            b"\x0b",
            b"\x0e\x00",
            b"\x00\x00",
            b"\x12\xff\xff\xff\xff\x7f",
            b"\x25\0\0",
        ] {
            assert!(fields(bytes).is_err(), "{bytes:?}");
        }
    }
}
