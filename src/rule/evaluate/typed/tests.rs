//! The compiled forms of rules give the answers that rules give without them: the same outcomes, messages and paths.

use std::cell::Cell;

use super::passes;
use crate::rule::{ExprStep, Misuse, Outcome, PathExpr, Rule};
use crate::types::Type;
use crate::value;
use crate::value::Value;

thread_local! {
    static ARE_OFF: Cell<bool> = const { Cell::new(false) };
}

/// Whether rules are evaluated without the fast paths for known values in this thread.
pub(in crate::rule::evaluate) fn are_fast_paths_off() -> bool {
    ARE_OFF.get()
}

/// The answer of a rule without the fast paths for known values.
fn general_answer(rule: &Rule, value: &Value) -> Result<Outcome, Misuse> {
    ARE_OFF.set(true);
    let answer = rule.check_value(value);
    ARE_OFF.set(false);
    answer
}

/// Compares the answers of a rule that is not compiled yet, is compiled during the check, and was compiled before.
/// Returns whether there is a compiled form.
fn assert_one_answer(rule: &Rule, value: &Value) -> bool {
    let general = general_answer(rule, value);
    for time in ["first", "second", "third"] {
        let answer = rule.check_value(value);
        assert_eq!(answer, general, "{time} answer of {rule} on {value:?}");
    }
    passes(rule, value, &value.ty()).is_some()
}

#[cfg(feature = "proptest")]
#[test]
fn a_compiled_rule_answers_as_the_rule_does() {
    let mut compiled = 0;
    for (rule, value) in crate::rule::evaluate::known::tests::cases(0..20_000) {
        compiled += usize::from(assert_one_answer(&rule, &value));
        // Inside others, and at places.
        let around = [Rule::NotNull, rule.clone(), Rule::IsNull];
        for rule in [Rule::all(around.clone()), Rule::any(around.clone()), Rule::sequence(around)] {
            compiled += usize::from(assert_one_answer(&rule.unwrap(), &value));
        }
        let Ok(list) = Value::list([value.clone(), value.clone()]) else { continue };
        let each = PathExpr::from_steps([ExprStep::AnyElement]).unwrap();
        if let Ok(rule) = Rule::at(each, rule.clone()) {
            compiled += usize::from(assert_one_answer(&rule, &list));
        }
        let object = value!({ "a": value, "b": null }).unwrap();
        let attribute = PathExpr::from_steps([ExprStep::Attr("a".into())]).unwrap();
        if let Ok(rule) = Rule::at(attribute, rule) {
            compiled += usize::from(assert_one_answer(&rule, &object));
        }
    }
    assert!(compiled > 20_000, "{compiled}");
}

#[test]
fn a_compiled_rule_is_not_taken_for_another_type_or_path() {
    let (a, b) = ("a".parse::<PathExpr>().unwrap(), "b".parse::<PathExpr>().unwrap());
    let Rule::At(_, short) = Rule::at(a.clone(), Rule::max_len(1)).unwrap() else { unreachable!() };
    let object = value!({ "a": "x", "b": "long" }).unwrap();
    for _ in 0..3 {
        assert!(Rule::At(a.clone(), short.clone()).check_value(&object).unwrap().is_pass());
        assert!(Rule::At(b.clone(), short.clone()).check_value(&object).unwrap().is_fail());
    }
    for i in 0..9 {
        let other = value!({ "a": [i], (format!("more_{i}")): i }).unwrap();
        assert!(Rule::At(a.clone(), short.clone()).check_value(&other).unwrap().is_pass());
        assert!(Rule::At(b.clone(), short.clone()).check_value(&other).is_err());
    }
}

#[test]
fn a_rule_that_cannot_read_a_type_is_not_compiled() {
    let unreadable = Rule::all([Rule::any([Rule::NotNull, Rule::starts_with("a")]).unwrap()]).unwrap();
    let nothing = Rule::when(Rule::IsNull, Rule::starts_with("a")).unwrap();
    let below_null = Rule::at("a.b".parse().unwrap(), Rule::NotNull);
    let object = Value::object([("a", Value::null(Type::object([("c", Type::Bool)]).unwrap()))]).unwrap();
    for _ in 0..3 {
        assert!(unreadable.check_value(&Value::from(1)).is_err());
        assert!(nothing.check_value(&Value::from(1)).is_err());
        assert!(below_null.as_ref().unwrap().check_value(&object).is_err());
    }
}

#[test]
fn characters_are_counted_and_not_bytes() {
    let rule = Rule::all([Rule::min_len(3), Rule::max_len(4)]).unwrap();
    for text in
        ["", "ab", "abc", "abcd", "abcde", "äö", "äöü", "äöüß", "äöüßé", "🦀🦀", "🦀🦀🦀", "🦀🦀🦀🦀🦀"]
    {
        assert!(assert_one_answer(&rule, &Value::from(text)));
    }
    assert!(Rule::all([Rule::max_len(u64::MAX)]).unwrap().check_value(&Value::from("a")).unwrap().is_pass());
}

#[test]
fn deep_rules_and_many_types_are_evaluated_as_they_are() {
    let mut deep = Rule::max_len(1);
    for _ in 0..200 {
        deep = Rule::all([Rule::NotNull, deep]).unwrap();
    }
    assert!(!assert_one_answer(&deep, &Value::from("ab")));
    let items = (0..20_000).map(|i| if i % 2 == 0 { Value::from("a") } else { value!(["a"]).unwrap() });
    let tuple = Value::tuple(items).unwrap();
    let rule = Rule::at("[*]".parse().unwrap(), Rule::max_len(1)).unwrap();
    assert!(!assert_one_answer(&rule, &tuple));
}
