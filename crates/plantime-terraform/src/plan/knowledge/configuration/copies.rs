//! The chains of copies that the tests `same_as` of a rules file ask for.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::{Configuration, CopiedPlace, Copies, CopyChains};
use crate::configuration::{Evaluation, PlanObject};
use crate::plan::Plan;
use crate::plan::knowledge::Planned;
use crate::plan::rules::rules_file::{NamedRule, RulesFile, Subject, Test};
use plantime::rule::{How, PathExpr};
use plantime::unstable::rule::path_by_keys;
use plantime::{Path, Type, Value};

impl Copies {
    /// Finds the chain of copies of each place that a test `same_as` tests, and of each place that it compares with.
    pub(in crate::plan) fn requested(
        evaluation: &Evaluation<'_>,
        configuration: &Configuration,
        rules: &RulesFile,
        plan: &Plan,
        planned: &[Planned<'_>],
    ) -> Copies {
        let mut copies = Copies::default();
        let mut add = |address: &str, path: &PathExpr, value: &Value| {
            let path = path_by_keys(path, &value.ty(), false);
            let found = path.matches(value).unwrap_or_default();
            for found in found.into_iter().filter(|found| found.how == How::Exact) {
                copies.add(address, &found.path, || chain(evaluation, configuration, address, &found.path));
            }
        };
        let current = || planned.iter().filter(|resource| resource.change.deposed.is_none());
        let output = |name: &str| plan.output_changes.get(name).and_then(|change| change.after.as_ref());
        for (rule, test) in tests(rules) {
            let whole = PathExpr::new();
            let path = test.path.as_ref().unwrap_or(&whole);
            match &rule.subject {
                Subject::Resource(_) => {
                    for resource in current().filter(|resource| rule.subject.matches(resource.change)) {
                        add(&resource.change.address, path, &resource.after);
                    }
                }
                Subject::Output(patterns) => {
                    for (name, change) in &plan.output_changes {
                        let is_meant = patterns.iter().any(|pattern| pattern.matches(name));
                        if let Some(value) = change.after.as_ref().filter(|_| is_meant) {
                            add(&format!("output.{name}"), path, value);
                        }
                    }
                }
                _ => {}
            }
        }
        let places: std::collections::BTreeMap<&str, Vec<&PathExpr>> = tests(rules)
            .filter_map(|(_, test)| test.same_as.as_ref())
            .fold(Default::default(), |mut places, place| {
                places.entry(place.address.as_str()).or_insert_with(Vec::new).push(&place.path);
                places
            });
        for (address, paths) in &places {
            if let Some(value) = address.strip_prefix("output.").and_then(output) {
                paths.iter().for_each(|path| add(address, path, value));
            }
        }
        for resource in current() {
            let paths = places.get(resource.change.address.as_str());
            for path in paths.into_iter().flatten() {
                add(&resource.change.address, path, &resource.after);
            }
        }
        copies
    }
}

/// The maximum number of unknown values whose copies are followed.
const ROOTS: usize = 200_000;

/// For each unknown value of a resource that is a copy: the chain of copies, by address and path.
pub(super) fn chains(
    evaluation: &Evaluation<'_>,
    configuration: &Configuration,
    planned: &[Planned<'_>],
) -> CopyChains {
    let (mut all, mut left) = (HashMap::new(), ROOTS);
    for resource in planned.iter().filter(|resource| resource.change.deposed.is_none()) {
        let address = resource.change.address.as_str();
        let mut unknown = Vec::new();
        resource.after.walk(|path, part| {
            let is_leaf = !part.is_known();
            if is_leaf && left > 0 {
                left = left.saturating_sub(1);
                unknown.push(path.clone());
            }
            !part.is_wholly_known() && !is_leaf
        });
        let copied = |path: Path| {
            let copies = chain(evaluation, configuration, address, &path);
            (copies.len() > 1).then(|| (path, copies.into()))
        };
        let found: BTreeMap<Path, Arc<[CopiedPlace]>> = unknown.into_iter().filter_map(copied).collect();
        if !found.is_empty() {
            all.insert(address.to_owned(), found);
        }
    }
    all
}

/// For each unknown text of a resource that is the JSON of something: of what, by address and path.
pub(super) fn json_sources(
    evaluation: &Evaluation<'_>,
    planned: &[Planned<'_>],
) -> HashMap<String, BTreeMap<Path, Value>> {
    let (mut all, mut left) = (HashMap::new(), ROOTS);
    for resource in planned.iter().filter(|resource| resource.change.deposed.is_none()) {
        let address = resource.change.address.as_str();
        let mut found = BTreeMap::new();
        resource.after.walk(|path, part| {
            let is_text = !part.is_known() && matches!(part.ty(), Type::String | Type::Dynamic);
            if is_text && left > 0 {
                left = left.saturating_sub(1);
                if let Some(source) = evaluation.json_source(address, path) {
                    found.insert(path.clone(), source);
                }
            }
            !part.is_wholly_known() && !is_text
        });
        if !found.is_empty() {
            all.insert(address.to_owned(), found);
        }
    }
    all
}

/// The tests that compare with another place, with their rules.
fn tests(rules: &RulesFile) -> impl Iterator<Item = (&NamedRule, &Test)> {
    let all = rules.rules.iter().flat_map(|rule| rule.tests.iter().map(move |test| (rule, test)));
    all.filter(|(_, test)| test.same_as.is_some())
}

/// The places from which the value at a path is copied, one after another, with their lines in the configuration.
fn chain(
    evaluation: &Evaluation<'_>,
    configuration: &Configuration,
    address: &str,
    path: &Path,
) -> Vec<CopiedPlace> {
    let object = match address.strip_prefix("output.") {
        Some(name) => PlanObject::Output(name),
        None => PlanObject::Resource(address),
    };
    let copies = evaluation.copies(object, path).into_iter().map(|copied| CopiedPlace {
        address: copied.address,
        path: copied.path,
        is_resource: copied.is_resource,
        line: copied.line.map(|line| format!("{}{line}", configuration.folder())),
    });
    copies.collect()
}
