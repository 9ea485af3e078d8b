//! Rules on changes: they compare the value before with the value after.

use crate::number::Number;
use crate::ops::few_numbers::few_numbers;
use crate::refinement::NumberRange;
use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{equal, is_always_null, may_be_null};

use super::{congruence, numbers};
use crate::rule::answer::diagnostic::detail;
use crate::rule::describe::requirement;
use crate::rule::keywords::{Keyword, row};
use crate::rule::structure::reads;
use crate::rule::{Diagnostic, Misuse, Outcome, Request, Rule, Why};

/// A rule on a change: compares the planned value with the value before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeRule {
    /// The number does not become smaller.
    OnlyIncrease,
    /// The number does not become larger.
    OnlyDecrease,
    /// The number is a multiple of the number before.
    MultipleOfOld,
    /// The value equals the value before.
    Immutable,
}

impl Rule {
    /// On a change: the number does not become smaller. Passes if there is no value before.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Request, Rule};
    ///
    /// let (small, large) = (Value::from(20), Value::from(50));
    /// let grow = Rule::only_increase();
    /// assert!(grow.check(&Request::new(&large).before(&small))?.is_pass());
    /// assert!(grow.check(&Request::new(&small).before(&large))?.is_fail());
    /// // The disk is created: there is nothing to compare with.
    /// assert!(grow.check(&Request::new(&small))?.is_pass());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn only_increase() -> Rule {
        Rule::Change(ChangeRule::OnlyIncrease)
    }

    /// On a change: the number does not become larger. Passes if there is no value before.
    ///
    /// [`only_increase`](Rule::only_increase) has an example.
    pub fn only_decrease() -> Rule {
        Rule::Change(ChangeRule::OnlyDecrease)
    }

    /// On a change: the number is a multiple of the number before. Passes if there is no value before.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Request, Rule};
    ///
    /// let (four, eight) = (Value::from(4), Value::from(8));
    /// let shards = Rule::multiple_of_old();
    /// assert!(shards.check(&Request::new(&eight).before(&four))?.is_pass());
    /// assert!(shards.check(&Request::new(&four).before(&eight))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn multiple_of_old() -> Rule {
        Rule::Change(ChangeRule::MultipleOfOld)
    }

    /// On a change: the value equals the value before. Passes if there is no value before.
    ///
    /// ```
    /// use plantime::rule::{Request, Rule};
    /// use plantime::{Type, Value};
    ///
    /// let (zone, other) = (Value::from("eu-west-1a"), Value::from("eu-west-1b"));
    /// assert!(Rule::immutable().check(&Request::new(&zone).before(&zone))?.is_pass());
    /// assert!(Rule::immutable().check(&Request::new(&other).before(&zone))?.is_fail());
    /// let later = Value::unknown(Type::String);
    /// assert!(Rule::immutable().check(&Request::new(&later).before(&zone))?.is_undetermined());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn immutable() -> Rule {
        Rule::Change(ChangeRule::Immutable)
    }
}

impl ChangeRule {
    /// The entry of the keyword table for this rule: its name in rules files and the types that it can read.
    pub(in crate::rule) fn row(self) -> &'static Keyword {
        match self {
            ChangeRule::OnlyIncrease => const { row("only_increase") },
            ChangeRule::OnlyDecrease => const { row("only_decrease") },
            ChangeRule::MultipleOfOld => const { row("multiple_of_old") },
            ChangeRule::Immutable => const { row("immutable") },
        }
    }
}

/// Evaluates a rule on a change, on the planned value of the request and its value before. `change` is the payload of
/// `rule`.
///
/// | before | after | `only_increase`, `only_decrease`, `multiple_of_old` | `immutable` |
/// |---|---|---|---|
/// | none (created) | anything | pass | pass |
/// | anything | none (deleted) | pass | pass |
/// | null | anything | pass | pass if null |
/// | anything | null | pass | pass if null |
/// | a value | a value | by both intervals | by equality |
///
/// A whole value that is null before or after is created or deleted. A part (element or attribute) that appears or
/// disappears inside a value is changed: the rows with null apply.
///
/// # Errors
///
/// [`Misuse`] when the rule cannot read the type of either value.
#[inline(never)]
pub(in crate::rule) fn check(
    rule: &Rule,
    change: ChangeRule,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let value = request.value;
    reads::check_single(rule, &value.ty(), &request.path)?;
    let immutable = change == ChangeRule::Immutable;
    // A dynamic value may turn out not to be a number, before or after the change.
    let is_undecided = |value: &Value| value.ty() == Type::Dynamic && !value.is_wholly_known();
    // A value before of another type is misuse, whatever the planned value turns out to be.
    if let Some(before) = request.before
        && !immutable
    {
        reads::check_single(rule, &before.ty(), &request.path)?;
    }
    if !immutable && (is_undecided(value) || request.before.is_some_and(is_undecided)) {
        let why = Why::of_unknown_parts(request).with_obligation(rule.clone());
        return Ok(Outcome::Undetermined(why.with_possible_misuse()));
    }
    let Some(before) = request.before else { return Ok(Outcome::Pass) };
    let null_passes = !request.is_part || !immutable;
    if null_passes && (is_always_null(value) || is_always_null(before)) {
        return Ok(Outcome::Pass);
    }
    // A null before passes, so a failure is certain only if the value before is not null.
    let passes_if_null = null_passes && may_be_null(before);
    let assumed = if passes_if_null { before.assume_not_null().ok() } else { None };
    let before = assumed.as_ref().unwrap_or(before);
    let holds = match change {
        ChangeRule::OnlyIncrease => compare_ranges(value, before, numbers::is_at_least),
        ChangeRule::OnlyDecrease => {
            compare_ranges(value, before, |after, before| numbers::is_at_least(before, after))
        }
        ChangeRule::MultipleOfOld => is_multiple(value, before),
        ChangeRule::Immutable => equal(value, before),
    };
    let holds = if passes_if_null { holds.filter(|holds| *holds) } else { holds };
    Ok(match holds {
        Some(true) => Outcome::Pass,
        Some(false) => {
            let requirement = requirement(rule, &value.ty());
            let detail = detail(&request.path, &[&format!("{requirement}, got: {value} (before: {before})")]);
            let failure = format!("it is {value}, and was {before}");
            Outcome::fail(Diagnostic::error(
                "Invalid Attribute Change",
                detail,
                request.path.clone(),
                failure,
            ))
        }
        None => Outcome::Undetermined(Why::of_unknown_parts(request).with_obligation(rule.clone())),
    })
}

/// Whether the planned number is a multiple of the number before: by all pairs where both are one of a few numbers, else by
/// their intervals.
fn is_multiple(after: &Value, before: &Value) -> Option<bool> {
    let (Some(some), Some(others)) = (few_numbers(after), few_numbers(before)) else {
        return compare_ranges(after, before, congruence::is_multiple);
    };
    let exactly = |number: &Number| NumberRange::exactly(number.clone());
    let pairs = some.iter().flat_map(|a| others.iter().map(move |b| (exactly(a), exactly(b))));
    let mut answers = pairs.map(|(a, b)| congruence::is_multiple(&a, &b));
    let first = answers.next()??;
    answers.all(|answer| answer == Some(first)).then_some(first)
}

/// Compares the interval of the planned number with that of the number before, by `compare`. `None` if that returns
/// `None`, or if one of the values may not be a number.
fn compare_ranges(
    after: &Value,
    before: &Value,
    compare: impl FnOnce(&NumberRange, &NumberRange) -> Option<bool>,
) -> Option<bool> {
    compare(&numbers::range(after)?, &numbers::range(before)?)
}

impl Rule {
    /// Whether the rule, or one nested in it, compares with the value before a change. Rules that are functions count,
    /// since they can read it, unless they say that they do not.
    #[doc(hidden)]
    pub fn reads_before(&self) -> bool {
        match self {
            Rule::Change(_) => true,
            Rule::Custom(custom) => custom.reads_before(),
            _ => self.nested().any(Rule::reads_before),
        }
    }
}
