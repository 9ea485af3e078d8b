//! Whether a test that a document names is there.

use std::path::{Path, PathBuf};

/// The text of a file of the project.
pub(crate) fn project_file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Whether a source file whose place names the suite has a test of this name, written out or listed in a macro `laws…!`.
pub(crate) fn test_exists(suite: &str, name: &str) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    ["src", "tests", "crates"].iter().for_each(|folder| rust_files(&root.join(folder), &mut files));
    let is_of_suite = |file: &PathBuf| {
        let place = file.strip_prefix(root).unwrap_or(file).with_extension("");
        place.components().any(|part| part.as_os_str() == suite)
    };
    files.iter().filter(|file| is_of_suite(file)).any(|file| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let written = format!("fn {name}(");
        text.lines().any(|line| line.trim_start().starts_with(&written)) || listed(&text, name)
    })
}

fn listed(text: &str, name: &str) -> bool {
    let lists = ["laws!(", "laws_of!("].into_iter().flat_map(|start| text.split(start).skip(1));
    let names = lists.filter_map(|list| list.split_once(')')).filter_map(|(list, _)| list.split_once(':'));
    names.flat_map(|(_, names)| names.split(',')).any(|word| word.trim() == name)
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for path in entries {
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
