//! What a reader allocates is in proportion to what it reads: at most 128 times the input and 1 MB. And what it
//! makes of a document is small.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test says what went wrong by failing"
)]

#[path = "../document/mod.rs"]
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
#[path = "../measured/mod.rs"]
mod measured;
mod msgpack;
mod serial;

use measured::{INPUT, alone, in_proportion, measured};
