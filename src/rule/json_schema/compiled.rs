//! What a schema says of the values of one type.

use crate::error::{Error, Kind, Result};
use crate::rule::{Rule, Rules};
use crate::types::Type;
use crate::value::Value;

use super::SIZE;

/// A schema, read for values of one type.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    /// Whether null is allowed.
    pub(super) null: bool,
    /// What holds of values that are not null. What these say on null does not matter.
    pub(super) rules: Vec<Rule>,
    /// Whether this is all that the schema says.
    pub(super) exact: bool,
}

impl Compiled {
    /// Everything.
    pub(super) fn anything() -> Compiled {
        Compiled { null: true, rules: Vec::new(), exact: true }
    }

    /// Nothing.
    pub(super) fn nothing() -> Compiled {
        Compiled { null: false, rules: vec![never()], exact: true }
    }

    pub(super) fn holds_always(&self) -> bool {
        self.rules.is_empty()
    }

    pub(super) fn never_holds(&self) -> bool {
        self.rules.iter().any(is_never)
    }

    /// Both.
    pub(super) fn and(&mut self, other: Compiled) {
        self.null &= other.null;
        self.exact &= other.exact;
        self.rules.extend(other.rules);
    }

    /// The rule for values that are not null.
    pub(super) fn not_null(&self) -> Result<Rule> {
        one(self.rules.clone())
    }

    /// The rule for all values of the type; none where everything is allowed.
    pub(super) fn rule(&self, ty: &Type) -> Result<Option<Rule>> {
        if !self.null {
            let rules = std::iter::once(Rule::NotNull).chain(self.rules.iter().cloned());
            return one(rules.collect()).map(Some);
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
        one(guarded.collect::<Result<Vec<Rule>>>()?).map(Some)
    }
}

/// All of these; parts of one that asks for all of them are taken out.
pub(super) fn one(rules: Vec<Rule>) -> Result<Rule> {
    let mut flat: Vec<Rule> = Vec::with_capacity(rules.len());
    for rule in rules {
        match rule {
            Rule::All(inside) => flat.extend(inside.iter().cloned()),
            // Looking for the same rule again is for people, so it ends soon.
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

/// What no value is, null neither.
pub(super) fn never() -> Rule {
    Rule::Any(Rules::default())
}

fn is_never(rule: &Rule) -> bool {
    matches!(rule, Rule::Any(rules) if rules.is_empty())
}

/// How many rules there are, inside as well. Used before rules are copied.
pub(super) fn size(rule: &Rule) -> usize {
    let inside = match rule {
        Rule::At(_, rule) | Rule::Not(rule) | Rule::Keys(rule) => size(rule),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
            rules.iter().map(size).fold(0, usize::saturating_add)
        }
        Rule::Implies(a, b) | Rule::When(a, b) => size(a).saturating_add(size(b)),
        Rule::OneOf(values) | Rule::NoneOf(values) => values.len(),
        _ => 0,
    };
    inside.saturating_add(1)
}

/// # Errors
///
/// Above the limit, so that nothing grows out of proportion.
pub(super) fn within(size: usize) -> Result<()> {
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
        let even = || Rule::Even;
        assert_eq!(size(&Rule::implies(even(), Rule::all([even(), even()]).unwrap()).unwrap()), 5);
        assert_eq!(size(&Rule::not(even()).unwrap()), 2);
        assert_eq!(size(&Rule::Any(Rules::default())), 1);
    }
}
