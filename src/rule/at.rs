//! A rule at every match of a path.

use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::{Value, join};

use super::combine::{Open, conjunction};
use super::path_expr::{Found, concrete, find};
use super::{ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, evaluate, reads};

/// What a path expression starts from: the value of the request, or what that is a part of.
pub(super) struct Base {
    pub(super) value: Value,
    pub(super) path: Path,
}

pub(super) fn base(path: &PathExpr, request: &Request<'_>) -> Result<Base, Misuse> {
    let parents = path.parents();
    if parents == 0 {
        return Ok(Base { value: request.value.clone(), path: request.path.clone() });
    }
    let steps = request.path.steps();
    let out =
        || Misuse::new(request.path.clone(), format!("{path} leads out of what is known around the value"));
    let kept = steps.len().checked_sub(parents).and_then(|kept| steps.get(..kept)).ok_or_else(out)?;
    let above = Path::from(kept);
    let value = match request.above.and_then(|held| held.out(parents)) {
        Some(value) => value.clone(),
        None => request.root.get(&above).or_else(|_| follow(request.root, &above).ok_or_else(out))?,
    };
    Ok(Base { value, path: above })
}

/// What is at a place on the way to which an element is not known: of sets and maps, and of what has parts of several
/// types, no path leads to it.
fn follow(root: &Value, path: &Path) -> Option<Value> {
    let mut here = root.clone();
    for step in path.steps() {
        here = match (here.get(&Path::from(std::slice::from_ref(step))), step) {
            (Ok(next), _) => next,
            // Below a mark the attributes of an object are named as keys.
            (Err(_), Step::Index(key)) if matches!(here.ty(), Type::Object(_)) => {
                let (key, _) = key.clone().unmark();
                here.get(&Path::new().attr(key.as_str().ok()?)).ok()?
            }
            (Err(_), Step::Index(key)) if !key.is_wholly_known() => {
                let ty = here.ty().element_type().cloned().unwrap_or(Type::Dynamic);
                Value::unknown(ty).with_marks(here.marks())
            }
            _ => return None,
        };
    }
    Some(here)
}

/// The matches of a path, and where it starts.
pub(super) fn matches<'p>(
    path: &'p PathExpr,
    request: &Request<'_>,
) -> Result<(Base, Vec<Found<'p>>), Misuse> {
    let base = base(path, request)?;
    let found = find(path.inward(), &base.value).map_err(|error| Misuse::from_error(&error, &base.path))?;
    Ok((base, found))
}

#[inline(never)]
pub(super) fn check(
    whole: &Rule,
    path: &PathExpr,
    rule: &Rule,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let (base, found) = matches(path, request)?;
    let mut failures = Vec::new();
    let mut open = Open::default();
    for found in &found {
        match at_match(rule, found, &base, request)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => failures.push(diagnostics),
            Outcome::Undetermined(mut why) => {
                let rest = why.take_obligation(rule);
                match obligation(path, found, rest) {
                    Some(obligation) => open.add(whole, why.with_obligation(obligation)),
                    None => open.add(whole, why.with_obligation(whole.clone())),
                }
            }
        }
    }
    Ok(conjunction(whole, failures, open))
}

/// The rest of the rule, at just this match. `None` where no path expression leads to it alone.
fn obligation(path: &PathExpr, found: &Found<'_>, rest: Rule) -> Option<Rule> {
    if !path.has_wildcard() {
        return Rule::at(path.clone(), rest).ok();
    }
    let mut steps = vec![ExprStep::Parent; path.parents()];
    steps.extend(PathExpr::exactly(&found.path)?);
    if found.how != How::Missing {
        steps.extend(found.rest.iter().cloned());
    }
    Rule::at(PathExpr::from_steps(steps).ok()?, rest).ok()
}

pub(super) fn at_match(
    rule: &Rule,
    found: &Found<'_>,
    base: &Base,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let wildcard = found.rest.contains(&ExprStep::AnyElement);
    match found.how {
        How::Exact => part(rule, found, base, &found.value, request),
        // No elements, so nothing to check.
        How::StoppedAtNull | How::Missing if wildcard => Ok(Outcome::Pass),
        How::StoppedAtNull | How::Missing => {
            let null = null_below(found);
            part(rule, found, base, &null, request)
        }
        How::StoppedAtUnknown if wildcard => in_unknown(rule, found, base, request),
        How::StoppedAtUnknown => {
            let value = unknown_below(found);
            named_by_parent(part(rule, found, base, &value, request)?, found, base)
        }
    }
}

fn below(found: &Found<'_>, base: &Base) -> Path {
    concrete(found.rest, base.path.clone().join(&found.path))
}

/// Checks the part that was reached.
fn part(
    rule: &Rule,
    found: &Found<'_>,
    base: &Base,
    value: &Value,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let before = before(found, base, request);
    let request = Request {
        value,
        path: below(found, base),
        root: request.root,
        before: before.as_ref(),
        data: request.data,
        type_name: request.type_name,
        is_part: true,
        not_null: false,
        above: None,
    };
    reads::check(rule, &value.ty(), &request.path)?;
    evaluate::check(rule, &request)
}

/// What stood there before; `None` where the whole value is created or deleted, or a member of a set is meant, now or
/// before.
fn before(found: &Found<'_>, base: &Base, request: &Request<'_>) -> Option<Value> {
    let before = request.before?;
    if !request.is_part && (before.is_null() || request.value.is_null()) {
        return None;
    }
    if is_in_set(&base.value, &found.path) {
        return None;
    }
    let path = concrete(found.rest, found.path.clone());
    let mut here = before.clone();
    for step in path.steps() {
        if here.is_null() {
            return Some(Value::null(Type::Dynamic).with_marks(here.marks()));
        }
        if matches!(here.ty(), Type::Set(_)) {
            return None;
        }
        let marks = here.marks().clone();
        let one = Path::from(std::slice::from_ref(step));
        if let Some(any) = any_by_key(&here, step) {
            here = any.with_marks(&marks);
            continue;
        }
        let next = here.get(&one).or_else(|error| match (step, error.is_not_found()) {
            // Between objects and maps an attribute and a key are the same.
            (Step::Index(key), false) => {
                let (key, _) = key.clone().unmark();
                key.as_str().map_or_else(|_| Err(error), |name| here.get(&Path::new().attr(name)))
            }
            _ => Err(error),
        });
        here = next.unwrap_or_else(|_| Value::null(Type::Dynamic)).with_marks(&marks);
    }
    Some(here)
}

/// Whether the path leads to a member of a set, or into one.
fn is_in_set(value: &Value, path: &Path) -> bool {
    let mut here = value.clone();
    for step in path.steps() {
        if matches!(here.ty(), Type::Set(_)) {
            return true;
        }
        match here.get(&Path::from(std::slice::from_ref(step))) {
            Ok(next) => here = next,
            Err(_) => return false,
        }
    }
    false
}

/// What was at a key that is not known yet, if it was there at all.
fn any_by_key(before: &Value, step: &Step) -> Option<Value> {
    let is_open = matches!(step, Step::Index(key) if !key.is_wholly_known());
    let ty = match before.ty() {
        Type::Map(map) if is_open => map.element().clone(),
        Type::Object(_) if is_open => Type::Dynamic,
        _ => return None,
    };
    let before = before.clone().unmark().0;
    let Some(container) = before.container() else { return Some(Value::unknown(ty)) };
    let none = Value::null(ty.clone());
    let all: Vec<&Value> = container.children().chain([&none]).collect();
    Some(join(&all).unwrap_or_else(|| Value::unknown(ty)))
}

/// What stands below a null, or in place of an element that is not there: null.
fn null_below(found: &Found<'_>) -> Value {
    Value::null(one_type(found)).with_marks(found.value.marks())
}

/// What stands below an unknown. It may turn out null: the unknown itself may, or have no such element.
pub(super) fn unknown_below(found: &Found<'_>) -> Value {
    let ty = one_type(found);
    let value = if found.leads_nowhere() { Value::null(ty) } else { Value::unknown(ty) };
    value.with_marks(found.value.marks())
}

fn one_type(found: &Found<'_>) -> Type {
    let types = below_types(found);
    match types.as_slice() {
        [ty] => ty.clone(),
        _ => Type::Dynamic,
    }
}

fn below_types(found: &Found<'_>) -> Vec<Type> {
    let rest = PathExpr::from_steps(found.rest.iter().cloned());
    rest.and_then(|rest| rest.types(&found.value.ty())).unwrap_or_default()
}

/// Elements that are not there yet: each may be anything of its type, and there may be none.
fn in_unknown(rule: &Rule, found: &Found<'_>, base: &Base, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let range = found.value.range();
    let length = range.length_range().unwrap_or_default();
    let mut answer = Outcome::Pass;
    if found.leads_nowhere() {
        return Ok(answer);
    }
    for ty in below_types(found) {
        let element = Value::unknown(ty).with_marks(found.value.marks());
        let outcome = part(rule, found, base, &element, request)?;
        answer = match (answer, outcome) {
            (Outcome::Fail(diagnostics), _) | (_, Outcome::Fail(diagnostics)) => Outcome::Fail(diagnostics),
            (answer, Outcome::Pass) => answer,
            (_, open) => open,
        };
    }
    // A part that certainly fails is a failure only if it is certainly there.
    let there = range.is_not_null()
        && found.rest.iter().filter(|step| **step == ExprStep::AnyElement).count() == 1
        && found.rest.first() == Some(&ExprStep::AnyElement)
        && (length.lower() > 0 || matches!(range.ty(), Type::Tuple(_) | Type::Object(_)));
    match answer {
        Outcome::Fail(_) if !there => {
            let why = super::Why::new([base.path.clone().join(&found.path)]);
            Ok(Outcome::Undetermined(why.with_obligation(rule.clone())))
        }
        Outcome::Undetermined(why) => {
            named_by_parent(Outcome::Undetermined(why.with_obligation(rule.clone())), found, base)
        }
        answer => Ok(answer),
    }
}

/// What is below an unknown depends on that unknown.
fn named_by_parent(outcome: Outcome, found: &Found<'_>, base: &Base) -> Result<Outcome, Misuse> {
    Ok(match outcome {
        Outcome::Undetermined(mut why) => {
            why.set_inputs(vec![base.path.clone().join(&found.path)]);
            Outcome::Undetermined(why)
        }
        outcome => outcome,
    })
}
