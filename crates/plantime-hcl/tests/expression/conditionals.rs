//! The laws of `?:` where a branch is an expression that may fail: which values it may become, whether it may fail, of which type it is,
//! and whose marks it has.
//!
//! Each operand is tried with what it may become, so that an answer is compared with those that it stands for.
use std::collections::BTreeMap;

use plantime::{Mark, Type, Value, value};
use plantime_hcl::{Diagnostics, Expression, Scope};

/// An operand, with values that it may become.
struct Operand {
    value: Value,
    becomes: Vec<Value>,
}

fn unknown(ty: &str, known: &str, becomes: Vec<Value>) -> Operand {
    let known = known.parse().unwrap();
    Operand { value: Value::refined(ty.parse().unwrap(), known).unwrap(), becomes }
}

fn known(value: Value) -> Operand {
    Operand { value: value.clone(), becomes: vec![value] }
}

/// The operands by their names in expressions.
fn operands(name: &str) -> Vec<Operand> {
    let null = || Value::null(Type::String);
    match name {
        // The condition.
        "c" => vec![
            known(Value::from(true)),
            known(Value::from(false)),
            unknown("bool", "notnull()", vec![Value::from(true), Value::from(false)]),
        ],
        // An index of lists of one or two.
        "n" => vec![
            known(Value::from(0)),
            known(Value::from(5)),
            unknown("number", "notnull()", vec![Value::from(0), Value::from(1), Value::from(5)]),
        ],
        // A text that may be a number.
        "t" => vec![
            known(Value::from("1")),
            known(Value::from("x")),
            unknown("string", "notnull()", vec![Value::from("1"), Value::from("x"), Value::from("true")]),
        ],
        // A value that may be null.
        "a" => vec![
            known(null()),
            known(Value::from("v")),
            unknown("string", "any()", vec![null(), Value::from("v"), Value::from("w")]),
        ],
        // A value of unknown type.
        "d" => vec![Operand {
            value: Value::dynamic(),
            becomes: vec![
                value!({ "k": 1 }).unwrap(),
                Value::from("x"),
                Value::from(1),
                value!(["x"]).unwrap(),
                Value::list(["x"]).unwrap(),
                null(),
            ],
        }],
        _ => panic!("no operand {name}"),
    }
}

/// Expressions and the operands that they read, besides the condition.
const BRANCHES: &[(&str, &[&str])] = &[
    ("c ? [7][n] : 1", &["n"]),
    ("c ? 1 : [7][n]", &["n"]),
    ("c ? \"s\" : [7][n]", &["n"]),
    ("c ? [7][n] : \"s\"", &["n"]),
    ("c ? 8 : [\"s\"][n]", &["n"]),
    ("c ? tolist([{ a = \"x\" }])[n] : [\"z\"]", &["n"]),
    ("c ? [\"z\"] : tolist([{ a = \"x\" }])[n]", &["n"]),
    ("c ? tolist([tonumber(t)]) : [\"a\", 1]", &["t"]),
    ("c ? [\"a\", 1] : tolist([tonumber(t)])", &["t"]),
    ("c ? tonumber(t) : tobool(t)", &["t"]),
    ("c ? tobool(t) : [7][n]", &["t", "n"]),
    ("c ? [1] : [t == \"x\" ? 1 : [2][n]]", &["t", "n"]),
    ("c ? d.k : \"s\"", &["d"]),
    ("c ? \"s\" : d.k", &["d"]),
    ("c ? { x = 1 } : { x = d.k, y = 2 }", &["d"]),
    ("c ? null : [7][n]", &["n"]),
    ("a == null ? \"none\" : a", &["a"]),
    ("a == null ? a : \"some\"", &["a"]),
    ("a != null ? a : \"none\"", &["a"]),
    ("a != null ? \"some\" : a", &["a"]),
    ("null == a ? a : [\"s\"][n]", &["a", "n"]),
    ("null != a ? a : [\"s\"][n]", &["a", "n"]),
    ("(a != null) ? (a) : [1, 2][n]", &["a", "n"]),
    ("(a == null) ? (a) : [1, 2][n]", &["a", "n"]),
];

/// What is made of a `?:`: what may fail is asked for, and its type.
const AROUND: [&str; 5] =
    ["{}", "try({}, \"failed\")", "can({})", "try(jsonencode({}), \"failed\")", "[for x in [1] : {}]"];

type Answer = Result<Value, Diagnostics>;

fn evaluate(expression: &Expression, names: &[&str], values: &[Value]) -> Answer {
    let variables: BTreeMap<String, Value> =
        names.iter().zip(values).map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    expression.evaluate(&Scope::new(&variables))
}

/// Each choice of one item of each list, as places.
fn choices(counts: &[usize]) -> Vec<Vec<usize>> {
    counts.iter().fold(vec![Vec::new()], |all, count| {
        all.iter().flat_map(|choice| (0..*count).map(|next| [choice.as_slice(), &[next]].concat())).collect()
    })
}

/// Each expression with the names that it reads.
fn expressions() -> impl Iterator<Item = (String, Expression, Vec<&'static str>)> {
    BRANCHES.iter().flat_map(|(branches, names)| {
        AROUND.iter().map(move |around| {
            let text = around.replace("{}", branches);
            let names: Vec<&str> =
                names.iter().copied().chain(branches.contains("c ?").then_some("c")).collect();
            (text.clone(), Expression::parse(&text).unwrap(), names)
        })
    })
}

#[test]
fn an_answer_may_become_every_answer_that_it_stands_for() {
    let mut broken = Vec::new();
    let mut compared = 0;
    for (text, expression, names) in expressions() {
        let all: Vec<Vec<Operand>> = names.iter().map(|name| operands(name)).collect();
        for chosen in choices(&all.iter().map(Vec::len).collect::<Vec<_>>()) {
            let given: Vec<&Operand> = all.iter().zip(&chosen).map(|(all, at)| &all[*at]).collect();
            let values: Vec<Value> = given.iter().map(|operand| operand.value.clone()).collect();
            let answer = evaluate(&expression, &names, &values);
            let mut fails_always = true;
            for becomes in choices(&given.iter().map(|operand| operand.becomes.len()).collect::<Vec<_>>()) {
                let values: Vec<Value> =
                    given.iter().zip(&becomes).map(|(o, at)| o.becomes[*at].clone()).collect();
                let known = evaluate(&expression, &names, &values);
                compared += 1;
                fails_always &= known.is_err();
                match (&answer, &known) {
                    (Ok(answer), Ok(known)) if !answer.may_become(known) => {
                        broken.push(format!("{text}: {answer:?} of {values:?}, which gives {known:?}"));
                    }
                    (Err(problems), Ok(known)) => {
                        broken.push(format!("{text}: {problems} for {values:?}, which gives {known:?}"));
                    }
                    _ => {}
                }
            }
            if fails_always && answer.as_ref().is_ok_and(Value::is_wholly_known) {
                broken.push(format!("{text}: {answer:?} of {values:?}, but each is an error"));
            }
        }
    }
    println!("{compared} answers compared");
    assert!(broken.is_empty(), "{} broken: {:#?}", broken.len(), &broken[..broken.len().min(12)]);
}

/// What is behind a mark is not told by an answer without the mark, where the condition is unknown, so that each branch may be selected.
#[test]
fn an_answer_without_the_mark_does_not_depend_on_what_is_marked() {
    let mut broken = Vec::new();
    for (text, expression, names) in expressions() {
        let secrets = names.iter().filter(|name| **name != "c" && **name != "d");
        for secret in secrets {
            let others: Vec<&str> = names.iter().copied().filter(|name| name != secret).collect();
            let all: Vec<Vec<Value>> = others
                .iter()
                .map(|name| match *name {
                    "c" => vec![Value::unknown_not_null(Type::Bool)],
                    name => operands(name).into_iter().map(|operand| operand.value).collect(),
                })
                .collect();
            let contents: Vec<Value> =
                operands(secret).into_iter().flat_map(|operand| operand.becomes).collect();
            for chosen in choices(&all.iter().map(Vec::len).collect::<Vec<_>>()) {
                let beside: Vec<Value> = all.iter().zip(&chosen).map(|(all, at)| all[*at].clone()).collect();
                let names: Vec<&str> = others.iter().copied().chain([*secret]).collect();
                let answers: Vec<Answer> = contents
                    .iter()
                    .map(|content| {
                        let secret = content.clone().mark(Mark::SENSITIVE);
                        evaluate(&expression, &names, &[beside.as_slice(), &[secret]].concat())
                    })
                    .collect();
                let plain = answers.iter().flatten().filter(|answer| !answer.contains_marks());
                for (one, other) in
                    plain.flat_map(|one| answers.iter().flatten().map(move |other| (one, other)))
                {
                    if one != other {
                        broken.push(format!("{text}: {one:?} for one {secret}, {other:?} for another"));
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "{} broken: {:#?}", broken.len(), &broken[..broken.len().min(12)]);
}
