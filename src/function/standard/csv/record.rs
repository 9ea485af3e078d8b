//! The records of a CSV text.

use std::cell::Cell;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};

thread_local! {
    /// A reader that is not in use: building its automaton takes longer than reading a short text.
    static SPARE: Cell<Option<Box<Reader>>> = const { Cell::new(None) };
}

/// The records of a text, read one after the other. Lines without a character are none.
pub(super) struct Records<'t> {
    /// None when it is over.
    reader: Option<Box<Reader>>,
    rest: &'t [u8],
}

impl Drop for Records<'_> {
    fn drop(&mut self) {
        SPARE.set(self.reader.take());
    }
}

/// The fields of a record.
#[derive(Default)]
pub(super) struct Record {
    /// All fields, one after the other.
    text: Vec<u8>,
    /// Where each field ends.
    ends: Vec<usize>,
    /// The number of fields.
    count: usize,
}

impl<'t> Records<'t> {
    /// The records of this text.
    pub(super) fn of(text: &'t str) -> Records<'t> {
        let new = || Box::new(ReaderBuilder::new().terminator(Terminator::Any(b'\n')).build());
        let mut reader = SPARE.take().unwrap_or_else(new);
        reader.reset();
        Records { reader: Some(reader), rest: text.as_bytes() }
    }

    /// The number of the line that is read next, from 1 on.
    pub(super) fn line(&self) -> u64 {
        self.reader.as_ref().map_or(0, |reader| reader.line())
    }

    /// Reads the next record; false at the end of the text.
    pub(super) fn read(&mut self, record: &mut Record) -> bool {
        let Some(reader) = &mut self.reader else { return false };
        let (mut bytes, mut fields) = (0_usize, 0_usize);
        loop {
            let (text, ends) = (record.text.get_mut(bytes..), record.ends.get_mut(fields..));
            let (result, read, written, ended) =
                reader.read_record(self.rest, text.unwrap_or_default(), ends.unwrap_or_default());
            self.rest = self.rest.get(read..).unwrap_or_default();
            bytes = bytes.saturating_add(written);
            fields = fields.saturating_add(ended);
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => grow(&mut record.text),
                ReadRecordResult::OutputEndsFull => grow(&mut record.ends),
                ReadRecordResult::Record => {
                    record.count = fields;
                    return true;
                }
                ReadRecordResult::End => return false,
            }
        }
    }
}

/// Doubles the room for what is read.
fn grow<T: Clone + Default>(room: &mut Vec<T>) {
    room.resize(room.len().saturating_mul(2).max(16), T::default());
}

impl Record {
    /// The number of fields.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The field with this index; empty if there is none.
    pub(super) fn get(&self, index: usize) -> &str {
        let end = |index: usize| self.ends.get(index).copied().unwrap_or_default();
        let start = index.checked_sub(1).map_or(0, end);
        let field = self.text.get(start..end(index)).unwrap_or_default();
        // A part of a text between two of its ASCII characters, without some others.
        std::str::from_utf8(field).unwrap_or_default()
    }

    /// All fields.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.count).map(|index| self.get(index))
    }
}
