//! Shrinks rules: to fewer and simpler inner rules, or simpler arguments. Every step is simpler by a measure, so
//! none leads back.

mod arguments;

use super::types::{with, without};
use crate::rule::Rule;

/// The rules that are simpler than a rule: an inner rule, or the rule with fewer or simpler inner rules or arguments.
pub(super) fn smaller(rule: &Rule) -> Vec<Rule> {
    let mut simpler = Vec::new();
    match rule {
        Rule::All(rules) => several(rules, Rule::all, &mut simpler),
        Rule::Sequence(rules) => several(rules, Rule::sequence, &mut simpler),
        Rule::Any(rules) => several(rules, Rule::any, &mut simpler),
        Rule::Not(inside) => {
            simpler.push((**inside).clone());
            simpler.extend(smaller(inside).into_iter().filter_map(|inside| Rule::not(inside).ok()));
        }
        Rule::Keys(inside) => {
            simpler.extend(smaller(inside).into_iter().filter_map(|inside| Rule::keys(inside).ok()));
        }
        Rule::At(path, inside) => {
            let shorter = arguments::path(path).into_iter();
            simpler.push((**inside).clone());
            simpler.extend(shorter.filter_map(|path| Rule::at(path, (**inside).clone()).ok()));
            let below = smaller(inside).into_iter();
            simpler.extend(below.filter_map(|inside| Rule::at(path.clone(), inside).ok()));
        }
        Rule::Implies(a, b) => pair(a, b, Rule::implies, &mut simpler),
        Rule::When(a, b) => pair(a, b, Rule::when, &mut simpler),
        rule => simpler = arguments::smaller(rule),
    }
    simpler
}

/// Adds to `simpler` each inner rule alone, and the rules, built with `of`, of fewer or simpler inner rules.
fn several(rules: &[Rule], of: fn(Vec<Rule>) -> crate::Result<Rule>, simpler: &mut Vec<Rule>) {
    simpler.extend(rules.iter().cloned());
    simpler.extend((0..rules.len()).filter_map(|place| of(without(rules, place)).ok()));
    for (place, rule) in rules.iter().enumerate() {
        simpler.extend(smaller(rule).into_iter().filter_map(|rule| of(with(rules, place, rule)).ok()));
    }
}

/// Adds to `simpler` each inner rule alone, and the rules, built with `of`, in which one of the two is simpler.
fn pair(a: &Rule, b: &Rule, of: fn(Rule, Rule) -> crate::Result<Rule>, simpler: &mut Vec<Rule>) {
    simpler.extend([a.clone(), b.clone()]);
    simpler.extend(smaller(a).into_iter().filter_map(|a| of(a, b.clone()).ok()));
    simpler.extend(smaller(b).into_iter().filter_map(|b| of(a.clone(), b).ok()));
}
