//! The workloads by name.
//!
//! ```text
//! cargo bench --bench workloads -- NAME N [ITERS]           one line: time, allocations, memory
//! cargo bench --bench workloads -- beside NAME N [PAIRS]    in turns with the nearest program of another kind
//! cargo bench --bench workloads -- table [PART OF A NAME]   every workload at its size, with what is wanted of it
//! cargo bench --bench workloads -- scaling [PART OF A NAME] how they grow, and what is beside them
//! cargo bench --bench workloads -- parallel [PLANS]          two threads against one, wall time
//! cargo bench --bench workloads -- document N               the document that most work on, as JSON
//! cargo bench --bench workloads -- document_msgpack N       and with unknowns, as MessagePack
//! ```
//!
//! Time is time on the processor, the median of ITERS or PAIRS (5 where not given). `all/list.rs` has the names.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    reason = "a program, not a library: it stops where its own input is wrong"
)]

mod again;
#[allow(dead_code, reason = "what is allocated is for the other program")]
mod all;

fn main() -> std::process::ExitCode {
    all::timed::run(&again::arguments())
}
