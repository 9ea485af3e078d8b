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

/// Two secrets of different length leave the same line, in a file that is for its owner only.
#[tokio::test]
async fn a_recording_tells_no_length_of_a_secret_and_is_for_its_owner() {
    use super::{Recorder, Resources};
    use crate::handshake::{Protocol, read_line};
    use crate::proxy::child::Dialer;

    let file = std::env::temp_dir().join(format!("plantime-record-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let recorder = Recorder::open(&file).expect("a file");
    let announcement = read_line("1|6|tcp|127.0.0.1:1|grpc").expect("a line");
    let dialer = Dialer::new(&announcement, None).expect("a dialer");
    let resources = Resources::new(dialer, Protocol::V6, None);
    let path = "/tfplugin6.Provider/CallFunction";
    for secret in ["hunter2", "correct horse battery staple"] {
        let message = bytes::Bytes::from(secret.as_bytes().to_vec());
        recorder.exchange(&resources, path, Some(&message), Some(&message)).await;
    }
    let text = std::fs::read_to_string(&file).expect("lines");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, lines[1]));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    }
    std::fs::remove_file(&file).expect("removed");
}
