//! The resource types that patterns in conditions name, such as that of `resources("aws_vpc")`: one that nothing knows is misspelt, and
//! a condition about all of nothing would pass in silence.

use std::collections::{BTreeMap, BTreeSet};

use super::CheckOptions;
use super::type_suggestion::known_types;
use crate::plan::address::AddressPattern;
use crate::plan::condition::{Condition, Locals, PlanFacts};
use crate::plan::report::{Unmatched, UnmatchedKind};
use crate::plan::rules::rules_file::NamedRule;
use crate::plan::{Mode, Plan};
use plantime::source::Position;
use plantime::unstable::text::nearest;
use plantime::{Value, View};
use plantime_hcl::{Expression, Reference, ReferenceKey};

/// A pattern of a rule whose type nothing knows.
pub(super) struct NamedType {
    /// The index of the rule.
    rule: usize,
    pattern: String,
    position: Position,
    message: String,
    /// Whether the schemas of the provider are there, and have a type of nearly this name.
    is_refused: bool,
}

/// The patterns in conditions whose resource type neither the plan, its configuration, the schemas nor a catalogue has.
pub(super) struct NamedTypes(Vec<NamedType>);

impl NamedTypes {
    /// `facts` is what conditions see; without it there are none.
    pub(super) fn new(plan: &Plan, against: &CheckOptions, facts: Option<&PlanFacts>) -> NamedTypes {
        let Some(facts) = facts else { return NamedTypes(Vec::new()) };
        let mut known: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let mut found = Vec::new();
        for (index, rule) in against.rules.rules.iter().enumerate() {
            for (pattern, position) in patterns_of(rule, &against.rules.locals, facts) {
                let Ok(parsed) = pattern.parse::<AddressPattern>() else { continue };
                let mode = parsed.mode();
                let types =
                    known.entry(mode.prefix()).or_insert_with(|| all_types(mode, plan, against, facts));
                let name = parsed.type_name();
                if name.contains('*') || types.contains(name) {
                    continue;
                }
                let near = nearest(name, types.iter().map(String::as_str));
                let is_refused = near.is_some() && has_provider(name, mode, against);
                let hint = near.map_or_else(String::new, |near| format!("; the nearest type is `{near}`"));
                let message = match is_refused {
                    true => format!("the schemas have no type `{name}`{hint}"),
                    false => format!("nothing in the plan is a `{name}`{hint}"),
                };
                found.push(NamedType { rule: index, pattern, position, message, is_refused });
            }
        }
        NamedTypes(found)
    }

    /// The patterns for which a rule is not asked, with what is wrong.
    pub(super) fn refused(&self, rule: usize) -> impl Iterator<Item = (Position, &str)> {
        let of_rule = self.0.iter().filter(move |one| one.rule == rule && one.is_refused);
        of_rule.map(|one| (one.position, one.message.as_str()))
    }

    /// The patterns of rules that are asked, which match nothing. `is_asked` says whether the rule with an index is; `name` is its name.
    pub(super) fn unmatched<'n>(
        &self,
        asked: &BTreeSet<String>,
        name: &dyn Fn(usize) -> &'n str,
    ) -> Vec<Unmatched> {
        let mut places: BTreeSet<(Position, &str)> = BTreeSet::new();
        let all = self.0.iter().filter(|one| !one.is_refused && asked.contains(name(one.rule)));
        let all = all.filter(|one| places.insert((one.position, &one.pattern)));
        all.map(|one| Unmatched {
            kind: UnmatchedKind::Pattern,
            name: name(one.rule).to_owned(),
            words: format!("{:?} in rule {:?}", one.pattern, name(one.rule)),
            address: Some(one.pattern.clone()),
            reason: one.message.clone(),
            position: one.position,
        })
        .collect()
    }
}

/// The resource types of a mode (managed or data) that the plan, its configuration, the schemas or a catalogue has.
fn all_types(mode: Mode, plan: &Plan, against: &CheckOptions, facts: &PlanFacts) -> BTreeSet<String> {
    let mut all: BTreeSet<String> =
        known_types(mode, plan, &against.schemas).into_iter().map(str::to_owned).collect();
    all.extend(facts.configured_types(mode).map(str::to_owned));
    if mode == Mode::Managed {
        all.extend(against.facts.catalogues.iter().flat_map(|catalogue| catalogue.types()));
    }
    all
}

/// Whether the schemas of the provider of a type are there: of one with types that begin with the same word.
fn has_provider(name: &str, mode: Mode, against: &CheckOptions) -> bool {
    let Some((word, _)) = name.split_once('_') else { return false };
    let is_of = |ty: &str| ty.split_once('_').is_some_and(|(first, _)| first == word);
    against.schemas.providers.values().any(|provider| match mode {
        Mode::Data => provider.data_source_types().any(is_of),
        _ => provider.resource_types().any(is_of),
    })
}

/// The constant patterns of resources in the conditions of a rule, its messages, and the locals that these use.
fn patterns_of(rule: &NamedRule, file: &Locals, facts: &PlanFacts) -> Vec<(String, Position)> {
    let messages = rule.tests.iter().filter_map(|test| Some(&test.assertion.as_ref()?.error_message));
    let mut todo: Vec<&Condition> = rule.conditions.iter().chain(&rule.for_each).chain(messages).collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut found = Vec::new();
    while let Some(condition) = todo.pop() {
        for call in condition.expression.calls() {
            let at = match &*call.name {
                "resources" | "changes" => 0,
                "referrers" | "referents" => 1,
                _ => continue,
            };
            if let (Some(pattern), false) = (call.arguments.get(at), call.expands) {
                add_texts(pattern, (rule, file, facts), LOCALS, &mut found);
            }
        }
        for name in condition.expression.references().into_iter().filter_map(local_name) {
            if seen.insert(name.to_owned()) {
                todo.extend(rule.locals.get(name).or_else(|| file.get(name)));
            }
        }
    }
    found
}

/// The maximum number of locals that are followed from a pattern.
const LOCALS: usize = 16;

/// Adds the texts that an expression stands for, each with its place.
fn add_texts(
    expression: &Expression,
    (rule, file, facts): (&NamedRule, &Locals, &PlanFacts),
    depth: usize,
    found: &mut Vec<(String, Position)>,
) {
    let position = expression.source().position(expression.span().start);
    if let Some(items) = expression.items() {
        for item in items {
            add_texts(&item, (rule, file, facts), depth, found);
        }
    } else if let Some(literal) = expression.as_literal() {
        add_known(&literal, position, found);
    } else if let Some(reference) = expression.as_reference() {
        if let (Some(name), Some(depth)) = (local_name(reference), depth.checked_sub(1)) {
            if let Some(local) = rule.locals.get(name).or_else(|| file.get(name)) {
                add_texts(&local.expression, (rule, file, facts), depth, found);
            }
        } else if reference.root() == "var"
            && let [step] = reference.steps()
            && let ReferenceKey::Attribute(name) = step.key()
            && let Some(value) = facts.parameter(name)
        {
            add_known(value, position, found);
        }
    }
}

/// Adds the texts in a known value.
fn add_known(value: &Value, position: Position, found: &mut Vec<(String, Position)>) {
    let mut add = |value: &Value| found.extend(value.as_str().ok().map(|text| (text.to_owned(), position)));
    match value.view() {
        View::List(all) => all.iter().for_each(add),
        View::Tuple(all) => all.iter().for_each(add),
        View::Set(all) => all.iter().for_each(add),
        _ => add(value),
    }
}

/// The name of the local that a reference is, or begins with.
fn local_name(reference: &Reference) -> Option<&str> {
    let step = reference.steps().first().filter(|_| reference.root() == "local")?;
    match step.key() {
        ReferenceKey::Attribute(name) => Some(name),
        ReferenceKey::Index(_) => None,
    }
}
