//! Rules that no value can break are refused when they are made: null passes `not` and `implies`, so whoever writes
//! `not(is_null)` means something else.

use plantime::rule::{PathExpr, Rule, keywords};
use plantime::{Type, Value, value};

use crate::laws::{Word, word};

fn null() -> Value {
    Value::null(Type::Dynamic)
}

#[test]
fn what_holds_of_null_and_of_all_else_is_refused() {
    let here = |rule: Rule| Rule::at(PathExpr::new(), rule).unwrap();
    let not_null = || Rule::NotNull;
    let long = || Rule::min_len(3);
    for rule in [
        Rule::not(Rule::IsNull),
        Rule::not(Rule::equals(null())),
        Rule::not(Rule::one_of([null(), Value::null(Type::String)])),
        Rule::not(here(Rule::IsNull)),
        Rule::not(Rule::all([Rule::IsNull, long()]).unwrap()),
        Rule::not(Rule::any([Rule::IsNull, Rule::not(not_null()).unwrap()]).unwrap()),
        Rule::implies(Rule::IsNull, long()),
        Rule::implies(long(), not_null()),
        Rule::implies(long(), Rule::none_of([null()])),
    ] {
        let error = rule.unwrap_err();
        assert!(error.is_argument() && error.to_string().contains("not_null"), "{error}");
    }
    assert_eq!(
        Rule::not(Rule::IsNull).unwrap_err().to_string(),
        "no value breaks not(is_null), as null passes not: write not_null"
    );
    let form = value!({ "not": { "is_null": true } }).unwrap();
    assert!(Rule::from_form(&form).unwrap_err().to_string().starts_with("not: "));
}

#[test]
fn what_some_value_breaks_is_not() {
    let rules = [
        Rule::not(Rule::NotNull),
        Rule::not(Rule::any([Rule::IsNull, Rule::min_len(3)]).unwrap()),
        Rule::implies(Rule::NotNull, Rule::min_len(3)),
        Rule::implies(Rule::min_len(3), Rule::IsNull),
        // Of the part, not of the value: an object without it breaks the rule.
        Rule::not(Rule::at("a".parse().unwrap(), Rule::IsNull).unwrap()),
        Rule::not(Rule::one_of([null(), "a".into()])),
        // Made by programs of no rules at all.
        Rule::not(Rule::any([]).unwrap()),
        Rule::implies(Rule::min_len(3), Rule::all([]).unwrap()),
    ];
    for rule in rules {
        rule.unwrap();
    }
}

#[test]
fn one_form_has_one_meaning_in_files_and_in_programs() {
    let object = value!({ "a": (Value::null(Type::String)) }).unwrap();
    let outside = Rule::not(Rule::at("a".parse().unwrap(), Rule::IsNull).unwrap()).unwrap();
    assert_eq!(word(&outside, &object), Word::Fail);
    assert!(keywords().iter().any(|keyword| keyword.name == "not"));
}
