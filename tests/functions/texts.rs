//! Functions of strings: the laws on strings that join to one character, and what is known for a known prefix.

use plantime::function::Functions;
use plantime::testing::Domain;
use plantime::{LengthRange, Refinement, Type, Value};

use crate::laws::{function, proof};

/// The functions of text.
pub(crate) const NAMES: &[&str] = &[
    "chomp",
    "endswith",
    "indent",
    "join",
    "lower",
    "replace",
    "reverse",
    "split",
    "startswith",
    "strcontains",
    "strlen",
    "substr",
    "title",
    "trim",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "upper",
];

/// Further strings, so that each can start, end and continue with each of the others.
pub(crate) fn longer(domain: &Domain) -> Domain {
    let more = words(&["a", "b"], 4).into_iter().chain(words(&["a", "b", "c"], 2)).map(Value::from);
    let joining = ["\u{301}", "\u{307}", "\u{301}a", "a\u{200d}", "abca"].map(Value::from);
    Domain::new(domain.abstracts().cloned(), domain.concretes().cloned().chain(more).chain(joining))
}

/// All strings of up to `most` of these letters.
fn words(letters: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    for _ in 0..most {
        let longer = all.iter().flat_map(|word| letters.iter().map(move |letter| format!("{word}{letter}")));
        all = longer.chain([String::new()]).collect();
    }
    all
}

/// Lists of strings.
pub(crate) fn lists() -> Domain {
    let list = |items: Vec<Value>| Value::list_of(Type::String, items).unwrap();
    let ty = Type::list(Type::String).unwrap();
    let unknown = || Value::unknown(Type::String);
    let starting = Value::refined(Type::String, Refinement::prefix("a")).unwrap();
    let some =
        ["", "a", "ab", "b", "ba", "\u{301}"].map(Value::from).into_iter().chain([Value::null(Type::String)]);
    let some: Vec<Value> = some.collect();
    let mut concretes = vec![list(vec![]), Value::null(ty.clone())];
    let mut longest = vec![vec![]];
    for _ in 0..2 {
        let longer = |items: &Vec<Value>| {
            some.iter().map(|item| [&items[..], std::slice::from_ref(item)].concat()).collect::<Vec<_>>()
        };
        longest = longest.iter().flat_map(longer).collect();
        concretes.extend(longest.iter().cloned().map(list));
    }
    let mut abstracts = vec![list(vec![]), list(vec!["a".into()]), list(vec!["b".into(), "a".into()])];
    abstracts.extend([
        list(vec!["a".into(), unknown()]),
        list(vec![starting.clone()]),
        list(vec![unknown(), "b".into()]),
    ]);
    abstracts.extend([
        list(vec![starting, unknown()]),
        list(vec![Value::null(Type::String)]),
        list(vec![unknown()]),
    ]);
    for length in [
        LengthRange::at_least(0),
        LengthRange::at_least(1),
        LengthRange::at_least(2),
        LengthRange::at_most(1),
    ] {
        let length = Refinement::length(length);
        abstracts
            .extend([length.clone(), length.and_not_null()].map(|r| Value::refined(ty.clone(), r).unwrap()));
    }
    Domain::new(abstracts.into_iter().chain([Value::dynamic()]), concretes)
}

/// All strings of up to a number of these parts, and as prefixes those of one part less.
pub(crate) fn of_parts(parts: &[&str], most: usize) -> Domain {
    let mut all = vec![String::new()];
    let mut longest = all.clone();
    let mut beginnings = Vec::new();
    for _ in 0..most {
        beginnings.extend(longest.iter().filter(|text| !text.is_empty()).cloned());
        longest =
            longest.iter().flat_map(|text| parts.iter().map(move |part| format!("{text}{part}"))).collect();
        all.extend(longest.iter().cloned());
    }
    let starting = beginnings.iter().map(|start| starting(start));
    let abstracts = beginnings.iter().map(|text| Value::from(text.as_str())).chain(starting);
    let unknown = [Value::unknown(Type::String), Value::dynamic()];
    let concretes = all.into_iter().map(Value::from).chain([Value::null(Type::String)]);
    Domain::new(abstracts.chain(unknown), concretes)
}

#[track_caller]
fn holds(name: &str, domains: &[Domain]) {
    let function = function(name);
    proof(&function).on(domains.to_vec()).assert();
}

#[test]
fn one_text_that_joins_what_follows() {
    for parts in [
        // Some letters join what follows only in upper case, or only in lower case.
        &["I", "i", "w", "\u{307}", "\u{30a}", "\u{323}", "\u{345}"][..],
        &[" ", "a", "\n", "\r", "\u{301}"],
        &["\u{1f1e6}", "\u{200d}", "=", "\u{338}", "\u{3b1}"],
    ] {
        let domain = of_parts(parts, 4);
        for name in ["upper", "lower", "title", "trimspace", "chomp", "strlen", "reverse"] {
            holds(name, std::slice::from_ref(&domain));
        }
    }
}

#[test]
fn two_texts_that_join() {
    let domain = of_parts(&["a", "e", "\u{301}"], 3);
    for name in ["trim", "trimprefix", "trimsuffix", "startswith", "endswith", "strcontains", "split"] {
        holds(name, &[domain.clone(), domain.clone()]);
    }
}

#[test]
fn parts_of_a_text() {
    let text = of_parts(&["a", "\u{200d}", "\u{301}"], 4);
    let numbers = Domain::around([-2, -1, 0, 1, 2, 3]);
    holds("substr", &[text, numbers.clone(), numbers.clone()]);
    holds("indent", &[numbers, of_parts(&["a", "\n", " "], 3)]);
}

#[test]
fn texts_of_lists_that_join() {
    let text = of_parts(&["e", "\u{301}"], 2);
    let lists = |domain: &Domain| {
        let list = |value: &Value| Value::list_of(Type::String, [value.clone()]).ok();
        Domain::new(domain.abstracts().filter_map(list), domain.concretes().filter_map(list))
    };
    holds("join", &[text.clone(), lists(&text), lists(&text)]);
}

#[test]
fn what_is_replaced_may_join() {
    let (text, part) = (of_parts(&["a", "e", "\u{301}"], 3), of_parts(&["a", "\u{301}"], 2));
    holds("replace", &[text.clone(), part.clone(), of_parts(&["e", "\u{301}"], 2)]);
    holds("regexreplace", &[text.clone(), Domain::around(["a", "^e", ""]), part.clone()]);
    let own = |name: &str, domains: &[Domain]| {
        proof(Functions::standard().get(name).unwrap()).on(domains.to_vec()).assert()
    };
    own("replace", &[text, of_parts(&["/", "a"], 3), part]);
}

#[test]
fn patterns_find_and_replace() {
    let text = |name: &str, arguments: &[&str]| {
        let arguments: Vec<Value> = arguments.iter().map(|&argument| Value::from(argument)).collect();
        Functions::standard().call(name, &arguments)
    };
    assert_eq!(text("regex", &["a(b)", "ab"]), Value::tuple(["b"]));
    assert_eq!(text("regexall", &["a(?P<x>b)?", "aab"]).unwrap().length(), Ok(Value::from(2)));
    assert_eq!(text("replace", &["vpc-1", "/[0-9]$/", "<$0>"]), Ok(Value::from("vpc-<1>")));
    assert_eq!(text("replace", &["a.b", ".", "-"]), Ok(Value::from("a-b")));
    let vpc = |part: &str, by: &str| called("replace", &[starting("vpc-ab"), part.into(), by.into()]);
    assert_eq!(vpc("-", "/"), starting("vpc/ab"));
    assert_eq!(vpc("bc", "-"), starting("vpc-a"));
    let all = called("regexall", &[Value::unknown(Type::String), "abc".into()]);
    assert_eq!(all.range().length_range(), Some(LengthRange::at_most(4)));
}

#[test]
fn formats_of_what_is_not_known() {
    let formats = Domain::around(["a%s", "%d-", "%v%%", "b%[1]s%5.1f", "%q%t", "%!", "e%s\u{301}"]);
    holds("format", &[formats.clone(), Domain::small()]);
    holds("format", &[formats, Domain::scalars(), Domain::scalars()]);
    holds("format", &[Domain::around(["a%s", "%s", "%v", "%.1s"]), of_parts(&["a", "e", "\u{301}"], 3)]);
}

#[test]
fn formats_of_lists() {
    let formats = Domain::around(["a%s", "%v", "%s-%s", "%z"]);
    holds("formatlist", &[formats.clone(), Domain::small()]);
    holds("formatlist", &[formats.clone(), lists()]);
    let few = lists();
    let some = |step| Domain::new(few.abstracts().cloned(), few.concretes().step_by(step).cloned());
    holds("formatlist", &[Domain::around(["%s-%s", "%v"]), some(2), some(3)]);
    holds("formatlist", &[formats, Domain::scalars(), Domain::scalars()]);
}

#[test]
fn lists_of_texts_keep_what_is_known() {
    let unknown = || Value::unknown(Type::String);
    let each = |format: &str, arguments: Vec<Value>| {
        let arguments: Vec<Value> = std::iter::once(Value::from(format)).chain(arguments).collect();
        Functions::standard().get("formatlist").unwrap().call(&arguments)
    };
    let list = Value::list([Value::from("a"), unknown()]).unwrap();
    assert_eq!(
        each("vpc-%s-%s", vec![list.clone(), "x".into()]),
        Value::list([Value::from("vpc-a-x"), shaped(r"^vpc-(?s:.)*-x$")])
    );
    assert_eq!(each("%s", vec![list.clone()]), Value::list([Value::from("a"), starting("")]));
    let ty = Type::list(Type::String).unwrap();
    let of =
        |length: LengthRange| Value::refined(ty.clone(), Refinement::length(length).and_not_null()).unwrap();
    let some = of(LengthRange::at_least(1));
    let none = || Value::list_of(Type::String, [] as [Value; 0]);
    let texts = |text: &str| Value::refined(ty.clone(), text.parse().unwrap()).unwrap();
    // What follows may combine with an "a", but not with a "-".
    assert_eq!(each("a%s", vec![some.clone()]), Ok(texts("notnull(lengthmin(1), elements(notnull()))")));
    let some_texts = texts(r#"notnull(lengthmin(1), elements(notnull(stringprefix("a-"))))"#);
    assert_eq!(each("a-%s", vec![some.clone()]), Ok(some_texts));
    // The length of the list is known, although not all its elements are.
    let two = each("a-%s%s", vec![some.clone(), list.clone()]);
    assert_eq!(two, Value::list([shaped(r"^a-(?s:.)*a$"), starting("a-")]));
    assert_eq!(each("%s", vec![Value::dynamic()]), Ok(texts("notnull(elements(notnull()))")));
    let many = texts(&format!("notnull(length({}), elements(notnull()))", 1_u64 << 60));
    assert_eq!(each("%s", vec![of(LengthRange::exactly(1 << 60))]), Ok(many));
    // A null counts as a single value, and is written as it is.
    let nullable = Value::refined(ty.clone(), Refinement::length(LengthRange::exactly(0))).unwrap();
    assert_eq!(each("%s", vec![nullable.clone()]), none());
    let null_text = texts(r#"notnull(lengthmax(1), elements(notnull(oneof("null"))))"#);
    assert_eq!(each("%v", vec![nullable]), Ok(null_text));
    // If no element can be formatted, the list has no elements.
    assert_eq!(
        each("%z", vec![Value::unknown(ty.clone()).assume_not_null().unwrap()]),
        Value::list_of(Type::String, [] as [Value; 0])
    );
    assert!(each("%z", vec![some]).unwrap_err().message().starts_with("error on format iteration 0: "));
    let error = each("%s%s", vec![of(LengthRange::at_least(3)), list]).unwrap_err();
    assert_eq!(error.message(), "argument 2 has a length that is inconsistent with that of argument 1");
    let many = Value::list(vec![""; 100_000]).unwrap();
    assert!(each(&"%[1]s".repeat(10_000), vec![many.clone()]).unwrap_err().is_limit());
    assert!(each("%100000s", vec![many]).unwrap_err().is_limit());
}

#[test]
fn a_format_says_how_values_are_written() {
    let number = |text: &str| Value::from(text.parse::<plantime::Number>().unwrap());
    for (format, value, text) in [
        ("%d", number("-7"), "-7"),
        ("%+05d|", number("7"), "+0007|"),
        ("%#x", number("255"), "0xff"),
        ("%.3d", number("5"), "005"),
        ("%f", number("0.5"), "0.500000"),
        ("%.1f", number("2.25"), "2.2"),
        ("%.0f", number("0.6"), "1"),
        ("%.2f", number("9.999"), "10.00"),
        ("%e", number("0"), "0.000000e+00"),
        ("%.3g", number("1234567"), "1.23e+06"),
        ("%g", number("0.00001"), "1e-05"),
        ("%v", number("100000"), "100000"),
        ("%-8q|", "a\"b".into(), "\"a\\\"b\"  |"),
        ("%.2s", "e\u{301}ab".into(), "\u{e9}a"),
        ("%#v", "a".into(), "\"a\""),
        ("%v", Value::tuple([Value::from(1), Value::null(Type::Dynamic)]).unwrap(), "[1,null]"),
    ] {
        assert_eq!(called("format", &[format.into(), value]), Value::from(text), "{format}");
    }
    let known = |format: &str, value: Value| called("format", &[format.into(), value]);
    let unknown = Value::unknown(Type::String);
    assert_eq!(known("vpc-%s", unknown.clone()), starting("vpc-"));
    assert_eq!(known("vpc-%s", starting("ab")), starting("vpc-ab"));
    assert_eq!(known("%%-%s", unknown.clone()), starting("%-"));
    let call = |format: &str| Functions::standard().call("format", &[format.into(), unknown.clone()]);
    assert_eq!(call("%s %").unwrap_err().message(), "invalid format string starting at offset 4");
    assert!(call("%s %s").is_err());
    for wide in ["%999999999s", "%.999999999f", "%99999999999999999999d", "%999999999v"] {
        let error = Functions::standard().call("format", &[wide.into(), 1.into()]).unwrap_err();
        assert!(error.is_limit(), "{wide}: {error}");
    }
}

#[test]
fn hostile_patterns_are_errors_or_quick() {
    let call = |name: &str, arguments: &[&str]| {
        let arguments: Vec<Value> = arguments.iter().map(|&argument| Value::from(argument)).collect();
        Functions::standard().call(name, &arguments)
    };
    let text = "a".repeat(10_000);
    assert!(call("regex", &["(a{1000}){1000}", &text]).unwrap_err().is_syntax());
    assert!(call("regex", &[r"\pL{1000}", &text]).unwrap_err().is_limit());
    assert!(call("regex", &[&"(a?)".repeat(5000), &text]).unwrap_err().is_limit());
    assert!(call("regex", &[&"(".repeat(100_000), &text]).is_err());
    assert!(call("regex", &[&format!("{}{}", "(".repeat(10_000), ")".repeat(10_000)), &text]).is_err());
    assert!(call("regex", &["(a*)*b", &text]).is_err());
    assert!(call("replace", &[&text, "a", &text]).unwrap_err().is_limit());
    assert!(call("replace", &[&text, "/a/", &text]).unwrap_err().is_limit());
}

fn called(name: &str, arguments: &[Value]) -> Value {
    Functions::standard().call(name, arguments).unwrap()
}

fn shaped(pattern: &str) -> Value {
    let language = Refinement::pattern(pattern).unwrap();
    Value::refined(Type::String, language.and_not_null()).unwrap()
}

fn starting(start: &str) -> Value {
    Value::refined(Type::String, Refinement::prefix(start).and_not_null()).unwrap()
}

#[test]
fn what_a_text_begins_with_is_kept() {
    let unknown = || Value::unknown(Type::String);
    let vpc = || starting("vpc-a");
    for (name, arguments, result) in [
        ("upper", vec![vpc()], starting("VPC-A")),
        // A combining dot joins a capital I to one character.
        ("upper", vec![starting("vpi")], starting("VP")),
        ("title", vec![starting("a b")], starting("A B")),
        ("trimspace", vec![starting("  a ")], starting("a")),
        ("chomp", vec![starting("a\n")], starting("a")),
        ("trim", vec![starting("--a-"), "-".into()], starting("a")),
        ("trimprefix", vec![vpc(), "vpc-".into()], starting("a")),
        ("trimprefix", vec![vpc(), "ami-".into()], vpc()),
        ("trimprefix", vec![vpc(), starting("ami-")], vpc()),
        ("trimsuffix", vec![vpc(), "-ab".into()], starting("vpc")),
        ("trimsuffix", vec!["vpc-a".into(), starting("-")], starting("vpc")),
        ("substr", vec![vpc(), 0.into(), 4.into()], "vpc-".into()),
        ("substr", vec![vpc(), 1.into(), 4.into()], starting("pc-a")),
        ("indent", vec![2.into(), starting("a\nb")], starting("a\n  b")),
        ("join", vec![",".into(), Value::list([Value::from("a"), unknown()]).unwrap()], starting("a,")),
        ("startswith", vec![vpc(), "vpc-".into()], true.into()),
        ("startswith", vec![vpc(), "ami-".into()], false.into()),
        ("strcontains", vec![vpc(), "c-".into()], true.into()),
        ("endswith", vec!["vpc-a".into(), starting("b")], false.into()),
    ] {
        assert_eq!(called(name, &arguments), result, "{name} {arguments:?}");
    }
    let parts = called("split", &[",".into(), starting("a,b")]);
    assert_eq!(parts.range().length_range(), Some(LengthRange::at_least(2)));
    assert_eq!(called("split", &[starting(","), "ab".into()]), Value::list(["ab"]).unwrap());
}

#[test]
fn text_that_would_be_too_long_is_an_error() {
    let many = "\n".repeat(1000);
    let call = |name: &str, arguments: &[Value]| Functions::standard().call(name, arguments);
    let long = call("indent", &[1_000_000_000.into(), many.as_str().into()]);
    assert!(long.unwrap_err().is_limit());
    assert!(call("indent", &[(-1).into(), "a".into()]).is_err());
    let all = Value::list(vec!["a"; 5000]).unwrap();
    assert!(call("join", &[many.repeat(10).as_str().into(), all]).unwrap_err().is_limit());
    // A result that is not wholly known is not an error, as the limit may turn out higher.
    assert_eq!(call("indent", &[1_000_000_000.into(), starting(&many)]), Ok(starting("")));
}
