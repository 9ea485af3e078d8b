//! The crates: which one depends on which, and what crosses a border without being public.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use super::sources;

/// The packages of the workspace, and those of them that each needs.
const GRAPH: &[(&str, &[&str])] = &[
    ("plantime", &[]),
    ("plantime-benches", &[]),
    ("plantime-cli", &["plantime", "plantime-hcl", "plantime-schema", "plantime-terraform"]),
    ("plantime-hcl", &["plantime"]),
    ("plantime-provider", &["plantime", "plantime-schema"]),
    ("plantime-schema", &["plantime"]),
    ("plantime-terraform", &["plantime", "plantime-hcl", "plantime-schema"]),
    ("plantime-ytt", &["plantime"]),
];

/// What stands in the hidden module of a crate, and the hidden methods of its public types: the numbers only shrink. What
/// others need becomes public.
const HIDDEN: &[(&str, usize, usize)] =
    &[("src", 54, 43), ("crates/plantime-hcl/src", 19, 27), ("crates/plantime-schema/src", 9, 10)];

/// What cargo says of the workspace.
fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_crates_depend_on_each_other_as_the_design_says() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeSet<&str> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    let mut found = BTreeMap::new();
    for package in packages {
        let of_workspace = package["dependencies"].as_array().unwrap().iter().filter(|dependency| {
            dependency["kind"].is_null() && names.contains(dependency["name"].as_str().unwrap())
        });
        let mut needed = BTreeSet::new();
        for dependency in of_workspace {
            let version = dependency["req"].as_str().unwrap();
            assert!(version.starts_with('='), "{} is not pinned: {version}", dependency["name"]);
            needed.insert(dependency["name"].as_str().unwrap());
        }
        found.insert(package["name"].as_str().unwrap(), needed);
    }
    let wanted: BTreeMap<&str, BTreeSet<&str>> =
        GRAPH.iter().map(|(name, needed)| (*name, needed.iter().copied().collect())).collect();
    assert_eq!(found, wanted);
}

/// The names that a module exports with `pub use`.
fn exported(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for statement in text.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next()) {
        let list = statement.split_once('{').map_or_else(
            || vec![statement],
            |(_, list)| list.trim_end().trim_end_matches('}').split(',').collect(),
        );
        let names_of_list = list.iter().map(|item| item.trim()).filter(|item| !item.is_empty());
        names.extend(names_of_list.map(|item| item.rsplit([' ', ':']).next().unwrap_or(item).to_owned()));
    }
    names
}

/// The names that the hidden module of a crate exports, and those that they have inside the crate; none without such a module.
pub(crate) fn hidden_names(folder: &str) -> Vec<String> {
    let file = format!("{folder}/unstable.rs");
    if !sources::rust_files(folder).contains(&file) {
        return Vec::new();
    }
    let mut names = exported(&sources::text(&file));
    let mut inside = Vec::new();
    for file in sources::rust_files(folder) {
        let text = sources::text(&file);
        let renamed = text.split(" as ").collect::<Vec<_>>();
        for pair in renamed.windows(2) {
            let word = |c: char| !(c.is_alphanumeric() || c == '_');
            let after = pair[1].split(word).next().unwrap_or_default();
            let before = pair[0].rsplit(word).next().unwrap_or_default();
            if !before.is_empty() && names.iter().any(|name| name == after) {
                inside.push(before.to_owned());
            }
        }
    }
    names.append(&mut inside);
    names
}

/// The hidden functions of the files of a folder.
fn hidden_functions(folder: &str) -> Vec<String> {
    let mut functions = Vec::new();
    for file in sources::rust_files(folder) {
        let text = sources::text(&file);
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| **line == "#[doc(hidden)]") {
            let item =
                lines[at + 1..].iter().find(|line| !line.starts_with("#[")).copied().unwrap_or_default();
            if let Some((_, rest)) = item.split_once("fn ").filter(|_| item.starts_with("pub ")) {
                let name = rest.split(['(', '<']).next().unwrap_or_default();
                functions.push(format!("{file}: {name}"));
            }
        }
    }
    functions
}

#[test]
fn little_crosses_a_border_without_being_public() {
    for (folder, names, functions) in HIDDEN {
        let exported = exported(&sources::text(&format!("{folder}/unstable.rs")));
        let hidden = hidden_functions(folder);
        println!("{folder}: {} names {exported:?}, {} functions {hidden:#?}", exported.len(), hidden.len());
        assert_eq!(
            (exported.len(), hidden.len()),
            (*names, *functions),
            "what {folder} shows to the crates beside it alone, {exported:?}, {hidden:#?}, and HIDDEN of tests/docs/crates.rs"
        );
    }
}

/// The command, the kit, ytt, the benches and the fuzz targets use no hidden module.
#[test]
fn the_outer_crates_use_no_hidden_module() {
    let folders =
        ["benches", "crates/plantime-cli", "crates/plantime-provider", "crates/plantime-ytt", "fuzz/src"];
    let files = folders.into_iter().flat_map(sources::rust_files);
    let users: Vec<String> = files.filter(|file| sources::text(file).contains("::unstable")).collect();
    assert_eq!(users, Vec::<String>::new());
}
