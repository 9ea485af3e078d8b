//! L10 where types are undecided: what a rule can turn out unable to read is neither a pass nor a failure, whatever
//! the rules beside it say.

use std::collections::BTreeSet;

use plantime::rule::{Requirement, Rule};
use plantime::{Type, Value};

use crate::concrete::C;
use crate::laws::{Word, word};
use crate::universe::{Abstract, undecided};

fn at(path: &str, rule: Rule) -> Rule {
    Rule::at(path.parse().unwrap(), rule).unwrap()
}

fn parts() -> Vec<Rule> {
    let path = |path: &str| path.parse().unwrap();
    let nothing = Value::object(Vec::<(&str, Value)>::new()).unwrap();
    vec![
        Rule::NotNull,
        Rule::IsNull,
        Rule::equals(nothing),
        Rule::equals(true),
        Rule::one_of(["a".into(), Value::null(Type::Dynamic)]),
        Rule::none_of([2]),
        Rule::starts_with("a"),
        Rule::min_len(0),
        Rule::min(0),
        Rule::has_key("a"),
        Rule::contains(true),
        Rule::no_nulls(),
        Rule::type_is(Type::Bool),
        Rule::only_increase(),
        Rule::keys(Rule::NotNull).unwrap(),
        at("a", Rule::any([Rule::IsNull, Rule::NotNull]).unwrap()),
        at("[*]", Rule::any([Rule::IsNull, Rule::NotNull]).unwrap()),
        Rule::at_least_one_of([path("a"), path("")]),
        Rule::conflicting([path("a")]),
        Rule::required_together([path("a")]),
        Rule::also_requires(path("a"), vec![]),
        Rule::prefer_write_only(path("a"), path("")),
        Rule::at_least_sum_of([path("a")]),
        Rule::required_when(Requirement { path: path("a"), one_of: vec![], required: vec![] }),
        Rule::all([]).unwrap(),
        Rule::any([]).unwrap(),
    ]
}

fn combined(a: &Rule, b: &Rule) -> Vec<Rule> {
    let pair = || [a.clone(), b.clone()];
    let made = [
        Rule::all(pair()),
        Rule::sequence(pair()),
        Rule::any(pair()),
        Rule::when(a.clone(), b.clone()),
        Rule::implies(a.clone(), b.clone()),
        Rule::not(Rule::any(pair()).unwrap()),
    ];
    // A rule that says nothing is refused.
    made.into_iter().filter_map(Result::ok).collect()
}

/// Whether the answer holds for all that the value may become; of those only some are tried.
#[track_caller]
fn holds_for_all(rule: &Rule, value: &Value, finals: impl Iterator<Item = Value>) {
    let answer = word(rule, value);
    if answer == Word::Undetermined {
        return;
    }
    for concrete in finals {
        assert_eq!(word(rule, &concrete), answer, "{rule} on {value:?}, which may become {concrete:?}");
    }
}

#[test]
fn an_answer_on_an_undecided_type_holds_for_every_type_that_it_may_become() {
    let some = |gamma: &BTreeSet<C>| {
        let step = gamma.len().div_ceil(40).max(1);
        let mut finals: Vec<Value> = gamma.iter().step_by(step).map(C::to_value).collect();
        // One of each type.
        let mut seen = BTreeSet::new();
        finals.extend(gamma.iter().filter(|c| seen.insert(c.ty())).map(C::to_value));
        finals
    };
    let values: Vec<(Value, Vec<Value>)> =
        undecided().into_iter().step_by(3).map(|Abstract { value, gamma }| (value, some(&gamma))).collect();
    let parts = parts();
    let mut calls = 0;
    for a in &parts {
        for b in &parts {
            for rule in combined(a, b) {
                for (value, finals) in &values {
                    holds_for_all(&rule, value, finals.iter().cloned());
                    calls += finals.len();
                }
                // The same as the attribute of an object.
                let (value, finals) = &values[0];
                let inside = |value: &Value| Value::object([("b", value.clone())]).unwrap();
                holds_for_all(&at("b", rule), &inside(value), finals.iter().map(inside));
            }
        }
    }
    println!("undecided types: {} values, up to {calls} calls", values.len());
}

#[test]
fn what_a_part_may_be_unable_to_read_is_not_decided_by_a_rule_beside_it() {
    let b = |b: Value| Value::object([("a", "x".into()), ("b", b)]).unwrap();
    let both = || ["a", "b.c"].map(|path| path.parse().unwrap()).to_vec();
    for rule in [
        Rule::at_least_one_of(both()),
        Rule::any([at("a", Rule::NotNull), at("b", Rule::starts_with("x"))]).unwrap(),
        Rule::sequence([at("a", Rule::IsNull), at("b", Rule::starts_with("x"))]).unwrap(),
        Rule::implies(at("a", Rule::IsNull), at("b.c", Rule::NotNull)).unwrap(),
    ] {
        assert_eq!(word(&rule, &b(Value::dynamic())), Word::Undetermined, "{rule}");
        assert_eq!(word(&rule, &b(1.into())), Word::Misuse, "{rule}");
        // An untyped null is a value of its own, which every rule reads.
        let known = b(Value::null(Type::Dynamic));
        assert!([Word::Pass, Word::Fail].contains(&word(&rule, &known)), "{rule}");
    }
}
