//! Rules made of rules, in Kleene's three-valued logic, and the obligations they leave.

use super::on_half;
use crate::rule::answer::diagnostic::detail;
use crate::rule::describe::requirement_not;
use crate::rule::{Diagnostic, Diagnostics, Misuse, Outcome, Request, Rule, Why};
use crate::types::Type;
use crate::value::Value;

#[inline(never)]
pub(in crate::rule) fn all(whole: &Rule, rules: &[Rule], request: &Request<'_>) -> Result<Outcome, Misuse> {
    let mut failures = Vec::new();
    let mut open = Open::default();
    for rule in rules {
        match on_half(rule, request)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => failures.push(diagnostics),
            Outcome::Undetermined(why) => open.add(rule, why),
        }
    }
    Ok(conjunction(whole, failures, open))
}

/// As [`all`], but a failure ends it: only the first failing rule is reported, and later rules are not evaluated.
#[inline(never)]
pub(in crate::rule) fn sequence(
    whole: &Rule,
    rules: &[Rule],
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut open = Open::default();
    for (i, rule) in rules.iter().enumerate() {
        match on_half(rule, request)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => {
                let rest = rules.get(i.saturating_add(1)..).unwrap_or_default();
                add_possible_misuse(rest, request, &mut open)?;
                return Ok(open.unless_failed(whole, diagnostics));
            }
            Outcome::Undetermined(why) => open.add(rule, why),
        }
    }
    Ok(open.into_outcome(whole, Rule::sequence))
}

/// Adds the rules that may turn out unable to read their value: those after one that fails are looked at for nothing else.
/// In a function of its own: rules nest, and each frame counts in a debug build.
#[inline(never)]
fn add_possible_misuse(rules: &[Rule], request: &Request<'_>, open: &mut Open) -> Result<(), Misuse> {
    let is_decided = |value: &Value| value.is_wholly_known() || !value.ty().has_dynamic();
    if is_decided(request.value) && is_decided(request.root) {
        return Ok(());
    }
    for rule in rules {
        if let Outcome::Undetermined(why) = on_half(rule, request)?
            && why.may_be_misuse()
        {
            open.add(rule, why);
        }
    }
    Ok(())
}

/// Fails if a rule fails; else undetermined if a rule is.
pub(in crate::rule) fn conjunction(whole: &Rule, failures: Vec<Diagnostics>, open: Open) -> Outcome {
    if !failures.is_empty() {
        return open.unless_failed(whole, failures.into_iter().flatten().collect());
    }
    open.into_outcome(whole, Rule::all)
}

#[inline(never)]
pub(in crate::rule) fn any(whole: &Rule, rules: &[Rule], request: &Request<'_>) -> Result<Outcome, Misuse> {
    let mut failures = Vec::new();
    let mut open = Open::default();
    let mut passed = false;
    for rule in rules {
        match on_half(rule, request)? {
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

#[cold]
fn no_alternative(request: &Request<'_>) -> Outcome {
    let detail = detail(&request.path, "value must satisfy at least one of no rules");
    let path = request.path.clone();
    Outcome::fail(Diagnostic::error("Invalid Attribute Value", detail, path, "there is no rule to satisfy"))
}

#[inline(never)]
pub(in crate::rule) fn not(whole: &Rule, rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let outcome = on_half(rule, request)?;
    if is_null(request) {
        return Ok(of_null(whole, outcome));
    }
    Ok(match outcome {
        Outcome::Fail(_) => Outcome::Pass,
        Outcome::Pass => {
            let value = request.value;
            let ty = value.ty();
            let requirement = requirement_not(rule, &ty);
            // A rule on parts of an object says in its own words which parts: the whole says too much.
            let (got, failure) = match ty {
                Type::Object(_) => (String::new(), rule.describe_for(&ty)),
                _ => (format!(", got: {value}"), format!("it is {value}")),
            };
            let detail = detail(&request.path, &format!("{requirement}{got}"));
            Outcome::fail(Diagnostic::error("Invalid Attribute Value", detail, request.path.clone(), failure))
        }
        Outcome::Undetermined(mut why) => {
            let obligation = why.take_obligation(rule);
            leave(why, Rule::not(obligation), whole)
        }
    })
}

#[inline(never)]
pub(in crate::rule) fn implies(
    whole: &Rule,
    condition: &Rule,
    rule: &Rule,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let condition_outcome = on_half(condition, request)?;
    let outcome = on_half(rule, request)?;
    if is_null(request) {
        let open = if outcome.may_be_misuse() { outcome } else { condition_outcome };
        return Ok(of_null(whole, open));
    }
    Ok(conditional(whole, (condition, condition_outcome), (rule, outcome), Rule::implies))
}

#[inline(never)]
pub(in crate::rule) fn when(
    whole: &Rule,
    guard: &Rule,
    rule: &Rule,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let guard_outcome = on_half(guard, request)?;
    let outcome = on_half(rule, request)?;
    let outcome = conditional(whole, (guard, guard_outcome), (rule, outcome), Rule::when);
    Ok(match outcome {
        // Of null, `not` holds whatever is inside, so nothing can be left out.
        Outcome::Undetermined(why) if is_null(request) => {
            Outcome::Undetermined(why.with_obligation(whole.clone()))
        }
        outcome => outcome,
    })
}

/// The answer of a rule under a condition, from the answers of both.
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
                    leave(why, build(open_condition, open_rule), whole)
                }
                // The rule is known to fail: the condition must not hold.
                _ => leave(why, Rule::not(open_condition), whole),
            }
        }
    }
}

/// The answer on a value that may be null, from the answers for null and for not null.
#[inline(never)]
pub(in crate::rule) fn join(
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
            let null_answer = on_half(&open, if_null)?;
            let obligation = match (&null, &null_answer) {
                (Outcome::Pass, Outcome::Pass) | (Outcome::Fail(_), Outcome::Fail(_)) => Some(open),
                (Outcome::Pass, _) => Rule::any([Rule::IsNull, open]).ok(),
                (_, _) => Rule::all([Rule::NotNull, open]).ok(),
            };
            depends(Some(some), obligation.unwrap_or_else(|| rule.clone()))
        }
    }
}

/// Null passes, unless the rule inside cannot read the value.
#[inline(never)]
fn of_null(whole: &Rule, inside: Outcome) -> Outcome {
    match inside {
        Outcome::Undetermined(why) if why.may_be_misuse() => {
            Outcome::Undetermined(why.with_obligation(whole.clone()))
        }
        _ => Outcome::Pass,
    }
}

fn is_null(request: &Request<'_>) -> bool {
    crate::value::equality::is_always_null(request.value)
}

/// An undetermined answer with this obligation; with the whole rule as its obligation where this one nests too deep.
fn leave(why: Why, obligation: crate::error::Result<Rule>, whole: &Rule) -> Outcome {
    Outcome::Undetermined(why.with_obligation(obligation.unwrap_or_else(|_| whole.clone())))
}

/// The rules of a combination that are undetermined.
#[derive(Default)]
pub(in crate::rule) struct Open {
    why: Option<Why>,
    obligations: Vec<Rule>,
}

impl Open {
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

    fn may_be_misuse(&self) -> bool {
        self.why.as_ref().is_some_and(Why::may_be_misuse)
    }

    /// The failures. `None` where all of them only warn and another rule is undetermined, which could still be an
    /// error; and where a rule may turn out to be misuse, which is no answer.
    fn unless_failed(self, whole: &Rule, diagnostics: Diagnostics) -> Outcome {
        match self.why {
            Some(why) if why.may_be_misuse() || !diagnostics.has_error() => {
                Outcome::Undetermined(why.with_obligation(whole.clone()))
            }
            _ => Outcome::Fail(diagnostics),
        }
    }

    /// The outcome: pass if no rule is undetermined; else undetermined, with one obligation built from all.
    fn into_outcome(mut self, whole: &Rule, build: fn(Vec<Rule>) -> crate::error::Result<Rule>) -> Outcome {
        let Some(why) = self.why else { return Outcome::Pass };
        if self.obligations.len() == 1
            && let Some(only) = self.obligations.pop()
        {
            return Outcome::Undetermined(why.with_obligation(only));
        }
        leave(why, build(self.obligations), whole)
    }
}
