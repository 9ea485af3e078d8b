//! Converts ruled types, and what remains undetermined of a report, to one rule on the root.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::path::{Path, Step};
use crate::rule::path_expr::exact_step;
use crate::rule::{ExprStep, PathExpr, Rule, Severity};

use super::null::passing_null;
use super::{Report, RuledType};

impl RuledType {
    /// Combines all rules of severity error into one rule on the root, which can be stored, exported as JSON Schema,
    /// and checked like any other. A null has no children, so it passes the rules on them. Priorities, names and skips
    /// are lost.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::json_schema::{Dialect, export};
    /// use plantime::rule::set::{RuleSet, RuledType};
    /// use plantime::Type;
    ///
    /// let ty = RuledType::new("object({ port = number })".parse::<Type>()?)
    ///     .at("", RuleSet::new([Rule::NotNull]))?
    ///     .at("port", RuleSet::new([Rule::NotNull, Rule::min(1)]))?;
    /// let rule = ty.to_rule()?;
    /// assert_eq!(rule.to_string(), "all(not_null, at(port, all(not_null, min(1))))");
    /// let schema = export(ty.constraint(), &rule, Dialect::JsonSchema)?;
    /// assert!(schema.to_string().contains("minimum = 1"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) when the rule would nest too deep.
    pub fn to_rule(&self) -> Result<Rule> {
        // From the deepest places up, so that the rules of all children are waiting when their parent is reached.
        let places = self.with_defaults()?;
        let mut waiting: BTreeMap<PathExpr, Vec<ChildRule>> = BTreeMap::new();
        for path in places.keys() {
            for length in 0..=path.steps().len() {
                waiting.entry(path_prefix(path, length)?).or_default();
            }
        }
        let mut order: Vec<PathExpr> = waiting.keys().cloned().collect();
        order.sort_by_key(|path| (std::cmp::Reverse(path.steps().len()), path.clone()));
        for path in order {
            let below = waiting.remove(&path).unwrap_or_default();
            let set = places.get(&path).and_then(|place| place.resolved());
            let compiled = match set {
                Some(set) => set.compile(set.guard_rule(path.steps().len())?.as_ref())?,
                None => Vec::new(),
            };
            let errors = compiled.iter().filter(|one| one.item.severity == Severity::Error);
            let mut rules: Vec<Rule> = errors.map(|one| one.guarded_rule().clone()).collect();
            // If null fails here anyway, the rules of children need no exception for null.
            let null_fails = rules.contains(&Rule::NotNull);
            let null_passes = set.is_none_or(|set| !set.has_not_null());
            for ChildRule { rule, null_passes } in below {
                rules.push(if null_fails || null_passes { rule } else { passing_null(&rule)? });
            }
            let rule = match (rules.len(), rules.pop()) {
                (1, Some(only)) => only,
                (_, last) => Rule::all(rules.into_iter().chain(last))?,
            };
            let Some(step) = path.steps().last() else { return Ok(rule) };
            if matches!(&rule, Rule::All(rules) if rules.is_empty()) {
                continue;
            }
            let above = path_prefix(&path, path.steps().len().saturating_sub(1))?;
            let here = Rule::at(PathExpr::from_steps([step.clone()])?, rule)?;
            let null_passes = null_passes || *step == ExprStep::AnyElement;
            waiting.entry(above).or_default().push(ChildRule { rule: here, null_passes });
        }
        Rule::all([])
    }
}

/// The rules on an attribute or element, as one rule on the value that contains it.
struct ChildRule {
    rule: Rule,
    /// Whether null passes the rule already, as null has no children.
    null_passes: bool,
}

/// The path that consists of the first `steps` steps of a path.
fn path_prefix(path: &PathExpr, steps: usize) -> Result<PathExpr> {
    PathExpr::from_steps(path.steps().iter().take(steps).cloned())
}

impl Report {
    /// The rules of severity error that are still undetermined at and below the path `base`, as one rule on the value
    /// there. `None` if one of the places has no path expression, such as a set member, or the rule would nest too
    /// deep.
    pub(super) fn obligation_at(&self, base: &Path) -> Option<Rule> {
        let mut all = Vec::new();
        for answer in self.undetermined() {
            if answer.severity != Severity::Error || !answer.path.starts_with(base) {
                continue;
            }
            let left = answer.outcome.why()?.obligation()?.clone();
            let steps = answer.path.steps().get(base.len()..)?;
            let mut rule = left;
            for step in steps.iter().rev() {
                let here = PathExpr::from_steps([expression_step(step)?]).ok()?;
                rule = passing_null(&Rule::at(here, rule).ok()?).ok()?;
            }
            all.push(rule);
        }
        if all.len() == 1 { all.pop() } else { Rule::all(all).ok() }
    }
}

/// The step of a path expression that leads where a path step leads; `[*]` for an unknown key. `None` for a set
/// member and for a marked key.
fn expression_step(step: &Step) -> Option<ExprStep> {
    match step {
        Step::Index(key) if !key.is_known() && !key.is_marked() => Some(ExprStep::AnyElement),
        step => exact_step(step),
    }
}
