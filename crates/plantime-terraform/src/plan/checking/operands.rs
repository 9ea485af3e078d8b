//! The operands of a rule: the paths that it reads.

use std::collections::BTreeSet;

use super::prepared_rule::top_level_name;
use crate::plan::rules::rules_file::NamedRule;
use plantime::rule::{PathExpr, Rule};

/// The paths of all values that a rule reads, relative to the value that it is evaluated on. Rules nest no deeper
/// than the limit of plantime.
pub(in crate::plan) fn operands(rule: &Rule) -> Vec<PathExpr> {
    match rule {
        Rule::At(path, _) => vec![path.clone()],
        rule => rule.nested().flat_map(operands).chain(rule.operands().into_iter().cloned()).collect(),
    }
}

/// The names of the top-level attributes that a rule reads.
pub(super) fn attributes(rule: &NamedRule) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for test in &rule.tests {
        let Some(path) = &test.path else { continue };
        names.extend(top_level_name(path).map(str::to_owned));
        // What the value is compared with, as seen from the whole.
        for operand in operands(&test.rule) {
            let steps = path.steps().iter().chain(operand.steps()).cloned();
            names.extend(
                PathExpr::from_steps(steps).ok().as_ref().and_then(top_level_name).map(str::to_owned),
            );
        }
    }
    let inside = rule.tests.iter().filter(|test| test.path.is_none()).map(|test| &test.rule);
    for rule in inside.chain(&rule.guard) {
        names.extend(operands(rule).iter().filter_map(top_level_name).map(str::to_owned));
    }
    names
}
