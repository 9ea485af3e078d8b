//! The codec of MessagePack on a document like a plan with unknowns, beside `rmpv::Value` on the same bytes.

use std::io::Write as _;

use plantime::{Type, msgpack};

use crate::compared::{self, time};
use crate::document::{TYPE, plan};

pub const NAMES: [&str; 3] = ["document_msgpack", "msgpack_decode", "msgpack_encode"];

/// In a hundred leaves, about so many are unknown.
const UNKNOWN: u64 = 15;

pub fn run(name: &str, n: usize, pairs: usize) {
    let ty: Type = TYPE.parse().expect("it is a type");
    let bytes = msgpack::to_vec(&plan(n, UNKNOWN), &ty).expect("the document has no marks");
    if name == "document_msgpack" {
        return std::io::stdout().write_all(&bytes).expect("the document can be written");
    }
    let value = msgpack::from_slice(&bytes, &ty).expect("the document is of its type");
    let read = || rmpv::decode::read_value(&mut bytes.as_slice()).expect("the document is MessagePack");
    let theirs = read();
    let write = || {
        let mut out = Vec::new();
        rmpv::encode::write_value(&mut out, &theirs).expect("a vector takes everything");
        out
    };
    let pair = || match name {
        "msgpack_decode" => {
            (time(|| msgpack::from_slice(&bytes, &ty).expect("the document is of its type")), time(read))
        }
        _ => (time(|| msgpack::to_vec(&value, &ty).expect("the document has no marks")), time(write)),
    };
    compared::print(name, n, &bytes, "rmpv::Value", (0..pairs).map(|_| pair()).collect());
}
