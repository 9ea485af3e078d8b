use super::*;
use crate::error::Error;
use crate::number::Number;
use crate::types::Type;
use crate::value::Value;

#[track_caller]
fn fails(text: &str) -> Error {
    from_slice(text.as_bytes()).unwrap_err()
}

#[test]
fn types_are_implied() {
    let value = from_slice(br#" {"b": [1, "x", null, true], "a": {}} "#).unwrap();
    assert_eq!(
        value.ty().to_string(),
        "object({a = object({}), b = tuple([number, string, dynamic, bool])})"
    );
    assert_eq!(value.to_string(), r#"{a = {}, b = [1, "x", null, true]}"#);
}

#[test]
fn numbers_keep_every_digit() {
    for digits in ["18446744073709551617", "0.1", "1.0000000000000000000000001", "-12e3", "1E400", "-0"] {
        let value = from_slice(digits.as_bytes()).unwrap();
        assert_eq!(value, Value::from(digits.parse::<Number>().unwrap()), "{digits}");
    }
    assert!(fails("1e9999999").is_limit());
}

#[test]
fn strings_are_decoded_and_normalised() {
    let value = from_slice(br#""a\"\\\/\b\f\n\r\t\u00e9 \ud83d\ude80 \ud800 e\u0301""#).unwrap();
    assert_eq!(value, Value::from("a\"\\/\u{8}\u{c}\n\r\té 🚀 \u{fffd} é"));
    assert_eq!(from_slice(br#""\ud800\u0041""#).unwrap(), Value::from("\u{fffd}A"));
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    for (text, message) in [
        ("", "not JSON: a value expected, but the text ends at line 1 column 1"),
        ("{\n  \"a\": 1,\n}", "not JSON: a comma before a closing bracket at line 3 column 1"),
        ("[1 2]", "not JSON: \",\" or \"]\" expected, but found '2' at line 1 column 4"),
        ("[1] x", "extraneous data after the JSON value at line 1 column 5"),
        ("\"a\u{1}\"", "not JSON: a control character in a string at line 1 column 3"),
        ("\"a", "not JSON: the text ends inside a string at line 1 column 3"),
        ("\"\\x\"", "not JSON: no such escape in a string at line 1 column 3"),
        ("01", "extraneous data after the JSON value at line 1 column 2"),
        ("-", "not JSON: a digit expected, but the text ends at line 1 column 2"),
        ("nul", "not JSON: null expected at line 1 column 1"),
        ("{1: 2}", "not JSON: a property name expected, but found '1' at line 1 column 2"),
    ] {
        let error = fails(text);
        assert!(error.is_syntax(), "{text:?}: {error:?}");
        assert_eq!(error.to_string(), message, "{text:?}");
    }
    let error = fails(r#"{"a": [1, {"b": tru}]}"#);
    assert_eq!(error.to_string(), "a[1].b: not JSON: true expected at line 1 column 17");
    let error = from_slice(b"[\"a\xff\"]").unwrap_err();
    assert_eq!(error.to_string(), "not JSON: invalid UTF-8 at line 1 column 4");
    assert!(from_slice(&[0xff, 0xfe, b'{', 0]).unwrap_err().to_string().contains("UTF-16"));
}

#[test]
fn a_property_that_comes_twice_is_refused() {
    for text in [r#"{"a": 1, "a": 1}"#, r#"{"a": 1, "b": 2, "\u0061": 1}"#, "{\"é\": 1, \"e\u{301}\": 1}"] {
        assert!(fails(text).to_string().starts_with("duplicate"), "{text}");
    }
    let map = Type::map(Type::Number).unwrap();
    let object: Type = "object({a = number})".parse().unwrap();
    for ty in [map, object] {
        let error = from_slice_as(br#"{"a": 1, "a": 1}"#, &ty).unwrap_err();
        assert!(error.to_string().starts_with("duplicate \"a\""), "{error}");
    }
}

#[test]
fn nesting_is_limited_everywhere() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let test = move || {
        assert!(from_slice(deep(256).as_bytes()).is_ok());
        assert!(from_slice(deep(257).as_bytes()).unwrap_err().is_limit());
        let open = "[".repeat(1_000_000);
        assert!(from_slice(open.as_bytes()).unwrap_err().is_limit());
        let objects = r#"{"a":"#.repeat(257);
        assert!(from_slice(objects.as_bytes()).unwrap_err().is_limit());
        let mut ty = Type::Bool;
        for _ in 0..256 {
            ty = Type::list(ty).unwrap();
        }
        assert!(from_slice_as(deep(256).as_bytes(), &ty).is_ok());
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
}

#[test]
fn types_guide_the_reading() {
    let ty: Type = "object({b = bool, l = list(number), m = map(string), n = number, s = set(string), t = tuple([string, bool])})"
        .parse()
        .unwrap();
    let text = br#"{"s": ["b", "a", "b"], "l": [1, "2"], "n": "3", "m": {"z": 5.0e1, "a": true}, "t": ["x", "true"]}"#;
    let value = from_slice_as(text, &ty).unwrap();
    assert_eq!(value.ty(), ty);
    assert_eq!(
        value.to_string(),
        r#"{b = null, l = [1, 2], m = {"a" = "true", "z" = "5.0e1"}, n = 3, s = toset(["a", "b"]), t = ["x", true]}"#
    );
    for (text, ty, message) in [
        (r#"{"c": 1}"#, "object({b = bool})", "unsupported attribute \"c\" at line 1 column 6"),
        ("[1]", "tuple([number, number])", "not enough tuple elements (need 2) at line 1 column 4"),
        ("[1, 2]", "tuple([number])", "too many tuple elements (need 1) at line 1 column 5"),
        ("[true]", "list(number)", "[0]: number required, but have bool at line 1 column 2"),
        (r#""x""#, "number", "a number is required at line 1 column 4"),
        ("{}", "list(bool)", "array required, but have object at line 1 column 1"),
    ] {
        let error = from_slice_as(text.as_bytes(), &ty.parse().unwrap()).unwrap_err();
        assert!(error.is_type_mismatch(), "{text}: {error:?}");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_dynamic_value_names_its_type() {
    let read = |text: &str| from_slice_as(text.as_bytes(), &Type::Dynamic);
    let list = Value::list([1, 2]).unwrap();
    assert_eq!(read(r#"{"type": ["list", "number"], "value": [1, 2]}"#).unwrap(), list);
    assert_eq!(read(r#"{"value": [1, 2], "type": ["list", "number"]}"#).unwrap(), list);
    assert_eq!(read(r#"{"value": null, "type": "string"}"#).unwrap(), Value::null(Type::String));
    assert_eq!(read("null").unwrap(), Value::null(Type::Dynamic));
    for (text, message) in [
        (r#"{"value": 1}"#, "missing type in dynamically-typed value"),
        (r#"{"type": "bool"}"#, "missing value in dynamically-typed value"),
        (r#"{"type": "bool", "x": 1}"#, "invalid key \"x\" in dynamically-typed value"),
        ("1", "an object with type and value required, but have number"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn serde_json_values_go_both_ways() {
    let text = r#"{"a":[1,2.5,-3,"x",null],"b":{"c":true},"n":18446744073709551615}"#;
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    let value = Value::try_from(&json).unwrap();
    assert_eq!(value, from_slice(text.as_bytes()).unwrap());
    assert_eq!(serde_json::Value::try_from(&value).unwrap(), json);

    let unknown = Value::object([("a", Value::tuple([Value::unknown(Type::Bool)]).unwrap())]).unwrap();
    let error = serde_json::Value::try_from(&unknown).unwrap_err();
    assert!(error.is_unknown());
    assert_eq!(error.path().to_string(), "a[0]");
    let marked = Value::tuple([Value::from("secret").mark(crate::Mark::SENSITIVE)]).unwrap();
    let error = serde_json::Value::try_from(&marked).unwrap_err();
    assert!(error.is_marked());
    assert!(!error.to_string().contains("secret"));
    assert!(serde_json::Value::try_from(&Value::from(Number::INFINITY)).unwrap_err().is_argument());
    let set = Value::set(["b", "a"]).unwrap();
    assert_eq!(serde_json::Value::try_from(&set).unwrap(), serde_json::json!(["a", "b"]));
}

#[test]
fn values_are_written_as_cty_writes_them() {
    let written = |value: &Value, ty: &str| {
        to_vec_as(value, &ty.parse().unwrap()).map(|text| String::from_utf8(text).unwrap())
    };
    let number = |text: &str| Value::from(text.parse::<Number>().unwrap());
    for (value, ty, text) in [
        (
            Value::from("<&>\u{2028}\u{2029}\u{7f}\u{1}\u{8}\u{c}\n\r\t\"\\/€☃"),
            "string",
            r#""\u003c\u0026\u003e\u2028\u2029"#.to_owned() + "\u{7f}" + r#"\u0001\b\f\n\r\t\"\\/€☃""#,
        ),
        (number("1e30"), "number", format!("1{}", "0".repeat(30))),
        (number("-0.05"), "number", "-0.05".to_owned()),
        (number("-12.5"), "number", "-12.5".to_owned()),
        (number("0.50"), "number", "0.5".to_owned()),
        (number("-9223372036854775808"), "number", "-9223372036854775808".to_owned()),
        (
            number("1.00000000000000000000000000000001"),
            "number",
            "1.00000000000000000000000000000001".to_owned(),
        ),
        (Value::from(5), "string", r#""5""#.to_owned()),
        (Value::null(Type::String), "any", r#"{"value":null,"type":"string"}"#.to_owned()),
        (Value::null(Type::Dynamic), "any", "null".to_owned()),
        (Value::set([10, 9, -1]).unwrap(), "set(number)", "[-1,9,10]".to_owned()),
        (Value::object([("b", 1), ("a", 2)]).unwrap(), "map(string)", r#"{"a":"2","b":"1"}"#.to_owned()),
    ] {
        assert_eq!(written(&value, ty).unwrap(), text);
        assert_eq!(
            from_slice_as(text.as_bytes(), &ty.parse().unwrap()).unwrap(),
            crate::convert(&value, &ty.parse().unwrap()).unwrap()
        );
    }
    let error = written(&Value::tuple([Value::from("secret").mark(crate::Mark::SENSITIVE)]).unwrap(), "any")
        .unwrap_err();
    assert!(error.is_marked() && !error.to_string().contains("secret"));
    assert_eq!(error.to_string(), "[0]: value has marks, so it cannot be serialized as JSON");
    let error = written(&Value::object([("a", Value::dynamic())]).unwrap(), "map(string)").unwrap_err();
    assert_eq!(error.to_string(), "[\"a\"]: value is not known");
    assert!(written(&Value::from(Number::INFINITY), "number").unwrap_err().is_argument());
    assert!(written(&Value::from("x"), "number").unwrap_err().to_string().contains("a number is required"));
}

#[test]
fn a_writer_gets_the_same_text_in_pieces() {
    struct Pieces(Vec<usize>, Vec<u8>);
    impl std::io::Write for Pieces {
        fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
            self.0.push(piece.len());
            self.1.extend_from_slice(piece);
            Ok(piece.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let value = Value::list(vec!["x".repeat(100); 3000]).unwrap();
    let mut pieces = Pieces(Vec::new(), Vec::new());
    to_writer(&mut pieces, &value).unwrap();
    assert_eq!(pieces.1, to_vec(&value).unwrap());
    assert!(pieces.0.len() > 3 && pieces.0.iter().all(|piece| *piece < 70_000));
    let error = to_writer(Full, &value).unwrap_err();
    assert!(error.is_io());
    assert_eq!(error.to_string(), "cannot write: the disk is full");
}

#[test]
fn a_text_that_is_too_long_blames_no_part() {
    let nested =
        Value::tuple([Value::tuple([Value::tuple(["a".repeat(100), "b".into()]).unwrap()]).unwrap()])
            .unwrap();
    let error = super::writer::Writer::with_max_len(50).write(&nested, &nested.ty()).unwrap_err();
    assert!(error.is_limit());
    assert_eq!(error.to_string(), "the text would have more than 50 bytes");
}

#[test]
fn the_lenient_reading_takes_what_cty_takes() {
    let map: Type = "map(string)".parse().unwrap();
    let object: Type = "object({a = string, b = number})".parse().unwrap();
    for (text, ty, value) in [
        (b"{\"a\":1,\"b\":\"x\",\"a\":\"2\"} [", &map, Value::map([("a", "2"), ("b", "x")]).unwrap()),
        (
            b"{\"b\":1,\"a\":2,\"b\":3}",
            &object,
            Value::object([("a", Value::from("2")), ("b", Value::from(3))]).unwrap(),
        ),
        (b"0x10", &Type::Number, Value::from(0)),
        (b"\"\xed\xa0\x80\"", &Type::String, Value::from("\u{fffd}\u{fffd}\u{fffd}")),
        (
            br#"{"type":["object",{"a":"bool"},["a"]],"value":{}}"#,
            &Type::Dynamic,
            Value::object([("a", Value::null(Type::Bool))]).unwrap(),
        ),
    ] as [(&[u8], &Type, Value); 5]
    {
        assert_eq!(lenient::from_slice_as(text, ty).unwrap(), value);
        assert!(from_slice_as(text, ty).unwrap_err().is_syntax());
    }
    for (text, value) in [
        (r#"{"a":1,"b":2,"a":3}"#, Value::object([("a", 3), ("b", 2)]).unwrap()),
        (r#"[1]] and more"#, Value::tuple([1]).unwrap()),
    ] {
        assert_eq!(lenient::from_slice(text.as_bytes()).unwrap(), value);
        assert_eq!(lenient::implied_type(text.as_bytes()).unwrap(), value.ty());
        assert!(from_slice(text.as_bytes()).unwrap_err().is_syntax());
    }
    for text in [r#"{"a":1,"a":"x"}"#, "1 2", "\u{feff}1"] {
        assert!(lenient::from_slice(text.as_bytes()).unwrap_err().is_syntax(), "{text}");
    }
    // Too few elements are too few here too.
    assert!(lenient::from_slice_as(b"[]", &"tuple([bool])".parse().unwrap()).unwrap_err().is_type_mismatch());
}

#[test]
fn elements_of_an_undecided_type_agree() {
    let read = |text: &str, ty: &str| from_slice_as(text.as_bytes(), &ty.parse().unwrap());
    let number = |n: u32| format!(r#"{{"value":{n},"type":"number"}}"#);
    let list = read(&format!("[null,{},{}]", number(1), number(2)), "list(any)").unwrap();
    let null = Value::null(Type::Number);
    assert_eq!(list, Value::list([null.clone(), 1.into(), 2.into()]).unwrap());
    let set = read(&format!("[{},{}]", number(1), number(1)), "set(any)").unwrap();
    assert_eq!(set, Value::set([1]).unwrap());
    let map = read(&format!(r#"{{"b":null,"a":{}}}"#, number(1)), "map(any)").unwrap();
    assert_eq!(map, Value::map([("a", Value::from(1)), ("b", null)]).unwrap());
    let objects =
        read(&format!(r#"[{{"a":null}},{{"a":{}}}]"#, number(1)), "list(object({a = any}))").unwrap();
    assert_eq!(objects.ty().to_string(), "list(object({a = number}))");
    for open in ["[null]", "[]"] {
        let value = read(open, "list(any)").unwrap();
        assert_eq!(to_vec_as(&value, &"list(any)".parse().unwrap()).unwrap(), open.as_bytes());
    }
    let error =
        read(&format!(r#"[{},{{"value":"x","type":"string"}}]"#, number(1)), "list(any)").unwrap_err();
    assert!(error.is_type_mismatch());
    assert!(error.to_string().starts_with(
        "all elements of a collection must have the same type: number required, but have string"
    ));
}

#[test]
fn a_small_text_is_a_small_value() {
    let text = format!("[{}1]", "1e8000,".repeat(1000));
    assert!(from_slice(text.as_bytes()).unwrap_err().is_limit());
    assert!(from_slice_as(text.as_bytes(), &"list(number)".parse().unwrap()).unwrap_err().is_limit());
    let text = format!("[{}1]", "\"1e8000\",".repeat(1000));
    assert!(from_slice_as(text.as_bytes(), &"set(number)".parse().unwrap()).unwrap_err().is_limit());
    // What doubles hold is not out of proportion.
    let text = format!("[{}1]", "1e308,".repeat(10_000));
    assert!(from_slice(text.as_bytes()).is_ok());

    let attributes =
        |count: usize| (0..count).map(|i| format!("\"a{i}\":\"bool\"")).collect::<Vec<_>>().join(",");
    let sparse = |count: usize, objects: usize| {
        let objects = vec!["{}"; objects].join(",");
        format!(r#"{{"value":[{objects}],"type":["list",["object",{{{}}}]]}}"#, attributes(count))
    };
    let read = |text: &str| from_slice_as(text.as_bytes(), &Type::Dynamic);
    assert!(read(&sparse(100, 100)).is_ok());
    assert_eq!(
        read(&sparse(1000, 1000)).unwrap_err().message().split(" at ").next(),
        Some("too many attributes are left out of objects")
    );
    // A type that is given is the caller's own.
    let Some(Type::List(ty)) = read(&sparse(1000, 1)).ok().map(|value| value.ty()) else { unreachable!() };
    let text = format!("[{}]", vec!["{}"; 1000].join(","));
    assert!(from_slice_as(text.as_bytes(), &Type::List(ty)).is_ok());
}

#[test]
fn contents_that_nest_are_passed_over_once() {
    let levels = 200;
    let mut text = "1".to_owned();
    let mut ty = "number".to_owned();
    for _ in 0..levels {
        text = format!(r#"{{"value":{text},"type":"{ty}"}}"#);
        ty = "dynamic".to_owned();
    }
    assert_eq!(from_slice_as(text.as_bytes(), &Type::Dynamic).unwrap(), Value::from(1));
    // A hundred thousand contents below two hundred levels: moments, where each level passing over all below takes minutes.
    let wide = format!("[{}]", vec![r#"{"value":1,"type":"number"}"#; 100_000].join(","));
    let mut text = format!(r#"{{"value":{wide},"type":["list","dynamic"]}}"#);
    for _ in 0..levels {
        text = format!(r#"{{"value":{text},"type":"dynamic"}}"#);
    }
    assert_eq!(
        from_slice_as(text.as_bytes(), &Type::Dynamic).unwrap().length().unwrap(),
        Value::from(100_000)
    );
}
