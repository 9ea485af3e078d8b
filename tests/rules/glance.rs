//! What one look at the range of an unknown answers is what the long way answers.

use plantime::rule::Rule;
use plantime::{Refinement, Type, Value};

use crate::oracle::singles;
use crate::universe;

/// Inside `all` a rule is checked on null and on the rest, each by itself.
#[track_caller]
fn both_ways(rule: &Rule, value: &Value) -> bool {
    let long = Rule::all([rule.clone()]).unwrap();
    match (rule.check_value(value), long.check_value(value)) {
        (Ok(short), Ok(long)) => {
            assert_eq!(short, long, "{rule} on {value:?}");
            short.is_undetermined()
        }
        (Err(_), Err(_)) => false,
        (short, long) => panic!("{rule} on {value:?}: {short:?}, {long:?}"),
    }
}

#[test]
fn one_look_says_what_two_would() {
    let mut values: Vec<Value> = universe::all().into_iter().map(|one| one.value).collect();
    values.retain(|value| !value.is_wholly_known());
    for ty in
        ["list(string)", "set(string)", "map(number)", "list(bool)", "set(number)", "list(any)", "set(bool)"]
    {
        let ty: Type = ty.parse().unwrap();
        values.push(Value::unknown(ty.clone()));
        for length in
            ["any()", "lengthmin(1)", "lengthmax(2)", "length(1, 3)", "length(2)", "length(1)", "length(0)"]
        {
            let refinement: Refinement = length.parse().unwrap();
            values.push(Value::refined(ty.clone(), refinement.clone()).unwrap());
            values.push(Value::refined(ty.clone(), refinement.and_not_null()).unwrap());
        }
    }
    let rules = singles();
    let open = rules.iter().flat_map(|case| values.iter().map(|value| both_ways(&case.rule, value)));
    let open = open.filter(|open| *open).count();
    assert!(open > 1000, "{open}");
}
