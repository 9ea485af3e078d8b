//! The features that the README lists are those of Cargo.toml.

use std::collections::BTreeSet;

use super::sources;

#[test]
fn the_readme_lists_every_feature() {
    let manifest: toml::Value = toml::from_str(&sources::text("Cargo.toml")).unwrap();
    let features = manifest["features"].as_table().unwrap().keys().filter(|name| *name != "default");
    let features: BTreeSet<String> = features.cloned().collect();
    let readme = sources::text("README.md");
    let listed: BTreeSet<String> =
        sources::first_cells(sources::section(&readme, "## Features")).into_iter().collect();
    assert_eq!(listed, features, "the table of features in README.md and Cargo.toml differ");
}

/// docs.rs builds what this says; without it, it would show the value model alone.
#[test]
fn the_published_documentation_has_every_feature() {
    let manifest: toml::Value = toml::from_str(&sources::text("Cargo.toml")).unwrap();
    let built = &manifest["package"]["metadata"]["docs"]["rs"];
    assert_eq!(built["all-features"].as_bool(), Some(true));
    let rustdoc: Vec<&str> =
        built["rustdoc-args"].as_array().unwrap().iter().filter_map(|arg| arg.as_str()).collect();
    assert_eq!(rustdoc, ["--cfg", "docsrs"]);
}
