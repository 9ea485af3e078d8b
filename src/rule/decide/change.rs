//! Rules on changes: the value before against the value after.

use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{equal, is_always_null, may_be_null};

use super::{congruence, numbers};
use crate::rule::answer::diagnostic::detail;
use crate::rule::describe::requirement;
use crate::rule::structure::reads;
use crate::rule::{Diagnostic, Misuse, Outcome, Request, Rule, Why};

/// | before | after | `only_increase`, `only_decrease`, `multiple_of_old` | `immutable` |
/// |---|---|---|---|
/// | none (created) | anything | pass | pass |
/// | anything | none (deleted) | pass | pass |
/// | null | anything | pass | pass if null |
/// | anything | null | pass | pass if null |
/// | a value | a value | by both intervals | by equality |
///
/// Created and deleted is a whole value that is null before or after; a part that appears or disappears inside a
/// value is a change of the part.
#[inline(never)]
pub(in crate::rule) fn check(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let value = request.value;
    reads::single(rule, &value.ty(), &request.path)?;
    let immutable = matches!(rule, Rule::Immutable);
    // What is undecided may turn out no number, before or after.
    let is_undecided = |value: &Value| value.ty() == Type::Dynamic && !value.is_wholly_known();
    if !immutable && (is_undecided(value) || request.before.is_some_and(is_undecided)) {
        let why = Why::whole(request).with_obligation(rule.clone());
        return Ok(Outcome::Undetermined(why.or_misuse()));
    }
    let Some(before) = request.before else { return Ok(Outcome::Pass) };
    if !immutable {
        reads::single(rule, &before.ty(), &request.path)?;
    }
    let null_passes = !request.is_part || !immutable;
    if null_passes && (is_always_null(value) || is_always_null(before)) {
        return Ok(Outcome::Pass);
    }
    // A null before passes, which leaves the question for a value before that is not null.
    let passes_if_null = null_passes && may_be_null(before);
    let assumed = if passes_if_null { before.assume_not_null().ok() } else { None };
    let before = assumed.as_ref().unwrap_or(before);
    let holds = match rule {
        Rule::OnlyIncrease => both(value, before, numbers::above),
        Rule::OnlyDecrease => both(value, before, |after, before| numbers::above(before, after)),
        Rule::MultipleOfOld => both(value, before, congruence::is_multiple),
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
        None => Outcome::Undetermined(Why::whole(request).with_obligation(rule.clone())),
    })
}

fn both(
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
