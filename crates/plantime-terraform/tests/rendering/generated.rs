//! Generated updates, drawn as Terraform draws them: from the plan in JSON and from the binary one.
//!
//! Plans and texts are recorded in `tests/data/rendering`, one file for each version. With `PLANTIME_RECORD=1` those of the
//! `terraform` on the path are made anew.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Colour, Plan, RenderStyle, UnknownDetail};
use serde_json::Value as Json;

use super::generate::Pair;
use super::recorded::differences;
use super::{generate, record, shapes};

/// The folder of the recorded plans.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rendering")
}

/// The recorded plans of a set, in a file for each version; those of the `terraform` on the path are recorded anew if that is
/// asked for: all of the version that the project is compared with, fewer of another one.
fn files(set: &str, count: u64, pair: impl Fn(u64) -> Pair) -> Vec<PathBuf> {
    if std::env::var_os("PLANTIME_RECORD").is_some() {
        let version = Command::new("terraform").args(["version", "-json"]).output().unwrap();
        let version: Json = serde_json::from_slice(&version.stdout).unwrap();
        let version = version["terraform_version"].as_str().unwrap();
        let step = if version == "1.11.4" { 1 } else { 5 };
        let seeds = (0..count).step_by(step);
        // Binary plans are large.
        let with_binary = |seed: u64| step > 1 || seed.is_multiple_of(3);
        let rows: Vec<Json> =
            seeds.map(|seed| record::recorded(seed, &pair(seed), with_binary(seed))).collect();
        record::write(&folder().join(format!("{set}-{version}.jsonl.gz")), &rows);
    }
    let paths = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let is_of_set =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(&format!("{set}-"));
    let mut files: Vec<PathBuf> = paths.filter(is_of_set).collect();
    files.sort();
    files
}

fn draw(plan: &Plan, schemas: &ProviderSchemas) -> String {
    let style = RenderStyle::new(Colour::Never).unknown_detail(UnknownDetail::Omitted);
    plan.rendered(schemas, style)
}

/// Draws the plans of some files, from the JSON and from the binary plan. `PLANTIME_DIFFERENCES=FILE` writes every line that
/// differs.
fn compare(files: &[PathBuf], schemas: &ProviderSchemas) {
    let mut report = String::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let [mut lines, mut updates, mut plans] = [0usize; 3];
        let mut different = [0usize; 2];
        for line in crate::packed::lines(File::open(file).unwrap()) {
            let row: Json = serde_json::from_str(&line).unwrap();
            let text = row["text"].as_str().unwrap();
            let json = Plan::read(row["plan"].to_string().as_bytes(), schemas).unwrap();
            let binary = row["binary"].as_str().map(|text| STANDARD.decode(text).unwrap());
            let binary = binary.map(|bytes| Plan::read_binary(&bytes, schemas).unwrap());
            plans += 1;
            lines += text.lines().count();
            updates += json.resource_changes.iter().filter(|resource| !resource.change.is_no_op()).count();
            for (kind, (plan, form)) in [(Some(json), "JSON"), (binary, "binary")].into_iter().enumerate() {
                let Some(plan) = plan else { continue };
                let drawn = draw(&plan, schemas);
                let found = differences(text, &drawn);
                different[kind] += found.iter().filter(|(expected, _)| expected.is_some()).count();
                if drawn != text {
                    writeln!(report, "== {name} {} {form}", row["seed"]).unwrap();
                    for (expected, drawn) in found {
                        expected.iter().for_each(|line| writeln!(report, "-{line}").unwrap());
                        drawn.iter().for_each(|line| writeln!(report, "+{line}").unwrap());
                    }
                }
            }
        }
        println!(
            "{name}: {plans} plans, {updates} updates, {lines} lines; JSON, binary: {different:?} differ"
        );
    }
    if let Some(file) = std::env::var_os("PLANTIME_DIFFERENCES") {
        std::fs::write(file, &report).unwrap();
    }
    assert!(report.is_empty(), "{}", &report[..report.len().min(4000)]);
}

#[test]
fn generated_updates_are_drawn_as_terraform_draws_them() {
    compare(&files("updates", 36, generate::pair), &ProviderSchemas::new());
}

#[test]
fn generated_shapes_are_drawn_as_terraform_draws_them() {
    let schemas = ProviderSchemas::from_json(&std::fs::read(record::SHAPES).unwrap()).unwrap();
    compare(&files("shapes", 32, shapes::pair), &schemas);
}
