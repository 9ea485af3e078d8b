//! What a reader should know beside the answers: of the inputs, and of rules that had nothing to say.

use std::collections::{BTreeMap, BTreeSet};

use super::prepared_rule::Absent;
use super::{CheckOptions, type_suggestion};
use crate::plan::knowledge::Planned;
use crate::plan::report::{Unmatched, UnmatchedKind};
use crate::plan::rules::rules_file::{RulesFile, Subject};
use crate::plan::source::Position;
use crate::plan::{CheckStatus, Mode, Plan, ResourceChange};
use crate::schema::ProviderSchemas;

/// How many types a note names.
const NAMED: usize = 5;

/// What is worth knowing of the plan, the schemas and the configuration.
pub(super) fn of_inputs(plan: &Plan, against: &CheckOptions, hidden: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if hidden > 0 {
        notes.push(format!(
            "the plan does not say what is sensitive: the values of {} are not shown (--schemas, or --show-values)",
            if hidden == 1 { "1 resource".to_owned() } else { format!("{hidden} resources") },
        ));
    }
    if against.configuration.is_some() && against.schemas.providers.is_empty() {
        notes.push("without schemas the configuration says nothing (--schemas)".to_owned());
    }
    if let Some(first) = plan.notes.first() {
        notes.push(format!(
            "the plan does not fit the schemas in {} {}, first {}.{}: {}",
            plan.notes.len(),
            if plan.notes.len() == 1 { "place" } else { "places" },
            first.address,
            first.path,
            first.message,
        ));
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

/// Warnings about assumptions that no resource matches.
pub(super) fn assumptions(
    unmatched: &[Position],
    rules: &RulesFile,
    plan: &Plan,
    schemas: &ProviderSchemas,
    resources: &[Planned<'_>],
) -> Vec<(Position, String)> {
    let message = |target| {
        let meant = type_suggestion::meant(target, plan, schemas);
        let nearest = meant.map_or_else(String::new, |name| format!("; the nearest type is `{name}`"));
        format!("no resource of the plan matches this assumption{nearest}")
    };
    let mut warnings = Vec::new();
    for stated in rules.assumptions.iter().filter(|stated| unmatched.contains(&stated.position)) {
        warnings.push((stated.position, message(&stated.assumption.target)));
    }
    for stated in &rules.forces_new {
        if !resources.iter().any(|resource| stated.target.matches(resource.change)) {
            warnings.push((stated.position, message(&stated.target)));
        }
    }
    warnings
}

/// Collects what rules, skips and tests found to speak of.
pub(super) struct Unmet<'r> {
    rules: &'r RulesFile,
    /// By the position of a rule in the file.
    found: BTreeMap<usize, Found>,
    /// Skips that matched a resource, by position in the file.
    skipped: BTreeSet<usize>,
    exists: BTreeSet<Position>,
    /// Tests whose path leads to no attribute or key of some resource.
    missing: BTreeSet<Position>,
}

/// What one rule found.
#[derive(Default)]
struct Found {
    matched: bool,
    acts: bool,
    answered: bool,
    /// The attributes that types lack, with these types.
    absent: BTreeMap<Absent, BTreeSet<String>>,
}

impl<'r> Unmet<'r> {
    pub(super) fn of(rules: &'r RulesFile) -> Unmet<'r> {
        Unmet {
            rules,
            found: BTreeMap::new(),
            skipped: BTreeSet::new(),
            exists: BTreeSet::new(),
            missing: BTreeSet::new(),
        }
    }

    /// A rule matches a resource, whose change has one of its actions or has not.
    pub(super) fn matched(&mut self, rule: usize, acts: bool) {
        let found = self.found.entry(rule).or_default();
        found.matched = true;
        found.acts |= acts;
    }

    pub(super) fn answered(&mut self, rule: usize) {
        self.found.entry(rule).or_default().answered = true;
    }

    pub(super) fn skipped(&mut self, skip: usize) {
        self.skipped.insert(skip);
    }

    /// The type of a resource has none of these attributes.
    pub(super) fn absent(&mut self, rule: usize, change: &ResourceChange, absent: &[Absent]) {
        if absent.is_empty() {
            return;
        }
        let found = self.found.entry(rule).or_default();
        for absent in absent {
            let types = found.absent.entry(absent.clone()).or_default();
            if !types.contains(&change.type_name) {
                types.insert(change.type_name.clone());
            }
        }
    }

    /// Where tests found an element, and where they did not.
    pub(super) fn places(&mut self, exists: Vec<Position>, missing: Vec<Position>) {
        self.exists.extend(exists);
        self.missing.extend(missing);
    }

    /// Adds what was found of other resources.
    pub(super) fn add(&mut self, other: Unmet<'r>) {
        for (rule, more) in other.found {
            let found = self.found.entry(rule).or_default();
            found.matched |= more.matched;
            found.acts |= more.acts;
            found.answered |= more.answered;
            for (absent, types) in more.absent {
                found.absent.entry(absent).or_default().extend(types);
            }
        }
        self.skipped.extend(other.skipped);
        self.exists.extend(other.exists);
        self.missing.extend(other.missing);
    }

    /// The rules and skips that nothing in the plan is about.
    pub(super) fn unmatched(&self) -> Vec<Unmatched> {
        let mut unmatched = Vec::new();
        let nothing = Found::default();
        for (index, rule) in self.rules.rules.iter().enumerate() {
            let found = self.found.get(&index).unwrap_or(&nothing);
            if found.answered {
                continue;
            }
            let output = matches!(rule.subject, Subject::Output(_));
            let reason = match found {
                Found { matched: false, .. } if output => "no such output".to_owned(),
                Found { matched: false, .. } => "no matching resources".to_owned(),
                Found { acts: false, .. } if rule.actions.is_empty() => {
                    "the matching resources are only destroyed".to_owned()
                }
                Found { acts: false, .. } => "no matching resource has one of its actions".to_owned(),
                found => match found.absent.keys().next() {
                    Some(absent) => format!("no matching type has an attribute `{}`", absent.attribute),
                    None => "nothing to test".to_owned(),
                },
            };
            let (name, position) = (rule.name.clone(), rule.position);
            unmatched.push(Unmatched { kind: UnmatchedKind::Rule, name, reason, position });
        }
        for (index, skip) in self.rules.skips.iter().enumerate() {
            if !self.skipped.contains(&index) {
                let reason = format!("it matches nothing that rule `{}` speaks of", skip.rule);
                let (name, position) = (skip.rule.clone(), skip.position);
                unmatched.push(Unmatched { kind: UnmatchedKind::Skip, name, reason, position });
            }
        }
        unmatched
    }

    /// Notes about what was passed over.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut by_reason: BTreeMap<(UnmatchedKind, String), Vec<String>> = BTreeMap::new();
        for Unmatched { kind, name, reason, .. } in self.unmatched() {
            by_reason.entry((kind, reason)).or_default().push(name);
        }
        let mut notes: Vec<String> = Vec::new();
        for ((kind, reason), names) in by_reason {
            let what = match (kind, names.len()) {
                (UnmatchedKind::Rule, 1) => "rule",
                (UnmatchedKind::Rule, _) => "rules",
                (UnmatchedKind::Skip, 1) => "skip of rule",
                (UnmatchedKind::Skip, _) => "skips of rules",
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

    /// Warnings: rules for types that nothing has, actions that cannot occur, places that no resource has.
    pub(super) fn warnings(&self, plan: &Plan, schemas: &ProviderSchemas) -> Vec<(Position, String)> {
        let mut warnings = Vec::new();
        for rule in &self.rules.rules {
            let Subject::Resource(pattern) = &rule.subject else { continue };
            if let Some(meant) = type_suggestion::meant(pattern, plan, schemas) {
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
                warnings.push((rule.position, format!("{what} never have the action `{}`", action.name())));
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
