use super::{Block, Decoder, LIST_BYTES, TABLE_BYTES, huffman, write_integer};

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|digit| !digit.is_ascii_whitespace()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("text"), 16).expect("hex");
    digits.chunks(2).map(byte).collect()
}

/// What a decoder reads in an example of the RFC.
fn read(decoder: &mut Decoder, hex: &str) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    let block = decoder.decode(&bytes(hex)).expect("headers");
    block.headers.iter().map(|(name, value)| (text(name), text(value))).collect()
}

/// The three requests of the RFC's appendices C.3 and C.4, one after the other.
fn check_requests(encoded: [&str; 3]) {
    let mut decoder = Decoder::new();
    let request = |more: &[(&str, &str)]| {
        let all = [(":method", "GET")].iter().chain(more);
        all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
    };
    let of = |scheme, path| [(":scheme", scheme), (":path", path), (":authority", "www.example.com")];
    assert_eq!(read(&mut decoder, encoded[0]), request(&of("http", "/")));
    let [scheme, path, authority] = of("http", "/");
    let second = [scheme, path, authority, ("cache-control", "no-cache")];
    assert_eq!(read(&mut decoder, encoded[1]), request(&second));
    let [scheme, path, authority] = of("https", "/index.html");
    let third = [scheme, path, authority, ("custom-key", "custom-value")];
    assert_eq!(read(&mut decoder, encoded[2]), request(&third));
    assert_eq!(decoder.size, 164);
}

#[test]
fn requests_of_the_rfc_are_read() {
    check_requests([
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ]);
    check_requests([
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
    ]);
}

/// Appendix C.6: a table of 256 bytes, out of which entries fall.
#[test]
fn responses_of_the_rfc_are_read_with_a_small_table() {
    let mut decoder = Decoder::new();
    decoder.limit = 256;
    let first = read(
        &mut decoder,
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
    );
    let expected = [
        (":status", "302"),
        ("cache-control", "private"),
        ("date", "Mon, 21 Oct 2013 20:13:21 GMT"),
        ("location", "https://www.example.com"),
    ];
    assert_eq!(first, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let second = read(&mut decoder, "4883 640e ffc1 c0bf");
    assert_eq!(second[0], (":status".to_owned(), "307".to_owned()));
    assert_eq!(second[1..], first[1..]);
    let third = read(
        &mut decoder,
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
    );
    assert_eq!(third[5].1, "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1");
    assert_eq!(decoder.size, 215);
}

#[test]
fn what_is_written_is_read_by_a_reader_that_knows_nothing() {
    let long = "x".repeat(300);
    let headers = [
        (":status", "200".to_owned()),
        ("content-type", "application/grpc".to_owned()),
        ("grpc-status", "0".to_owned()),
        ("grpc-message", long),
    ];
    let block = Block::new(&headers);
    let mut decoder = Decoder::new();
    assert_eq!(decoder.decode(&block.encode()), Some(block));
    assert_eq!(decoder.entries.len(), 0);
}

#[test]
fn a_changed_size_of_the_table_is_passed_on() {
    let mut decoder = Decoder::new();
    let block = decoder.decode(&bytes("20 3f61 88")).expect("headers");
    assert_eq!((decoder.limit, block.encode()), (128, bytes("20 3f61 88")));
    // A larger table than the peer allows, and a change after the first header.
    assert_eq!(decoder.decode(&bytes("3fe2ff03 88")), None);
    assert_eq!(decoder.decode(&bytes("88 20")), None);
    decoder.allow(usize::MAX);
    assert_eq!(decoder.allowed, TABLE_BYTES);
}

#[test]
fn what_is_no_block_is_none() {
    for hex in [
        "80",
        "ff",
        "ffffffffffffff",
        "be",
        "40",
        "400a61",
        "4001",
        "0085aec3771a4b",
        "0084ffffffff0161",
        "0081000161",
    ] {
        assert_eq!(Decoder::new().decode(&bytes(hex)), None, "{hex}");
    }
}

#[test]
fn every_byte_has_a_code() {
    assert_eq!(huffman::decode(&bytes("aec3771a4b")), Some(b"private".to_vec()));
    assert_eq!(huffman::decode(b""), Some(Vec::new()));
    // Eight ones are too many for the rest of a byte.
    assert_eq!(huffman::decode(&bytes("aec3771a4bff")), None);
}

/// A table of one long entry, which a block of a few bytes names over and over.
#[test]
fn a_short_block_does_not_become_a_long_list() {
    let mut block = vec![0x40, 1, b'a'];
    write_integer(&mut block, 0, 7, 4000);
    block.extend(std::iter::repeat_n(b'b', 4000));
    block.extend(std::iter::repeat_n(0xbe, LIST_BYTES / 4000));
    assert_eq!(Decoder::new().decode(&block), None);
}
