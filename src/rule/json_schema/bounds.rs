//! Finds a refinement that is true of every value for which a rule holds.

use crate::refinement::{LengthRange, NumberRange, Refinement};
use crate::rule::{LengthRule, LengthTest, NumberRule, Rule, TextRule, Unit, ValueRule};
use crate::types::Type;
use crate::value::{Value, View};

use super::strings::literal_prefix;

/// A refinement that every value of the type satisfies if the rule holds for it. It need not be the narrowest: a rule
/// that says nothing gives `any()`.
pub(super) fn implied_refinement(rule: &Rule, ty: &Type) -> Refinement {
    let bounds = refinement(rule, ty);
    if bounds.applies_to(ty) { bounds } else { Refinement::any() }
}

/// A refinement that the rule implies for values of any type; it may not apply to `ty`.
fn refinement(rule: &Rule, ty: &Type) -> Refinement {
    match rule {
        Rule::All(rules) | Rule::Sequence(rules) => rules.iter().fold(Refinement::any(), |all, rule| {
            // Contradicting rules hold for no value, and every refinement is true of no value.
            all.meet(&implied_refinement(rule, ty)).unwrap_or(all)
        }),
        Rule::Any(rules) => rules
            .iter()
            .map(|rule| implied_refinement(rule, ty))
            .reduce(|a, b| a.join(&b))
            .unwrap_or_default(),
        Rule::Not(inside) => match &**inside {
            Rule::Number(NumberRule::Min(least)) => {
                NumberRange::below(least.clone()).map(Refinement::number).unwrap_or_default()
            }
            Rule::Number(NumberRule::Max(most)) => {
                NumberRange::above(most.clone()).map(Refinement::number).unwrap_or_default()
            }
            Rule::Length(LengthRule { unit: Unit::Elements, test, length }) => match test {
                LengthTest::Min => match length.checked_sub(1) {
                    Some(most) => Refinement::length(LengthRange::at_most(most)),
                    None => Refinement::any(),
                },
                LengthTest::Max => Refinement::length(LengthRange::at_least(length.saturating_add(1))),
                LengthTest::Exact => Refinement::any(),
            },
            _ => Refinement::any(),
        },
        Rule::Text(TextRule::Matches(pattern)) => {
            literal_prefix(pattern).map(|text| Refinement::prefix(&text)).unwrap_or_default()
        }
        Rule::Value(rule @ (ValueRule::Equals(_) | ValueRule::OneOf(_))) => among(rule.operands()),
        rule => rule.as_refinement().unwrap_or_default(),
    }
}

/// The refinement that every value satisfies that equals one of the operands. Null operands are left out: null passes
/// every rule on operands, and the refinement does not exclude it.
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
