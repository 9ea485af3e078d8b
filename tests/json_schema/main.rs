//! Rules as JSON Schema, and back.
#![cfg(all(feature = "rules", feature = "json"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what it expects by failing"
)]

mod cel;
mod cel_types;
mod drafts;
mod ecma;
mod goldens;
mod kinds;
mod late;
mod limits;
mod suite;
