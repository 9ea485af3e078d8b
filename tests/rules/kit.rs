//! The rules on single values, tried on the universes of the algebra as a user's rules would be.

use std::time::Instant;

use plantime::rule::{Networks, Rule, Schemes};
use plantime::testing;

use crate::oracle::{Case, singles};

#[test]
fn rules_hold_in_the_universes_of_the_algebra() {
    let start = Instant::now();
    let mut calls = 0;
    let mut wrong = Vec::new();
    let web = Rule::url(Schemes::new(["http", "https"]).unwrap());
    let networks = Rule::cidr_network(Networks::new(8, 24).unwrap());
    for rule in singles().into_iter().map(|Case { rule, .. }| rule).chain([web, networks]) {
        // Exactness is held where texts and lists reach beyond all operands.
        let report = testing::rule(&rule).report();
        calls += report.concrete_calls + report.abstract_calls;
        if !report.is_proven() {
            wrong.push(report.to_string());
        }
    }
    println!("rules in the universes of the algebra: {calls} calls, {:.1} s", start.elapsed().as_secs_f64());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
