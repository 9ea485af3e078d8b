//! What the workloads allocate: a program of its own, as counting would cost the other one time.
//!
//! ```text
//! cargo bench --bench allocations -- NAME N            one line
//! cargo bench --bench allocations -- table [PART]      a line for each workload at its size
//! ```
//!
//! A line is the name, N, and for each operation: allocations, bytes allocated, and bytes that are left of the result.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    reason = "a program, not a library: it stops where its own input is wrong"
)]

mod again;
#[allow(dead_code, reason = "time is for the other program")]
mod all;

mod allocator {
    use std::alloc::System;

    use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

    #[global_allocator]
    pub static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;
}

fn main() -> std::process::ExitCode {
    all::allocations::run(allocator::MEMORY, &again::arguments())
}
