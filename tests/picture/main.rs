//! Pictures of plans: compared line by line with what Terraform drew of the same plans; nothing behind a mark shows; text
//! from files controls nothing.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test panics where something is wrong"
)]

mod hostile;
mod kinds;
mod made;
mod page;
mod recorded;
mod recordings;
