//! Checks resources and outputs, on several threads where there are many.

use std::any::Any;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::declared_types::{TypeKey, key};
use super::evaluation::{Evaluated, Examined};
use super::known_references::KnownReferences;
use super::notes::Unmet;
use super::prepared_rule::{PreparedRule, about, prepared, root};
use super::readings::Readings;
use super::replacement::{Replacement, replacement};
use super::shown_attributes::{self, output};
use super::sides::{self, Circumstances};
use super::{CheckOptions, HIDDEN, is_unstated};
use crate::mark::Mark;
use crate::path::Path;
use crate::plan::knowledge::side_marks::sides_hidden_alike;
use crate::plan::knowledge::{ContradictedAssumption, Planned};
use crate::plan::report::title::{header, title};
use crate::plan::report::{CheckedResource, Side, TestAnswer, TestVerdict};
use crate::plan::rules::rules_file::{RuleSkip, Subject};
use crate::plan::source::Position;
use crate::plan::{Plan, References, ResourceChange};
use crate::rule::Replaces;
use crate::types::Type;
use crate::value::Value;

/// What the check of every resource reads.
pub(super) struct Shared<'c> {
    pub(super) against: &'c CheckOptions,
    pub(super) references: &'c References,
    pub(super) known: KnownReferences<'c>,
    pub(super) circumstances: Circumstances<'c>,
    pub(super) declared: BTreeMap<TypeKey<'c>, Type>,
    /// By rule, with their positions in the file.
    pub(super) skips: BTreeMap<&'c str, Vec<(usize, &'c RuleSkip)>>,
    /// By the position of the resource in the plan.
    pub(super) contradicted: BTreeMap<usize, Vec<ContradictedAssumption>>,
}

/// Checks resources, and collects what they say together.
pub(super) struct Checker<'c> {
    shared: &'c Shared<'c>,
    /// The rules that are about some resource of a type, by position in the file, as they are evaluated on it.
    prepared: BTreeMap<TypeKey<'c>, Vec<(usize, PreparedRule<'c>)>>,
    /// The caller's own.
    data: Option<&'c dyn Any>,
    /// One for each place of the rules file: one mistake in a rule shows on every resource that it matches.
    pub(super) problems: BTreeMap<Position, String>,
    pub(super) unmet: Unmet<'c>,
    pub(super) answered: usize,
    /// Which rules wait for an unknown.
    pub(super) wanted: BTreeMap<String, Waiting>,
}

/// The names of the rules that wait for an unknown. Of most unknowns it is one, and a plan may have many unknowns.
pub(super) enum Waiting {
    One(String),
    Several(BTreeSet<String>),
}

impl Waiting {
    pub(super) fn len(&self) -> usize {
        match self {
            Waiting::One(_) => 1,
            Waiting::Several(names) => names.len(),
        }
    }

    fn insert(&mut self, name: &str) {
        match self {
            Waiting::One(one) if one == name => {}
            Waiting::One(one) => {
                *self = Waiting::Several([std::mem::take(one), name.to_owned()].into());
            }
            Waiting::Several(names) if names.contains(name) => {}
            Waiting::Several(names) => {
                names.insert(name.to_owned());
            }
        }
    }

    fn add(&mut self, other: Waiting) {
        match other {
            Waiting::One(name) => self.insert(&name),
            Waiting::Several(names) => names.iter().for_each(|name| self.insert(name)),
        }
    }
}

/// A thread checks at least so many resources: starting one takes as long as checking a few.
const RESOURCES_OF_A_THREAD: usize = 500;

impl<'c> Checker<'c> {
    pub(super) fn of(shared: &'c Shared<'c>, data: Option<&'c dyn Any>) -> Checker<'c> {
        Checker {
            shared,
            prepared: BTreeMap::new(),
            data,
            problems: BTreeMap::new(),
            unmet: Unmet::of(&shared.against.rules),
            answered: 0,
            wanted: BTreeMap::new(),
        }
    }

    /// The resources that a report shows, checked by as many threads as the machine runs at once. Data of the caller may
    /// not be shared by threads.
    pub(super) fn all(
        &mut self,
        changes: &[(&'c ResourceChange, Option<&Planned<'c>>)],
    ) -> Vec<CheckedResource> {
        let threads = match self.data {
            None => std::thread::available_parallelism().map_or(1, usize::from),
            Some(_) => 1,
        };
        let threads = threads.min(changes.len() / RESOURCES_OF_A_THREAD).max(1);
        let each = changes.len().div_ceil(threads).max(1);
        if threads == 1 {
            return self.some(0, changes);
        }
        let shared = self.shared;
        let work = |(at, changes): (usize, &[(&'c ResourceChange, Option<&Planned<'c>>)])| {
            let mut checker = Checker::of(shared, None);
            let checked = checker.some(at.saturating_mul(each), changes);
            (checked, checker.problems, checker.unmet, checker.answered, checker.wanted)
        };
        let mut all = Vec::new();
        std::thread::scope(|scope| {
            let parts = changes.chunks(each).enumerate();
            let start = |part| {
                // The system may refuse a thread: then its part is checked by this one.
                let started = std::thread::Builder::new().spawn_scoped(scope, move || work(part));
                started.map_err(|_| part)
            };
            let running: Vec<_> = parts.map(start).collect();
            for thread in running {
                let done = match thread {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                    Err(part) => work(part),
                };
                let (checked, problems, unmet, answered, wanted) = done;
                if all.is_empty() {
                    all = checked;
                } else {
                    all.reserve_exact(checked.len());
                    all.extend(checked);
                }
                for (position, message) in problems {
                    self.problem(position, message);
                }
                self.unmet.add(unmet);
                self.answered = self.answered.saturating_add(answered);
                for (reference, rules) in wanted {
                    match self.wanted.entry(reference) {
                        Entry::Vacant(vacant) => {
                            vacant.insert(rules);
                        }
                        Entry::Occupied(mut occupied) => occupied.get_mut().add(rules),
                    }
                }
            }
        });
        all
    }

    /// Those of these resources, which begin at a position in the plan, that a report shows.
    fn some(
        &mut self,
        first: usize,
        changes: &[(&'c ResourceChange, Option<&Planned<'c>>)],
    ) -> Vec<CheckedResource> {
        let CheckOptions { schemas, show_values, .. } = self.shared.against;
        let mut shown = Vec::new();
        for (at, (change, resource)) in changes.iter().enumerate() {
            let hidden = !*show_values && is_unstated(change, schemas);
            let mut one = self.resource(change, *resource, hidden);
            let contradicted = self.shared.contradicted.get(&first.saturating_add(at));
            one.contradicted = contradicted.cloned().unwrap_or_default();
            let is_shown = !one.answers.is_empty()
                || !one.contradicted.is_empty()
                || !one.unasked.is_empty()
                || one.shown.iter().any(|shown| shown.origin.is_some())
                || one.replacement.as_ref().is_some_and(|one| one.asked);
            if is_shown {
                shown.push(one);
            }
        }
        shown
    }

    fn resource(
        &mut self,
        change: &'c ResourceChange,
        planned: Option<&Planned<'c>>,
        hide: bool,
    ) -> CheckedResource {
        let shared = self.shared;
        let rules = &shared.against.rules;
        let (references, known) = (shared.references, &shared.known);
        let depends_on = |path: &Path| known.unknown(references.of(&change.address, path));
        let mark = |value: &Value| if hide { value.clone().mark(Mark::new(HIDDEN)) } else { value.clone() };
        let (before, _) = sides_hidden_alike(&change.change);
        let prior = before.as_ref().filter(|before| !before.is_null()).map(mark);
        let key = key(change);
        let declared = shared.declared.get(&key).cloned().unwrap_or(Type::Dynamic);
        let examined = |side: Side| {
            let (raw, value, before) = match (side, planned) {
                (Side::Planned, Some(planned)) => (planned.raw, &planned.after, planned.before.as_ref()),
                (Side::Planned, None) => return None,
                (Side::Prior, _) => (prior.as_ref()?, prior.as_ref()?, None),
            };
            Some(Examined {
                address: change.address.clone(),
                type_name: Some(&change.type_name),
                data: self.data,
                raw,
                value,
                before,
                side,
                declared: &declared,
                depends_on: &depends_on,
                readings: Readings::default(),
            })
        };
        let (planned_side, prior_side) = (examined(Side::Planned), examined(Side::Prior));
        let (mut names, mut unasked) = (BTreeSet::new(), Vec::new());
        let mut evaluated = Evaluated::default();
        let about_type = self.prepared.entry(key).or_insert_with(|| about(change, rules, &declared));
        for (index, prepared_rule) in about_type {
            let (index, rule) = (*index, prepared_rule.named);
            let Subject::Resource(pattern) = &rule.subject else { continue };
            if !pattern.matches(change) {
                continue;
            }
            let sides = shared.circumstances.sides(rule, change);
            self.unmet.matched(index, !sides.is_empty());
            if sides.is_empty() {
                let is_gone = planned.is_none() && prior.is_some();
                if is_gone && rule.actions.is_empty() && !prepared_rule.is_idle() {
                    unasked.push(rule.name.clone());
                    names.extend(prepared_rule.attributes.iter().map(String::as_str));
                }
                continue;
            }
            let skip = shared.skips.get(rule.name.as_str());
            let skip = skip.and_then(|skips| skips.iter().find(|(_, skip)| skip.address.matches(change)));
            if let Some((skip, _)) = skip {
                self.unmet.skipped(*skip);
            }
            self.unmet.absent(index, change, &prepared_rule.absent);
            if prepared_rule.is_idle() && skip.is_none() {
                continue;
            }
            for side in sides {
                let examined = match side {
                    Side::Planned => planned_side.as_ref(),
                    Side::Prior => prior_side.as_ref(),
                };
                if let Some(examined) = examined {
                    examined.evaluate(prepared_rule, skip.map(|(_, skip)| *skip), &mut evaluated);
                    self.unmet.answered(index);
                }
            }
            names.extend(prepared_rule.attributes.iter().map(String::as_str));
        }
        let forces_new = &rules.forces_new;
        let mut replaces = None;
        let mut misused = Vec::new();
        if let (Some(planned), Some(examined)) = (planned, &planned_side) {
            let (mut found, problems) = replacement(planned, forces_new);
            if let Some(Replacement { answer: Replaces::Maybe(why), depends_on, .. }) = &mut found {
                *depends_on = examined.inputs(why);
            }
            replaces = found;
            misused = problems;
        }
        for stated in forces_new.iter().filter(|stated| stated.target.matches(change)) {
            names.extend(root(stated.force_new.path()));
        }
        for stated in rules.assumptions.iter().filter(|stated| stated.assumption.target.matches(change)) {
            names.extend(root(&stated.assumption.path));
        }
        let (shown, hidden) = match planned {
            Some(planned) => shown_attributes::planned(planned, &names),
            None => shown_attributes::prior(prior.as_ref(), &names),
        };
        for (position, misuse) in misused {
            self.problem(position, format!("{}: {misuse}", change.address));
        }
        self.answered = self.answered.saturating_add(evaluated.answered.len());
        let answers = self.take(evaluated);
        CheckedResource {
            address: change.address.clone(),
            type_name: Some(change.type_name.clone()),
            module: change.module_address.clone(),
            index: change.index.clone(),
            declared: shared.against.configuration.as_ref().and_then(|read| read.place_of(change)),
            actions: change.change.actions.clone(),
            before: planned.map_or(prior, |planned| planned.before.clone()),
            header: header(change),
            title: title(change),
            shown,
            hidden,
            replacement: replaces,
            answers,
            contradicted: Vec::new(),
            unasked,
        }
    }

    pub(super) fn outputs(
        &mut self,
        plan: &Plan,
        warnings: &mut Vec<(Position, String)>,
    ) -> Vec<CheckedResource> {
        let mut checked: BTreeMap<&str, CheckedResource> = BTreeMap::new();
        let shared = self.shared;
        for (index, rule) in shared.against.rules.rules.iter().enumerate() {
            let Subject::Output(name) = &rule.subject else { continue };
            let Some(change) = plan.output_changes.get(name) else {
                let names = plan.output_changes.keys().map(String::as_str);
                let hint = match crate::rule::nearest(name, names) {
                    Some(near) => format!("; the nearest is `{near}`"),
                    None => String::new(),
                };
                warnings.push((rule.position, format!("the plan has no output `{name}`{hint}")));
                continue;
            };
            let sides = sides::of_output(rule, change);
            self.unmet.matched(index, !sides.is_empty());
            let declared = plan.output_types.get(name).cloned().unwrap_or(Type::Dynamic);
            let prepared = prepared(rule, &declared, shared.against.rules.on_null);
            let (references, known) = (shared.references, &shared.known);
            let depends_on = |_: &Path| known.unknown(references.of_output(name));
            let (before, after) = sides_hidden_alike(change);
            let prior = before.as_ref().filter(|before| !before.is_null());
            let mut evaluated = Evaluated::default();
            for side in sides {
                let (value, before) = match side {
                    Side::Planned => (after.as_ref(), prior),
                    Side::Prior => (before.as_ref(), None),
                };
                let Some(value) = value else { continue };
                let examined = Examined {
                    address: format!("output.{name}"),
                    type_name: None,
                    data: self.data,
                    raw: value,
                    value,
                    before,
                    side,
                    declared: &declared,
                    depends_on: &depends_on,
                    readings: Readings::default(),
                };
                examined.evaluate(&prepared, None, &mut evaluated);
                self.unmet.answered(index);
            }
            // An output is no attribute: it counts for no unknown one.
            let answers = self.take(evaluated);
            if !answers.is_empty() {
                checked.entry(name).or_insert_with(|| output(name, change)).answers.extend(answers);
            }
        }
        checked.into_values().collect()
    }

    fn take(&mut self, evaluated: Evaluated) -> Vec<TestAnswer> {
        for (position, message) in evaluated.problems {
            self.problem(position, message);
        }
        self.unmet.places(evaluated.exists, evaluated.missing);
        for answer in &evaluated.answers {
            let TestVerdict::Undetermined(reason) = &answer.verdict else { continue };
            for reference in &reason.depends_on {
                match self.wanted.get_mut(reference) {
                    Some(waiting) => waiting.insert(&answer.rule),
                    None => {
                        self.wanted.insert(reference.clone(), Waiting::One(answer.rule.clone()));
                    }
                }
            }
        }
        let mut answers = evaluated.answers;
        // Most resources have one or two, and all are kept.
        answers.shrink_to_fit();
        answers
    }

    pub(super) fn problem(&mut self, position: Position, message: String) {
        let known = self.problems.entry(position).or_insert_with(|| message.clone());
        // The same one whatever the order of the resources is.
        if message < *known {
            *known = message;
        }
    }
}
