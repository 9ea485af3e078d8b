//! The items of `cty` that are about functions.

use plantime::function::Functions;
use plantime::{LengthRange, Refinement, Result, Type, Value};

fn call(name: &str, arguments: &[Value]) -> Result<Value> {
    Functions::cty().get(name).unwrap().call(arguments)
}

fn unknown(ty: &str) -> Value {
    Value::unknown(ty.parse().unwrap())
}

fn number(text: &str) -> Value {
    Value::from(text.parse::<plantime::Number>().unwrap())
}

fn of_length(ty: &str, length: LengthRange) -> Value {
    Value::refined(ty.parse().unwrap(), Refinement::length(length)).unwrap()
}

#[test]
fn b4_a_product_with_what_may_be_empty_may_be_empty() {
    let ends = LengthRange::new(0, Some(3)).unwrap();
    let other = Value::tuple(["a", "b"]).unwrap();
    for ty in ["list(string)", "set(string)"] {
        let maybe = of_length(ty, ends).assume_not_null().unwrap();
        for arguments in [[maybe.clone(), other.clone()], [other.clone(), maybe]] {
            let length = call("setproduct", &arguments).unwrap().range().length_range().unwrap();
            assert_eq!((length.lower(), length.upper()), (0, Some(6)), "{ty}");
        }
    }
}

#[test]
fn b10_a_reversed_set_can_be_shorter_than_it_looks() {
    let set = Value::set([Value::from("a"), Value::unknown(Type::String)]).unwrap();
    let length = call("reverselist", &[set]).unwrap().range().length_range().unwrap();
    assert_eq!((length.lower(), length.upper()), (1, Some(2)));
}

#[test]
fn b11_a_null_object_has_no_attributes_to_merge() {
    let maybe = unknown("object({a = string, b = string})");
    let merged = call("merge", &[maybe]).unwrap();
    let null = call("merge", &[Value::null("object({a = string, b = string})".parse().unwrap())]).unwrap();
    assert!(merged.ty().covers(&null.ty()), "{merged:?} leaves out {null:?}");
}

#[test]
fn a_slice_of_an_unknown_empty_list_is_no_panic() {
    let empty = of_length("list(string)", LengthRange::exactly(0));
    let of = |list| call("slice", &[list, Value::unknown(Type::Number), Value::unknown(Type::Number)]);
    let sliced = of(empty).unwrap();
    assert_eq!(sliced.ty().to_string(), "list(string)");
    assert!(sliced.range().is_not_null());
}

#[test]
fn set_functions_take_what_is_of_undecided_type() {
    let set = Value::set(["a"]).unwrap();
    for name in ["setunion", "setintersection", "setsubtract", "setsymmetricdifference"] {
        for arguments in [[set.clone(), Value::dynamic()], [Value::dynamic(), set.clone()]] {
            assert!(!call(name, &arguments).unwrap().is_wholly_known(), "{name}");
        }
    }
}

#[test]
fn a_set_is_nothing_to_merge() {
    for member in [Value::unknown(Type::String), Value::from("a")] {
        let set = Value::set([member]).unwrap();
        let error = call("merge", &[Value::null(Type::Dynamic), set]).unwrap_err();
        assert!(error.message().starts_with("arguments must be maps or objects"), "{error}");
    }
}

#[test]
fn what_panics_there_is_an_error_or_has_a_result() {
    let null_key = Value::list([Value::null(Type::String)]).unwrap();
    assert!(call("zipmap", &[null_key, Value::list([1]).unwrap()]).is_err());
    assert!(call("indent", &[Value::from(-1), Value::from("a\nb")]).is_err());
    assert!(call("log", &[Value::from(-1), Value::from(2)]).is_err());
    assert!(call("pow", &[Value::from(-1), number("0.5")]).is_err());
    let infinity = Value::from(plantime::Number::INFINITY);
    assert_eq!(call("int", std::slice::from_ref(&infinity)), Ok(infinity));
}

#[test]
fn a_range_with_a_step_of_zero_is_told_so() {
    for zero in [Value::from(0), number("0.0"), number("0e5")] {
        let error = call("range", &[Value::from(1), Value::from(3), zero]).unwrap_err();
        assert!(error.message().contains("step"), "{error}");
    }
}

#[test]
fn an_error_counts_arguments_from_the_beginning_of_the_call() {
    let error = call("max", &[Value::from(1), Value::from(2), Value::from("a")]).unwrap_err();
    assert_eq!(error.argument(), Some(2));
    let parts = [Value::from(","), Value::list(["a"]).unwrap(), Value::from(true)];
    assert_eq!(call("join", &parts).unwrap_err().argument(), Some(2));
}

#[test]
fn every_number_has_a_sign() {
    assert_eq!(call("signum", &[number("1.5")]), Ok(Value::from(1)));
    assert_eq!(call("signum", &[number("-0.5")]), Ok(Value::from(-1)));
}

#[test]
fn a_part_of_length_zero() {
    let of = |offset: i64| call("substr", &[Value::from("hello"), Value::from(offset), Value::from(0)]);
    assert_eq!(of(2), Ok(Value::from("")));
    // From the end it is the rest, as there: configurations rely on it.
    assert_eq!(of(-2), Ok(Value::from("lo")));
}

#[track_caller]
fn refused(name: &str, arguments: &[&str], message: &str) {
    let arguments: Vec<Value> = arguments.iter().map(|&argument| argument.into()).collect();
    let error = Functions::standard().call(name, &arguments).unwrap_err();
    assert_eq!(error.message(), message, "{arguments:?}");
}

/// A minute or an offset that is too large was told in other words, and so was what follows a time.
#[test]
fn a_time_is_refused_in_the_words_of_cty() {
    for (time, why) in [
        ("2024-02-29T13:60:09Z", "minute must have exactly two digits"),
        ("2024-02-29T13:6", "minute must have exactly two digits"),
        ("2024-02-29T13:ab", "cannot use \"ab\" as minute"),
        ("2024-02-29T24:00:00Z", "hour must be between 0 and 23 inclusive"),
        ("2024-02-29T1:05:09Z", "hour must have exactly two digits"),
        ("2024-02-29T13:05:09+25:00", "end of string before UTC offset"),
        ("2024-02-29T13:05:09+24:00", "cannot use \"+24:00\" as UTC offset"),
        ("2024-02-29T13:05:09Z!", "cannot use \"!\" as timestamp segment"),
    ] {
        let message = format!("not a valid RFC3339 timestamp: {why}");
        refused("timeadd", &[time, "1h"], &message);
        refused("formatdate", &["YYYY", time], &message);
    }
}

#[test]
fn a_quote_in_the_middle_of_a_field_is_refused_in_the_words_of_go() {
    refused("csvdecode", &["a\nb\"c\n"], "CSV parse error on line 2: bare \" in non-quoted-field");
}

/// A joiner of no width was written as `\u{200d}`, and where a text was quoted as itself, which nobody sees.
#[test]
fn what_cannot_be_seen_is_escaped_in_errors_of_functions() {
    refused("format", &["%\u{200d}"], "unrecognized format character '\\u200d' at offset 1");
    refused("csvdecode", &["a\u{200d},a\u{200d}\n"], "duplicate column name \"a\\u200d\"");
    refused(
        "formatdate",
        &["YYYY", "2024\u{a0}"],
        "not a valid RFC3339 timestamp: found \"\\u00a0\" where \"-\" is expected",
    );
}

/// The list is of an undecided type for ever, and yet each text is known.
#[test]
fn nulls_of_no_type_in_a_list_are_written() {
    let null = || Value::null(Type::Dynamic);
    let nulls = Value::list([null(), null()]).unwrap();
    let texts = call("formatlist", &["%v %v".into(), null(), nulls.clone()]);
    assert_eq!(texts, Value::list(["null null", "null null"]));
    assert_eq!(call("format", &["%v".into(), nulls]), Ok(Value::from("[null,null]")));
    let partial = Value::tuple([Value::from(1), unknown("string")]).unwrap();
    let text = call("format", &["is %v".into(), partial]).unwrap();
    assert_eq!(text.range().prefix(), Some("is [1,"));
}

/// What all have in common with a text is a text or nothing: the first one was forgotten beside a null of no type.
#[test]
fn the_first_text_stays_whatever_the_undecided_others_become() {
    let (undecided, null) = (Value::dynamic(), Value::null(Type::Dynamic));
    let first = |arguments: [Value; 3]| call("coalesce", &arguments);
    assert_eq!(first(["a".into(), undecided.clone(), null.clone()]), Ok("a".into()));
    assert_eq!(first([null.clone(), "a".into(), undecided.clone()]), Ok("a".into()));
    assert_eq!(first([null.clone(), undecided.clone(), "a".into()]), Ok(Value::dynamic()));
    // An empty text is passed over if the others are texts.
    let of_languages = Functions::standard().call("coalesce", &["".into(), undecided, null]);
    assert_eq!(of_languages, Ok(Value::dynamic()));
}

/// What was certain of each verb was kept, however often it came.
#[test]
fn what_is_certain_of_texts_that_are_not_known_counts_to_the_limit() {
    let long = Value::from("a".repeat(1 << 20));
    let open = Value::tuple([long.clone(), unknown("string")]).unwrap();
    let format = |verb: &str| Value::from(verb.repeat(10_000));
    assert!(call("format", &[format("%[1]v"), open.clone()]).unwrap_err().is_limit());
    assert!(call("format", &[format("%9[1]v"), open]).unwrap_err().is_limit());
    let unknown = Value::refined(Type::String, Refinement::prefix("ami-").and_not_null()).unwrap();
    assert!(call("format", &[format("%[1]s%[2]s"), long, unknown]).unwrap_err().is_limit());
}
