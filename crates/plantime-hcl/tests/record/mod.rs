//! What Terraform says of generated texts and folders: recorded as data, and with `PLANTIME_RECORD=1` anew by the `terraform` on the path.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses some of it, and fails where Terraform cannot be run"
)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value as Json, json};

/// A small generator of numbers: what is generated must be the same everywhere.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % most as u64) as usize
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// The rows of a recorded file; recorded anew if that is asked for.
pub(crate) fn rows(path: &Path, record: impl FnOnce() -> Vec<Json>) -> Vec<Json> {
    if std::env::var_os("PLANTIME_RECORD").is_some() {
        let rows: Vec<String> = record().iter().map(Json::to_string).collect();
        write(path, &rows.join("\n"));
    }
    let text = crate::packed::text(File::open(path).unwrap());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Writes a text in gzip.
fn write(path: &Path, text: &str) {
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

/// What a command of Terraform prints.
fn terraform(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("terraform");
    command.args(arguments).current_dir(folder).env("CHECKPOINT_DISABLE", "1");
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// What `terraform validate` says of the files in one folder.
fn validate(folder: &Path) -> Vec<Json> {
    let report: Json = serde_json::from_str(&terraform(folder, &["validate", "-json"])).unwrap();
    report["diagnostics"].as_array().unwrap().clone()
}

/// What `terraform validate` says of files in one folder: the problems of each.
fn validated(folder: &Path) -> BTreeMap<String, Vec<Json>> {
    let mut found: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for problem in validate(folder) {
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

/// Severity, summary, detail and place of a problem.
fn short(problem: &Json) -> Json {
    let mut short = Map::new();
    for name in ["severity", "summary", "detail", "range"] {
        short.extend(problem.get(name).map(|property| (name.to_owned(), property.clone())));
    }
    Json::Object(short)
}

/// What Terraform says of configurations, each in a folder of its own: the `diagnostics` of `terraform validate`. Where it has no error and a
/// plan is asked for, those of `terraform plan` too, and the known `outputs`.
pub(crate) fn configurations(all: &[BTreeMap<String, String>], is_planned: bool) -> Vec<Json> {
    let folder = folder("configurations", &[]);
    let record = |(number, files): (usize, &BTreeMap<String, String>)| {
        configuration(&folder.join(number.to_string()), files, is_planned)
    };
    let record_from =
        |first: usize| -> Vec<Json> { all.iter().enumerate().skip(first).step_by(2).map(record).collect() };
    let (even, odd) = std::thread::scope(|threads| {
        let odd = threads.spawn(|| record_from(1));
        (record_from(0), odd.join().unwrap())
    });
    fs::remove_dir_all(&folder).unwrap();
    let mut odd = odd.into_iter();
    even.into_iter().flat_map(|row| [Some(row), odd.next()]).flatten().collect()
}

/// What Terraform says of one configuration.
fn configuration(folder: &Path, files: &BTreeMap<String, String>, is_planned: bool) -> Json {
    let has_error = |problems: &[Json]| problems.iter().any(|problem| problem["severity"] == "error");
    fs::create_dir_all(folder).unwrap();
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    if files.values().any(|text| text.contains("module")) {
        terraform(folder, &["init", "-backend=false", "-input=false"]);
    }
    let problems: Vec<Json> = validate(folder).iter().map(short).collect();
    let mut row = json!({"files": files, "diagnostics": problems});
    if is_planned && !has_error(&problems) {
        let printed = terraform(folder, &["plan", "-input=false", "-json", "-out=plan"]);
        let lines = printed.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
        let problems =
            lines.filter(|line| line["type"] == "diagnostic").map(|line| short(&line["diagnostic"]));
        let problems: Vec<Json> = problems.collect();
        if !has_error(&problems) {
            let shown: Json = serde_json::from_str(&terraform(folder, &["show", "-json", "plan"])).unwrap();
            let outputs = shown["planned_values"]["outputs"].as_object().cloned().unwrap_or_default();
            let known =
                outputs.into_iter().filter_map(|(name, output)| Some((name, output.get("value")?.clone())));
            row["outputs"] = known.collect();
        }
        row["plan"] = problems.into();
    }
    fs::remove_dir_all(folder).unwrap();
    row
}
