//! Compiles the rules of a set, once for all values of a type. Such a rule is about the node that it is set at; null passes it,
//! which is made a part of the rule.

use crate::error::Result;
use crate::rule::Rule;

use super::null::passing_null;
use super::{RuleSet, SetRule};

/// A rule of a set, and the rules that are evaluated for it at one place.
#[derive(Clone, Debug)]
pub(super) struct CompiledRule {
    /// The rule as its author wrote it.
    pub(super) item: SetRule,
    /// The rule to evaluate where the guard holds: null passes it unless it is `not_null`.
    pub(super) rule: Rule,
    /// `rule` under the guard of the set, combined to one rule; `None` without a guard.
    guarded: Option<Rule>,
}

impl CompiledRule {
    /// The rule with the guard of its set, which passes where the guard does not hold.
    pub(super) fn guarded_rule(&self) -> &Rule {
        self.guarded.as_ref().unwrap_or(&self.rule)
    }
}

impl RuleSet {
    /// Adds the guard to each rule and sorts the rules by priority, highest first. `guard` is the guard of the set as a
    /// rule on the value.
    pub(super) fn compile(&self, guard: Option<&Rule>) -> Result<Vec<CompiledRule>> {
        let mut compiled = Vec::with_capacity(self.rules.len());
        for item in &self.rules {
            let rule = passing_null(&item.rule)?;
            let guarded = guard.map(|guard| Rule::when(guard.clone(), rule.clone())).transpose()?;
            compiled.push(CompiledRule { item: item.clone(), rule, guarded });
        }
        compiled.sort_by_key(|compiled| std::cmp::Reverse(compiled.item.priority));
        Ok(compiled)
    }

    /// The guard as a rule on a value that is `depth` steps below the root; `None` without one.
    pub(super) fn guard_rule(&self, depth: usize) -> Result<Option<Rule>> {
        self.guard.as_ref().map(|guard| guard.rule(depth)).transpose()
    }
}
