//! Evaluates rules made of rules, in Kleene's three-valued logic, and builds the obligations of undetermined ones: the
//! rules that remain to be checked. `whole` is always the combined rule itself, the obligation where no narrower one
//! can be built.

use smallvec::SmallVec;

use super::{check_null_decided, known, typed};
use crate::rule::answer::diagnostic::detail;
use crate::rule::describe::requirement_not;
use crate::rule::{Diagnostic, Diagnostics, Misuse, Outcome, Request, Rule, Rules, Why};
use crate::types::Type;
use crate::value::Value;

/// Evaluates `all`: fails if a nested rule fails, else is undetermined if one is. All failing rules are reported.
/// `whole` is the `all` rule itself.
#[inline(never)]
pub(in crate::rule) fn all(whole: &Rule, rules: &Rules, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let mut failures = Failures::new();
    let mut open = UndeterminedRules::default();
    let compiled = compiled_if_failing(rules, request);
    for (index, rule) in rules.iter().enumerate() {
        match check_one_of(rules, rule, compiled.and_then(|rules| rules.get(index)), request)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => failures.push(diagnostics),
            Outcome::Undetermined(why) => open.add(rule, why),
        }
    }
    Ok(conjunction(whole, failures, open))
}

/// The rules compiled for the type of the value, if these rules are known to fail on it (`is_failing`): most of them still
/// pass, and their compiled forms say so without diagnostics. `None` otherwise, and where they cannot be compiled.
#[inline(never)]
fn compiled_if_failing<'r>(rules: &'r Rules, request: &Request<'_>) -> Option<&'r [typed::TypedRule]> {
    if request.is_failing { typed::compiled(rules, request.value) } else { None }
}

/// Evaluates one rule of an `all` or `sequence`; `compiled` is its compiled form, if there is one. If these are known to
/// fail (`is_failing`), most of their rules still pass, which a fast path finds. If only one of them has nested rules, it
/// mostly is the one that fails, so it is not tried: each level of nesting would evaluate the rule once more.
fn check_one_of(
    rules: &[Rule],
    rule: &Rule,
    compiled: Option<&typed::TypedRule>,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let is_composed = |rule: &Rule| rule.depth() > 1;
    let is_only_composed =
        || is_composed(rule) && rules.iter().filter(|rule| is_composed(rule)).nth(1).is_none();
    if !request.is_failing || is_only_composed() {
        return check_null_decided(rule, request);
    }
    match compiled {
        Some(compiled) if compiled.holds(request.value) == Some(true) => Ok(Outcome::Pass),
        None if is_composed(rule) => check_likely_pass(rule, request),
        _ => check_null_decided(rule, request),
    }
}

/// Evaluates a rule nested in one that is known to fail (`is_failing`), where this one may still pass: tries the fast
/// path for known values first. Not inlined: rules nest up to 256 deep, and a debug build has 1 MiB of stack for all
/// their frames.
#[inline(never)]
fn check_likely_pass(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    if request.is_failing && known::passes(rule, request.value) == Some(true) {
        return Ok(Outcome::Pass);
    }
    check_null_decided(rule, request)
}

/// Evaluates `sequence`: as [`all`], but only the first failing rule is reported. Later rules can then only make the
/// outcome undetermined, if they may turn out unable to read the value.
#[inline(never)]
pub(in crate::rule) fn sequence(
    whole: &Rule,
    rules: &Rules,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut open = UndeterminedRules::default();
    let compiled = compiled_if_failing(rules, request);
    for (index, rule) in rules.iter().enumerate() {
        match check_one_of(rules, rule, compiled.and_then(|rules| rules.get(index)), request)? {
            Outcome::Pass => {}
            Outcome::Fail(diagnostics) => {
                let rest = rules.get(index.saturating_add(1)..).unwrap_or_default();
                add_possible_misuse(rest, request, &mut open)?;
                return Ok(open.failed(whole, diagnostics));
            }
            Outcome::Undetermined(why) => open.add(rule, why),
        }
    }
    Ok(open.into_outcome(whole, Rule::sequence))
}

/// Adds to `open` those of the rules that may turn out unable to read their value, whose type is not known yet. The
/// rules follow one that failed, so their other outcomes do not count. Not inlined: rules nest up to 256 deep, and a
/// debug build has 1 MiB of stack for all their frames.
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

/// The diagnostics of each rule that failed, or of each place where one failed: in nearly all failures of one.
pub(in crate::rule) type Failures = SmallVec<[Diagnostics; 1]>;

/// All the diagnostics of several failures.
fn joined(mut failures: Failures) -> Diagnostics {
    match failures.pop() {
        Some(only) if failures.is_empty() => only,
        last => failures.into_iter().chain(last).flatten().collect(),
    }
}

/// The outcome of rules that must all hold: fails with all failures, if there are any; else undetermined with the joint
/// obligation of the undetermined rules, if there are any; else pass. See `UndeterminedRules` for failures that stay
/// undetermined.
pub(in crate::rule) fn conjunction(whole: &Rule, failures: Failures, open: UndeterminedRules) -> Outcome {
    if !failures.is_empty() {
        return open.failed(whole, joined(failures));
    }
    open.into_outcome(whole, Rule::all)
}

/// Evaluates `any`: passes if one nested rule passes, fails if all fail, else is undetermined. `whole` is the `any`
/// rule itself.
#[inline(never)]
pub(in crate::rule) fn any(whole: &Rule, rules: &[Rule], request: &Request<'_>) -> Result<Outcome, Misuse> {
    let mut failures = Failures::new();
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
        Outcome::Pass => Outcome::Fail(joined(failures)),
        open => open,
    })
}

/// The failed outcome of an `any` without nested rules.
#[cold]
fn no_alternative(request: &Request<'_>) -> Outcome {
    let detail = detail(&request.path, &["value must satisfy at least one of no rules"]);
    let path = request.path.clone();
    Outcome::fail(Diagnostic::error("Invalid Attribute Value", detail, path, "there is no rule to satisfy"))
}

/// Evaluates `not`: passes if the nested rule fails, and the other way round. Null passes whatever the nested rule
/// says. `whole` is the `not` rule itself.
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
            let detail = detail(&request.path, &[&requirement, &got]);
            Outcome::fail(Diagnostic::error("Invalid Attribute Value", detail, request.path.clone(), failure))
        }
        Outcome::Undetermined(mut why) => {
            let obligation = why.take_obligation(rule);
            undetermined(why, Rule::not(obligation), whole)
        }
    })
}

/// Evaluates `implies`: if the condition holds, the rule must hold. Null passes whatever the two say. `whole` is the
/// `implies` rule itself.
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

/// Evaluates `when`: as [`implies`], but null does not pass by itself: the guard and the rule are evaluated on it too.
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

/// The outcome of a rule under a condition, from the outcomes of both. `build` combines what remains to be checked of
/// the condition and of the rule into the obligation; `whole` is the obligation where that would nest too deep.
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

/// The outcome of a rule on a value that may be null, joined from the outcomes on null (`null`) and on the value
/// narrowed to not null (`some`). Where the two differ, it is undetermined; its obligation is the rule that decides
/// between them, such as "is null". `if_null` is the request with null as its value.
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

/// The outcome of `not` and `implies` on null, from that of the nested rule: pass, unless the nested rule may turn out
/// unable to read the type of the value.
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

/// An undetermined outcome with this obligation (the rule that remains to be checked), or with the whole rule if the
/// obligation is an error since it would nest too deep.
fn undetermined(why: Why, obligation: crate::error::Result<Rule>, whole: &Rule) -> Outcome {
    Outcome::Undetermined(why.with_obligation(obligation.unwrap_or_else(|_| whole.clone())))
}

/// Collects the undetermined rules of a combined rule: their joint reason, and the rules that remain to be checked.
#[derive(Default)]
pub(in crate::rule) struct UndeterminedRules {
    /// The joint reason; `None` while no rule was added.
    why: Option<Why>,
    /// What remains to be checked of each rule.
    obligations: Vec<Rule>,
}

impl UndeterminedRules {
    /// Adds an undetermined rule with its reason. An obligation equal to the one before it, as of many elements, is not
    /// added again.
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

    /// Whether one of the undetermined rules may turn out unable to read the type of its value.
    fn may_be_misuse(&self) -> bool {
        self.why.as_ref().is_some_and(Why::may_be_misuse)
    }

    /// The outcome where other rules failed with these diagnostics. Undetermined if the failures are only warnings and
    /// an undetermined rule could still be an error, or if a rule may turn out unable to read its value; else failed.
    fn failed(self, whole: &Rule, diagnostics: Diagnostics) -> Outcome {
        match self.why {
            Some(why) if why.may_be_misuse() || !diagnostics.has_error() => {
                Outcome::Undetermined(why.with_obligation(whole.clone()))
            }
            _ => Outcome::Fail(diagnostics),
        }
    }

    /// The outcome where no other rule failed: pass if no rule was added; else undetermined, with the only obligation
    /// or with the one that `build` makes of all.
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
