//! The answer of a rule at each place that a path leads to, in one walk.
//!
//! [`Rule::At`](crate::rule::Rule::At) gives one answer for all places together. A report needs one for each, and must not
//! follow the path again for every place.

use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::Value;

use super::at::{at_match, base};
use super::combine::conditional;
use crate::rule::path_expr::{Found, find};
use crate::rule::{Diagnostic, Diagnostics, ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

/// A place that a path leads to, with the answer of the rule there.
pub(crate) struct PlaceAnswer {
    /// The way from the value that was checked to the place.
    pub(crate) path: Path,
    /// The steps of the path that could not be followed from there.
    pub(crate) rest: PathExpr,
    pub(crate) value: Value,
    pub(crate) how: How,
    /// The path expression that leads to this place alone; `None` through a member of a set or into marked content.
    pub(crate) exactly: Option<PathExpr>,
    /// The rule was checked on all parts of a marked container at once: how many parts there are, which keys they have
    /// and which of them fails is content of the container (L5).
    pub(crate) is_sealed: bool,
    pub(crate) outcome: Result<Outcome, Misuse>,
}

/// Checks the rule at each place that the path leads to. The path goes inward only. `name` gives a place the name that
/// messages use: a member of a set has no path that a reader could find.
///
/// # Errors
///
/// When the type of the value has no such part.
pub(crate) fn at_each_place(
    path: &PathExpr,
    rule: &Rule,
    request: &Request<'_>,
    name: &mut dyn FnMut(&Path) -> Path,
) -> Result<Vec<PlaceAnswer>, Misuse> {
    let base = base(path, request)?;
    let mut answers = Vec::new();
    for (found, is_in_set) in
        places(path, &base.value).map_err(|error| Misuse::from_error(&error, &base.path))?
    {
        let rest = PathExpr::from_steps(found.rest.iter().cloned())
            .map_err(|error| Misuse::from_error(&error, &base.path))?;
        let is_sealed = found.how == How::Exact && !rest.is_empty();
        let exactly = if is_sealed || is_in_set { None } else { exactly(path, &found.path, &rest) };
        let outcome = match (&exactly, is_sealed) {
            (_, true) => sealed(rule, &found, &rest, &base, request),
            (Some(_), _) => at_match(rule, &found, &base, request, request.is_broken),
            (None, _) => in_set(rule, &found, &rest, request, name(&found.path)),
        };
        let outcome = if is_sealed { outcome } else { left_open(outcome, exactly.as_ref(), rule) };
        let Found { path: place, value, how, .. } = found;
        answers.push(PlaceAnswer { path: place, rest, value, how, exactly, is_sealed, outcome });
    }
    Ok(answers)
}

/// The places in a value, each with whether it lies in a set. The elements of a marked container are not entered: the
/// container is the place, and the steps from `[*]` on are its rest.
fn places<'s>(path: &'s PathExpr, value: &Value) -> crate::error::Result<Vec<(Found<'s>, bool)>> {
    let steps = path.inward();
    let whole = Found { path: Path::new(), value: value.clone(), how: How::Exact, rest: steps };
    let mut here = vec![(whole, false)];
    let mut done = Vec::new();
    while let Some((from, is_in_set)) = here.pop() {
        let Found { rest, how, .. } = from;
        let is_any = rest.first() == Some(&ExprStep::AnyElement);
        let is_open = !from.value.is_known() || from.value.is_null();
        if how != How::Exact || rest.is_empty() || (is_any && from.value.is_marked() && !is_open) {
            done.push((from, is_in_set));
            continue;
        }
        // Up to the next `[*]`, or that one step.
        let ahead = rest.iter().skip(1).position(|step| *step == ExprStep::AnyElement);
        let count = if is_any { 1 } else { ahead.map_or(rest.len(), |at| at.saturating_add(1)) };
        let (near, far) = rest.split_at(count.min(rest.len()));
        let next = find(near, &from.value).map_err(|error| {
            let full = from.path.clone().join(error.path());
            error.at(full)
        })?;
        let is_in_set = is_in_set || (is_any && matches!(from.value.ty(), Type::Set(_)));
        for found in next.into_iter().rev() {
            let left = found.rest.len().saturating_add(far.len());
            let rest = rest.get(rest.len().saturating_sub(left)..).unwrap_or_default();
            here.push((Found { path: from.path.clone().join(&found.path), rest, ..found }, is_in_set));
        }
    }
    Ok(done)
}

/// The obligation of an undetermined answer, as a rule on the value that the path starts from. A member of a set has no
/// path of its own: its obligation stays a rule on the member.
fn left_open(
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

/// The answer for a member of a set, or a part of one. It has no value before: nothing says which member it was.
fn in_set(
    rule: &Rule,
    found: &Found<'_>,
    rest: &PathExpr,
    request: &Request<'_>,
    place: Path,
) -> Result<Outcome, Misuse> {
    let member = Request { before: None, ..request.with_value(&found.value) };
    let member = Request { is_part: false, ..member.at(place) };
    if rest.is_empty() {
        return rule.check(&member);
    }
    let rule =
        Rule::at(rest.clone(), rule.clone()).map_err(|error| Misuse::from_error(&error, &member.path))?;
    rule.check(&member)
}

/// One answer for all elements of a marked container, in words that do not depend on the elements (L5).
fn sealed(
    rule: &Rule,
    found: &Found<'_>,
    rest: &PathExpr,
    base: &super::at::Base,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let place = base.path.clone().join(&found.path);
    let inside = Rule::at(rest.clone(), rule.clone()).map_err(|error| Misuse::from_error(&error, &place))?;
    let at_container =
        Found { path: found.path.clone(), value: found.value.clone(), how: How::Exact, rest: &[] };
    Ok(match at_match(&inside, &at_container, base, request, request.is_broken) {
        Ok(Outcome::Pass) => Outcome::Pass,
        Ok(Outcome::Fail(diagnostics)) => Outcome::Fail(about_container(&diagnostics, rule, place, rest)),
        Ok(Outcome::Undetermined(_)) => {
            let steps =
                PathExpr::exactly(&found.path).into_iter().flatten().chain(rest.steps().iter().cloned());
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

/// One diagnostic in place of those that name the parts of a marked container.
fn about_container(diagnostics: &Diagnostics, rule: &Rule, place: Path, rest: &PathExpr) -> Diagnostics {
    let summary = "Invalid Attribute Value";
    let claim = rule.describe();
    let dot = if rest.to_string().starts_with('[') { "" } else { "." };
    let detail = format!("Attribute {place}{dot}{rest} must satisfy: {claim}; the value is sensitive");
    let failure = "a part of the sensitive value does not satisfy it";
    let one = Diagnostic::error(summary, detail, place, failure);
    let one: Diagnostics = std::iter::once(one).collect();
    if diagnostics.has_error() { one } else { one.with_severity(crate::rule::Severity::Warning) }
}

/// The expression that leads to one place outside of sets, and the rest from there. Names and keys
/// stay as they are written: a key may be missing, an attribute may not.
fn exactly(written: &PathExpr, place: &Path, rest: &PathExpr) -> Option<PathExpr> {
    let steps = place.steps().iter().zip(written.steps()).map(|(step, written)| match (step, written) {
        (Step::Attr(name), ExprStep::AnyElement) => Some(ExprStep::Attr(name.as_str().to_owned())),
        (Step::Index(key), ExprStep::AnyElement) => match (key.as_str(), key.as_number()) {
            (Ok(key), _) => Some(ExprStep::Key(key.to_owned())),
            (_, Ok(index)) => index.to_u64().map(ExprStep::Index),
            _ => None,
        },
        (_, written) => Some(written.clone()),
    });
    let steps: Option<Vec<ExprStep>> = steps.chain(rest.steps().iter().cloned().map(Some)).collect();
    PathExpr::from_steps(steps?).ok()
}

impl Outcome {
    /// The answer of a rule under a condition, from the answers of both: as [`Rule::When`] gives it, without checking
    /// either again.
    pub(crate) fn under(self, condition: (&Rule, &Why), rule: &Rule) -> Outcome {
        let (condition, why) = condition;
        if self.is_pass() {
            return Outcome::Pass;
        }
        let Ok(whole) = Rule::when(condition.clone(), rule.clone()) else {
            return Outcome::Undetermined(why.clone());
        };
        let condition = (condition, Outcome::Undetermined(why.clone()));
        conditional(&whole, condition, (rule, self), Rule::when)
    }
}
