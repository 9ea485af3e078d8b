//! Validators of bools, and of values of any type.

use plantime::rule::Rule;
use plantime::{Type, Value};

use super::{Fail, Pass, Undetermined, answers, named, null, passes_if, some, unknown};

#[test]
fn equals() {
    answers(
        &named("equals", true),
        [
            (Value::from(true), Pass),
            (Value::from(false), Fail),
            (null("bool"), Pass),
            (unknown("bool", "notnull()"), Undetermined),
        ],
    );
}

#[test]
fn not_null_required_and_is_required() {
    for name in ["not_null", "required", "is_required"] {
        let rule = named(name, true);
        answers(
            &rule,
            [
                (unknown("string", "notnull()"), Pass),
                (Value::from("a"), Pass),
                (null("string"), Fail),
                (Value::refined(Type::String, plantime::Refinement::null()).unwrap(), Fail),
                (unknown("string", ""), Undetermined),
                (Value::dynamic(), Undetermined),
            ],
        );
        assert_eq!(passes_if(&rule, &unknown("string", "")), "it turns out not null");
        assert_eq!(rule.as_refinement(), Some(plantime::Refinement::not_null()));
    }
}

#[test]
fn is_null() {
    answers(
        &named("is_null", true),
        [(null("string"), Pass), (some(unknown("string", "")), Fail), (unknown("string", ""), Undetermined)],
    );
}

#[test]
fn type_is() {
    let rule = named("type_is", "list(any)");
    answers(
        &rule,
        [
            (Value::list(["a"]).unwrap(), Pass),
            (unknown("list(string)", ""), Pass),
            (Value::from("a"), Fail),
            (some(unknown("string", "")), Fail),
            (unknown("string", ""), Undetermined),
            (Value::dynamic(), Undetermined),
            (null("string"), Pass),
        ],
    );
    answers(&named("type_is", "list(string)"), [(unknown("list(any)", "notnull()"), Undetermined)]);
    assert_eq!(rule, Rule::type_is("list(any)".parse().unwrap()));
}
