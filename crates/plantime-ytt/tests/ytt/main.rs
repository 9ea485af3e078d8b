//! Packages: what is accepted, the messages of what is refused, hostile files, and recorded behaviour of ytt.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    unreachable_pub
)]

mod annotations;
mod binary;
mod bundles;
#[path = "../checks/mod.rs"]
mod checks;
mod corpus;
mod functions;
mod hostile;
mod libraries;
mod modules;
mod output;
mod overlays;
mod packages;
mod proposal;
mod recorded;
mod scalars;
mod unknowns;
