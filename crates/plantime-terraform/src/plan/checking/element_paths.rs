//! Warns of rules that read the elements of one list by several paths.
//!
//! `not { attribute "ingress[*].from_port" { … } attribute "ingress[*].cidr_blocks" { … } }` does not say that no element has both: each
//! path stands for all elements by itself. A block for the element says it.

use crate::plan::checking::operands::operands;
use crate::plan::rules::rules_file::RulesFile;
use plantime::rule::{ExprStep, PathExpr, Rule};
use plantime::source::Position;

/// A warning for each test in which `not`, `any` or `implies` reads the elements of one list by several paths.
pub(super) fn warnings(rules: &RulesFile) -> Vec<(Position, String)> {
    let mut warnings = Vec::new();
    for test in rules.rules.iter().flat_map(|rule| &rule.tests) {
        if let Some((word, list, paths)) = trap(&test.rule) {
            warnings.push((test.position, message(word, &list, &paths)));
        }
    }
    warnings
}

fn message(word: &str, list: &PathExpr, paths: &[PathExpr]) -> String {
    let prefix = list.steps().len();
    let inner = |path: &PathExpr| {
        let rest = path.steps().get(prefix..).unwrap_or_default().iter().cloned();
        let rest = PathExpr::from_steps(rest).unwrap_or_default();
        format!("attribute \"{rest}\" {{ … }}")
    };
    let names: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    let blocks: Vec<String> = paths.iter().map(inner).collect();
    format!(
        "in `{word}`, {} speak of all elements each by itself, not of one element; for one element at a time write \
         attribute \"{list}\" {{ {word} {{ {} }} }}",
        names.join(" and "),
        blocks.join(" "),
    )
}

/// The first rule that combines what holds of elements of one list: its word, the path to the elements, and the paths that read them.
fn trap(rule: &Rule) -> Option<(&'static str, PathExpr, Vec<PathExpr>)> {
    let word = match rule {
        Rule::Not(_) => Some("not"),
        Rule::Any(_) => Some("any"),
        Rule::Implies(..) => Some("implies"),
        _ => None,
    };
    if let Some(word) = word {
        let read = operands(rule);
        let lists: Vec<Option<&[ExprStep]>> = read.iter().map(elements_of).collect();
        for (at, list) in lists.iter().enumerate() {
            let Some(list) = list else { continue };
            let same = |(other, _): &(&Option<&[ExprStep]>, &PathExpr)| **other == Some(*list);
            let mut paths: Vec<PathExpr> =
                lists.iter().zip(&read).filter(same).map(|(_, path)| path.clone()).collect();
            paths.dedup();
            if paths.len() > 1 && lists.iter().position(|other| *other == Some(*list)) == Some(at) {
                let list = PathExpr::from_steps(list.iter().cloned()).ok()?;
                return Some((word, list, paths));
            }
        }
    }
    rule.nested().find_map(trap)
}

/// The steps of a path up to its first `[*]`, if more follow.
fn elements_of(path: &PathExpr) -> Option<&[ExprStep]> {
    let steps = path.steps();
    let at = steps.iter().position(|step| *step == ExprStep::AnyElement)?;
    let end = at.checked_add(1)?;
    if end < steps.len() { steps.get(..end) } else { None }
}
