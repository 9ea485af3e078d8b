//! What functions, templates and conversions keep of a language of strings: each result of a string of the language is
//! among the outcomes of the answer, and the answers that are certain are given.

use plantime::{Refinement, Type, TypeConstraint, Value, convert};

use crate::laws::function;

/// Strings of one to four of these characters, and the empty one.
fn strings() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..4 {
        last = last.iter().flat_map(|text| ["a", "B", "1", "é"].map(|c| format!("{text}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all.extend(["true", "false", "0", "e\u{301}", "\u{301}", "a\u{327}b", "1e2"].map(str::to_owned));
    all
}

const PATTERNS: &[&str] = &[
    "^[aB]*a$",
    "^a[aB1]?$",
    "^(?:a|B|1|é)$",
    "^(?:true|false)$",
    "^(?:1|11|1a)$",
    "^[^1]*B$",
    "é",
    "^(?:0|1|true)$",
    "^[a1]{2,3}$",
    "^.$",
];

/// An unknown string of the language that is not null, and the strings of the model that it may become.
fn operands() -> Vec<(Value, Vec<Value>)> {
    let all: Vec<Value> = strings().iter().map(|text| Value::from(text.as_str())).collect();
    PATTERNS
        .iter()
        .map(|pattern| {
            let refinement = Refinement::pattern(pattern).unwrap().and_not_null();
            let value = Value::refined(Type::String, refinement).unwrap();
            let members = all.iter().filter(|text| value.may_become(text)).cloned().collect();
            (value, members)
        })
        .collect()
}

/// Checks that an answer contains each of the outcomes.
#[track_caller]
fn contains(answer: plantime::Result<Value>, outcomes: &[plantime::Result<Value>], about: &str) {
    match answer {
        Ok(answer) => {
            for outcome in outcomes.iter().flatten() {
                assert!(answer.may_become(outcome), "{about} = {answer}, not {outcome}");
            }
        }
        Err(error) => assert!(outcomes.iter().all(Result::is_err), "{about}: {error}"),
    }
}

#[test]
fn functions_keep_what_strings_of_a_language_become() {
    let calls: Vec<(&str, Vec<Value>)> = [
        "upper",
        "lower",
        "title",
        "strlen",
        "chomp",
        "trimspace",
        "reverse",
        "urlencode",
        "base64encode",
        "md5",
    ]
    .map(|name| (name, Vec::new()))
    .into_iter()
    .chain(
        [("a", "B"), ("B", ""), ("1", "é"), ("1", "a1"), ("aB", "1"), ("", "B")]
            .map(|(part, other)| ("replace", vec![Value::from(part), Value::from(other)])),
    )
    .chain(
        [(0, 2), (1, 1), (2, -1), (1, 0), (-2, 1), (9, 3)]
            .map(|(offset, length)| ("substr", vec![Value::from(offset), Value::from(length)])),
    )
    .chain(
        ["trim", "trimprefix", "trimsuffix", "startswith", "endswith", "strcontains"].into_iter().flat_map(
            |name| ["", "a", "B", "1", "aa", "é", "x"].map(|other| (name, vec![Value::from(other)])),
        ),
    )
    .collect();
    for (value, members) in operands() {
        for (name, others) in &calls {
            let function = function(name);
            let call =
                |first: &Value| function.call(&[std::slice::from_ref(first), others.as_slice()].concat());
            let outcomes: Vec<_> = members.iter().map(call).collect();
            contains(call(&value), &outcomes, &format!("{name}({value}, {others:?})"));
        }
    }
}

#[test]
fn templates_and_conversions_keep_what_strings_of_a_language_become() {
    let parts = ["", "a", "-", "\u{301}"].map(Value::from);
    for (value, members) in operands() {
        for before in &parts {
            for after in &parts {
                let text = |middle: &Value| Value::concat_text(&[before, middle, after]);
                let outcomes: Vec<_> = members.iter().map(text).collect();
                contains(text(&value), &outcomes, &format!("{before} {value} {after}"));
            }
        }
        for (other, more) in operands() {
            let answer = Value::concat_text(&[&value, &other]);
            let outcomes: Vec<_> = members
                .iter()
                .flat_map(|one| more.iter().map(|two| Value::concat_text(&[one, two])))
                .collect();
            contains(answer, &outcomes, &format!("{value} {other}"));
        }
        for ty in [Type::Number, Type::Bool] {
            let to = TypeConstraint::from(ty.clone());
            let outcomes: Vec<_> = members.iter().map(|text| convert(text, &to)).collect();
            contains(convert(&value, &to), &outcomes, &format!("{value} as {ty}"));
        }
    }
}

/// What functions return for unknown arguments matches the pattern of all their results.
#[test]
fn unknown_results_match_the_pattern_of_all_results() {
    for name in ["md5", "sha1", "sha256", "sha512", "base64sha256", "base64sha512", "uuidv5", "base64encode"]
        .into_iter()
        .chain(["urlencode", "timeadd", "cidrhost", "cidrnetmask", "cidrsubnet"])
    {
        let function = function(name);
        let arguments: Vec<Value> =
            function.parameters().iter().map(|parameter| Value::unknown(parameter.ty().clone())).collect();
        let answer = function.call(&arguments).unwrap();
        assert!(answer.range().refinement().string_language().is_some(), "{name}: {answer}");
    }
}

/// The answer as text, for an unknown string of a pattern.
fn answer(name: &str, pattern: &str, others: &[&str]) -> String {
    let refinement = Refinement::pattern(pattern).unwrap().and_not_null();
    let value = Value::refined(Type::String, refinement).unwrap();
    let others = others.iter().map(|text| Value::from(*text));
    let arguments: Vec<Value> = std::iter::once(value).chain(others).collect();
    let answer = function(name).call(&arguments).unwrap();
    if answer.is_known() { answer.to_string() } else { answer.range().refinement().to_string() }
}

#[test]
fn what_is_certain_is_said() {
    assert_eq!(answer("upper", "^vpc-[0-9a-f]{8}$", &[]), r#"notnull(stringpattern("^VPC-[0-9A-F]{8}$"))"#);
    assert_eq!(answer("strlen", "^vpc-[0-9a-f]{8}$", &[]), "12");
    assert_eq!(
        answer("trimprefix", "^vpc-[0-9a-f]{8}$", &["vpc-"]),
        r#"notnull(stringpattern("^[0-9a-f]{8}$"))"#
    );
    assert_eq!(answer("trimsuffix", "^[a-z]+-db$", &["-db"]), r#"notnull(stringpattern("^[a-z]+$"))"#);
    assert_eq!(answer("endswith", "^[a-z]+-db$", &["-db"]), "true");
    assert_eq!(answer("endswith", "^[a-z]+-db$", &["-web"]), "false");
    assert_eq!(answer("strcontains", "^[a-z]+-db$", &["-d"]), "true");
    assert_eq!(answer("strcontains", "^[a-z]+$", &["-"]), "false");
    assert_eq!(answer("trimspace", "^ *[a-z]+\\n?$", &[]), r#"notnull(stringpattern("^[a-z]+$"))"#);
    assert_eq!(answer("trim", "^/[a-z/]+$", &["/"]), r#"notnull(stringpattern("^(?:[a-z](?:/*[a-z])*)?$"))"#);
    assert_eq!(answer("chomp", "^[0-9]+\\r?\\n$", &[]), r#"notnull(stringpattern("^[0-9]+$"))"#);
    assert_eq!(
        answer("replace", "^i-[0-9a-f]{8}$", &["-", ""]),
        r#"notnull(stringpattern("^i[0-9a-f]{8}$"))"#
    );
    assert_eq!(answer("md5", "^a", &[]), r#"notnull(stringpattern("^[0-9a-f]{32}$"))"#);
    assert_eq!(answer("startswith", "^(?:ami|vpc)-[0-9]+$", &["sg"]), "false");
    let id =
        Value::refined(Type::String, Refinement::pattern("^[0-9a-f]{4}$").unwrap().and_not_null()).unwrap();
    let text = Value::concat_text(&[&Value::from("a-"), &id, &Value::from("-b")]).unwrap();
    assert_eq!(text.range().refinement().to_string(), r#"notnull(stringpattern("^a-[0-9a-f]{4}-b$"))"#);
    let part = function("substr").call(&[text.clone(), Value::from(2), Value::from(4)]).unwrap();
    assert_eq!(part.range().refinement().to_string(), r#"notnull(stringpattern("^[0-9a-f]{4}$"))"#);
    let (number, bool) = (TypeConstraint::from(Type::Number), TypeConstraint::from(Type::Bool));
    for (pattern, converts) in [("^[a-z]+$", true), ("^[a-z]{4,}-$", false)] {
        let name = Refinement::pattern(pattern).unwrap().and_not_null();
        let name = Value::refined(Type::String, name).unwrap();
        assert_eq!(convert(&name, &number).is_ok(), converts, "{pattern}");
        assert_eq!(convert(&name, &bool).is_ok(), converts, "{pattern}");
    }
}
