//! Validations of ytt.

use plantime::rule::{Custom, Rule};
use plantime::{Type, Value, value};

use super::{Fail, Pass, Undetermined, answers, begins, list, named, null, passes_if, some, unknown};

#[test]
fn min_len() {
    answers(
        &named("min_len", 2),
        [
            ("ab".into(), Pass),
            ("a".into(), Fail),
            (begins("ab"), Pass),
            (Value::list(["a"]).unwrap(), Fail),
            (Value::map([("a", 1), ("b", 2)]).unwrap(), Pass),
            (unknown("map(number)", "maplength(2, 3)"), Pass),
            (null("string"), Pass),
        ],
    );
}

#[test]
fn max_len() {
    answers(
        &named("max_len", 1),
        [("ab".into(), Fail), (some(begins("ab")), Fail), (begins("a"), Undetermined), ("a".into(), Pass)],
    );
}

#[test]
fn min() {
    answers(
        &named("min", 1),
        [(0.into(), Fail), (1.into(), Pass), (unknown("number", "numbermin(1)"), Pass)],
    );
}

#[test]
fn max() {
    answers(&named("max", 1), [(2.into(), Fail), (unknown("number", "numbermin(1)"), Undetermined)]);
}

#[test]
fn min_and_max_of_a_text() {
    let open = || some(Value::unknown(Type::String));
    let rule = named("min", "vpc-5");
    answers(
        &rule,
        [
            ("vpc-5".into(), Pass),
            ("vpc-4".into(), Fail),
            ("z".into(), Pass),
            (null("string"), Pass),
            // Decided where they differ, and where the beginning goes on.
            (begins("w"), Pass),
            (begins("vpc-50"), Pass),
            (some(begins("subnet-")), Fail),
            (begins("subnet-"), Undetermined),
            (some(begins("vpc-")), Undetermined),
            (open(), Undetermined),
        ],
    );
    assert_eq!(passes_if(&rule, &open()), "it turns out to be \"vpc-5\" or after it");
    answers(
        &named("max", "vpc-5"),
        [
            ("vpc-5".into(), Pass),
            ("vpc-50".into(), Fail),
            (begins("subnet-"), Pass),
            (some(begins("w")), Fail),
            (some(begins("vpc-50")), Fail),
            (some(begins("vpc-5")), Undetermined),
            (open(), Undetermined),
        ],
    );
    answers(&named("min", ""), [(open(), Pass)]);
}

#[test]
fn one_of() {
    let rule = named("one_of", list(&["a", "b"]));
    answers(
        &rule,
        [("a".into(), Pass), ("c".into(), Fail), (some(begins("c")), Fail), (null("string"), Pass)],
    );
}

#[test]
fn not_null() {
    let rule = named("not_null", true);
    answers(&rule, [(null("string"), Fail), (begins("a"), Undetermined), (some(begins("a")), Pass)]);
}

#[test]
fn one_not_null() {
    let union = |a: Value, b: Value| value!({ "a": (a), "b": (b), "c": 1 }).unwrap();
    let open = || Value::unknown(Type::String);
    let none = || null("string");
    let rule = named("one_not_null", list(&["a", "b"]));
    answers(
        &rule,
        [
            (union("x".into(), none()), Pass),
            (union("x".into(), "y".into()), Fail),
            (union(none(), none()), Fail),
            (union(none(), open()), Undetermined),
            (union(some(open()), some(open())), Fail),
            (null("object({a = string, b = string})"), Pass),
        ],
    );
    let all = named("one_not_null", true);
    answers(&all, [(union("x".into(), none()), Fail), (union(none(), none()), Pass)]);
    for (rule, value, failure) in [
        (&rule, union("x".into(), "y".into()), "a, b are not null"),
        (&rule, union(none(), none()), "all are null"),
        (&all, Value::map_of(Type::Bool, Vec::<(&str, bool)>::new()).unwrap(), "it is empty"),
    ] {
        assert_eq!(rule.check_value(&value).unwrap().diagnostics()[0].failure, failure);
    }
}

#[test]
fn custom() {
    let even = Rule::Custom(Custom::of_known("is_even", |value| match value.as_number() {
        Ok(number) if number.is_integer() && number.to_i64().is_some_and(|number| number % 2 == 0) => Ok(()),
        _ => Err("it is odd".to_owned()),
    }));
    answers(
        &even,
        [
            (2.into(), Pass),
            (3.into(), Fail),
            (unknown("number", "notnull(numberrange(1, 2))"), Undetermined),
            (null("number"), Pass),
        ],
    );
    assert_eq!(even.check_value(&3.into()).unwrap().diagnostics()[0].failure, "it is odd");
}

#[test]
fn when() {
    let at = |path: &str, rule: Rule| Rule::at(path.parse().unwrap(), rule).unwrap();
    let rule = Rule::when(at("on", named("equals", true)), at("name", named("min_len", 1))).unwrap();
    let config = |on: Value, name: &str| value!({ "on": (on), "name": (name) }).unwrap();
    let open = || some(Value::unknown(Type::Bool));
    answers(
        &rule,
        [
            (config(true.into(), ""), Fail),
            (config(false.into(), ""), Pass),
            (config(open(), ""), Undetermined),
            (config(open(), "a"), Pass),
        ],
    );
    assert!(!passes_if(&rule, &config(open(), "")).is_empty());
}

#[test]
fn starts_with_ends_with_contains_matches_format_even_odd_multiple_of_and_len() {
    for (rule, pass, fail) in [
        (named("starts_with", "a"), Value::from("ab"), Value::from("b")),
        (named("ends_with", "b"), "ab".into(), "a".into()),
        (named("contains", "b"), "abc".into(), "a".into()),
        (named("matches", "^a+$"), "aa".into(), "ab".into()),
        (named("format", "quantity"), "10Gi".into(), "10Gb".into()),
        (named("format", "uriref"), "/a?b".into(), "a b".into()),
        (named("format", "date-time"), "2024-02-29T00:00:00Z".into(), "2023-02-29T00:00:00Z".into()),
        (named("even", true), 2.into(), 3.into()),
        (named("odd", true), 3.into(), 2.into()),
        (named("multiple_of", 3), 9.into(), 8.into()),
        (named("len", 2), "ab".into(), "a".into()),
    ] {
        answers(&rule, [(pass, Pass), (fail, Fail)]);
    }
}
