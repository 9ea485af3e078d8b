//! Answers that name no part of a marked container.
//!
//! How many parts it has, under which keys, and which of them fails or is unknown is its content (law L5).

use crate::path::Path;
use crate::rule::{Diagnostic, Misuse, Outcome, Rule, Severity, Why};
use crate::value::Value;

use super::readings::NOT_SAID;

/// What is said of a failure in a marked container.
const FAILURE: &str = "a part of the sensitive value does not satisfy the rule";

/// The outcome of a rule on a value, or on a part of it. Where a reason named a part of a marked container, all of the rule
/// is left to show.
pub(in crate::plan) fn outcome(outcome: Outcome, value: &Value, rule: &Rule) -> Outcome {
    if !value.contains_marks() {
        return outcome;
    }
    match outcome {
        Outcome::Pass => Outcome::Pass,
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

/// The marked container that a place lies in.
pub(in crate::plan) fn marked_above(value: &Value, place: &Path) -> Option<Path> {
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

/// The answer without [`NOT_SAID`]: which elements a marked array has decides whether the kind matters (law L5).
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
