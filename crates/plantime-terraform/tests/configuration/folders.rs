//! Generated folders with several files in both forms: what Terraform accepts is accepted, and evaluates to the same outputs.

mod generate;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use plantime_hcl::Diagnostic;
use plantime_terraform::configuration::{Configuration, Files, Inputs};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use crate::record;

/// The number of folders.
const FOLDERS: u64 = 2_000;

/// The folders that differ, none of them refused by us alone: the reason, and the numbers. Where it begins with "open" the difference is
/// one of ours. The list only shrinks.
const DIFFERENT: &[(&str, &[usize])] = &[
    ("Terraform prints the negative zero of Go", &[489, 523, 1344]),
    ("Terraform prints the digits of a binary fraction", &[1467]),
    (
        "the operand behind `x == x`, which plantime decides, is not evaluated",
        &[568, 583, 588, 671, 723, 798, 830, 845, 863, 1092],
    ),
    ("open: a value that Terraform knows is unknown", &[17, 150, 317, 900, 1434, 1625]),
    ("open: after a wrong reference Terraform has no near name for a function", &[712, 727, 1105]),
    ("open: behind an escape in JSON the place is another one", &[1529, 1703]),
    ("open: a further problem of the same block is not reported", &[622, 1982]),
];

/// The recorded rows have no files, but a digest of them.
pub(crate) fn digest(files: &BTreeMap<String, String>) -> String {
    let digest = Sha256::digest(serde_json::to_string(files).unwrap());
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn recorded() -> Vec<(BTreeMap<String, String>, Json)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/terraform/folders.jsonl.gz");
    let rows = record::rows(&path, || {
        let folders: Vec<_> = (0..FOLDERS).map(generate::folder).collect();
        let mut rows = record::configurations(&folders, true);
        for (row, files) in rows.iter_mut().zip(&folders) {
            row["files"] = digest(files).into();
        }
        rows
    });
    let rows = rows.into_iter().zip(0..).map(|(row, seed)| (generate::folder(seed), row));
    let rows: Vec<_> = rows.collect();
    let is_same = |(files, row): &(BTreeMap<String, String>, Json)| row["files"] == digest(files);
    assert!(
        rows.iter().all(is_same),
        "the generator has changed: PLANTIME_RECORD=1 records its folders anew"
    );
    rows
}

fn errors(problems: &Json) -> Vec<Json> {
    let problems = problems.as_array().into_iter().flatten();
    problems.filter(|problem| problem["severity"] == "error").cloned().collect()
}

/// A problem as a row: the place, the summary, the detail.
fn row(problem: &Diagnostic) -> String {
    let place = match problem.is_global() {
        true => String::new(),
        false => {
            format!("{}:{}:{}", problem.source().name(), problem.position().line, problem.position().column)
        }
    };
    format!("{place} {}: {}", problem.summary(), problem.detail())
}

fn recorded_row(problem: &Json) -> String {
    let start = &problem["range"]["start"];
    let place = match problem["range"]["filename"].as_str() {
        Some(name) => format!("{name}:{}:{}", start["line"], start["column"]),
        None => String::new(),
    };
    format!(
        "{place} {}: {}",
        problem["summary"].as_str().unwrap(),
        problem["detail"].as_str().unwrap_or_default()
    )
}

/// Prints the files of one folder: `FOLDER=17 cargo test -p plantime-terraform --test configuration folders:: -- --nocapture`.
#[test]
fn one_folder_is_printed() {
    let number = std::env::var("FOLDER").ok().and_then(|number| number.parse().ok());
    let files = number.map(generate::folder).unwrap_or_default();
    files.iter().for_each(|(name, text)| println!("== {name}\n{text}"));
}

/// The problems of validation, all of them; what is planned for the outputs.
#[test]
fn folders_are_accepted_as_terraform_accepts_them() {
    let (mut accepted, mut refused, mut refused_too, mut outputs) = (0, 0, 0, 0);
    let mut unlike = BTreeSet::new();
    let mut say = |number: usize, what: String| {
        unlike.insert(number);
        println!("{number}: {what}");
    };
    for ((files, recorded), number) in recorded().into_iter().zip(0..) {
        let files = Arc::new(
            files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect::<BTreeMap<_, _>>(),
        );
        let problems = Configuration::validate(Arc::clone(&files) as Arc<dyn Files>, None);
        let mut ours: Vec<String> =
            problems.iter().filter(|problem| !problem.is_warning()).map(row).collect();
        let mut theirs: Vec<String> = errors(&recorded["diagnostics"]).iter().map(recorded_row).collect();
        ours.sort();
        ours.dedup();
        theirs.sort();
        theirs.dedup();
        refused_too += usize::from(theirs.is_empty() && !ours.is_empty());
        if ours != theirs {
            say(number, format!("problems {ours:#?}, of Terraform {theirs:#?}"));
        }
        if !theirs.is_empty() {
            refused += 1;
            continue;
        }
        let planned = errors(&recorded["plan"]);
        if !planned.is_empty() {
            // The plan finds what validation cannot.
            continue;
        }
        accepted += 1;
        let configuration = match Configuration::read(files) {
            Ok(configuration) => configuration,
            Err(problems) => {
                refused_too += 1;
                say(number, format!("not read: {problems}"));
                continue;
            }
        };
        let inputs = Inputs::new();
        let evaluation = configuration.evaluate(&inputs);
        let problems: Vec<String> = evaluation.problems().iter().map(row).collect();
        if !problems.is_empty() {
            refused_too += 1;
            say(number, format!("problems of evaluation {problems:?}"));
        }
        for (name, value) in recorded["outputs"].as_object().unwrap() {
            let ours = evaluation.output(name).unwrap();
            outputs += 1;
            let written = plantime::json::to_string_as(&ours, &ours.ty());
            let json = written.ok().and_then(|text| serde_json::from_str::<Json>(&text).ok());
            if json.as_ref() != Some(value) {
                say(number, format!("output {name} is {value}, ours {ours}"));
            }
        }
    }
    println!(
        "{accepted} accepted, {refused} refused, {outputs} outputs, {} unlike, {refused_too} refused too",
        unlike.len()
    );
    assert_eq!(refused_too, 0);
    let listed: BTreeSet<usize> = DIFFERENT.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
    assert_eq!(unlike, listed);
}
