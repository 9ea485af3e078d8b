//! The library reaches the system in few places, as DESIGN.md says.

use super::layers::code;
use super::sources;

/// What of the standard library reaches the system: files, environment, network, processes, threads, clocks.
const SYSTEM: [&str; 7] =
    ["std::fs", "std::env", "std::net", "std::process", "std::thread", "std::time", "SystemTime"];

/// The files that may, and why.
const PLACES: &[(&str, &str)] = &[
    (
        "crates/plantime-terraform/src/plan/checking/checker.rs",
        "threads: the resources of one plan are checked side by side",
    ),
    ("src/testing/parallel.rs", "threads: laws are tried on many values"),
    ("src/testing/proof.rs", "a clock: a report says how long it took"),
    ("src/testing/report.rs", "a clock: the time is counted from a start"),
    ("src/testing/rules.rs", "a clock: a report says how long it took"),
];

#[test]
fn the_library_reaches_the_system_only_where_the_design_says_so() {
    let folders =
        ["crates/plantime-hcl/src", "crates/plantime-schema/src", "crates/plantime-terraform/src", "src"];
    let files = folders.into_iter().flat_map(sources::rust_files);
    let library = files.filter(|file| !file.contains("tests"));
    let uses = library.filter(|file| {
        let code = code(file);
        SYSTEM.iter().any(|name| code.contains(name))
    });
    let uses: Vec<String> = uses.collect();
    let places: Vec<&str> = PLACES.iter().map(|(file, _)| *file).collect();
    assert_eq!(
        uses, places,
        "files of the library that reach the system, and PLACES of tests/docs/system.rs"
    );
}
