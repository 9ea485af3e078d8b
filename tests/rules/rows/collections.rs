//! Validators of collections.

use plantime::rule::Rule;
use plantime::{Type, Value};

use super::{Fail, Pass, Undetermined, answers, begins, named, null, passes_if, some, unknown};

fn open() -> Value {
    Value::unknown(Type::String)
}

#[test]
fn size_at_least() {
    let rule = named("size_at_least", 2);
    answers(
        &rule,
        [
            (Value::list([open(), open()]).unwrap(), Pass),
            (Value::list([open()]).unwrap(), Fail),
            (null("list(string)"), Pass),
            (unknown("list(string)", "listlength(2, 40)"), Pass),
            (unknown("list(string)", "notnull(listlength(0, 1))"), Fail),
            (unknown("list(string)", "listlength(0, 1)"), Undetermined),
            (unknown("map(string)", ""), Undetermined),
            // One member is sure; a second may be the same.
            (Value::set([open(), Value::from("a")]).unwrap(), Undetermined),
            (Value::set([some(begins("b")), Value::from("a")]).unwrap(), Pass),
            (Value::set([open(), Value::from("a"), Value::from("b")]).unwrap(), Pass),
        ],
    );
    let list = unknown("list(string)", "notnull()");
    assert_eq!(passes_if(&rule, &list), "it turns out to have a length of at least 2");
}

#[test]
fn size_at_most() {
    answers(
        &named("size_at_most", 1),
        [
            (Value::list([open()]).unwrap(), Pass),
            (Value::list([open(), open()]).unwrap(), Fail),
            (unknown("set(string)", "setlength(0, 1)"), Pass),
            (unknown("set(string)", "notnull(setlength(2, 9))"), Fail),
            (Value::set([open(), Value::from("a")]).unwrap(), Undetermined),
            (Value::set([some(begins("b")), Value::from("a")]).unwrap(), Fail),
        ],
    );
}

#[test]
fn size_between() {
    let rule = Rule::all([named("size_at_least", 1), named("size_at_most", 2)]).unwrap();
    answers(
        &rule,
        [
            (Value::set([open(), Value::from("a")]).unwrap(), Pass),
            (unknown("map(string)", "maplength(1, 2)"), Pass),
            (unknown("map(string)", "notnull(maplength(3, 4))"), Fail),
            (unknown("map(string)", "maplength(2, 3)"), Undetermined),
        ],
    );
}

#[test]
fn unique_values() {
    answers(
        &named("unique_values", true),
        [
            (Value::list(["a", "b"]).unwrap(), Pass),
            (Value::list([Value::from("a"), open(), Value::from("a")]).unwrap(), Fail),
            (Value::list([some(begins("a")), some(begins("b"))]).unwrap(), Pass),
            (Value::list([open(), open()]).unwrap(), Undetermined),
            (unknown("list(string)", "listlength(0, 1)"), Pass),
            // There are two bools, and null.
            (unknown("list(bool)", "notnull(listlength(4, 40))"), Fail),
            (unknown("list(bool)", "notnull(listlength(3, 40))"), Undetermined),
            (unknown("set(string)", ""), Pass),
        ],
    );
}

#[test]
fn no_null_values() {
    answers(
        &named("no_null_values", true),
        [
            (Value::list(["a", "b"]).unwrap(), Pass),
            (Value::list([some(open()), Value::from("a")]).unwrap(), Pass),
            (Value::list([open(), Value::null(Type::String)]).unwrap(), Fail),
            (Value::list([open(), Value::from("a")]).unwrap(), Undetermined),
            (unknown("list(string)", "listlength(0, 0)"), Pass),
            (unknown("list(string)", ""), Undetermined),
        ],
    );
    let outcome =
        named("no_null_values", true).check_value(&Value::list([Value::from("a"), open()]).unwrap()).unwrap();
    assert_eq!(outcome.why().unwrap().inputs()[0].to_string(), "[1]");
}

#[test]
fn value_strings_are_and_its_like() {
    let each = |rule: Rule| Rule::at("[*]".parse().unwrap(), rule).unwrap();
    answers(
        &each(named("starts_with", "a")),
        [
            (Value::list([begins("ab"), Value::from("a")]).unwrap(), Pass),
            (Value::list([open(), Value::from("b")]).unwrap(), Fail),
            (Value::list([open(), Value::from("a")]).unwrap(), Undetermined),
            (unknown("list(string)", "listlength(0, 0)"), Pass),
            (unknown("list(string)", ""), Undetermined),
            (null("set(string)"), Pass),
            (Value::map([("k", begins("a"))]).unwrap(), Pass),
        ],
    );
    // What no element can satisfy fails as soon as there is one.
    answers(
        &each(Rule::any([]).unwrap()),
        [
            (unknown("list(string)", "notnull(listlength(1, 40))"), Fail),
            (unknown("list(string)", "notnull()"), Undetermined),
        ],
    );
}

#[test]
fn keys_are() {
    let rule = Rule::keys(named("starts_with", "a")).unwrap();
    answers(
        &rule,
        [
            (Value::map([("a1", open()), ("a2", open())]).unwrap(), Pass),
            (Value::map([("a1", open()), ("b", open())]).unwrap(), Fail),
            (unknown("map(string)", "notnull()"), Undetermined),
            (unknown("map(string)", "maplength(0, 0)"), Pass),
            (unknown("object({a = string})", ""), Pass),
            (null("map(string)"), Pass),
        ],
    );
    let outcome = rule.check_value(&Value::map([("b", "x")]).unwrap()).unwrap();
    assert_eq!(outcome.diagnostics()[0].detail, "Key must satisfy: starts with \"a\", got: \"b\"");
    assert_eq!(outcome.diagnostics()[0].path.to_string(), "[\"b\"]");
}

#[test]
fn contains_key() {
    answers(
        &named("has_key", "k"),
        [
            (Value::map([("k", open())]).unwrap(), Pass),
            (Value::map([("l", open())]).unwrap(), Fail),
            (unknown("object({l = string})", "notnull()"), Fail),
            (unknown("map(string)", "notnull()"), Undetermined),
        ],
    );
}

#[test]
fn contains_a_member() {
    answers(
        &named("contains", "a"),
        [
            (Value::set([open(), Value::from("a")]).unwrap(), Pass),
            (Value::set([some(begins("b")), Value::from("c")]).unwrap(), Fail),
            (Value::set([open(), Value::from("c")]).unwrap(), Undetermined),
        ],
    );
}
