//! Null passes the rules of a set.

use crate::error::Result;
use crate::rule::{Custom, Nested, Rule};

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
