//! Checking rules on values that are not known yet, beside sorting as many numbers.

use std::hint::black_box;
use std::time::Duration;

use plantime::rule::{Pattern, Request, Rule};
use plantime::{LengthRange, Refinement, Type, Value};

use crate::compared::time;

pub fn run(n: usize, pairs: usize) {
    let values = values();
    let rules = rules();
    let pattern: Pattern = "^[a-z][a-z0-9-]{2,62}$".parse().expect("it is a pattern");
    let prefixes = ["vpc-", "app", "a1-b2-c3", "Vpc", "x_", "logs-2026"];
    // Compiled once, before the clock starts.
    black_box(pattern.decides_prefix("a"));
    let times: Vec<[Duration; 3]> = (0..pairs)
        .map(|_| {
            let checks = time(|| {
                let mut undetermined = 0_usize;
                for i in 0..n {
                    let value = &values[i % values.len()];
                    let rule = &rules[i / values.len() % rules.len()];
                    let outcome = rule.check(&Request::new(black_box(value)));
                    undetermined += usize::from(outcome.is_ok_and(|outcome| outcome.is_undetermined()));
                }
                undetermined
            });
            let decisions = time(|| {
                let decided = (0..n)
                    .filter(|i| pattern.decides_prefix(black_box(prefixes[i % prefixes.len()])).is_some());
                decided.count()
            });
            let mut numbers = seeded(n);
            let sorted = time(|| numbers.sort_unstable());
            [checks, decisions, sorted]
        })
        .collect();
    // The least disturbed of each: what runs beside only ever adds.
    let least = |column: usize| times.iter().map(|row| row[column]).min().expect("there is a pair");
    let (checks, decisions, sorted) = (least(0), least(1), least(2));
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let each = |time: Duration| time.as_secs_f64() * 1e9 / n as f64;
    println!(
        "rules {n}: checks {:.1} ms ({:.0} ns each), decisions of a pattern {:.1} ms ({:.0} ns each), sorting {:.1} ms, ratio of checks {:.2}, of decisions {:.2} (the least of {pairs})",
        ms(checks),
        each(checks),
        ms(decisions),
        each(decisions),
        ms(sorted),
        checks.as_secs_f64() / sorted.as_secs_f64(),
        decisions.as_secs_f64() / sorted.as_secs_f64(),
    );
}

/// Strings, so that each rule below reads each value.
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
    vec![Rule::NotNull, Rule::IsNull, Rule::MinLen(1), Rule::MaxLen(64), Rule::Len(3)]
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
