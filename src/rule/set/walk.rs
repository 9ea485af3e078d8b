//! Evaluates all rules of a ruled type on a value, leaves first.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::path::{Path, Step};
use crate::rule::evaluate::at::{StepTarget, after_step_of_unknown};
use crate::rule::path_expr::{PathEnd, path_ends};
use crate::rule::request::Above;
use crate::rule::{ExprStep, How, Outcome, Request, Severity, Why};
use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{is_always_null, may_be_null};

use super::compile::CompiledRule;
use super::report::{Answer, Report, Skipped};
use super::tree::{Node, Tree};
use super::{GuardAnswer, Phase, Skip};

/// The options of a check: whether inputs or outputs are checked, places to skip, and data for custom rules.
///
/// ```
/// use plantime::rule::set::{Checking, Phase, RuleSet, RuledType, Skip};
/// use plantime::{Type, value};
///
/// let ty = RuledType::new("object({ port = number })".parse::<Type>()?)
///     .at("port", RuleSet::keywords([("min", 1)])?)?;
/// let skips = ["outputs:**".parse::<Skip>()?];
/// let outcome = |phase| ty.check_with(&value!({ "port": 0 })?, &Checking::new(phase).skipping(&skips));
/// assert!(outcome(Phase::Inputs)?.outcome().is_fail());
/// assert!(outcome(Phase::Outputs)?.outcome().is_pass());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Checking<'a> {
    phase: Phase,
    skips: &'a [Skip],
    data: Option<&'a dyn Any>,
}

impl<'a> Checking<'a> {
    /// Checks inputs or outputs.
    ///
    /// [Example](Checking)
    pub fn new(phase: Phase) -> Checking<'a> {
        Checking { phase, ..Checking::default() }
    }

    /// Skips the rules at some places.
    ///
    /// [Example](Checking)
    #[must_use]
    pub fn skipping(mut self, skips: &'a [Skip]) -> Checking<'a> {
        self.skips = skips;
        self
    }

    /// Sets data that [`Custom`](crate::rule::Custom) rules can read during the check.
    ///
    /// [`Request::with_data`] shows how a rule reads the data.
    #[must_use]
    pub fn with_data(mut self, data: &'a dyn Any) -> Checking<'a> {
        self.data = Some(data);
        self
    }
}

impl fmt::Debug for Checking<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checking")
            .field("phase", &self.phase)
            .field("skips", &self.skips)
            .finish_non_exhaustive()
    }
}

/// A value on the stack of the traversal whose rules are still to be evaluated. It is taken from the stack twice:
/// first to push its children, then to evaluate its rules.
struct PendingPlace {
    /// The index in the tree of the node whose rules apply.
    node: usize,
    /// The value at the place.
    value: Value,
    /// The path of the place.
    path: Path,
    /// The path of the nearest unknown value that contains the place; `None` if no such value is unknown.
    unknown_above: Option<Path>,
    /// Whether the place exists whatever the unknowns turn out to be.
    certainly_exists: bool,
    /// The values that contain the place, from the innermost out. Looking up a member of a set by its path would take
    /// time linear in the set.
    above: Option<Arc<Above>>,
    /// Whether its children have been pushed.
    visited: bool,
}

/// Evaluates all rules of the tree on a value, children before their parents, and reports the outcomes. `name` is the
/// name of the root in messages.
pub(super) fn check(
    tree: &Tree,
    name: Option<&str>,
    value: &Value,
    checking: &Checking<'_>,
) -> Result<Report> {
    let mut report = Report::new(name);
    let root = PendingPlace {
        node: 0,
        value: value.clone(),
        path: Path::new(),
        unknown_above: None,
        certainly_exists: true,
        above: None,
        visited: false,
    };
    let mut stack = vec![root];
    while let Some(mut place) = stack.pop() {
        let Some(node) = tree.get(place.node) else { continue };
        if place.visited {
            check_place(node, &place, value, checking, &mut report)?;
            continue;
        }
        let mut parts = Vec::new();
        let here = Arc::new(Above { value: place.value.clone(), above: place.above.clone() });
        for (step, child) in &node.children {
            push_children(&place, &here, (step, *child), tree, &mut parts)?;
        }
        if !node.rules.is_empty() {
            place.visited = true;
            stack.push(place);
        }
        stack.extend(parts.into_iter().rev());
    }
    Ok(report)
}

/// Adds to `out` the child places that one step leads to from `place`: one, or each element for `[*]`; none in a
/// null. `child` is the index of their node in the tree.
fn push_children(
    place: &PendingPlace,
    here: &Arc<Above>,
    (step, child): (&ExprStep, usize),
    tree: &Tree,
    out: &mut Vec<PendingPlace>,
) -> Result<()> {
    let steps = std::slice::from_ref(step);
    let ends = path_ends(steps, &place.value).map_err(|error| {
        let path = place.path.clone().join(error.path());
        error.at(path)
    })?;
    for end in ends {
        match end.how {
            How::Exact => out.push(PendingPlace {
                node: child,
                path: place.path.clone().join(&end.path),
                value: end.value,
                unknown_above: place.unknown_above.clone(),
                certainly_exists: place.certainly_exists,
                above: Some(Arc::clone(here)),
                visited: false,
            }),
            // A null has no children.
            How::StoppedAtNull | How::Missing => {}
            How::StoppedAtUnknown => {
                let types = tree.get(place.node).zip(tree.get(child));
                let (ty, part) = types.map_or((&Type::Dynamic, &Type::Dynamic), |(a, b)| (&a.ty, &b.ty));
                out.extend(child_of_unknown(place, here, (step, child), (ty, part), &end));
            }
        }
    }
    Ok(())
}

/// The child place that a step leads to from an unknown value, as an unknown of the child's type. `None` if the
/// unknown certainly has no such child. `ty` is the declared type of the parent, `part` that of the child.
fn child_of_unknown(
    place: &PendingPlace,
    here: &Arc<Above>,
    (step, child): (&ExprStep, usize),
    (ty, part): (&Type, &Type),
    end: &PathEnd<'_>,
) -> Option<PendingPlace> {
    if end.leads_nowhere() {
        return None;
    }
    let range = place.value.range();
    let not_empty = match step {
        ExprStep::AnyElement => range.length_range().is_some_and(|length| length.lower() > 0),
        _ => true,
    };
    // The type of the value can be more precise than that of the node.
    let own = super::places::child_type(range.ty(), step);
    // A null has no children: this is one of a value that is not null.
    let known = match after_step_of_unknown(&range, step, true) {
        StepTarget::One(known) => Some(known),
        StepTarget::NoSingleValue => None,
        StepTarget::Nowhere => return None,
    };
    let mut path = place.path.clone();
    path.push(match step {
        ExprStep::Attr(name) => Step::attr(name),
        ExprStep::Index(index) => Step::index(*index),
        _ => Step::Index(Value::unknown(match ty {
            Type::Map(_) => Type::String,
            Type::Set(set) => set.element().clone(),
            _ => Type::Number,
        })),
    });
    Some(PendingPlace {
        node: child,
        value: known
            .unwrap_or_else(|| Value::unknown(own.unwrap_or_else(|| part.clone())))
            .with_marks(place.value.marks()),
        path,
        unknown_above: Some(place.unknown_above.clone().unwrap_or_else(|| place.path.clone())),
        certainly_exists: place.certainly_exists && range.is_not_null() && not_empty,
        above: Some(Arc::clone(here)),
        visited: false,
    })
}

/// Evaluates the rules at one place in order of priority, up to a critical failure, and adds the outcomes to the
/// report.
fn check_place(
    node: &Node,
    place: &PendingPlace,
    root: &Value,
    checking: &Checking<'_>,
    report: &mut Report,
) -> Result<()> {
    let mut request = Request::new(&place.value).at(place.path.clone()).within(root);
    request.data = checking.data;
    request.above = place.above.as_ref();
    let mut guard: Option<GuardAnswer> = None;
    let mut outcomes: Vec<(&CompiledRule, Outcome)> = Vec::with_capacity(node.rules.len());
    // True while no rule so far is conditional: below a collection that may be empty, or possibly skipped.
    let mut certain = place.certainly_exists;
    for compiled in &node.rules {
        let skipped = is_skipped(compiled, place, checking, report);
        if skipped == Some(true) {
            continue;
        }
        certain = certain && skipped.is_some();
        let guard = match &mut guard {
            Some(guard) => guard,
            none => none.insert(guard_answer(node, &request)?),
        };
        let mut outcome = check_under(guard, compiled, &request)?;
        if outcome.is_fail() && (!place.certainly_exists || skipped.is_none()) {
            let why = Why::new([place.unknown_above.clone().unwrap_or_else(|| place.path.clone())]);
            outcome = Outcome::Undetermined(why.with_obligation(compiled.guarded_rule().clone()));
        }
        if let (Outcome::Undetermined(why), Some(unknown_above)) = (&mut outcome, &place.unknown_above) {
            why.set_inputs(vec![unknown_above.clone()]);
        }
        let stop = compiled.item.critical && outcome.is_fail();
        outcomes.push((compiled, outcome));
        if stop {
            break;
        }
    }
    if node.has_not_null && certain && outcomes.iter().all(|(_, outcome)| !outcome.is_fail()) {
        fail_if_null_fails_too(&mut outcomes, &request)?;
    }
    for (compiled, outcome) in outcomes {
        match outcome {
            Outcome::Pass => report.passed = report.passed.saturating_add(1),
            outcome => report.answers.push(Answer::new(
                &compiled.item,
                outcome,
                place.path.clone(),
                root,
                report.name(),
            )),
        }
    }
    Ok(())
}

/// The answer of the guard of a node at one of its places.
fn guard_answer(node: &Node, request: &Request<'_>) -> Result<GuardAnswer> {
    Ok(match &node.guard {
        Some(guard) => GuardAnswer::new(guard, guard.check(request)?),
        None => GuardAnswer::Holds,
    })
}

/// Evaluates a rule under the guard of its node, whose answer is `guard`, and returns the outcome.
///
/// Where the guard is undetermined, guard and rule are evaluated again as one combined rule, whose outcome is more
/// precise than that of both evaluated separately: `when(is_null, …)` on a value that may be null knows that the rule
/// applies to null alone.
fn check_under(guard: &GuardAnswer, compiled: &CompiledRule, request: &Request<'_>) -> Result<Outcome> {
    Ok(match guard {
        GuardAnswer::Holds => compiled.rule.check(request)?,
        // A rule that cannot read the value is a mistake, also where it does not apply. While the type is undecided,
        // only its evaluation can tell.
        GuardAnswer::DoesNotHold if !request.value.ty().has_dynamic() => {
            compiled.rule.check_readable(request)?;
            Outcome::Pass
        }
        _ => compiled.guarded_rule().check(request)?,
    })
}

/// Whether a rule is skipped at a place; adds it to the list of skipped rules if so. `None` if that depends on an
/// unknown key.
fn is_skipped(
    compiled: &CompiledRule,
    place: &PendingPlace,
    checking: &Checking<'_>,
    report: &mut Report,
) -> Option<bool> {
    let mut answer = Some(false);
    for skip in checking.skips {
        match skip.covers(&place.path, compiled.item.name(), checking.phase) {
            Some(true) => {
                report.skipped.push(Skipped {
                    path: place.path.clone(),
                    rule: compiled.item.description(),
                    reason: skip.reason.clone(),
                });
                return Some(true);
            }
            Some(false) => {}
            None => answer = None,
        }
    }
    answer
}

/// Turns undetermined outcomes into failures, for a value that may be null and that `not_null` refuses when it is: a
/// rule that fails for every other value then fails for certain.
fn fail_if_null_fails_too(outcomes: &mut [(&CompiledRule, Outcome)], request: &Request<'_>) -> Result<()> {
    let value = request.value;
    if !may_be_null(value) || is_always_null(value) {
        return Ok(());
    }
    let null = Value::null(value.ty()).with_marks(value.marks());
    let if_null = request.with_value(&null);
    let null_fails = |outcomes: &[(&CompiledRule, Outcome)]| -> Result<bool> {
        for (compiled, _) in outcomes.iter().filter(|(compiled, _)| compiled.item.has_not_null()) {
            if compiled.item.severity == Severity::Error && compiled.guarded_rule().check(&if_null)?.is_fail()
            {
                return Ok(true);
            }
        }
        Ok(false)
    };
    if !null_fails(outcomes)? {
        return Ok(());
    }
    let assumed = value.assume_not_null();
    let some = assumed.as_ref().unwrap_or(value);
    let mut if_some = request.with_value(some);
    if_some.not_null = assumed.is_err();
    for (compiled, outcome) in outcomes {
        if outcome.is_undetermined() && compiled.item.severity == Severity::Error {
            let on_some = crate::rule::evaluate::check(compiled.guarded_rule(), &if_some)?;
            if on_some.is_fail() {
                *outcome = on_some;
                if compiled.item.critical {
                    break;
                }
            }
        }
    }
    Ok(())
}
