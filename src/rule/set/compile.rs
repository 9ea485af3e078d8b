//! Compiles the rules of a set for a place: adds the guard, and lets null pass.

use crate::error::Result;
use crate::rule::{Custom, Nested, Rule};

use super::{RuleSet, SetRule};

/// A rule of a set, and the rule that is evaluated for it at one place.
#[derive(Clone, Debug)]
pub(super) struct CompiledRule {
    /// The rule as its author wrote it.
    pub(super) item: SetRule,
    /// The rule with the guard, which null passes.
    pub(super) effective: Rule,
}

impl RuleSet {
    /// The rules in the order of evaluation. `depth` is the number of steps from the root to the value.
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

/// The rule changed so that null passes it; `not_null` is unchanged.
pub(super) fn passing_null(rule: &Rule) -> Result<Rule> {
    if *rule == Rule::NotNull || null_passes(rule) {
        return Ok(rule.clone());
    }
    Ok(Rule::Implies(Nested::new(Rule::all([])?)?, Nested::new(rule.clone())?))
}

/// Whether null passes every rule of this kind. False where it depends on nested rules or on paths.
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
