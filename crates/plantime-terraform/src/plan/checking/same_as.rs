//! The rule `same_as`: whether a value is the same as that of another place of the plan.

use std::collections::BTreeMap;

use super::evaluation::{EvaluatedValue, EvaluationResults};
use super::readings::KIND_NOT_STATED;
use crate::plan::condition::PlanFacts;
use crate::plan::knowledge::configuration::{CopiedPlace, Evaluated};
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::knowledge::{Origin, Planned};
use crate::plan::plan_place::PlanPlace;
use crate::plan::rules::rules_file::RulesFile;
use crate::plan::{Change, Plan};
use plantime::rule::{Diagnostic, How, Outcome, PathExpr, Why};
use plantime::unstable::rule::path_by_keys;
use plantime::{Path, Type, Value, View};

/// The assumption that `place` will have the value of `of`, since the provider keeps the value that is configured there.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::plan) struct AssumedCopy {
    pub(in crate::plan) place: PlanPlace,
    pub(in crate::plan) of: PlanPlace,
    pub(in crate::plan) origin: Origin,
}

/// Assumptions that one place has the value of another, each by its `place` and `of`.
pub(in crate::plan) type AssumedCopies = BTreeMap<(PlanPlace, PlanPlace), AssumedCopy>;

/// The places that the tests of a rules file compare values with, and their values.
#[derive(Default)]
pub(super) struct SameAsTargets {
    /// The value of each place; `Err` with the reason why there is none.
    values: BTreeMap<PlanPlace, Result<Target, String>>,
}

/// A place that values are compared with.
struct Target {
    path: Path,
    value: Value,
}

/// The outcome of a comparison, with the lines that it rests on.
pub(super) struct SameAsOutcome {
    pub(super) outcome: Outcome,
    /// Where the assumptions are written that the outcome rests on.
    pub(super) assumed_in: Vec<String>,
}

impl SameAsTargets {
    /// Looks up the value of each place that a test compares with.
    pub(super) fn new(
        rules: &RulesFile,
        plan: &Plan,
        planned: &[Planned<'_>],
        evaluated: &Evaluated,
    ) -> SameAsTargets {
        let tests = rules.rules.iter().flat_map(|rule| &rule.tests);
        let places: Vec<&PlanPlace> = tests.filter_map(|test| test.same_as.as_ref()).collect();
        if places.is_empty() {
            return SameAsTargets::default();
        }
        let current = planned.iter().filter(|resource| resource.change.deposed.is_none());
        let by_address: BTreeMap<&str, &Planned<'_>> =
            current.map(|resource| (resource.change.address.as_str(), resource)).collect();
        let target = |place: &PlanPlace| {
            let value = match place.address.strip_prefix("output.") {
                Some(name) => {
                    let narrowed = evaluated.outputs.get(name).map(|narrowed| &narrowed.change);
                    let change: Option<&Change> = narrowed.or_else(|| plan.output_changes.get(name));
                    change.and_then(|change| sides_with_common_marks(change).1)
                }
                None => by_address.get(place.address.as_str()).map(|resource| resource.after.clone()),
            };
            let value = value.ok_or_else(|| format!("the plan has no planned value of {}", place.address))?;
            let no_such = || format!("{} has no {}", place.address, place.path);
            let path = path_by_keys(&place.path, &value.ty(), false);
            let mut found = path.matches(&value).map_err(|_| no_such())?.into_iter();
            match (found.next(), found.next()) {
                (Some(found), None) if found.how == How::Exact => {
                    Ok(Target { path: found.path, value: found.value })
                }
                _ => Err(no_such()),
            }
        };
        SameAsTargets { values: places.into_iter().map(|place| (place.clone(), target(place))).collect() }
    }
}

/// Whether two values are the same; `None` if one of them is not wholly known, or if they differ and no schema tells lists
/// from sets, and objects from maps.
pub(in crate::plan) fn are_the_same(a: &Value, b: &Value) -> Option<bool> {
    if !a.is_wholly_known() || !b.is_wholly_known() {
        return None;
    }
    let is_equal = a.equals(b).ok()?.unmark().0.as_bool().ok()?;
    (is_equal || a.ty() == b.ty() && !has_tuples(a) || is_primitive(a) && is_primitive(b)).then_some(is_equal)
}

/// Whether the value is a bool, number or string.
fn is_primitive(value: &Value) -> bool {
    value.is_null() || matches!(value.ty(), Type::Bool | Type::Number | Type::String)
}

/// Whether a tuple is anywhere in the type of the value.
fn has_tuples(value: &Value) -> bool {
    let mut found = false;
    value.walk(|_, part| {
        found |= matches!(part.clone().unmark().0.view(), View::Tuple(_));
        !found
    });
    found
}

impl EvaluatedValue<'_> {
    /// The outcome of a comparison of the value at a path with that of another place, and the assumptions that it rests on, which
    /// are added to `out`.
    pub(super) fn same_as_outcome(
        &self,
        target: &PlanPlace,
        (path, value): (&Path, &Value),
        out: &mut EvaluationResults,
    ) -> SameAsOutcome {
        let decided = |outcome| SameAsOutcome { outcome, assumed_in: Vec::new() };
        let open = |note: &str| {
            let why = Why::new([path.clone()]).with_note(note);
            decided(Outcome::Undetermined(why))
        };
        let found = match self.same_as.and_then(|targets| targets.values.get(target)) {
            Some(Ok(found)) => found,
            Some(Err(reason)) => return open(reason),
            None => return open("nothing is known of the other place"),
        };
        if value.is_wholly_known() && found.value.is_wholly_known() {
            return decided(match are_the_same(value, &found.value) {
                Some(true) => Outcome::Pass,
                Some(false) => {
                    let failure = format!("it is not the same as {target}");
                    let detail = format!("{} is not the same as {target}.", path.after_name(self.address));
                    Outcome::fail(Diagnostic::error("Values Differ", detail, path.clone(), failure))
                }
                None => return open(KIND_NOT_STATED),
            });
        }
        let Some(copies) = self.copies else {
            return open("the configuration tells which values are copies of one (--config)");
        };
        let (own, other) = (copies.chain(self.address, path), copies.chain(&target.address, &found.path));
        let Some(links) = links_to_common_place(own, other) else {
            return open(&format!(
                "as far as the configuration tells, {} and {target} come from two places",
                path.after_name(self.address)
            ));
        };
        let assumed_in: Vec<String> = links.iter().filter_map(|link| link.line.clone()).collect();
        let ends = || Some((place_of(self.address, path)?, target.clone()));
        let Some(assumed) = assumed_copies(links, &ends) else {
            return open("a place on the way has no path");
        };
        out.copies.extend(assumed.into_iter().map(|copy| ((copy.place.clone(), copy.of.clone()), copy)));
        SameAsOutcome { outcome: Outcome::Pass, assumed_in }
    }
}

/// The assumptions under which two places of a plan have one value, since both are copies of it.
pub(super) fn copies_of_one(facts: &PlanFacts, places: &[(String, Path); 2]) -> Vec<AssumedCopy> {
    let chain = |(address, path): &(String, Path)| match facts.copies_of(address, path) {
        [] => {
            let is_resource = facts.existing(address).is_some();
            vec![CopiedPlace { address: address.clone(), path: path.clone(), is_resource, line: None }]
        }
        copies => copies.to_vec(),
    };
    let [own, other] = places;
    let (own_chain, other_chain) = (chain(own), chain(other));
    let ends = || Some((place_of(&own.0, &own.1)?, place_of(&other.0, &other.1)?));
    let links = links_to_common_place(&own_chain, &other_chain);
    links.and_then(|links| assumed_copies(links, &ends)).unwrap_or_default()
}

/// The assumptions of the steps of two chains; `None` if a place has no path that can be written. `ends` are the two places that the
/// chains begin at.
fn assumed_copies(
    mut links: Vec<Link<'_>>,
    ends: &dyn Fn() -> Option<(PlanPlace, PlanPlace)>,
) -> Option<Vec<AssumedCopy>> {
    let mut assumed = Vec::new();
    // No state has the value that both copy: the two that copy it are compared.
    if links.iter().any(|link| !link.to.is_resource) {
        let is_last = |link: &Link<'_>| !link.to.is_resource;
        let last = |is_own: bool| links.iter().find(|link| is_last(link) && link.is_own == is_own);
        let from = |link: &Link<'_>| place_of(&link.from.address, &link.from.path);
        let place = last(true).map_or_else(|| Some(ends()?.0), from)?;
        let of = last(false).map_or_else(|| Some(ends()?.1), from)?;
        let line = last(true).or(last(false)).and_then(|link| link.line.clone())?;
        assumed.push(AssumedCopy { place, of, origin: Origin::Configuration(line) });
        links.retain(|link| !is_last(link));
    }
    for link in &links {
        assumed.push(assumed_copy(link)?);
    }
    Some(assumed)
}

/// A step of a chain of copies: the place `from` has a copy of the value of the place `to`.
struct Link<'c> {
    from: &'c CopiedPlace,
    to: &'c CopiedPlace,
    line: Option<String>,
    /// Whether the step is in the chain of the value that the rule is about, and not in that of the other place.
    is_own: bool,
}

/// The steps of two chains of copies up to the first place that is in both; `None` if no place is.
fn links_to_common_place<'c>(own: &'c [CopiedPlace], other: &'c [CopiedPlace]) -> Option<Vec<Link<'c>>> {
    let is_same = |a: &CopiedPlace, b: &CopiedPlace| a.address == b.address && a.path == b.path;
    let position = |place: &CopiedPlace| other.iter().position(|found| is_same(place, found));
    let (own_count, other_count) =
        own.iter().enumerate().find_map(|(at, place)| Some((at, position(place)?)))?;
    let links = |chain: &'c [CopiedPlace], count: usize, is_own: bool| {
        let pairs = chain.iter().zip(chain.iter().skip(1)).take(count);
        pairs.map(move |(from, to)| Link { from, to, line: from.line.clone(), is_own })
    };
    Some(links(own, own_count, true).chain(links(other, other_count, false)).collect())
}

/// The place at a path; `None` if the path cannot be written.
fn place_of(address: &str, path: &Path) -> Option<PlanPlace> {
    Some(PlanPlace::new(address, PathExpr::from_steps(PathExpr::exact_steps(path)?).ok()?))
}

/// The assumption that `from` has the value of `to`; `None` if no line of the configuration is known for the step, or a
/// place has no path that can be written.
fn assumed_copy(link: &Link<'_>) -> Option<AssumedCopy> {
    let place = |copied: &CopiedPlace| place_of(&copied.address, &copied.path);
    let origin = Origin::Configuration(link.line.clone()?);
    Some(AssumedCopy { place: place(link.from)?, of: place(link.to)?, origin })
}
