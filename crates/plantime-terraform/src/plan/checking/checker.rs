//! Checks resources and outputs, on several threads where there are many.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use super::declared_types::{TypeKey, type_key};
use super::denied;
use super::elements::Elements;
use super::evaluation::{EvaluatedValue, EvaluationResults, undecided_answer};
use super::known_references::KnownReferences;
use super::named_types::NamedTypes;
use super::notes::RuleUsage;
use super::prepared_rule::{
    PreparedRule, RulesByType, RulesOfType, prepare_rule, rules_about, top_level_name,
};
use super::readings::Readings;
use super::replacement::{Replacement, replacement};
use super::same_as::{AssumedCopies, SameAsTargets};
use super::shown_attributes::{self, checked_output};
use super::sides::{self, ChangeEvents};
use super::{CheckOptions, HIDDEN, is_unstated};
use crate::plan::address::PatternIndex;
use crate::plan::condition::{Found, Kind, PlanFacts, Surroundings};
use crate::plan::knowledge::configuration::Evaluated;
use crate::plan::knowledge::facts::UsedFact;
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::knowledge::{ContradictedAssumption, Planned};
use crate::plan::report::{CheckedResource, CheckedSubject, Failure, Side, TestAnswer, TestVerdict};
use crate::plan::rules::rules_file::{PlannedAction, Subject};
use crate::plan::rules::skip::RuleSkip;
use crate::plan::rules::subject::NamePattern;
use crate::plan::{ForcesNew, Plan, References, ResourceChange};
use plantime::rule::Replaces;
use plantime::source::Position;
use plantime::{Mark, Path, Type, Value};

/// A change of the plan, with its planned value; `None` if nothing is planned, as where the resource is destroyed.
pub(super) type PlannedChange<'c> = (&'c Arc<ResourceChange>, Option<&'c Planned<'c>>);

/// The inputs that the check of every resource reads; shared by all threads.
pub(super) struct CheckContext<'c> {
    pub(super) against: &'c CheckOptions,
    pub(super) references: &'c References,
    /// The index of the values that the plan knows.
    pub(super) known: KnownReferences<'c>,
    pub(super) change_events: ChangeEvents<'c>,
    /// The declared type of each resource type.
    pub(super) declared: BTreeMap<TypeKey<'c>, Type>,
    /// The skips of each rule.
    pub(super) skips: BTreeMap<&'c str, SkipsOfRule<'c>>,
    /// The rules by the types that they may be about.
    pub(super) by_type: RulesByType,
    /// The assumptions and the `change` blocks by the resources that they may match.
    pub(super) assumptions: PatternIndex,
    pub(super) forces_new: PatternIndex,
    /// The contradictions of each resource, by its position in the plan.
    pub(super) contradicted: BTreeMap<usize, Vec<ContradictedAssumption>>,
    /// The results of evaluating the configuration; empty without one.
    pub(super) evaluated: Evaluated,
    /// The places that rules compare values with.
    pub(super) same_as: SameAsTargets,
    /// What conditions see of the plan; `None` if no rule has one.
    pub(super) facts: Option<Arc<PlanFacts>>,
    /// The elements that rules are asked for, by their positions; rules without `for_each` have none.
    pub(super) elements: BTreeMap<usize, Elements>,
    /// Whether there is no plan: rules about changes are not asked.
    pub(super) is_configuration: bool,
    /// The types that patterns in conditions name and nothing knows.
    pub(super) named_types: &'c NamedTypes,
}

impl CheckContext<'_> {
    /// What the conditions of rules about a subject see; `None` if no rule has a condition.
    fn surroundings(&self, address: &str, deposed: Option<&str>, is_prior: bool) -> Option<Surroundings> {
        let facts = self.facts.as_ref()?;
        let entry = facts.entry(address, deposed, is_prior).cloned();
        let of_name = || facts.named_entry(address).map(|entry| entry.value().clone());
        Some(Surroundings {
            facts: Arc::clone(facts),
            address: Some(address.to_owned()),
            entry: entry.or_else(of_name).unwrap_or_else(|| Value::null(Type::Dynamic)),
            each: None.into(),
            found: Found::default().into(),
        })
    }

    /// Evaluates a rule on a subject: once, or for each element of its `for_each`.
    fn evaluate_each(
        &self,
        index: usize,
        (subject, surroundings): (&EvaluatedValue<'_>, Option<&Surroundings>),
        rule: &PreparedRule<'_>,
        skip: Option<&RuleSkip>,
        out: &mut EvaluationResults,
    ) {
        match self.elements.get(&index) {
            None => subject.evaluate(rule, &rule.name, skip, out),
            Some(Elements::Each(all)) => {
                for (name, key, value) in all {
                    if let Some(surroundings) = surroundings {
                        surroundings.each.replace(Some((key.clone(), value.clone())));
                    }
                    subject.evaluate(rule, name, skip, out);
                }
            }
            Some(Elements::Undecided(names)) => {
                out.answers.push(undecided_answer(rule.named, "`for_each` is not known", names));
            }
            Some(Elements::Wrong(message)) => out.problems.push((rule.named.position, message.clone())),
        }
    }
}

/// Why a rule about module calls or providers is undetermined on a plan without configuration.
const ONLY_CONFIGURATION: &str = "only a configuration says it";

/// The skips of one rule, with their positions in the file.
#[derive(Default)]
pub(super) struct SkipsOfRule<'c> {
    skips: Vec<(usize, &'c RuleSkip)>,
    index: PatternIndex,
}

impl<'c> SkipsOfRule<'c> {
    pub(super) fn new(skips: Vec<(usize, &'c RuleSkip)>) -> SkipsOfRule<'c> {
        let index = PatternIndex::new(skips.iter().enumerate().map(|(at, (_, skip))| (at, &skip.address)));
        SkipsOfRule { skips, index }
    }

    /// The first skip that matches a resource.
    fn first(&self, change: &ResourceChange) -> Option<&(usize, &'c RuleSkip)> {
        let candidates = self.index.candidates(change).into_iter();
        candidates.filter_map(|at| self.skips.get(at)).find(|(_, skip)| skip.address.matches(change))
    }
}

/// Checks resources and outputs, and collects what their reports have in common: problems, usage of rules, counts.
pub(super) struct Checker<'c> {
    context: &'c CheckContext<'c>,
    /// For each resource type, the rules about it with their positions in the file, prepared once.
    prepared: BTreeMap<TypeKey<'c>, RulesOfType<'c>>,
    /// The caller's data for custom rules.
    data: Option<&'c dyn Any>,
    /// One problem for each position of the rules file: a mistake in a rule shows on every resource that the rule matches.
    pub(super) problems: BTreeMap<Position, String>,
    pub(super) rule_usage: RuleUsage<'c>,
    /// The number of unknown places about which some rule passed or failed all the same.
    pub(super) answered: usize,
    /// The assumptions, on which answers rest, that one place has the value of another: by these two places.
    pub(super) copies: AssumedCopies,
}

/// The number of consecutive resources that a thread checks before it takes the next ones: enough that starting a thread
/// and taking resources cost little beside the checks, few enough that threads finish at about the same time.
const RESOURCES_OF_A_CHUNK: usize = 500;

/// Consecutive resources to be checked, with the index of the first one, and the slots for what is checked.
type Chunk<'a, 'c> = (usize, &'a [PlannedChange<'c>], &'a mut [Option<CheckedResource>]);

impl<'c> Checker<'c> {
    /// A checker that has checked nothing yet.
    pub(super) fn new(context: &'c CheckContext<'c>, data: Option<&'c dyn Any>) -> Checker<'c> {
        Checker {
            context,
            prepared: BTreeMap::new(),
            data,
            problems: BTreeMap::new(),
            rule_usage: RuleUsage::new(&context.against.rules),
            answered: 0,
            copies: AssumedCopies::new(),
        }
    }

    /// Checks resources, each with its planned value, and returns those that the report shows, in the order of the plan. Uses
    /// as many threads as the machine runs at once; only one where the caller gave data, which may not be `Sync`.
    pub(super) fn check_resources(&mut self, changes: &[PlannedChange<'c>]) -> Vec<CheckedResource> {
        let threads = match self.data {
            // Each thread would evaluate what conditions share.
            None if self.context.facts.is_none() => {
                std::thread::available_parallelism().map_or(1, usize::from)
            }
            _ => 1,
        };
        let threads = threads.min(changes.len() / RESOURCES_OF_A_CHUNK).max(1);
        // One slot for each resource, so that the threads' results are in order without being moved: a large plan's report
        // takes as much memory as the plan.
        let mut slots = Vec::new();
        slots.resize_with(changes.len(), || None);
        let chunks = changes.chunks(RESOURCES_OF_A_CHUNK).zip(slots.chunks_mut(RESOURCES_OF_A_CHUNK));
        let chunks = chunks
            .enumerate()
            .map(|(at, (changes, slots))| (at.saturating_mul(RESOURCES_OF_A_CHUNK), changes, slots));
        if threads == 1 {
            chunks.for_each(|chunk| self.check_chunk(chunk));
        } else {
            self.check_on_threads(threads, chunks);
        }
        // In place: `flatten` would allocate a second vector.
        slots.retain(Option::is_some);
        let mut all: Vec<CheckedResource> = slots.into_iter().map_while(std::convert::identity).collect();
        all.shrink_to_fit();
        all
    }

    /// Checks chunks on several threads, each of which takes the next chunk as soon as it is done with one.
    fn check_on_threads<'a>(&mut self, threads: usize, chunks: impl Iterator<Item = Chunk<'a, 'c>> + Send)
    where
        'c: 'a,
    {
        let context = self.context;
        let chunks = Mutex::new(chunks);
        let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            let mut checker = Checker::new(context, None);
            while let Some(chunk) = next() {
                checker.check_chunk(chunk);
            }
            (checker.problems, checker.rule_usage, checker.answered, checker.copies)
        };
        std::thread::scope(|scope| {
            // The system may refuse a thread: then the others do its work, and this thread does where there is none.
            let started =
                (0..threads).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok());
            let running: Vec<_> = started.collect();
            let own = if running.is_empty() { Some(work()) } else { None };
            let joined = running
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            for (problems, rule_usage, answered, copies) in own.into_iter().chain(joined) {
                for (position, message) in problems {
                    self.add_problem(position, message);
                }
                self.rule_usage.merge(rule_usage);
                self.answered = self.answered.saturating_add(answered);
                self.copies.extend(copies);
            }
        });
    }

    /// Checks consecutive resources and fills the slots of those that the report shows.
    fn check_chunk(&mut self, (first, changes, slots): Chunk<'_, 'c>) {
        let CheckOptions { schemas, show_values, .. } = self.context.against;
        for (at, ((change, resource), slot)) in changes.iter().zip(slots).enumerate() {
            let hidden = !*show_values && is_unstated(change, schemas);
            let mut checked = self.check_resource(change, *resource, hidden);
            let contradicted = self.context.contradicted.get(&first.saturating_add(at));
            checked.contradicted = contradicted.map_or_else(Box::default, |all| all.as_slice().into());
            let is_shown = !checked.answers.is_empty()
                || !checked.contradicted.is_empty()
                || !checked.unasked.is_empty()
                || checked.shown.iter().any(|shown| shown.origin.is_some())
                || checked.replacement.as_ref().is_some_and(|replacement| replacement.is_in_rules_file);
            if is_shown {
                *slot = Some(checked);
            }
        }
    }

    /// Evaluates all rules about one resource. With `hide`, its prior value is marked as a whole, so that the report
    /// does not show it.
    fn check_resource(
        &mut self,
        change: &'c Arc<ResourceChange>,
        planned: Option<&Planned<'c>>,
        hide: bool,
    ) -> CheckedResource {
        let context = self.context;
        let rules = &context.against.rules;
        let (references, known) = (context.references, &context.known);
        let depends_on = |path: &Path| known.undecided(references.of(&change.address, path));
        let mark = |value: &Value| if hide { value.clone().mark(Mark::new(HIDDEN)) } else { value.clone() };
        let (before, _) = sides_with_common_marks(&change.change);
        let prior = before.as_ref().filter(|before| !before.is_null()).map(mark);
        let surroundings =
            context.surroundings(&change.address, change.deposed.as_deref(), planned.is_none());
        let key = type_key(change);
        let declared = context.declared.get(&key).cloned().unwrap_or(Type::Dynamic);
        let subject = |side: Side| {
            let (raw, value, before) = match (side, planned) {
                (Side::Planned, Some(planned)) => (planned.raw, &planned.after, planned.before.as_ref()),
                (Side::Planned, None) => return None,
                (Side::Prior, _) => (prior.as_ref()?, prior.as_ref()?, None),
            };
            Some(EvaluatedValue {
                address: &change.address,
                type_name: Some(&change.type_name),
                data: self.data,
                raw,
                value,
                before,
                side,
                declared: &declared,
                depends_on: &depends_on,
                same_as: Some(&context.same_as),
                copies: context.evaluated.copies.as_ref(),
                readings: Readings::default(),
                surroundings: surroundings.as_ref(),
            })
        };
        let (planned_side, prior_side) = (subject(Side::Planned), subject(Side::Prior));
        let before_after = (prior.clone(), planned.map(|planned| &planned.after));
        let drifted = context.change_events.drift(&change.address);
        let drift = drifted.map(|drift| {
            let (before, after) = sides_with_common_marks(&drift.change);
            (before.as_ref().map(mark), after.as_ref().map(mark))
        });
        let (mut names, mut unasked) = (BTreeSet::new(), Vec::new());
        let mut evaluated = EvaluationResults::default();
        let of_type = || rules_about(change, (rules, &context.by_type), &declared);
        let about_type = self.prepared.entry(key).or_insert_with(of_type);
        for (index, prepared_rule) in about_type.matching(change) {
            let (index, rule) = (*index, prepared_rule.named);
            if context.is_configuration && rule.asks_about_changes() {
                self.rule_usage.add_about_changes(index);
                unasked.push(rule.name.clone());
                continue;
            }
            let sides = context.change_events.evaluated_sides(rule, change);
            self.rule_usage.add_match(index, !sides.is_empty(), &change.change.actions);
            if sides.is_empty() {
                if rule.actions.is_empty() && !prepared_rule.is_idle() {
                    unasked.push(rule.name.clone());
                    names.extend(prepared_rule.attributes.iter().map(String::as_str));
                }
                continue;
            }
            let skip = context.skips.get(rule.name.as_str()).and_then(|skips| skips.first(change));
            if let Some((skip, _)) = skip {
                self.rule_usage.add_skip(*skip);
            }
            self.rule_usage.add_absent(index, change, &prepared_rule.absent);
            if prepared_rule.is_idle() && skip.is_none() {
                continue;
            }
            if !prepared_rule.lacking.is_empty() && skip.is_none() {
                for (position, message) in &prepared_rule.lacking {
                    self.rule_usage.add_lacking(index, *position, format!("{}: {message}", change.address));
                }
                unasked.push(rule.name.clone());
                continue;
            }
            if skip.is_none() && self.rule_usage.refuses(index, context.named_types) {
                unasked.push(rule.name.clone());
                continue;
            }
            let answered = evaluated.answers.len();
            for side in sides {
                let subject = match side {
                    Side::Planned => planned_side.as_ref(),
                    Side::Prior => prior_side.as_ref(),
                };
                if let Some(subject) = subject {
                    let skip = skip.map(|(_, skip)| *skip);
                    context.evaluate_each(
                        index,
                        (subject, surroundings.as_ref()),
                        prepared_rule,
                        skip,
                        &mut evaluated,
                    );
                    self.rule_usage.add_answer(index);
                }
            }
            for answer in evaluated.answers.iter_mut().skip(answered) {
                let TestVerdict::Fail(failure) = &mut answer.verdict else { continue };
                if !failure.is_denial {
                    continue;
                }
                names.extend(denied::changed_names(before_after.0.as_ref(), before_after.1));
                let drift = drift.as_ref().filter(|_| rule.actions.contains(&PlannedAction::Drift));
                let changes = match drift {
                    Some((before, after)) => denied::change_statements(before.as_ref(), after.as_ref()),
                    None => denied::change_statements(before_after.0.as_ref(), before_after.1),
                };
                if !changes.is_empty() {
                    failure.values = changes;
                }
            }
            names.extend(prepared_rule.attributes.iter().map(String::as_str));
        }
        let candidates = context.forces_new.candidates(change).into_iter();
        let forces_new = candidates.filter_map(|at| rules.forces_new.get(at));
        let forces_new: Vec<&ForcesNew> = forces_new.filter(|stated| stated.target.matches(change)).collect();
        let mut replaces = None;
        let mut misused = Vec::new();
        if let (Some(planned), Some(subject)) = (planned, &planned_side) {
            let (mut found, problems) = replacement(planned, &forces_new);
            if let Some(Replacement { answer: Replaces::Maybe(why), depends_on, .. }) = &mut found {
                *depends_on = subject.references_behind(why);
            }
            replaces = found;
            misused = problems;
        }
        for stated in forces_new {
            names.extend(top_level_name(stated.force_new.path()));
        }
        let candidates = context.assumptions.candidates(change).into_iter();
        let assumptions = candidates.filter_map(|at| rules.assumptions.get(at));
        for stated in assumptions.filter(|stated| stated.assumption.target.matches(change)) {
            names.extend(top_level_name(&stated.assumption.path));
        }
        let (shown, hidden) = match planned {
            Some(planned) => shown_attributes::planned_attributes(planned, &names),
            None => shown_attributes::prior_attributes(prior.as_ref(), &names),
        };
        let facts = planned.map_or_else(Vec::new, |planned| facts_about(planned, &names));
        for (position, misuse) in misused {
            self.add_problem(position, format!("{}: {misuse}", change.address));
        }
        self.answered = self.answered.saturating_add(evaluated.answered.len());
        let value = planned.map(|planned| &planned.after);
        let answers = self.record_answers(evaluated, &change.address, value);
        CheckedResource {
            subject: CheckedSubject::Resource(Arc::clone(change)),
            is_drifted: drifted.is_some(),
            declared: context.evaluated.declared.get(&change.address).map(|place| place.as_str().into()),
            before: planned.map_or(prior, |planned| planned.before.clone()),
            shown,
            hidden,
            block: None,
            replacement: replaces.map(Box::new),
            answers,
            contradicted: Box::default(),
            unasked: unasked.into_boxed_slice(),
            facts: facts.into_boxed_slice(),
        }
    }

    /// Evaluates all rules about outputs, and warns of rules about outputs that the plan does not have.
    pub(super) fn check_outputs(
        &mut self,
        plan: &Plan,
        warnings: &mut Vec<(Position, String)>,
    ) -> Vec<CheckedResource> {
        let mut checked: BTreeMap<&str, CheckedResource> = BTreeMap::new();
        let context = self.context;
        for (index, rule) in context.against.rules.rules.iter().enumerate() {
            let Subject::Output(patterns) = &rule.subject else { continue };
            for pattern in patterns {
                let is_there = match pattern.has_wildcard() {
                    true => plan.output_changes.keys().any(|name| pattern.matches(name)),
                    false => plan.output_changes.contains_key(pattern.as_str()),
                };
                if !is_there {
                    warnings.push((rule.position, missing_output(plan, pattern)));
                }
            }
            if context.is_configuration && rule.asks_about_changes() {
                self.rule_usage.add_about_changes(index);
                continue;
            }
            if self.rule_usage.refuses(index, context.named_types) {
                continue;
            }
            for name in outputs(plan, patterns) {
                let Some(change) = plan.output_changes.get(name) else { continue };
                let address = format!("output.{name}");
                let narrowed = context.evaluated.outputs.get(name);
                let change = narrowed.map_or(change, |narrowed| &narrowed.change);
                let sides = sides::output_sides(rule, change);
                self.rule_usage.add_match(index, !sides.is_empty(), &change.actions);
                let declared = plan.output_types.get(name).cloned().unwrap_or(Type::Dynamic);
                let mut prepared = prepare_rule(rule, &declared, false, context.against.rules.on_null);
                // Outputs have no provider, whose versions have other attributes.
                prepared.problems.append(&mut prepared.lacking);
                let (references, known) = (context.references, &context.known);
                let depends_on = |_: &Path| known.undecided(references.of_output(name));
                let (before, after) = sides_with_common_marks(change);
                let prior = before.as_ref().filter(|before| !before.is_null());
                let mut evaluated = EvaluationResults::default();
                let surroundings = context.surroundings(&address, None, false);
                for side in sides {
                    let (value, before) = match side {
                        Side::Planned => (after.as_ref(), prior),
                        Side::Prior => (before.as_ref(), None),
                    };
                    let Some(value) = value else { continue };
                    let subject = EvaluatedValue {
                        address: &address,
                        type_name: None,
                        data: self.data,
                        raw: value,
                        value,
                        before,
                        side,
                        declared: &declared,
                        depends_on: &depends_on,
                        same_as: Some(&context.same_as),
                        copies: context.evaluated.copies.as_ref(),
                        readings: Readings::default(),
                        surroundings: surroundings.as_ref(),
                    };
                    context.evaluate_each(
                        index,
                        (&subject, surroundings.as_ref()),
                        &prepared,
                        None,
                        &mut evaluated,
                    );
                    self.rule_usage.add_answer(index);
                }
                // Outputs do not count in `answered`, which is compared with the number of unknown attributes.
                let answers = self.record_answers(evaluated, &address, after.as_ref());
                if !answers.is_empty() {
                    let entry = checked.entry(name).or_insert_with(|| checked_output(name, change, narrowed));
                    entry.answers.extend(answers);
                }
            }
        }
        checked.into_values().collect()
    }

    /// Evaluates all rules about variables, module calls, providers and the plan itself.
    pub(super) fn check_named(&mut self, warnings: &mut Vec<(Position, String)>) -> Vec<CheckedResource> {
        let context = self.context;
        let Some(facts) = &context.facts else { return Vec::new() };
        let mut checked: IndexMap<String, CheckedResource> = IndexMap::new();
        for (index, rule) in context.against.rules.rules.iter().enumerate() {
            let subjects: Vec<(String, Value)> = match &rule.subject {
                Subject::Variable(patterns) => facts.subjects(Kind::Variable, patterns),
                Subject::Module(patterns) => facts.subjects(Kind::Module, patterns),
                Subject::Provider(patterns) => facts.subjects(Kind::Provider, patterns),
                Subject::Plan => vec![("plan".to_owned(), Value::null(Type::Dynamic))],
                Subject::Resource(_) | Subject::Output(_) => continue,
            };
            if context.is_configuration && rule.asks_about_changes() {
                self.rule_usage.add_about_changes(index);
                continue;
            }
            if self.rule_usage.refuses(index, context.named_types) {
                continue;
            }
            if context.facts.as_ref().is_some_and(|facts| facts.lacks_configuration(&rule.subject)) {
                let entry = checked.entry("plan".to_owned());
                let entry = entry
                    .or_insert_with(|| shown_attributes::checked_named("plan", &Value::null(Type::Dynamic)));
                self.rule_usage.add_match(index, true, &[]);
                self.rule_usage.add_answer(index);
                entry.answers.push(undecided_answer(
                    rule,
                    ONLY_CONFIGURATION,
                    &["the configuration (--config)".to_owned()],
                ));
                continue;
            }
            if subjects.is_empty() {
                warnings.push((rule.position, facts.nothing_matches(&rule.subject)));
                continue;
            }
            let prepared = prepare_rule(rule, &Type::Dynamic, false, context.against.rules.on_null);
            self.rule_usage.add_match(index, true, &[]);
            for (address, value) in subjects {
                let surroundings = context.surroundings(&address, None, false);
                let mut evaluated = EvaluationResults::default();
                let subject = EvaluatedValue {
                    address: &address,
                    type_name: None,
                    data: self.data,
                    raw: &value,
                    value: &value,
                    before: None,
                    side: Side::Planned,
                    declared: &Type::Dynamic,
                    depends_on: &|_| Vec::new(),
                    same_as: None,
                    copies: None,
                    readings: Readings::default(),
                    surroundings: surroundings.as_ref(),
                };
                context.evaluate_each(
                    index,
                    (&subject, surroundings.as_ref()),
                    &prepared,
                    None,
                    &mut evaluated,
                );
                self.rule_usage.add_answer(index);
                let answers = self.record_answers(evaluated, &address, None);
                let entry = checked.entry(address.clone());
                let entry = entry.or_insert_with(|| shown_attributes::checked_named(&address, &value));
                entry.answers.extend(answers);
            }
        }
        checked.into_values().collect()
    }

    /// Adds the problems and places of an evaluation to the totals of this checker, and returns the answers. Failures about the
    /// planned value get the line that it is written in.
    fn record_answers(
        &mut self,
        evaluated: EvaluationResults,
        address: &str,
        planned: Option<&Value>,
    ) -> Vec<TestAnswer> {
        for (position, message) in evaluated.problems {
            self.add_problem(position, message);
        }
        self.rule_usage.add_places(evaluated.exists, evaluated.missing);
        self.copies.extend(evaluated.copies);
        let mut answers = evaluated.answers;
        for answer in &mut answers {
            let TestVerdict::Fail(failure) = &mut answer.verdict else { continue };
            if !failure.decided_by.is_empty() {
                self.locate_decisions(failure, answer.side);
                continue;
            }
            let Some(planned) = planned.filter(|_| answer.side == Side::Planned) else { continue };
            let fault = failure.diagnostics.first().map(|diagnostic| &diagnostic.path);
            let path = if answer.path.is_empty() { fault.unwrap_or(&answer.path) } else { &answer.path };
            failure.source_line =
                self.context.evaluated.source_locations.source_line(address, path, planned).map(Box::new);
        }
        // Most resources have one or two answers, and a report holds the answers of all resources.
        answers.shrink_to_fit();
        answers
    }

    /// Says of each part that made a condition false in which line of the configuration the value that it reads is.
    fn locate_decisions(&self, failure: &mut Failure, side: Side) {
        let line_of = |place: &(String, Path)| {
            let (address, path) = place;
            let facts = self.context.facts.as_ref().filter(|_| side == Side::Planned)?;
            let value = facts.value_at(address)?;
            self.context.evaluated.source_locations.source_line(address, path, &value)
        };
        for decided in std::mem::take(&mut failure.decided_by) {
            let line = decided.place.as_ref().and_then(line_of);
            if !decided.text.is_empty() {
                failure.decided.push(match &line {
                    Some(line) => format!("{} ({}:{})", decided.text, line.file, line.line),
                    None => decided.text,
                });
            }
            failure.source_line = failure.source_line.take().or(line.map(Box::new));
        }
    }

    /// Records a problem at a position of the rules file. Of several at one position the least message is kept, so that the
    /// report does not depend on the order of threads (L7).
    pub(super) fn add_problem(&mut self, position: Position, message: String) {
        let known = self.problems.entry(position).or_insert_with(|| message.clone());
        if message < *known {
            *known = message;
        }
    }
}

/// The outputs of a plan that one of the patterns matches, each once, in the order of their names.
fn outputs<'p>(plan: &'p Plan, patterns: &[NamePattern]) -> BTreeSet<&'p String> {
    let mut names = BTreeSet::new();
    for pattern in patterns {
        match pattern.has_wildcard() {
            true => names.extend(plan.output_changes.keys().filter(|name| pattern.matches(name))),
            false => names.extend(plan.output_changes.get_key_value(pattern.as_str()).map(|(name, _)| name)),
        }
    }
    names
}

/// The warning that a plan has no output of a name or pattern.
fn missing_output(plan: &Plan, pattern: &NamePattern) -> String {
    if pattern.has_wildcard() {
        return format!("no output of the plan has a name of the pattern `{pattern}`");
    }
    let names = plan.output_changes.keys().map(String::as_str);
    let hint = match plantime::unstable::text::nearest(pattern.as_str(), names) {
        Some(near) => format!("; the nearest is `{near}`"),
        None => String::new(),
    };
    format!("the plan has no output `{pattern}`{hint}")
}

/// The facts that narrowed the attributes with these names.
fn facts_about(planned: &Planned<'_>, names: &BTreeSet<&str>) -> Vec<UsedFact> {
    let facts = planned.facts.iter();
    facts
        .filter(|fact| top_level_name(&fact.path).is_some_and(|name| names.contains(name)))
        .cloned()
        .collect()
}
