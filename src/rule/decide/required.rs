//! Rules by which one part asks for others, or advises against itself.

use crate::path::Path;
use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{equal, is_always_null, may_be_null};

use super::cross_field::{Operands, all_set, is_set, placed, read};
use super::finite;
use crate::rule::describe::list;
use crate::rule::evaluate::at;
use crate::rule::path_expr::{Found, concrete};
use crate::rule::{Diagnostic, ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

/// When some parts are required: where another part equals one of some values.
///
/// A condition whose path has several matches holds where one of them equals a value. A null equals only a null
/// among the values, so a part that is not there fulfils no other condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    /// The part that decides.
    pub path: PathExpr,
    /// The values that make it so.
    pub one_of: Vec<Value>,
    /// The parts that must not be null then.
    pub required: Vec<PathExpr>,
}

/// | `path` | others | answer |
/// |---|---|---|
/// | null, or anything | anything, or all set | pass |
/// | set | one is null | fail |
/// | set | some open | those must be set |
/// | open | one is null | `path` must be null |
/// | open | some open | the same rule on those |
#[inline(never)]
pub(in crate::rule) fn also_requires(
    rule: &Rule,
    path: &PathExpr,
    others: &[PathExpr],
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut inputs = Vec::new();
    let set = is_set(path, request, &mut inputs)?;
    let operands = read(others, request)?;
    if set == Some(false) || operands.null.is_empty() && operands.open.is_empty() {
        return Ok(Outcome::Pass);
    }
    let obligation = match set {
        Some(_) if !operands.null.is_empty() => {
            let asked = format!("when {path} is configured");
            return Ok(missing(&asked, &operands, request));
        }
        Some(_) => all_set(&operands, rule),
        None if !operands.null.is_empty() => {
            Rule::at(path.clone(), Rule::IsNull).unwrap_or_else(|_| rule.clone())
        }
        None => Rule::AlsoRequires(path.clone(), open(&operands)),
    };
    // What is open of the others does not matter where one of them is null.
    if operands.null.is_empty() {
        inputs.extend(operands.inputs);
    }
    Ok(Outcome::Undetermined(Why::new(inputs).with_obligation(obligation)))
}

#[inline(never)]
pub(in crate::rule) fn required_when(
    rule: &Rule,
    requirement: &Requirement,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut inputs = Vec::new();
    let (holds, asked) = condition_holds(requirement, request, &mut inputs)?;
    let operands = read(&requirement.required, request)?;
    if holds == Some(false) || operands.null.is_empty() && operands.open.is_empty() {
        return Ok(Outcome::Pass);
    }
    let obligation = match holds {
        Some(_) if !operands.null.is_empty() => return Ok(missing(&asked, &operands, request)),
        Some(_) => all_set(&operands, rule),
        None => {
            let left = if operands.null.is_empty() { &operands.open } else { &operands.null };
            let required = left.iter().map(|path| (*path).clone()).collect();
            Rule::RequiredWhen(Box::new(Requirement { required, ..requirement.clone() }))
        }
    };
    if operands.null.is_empty() {
        inputs.extend(operands.inputs);
    }
    Ok(Outcome::Undetermined(Why::new(inputs).with_obligation(obligation)))
}

/// Whether some match equals one of the values, and the words for it: the part as it may be shown.
fn condition_holds(
    requirement: &Requirement,
    request: &Request<'_>,
    inputs: &mut Vec<Path>,
) -> Result<(Option<bool>, String), Misuse> {
    let (base, found) = at::matches(&requirement.path, request)?;
    let mut answer = Some(false);
    for found in &found {
        let below;
        let part = match found.how {
            How::Exact => &found.value,
            How::StoppedAtNull | How::Missing => {
                below = Value::null(Type::Dynamic);
                &below
            }
            How::StoppedAtUnknown if found.rest.contains(&ExprStep::AnyElement) => {
                match below_elements(found, &requirement.one_of) {
                    Some(true) => return Ok((Some(true), format!("when {} is known", requirement.path))),
                    Some(false) => {}
                    None => {
                        inputs.push(base.path.clone().join(&found.path));
                        answer = None;
                    }
                }
                continue;
            }
            How::StoppedAtUnknown => {
                below = at::unknown_below(found);
                &below
            }
        };
        match equals_one_of(part, &requirement.one_of) {
            Some(true) => return Ok((Some(true), format!("when {} is {part}", requirement.path))),
            Some(false) => {}
            None => {
                inputs.push(base.path.clone().join(&found.path));
                answer = None;
            }
        }
    }
    Ok((answer, String::new()))
}

/// Whether some match below an unknown equals one of the values, where the path goes through its elements: a null has
/// one match, which is null, and an empty collection none.
fn below_elements(found: &Found<'_>, values: &[Value]) -> Option<bool> {
    let mut answers = Vec::new();
    if !found.value.range().is_not_null() || found.rest.len() > 1 {
        answers.push(equals_one_of(&Value::null(Type::Dynamic), values));
    }
    if !at::surely_has_elements(found) {
        answers.push(Some(false));
    }
    if !found.leads_nowhere() {
        let elements = at::below_types(found).into_iter().map(Value::unknown);
        answers.extend(elements.map(|element| equals_one_of(&element, values)));
    }
    let (first, rest) = answers.split_first()?;
    first.filter(|_| rest.iter().all(|answer| answer == first))
}

/// Whether a part equals one of some values, null among them.
fn equals_one_of(part: &Value, values: &[Value]) -> Option<bool> {
    let among = |part: &Value| {
        let mut answer = Some(false);
        for value in values {
            match equal(part, value) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => answer = None,
            }
        }
        answer.or_else(|| finite::answer(&Rule::OneOf(values.to_vec()), part))
    };
    if !may_be_null(part) || is_always_null(part) {
        return among(part);
    }
    let null = values.iter().any(is_always_null);
    match part.assume_not_null() {
        Ok(some) => among(&some).filter(|some| *some == null),
        Err(_) => None,
    }
}

/// The first part has a write-only alternative: where it is not null, a warning says so.
#[inline(never)]
pub(in crate::rule) fn prefer_write_only(
    rule: &Rule,
    path: &PathExpr,
    alternative: &PathExpr,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut inputs = Vec::new();
    Ok(match is_set(path, request, &mut inputs)? {
        Some(false) => Outcome::Pass,
        Some(true) => {
            let sentence = format!(
                "The attribute {path} has a write-only alternative {alternative} available. Use the write-only \
                 alternative of the attribute when possible."
            );
            let failure = format!("{path} is not null");
            let place = at_fault(path, request);
            let summary = "Available Write-only Attribute Alternative";
            Outcome::fail(Diagnostic::warning(summary, placed(sentence, request), place, failure))
        }
        None => Outcome::Undetermined(Why::new(inputs).with_obligation(rule.clone())),
    })
}

fn open(operands: &Operands<'_>) -> Vec<PathExpr> {
    operands.open.iter().map(|path| (*path).clone()).collect()
}

#[cold]
fn missing(asked: &str, operands: &Operands<'_>, request: &Request<'_>) -> Outcome {
    let null = list(&operands.null);
    let sentence = format!("These attributes must be configured {asked}: [{null}]");
    let failure = format!("{null} {} null", if operands.null.len() == 1 { "is" } else { "are" });
    let detail = placed(sentence, request);
    // One that is missing is the one to look at.
    let place = match operands.null.as_slice() {
        [only] => at_fault(only, request),
        _ => request.path.clone(),
    };
    Outcome::fail(Diagnostic::error("Invalid Attribute Combination", detail, place, failure))
}

/// The place of an operand; that of the whole where it has several, or none in what is known around.
fn at_fault(path: &PathExpr, request: &Request<'_>) -> Path {
    let whole = || request.path.clone();
    if path.has_wildcard() {
        return whole();
    }
    at::base(path, request).map_or_else(|_| whole(), |base| concrete(path.inward(), base.path))
}
