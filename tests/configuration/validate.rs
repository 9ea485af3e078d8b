//! `Configuration::validate` beside `terraform validate`.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::configuration::Configuration;
use plantime::expression::Diagnostic;
use plantime::schema::ProviderSchemas;
use serde_json::Value as Json;

use super::recorded;

/// Configurations that Terraform accepts and ours refuses, each with the reason.
const REFUSED: &[(&str, &str)] = &[
    // COMPATIBILITY: Terraform says that 5 % 0 is 1.
    ("op-mod-zero", "the remainder of a division by zero"),
    ("mod-zero", "the remainder of a division by zero"),
    // Every value of the type fails in the plan; Terraform looks at the value only when it is known.
    ("tmpl-list", "a list in a template"),
];

/// What is compared of a problem: the summary, and the line.
fn heading(problem: &Diagnostic) -> (String, u64) {
    (problem.summary().to_owned(), problem.position().line as u64)
}

/// How a configuration compares with what is recorded.
#[derive(Default)]
struct Compared {
    headings: usize,
    details: usize,
    all: usize,
    refused_too: usize,
    other: Vec<String>,
}

impl Compared {
    fn add(&mut self, name: &str, problems: &[Diagnostic], runs: &[Vec<Json>]) {
        let errors =
            |run: &Vec<Json>| run.iter().filter(|d| d["severity"] == "error").cloned().collect::<Vec<Json>>();
        let runs: Vec<Vec<Json>> = runs.iter().map(errors).collect();
        let ours: Vec<&Diagnostic> = problems.iter().filter(|problem| !problem.is_warning()).collect();
        if runs.iter().any(Vec::is_empty) {
            let is_listed = REFUSED.iter().any(|(refused, _)| *refused == name);
            if runs.iter().all(Vec::is_empty) && !ours.is_empty() && !is_listed {
                self.refused_too += 1;
                self.other.push(format!("{name}: refused, though Terraform accepts it: {ours:?}"));
            }
            return;
        }
        self.all += 1;
        // The first problem at a place; some have none.
        let placed = |run: &&Vec<Json>| run.iter().any(|d| d["range"].is_object());
        let Some(run) = runs.iter().find(placed) else {
            self.other.push(format!("{name}: no place: {} / ours {ours:?}", runs[0][0]["summary"]));
            return;
        };
        let want = run.iter().find(|d| d["range"].is_object()).unwrap();
        let wanted =
            (want["summary"].as_str().unwrap().to_owned(), want["range"]["start"]["line"].as_u64().unwrap());
        let Some(found) = ours.iter().find(|problem| heading(problem) == wanted) else {
            self.other.push(format!("{name}: {wanted:?} {} / ours {ours:?}", want["detail"]));
            return;
        };
        self.headings += 1;
        let details = runs.iter().flatten().map(|d| d["detail"].as_str().unwrap_or_default());
        let column = want["range"]["start"]["column"].as_u64().unwrap();
        let is_there = found.position().column as u64 == column;
        // Version 1.15 says also what it has: "string required, but have number".
        let is_same = |detail: &str| {
            let ours = found.detail();
            detail == ours || ours.split(", but have").next().is_some_and(|ours| format!("{ours}.") == detail)
        };
        match details.into_iter().any(is_same) {
            true if is_there => self.details += 1,
            true => {
                self.details += 1;
                self.other.push(format!("{name}: at column {column}, ours at {}", found.position().column));
            }
            false => self.other.push(format!("{name}: {} / ours {found}", want["detail"])),
        }
    }
}

fn files(json: &Json) -> Arc<BTreeMap<String, Vec<u8>>> {
    let text = |text: &Json| text.as_str().unwrap().as_bytes().to_vec();
    Arc::new(json.as_object().unwrap().iter().map(|(name, content)| (name.clone(), text(content))).collect())
}

/// Configurations of our own, and what Terraform 1.11.4 said of them.
#[test]
fn own_configurations() {
    let file = include_bytes!("../data/terraform/validate.json.gz");
    let text = crate::packed::text(&file[..]);
    let cases: Vec<Json> = serde_json::from_str(&text).unwrap();
    let mut compared = Compared::default();
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let problems = Configuration::validate(files(&case["files"]), None);
        compared.add(name, &problems, &[case["diagnostics"].as_array().unwrap().clone()]);
    }
    let Compared { headings, details, all, refused_too, other } = compared;
    other.iter().for_each(|line| println!("{line}"));
    println!(
        "own: {headings} of {all} with summary and line, {details} with the detail; {refused_too} refused too"
    );
    assert_eq!(refused_too, 0);
    assert!(headings >= 318 && details >= 314, "{headings} with summary and line, {details} with the detail");
}

/// A module of a local path is read where it is; one that is not there, or that has to be installed, is an error.
#[test]
fn local_modules_need_no_installation() {
    let problems = |source: &str| {
        let main = format!("module \"m\" {{\n  source = {source}\n}}\n");
        let files = [("main.tf", main.as_str()), ("m/main.tf", ""), ("empty/NOTE", "")];
        let files = files.into_iter().map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let problems = Configuration::validate(Arc::new(files.collect::<BTreeMap<_, _>>()), None);
        problems.iter().map(|problem| problem.summary().to_owned()).collect::<Vec<_>>()
    };
    assert!(problems("\"./m\"").is_empty() && problems("\"./empty\"").is_empty());
    for source in
        ["\"./nope\"", "\"../nope\"", "\"hashicorp/consul/aws\"", "\"git::https://example.com/m.git\""]
    {
        assert_eq!(problems(source), ["Module not installed"], "{source}");
    }
    assert_eq!(problems("\"m\""), ["Invalid module source address"]);
}

/// The recorded errors of Terraform, where they lie.
#[test]
fn recorded_errors() {
    let Some(folder) = recorded::folder() else { return };
    let schemas = recorded::content(&folder.join("own-corners/corner-schemas.json")).unwrap();
    let schemas = ProviderSchemas::from_json(&schemas).unwrap();
    let rows = recorded::text(&folder.join("errors.jsonl")).unwrap();
    let (mut boxes, mut same_boxes) = (0, 0);
    let mut compared = Compared::default();
    for row in rows.lines() {
        let row: Json = serde_json::from_str(row).unwrap();
        let name = row["name"].as_str().unwrap();
        let of = |steps: &str| {
            let steps = row[steps].as_array().into_iter().flatten();
            let mut validated = steps.filter(|step| step["cmd"] == "terraform validate -json");
            validated.next().and_then(|step| step["json"]["diagnostics"].as_array().cloned())
        };
        let runs: Vec<Vec<Json>> = [of("steps"), of("steps_1_15_5")].into_iter().flatten().collect();
        if runs.is_empty() {
            continue;
        }
        let problems = Configuration::validate(files(&row["files"]), Some(&schemas));
        compared.add(name, &problems, &runs);
        let printed = |steps: &str| {
            let steps = row[steps].as_array().into_iter().flatten();
            let mut validated = steps.filter(|step| step["cmd"] == "terraform validate -no-color");
            validated.next().and_then(|step| Some(step["stderr"].as_str()?.trim_matches('\n').to_owned()))
        };
        let texts: Vec<String> = problems.iter().map(|problem| problem.to_text()).collect();
        let ours = texts.join("\n");
        let printed: Vec<String> = ["steps", "steps_1_15_5"]
            .into_iter()
            .filter_map(printed)
            .filter(|text| !text.is_empty())
            .collect();
        if printed.is_empty() {
            continue;
        }
        boxes += 1;
        match printed.iter().any(|text| text == ours.trim_matches('\n')) {
            true => same_boxes += 1,
            false => println!("box of {name}:\n{}\nours\n{ours}", printed[0]),
        }
    }
    println!("boxes: {same_boxes} of {boxes} the same");
    let Compared { headings, details, all, refused_too, other } = compared;
    other.iter().for_each(|line| println!("{line}"));
    println!(
        "errors: {headings} of {all} with summary and line, {details} with the detail; {refused_too} refused too"
    );
    assert_eq!(refused_too, 0);
    assert!(headings >= 114 && details >= 112, "{headings} with summary and line, {details} with the detail");
    assert!(same_boxes >= 98, "{same_boxes} boxes");
}

/// What Terraform has planned is valid.
#[test]
fn recorded_roots() {
    let mut roots = 0;
    let mut refused = Vec::new();
    for root in recorded::roots() {
        roots += 1;
        let files = Arc::new(recorded::Disk(root.configuration.clone()));
        for problem in Configuration::validate(files, Some(&root.schemas)) {
            let kind = if problem.is_warning() { "warning" } else { "error" };
            println!("{} {kind}: {problem}", root.name);
            if !problem.is_warning() {
                refused.push(root.name.clone());
            }
        }
    }
    refused.dedup();
    println!("{roots} roots, {} refused: {refused:?}", refused.len());
    assert!(refused.is_empty());
}
