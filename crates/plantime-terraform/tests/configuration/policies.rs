//! Published policies with expected verdicts, where the collection lies beside the checkout: every configuration is checked without a
//! plan, and the rules of `policies.hcl` give the verdict that the collection expects, or are undetermined.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use plantime::json::from_str;
use plantime::source::Source;
use plantime::{Value, View};
use plantime_schema::ProviderSchemas;
use plantime_schema::catalogue::{Catalogue, Class};
use plantime_terraform::plan::{
    CheckOptions, Configuration, PlanReport, ProviderFacts, RulesFile, TestVerdict, check_configuration,
};

use crate::recorded::{self, content};

/// A policy with the files of its tests.
struct Policy {
    id: String,
    files: BTreeMap<String, Vec<u8>>,
    passing: Vec<String>,
    failing: Vec<String>,
}

/// The policies; a line that says where they would be if they are not there.
fn policies() -> Vec<Policy> {
    let Some(modules) = recorded::folder() else { return Vec::new() };
    let path = modules.join("../../policies/dev.jsonl");
    let Some(lines) = content(&path) else {
        println!("skipped: there is no {}", path.display());
        return Vec::new();
    };
    let lines = String::from_utf8(lines).unwrap();
    lines.lines().map(|line| policy(&from_str(line).unwrap())).collect()
}

fn policy(row: &Value) -> Policy {
    let text = |value: Value| value.as_str().unwrap().to_owned();
    let list = |name: &str| {
        let list = row.at(name).unwrap();
        list.elements().map(|(_, one)| text(one.clone())).collect()
    };
    let files = row.at("files").unwrap();
    let View::Object(files) = files.view() else { panic!("files are an object") };
    let files = files.iter().map(|(name, content)| (name.to_owned(), text(content.clone()).into_bytes()));
    Policy {
        id: text(row.at("id").unwrap()),
        files: files.collect(),
        passing: list("passing"),
        failing: list("failing"),
    }
}

impl Policy {
    /// The folders with files, each as the files of a root module: a few policies have several.
    fn roots(&self) -> Vec<BTreeMap<String, Vec<u8>>> {
        let is_configuration = |name: &str| name.ends_with(".tf") || name.ends_with(".tf.json");
        let folder =
            |name: &str| name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let mut folders: Vec<String> =
            self.files.keys().filter(|name| is_configuration(name)).map(|name| folder(name)).collect();
        folders.sort();
        folders.dedup();
        let of = |folder: &String| {
            let inside = self.files.iter().filter_map(|(name, content)| {
                Some((name.strip_prefix(folder.as_str())?.to_owned(), content.clone()))
            });
            inside.collect()
        };
        folders.iter().map(of).collect()
    }

    /// The reports on its configurations, with what cannot be read.
    fn reports(&self, rules: &RulesFile, schemas: &ProviderSchemas) -> (Vec<PlanReport>, Vec<String>) {
        let (mut reports, mut unread) = (Vec::new(), Vec::new());
        for files in self.roots() {
            match Configuration::open_tolerantly(Arc::new(files), "") {
                Ok(configuration) => {
                    let mut facts = ProviderFacts::default();
                    facts.from_schemas = true;
                    facts.catalogues.push(Catalogue::builtin(Class::A));
                    let against = CheckOptions {
                        rules: rules.clone(),
                        schemas: schemas.clone(),
                        configuration: Some(configuration),
                        show_values: false,
                        facts,
                    };
                    let report = check_configuration(&self.id, &BTreeMap::new(), &against);
                    reports.push(report.unwrap_or_else(|problems| panic!("{}: {problems:?}", self.id)));
                }
                Err(problems) => {
                    unread.extend(problems.iter().map(|problem| format!("{}: {problem}", self.id)))
                }
            }
        }
        (reports, unread)
    }
}

/// An address without instance keys and without `data.`, as the collection has them.
fn without_keys(address: &str) -> String {
    let mut depth = 0_usize;
    let plain = address.chars().filter(|c| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    });
    let plain: String = plain.collect();
    plain.replace(".data.", ".").trim_start_matches("data.").to_owned()
}

/// Whether an address of the collection names a module call or a provider, which are no resources.
fn is_resource(address: &str) -> bool {
    address.contains('.') && !address.starts_with("module.") || address.matches('.').count() > 2
}

const ANY: &str = "rule \"any\" {\n  resource = \"*\"\n  attribute \"x\" { not_null = true }\n}\n\
                   rule \"data\" {\n  resource = \"data.*\"\n  attribute \"x\" { not_null = true }\n}\n";

/// The policies whose configuration no parser of HCL takes.
const UNREAD: [&str; 1] = ["CKV_AWS_21"];

#[test]
fn every_configuration_is_evaluated_and_every_resource_asked() {
    let rules = RulesFile::read(Source::new("any.hcl", ANY)).unwrap();
    let (mut slowest, mut notes, mut resources) = (Duration::ZERO, 0, 0);
    let all = policies();
    for policy in &all {
        let start = Instant::now();
        let (reports, unread) = policy.reports(&rules, &ProviderSchemas::new());
        slowest = slowest.max(start.elapsed());
        assert!(unread.is_empty() || UNREAD.contains(&&*policy.id), "{unread:?}");
        let asked = reports.iter().flat_map(|report| &report.checked);
        let asked: Vec<String> =
            asked.filter(|one| !one.answers.is_empty()).map(|one| without_keys(one.address())).collect();
        resources += asked.len();
        notes += reports.iter().map(|report| report.notes.len()).sum::<usize>();
        for address in policy.passing.iter().chain(&policy.failing).map(|address| without_keys(address)) {
            let is_asked = asked.iter().any(|one| *one == address || one.ends_with(&format!(".{address}")));
            let is_unread = !unread.is_empty() || !is_resource(&address);
            assert!(is_asked || is_unread, "{}: {address} is not asked", policy.id);
        }
    }
    println!("{} policies, {resources} resources, {notes} notes, the slowest {slowest:?}", all.len());
    // Without optimization it is about ten times slower.
    assert!(slowest < Duration::from_secs(2) * if cfg!(debug_assertions) { 10 } else { 1 }, "{slowest:?}");
}

/// Verdicts that differ from those of the collection, with the reason.
const DIFFERENT: [(&str, &str, &str); 0] = [];

#[test]
fn rules_in_our_words_give_the_verdicts_of_the_collection() {
    let text = include_str!("policies.hcl");
    let rules =
        RulesFile::read(Source::new("policies.hcl", text)).unwrap_or_else(|problems| panic!("{problems:?}"));
    let all = policies();
    if all.is_empty() {
        return;
    }
    for (name, schemas) in [("with schemas", all_schemas()), ("without", ProviderSchemas::new())] {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut wrong = Vec::new();
        let mut said = std::collections::BTreeSet::new();
        for policy in &all {
            let is_of = |rule: &str| rule.split(' ').next() == Some(&policy.id);
            let mut own = rules.clone();
            own.rules.retain(|rule| is_of(&rule.name));
            if own.rules.is_empty() {
                continue;
            }
            said.insert(policy.id.clone());
            let (reports, _) = policy.reports(&own, &schemas);
            let expected = policy.passing.iter().map(|one| (one, "pass"));
            for (address, expected) in expected.chain(policy.failing.iter().map(|one| (one, "fail"))) {
                let found = verdict(&reports, &without_keys(address));
                let count = match (expected, found) {
                    ("pass", "pass") => "pass",
                    ("fail", "fail") => "fail",
                    (_, "undetermined") => "undetermined",
                    // The schema is of an older version, which has no such attribute.
                    (_, "none") if reports.iter().any(|report| !report.lacking.is_empty()) => "not asked",
                    (_, other) => {
                        if !DIFFERENT.iter().any(|(id, one, _)| *id == policy.id && one == address) {
                            wrong.push(format!("{} {address}: {other}, expected {expected}", policy.id));
                        }
                        "different"
                    }
                };
                *counts.entry(count).or_default() += 1;
                if std::env::var_os("VERBOSE").is_some() && count == "undetermined" {
                    println!(
                        "{} {address}: expected {expected}: {:?}",
                        policy.id,
                        reasons(&reports, address)
                    );
                }
            }
        }
        println!("{name}: {} policies, {counts:?}", said.len());
        assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
        assert!(said.len() >= 40, "{}", said.len());
    }
}

/// The verdict on all instances of a resource together.
fn verdict(reports: &[PlanReport], address: &str) -> &'static str {
    let checked = reports.iter().flat_map(|report| &report.checked);
    let of = checked.filter(|one| {
        let own = without_keys(one.address());
        own == address || own.ends_with(&format!(".{address}"))
    });
    let mut worst = "none";
    for answer in of.flat_map(|one| &one.answers) {
        worst = match (&answer.verdict, worst) {
            (TestVerdict::Fail(_), _) | (_, "fail") => "fail",
            (TestVerdict::Undetermined(_), _) | (_, "undetermined") => "undetermined",
            _ => "pass",
        };
    }
    worst
}

/// What the undetermined answers on a resource depend on.
fn reasons(reports: &[PlanReport], address: &str) -> Vec<String> {
    let checked = reports.iter().flat_map(|report| &report.checked);
    let of = checked.filter(|one| without_keys(one.address()) == without_keys(address));
    let reason = |verdict: &TestVerdict| match verdict {
        TestVerdict::Undetermined(reason) => reason.depends_on.clone(),
        _ => Vec::new(),
    };
    of.flat_map(|one| &one.answers).flat_map(|answer| reason(&answer.verdict)).collect()
}

/// The schemas of all recordings together: each has those of the types that it uses.
fn all_schemas() -> ProviderSchemas {
    let mut all = ProviderSchemas::new();
    for root in recorded::schema_files() {
        let read = ProviderSchemas::from_json(&root).unwrap();
        for (address, provider) in read.providers {
            if address == "registry.terraform.io/hashicorp/aws" {
                let known = all.providers.entry(address).or_insert_with(|| provider.clone());
                for (name, schema) in provider.resource_schemas.iter() {
                    known.resource_schemas.entry(name.clone()).or_insert_with(|| schema.clone());
                }
            }
        }
    }
    all
}
