//! What a reader should know beside the answers: of the inputs, and of rules that had nothing to say.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::CheckOptions;
use super::named_types::NamedTypes;
use super::prepared_rule::AbsentAttribute;
use super::type_suggestion::TypeNames;
use crate::plan::knowledge::{Planned, assumption};
use crate::plan::report::render::file_name;
use crate::plan::report::{Unmatched, UnmatchedKind};
use crate::plan::rules::rules_file::{RulesFile, Subject};
use crate::plan::rules::skip::SkippedNames;
use crate::plan::{Action, CheckStatus, Mode, Plan, ResourceChange};
use plantime::source::Position;
use plantime_schema::ProviderSchemas;

/// The maximum number of problems of a configuration without a plan that have a note each.
const PROBLEMS: usize = 100;

/// The maximum number of resource types that a note names.
const NAMED: usize = 5;

/// Notes on the plan, the schemas and the configuration that a reader of the report should know.
pub(super) fn input_notes(
    plan: &Plan,
    against: &CheckOptions,
    hidden: usize,
    evaluation_problems: &[String],
) -> Vec<String> {
    let mut notes = Vec::new();
    if hidden > 0 {
        notes.push(format!(
            "the plan does not say what is sensitive: the values of {} are not shown (--schemas, or --show-values)",
            if hidden == 1 { "1 resource".to_owned() } else { format!("{hidden} resources") },
        ));
    }
    if plan.is_configuration && against.schemas.providers.is_empty() {
        notes.push("without schemas, what is not written is unknown (--schemas)".to_owned());
    } else if against.configuration.is_some() && against.schemas.providers.is_empty() {
        notes.push("without schemas the configuration says nothing (--schemas)".to_owned());
    }
    if plan.is_configuration {
        let shown = evaluation_problems.iter().take(PROBLEMS);
        notes.extend(shown.map(|problem| format!("{problem} (unknown here)")));
        match evaluation_problems.len().saturating_sub(PROBLEMS) {
            0 => {}
            more => notes.push(format!("{more} more places of the configuration are unknown")),
        }
    } else if let Some(first) = evaluation_problems.first() {
        let count = evaluation_problems.len();
        let noun = if count == 1 { "expression" } else { "expressions" };
        notes.push(format!("{count} {noun} of the configuration cannot be evaluated, first {first}"));
    }
    if let Some(first) = plan.notes.first() {
        let what = match against.schemas.providers.is_empty() {
            true => "is not of the usual form",
            false => "does not fit the schemas",
        };
        notes.push(format!(
            "the plan {what} in {} {}, first {}.{}: {}",
            plan.notes.len(),
            if plan.notes.len() == 1 { "place" } else { "places" },
            first.address,
            first.path,
            first.message,
        ));
    }
    if !plan.unlisted_resources.is_empty() {
        let names = plan.unlisted_resources.join(", ");
        notes.push(format!("planned_values has resources that are not in resource_changes: {names}"));
    }
    for check in &plan.checks {
        let what = match check.status {
            CheckStatus::Fail => "fails",
            CheckStatus::Error => "could not be evaluated",
            _ => continue,
        };
        let problems: Vec<&str> =
            check.instances.iter().flat_map(|instance| &instance.problems).map(String::as_str).collect();
        let problems = if problems.is_empty() { String::new() } else { format!(": {}", problems.join("; ")) };
        notes.push(format!("the plan's own check of {} {what}{problems}", check.address));
    }
    notes
}

/// Warnings about assumptions that no resource of the plan matches.
pub(super) fn unmatched_assumptions(
    unmatched: &[Position],
    rules: &RulesFile,
    plan: &Plan,
    schemas: &ProviderSchemas,
    resources: &[Planned<'_>],
) -> Vec<(Position, String)> {
    let types = TypeNames::new(plan, schemas);
    let message = |target| {
        let meant = types.suggested(target);
        let nearest = meant.map_or_else(String::new, |name| format!("; the nearest type is `{name}`"));
        format!("no resource of the plan matches this assumption{nearest}")
    };
    let mut warnings = Vec::new();
    let unmatched: BTreeSet<Position> = unmatched.iter().copied().collect();
    for stated in rules.assumptions.iter().filter(|stated| unmatched.contains(&stated.position)) {
        warnings.push((stated.position, message(&stated.assumption.target)));
    }
    let targets = rules.forces_new.iter().map(|stated| &stated.target);
    let matched = assumption::matches(targets, resources.iter().map(|resource| resource.change));
    for (stated, _) in rules.forces_new.iter().zip(matched).filter(|(_, matched)| matched.is_empty()) {
        warnings.push((stated.position, message(&stated.target)));
    }
    warnings
}

/// Records which rules, skips and tests matched something in the plan. The numbers of rules and skips are their
/// indexes in the rules file.
pub(super) struct RuleUsage<'r> {
    rules: &'r RulesFile,
    /// How far each rule got, by the index of the rule in the rules file.
    found: BTreeMap<usize, MatchedRule>,
    /// The skips that matched a resource.
    skipped: BTreeSet<usize>,
    /// The tests that found something at their path in some resource.
    exists: BTreeSet<Position>,
    /// The tests whose path leads to nothing in some resource.
    missing: BTreeSet<Position>,
    /// The patterns in conditions that match nothing, as nothing knows their types.
    patterns: Vec<Unmatched>,
}

/// How far a rule got on any resource of the plan.
#[derive(Default)]
struct MatchedRule {
    /// It matches some resource.
    matched: bool,
    /// Some change of a matched resource has one of the rule's actions.
    acts: bool,
    /// It was evaluated on some resource.
    answered: bool,
    /// The attributes that some types lack, with the names of these types.
    absent: BTreeMap<AbsentAttribute, BTreeSet<String>>,
    /// It is about changes, and there is no plan.
    about_changes: bool,
    /// Some matched resource is neither destroyed nor forgotten.
    remains: bool,
    /// The places that types of matched resources lack, for which the rule is not asked.
    lacking: BTreeMap<Position, String>,
}

impl MatchedRule {
    /// Records that a type lacks a place. Of several messages about one place the least is kept, whatever the order of threads (L7).
    fn add_lacking(&mut self, position: Position, message: String) {
        match self.lacking.entry(position) {
            Entry::Vacant(place) => {
                place.insert(message);
            }
            Entry::Occupied(mut known) if message < *known.get() => {
                known.insert(message);
            }
            Entry::Occupied(_) => {}
        }
    }
}

impl<'r> RuleUsage<'r> {
    /// The record before any resource is checked.
    pub(super) fn new(rules: &'r RulesFile) -> RuleUsage<'r> {
        RuleUsage {
            rules,
            found: BTreeMap::new(),
            skipped: BTreeSet::new(),
            exists: BTreeSet::new(),
            missing: BTreeSet::new(),
            patterns: Vec::new(),
        }
    }

    /// Records the patterns of rules that were asked whose types nothing knows; returns a warning of each.
    pub(super) fn add_named_types(&mut self, named: &NamedTypes) -> Vec<(Position, String)> {
        let name = |rule: usize| self.rules.rules.get(rule).map_or("", |rule| rule.name.as_str());
        self.patterns = named.unmatched(&self.asked(), &name);
        self.patterns.iter().map(|one| (one.position, one.reason.clone())).collect()
    }

    /// Whether a rule names types that the schemas do not have: it is not asked then.
    pub(super) fn refuses(&mut self, rule: usize, named: &NamedTypes) -> bool {
        let mut is_refused = false;
        for (position, message) in named.refused(rule) {
            self.add_lacking(rule, position, message.to_owned());
            is_refused = true;
        }
        is_refused
    }

    /// Records that a rule matches a resource; `acts` if the change has one of the rule's actions.
    pub(super) fn add_match(&mut self, rule: usize, acts: bool, actions: &[Action]) {
        let found = self.found.entry(rule).or_default();
        found.matched = true;
        found.acts |= acts;
        found.remains |= !matches!(actions, [Action::Delete | Action::Forget]);
    }

    /// Records that a rule about changes matches a resource or output of a configuration without a plan.
    pub(super) fn add_about_changes(&mut self, rule: usize) {
        self.found.entry(rule).or_default().about_changes = true;
    }

    /// Records that the type of a resource lacks a place of the rule.
    pub(super) fn add_lacking(&mut self, rule: usize, position: Position, message: String) {
        self.found.entry(rule).or_default().add_lacking(position, message);
    }

    /// The places that rules are about and types lack.
    pub(super) fn lacking(&self) -> impl Iterator<Item = (&str, (Position, String))> {
        self.found.iter().flat_map(|(rule, found)| {
            let rule = self.rules.rules.get(*rule).map_or("", |rule| rule.name.as_str());
            found.lacking.iter().map(move |(position, message)| (rule, (*position, message.clone())))
        })
    }

    /// The names of the rules that were evaluated.
    pub(super) fn asked(&self) -> BTreeSet<String> {
        let asked = self.found.iter().filter(|(_, found)| found.answered);
        asked.filter_map(|(rule, _)| Some(self.rules.rules.get(*rule)?.name.clone())).collect()
    }

    /// Records that the rule with this index was evaluated.
    pub(super) fn add_answer(&mut self, rule: usize) {
        self.found.entry(rule).or_default().answered = true;
    }

    /// Records that the skip with this index matched a resource.
    pub(super) fn add_skip(&mut self, skip: usize) {
        self.skipped.insert(skip);
    }

    /// Records that the type of a resource lacks attributes that a rule is about.
    pub(super) fn add_absent(&mut self, rule: usize, change: &ResourceChange, absent: &[AbsentAttribute]) {
        if absent.is_empty() {
            return;
        }
        let found = self.found.entry(rule).or_default();
        for absent in absent {
            let types = found.absent.entry(absent.clone()).or_default();
            if !types.contains(&*change.type_name) {
                types.insert(change.type_name.to_string());
            }
        }
    }

    /// Records the tests whose path exists in some resource, and those whose path does not.
    pub(super) fn add_places(&mut self, exists: Vec<Position>, missing: Vec<Position>) {
        self.exists.extend(exists);
        self.missing.extend(missing);
    }

    /// Adds what another thread recorded.
    pub(super) fn merge(&mut self, other: RuleUsage<'r>) {
        for (rule, more) in other.found {
            let found = self.found.entry(rule).or_default();
            found.matched |= more.matched;
            found.acts |= more.acts;
            found.answered |= more.answered;
            found.remains |= more.remains;
            found.about_changes |= more.about_changes;
            for (position, message) in more.lacking {
                found.add_lacking(position, message);
            }
            for (absent, types) in more.absent {
                found.absent.entry(absent).or_default().extend(types);
            }
        }
        self.skipped.extend(other.skipped);
        self.exists.extend(other.exists);
        self.missing.extend(other.missing);
    }

    /// The rules and skips that matched nothing in the plan, with the reason.
    pub(super) fn unmatched(&self) -> Vec<Unmatched> {
        let mut unmatched = Vec::new();
        let nothing = MatchedRule::default();
        for (index, rule) in self.rules.rules.iter().enumerate() {
            let found = self.found.get(&index).unwrap_or(&nothing);
            if found.answered && found.lacking.is_empty() {
                continue;
            }
            let output = matches!(rule.subject, Subject::Output(_));
            let reason = match found {
                MatchedRule { lacking, .. } if !lacking.is_empty() => {
                    lacking.values().next().cloned().unwrap_or_default()
                }
                MatchedRule { about_changes: true, .. } => "about changes, and no plan was made".to_owned(),
                MatchedRule { matched: false, .. } if output => "no such output".to_owned(),
                MatchedRule { matched: false, .. } => "no matching resources".to_owned(),
                MatchedRule { acts: false, remains: false, .. } if rule.actions.is_empty() => {
                    "the matching resources are only destroyed".to_owned()
                }
                MatchedRule { acts: false, .. } if rule.actions.is_empty() => {
                    "nothing is planned for the matching resources".to_owned()
                }
                MatchedRule { acts: false, .. } => "no matching resource has one of its actions".to_owned(),
                found => match found.absent.keys().next() {
                    Some(absent) => format!("no matching type has an attribute `{}`", absent.attribute),
                    None => "nothing to test".to_owned(),
                },
            };
            let (name, position) = (rule.name.clone(), rule.position);
            let words = format!("{name:?}");
            unmatched.push(Unmatched {
                kind: UnmatchedKind::Rule,
                name,
                words,
                address: None,
                reason,
                position,
            });
        }
        for (index, skip) in self.rules.skips.iter().enumerate() {
            if !self.skipped.contains(&index) && !self.rules.is_expired(skip) {
                let reason = match &skip.named.rule {
                    Some(rule) if skip.rules.len() == 1 => {
                        format!("it matches nothing that rule `{rule}` speaks of")
                    }
                    _ => "it matches nothing that its rules speak of".to_owned(),
                };
                let words = skip.named.words();
                let name = match &skip.named {
                    SkippedNames { rule: Some(rule), ids, tags } if ids.is_empty() && tags.is_empty() => {
                        rule.clone()
                    }
                    _ => words.clone(),
                };
                let (position, address) = (skip.position, Some(skip.address.to_string()));
                unmatched.push(Unmatched {
                    kind: UnmatchedKind::Skip,
                    name,
                    words,
                    address,
                    reason,
                    position,
                });
            }
        }
        unmatched.extend(self.patterns.iter().cloned());
        unmatched
    }

    /// Notes on the rules and skips that matched nothing, and on types that lack an attribute.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut by_reason: BTreeMap<(UnmatchedKind, String), Vec<String>> = BTreeMap::new();
        for Unmatched { kind, name, address, reason, position, .. } in self.unmatched() {
            let place = format!("{}:{}", file_name(self.rules.source.file(position)), position.line);
            by_reason.entry((kind, reason)).or_default().push(match address {
                Some(pattern) if kind == UnmatchedKind::Pattern => {
                    format!("{pattern:?} of rule {name} ({place})")
                }
                Some(address) => format!("{name} at {address} ({place})"),
                None => name,
            });
        }
        let mut notes: Vec<String> = Vec::new();
        if self.rules.left_out > 0 {
            let noun = if self.rules.left_out == 1 { "rule is" } else { "rules are" };
            notes.push(format!("{} {noun} left out (--select, --skip-rules)", self.rules.left_out));
        }
        for ((kind, reason), names) in by_reason {
            let what = match (kind, names.len()) {
                (UnmatchedKind::Rule, 1) => "rule",
                (UnmatchedKind::Rule, _) => "rules",
                (UnmatchedKind::Skip, 1) => "skip of rule",
                (UnmatchedKind::Skip, _) => "skips of rules",
                (UnmatchedKind::Pattern, 1) => "pattern",
                (UnmatchedKind::Pattern, _) => "patterns",
            };
            notes.push(format!("{reason}: {what} {}", names.join(", ")));
        }
        for (index, found) in self.found.iter().filter(|(_, found)| found.answered) {
            let Some(rule) = self.rules.rules.get(*index) else { continue };
            for (absent, types) in &found.absent {
                let shown: Vec<&str> = types.iter().take(NAMED).map(String::as_str).collect();
                let more = match types.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                notes.push(format!(
                    "rule {} passes over types without an attribute `{}`: {}{more}",
                    rule.name,
                    absent.attribute,
                    shown.join(", "),
                ));
            }
        }
        notes
    }

    /// Warnings about likely mistakes: types that do not exist, actions that cannot occur, paths that no resource has.
    pub(super) fn warnings(&self, plan: &Plan, schemas: &ProviderSchemas) -> Vec<(Position, String)> {
        let (mut warnings, types) = (Vec::new(), TypeNames::new(plan, schemas));
        for rule in &self.rules.rules {
            let Subject::Resource(patterns) = &rule.subject else { continue };
            for pattern in patterns {
                if let Some(meant) = types.suggested(pattern) {
                    let name = pattern.type_name();
                    warnings.push((
                        rule.position,
                        format!("the plan has no `{name}`; the nearest type is `{meant}`"),
                    ));
                }
                let never = rule.actions.iter().filter(|action| match pattern.mode() {
                    Mode::Data => !action.is_of_data(),
                    _ => !action.is_of_resources(),
                });
                for action in never {
                    let what = if pattern.mode() == Mode::Data { "data sources" } else { "resources" };
                    warnings
                        .push((rule.position, format!("{what} never have the action `{}`", action.name())));
                }
            }
        }
        let tests = self.rules.rules.iter().flat_map(|rule| &rule.tests);
        let nowhere = tests
            .filter(|test| self.missing.contains(&test.position) && !self.exists.contains(&test.position));
        warnings.extend(nowhere.map(|test| {
            let path = test.path.clone().unwrap_or_default();
            (test.position, format!("no resource of the plan has a value at {path}: it counts as null"))
        }));
        warnings
    }
}
