//! The JSON Schema test suite, where it lies beside the checkout: `$PLANTIME_REAL`, else `../shared/real/dev`. On
//! every instance for which a schema is read without loss, our verdict is the suite's.
//! `cargo test --all-features --test json_schema -- --nocapture` prints counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plantime::rule::json_schema::{Dialect, Nulls, Reading, import};
use plantime::{Value, View, json};

/// Files and tests that say another thing than is said here, each with the reason.
const LEFT_OUT: [(&str, &str); 3] = [
    ("zeroTerminatedFloats", "1.0 and 1 are one number, as in every draft but the fourth"),
    (
        "same visual representation, but different number of codepoints",
        "texts that look the same are the same",
    ),
    ("KELVIN SIGN", "texts that look the same are the same: in normal form C it is the letter K"),
];

fn suite() -> Option<PathBuf> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real/dev");
    let folder = named.unwrap_or_else(beside).join("json-schema-suite");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no {} (PLANTIME_REAL names another folder)", folder.display());
    None
}

fn files(root: &Path) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut todo = vec![root.to_path_buf()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                let content = json::from_slice(&fs::read(&path).unwrap());
                found.push((name.clone(), content.unwrap_or_else(|error| panic!("{name}: {error}"))));
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
}

fn part(value: &Value, name: &str) -> Option<Value> {
    match value.view() {
        View::Object(object) => object.get(name).cloned(),
        _ => None,
    }
}

fn items(value: &Value) -> Vec<Value> {
    match value.view() {
        View::Tuple(items) => items.iter().cloned().collect(),
        _ => Vec::new(),
    }
}

fn text(value: &Value, name: &str) -> String {
    part(value, name).and_then(|text| text.as_str().ok().map(str::to_owned)).unwrap_or_default()
}

#[test]
fn the_verdicts_are_those_of_the_test_suite() {
    let Some(root) = suite() else { return };
    let (mut equal, mut unsupported, mut left_out) = (0, 0, 0);
    let mut unequal = Vec::new();
    let mut why: BTreeMap<String, usize> = BTreeMap::new();
    for (file, content) in files(&root) {
        let dialect = if file.contains("draft4") { Dialect::OpenApi } else { Dialect::JsonSchema };
        // Elsewhere the suite takes formats for notes.
        let formats = file.contains("/format/");
        for group in items(&content) {
            let schema = part(&group, "schema").unwrap();
            for test in items(&part(&group, "tests").unwrap()) {
                let data = part(&test, "data").unwrap();
                let valid = part(&test, "valid").unwrap().as_bool().unwrap();
                let name = format!("{file}: {}: {}", text(&group, "description"), text(&test, "description"));
                if LEFT_OUT.iter().any(|(part, _)| name.contains(part)) {
                    left_out += 1;
                    continue;
                }
                let reading = Reading { dialect, nulls: Nulls::AreValues, formats };
                let read = match import(&schema, Some(&data.ty()), &reading) {
                    Ok(read) => read,
                    Err(error) => {
                        unequal.push(format!("{name}: {error}"));
                        continue;
                    }
                };
                let outcome = read.rule.check_value(&data);
                let verdict = match &outcome {
                    Ok(outcome) if outcome.is_pass() => Some(true),
                    Ok(outcome) if outcome.is_fail() => Some(false),
                    _ => None,
                };
                // What is read only in part still refuses nothing that the schema allows.
                if !read.unsupported.is_empty() {
                    unsupported += 1;
                    for found in &read.unsupported {
                        *why.entry(found.keyword().to_owned()).or_default() += 1;
                    }
                    if valid && verdict != Some(true) {
                        unequal.push(format!("{name}: refused: {} gives {outcome:?}", read.rule));
                    }
                } else if verdict == Some(valid) {
                    equal += 1;
                } else {
                    unequal.push(format!("{name}: {valid}, but {} gives {outcome:?}", read.rule));
                }
            }
        }
    }
    println!("equal {equal}, unsupported {unsupported}, unequal {}, left out {left_out}", unequal.len());
    println!("unsupported: {why:?}");
    assert!(unequal.is_empty(), "{}", unequal.join("\n"));
    assert!(equal > 0);
}
