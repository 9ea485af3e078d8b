//! The tokenizer of MessagePack: the one reader under all functions that read it.

use crate::error::{Error, Kind, Result};
use crate::limits;

/// What the first bytes of the next MessagePack value say: its kind, and its content or number of children. Strings,
/// binary data and extensions include their content; children of arrays and maps are read afterwards.
#[derive(Clone, Copy, Debug)]
pub(super) enum Head<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    /// An integer above all `i64`.
    Large(u64),
    Float(f64),
    Str(&'a [u8]),
    Bin(&'a [u8]),
    /// An array; this number of elements follows.
    Array(u32),
    /// A map; this number of keys follows, each with its value.
    Map(u32),
    Ext(i8, &'a [u8]),
}

/// Reads MessagePack from bytes, one [`Head`] after the other.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
    /// The number of children that the heads of the enclosing containers announce and that were not read yet. Each
    /// child takes at least one byte, so a head that announces more children than bytes remain is refused before
    /// anything is allocated for them.
    announced: usize,
    /// The number of further levels that containers may nest.
    levels: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first of these bytes.
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes, length: bytes.len(), announced: 0, levels: limits::DEPTH }
    }

    /// Whether all bytes were read.
    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Whether the next value is a bin.
    pub(super) fn begins_with_bin(&self) -> bool {
        matches!(self.rest.first(), Some(0xc4..=0xc6))
    }

    /// Reads `count` bytes; an error if fewer remain.
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(count) {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(taken)
            }
            None => Err(self.early_end()),
        }
    }

    /// Reads `N` bytes; an error if fewer remain.
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(*taken)
            }
            None => Err(self.early_end()),
        }
    }

    /// Reads an unsigned integer of one byte.
    fn u8(&mut self) -> Result<u8> {
        self.bytes().map(|[byte]| byte)
    }

    /// Reads a big-endian unsigned integer of two bytes.
    fn u16(&mut self) -> Result<u16> {
        self.bytes().map(u16::from_be_bytes)
    }

    /// Reads a big-endian unsigned integer of four bytes.
    fn u32(&mut self) -> Result<u32> {
        self.bytes().map(u32::from_be_bytes)
    }

    /// Reads the bytes of a string of this length in bytes.
    fn str(&mut self, length: usize) -> Result<Head<'a>> {
        self.take(length).map(Head::Str)
    }

    /// Reads binary data of this length in bytes.
    fn bin(&mut self, length: usize) -> Result<Head<'a>> {
        self.take(length).map(Head::Bin)
    }

    /// Reads the code and the content of an extension whose content has this length in bytes.
    fn ext(&mut self, length: usize) -> Result<Head<'a>> {
        let [code] = self.bytes()?;
        Ok(Head::Ext(i8::from_be_bytes([code]), self.take(length)?))
    }

    /// Reads the next head. For a string, binary data or an extension that includes its content.
    #[inline]
    pub(super) fn head(&mut self) -> Result<Head<'a>> {
        let first = self.u8()?;
        match first {
            0x00..=0x7f => Ok(Head::Int(first.into())),
            0x80..=0x8f => Ok(Head::Map(u32::from(first & 0x0f))),
            0x90..=0x9f => Ok(Head::Array(u32::from(first & 0x0f))),
            0xa0..=0xbf => self.str(usize::from(first & 0x1f)),
            0xe0..=0xff => Ok(Head::Int(i8::from_be_bytes([first]).into())),
            0xc0 => Ok(Head::Nil),
            0xc2 => Ok(Head::Bool(false)),
            0xc3 => Ok(Head::Bool(true)),
            _ => self.long_head(first),
        }
    }

    /// Reads the rest of a head whose first byte, `first`, does not contain everything.
    fn long_head(&mut self, first: u8) -> Result<Head<'a>> {
        match first {
            0xc4 => self.u8().and_then(|length| self.bin(length.into())),
            0xc5 => self.u16().and_then(|length| self.bin(length.into())),
            0xc6 => self.u32().and_then(|length| self.bin(length as usize)),
            0xc7 => self.u8().and_then(|length| self.ext(length.into())),
            0xc8 => self.u16().and_then(|length| self.ext(length.into())),
            0xc9 => self.u32().and_then(|length| self.ext(length as usize)),
            0xca => self.bytes().map(|bytes| Head::Float(f32::from_be_bytes(bytes).into())),
            0xcb => self.bytes().map(|bytes| Head::Float(f64::from_be_bytes(bytes))),
            0xcc => self.u8().map(|int| Head::Int(int.into())),
            0xcd => self.u16().map(|int| Head::Int(int.into())),
            0xce => self.u32().map(|int| Head::Int(int.into())),
            0xcf => {
                let int = self.bytes().map(u64::from_be_bytes)?;
                Ok(i64::try_from(int).map_or(Head::Large(int), Head::Int))
            }
            0xd0 => self.bytes().map(|bytes| Head::Int(i8::from_be_bytes(bytes).into())),
            0xd1 => self.bytes().map(|bytes| Head::Int(i16::from_be_bytes(bytes).into())),
            0xd2 => self.bytes().map(|bytes| Head::Int(i32::from_be_bytes(bytes).into())),
            0xd3 => self.bytes().map(|bytes| Head::Int(i64::from_be_bytes(bytes))),
            0xd4 => self.ext(1),
            0xd5 => self.ext(2),
            0xd6 => self.ext(4),
            0xd7 => self.ext(8),
            0xd8 => self.ext(16),
            0xd9 => self.u8().and_then(|length| self.str(length.into())),
            0xda => self.u16().and_then(|length| self.str(length.into())),
            0xdb => self.u32().and_then(|length| self.str(length as usize)),
            0xdc => self.u16().map(|count| Head::Array(count.into())),
            0xdd => self.u32().map(Head::Array),
            0xde => self.u16().map(|count| Head::Map(count.into())),
            0xdf => self.u32().map(Head::Map),
            _ => Err(self.malformed("not MessagePack: unsupported msgpack code 0xc1")),
        }
    }

    /// Enters a container of `parts` children, keys counted too; an error if fewer bytes remain or it nests too deep.
    /// [`begin_child`](Reader::begin_child) must be called before each child is read.
    pub(super) fn enter(&mut self, parts: usize) -> Result<()> {
        let announced = self.announced.saturating_add(parts);
        if announced > self.rest.len() {
            return Err(self.early_end());
        }
        self.announced = announced;
        match self.levels.checked_sub(1) {
            Some(levels) => {
                self.levels = levels;
                Ok(())
            }
            None => {
                Err(Error::new(Kind::Limit, format!("MessagePack may nest at most {} levels", limits::DEPTH)))
            }
        }
    }

    /// Counts one announced child as read.
    pub(super) fn begin_child(&mut self) {
        self.announced = self.announced.saturating_sub(1);
    }

    /// Leaves the innermost container, so that the next value may nest as deep as before it.
    pub(super) fn leave(&mut self) {
        self.levels = self.levels.saturating_add(1);
    }

    /// Skips the next value with all its children.
    pub(super) fn skip(&mut self) -> Result<()> {
        let mut left = 1_u64;
        while left > 0 {
            left = left.saturating_sub(1);
            left = match self.head()? {
                Head::Array(count) => left.saturating_add(count.into()),
                Head::Map(count) => left.saturating_add(u64::from(count).saturating_mul(2)),
                _ => left,
            };
        }
        Ok(())
    }

    /// The error for an input that ends inside a value.
    #[cold]
    fn early_end(&self) -> Error {
        Error::new(
            Kind::Syntax,
            format!("not MessagePack: the input ends early, after {} bytes", self.length),
        )
    }

    /// A syntax error with this message and the number of bytes read so far.
    #[cold]
    pub(super) fn malformed(&self, message: &str) -> Error {
        let place = self.length.saturating_sub(self.rest.len());
        Error::new(Kind::Syntax, format!("{message} (after {place} bytes)"))
    }
}

/// Counts the values in MessagePack, nested ones included and keys of maps not, up to the first byte that is no MessagePack.
/// A bin, which holds a type in JSON, counts as one value for each eight bytes.
pub fn count_parts(bytes: &[u8]) -> u64 {
    let (mut reader, mut count, mut keys) = (Reader::new(bytes), 0_u64, 0_u64);
    while let Ok(head) = reader.head() {
        let parts = match head {
            Head::Bin(bin) => bin.len() as u64 / 8,
            Head::Map(entries) => {
                keys = keys.saturating_add(entries.into());
                1
            }
            _ => 1,
        };
        count = count.saturating_add(parts);
    }
    // A map may announce more entries than its bytes contain.
    count.saturating_sub(keys.min(count / 2))
}

/// The bytes as a string; an error if they are not valid UTF-8.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes)
        .map_err(|_| Error::new(Kind::Syntax, "not MessagePack: a string is not valid UTF-8"))
}
