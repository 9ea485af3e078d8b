//! The items of `cty` that are about MessagePack.

use plantime::{Type, Value, msgpack};

fn refused(bytes: &[u8], ty: &str) {
    let ty: Type = ty.parse().unwrap();
    for read in [msgpack::from_slice(bytes, &ty), msgpack::lenient::from_slice(bytes, &ty)] {
        assert!(read.is_err(), "{bytes:x?} as {ty}: {read:?}");
    }
}

#[test]
fn bytes_of_another_type_are_refused() {
    // NaN, an object and a tuple without parts, and a key that is no text.
    refused(&[0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0], "number");
    refused(&[0x80], "object({a = string})");
    refused(&[0x90], "tuple([string])");
    refused(&[0x81, 0x01, 0xa1, b'a'], "map(string)");
}

#[test]
fn a_promised_length_takes_no_memory() {
    // Not null, and from 8,000,000 to 8,000,000 elements.
    let bytes = [0xc7, 15, 0x0c, 0x83, 1, 0xc2, 5, 0xce, 0, 0x7a, 0x12, 0, 6, 0xce, 0, 0x7a, 0x12, 0];
    let list = msgpack::from_slice(&bytes, &"list(string)".parse().unwrap()).unwrap();
    assert!(matches!(list, Value::Refined(_)), "{list:?}");
    assert_eq!(list.range().length_range().and_then(|length| length.exact()), Some(8_000_000));
}

/// The lenient reader refused them, though it reads what cty reads.
#[test]
fn a_type_on_the_wire_may_have_optional_attributes_and_a_key_may_come_twice() {
    let json = br#"["object",{"a":"string"},["a"]]"#;
    let bytes = [b"\x92\xc4\x1f", json.as_slice(), b"\x81\xa1a\xa1x"].concat();
    assert!(msgpack::from_slice(&bytes, &Type::Dynamic).unwrap_err().is_syntax());
    let read = msgpack::lenient::from_slice(&bytes, &Type::Dynamic);
    assert_eq!(read, Value::object([("a", "x")]));
    let twice = b"\x82\xa1a\xc2\xa1a\xa1x";
    assert!(msgpack::implied_type(twice).unwrap_err().is_syntax());
    assert_eq!(msgpack::lenient::implied_type(twice), "object({a = string})".parse());
}
