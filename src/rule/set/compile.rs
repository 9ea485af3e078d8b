//! Compiles rules, once for all values of a type: paths are resolved, readability is checked, and what null does is
//! made a part of the rule.
//!
//! A rule of a [`RuleSet`] is about the node that it is set at, and null passes it ([`CompiledRule`]). A test of a rules
//! file is about the places that its path leads to, and says itself what a null does ([`CompiledTest`]).

use std::sync::Arc;

use crate::error::{Error, Kind, Result};
use crate::path::Path;
use crate::rule::structure::undecided::{path_by_keys, rule_by_keys};
use crate::rule::{Misuse, PathExpr, PlaceAnswer, Request, Rule, at_each_place};
use crate::types::Type;

use super::null::{OnNull, failing_nulls_inside, passing_null};
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

/// A rule compiled for the values of one type: it is evaluated on a whole value, or at each place of a path.
pub(crate) struct CompiledTest {
    /// The path of the places that the rule is about; `None` for the whole value.
    pub(crate) path: Option<PathExpr>,
    /// The rule at one place.
    pub(crate) rule: Rule,
    /// The rule on the whole value: `rule` at `path`.
    pub(crate) whole: Arc<Rule>,
    /// What a null does. [`OnNull::Fail`] is a part of `rule` already.
    pub(crate) on_null: OnNull,
    /// Where a null decides nothing, the rule on the whole value in which the attributes inside may not be null; `None` if that
    /// is the same rule.
    pub(crate) strict: Option<Rule>,
}

impl CompiledTest {
    /// Compiles a rule at a path, or without one on the whole value, for values of the type `declared`. A step by name into
    /// a `dynamic` value is read as a map key, which may be missing. With `absent_is_null`, so is a step to an attribute
    /// that the type does not have, inside the rule.
    ///
    /// # Errors
    ///
    /// When the type has no such path, or the rule cannot read the types there.
    pub(crate) fn new(
        path: Option<&PathExpr>,
        rule: &Rule,
        declared: &Type,
        absent_is_null: bool,
        on_null: OnNull,
    ) -> Result<CompiledTest> {
        let Some(written) = path else {
            let mut rule = rule_by_keys(rule, &PathExpr::new(), declared, absent_is_null);
            rule.check_type(declared)?;
            let strict = match on_null {
                OnNull::Pass => None,
                OnNull::Fail | OnNull::Undetermined => {
                    Some(failing_nulls_inside(&rule)?).filter(|strict| *strict != rule)
                }
            };
            let strict = match (on_null, strict) {
                (OnNull::Fail, Some(strict)) => {
                    rule = strict;
                    None
                }
                (_, strict) => strict,
            };
            return Ok(CompiledTest { path: None, whole: Arc::new(rule.clone()), rule, on_null, strict });
        };
        let path = path_by_keys(written, declared, false);
        path.check_type(declared)?;
        let mut rule = rule_by_keys(rule, written, declared, absent_is_null);
        if on_null != OnNull::Pass {
            let strict = failing_nulls_inside(&rule)?;
            if strict != rule && on_null == OnNull::Undetermined {
                let message = "`null = \"undetermined\"` does not reach a block `attribute` inside a block for a place: write its \
                               path in one label";
                return Err(Error::new(Kind::Argument, message));
            }
            rule = strict;
        }
        let rule = on_null.applied_to(rule)?;
        let whole = Rule::at(path.clone(), rule.clone())?;
        whole.check_type(declared)?;
        Ok(CompiledTest { path: Some(path), rule, whole: Arc::new(whole), on_null, strict: None })
    }

    /// The answers of the rule, one for each place; `name` returns the path that messages show. `None` where the rule is
    /// about the whole value.
    ///
    /// # Errors
    ///
    /// As for [`at_each_place`].
    pub(crate) fn answers(
        &self,
        request: &Request<'_>,
        name: &mut dyn FnMut(&Path) -> Path,
    ) -> Option<std::result::Result<Vec<PlaceAnswer>, Misuse>> {
        Some(at_each_place(self.path.as_ref()?, &self.rule, request, name))
    }
}
