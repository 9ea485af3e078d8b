//! Checks of what files say: shared by the fuzz targets in `fuzz/`, and by the test that replays what those have found.

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
pub mod hcl_text;
pub mod plans;
pub mod rules_file;

/// What a target does with an input.
pub type Check = fn(&[u8]);

/// Name and check of each target.
pub const TARGETS: [(&str, Check); 5] = [
    ("hcl_text", hcl_text::text),
    ("plan_json", plans::plan),
    ("schema_json", plans::schemas),
    ("tfplan", plans::binary),
    ("rules_file", |input| {
        if let Ok(text) = std::str::from_utf8(input) {
            rules_file::file(text);
        }
    }),
];
