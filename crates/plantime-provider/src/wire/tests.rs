//! Values and paths as messages.

use plantime::{Path, Refinement, Type, Value};

use super::*;

#[test]
fn refinements_of_unknown_values_survive_a_round_trip() {
    let ty: Type = "object({id = string, n = number})".parse().unwrap_or(Type::Dynamic);
    let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null());
    let object = id.and_then(|id| Value::object([("id", id), ("n", Value::null(Type::Number))]));
    assert!(object.is_ok());
    let message = object.clone().and_then(|object| encode(&object, &ty));
    assert_eq!(message.and_then(|message| decode(Some(&message), &ty)), object);
}

#[test]
fn json_is_the_fallback_and_nothing_is_null() {
    let json =
        message::DynamicValue { msgpack: bytes::Bytes::new(), json: bytes::Bytes::from_static(b"\"a\"") };
    assert_eq!(decode(Some(&json), &Type::String), Ok(Value::from("a")));
    assert_eq!(decode(None, &Type::String), Ok(Value::null(Type::String)));
    assert!(decode(Some(&json), &Type::Bool).is_err());
}

#[test]
fn a_path_ends_before_what_the_protocol_cannot_say() {
    let through_set = Path::new().attr("rules").index(Value::null(Type::String)).attr("port");
    assert_eq!(path(&through_set), path(&Path::new().attr("rules")));
    assert_eq!(path(&Path::new()), None);
}

#[test]
fn a_stored_state_is_fitted_to_the_schema() {
    let ty: Type = "object({kept = number, new = string})".parse().unwrap_or(Type::Dynamic);
    let stored = serde_json::json!({ "kept": 1, "gone": [1, 2] });
    let expected = Value::object([("kept", Value::from(1)), ("new", Value::null(Type::String))]);
    assert_eq!(fit_state(stored, &ty), expected);
    let wrong = fit_state(serde_json::json!({ "kept": {} }), &ty).map_err(|error| error.path().to_string());
    assert_eq!(wrong, Err("kept".to_owned()));
}

#[test]
fn what_a_failed_apply_leaves_unknown_is_null() {
    let planned = Value::object([("id", Value::unknown(Type::String)), ("n", Value::from(1))]);
    let stored = Value::object([("id", Value::null(Type::String)), ("n", Value::from(1))]);
    assert_eq!(planned.and_then(|planned| nulls_for_unknowns(&planned)), stored);
}

#[test]
fn schemas_read_back_from_the_messages_of_both_protocols() {
    use plantime_schema::{Block, NestedBlock, Nesting};
    use prost::Message;

    use crate::handshake::Protocol;

    let mut inner = Block::default();
    inner.attributes = crate::schema().required("port", Type::Number).build().block().attributes.clone();
    let schema = crate::schema()
        .version(3)
        .required("cidr", Type::String)
        .computed("id", Type::String)
        .sensitive("id")
        .block("rule", NestedBlock::new(Nesting::Set, inner))
        .build();
    let five = super::schema::schema5(&schema).expect("a message").encode_to_vec();
    let six = super::schema::schema6(&schema).expect("a message").encode_to_vec();
    for (message, protocol) in [(five, Protocol::V5), (six, Protocol::V6)] {
        assert_eq!(super::read_schema::schema(message.into(), protocol).expect("a schema"), schema);
    }
    assert!(super::read_schema::schema(bytes::Bytes::from_static(b"\xff"), Protocol::V6).is_err());
}
