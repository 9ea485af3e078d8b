//! Removes from an answer everything that tells of the content of a marked container.
//!
//! The number and keys of its parts, and which of them fail or are unknown, are content (law L5).

use super::readings::KIND_NOT_STATED;
use plantime::rule::{Diagnostic, Diagnostics, ExprStep, Misuse, Outcome, PathExpr, Rule, Severity, Why};
use plantime::{Path, Value};

/// The failure that is reported for a part of a marked container.
const FAILURE: &str = "a part of the sensitive value does not satisfy the rule";

/// The outcome of a rule without anything that reveals the content of a marked container. Where its reason named a
/// part of such a container, the whole rule becomes the obligation.
pub(in crate::plan) fn concealed_outcome(outcome: Outcome, value: &Value, rule: &Rule) -> Outcome {
    if !value.contains_marks() {
        return outcome;
    }
    let access = marked_access(rule, value);
    match outcome {
        Outcome::Pass => Outcome::Pass,
        Outcome::Fail(diagnostics) if access == MarkedAccess::Inside => {
            // The words of a rule about several places, and the place it blames, depend on which parts exist.
            let place = match reads_several_places(rule) {
                true => Path::new(),
                false => common_place(&diagnostics, value),
            };
            let severity = if diagnostics.has_error() { Severity::Error } else { Severity::Warning };
            Outcome::Fail(std::iter::once(concealed_diagnostic(place, severity)).collect())
        }
        Outcome::Fail(diagnostics) => {
            let mut concealed: Vec<Diagnostic> = Vec::new();
            for diagnostic in diagnostics.iter() {
                let diagnostic = match marked_container(value, &diagnostic.path) {
                    Some(container) => concealed_diagnostic(container, diagnostic.severity),
                    None => diagnostic.clone(),
                };
                if !concealed.contains(&diagnostic) {
                    concealed.push(diagnostic);
                }
            }
            Outcome::Fail(concealed.into_iter().collect())
        }
        // The obligation of a rule about several places, and its inputs, tell what the other places hold.
        Outcome::Undetermined(_)
            if access != MarkedAccess::Elsewhere
                && reads_several_places(rule)
                && !(access == MarkedAccess::At && verdict_tells_all(rule)) =>
        {
            Outcome::Undetermined(Why::new(unknown_operands(rule, value)).with_obligation(rule.clone()))
        }
        Outcome::Undetermined(why) => {
            let own = |input: &Path| marked_container(value, input).unwrap_or_else(|| input.clone());
            let inputs: Vec<Path> = why.inputs().iter().map(own).collect();
            if inputs == why.inputs() {
                Outcome::Undetermined(why)
            } else {
                Outcome::Undetermined(Why::new(inputs).with_obligation(rule.clone()))
            }
        }
    }
}

/// How a rule reads marked content: not at all, a marked value as a whole, or parts of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MarkedAccess {
    /// The rule reads nothing that is marked.
    Elsewhere,
    /// The rule reads a marked value as a whole.
    At,
    /// The rule reads parts of a marked container.
    Inside,
}

/// The access of a rule to marked content of a value; of several, the one that reads deepest.
fn marked_access(rule: &Rule, value: &Value) -> MarkedAccess {
    let is_marked = |steps: &[ExprStep]| {
        let found = PathExpr::from_steps(steps.iter().cloned()).and_then(|path| path.matches(value));
        found.is_ok_and(|found| found.iter().any(|found| found.value.is_marked()))
    };
    let access = |path: PathExpr| {
        let marked = (1..=path.steps().len()).find(|count| path.steps().get(..*count).is_some_and(is_marked));
        match marked {
            None => MarkedAccess::Elsewhere,
            Some(count) if count < path.steps().len() => MarkedAccess::Inside,
            Some(_) => MarkedAccess::At,
        }
    };
    read_places(rule, &PathExpr::new()).into_iter().map(access).max().unwrap_or(MarkedAccess::Elsewhere)
}

/// Whether a rule reads values at more than one path.
fn reads_several_places(rule: &Rule) -> bool {
    read_places(rule, &PathExpr::new()).len() > 1
}

/// Whether the verdict "undetermined" alone implies the answers of the known parts: if one of several alternatives is
/// undetermined, none passed; if one of several required rules is undetermined, none failed. Then their answers need
/// not be hidden.
fn verdict_tells_all(rule: &Rule) -> bool {
    /// Whether the rule contains no combination of rules and reads no other attributes.
    fn reads_one_place(rule: &Rule) -> bool {
        match rule {
            Rule::At(_, rule) | Rule::Not(rule) => reads_one_place(rule),
            Rule::All(_) | Rule::Any(_) | Rule::Sequence(_) | Rule::Implies(..) | Rule::When(..) => false,
            rule => rule.operands().is_empty(),
        }
    }
    match rule {
        Rule::All(rules) | Rule::Any(rules) => rules.iter().all(reads_one_place),
        _ => false,
    }
}

/// The paths that a rule reads, if it is evaluated on the value at `from`. Rules nest no deeper than the crate's
/// limit.
fn read_places(rule: &Rule, from: &PathExpr) -> Vec<PathExpr> {
    let below = |path: &PathExpr| PathExpr::from_steps(from.steps().iter().chain(path.steps()).cloned()).ok();
    match rule {
        Rule::At(path, rule) => {
            let Some(place) = below(path) else { return Vec::new() };
            let inside = read_places(rule, &place);
            if inside.is_empty() { vec![place] } else { inside }
        }
        rule if rule.nested().next().is_some() => {
            rule.nested().flat_map(|rule| read_places(rule, from)).collect()
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

/// The paths of the unknown values that a rule reads; instead of a path inside a marked container, that of the
/// container.
///
/// Whether a marked container has unknown parts is content: it is named only where nothing else that the rule reads is unknown,
/// so that the verdict tells it.
fn unknown_operands(rule: &Rule, value: &Value) -> Vec<Path> {
    let (mut unknown, mut sealed): (Vec<Path>, Vec<Path>) = (Vec::new(), Vec::new());
    for path in read_places(rule, &PathExpr::new()) {
        for found in path.matches(value).unwrap_or_default() {
            let container = marked_container(value, &found.path);
            let is_sealed = container.is_none() && found.value.is_marked() && found.value.is_known();
            let is_open = container.is_some() || !found.value.is_wholly_known();
            let place = container.unwrap_or(found.path);
            let into = if is_sealed { &mut sealed } else { &mut unknown };
            if (is_open || is_sealed && !found.value.ty().is_primitive()) && !into.contains(&place) {
                into.push(place);
            }
        }
    }
    if unknown.is_empty() { sealed } else { unknown }
}

/// Whether a rule reads nothing of a value that is marked.
pub(super) fn reads_nothing_marked(rule: &Rule, value: &Value) -> bool {
    marked_access(rule, value) == MarkedAccess::Elsewhere
}

/// The path of the marked container that the paths of all diagnostics lie in; the empty path if they lie in different
/// ones.
fn common_place(diagnostics: &Diagnostics, value: &Value) -> Path {
    let mut places = diagnostics.iter().map(|one| marked_container(value, &one.path).unwrap_or_default());
    match places.next() {
        Some(first) if places.all(|place| place == first) => first,
        _ => Path::new(),
    }
}

/// The path of the outermost marked container that encloses a place; `None` if the place is in no marked container.
pub(super) fn marked_container(value: &Value, place: &Path) -> Option<Path> {
    if !value.contains_marks() {
        return None;
    }
    let prefixes = (0..place.len()).filter_map(|steps| place.steps().get(..steps).map(Path::from));
    prefixes.into_iter().find(|prefix| value.get(prefix).is_ok_and(|part| part.is_marked()))
}

/// The diagnostic that replaces every failure inside the marked container at this path.
fn concealed_diagnostic(container: Path, severity: Severity) -> Diagnostic {
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

/// The answer without the note that the kind of an array is not known ([`KIND_NOT_STATED`]). For a marked array,
/// whether the note is there would depend on its elements (law L5).
pub(super) fn without_kind_note(answer: Result<Outcome, Misuse>) -> Result<Outcome, Misuse> {
    match answer {
        Ok(Outcome::Undetermined(why)) => Ok(Outcome::Undetermined(why.without_note(KIND_NOT_STATED))),
        answer => answer,
    }
}

/// Whether an attribute of a value contains marks; without a name, whether the value itself does.
pub(super) fn has_marks(value: &Value, attribute: Option<&str>) -> bool {
    let part = attribute.map(|name| value.get(&Path::new().attr(name)));
    value.is_marked()
        || part.map_or_else(|| value.contains_marks(), |part| part.is_ok_and(|part| part.contains_marks()))
}
