//! The layers of each crate: which module may use which. DESIGN.md shows the table of the value library to readers. Between
//! crates the compiler holds them.
//!
//! An import says which module a file uses. A method call does not, so the inherent impls outside the module of their type
//! are listed here, and their methods are looked for in the layers above them by name.

use std::collections::{BTreeMap, BTreeSet};

use super::sources;

/// A crate, and the modules at its root, layer by layer. A module uses modules of the layers before its own, and of its own.
struct Crate {
    folder: &'static str,
    layers: &'static [&'static [&'static str]],
    /// The modules with inherent impls of types of a layer before their own, and these types.
    impls_elsewhere: &'static [(&'static str, &'static str)],
}

/// One layer has several modules: a capsule converts from and to values, and the key of a step in a path is a value.
const VALUES: Crate = Crate {
    folder: "src",
    layers: &[
        &["limits"],
        &["language"],
        &["text"],
        &["regexp"],
        &["mark"],
        &["error"],
        &["number"],
        &["types"],
        &["refinement"],
        &["capsule", "path", "value"],
        &["assume"],
        &["ops"],
        &["constraint"],
        &["convert"],
        &["assume_equal"],
        &["type_text"],
        &["json"],
        &["msgpack"],
        &["serial"],
        &["bridge"],
        &["function"],
        &["rule"],
        &["source"],
        &["testing"],
        &["sample"],
        &["strategy"],
        &["arbitrary"],
        &["unstable"],
    ],
    impls_elsewhere: &[
        ("arbitrary", "Weakened"),
        ("assume", "Value"),
        ("assume_equal", "Value"),
        ("capsule", "CapsuleType"),
        ("capsule", "Type"),
        ("constraint", "Type"),
        ("ops", "Value"),
        ("path", "Error"),
        ("type_text", "AttributeConstraint"),
    ],
};

/// The crates with more than one module at their root.
const CRATES: &[Crate] = &[
    VALUES,
    // A file has expressions, and an expression is read by the parser that reads files.
    Crate {
        folder: "crates/plantime-hcl/src",
        layers: &[&["body", "expression", "json", "syntax"], &["unstable"]],
        impls_elsewhere: &[],
    },
    Crate {
        folder: "crates/plantime-schema/src",
        layers: &[&["json"], &["schema"], &["planning"], &["catalogue"], &["unstable"]],
        impls_elsewhere: &[],
    },
    Crate {
        folder: "crates/plantime-terraform/src",
        layers: &[&["json"], &["configuration"], &["plan"]],
        impls_elsewhere: &[("plan", "ExplainedValue"), ("plan", "Explanation")],
    },
];

/// Methods that types of other crates have too, so that a call does not say whose it is.
const OF_OTHERS: &[&str] = &["at", "get", "negate", "text", "union"];

impl Crate {
    /// The place of the layer of a module, from the ground up.
    fn layer(&self, module: &str) -> usize {
        self.layers
            .iter()
            .position(|layer| layer.contains(&module))
            .unwrap_or_else(|| panic!("{module} is in no layer"))
    }

    /// The text of the root module.
    fn root(&self) -> String {
        sources::text(&format!("{}/lib.rs", self.folder))
    }

    fn modules(&self) -> BTreeSet<String> {
        let root = self.root();
        let names = root.lines().filter_map(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            line.strip_prefix("mod ")?.strip_suffix(';')
        });
        names.map(str::to_owned).collect()
    }

    /// The files without the tests: the name, the module at the root, the code.
    fn files(&self) -> Vec<(String, String, String)> {
        let modules = self.modules();
        let mut files = Vec::new();
        for file in sources::rust_files(self.folder) {
            let inside =
                file.strip_prefix(self.folder).unwrap().trim_start_matches('/').trim_end_matches(".rs");
            let own = inside.split('/').next().unwrap().to_owned();
            let is_test = inside.split('/').any(|part| part == "tests");
            if modules.contains(&own) && !is_test {
                let code = code(&file);
                files.push((file, own, code));
            }
        }
        files
    }
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

/// The lines of the inherent impls in a file, each with the name of its type.
fn inherent_impls(code: &str) -> Vec<(&str, Vec<&str>)> {
    let mut impls: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut is_inside = false;
    for line in code.lines() {
        if let Some(rest) = line.strip_prefix("impl").filter(|rest| rest.starts_with([' ', '<'])) {
            let name =
                rest.strip_prefix('<').and_then(|rest| rest.split_once("> ")).map_or(rest, |(_, name)| name);
            let name = name.trim_start();
            let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap();
            is_inside = line.ends_with('{') && !line.contains(" for ") && !name.is_empty();
            if is_inside {
                impls.push((name, Vec::new()));
            }
        } else if line == "}" {
            is_inside = false;
        } else if is_inside {
            impls.last_mut().unwrap().1.push(line);
        }
    }
    impls
}

/// The name of the function that a line begins.
fn function_name(line: &str) -> Option<&str> {
    let before = line.find("fn ")?;
    let is_start = line[..before].split_whitespace().all(|word| {
        matches!(word, "pub" | "const" | "async" | "in") || word.starts_with("pub(") || word.ends_with(')')
    });
    let name = line[before + 3..].split(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    (is_start && !name.is_empty()).then_some(name)
}

#[test]
fn the_layers_have_every_module_once() {
    for one in CRATES {
        let listed: Vec<&str> = one.layers.concat();
        let known: BTreeSet<String> = listed.iter().map(|module| (*module).to_owned()).collect();
        assert_eq!(known.len(), listed.len(), "a module is in a layer twice: {listed:?}");
        assert_eq!(known, one.modules(), "the layers of {} and the modules of its lib.rs differ", one.folder);
    }
}

#[test]
fn the_map_of_the_design_is_the_table_of_layers() {
    let design = sources::text("DESIGN.md");
    let section = sources::section(&design, "## Where is what?");
    let map = section.split("\n### ").next().unwrap();
    let rows = map.lines().filter(|line| line.starts_with("| `"));
    let map: Vec<Vec<&str>> = rows
        .map(|row| {
            row.split('|').nth(1).unwrap().split(',').map(|name| name.trim().trim_matches('`')).collect()
        })
        .collect();
    assert_eq!(map, VALUES.layers, "the map of DESIGN.md and the layers of tests/docs/layers.rs differ");
}

#[test]
fn modules_use_only_modules_of_the_layers_before_their_own() {
    let (mut uses, mut wrong) = (0, Vec::new());
    for one in CRATES {
        let (modules, root) = (one.modules(), one.root());
        for (file, own, code) in one.files() {
            for name in names_after_crate(&code) {
                // The macro `value!` names itself.
                let Some(used) = module_of(&name, &modules, &root) else { continue };
                if used != own {
                    uses += 1;
                }
                if one.layer(&used) > one.layer(&own) {
                    wrong.push(format!("{file} uses `{used}`, whose layer comes after that of `{own}`"));
                }
            }
        }
    }
    assert!(uses > 1_000, "only {uses} uses were found: are they still written `crate::`?");
    assert!(
        wrong.is_empty(),
        "{}\nmove what is shared to an earlier layer: CONTRIBUTING.md",
        wrong.join("\n")
    );
}

#[test]
fn methods_elsewhere_are_listed_and_not_called_in_layers_before_them() {
    let methods: usize = CRATES.iter().map(methods_elsewhere).sum();
    assert!(methods > 60, "only {methods} methods were found");
}

/// The number of methods that a crate has outside the module of their type.
fn methods_elsewhere(one: &Crate) -> usize {
    let files = one.files();
    // The modules that define a type of a name, and the first layer that has a method of a name.
    let mut types: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut first_layers: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, own, code) in &files {
        for line in code.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let Some(at) = words.iter().position(|word| matches!(*word, "struct" | "enum"))
                && let Some(name) = words.get(at + 1)
            {
                let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap();
                types.entry(name).or_default().insert(own);
            }
            if let Some(name) = function_name(line).filter(|_| line.starts_with(' ')) {
                let first = first_layers.entry(name).or_insert(usize::MAX);
                *first = one.layer(own).min(*first);
            }
        }
    }
    let mut elsewhere = BTreeSet::new();
    let mut methods: BTreeMap<&str, &str> = BTreeMap::new();
    for (_, own, code) in &files {
        for (name, lines) in inherent_impls(code) {
            if types.get(name).is_none_or(|homes| homes.contains(own.as_str())) {
                continue;
            }
            elsewhere.insert((own.as_str(), name));
            methods.extend(
                lines
                    .iter()
                    .filter_map(|line| function_name(line))
                    .filter(|method| !OF_OTHERS.contains(method))
                    .map(|method| (method, own.as_str())),
            );
        }
    }
    let listed: BTreeSet<(&str, &str)> = one.impls_elsewhere.iter().copied().collect();
    assert_eq!(elsewhere, listed, "inherent impls outside the module of their type, and `impls_elsewhere`");
    let mut wrong = Vec::new();
    for (file, own, code) in &files {
        for (method, module) in &methods {
            // Another method of that name may be meant where the file can use one.
            let is_after = one.layer(module) > one.layer(own) && first_layers[method] > one.layer(own);
            if is_after && code.contains(&format!(".{method}(")) {
                wrong.push(format!(
                    "{file} calls `{method}` of `{module}`, whose layer comes after that of `{own}`"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    methods.len()
}
