//! The laws of the common type: every pair and every triple of many types, in every order.

use std::collections::BTreeSet;

use plantime::{Capsule, Result, Safety, Type, Value, conversion, convert, unify};
use rayon::prelude::*;

use super::unify_reference::{converts, unified};

/// Becomes a number, and is made of numbers and texts.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Code(u64);

impl Capsule for Code {
    const NAME: &'static str = "code";

    fn conversion_to(ty: &Type) -> Option<fn(&Code, &Type) -> Result<Value>> {
        matches!(ty, Type::Number).then_some(|code, _| Ok(Value::from(code.0)))
    }

    fn conversion_from(ty: &Type) -> Option<fn(&Value) -> Result<Code>> {
        matches!(ty, Type::Number | Type::String).then_some(|_| Ok(Code(1)))
    }
}

const TYPES: [&str; 46] = [
    "dynamic",
    "bool",
    "number",
    "string",
    "list(dynamic)",
    "list(bool)",
    "list(number)",
    "list(string)",
    "list(list(dynamic))",
    "list(set(number))",
    "list(tuple([]))",
    "list(object({a = bool}))",
    "list(map(number))",
    "set(dynamic)",
    "set(bool)",
    "set(string)",
    "set(list(string))",
    "set(object({a = bool, b = string}))",
    "set(object({a = string, b = bool}))",
    "map(dynamic)",
    "map(bool)",
    "map(string)",
    "map(list(bool))",
    "map(map(string))",
    "map(object({}))",
    "map(object({a = bool}))",
    "map(object({a = bool, b = string}))",
    "map(object({a = string, b = bool}))",
    "tuple([])",
    "tuple([dynamic])",
    "tuple([bool])",
    "tuple([string])",
    "tuple([bool, string])",
    "tuple([dynamic, string])",
    "tuple([dynamic, list(string)])",
    "tuple([object({a = bool}), object({a = string})])",
    "object({})",
    "object({a = dynamic})",
    "object({a = bool})",
    "object({a = string})",
    "object({b = number})",
    "object({a = bool, b = string})",
    "object({a = string, b = bool})",
    "object({a = string, b = dynamic})",
    "object({a = list(bool)})",
    "object({a = bool, b = list(bool)})",
];

fn types() -> Vec<Type> {
    let codes = [Type::capsule::<Code>(), Type::list(Type::capsule::<Code>()).unwrap()];
    TYPES.iter().map(|text| text.parse().unwrap()).chain(codes).collect()
}

const MODES: [Safety; 2] = [Safety::Safe, Safety::Unsafe];

/// A value of the type that has whatever can be asked of one: attributes `a` and `b`, texts that are numbers and bools.
fn witness(ty: &Type) -> Value {
    let (each, none) = (|ty: &Type| witness(ty), Vec::<Value>::new());
    match ty {
        Type::Dynamic => Value::null(Type::Dynamic),
        Type::Bool => true.into(),
        Type::Number => 1.into(),
        Type::String => "1".into(),
        // Collections of undecided elements are known where they are empty or null; an empty map lacks attributes.
        Type::List(list) if list.element().has_dynamic() => {
            Value::list_of(list.element().clone(), none).unwrap()
        }
        Type::Set(set) if set.element().has_dynamic() => Value::set_of(set.element().clone(), none).unwrap(),
        Type::Map(map) if map.element().has_dynamic() => Value::null(ty.clone()),
        Type::List(list) => Value::list([each(list.element())]).unwrap(),
        Type::Set(set) => Value::set([each(set.element())]).unwrap(),
        Type::Map(map) => Value::map(["a", "b"].map(|key| (key, each(map.element())))).unwrap(),
        Type::Tuple(tuple) => Value::tuple(tuple.iter().map(each)).unwrap(),
        Type::Object(object) => Value::object(object.iter().map(|(name, ty)| (name, each(ty)))).unwrap(),
        Type::Capsule(_) => Value::capsule(Code(1)),
    }
}

fn text(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(" | ")
}

/// All orders of some types.
fn orders(types: &[Type]) -> Vec<Vec<Type>> {
    if types.len() < 2 {
        return vec![types.to_vec()];
    }
    let mut all = Vec::new();
    for i in 0..types.len() {
        let mut rest = types.to_vec();
        let first = rest.remove(i);
        for mut order in orders(&rest) {
            order.insert(0, first.clone());
            all.push(order);
        }
    }
    all
}

/// What is wrong about one choice of types; and what cty leaves open: where its answer is another one in another order, or
/// there is a safe one only, what is dynamic having been taken for one of the others.
fn laws(types: &[Type]) -> (Vec<String>, Vec<String>) {
    let (mut wrong, mut open) = (Vec::new(), Vec::new());
    let mut both = [None, None];
    let orders = orders(types);
    for (safety, answer) in MODES.into_iter().zip(&mut both) {
        let common = unify(types, safety);
        let mut say = |what: &str| {
            let common = common.as_ref().map_or("none".to_owned(), Type::to_string);
            wrong.push(format!("{what} ({safety:?}): {}: {common}", text(types)));
        };
        if orders.iter().any(|order| unify(order, safety) != common) {
            say("depends on the order");
        }
        let repeated = [types, types, &types[..1]].concat();
        if unify(&repeated, safety) != common {
            say("depends on how often each is given");
        }
        let reference: BTreeSet<Option<Type>> = orders.iter().map(|order| unified(order, safety)).collect();
        if !reference.contains(&common) {
            say(&format!("is none of the reference's {reference:?}"));
        }
        if reference.len() > 1 {
            open.push(format!("{safety:?}: {}: {reference:?}", text(types)));
        }
        if let Some(common) = &common {
            if types.iter().all(|ty| *ty == types[0]) && *common != types[0] {
                say("is not the type that all are");
            }
            if !types.iter().all(|ty| converts(ty, common, safety)) {
                say("is none that all convert to");
            }
            let with_common = [types, std::slice::from_ref(common)].concat();
            if unify(&with_common, safety).as_ref() != Some(common) {
                say(&format!("is not the common type with itself, {:?}", unify(&with_common, safety)));
            }
            if !common.has_dynamic() {
                for ty in types {
                    match convert(&witness(ty), &common.into()) {
                        Ok(value) if value.ty() == *common => {}
                        other => say(&format!("{:?} becomes {other:?}", witness(ty))),
                    }
                }
            }
        }
        *answer = common;
    }
    if let [Some(safe), None] = &both {
        if safe.has_dynamic() {
            open.push(format!("Safe only: {}: {safe}", text(types)));
        } else {
            wrong.push(format!("safely {safe}, unsafely none: {}", text(types)));
        }
    }
    (wrong, open)
}

fn all_laws(choices: &[Vec<Type>]) -> Vec<String> {
    let found: Vec<(Vec<String>, Vec<String>)> = choices.par_iter().map(|types| laws(types)).collect();
    let wrong: Vec<String> = found.iter().flat_map(|(wrong, _)| wrong.clone()).collect();
    for line in wrong.iter().take(60) {
        println!("{line}");
    }
    assert!(wrong.is_empty(), "{} violations", wrong.len());
    found.into_iter().flat_map(|(_, open)| open).collect()
}

#[test]
fn the_common_type_of_every_pair() {
    let types = types();
    let mut choices: Vec<Vec<Type>> = vec![Vec::new()];
    for (i, a) in types.iter().enumerate() {
        choices.push(vec![a.clone()]);
        choices.extend(types[i..].iter().map(|b| vec![a.clone(), b.clone()]));
    }
    choices.remove(0);
    let open = all_laws(&choices);
    println!("unify: {} choices of one or two of {} types", choices.len(), types.len());
    assert_eq!(open, Vec::<String>::new());
}

#[test]
fn the_common_type_of_every_triple() {
    let types = types();
    let mut choices = Vec::new();
    for (i, a) in types.iter().enumerate() {
        for (j, b) in types.iter().enumerate().skip(i) {
            choices.extend(types[j..].iter().map(|c| vec![a.clone(), b.clone(), c.clone()]));
        }
    }
    let open = all_laws(&choices);
    println!("unify: {} choices of three of {} types", choices.len(), types.len());
    let (safe_only, by_order): (Vec<String>, Vec<String>) =
        open.into_iter().partition(|line| line.starts_with("Safe only"));
    for line in safe_only.iter().chain(&by_order) {
        println!("{line}");
    }
    let by_order: Vec<&str> = by_order.iter().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(
        by_order,
        [
            "set(object({a = bool, b = string})) | set(object({a = string, b = bool})) | tuple([])",
            "set(object({a = bool, b = string})) | set(object({a = string, b = bool})) | tuple([dynamic])",
            "map(dynamic) | object({a = string, b = dynamic}) | object({a = bool, b = list(bool)})",
        ]
    );
}

/// One in [`STRIDE`] of all choices of four types.
const STRIDE: usize = 11;

#[test]
fn the_common_type_of_some_choices_of_four() {
    let types = types();
    let all = types.len().pow(4);
    let choices: Vec<Vec<Type>> = (0..all)
        .step_by(STRIDE)
        .map(|i| (0..4).map(|place| i / types.len().pow(place) % types.len()).collect::<Vec<_>>())
        .filter(|places| places.is_sorted())
        .map(|places| places.into_iter().map(|place| types[place].clone()).collect())
        .collect();
    let open = all_laws(&choices);
    println!(
        "unify: {} choices of four of {} types, {} left open by cty",
        choices.len(),
        types.len(),
        open.len()
    );
}

#[test]
fn no_types_have_no_common_type() {
    assert_eq!(MODES.map(|safety| unify(&[], safety)), [None, None]);
}

/// Where more than one of the types would do, cty takes the first.
#[test]
fn of_several_types_that_would_do_the_same_one_is_taken_in_every_order() {
    let cases = [
        (
            "set(object({a = string, b = bool}))",
            ["set(object({a = string, b = bool}))", "set(object({a = bool, b = string}))", "tuple([])"],
        ),
        ("set(bool)", ["set(dynamic)", "set(bool)", "tuple([])"]),
        ("map(object({}))", ["map(object({}))", "object({})", "map(object({a = bool, b = list(bool)}))"]),
        (
            "object({a = number})",
            ["map(string)", "object({a = number})", "object({a = number, b = list(bool)})"],
        ),
    ];
    for (want, types) in cases {
        let types = types.map(|text| text.parse::<Type>().unwrap());
        for order in orders(&types) {
            assert_eq!(unify(&order, Safety::Unsafe).unwrap().to_string(), want, "{}", text(&order));
        }
    }
    let digits = [Type::capsule::<Code>(), Type::Number];
    for order in orders(&digits) {
        assert_eq!(unify(&order, Safety::Unsafe), Some(Type::Number));
        assert_eq!(conversion(&order[0], &(&order[1]).into()), Some(Safety::Unsafe));
    }
}
