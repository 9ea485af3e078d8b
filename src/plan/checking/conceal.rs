//! Answers that name no part of a marked container.
//!
//! How many parts it has, under which keys, and which of them fails or is unknown is its content (law L5).

use super::readings::NOT_SAID;
use crate::path::Path;
use crate::rule::{Diagnostic, Diagnostics, ExprStep, Misuse, Outcome, PathExpr, Rule, Severity, Why};
use crate::value::Value;

/// What is said of a failure in a marked container.
const FAILURE: &str = "a part of the sensitive value does not satisfy the rule";

/// The outcome of a rule on a value, or on a part of it. Where a reason named a part of a marked container, all of the rule
/// is left to show.
pub(in crate::plan) fn outcome(outcome: Outcome, value: &Value, rule: &Rule) -> Outcome {
    if !value.contains_marks() {
        return outcome;
    }
    let looks = looks(rule, value);
    match outcome {
        Outcome::Pass => Outcome::Pass,
        Outcome::Fail(diagnostics) if looks == Looks::Inside => {
            // Which of the parts are there decides the words of a rule about several of them, and which is to blame.
            let place = match is_about_several(rule) {
                true => Path::new(),
                false => common_place(&diagnostics, value),
            };
            let severity = if diagnostics.has_error() { Severity::Error } else { Severity::Warning };
            Outcome::Fail(std::iter::once(about(place, severity)).collect())
        }
        Outcome::Fail(diagnostics) => {
            let mut told: Vec<Diagnostic> = Vec::new();
            for one in diagnostics.iter() {
                let one = match marked_above(value, &one.path) {
                    Some(container) => about(container, one.severity),
                    None => one.clone(),
                };
                if !told.contains(&one) {
                    told.push(one);
                }
            }
            Outcome::Fail(told.into_iter().collect())
        }
        // What is left of a rule about several values, and what that waits for, tells what the others are.
        Outcome::Undetermined(_)
            if looks != Looks::Elsewhere
                && is_about_several(rule)
                && !(looks == Looks::At && is_told_by_verdict(rule)) =>
        {
            Outcome::Undetermined(Why::new(unknown_operands(rule, value)).with_obligation(rule.clone()))
        }
        Outcome::Undetermined(why) => {
            let own = |input: &Path| marked_above(value, input).unwrap_or_else(|| input.clone());
            let inputs: Vec<Path> = why.inputs().iter().map(own).collect();
            if inputs == why.inputs() {
                Outcome::Undetermined(why)
            } else {
                Outcome::Undetermined(Why::new(inputs).with_obligation(rule.clone()))
            }
        }
    }
}

/// Whether a rule looks at what is marked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Looks {
    Elsewhere,
    /// At something marked.
    At,
    /// Into a marked container.
    Inside,
}

fn looks(rule: &Rule, value: &Value) -> Looks {
    let is_marked = |steps: &[ExprStep]| {
        let found = PathExpr::from_steps(steps.iter().cloned()).and_then(|path| path.matches(value));
        found.is_ok_and(|found| found.iter().any(|found| found.value.is_marked()))
    };
    let looks = |path: PathExpr| {
        let marked = (1..=path.steps().len()).find(|count| path.steps().get(..*count).is_some_and(is_marked));
        match marked {
            None => Looks::Elsewhere,
            Some(count) if count < path.steps().len() => Looks::Inside,
            Some(_) => Looks::At,
        }
    };
    looked_at(rule, &PathExpr::new()).into_iter().map(looks).max().unwrap_or(Looks::Elsewhere)
}

/// Whether a rule is made of several, or looks at several places.
fn is_about_several(rule: &Rule) -> bool {
    looked_at(rule, &PathExpr::new()).len() > 1
}

/// Whether an undetermined answer by itself tells what each part that is decided gave: of alternatives each on one place,
/// none can have passed, and of rules that must all hold, none failed.
fn is_told_by_verdict(rule: &Rule) -> bool {
    fn is_on_one_place(rule: &Rule) -> bool {
        match rule {
            Rule::At(_, rule) | Rule::Not(rule) => is_on_one_place(rule),
            Rule::All(_) | Rule::Any(_) | Rule::Sequence(_) | Rule::Implies(..) | Rule::When(..) => false,
            rule => rule.operands().is_empty(),
        }
    }
    match rule {
        Rule::All(rules) | Rule::Any(rules) => rules.iter().all(is_on_one_place),
        _ => false,
    }
}

/// The places that a rule looks at, from the value that it is checked on. Rules nest no deeper than the crate's limit.
fn looked_at(rule: &Rule, from: &PathExpr) -> Vec<PathExpr> {
    let below = |path: &PathExpr| PathExpr::from_steps(from.steps().iter().chain(path.steps()).cloned()).ok();
    match rule {
        Rule::At(path, rule) => {
            let Some(place) = below(path) else { return Vec::new() };
            let inside = looked_at(rule, &place);
            if inside.is_empty() { vec![place] } else { inside }
        }
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
            rules.iter().flat_map(|rule| looked_at(rule, from)).collect()
        }
        Rule::Not(rule) => looked_at(rule, from),
        Rule::Implies(a, b) | Rule::When(a, b) => {
            looked_at(a, from).into_iter().chain(looked_at(b, from)).collect()
        }
        rule => {
            let operands: Vec<PathExpr> = rule.operands().into_iter().filter_map(below).collect();
            if operands.is_empty() || from.is_empty() {
                operands
            } else {
                std::iter::once(from.clone()).chain(operands).collect()
            }
        }
    }
}

/// The places that a rule looks at and that are not known, each at the marked container that it may lie in.
fn unknown_operands(rule: &Rule, value: &Value) -> Vec<Path> {
    let mut unknown: Vec<Path> = Vec::new();
    for path in looked_at(rule, &PathExpr::new()) {
        for found in path.matches(value).unwrap_or_default() {
            let container = marked_above(value, &found.path);
            let is_open = container.is_some() || !found.value.is_wholly_known();
            let place = container.unwrap_or(found.path);
            if is_open && !unknown.contains(&place) {
                unknown.push(place);
            }
        }
    }
    unknown
}

/// The marked container that all diagnostics are about, or the value as a whole.
fn common_place(diagnostics: &Diagnostics, value: &Value) -> Path {
    let mut places = diagnostics.iter().map(|one| marked_above(value, &one.path).unwrap_or_default());
    match places.next() {
        Some(first) if places.all(|place| place == first) => first,
        _ => Path::new(),
    }
}

/// The marked container that a place lies in.
pub(super) fn marked_above(value: &Value, place: &Path) -> Option<Path> {
    if !value.contains_marks() {
        return None;
    }
    let prefixes = (0..place.len()).filter_map(|steps| place.steps().get(..steps).map(Path::from));
    prefixes.into_iter().find(|prefix| value.get(prefix).is_ok_and(|part| part.is_marked()))
}

/// The diagnostic for whatever fails in a marked container.
fn about(container: Path, severity: Severity) -> Diagnostic {
    let detail = match container.is_empty() {
        true => format!(
            "{}{}.",
            FAILURE.get(..1).unwrap_or_default().to_uppercase(),
            FAILURE.get(1..).unwrap_or_default()
        ),
        false => format!("Attribute {container}: {FAILURE}."),
    };
    let one = Diagnostic::error("Invalid Attribute Value", detail, container, FAILURE);
    Diagnostic { severity, ..one }
}

/// Removes the note that the kind of an array is not known ([`NOT_SAID`]). For a marked array, whether the note is there
/// would depend on its elements (law L5).
pub(super) fn without_kind_note(answer: Result<Outcome, Misuse>) -> Result<Outcome, Misuse> {
    match answer {
        Ok(Outcome::Undetermined(why)) => Ok(Outcome::Undetermined(why.without_note(NOT_SAID))),
        answer => answer,
    }
}

/// Whether an attribute of a value, or with no name the value itself, is marked somewhere.
pub(super) fn has_marks(value: &Value, attribute: Option<&str>) -> bool {
    let part = attribute.map(|name| value.get(&Path::new().attr(name)));
    value.is_marked()
        || part.map_or_else(|| value.contains_marks(), |part| part.is_ok_and(|part| part.contains_marks()))
}
