use bytes::Bytes;

use super::{content, fields, map_entry, replaced, text, write};

/// Fields of every kind, of which no message of this crate knows all.
const MESSAGE: &[u8] =
    b"\x0a\x02ab\x10\x96\x01\x1d\x01\x02\x03\x04\x21\x01\x02\x03\x04\x05\x06\x07\x08\x0a\x01c\xfa\x7f\x01z";

#[test]
fn a_replaced_field_leaves_all_others_as_they_were() {
    let message = Bytes::from_static(MESSAGE);
    assert_eq!(text(&message, 1), "c");
    let new = Bytes::from(replaced(&message, 1, b"new").expect("a message"));
    assert_eq!(text(&new, 1), "new");
    assert!(
        new.ends_with(b"\x10\x96\x01\x1d\x01\x02\x03\x04\x21\x01\x02\x03\x04\x05\x06\x07\x08\xfa\x7f\x01z")
    );
    assert_eq!(content(&new, 2), None);
}

#[test]
fn what_is_no_message_has_no_fields() {
    for end in 1..MESSAGE.len() {
        // A cut between fields leaves a message; none may panic.
        let _ = fields(&Bytes::from_static(&MESSAGE[..end]));
    }
    for broken in [&b"\x0a\x05ab"[..], b"\x07", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x00"] {
        assert!(fields(&Bytes::from_static(broken)).is_none(), "{broken:?}");
        assert_eq!(replaced(&Bytes::from_static(broken), 1, b""), None);
    }
}

#[test]
fn an_entry_of_a_map_is_found_by_its_key() {
    let mut message = Vec::new();
    for (key, value) in [("a", "1"), ("b", "2")] {
        let mut entry = Vec::new();
        write(&mut entry, 1, key.as_bytes());
        write(&mut entry, 2, value.as_bytes());
        write(&mut message, 2, &entry);
    }
    let message = Bytes::from(message);
    assert_eq!(map_entry(&message, 2, "b").as_deref(), Some(&b"2"[..]));
    assert_eq!(map_entry(&message, 2, "c"), None);
}
