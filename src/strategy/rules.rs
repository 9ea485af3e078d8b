//! Simpler rules.

use super::scalars::{numbers, texts};
use super::types::{with, without};
use crate::rule::Rule;

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
            let below = smaller(inside).into_iter();
            simpler.extend(below.filter_map(|inside| Rule::at(path.clone(), inside).ok()));
        }
        Rule::Implies(a, b) | Rule::When(a, b) => {
            let again = |a: Rule, b: Rule| match rule {
                Rule::Implies(..) => Rule::implies(a, b).ok(),
                _ => Rule::when(a, b).ok(),
            };
            simpler.extend([(**a).clone(), (**b).clone()]);
            simpler.extend(smaller(a).into_iter().filter_map(|a| again(a, (**b).clone())));
            simpler.extend(smaller(b).into_iter().filter_map(|b| again((**a).clone(), b)));
        }
        Rule::OneOf(operands) => {
            simpler.extend((0..operands.len()).map(|place| Rule::OneOf(without(operands, place))));
        }
        Rule::NoneOf(operands) => {
            simpler.extend((0..operands.len()).map(|place| Rule::NoneOf(without(operands, place))));
        }
        Rule::Equals(operand) => {
            simpler.extend(super::values::smaller(operand, false).map(Rule::Equals));
        }
        Rule::StartsWith(text) => simpler.extend(texts(text).into_iter().map(Rule::StartsWith)),
        Rule::EndsWith(text) => simpler.extend(texts(text).into_iter().map(Rule::EndsWith)),
        Rule::Min(number) => simpler.extend(numbers(number).into_iter().map(Rule::Min)),
        Rule::Max(number) => simpler.extend(numbers(number).into_iter().map(Rule::Max)),
        _ => {}
    }
    simpler
}

fn several(rules: &[Rule], of: fn(Vec<Rule>) -> crate::Result<Rule>, simpler: &mut Vec<Rule>) {
    simpler.extend(rules.iter().cloned());
    simpler.extend((0..rules.len()).filter_map(|place| of(without(rules, place)).ok()));
    for (place, rule) in rules.iter().enumerate() {
        simpler.extend(smaller(rule).into_iter().filter_map(|rule| of(with(rules, place, rule)).ok()));
    }
}
