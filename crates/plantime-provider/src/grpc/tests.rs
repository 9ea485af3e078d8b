//! Frames.

use super::*;

#[test]
fn a_frame_is_one_whole_message() {
    assert_eq!(frame(b"ab").and_then(unframe), Ok(Bytes::from_static(b"ab")));
    assert_eq!(frame(b"").as_deref(), Ok(b"\0\0\0\0\0".as_slice()));
    let wrong: [&'static [u8]; 5] =
        [b"", b"\0\0\0\0", b"\0\0\0\0\x02a", b"\0\0\0\0\x01ab", b"\x01\0\0\0\x01a"];
    for bytes in wrong {
        assert!(unframe(Bytes::from_static(bytes)).is_err(), "{bytes:?}");
    }
}

#[test]
fn the_text_of_a_status_is_percent_encoded() {
    let response = Status::invalid("50 % of ü\n").response();
    assert_eq!(response.headers().get("grpc-status").and_then(|code| code.to_str().ok()), Some("3"));
    let text = response.headers().get("grpc-message").and_then(|text| text.to_str().ok());
    assert_eq!(text, Some("50 %25 of %C3%BC%0A"));
}

#[test]
fn messages_up_to_the_limit_are_sent_and_larger_ones_are_an_error() {
    let bytes = vec![0; MESSAGE_BYTES.saturating_add(1)];
    assert!(message_response(bytes.get(1..).unwrap_or_default()).is_ok());
    assert_eq!(message_response(&bytes).err(), Some(Status::too_large()));
}
