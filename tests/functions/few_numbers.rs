//! Functions of numbers of which a list is known: the results of each choice, held against the answer.

use plantime::function::Functions;
use plantime::{Number, Refinement, Type, Value};

/// Lists of numbers, and known ones, each with what it may become.
fn operands() -> Vec<(Value, Vec<Value>)> {
    let numbers = ["-2.5", "-1", "0", "0.5", "3"].map(|text| text.parse::<Number>().unwrap());
    let all = (1..32_u32).map(|mask| {
        let chosen: Vec<Number> = numbers
            .iter()
            .enumerate()
            .filter(|(bit, _)| mask >> bit & 1 == 1)
            .map(|(_, one)| one.clone())
            .collect();
        let one = Refinement::one_of_numbers(chosen.clone()).unwrap().and_not_null();
        (Value::refined(Type::Number, one).unwrap(), chosen.into_iter().map(Value::from).collect())
    });
    all.collect()
}

/// The smallest value that may become each of the results, by the join of what is known of each.
fn best(results: impl Iterator<Item = Value>) -> Option<Value> {
    let all = results.map(|value| value.range().refinement().clone());
    all.reduce(|a, b| a.join(&b)).map(|all| Value::refined(Type::Number, all).unwrap())
}

#[test]
fn functions_of_one_number_go_by_the_numbers() {
    for name in ["abs", "ceil", "floor", "signum"] {
        for (operand, becomes) in operands() {
            let call = |value: &Value| Functions::standard().call(name, std::slice::from_ref(value)).unwrap();
            let best = best(becomes.iter().map(call)).unwrap();
            assert_eq!(call(&operand), best, "{name}({operand:?})");
        }
    }
}

#[test]
fn the_extreme_of_lists_is_one_of_their_numbers() {
    let operands = operands();
    for name in ["max", "min"] {
        for (a, of_a) in &operands {
            for (b, of_b) in &operands {
                let call =
                    |a: &Value, b: &Value| Functions::standard().call(name, &[a.clone(), b.clone()]).unwrap();
                let best = best(of_a.iter().flat_map(|x| of_b.iter().map(move |y| call(x, y))));
                assert_eq!(Some(call(a, b)), best, "{name}({a:?}, {b:?})");
            }
        }
    }
}

#[test]
fn functions_without_intervals_run_for_each_number() {
    let number = |text: &str| Value::refined(Type::Number, text.parse().unwrap()).unwrap();
    let call =
        |name: &str, arguments: &[Value]| Functions::standard().call(name, arguments).unwrap().to_string();
    let one = number("notnull(oneof(1, 3))");
    assert_eq!(call("pow", &[Value::from(2), one.clone()]), "(known after apply, one of 2, 8)");
    let zones = Value::list(["a", "b", "c", "d"]).unwrap();
    assert_eq!(call("element", &[zones, one.clone()]), r#"(known after apply, one of "b", "d")"#);
    assert_eq!(
        call("format", &[Value::from("disk-%02d"), one.clone()]),
        r#"(known after apply, one of "disk-01", "disk-03")"#
    );
    assert_eq!(
        call("parseint", &[Value::from("ff"), number("notnull(oneof(16, 36))")]),
        "(known after apply, one of 255, 555)"
    );
    assert_eq!(
        call("range", &[one]),
        "(known after apply, 1 to 3 elements, each element (not null, a whole number, at least 0, at most 2))"
    );
}
