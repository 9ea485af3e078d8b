//! The algebra of sets.

use plantime::{LengthRange, Refinement, Result, Type, Value, limits};

use super::{on_small_stack, wrap_tuple};

/// Known sets in linear time; members that are not decided are held against others only where that is in proportion.
#[test]
fn the_algebra_of_large_sets_stays_in_proportion() {
    let numbers = |from: u32| (from..from + 100_000).map(Value::from);
    let a = Value::set(numbers(0)).unwrap();
    let b = Value::set(numbers(50_000)).unwrap();
    assert_eq!(a.union(&b).unwrap().length().unwrap(), Value::from(150_000));
    assert_eq!(a.intersection(&b).unwrap().length().unwrap(), Value::from(50_000));
    assert_eq!(a.difference(&b).unwrap().length().unwrap(), Value::from(50_000));
    assert_eq!(a.symmetric_difference(&b).unwrap().length().unwrap(), Value::from(100_000));
    let undecided = vec![Value::unknown(Type::Number); 20_000];
    let c = Value::set(numbers(0).chain(undecided)).unwrap();
    type Two = fn(&Value, &Value) -> Result<Value>;
    let operations: [Two; 4] =
        [Value::union, Value::intersection, Value::difference, Value::symmetric_difference];
    for operation in operations {
        assert!(operation(&a, &c).unwrap().range().is_not_null());
        assert!(operation(&c, &b).unwrap().range().is_not_null());
        assert!(operation(&c, &c).unwrap().range().is_not_null());
    }
    // As deep as members can be.
    let deep = Value::tuple([deepest_member(&Value::unknown(Type::String))]).unwrap();
    let deep = Value::set([deep.clone(), deep]).unwrap();
    on_small_stack(move || {
        for operation in operations {
            assert!(operation(&deep, &deep).unwrap().range().is_not_null());
        }
    });
}

/// Two levels below the deepest.
fn deepest_member(core: &Value) -> Value {
    (2..limits::DEPTH).fold(core.clone(), |value, _| wrap_tuple(value).unwrap())
}

/// A set that has room for fewer members than are in it: whether one of many becomes a value is told at once.
#[test]
fn membership_of_large_sets_with_little_room_stays_in_proportion() {
    let start =
        |i: u32| Value::refined(Type::String, Refinement::prefix(&"a".repeat(i as usize)).and_not_null());
    let members = (1..200).map(|i| start(i).unwrap());
    let set = Value::set(members).unwrap().assume(&Refinement::length(LengthRange::at_most(3))).unwrap();
    assert!(!set.has_element(&Value::from("a".repeat(300).as_str())).unwrap().is_known());
    assert_eq!(set.has_element(&Value::from("b")).unwrap(), Value::from(false));
}
