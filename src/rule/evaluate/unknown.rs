//! Fast path for unknown values: the outcome of a rule that only needs the range of the unknown (its known facts: a
//! prefix, bounds of a number or length). Most rules on most unknowns end here.

use crate::refinement::{LengthRange, Nullness, Range, Refinement};
use crate::types::Type;
use crate::value::Value;

use crate::rule::decide::lengths::unknown_string_lengths;
use crate::rule::{NumberRule, Outcome, Request, Rule, Unit, Why};

/// The outcome of a rule on an unknown value without marks, if its range alone gives that outcome. `None` for all other
/// cases, failures among them: the slow path handles these.
///
/// Null passes each of these rules but `not_null`, so the two cases of a value that may be null need
/// not be evaluated apart: if every other value fails, the outcome depends on null. The slow path handles the rest:
/// it builds the messages of failures, and it decides types with few values and lengths that become a list of
/// unknowns once null is ruled out.
pub(in crate::rule) fn check_range(rule: &Rule, request: &Request<'_>) -> Option<Outcome> {
    if request.not_null {
        return None;
    }
    let value = request.value;
    let (ty, refinement) = value.bare_unknown()?;
    let nullable = match refinement.nullness() {
        Nullness::Nullable => true,
        Nullness::NotNull => false,
        Nullness::Null => return None,
    };
    let open = |known, rule| Some(Outcome::Undetermined(Why::of_unknown(&request.path, known, rule)));
    match rule {
        Rule::NotNull if !nullable => Some(Outcome::Pass),
        Rule::IsNull if !nullable => None,
        Rule::NotNull | Rule::IsNull => open(&Range::Any, rule),
        rule => match decide_by_range(rule, value, ty, refinement)? {
            Some(true) => Some(Outcome::Pass),
            Some(false) if nullable => open(&Range::Any, &Rule::IsNull),
            Some(false) => None,
            None => open(refinement.range(), rule),
        },
    }
}

/// Whether the rule holds for every value of the range other than null (`Some(Some(true))`), for none
/// (`Some(Some(false))`) or for some only (`Some(None)`); `None` where this fast path cannot tell.
fn decide_by_range(rule: &Rule, value: &Value, ty: &Type, refinement: &Refinement) -> Option<Option<bool>> {
    Some(match rule {
        Rule::Length(rule) if rule.unit == Unit::Elements => {
            rule.decide(length_range(ty, refinement)?).or_else(|| rule.decide_by_language(value))
        }
        Rule::Number(rule @ (NumberRule::Min(_) | NumberRule::Max(_))) if *ty == Type::Number => {
            rule.holds(value)
        }
        Rule::Text(rule) if *ty == Type::String => rule.holds(value),
        _ => return None,
    })
}

/// The range of the lengths that an unknown string (in code points) or collection may have. `None` where the length
/// alone is not the whole answer: for element types with few values, and for exact lengths, which become a list of
/// unknowns.
fn length_range(ty: &Type, refinement: &Refinement) -> Option<LengthRange> {
    let element = match ty {
        Type::String => return Some(unknown_string_lengths(refinement, Unit::Elements)),
        Type::List(ty) => ty.element(),
        Type::Set(ty) => ty.element(),
        Type::Map(ty) => ty.element(),
        _ => return None,
    };
    let length = refinement.length_range().unwrap_or_default();
    (matches!(element, Type::String | Type::Number) && length.exact().is_none()).then_some(length)
}
