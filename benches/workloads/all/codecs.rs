//! JSON and MessagePack from and to a document like a plan.

use std::io::Write as _;
use std::rc::Rc;

use plantime::{Type, json, msgpack};
use serde_json::Value as Json;

use super::document::{TYPE, leaves, plan};
use super::work::Work;

/// In a hundred leaves, about so many are unknown in what is written as MessagePack.
pub const UNKNOWN: u64 = 15;

const JSON: &str = "serde_json::Value";
const MSGPACK: &str = "rmpv::Value";

pub fn ty() -> Type {
    TYPE.parse().expect("it is a type")
}

fn text(n: usize) -> Rc<Vec<u8>> {
    Rc::new(json::to_vec_as(&plan(n, 0), &ty()).expect("the document is wholly known"))
}

fn bytes(n: usize) -> Rc<Vec<u8>> {
    Rc::new(msgpack::to_vec(&plan(n, UNKNOWN), &ty()).expect("the document has no marks"))
}

/// The document itself, for other programs to read.
pub fn print(name: &str, n: usize) {
    let document = if name == "document" { text(n) } else { bytes(n) };
    std::io::stdout().write_all(&document).expect("the document can be written");
}

fn parsed(text: &[u8]) -> Json {
    serde_json::from_slice(text).expect("the document is JSON")
}

pub fn json_decode(n: usize) -> Work {
    let (text, ty) = (text(n), ty());
    let same = Rc::clone(&text);
    Work::new(leaves(n), move || json::from_slice_as(&text, &ty).expect("the document is of its type"))
        .beside(JSON, move || parsed(&same))
}

pub fn json_encode(n: usize) -> Work {
    let (text, ty) = (text(n), ty());
    let value = json::from_slice_as(&text, &ty).expect("the document is of its type");
    let theirs = parsed(&text);
    Work::new(leaves(n), move || json::to_vec_as(&value, &ty).expect("the document is wholly known"))
        .beside(JSON, move || serde_json::to_vec(&theirs).expect("JSON can be written"))
}

pub fn json_implied_type(n: usize) -> Work {
    let text = text(n);
    let same = Rc::clone(&text);
    Work::new(leaves(n), move || json::implied_type(&text).expect("the document is JSON"))
        .beside(JSON, move || parsed(&same))
}

pub fn json_implied(n: usize) -> Work {
    let text = text(n);
    let same = Rc::clone(&text);
    Work::new(leaves(n), move || json::from_slice(&text).expect("the document is JSON"))
        .beside(JSON, move || parsed(&same))
}

pub fn msgpack_decode(n: usize) -> Work {
    let (bytes, ty) = (bytes(n), ty());
    let same = Rc::clone(&bytes);
    Work::new(leaves(n), move || msgpack::from_slice(&bytes, &ty).expect("the document is of its type"))
        .beside(MSGPACK, move || unpacked(&same))
}

pub fn msgpack_encode(n: usize) -> Work {
    let (bytes, ty) = (bytes(n), ty());
    let value = msgpack::from_slice(&bytes, &ty).expect("the document is of its type");
    let theirs = unpacked(&bytes);
    Work::new(leaves(n), move || msgpack::to_vec(&value, &ty).expect("the document has no marks")).beside(
        MSGPACK,
        move || {
            let mut out = Vec::new();
            rmpv::encode::write_value(&mut out, &theirs).expect("a vector takes everything");
            out
        },
    )
}

fn unpacked(bytes: &[u8]) -> rmpv::Value {
    rmpv::decode::read_value(&mut &*bytes).expect("the document is MessagePack")
}
