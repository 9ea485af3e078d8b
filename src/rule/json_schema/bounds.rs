//! What a value is like when a rule holds, as far as a refinement can say.

use crate::refinement::{LengthRange, NumberRange, Refinement};
use crate::rule::Rule;
use crate::types::Type;
use crate::value::{Value, View};

use super::strings::literal_beginning;

/// A refinement that every value of the type has for which the rule holds. Not the least one: a rule that nothing
/// is known of gives `any()`.
pub(super) fn of(rule: &Rule, ty: &Type) -> Refinement {
    let bounds = found(rule, ty);
    if bounds.applies_to(ty) { bounds } else { Refinement::any() }
}

fn found(rule: &Rule, ty: &Type) -> Refinement {
    match rule {
        Rule::All(rules) | Rule::Sequence(rules) => rules.iter().fold(Refinement::any(), |all, rule| {
            // What contradicts holds for nothing, so that any refinement is true of it.
            all.meet(&of(rule, ty)).unwrap_or(all)
        }),
        Rule::Any(rules) => {
            rules.iter().map(|rule| of(rule, ty)).reduce(|a, b| a.join(&b)).unwrap_or_default()
        }
        Rule::Not(inside) => match &**inside {
            Rule::Min(least) => NumberRange::below(least.clone()).map(Refinement::number).unwrap_or_default(),
            Rule::Max(most) => NumberRange::above(most.clone()).map(Refinement::number).unwrap_or_default(),
            Rule::MinLen(least) => match least.checked_sub(1) {
                Some(most) => Refinement::length(LengthRange::at_most(most)),
                None => Refinement::any(),
            },
            Rule::MaxLen(most) => Refinement::length(LengthRange::at_least(most.saturating_add(1))),
            _ => Refinement::any(),
        },
        Rule::Matches(pattern) => {
            literal_beginning(pattern).map(|text| Refinement::prefix(&text)).unwrap_or_default()
        }
        Rule::Equals(operand) => among(std::slice::from_ref(operand)),
        Rule::OneOf(operands) => among(operands),
        rule => rule.as_refinement().unwrap_or_default(),
    }
}

/// Null satisfies a rule on operands.
fn among(operands: &[Value]) -> Refinement {
    let ranges = operands.iter().filter(|operand| !operand.is_null()).map(|operand| match operand.view() {
        View::String(text) => Refinement::prefix(text),
        View::Number(number) => Refinement::number(NumberRange::exactly(number.clone())),
        View::List(list) => Refinement::length(LengthRange::exactly(list.len() as u64)),
        View::Map(map) => Refinement::length(LengthRange::exactly(map.len() as u64)),
        View::Set(set) => Refinement::length(set.length()),
        _ => Refinement::any(),
    });
    ranges.reduce(|a, b| a.join(&b)).unwrap_or_default()
}
