//! Functions of integers: the results of each choice, held against the answer for unknown integers. The domains of the
//! laws on two arguments have none.

use plantime::function::Functions;
use plantime::{Refinement, Type, Value};

/// Unknown integers and multiples, intervals and known numbers, each with what it may become.
fn operands() -> Vec<(Value, Vec<i64>)> {
    let mut all: Vec<(Value, Vec<i64>)> = (-2..=2).map(|known| (Value::from(known), vec![known])).collect();
    for step in 1..=2_u64 {
        for low in -2..=2_i64 {
            for high in low..=2 {
                let range = Refinement::number_at_least(low).meet(&Refinement::number_at_most(high)).unwrap();
                let Ok(range) = Refinement::multiple_of(step).meet(&range.and_not_null()) else { continue };
                let step = i64::try_from(step).unwrap();
                let becomes = (low..=high).filter(|number| number % step == 0).collect();
                all.push((Value::refined(Type::Number, range).unwrap(), becomes));
            }
        }
    }
    all
}

/// The smallest value that may become each of the results, by the join of what is known of each.
fn best(results: impl Iterator<Item = Value>) -> Value {
    let all = results.map(|value| value.range().refinement().clone());
    Value::refined(Type::Number, all.reduce(|a, b| a.join(&b)).unwrap()).unwrap()
}

#[test]
fn the_extreme_of_integers_is_the_smallest_range_of_them() {
    let functions = Functions::standard();
    let operands = operands();
    for name in ["max", "min"] {
        for (a, becomes_a) in &operands {
            for (b, becomes_b) in &operands {
                let answer = functions.call(name, &[a.clone(), b.clone()]).unwrap();
                let results = becomes_a.iter().flat_map(|x| {
                    becomes_b
                        .iter()
                        .map(move |y| Value::from(*if name == "max" { x.max(y) } else { x.min(y) }))
                });
                let (mut inside, best) = (results.clone(), best(results));
                assert!(inside.all(|result| answer.may_become(&result)), "{name}({a:?}, {b:?}) = {answer:?}");
                // Of {0, 2} and {1} it is 1 or 2; which numbers of an operand are reached is not gone into.
                let is_integer = Refinement::integer().contains(answer.range().refinement());
                assert!(
                    answer.is_known() || is_integer,
                    "{name}({a:?}, {b:?}) = {answer:?}, but best is {best:?}"
                );
                let ends = |value: &Value| value.range().number_range().cloned();
                assert_eq!(
                    ends(&answer),
                    ends(&best),
                    "{name}({a:?}, {b:?}) = {answer:?}, but best is {best:?}"
                );
            }
        }
    }
}

#[test]
fn an_argument_that_is_never_the_extreme_does_not_matter() {
    let number = |text: &str| Value::refined(Type::Number, text.parse().unwrap()).unwrap();
    let called = |name: &str, arguments: [&str; 2]| {
        let arguments = arguments.map(number);
        Functions::standard().call(name, &arguments).unwrap().range().refinement().to_string()
    };
    let natural = "notnull(numberinteger(numbermin(0)))";
    assert_eq!(called("max", ["notnull(numbermax(0))", natural]), natural);
    assert_eq!(
        called("max", ["notnull(numbermax(0.5))", natural]),
        "notnull(numbermin(0), numberbelow(inf))"
    );
    assert_eq!(
        called("max", ["notnull(numberrange(0.5, 0.5))", natural]),
        "notnull(numbermin(0.5), numberbelow(inf))"
    );
    assert_eq!(
        called("min", ["notnull(numbermin(0))", "notnull(numbermultiple(2, numbermax(0)))"]),
        "notnull(numbermultiple(2, numbermax(0)))"
    );
}
