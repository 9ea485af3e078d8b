//! Bounds how much of a plan file is held in memory, in proportion to how much of the file has been read.
//!
//! A file of 10 MB may unpack to 640 MB, and a byte of that to a value of dozens of bytes. So what is kept is counted while
//! it is read: a file whose content is far denser than that of plans is refused before it takes much memory.

use std::cell::Cell;
use std::rc::Rc;

use plantime::unstable::error::Kind;
use plantime::{Error, Result};

/// The number of bytes that may be kept whatever the file contains.
const BYTES: u64 = 24 << 20;

/// The number of bytes that may be kept in addition for each byte of the file that has been read. The plans, states and
/// configurations that Terraform recorded unpack to at most 35.
const BYTES_RATE: u64 = 32;

/// The number of parts that may be kept whatever the file contains: they take about 20 MB.
const PARTS: u64 = 1 << 18;

/// The number of parts that may be kept in addition for each byte of the file that has been read. In plans, one part takes
/// about fifteen unpacked bytes: the plans that Terraform recorded have two parts for each byte of the file, and one that
/// creates ten thousand like instances has nine.
const PARTS_RATE: u64 = 8;

/// Counts what is kept of a plan file: bytes, and parts, such as fields of messages and elements of values.
#[derive(Debug, Default)]
pub(super) struct Budget {
    /// The number of bytes of the file that have been read.
    read: Rc<Cell<u64>>,
    bytes: Cell<u64>,
    parts: Cell<u64>,
}

impl Budget {
    /// A budget that grows with `read`, the number of bytes of the file that have been read.
    pub(super) fn new(read: Rc<Cell<u64>>) -> Budget {
        Budget { read, ..Budget::default() }
    }

    /// Counts bytes that are kept, such as the content of a field; an error if they exceed the budget.
    pub(super) fn keep_bytes(&self, count: usize) -> Result<()> {
        self.add(&self.bytes, count as u64, BYTES, BYTES_RATE)
    }

    /// Counts parts that are kept; an error if they exceed the budget.
    pub(super) fn keep_parts(&self, count: u64) -> Result<()> {
        self.add(&self.parts, count, PARTS, PARTS_RATE)
    }

    /// Counts the parts that `count` finds in content whose bytes have been counted already. Does not call `count` while at
    /// most [`PARTS`] bytes have been kept, since so few bytes need no count of their parts.
    pub(super) fn keep_parts_of(&self, count: impl FnOnce() -> u64) -> Result<()> {
        if self.bytes.get() <= PARTS {
            return Ok(());
        }
        self.keep_parts(count())
    }

    /// Adds to a counter that may grow to `base`, and by `rate` for each byte of the file that has been read.
    fn add(&self, counter: &Cell<u64>, count: u64, base: u64, rate: u64) -> Result<()> {
        let sum = counter.get().saturating_add(count);
        counter.set(sum);
        if sum <= base.saturating_add(rate.saturating_mul(self.read.get())) {
            return Ok(());
        }
        Err(too_dense(self.read.get()))
    }
}

/// The error for a file whose content is denser than that of plans.
#[cold]
fn too_dense(read: u64) -> Error {
    let message = format!(
        "the plan file unpacks to far more than plans do: {read} bytes of it are too much already; \
         `terraform show -json FILE` writes a plan as JSON"
    );
    Error::new(Kind::Limit, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_may_grow_with_what_is_read() {
        let read = Rc::new(Cell::new(0));
        let budget = Budget::new(Rc::clone(&read));
        assert!(budget.keep_bytes(24 << 20).is_ok() && budget.keep_bytes(1).is_err());
        read.set(1 << 20);
        assert!(budget.keep_bytes((32 << 20) - 1).is_ok() && budget.keep_bytes(1).unwrap_err().is_limit());
        assert!(budget.keep_parts(PARTS).is_ok());
    }

    #[test]
    fn parts_of_little_content_are_not_counted() {
        let budget = Budget::default();
        assert!(budget.keep_parts_of(|| u64::MAX).is_ok());
        budget.keep_bytes(1 << 20).unwrap();
        assert!(budget.keep_parts_of(|| u64::MAX).is_err());
    }
}
