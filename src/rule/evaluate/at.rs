//! Evaluates `at`: a rule on every value that a path leads to. An end of a path is such a value, or the null or unknown
//! value at which the path could not be followed further.

use crate::path::{Path, Step};
use crate::refinement::Nullness;
use crate::types::Type;
use crate::value::{Value, ValueRange, View, join, view_below_marks};

use super::before::{self, Before};
use super::combine::{Failures, UndeterminedRules, conjunction};
use super::known;
use crate::rule::path_expr::{PathEnd, append_steps, path_ends, path_ends_but, plain_end};
use crate::rule::structure::reads;
use crate::rule::{ExprStep, How, Misuse, Outcome, PathExpr, Request, RequiresRule, Rule, Why, evaluate};

/// The value that a path expression starts from: that of the request or, after `<` (one level out), one that contains
/// it.
pub(in crate::rule) struct PathStart {
    /// The value to start from.
    pub(in crate::rule) value: Value,
    /// Its path from the root.
    pub(in crate::rule) path: Path,
    /// Whether the expression begins with `<`, so that the value is not that of the request.
    pub(in crate::rule) is_outside: bool,
}

/// Finds the value that a path expression starts from: as many levels out of the value of the request as the expression
/// has `<`. [`Misuse`] if that leads out of the root.
pub(in crate::rule) fn path_start(path: &PathExpr, request: &Request<'_>) -> Result<PathStart, Misuse> {
    let parents = path.parent_count();
    if parents == 0 {
        return Ok(PathStart { value: request.value.clone(), path: request.path.clone(), is_outside: false });
    }
    let steps = request.path.steps();
    let out =
        || Misuse::new(request.path.clone(), format!("{path} leads out of what is known around the value"));
    let kept = steps.len().checked_sub(parents).and_then(|kept| steps.get(..kept)).ok_or_else(out)?;
    let above = Path::from(kept);
    let value = match request.above.and_then(|held| held.levels_out(parents)) {
        Some(value) => value.clone(),
        None => request.root.get(&above).or_else(|_| follow(request.root, &above).ok_or_else(out))?,
    };
    Ok(PathStart { value, path: above, is_outside: true })
}

/// The value at a path in `root`; `None` if the path does not exist there. A step may have an unknown key: it stands
/// for any element, so it leads to an unknown of the element type. (No path names an unknown element of a set or map,
/// or of a container whose elements have several types.)
fn follow(root: &Value, path: &Path) -> Option<Value> {
    let mut here = root.clone();
    for step in path.steps() {
        here = match (here.get(&Path::from(std::slice::from_ref(step))), step) {
            (Ok(next), _) => next,
            // Below a mark, paths name the attributes of an object as keys, because the names are content (L5).
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

/// Follows a path expression from the value of the request. Returns where it starts, and its ends: each value that it
/// leads to, or the null or unknown where it stops. [`Misuse`] if the type has no such attribute or element.
pub(in crate::rule) fn follow_path<'p>(
    path: &'p PathExpr,
    request: &Request<'_>,
) -> Result<(PathStart, Vec<PathEnd<'p>>), Misuse> {
    let start = path_start(path, request)?;
    let ends = path_ends(path.inward_steps(), &start.value)
        .map_err(|error| Misuse::from_error(&error, &start.path))?;
    Ok((start, ends))
}

/// Evaluates an `at` rule: the nested `rule` must hold for every value that the path leads to. `whole` is the `at` rule
/// itself, the obligation where no narrower one can be built.
#[inline(never)]
pub(in crate::rule) fn check(
    whole: &Rule,
    path: &PathExpr,
    rule: &Rule,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    if let Some(outcome) = check_plain_failure(whole, path, rule, request)? {
        return Ok(outcome);
    }
    let (start, ends, is_failing) = ends_to_check(path, rule, request)?;
    let mut failures = Failures::new();
    let mut open = UndeterminedRules::default();
    for end in &ends {
        match check_match(rule, end, &start, request, is_failing)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => failures.push(diagnostics),
            Outcome::Undetermined(why) => open.add(whole, with_obligation_at(why, whole, path, rule, end)),
        }
    }
    Ok(conjunction(whole, failures, open))
}

/// Fast path for a rule that is known to fail (`is_failing`), where its path leads to one value: evaluates it there without
/// building the ends of the path. `None` where the path may end otherwise (after `<`, with `[*]`, below marks, at nulls
/// and missing elements), and with a value before a change.
#[inline(never)]
fn check_plain_failure(
    whole: &Rule,
    path: &PathExpr,
    rule: &Rule,
    request: &Request<'_>,
) -> Result<Option<Outcome>, Misuse> {
    let is_alone = request.is_failing && request.types_checked && request.before.is_none();
    let Some((place, value)) = is_alone.then(|| plain_end(path.steps(), request.value)).flatten() else {
        return Ok(None);
    };
    let mut part = request_for_part(request, value, request.path.clone().join(&place));
    (part.types_checked, part.is_failing) = (true, true);
    Ok(Some(match evaluate::check(rule, &part)? {
        Outcome::Undetermined(mut why) => {
            let obligation = Rule::at(path.clone(), why.take_obligation(rule));
            Outcome::Undetermined(why.with_obligation(obligation.unwrap_or_else(|_| whole.clone())))
        }
        outcome => outcome,
    }))
}

/// The request for a value that a path leads to, without a value before the change.
fn request_for_part<'r>(request: &Request<'r>, value: &'r Value, path: Path) -> Request<'r> {
    Request {
        value,
        path,
        root: request.root,
        before: None,
        before_root: request.before_root(),
        is_within: request.is_within,
        data: request.data,
        surroundings: request.surroundings,
        type_name: request.type_name,
        is_part: true,
        not_null: false,
        above: None,
        types_checked: false,
        is_failing: false,
    }
}

/// Follows a path expression to its ends, the values for which the rule has to be evaluated; elements that pass by the
/// fast path for known values may be left out. The bool says that this fast path is known not to pass at the ends, so
/// that it is not tried there again. Not inlined: rules nest up to 256 deep, and a debug build has 1 MiB of stack for
/// all their frames.
#[inline(never)]
fn ends_to_check<'p>(
    path: &'p PathExpr,
    rule: &Rule,
    request: &Request<'_>,
) -> Result<(PathStart, Vec<PathEnd<'p>>, bool), Misuse> {
    let is_failing = request.is_failing && request.types_checked;
    if !is_failing || path.parent_count() > 0 || !path.has_wildcard() {
        let (start, ends) = follow_path(path, request)?;
        // The rule fails at some of the ends. With several, most of them still pass, and the fast path skips those.
        let is_failing = request.is_failing && ends.len() == 1;
        return Ok((start, ends, is_failing));
    }
    let start = path_start(path, request)?;
    let passes = |part: &Value| known::passes(rule, part) == Some(true);
    let ends = path_ends_but(path.inward_steps(), &start.value, &passes)
        .map_err(|error| Misuse::from_error(&error, &start.path))?;
    // `path_ends_but` evaluates the rule only on elements that the last step reaches.
    let ends_with_wildcard = path.steps().last() == Some(&ExprStep::AnyElement);
    let is_failing = ends_with_wildcard || ends.len() == 1;
    Ok((start, ends, is_failing))
}

/// Rewrites the obligation of an undetermined outcome (the rule that remains to be checked), which is about the value
/// at `end`, into a rule on the value that the path starts from; `whole` where that is not possible. Not inlined: rules
/// nest up to 256 deep, and a debug build has 1 MiB of stack for all their frames.
#[inline(never)]
fn with_obligation_at(mut why: Why, whole: &Rule, path: &PathExpr, rule: &Rule, end: &PathEnd<'_>) -> Why {
    let rest = why.take_obligation(rule);
    let obligation = obligation_at(path, end, rest);
    why.with_obligation(obligation.unwrap_or_else(|| whole.clone()))
}

/// Turns `rest`, a rule on the value at this end of the path, into a rule on the value that the path starts from, about
/// this end only. `None` where no path expression leads to this end alone, or the rule would nest too deep.
fn obligation_at(path: &PathExpr, end: &PathEnd<'_>, rest: Rule) -> Option<Rule> {
    if !path.has_wildcard() {
        return Rule::at(path.clone(), rest).ok();
    }
    let mut steps = vec![ExprStep::Parent; path.parent_count()];
    steps.extend(PathExpr::exact_steps(&end.path)?);
    if end.how != How::Missing {
        steps.extend(end.rest.iter().cloned());
    }
    Rule::at(PathExpr::from_steps(steps).ok()?, rest).ok()
}

/// Evaluates the rule at one end of a path: on the value there, on null where the path stopped at a null or a missing
/// element, and on an unknown where it stopped at an unknown. `start` is where the path starts. `is_failing` says that
/// the fast path for known values was tried on the value and did not pass, so it is not tried again.
pub(in crate::rule) fn check_match(
    rule: &Rule,
    end: &PathEnd<'_>,
    start: &PathStart,
    request: &Request<'_>,
    mut is_failing: bool,
) -> Result<Outcome, Misuse> {
    let wildcard = end.rest.contains(&ExprStep::AnyElement);
    if wildcard && matches!(end.how, How::StoppedAtNull | How::Missing) {
        // A null has no elements, so there is nothing to check.
        return Ok(Outcome::Pass);
    }
    let types_checked = request.types_checked && !start.is_outside;
    // After `<` the value before may be missing, which is an error whatever the rule says: no fast path.
    let may_use_fast_path = !is_failing && !start.is_outside && end.how == How::Exact;
    if may_use_fast_path && (types_checked || reads::can_read(rule, &end.value.ty())) {
        match known::passes(rule, &end.value) {
            Some(true) => return Ok(Outcome::Pass),
            passes => is_failing = passes.is_some(),
        }
    }
    let before = before::value_before(end, start, request)?;
    let undecided = end.may_be_misuse().then(|| start.path.clone().join(&end.path));
    let around = (request, &MatchContext { before, undecided, types_checked, is_failing });
    match end.how {
        How::Exact => check_part(rule, end, start, &end.value, around),
        How::StoppedAtNull | How::Missing => {
            let null = null_below(end);
            check_part(rule, end, start, &null, around)
        }
        How::StoppedAtUnknown if wildcard => check_unknown_elements(rule, end, start, around),
        How::StoppedAtUnknown => {
            let value = unknown_below(end);
            with_parent_as_input(check_part(rule, end, start, &value, around)?, end, start)
        }
    }
}

/// The path, from the root, of the value that an end stands for, including the remaining steps that could not be
/// followed.
fn full_path(end: &PathEnd<'_>, start: &PathStart) -> Path {
    append_steps(end.rest, start.path.clone().join(&end.path))
}

/// What is computed once for an end of a path, and used for each element that the end stands for.
struct MatchContext {
    before: Before,
    /// The path of the end if its remaining steps may turn out to name no attribute or element of the type, which is
    /// misuse.
    undecided: Option<Path>,
    /// As in [`Request`]: the rule is known to read the type of the value.
    types_checked: bool,
    /// As in [`Request`]: the fast path for known values was tried and did not pass.
    is_failing: bool,
}

/// Evaluates the rule on `value`, which the end of a path stands for, with the value before the change at the same
/// place.
///
/// If the type of a container above is undecided, that may be a set, whose members have no value before. Then the rule
/// is evaluated with and without a value before, and must have the same outcome in both.
fn check_part(
    rule: &Rule,
    end: &PathEnd<'_>,
    start: &PathStart,
    value: &Value,
    (request, around): (&Request<'_>, &MatchContext),
) -> Result<Outcome, Misuse> {
    let outcome = match &around.before {
        // Only a rule that reads the value before can tell the two apart.
        Before::NothingOr(before) if rule.reads_before() => {
            check_both_readings(rule, (end, start), value, (request, around), before)?
        }
        Before::Value(before) => {
            check_with_before(rule, (end, start), value, (request, around), Some(before))?
        }
        _ => check_with_before(rule, (end, start), value, (request, around), None)?,
    };
    // The rest of the path may turn out to lead nowhere, which is misuse of the rule and no answer.
    Ok(outcome.undetermined_if_misuse(rule, around.undecided.iter().cloned().collect()))
}

/// Evaluates the rule on `value`, which the end of a path stands for, with the given value before the change, or
/// without one. Not inlined: rules nest up to 256 deep, and a debug build has 1 MiB of stack for all their frames.
#[inline(never)]
fn check_with_before(
    rule: &Rule,
    (end, start): (&PathEnd<'_>, &PathStart),
    value: &Value,
    (request, around): (&Request<'_>, &MatchContext),
    before: Option<&Value>,
) -> Result<Outcome, Misuse> {
    let (ty, path) = (value.ty(), full_path(end, start));
    // Elements of one collection share their type, so a collection of decided type is checked once and not per element.
    if !around.types_checked {
        reads::check(rule, &ty, &path)?;
    }
    let mut request = request_for_part(request, value, path);
    request.before = before;
    request.types_checked = around.types_checked || !ty.has_dynamic();
    request.is_failing = around.is_failing;
    evaluate::check(rule, &request)
}

/// Evaluates the rule on a value both with a value before the change and without one; undetermined where the outcomes
/// differ.
#[inline(never)]
fn check_both_readings(
    rule: &Rule,
    (end, start): (&PathEnd<'_>, &PathStart),
    value: &Value,
    around: (&Request<'_>, &MatchContext),
    before: &Value,
) -> Result<Outcome, Misuse> {
    let without = check_with_before(rule, (end, start), value, around, None)?;
    let with = check_with_before(rule, (end, start), value, around, Some(before))?;
    Ok(match (without, with) {
        (Outcome::Pass, Outcome::Pass) => Outcome::Pass,
        (Outcome::Fail(_), Outcome::Fail(diagnostics)) => Outcome::Fail(diagnostics),
        (Outcome::Undetermined(why), _) | (_, Outcome::Undetermined(why)) => {
            Outcome::Undetermined(why.with_obligation(rule.clone()))
        }
        _ => Outcome::Undetermined(Why::new([full_path(end, start)]).with_obligation(rule.clone())),
    })
}

/// The null that stands for the value at the end of a path that stopped at a null or a missing element. It has the type
/// of the remaining steps, and the marks of the value where the path stopped.
fn null_below(end: &PathEnd<'_>) -> Value {
    Value::null(type_below(end)).with_marks(end.value.marks())
}

/// The unknown that stands for the value at the end of a path that stopped at an unknown. It may be null, since the
/// value above may be null or lack the element; it is null where the path certainly leads to no element.
pub(in crate::rule) fn unknown_below(end: &PathEnd<'_>) -> Value {
    let value = if end.leads_nowhere() {
        Value::null(type_below(end))
    } else if end.rest.contains(&ExprStep::AnyElement) {
        // There may be no element at all, so nothing is known of one.
        Value::unknown(type_below(end))
    } else {
        let part = representative_below(end).and_then(|parts| parts.into_iter().next());
        part.unwrap_or_else(|| Value::unknown(type_below(end)))
    };
    value.with_marks(end.value.marks())
}

/// The type that the remaining steps of an end lead to; dynamic if they lead to several types.
fn type_below(end: &PathEnd<'_>) -> Type {
    let types = types_below(end);
    match types.as_slice() {
        [ty] => ty.clone(),
        _ => Type::Dynamic,
    }
}

/// The types that the remaining steps of an end lead to, from the type of the value where the path stopped. Empty if
/// they lead to none.
pub(in crate::rule) fn types_below(end: &PathEnd<'_>) -> Vec<Type> {
    let rest = PathExpr::from_steps(end.rest.iter().cloned());
    rest.and_then(|rest| rest.types(&end.value.ty())).unwrap_or_default()
}

/// The unknowns that stand for the values to which the remaining steps of an end lead, with `[*]` among them: with what is
/// known of elements and attributes, where one value stands for all of them. Empty if there are certainly no such values.
pub(in crate::rule) fn elements_below(end: &PathEnd<'_>) -> Vec<Value> {
    if let ([ExprStep::AnyElement], View::Unknown(range)) = (end.rest, view_below_marks(&end.value))
        && matches!(range.ty(), Type::Object(_) | Type::Tuple(_))
    {
        return range.unknown_parts();
    }
    representative_below(end).unwrap_or_else(|| types_below(end).into_iter().map(Value::unknown).collect())
}

/// The value that stands for every value to which the remaining steps of an end lead, with what is known of elements and
/// attributes; no value if there certainly are none, as there are no elements of null. It may be null where a container
/// may be null or lack the element. `None` if no single value stands for all.
fn representative_below(end: &PathEnd<'_>) -> Option<Vec<Value>> {
    let mut part = end.value.clone();
    let mut rest = end.rest;
    while let Some((step, after)) = rest.split_first() {
        part = match after_step(&part, step) {
            StepTarget::One(part) => part,
            StepTarget::Nowhere if rest.contains(&ExprStep::AnyElement) => return Some(Vec::new()),
            StepTarget::Nowhere => return Some(vec![Value::null(type_below(end))]),
            StepTarget::NoSingleValue => return None,
        };
        rest = after;
    }
    Some(vec![part])
}

/// Where a step leads from a value.
pub(in crate::rule) enum StepTarget {
    /// To no part, whatever the value becomes.
    Nowhere,
    /// To parts for which this value stands. It may be null where the container may be null or lack the part.
    One(Value),
    /// To parts for which no single value stands, or to what the type does not have.
    NoSingleValue,
}

/// Where the step leads from the value, which need not be known.
pub(in crate::rule) fn after_step(value: &Value, step: &ExprStep) -> StepTarget {
    let one_or_nowhere = |part: Option<Value>| part.map_or(StepTarget::Nowhere, StepTarget::One);
    let index = |index: &u64| usize::try_from(*index).ok();
    match (step, view_below_marks(value)) {
        (_, View::Null(_)) => StepTarget::Nowhere,
        (_, View::Unknown(range)) if range.nullness() == Nullness::Null => StepTarget::Nowhere,
        (step, View::Unknown(range)) => after_step_of_unknown(&range, step, range.is_not_null()),
        (ExprStep::Attr(name) | ExprStep::Key(name), View::Object(object)) => match object.get(name) {
            Some(part) => StepTarget::One(part.clone()),
            None => StepTarget::NoSingleValue,
        },
        (ExprStep::Attr(name) | ExprStep::Key(name), View::Map(map)) => {
            one_or_nowhere(map.get(name).map(Value::outside_collection))
        }
        (ExprStep::Index(at), View::Tuple(tuple)) => {
            one_or_nowhere(index(at).and_then(|at| tuple.get(at)).cloned())
        }
        (ExprStep::Index(at), View::List(list)) => {
            one_or_nowhere(index(at).and_then(|at| list.get(at)).map(Value::outside_collection))
        }
        (ExprStep::AnyElement, View::List(list)) if !list.element_type().has_dynamic() => {
            one_or_nowhere(join(&list.iter().collect::<Vec<_>>()))
        }
        (ExprStep::AnyElement, View::Map(map)) if !map.element_type().has_dynamic() => {
            one_or_nowhere(join(&map.iter().map(|(_, element)| element).collect::<Vec<_>>()))
        }
        _ => StepTarget::NoSingleValue,
    }
}

/// As [`after_step`], of an unknown value; `is_not_null` says that it is not null.
pub(in crate::rule) fn after_step_of_unknown(
    range: &ValueRange,
    step: &ExprStep,
    is_not_null: bool,
) -> StepTarget {
    let most = range.length_range().and_then(|length| length.upper());
    let in_container = |part: Value| if is_not_null { StepTarget::One(part) } else { or_null(part) };
    match (step, range.ty()) {
        (_, Type::List(_) | Type::Set(_) | Type::Map(_)) if most == Some(0) => StepTarget::Nowhere,
        (ExprStep::AnyElement, ty) => match ty.element_type() {
            Some(element) => StepTarget::One(range.unknown_element(element)),
            None => StepTarget::NoSingleValue,
        },
        (ExprStep::Attr(name) | ExprStep::Key(name), Type::Object(ty)) => match ty.get(name) {
            Some(ty) => in_container(range.unknown_attribute(name, ty)),
            None => StepTarget::NoSingleValue,
        },
        (ExprStep::Attr(name) | ExprStep::Key(name), Type::Map(ty)) => {
            match range.may_have_key(&Value::from(name.as_str())) {
                true => or_null(range.unknown_element(ty.element())),
                false => StepTarget::Nowhere,
            }
        }
        (ExprStep::Index(index), Type::Tuple(_)) => {
            let part = usize::try_from(*index).ok().and_then(|index| range.unknown_tuple_element(index));
            part.map_or(StepTarget::NoSingleValue, in_container)
        }
        (ExprStep::Index(index), Type::List(_)) if most.is_some_and(|most| *index >= most) => {
            StepTarget::Nowhere
        }
        (ExprStep::Index(index), Type::List(ty)) => {
            let element = range.unknown_element(ty.element());
            let least = range.length_range().map_or(0, |length| length.lower());
            if is_not_null && *index < least { StepTarget::One(element) } else { or_null(element) }
        }
        _ => StepTarget::NoSingleValue,
    }
}

/// The value, or null.
fn or_null(value: Value) -> StepTarget {
    join(&[&Value::null(value.ty()), &value]).map_or(StepTarget::NoSingleValue, StepTarget::One)
}

/// Evaluates the rule on the elements of an unknown collection at which a path with `[*]` stopped: each may be any
/// value of the element type, and there may be none.
fn check_unknown_elements(
    rule: &Rule,
    end: &PathEnd<'_>,
    start: &PathStart,
    around: (&Request<'_>, &MatchContext),
) -> Result<Outcome, Misuse> {
    let mut answer = Outcome::Pass;
    if end.leads_nowhere() {
        return Ok(answer);
    }
    for element in elements_below(end) {
        let element = element.with_marks(end.value.marks());
        let outcome = check_part(rule, end, start, &element, around)?;
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
        // An element that would fail is a failure only if the collection certainly has one.
        Outcome::Fail(_) if !certainly_has_elements(end) => {
            let why = Why::new([start.path.clone().join(&end.path)]);
            Ok(Outcome::Undetermined(why.with_obligation(rule.clone())))
        }
        Outcome::Undetermined(why) => {
            with_parent_as_input(Outcome::Undetermined(why.with_obligation(rule.clone())), end, start)
        }
        answer => Ok(answer),
    }
}

/// Whether a path that stopped at an unknown collection, with `[*]` as its next step, certainly leads to at least one
/// element. False also for a path with a second `[*]`.
pub(in crate::rule) fn certainly_has_elements(end: &PathEnd<'_>) -> bool {
    let range = end.value.range();
    let length = range.length_range().unwrap_or_default();
    range.is_not_null()
        && end.rest.iter().filter(|step| **step == ExprStep::AnyElement).count() == 1
        && end.rest.first() == Some(&ExprStep::AnyElement)
        && (length.lower() > 0 || matches!(range.ty(), Type::Tuple(_) | Type::Object(_)))
}

/// Makes the outcome of a rule that reads other values through paths undetermined if one of its paths may turn out to
/// lead to no attribute of a type that is not known yet: that would be misuse. Else the outcome stays as it is.
pub(in crate::rule) fn undetermined_if_misuse(
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
        let (start, ends) = follow_path(path, request)?;
        for end in ends.iter().filter(|end| end.may_be_misuse()) {
            undecided.push(start.path.clone().join(&end.path));
        }
    }
    if let Rule::Requires(RequiresRule::RequiredWhen(requirement)) = rule {
        // The part that decides may turn out to have a type that none of the values has.
        let compares = Rule::one_of(&requirement.one_of);
        let (start, ends) = follow_path(&requirement.path, request)?;
        for end in &ends {
            let below = (end.how == How::StoppedAtUnknown).then(|| unknown_below(end));
            if !reads::can_read_every_outcome(&compares, below.as_ref().unwrap_or(&end.value)) {
                undecided.push(start.path.clone().join(&end.path));
            }
        }
    }
    Ok(outcome.undetermined_if_misuse(rule, undecided))
}

/// Sets the inputs of an undetermined outcome (the unknown values it depends on) to the unknown at which the path
/// stopped. Other outcomes stay as they are.
fn with_parent_as_input(outcome: Outcome, end: &PathEnd<'_>, start: &PathStart) -> Result<Outcome, Misuse> {
    Ok(match outcome {
        Outcome::Undetermined(mut why) => {
            why.set_inputs(vec![start.path.clone().join(&end.path)]);
            Outcome::Undetermined(why)
        }
        outcome => outcome,
    })
}
