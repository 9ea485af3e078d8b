//! Evaluates rules made of rules, in Kleene's three-valued logic, and builds the obligations they leave.

use super::{check_null_decided, known};
use crate::rule::answer::diagnostic::detail;
use crate::rule::describe::requirement_not;
use crate::rule::{Diagnostic, Diagnostics, Misuse, Outcome, Request, Rule, Why};
use crate::types::Type;
use crate::value::Value;

/// All rules must hold: fails if one fails, else undetermined if one is. All failing rules are reported.
#[inline(never)]
pub(in crate::rule) fn all(whole: &Rule, rules: &[Rule], request: &Request<'_>) -> Result<Outcome, Misuse> {
    let mut failures = Vec::new();
    let mut open = UndeterminedRules::default();
    for rule in rules {
        match check_one_of(rules, rule, request)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => failures.push(diagnostics),
            Outcome::Undetermined(why) => open.add(rule, why),
        }
    }
    Ok(conjunction(whole, failures, open))
}

/// Evaluates one of several rules that do not all hold. Most of them still do. The only one with nested rules mostly does
/// not, and with many levels of such rules each would be evaluated once more by every level above it.
fn check_one_of(rules: &[Rule], rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let is_composed = |rule: &&Rule| rule.depth() > 1;
    if request.is_failing && is_composed(&rule) && rules.iter().filter(is_composed).nth(1).is_some() {
        check_likely_pass(rule, request)
    } else {
        check_null_decided(rule, request)
    }
}

/// Evaluates a rule inside one that does not hold, where this one may be no part of the reason. Not inlined: rules nest
/// up to 256 deep, and a debug build has 1 MiB of stack for all their frames.
#[inline(never)]
fn check_likely_pass(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    if request.is_failing && known::passes(rule, request.value) == Some(true) {
        return Ok(Outcome::Pass);
    }
    check_null_decided(rule, request)
}

/// As [`all`], but a failure ends it: only the first failing rule is reported, and later rules are not evaluated.
#[inline(never)]
pub(in crate::rule) fn sequence(
    whole: &Rule,
    rules: &[Rule],
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut open = UndeterminedRules::default();
    for (i, rule) in rules.iter().enumerate() {
        match check_one_of(rules, rule, request)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => {
                let rest = rules.get(i.saturating_add(1)..).unwrap_or_default();
                add_possible_misuse(rest, request, &mut open)?;
                return Ok(open.failed(whole, diagnostics));
            }
            Outcome::Undetermined(why) => open.add(rule, why),
        }
    }
    Ok(open.into_outcome(whole, Rule::sequence))
}

/// Adds the rules that may turn out unable to read their value. Rules after one that failed are evaluated for nothing
/// else. Not inlined: rules nest up to 256 deep, and a debug build has 1 MiB of stack for all their frames.
#[inline(never)]
fn add_possible_misuse(
    rules: &[Rule],
    request: &Request<'_>,
    open: &mut UndeterminedRules,
) -> Result<(), Misuse> {
    let is_decided = |value: &Value| value.is_wholly_known() || !value.ty().has_dynamic();
    if is_decided(request.value) && is_decided(request.root) {
        return Ok(());
    }
    for rule in rules {
        if let Outcome::Undetermined(why) = check_null_decided(rule, request)?
            && why.may_be_misuse()
        {
            open.add(rule, why);
        }
    }
    Ok(())
}

/// The outcome of rules that must all hold, from their failures and their undetermined rules.
pub(in crate::rule) fn conjunction(
    whole: &Rule,
    failures: Vec<Diagnostics>,
    open: UndeterminedRules,
) -> Outcome {
    if !failures.is_empty() {
        return open.failed(whole, failures.into_iter().flatten().collect());
    }
    open.into_outcome(whole, Rule::all)
}

/// At least one rule must hold: passes if one passes, fails if all fail, else undetermined.
#[inline(never)]
pub(in crate::rule) fn any(whole: &Rule, rules: &[Rule], request: &Request<'_>) -> Result<Outcome, Misuse> {
    let mut failures = Vec::new();
    let mut open = UndeterminedRules::default();
    let mut passed = false;
    for rule in rules {
        match check_null_decided(rule, request)? {
            Outcome::Pass => passed = true,
            Outcome::Fail(diagnostics) => failures.push(diagnostics),
            Outcome::Undetermined(why) => open.add(rule, why),
        }
    }
    let may_be_misuse = open.may_be_misuse();
    Ok(match open.into_outcome(whole, Rule::any) {
        Outcome::Undetermined(why) if passed && may_be_misuse => {
            Outcome::Undetermined(why.with_obligation(whole.clone()))
        }
        _ if passed => Outcome::Pass,
        Outcome::Pass if rules.is_empty() => no_alternative(request),
        Outcome::Pass => Outcome::Fail(failures.into_iter().flatten().collect()),
        open => open,
    })
}

/// The failure of an `any` without rules.
#[cold]
fn no_alternative(request: &Request<'_>) -> Outcome {
    let detail = detail(&request.path, "value must satisfy at least one of no rules");
    let path = request.path.clone();
    Outcome::fail(Diagnostic::error("Invalid Attribute Value", detail, path, "there is no rule to satisfy"))
}

/// The rule must not hold. Null passes whatever the rule says.
#[inline(never)]
pub(in crate::rule) fn not(whole: &Rule, rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let outcome = check_likely_pass(rule, request)?;
    if is_null(request) {
        return Ok(outcome_for_null(whole, outcome));
    }
    Ok(match outcome {
        Outcome::Fail(_) => Outcome::Pass,
        Outcome::Pass => {
            let value = request.value;
            let ty = value.ty();
            let requirement = requirement_not(rule, &ty);
            // A rule on attributes names them in its description; printing the whole object would bury them.
            let (got, failure) = match ty {
                Type::Object(_) => (String::new(), rule.describe_for(&ty)),
                _ => (format!(", got: {value}"), format!("it is {value}")),
            };
            let detail = detail(&request.path, &format!("{requirement}{got}"));
            Outcome::fail(Diagnostic::error("Invalid Attribute Value", detail, request.path.clone(), failure))
        }
        Outcome::Undetermined(mut why) => {
            let obligation = why.take_obligation(rule);
            undetermined(why, Rule::not(obligation), whole)
        }
    })
}

/// Where the condition holds, the rule must hold. Null passes whatever the two say.
#[inline(never)]
pub(in crate::rule) fn implies(
    whole: &Rule,
    condition: &Rule,
    rule: &Rule,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let condition_outcome = check_likely_pass(condition, request)?;
    let outcome = check_null_decided(rule, request)?;
    if is_null(request) {
        let open = if outcome.may_be_misuse() { outcome } else { condition_outcome };
        return Ok(outcome_for_null(whole, open));
    }
    Ok(conditional(whole, (condition, condition_outcome), (rule, outcome), Rule::implies))
}

/// Where the guard holds, the rule must hold, on null too.
#[inline(never)]
pub(in crate::rule) fn when(
    whole: &Rule,
    guard: &Rule,
    rule: &Rule,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let guard_outcome = check_likely_pass(guard, request)?;
    let outcome = check_null_decided(rule, request)?;
    let outcome = conditional(whole, (guard, guard_outcome), (rule, outcome), Rule::when);
    Ok(match outcome {
        // The narrowed obligation could contain a `not`, which null passes, so the whole rule is kept.
        Outcome::Undetermined(why) if is_null(request) => {
            Outcome::Undetermined(why.with_obligation(whole.clone()))
        }
        outcome => outcome,
    })
}

/// The outcome of a rule under a condition, from the outcomes of both. `build` makes the obligation from what remains
/// of them.
pub(in crate::rule) fn conditional(
    whole: &Rule,
    (condition, condition_outcome): (&Rule, Outcome),
    (rule, outcome): (&Rule, Outcome),
    build: fn(Rule, Rule) -> crate::error::Result<Rule>,
) -> Outcome {
    match (condition_outcome, outcome) {
        (Outcome::Fail(_), Outcome::Undetermined(why)) | (Outcome::Undetermined(why), Outcome::Pass)
            if why.may_be_misuse() =>
        {
            Outcome::Undetermined(why.with_obligation(whole.clone()))
        }
        (Outcome::Fail(_), _) | (_, Outcome::Pass) => Outcome::Pass,
        (Outcome::Pass, outcome) => outcome,
        (Outcome::Undetermined(mut why), outcome) => {
            let open_condition = why.take_obligation(condition);
            match outcome {
                Outcome::Undetermined(mut other) => {
                    let open_rule = other.take_obligation(rule);
                    let why = why.and(other);
                    undetermined(why, build(open_condition, open_rule), whole)
                }
                // The rule is known to fail: the condition must not hold.
                _ => undetermined(why, Rule::not(open_condition), whole),
            }
        }
    }
}

/// The outcome on a value that may be null, from the outcomes for null and for not null.
#[inline(never)]
pub(in crate::rule) fn join_null_cases(
    rule: &Rule,
    if_null: &Request<'_>,
    null: Outcome,
    some: Outcome,
) -> Result<Outcome, Misuse> {
    let depends = |why: Option<Why>, obligation: Rule| {
        let mut why = why.unwrap_or_else(|| Why::new([if_null.path.clone()]));
        why.take_obligation(rule);
        Ok(Outcome::Undetermined(why.with_obligation(obligation)))
    };
    match (null, some) {
        (Outcome::Pass, Outcome::Pass) => Ok(Outcome::Pass),
        (Outcome::Fail(_), Outcome::Fail(diagnostics)) => Ok(Outcome::Fail(diagnostics)),
        (Outcome::Pass, Outcome::Fail(_)) => depends(None, Rule::IsNull),
        (Outcome::Fail(_), Outcome::Pass) => depends(None, Rule::NotNull),
        (Outcome::Undetermined(null), Outcome::Undetermined(some)) => {
            depends(Some(null.and(some)), rule.clone())
        }
        (Outcome::Undetermined(null), _) => depends(Some(null), rule.clone()),
        (null, Outcome::Undetermined(mut some)) => {
            let open = some.take_obligation(rule);
            let null_answer = check_null_decided(&open, if_null)?;
            let obligation = match (&null, &null_answer) {
                (Outcome::Pass, Outcome::Pass) | (Outcome::Fail(_), Outcome::Fail(_)) => Some(open),
                (Outcome::Pass, _) => Rule::any([Rule::IsNull, open]).ok(),
                (_, _) => Rule::all([Rule::NotNull, open]).ok(),
            };
            depends(Some(some), obligation.unwrap_or_else(|| rule.clone()))
        }
    }
}

/// The outcome of `not` and `implies` for null: pass, unless the nested rule may turn out unable to read the value.
#[inline(never)]
fn outcome_for_null(whole: &Rule, inside: Outcome) -> Outcome {
    match inside {
        Outcome::Undetermined(why) if why.may_be_misuse() => {
            Outcome::Undetermined(why.with_obligation(whole.clone()))
        }
        _ => Outcome::Pass,
    }
}

/// Whether the value of the request is certainly null.
fn is_null(request: &Request<'_>) -> bool {
    crate::value::equality::is_always_null(request.value)
}

/// An undetermined outcome with this obligation, or with the whole rule where the obligation would nest too deep.
fn undetermined(why: Why, obligation: crate::error::Result<Rule>, whole: &Rule) -> Outcome {
    Outcome::Undetermined(why.with_obligation(obligation.unwrap_or_else(|_| whole.clone())))
}

/// Collects the undetermined rules of a combination: their joint reason and their obligations.
#[derive(Default)]
pub(in crate::rule) struct UndeterminedRules {
    why: Option<Why>,
    obligations: Vec<Rule>,
}

impl UndeterminedRules {
    /// Adds an undetermined rule. Equal obligations in a row, as of many elements, are kept once.
    pub(in crate::rule) fn add(&mut self, rule: &Rule, mut why: Why) {
        let obligation = why.take_obligation(rule);
        if self.obligations.last() != Some(&obligation) {
            self.obligations.push(obligation);
        }
        self.why = Some(match self.why.take() {
            None => why,
            Some(before) => before.and(why),
        });
    }

    /// Whether one of the rules may turn out unable to read its value.
    fn may_be_misuse(&self) -> bool {
        self.why.as_ref().is_some_and(Why::may_be_misuse)
    }

    /// The outcome where some rules failed. Undetermined if the failures are warnings and an undetermined rule could
    /// still be an error, and if a rule may turn out to be misuse.
    fn failed(self, whole: &Rule, diagnostics: Diagnostics) -> Outcome {
        match self.why {
            Some(why) if why.may_be_misuse() || !diagnostics.has_error() => {
                Outcome::Undetermined(why.with_obligation(whole.clone()))
            }
            _ => Outcome::Fail(diagnostics),
        }
    }

    /// The outcome where no rule failed: pass if none is undetermined, else undetermined with one obligation built
    /// from all.
    fn into_outcome(mut self, whole: &Rule, build: fn(Vec<Rule>) -> crate::error::Result<Rule>) -> Outcome {
        let Some(why) = self.why else { return Outcome::Pass };
        if self.obligations.len() == 1
            && let Some(only) = self.obligations.pop()
        {
            return Outcome::Undetermined(why.with_obligation(only));
        }
        undetermined(why, build(self.obligations), whole)
    }
}
