//! Checks of the laws on given or random values: shared by the properties, by the fuzz targets in `fuzz/`, and by
//! the test that replays what those have found.

#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a check fails by panicking, and not every user calls every check"
)]

pub mod bounds;
pub mod bridge;
pub mod convert;
pub mod inclusion;
pub mod json;
pub mod languages;
pub mod laws;
pub mod operations;
pub mod refinements;
pub mod rules;
pub mod schemas;
pub mod serial;
pub mod several;
pub mod targets;
pub mod texts;
pub mod wire;
