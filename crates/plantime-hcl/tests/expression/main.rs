//! Expressions of HCL: cases of the language, laws over small universes, and what Terraform answered, where the collection of
//! recordings lies beside the checkout: `$PLANTIME_REAL`, else `../shared/real/dev`.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test panics where something is wrong"
)]

mod conditionals;
mod conditions;
mod errors;
mod joins;
mod known_elements;
mod language;
mod laws;
mod members;
mod oracle;
#[path = "../packed/mod.rs"]
mod packed;
mod witnesses;

use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of the collection, or a line that says that there is none.
fn recorded(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real/dev");
    let path = named.unwrap_or_else(beside).join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: there is no {} (PLANTIME_REAL names another folder)", path.display());
    None
}

/// The text of a compressed file.
fn decompressed(path: &Path) -> String {
    packed::text(fs::File::open(path).unwrap())
}
