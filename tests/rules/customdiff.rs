//! What checks of a planned change in the manner of the SDK's package customdiff are here, one test for each function.
//!
//! | customdiff | here |
//! |---|---|
//! | `All(f, g)` | `Rule::all([f, g])` |
//! | `Sequence(f, g)` | `Rule::sequence([f, g])`: what follows a failure is not told |
//! | `If(cond, f)` | `Rule::when(cond, f)`, `cond` on the whole |
//! | `IfValue(key, cond, f)` | `Rule::when(Rule::at(key, cond), f)` |
//! | `IfValueChange(key, cond, f)` | the same with a rule on the change, or `Custom::of_change` |
//! | `ForceNewIf(key, cond)` | `ForceNew::new(key).when(cond)`; `<` leads to the neighbours |
//! | `ForceNewIfChange(key, cond)` | the same with a rule on the change |
//! | `ValidateValue(key, f)` | `Rule::at(key, f)` |
//! | `ValidateChange(key, f)` | `Rule::at(key, f)` with a rule on the change, or `Custom::of_change` |
//!
//! `ComputedIf` changes the plan, and is no check.

use plantime::rule::{Custom, ForceNew, PathExpr, Replaces, Request, Rule};
use plantime::{Refinement, Type, Value};

fn at(path: &str, rule: Rule) -> Rule {
    Rule::at(path.parse().unwrap(), rule).unwrap()
}

fn key(path: &str) -> PathExpr {
    path.parse().unwrap()
}

/// An instance of this size and name.
fn instance(size: impl Into<Value>, name: impl Into<Value>) -> Value {
    Value::object([("size", size.into()), ("name", name.into())]).unwrap()
}

fn number(refinement: &str) -> Value {
    Value::refined(Type::Number, refinement.parse::<Refinement>().unwrap()).unwrap()
}

fn open() -> Value {
    Value::unknown(Type::Number).assume_not_null().unwrap()
}

/// `pass`, `undetermined`, or the failures.
fn change(rule: &Rule, before: &Value, after: &Value) -> String {
    let outcome = rule.check(&Request::new(after).before(before)).unwrap();
    match outcome.diagnostics() {
        [] => outcome.name().to_owned(),
        all => all.iter().map(|one| one.failure.clone()).collect::<Vec<_>>().join("; "),
    }
}

/// A function on old and new that wants steps of one.
fn by_one() -> Rule {
    Rule::Custom(Custom::of_change("by_one", |old, new| {
        let step = new.subtract(old).and_then(|step| step.as_number().cloned());
        match step.ok().and_then(|step| step.to_i64()) {
            Some(-1..=1) => Ok(()),
            _ => Err(format!("it goes from {old} to {new}")),
        }
    }))
}

#[test]
fn all_tells_every_failure() {
    let rule = Rule::all([at("size", Rule::only_increase()), at("name", Rule::immutable())]).unwrap();
    let before = instance(5, "a");
    assert_eq!(change(&rule, &before, &instance(6, "a")), "pass");
    assert_eq!(change(&rule, &before, &instance(4, "b")), "it is 4, and was 5; it is \"b\", and was \"a\"");
    assert_eq!(change(&rule, &before, &instance(open(), "a")), "undetermined");
    assert_eq!(change(&rule, &before, &instance(open(), "b")), "it is \"b\", and was \"a\"");
}

#[test]
fn sequence_tells_the_first_failure_and_answers_as_all_does() {
    let parts = || [at("size", Rule::only_increase()), at("name", Rule::immutable())];
    let (rule, all) = (Rule::sequence(parts()).unwrap(), Rule::all(parts()).unwrap());
    let before = instance(5, "a");
    assert_eq!(change(&rule, &before, &instance(6, "a")), "pass");
    assert_eq!(change(&rule, &before, &instance(4, "b")), "it is 4, and was 5");
    // Whatever the size turns out to be, it fails; which of the two is told first is not known, so what is certain is told.
    assert_eq!(change(&rule, &before, &instance(open(), "b")), "it is \"b\", and was \"a\"");
    assert_eq!(change(&rule, &before, &instance(number("numbermax(4)"), "a")), "undetermined");
    let sizes =
        [Value::from(4), Value::from(6), open(), number("notnull(numbermin(5))"), Value::null(Type::Number)];
    for size in sizes {
        for name in [Value::from("a"), Value::from("b"), Value::unknown(Type::String)] {
            let after = instance(size.clone(), name);
            let answer = |rule: &Rule| rule.check(&Request::new(&after).before(&before)).unwrap().name();
            assert_eq!(answer(&rule), answer(&all), "{after}");
        }
    }
}

#[test]
fn if_asks_where_a_condition_on_the_whole_holds() {
    let condition = Rule::at_least_one_of([key("name")]);
    let rule = Rule::when(condition, at("size", Rule::only_increase())).unwrap();
    let before = instance(5, "a");
    assert_eq!(change(&rule, &before, &instance(4, "a")), "it is 4, and was 5");
    assert_eq!(change(&rule, &before, &instance(4, Value::null(Type::String))), "pass");
    assert_eq!(change(&rule, &before, &instance(4, Value::unknown(Type::String))), "undetermined");
    assert_eq!(change(&rule, &before, &instance(6, Value::unknown(Type::String))), "pass");
}

#[test]
fn if_value_asks_where_a_condition_on_a_value_holds() {
    let rule = Rule::when(at("name", Rule::starts_with("prod-")), at("size", Rule::only_increase())).unwrap();
    let before = instance(5, "prod-a");
    assert_eq!(change(&rule, &before, &instance(4, "prod-a")), "it is 4, and was 5");
    assert_eq!(change(&rule, &before, &instance(4, "test-a")), "pass");
    let begins =
        |prefix: &str| Value::refined(Type::String, Refinement::prefix(prefix).and_not_null()).unwrap();
    assert_eq!(change(&rule, &before, &instance(4, begins("prod-"))), "it is 4, and was 5");
    assert_eq!(change(&rule, &before, &instance(4, begins("pro"))), "undetermined");
    assert_eq!(change(&rule, &before, &instance(4, begins("test"))), "pass");
}

#[test]
fn if_value_change_asks_where_a_condition_on_a_change_holds() {
    let renamed = at("name", Rule::not(Rule::immutable()).unwrap());
    let rule = Rule::when(renamed, at("size", by_one())).unwrap();
    let before = instance(5, "a");
    assert_eq!(change(&rule, &before, &instance(9, "a")), "pass");
    assert_eq!(change(&rule, &before, &instance(9, "b")), "it goes from 5 to 9");
    assert_eq!(change(&rule, &before, &instance(6, "b")), "pass");
    assert_eq!(
        change(&rule, &before, &instance(9, Value::unknown(Type::String).assume_not_null().unwrap())),
        "undetermined"
    );
    // The condition as a function.
    let jumps = Custom::of_change("jumps", |old, new| {
        let jumps =
            new.subtract(old).is_ok_and(|step| step.as_number().is_ok_and(|step| step.to_i64() > Some(1)));
        if jumps { Ok(()) } else { Err("it does not jump".to_owned()) }
    });
    let rule = Rule::when(at("size", Rule::Custom(jumps)), at("name", Rule::immutable())).unwrap();
    assert_eq!(change(&rule, &before, &instance(9, "b")), "it is \"b\", and was \"a\"");
    assert_eq!(change(&rule, &before, &instance(6, "b")), "pass");
    assert_eq!(change(&rule, &before, &instance(open(), "b")), "undetermined");
}

fn replaces(force: &ForceNew, before: &Value, after: &Value) -> &'static str {
    match force.check(&Request::new(after).before(before)).unwrap() {
        Replaces::Yes => "yes",
        Replaces::No => "no",
        Replaces::Maybe(_) => "maybe",
    }
}

#[test]
fn force_new_if_replaces_where_a_condition_holds_of_what_is_planned() {
    // Only where the name beside it is that of a fixed size.
    let force = ForceNew::new(key("size")).when(at("<.name", Rule::starts_with("fixed-")));
    let before = instance(5, "fixed-a");
    assert_eq!(replaces(&force, &before, &instance(6, "fixed-a")), "yes");
    assert_eq!(replaces(&force, &before, &instance(6, "free-a")), "no");
    assert_eq!(replaces(&force, &before, &instance(6, Value::unknown(Type::String))), "maybe");
    // Without a change of the part it forces nothing.
    assert_eq!(replaces(&force, &before, &instance(5, "fixed-b")), "no");
    assert_eq!(replaces(&force, &before, &instance(open(), "fixed-a")), "maybe");
}

#[test]
fn force_new_if_change_replaces_where_a_condition_holds_of_the_change() {
    for force in [
        ForceNew::new(key("size")).when(Rule::not(Rule::only_increase()).unwrap()),
        ForceNew::new(key("size")).when(Rule::Custom(Custom::of_change("shrinks", |old, new| {
            match new.less_than(old).and_then(|less| less.as_bool()) {
                Ok(true) => Ok(()),
                _ => Err("it does not shrink".to_owned()),
            }
        }))),
    ] {
        let before = instance(5, "a");
        assert_eq!(replaces(&force, &before, &instance(4, "a")), "yes");
        assert_eq!(replaces(&force, &before, &instance(6, "a")), "no");
        assert_eq!(replaces(&force, &before, &instance(5, "a")), "no");
        assert_eq!(replaces(&force, &before, &instance(open(), "a")), "maybe");
    }
    let force = ForceNew::new(key("size")).when(Rule::not(Rule::only_increase()).unwrap());
    assert_eq!(replaces(&force, &instance(5, "a"), &instance(number("notnull(numbermin(7))"), "a")), "no");
    assert_eq!(replaces(&force, &instance(5, "a"), &instance(number("notnull(numbermax(3))"), "a")), "yes");
}

#[test]
fn validate_value_looks_at_what_is_planned() {
    let rule = at("size", Rule::max(8));
    let before = instance(20, "a");
    assert_eq!(change(&rule, &before, &instance(9, "a")), "it is 9");
    assert_eq!(change(&rule, &before, &instance(8, "a")), "pass");
    assert_eq!(change(&rule, &before, &instance(number("numbermax(4)"), "a")), "pass");
}

#[test]
fn validate_change_looks_at_old_and_new() {
    let rule = at("size", by_one());
    let before = instance(5, "a");
    assert_eq!(change(&rule, &before, &instance(6, "a")), "pass");
    assert_eq!(change(&rule, &before, &instance(9, "a")), "it goes from 5 to 9");
    assert_eq!(change(&rule, &before, &instance(open(), "a")), "undetermined");
    // What is created or deleted has no change; a null on one side is none that the function could look at.
    assert_eq!(rule.check_value(&instance(9, "a")).unwrap().name(), "pass");
    assert_eq!(change(&rule, &before, &instance(Value::null(Type::Number), "a")), "pass");
    assert_eq!(change(&rule, &Value::null(before.ty()), &instance(9, "a")), "pass");
    // Content behind a mark is not in the message.
    let secret = |size: i64| instance(Value::from(size).mark(plantime::Mark::SENSITIVE), "a");
    assert_eq!(change(&rule, &before, &secret(90)), "it is (sensitive value)");
    assert_eq!(change(&rule, &secret(90), &instance(5, "a")), "it is 5");
    assert_eq!(change(&rule, &secret(5), &secret(5)), "pass");
}
