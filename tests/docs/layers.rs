//! Modules use only modules that stand above them in the map of DESIGN.md. The exceptions are listed here, file by file.

use std::collections::BTreeSet;

use super::sources;

/// A file, the module further down in the map that it uses, and why.
///
/// Most close one circle: an error names types and paths, a step of a path holds a key, which is a value, and a type of
/// capsules holds functions on values. One public error and one public path are worth more than a crate without circles.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("src/error.rs", "types", "an error holds the types that were expected and found"),
    ("src/error.rs", "path", "an error holds the place"),
    ("src/types.rs", "capsule", "`Type::capsule` takes a Rust type that implements `Capsule`"),
    ("src/types/capsule.rs", "capsule", "a capsule type is what the trait `Capsule` says of a Rust type"),
    ("src/types/capsule.rs", "value", "a capsule type holds the conversions from and to values"),
    ("src/path.rs", "value", "the key of a step is a value"),
    ("src/path/parse.rs", "value", "the key of a step is a value"),
    ("src/capsule.rs", "value", "a capsule type may convert from and to values"),
];

/// The modules at the root of the crate, in the order of the map: the first uses none of the others.
fn map() -> Vec<String> {
    let design = sources::text("DESIGN.md");
    sources::first_cells(sources::section(&design, "## Where is what?"))
}

fn modules() -> BTreeSet<String> {
    let root = sources::text("src/lib.rs");
    let names = root.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    names.map(str::to_owned).collect()
}

/// The code of a file: without comments, and without the tests that stand inside.
pub(crate) fn code(file: &str) -> String {
    let text = sources::text(file);
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The names that stand after `crate::`, each alone or first in a group.
fn names_after_crate(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let word =
            |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        let Some(group) = rest.strip_prefix('{') else {
            names.insert(word(rest));
            continue;
        };
        let mut depth = 1;
        let mut begins = true;
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => begins = true,
                c if begins && !c.is_whitespace() => {
                    names.insert(word(&group[at..]));
                    begins = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    names.remove("");
    names
}

/// The module of a name at the root: the module itself, or the one that the root exports it from.
fn module_of(name: &str, modules: &BTreeSet<String>, root: &str) -> Option<String> {
    // `convert` is a module and a function of that module.
    if modules.contains(name) {
        return Some(name.to_owned());
    }
    let mut exports = root.split("pub use ").skip(1).filter_map(|export| export.split(';').next());
    let is_word = |c: char| !(c.is_alphanumeric() || c == '_');
    let export = exports.find(|export| export.split(is_word).any(|word| word == name))?;
    export.split("::").next().map(str::to_owned)
}

/// Each use of a module by a file of another one.
fn uses() -> Vec<(String, String, String)> {
    let (modules, root) = (modules(), sources::text("src/lib.rs"));
    let mut uses = Vec::new();
    for file in sources::rust_files("src") {
        let inside = file.strip_prefix("src/").unwrap().trim_end_matches(".rs");
        let own = inside.split('/').next().unwrap();
        let is_test = inside.split('/').any(|part| part == "tests");
        if !modules.contains(own) || is_test {
            continue;
        }
        for name in names_after_crate(&code(&file)) {
            // The macro `value!` names itself.
            let Some(used) = module_of(&name, &modules, &root) else { continue };
            if used != own {
                uses.push((file.clone(), own.to_owned(), used));
            }
        }
    }
    uses
}

#[test]
fn the_map_has_every_module_once() {
    let map = map();
    let known: BTreeSet<String> = map.iter().cloned().collect();
    assert_eq!(known.len(), map.len(), "a module stands in the map of DESIGN.md twice: {map:?}");
    assert_eq!(known, modules(), "the map of DESIGN.md and the modules of src/lib.rs differ");
}

#[test]
fn modules_use_only_modules_above_them_in_the_map() {
    let map = map();
    let place = |name: &str| map.iter().position(|module| module == name).unwrap();
    let uses = uses();
    assert!(uses.len() > 1_000, "only {} uses were found: are they still written `crate::`?", uses.len());
    let upward: BTreeSet<(&str, &str)> = uses
        .iter()
        .filter(|(_, own, used)| place(used) > place(own))
        .map(|(file, _, used)| (file.as_str(), used.as_str()))
        .collect();
    let allowed: BTreeSet<(&str, &str)> = EXCEPTIONS.iter().map(|(file, used, _)| (*file, *used)).collect();
    let new: Vec<String> = upward
        .difference(&allowed)
        .map(|(file, used)| {
            format!("{file} uses `{used}`, which stands below its own module in the map of DESIGN.md")
        })
        .collect();
    assert!(
        new.is_empty(),
        "{}\nmove what is shared up, or say in EXCEPTIONS of tests/docs/layers.rs why the use is right",
        new.join("\n")
    );
    let gone: Vec<_> = allowed.difference(&upward).collect();
    assert!(gone.is_empty(), "no longer needed in EXCEPTIONS of tests/docs/layers.rs: {gone:?}");
}
