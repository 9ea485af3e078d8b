//! Binary plans: each that real Terraform wrote says the same as the JSON that it made of it, and more of unknown values;
//! what is damaged or hostile is an error.
//!
//! The recorded plans lie beside the checkout: `$PLANTIME_REAL_ALL`, else `../shared/real`.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test panics where something is wrong"
)]

mod asked;
mod damaged;
mod indexes;
mod made;
#[path = "../packed/mod.rs"]
mod packed;
mod questions;
mod recorded;
mod shown;
