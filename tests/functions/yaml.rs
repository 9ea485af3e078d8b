//! YAML: the results of Terraform 1.11 for documents and values, the intended differences, the laws, and hostile
//! documents.

use plantime::function::Functions;
use plantime::testing::Domain;
use plantime::{Error, Mark, Number, Refinement, Result, Type, Value};
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::laws::proof;

fn call(name: &str, value: impl Into<Value>) -> Result<Value> {
    Functions::standard().call(name, &[value.into()])
}

fn decode(text: &str) -> Result<Value> {
    call("yamldecode", text)
}

fn encode(value: impl Into<Value>) -> String {
    call("yamlencode", value).unwrap().as_str().unwrap().to_owned()
}

fn rows(json: &str) -> Vec<Json> {
    serde_json::from_str(json).unwrap()
}

/// A message without the position at its start.
fn without_place(message: &str) -> &str {
    match message.split_once(": ") {
        Some((place, message)) if place.starts_with("on line ") => message,
        _ => message,
    }
}

#[test]
fn texts_mean_what_they_mean_in_terraform() {
    for row in rows(include_str!("yaml/decoded.json")) {
        let text = row["yaml"].as_str().unwrap();
        match (decode(text), &row["error"]) {
            (Ok(value), Json::Null) => {
                let json = String::from_utf8(plantime::json::to_vec(&value).unwrap()).unwrap();
                assert_eq!(json, row["json"].as_str().unwrap(), "{text:?}");
            }
            (Err(error), Json::String(message)) => {
                assert_eq!(without_place(error.message()), message, "{text:?}");
            }
            // The messages of its parser about invalid YAML differ.
            (Err(error), Json::Bool(true)) => assert!(error.is_syntax(), "{text:?}: {error}"),
            (answer, _) => panic!("{text:?}: {answer:?}, there {row}"),
        }
    }
}

#[test]
fn values_are_written_as_in_terraform() {
    for row in rows(include_str!("yaml/encoded.json")) {
        let value = plantime::json::from_slice(row["value"].to_string().as_bytes()).unwrap();
        assert_eq!(encode(&value), row["yaml"].as_str().unwrap());
        assert_eq!(decode(row["yaml"].as_str().unwrap()), Ok(value));
    }
}

#[track_caller]
fn reads(text: &str, value: impl Into<Value>) {
    assert_eq!(decode(text), Ok(value.into()), "{text:?}");
}

#[track_caller]
fn refuses(text: &str, message: &str) {
    assert_eq!(decode(text).unwrap_err().message(), message, "{text:?}");
}

/// An object whose attributes are numbers.
fn numbers(entries: &[(&str, i32)]) -> Value {
    Value::object(entries.iter().copied()).unwrap()
}

#[test]
fn infinities_are_written_as_they_are_read() {
    for text in [".inf", "+.Inf", "!!float .INF", "!!float inf"] {
        reads(text, Number::INFINITY);
    }
    reads("-.inf", Number::NEG_INFINITY);
    reads("{.inf: 1}", numbers(&[("inf", 1)]));
    // Terraform writes `+Inf`, which is read as a string.
    assert_eq!(encode(Number::INFINITY), ".inf\n...\n");
    assert_eq!(encode(Number::NEG_INFINITY), "-.inf\n...\n");
}

#[test]
fn numbers_are_those_of_this_crate() {
    reads("-0", 0);
    reads("{-0: 1}", numbers(&[("0", 1)]));
    assert!(decode("1e9000").unwrap_err().is_limit());
    refuses("!!float 1p3", "on line 1, column 1: cannot parse \"1p3\" as tag:yaml.org,2002:float");
    let long = "9".repeat(8000);
    let error = decode(&format!("!!bool x{long}")).unwrap_err();
    assert!(error.message().len() < 200, "{error}");
}

#[test]
fn places_are_counted_from_one() {
    refuses("a: b\nc: *d", "on line 2, column 4: reference to undefined anchor \"d\"");
    refuses(
        "a: b\nc: &d\n- *d\n",
        "on line 3, column 3: cannot refer to anchor \"d\" from inside its own definition",
    );
    assert_eq!(decode("x: [").unwrap_err().argument(), Some(0));
}

#[test]
fn the_reader_follows_the_newer_version() {
    for text in ["%YAML 1.2\n---\na", "%YAML 1.1\n---\na"] {
        reads(text, "a");
    }
    reads("\"\\/\"", "/");
    reads("\u{85}", "\u{85}");
    reads("\u{2028}", "\u{2028}");
    reads("{a:}", Value::object([("a", Value::null(Type::Dynamic))]).unwrap());
    reads("-\ta", Value::tuple(["a"]).unwrap());
    // Continuation lines are indented more than their key.
    reads("a: [\n  1,\n]\n", Value::object([("a", Value::tuple([1]).unwrap())]).unwrap());
    for text in ["a: [\n1\n]\n", "a: [\n]\n", "a: \"x\ny\"\n", "a:\t1", "a: \u{feff}b"] {
        assert!(decode(text).unwrap_err().is_syntax(), "{text:?}");
    }
    // Terraform writes an indentation after each line break, which this reader takes as content.
    assert_eq!(encode("a\u{2028}b\nc"), "\"a\\Lb\\nc\"\n");
    // Of two anchors with the same name the last one counts.
    reads("&x [&x 1, *x]", Value::tuple([1, 1]).unwrap());
}

#[test]
fn mappings_are_merged_from_sequences_too() {
    reads("<<: [{a: 1, b: 1}, {b: 2}]\n", numbers(&[("a", 1), ("b", 2)]));
    reads("x: &x {a: 1}\nz: {<<: [*x], b: 2}\n", {
        Value::object([("x", numbers(&[("a", 1)])), ("z", numbers(&[("a", 1), ("b", 2)]))]).unwrap()
    });
    reads("!!merge any: {a: 1}\n", numbers(&[("a", 1)]));
    reads("<<: []\n", numbers(&[]));
    refuses("a: b\n<<: [c]\n", "on line 2, column 1: cannot merge string (from sequence) into mapping");
}

#[test]
fn marks_by_which_an_escape_would_be_another_are_escaped() {
    let text = Value::from("a\t\u{301}\u{327}");
    assert_eq!(encode(&text), "\"a\\t\\u0327\\u0301\"\n");
    assert_eq!(decode(&encode(&text)), Ok(text));
}

#[test]
fn what_is_certain_of_a_text_is_kept() {
    let not_null = |ty: &str| Value::unknown(ty.parse().unwrap()).assume_not_null().unwrap();
    let some = |ty: &str| {
        let length = plantime::LengthRange::at_least(1);
        Value::refined(ty.parse().unwrap(), Refinement::length(length).and_not_null()).unwrap()
    };
    let vpc = not_null("string").assume_string_prefix("vpc-").unwrap();
    for (value, start) in [
        (vpc.clone(), ""),
        (not_null("string").assume_string_prefix("a\t b").unwrap(), "\"a\\t b"),
        (not_null("number"), ""),
        (not_null("list(string)"), ""),
        (some("list(string)"), "- "),
        (not_null("object({a = list(string), b = bool})"), "\"a\":"),
        (not_null("object({a = bool, b = bool})"), "\"a\": "),
        (not_null("tuple([number])"), "- "),
        (Value::dynamic(), ""),
    ] {
        let text = call("yamlencode", value.clone()).unwrap();
        assert!(!text.is_known(), "{value}");
        assert_eq!(text.range().prefix().unwrap_or_default(), start, "{value}");
        let inside =
            Value::object([("k", Value::from(1)), ("l", Value::tuple([value.clone()]).unwrap())]).unwrap();
        let text = call("yamlencode", inside).unwrap();
        let tail = start.replace('\n', "\n  ");
        assert_eq!(text.range().prefix(), Some(&*format!("\"k\": 1\n\"l\":\n- {tail}")), "{value}");
    }
    for (ty, start) in
        [("map(string)", "\"k\":\n  "), ("set(string)", "\"k\":\n- "), ("list(bool)", "\"k\":\n- ")]
    {
        let text = call("yamlencode", Value::object([("k", some(ty))]).unwrap()).unwrap();
        assert_eq!(text.range().prefix(), Some(start), "{ty}");
    }
    let policy = Value::object([("Name", Value::from("x")), ("Vpc", vpc)]).unwrap();
    let text = call("yamlencode", policy).unwrap();
    assert_eq!(text.range().prefix(), Some("\"Name\": \"x\"\n\"Vpc\": "));
    let capsule = Value::capsule(plantime::function::Bytes::new(*b"x"));
    let tuple = Value::tuple([Value::unknown(Type::String), capsule]).unwrap();
    assert_eq!(call("yamlencode", tuple).unwrap_err().message(), "bytes cannot be written as YAML");
}

#[test]
fn a_beginning_that_no_document_has_is_an_error() {
    let begins = |start: &str| Value::unknown(Type::String).assume_string_prefix(start).unwrap();
    for (start, message) in [
        ("a: !!int b\nc: ", "on line 1, column 4: cannot parse \"b\" as tag:yaml.org,2002:int"),
        ("--- a\n--- b", "on line 2, column 1: unexpected extra content after value"),
        ("a\u{1}", "control characters are not allowed"),
        (
            "- {a: b]\n- c",
            "on line 1, column 8: while parsing a flow mapping, did not find expected ',' or '}'",
        ),
    ] {
        // The parser reads some characters ahead.
        let start = format!("{start}{}", " ".repeat(20));
        assert_eq!(call("yamldecode", begins(&start)).unwrap_err().message(), message, "{start:?}");
    }
    for start in ["", "a", "a: ", "{a", "[", "\"", "'a", "&", "- !!in", "%YAML"] {
        assert_eq!(call("yamldecode", begins(start)), Ok(Value::dynamic()), "{start:?}");
    }
}

#[test]
fn marks_are_on_the_result_and_hide_the_reason() {
    let secret = |value: Value| value.mark(Mark::SENSITIVE);
    assert_eq!(call("yamldecode", secret("[a]".into())), Ok(secret(Value::tuple(["a"]).unwrap())));
    let inside = Value::tuple([secret("a".into())]).unwrap();
    assert_eq!(call("yamlencode", inside), Ok(secret("- \"a\"\n".into())));
    let error = call("yamldecode", secret("*hunter2".into())).unwrap_err();
    assert!(!error.to_string().contains("hunter2") && error.path().is_empty());
}

/// Documents, all of whose prefixes are tried.
fn documents() -> Domain {
    let texts = [
        "a: 1\n",
        "[a, *b]",
        "&a [*a]",
        "!!int x\n",
        "- 'b'\n- ~",
        "--- a\n--- b",
        "{<<: {a: b}}",
        "\"\\x41\"",
    ];
    let mut abstracts = vec![Value::dynamic(), Value::unknown(Type::String)];
    let mut concretes = vec![Value::null(Type::String)];
    for text in texts {
        abstracts.push(text.into());
        for end in text.char_indices().skip(1).map(|(at, _)| at).chain([text.len()]) {
            let start = &text[..end];
            let unknown = Value::unknown(Type::String).assume_string_prefix(start).unwrap();
            abstracts.extend([unknown.assume_not_null().unwrap(), unknown]);
            let more = ["", "\n", ": x", "]", "}", "'", "\"", " y", "\nc: d", "\n- e"];
            concretes.extend(more.map(|more| Value::from(format!("{start}{more}"))));
        }
    }
    Domain::new(abstracts, concretes)
}

#[test]
fn yamldecode() {
    let function = Functions::standard().get("yamldecode").unwrap();
    // The result type depends on the content of the document.
    proof(function).on([documents()]).types_follow_values().assert();
}

#[test]
fn yamlencode() {
    let function = Functions::standard().get("yamlencode").unwrap();
    proof(function).on([Domain::medium()]).on([Domain::nested()]).optimal().assert();
}

#[test]
fn what_is_written_is_read_again() {
    let (medium, nested) = (Domain::medium(), Domain::nested());
    for value in medium.concretes().chain(nested.concretes()) {
        let Ok(json) = Functions::standard().call("jsonencode", std::slice::from_ref(value)) else {
            continue;
        };
        let expected = call("jsondecode", json).unwrap();
        assert_eq!(decode(&encode(value)), Ok(expected), "{value}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_go_through(text in "[ab \\n\\t:#'\"\\\\\\u{1}\\u{85}\\u{2028}\\u{301}é😀\\-]{0,60}|[a-c]{70,90}[ b]{0,20}|(\\PC| |\\n){0,40}") {
        let value = Value::tuple([Value::from(text)]).unwrap();
        let whole = encode(&value);
        prop_assert_eq!(decode(&whole), Ok(value.clone()));
        let object = Value::object([("k", value)]).unwrap();
        prop_assert_eq!(decode(&encode(&object)), Ok(object));
    }

    #[test]
    fn a_beginning_is_that_of_every_text(start in "[ab \\n\\t:😀\\u{301}]{0,12}|[a-c ]{75,90}\\t?[ b]{0,9}", rest in "[ab \\n\\t\\u{301}]{0,9}") {
        let whole = Value::from(format!("{start}{rest}"));
        let start = Value::unknown(Type::String).assume_not_null().unwrap().assume_string_prefix(&start).unwrap();
        if whole.as_str().unwrap().starts_with(start.range().prefix().unwrap_or_default()) {
            let text = call("yamlencode", Value::tuple([start]).unwrap()).unwrap();
            let text = text.range().prefix().unwrap_or_default().to_owned();
            let all = encode(Value::tuple([whole]).unwrap());
            prop_assert!(all.starts_with(&text), "{text:?} {all:?}");
        }
    }
}

/// Random sequences of tokens of YAML.
fn pieces() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a",
        "b: ",
        "- ",
        "? ",
        ": ",
        ",",
        "[",
        "]",
        "{",
        "}",
        "\n",
        "\n  ",
        "\n ",
        " ",
        "\t",
        "&a ",
        "*a",
        "*a ",
        "!!int ",
        "!!str ",
        "!x ",
        "!",
        "|",
        ">",
        "|-\n",
        ">+2\n",
        "'",
        "\"",
        "\\x41",
        "\\",
        "#",
        " # c\n",
        "<<: ",
        "---",
        "--- ",
        "\n---\n",
        "...",
        "\n...\n",
        "%YAML 1.2\n",
        "%TAG ! t:\n",
        "1",
        "0x1",
        "~",
        "yes",
        "2001-1-1",
        ".inf",
        "\r\n",
        "\u{feff}",
        "\u{85}",
        "\u{2028}",
        "\u{1}",
        "é",
        "😀",
        "@",
        "%",
        "-",
        "?",
        ":",
        "&",
        "*",
        "=",
        "<<",
        "a: b\n",
        "- a\n",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_wrong_with_a_beginning_is_wrong_with_the_text(start in pieces(), rest in pieces()) {
        let text = Value::from(format!("{start}{rest}"));
        let start = Value::unknown(Type::String).assume_string_prefix(&start).unwrap();
        if text.as_str().unwrap().starts_with(start.range().prefix().unwrap_or_default())
            && call("yamldecode", start).is_err()
        {
            prop_assert!(call("yamldecode", text).is_err());
        } else if let Ok(value) = call("yamldecode", text) {
            // A key `<<` is written as in Terraform, and read as a merge.
            let text = encode(&value);
            prop_assert!(text.contains("<<") || decode(&text) == Ok(value), "{text:?}");
        }
    }
}

#[test]
fn what_nests_as_deep_as_it_can_fits_a_small_stack() {
    let deepest = || {
        let unknown = Value::unknown(Type::String);
        for (innermost, is_set) in [(Value::from("x"), false), (unknown.clone(), false), (unknown, true)] {
            let mut value = innermost;
            loop {
                let around = match (is_set, value.ty().depth() % 2) {
                    (true, _) => Value::set([value.clone()]),
                    (false, 0) => Value::tuple([value.clone()]),
                    (false, _) => Value::object([("a", value.clone())]),
                };
                let Ok(around) = around else { break };
                value = around;
            }
            assert!(value.ty().depth() > 250);
            let text = call("yamlencode", value.clone()).unwrap();
            assert!(text.range().prefix().is_some_and(|start| start.len() > 250));
            if let Ok(text) = text.as_str() {
                // The parser allows one level less of nesting.
                let read = decode(text);
                assert!(read == Ok(value) || read.is_err_and(|error| error.is_limit()));
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(deepest).unwrap();
    thread.join().unwrap();
}

#[test]
fn hostile_documents_are_errors_or_quick() {
    let n = 50_000;
    let limits = |result: Result<Value>| result.unwrap_err().is_limit();
    let bomb =
        (0..60).fold("- &a0 [x]\n".to_owned(), |text, i| text + &format!("- &a{} [*a{i}, *a{i}]\n", i + 1));
    let keys: String = (0..1000).map(|i| format!("k{i}: 1,")).collect();
    let merges = format!("b: &b {{{keys}}}\nc:\n{}", "  - <<: *b\n".repeat(1000));
    let lines: String = (0..800).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
    for text in [bomb, merges, "- ".repeat(n), "[".repeat(n), "{a: ".repeat(n), lines, "9".repeat(n)] {
        let shown = &text[..30];
        assert!(limits(decode(&text)), "{shown}");
        let begins = Value::unknown(Type::String).assume_string_prefix(&text).unwrap();
        let answer = call("yamldecode", begins);
        assert!(answer.as_ref().err().is_none_or(Error::is_limit), "{shown}: {answer:?}");
    }
    for text in ["? ", "?\n", ": ", "---\n", "! ", "\"\"\n", "%", "*a"] {
        assert!(decode(&text.repeat(n)).is_err(), "{text:?}");
    }
    for text in ["a\n", " #\n", "a", "\\"] {
        let _ = decode(&text.repeat(n));
    }
    let deep = (0..23).fold(Value::from("x"), |value, _| Value::tuple([value.clone(), value]).unwrap());
    assert!(limits(call("yamlencode", deep.clone())));
    let open = Value::tuple([deep, Value::unknown(Type::String)]).unwrap();
    let text = call("yamlencode", open).unwrap();
    assert!(text.range().prefix().is_some_and(|start| start.starts_with("- - - ")));
    // A set whose members are all long.
    let wide = (0..20).fold(Value::from("x"), |value, _| Value::tuple([value.clone(), value]).unwrap());
    let member =
        |i: usize| Value::tuple([Value::from(i), wide.clone(), Value::unknown(Type::String)]).unwrap();
    let set = Value::set((0..50).map(member)).unwrap();
    assert_eq!(call("yamlencode", set).unwrap().range().prefix(), Some("- "));
    let long = "word ".repeat(1_000_000);
    assert!(call("yamlencode", long).is_ok());
}
