//! Calls of standard functions.

use plantime::Value;
use plantime::function::Functions;

use super::work::Work;

const TEXT: &str = "hello world vpc-0123";

fn call(n: usize, name: &str, arguments: Vec<Value>) -> Work {
    let function = Functions::cty().get(name).expect("a standard function").clone();
    Work::each(n, move |_| function.call(&arguments).expect("the arguments are right"))
}

fn list() -> Value {
    Value::list(["a", "bb", "ccc"]).expect("texts")
}

fn map(entries: [(&str, &str); 2]) -> Value {
    Value::map(entries).expect("texts")
}

pub fn upper(n: usize) -> Work {
    call(n, "upper", vec![TEXT.into()])
        .beside_with("str::to_uppercase", Work::each(n, |_| TEXT.to_uppercase()))
}

pub fn format(n: usize) -> Work {
    call(n, "format", vec!["%s-%d".into(), TEXT.into(), 42.into()])
        .beside_with("format!", Work::each(n, |i| std::format!("{TEXT}-{i}")))
}

pub fn length(n: usize) -> Work {
    call(n, "length", vec![list()])
}

pub fn join(n: usize) -> Work {
    let texts = ["a", "bb", "ccc"];
    call(n, "join", vec![",".into(), list()])
        .beside_with("<[&str]>::join", Work::each(n, move |_| texts.join(",")))
}

pub fn merge(n: usize) -> Work {
    call(n, "merge", vec![map([("a", "1"), ("b", "2")]), map([("b", "3"), ("c", "4")])])
}

pub fn concat(n: usize) -> Work {
    call(n, "concat", vec![list(), list()])
}

pub fn lookup(n: usize) -> Work {
    call(n, "lookup", vec![map([("a", "1"), ("b", "2")]), "b".into(), "none".into()])
}

pub fn regex(n: usize) -> Work {
    call(n, "regex", vec!["([a-z]+)-([0-9]+)".into(), TEXT.into()])
}

pub fn jsonencode(n: usize) -> Work {
    let attributes = [("name", Value::from(TEXT)), ("n", 7.into()), ("on", true.into()), ("l", list())];
    let other = serde_json::json!({"name": TEXT, "n": 7, "on": true, "l": ["a", "bb", "ccc"]});
    call(n, "jsonencode", vec![Value::object(attributes).expect("an object")])
        .beside_with("serde_json::to_string", Work::each(n, move |_| other.to_string()))
}
