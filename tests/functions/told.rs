//! Law L5 for errors of calls: of two contents of one type behind a mark, known ones or not, the errors are the same, with
//! their places and kinds. Arguments are tried that a call converts, and such as no call takes.

use std::collections::{BTreeMap, BTreeSet};

use plantime::function::{Function, Functions};
use plantime::{Error, Mark, Number, Refinement, Result, Type, Value};

/// The most combinations of other arguments that are tried with one that is marked.
const OTHERS: usize = 6;

fn secret(value: &Value) -> Value {
    value.clone().mark(Mark::SENSITIVE)
}

fn refined(ty: Type, refinement: Refinement) -> Value {
    Value::refined(ty, refinement.and_not_null()).unwrap()
}

fn texts() -> Vec<Value> {
    let known = [
        "a",
        "",
        "7",
        "0",
        "-1",
        "1.5",
        "true",
        "[1]",
        "{\"a\":1}",
        "%d",
        "(",
        "/a/",
        "10.0.0.0/8",
        "1.2.3",
        "2020-01-01T00:00:00Z",
    ];
    let start = refined(Type::String, Refinement::prefix("tr"));
    known.into_iter().map(Value::from).chain([Value::unknown(Type::String), start]).collect()
}

fn numbers() -> Vec<Value> {
    let known = [0, 1, 2, -1, 9].into_iter().map(Value::from);
    let more = [Number::INFINITY, Number::NEG_INFINITY, "2.5".parse().unwrap(), "1e30".parse().unwrap()];
    let unknown = [Value::unknown(Type::Number), refined(Type::Number, Refinement::number_at_least(3))];
    known.chain(more.into_iter().map(Value::from)).chain(unknown).collect()
}

fn bools() -> Vec<Value> {
    vec![true.into(), false.into(), Value::unknown(Type::Bool)]
}

/// Contents that differ and have one type.
fn contents() -> Vec<Vec<Value>> {
    let text = |text: &str| Value::from(text);
    let rows = [vec![], vec!["a"], vec!["7"], vec!["true", "x"], vec!["x", "true"], vec!["1", "2", "3"]];
    let collections = |build: &dyn Fn(Vec<Value>) -> Value| {
        let mut all: Vec<Value> =
            rows.iter().map(|row| build(row.iter().map(|item| text(item)).collect())).collect();
        all.push(build(vec![Value::unknown(Type::String)]));
        all.push(Value::unknown(all[0].ty()));
        all
    };
    let pairs: [(Value, Value); 4] = [
        (text("a"), text("b")),
        (text("true"), text("x")),
        (text("1"), text("2")),
        (Value::unknown(Type::String), text("x")),
    ];
    vec![
        texts(),
        numbers(),
        bools(),
        collections(&|items| Value::list_of(Type::String, items).unwrap()),
        collections(&|items| Value::set_of(Type::String, items).unwrap()),
        collections(&|items| {
            let keyed = items.into_iter().enumerate().map(|(i, item)| (format!("k{i}"), item));
            Value::map_of(Type::String, keyed).unwrap()
        }),
        pairs.iter().map(|(a, b)| Value::tuple([a, b]).unwrap()).collect(),
        pairs.iter().map(|(a, b)| Value::object([("a", a), ("b", b)]).unwrap()).collect(),
    ]
}

/// Values that are marked as a whole or inside, in groups of values that look alike.
fn alike() -> Vec<Vec<Value>> {
    let mut all: Vec<Vec<Value>> =
        contents().iter().map(|group| group.iter().map(secret).collect()).collect();
    for (group, beside) in [(texts(), Value::from("x")), (numbers(), Value::from(-1))] {
        for other in [beside.clone(), secret(&beside)] {
            let pair = |build: &dyn Fn(Value, Value) -> Result<Value>| {
                group.iter().map(|item| build(secret(item), other.clone()).unwrap()).collect::<Vec<Value>>()
            };
            all.push(pair(&|a, b| Value::list([a, b])));
            all.push(pair(&|a, b| Value::list([b, a])));
            all.push(pair(&|a, b| Value::tuple([a, b])));
            all.push(pair(&|a, b| Value::map([("a", a), ("b", b)])));
            all.push(pair(&|a, b| Value::object([("a", a), ("b", b)])));
            all.push(pair(&|a, b| Value::list([Value::list([a])?, Value::list([b])?])));
        }
    }
    all
}

/// Values for the arguments beside the marked one, of the type of the parameter where that says one.
fn beside(ty: &Type) -> Vec<Value> {
    match ty {
        Type::String => ["a", "%d", "("].map(Value::from).into(),
        Type::Number => [0.into(), 2.into(), (-1).into(), Value::from(Number::INFINITY)].into(),
        Type::Bool => vec![true.into()],
        Type::List(_) => vec![Value::list(["a", "1"]).unwrap(), Value::list([2]).unwrap()],
        Type::Set(_) => vec![Value::set(["a"]).unwrap()],
        Type::Map(_) => vec![Value::map([("a", "1")]).unwrap()],
        Type::Dynamic => vec![
            Value::list(["a", "x"]).unwrap(),
            Value::map([("a", "b")]).unwrap(),
            0.into(),
            "a".into(),
            true.into(),
        ],
        _ => vec![Value::list(["a"]).unwrap(), "any".into()],
    }
}

/// The arguments of calls, without the one at this index.
fn others(types: &[Type], marked: usize) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for (at, ty) in types.iter().enumerate() {
        let choices = if at == marked { vec![Value::from("in place of the marked one")] } else { beside(ty) };
        all = all
            .into_iter()
            .flat_map(|one: Vec<Value>| {
                choices.iter().map(move |next| one.iter().cloned().chain([next.clone()]).collect())
            })
            .collect();
    }
    let every = all.len().div_ceil(OTHERS);
    all.into_iter().step_by(every).collect()
}

/// All that an error tells.
fn told(error: &Error) -> String {
    let kinds = [
        error.is_limit(),
        error.is_type_mismatch(),
        error.is_not_found(),
        error.is_undefined(),
        error.is_contradiction(),
    ];
    format!("{error} [{:?} {:?} {kinds:?}]", error.argument(), error.path())
}

fn signatures(function: &Function) -> Vec<Vec<Type>> {
    let fixed: Vec<Type> = function.parameters().iter().map(|parameter| parameter.ty().clone()).collect();
    let more = |count| [&fixed[..], &vec![function.variadic().unwrap().ty().clone(); count]].concat();
    if function.variadic().is_some() { vec![more(1), more(2)] } else { vec![fixed] }
}

/// A way to call a function.
type Call = fn(&Function, &[Value]) -> Result<Value>;

/// Adds the errors of a function that tell contents apart, one for each kind.
fn look_at(function: &Function, alike: &[Vec<Value>], wrong: &mut BTreeMap<String, String>) -> usize {
    let mut calls = 0;
    let ways: [(&str, Call); 2] = [("call", Function::call), ("call_converting", Function::call_converting)];
    for types in signatures(function) {
        for marked in 0..types.len() {
            let bare = others(&types, marked);
            let all_marked = bare
                .iter()
                .filter(|others| others.len() > 1)
                .map(|others| others.iter().map(secret).collect());
            let all_marked: Vec<Vec<Value>> = all_marked.collect();
            for mut arguments in bare.into_iter().chain(all_marked) {
                for group in alike {
                    for (way, call) in ways {
                        let mut seen: BTreeMap<String, &Value> = BTreeMap::new();
                        for value in group {
                            arguments[marked] = value.clone();
                            calls += 1;
                            if let Err(error) = call(function, &arguments) {
                                seen.entry(told(&error)).or_insert(value);
                            }
                        }
                        if seen.len() > 1 {
                            let bare = |value: &Value| format!("{:?}", value.unmark_deep().0);
                            let errors: Vec<String> = seen
                                .iter()
                                .take(3)
                                .map(|(told, value)| format!("  {}: {told}", bare(value)))
                                .collect();
                            let kind =
                                format!("{} {way}, argument {marked} of {}", function.name(), types.len());
                            wrong
                                .entry(kind)
                                .or_insert_with(|| format!("beside {arguments:?}\n{}", errors.join("\n")));
                        }
                    }
                }
            }
        }
    }
    calls
}

#[test]
fn an_error_does_not_tell_what_is_marked() {
    let alike = alike();
    let (mut calls, mut tried, mut wrong) = (0, BTreeSet::new(), BTreeMap::new());
    for functions in [Functions::standard(), Functions::rules(), Functions::cty()] {
        // Its answer is about marks.
        for function in functions.iter().filter(|function| function.name() != "issensitive") {
            let parameters: Vec<&str> =
                function.parameters().iter().map(|parameter| parameter.name()).collect();
            if tried.insert((function.name(), parameters, function.description())) {
                calls += look_at(function, &alike, &mut wrong);
            }
        }
    }
    println!("{calls} calls of {} functions", tried.len());
    let shown: Vec<String> = wrong.iter().map(|(kind, example)| format!("{kind}: {example}")).collect();
    assert!(wrong.is_empty(), "{} kinds of errors tell what is marked:\n{}", wrong.len(), shown.join("\n"));
}
