//! Reads protobuf messages field by field, as slices of the input.
//!
//! Nothing is copied and nothing is allocated, so that a message of a million empty fields costs no more than its bytes.
//! A decoder that builds a struct for each message takes a hundred times as much for the same input.

use crate::error::{Error, Kind, Result};

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field<'a> {
    /// An integer, a boolean or an enumeration.
    Varint(u64),
    /// A string, bytes, or another message.
    Bytes(&'a [u8]),
    /// A number of fixed width, which no message of a plan has.
    Fixed,
}

/// Reads the fields of one message.
#[derive(Clone, Debug)]
pub(super) struct Message<'a> {
    rest: &'a [u8],
}

impl<'a> Message<'a> {
    /// A reader of the message in these bytes.
    pub(super) fn new(bytes: &'a [u8]) -> Message<'a> {
        Message { rest: bytes }
    }

    /// Calls `read` with the number and the content of each field, in the order of the bytes.
    pub(super) fn for_each(mut self, mut read: impl FnMut(u32, Field<'a>) -> Result<()>) -> Result<()> {
        while !self.rest.is_empty() {
            let key = self.varint()?;
            let number = u32::try_from(key >> 3).map_err(|_| malformed())?;
            let field = match key & 7 {
                0 => Field::Varint(self.varint()?),
                1 => self.take(8).map(|_| Field::Fixed)?,
                2 => {
                    let length = usize::try_from(self.varint()?).map_err(|_| malformed())?;
                    Field::Bytes(self.take(length)?)
                }
                5 => self.take(4).map(|_| Field::Fixed)?,
                _ => return Err(malformed()),
            };
            if number == 0 {
                return Err(malformed());
            }
            read(number, field)?;
        }
        Ok(())
    }

    /// Reads an integer of one to ten bytes.
    fn varint(&mut self) -> Result<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let [byte] = *self.take(1)? else { return Err(malformed()) };
            let bits = u64::from(byte & 0x7f);
            // The tenth byte has room for one bit.
            if shift == 63 && bits > 1 {
                return Err(malformed());
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(malformed())
    }

    /// Takes this number of bytes off the input.
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(malformed)?;
        self.rest = rest;
        Ok(taken)
    }
}

impl<'a> Field<'a> {
    /// The bytes of a field; an error for a number.
    pub(super) fn bytes(self) -> Result<&'a [u8]> {
        match self {
            Field::Bytes(bytes) => Ok(bytes),
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
        self.bytes().map(Message::new)
    }

    /// The integer of a field; an error for anything else.
    pub(super) fn varint(self) -> Result<u64> {
        match self {
            Field::Varint(value) => Ok(value),
            Field::Bytes(_) | Field::Fixed => Err(malformed()),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(bytes: &[u8]) -> Result<Vec<(u32, Field<'_>)>> {
        let mut found = Vec::new();
        Message::new(bytes).for_each(|number, field| {
            found.push((number, field));
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn fields_are_read_in_the_order_of_the_bytes() {
        let read = fields(b"\x08\x96\x01\x12\x03abc\x19\0\0\0\0\0\0\0\0\x25\0\0\0\0\x08\x02").unwrap();
        let expected = [
            (1, Field::Varint(150)),
            (2, Field::Bytes(b"abc")),
            (3, Field::Fixed),
            (4, Field::Fixed),
            (1, Field::Varint(2)),
        ];
        assert_eq!(read, expected);
        assert_eq!(fields(b"").unwrap(), []);
    }

    #[test]
    fn integers_have_at_most_sixty_four_bits() {
        let greatest = b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
        assert_eq!(fields(greatest).unwrap(), [(1, Field::Varint(u64::MAX))]);
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
