//! Hostile arguments: whatever a function is called with, it answers within a second, with at most 64 MB more than its
//! arguments take, and on a stack of 1 MiB. `cargo test --all-features --test hostile -- --nocapture` prints what takes
//! longest; `PLANTIME_FUNCTION` names one function to be tried alone.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod bounds;
mod charged;
mod each;
mod errors;
mod values;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;
