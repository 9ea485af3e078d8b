//! What a reader allocates is in proportion to what it reads: at most 128 times the input and 1 MB. And hostile configurations
//! end within limits.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test says what went wrong by failing"
)]

mod configurations;
#[path = "../measured/mod.rs"]
mod measured;
mod patterns;
mod plan;

use measured::{INPUT, alone, in_proportion, measured};
