//! Converts rules to refinements.

use crate::refinement::{NumberRange, Range, Refinement};
use crate::value::{Value, View, view_below_marks};

use crate::rule::{NumberRule, Rule, TextRule, Unit, ValueRule};

impl Rule {
    /// The weakest refinement that makes the rule hold, where the lattice can say it: every value within it
    /// passes, and every value that it excludes fails. For values of types that the rule reads and the refinement
    /// [applies to](Refinement::applies_to).
    ///
    /// ```
    /// use plantime::Refinement;
    /// use plantime::rule::Rule;
    ///
    /// let rule = Rule::all([Rule::NotNull, Rule::starts_with("vpc-")])?;
    /// assert_eq!(rule.as_refinement(), Some(Refinement::prefix("vpc-").and_not_null()));
    /// assert_eq!(Rule::ends_with("x").as_refinement(), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn as_refinement(&self) -> Option<Refinement> {
        match self {
            Rule::NotNull => Some(Refinement::not_null()),
            Rule::IsNull => Some(Refinement::null()),
            Rule::Text(TextRule::StartsWith(start)) => Some(Refinement::prefix(start)),
            Rule::Length(rule) if rule.unit == Unit::Elements => Some(Refinement::length(rule.range())),
            Rule::Number(NumberRule::Min(least)) => {
                Some(Refinement::number(NumberRange::at_least(least.clone())))
            }
            Rule::Number(NumberRule::Max(most)) => {
                Some(Refinement::number(NumberRange::at_most(most.clone())))
            }
            Rule::Value(ValueRule::Equals(operand)) => refinement_of_value(operand),
            Rule::Value(ValueRule::OneOf(operands)) => match operands.as_slice() {
                [] => Some(Refinement::null()),
                [operand] => refinement_of_value(operand),
                _ => None,
            },
            Rule::Value(ValueRule::NoneOf(operands)) if operands.is_empty() => Some(Refinement::any()),
            Rule::All(rules) | Rule::Sequence(rules) => {
                rules.iter().try_fold(Refinement::any(), |all, rule| meet(&all, &rule.as_refinement()?))
            }
            Rule::Any(rules) => match &**rules {
                [rule] => rule.as_refinement(),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The refinement that only this value satisfies. `None` for a marked value: a refinement shows what it contains.
fn refinement_of_value(operand: &Value) -> Option<Refinement> {
    if operand.is_marked() {
        return None;
    }
    match view_below_marks(operand) {
        View::Null(_) => Some(Refinement::null()),
        View::Number(number) => Some(Refinement::number(NumberRange::exactly(number.clone()))),
        _ => None,
    }
}

/// The refinement that satisfies both. `None` for ranges of different kinds, which no value has, and for a
/// contradiction.
fn meet(a: &Refinement, b: &Refinement) -> Option<Refinement> {
    let same_kind = matches!(
        (a.range(), b.range()),
        (Range::Any, _)
            | (_, Range::Any)
            | (Range::Prefix(_) | Range::Language(_), Range::Prefix(_) | Range::Language(_))
            | (Range::Number(_), Range::Number(_))
            | (Range::Length(_), Range::Length(_))
    );
    if same_kind { a.meet(b).ok() } else { None }
}
