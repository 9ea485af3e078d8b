//! Tests for rules: test files, and those that are made from plans.
//!
//! | file | tests |
//! |---|---|
//! | `documents` | the examples of the documents: each is tested |
//! | `files` | what a test file says: subjects, values, expectations, and what is wrong with one |
//! | `fixtures` | a test file from a plan passes, answers as the plan or leaves open, and holds nothing sensitive |
//! | `plans` | the plans of the tests, with rules about their values |
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what it expects by failing"
)]

mod documents;
mod files;
mod fixtures;
#[path = "../packed/mod.rs"]
mod packed;
mod plans;
