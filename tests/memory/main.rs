//! What a reader allocates is in proportion to what it reads: at most 128 times the input and 1 MB. And what it
//! makes of a document is small.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test says what went wrong by failing"
)]

#[cfg(feature = "hcl")]
mod configurations;
#[path = "../../benches/workloads/all/document.rs"]
#[allow(
    dead_code,
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "measured elsewhere"
)]
mod document;
mod json;
mod leaves;
mod msgpack;
mod patterns;
mod plan;
mod serial;

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// About as long as the longest hostile inputs are.
const INPUT: usize = 1 << 16;

/// What other threads allocate would count: each test holds this.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What came of some work, how many bytes it left allocated, and how many there were at most.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    let peak = MEMORY.peak_usage().saturating_sub(before);
    (result, MEMORY.current_usage().saturating_sub(before), peak)
}

/// Reads without allocating out of proportion.
#[track_caller]
fn in_proportion<T, E: Display>(what: &str, input: &[u8], read: impl FnOnce() -> Result<T, E>) {
    let (read, _, peak) = measured(read);
    let outcome = read.map_or_else(|error| error.to_string(), |_| "a value".to_owned());
    let most = input.len() * 128 + (1 << 20);
    let start = String::from_utf8_lossy(input.get(..60).unwrap_or(input));
    assert!(peak <= most, "{what} of {start:?}: {peak} bytes for {}: {outcome}", input.len());
}
