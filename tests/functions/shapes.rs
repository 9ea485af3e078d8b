//! What functions make of the strings of a language and for numbers, against all strings of a few letters: each
//! outcome is in the answer.

use plantime::{Bound, NumberRange, Refinement, Type, Value};

use crate::laws::function;

/// All strings of up to `most` of these letters.
fn strings(letters: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..most {
        last = last.iter().flat_map(|text| letters.iter().map(move |c| format!("{text}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// An unknown string of the pattern that is not null.
fn of_pattern(pattern: &str) -> Value {
    Value::refined(Type::String, Refinement::pattern(pattern).unwrap().and_not_null()).unwrap()
}

/// Checks `call` on an unknown string of each pattern against its outcomes on the strings of the universe.
fn check(
    name: &str,
    patterns: &[&str],
    universe: &[String],
    call: impl Fn(&Value) -> plantime::Result<Value>,
) {
    for pattern in patterns {
        let unknown = of_pattern(pattern);
        let known: Vec<Value> = universe.iter().map(|text| Value::from(text.as_str())).collect();
        let outcomes: Vec<Value> =
            known.iter().filter(|text| unknown.may_become(text)).filter_map(|text| call(text).ok()).collect();
        let answer = match call(&unknown) {
            Ok(answer) => answer,
            Err(error) => {
                assert!(outcomes.is_empty(), "{name} of {pattern}: {error}");
                continue;
            }
        };
        for outcome in &outcomes {
            assert!(answer.may_become(outcome), "{name} of {pattern}: {answer}, not {outcome}");
        }
    }
}

#[test]
fn paths_are_taken_apart_by_their_languages() {
    let universe = strings(&["a", "/", ".", "é"], 6);
    let patterns = [
        "^a*$",
        "^/*$",
        "^[a/]*$",
        "^(?:a|a/)*a$",
        "^/",
        "^a/",
        "^[./]*$",
        "^\\.\\./[a/]+$",
        "^(?:a/a|é/é)$",
        "/\\.$",
        "^[^/]+$",
        "^[^.]+$",
        "^a+(?:/a+)*$",
        "^/a+(?:/a+)*/?$",
        "^$|^/$",
        "^\\.{0,3}/a$",
        "^(?:/a){1,2}$",
    ];
    for name in ["basename", "dirname"] {
        let call = |text: &Value| function(name).call(std::slice::from_ref(text));
        check(name, &patterns, &universe, call);
    }
    let call = |name: &str, pattern: &str| {
        let answer = function(name).call(&[of_pattern(pattern)]).unwrap();
        if answer.is_known() { answer.to_string() } else { answer.range().refinement().to_string() }
    };
    assert_eq!(call("basename", "^/etc/[a-z]{3}\\.conf$"), r#"notnull(stringpattern("^[a-z]{3}\\.conf$"))"#);
    assert_eq!(call("basename", "^a+/(?:b|c)/*$"), r#"notnull(oneof("b", "c"))"#);
    assert_eq!(call("dirname", "^/etc/[a-z]{3}\\.conf$"), r#""/etc""#);
    assert_eq!(call("dirname", "^[a-z]{3}/[0-9]{2}$"), r#"notnull(stringpattern("^[a-z]{3}$"))"#);
    assert_eq!(call("dirname", "^/?[a-z]$"), r#"notnull(oneof(".", "/"))"#);
    // With `..` that cancels a part, no language says the result.
    assert_eq!(call("dirname", "^a/[.a]{2}/b*$"), r#"notnull(stringpattern("^(?:/|/?[^/](?:/?[^/])*)$"))"#);
}

#[test]
fn texts_are_quoted_by_their_languages() {
    let universe = strings(&["a", "\"", "<", "\n", "\u{301}", "\\"], 4);
    let patterns = [
        "^a*$",
        "^[a\"]*$",
        "^<?a$",
        "\\n",
        "^[^a]*$",
        "a$",
        "^\"",
        "^(?:<|a)$",
        "^.{2}$",
        "^[\\na]{1,2}$",
        "\\\\$",
    ];
    let encode = |text: &Value| function("jsonencode").call(std::slice::from_ref(text));
    check("jsonencode", &patterns, &universe, encode);
    let nested = |text: &Value| {
        let list = Value::tuple([Value::from(1), text.clone(), Value::from("x")])?;
        function("jsonencode").call(&[Value::object([("a", list), ("b", text.clone())])?])
    };
    check("nested", &patterns, &universe, nested);
    for format in ["%q", "%s", "a%qb", "%v-%[1]q", "%5q", "%.1q", "%#v", "%-3v", "%s%s%.0s"] {
        let call = |text: &Value| {
            let more = if format == "%s%s%.0s" { 3 } else { 1 };
            let values = std::iter::once(Value::from(format)).chain(std::iter::repeat_n(text.clone(), more));
            function("format").call(&values.collect::<Vec<_>>())
        };
        check(format, &patterns, &universe, call);
    }
}

/// What `call` says of an unknown value.
fn said(name: &str, arguments: &[Value]) -> String {
    let answer = function(name).call(arguments).unwrap();
    if answer.is_known() { answer.to_string() } else { answer.range().refinement().to_string() }
}

fn range(lower: i64, upper: i64) -> NumberRange {
    NumberRange::new(Bound::Inclusive(lower.into()), Bound::Inclusive(upper.into())).unwrap()
}

/// The integers from `lower` to `upper`.
fn integers(lower: i64, upper: i64) -> Refinement {
    Refinement::number(range(lower, upper)).and_not_null().meet(&Refinement::integer()).unwrap()
}

#[test]
fn the_shape_of_encoded_values_is_said() {
    let encode = |value: &Value| said("jsonencode", std::slice::from_ref(value));
    let id = of_pattern("^vpc-[0-9a-f]{2}$");
    assert_eq!(encode(&id), r#"notnull(stringpattern("^\"vpc-[0-9a-f]{2}\"$"))"#);
    assert_eq!(encode(&of_pattern("^<?a$")), r#"notnull(oneof("\"\\u003ca\"", "\"a\""))"#);
    let port = Value::refined(Type::Number, integers(10, 99)).unwrap();
    let object = Value::object([("id", id), ("port", port)]).unwrap();
    assert_eq!(
        encode(&object),
        r#"notnull(stringpattern("^\\{\"id\":\"vpc-[0-9a-f]{2}\",\"port\":[1-9][0-9]\\}$"))"#
    );
    let list = Value::unknown("list(string)".parse().unwrap()).assume_not_null().unwrap();
    assert_eq!(encode(&list), r#"notnull(stringpattern("^\\[(?s:.)*\\]$"))"#);
}

#[test]
fn numbers_are_written_by_their_shapes() {
    let numbers: Vec<Value> = [
        "0",
        "1",
        "-1",
        "12",
        "99",
        "-7",
        "1000000",
        "999999",
        "123456789",
        "-1234567",
        "0.5",
        "-0.25",
        "1e30",
        "1e-7",
        "12.5",
        "0.0001",
        "0.00001",
        "inf",
        "-inf",
        "255",
        "1e21",
        "100000.5",
    ]
    .map(|text| Value::from(text.parse::<plantime::Number>().unwrap()))
    .into();
    let refinements = [
        Refinement::any(),
        Refinement::integer(),
        Refinement::number(range(0, 12)),
        integers(-1, 99),
        integers(0, 10_000_000),
        Refinement::number(range(1, i64::MAX)),
    ];
    let formats = [
        "%d",
        "%v",
        "%s",
        "%q",
        "%x",
        "%X",
        "%b",
        "%o",
        "%f",
        "%.2f",
        "%.0f",
        "%e",
        "%E",
        "%g",
        "%05d",
        "%+d",
        "% d",
        "%.3d",
        "%#x",
        "%4v",
        "%-4v",
        "%#v",
        "a%vb%[1]v",
    ];
    for refinement in refinements {
        let unknown = Value::refined(Type::Number, refinement.and_not_null()).unwrap();
        let members: Vec<&Value> = numbers.iter().filter(|number| unknown.may_become(number)).collect();
        for format in formats {
            let call = |number: &Value| function("format").call(&[Value::from(format), number.clone()]);
            let answer = call(&unknown).unwrap();
            for outcome in members.iter().filter_map(|number| call(number).ok()) {
                assert!(answer.may_become(&outcome), "{format} of {unknown:?}: {answer:?}, not {outcome}");
            }
        }
        let encoded = function("jsonencode").call(std::slice::from_ref(&unknown)).unwrap();
        for outcome in
            members.iter().filter_map(|number| function("jsonencode").call(&[(*number).clone()]).ok())
        {
            assert!(encoded.may_become(&outcome), "{unknown:?}: {encoded:?}, not {outcome}");
        }
    }
    let integer = Value::refined(Type::Number, integers(0, 99)).unwrap();
    let format = |format: &str| said("format", &[Value::from(format), integer.clone()]);
    assert_eq!(format("%d"), r#"notnull(stringpattern("^(?:0|[1-9][0-9]?)$"))"#);
    assert_eq!(format("n%v"), r#"notnull(stringpattern("^n(?:0|[1-9][0-9]?)$"))"#);
    assert_eq!(format("%.1f"), r#"notnull(stringpattern("^(?:-?(?:0|[1-9][0-9]*)\\.[0-9]|[+\\-]Inf)$"))"#);
}

#[test]
fn encodings_keep_shapes() {
    let universe = strings(&["a", "%", "+", " ", "é"], 4);
    let patterns = [
        "^a*$",
        "^[a+]*$",
        "^[a %]{1,2}$",
        "^é",
        "a$",
        "^[^%]*$",
        "^(?:a|é)$",
        "^.{2,3}$",
        "^(?:a b|a\\+)*$",
    ];
    for name in ["urlencode", "urldecode", "base64encode", "base64decode"] {
        let call = |text: &Value| function(name).call(std::slice::from_ref(text));
        check(name, &patterns, &universe, call);
    }
    let id = of_pattern("^[a-z]{3} [0-9]{2}$");
    assert_eq!(
        said("urlencode", std::slice::from_ref(&id)),
        r#"notnull(stringpattern("^[a-z]{3}\\+[0-9]{2}$"))"#
    );
    let path = of_pattern("^a/[0-9]{2}$");
    assert_eq!(said("urlencode", &[path]), r#"notnull(stringpattern("^a%2F[0-9]{2}$"))"#);
    assert_eq!(
        said("urldecode", &[of_pattern("^a[+][0-9]{3}$")]),
        r#"notnull(stringpattern("^a [0-9]{3}$"))"#
    );
    assert_eq!(
        function("strlen").call(&[function("base64encode").call(&[id]).unwrap()]).unwrap(),
        Value::from(8)
    );
}

#[test]
fn numbers_of_digits_are_integers_in_an_interval() {
    let universe = strings(&["0", "1", "9", "-", "."], 4);
    let patterns = [
        "^[0-9]{1,3}$",
        "^[1-9][0-9]$",
        "^-?[0-9]$",
        "^[+-]?[0-9]{2}$",
        "^-[0-9]{2}$",
        "^[0-9]+$",
        "^[0-9.]+$",
        "^1",
        "^[01]{2,4}$",
        "^(?:0|1|19)$",
        "^-",
        "^[^-]*$",
        "^9*$",
    ];
    let tonumber = |text: &Value| function("tonumber").call(std::slice::from_ref(text));
    for pattern in patterns {
        let unknown = of_pattern(pattern);
        let members: Vec<Value> = universe
            .iter()
            .map(|text| Value::from(text.as_str()))
            .filter(|text| unknown.may_become(text))
            .collect();
        let answer = tonumber(&unknown).unwrap();
        for outcome in members.iter().filter_map(|text| tonumber(text).ok()) {
            assert!(answer.may_become(&outcome), "{pattern}: {answer:?}, not {outcome}");
        }
        for base in [2, 10, 16] {
            let parseint = |text: &Value| function("parseint").call(&[text.clone(), Value::from(base)]);
            let outcomes: Vec<Value> = members.iter().filter_map(|text| parseint(text).ok()).collect();
            match parseint(&unknown) {
                Ok(answer) => {
                    let is_in = |outcome: &Value| answer.may_become(outcome);
                    assert!(outcomes.iter().all(is_in), "{pattern} in base {base}: {answer:?}");
                }
                Err(error) => assert!(outcomes.is_empty(), "{pattern} in base {base}: {error}"),
            }
        }
    }
    let number = |pattern: &str| said("tonumber", &[of_pattern(pattern)]);
    assert_eq!(number("^[0-9]{1,3}$"), "notnull(numberinteger(numberrange(0, 999)))");
    assert_eq!(number("^[1-9][0-9]{2}$"), "notnull(numberinteger(numberrange(100, 999)))");
    assert_eq!(number("^[0-9.]{4,}$"), "notnull(numbermin(0))");
    let hex = said("parseint", &[of_pattern("^[0-9a-f]{2}$"), Value::from(16)]);
    assert_eq!(hex, "notnull(numberinteger(numberrange(0, 255)))");
}

/// A function of one of a few strings has one of the results for these.
#[test]
fn one_of_a_few_strings_has_the_results_of_each() {
    let strings = ["10.0.0.0/8", "192.168.1.0/24"];
    let networks = Value::refined(Type::String, Refinement::one_of(strings).unwrap().and_not_null()).unwrap();
    let masks = said("cidrnetmask", std::slice::from_ref(&networks));
    assert_eq!(masks, r#"notnull(oneof("255.0.0.0", "255.255.255.0"))"#);
    let host = said("cidrhost", &[networks.clone(), Value::from(5)]);
    assert_eq!(host, r#"notnull(oneof("10.0.0.5", "192.168.1.5"))"#);
    let names =
        Value::refined(Type::String, Refinement::one_of(["a", "b", "a/.."]).unwrap().and_not_null()).unwrap();
    assert_eq!(
        said("base64encode", std::slice::from_ref(&names)),
        r#"notnull(oneof("YQ==", "YS8uLg==", "Yg=="))"#
    );
    // The body fails for one of them.
    let days =
        Value::refined(Type::String, Refinement::one_of(["2024-02-29T00:00:00Z", "x"]).unwrap()).unwrap();
    assert_eq!(said("timeadd", &[days, Value::from("24h")]), r#""2024-03-01T00:00:00Z""#);
    let bad = Value::refined(Type::String, Refinement::one_of(["x", "y"]).unwrap()).unwrap();
    assert!(function("cidrnetmask").call(&[bad]).is_err());
    // Several strings together are too many.
    let many: Vec<String> = (0..40).map(|i| format!("a{i}")).collect();
    let many = Value::refined(Type::String, Refinement::one_of(many).unwrap()).unwrap();
    assert!(said("md5", &[many]).contains("[0-9a-f]{32}"));
}
