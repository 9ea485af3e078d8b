//! What the documents say of the code is so: the map of modules, the folders of tests, the features, links, and the
//! documentation of public items. Reads files only: `cargo test --all-features --test docs` takes under a second.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod crates;
mod features;
mod folders;
mod items;
mod layers;
mod links;
mod plan_names;
mod rust_version;
mod sources;
mod system;
