//! Rendered plans: equal to the recorded text of Terraform, line by line; text from files cannot control terminal or page.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test panics where something is wrong"
)]

mod browser;
mod generate;
mod generated;
mod hostile;
mod kinds;
mod made;
#[path = "../packed/mod.rs"]
mod packed;
mod page;
mod record;
mod recorded;
mod recordings;
mod shapes;
