//! Checks plans, and reads the answers from the JSON of the report.

use std::collections::BTreeMap;

use plantime::source::{Problem, Source};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{CheckOptions, Plan, PlanReport, RulesFile, check};
use serde_json::Value as Json;

/// What a rule says of a resource, all its answers taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Word {
    Pass,
    Fail,
    Undetermined,
    Skipped,
    /// The rule says nothing of the resource.
    Silent,
    /// The rule cannot be asked.
    Problem,
}

impl Word {
    pub(crate) fn is_decided(self) -> bool {
        matches!(self, Word::Pass | Word::Fail)
    }
}

/// One answer of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) path: String,
    pub(crate) claim: String,
    pub(crate) outcome: String,
    /// Why there is nothing to test.
    pub(crate) reason: Option<String>,
}

/// The rules of a file, also each alone: a mistake in one hides the answers of all.
pub(crate) struct Rulebook {
    pub(crate) all: RulesFile,
    each: Vec<RulesFile>,
}

impl Rulebook {
    /// Rules with the names `r0`, `r1`, …, each given as the text of its block by its name.
    pub(crate) fn new(texts: &[String]) -> Rulebook {
        Rulebook { all: rules(&texts.join("\n")), each: texts.iter().map(|text| rules(text)).collect() }
    }

    pub(crate) fn len(&self) -> usize {
        self.each.len()
    }
}

pub(crate) fn name(index: usize) -> String {
    format!("r{index}")
}

/// The rules of a text.
#[track_caller]
pub(crate) fn rules(text: &str) -> RulesFile {
    match RulesFile::read(Source::new("rules.hcl", text)) {
        Ok(rules) => rules,
        Err(problems) => panic!("{}\n{text}", listed(&problems)),
    }
}

pub(crate) fn listed(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[track_caller]
pub(crate) fn schemas(text: &str) -> ProviderSchemas {
    ProviderSchemas::from_json(text.as_bytes()).unwrap()
}

/// The report, or what is wrong with the rules.
#[track_caller]
pub(crate) fn report(
    plan: &str,
    schemas: &ProviderSchemas,
    rules: &RulesFile,
) -> Result<PlanReport, Vec<Problem>> {
    let plan = Plan::read(plan.as_bytes(), schemas).unwrap();
    let against = CheckOptions {
        rules: rules.clone(),
        schemas: schemas.clone(),
        configuration: None,
        show_values: false,
        facts: Default::default(),
    };
    check("plan.json", &plan, &against)
}

/// The answers of a report, by rule and address.
pub(crate) fn answers(report: &PlanReport) -> BTreeMap<(String, String), Vec<Answer>> {
    let json = report.to_json();
    let mut all: BTreeMap<(String, String), Vec<Answer>> = BTreeMap::new();
    let text = |answer: &Json, key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    for answer in json["answers"].as_array().unwrap() {
        let key = (text(answer, "rule"), text(answer, "address"));
        all.entry(key).or_default().push(Answer {
            path: text(answer, "path"),
            claim: text(answer, "claim"),
            outcome: text(answer, "outcome"),
            reason: answer["reason"].as_str().map(str::to_owned),
        });
    }
    all
}

/// All answers of a rule on a resource as one: it fails where one fails, and passes where all pass.
pub(crate) fn word(answers: &[Answer]) -> Word {
    let any = |outcome: &str| answers.iter().any(|answer| answer.outcome == outcome);
    if answers.is_empty() {
        Word::Silent
    } else if any("fail") {
        Word::Fail
    } else if any("undetermined") {
        Word::Undetermined
    } else if any("skipped") {
        Word::Skipped
    } else {
        Word::Pass
    }
}

/// What each rule of a book says of a resource.
pub(crate) struct Said {
    pub(crate) answers: Vec<Vec<Answer>>,
    pub(crate) words: Vec<Word>,
}

/// The report on all rules, or the reports on each that can be asked, where one of them cannot.
pub(crate) fn reports(plan: &str, schemas: &ProviderSchemas, book: &Rulebook) -> Vec<(usize, PlanReport)> {
    match report(plan, schemas, &book.all) {
        Ok(report) => vec![(usize::MAX, report)],
        Err(_) => {
            let each = book.each.iter().map(|rules| report(plan, schemas, rules));
            each.enumerate().filter_map(|(index, report)| Some((index, report.ok()?))).collect()
        }
    }
}

/// What the reports on the rules of a book say.
pub(crate) fn said(reports: &[(usize, PlanReport)], book: &Rulebook, address: &str) -> Said {
    let asked_alone: Vec<usize> = reports.iter().map(|(index, _)| *index).collect();
    let mut all: BTreeMap<(String, String), Vec<Answer>> =
        reports.iter().flat_map(|(_, report)| answers(report)).collect();
    let mut said = Said { answers: Vec::new(), words: Vec::new() };
    for index in 0..book.len() {
        let own = all.remove(&(name(index), address.to_owned())).unwrap_or_default();
        let is_problem = asked_alone != [usize::MAX] && !asked_alone.contains(&index);
        said.words.push(if is_problem { Word::Problem } else { word(&own) });
        said.answers.push(own);
    }
    said
}

/// Asks all rules at once, or one by one where one of them cannot be asked.
pub(crate) fn ask(plan: &str, schemas: &ProviderSchemas, book: &Rulebook, address: &str) -> Said {
    said(&reports(plan, schemas, book), book, address)
}
