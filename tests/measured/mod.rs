//! How much memory some work takes: for the tests of readers.

#![allow(
    dead_code,
    clippy::arithmetic_side_effects,
    reason = "a test says what went wrong by failing, and not every one needs all of this"
)]

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// About as long as the longest hostile inputs are.
pub(crate) const INPUT: usize = 1 << 16;

/// What other threads allocate would count: each test holds this.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What came of some work, how many bytes it left allocated, and how many there were at most.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    let peak = MEMORY.peak_usage().saturating_sub(before);
    (result, MEMORY.current_usage().saturating_sub(before), peak)
}

/// Reads without allocating out of proportion.
#[track_caller]
pub(crate) fn in_proportion<T, E: Display>(what: &str, input: &[u8], read: impl FnOnce() -> Result<T, E>) {
    let (read, _, peak) = measured(read);
    let outcome = read.map_or_else(|error| error.to_string(), |_| "a value".to_owned());
    let most = input.len() * 128 + (1 << 20);
    let start = String::from_utf8_lossy(input.get(..60).unwrap_or(input));
    assert!(peak <= most, "{what} of {start:?}: {peak} bytes for {}: {outcome}", input.len());
}
