//! The testing kit proves operations and rules of its users, and shows their mistakes.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod domains;
#[cfg(all(feature = "functions", feature = "json"))]
mod leaks;
mod operations;
#[cfg(feature = "rules")]
mod rules;
