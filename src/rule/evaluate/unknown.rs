//! Fast path for unknown values: the outcome of a rule that the range of the unknown decides. Most rules on most
//! unknowns end here.

use crate::refinement::{LengthRange, Nullness, Range, Refinement};
use crate::types::Type;
use crate::value::Value;

use crate::rule::decide::{lengths, numbers, text};
use crate::rule::{Outcome, Request, Rule, Why};

/// The outcome of a rule that only needs the range of an unknown value; `None` for all other cases.
///
/// Null passes each of these rules but `not_null` and `is_null`, so the two cases of a value that may be null need
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
        rule => match holds(rule, value, ty, refinement)? {
            Some(true) => Some(Outcome::Pass),
            Some(false) if nullable => open(&Range::Any, &Rule::IsNull),
            Some(false) => None,
            None => open(refinement.range(), rule),
        },
    }
}

/// Whether the rule holds for every value of the range other than null (`Some(None)` if for some only); `None` where
/// this fast path cannot tell.
fn holds(rule: &Rule, value: &Value, ty: &Type, refinement: &Refinement) -> Option<Option<bool>> {
    let is_text = *ty == Type::String;
    Some(match rule {
        Rule::MinLen(least) => lengths::at_least(Some(length_range(ty, refinement)?), *least),
        Rule::MaxLen(most) => lengths::at_most(Some(length_range(ty, refinement)?), *most),
        Rule::Len(wanted) => lengths::exactly(Some(length_range(ty, refinement)?), *wanted),
        Rule::Min(least) if *ty == Type::Number => numbers::at_least(value, least),
        Rule::Max(most) if *ty == Type::Number => numbers::at_most(value, most),
        Rule::StartsWith(start) if is_text => text::starts_with(value, start),
        Rule::EndsWith(end) if is_text => text::ends_with(value, end),
        Rule::NotBefore(first) if is_text => text::not_before(value, first),
        Rule::NotAfter(last) if is_text => text::not_after(value, last),
        Rule::Matches(pattern) if is_text => text::matches(value, pattern),
        _ => return None,
    })
}

/// The lengths that an unknown string or collection may have. `None` where the length alone is not the whole answer:
/// element types with few values, and exact lengths, which become a list of unknowns.
fn length_range(ty: &Type, refinement: &Refinement) -> Option<LengthRange> {
    let element = match ty {
        Type::String => {
            let beginning = refinement.prefix_str().unwrap_or_default();
            return Some(LengthRange::at_least(beginning.chars().count() as u64));
        }
        Type::List(ty) => ty.element(),
        Type::Set(ty) => ty.element(),
        Type::Map(ty) => ty.element(),
        _ => return None,
    };
    let length = refinement.length_range().unwrap_or_default();
    (matches!(element, Type::String | Type::Number) && length.exact().is_none()).then_some(length)
}
