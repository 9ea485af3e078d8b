//! The code needs no newer compiler than `rust-version` says. Clippy knows that of the standard library, not of the language.

use super::sources;

/// Whether a line has a match arm with an `if let` guard, which needs Rust 1.95.
fn has_if_let_guard(line: &str) -> bool {
    let line = line.trim_start();
    let guard = line.find(" if let ");
    guard.is_some_and(|at| line[at..].contains("=>"))
        && !["if ", "while ", "} else ", "let ", "//"].iter().any(|start| line.starts_with(start))
}

#[test]
fn no_match_arm_has_a_guard_that_needs_a_newer_compiler() {
    assert!(has_if_let_guard("    Ok(1) if let Some(x) = y => x,"));
    assert!(!has_if_let_guard("    } else if let Some(x) = y { |z| match z { _ => x } }"));
    assert!(
        sources::text("Cargo.toml").contains("rust-version = \"1.89\""),
        "look at the versions above again"
    );
    let files = ["src", "crates", "tests", "benches", "examples"].map(sources::rust_files).concat();
    let others = files.iter().filter(|file| *file != "tests/docs/rust_version.rs");
    let newer = others.flat_map(|file| {
        let text = sources::text(file);
        let lines: Vec<String> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| has_if_let_guard(line))
            .map(|(at, _)| format!("{file}:{}", at + 1))
            .collect();
        lines
    });
    assert_eq!(newer.collect::<Vec<String>>(), Vec::<String>::new(), "guards that need Rust 1.95");
}
