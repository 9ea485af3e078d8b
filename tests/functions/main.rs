//! Tests of the functions. The laws are tried on small domains: the result for every abstract value is compared with
//! the results for all concrete values that it stands for. `cargo test --all-features --test functions -- --nocapture` prints how
//! much was tried.

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
mod few_numbers;
mod integers;
mod languages;
mod laws;
mod ledger;
mod marks;
mod metadata;
#[path = "../packed/mod.rs"]
mod packed;
mod rules;
mod shapes;
mod table;
mod texts;
mod told;
mod yaml;
