//! Messages both ways, and the bytes of some of them.

use prost::Message;

use super::*;
use crate::message::calls::{ApplyResponse, PlanRequest};
use crate::message::schema::{Attribute5, Attribute6, NestedObject};

/// Reads what was written; returns the bytes.
fn round_trip<M: Message + Default + PartialEq + std::fmt::Debug>(message: &M) -> Vec<u8> {
    let bytes = message.encode_to_vec();
    assert_eq!(M::decode(bytes.as_slice()).as_ref(), Ok(message));
    bytes
}

fn value(bytes: &'static [u8]) -> Option<DynamicValue> {
    Some(DynamicValue { msgpack: bytes::Bytes::from_static(bytes), json: bytes::Bytes::new() })
}

#[test]
fn messages_are_read_as_they_were_written() {
    let step = |selector| PathStep { selector: Some(selector) };
    let path = AttributePath {
        steps: vec![
            step(Selector::AttributeName("rules".to_owned())),
            step(Selector::ElementKeyInt(2)),
            step(Selector::ElementKeyString("k".to_owned())),
        ],
    };
    let diagnostic = Diagnostic {
        severity: Severity::Warning.into(),
        summary: "s".to_owned(),
        detail: "d".to_owned(),
        attribute: Some(path),
    };
    let bytes = round_trip(&diagnostic);
    assert_eq!(
        bytes,
        b"\x08\x02\x12\x01s\x1a\x01d\x22\x12\x0a\x07\x0a\x05rules\x0a\x02\x18\x02\x0a\x03\x12\x01k"
    );
    let plan = PlanRequest {
        type_name: "t".to_owned(),
        prior_state: value(b"\xc0"),
        proposed_new_state: value(b"\x80"),
        config: value(b"\x80"),
        prior_private: bytes::Bytes::from_static(b"p"),
        ..PlanRequest::default()
    };
    assert_eq!(
        round_trip(&plan),
        b"\x0a\x01t\x12\x03\x0a\x01\xc0\x1a\x03\x0a\x01\x80\x22\x03\x0a\x01\x80\x2a\x01p"
    );
    round_trip(&FunctionError { text: "t".to_owned(), function_argument: Some(0) });
}

#[test]
fn the_protocols_number_two_fields_of_an_attribute_differently() {
    let old = Attribute5 { write_only: true, deprecation_message: "d".to_owned(), ..Attribute5::default() };
    assert_eq!(round_trip(&old), b"\x50\x01\x5a\x01d");
    let new = Attribute6 { write_only: true, deprecation_message: "d".to_owned(), ..Attribute6::default() };
    assert_eq!(round_trip(&new), b"\x58\x01\x62\x01d");
    let nested = NestedObject { attributes: vec![new], nesting: 2 };
    round_trip(&Attribute6 { nested_type: Some(nested), ..Attribute6::default() });
}

#[test]
fn unknown_fields_are_skipped() {
    // Field 9 of a later protocol, of each wire type, before and after a known field.
    let later: [&[u8]; 4] = [b"\x48\x07", b"\x49\0\0\0\0\0\0\0\0", b"\x4a\x02ab", b"\x4d\0\0\0\0"];
    for field in later {
        let bytes = [field, b"\x12\x01p", field].concat();
        let expected = ApplyResponse { private: bytes::Bytes::from_static(b"p"), ..ApplyResponse::default() };
        assert_eq!(ApplyResponse::decode(bytes.as_slice()), Ok(expected));
    }
}

#[test]
fn no_prefix_of_a_message_is_taken_for_another() {
    let path =
        AttributePath { steps: vec![PathStep { selector: Some(Selector::AttributeName("a".to_owned())) }] };
    let bytes = path.encode_to_vec();
    for length in 1..bytes.len() {
        assert!(AttributePath::decode(bytes.get(..length).unwrap_or_default()).is_err(), "{length}");
    }
}
