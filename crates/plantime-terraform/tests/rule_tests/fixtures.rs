//! A test file that is made from a plan.

use std::path::Path;

use crate::packed;
use crate::plans::{Case, add, cases, conditions};
use plantime::source::Source;
use plantime::{Mark, Value, View};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::rule_tests::{FixtureHead, TestFile, TestInputs, write_fixture};
use plantime_terraform::plan::{CheckOptions, RulesFile, check_askable};

/// What came out of making test files.
#[derive(Default)]
struct Counts {
    files: usize,
    answers: usize,
    others: usize,
}

/// The test file of a plan passes as it is, and holds no sensitive text. Where an answer is another than on the plan, the file leaves it
/// open.
fn holds(case: &Case, rules: &str, counts: &mut Counts) {
    let Case { name, plan, schemas, .. } = case;
    let rules = RulesFile::read(Source::new("rules.hcl", rules))
        .unwrap_or_else(|problems| panic!("{name}: {problems:?}\n{rules}"));
    let against = CheckOptions {
        rules: rules.clone(),
        schemas: schemas.clone(),
        configuration: None,
        show_values: false,
        facts: Default::default(),
    };
    let report =
        check_askable(name, plan, &against).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    if report.checked.iter().all(|checked| checked.answers.is_empty()) {
        return;
    }
    let head = FixtureHead { test: name.clone(), ..FixtureHead::default() };
    let text = write_fixture(plan, &against, &head).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let file = TestFile::read(Source::new("a.test.hcl", text.clone()))
        .unwrap_or_else(|problems| panic!("{name}: {problems:?}\n{text}"));
    let mut inputs = TestInputs::new(rules);
    inputs.schemas = schemas.clone();
    let outcome = file.run(&file.tests[0], &inputs);
    assert!(outcome.is_pass(), "{name}: {:#?} {:?}\n{text}", outcome.differences, outcome.errors);
    counts.files += 1;
    counts.answers += report.checked.iter().map(|checked| checked.answers.len()).sum::<usize>();
    // The list that a line is in; a comment alone names what cannot be written.
    let mut list = "";
    for line in text.lines() {
        let words = ["pass ", "fail ", "skipped ", "undetermined "];
        list = words.into_iter().find(|word| line.starts_with(&format!("    {word}"))).unwrap_or(list);
        let is_other = line.ends_with(" on the plan");
        counts.others += usize::from(is_other);
        let is_open = list == "undetermined " || line.contains("= \"undetermined\"");
        let is_right = is_open || line.starts_with("    # ");
        assert!(!is_other || is_right, "{name}: {line}\n{text}");
    }
    for secret in secrets(case) {
        assert!(!text.contains(&secret), "{name}: {secret} is in\n{text}");
    }
}

/// The texts that are only behind a mark.
fn secrets(case: &Case) -> Vec<String> {
    let (mut marked, mut public) = (Vec::new(), String::new());
    for change in &case.plan.resource_changes {
        public.push_str(&change.address);
        for value in change.change.before.iter().chain(&change.change.after) {
            collect(value, false, &mut marked, &mut public);
        }
    }
    for change in case.plan.output_changes.values() {
        change.after.iter().for_each(|value| collect(value, false, &mut marked, &mut public));
    }
    marked.retain(|secret| secret.len() > 5 && !public.contains(secret.as_str()));
    marked
}

fn collect(value: &Value, is_marked: bool, marked: &mut Vec<String>, public: &mut String) {
    let is_marked = is_marked || value.marks().contains(&Mark::SENSITIVE);
    match value.view_below_marks() {
        View::String(text) if is_marked => marked.push(text.to_owned()),
        View::String(text) => public.push_str(text),
        View::List(list) => list.iter().for_each(|item| collect(item, is_marked, marked, public)),
        View::Set(set) => set.iter().for_each(|item| collect(item, is_marked, marked, public)),
        View::Tuple(tuple) => tuple.iter().for_each(|item| collect(item, is_marked, marked, public)),
        View::Map(map) => map.iter().for_each(|(_, item)| collect(item, is_marked, marked, public)),
        View::Object(object) => object.iter().for_each(|(_, item)| collect(item, is_marked, marked, public)),
        _ => {}
    }
}

#[test]
fn a_test_file_from_any_plan_of_the_tests_passes() {
    let mut counts = Counts::default();
    let cases = cases();
    for case in &cases {
        holds(case, &case.rules, &mut counts);
        holds(case, &conditions(&case.rules), &mut counts);
    }
    let Counts { files, answers, others } = counts;
    println!(
        "{} plans, {files} test files, {answers} answers, {others} that the file leaves open",
        cases.len()
    );
    assert!(files > cases.len() && answers > 1000, "{files} files, {answers} answers");
}

/// The kinds of rules that teams have, each on a plan that passes, fails and is undetermined.
#[test]
fn a_test_file_from_plans_of_policies_passes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/policies/kinds.jsonl");
    let Some(kinds) = packed::read(&path) else {
        println!("skipped: there is no {}", path.display());
        return;
    };
    let (mut counts, mut cases) = (Counts::default(), Vec::new());
    for line in String::from_utf8(kinds).unwrap().lines() {
        let kind: serde_json::Value = serde_json::from_str(line).unwrap();
        let Some(rule) = kind["rule_today"].as_str().filter(|rule| !rule.is_empty()) else { continue };
        for (word, plan) in kind["plans"].as_object().into_iter().flatten() {
            let name = format!("{} {word}", kind["kind"]);
            add(&mut cases, &name, plan.to_string().as_bytes(), ProviderSchemas::new());
            if RulesFile::read(Source::new("r.hcl", rule)).is_ok() {
                holds(cases.last().unwrap(), rule, &mut counts);
            }
        }
    }
    println!("{} test files, {} answers, {} left open", counts.files, counts.answers, counts.others);
}
