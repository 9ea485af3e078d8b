//! Checking rules on values that are not known yet, beside sorting as many numbers.

use plantime::rule::{Pattern, Request, Rule};
use plantime::{LengthRange, Refinement, Type, Value};

use super::work::Work;

pub fn rule_check(n: usize) -> Work {
    let (values, rules) = (values(), rules());
    let work = Work::each(n, move |i| {
        let value = &values[i % values.len()];
        let rule = &rules[i / values.len() % rules.len()];
        rule.check(&Request::new(value)).is_ok_and(|outcome| outcome.is_undetermined())
    });
    work.beside_with("sorting as many u64", sort(n))
}

pub fn pattern_prefix(n: usize) -> Work {
    let pattern: Pattern = "^[a-z][a-z0-9-]{2,62}$".parse().expect("it is a pattern");
    let prefixes = ["vpc-", "app", "a1-b2-c3", "Vpc", "x_", "logs-2026"];
    let work = Work::each(n, move |i| pattern.contains_all_with_prefix(prefixes[i % prefixes.len()]));
    work.beside_with("sorting as many u64", sort(n))
}

pub fn sort(n: usize) -> Work {
    Work::with(
        n,
        move || seeded(n),
        |mut numbers| {
            numbers.sort_unstable();
            numbers
        },
    )
}

/// Strings and lists, so that each rule below reads each value.
fn values() -> Vec<Value> {
    let long = Refinement::length(LengthRange::at_least(1));
    let texts = [
        Refinement::any(),
        Refinement::not_null(),
        Refinement::prefix("vpc-").and_not_null(),
        Refinement::prefix("subnet-"),
    ];
    let lists = Type::list(Type::String).expect("a list of strings is not too deep");
    let of = |ty: &Type, refinement: &Refinement| Value::refined(ty.clone(), refinement.clone());
    let texts = texts.iter().map(|refinement| of(&Type::String, refinement));
    let lists =
        [Refinement::any(), long.clone(), long.and_not_null()].map(|refinement| of(&lists, &refinement));
    texts.chain(lists).map(|value| value.expect("the refinement is one of the type")).collect()
}

fn rules() -> Vec<Rule> {
    vec![Rule::NotNull, Rule::IsNull, Rule::min_len(1), Rule::max_len(64), Rule::len(3)]
}

fn seeded(n: usize) -> Vec<u64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..n).map(|_| next()).collect()
}
