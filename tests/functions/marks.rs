//! Single cases of marks in arguments of functions. The tests of the laws try law L5 on all functions.

use plantime::function::{Function, Functions, MarkHandling, Parameter};
use plantime::testing::flow::{Seen, behind_mark, contents, distinguishable};
use plantime::{Error, Mark, Path, Result, Type, Value, json};

fn call(name: &str, arguments: &[Value]) -> Result<Value> {
    Functions::standard().call(name, arguments)
}

fn secret() -> Value {
    Value::from("hunter2").mark(Mark::SENSITIVE)
}

fn unknown(ty: &str) -> Value {
    Value::unknown(ty.parse().unwrap())
}

#[test]
fn a_product_with_a_set_carries_the_marks_of_what_becomes_a_set() {
    let set = Value::set(["a"]).unwrap();
    let list = Value::list([secret(), "x".into()]).unwrap();
    let tuple = Value::tuple([secret(), "x".into()]).unwrap();
    let planned = Value::list([Value::unknown(Type::String).mark(Mark::SENSITIVE)]).unwrap();
    for arguments in [
        [list.clone(), set.clone()],
        [set.clone(), list.clone()],
        [tuple, set.clone()],
        [planned, set.clone()],
        [list.clone(), unknown("set(string)")],
        [list.clone(), Value::set_of(Type::String, Vec::<Value>::new()).unwrap()],
    ] {
        let product = call("setproduct", &arguments).unwrap();
        assert!(product.marks().contains(&Mark::SENSITIVE), "{product:?}");
        assert!(json::to_vec(&product).is_err());
    }
    // If all arguments are lists, each combination shows which of its elements is marked.
    let product = call("setproduct", &[list, Value::list(["a"]).unwrap()]).unwrap();
    assert_eq!(product.to_string(), r#"[[(sensitive value), "a"], ["x", "a"]]"#);
}

#[test]
fn a_mark_on_a_part_is_on_a_result_that_is_not_known() {
    let list = || Value::list([secret()]).unwrap();
    let map = || Value::map([("a", secret())]).unwrap();
    for (name, arguments) in [
        ("concat", vec![list(), unknown("list(string)")]),
        ("merge", vec![map(), unknown("map(string)")]),
        ("slice", vec![Value::list([secret(), secret()]).unwrap(), 0.into(), unknown("number")]),
        ("zipmap", vec![unknown("list(string)"), list()]),
        ("chunklist", vec![list(), unknown("number")]),
        ("setproduct", vec![list(), unknown("list(string)")]),
        ("flatten", vec![Value::tuple([secret(), unknown("list(string)")]).unwrap()]),
        ("distinct", vec![Value::list([secret(), Value::unknown(Type::String)]).unwrap()]),
        ("coalescelist", vec![unknown("list(string)"), list()]),
        ("element", vec![Value::list([secret(), "a".into()]).unwrap(), unknown("number")]),
        ("lookup", vec![map(), unknown("string"), "b".into()]),
    ] {
        let result = call(name, &arguments).unwrap();
        assert!(result.has_mark_deep(&Mark::SENSITIVE), "{name}: {result:?}");
    }
    let (m1, m2) = (Mark::new("m1"), Mark::new("m2"));
    let inner = Value::map([("a", Value::from("x").mark(m2.clone()))]).unwrap().mark(m1.clone());
    let merged = call("merge", &[Value::map([("b", "y")]).unwrap(), unknown("map(any)"), inner]).unwrap();
    assert!(merged.marks().contains(&m1) && merged.marks().contains(&m2), "{merged:?}");
}

/// An element that cannot be in the result need not mark it.
#[test]
fn a_mark_on_a_part_that_cannot_be_reached_is_left_out() {
    let parts = Value::list([secret(), "a".into()]).unwrap();
    let found = call("element", &[parts.clone(), 1.into()]).unwrap();
    assert_eq!(found, Value::from("a"));
    assert_eq!(call("length", &[parts]).unwrap(), Value::from(2));
    let map = Value::map([("a", secret()), ("b", "x".into())]).unwrap();
    let start = Value::unknown(Type::String).assume_string_prefix("b").unwrap();
    assert!(!call("lookup", &[map, start, "d".into()]).unwrap().contains_marks());
}

/// A function of a user that copies elements to its result and does not handle marks itself.
#[test]
fn a_function_that_carries_parts_over_need_not_think_of_results_that_are_not_known() {
    let swapped = Function::new("swapped")
        .parameter(Parameter::new("list", "list(any)".parse::<Type>().unwrap()).marks(MarkHandling::Carried))
        .parameter(Parameter::new("order", Type::String))
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
        .transformer(|arguments| Ok(Value::unknown(arguments.ty().clone())))
        .body(|arguments| Ok(arguments.at(0).clone()));
    let list = Value::list([secret()]).unwrap();
    let result = swapped.call(&[list.clone(), Value::unknown(Type::String)]).unwrap();
    assert!(result.marks().contains(&Mark::SENSITIVE));
    let result = swapped.call(&[list.clone(), "up".into()]).unwrap();
    assert_eq!(result, list);
}

#[track_caller]
fn says(answer: Result<Value>, message: &str) {
    assert_eq!(answer.unwrap_err().to_string(), message);
}

#[test]
fn an_error_about_the_kind_of_a_marked_argument_is_told() {
    let marked = |value: Value| value.mark(Mark::SENSITIVE);
    let tuple = || marked(unknown("tuple([string])"));
    says(call("keys", &[tuple()]), "argument 1: must have map or object type");
    says(call("keys", &[marked(Value::tuple(["a"]).unwrap())]), "argument 1: must have map or object type");
    says(call("values", &[tuple()]), "values() requires a map as the first argument");
    says(
        call("length", &[marked(Value::from(1))]),
        &call("length", &[Value::from(1)]).unwrap_err().to_string(),
    );
    let object = marked(unknown("object({hunter2 = string})"));
    says(call("concat", &[object]), "argument 1: all arguments must be lists or tuples; got object");
    // The number of elements is marked content.
    let hidden = "an argument is not fit, and one is marked, so the reason is not shown";
    says(call("one", &[marked(Value::tuple(["a", "b"]).unwrap())]), &format!("argument 1: {hidden}"));
}

#[test]
fn names_that_come_from_marked_content_are_in_no_text() {
    let marked = |text: &str| Value::from(text).mark(Mark::SENSITIVE);
    let map = Value::map([("hunter2", 1)]).unwrap().mark(Mark::SENSITIVE);
    let keys = Value::list([marked("hunter2")]).unwrap();
    for result in [
        call("jsondecode", &[marked(r#"{"hunter2": [1, {"hunter2": 2}]}"#)]),
        call("csvdecode", &[marked("hunter2\n1\n")]),
        call("merge", &[map, Value::object([("a", "b")]).unwrap()]),
        call("zipmap", &[keys, Value::tuple([1]).unwrap()]),
    ] {
        let result = result.unwrap();
        let around = Value::list([result.clone()]).unwrap();
        let planned = Value::tuple([around.clone(), Value::unknown(around.ty())]).unwrap();
        for value in [&result, &around] {
            let text = format!("{value} {value:?} {value:#?} {:?}", value.view());
            assert!(!text.contains("hunter2"), "{text}");
        }
        // The type of an unmarked value may be shown.
        assert!(format!("{planned:?}").contains("hunter2"));
    }
}

/// The answer of `issensitive` depends on marks, so the law that marks change no answer does not hold for it. Still its
/// answer reveals no marked content, and has no other marks.
#[test]
fn issensitive_tells_nothing_of_what_is_marked() {
    for mark in [Mark::SENSITIVE, Mark::EPHEMERAL, Mark::new("m")] {
        for ty in [Type::Bool, Type::String, "object({a = list(string)})".parse().unwrap()] {
            let known: Vec<Value> = contents(&ty).into_iter().filter(Value::is_wholly_known).collect();
            let values = behind_mark(&known[0], &Path::new(), &mark, &known);
            let seen = |value: &Value| {
                let answer = call("issensitive", std::slice::from_ref(value));
                answer.map_or_else(|error: Error| Seen::Error(error.to_string()), |answer| Seen::of(&answer))
            };
            assert!(values.len() > 1 && distinguishable(&values, seen).is_none());
        }
    }
}

#[test]
fn nonsensitive_shows_a_value_and_keeps_all_other_marks() {
    let value = secret().mark(Mark::EPHEMERAL);
    let shown = call("nonsensitive", &[value]).unwrap();
    assert_eq!(shown, Value::from("hunter2").mark(Mark::EPHEMERAL));
    assert_eq!(call("nonsensitive", &[secret()]).unwrap(), Value::from("hunter2"));
}
