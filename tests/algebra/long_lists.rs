//! Lists longer than the collapse limit stay refined, and answer exactly as the list of unknowns would.

use plantime::{LengthRange, Number, NumberRange, Refinement, Type, Value, limits};

use super::gamma::Abs;
use super::laws::{BINARY, UNARY};
use super::universe::{ty, world};

fn unknown_of_length(element: &Type, length: usize) -> Value {
    let length = Refinement::length(LengthRange::exactly(length as u64)).and_not_null();
    Value::refined(Type::list(element.clone()).unwrap(), length).unwrap()
}

fn list_of_unknowns(element: &Type, length: usize) -> Value {
    Value::list_of(element.clone(), vec![Value::unknown(element.clone()); length]).unwrap()
}

#[test]
fn the_limit_is_where_lists_stay_refined() {
    assert_eq!(limits::COLLAPSE, 32);
    for element in ["bool", "any", "list(any)"].map(ty) {
        assert_eq!(unknown_of_length(&element, 32), list_of_unknowns(&element, 32));
        assert!(!unknown_of_length(&element, 33).is_known());
    }
}

/// Operands that tell the two forms apart if anything does: of the same length and of others, by element, by
/// element type, unknown, and keys around the end.
fn others(element: &Type) -> Vec<Value> {
    let mut all: Vec<Value> =
        world().s.abstracts.iter().map(|i| world().abstracts[*i].value.clone()).collect();
    for length in 31..=34 {
        all.push(list_of_unknowns(element, length));
        all.push(unknown_of_length(element, length));
        all.push(Value::list(vec![Value::from(true); length]).unwrap());
        all.push(Value::list(vec![Value::null(Type::Bool); length]).unwrap());
        all.push(Value::list(vec![Value::from("a"); length]).unwrap());
        all.push(Value::list_of(Type::Dynamic, vec![Value::dynamic(); length]).unwrap());
        all.push(Value::list_of(Type::Dynamic, vec![Value::null(Type::Dynamic); length]).unwrap());
        all.push(Value::list_of(ty("list(bool)"), vec![Value::unknown(ty("list(bool)")); length]).unwrap());
        let length = length as u64;
        for range in [LengthRange::at_least(length), LengthRange::at_most(length)] {
            all.push(Value::refined(ty("list(bool)"), Refinement::length(range).and_not_null()).unwrap());
            all.push(Value::refined(ty("list(any)"), Refinement::length(range)).unwrap());
        }
        all.push(Value::from(length));
        for range in
            [NumberRange::at_least(length), NumberRange::at_most(length), NumberRange::above(length).unwrap()]
        {
            all.push(Value::refined(Type::Number, Refinement::number(range)).unwrap());
        }
    }
    all.push(Value::from("32.5".parse::<Number>().unwrap()));
    all.push(Value::from("-1".parse::<Number>().unwrap()));
    all
}

#[test]
fn the_refinement_answers_exactly_as_the_list_would() {
    let say = |answer: plantime::Result<Value>| match answer {
        Ok(value) => Ok(Abs::of(&value)),
        Err(error) => {
            Err((error.is_type_mismatch(), error.is_null(), error.is_not_found(), error.is_contradiction()))
        }
    };
    for element in ["bool", "any", "list(any)"].map(ty) {
        for length in [32, 33] {
            let (refined, list) = (unknown_of_length(&element, length), list_of_unknowns(&element, length));
            for op in &UNARY {
                assert_eq!(say((op.library)(&refined)), say((op.library)(&list)), "{}", op.name);
            }
            for other in others(&element) {
                for op in &BINARY {
                    let what = || format!("{} of {length} with {other:?}", op.name);
                    assert_eq!(
                        say((op.library)(&refined, &other)),
                        say((op.library)(&list, &other)),
                        "{}",
                        what()
                    );
                    assert_eq!(
                        say((op.library)(&other, &refined)),
                        say((op.library)(&other, &list)),
                        "{}",
                        what()
                    );
                }
                assert_eq!(refined.range().includes(&other), list.range().includes(&other), "{other:?}");
                assert_eq!(other.range().includes(&refined), other.range().includes(&list), "{other:?}");
                assert_eq!(
                    refined.assume_equal(&other).is_ok(),
                    list.assume_equal(&other).is_ok(),
                    "{other:?}"
                );
            }
            for min in 31..=34 {
                for max in min..=34 {
                    let found = refined.assume_list_length(min, max);
                    assert_eq!(found.is_ok(), list.assume_list_length(min, max).is_ok());
                    assert!(found.is_err() || found.is_ok_and(|found| found == refined));
                }
            }
        }
    }
}
