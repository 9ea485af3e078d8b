//! From a rule and a request to an answer.
//!
//! A value that may be null is looked at twice: as null, and as not null. Each rule then answers for a value of
//! which one of the two is certain, and the two answers are joined.

pub(super) mod at;
pub(super) mod before;
mod check;
pub(super) mod combine;
pub(super) mod each_place;
mod glance;
pub(super) mod known;

use crate::number::Number;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::{Value, View, view_below_marks};

use super::answer::diagnostic::detail;
use super::answer::fault;
use super::answer::fault::Fault;
use super::decide::{
    change, congruence, cross_field, finite, keys, lengths, members, numbers, parts, required, sums, text,
    unique, value,
};
use super::describe::requirement;
use super::structure::reads;
use super::{Diagnostic, Misuse, Outcome, Request, Rule, Why};

pub(super) fn check(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    if let Some(outcome) = glance::check(rule, request) {
        return Ok(outcome);
    }
    at_length(rule, request)
}

/// The slow path: evaluates where the range of the value is not enough.
pub(super) fn at_length(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    if request.not_null || !may_be_null(request.value) || is_always_null(request.value) {
        on_half(rule, request)
    } else {
        on_both_halves(rule, request)
    }
}

#[inline(never)]
fn on_both_halves(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let value = request.value;
    let null = Value::null(value.ty()).with_marks(value.marks());
    let if_null = request.with_value(&null);
    let null_outcome = on_half(rule, &if_null)?;
    // A value of unknown type cannot say that it is not null, so the request does.
    let assumed = value.assume_not_null();
    let some = assumed.as_ref().unwrap_or(value);
    let mut if_some = request.with_value(some);
    if_some.not_null = assumed.is_err();
    if_some.is_read = request.is_read;
    let some_outcome = on_half(rule, &if_some)?;
    combine::join(rule, &if_null, null_outcome, some_outcome)
}

/// Evaluates on a value that is certainly null, or certainly not null.
pub(super) fn on_half(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    if request.is_broken {
        return in_words(rule, request);
    }
    match known::passes(rule, request.value) {
        None => in_words(rule, request),
        Some(true) => Ok(Outcome::Pass),
        Some(false) => broken(rule, request),
    }
}

/// The answer where the rule does not hold for a known value. The rules inside are not asked once more before they say
/// why: each level of nesting would double the work.
#[inline(never)]
fn broken(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    in_words(rule, &Request { is_broken: true, ..request.clone() })
}

pub(super) fn in_words(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    match rule {
        Rule::All(rules) => combine::all(rule, rules, request),
        Rule::Sequence(rules) => combine::sequence(rule, rules, request),
        Rule::Any(rules) => combine::any(rule, rules, request),
        Rule::Not(inner) => combine::not(rule, inner, request),
        Rule::Implies(condition, inner) => combine::implies(rule, condition, inner, request),
        Rule::When(guard, inner) => combine::when(rule, guard, inner, request),
        Rule::At(path, inner) => at::check(rule, path, inner, request),
        Rule::Keys(inner) => keys::check(rule, inner, request),
        Rule::OnlyIncrease | Rule::OnlyDecrease | Rule::MultipleOfOld | Rule::Immutable => {
            change::check(rule, request)
        }
        Rule::Custom(custom) => custom.check(request),
        rule => without_rules(rule, request),
    }
}

/// The answer of a rule that holds no others. In a function of its own: rules nest, and each frame counts in a debug build.
#[inline(never)]
fn without_rules(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    match across(rule, request)? {
        Some(outcome) => at::unless_misuse(rule, outcome, request),
        None => single(rule, request),
    }
}

/// The answer of a rule about several elements or attributes; `None` for other rules.
#[inline(never)]
fn across(rule: &Rule, request: &Request<'_>) -> Result<Option<Outcome>, Misuse> {
    match rule {
        Rule::ExactlyOneOf(_) | Rule::AtLeastOneOf(_) | Rule::Conflicting(_) | Rule::RequiredTogether(_) => {
            cross_field::check(rule, request)
        }
        Rule::AlsoRequires(path, others) => required::also_requires(rule, path, others, request),
        Rule::RequiredWhen(requirement) => required::required_when(rule, requirement, request),
        Rule::PreferWriteOnly(path, other) => required::prefer_write_only(rule, path, other, request),
        Rule::AtLeastSumOf(paths)
        | Rule::AtMostSumOf(paths)
        | Rule::EqualToSumOf(paths)
        | Rule::EqualToProductOf(paths) => sums::check(rule, paths, request),
        _ => return Ok(None),
    }
    .map(Some)
}

/// What is known about a rule on a value that is not null.
pub(super) struct Known {
    /// True when the rule holds for all outcomes, false when for none.
    pub(super) holds: Option<bool>,
    /// The same rule without operands that no longer matter.
    pub(super) narrowed: Option<Rule>,
    pub(super) note: Option<String>,
}

impl From<Option<bool>> for Known {
    fn from(holds: Option<bool>) -> Known {
        Known { holds, narrowed: None, note: None }
    }
}

#[inline(never)]
fn single(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let value = request.value;
    reads::single(rule, &value.ty(), &request.path)?;
    let null = is_always_null(value);
    let known = match rule {
        Rule::NotNull => Known::from(Some(!null)),
        Rule::IsNull => Known::from(Some(null)),
        // A null of a type that the rule cannot read is misuse, and while the type is open it may be one.
        _ if null && reads::certainly(rule, value) => return Ok(Outcome::Pass),
        _ if null => Known::from(None),
        rule => match answer(rule, value) {
            known if known.holds.is_some() => known,
            known => Known { holds: finite::answer(rule, value), ..known },
        },
    };
    Ok(match known.holds {
        Some(true) => Outcome::Pass,
        Some(false) => fail(rule, request),
        None => {
            // Operands of a marked value are not narrowed: the remaining ones would reveal its content (L5).
            let shown = !value.contains_marks();
            let narrowed = known.narrowed.filter(|_| shown);
            let mut why = Why::whole(request).with_obligation(narrowed.unwrap_or_else(|| rule.clone()));
            if shown {
                if !value.is_known() {
                    why = why.with_range(value.range().refinement().range());
                }
                if let Some(note) = known.note {
                    why = why.with_note(note);
                }
            }
            if !reads::certainly(rule, value) {
                why = why.or_misuse();
            }
            Outcome::Undetermined(why)
        }
    })
}

/// Evaluates on a value that is not null.
pub(super) fn answer(rule: &Rule, value: &Value) -> Known {
    let known = by_kind(rule, value);
    // A dynamic value may still get a type that the rule rejects, so a mismatch decides nothing yet.
    if known.holds.is_some() && !reads::certainly(rule, value) { None.into() } else { known }
}

fn by_kind(rule: &Rule, value: &Value) -> Known {
    match rule {
        Rule::Equals(operand) => value::one_of(value, std::slice::from_ref(operand)),
        Rule::OneOf(operands) => value::one_of(value, operands),
        Rule::NoneOf(operands) => value::none_of(value, operands),
        rule => holds(rule, value).into(),
    }
}

/// Whether a rule holds for a value that is not null. Nothing is said of operands, nor of parts and changes.
pub(super) fn holds(rule: &Rule, value: &Value) -> Option<bool> {
    match rule {
        Rule::StartsWith(start) => text::starts_with(value, start),
        Rule::EndsWith(end) => text::ends_with(value, end),
        Rule::NotBefore(first) => text::not_before(value, first),
        Rule::NotAfter(last) => text::not_after(value, last),
        Rule::Contains(wanted) => members::contains(value, wanted),
        Rule::MinLen(least) => lengths::at_least(lengths::of(value), *least),
        Rule::MaxLen(most) => lengths::at_most(lengths::of(value), *most),
        Rule::Len(length) => lengths::exactly(lengths::of(value), *length),
        Rule::MinLenIn(unit, least) => lengths::at_least(lengths::of_text(value, *unit), *least),
        Rule::MaxLenIn(unit, most) => lengths::at_most(lengths::of_text(value, *unit), *most),
        Rule::LenIn(unit, length) => lengths::exactly(lengths::of_text(value, *unit), *length),
        Rule::MultipleOf(number) if is_zero_alone(number) => value::equals(value, &Value::from(0)),
        Rule::MultipleOf(number) => congruence::leaves(value, &number.absolute(), &Number::ZERO),
        Rule::Even => congruence::leaves(value, &Number::from(2), &Number::ZERO),
        Rule::Odd => congruence::leaves(value, &Number::from(2), &Number::ONE),
        Rule::Format(format) => {
            text::is_of(value, |text| format.accepts(text), |known| format.decides_prefix(known))
        }
        Rule::OneOfIgnoringCase(words) => text::is_among(value, words),
        Rule::NoneOfIgnoringCase(words) => text::is_among(value, words).map(|is| !is),
        Rule::NoNulls => parts::no_nulls(value),
        Rule::Unique => unique::unique(value),
        Rule::HasKey(key) => parts::has_key(value, key),
        Rule::OneNotNull(keys) => parts::one_not_null(value, keys.as_deref()),
        Rule::NotZero => value::not_zero(value),
        Rule::TypeIs(ty) => value::type_is(value, ty),
        Rule::Port => numbers::whole_between(value, 1, 65535),
        Rule::PortOrZero => numbers::whole_between(value, 0, 65535),
        Rule::Url(schemes) => {
            text::is_of(value, |text| schemes.has(text), |known| schemes.decides_prefix(known))
        }
        Rule::CidrNetwork(networks) => {
            text::is_of(value, |text| networks.has(text), |known| networks.decides_prefix(known))
        }
        Rule::Min(least) => numbers::at_least(value, least),
        Rule::Max(most) => numbers::at_most(value, most),
        Rule::Matches(pattern) => text::matches(value, pattern),
        _ => None,
    }
}

/// Whether nothing but 0 is a multiple of the number.
fn is_zero_alone(number: &Number) -> bool {
    number.is_zero() || number.is_infinite()
}

fn fail(rule: &Rule, request: &Request<'_>) -> Outcome {
    let value = request.value;
    let counts = matches!(rule, Rule::MinLen(_) | Rule::MaxLen(_) | Rule::Len(_));
    let length = match rule {
        _ if value.is_marked() => None,
        Rule::MinLenIn(unit, _) | Rule::MaxLenIn(unit, _) | Rule::LenIn(unit, _) => {
            lengths::of_text(value, *unit)
        }
        _ if counts => lengths::of(value),
        _ => None,
    };
    let faults = fault::parts(rule, value);
    if !faults.is_empty() {
        return at_fault(rule, faults, request);
    }
    let (what, got) = match length.and_then(|length| length.exact()) {
        Some(length) => ("it is a length of ", length.to_string()),
        None => ("it is ", value.to_string()),
    };
    let failure = match rule {
        Rule::OneNotNull(keys) => parts::not_null(value, keys.as_deref()),
        _ => None,
    };
    let failure = failure.unwrap_or_else(|| [what, &got].concat());
    let detail = detail(&request.path, &[&requirement(rule, &value.ty()), ", got: ", &got].concat());
    Outcome::fail(Diagnostic::error(summary(rule), detail, request.path.clone(), failure))
}

/// One diagnostic for each part at fault.
fn at_fault(rule: &Rule, faults: Vec<Fault>, request: &Request<'_>) -> Outcome {
    let diagnostics = faults.into_iter().map(|fault| {
        let mut path = request.path.clone();
        path.push(fault.step);
        Diagnostic::error(summary(rule), detail(&path, &fault.detail), path, fault.failure)
    });
    Outcome::Fail(diagnostics.collect())
}

fn summary(rule: &Rule) -> &'static str {
    match rule {
        Rule::MinLen(_)
        | Rule::MaxLen(_)
        | Rule::Len(_)
        | Rule::MinLenIn(..)
        | Rule::MaxLenIn(..)
        | Rule::LenIn(..) => "Invalid Attribute Value Length",
        Rule::Matches(_) => "Invalid Attribute Value Match",
        Rule::NotNull => "Missing Attribute Value",
        _ => "Invalid Attribute Value",
    }
}

/// The known text below any mark.
pub(super) fn known_text(value: &Value) -> Option<&str> {
    match view_below_marks(value) {
        View::String(text) => Some(text),
        _ => None,
    }
}
