//! Evaluates a condition: pass, fail or undetermined.
//!
//! | the condition is | answer |
//! |---|---|
//! | true, and fails for no value of what is unknown | pass |
//! | false | fail |
//! | an error, or null | fail, with its words |
//! | unknown, or may be an error | undetermined |

use std::fmt::Write as _;
use std::sync::Arc;

use super::scope::{Decided, Found, RuleScope, Surroundings, place_of, waits_for};
use super::{Condition, Locals};
use crate::plan::checking::KIND_NOT_STATED;
use plantime::rule::{Diagnostic, Misuse, Outcome, Request, Why};
use plantime::{Path, Type, Value, convert};
use plantime_hcl::Diagnostics;
use plantime_hcl::unstable::ConditionAnswer;

/// The answer of a condition on the subject of a request. Where a plan does not say which arrays are sets, the one that it has for
/// every kind; undetermined if the kinds give different ones. `asks_order` says whether the condition or a local of its rule asks for the
/// order of an array or for its kind.
pub(super) fn answer(
    condition: &Condition,
    (locals, asks_order): (&Arc<Locals>, bool),
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let outcome = answer_as_read(condition, locals, request)?;
    let surroundings = request.surroundings().and_then(|any| any.downcast_ref::<Surroundings>());
    let (Some(surroundings), false) = (surroundings, outcome.is_undetermined()) else { return Ok(outcome) };
    let asks_order = asks_order || surroundings.facts.locals_ask_order;
    for facts in surroundings.facts.readings(asks_order) {
        let address = surroundings.address.as_deref().unwrap_or_default();
        let (value, before) = (facts.as_read(address, request.value()), request.value_before());
        let before = before.map(|before| facts.as_read(address, before));
        let other = Surroundings {
            facts: Arc::clone(facts),
            address: surroundings.address.clone(),
            entry: surroundings.entry_in(facts),
            each: surroundings.each.borrow().clone().into(),
            found: Found::default().into(),
        };
        let scope = RuleScope::new(&other, &value, before.as_ref(), locals);
        // An index into a set is an error; where the kind is not known it counts the elements in the order of the plan.
        let answer = scope.evaluate(condition);
        if answer.result.is_err() {
            continue;
        }
        if answer.holds() != Some(outcome.is_pass()) {
            return Ok(Outcome::Undetermined(Why::new([request.path().clone()]).with_note(KIND_NOT_STATED)));
        }
    }
    Ok(outcome)
}

/// The answer of a condition on the values as the plan has them.
fn answer_as_read(
    condition: &Condition,
    locals: &Arc<Locals>,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let surroundings = request.surroundings().and_then(|any| any.downcast_ref::<Surroundings>());
    let Some(surroundings) = surroundings else {
        let why = Why::new([request.path().clone()]).with_note("a condition is evaluated on a plan");
        return Ok(Outcome::Undetermined(why));
    };
    let scope = RuleScope::new(surroundings, request.value(), request.value_before(), locals);
    let found = scope.evaluate(condition);
    let result = match &found.result {
        Ok(value) => value.clone().unmark().0,
        Err(problems) if problems.is_limit() => {
            let first = problems.first();
            surroundings.found.borrow_mut().problems.push(format!("{}: {}", first.summary(), first.detail()));
            return Ok(Outcome::Undetermined(Why::new([])));
        }
        Err(problems) => {
            surroundings.found.borrow_mut().decided = reasons(condition, &found, &scope);
            return Ok(failure("Invalid condition", &words(problems)));
        }
    };
    if result.is_certainly_null() {
        return Ok(failure("Invalid condition", "the condition is null"));
    }
    let truth = match convert(&result, &Type::Bool.into()) {
        Ok(truth) => truth,
        Err(error) => {
            return Ok(failure(
                "Invalid condition",
                &format!("the condition is no bool: {}", error.message()),
            ));
        }
    };
    match truth.as_bool() {
        Ok(true) if !found.may_fail => Ok(Outcome::Pass),
        Ok(false) => {
            let lines = reasons(condition, &found, &scope);
            let texts: Vec<&str> =
                lines.iter().map(|line| line.text.as_str()).filter(|text| !text.is_empty()).collect();
            let words = match texts.is_empty() {
                true => "the condition is false".to_owned(),
                false => texts.join("; "),
            };
            surroundings.found.borrow_mut().decided = lines;
            Ok(failure("Condition Not Met", &words))
        }
        decided => {
            let (paths, names) = waits_for(&found.waits_for, &scope);
            let mut why = Why::new(paths);
            if decided == Ok(true) {
                why = why.with_note("it may be an error");
            }
            for span in &found.open {
                let text = condition.expression.source().text().get(span.clone()).unwrap_or_default();
                if text != condition.text() {
                    why = why.with_note(format!("left: {}", one_line(text)));
                }
            }
            let mut all = surroundings.found.borrow_mut();
            for name in names {
                if !all.waits_for.contains(&name) {
                    all.waits_for.push(name);
                }
            }
            Ok(Outcome::Undetermined(why))
        }
    }
}

/// The text on one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The failed answer of the whole subject.
fn failure(summary: &'static str, words: &str) -> Outcome {
    Outcome::fail(Diagnostic::error(summary, words.to_owned(), Path::new(), words.to_owned()))
}

/// The problems of an evaluation in words.
fn words(problems: &Diagnostics) -> String {
    let all: Vec<String> = problems
        .iter()
        .take(NAMED)
        .map(|problem| {
            let mut text = format!("{}: {}", problem.summary(), one_line(problem.detail()));
            for value in problem.values().iter().take(NAMED) {
                let _ = write!(text, " {} {}.", value.reference, value.statement);
            }
            text
        })
        .collect();
    all.join("; ")
}

/// The maximum number of problems, deciding parts and values that are named.
const NAMED: usize = 5;

/// Why a condition is false or an error: the parts that decided, a line each, with the values of their references.
fn reasons(condition: &Condition, found: &ConditionAnswer, scope: &RuleScope<'_>) -> Vec<Decided> {
    let mut lines = Vec::new();
    for decision in &found.decided_by {
        let text = condition.expression.source().text().get(decision.span.clone()).unwrap_or_default();
        let place = decision.member.as_ref().map(|member| {
            let place = Path::from_iter(member.steps.iter().cloned()).after_name(&member.root);
            format!("{place}: ")
        });
        let place = place.unwrap_or_default();
        let values = decision.values.iter().take(NAMED);
        let values: Vec<String> =
            values.map(|value| format!("{} {}", value.reference, value.statement)).collect();
        let text = match values.as_slice() {
            // The condition as a whole is shown anyway.
            [] if text == condition.text() => String::new(),
            [] => format!("{place}{} is not true", one_line(text)),
            values => format!("{place}{}", values.join(", ")),
        };
        lines.push(Decided { text, place: decision.places.iter().find_map(|place| place_of(place, scope)) });
    }
    if let Some(more) = found.decision_count.checked_sub(found.decided_by.len()).filter(|more| *more > 0) {
        lines.push(Decided { text: format!("and {more} more"), place: None });
    }
    lines
}

/// The message of a failed assertion; `None` if it cannot be evaluated, is not known or is sensitive, with the reason.
pub(in crate::plan) fn error_message(
    message: &Condition,
    locals: &Arc<Locals>,
    surroundings: &Surroundings,
    (value, before): (&Value, Option<&Value>),
) -> Result<String, String> {
    let scope = RuleScope::new(surroundings, value, before, locals);
    match scope.value_of(message).map(|found| found.value) {
        Ok(value) if !value.unmark_deep().1.is_empty() => {
            Err("the error message refers to sensitive values, so it is not shown".to_owned())
        }
        Ok(value) => match convert(&value, &Type::String.into()) {
            Ok(text) => match text.as_str() {
                Ok(text) => Ok(text.to_owned()),
                Err(_) if text.is_certainly_null() => Err("the error message is null".to_owned()),
                Err(_) => Ok(shown_unknown(&text)),
            },
            Err(error) => Err(format!("the error message is no text: {}", error.message())),
        },
        Err(problems) => Err(format!("the error message cannot be evaluated: {}", words(&problems))),
    }
}

/// A text of which a part is not known.
fn shown_unknown(text: &Value) -> String {
    let range = text.range();
    match range.prefix() {
        Some(prefix) if !prefix.is_empty() => format!("{prefix}… (known after apply)"),
        _ => "(known after apply)".to_owned(),
    }
}
