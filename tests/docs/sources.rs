//! The files of the project as text.

use std::path::{Path, PathBuf};

/// The text of a file, named from the root of the project.
pub(crate) fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Rust files of a folder and of the folders in it, named from the root of the project, sorted.
pub(crate) fn rust_files(folder: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).unwrap();
                files.push(name.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    files.sort();
    files
}

/// What lies in a folder, named from the root of the project: files and folders by their names, sorted.
pub(crate) fn names_in(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut names: Vec<String> =
        entries(&folder).iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The section of a document under a heading, up to the next heading of the same level.
pub(crate) fn section<'a>(document: &'a str, heading: &str) -> &'a str {
    let start = format!("\n{heading}\n");
    let (_, rest) = document.split_once(&start).unwrap_or_else(|| panic!("there is no section {heading:?}"));
    let level = heading.split(' ').next().unwrap();
    rest.split(&format!("\n{level} ")).next().unwrap()
}

/// The first cell of each row of the tables in a text, without backticks; not the head of a table.
pub(crate) fn first_cells(text: &str) -> Vec<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next()).map(str::to_owned).collect()
}
