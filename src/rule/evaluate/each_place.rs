//! Evaluates a rule at each place that a path leads to, and returns one outcome for each.
//!
//! [`Rule::At`](crate::rule::Rule::At) gives one outcome for all places together. A report needs one for each, and
//! following the path again for every place would be quadratic.

use crate::path::Path;
use crate::types::Type;
use crate::value::Value;
use crate::value::equality::may_be_null;

use super::at::{check_match, elements_below, path_start, unknown_below};
use crate::rule::path_expr::{PathEnd, exact_step, path_ends, path_ends_from};
use crate::rule::{Diagnostic, Diagnostics, ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

/// A place (element or attribute) that a path leads to, and the outcome of the rule there.
#[derive(Debug)]
pub struct PlaceAnswer {
    /// The path from the checked value to the place.
    pub path: Path,
    /// The last steps of the path, which could not be followed from there; empty if all could.
    pub rest: PathExpr,
    /// The value at the place where the path stopped.
    pub value: Value,
    /// Why the path stopped there: at its last step, at a null, at an unknown, or at a missing element.
    pub how: How,
    /// An expression that leads to this place alone; `None` in a set and in marked content.
    pub exactly: Option<PathExpr>,
    /// Whether the value that the whole path leads to may be null, or may not be there. Of several, whether one may.
    pub may_be_null: bool,
    /// Whether the place is a marked container that got one outcome for all its elements: their number, their keys
    /// and which of them fails are content (L5).
    pub is_sealed: bool,
    /// The outcome of the rule at the place.
    pub outcome: Result<Outcome, Misuse>,
}

/// Evaluates the rule at each place that the path leads to. The path starts at the value of the request and has no `<`.
/// `name` is called for places in a set with their path, and returns the path that messages show: a member of a set has
/// no path that a reader could find.
///
/// # Errors
///
/// [`Misuse`] when the path leads to no element or attribute of the type. Where the rule itself cannot read a place,
/// the outcome of that place is the error.
pub fn at_each_place(
    path: &PathExpr,
    rule: &Rule,
    request: &Request<'_>,
    name: &mut dyn FnMut(&Path) -> Path,
) -> Result<Vec<PlaceAnswer>, Misuse> {
    let start = path_start(path, request)?;
    let mut answers = Vec::new();
    let ends = places(path, &start.value);
    for (end, is_in_set) in ends.map_err(|error| Misuse::from_error(&error, &start.path).on(request))? {
        let rest = PathExpr::from_steps(end.rest.iter().cloned())
            .map_err(|error| Misuse::from_error(&error, &start.path))?;
        let is_sealed = end.how == How::Exact && !rest.is_empty();
        let exactly = if is_sealed || is_in_set { None } else { exact_expression(path, &end.path, &rest) };
        let outcome = match (&exactly, is_sealed) {
            (_, true) => check_marked_container(rule, &end, &rest, &start, request),
            (Some(_), _) => check_match(rule, &end, &start, request, request.is_failing)
                .map_err(|misuse| misuse.on(request)),
            (None, _) => check_set_member(rule, &end, &rest, request, name(&end.path)),
        };
        let outcome = if is_sealed { outcome } else { with_root_obligation(outcome, exactly.as_ref(), rule) };
        let may_be_null = may_be_null_at(&end);
        let PathEnd { path: place, value, how, .. } = end;
        answers.push(PlaceAnswer { path: place, rest, value, how, exactly, may_be_null, is_sealed, outcome });
    }
    Ok(answers)
}

/// Whether what the whole path leads to may be null, or may not be there. Where the path stopped at an unknown this is another question
/// than whether that unknown may be null: an unknown list that is not null may have no element.
fn may_be_null_at(end: &PathEnd<'_>) -> bool {
    may_be_null(&end.value)
        || match end.how {
            // The elements of a marked container, which are answered for together.
            How::Exact if !end.rest.is_empty() => path_ends(end.rest, &end.value).map_or(true, |ends| {
                ends.iter().any(|inner| inner.how != How::Exact || may_be_null(&inner.value))
            }),
            How::Exact => false,
            How::Missing | How::StoppedAtNull => true,
            How::StoppedAtUnknown if end.rest.contains(&ExprStep::AnyElement) => {
                elements_below(end).iter().any(may_be_null)
            }
            How::StoppedAtUnknown => may_be_null(&unknown_below(end)),
        }
}

/// The ends of a path in a value (the values that it leads to, or where it stops), each with whether it is in a set.
/// The elements of a marked container are not entered: the container is the end, and the steps from `[*]` on remain.
fn places<'s>(path: &'s PathExpr, value: &Value) -> crate::error::Result<Vec<(PathEnd<'s>, bool)>> {
    let steps = path.inward_steps();
    if !path.has_wildcard() {
        return Ok(path_ends(steps, value)?.into_iter().map(|end| (end, false)).collect());
    }
    let whole = PathEnd { path: Path::new(), value: value.clone(), how: How::Exact, rest: steps };
    let mut here = vec![(whole, false)];
    let mut done = Vec::new();
    while let Some((from, is_in_set)) = here.pop() {
        let PathEnd { rest, how, .. } = from;
        let is_any = rest.first() == Some(&ExprStep::AnyElement);
        let is_open = !from.value.is_known() || from.value.is_null();
        if how != How::Exact || rest.is_empty() || (is_any && from.value.is_marked() && !is_open) {
            done.push((from, is_in_set));
            continue;
        }
        // Takes the steps before the next `[*]` at once, and each `[*]` alone, to see the container that it enters.
        let ahead = rest.iter().skip(1).position(|step| *step == ExprStep::AnyElement);
        let count = if is_any { 1 } else { ahead.map_or(rest.len(), |at| at.saturating_add(1)) };
        let (near, far) = rest.split_at(count.min(rest.len()));
        let is_in_set = is_in_set || (is_any && matches!(from.value.ty(), Type::Set(_)));
        let next = path_ends_from(from.path, &from.value, near, &|_| false)?;
        for end in next.into_iter().rev() {
            let left = end.rest.len().saturating_add(far.len());
            let rest = rest.get(rest.len().saturating_sub(left)..).unwrap_or_default();
            here.push((PathEnd { rest, ..end }, is_in_set));
        }
    }
    Ok(done)
}

/// Rewrites the obligation of an undetermined outcome (the rule that remains to be checked), which is about the value
/// at a place, into a rule on the value that the path starts from. `exactly` is the path expression to the place, and
/// `rule` the evaluated rule. Without `exactly`, as for a member of a set, the outcome stays as it is.
fn with_root_obligation(
    outcome: Result<Outcome, Misuse>,
    exactly: Option<&PathExpr>,
    rule: &Rule,
) -> Result<Outcome, Misuse> {
    Ok(match (outcome?, exactly) {
        (Outcome::Undetermined(mut why), Some(exactly)) => {
            let open = why.take_obligation(rule);
            Outcome::Undetermined(match Rule::at(exactly.clone(), open) {
                Ok(obligation) => why.with_obligation(obligation),
                Err(_) => why,
            })
        }
        (outcome, _) => outcome,
    })
}

/// Evaluates the rule on a member of a set or a value inside one, which messages show at the path `place`. It has no
/// value before: members have no identity.
fn check_set_member(
    rule: &Rule,
    end: &PathEnd<'_>,
    rest: &PathExpr,
    request: &Request<'_>,
    place: Path,
) -> Result<Outcome, Misuse> {
    let member = Request { before: None, ..request.with_value(&end.value) };
    let member = Request { is_part: false, ..member.at(place) };
    if rest.is_empty() {
        return rule.check(&member);
    }
    let rule =
        Rule::at(rest.clone(), rule.clone()).map_err(|error| Misuse::from_error(&error, &member.path))?;
    rule.check(&member)
}

/// Evaluates the rule on all elements of a marked container, and returns one outcome for all, in words that do not
/// depend on the elements (L5). `rest` are the steps from the container, which begin with `[*]`.
fn check_marked_container(
    rule: &Rule,
    end: &PathEnd<'_>,
    rest: &PathExpr,
    start: &super::at::PathStart,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let place = start.path.clone().join(&end.path);
    let inside = Rule::at(rest.clone(), rule.clone()).map_err(|error| Misuse::from_error(&error, &place))?;
    let at_container =
        PathEnd { path: end.path.clone(), value: end.value.clone(), how: How::Exact, rest: &[] };
    Ok(match check_match(&inside, &at_container, start, request, request.is_failing) {
        Ok(Outcome::Pass) => Outcome::Pass,
        Ok(Outcome::Fail(diagnostics)) => {
            Outcome::Fail(container_diagnostic(&diagnostics, rule, place, rest))
        }
        Ok(Outcome::Undetermined(_)) => {
            let steps =
                PathExpr::exact_steps(&end.path).into_iter().flatten().chain(rest.steps().iter().cloned());
            let whole = PathExpr::from_steps(steps).and_then(|path| Rule::at(path, rule.clone()));
            let why = Why::new([place]);
            Outcome::Undetermined(match whole {
                Ok(whole) => why.with_obligation(whole),
                Err(_) => why,
            })
        }
        Err(_) => return Err(Misuse::new(place, "the rule cannot read a part of a sensitive value")),
    })
}

/// One error or warning about a marked container as a whole, in place of the diagnostics that name its elements.
fn container_diagnostic(diagnostics: &Diagnostics, rule: &Rule, place: Path, rest: &PathExpr) -> Diagnostics {
    let summary = "Invalid Attribute Value";
    let claim = rule.describe();
    let dot = if rest.to_string().starts_with('[') { "" } else { "." };
    let detail = format!("Attribute {place}{dot}{rest} must satisfy: {claim}; the value is sensitive");
    let failure = "a part of the sensitive value does not satisfy it";
    let one = Diagnostic::error(summary, detail, place, failure);
    let one: Diagnostics = std::iter::once(one).collect();
    if diagnostics.has_error() { one } else { one.with_severity(crate::rule::Severity::Warning) }
}

/// The path expression that leads to `place` alone: the written one with each `[*]` replaced by the key, index or name
/// of the element, and with the remaining steps `rest`. `None` where an element has no such step, as in a set. Other
/// names and keys stay as they are written: a key may be missing, an attribute may not.
fn exact_expression(written: &PathExpr, place: &Path, rest: &PathExpr) -> Option<PathExpr> {
    if !written.has_wildcard() {
        return Some(written.clone());
    }
    let steps = place.steps().iter().zip(written.steps()).map(|(step, written)| match (step, written) {
        (step, ExprStep::AnyElement) => exact_step(step),
        (_, written) => Some(written.clone()),
    });
    let steps: Option<Vec<ExprStep>> = steps.chain(rest.steps().iter().cloned().map(Some)).collect();
    PathExpr::from_steps(steps?).ok()
}
