//! Asking all rules of a value, leaves first.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::path::{Path, Step};
use crate::rule::path_expr::{PathEnd, path_ends};
use crate::rule::request::Above;
use crate::rule::{ExprStep, How, Outcome, Request, Severity, Why};
use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{is_always_null, may_be_null};

use super::compile::Compiled;
use super::report::{Answer, Report, Skipped};
use super::tree::{Node, Tree};
use super::{Phase, Skip};

/// How a value is checked: as input or output, with places to skip, and data for functions.
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
    /// Of inputs or outputs.
    pub fn new(phase: Phase) -> Checking<'a> {
        Checking { phase, ..Checking::default() }
    }

    /// Skips the rules at some places.
    #[must_use]
    pub fn skipping(mut self, skips: &'a [Skip]) -> Checking<'a> {
        self.skips = skips;
        self
    }

    /// Sets data for [`Custom`](crate::rule::Custom) rules.
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

/// A place on the stack of the walk: to be visited, or to be evaluated after its children.
struct Place {
    node: usize,
    value: Value,
    path: Path,
    /// The nearest unknown above.
    below: Option<Path>,
    /// Below an unknown: the place is there for certain.
    sure: bool,
    /// What it is a part of: looking a member of a set up by its path would cost as much as the set is large.
    above: Option<Arc<Above>>,
    visited: bool,
}

pub(super) fn check(
    tree: &Tree,
    name: Option<&str>,
    value: &Value,
    checking: &Checking<'_>,
) -> Result<Report> {
    let mut report = Report::new(name);
    let root = Place {
        node: 0,
        value: value.clone(),
        path: Path::new(),
        below: None,
        sure: true,
        above: None,
        visited: false,
    };
    let mut left = vec![root];
    while let Some(mut place) = left.pop() {
        let Some(node) = tree.get(place.node) else { continue };
        if place.visited {
            ask(node, &place, value, checking, &mut report)?;
            continue;
        }
        let mut parts = Vec::new();
        let here = Arc::new(Above { value: place.value.clone(), above: place.above.clone() });
        for (step, child) in &node.children {
            children(&place, &here, (step, *child), tree, &mut parts)?;
        }
        if !node.rules.is_empty() {
            place.visited = true;
            left.push(place);
        }
        left.extend(parts.into_iter().rev());
    }
    Ok(report)
}

/// The places that one step leads to.
fn children(
    place: &Place,
    here: &Arc<Above>,
    (step, child): (&ExprStep, usize),
    tree: &Tree,
    out: &mut Vec<Place>,
) -> Result<()> {
    let steps = std::slice::from_ref(step);
    let ends = path_ends(steps, &place.value).map_err(|error| {
        let path = place.path.clone().join(error.path());
        error.at(path)
    })?;
    for end in ends {
        match end.how {
            How::Exact => out.push(Place {
                node: child,
                path: place.path.clone().join(&end.path),
                value: end.value,
                below: place.below.clone(),
                sure: place.sure,
                above: Some(Arc::clone(here)),
                visited: false,
            }),
            // A null has no parts.
            How::StoppedAtNull | How::Missing => {}
            How::StoppedAtUnknown => {
                let types = tree.get(place.node).zip(tree.get(child));
                let (ty, part) = types.map_or((&Type::Dynamic, &Type::Dynamic), |(a, b)| (&a.ty, &b.ty));
                out.extend(in_unknown(place, here, (step, child), (ty, part), &end));
            }
        }
    }
    Ok(())
}

/// The element or attribute that a step leads to below an unknown; `None` where its type has none.
fn in_unknown(
    place: &Place,
    here: &Arc<Above>,
    (step, child): (&ExprStep, usize),
    (ty, part): (&Type, &Type),
    end: &PathEnd<'_>,
) -> Option<Place> {
    if end.leads_nowhere() {
        return None;
    }
    let range = place.value.range();
    let not_empty = match step {
        ExprStep::AnyElement => range.length_range().is_some_and(|length| length.lower() > 0),
        _ => true,
    };
    // The type of the value can say more than that of the node.
    let own = super::places::part(range.ty(), step);
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
    Some(Place {
        node: child,
        value: Value::unknown(own.unwrap_or_else(|| part.clone())).with_marks(place.value.marks()),
        path,
        below: Some(place.below.clone().unwrap_or_else(|| place.path.clone())),
        sure: place.sure && range.is_not_null() && not_empty,
        above: Some(Arc::clone(here)),
        visited: false,
    })
}

fn ask(node: &Node, place: &Place, root: &Value, checking: &Checking<'_>, report: &mut Report) -> Result<()> {
    let mut request = Request::new(&place.value).at(place.path.clone()).within(root);
    request.data = checking.data;
    request.above = place.above.as_ref();
    let mut asked: Vec<(&Compiled, Outcome)> = Vec::with_capacity(node.rules.len());
    // True while no rule so far is conditional: below a collection that may be empty, or perhaps skipped.
    let mut certain = place.sure;
    for compiled in &node.rules {
        let skipped = skip(compiled, place, checking, report);
        if skipped == Some(true) {
            continue;
        }
        certain = certain && skipped.is_some();
        let mut outcome = compiled.effective.check(&request)?;
        if outcome.is_fail() && (!place.sure || skipped.is_none()) {
            let why = Why::new([place.below.clone().unwrap_or_else(|| place.path.clone())]);
            outcome = Outcome::Undetermined(why.with_obligation(compiled.effective.clone()));
        }
        if let (Outcome::Undetermined(why), Some(below)) = (&mut outcome, &place.below) {
            why.set_inputs(vec![below.clone()]);
        }
        let stop = compiled.item.critical && outcome.is_fail();
        asked.push((compiled, outcome));
        if stop {
            break;
        }
    }
    if node.asks_not_null && certain && asked.iter().all(|(_, outcome)| !outcome.is_fail()) {
        either_null_or_wrong(&mut asked, &request)?;
    }
    for (compiled, outcome) in asked {
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

/// Whether a rule is skipped at a place, which is noted.
fn skip(compiled: &Compiled, place: &Place, checking: &Checking<'_>, report: &mut Report) -> Option<bool> {
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

/// Of a value that may be null where null fails: a rule that fails whenever it is not null fails the set for certain.
fn either_null_or_wrong(asked: &mut [(&Compiled, Outcome)], request: &Request<'_>) -> Result<()> {
    let value = request.value;
    if !may_be_null(value) || is_always_null(value) {
        return Ok(());
    }
    let null = Value::null(value.ty()).with_marks(value.marks());
    let if_null = request.with_value(&null);
    let null_fails = |asked: &[(&Compiled, Outcome)]| -> Result<bool> {
        for (compiled, _) in asked.iter().filter(|(compiled, _)| compiled.item.asks_not_null()) {
            if compiled.item.severity == Severity::Error && compiled.effective.check(&if_null)?.is_fail() {
                return Ok(true);
            }
        }
        Ok(false)
    };
    if !null_fails(asked)? {
        return Ok(());
    }
    let assumed = value.assume_not_null();
    let some = assumed.as_ref().unwrap_or(value);
    let mut if_some = request.with_value(some);
    if_some.not_null = assumed.is_err();
    for (compiled, outcome) in asked {
        if outcome.is_undetermined() && compiled.item.severity == Severity::Error {
            let on_some = crate::rule::evaluate::check(&compiled.effective, &if_some)?;
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
