//! What functions, templates and conversions keep of a language of strings: each result of a string of the language is
//! among the outcomes of the answer, and the answers that are certain are given.

use plantime::language::Language;
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
        [("a", "B"), ("B", ""), ("1", "é"), ("1", "a1"), ("aB", "1"), ("", "B"), ("aa", "a")]
            .map(|(part, other)| ("replace", vec![Value::from(part), Value::from(other)])),
    )
    .chain(
        [
            ("[a1]", "-"),
            ("[^a]+", "xy"),
            ("a|B", ""),
            ("a*", "-"),
            ("(a)", "$1$1"),
            ("a", "$0"),
            ("(B)+", "x"),
        ]
        .map(|(part, other)| ("regexreplace", vec![Value::from(part), Value::from(other)])),
    )
    .chain(
        [(0, 2), (1, 1), (2, -1), (1, 0), (-2, 1), (9, 3), (-1, -1), (-3, 0), (-9, 2), (-2, 9)]
            .map(|(offset, length)| ("substr", vec![Value::from(offset), Value::from(length)])),
    )
    .chain(
        ["trim", "trimprefix", "trimsuffix", "startswith", "endswith", "strcontains"].into_iter().flat_map(
            |name| ["", "a", "B", "1", "aa", "é", "x"].map(|other| (name, vec![Value::from(other)])),
        ),
    )
    .chain(["indent", "formatlist"].map(|name| (name, Vec::new())))
    .collect();
    // The string is the last argument of these.
    let last: Vec<(&str, Value)> = ["", "a", "B", "aB", "1"]
        .map(|separator| ("split", Value::from(separator)))
        .into_iter()
        .chain(
            [
                "a",
                "^a",
                "[aB]+",
                "a(B)?",
                "(a|1)(B*)",
                "(?P<x>a+)(?P<y>1)?",
                "^",
                "\\ba",
                "(?:(a)|B)+",
                "é|1",
            ]
            .into_iter()
            .flat_map(|pattern| [("regex", Value::from(pattern)), ("regexall", Value::from(pattern))]),
        )
        .collect();
    for (value, members) in operands() {
        for (name, others) in &calls {
            let function = function(name);
            let call = |first: &Value| match *name {
                "indent" => function.call(&[Value::from(2), first.clone()]),
                "formatlist" => function.call(&[Value::from("a%sb"), first.clone()]),
                _ => function.call(&[std::slice::from_ref(first), others.as_slice()].concat()),
            };
            let outcomes: Vec<_> = members.iter().map(call).collect();
            contains(call(&value), &outcomes, &format!("{name}({value}, {others:?})"));
        }
        for (name, first) in &last {
            let call = |text: &Value| function(name).call(&[first.clone(), text.clone()]);
            let outcomes: Vec<_> = members.iter().map(call).collect();
            contains(call(&value), &outcomes, &format!("{name}({first}, {value})"));
        }
    }
}

/// The times of a format are of the shape that is said of it, whatever the format.
#[test]
fn formatted_times_are_of_the_shape_of_the_format() {
    let times = [
        "0001-01-01T00:00:00Z",
        "2024-02-29T23:59:59+14:00",
        "9999-12-31T12:05:09-09:30",
        "2023-11-09T09:08:07Z",
    ]
    .map(Value::from);
    let formats = [
        "YYYY-MM-DD'T'hh:mm:ssZ",
        "YY M D h m s",
        "MMM MMMM EEE EEEE",
        "HH:mm AA aa H",
        "ZZZ ZZZZ ZZZZZ Z",
        "'.(*'YYYY",
    ];
    for format in formats {
        let call = |time: &Value| function("formatdate").call(&[Value::from(format), time.clone()]);
        let answer = call(&Value::unknown(Type::String)).unwrap();
        assert!(answer.range().refinement().string_language().is_some(), "{format}: {answer}");
        for time in &times {
            assert!(answer.may_become(&call(time).unwrap()), "{format} {time}: {answer}");
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
    assert_eq!(
        answer("replace", "^[a-z]+::[a-z]+$", &["::", "/"]),
        r#"notnull(stringpattern("^[a-z]+/[a-z]+$"))"#
    );
    assert_eq!(
        answer("regexreplace", "^[a-z]{2}[.!][0-9]{2}$", &["[^a-z0-9]", "-"]),
        r#"notnull(stringpattern("^[a-z]{2}-[0-9]{2}$"))"#
    );
    assert_eq!(
        answer("title", "^[a-z]{2}-[a-z]{2}$", &[]),
        r#"notnull(stringpattern("^[A-Z][a-z]-[A-Z][a-z]$"))"#
    );
    assert_eq!(answer("reverse", "^[a-z]{2}-[0-9]$", &[]), r#"notnull(stringpattern("^[0-9]-[a-z]{2}$"))"#);
    assert_eq!(answer("md5", "^a", &[]), r#"notnull(stringpattern("^[0-9a-f]{32}$"))"#);
    assert_eq!(answer("startswith", "^(?:ami|vpc)-[0-9]+$", &["sg"]), "false");
    let id =
        Value::refined(Type::String, Refinement::pattern("^[0-9a-f]{4}$").unwrap().and_not_null()).unwrap();
    let text = Value::concat_text(&[&Value::from("a-"), &id, &Value::from("-b")]).unwrap();
    assert_eq!(text.range().refinement().to_string(), r#"notnull(stringpattern("^a-[0-9a-f]{4}-b$"))"#);
    let part = function("substr").call(&[text.clone(), Value::from(2), Value::from(4)]).unwrap();
    assert_eq!(part.range().refinement().to_string(), r#"notnull(stringpattern("^[0-9a-f]{4}$"))"#);
    let end = function("substr").call(&[text.clone(), Value::from(-2), Value::from(1)]).unwrap();
    assert_eq!(end, Value::from("-"));
    let parts = function("split").call(&[Value::from("-"), text.clone()]).unwrap();
    assert_eq!(parts, Value::list([Value::from("a"), id.clone(), Value::from("b")]).unwrap());
    let groups = function("regex").call(&[Value::from("^a-([0-9a-f]+)-(b|x)$"), text.clone()]).unwrap();
    let shape = |pattern: &str| {
        Value::refined(Type::String, Refinement::pattern(pattern).unwrap().and_not_null()).unwrap()
    };
    assert_eq!(groups, Value::tuple([shape("^[0-9a-f]{1,4}$"), Value::from("b")]).unwrap());
    let length = plantime::function::Functions::standard().get("length").unwrap();
    assert_eq!(length.call(&[text]).unwrap(), Value::from(8));
    let (number, bool) = (TypeConstraint::from(Type::Number), TypeConstraint::from(Type::Bool));
    for (pattern, converts) in [("^[a-z]+$", true), ("^[a-z]{4,}-$", false)] {
        let name = Refinement::pattern(pattern).unwrap().and_not_null();
        let name = Value::refined(Type::String, name).unwrap();
        assert_eq!(convert(&name, &number).is_ok(), converts, "{pattern}");
        assert_eq!(convert(&name, &bool).is_ok(), converts, "{pattern}");
    }
}

/// The two sides of a division are exactly what precedes and what follows the first occurrence, also where a text ends within the separator.
#[test]
fn texts_are_divided_exactly() {
    let mut texts = vec![String::new()];
    for length in 0..4 {
        let longest: Vec<String> = texts.iter().filter(|text| text.len() == length).cloned().collect();
        texts.extend(longest.iter().flat_map(|text| ["a", "b"].map(|c| format!("{text}{c}"))));
    }
    for part in ["a", "ab", "aab", "aba", "bb"] {
        for (i, one) in texts.iter().enumerate() {
            for other in texts.iter().skip(i).step_by(3) {
                let both = [one.as_str(), other.as_str()];
                let [before, after] = Language::one_of(both).unwrap().divided_at(part);
                let sides = both.map(|text| text.split_once(part).unwrap_or((text, "")));
                assert_eq!(
                    before.unwrap(),
                    Language::one_of(sides.map(|(before, _)| before)).unwrap(),
                    "{both:?} {part}"
                );
                assert_eq!(
                    after.unwrap(),
                    Language::one_of(sides.map(|(_, after)| after)).unwrap(),
                    "{both:?} {part}"
                );
            }
        }
    }
}
