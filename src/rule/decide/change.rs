//! Rules on changes: they compare the value before with the value after.

use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{equal, is_always_null, may_be_null};

use super::{congruence, numbers};
use crate::rule::answer::diagnostic::detail;
use crate::rule::describe::requirement;
use crate::rule::structure::reads;
use crate::rule::{Diagnostic, Misuse, Outcome, Request, Rule, Why};

/// Evaluates a rule on a change.
///
/// | before | after | `only_increase`, `only_decrease`, `multiple_of_old` | `immutable` |
/// |---|---|---|---|
/// | none (created) | anything | pass | pass |
/// | anything | none (deleted) | pass | pass |
/// | null | anything | pass | pass if null |
/// | anything | null | pass | pass if null |
/// | a value | a value | by both intervals | by equality |
///
/// A whole value that is null before or after is created or deleted. A part that appears or disappears inside a value
/// is changed: the rows with null apply.
#[inline(never)]
pub(in crate::rule) fn check(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let value = request.value;
    reads::check_single(rule, &value.ty(), &request.path)?;
    let immutable = matches!(rule, Rule::Immutable);
    // A dynamic value may turn out not to be a number, before or after the change.
    let is_undecided = |value: &Value| value.ty() == Type::Dynamic && !value.is_wholly_known();
    if !immutable && (is_undecided(value) || request.before.is_some_and(is_undecided)) {
        let why = Why::of_unknown_parts(request).with_obligation(rule.clone());
        return Ok(Outcome::Undetermined(why.with_possible_misuse()));
    }
    let Some(before) = request.before else { return Ok(Outcome::Pass) };
    if !immutable {
        reads::check_single(rule, &before.ty(), &request.path)?;
    }
    let null_passes = !request.is_part || !immutable;
    if null_passes && (is_always_null(value) || is_always_null(before)) {
        return Ok(Outcome::Pass);
    }
    // A null before passes, so a failure is certain only if the value before is not null.
    let passes_if_null = null_passes && may_be_null(before);
    let assumed = if passes_if_null { before.assume_not_null().ok() } else { None };
    let before = assumed.as_ref().unwrap_or(before);
    let holds = match rule {
        Rule::OnlyIncrease => compare_ranges(value, before, numbers::is_at_least),
        Rule::OnlyDecrease => {
            compare_ranges(value, before, |after, before| numbers::is_at_least(before, after))
        }
        Rule::MultipleOfOld => compare_ranges(value, before, congruence::is_multiple),
        _ => equal(value, before),
    };
    let holds = if passes_if_null { holds.filter(|holds| *holds) } else { holds };
    Ok(match holds {
        Some(true) => Outcome::Pass,
        Some(false) => {
            let requirement = requirement(rule, &value.ty());
            let detail = detail(&request.path, &format!("{requirement}, got: {value} (before: {before})"));
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

/// Compares the intervals of both values; `None` if one may not be a number.
fn compare_ranges(
    after: &Value,
    before: &Value,
    compare: impl FnOnce(&crate::refinement::NumberRange, &crate::refinement::NumberRange) -> Option<bool>,
) -> Option<bool> {
    compare(&numbers::range(after)?, &numbers::range(before)?)
}

impl Rule {
    /// Whether it looks at the value before, anywhere inside. Rules nest no deeper than the crate's limit.
    pub(crate) fn reads_before(&self) -> bool {
        match self {
            Rule::OnlyIncrease
            | Rule::OnlyDecrease
            | Rule::MultipleOfOld
            | Rule::Immutable
            | Rule::Custom(_) => true,
            Rule::At(_, rule) | Rule::Not(rule) | Rule::Keys(rule) => rule.reads_before(),
            Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
                rules.iter().any(Rule::reads_before)
            }
            Rule::Implies(a, b) | Rule::When(a, b) => a.reads_before() || b.reads_before(),
            Rule::NotNull
            | Rule::IsNull
            | Rule::Equals(_)
            | Rule::OneOf(_)
            | Rule::NoneOf(_)
            | Rule::StartsWith(_)
            | Rule::EndsWith(_)
            | Rule::NotBefore(_)
            | Rule::NotAfter(_)
            | Rule::Contains(_)
            | Rule::MinLen(_)
            | Rule::MaxLen(_)
            | Rule::Len(_)
            | Rule::MinLenIn(..)
            | Rule::MaxLenIn(..)
            | Rule::LenIn(..)
            | Rule::Min(_)
            | Rule::Max(_)
            | Rule::MultipleOf(_)
            | Rule::Even
            | Rule::Odd
            | Rule::Format(_)
            | Rule::OneOfIgnoringCase(_)
            | Rule::NoneOfIgnoringCase(_)
            | Rule::NoNulls
            | Rule::Unique
            | Rule::HasKey(_)
            | Rule::NotZero
            | Rule::TypeIs(_)
            | Rule::Port
            | Rule::PortOrZero
            | Rule::Url(_)
            | Rule::CidrNetwork(_)
            | Rule::Matches(_)
            | Rule::ExactlyOneOf(_)
            | Rule::AtLeastOneOf(_)
            | Rule::Conflicting(_)
            | Rule::RequiredTogether(_)
            | Rule::AlsoRequires(..)
            | Rule::RequiredWhen(_)
            | Rule::PreferWriteOnly(..)
            | Rule::OneNotNull(_)
            | Rule::AtLeastSumOf(_)
            | Rule::AtMostSumOf(_)
            | Rule::EqualToSumOf(_)
            | Rule::EqualToProductOf(_) => false,
        }
    }
}
