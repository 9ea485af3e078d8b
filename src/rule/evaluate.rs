//! Evaluates rules: turns a rule and a request into an outcome.
//!
//! A rule is evaluated twice on a value that may be null, once on null and once on the value narrowed to not null,
//! because null passes most rules whatever they say. The two outcomes are then joined. Every function called by
//! `check_null_decided` receives a value for which one of the two cases is certain.

pub(super) mod at;
pub(super) mod before;
mod check;
pub(super) mod combine;
mod conceal;
pub(crate) mod each_place;
pub(super) mod known;
pub(super) mod typed;
mod unknown;

use crate::value::equality::{is_always_null, may_be_null};
use crate::value::{Value, View, view_below_marks};

use super::answer::diagnostic::detail;
use super::answer::fault;
use super::answer::fault::ElementFault;
use super::decide::{change, cross_field, finite, keys, parts, required, sums};
use super::describe::requirement;
use super::structure::reads;
use super::{Diagnostic, MembersRule, Misuse, Outcome, Request, Rule, TextRule, Why};

/// Evaluates a rule on a value of a type that the rule can read. Tries the fast path for unknown values first.
pub(super) fn check(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    if let Some(outcome) = unknown::check_range(rule, request) {
        return Ok(outcome);
    }
    check_slow(rule, request)
}

/// Evaluates a rule without the fast path for unknown values: on null and on not null apart, if the value may be both.
pub(super) fn check_slow(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    if request.not_null || !may_be_null(request.value) || is_always_null(request.value) {
        check_null_decided(rule, request)
    } else {
        check_both_cases(rule, request)
    }
}

/// Evaluates a rule on a value that may be null, once on null and once on the value narrowed to not null. Joins the two
/// outcomes.
#[inline(never)]
fn check_both_cases(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let value = request.value;
    let null = Value::null(value.ty()).with_marks(value.marks());
    let if_null = request.with_value(&null);
    let null_outcome = check_null_decided(rule, &if_null)?;
    // A dynamic value has no refinement that could say "not null", so the request says it.
    let assumed = value.assume_not_null();
    let some = assumed.as_ref().unwrap_or(value);
    let mut if_some = request.with_value(some);
    if_some.not_null = assumed.is_err();
    if_some.types_checked = request.types_checked;
    let some_outcome = check_null_decided(rule, &if_some)?;
    combine::join_null_cases(rule, &if_null, null_outcome, some_outcome)
}

/// Evaluates a rule on a value that is certainly null, or certainly not null. Tries the fast path for known values
/// first.
pub(super) fn check_null_decided(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    if request.is_failing {
        return check_with_diagnostics(rule, request);
    }
    match known::passes(rule, request.value) {
        None => check_with_diagnostics(rule, request),
        Some(true) => Ok(Outcome::Pass),
        Some(false) => check_failing(rule, request),
    }
}

/// Evaluates a rule that the fast path for known values did not pass, to find its diagnostics. Sets `is_failing`, which
/// keeps nested rules from trying that fast path again: each level of nesting would double the work.
#[inline(never)]
fn check_failing(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    check_with_diagnostics(rule, &Request { is_failing: true, ..request.clone() })
}

/// Evaluates a rule without any fast path, and builds the diagnostics, reasons and obligations that its outcome needs.
pub(super) fn check_with_diagnostics(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    match rule {
        Rule::All(rules) => combine::all(rule, rules, request),
        Rule::Sequence(rules) => combine::sequence(rule, rules, request),
        Rule::Any(rules) => combine::any(rule, rules, request),
        Rule::Not(inner) => combine::not(rule, inner, request),
        Rule::Implies(condition, inner) => combine::implies(rule, condition, inner, request),
        Rule::When(guard, inner) => combine::when(rule, guard, inner, request),
        Rule::At(path, inner) => at::check(rule, path, inner, request),
        Rule::Keys(inner) => keys::check(rule, inner, request),
        Rule::Change(change) => change::check(rule, *change, request),
        Rule::Custom(custom) => custom.check(request),
        Rule::Presence(..) | Rule::Total(..) | Rule::Requires(_) => check_related(rule, request),
        Rule::NotNull
        | Rule::IsNull
        | Rule::Value(_)
        | Rule::Text(_)
        | Rule::Length(_)
        | Rule::Number(_)
        | Rule::Members(_) => check_single(rule, request),
    }
}

/// Evaluates a rule about several attributes or elements, each named by a path. Not inlined: rules nest up to 256 deep,
/// and a debug build has 1 MiB of stack for all their frames.
#[inline(never)]
fn check_related(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let outcome = match rule {
        Rule::Presence(presence, paths) => cross_field::check(rule, *presence, paths, request),
        Rule::Total(total, paths) => sums::check(rule, *total, paths, request),
        Rule::Requires(requires) => required::check(rule, requires, request),
        rule => return check_single(rule, request),
    };
    at::undetermined_if_misuse(rule, outcome?, request)
}

/// Whether a rule holds for a value that is not null, and what the outcome reports if that depends on unknowns.
pub(super) struct Decision {
    /// Whether the rule holds for all values that this one may turn out to be (true) or for none (false). `None` if
    /// that depends on unknowns.
    pub(super) holds: Option<bool>,
    /// Where `holds` is `None`: the rule without the operands that the value can no longer equal, if there are such.
    pub(super) narrowed: Option<Rule>,
    /// Where `holds` is `None`: a fact that the report adds, such as `it may still be "a", "b"`.
    pub(super) note: Option<String>,
}

impl From<Option<bool>> for Decision {
    fn from(holds: Option<bool>) -> Decision {
        Decision { holds, narrowed: None, note: None }
    }
}

/// Evaluates a rule that has no nested rules and reads only its own value. The value is certainly null, or certainly
/// not null.
#[inline(never)]
fn check_single(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let value = request.value;
    if !request.types_checked {
        reads::check_single(rule, &value.ty(), &request.path)?;
    }
    let null = is_always_null(value);
    let known = match rule {
        Rule::NotNull => Decision::from(Some(!null)),
        Rule::IsNull => Decision::from(Some(null)),
        // A null of dynamic type may turn out to have a type that the rule cannot read, which is an error and no pass.
        _ if null && reads::can_read_every_outcome(rule, value) => return Ok(Outcome::Pass),
        _ if null => Decision::from(None),
        rule => match decide(rule, value) {
            known if known.holds.is_some() => known,
            known => Decision { holds: finite::decide_by_trying(rule, value), ..known },
        },
    };
    Ok(match known.holds {
        Some(true) => Outcome::Pass,
        Some(false) => failure(rule, request),
        None => {
            // Operands of a marked value are not narrowed: the remaining ones would reveal its content (L5).
            let shown = !value.contains_marks();
            let narrowed = known.narrowed.filter(|_| shown);
            let mut why =
                Why::of_unknown_parts(request).with_obligation(narrowed.unwrap_or_else(|| rule.clone()));
            if shown {
                if !value.is_known() {
                    why = why.with_range(value.range().refinement().range());
                }
                if let Some(note) = known.note {
                    why = why.with_note(note);
                }
            }
            if !reads::can_read_every_outcome(rule, value) {
                why = why.with_possible_misuse();
            }
            Outcome::Undetermined(why)
        }
    })
}

/// Whether a rule without nested rules holds for a value that is not null. A value of dynamic type may still get a type
/// that the rule cannot read: then the answer is undetermined.
pub(super) fn decide(rule: &Rule, value: &Value) -> Decision {
    let known = decide_readable(rule, value);
    if known.holds.is_some() && !reads::can_read_every_outcome(rule, value) { None.into() } else { known }
}

/// Whether a rule without nested rules holds for a value that is not null and of a type that the rule can read.
fn decide_readable(rule: &Rule, value: &Value) -> Decision {
    match rule {
        Rule::Value(rule) => rule.decide(value),
        rule => holds(rule, value).into(),
    }
}

/// Whether a rule holds for a value that is not null. `None` if that depends on unknowns, and for every rule that has
/// nested rules or reads other values.
pub(super) fn holds(rule: &Rule, value: &Value) -> Option<bool> {
    match rule {
        Rule::NotNull => Some(true),
        Rule::IsNull => Some(false),
        Rule::Value(rule) => rule.holds(value),
        Rule::Text(rule) => rule.holds(value),
        Rule::Length(rule) => rule.holds(value),
        Rule::Number(rule) => rule.holds(value),
        Rule::Members(rule) => rule.holds(value),
        Rule::Presence(..)
        | Rule::Total(..)
        | Rule::Requires(_)
        | Rule::Change(_)
        | Rule::Keys(_)
        | Rule::At(..)
        | Rule::All(_)
        | Rule::Sequence(_)
        | Rule::Any(_)
        | Rule::Not(_)
        | Rule::Implies(..)
        | Rule::When(..)
        | Rule::Custom(_) => None,
    }
}

/// The failed outcome of a rule: one diagnostic for each element that breaks it, or one for the whole value.
fn failure(rule: &Rule, request: &Request<'_>) -> Outcome {
    let value = request.value;
    let length = match rule {
        Rule::Length(rule) if !value.is_marked() => rule.range_of(value),
        _ => None,
    };
    let faults = fault::faulty_elements(rule, value);
    if !faults.is_empty() {
        return element_failures(rule, faults, request);
    }
    let (what, got) = match length.and_then(|length| length.exact()) {
        Some(length) => ("it is a length of ", length.to_string()),
        None => ("it is ", value.to_string()),
    };
    let failure = match rule {
        Rule::Members(MembersRule::OneNotNull(keys)) => parts::not_null_in_words(value, keys.as_deref()),
        _ => None,
    };
    let failure = failure.unwrap_or_else(|| [what, &got].concat());
    let detail = detail(&request.path, &[&requirement(rule, &value.ty()), ", got: ", &got]);
    Outcome::fail(Diagnostic::error(failure_summary(rule), detail, request.path.clone(), failure))
}

/// The failed outcome with one diagnostic for each element that breaks the rule, at the path of that element.
fn element_failures(rule: &Rule, faults: Vec<ElementFault>, request: &Request<'_>) -> Outcome {
    let diagnostics = faults.into_iter().map(|fault| {
        let mut path = request.path.clone();
        path.push(fault.step);
        Diagnostic::error(failure_summary(rule), detail(&path, &[&fault.detail]), path, fault.failure)
    });
    Outcome::Fail(diagnostics.collect())
}

/// The headline of the diagnostic of a failed rule, in the words of the Terraform plugin framework.
fn failure_summary(rule: &Rule) -> &'static str {
    match rule {
        Rule::Length(_) => "Invalid Attribute Value Length",
        Rule::Text(TextRule::Matches(_)) => "Invalid Attribute Value Match",
        Rule::NotNull => "Missing Attribute Value",
        _ => "Invalid Attribute Value",
    }
}

/// The content of a known string, marked or not. `None` for unknown values and other types.
pub(super) fn known_text(value: &Value) -> Option<&str> {
    match view_below_marks(value) {
        View::String(text) => Some(text),
        _ => None,
    }
}
