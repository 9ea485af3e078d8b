use super::*;
use crate::mark::Mark;
use crate::refinement::{Bound, LengthRange, NumberRange, Refinement};

fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

#[track_caller]
fn writes(value: &Value, ty: &Type, bytes: &[u8]) {
    assert_eq!(to_vec(value, ty).unwrap(), bytes, "{value}");
    assert_eq!(from_slice(bytes, ty).unwrap(), *value, "{value}");
    let mut written = Vec::new();
    to_writer(&mut written, value, ty).unwrap();
    assert_eq!(written, bytes);
}

#[track_caller]
fn refused(bytes: &[u8], ty: &Type) -> crate::Error {
    from_slice(bytes, ty).unwrap_err()
}

fn decimal(text: &str) -> Value {
    Value::from(text.parse::<crate::Number>().unwrap())
}

#[test]
fn numbers_take_the_shortest_exact_form() {
    for (text, bytes) in [
        ("0", &b"\x00"[..]),
        ("127", b"\x7f"),
        ("128", b"\xcc\x80"),
        ("256", b"\xcd\x01\x00"),
        ("65536", b"\xce\x00\x01\x00\x00"),
        ("4294967296", b"\xcf\x00\x00\x00\x01\x00\x00\x00\x00"),
        ("9223372036854775807", b"\xcf\x7f\xff\xff\xff\xff\xff\xff\xff"),
        ("9223372036854775808", b"\xb39223372036854775808"),
        ("-1", b"\xff"),
        ("-32", b"\xe0"),
        ("-33", b"\xd0\xdf"),
        ("-129", b"\xd1\xff\x7f"),
        ("-32769", b"\xd2\xff\xff\x7f\xff"),
        ("-9223372036854775808", b"\xd3\x80\x00\x00\x00\x00\x00\x00\x00"),
        ("1.5", b"\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"),
        ("-0.75", b"\xcb\xbf\xe8\x00\x00\x00\x00\x00\x00"),
        ("0.1", b"\xa30.1"),
        (
            "0.1000000000000000055511151231257827021181583404541015625",
            b"\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a",
        ),
        ("inf", b"\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"),
        ("-inf", b"\xcb\xff\xf0\x00\x00\x00\x00\x00\x00"),
    ] {
        writes(&decimal(text), &Type::Number, bytes);
    }
}

#[test]
fn a_float_is_read_to_the_last_digit_and_written_again() {
    for bits in
        [1, 0x000f_ffff_ffff_ffff, 0x0010_0000_0000_0000, 0x3fb9_9999_9999_999a, 0x3e10_0000_0000_0001]
    {
        for bits in [bits, bits | 1 << 63] {
            let mut bytes = vec![0xcb];
            bytes.extend_from_slice(&u64::to_be_bytes(bits));
            let value = from_slice(&bytes, &Type::Number).unwrap();
            assert_eq!(to_vec(&value, &Type::Number).unwrap(), bytes, "{value}");
        }
    }
    let largest = from_slice(b"\xcb\x7f\xef\xff\xff\xff\xff\xff\xff", &Type::Number).unwrap();
    let largest = largest.as_number().unwrap();
    assert!(largest.is_integer() && largest.to_string().ends_with("124858368"), "{largest}");
    assert_eq!(largest.to_f64().to_bits(), f64::MAX.to_bits());
    assert_eq!(from_slice(b"\xca\x3f\x80\x00\x00", &Type::Number).unwrap(), Value::from(1));
    assert_eq!(from_slice(b"\xcb\x80\x00\x00\x00\x00\x00\x00\x00", &Type::Number).unwrap(), Value::from(0));
    assert!(refused(b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00", &Type::Number).is_type_mismatch());
}

#[test]
fn what_is_known_of_an_unknown_is_written() {
    let refined = |ty: &str, refinement: Refinement| Value::refined(self::ty(ty), refinement).unwrap();
    let open = Bound::Exclusive(1.into());
    for (ty, refinement, bytes) in [
        ("bool", Refinement::not_null(), &b"\xc7\x03\x0c\x81\x01\xc2"[..]),
        ("string", Refinement::prefix("ami-"), b"\xc7\x07\x0c\x81\x02\xa4ami-"),
        (
            "number",
            Refinement::number(NumberRange::new(open, Bound::Unbounded).unwrap()),
            b"\xc7\x05\x0c\x81\x03\x92\x01\xc2",
        ),
        ("list(bool)", Refinement::length(LengthRange::at_most(300)), b"\xc7\x05\x0c\x81\x06\xcd\x01\x2c"),
        (
            "set(string)",
            Refinement::length(LengthRange::new(1, Some(5)).unwrap()).and_not_null(),
            b"\xc7\x07\x0c\x83\x01\xc2\x05\x01\x06\x05",
        ),
        ("object({a = bool})", Refinement::not_null(), b"\xc7\x03\x0c\x81\x01\xc2"),
    ] {
        writes(&refined(ty, refinement), &self::ty(ty), bytes);
    }
}

#[test]
fn what_the_wire_has_no_place_for_is_left_out() {
    let written = |ty: &str, refinement: Refinement| {
        let value = Value::refined(self::ty(ty), refinement).unwrap();
        let bytes = to_vec(&value, &self::ty(ty)).unwrap();
        from_slice(&bytes, &self::ty(ty)).unwrap()
    };
    // A prefix of more than 256 bytes: 255, from which the last cluster goes unless it is a delimiter.
    for (text, kept) in [("a", 254), ("-", 255), ("\u{e9}", 252), ("\u{4e00}", 252)] {
        let prefix = text.repeat(300);
        let value = written("string", Refinement::prefix(&prefix));
        assert_eq!(value.range().prefix().map(str::len), Some(kept), "{text}");
    }
    // An end of more than 1,000 digits; the other one stays.
    let long = format!("-{}", "7".repeat(1100)).parse::<crate::Number>().unwrap();
    let range = NumberRange::new(Bound::Inclusive(long), Bound::Inclusive(5.into())).unwrap();
    let value = written("number", Refinement::number(range));
    assert_eq!(value, Value::refined(Type::Number, Refinement::number_at_most(5)).unwrap());
    let finite = NumberRange::below(crate::Number::INFINITY).unwrap();
    assert_eq!(written("number", Refinement::number(finite)), Value::unknown(Type::Number));
    assert_eq!(
        written("map(bool)", Refinement::length(LengthRange::at_most(u64::MAX - 1))),
        Value::unknown(ty("map(bool)"))
    );
    assert_eq!(written("list(any)", Refinement::null()), Value::unknown(ty("list(any)")));
}

#[test]
fn a_type_that_is_open_is_written() {
    let list = Value::list([Value::from("a"), Value::unknown(Type::String)]).unwrap();
    writes(&list, &Type::Dynamic, b"\x92\xc4\x11[\"list\",\"string\"]\x92\xa1a\xd4\x00\x00");
    writes(&list, &ty("list(any)"), b"\x92\x92\xc4\x08\"string\"\xa1a\x92\xc4\x08\"string\"\xd4\x00\x00");
    writes(&Value::dynamic(), &Type::Dynamic, b"\xd4\x00\x00");
    writes(&Value::null(Type::Dynamic), &Type::Dynamic, b"\xc0");
    writes(&Value::null(Type::Bool), &Type::Dynamic, b"\x92\xc4\x06\"bool\"\xc0");
}

#[test]
fn elements_of_undecided_type_decide_together() {
    let object = |a: Value| Value::object([("a", a)]).unwrap();
    let unknown = Value::unknown(ty("object({a = string})"));
    let list = Value::list([object("x".into()), unknown.clone()]).unwrap();
    let open = ty("list(object({a = any}))");
    let bytes = to_vec(&list, &open).unwrap();
    assert_eq!(bytes, b"\x92\x81\xa1a\x92\xc4\x08\"string\"\xa1x\xd4\x00\x00");
    assert_eq!(from_slice(&bytes, &open).unwrap(), list);
    // One that is open, and nulls, take the type of the others.
    let mixed = from_slice(b"\x93\xd4\x00\x00\xc0\x92\xc4\x08\"string\"\xa1x", &ty("list(any)")).unwrap();
    let strings = [Value::unknown(Type::String), Value::null(Type::String), "x".into()];
    assert_eq!(mixed, Value::list(strings).unwrap());
    let error = refused(b"\x92\x92\xc4\x08\"string\"\xa1x\x92\xc4\x06\"bool\"\xc3", &ty("list(any)"));
    assert!(error.is_type_mismatch() && error.path().to_string() == "[1]", "{error}");
}

#[test]
fn marked_values_are_refused_with_their_path() {
    let value =
        Value::object([("a", Value::list([Value::from("s").mark(Mark::SENSITIVE)]).unwrap())]).unwrap();
    let error = to_vec(&value, &value.ty()).unwrap_err();
    assert!(error.is_marked(), "{error}");
    assert_eq!(error.to_string(), "a[0]: value has marks, so it cannot be serialized");
}

#[test]
fn keys_that_come_twice_are_refused() {
    let map = ty("map(bool)");
    assert!(refused(b"\x82\xa1a\xc2\xa1a\xc3", &map).is_syntax());
    let lenient = lenient::from_slice(b"\x82\xa1a\xc2\xa1a\xc3", &map).unwrap();
    assert_eq!(lenient, Value::map([("a", true)]).unwrap());
    let pair = ty("object({a = bool, b = bool})");
    assert!(refused(b"\x82\xa1a\xc2\xa1a\xc3", &pair).is_syntax());
    assert!(lenient::from_slice(b"\x82\xa1a\xc2\xa1a\xc3", &pair).is_err());
    assert!(implied_type(b"\x82\xa1a\xc2\xa1a\xc3").unwrap_err().is_syntax());
    // The later one counts, as in cty.
    assert_eq!(
        lenient::implied_type(b"\x83\xa1b\x01\xa1a\xc2\xa1a\xa1x"),
        Ok(ty("object({a = string, b = number})"))
    );
    assert!(lenient::implied_type(b"\x80\x80").unwrap_err().is_syntax());
    // In any other order they are all there.
    let value = Value::object([("a", true), ("b", false)]).unwrap();
    assert_eq!(from_slice(b"\x82\xa1b\xc2\xa1a\xc3", &pair).unwrap(), value);
}

#[test]
fn a_type_with_optional_attributes_is_read_as_one_without_where_that_is_asked_for() {
    let json = r#"["object",{"a":"string"},["a"]]"#;
    let dynamic = |content: &[u8]| [b"\x92\xd9\x1f", json.as_bytes(), content].concat();
    let read = |content: &[u8]| lenient::from_slice(&dynamic(content), &Type::Dynamic).unwrap();
    let error = refused(&dynamic(b"\x81\xa1a\xa1x"), &Type::Dynamic);
    assert_eq!(error.message(), "a type has no optional attributes");
    assert_eq!(read(b"\x81\xa1a\xa1x"), Value::object([("a", "x")]).unwrap());
    assert_eq!(read(b"\xc0"), Value::null(ty("object({a = string})")));
    assert_eq!(read(b"\xd4\x00\x00"), Value::unknown(ty("object({a = string})")));
}

#[test]
fn refinements_that_leave_nothing_are_refused() {
    for (bytes, ty) in [
        (&b"\xc7\x05\x0c\x82\x05\x05\x06\x01"[..], "list(bool)"),
        (b"\xc7\x05\x0c\x81\x06\xff", "list(bool)"),
        (b"\xc7\x09\x0c\x82\x03\x92\x06\xc3\x04\x92\x05\xc3", "number"),
        (b"\xc7\x09\x0c\x82\x03\x92\x05\xc2\x04\x92\x05\xc2", "number"),
        (b"\xc7\x05\x0c\x82\x01\xc2\x01\xc3", "bool"),
    ] {
        assert!(from_slice(bytes, &self::ty(ty)).is_err(), "{ty}");
        let error = lenient::from_slice(bytes, &self::ty(ty)).unwrap_err();
        assert!(error.is_contradiction() || error.is_syntax(), "{error}");
    }
    assert!(
        refused(b"\xc7\x0b\x0c\x81\x06\xcf\xff\xff\xff\xff\xff\xff\xff\xff", &ty("set(bool)")).is_limit()
    );
}

#[test]
fn keys_of_a_refinement_that_mean_nothing_are_passed_over() {
    let value = from_slice(b"\xc7\x0b\x0c\x83\x09\x92\xc2\x81\x01\x02\x01\xc2\x11\xc0", &Type::Bool).unwrap();
    assert_eq!(value, Value::refined(Type::Bool, Refinement::not_null()).unwrap());
}

#[test]
fn headers_that_promise_more_than_there_is_are_refused_at_once() {
    for bytes in
        [&b"\xdd\xff\xff\xff\xff"[..], b"\xdd\x7f\xff\xff\xff\xc0", b"\x93\xc0\xc0", b"\x92\x92\xc0\xc0"]
    {
        assert!(refused(bytes, &ty("list(list(bool))")).is_syntax());
    }
    for bytes in
        [&b"\xdf\xff\xff\xff\xff"[..], b"\xdb\xff\xff\xff\xffa", b"\xc9\xff\xff\xff\xff\x0c\x80", b""]
    {
        assert!(refused(bytes, &ty("map(bool)")).is_syntax());
        assert!(implied_type(bytes).unwrap_err().is_syntax());
    }
}

#[test]
fn a_writer_that_fails_is_told_apart() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let long = Value::list(vec!["x".repeat(1000); 200]).unwrap();
    for value in [Value::from(1), long] {
        let error = to_writer(Full, &value, &value.ty()).unwrap_err();
        assert!(error.is_io(), "{error}");
    }
}
