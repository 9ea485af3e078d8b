//! The order of validation in SDKv2, which passes over or misjudges what is unknown.

use plantime::rule::Rule;
use plantime::{Type, Value};

use super::fields::{paths, table};
use super::{Fail, Pass, Undetermined, answers, begins, named, some};

#[test]
fn exactly_one_of_counts_what_is_unknown_as_neither() {
    table(
        &Rule::exactly_one_of(paths(&["a", "b"])),
        &[("TU", Undetermined, "b turns out null"), ("FU", Undetermined, "b turns out not null")],
    );
}

#[test]
fn at_least_one_of_does_not_count_what_may_be_null() {
    table(&Rule::at_least_one_of(paths(&["a", "b"])), &[("FU", Undetermined, "b turns out not null")]);
    let rule = Rule::at_least_one_of(paths(&["a"]));
    let set = Value::object([("a", some(Value::unknown(Type::String)))]).unwrap();
    answers(&rule, [(set, Pass)]);
}

#[test]
fn required_with_does_not_count_what_may_be_null() {
    // `b` names `a` in RequiredWith: `b` needs `a`.
    let rule = named("required_with", super::list(&["b", "a"]));
    table(
        &rule,
        &[("FT", Fail, ""), ("TT", Pass, ""), ("TF", Pass, ""), ("UT", Undetermined, "a turns out not null")],
    );
}

#[test]
fn conflicts_with_decides_beside_the_unknown() {
    let rule = named("conflicts_with", super::list(&["a", "b", "c"]));
    table(&rule, &[("TUT", Fail, ""), ("TUF", Undetermined, "b turns out null")]);
}

#[test]
fn min_items_and_max_items_are_decided_with_an_unknown_element() {
    let list = Value::list([Value::unknown(Type::String), Value::from("a")]).unwrap();
    answers(&named("size_at_least", 2), [(list.clone(), Pass)]);
    answers(&named("size_at_least", 3), [(list.clone(), Fail)]);
    answers(&named("size_at_most", 1), [(list, Fail)]);
}

#[test]
fn validators_of_elements_are_decided_next_to_an_unknown_element() {
    let each = Rule::at("[*]".parse().unwrap(), named("starts_with", "a")).unwrap();
    let beside = |known: &str| Value::list([Value::unknown(Type::String), Value::from(known)]).unwrap();
    answers(&each, [(beside("b"), Fail), (beside("a"), Undetermined)]);
    let known = Value::list([begins("ab"), Value::from("a")]).unwrap();
    answers(&each, [(known, Pass)]);
}

#[test]
fn map_key_len_between_and_map_key_match() {
    let keys = Rule::keys(Rule::all([named("min_len", 1), named("max_len", 3)]).unwrap()).unwrap();
    let map = |key: &str| Value::map([(key, Value::unknown(Type::String))]).unwrap();
    answers(&keys, [(map("abc"), Pass), (map("abcd"), Fail), (map(""), Fail)]);
    let keys = Rule::keys(named("matches", "^[a-z]+$")).unwrap();
    answers(&keys, [(map("abc"), Pass), (map("a1"), Fail)]);
}

#[test]
fn map_value_len_between_and_map_value_match() {
    let map = |value: Value| Value::map([("k", value)]).unwrap();
    let each = |rule: Rule| Rule::at("[*]".parse().unwrap(), rule).unwrap();
    let length = each(Rule::all([named("min_len", 1), named("max_len", 3)]).unwrap());
    answers(
        &length,
        [(map("abc".into()), Pass), (map(some(begins("abcd"))), Fail), (map(begins("a")), Undetermined)],
    );
    let pattern = each(named("matches", "^[a-z]+$"));
    answers(&pattern, [(map("abc".into()), Pass), (map(some(begins("1"))), Fail)]);
}

#[test]
fn no_zero_values() {
    let rule = named("no_zero_values", true);
    answers(
        &rule,
        [(Value::from(""), Fail), (Value::from(0), Fail), (Value::from("a"), Pass), (1.into(), Pass)],
    );
    let misuse = rule.check_value(&Value::from(false)).unwrap_err();
    assert_eq!(misuse.to_string(), "not_zero needs a string or number, but the value is a bool");
}

#[test]
fn is_cidr_network_has_its_least_and_most_bits() {
    let bits = Value::tuple([16, 28]).unwrap();
    answers(
        &named("cidr_network", bits),
        [
            ("10.1.0.0/16".into(), Pass),
            ("10.0.0.0/8".into(), Fail),
            ("10.1.0.1/16".into(), Fail),
            (some(begins("10.1.0.1/")), Fail),
            (begins("10.1."), Undetermined),
        ],
    );
}
