//! MessagePack.

use plantime::{Type, msgpack};

use crate::{INPUT, alone, in_proportion};

/// So many parts in an array of 32 bits.
fn array(part: &[u8], bytes: usize) -> Vec<u8> {
    let count = bytes / part.len();
    [&[0xdd], &u32::try_from(count).unwrap().to_be_bytes()[..], &part.repeat(count)].concat()
}

#[test]
fn hostile_bytes_allocate_in_proportion() {
    let _alone = alone();
    let open = |json: &str, value: &[u8]| {
        let length = u8::try_from(json.len()).unwrap();
        [&[0x92, 0xc4, length], json.as_bytes(), value].concat()
    };
    let deep = format!("{}dynamic{}", "object({a = ".repeat(200), "})".repeat(200));
    let deep_part = [b"\x81\xa1a".repeat(200), open("\"bool\"", b"\xc0")].concat();
    let mut cases: Vec<(String, Vec<u8>)> = vec![
        ("list(list(string))".into(), array(b"\x90", INPUT)),
        ("list(list(string))".into(), array(b"\x91\xc0", INPUT)),
        ("list(set(string))".into(), array(b"\x90", INPUT)),
        ("list(set(string))".into(), array(b"\x91\xc0", INPUT)),
        ("set(set(string))".into(), array(b"\x91\xd4\x00\x00", INPUT)),
        ("set(set(string))".into(), array(b"\x90", INPUT)),
        ("list(map(string))".into(), array(b"\x81\xa0\xc0", INPUT)),
        ("list(tuple([]))".into(), array(b"\x90", INPUT)),
        ("list(object({}))".into(), array(b"\x80", INPUT)),
        ("set(object({}))".into(), array(b"\xd4\x00\x00", INPUT)),
        (
            "list(object({a = any}))".into(),
            array(&[b"\x81\xa1a".as_slice(), &open("\"bool\"", b"\xc0")].concat(), INPUT),
        ),
        (format!("list({deep})"), array(&deep_part, INPUT)),
        ("list(any)".into(), array(&open("[\"object\",{\"\":\"bool\"}]", b"\xc0"), INPUT)),
        // Lists of 32 unknowns.
        ("list(list(bool))".into(), array(b"\xc7\x07\x0c\x83\x01\xc2\x05\x20\x06\x20", INPUT)),
        ("list(number)".into(), array(b"\xcb\x00\x00\x00\x00\x00\x00\x00\x01", INPUT)),
        ("list(number)".into(), array(b"\xa61e8000", INPUT)),
        ("list(number)".into(), array(b"\xc7\x0c\x0c\x81\x03\x92\xa61e8000\xc3", INPUT)),
        ("list(string)".into(), array(b"\xa2\xc3\xa9", INPUT)),
        ("list(string)".into(), array(b"\xc7\x07\x0c\x82\x01\xc2\x02\xa2vp", INPUT)),
    ];
    for promise in [
        &b"\xdd\xff\xff\xff\xff"[..],
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xdd\x00\x00\xff\xf0",
    ] {
        cases.push(("list(map(string))".into(), promise.repeat(INPUT / 5)));
        cases.push(("map(list(string))".into(), promise.repeat(INPUT / 5)));
    }
    // Each level promises all that is left.
    let ty = format!("{}bool{}", "list(".repeat(256), ")".repeat(256));
    let levels = [b"\xdd\x00\x00\xff\x00".repeat(200), vec![0xc0; INPUT]].concat();
    cases.push((ty, levels));
    for (ty, bytes) in &cases {
        let parsed: Type = ty.parse().unwrap();
        in_proportion(ty, bytes, || msgpack::from_slice(bytes, &parsed));
        in_proportion(ty, bytes, || msgpack::lenient::from_slice(bytes, &parsed));
        in_proportion("the implied type", bytes, || msgpack::implied_type(bytes));
    }
}
