//! Checks the list of files of a zip archive, so that every reader finds the same files in it.
//!
//! Readers differ on lists that no writer of plans makes: which of two files of one name counts, where the list is if there
//! are bytes around it, how many of its entries there are. Terraform takes the first file of a name.

use plantime::unstable::error::Kind;
use plantime::{Error, Result};

/// The length in bytes of the end record of an archive, without its comment.
const END: usize = 22;

/// The length in bytes of the two further records that an archive of many files has before its end record.
const LARGE_END: usize = 76;

/// The length in bytes of an entry in the list of files, without its name and other texts of variable length.
const ENTRY: usize = 46;

/// The names in the list of files, sorted. Fails unless the archive ends with the list and its end record, and each name is there
/// once.
pub(super) fn names(bytes: &[u8]) -> Result<Vec<&[u8]>> {
    let mut names = listed_names(bytes).ok_or_else(unusual)?;
    names.sort_unstable();
    if let Some([twice, ..]) = names.windows(2).find(|pair| matches!(pair, [a, b] if a == b)) {
        let name = String::from_utf8_lossy(twice);
        let message = format!("the plan file is damaged: its zip archive has two files {name:?}");
        return Err(Error::new(Kind::Syntax, message));
    }
    Ok(names)
}

/// The error for an archive whose list of files may be read in several ways.
#[cold]
pub(super) fn unusual() -> Error {
    Error::new(
        Kind::Syntax,
        "the plan file is damaged: the list of files of its zip archive is not of the usual form",
    )
}

/// The names in the order of the list; `None` if the archive is not of the usual form.
fn listed_names(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let (before, end) = bytes.split_at_checked(bytes.len().checked_sub(END)?)?;
    if !end.starts_with(b"PK\x05\x06") || number(end, 20, 2)? != 0 {
        return None;
    }
    let (mut count, mut size, mut start) = (number(end, 10, 2)?, number(end, 12, 4)?, number(end, 16, 4)?);
    let mut list_end = before.len();
    if count == 0xffff || size == 0xffff_ffff || start == 0xffff_ffff {
        list_end = list_end.checked_sub(LARGE_END)?;
        let large = before.get(list_end..)?;
        if !large.starts_with(b"PK\x06\x06") {
            return None;
        }
        (count, size, start) = (number(large, 32, 8)?, number(large, 40, 8)?, number(large, 48, 8)?);
    }
    if start.checked_add(size)? != u64::try_from(list_end).ok()? {
        return None;
    }
    let (mut rest, mut names) = (before.get(usize::try_from(start).ok()?..list_end)?, Vec::new());
    while !rest.is_empty() {
        let (entry, texts) = rest.split_at_checked(ENTRY)?;
        if !entry.starts_with(b"PK\x01\x02") {
            return None;
        }
        let length = |at| number(entry, at, 2).and_then(|length| usize::try_from(length).ok());
        let (name, behind) = texts.split_at_checked(length(28)?)?;
        rest = behind.get(length(30)?.checked_add(length(32)?)?..)?;
        names.push(name);
    }
    (u64::try_from(names.len()).ok()? == count).then_some(names)
}

/// Reads a little-endian number of `length` bytes at the byte position `at`; `None` if the input ends before.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let found = bytes.get(at..at.checked_add(length)?)?;
    Some(found.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
