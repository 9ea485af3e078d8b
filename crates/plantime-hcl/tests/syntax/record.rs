//! Asks the `terraform` on the path.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value as Json, json};

/// Writes a text in gzip.
pub(crate) fn write(path: &Path, text: &str) {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(text.as_bytes()).unwrap();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, packed.finish().unwrap()).unwrap();
}

/// A folder with each of the texts as a file: `00001.tf`.
fn folder(name: &str, texts: &[String]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("plantime-syntax-{name}-{}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    for (i, text) in texts.iter().enumerate() {
        fs::write(folder.join(file(i)), text).unwrap();
    }
    folder
}

fn file(number: usize) -> String {
    format!("{number:05}.tf")
}

/// What `terraform validate` says of files in one folder: the problems of each.
fn validated(folder: &Path) -> BTreeMap<String, Vec<Json>> {
    let output = Command::new("terraform").args(["validate", "-json"]).current_dir(folder).output().unwrap();
    let report: Json = serde_json::from_slice(&output.stdout).unwrap();
    let mut found: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for problem in report["diagnostics"].as_array().unwrap() {
        if let Some(name) = problem["range"]["filename"].as_str() {
            found.entry(name.to_owned()).or_default().push(problem.clone());
        }
    }
    found
}

/// Of how many texts it is recorded how they are formatted.
const FORMATTED: usize = 5_000;

/// Whether `terraform fmt` reads each text, and how it formats it.
pub(crate) fn verdicts(texts: Vec<String>) -> Vec<Json> {
    let folder = folder("fmt", &texts);
    let output =
        Command::new("terraform").args(["fmt", "-no-color", "-list=false"]).arg(&folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let mut rows = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let accepted = !errors.contains(&file(i));
        let formatted = fs::read_to_string(folder.join(file(i))).unwrap();
        rows.push(match accepted {
            true if i < FORMATTED => json!({"text": text, "accepted": true, "formatted": formatted}),
            true => json!({"text": text, "accepted": true}),
            false => json!({"text": text, "accepted": false}),
        });
    }
    fs::remove_dir_all(folder).unwrap();
    rows
}

/// The problems that are about the structure of Terraform's configurations, not about the syntax.
const STRUCTURE: [&str; 6] = [
    "Unsupported block type",
    "Unsupported argument",
    "Missing required argument",
    "Extraneous label for",
    "Missing name for",
    "Invalid",
];

/// The problems of each text.
pub(crate) fn problems(texts: Vec<String>) -> Vec<Json> {
    let folder = folder("validate", &texts);
    let mut found = validated(&folder);
    fs::remove_dir_all(folder).unwrap();
    let is_structure = |summary: &str| {
        STRUCTURE[..5].iter().any(|start| summary.starts_with(start))
            || summary.starts_with(STRUCTURE[5])
                && summary.ends_with("name")
                && summary != "Invalid argument name"
                && summary != "Invalid attribute name"
    };
    let row = |(i, text): (usize, &String)| {
        let problems = found.remove(&file(i)).unwrap_or_default();
        let problems: Vec<String> = problems
            .iter()
            .filter(|problem| !is_structure(problem["summary"].as_str().unwrap()))
            .map(|problem| {
                let (from, to) = (&problem["range"]["start"], &problem["range"]["end"]);
                let detail = problem["detail"].as_str().unwrap_or_default().replace(&file(i), "main.tf");
                format!(
                    "{}:{}-{}:{} {}: {detail}",
                    from["line"],
                    from["column"],
                    to["line"],
                    to["column"],
                    problem["summary"].as_str().unwrap(),
                )
            })
            .collect();
        json!({"text": text, "problems": problems})
    };
    texts.iter().enumerate().map(row).collect()
}
