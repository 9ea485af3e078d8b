//! The rules of a rules file, prepared once for all resources of one type.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::operands::{attributes, operands};
use crate::plan::ResourceChange;
use crate::plan::address::PatternIndex;
use crate::plan::checking::compiled_test::CompiledTest;
use crate::plan::rules::on_null::OnNull;
use crate::plan::rules::rules_file::{NamedRule, RulesFile, Subject, Test};
use plantime::rule::{ExprStep, PathExpr, Rule};
use plantime::source::Position;
use plantime::unstable::rule::path_by_keys;
use plantime::{Error, Type};

/// A rule prepared for one resource type: its paths are checked against the declared type.
pub(super) struct PreparedRule<'r> {
    pub(super) named: &'r NamedRule,
    /// The name, which all answers share.
    pub(super) name: Arc<str>,
    /// The names of the attributes that the rule reads.
    pub(super) attributes: BTreeSet<String>,
    /// The condition (`when`) under which the rule applies.
    pub(super) guard: Option<Rule>,
    pub(super) tests: Vec<PreparedTest<'r>>,
    /// The attributes that tests or the guard are about and that the type does not have.
    pub(super) absent: Vec<AbsentAttribute>,
    /// The places of the rule that the type does not have: a mistake, or of another version of the provider. The rule is not asked.
    pub(super) lacking: Vec<(Position, String)>,
    /// Mistakes in the rule: a test that cannot read the type at its path.
    pub(super) problems: Vec<(Position, String)>,
}

impl PreparedRule<'_> {
    /// Adds an error of the declared type at a position.
    fn add_problem(&mut self, position: Position, error: &Error) {
        let problems = if error.is_not_found() { &mut self.lacking } else { &mut self.problems };
        problems.push((position, error.to_string()));
    }

    /// Whether the rule has nothing to do on this type: no test to evaluate and no problem to report.
    pub(super) fn is_idle(&self) -> bool {
        self.tests.is_empty() && self.problems.is_empty() && self.lacking.is_empty()
    }
}

/// An attribute that a rule about several types reads, and that one of these types does not have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AbsentAttribute {
    pub(super) attribute: String,
}

/// A test prepared for one resource type.
pub(super) struct PreparedTest<'r> {
    pub(super) test: &'r Test,
    pub(super) compiled: CompiledTest,
    /// The paths that a test of the whole value reads.
    pub(super) operands: Vec<PathExpr>,
    claims: Claims,
    /// The rule of the test without the members that are passed over; `None` if there are none.
    members: Option<Rule>,
}

/// Cached claims: the test in words, for each type of tested value. The places of a test have few types.
type Claims = RefCell<Vec<(Type, Arc<str>)>>;

/// The maximum number of types whose claims a test caches.
const TYPES: usize = 8;

impl PreparedTest<'_> {
    /// The claim of the test in words, for a value of this type. The claim of a test of the whole value begins with `value`.
    pub(super) fn claim(&self, ty: &Type) -> Arc<str> {
        let mut claims = self.claims.borrow_mut();
        if let Some((_, claim)) = claims.iter().find(|(known, _)| known == ty) {
            return Arc::clone(claim);
        }
        let test = self.test;
        let words = || match (&test.same_as, &test.assertion) {
            (Some(place), _) => format!("is the same as {place}"),
            (None, Some(assertion)) => assertion.condition.one_line(),
            (None, None) => self.members.as_ref().unwrap_or(&test.rule).describe_for(ty),
        };
        let claim = test.description.clone().unwrap_or_else(words);
        let is_whole = test.path.is_none()
            && test.assertion.is_none()
            && !test.is_denial()
            && operands(&test.rule).is_empty();
        let claim: Arc<str> = if is_whole { format!("value {claim}").into() } else { claim.into() };
        if claims.len() < TYPES {
            claims.push((ty.clone(), Arc::clone(&claim)));
        }
        claim
    }
}

/// The rules about the resource type of a change, with their indexes in the file, prepared for its declared type.
pub(super) fn rules_about<'r>(
    change: &ResourceChange,
    (rules, by_type): (&'r RulesFile, &RulesByType),
    declared: &Type,
) -> RulesOfType<'r> {
    let candidates = by_type.candidates(change).into_iter();
    let named = candidates.filter_map(|index| Some((index, rules.rules.get(index)?)));
    let of_type = named.filter(|(_, rule)| rule.subject.matches_type(change));
    let rules = of_type.map(|(index, rule)| {
        let several = rule.subject.names_no_type_of(change);
        (index, prepare_rule(rule, declared, several, rules.on_null))
    });
    RulesOfType::new(rules.collect())
}

/// The rules about resources, by the types that they may be about.
#[derive(Default)]
pub(super) struct RulesByType {
    /// The positions of the rules about one type, by its name.
    literal: HashMap<String, Vec<usize>>,
    /// The positions of those about types with a wildcard.
    others: Vec<usize>,
}

impl RulesByType {
    /// The rules of a file by type.
    pub(super) fn new(rules: &RulesFile) -> RulesByType {
        let mut by_type = RulesByType::default();
        for (index, rule) in rules.rules.iter().enumerate() {
            let Subject::Resource(patterns) = &rule.subject else { continue };
            for pattern in patterns {
                match pattern.type_name().contains('*') {
                    true => by_type.others.push(index),
                    false => by_type.literal.entry(pattern.type_name().to_owned()).or_default().push(index),
                }
            }
        }
        by_type
    }

    /// The positions of the rules that may be about the type of a resource, in ascending order.
    fn candidates(&self, change: &ResourceChange) -> Vec<usize> {
        let of_type = self.literal.get(&*change.type_name).into_iter().flatten();
        let mut all: Vec<usize> = of_type.chain(&self.others).copied().collect();
        all.sort_unstable();
        // A rule may have several patterns.
        all.dedup();
        all
    }
}

/// The rules about one type, prepared, each with its position in the file.
pub(super) struct RulesOfType<'r> {
    rules: Vec<(usize, PreparedRule<'r>)>,
    /// The rules by the resources that they may match, by their position in `rules`.
    index: PatternIndex,
}

impl<'r> RulesOfType<'r> {
    fn new(rules: Vec<(usize, PreparedRule<'r>)>) -> RulesOfType<'r> {
        let patterns = rules.iter().enumerate().flat_map(|(at, (_, rule))| {
            let patterns = match &rule.named.subject {
                Subject::Resource(patterns) => patterns.as_slice(),
                _ => &[],
            };
            patterns.iter().map(move |pattern| (at, pattern))
        });
        let index = PatternIndex::new(patterns);
        RulesOfType { rules, index }
    }

    /// The rules that match a resource, in the order of the file.
    pub(super) fn matching(
        &self,
        change: &ResourceChange,
    ) -> impl Iterator<Item = &(usize, PreparedRule<'r>)> {
        let candidates = self.index.candidates(change).into_iter();
        let rules = candidates.filter_map(|at| self.rules.get(at));
        rules.filter(move |(_, rule)| rule.named.subject.matches(change))
    }
}

/// Prepares a rule for values of a declared type. A step by name into a `dynamic` value is read as a map key, which
/// may be missing. With `several`, only a wildcard leads to the type, which may lack what the rule is about. `on_null` is the file's
/// setting for nulls.
pub(super) fn prepare_rule<'r>(
    named: &'r NamedRule,
    declared: &Type,
    several: bool,
    on_null: OnNull,
) -> PreparedRule<'r> {
    let several = several || named.optional;
    let mut rule = PreparedRule {
        named,
        name: named.name.as_str().into(),
        attributes: attributes(named),
        guard: None,
        tests: Vec::new(),
        absent: Vec::new(),
        lacking: Vec::new(),
        problems: Vec::new(),
    };
    if let Some((position, attribute, error)) = attribute_lacking_in_conditions(named, declared) {
        match several {
            true => rule.absent.push(AbsentAttribute { attribute }),
            false => rule.add_problem(position, &error),
        }
        return rule;
    }
    if let Some(guard) = &named.guard {
        if let Some(absent) = absent_attribute(&operands(guard), declared).filter(|_| several) {
            rule.absent.push(absent);
            return rule;
        }
        match CompiledTest::new(None, guard, declared, several, OnNull::Pass) {
            Ok(guard) => rule.guard = Some(guard.rule),
            Err(error) => {
                rule.add_problem(named.position, &error);
                return rule;
            }
        }
    }
    for test in &named.tests {
        match prepare_test(test, declared, several, on_null) {
            Ok((test, absent)) => {
                rule.tests.push(test);
                rule.absent.extend(absent);
            }
            Err(Unprepared::Absent(absent)) => rule.absent.push(absent),
            Err(Unprepared::Problem(error)) => rule.add_problem(test.position, &error),
        }
    }
    rule
}

/// The first attribute of the subject that a condition names and that the type does not have, with its place and the error.
fn attribute_lacking_in_conditions(named: &NamedRule, declared: &Type) -> Option<(Position, String, Error)> {
    let messages = named.tests.iter().filter_map(|test| Some(&test.assertion.as_ref()?.error_message));
    let mut conditions = named.conditions.iter().chain(named.locals.values()).chain(messages);
    conditions.find_map(|condition| {
        condition.subject_attributes().into_iter().find_map(|(attribute, position)| {
            let path = path_by_keys(
                &PathExpr::from_steps([ExprStep::Attr(attribute.as_str().into())]).ok()?,
                declared,
                false,
            );
            let error = path.check_type(declared).err().filter(|error| error.is_not_found())?;
            Some((position, attribute, error))
        })
    })
}

/// Why a test cannot be evaluated on values of a type: a missing attribute, or a mistake in the rule.
enum Unprepared {
    Absent(AbsentAttribute),
    Problem(Error),
}

/// Prepares one test for values of a declared type. With `several`, the rule is about several types, so a missing
/// attribute is no mistake. `default` is the rule's setting for nulls.
fn prepare_test<'r>(
    test: &'r Test,
    declared: &Type,
    several: bool,
    default: OnNull,
) -> Result<(PreparedTest<'r>, Vec<AbsentAttribute>), Unprepared> {
    let mut passed_over = Vec::new();
    let members = match &test.path {
        None if several => without_absent_members(&test.rule, declared, &mut passed_over),
        _ => None,
    };
    let rule = members.as_ref().unwrap_or(&test.rule);
    let operands = if test.path.is_none() { operands(rule) } else { Vec::new() };
    let absent = match &test.path {
        _ if !several => None,
        None => absent_attribute(&operands, declared),
        Some(path) => {
            absent_attribute(std::slice::from_ref(path), declared).filter(|_| top_level_name(path).is_some())
        }
    };
    if let Some(absent) = absent {
        return Err(Unprepared::Absent(absent));
    }
    let on_null = test.null.unwrap_or(default);
    let compiled = CompiledTest::new(test.path.as_ref(), rule, declared, several, on_null)
        .map_err(Unprepared::Problem)?;
    let operands = operands.iter().map(|path| path_by_keys(path, declared, several)).collect();
    Ok((PreparedTest { test, compiled, operands, claims: Claims::default(), members }, passed_over))
}

/// The rule without the members of `all` and `sequence` that are about attributes which the declared type does not have: as rows of
/// their own they would be passed over. Adds these attributes to `absent`. `None` if all members stay, or none does.
fn without_absent_members(rule: &Rule, declared: &Type, absent: &mut Vec<AbsentAttribute>) -> Option<Rule> {
    let (Rule::All(members) | Rule::Sequence(members)) = rule else { return None };
    let mut found = Vec::new();
    let mut kept = Vec::new();
    let mut changed = false;
    for member in members.iter() {
        if let Some(absent) = absent_attribute(&operands(member), declared) {
            found.push(absent);
            changed = true;
            continue;
        }
        let inner = without_absent_members(member, declared, &mut found);
        changed |= inner.is_some();
        kept.push(inner.unwrap_or_else(|| member.clone()));
    }
    if !changed || kept.is_empty() {
        return None;
    }
    let built = if matches!(rule, Rule::All(_)) { Rule::all(kept) } else { Rule::sequence(kept) };
    absent.extend(found);
    built.ok()
}

/// The first attribute that the `places` begin with, if the declared type has none of these attributes; else `None`.
fn absent_attribute(places: &[PathExpr], declared: &Type) -> Option<AbsentAttribute> {
    let absent = |path: &PathExpr| {
        path_by_keys(path, declared, false).check_type(declared).is_err_and(|error| error.is_not_found())
    };
    let first = places.first()?;
    places
        .iter()
        .all(absent)
        .then(|| AbsentAttribute { attribute: top_level_name(first).unwrap_or_default().to_owned() })
}

/// The name of the top-level attribute that a path begins with; `None` if it does not begin with a name.
pub(in crate::plan) fn top_level_name(path: &PathExpr) -> Option<&str> {
    match path.steps().first() {
        Some(ExprStep::Attr(name) | ExprStep::Key(name)) => Some(name),
        _ => None,
    }
}
