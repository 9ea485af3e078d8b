//! Conversion and unification at the limits.

use plantime::{
    AttributeConstraint, Result, Safety, Type, TypeConstraint, Value, conversion, convert, limits,
    mismatch_message, unify,
};

use super::{WRAPS, cores, deepest, on_small_stack};

/// The deepest constraints: all levels of one kind around `any`, and one with an optional attribute at each level.
fn deepest_constraints() -> Vec<TypeConstraint> {
    let levels = |wrap: fn(TypeConstraint) -> Result<TypeConstraint>| {
        (0..limits::DEPTH).fold(TypeConstraint::ANY, |inner, _| wrap(inner).unwrap())
    };
    vec![
        levels(TypeConstraint::list),
        levels(TypeConstraint::set),
        levels(TypeConstraint::map),
        levels(|inner| TypeConstraint::tuple([inner])),
        levels(|inner| TypeConstraint::object([("a", AttributeConstraint::required(inner))])),
        levels(|inner| TypeConstraint::object([("a", AttributeConstraint::optional(inner))])),
        levels(|inner| TypeConstraint::object([("b", AttributeConstraint::optional(inner))])),
    ]
}

#[test]
fn the_deepest_conversions_fit_a_small_stack() {
    let mut cores = cores();
    cores.push(Value::dynamic());
    for wrap in WRAPS {
        for core in &cores {
            let core = core.clone();
            on_small_stack(move || {
                let value = deepest(&core, wrap);
                for to in deepest_constraints() {
                    // Whether it converts is not the question.
                    if let Ok(converted) = convert(&value, &to) {
                        assert!(convert(&converted, &to).is_ok());
                    }
                    let _ = convert(&Value::unknown(value.ty()), &to);
                    let _ = (conversion(&value.ty(), &to), mismatch_message(&value.ty(), &to).len());
                    let _ = unify(&[value.ty(), to.to_type()], Safety::Unsafe);
                }
            });
        }
    }
    for to in deepest_constraints() {
        on_small_stack(move || {
            assert!(convert(&Value::dynamic(), &to).is_ok());
            assert!(convert(&Value::null(Type::Dynamic), &to).unwrap().is_null());
        });
    }
}

/// Each type once and its parts once: ten times as many types take ten times as long, and these take moments.
#[test]
fn unification_of_a_hundred_thousand_types_is_linear() {
    let many = |of: &dyn Fn(usize) -> Type| (0..100_000).map(of).collect::<Vec<Type>>();
    let object = |name: String, ty: Type| Type::object([(name, ty)]).unwrap();
    let distinct = many(&|i| object(format!("a{i}"), Type::Number));
    let same_names = many(&|i| object("a".to_owned(), if i % 2 == 0 { Type::Number } else { Type::String }));
    let lists = many(&|i| Type::list(object(format!("a{i}"), Type::Bool)).unwrap());
    let tuples = many(&|i| Type::tuple(vec![Type::Bool; i % 7]).unwrap());
    let mixed = many(&|i| {
        let inner = object(format!("a{i}"), Type::Bool);
        if i % 2 == 0 { Type::set(inner).unwrap() } else { Type::map(inner).unwrap() }
    });
    for safety in [Safety::Safe, Safety::Unsafe] {
        assert_eq!(unify(&distinct, safety), Some(Type::map(Type::Number).unwrap()));
        assert_eq!(unify(&same_names, safety), Some(object("a".to_owned(), Type::String)));
        let map = Type::map(Type::Bool).unwrap();
        assert_eq!(unify(&lists, safety), Some(Type::list(map).unwrap()));
        assert_eq!(unify(&tuples, safety), Some(Type::list(Type::Bool).unwrap()));
        assert_eq!(unify(&mixed, safety), None);
    }
}

#[test]
fn many_unknowns_of_one_large_type_cost_what_one_costs() {
    let wide =
        |attribute: Type| Type::object((0..20_000).map(|i| (format!("a{i}"), attribute.clone()))).unwrap();
    let (numbers, strings) = (wide(Type::Number), TypeConstraint::list(wide(Type::String)).unwrap());
    for part in [Value::unknown(numbers.clone()), Value::null(numbers)] {
        // Where each cost what one costs, these would take minutes.
        let list = Value::list(vec![part; 20_000]).unwrap();
        assert_eq!(convert(&list, &strings).unwrap().ty(), strings.to_type());
    }
}
