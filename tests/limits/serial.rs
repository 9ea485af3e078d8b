//! The self-describing form of the deepest values, and of what claims to be deeper or larger than it is.

use plantime::{Mark, Type, Value, limits};

use crate::{WRAPS, cores, deepest, on_small_stack};

#[test]
fn the_deepest_values_are_written_and_read_on_a_small_stack() {
    for wrap in WRAPS {
        on_small_stack(move || {
            for core in cores() {
                let value = deepest(&core, wrap);
                let bytes = postcard::to_stdvec(&value).unwrap();
                assert_eq!(postcard::from_bytes::<Value>(&bytes).unwrap(), value);
            }
        });
    }
    on_small_stack(|| {
        let mut ty = Type::Bool;
        for _ in 0..limits::DEPTH {
            ty = Type::list(ty).unwrap();
        }
        let value = Value::unknown(ty).mark(Mark::SENSITIVE);
        let text = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    });
}

#[test]
fn deeper_forms_are_refused_on_a_small_stack() {
    on_small_stack(|| {
        // One byte of a sequence's length, and the word.
        let mut bytes = vec![1];
        for _ in 0..100_000 {
            bytes.extend(b"\x02\x05tuple");
        }
        let error = postcard::from_bytes::<Value>(&bytes).unwrap_err();
        assert_eq!(error, postcard::Error::SerdeDeCustom);
        let marks = [br#"["marked",[],"#.repeat(100_000).as_slice(), b"[\"dynamic\"]"].concat();
        let text = [br#"{"plantime":1,"value":"#.as_slice(), &marks].concat();
        assert!(serde_json::from_slice::<Value>(&text).is_err());
    });
}

#[test]
fn a_length_that_is_a_lie_allocates_nothing() {
    // A tuple of 2^62 parts, of which none comes.
    let mut bytes = vec![1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f];
    bytes.extend(b"\x05tuple");
    assert!(postcard::from_bytes::<Value>(&bytes).is_err());
}
