//! What has to be an error, and what is large only because it stands in many places.

use plantime::function::Functions;
use plantime::{Number, Type, Value};

use crate::bounds::{Cost, alone, cost};

/// What a call has to be.
#[derive(Clone, Copy, PartialEq)]
enum Answer {
    /// An error of any kind.
    Error,
    /// An error that says that a limit is met.
    Limit,
    /// Whatever is in bounds.
    Bounded,
}

use Answer::{Bounded, Error, Limit};

type Calls = Vec<(Answer, &'static str, Vec<Value>)>;

fn number(text: &str) -> Value {
    Value::from(text.parse::<Number>().unwrap())
}

fn unknown(start: &str) -> Value {
    let start = Value::unknown(Type::String).assume_string_prefix(start);
    start.and_then(|start| start.assume_not_null()).unwrap()
}

/// Calls of some functions, and what they have to be.
#[track_caller]
fn hold(calls: fn() -> Calls) {
    let faults: Vec<String> = alone(move || {
        let mut faults = Vec::new();
        for (i, (wanted, name, arguments)) in calls().into_iter().enumerate() {
            let function = Functions::standard().get(name).or_else(|| Functions::cty().get(name));
            let function = function.unwrap_or_else(|| panic!("{name}"));
            {
                let (result, cost) = cost(function, &arguments, &format!("call {i}"));
                println!("{:>8.3} s {:>10} bytes {}", cost.time.as_secs_f64(), cost.bytes, cost.call);
                let fits = match &result {
                    Ok(()) => wanted == Bounded,
                    Err(error) => wanted != Limit || error.is_limit(),
                };
                faults.extend((!fits).then(|| format!("{}: {result:?}", cost.call)));
                faults.extend(Cost::fault(&cost));
            }
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn numbers() {
    hold(|| {
        let text = |text: &str| Value::from(text);
        vec![
            (Error, "range", vec![number("1e18")]),
            (Error, "range", vec![0.into(), number("1e18")]),
            (Error, "range", vec![0.into(), 1.into(), number("1e-4000")]),
            (Error, "range", vec![number("1e8000"), number("1e-8000"), number("-1e-8000")]),
            (Error, "range", vec![number("-inf"), number("inf")]),
            (
                Error,
                "range",
                vec![number("1e18"), Value::unknown(Type::Number).assume_not_null().unwrap(), 0.into()],
            ),
            (Bounded, "pow", vec![number("1e8000"), number("1e8000")]),
            (Bounded, "pow", vec![number("-1e8000"), number("1e-8000")]),
            (Bounded, "pow", vec![10.into(), number("1e18")]),
            (Bounded, "log", vec![number("1e8000"), number("1e-8000")]),
            (Error, "tonumber", vec![text("1e999999999")]),
            (Error, "tonumber", vec![text(&"9".repeat(1_000_000))]),
            (Error, "parseint", vec![text(&"z".repeat(1_000_000)), 36.into()]),
            (Error, "parseint", vec![text(&"1".repeat(1_000_000)), 2.into()]),
            (Bounded, "sum", vec![Value::list(vec![number(&"9".repeat(8000)); 1000]).unwrap()]),
            (Error, "cidrsubnet", vec![text("::/0"), number("1e8000"), number("1e8000")]),
            (Error, "cidrhost", vec![text("::/0"), number("1e8000")]),
            (
                Error,
                "cidrsubnets",
                std::iter::once(text("10.0.0.0/8")).chain(vec![1.into(); 500_000]).collect(),
            ),
            (Bounded, "cidrsubnets", std::iter::once(text("::/0")).chain(vec![32.into(); 50_000]).collect()),
            (Error, "formatdate", vec![text("YYYY"), text("99999-01-01T00:00:00Z")]),
            (Error, "timeadd", vec![text("9999-12-31T23:59:59Z"), text("1s")]),
            (Error, "timeadd", vec![text("2024-01-01T00:00:00Z"), text("99999999999h")]),
            (Error, "timeadd", vec![text("2024-01-01T00:00:00Z"), text(&"2562047h".repeat(100_000))]),
            (Error, "chunklist", vec![Value::list(["a"]).unwrap(), number("-1e18")]),
            (Error, "substr", vec![text("a"), number("1e18"), number("1e8000")]),
            (
                Error,
                "element",
                vec![Value::list_of(Type::String, Vec::<Value>::new()).unwrap(), number("1e18")],
            ),
        ]
    });
}

#[test]
fn texts() {
    hold(|| {
        let text = |text: &str| Value::from(text);
        let long = || "a".repeat(1 << 20);
        let texts = |count: usize| Value::list(vec![long(); count]).unwrap();
        // Each the same text, with the memory of one.
        let one = Value::from(long());
        let same = |count: usize| Value::list(vec![one.clone(); count]).unwrap();
        vec![
            (Limit, "format", vec![text("%1000000000d"), 1.into()]),
            (Limit, "format", vec![text("%.1000000000f"), 1.into()]),
            (Limit, "format", vec![text("%99999999999999999999s"), text("a")]),
            (Error, "format", vec![text("%*d"), 5.into(), 1.into()]),
            (Limit, "format", vec![text(&"%[1]s".repeat(1000)), one.clone()]),
            (Limit, "format", vec![text("%v"), same(1000)]),
            (Limit, "format", vec![text("%#v"), same(1000)]),
            (Limit, "jsonencode", vec![same(1000)]),
            (Limit, "jsonencode", vec![Value::tuple([same(1000), Value::unknown(Type::Bool)]).unwrap()]),
            (Limit, "join", vec![text(","), same(1000)]),
            (Limit, "join", vec![one.clone(), Value::list(vec!["a"; 1000]).unwrap()]),
            (
                Bounded,
                "join",
                vec![text(","), Value::list([unknown(&long()), unknown("a")]).unwrap(), same(1000)],
            ),
            (Limit, "indent", vec![1_000_000_000.into(), text(&"\n".repeat(1000))]),
            (Limit, "replace", vec![text(&"a".repeat(10_000)), text("a"), text(&"b".repeat(10_000))]),
            (Limit, "regexreplace", vec![text(&"a".repeat(10_000)), text("a"), text(&"b".repeat(10_000))]),
            (Limit, "replace", vec![text(&"a".repeat(10_000)), text("/a/"), text(&"b".repeat(10_000))]),
            (Bounded, "replace", vec![unknown(&"a".repeat(10_000)), text("a"), text(&"b".repeat(10_000))]),
            (Bounded, "split", vec![text(""), one.clone()]),
            (Bounded, "base64decode", vec![text(&"QUFB".repeat(500_000))]),
            (Bounded, "urlencode", vec![text(&"\u{1f469}".repeat(250_000))]),
            (Bounded, "trim", vec![one.clone(), one.clone()]),
            (Bounded, "distinct", vec![texts(10)]),
        ]
    });
}

#[test]
fn patterns() {
    hold(|| {
        let text = |text: &str| Value::from(text);
        let a = "a".repeat(100_000);
        let (mut mixed, mut seed) = (String::new(), 1_u32);
        for _ in 0..100_000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            mixed.push(if seed >> 31 == 0 { 'a' } else { 'b' });
        }
        let mut calls = vec![
            (Bounded, "regex", vec![text("(a+)+$"), text(&(a.clone() + "b"))]),
            (Error, "regex", vec![text("(a{1000}){1000}"), text(&a)]),
            (Limit, "regex", vec![text("\\pL{1000}"), text(&a)]),
            (Limit, "regex", vec![text(&"(a?)".repeat(10_000)), text(&a)]),
            (Error, "regex", vec![text(&"(".repeat(1_000_000)), text(&a)]),
            (Error, "regex", vec![text(&"[a-".repeat(1_000_000)), text(&a)]),
            (Limit, "regexall", vec![text(".*[^a-z]|[a-z]"), text(&a)]),
            (Limit, "regexreplace", vec![text(&a), text(".*[^a-z]|[a-z]"), text("")]),
            (Limit, "replace", vec![text(&a), text("/.*[^a-z]|[a-z]/"), text("")]),
            (Bounded, "replace", vec![text(&a), text("/.*[^a-z]|[a-z]/"), unknown("")]),
            (Bounded, "regexall", vec![text("(a*)*"), text(&a)]),
            (Bounded, "regexall", vec![text("[a-z]"), text(&a)]),
            (Bounded, "regexall", vec![text("\\p{L}+"), text(&a.repeat(10))]),
            (Bounded, "regexall", vec![text("(\\p{L})(\\p{L}+)?"), text(&a)]),
            (Bounded, "regexall", vec![text("^|$|(a)(b)?"), text(&a)]),
            (Bounded, "regexall", vec![text(&"(a?)".repeat(500)), text(&a)]),
        ];
        for pattern in ["[ab]*a[ab]{500}c", "([ab]*a[ab]{500}c|[ab])", "(a?){200}a{200}c", "(a|b|ab)*c"] {
            for name in ["regex", "regexall"] {
                calls.push((Bounded, name, vec![text(pattern), text(&mixed)]));
            }
        }
        calls
    });
}

#[test]
fn data() {
    hold(|| {
        let text = |text: &str| Value::from(text);
        let names = |count: usize| (0..count).map(|i| format!("a{i}")).collect::<Vec<_>>().join(",");
        let rows = |columns: usize, rows: usize| {
            names(columns) + &("\n".to_owned() + &",".repeat(columns - 1)).repeat(rows)
        };
        vec![
            (Error, "jsondecode", vec![text(&"[".repeat(100_000))]),
            (Error, "jsondecode", vec![text(&("[".repeat(100_000) + &"]".repeat(100_000)))]),
            (Error, "jsondecode", vec![text(&("{\"a\":".repeat(100_000) + "1" + &"}".repeat(100_000)))]),
            (Error, "jsondecode", vec![text("1e999999999")]),
            (Bounded, "jsondecode", vec![unknown(&"[".repeat(100_000))]),
            (Bounded, "jsondecode", vec![text(&format!("[{}1]", "{},".repeat(100_000)))]),
            (Bounded, "csvdecode", vec![text(&rows(10_000, 10))]),
            (Bounded, "csvdecode", vec![text(&rows(2, 100_000))]),
            (Bounded, "csvdecode", vec![text(&names(100_000))]),
            (Error, "csvdecode", vec![text(&(names(100_000) + "\n1"))]),
            (Error, "csvdecode", vec![text(&"\"".repeat(99_999))]),
            #[cfg(feature = "functions-yaml")]
            (Limit, "yamldecode", vec![text(&"[".repeat(100_000))]),
        ]
    });
}

/// A list of one text, and what has it many times.
#[test]
fn what_is_shared() {
    hold(|| {
        let list = Value::list((0..10_000).map(|i| Value::from(format!("{i}")))).unwrap();
        let lists = || vec![list.clone(); 1000];
        let map =
            Value::map(lists().into_iter().enumerate().map(|(i, list)| (format!("{i}"), list))).unwrap();
        let pairs =
            |core: Value| (0..25).fold(core, |value, _| Value::tuple([value.clone(), value]).unwrap());
        let named = |core: Value| {
            (0..25).fold(core, |value, _| Value::object([("a", value.clone()), ("b", value)]).unwrap())
        };
        let maps = |core: Value| {
            (0..25).fold(core, |value, _| Value::map([("a", value.clone()), ("b", value)]).unwrap())
        };
        let empty = Value::tuple(Vec::<Value>::new()).unwrap();
        let mut calls = Vec::new();
        for shared in [named(1.into()), maps(1.into()), Value::tuple([named("x".into())]).unwrap()] {
            let uncertain = Value::tuple([shared.clone(), Value::unknown(Type::Bool)]).unwrap();
            calls.push((Limit, "jsonencode", vec![uncertain]));
            calls.push((Limit, "format", vec![Value::from("%v"), shared.clone()]));
            calls.push((
                Limit,
                "formatlist",
                vec![Value::from("%#v"), Value::tuple([shared.clone()]).unwrap()],
            ));
            #[cfg(feature = "functions-yaml")]
            calls.push((Limit, "yamlencode", vec![shared.clone()]));
            calls.push((Limit, "jsonencode", vec![shared]));
        }
        calls.extend([
            (Limit, "flatten", vec![Value::list(lists()).unwrap()]),
            (Limit, "flatten", vec![Value::tuple(lists()).unwrap()]),
            (Limit, "flatten", vec![pairs(Value::from("x"))]),
            (Limit, "flatten", vec![pairs(empty)]),
            (Limit, "flatten", vec![pairs(Value::unknown(Type::String))]),
            (Limit, "transpose", vec![map.clone()]),
            (Limit, "concat", lists()),
            (Limit, "concat", vec![Value::tuple((0..10_000).map(Value::from)).unwrap(); 1000]),
            (Limit, "jsonencode", vec![pairs(Value::from("x"))]),
            (Limit, "format", vec![Value::from("%v"), pairs(Value::from("x"))]),
            (Bounded, "merge", vec![map.clone(); 100]),
            (Error, "setproduct", vec![Value::list((0..10).map(Value::from)).unwrap(); 100]),
            (Error, "setproduct", vec![Value::set((0..10).map(Value::from)).unwrap(); 100]),
            (Error, "setproduct", vec![list.clone(), list.clone()]),
            (Bounded, "setproduct", vec![list.clone(), Value::list(["a"]).unwrap()]),
            (Bounded, "formatlist", vec![Value::from("%s-%s"), list.clone(), list.clone()]),
            (Bounded, "setunion", vec![Value::set((0..10_000).map(Value::from)).unwrap(); 100]),
            (Bounded, "concat", vec![list.clone(); 50]),
            (Bounded, "flatten", vec![Value::list(vec![list.clone(); 50]).unwrap()]),
            (Bounded, "zipmap", vec![list.clone(), Value::tuple((0..10_000).map(Value::from)).unwrap()]),
            (Bounded, "matchkeys", vec![list.clone(), list.clone(), list.clone()]),
        ]);
        calls
    });
}
