use plantime::{Type, Value};
use prost::Message;

use super::value;
use crate::schema;
use crate::wire;

#[test]
fn what_the_schema_hides_is_in_no_form_of_a_value() {
    let open = schema().optional("name", Type::String).build();
    let hiding = schema().optional("name", Type::String).sensitive("name").build();
    let secret = Value::object([("name", Value::from("hunter2"))]).expect("an object");
    let ty = open.implied_type().expect("a type");
    let content = wire::encode(&secret, ty).expect("a message").encode_to_vec();
    let shown = value(content.clone().into(), &open).expect("a value").to_string();
    assert!(shown.contains("hunter2") && shown.contains("msgpack"));
    let hidden = value(content.into(), &hiding).expect("a value").to_string();
    assert!(!hidden.contains("hunter2") && !hidden.contains("msgpack"), "{hidden}");
}
