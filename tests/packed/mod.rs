//! Test data in gzip: the one place that unpacks it.

#![allow(
    dead_code,
    clippy::expect_used,
    reason = "each test uses some of it, and fails where the data is damaged"
)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// Unpacks piece by piece.
pub(crate) fn reader(packed: impl Read) -> impl BufRead {
    BufReader::new(MultiGzDecoder::new(packed))
}

/// The unpacked bytes.
pub(crate) fn bytes(packed: impl Read) -> Vec<u8> {
    let mut content = Vec::new();
    reader(packed).read_to_end(&mut content).expect("it is gzip");
    content
}

/// The unpacked text.
pub(crate) fn text(packed: impl Read) -> String {
    let mut content = String::new();
    reader(packed).read_to_string(&mut content).expect("it is gzip of text");
    content
}

/// The unpacked lines, one at a time.
pub(crate) fn lines(packed: impl Read) -> impl Iterator<Item = String> {
    reader(packed).lines().map(|line| line.expect("it is gzip of text"))
}

/// The content of a file, or of the file with `.gz` behind its name; `None` if there is neither.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    if let Ok(content) = std::fs::read(path) {
        return Some(content);
    }
    File::open(format!("{}.gz", path.display())).ok().map(bytes)
}
