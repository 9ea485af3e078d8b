//! Compiles the rules of a set for a place: adds the guard, and lets null pass.

use crate::error::Result;
use crate::rule::{Custom, Nested, Rule};

use super::{RuleSet, SetRule};

/// A rule of a set, and the rule that is evaluated for it at one place.
#[derive(Clone, Debug)]
pub(super) struct CompiledRule {
    /// The rule as its author wrote it.
    pub(super) item: SetRule,
    /// The rule to evaluate: it holds if the guard does not, and null passes it unless it is `not_null`.
    pub(super) effective: Rule,
}

impl RuleSet {
    /// Adds the guard to each rule and sorts the rules by priority, highest first. `depth` is the number of steps
    /// from the root to the value, by which the guard finds the root.
    pub(super) fn compile(&self, depth: usize) -> Result<Vec<CompiledRule>> {
        let guard = self.guard.as_ref().map(|guard| guard.rule(depth)).transpose()?;
        let mut compiled = Vec::with_capacity(self.rules.len());
        for item in &self.rules {
            let rule = passing_null(&item.rule)?;
            let effective = match &guard {
                Some(guard) => Rule::when(guard.clone(), rule)?,
                None => rule,
            };
            compiled.push(CompiledRule { item: item.clone(), effective });
        }
        compiled.sort_by_key(|compiled| std::cmp::Reverse(compiled.item.priority));
        Ok(compiled)
    }
}

/// Changes the rule so that null passes it; `not_null` is unchanged.
pub(super) fn passing_null(rule: &Rule) -> Result<Rule> {
    if *rule == Rule::NotNull || null_passes(rule) {
        return Ok(rule.clone());
    }
    Ok(Rule::Implies(Nested::new(Rule::all([])?)?, Nested::new(rule.clone())?))
}

/// Whether null certainly passes the rule. False for the kinds where it depends on nested rules, paths or functions.
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
            | Rule::Presence(..)
            | Rule::Requires(_)
            | Rule::Change(_)
    )
}
