//! Domains, and what a value may become.

use plantime::testing::{Domain, may_become};
use plantime::{Knownness, LengthRange, Refinement, Type, Value};

#[test]
fn a_value_may_become_what_it_says() {
    let text = |refinement: Refinement| Value::refined(Type::String, refinement).unwrap();
    let prefix = text(Refinement::prefix("vpc-").and_not_null());
    let list = |items: Vec<Value>| Value::list_of(Type::Number, items).unwrap();
    let number = Value::unknown(Type::Number);
    let null = Value::null(Type::String);
    let set = Value::set([Value::from(1), number.clone()]).unwrap();
    let cases = [
        (prefix.clone(), Value::from("vpc-1"), true),
        (prefix.clone(), Value::from("subnet-1"), false),
        (prefix.clone(), null.clone(), false),
        (text(Refinement::prefix("vpc-")), null, true),
        (prefix.clone().mark(plantime::Mark::SENSITIVE), Value::from("vpc-1"), true),
        (number.clone(), "0.1".parse::<plantime::Number>().unwrap().into(), true),
        (Value::from(1), Value::from(1), true),
        (Value::from(1), Value::from(2), false),
        (list(vec![number.clone()]), list(vec![7.into()]), true),
        (list(vec![number.clone()]), list(vec![]), false),
        (set.clone(), Value::set([1]).unwrap(), true),
        (set.clone(), Value::set([1, 2]).unwrap(), true),
        (set, Value::set([2]).unwrap(), false),
        (Value::dynamic(), Value::from("x"), true),
        (Value::dynamic(), number.clone(), false),
    ];
    for (value, concrete, wanted) in cases {
        assert_eq!(may_become(&value, &concrete), wanted, "{value:?} and {concrete:?}");
    }
}

#[test]
fn each_domain_has_the_five_levels_and_only_what_can_become_something() {
    for (name, domain) in [
        ("scalars", Domain::scalars()),
        ("small", Domain::small()),
        ("medium", Domain::medium()),
        ("nested", Domain::nested()),
        ("around", Domain::around([Value::list(["a-1", "b"]).unwrap()])),
    ] {
        println!(
            "{name:8} {:4} abstract and {:4} concrete values",
            domain.abstracts().len(),
            domain.concretes().len()
        );
        for level in [Knownness::Dynamic, Knownness::Unknown, Knownness::Known] {
            assert!(domain.abstracts().any(|value| value.knownness() == level), "{name} {level:?}");
        }
        assert!(domain.concretes().all(Value::is_wholly_known), "{name}");
        for value in domain.abstracts() {
            assert!(domain.concretisations(value).next().is_some(), "{name}: {value:?}");
        }
        assert_eq!(domain.concretisations(&Value::dynamic()).count(), domain.concretes().len());
    }
}

#[test]
fn a_domain_of_a_type_has_little_else() {
    let numbers = Domain::small().of(&Type::Number);
    let others = numbers.abstracts().filter(|value| !matches!(value.ty(), Type::Number | Type::Dynamic));
    assert!(others.count() < 5);
    assert!(numbers.abstracts().len() > 50);
    assert!(numbers.abstracts().any(|value| *value == Value::dynamic()));
}

#[test]
fn values_of_ones_own_are_weakened_step_by_step() {
    let list = Value::list(["vpc-1", "b"]).unwrap();
    let domain = Domain::around([list.clone()]);
    let ty = list.ty();
    let refined = |refinement: Refinement| Value::refined(ty.clone(), refinement.and_not_null()).unwrap();
    let prefix = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null()).unwrap();
    for wanted in [
        list,
        Value::unknown(ty.clone()),
        Value::null(ty.clone()),
        refined(Refinement::length(LengthRange::at_least(2))),
        Value::list([prefix, Value::from("b")]).unwrap(),
        Value::list([Value::from("vpc-1"), Value::unknown(Type::String)]).unwrap(),
    ] {
        assert!(domain.abstracts().any(|value| *value == wanted), "{wanted:?}");
    }
    let more = Domain::small().with([7]);
    assert!(more.concretes().any(|value| *value == Value::from(7)));
    assert!(more.abstracts().len() > Domain::small().abstracts().len());
}
