//! The files inside a binary plan, which is a zip archive.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::rc::Rc;

use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use super::budget::Budget;
use super::directory;
use plantime::unstable::error::Kind;
use plantime::{Error, Result};

/// The maximum ratio of the size of a file to its compressed size. Of all recorded archives the plan has at most 32, the
/// state 19, and a file of the configuration 35; a file of zeros has a thousand.
const RATIO: u64 = 64;

/// The size up to which a file may have any ratio: a plan that creates ten thousand instances of one resource packs to less
/// than a hundredth.
const SMALL: u64 = 1 << 24;

/// The maximum size in bytes of one file in the archive.
const FILE_BYTES: u64 = 1 << 30;

/// The maximum size in bytes of all files of the configuration together.
const CONFIGURATION_BYTES: u64 = 1 << 26;

/// The number of bytes that are unpacked at once.
const PIECE: usize = 1 << 16;

/// The maximum number of files in an archive: one for each file of each module that is called. Looking at a file takes some
/// thirty microseconds.
const FILES: usize = 20_000;

/// Whether bytes begin as a zip archive does.
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The bytes of an archive, which count how many of them have been read.
struct CountedBytes<'a> {
    bytes: Cursor<&'a [u8]>,
    read: Rc<Cell<u64>>,
}

impl Read for CountedBytes<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(into)?;
        self.read.set(self.read.get().saturating_add(count as u64));
        Ok(count)
    }
}

impl Seek for CountedBytes<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// The zip archive of a plan.
pub(super) struct Archive<'a> {
    zip: ZipArchive<CountedBytes<'a>>,
    /// The number of bytes of the archive.
    length: u64,
    /// Bounds what is held in memory of the files in the archive.
    budget: Rc<Budget>,
}

impl<'a> Archive<'a> {
    /// Opens the archive in these bytes. Only its list of files is read, which may not claim that a file unpacks to too much.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Archive<'a>> {
        let read = Rc::new(Cell::new(0));
        let counted = CountedBytes { bytes: Cursor::new(bytes), read: Rc::clone(&read) };
        let zip = ZipArchive::new(counted).map_err(|error| damaged(&error))?;
        if zip.len() > FILES {
            return Err(Error::new(
                Kind::Limit,
                format!("a plan file may have at most {FILES} files inside"),
            ));
        }
        // Terraform takes the first of two files of one name, and this reader the last.
        let names = directory::names(bytes)?;
        if names.len() != zip.len() {
            return Err(directory::unusual());
        }
        let budget = Rc::new(Budget::new(Rc::clone(&read)));
        let mut archive = Archive { zip, length: bytes.len() as u64, budget };
        // Also the files that are not read: no file of a plan packs that well.
        for index in 0..archive.zip.len() {
            let file = archive.zip.by_index_raw(index).map_err(|error| damaged(&error))?;
            check_size(&file, archive.length, FILE_BYTES)?;
            if names.binary_search(&file.name_raw()).is_err() {
                return Err(directory::unusual());
            }
        }
        // The list says nothing of what is in the files.
        read.set(0);
        Ok(archive)
    }

    /// Whether the archive has a file of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// The files of the embedded configuration by name (`tfconfig/m-/main.tf`), and the lock file. Files that are not
    /// UTF-8 are left out.
    pub(super) fn configuration(&mut self) -> Result<BTreeMap<String, String>> {
        let wanted = |name: &str| name.starts_with("tfconfig/") || name == ".terraform.lock.hcl";
        let names: Vec<String> = self
            .zip
            .file_names()
            .flatten()
            .filter(|name| wanted(name))
            .map(|name| name.into_owned())
            .collect();
        let (mut files, mut left) = (BTreeMap::new(), CONFIGURATION_BYTES);
        for name in names {
            let Some(index) = self.zip.index_for_name(&name) else { continue };
            let content = self.read_at(index, left)?;
            self.budget.keep_bytes(content.len())?;
            left = left.saturating_sub(content.len() as u64);
            if let Ok(text) = String::from_utf8(content) {
                files.insert(name, text);
            }
        }
        Ok(files)
    }

    /// Unpacks a file piece by piece into `read`, which has to read all of it, so that no more than a piece is held in memory,
    /// and to count what it keeps; `None` if the archive has no file of this name.
    pub(super) fn stream<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn BufRead, &Budget) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(None) };
        let budget = Rc::clone(&self.budget);
        let (file, size) = self.open_at(index, FILE_BYTES)?;
        let mut rest = BufReader::with_capacity(PIECE, file.take(size.saturating_add(1)));
        let result = read(&mut rest, &budget)?;
        // One byte is left of the limit if the file has as many bytes as the archive claims.
        let is_whole = rest.buffer().is_empty() && rest.get_ref().limit() == 1;
        if is_whole { Ok(Some(result)) } else { Err(not_unpacked()) }
    }

    /// Reads the file at a position of the archive's list, of at most `most` bytes.
    fn read_at(&mut self, index: usize, most: u64) -> Result<Vec<u8>> {
        let (file, size) = self.open_at(index, most)?;
        // Growing piece by piece would take up to three times as much. The size has been compared with that of the archive.
        let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or(PIECE).saturating_add(1));
        // The size is what the archive claims: one byte more shows that it is wrong, and no byte after that is unpacked.
        let read = file.take(size.saturating_add(1)).read_to_end(&mut content);
        match read {
            Ok(count) if count as u64 == size => Ok(content),
            _ => Err(not_unpacked()),
        }
    }

    /// Opens the file at a position of the archive's list, which may have at most `most` bytes; returns the size that the
    /// archive claims.
    fn open_at(&mut self, index: usize, most: u64) -> Result<(impl Read, u64)> {
        let file = self.zip.by_index(index).map_err(|error| damaged(&error))?;
        let size = check_size(&file, self.length, most)?;
        Ok((file, size))
    }
}

/// The size that an archive of `length` bytes claims for a file, which may have at most `most` bytes.
fn check_size(file: &ZipFile<'_, CountedBytes<'_>>, length: u64, most: u64) -> Result<u64> {
    // A file cannot be packed in more than the archive.
    let (size, compressed) = (file.size(), file.compressed_size().min(length));
    if size > most || size > SMALL && size / RATIO > compressed {
        let message = format!(
            "the plan file has a file of {size} bytes inside, packed in {compressed}; that is too much"
        );
        return Err(Error::new(Kind::Limit, message));
    }
    Ok(size)
}

/// The error for a file in the archive that is not what the archive claims.
#[cold]
pub(super) fn not_unpacked() -> Error {
    Error::new(Kind::Syntax, "the plan file is damaged: a file inside cannot be unpacked")
}

/// The error for an archive that cannot be read.
#[cold]
fn damaged(error: &ZipError) -> Error {
    let message = match error {
        ZipError::UnsupportedArchive(_) => {
            "the plan file uses a feature of zip archives that plan files do not have"
        }
        _ => "the plan file is damaged: it is a zip archive that cannot be read",
    };
    Error::new(Kind::Syntax, message)
}
