//! Law L10: every rule is sound, exact on single values, monotone, and never undetermined on a wholly known value.
//!
//! The universes are small and enumerated: every abstract value comes with the list of the concrete values it may
//! become, one step beyond every bound that a rule looks at. What a rule means is written down a second time, on
//! the concrete values of these tests (`oracle.rs`), and compared with the answers of the crate.
#![cfg(feature = "rules")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what it expects by failing"
)]

mod across;
mod across_below;
mod addresses;
mod below;
mod changes;
mod changes_below;
mod combinators;
mod concrete;
mod customdiff;
mod details;
mod faults;
mod field;
mod forms;
mod glance;
mod goldens;
#[cfg(feature = "testing")]
mod kit;
mod laws;
mod ledger;
mod limits;
mod names;
mod oracle;
mod places;
mod received;
mod rows;
mod schemas;
mod sets;
mod silent;
mod singles;
mod sums;
mod taint;
mod taint_kinds;
mod texts;
mod undecided;
mod universe;
