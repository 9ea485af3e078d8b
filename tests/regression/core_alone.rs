//! The core is built for places that have no files, threads, clock or environment (policy engines in a sandbox).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

/// What reaches outside of the process.
const OUTSIDE: [&str; 8] =
    ["env", "fs", "net", "os", "process", "thread", "time::Instant", "time::SystemTime"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        // Tests may use what they like.
        if matches!(name, "tests" | "tests.rs" | "testing" | "testing.rs") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_core_uses_no_files_threads_clock_or_environment() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&src, &mut found);
    assert!(found.len() > 100, "the sources lie elsewhere");
    for file in found {
        let inner = file.strip_prefix(&src).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        for outside in OUTSIDE {
            assert!(!text.contains(&format!("std::{outside}")), "{}: std::{outside}", inner.display());
        }
    }
}
