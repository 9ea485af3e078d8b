//! A set at a place: each of its rules as plain data, guards and null included.

use crate::error::Result;
use crate::rule::{Custom, Nested, Rule};

use super::{RuleSet, SetRule};

/// A rule of a set, and what is checked for it at one place.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) item: SetRule,
    pub(super) effective: Rule,
}

impl RuleSet {
    /// The rules in the order of evaluation, for a value this many steps below the root.
    pub(super) fn compile(&self, depth: usize) -> Result<Vec<Compiled>> {
        let guard = self.guard.as_ref().map(|guard| guard.rule(depth)).transpose()?;
        let mut compiled = Vec::with_capacity(self.rules.len());
        for item in &self.rules {
            let rule = skipping_null(&item.rule)?;
            let effective = match &guard {
                Some(guard) => Rule::when(guard.clone(), rule)?,
                None => rule,
            };
            compiled.push(Compiled { item: item.clone(), effective });
        }
        compiled.sort_by_key(|compiled| std::cmp::Reverse(compiled.item.priority));
        Ok(compiled)
    }
}

/// The rule with null passing, unless the rule is about null.
pub(super) fn skipping_null(rule: &Rule) -> Result<Rule> {
    if *rule == Rule::NotNull || null_passes(rule) {
        return Ok(rule.clone());
    }
    Ok(Rule::Implies(Nested::new(Rule::all([])?)?, Nested::new(rule.clone())?))
}

/// Whether null passes the rule by what the rule is. False where that takes a look inside.
fn null_passes(rule: &Rule) -> bool {
    !matches!(
        rule,
        Rule::NotNull
            | Rule::IsNull
            | Rule::At(..)
            | Rule::All(_)
            | Rule::Sequence(_)
            | Rule::Any(_)
            | Rule::When(..)
            | Rule::Custom(Custom { .. })
            | Rule::ExactlyOneOf(_)
            | Rule::AtLeastOneOf(_)
            | Rule::Conflicting(_)
            | Rule::RequiredTogether(_)
            | Rule::AlsoRequires(..)
            | Rule::RequiredWhen(_)
            | Rule::PreferWriteOnly(..)
            | Rule::OnlyIncrease
            | Rule::OnlyDecrease
            | Rule::MultipleOfOld
            | Rule::Immutable
    )
}
