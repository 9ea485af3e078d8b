//! Finds rules that have one outcome for all values other than null.
//!
//! Null passes `not` and `implies`, so what is nested in them matters for other values only. If the nested rule has
//! one outcome for all of those, as `is_null` does, no value breaks the rule around it, and its author must have
//! meant something else. So such rules are refused when they are built.

use crate::value::equality::is_always_null;

use crate::rule::{Nested, Rule, ValueRule};

/// The one outcome of a rule for all values other than null, if it has one: true for pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::rule) enum ConstantAnswer {
    /// The outcome depends on the value.
    #[default]
    None,
    /// One outcome, because the rule only tests whether the value is null.
    Always(bool),
    /// One outcome, because the rule tests nothing, as `all` of no rules.
    Empty(bool),
}

impl ConstantAnswer {
    /// Determines the constant outcome of a rule from its structure.
    pub(in crate::rule) fn of(rule: &Rule) -> ConstantAnswer {
        let is_null =
            |values: &[crate::value::Value]| !values.is_empty() && values.iter().all(is_always_null);
        match rule {
            Rule::NotNull => ConstantAnswer::Always(true),
            Rule::IsNull => ConstantAnswer::Always(false),
            Rule::Value(rule) if is_null(rule.operands()) => {
                ConstantAnswer::Always(matches!(rule, ValueRule::NoneOf(_)))
            }
            Rule::At(path, rule) if path.is_empty() => rule.constant_answer(),
            Rule::All(rules) | Rule::Sequence(rules) => combine(rules.iter().map(ConstantAnswer::of), false),
            Rule::Any(rules) => combine(rules.iter().map(ConstantAnswer::of), true),
            Rule::Not(rule) => rule.constant_answer().negated(),
            Rule::Implies(condition, rule) | Rule::When(condition, rule) => of_implication(condition, rule),
            _ => ConstantAnswer::None,
        }
    }

    /// The constant outcome of the negated rule.
    pub(in crate::rule) fn negated(self) -> ConstantAnswer {
        match self {
            ConstantAnswer::None => ConstantAnswer::None,
            ConstantAnswer::Always(holds) => ConstantAnswer::Always(!holds),
            ConstantAnswer::Empty(holds) => ConstantAnswer::Empty(!holds),
        }
    }

    /// The constant outcome, true for pass; `None` if there is no constant one.
    fn holds(self) -> Option<bool> {
        match self {
            ConstantAnswer::None => None,
            ConstantAnswer::Always(holds) | ConstantAnswer::Empty(holds) => Some(holds),
        }
    }
}

/// The constant outcome of an implication, which is `any` of the negated condition and the rule.
pub(in crate::rule) fn of_implication(condition: &Nested, rule: &Nested) -> ConstantAnswer {
    combine([condition.constant_answer().negated(), rule.constant_answer()].into_iter(), true)
}

/// The constant outcome of `all` (`decides` is false) or `any` (`decides` is true): one rule with the outcome
/// `decides` is enough, otherwise all rules need the other one.
fn combine(rules: impl Iterator<Item = ConstantAnswer>, decides: bool) -> ConstantAnswer {
    let mut all = ConstantAnswer::Empty(!decides);
    for rule in rules {
        all = match (all, rule) {
            (ConstantAnswer::Always(holds), _) | (_, ConstantAnswer::Always(holds)) if holds == decides => {
                return ConstantAnswer::Always(decides);
            }
            (all, rule) if rule.holds() == Some(decides) || all.holds() == Some(decides) => {
                ConstantAnswer::Empty(decides)
            }
            (ConstantAnswer::None, _) | (_, ConstantAnswer::None) => ConstantAnswer::None,
            (ConstantAnswer::Empty(_), ConstantAnswer::Empty(_)) => ConstantAnswer::Empty(!decides),
            _ => ConstantAnswer::Always(!decides),
        };
    }
    all
}
