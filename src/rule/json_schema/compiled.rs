//! A compiled schema: what it requires of the values of one type.

use crate::error::{Error, Kind, Result};
use crate::rule::{Rule, Rules, ValueRule};
use crate::types::Type;
use crate::value::Value;

use super::SIZE;

/// What a schema requires of values of one type, as rules.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    /// Whether null is allowed.
    pub(super) null: bool,
    /// What must hold for values that are not null. Their outcome for null does not matter.
    pub(super) rules: Vec<Rule>,
    /// Whether the rules require all that the schema requires: nothing in it is unsupported.
    pub(super) exact: bool,
}

impl Compiled {
    /// The compiled schema that accepts every value.
    pub(super) fn anything() -> Compiled {
        Compiled { null: true, rules: Vec::new(), exact: true }
    }

    /// The compiled schema that accepts no value, not even null.
    pub(super) fn nothing() -> Compiled {
        Compiled { null: false, rules: vec![never()], exact: true }
    }

    /// Whether it accepts every value that is not null.
    pub(super) fn holds_always(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether it accepts no value that is not null.
    pub(super) fn never_holds(&self) -> bool {
        self.rules.iter().any(is_never)
    }

    /// Adds the requirements of another compiled schema: both must hold.
    pub(super) fn and(&mut self, other: Compiled) {
        self.null &= other.null;
        self.exact &= other.exact;
        self.rules.extend(other.rules);
    }

    /// One rule for all requirements on values other than null; its outcome for null does not matter.
    pub(super) fn not_null(&self) -> Result<Rule> {
        conjunction(self.rules.clone())
    }

    /// One rule for all values of the type, null included; `None` if every value is accepted.
    pub(super) fn rule(&self, ty: &Type) -> Result<Option<Rule>> {
        if !self.null {
            let rules = std::iter::once(Rule::NotNull).chain(self.rules.iter().cloned());
            return conjunction(rules.collect()).map(Some);
        }
        if self.rules.is_empty() {
            return Ok(None);
        }
        if self.never_holds() {
            return Ok(Some(Rule::IsNull));
        }
        let null = Value::null(ty.clone());
        let guarded = self.rules.iter().map(|rule| match rule.check_value(&null) {
            Ok(outcome) if outcome.is_pass() => Ok(rule.clone()),
            _ => Rule::any([Rule::IsNull, rule.clone()]),
        });
        conjunction(guarded.collect::<Result<Vec<Rule>>>()?).map(Some)
    }
}

/// Combines rules into one that holds if all hold; flattens nested `all` rules and removes some duplicates.
pub(super) fn conjunction(rules: Vec<Rule>) -> Result<Rule> {
    let mut flat: Vec<Rule> = Vec::with_capacity(rules.len());
    for rule in rules {
        match rule {
            Rule::All(inside) => flat.extend(inside.iter().cloned()),
            // Removing duplicates only makes the rule easier to read, so a bounded search is enough.
            rule if flat.iter().take(16).any(|known| *known == rule) => {}
            rule => flat.push(rule),
        }
    }
    if flat.len() == 1
        && let Some(only) = flat.pop()
    {
        return Ok(only);
    }
    Rule::all(flat)
}

/// The rule that no value satisfies, not even null.
pub(super) fn never() -> Rule {
    Rule::Any(Rules::default())
}

/// Whether it is the rule [`never`].
fn is_never(rule: &Rule) -> bool {
    matches!(rule, Rule::Any(rules) if rules.is_empty())
}

/// The number of rules in a rule, including nested ones. Used before rules are copied.
pub(super) fn rule_count(rule: &Rule) -> usize {
    let operands = match rule {
        Rule::Value(ValueRule::OneOf(values) | ValueRule::NoneOf(values)) => values.len(),
        _ => 0,
    };
    rule.nested().map(rule_count).fold(operands, usize::saturating_add).saturating_add(1)
}

/// Fails above the limit `SIZE`, so that no small schema becomes very many rules. `size` is the number of rules.
pub(super) fn check_rule_count(size: usize) -> Result<()> {
    if size > SIZE {
        return Err(Error::new(Kind::Limit, format!("a schema becomes at most {SIZE} rules")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_counts_with_all_that_is_inside() {
        let even = || Rule::even();
        assert_eq!(rule_count(&Rule::implies(even(), Rule::all([even(), even()]).unwrap()).unwrap()), 5);
        assert_eq!(rule_count(&Rule::not(even()).unwrap()), 2);
        assert_eq!(rule_count(&Rule::Any(Rules::default())), 1);
    }
}
