//! MessagePack nests as deep as values may, and no deeper, on a small stack.

use plantime::{Type, Value, limits, msgpack};

use super::{WRAPS, cores, deepest, on_small_stack};

#[test]
fn the_deepest_values_are_written_and_read_on_a_small_stack() {
    for wrap in WRAPS {
        for core in cores() {
            on_small_stack(move || {
                let value = deepest(&core, wrap);
                for ty in [value.ty(), Type::Dynamic] {
                    let Ok(bytes) = msgpack::to_vec(&value, &ty) else {
                        assert!(value.contains_marks());
                        continue;
                    };
                    assert_eq!(msgpack::from_slice(&bytes, &ty).unwrap(), value);
                    // The implied type is of tuples and objects; the type inside of a bin implies none.
                    let implied = msgpack::implied_type(&bytes);
                    assert!(implied.is_ok() || ty == Type::Dynamic);
                }
            });
        }
    }
}

/// `before` so many times, then `core`.
fn nested(before: &[u8], times: usize, core: &[u8]) -> Vec<u8> {
    [before.repeat(times).as_slice(), core].concat()
}

#[test]
fn bytes_that_nest_deeper_are_a_limit() {
    on_small_stack(|| {
        for (before, core) in [(&b"\x91"[..], &b"\xc0"[..]), (b"\x81\xa1a", b"\xc0")] {
            let fits = nested(before, limits::DEPTH, core);
            assert_eq!(msgpack::implied_type(&fits).unwrap().depth(), limits::DEPTH);
            for times in [limits::DEPTH + 1, 100_000] {
                assert!(msgpack::implied_type(&nested(before, times, core)).unwrap_err().is_limit());
            }
        }
        // Every level opens its type anew.
        for (before, core) in [
            (&b"\x92\xc4\x15[\"tuple\",[\"dynamic\"]]\x91"[..], &b"\xc0"[..]),
            (b"\x92\xc4\x12[\"list\",\"dynamic\"]\x91", b"\xc0"),
            (b"\x92\xc4\x11[\"set\",\"dynamic\"]\x91", b"\xc0"),
            (b"\x92\xc4\x11[\"map\",\"dynamic\"]\x81\xa1k", b"\xc0"),
            (b"\x92\xc4\x1a[\"object\",{\"a\":\"dynamic\"}]\x81\xa1a", b"\xd4\x00\x00"),
        ] {
            let value = msgpack::from_slice(&nested(before, limits::DEPTH, core), &Type::Dynamic).unwrap();
            assert_eq!(value.ty().depth(), limits::DEPTH);
            for times in [limits::DEPTH + 1, 5_000] {
                let error = msgpack::from_slice(&nested(before, times, core), &Type::Dynamic).unwrap_err();
                assert!(error.is_limit(), "{error}");
            }
        }
        // Types that say dynamic again and again make no value deeper.
        let again = nested(b"\x92\xc4\x09\"dynamic\"", 100_000, b"\xc0");
        assert_eq!(msgpack::from_slice(&again, &Type::Dynamic).unwrap(), Value::null(Type::Dynamic));
        // What a refinement holds besides what is known of the value is passed over at any depth.
        let body = nested(b"\x81\x63", 1, &nested(b"\x91", 1_000, b"\xc0"));
        let length = u16::try_from(body.len()).unwrap().to_be_bytes();
        let bytes = [&[0xc8], &length[..], &[12], &body].concat();
        assert_eq!(msgpack::from_slice(&bytes, &Type::Bool).unwrap(), Value::unknown(Type::Bool));
    });
}

#[test]
fn reading_and_writing_take_time_in_proportion() {
    // Elements of a large type, most of which decide nothing of what it leaves open.
    let names: Vec<String> = (0..2_000).map(|i| format!("a{i:04}")).collect();
    let ty = Type::object(names.iter().map(|name| (name, Type::Dynamic))).unwrap();
    let ty = Type::list(ty).unwrap();
    let first: Vec<u8> = names
        .iter()
        .enumerate()
        .flat_map(|(i, name)| {
            let value = if i + 1 == names.len() { &b"\x92\xc4\x06\"bool\"\xc3"[..] } else { b"\xc0" };
            [&[0xa5], name.as_bytes(), value].concat()
        })
        .collect();
    let count = 60_000_u32;
    let mut bytes = [&[0xdd], &count.to_be_bytes()[..], &[0xde, 0x07, 0xd0], &first].concat();
    bytes.resize(bytes.len() + count as usize - 1, 0xc0);
    let start = std::time::Instant::now();
    let value = msgpack::from_slice(&bytes, &ty).unwrap();
    assert_eq!(msgpack::from_slice(&msgpack::to_vec(&value, &ty).unwrap(), &ty).unwrap(), value);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
