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

/// Types of two kinds, where one of those given is the answer, or none is.
#[test]
fn unification_of_many_types_of_several_kinds_is_in_proportion() {
    let ty = |text: &str| text.parse::<Type>().unwrap();
    let set = |i: usize| {
        let attributes = [(format!("a{i}"), Type::Bool), ("common".to_owned(), Type::Number)];
        Type::set(Type::object(attributes).unwrap()).unwrap()
    };
    let mut types: Vec<Type> = (0..50_000).map(set).chain([ty("tuple([])")]).collect();
    for safety in [Safety::Safe, Safety::Unsafe] {
        assert_eq!(unify(&types, safety), None);
    }
    types.push(ty("set(object({common = number}))"));
    for safety in [Safety::Safe, Safety::Unsafe] {
        assert_eq!(unify(&types, safety), types.last().cloned());
    }

    // Each is ruled out by one of the others only: a bool is no number.
    let row = |at: usize, part: Type| {
        let parts = (0..300).map(|i| if i == at { part.clone() } else { Type::String });
        Type::set(Type::tuple(parts).unwrap()).unwrap()
    };
    let rows = (0..300).flat_map(|i| [row(i, Type::Bool), row(i, Type::Number)]);
    let mut types: Vec<Type> = rows.chain([ty("tuple([])")]).collect();
    assert_eq!(unify(&types, Safety::Unsafe), None);
    types.push(row(0, Type::String));
    assert_eq!(unify(&types, Safety::Unsafe), types.last().cloned());
    types.push(Type::Dynamic);
    assert_eq!(unify(&types, Safety::Safe), Some(Type::Dynamic));
}

/// Each level has two ways down to the next one. Were both gone, these would take longer than anyone waits.
#[test]
fn unification_that_fails_at_the_deepest_level_fails_once() {
    type Wrap = fn(Type) -> Type;
    let wraps: [(&str, Wrap); 3] = [
        ("list(dynamic)", |inner| Type::tuple(["list(dynamic)".parse().unwrap(), inner]).unwrap()),
        ("set(dynamic)", |inner| Type::tuple(["set(dynamic)".parse().unwrap(), inner]).unwrap()),
        ("map(dynamic)", |inner| {
            Type::object([("a", "map(dynamic)".parse().unwrap()), ("b", inner)]).unwrap()
        }),
    ];
    for (collection, wrap) in wraps {
        on_small_stack(move || {
            let collection: Type = collection.parse().unwrap();
            let mut deep = wrap(Type::tuple([Type::Bool, Type::Number]).unwrap());
            while deep.depth() < limits::DEPTH {
                deep = wrap(deep);
            }
            let wider = wrap(Type::tuple([Type::Bool, Type::Number, Type::Bool]).unwrap());
            for safety in [Safety::Safe, Safety::Unsafe] {
                let _ = unify(&[collection.clone(), deep.clone()], safety);
                let _ = unify(&[deep.clone(), wider.clone(), collection.clone()], safety);
            }
            let _ = conversion(&deep, &collection.into());
        });
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
