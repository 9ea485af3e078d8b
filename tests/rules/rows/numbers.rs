//! Validators of numbers.

use plantime::rule::Rule;
use plantime::{NumberRange, Refinement, Type, Value, value};

use super::{Fail, Pass, Undetermined, answers, named, null, passes_if, some, unknown};

fn range(low: i64, high: i64) -> Value {
    unknown("number", &format!("notnull(numberrange({low}, {high}))"))
}

fn within(range: NumberRange) -> Value {
    Value::refined(Type::Number, Refinement::number(range).and_not_null()).unwrap()
}

#[test]
fn at_least() {
    answers(
        &named("at_least", 5),
        [
            (Value::from(5), Pass),
            (Value::from(4), Fail),
            (null("number"), Pass),
            (range(5, 9), Pass),
            (range(1, 4), Fail),
            (within(NumberRange::below(5).unwrap()), Fail),
            (within(NumberRange::at_most(5)), Undetermined),
            (unknown("number", "numbermax(4)"), Undetermined),
            (range(1, 9), Undetermined),
        ],
    );
    assert_eq!(passes_if(&named("at_least", 5), &range(1, 9)), "it turns out to be at least 5");
    assert_eq!(passes_if(&named("at_least", 5), &unknown("number", "numbermax(4)")), "it turns out null");
}

#[test]
fn at_most() {
    answers(
        &named("at_most", 5),
        [
            (range(1, 5), Pass),
            (range(6, 9), Fail),
            (within(NumberRange::above(5).unwrap()), Fail),
            (range(1, 9), Undetermined),
        ],
    );
}

#[test]
fn between() {
    let rule = Rule::all([named("at_least", 1), named("at_most", 5)]).unwrap();
    answers(
        &rule,
        [(range(2, 4), Pass), (range(6, 9), Fail), (range(-2, 0), Fail), (range(4, 6), Undetermined)],
    );
}

#[test]
fn one_of() {
    let rule = Rule::one_of([1, 10]);
    answers(&rule, [(range(2, 9), Fail), (range(1, 9), Undetermined), (Value::from(10), Pass)]);
    assert_eq!(passes_if(&rule, &range(1, 9)), "it turns out to be 1");
}

#[test]
fn none_of() {
    let rule = Rule::none_of([1, 10]);
    answers(&rule, [(range(2, 9), Pass), (range(1, 9), Undetermined), (Value::from(10), Fail)]);
}

#[test]
fn multiple_of() {
    answers(
        &named("int_divisible_by", 4),
        [(Value::from(8), Pass), (Value::from(9), Fail), (range(5, 7), Fail), (range(5, 8), Undetermined)],
    );
}

#[test]
fn port_number() {
    answers(
        &named("port_number", true),
        [
            (Value::from(443), Pass),
            (Value::from(0), Fail),
            (Value::from("1.5".parse::<plantime::Number>().unwrap()), Fail),
            (range(65536, 70000), Fail),
            (range(0, 9), Undetermined),
        ],
    );
    answers(&named("port_number_or_zero", true), [(Value::from(0), Pass), (Value::from(65536), Fail)]);
}

fn totals(build: fn(Vec<plantime::rule::PathExpr>) -> Rule) -> Rule {
    let operands = ["<.a", "<.b"].map(|path| path.parse().unwrap()).to_vec();
    Rule::at("total".parse().unwrap(), build(operands)).unwrap()
}

fn total(total: Value, a: Value, b: Value) -> Value {
    value!({ "total": (total), "a": (a), "b": (b) }).unwrap()
}

#[test]
fn at_least_sum_of_and_at_most_sum_of() {
    let maybe = || unknown("number", "numberrange(5, 6)");
    answers(
        &totals(Rule::at_least_sum_of),
        [
            (total(range(9, 10), range(1, 3), range(4, 6)), Pass),
            (total(range(1, 4), range(1, 3), range(4, 6)), Fail),
            (total(range(5, 9), range(1, 3), range(4, 6)), Undetermined),
            // What may be null counts as 0 then.
            (total(Value::from(4), Value::from(4), maybe()), Undetermined),
            (total(Value::from(3), Value::from(4), maybe()), Fail),
            (total(Value::from(4), Value::from(4), null("number")), Pass),
            (total(null("number"), Value::from(4), maybe()), Pass),
        ],
    );
    answers(
        &totals(Rule::at_most_sum_of),
        [
            (total(range(1, 5), range(1, 3), range(4, 6)), Pass),
            (total(range(10, 11), range(1, 3), range(4, 6)), Fail),
            (total(Value::from(5), Value::from(4), maybe()), Undetermined),
        ],
    );
}

#[test]
fn equal_to_sum_of() {
    let maybe = || unknown("number", "numberrange(5, 6)");
    answers(
        &totals(Rule::equal_to_sum_of),
        [
            (total(Value::from(3), Value::from(1), Value::from(2)), Pass),
            (total(Value::from(4), Value::from(1), Value::from(2)), Fail),
            (total(range(1, 2), range(3, 4), Value::from(0)), Fail),
            (total(range(1, 3), range(3, 4), Value::from(0)), Undetermined),
            // Neither 1, nor from 6 to 7.
            (total(Value::from(3), Value::from(1), maybe()), Fail),
            (total(Value::from(6), Value::from(1), maybe()), Undetermined),
        ],
    );
}

#[test]
fn equal_to_product_of() {
    let maybe = || unknown("number", "numberrange(5, 6)");
    answers(
        &totals(Rule::equal_to_product_of),
        [
            (total(Value::from(6), Value::from(3), Value::from(2)), Pass),
            (total(Value::from(5), Value::from(3), Value::from(2)), Fail),
            (total(range(1, 4), range(5, 6), Value::from(2)), Fail),
            // A null factor passes, so one that may be null never fails.
            (total(Value::from(1), maybe(), Value::from(2)), Undetermined),
            (total(Value::from(1), some(maybe()), Value::from(2)), Fail),
            (total(Value::from(1), null("number"), Value::from(2)), Pass),
        ],
    );
}
