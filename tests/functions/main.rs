//! The laws of the functions: small universes, every abstract value, held against what brute force over concrete
//! values says. `cargo test --test functions -- --nocapture` prints how much was tried.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod attempt;
mod collections;
mod differences;
mod domains;
mod encodings;
mod laws;
mod ledger;
mod marks;
mod metadata;
mod table;
mod texts;
mod yaml;
