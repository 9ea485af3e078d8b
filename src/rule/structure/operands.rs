//! Lists the other values that a rule reads.

use crate::rule::{PathExpr, Rule};

impl Rule {
    /// The paths to other values that the rule reads, from the value that it is evaluated on; without those of
    /// nested rules.
    pub(crate) fn operands(&self) -> Vec<&PathExpr> {
        match self {
            Rule::ExactlyOneOf(paths)
            | Rule::AtLeastOneOf(paths)
            | Rule::Conflicting(paths)
            | Rule::RequiredTogether(paths)
            | Rule::AtLeastSumOf(paths)
            | Rule::AtMostSumOf(paths)
            | Rule::EqualToSumOf(paths)
            | Rule::EqualToProductOf(paths) => paths.iter().collect(),
            Rule::AlsoRequires(path, others) => std::iter::once(path).chain(others).collect(),
            Rule::RequiredWhen(requirement) => {
                std::iter::once(&requirement.path).chain(&requirement.required).collect()
            }
            Rule::PreferWriteOnly(path, alternative) => vec![path, alternative],
            _ => Vec::new(),
        }
    }

    /// Whether the rule, or a rule inside it, tests the type of a value (`type_is`). Recursion ends at the depth limit of
    /// rules.
    pub(crate) fn asks_type(&self) -> bool {
        match self {
            Rule::TypeIs(_) => true,
            Rule::At(_, rule) | Rule::Not(rule) | Rule::Keys(rule) => rule.asks_type(),
            Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => rules.iter().any(Rule::asks_type),
            Rule::Implies(a, b) | Rule::When(a, b) => a.asks_type() || b.asks_type(),
            _ => false,
        }
    }
}
