//! A rule at every match of a path.

use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::Value;

use super::before::{self, Before};
use super::combine::{Open, conjunction};
use super::known;
use crate::rule::path_expr::{Found, concrete, find};
use crate::rule::structure::reads;
use crate::rule::{ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, Why, evaluate};

/// The value that a path expression starts from: that of the request, or one around it.
pub(in crate::rule) struct Base {
    pub(in crate::rule) value: Value,
    pub(in crate::rule) path: Path,
    /// The path leads out of the value of the request first.
    pub(in crate::rule) is_outside: bool,
}

pub(in crate::rule) fn base(path: &PathExpr, request: &Request<'_>) -> Result<Base, Misuse> {
    let parents = path.parents();
    if parents == 0 {
        return Ok(Base { value: request.value.clone(), path: request.path.clone(), is_outside: false });
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
    Ok(Base { value, path: above, is_outside: true })
}

/// The value at a place behind an element that is unknown. No path names an element of a set or map, or of a
/// container whose elements have several types.
fn follow(root: &Value, path: &Path) -> Option<Value> {
    let mut here = root.clone();
    for step in path.steps() {
        here = match (here.get(&Path::from(std::slice::from_ref(step))), step) {
            (Ok(next), _) => next,
            // Below a mark the attributes of an object are named as keys.
            (Err(_), Step::Index(key)) if key.is_wholly_known() && matches!(here.ty(), Type::Object(_)) => {
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
pub(in crate::rule) fn matches<'p>(
    path: &'p PathExpr,
    request: &Request<'_>,
) -> Result<(Base, Vec<Found<'p>>), Misuse> {
    let base = base(path, request)?;
    let found = find(path.inward(), &base.value).map_err(|error| Misuse::from_error(&error, &base.path))?;
    Ok((base, found))
}

#[inline(never)]
pub(in crate::rule) fn check(
    whole: &Rule,
    path: &PathExpr,
    rule: &Rule,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let (base, found) = matches(path, request)?;
    // The rule is broken at some of the matches, and most of them are not worth a second look.
    let is_broken = request.is_broken && found.len() == 1;
    let mut failures = Vec::new();
    let mut open = Open::default();
    for found in &found {
        match at_match(rule, found, &base, request, is_broken)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => failures.push(diagnostics),
            Outcome::Undetermined(why) => open.add(whole, at_this(why, whole, path, rule, found)),
        }
    }
    Ok(conjunction(whole, failures, open))
}

/// Makes the obligation of an undetermined answer a rule at this one match. A function of its own keeps the frame of its
/// caller small: rules nest up to 256 deep, and a debug build has a 1 MiB stack for them.
#[inline(never)]
fn at_this(mut why: Why, whole: &Rule, path: &PathExpr, rule: &Rule, found: &Found<'_>) -> Why {
    let rest = why.take_obligation(rule);
    let obligation = obligation(path, found, rest);
    why.with_obligation(obligation.unwrap_or_else(|| whole.clone()))
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

pub(in crate::rule) fn at_match(
    rule: &Rule,
    found: &Found<'_>,
    base: &Base,
    request: &Request<'_>,
    mut is_broken: bool,
) -> Result<Outcome, Misuse> {
    let wildcard = found.rest.contains(&ExprStep::AnyElement);
    if wildcard && matches!(found.how, How::StoppedAtNull | How::Missing) {
        // No elements, so nothing to check.
        return Ok(Outcome::Pass);
    }
    let is_read = request.is_read && !base.is_outside;
    // Where the path leads out, what was there before may be missing, which is misuse whatever the rule says.
    let may_ask = !is_broken && !base.is_outside && found.how == How::Exact;
    if may_ask && (is_read || reads::fits(rule, &found.value.ty())) {
        match known::passes(rule, &found.value) {
            Some(true) => return Ok(Outcome::Pass),
            passes => is_broken = passes.is_some(),
        }
    }
    let before = before::of(found, base, request)?;
    let undecided = found.may_be_misuse().then(|| base.path.clone().join(&found.path));
    let around = (request, &Around { before, undecided, is_read, is_broken });
    match found.how {
        How::Exact => part(rule, found, base, &found.value, around),
        How::StoppedAtNull | How::Missing => {
            let null = null_below(found);
            part(rule, found, base, &null, around)
        }
        How::StoppedAtUnknown if wildcard => in_unknown(rule, found, base, around),
        How::StoppedAtUnknown => {
            let value = unknown_below(found);
            named_by_parent(part(rule, found, base, &value, around)?, found, base)
        }
    }
}

fn below(found: &Found<'_>, base: &Base) -> Path {
    concrete(found.rest, base.path.clone().join(&found.path))
}

/// What is computed once for a place, however many elements it may hold.
struct Around {
    before: Before,
    /// The place, where the rest of the path may turn out to lead nowhere.
    undecided: Option<Path>,
    /// See [`Request`].
    is_read: bool,
    is_broken: bool,
}

/// Checks the part that was reached.
///
/// Where the type above is undecided, the part may be a member of a set, which has no value before: then both
/// readings have to agree.
fn part(
    rule: &Rule,
    found: &Found<'_>,
    base: &Base,
    value: &Value,
    (request, around): (&Request<'_>, &Around),
) -> Result<Outcome, Misuse> {
    let outcome = match &around.before {
        // A rule that does not look at the value before answers alike in both readings.
        Before::NothingOr(before) if rule.reads_before() => {
            in_both_readings(rule, (found, base), value, (request, around), before)?
        }
        Before::Value(before) => with_before(rule, (found, base), value, (request, around), Some(before))?,
        _ => with_before(rule, (found, base), value, (request, around), None)?,
    };
    // The rest of the path may turn out to lead nowhere, which is misuse of the rule and no answer.
    Ok(outcome.unless_misuse(rule, around.undecided.iter().cloned().collect()))
}

/// Checks the part with this value before. In a function of its own: rules nest, and each frame counts in a debug build.
#[inline(never)]
fn with_before(
    rule: &Rule,
    (found, base): (&Found<'_>, &Base),
    value: &Value,
    (request, around): (&Request<'_>, &Around),
    before: Option<&Value>,
) -> Result<Outcome, Misuse> {
    let (ty, path) = (value.ty(), below(found, base));
    // Once for each type: the elements of a collection that says their type share it.
    if !around.is_read {
        reads::check(rule, &ty, &path)?;
    }
    let request = Request {
        value,
        path,
        root: request.root,
        before,
        before_root: request.before_root(),
        is_within: request.is_within,
        data: request.data,
        type_name: request.type_name,
        is_part: true,
        not_null: false,
        above: None,
        is_read: around.is_read || !ty.has_dynamic(),
        is_broken: around.is_broken,
    };
    evaluate::check(rule, &request)
}

/// The answer where the part may have had a value before, or none.
#[inline(never)]
fn in_both_readings(
    rule: &Rule,
    (found, base): (&Found<'_>, &Base),
    value: &Value,
    around: (&Request<'_>, &Around),
    before: &Value,
) -> Result<Outcome, Misuse> {
    let without = with_before(rule, (found, base), value, around, None)?;
    let with = with_before(rule, (found, base), value, around, Some(before))?;
    Ok(match (without, with) {
        (Outcome::Pass, Outcome::Pass) => Outcome::Pass,
        (Outcome::Fail(_), Outcome::Fail(diagnostics)) => Outcome::Fail(diagnostics),
        (Outcome::Undetermined(why), _) | (_, Outcome::Undetermined(why)) => {
            Outcome::Undetermined(why.with_obligation(rule.clone()))
        }
        _ => Outcome::Undetermined(Why::new([below(found, base)]).with_obligation(rule.clone())),
    })
}

/// The value below a null, and of a missing element: null.
fn null_below(found: &Found<'_>) -> Value {
    Value::null(one_type(found)).with_marks(found.value.marks())
}

/// The value below an unknown: an unknown that may be null, as the one above may be null or lack the element.
pub(in crate::rule) fn unknown_below(found: &Found<'_>) -> Value {
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

pub(in crate::rule) fn below_types(found: &Found<'_>) -> Vec<Type> {
    let rest = PathExpr::from_steps(found.rest.iter().cloned());
    rest.and_then(|rest| rest.types(&found.value.ty())).unwrap_or_default()
}

/// The answer for the elements of an unknown collection: each may be any value of the element type, and there may
/// be no elements.
fn in_unknown(
    rule: &Rule,
    found: &Found<'_>,
    base: &Base,
    around: (&Request<'_>, &Around),
) -> Result<Outcome, Misuse> {
    let mut answer = Outcome::Pass;
    if found.leads_nowhere() {
        return Ok(answer);
    }
    for ty in below_types(found) {
        let element = Value::unknown(ty).with_marks(found.value.marks());
        let outcome = part(rule, found, base, &element, around)?;
        answer = match (answer, outcome) {
            (Outcome::Undetermined(why), _) | (_, Outcome::Undetermined(why)) if why.may_be_misuse() => {
                Outcome::Undetermined(why)
            }
            (Outcome::Fail(diagnostics), _) | (_, Outcome::Fail(diagnostics)) => Outcome::Fail(diagnostics),
            (answer, Outcome::Pass) => answer,
            (_, open) => open,
        };
    }
    match answer {
        // A part that certainly fails is a failure only if it is certainly there.
        Outcome::Fail(_) if !surely_has_elements(found) => {
            let why = Why::new([base.path.clone().join(&found.path)]);
            Ok(Outcome::Undetermined(why.with_obligation(rule.clone())))
        }
        Outcome::Undetermined(why) => {
            named_by_parent(Outcome::Undetermined(why.with_obligation(rule.clone())), found, base)
        }
        answer => Ok(answer),
    }
}

/// Whether a path through the elements of an unknown leads somewhere, whatever the unknown turns out to be.
pub(in crate::rule) fn surely_has_elements(found: &Found<'_>) -> bool {
    let range = found.value.range();
    let length = range.length_range().unwrap_or_default();
    range.is_not_null()
        && found.rest.iter().filter(|step| **step == ExprStep::AnyElement).count() == 1
        && found.rest.first() == Some(&ExprStep::AnyElement)
        && (length.lower() > 0 || matches!(range.ty(), Type::Tuple(_) | Type::Object(_)))
}

/// The answer of a rule on other parts; undetermined where a path to one of them may turn out to lead nowhere, which
/// is misuse.
pub(in crate::rule) fn unless_misuse(
    rule: &Rule,
    outcome: Outcome,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let is_decided = |value: &Value| value.is_wholly_known() || !value.ty().has_dynamic();
    if is_decided(request.value) && is_decided(request.root) {
        return Ok(outcome);
    }
    let mut undecided = Vec::new();
    for path in rule.operands() {
        let (base, found) = matches(path, request)?;
        for found in found.iter().filter(|found| found.may_be_misuse()) {
            undecided.push(base.path.clone().join(&found.path));
        }
    }
    if let Rule::RequiredWhen(requirement) = rule {
        // What decides may turn out of a type that none of the values has.
        let compares = Rule::OneOf(requirement.one_of.clone());
        let (base, found) = matches(&requirement.path, request)?;
        for found in &found {
            let below = (found.how == How::StoppedAtUnknown).then(|| unknown_below(found));
            if !reads::certainly(&compares, below.as_ref().unwrap_or(&found.value)) {
                undecided.push(base.path.clone().join(&found.path));
            }
        }
    }
    Ok(outcome.unless_misuse(rule, undecided))
}

/// Names the unknown above as the input: what is below it depends on it.
fn named_by_parent(outcome: Outcome, found: &Found<'_>, base: &Base) -> Result<Outcome, Misuse> {
    Ok(match outcome {
        Outcome::Undetermined(mut why) => {
            why.set_inputs(vec![base.path.clone().join(&found.path)]);
            Outcome::Undetermined(why)
        }
        outcome => outcome,
    })
}
