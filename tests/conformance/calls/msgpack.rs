//! MessagePack: bytes from values, values from bytes, and the types that bytes imply.

use plantime::{Type, msgpack};
use serde_json::Value as Json;

use super::convert::without_optional;
use super::{Call, args, data, found};
use crate::notation::{self, Read, Unread, write_type};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "msgpack_marshal" => marshal(case),
        "msgpack_unmarshal" => unmarshal(case),
        "msgpack_implied_type" => implied(case),
        _ => return None,
    })
}

fn ty(case: &Json) -> Read<Type> {
    notation::ty(&without_optional(case.get("type").unwrap_or(&Json::Null)))
}

pub(crate) fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).expect("hex"), 16).expect("hex")).collect()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn input(case: &Json) -> Read<Vec<u8>> {
    let text = case.get("hex").and_then(Json::as_str);
    text.map(bytes).ok_or_else(|| Unread::Bad("no bytes".into()))
}

fn marshal(case: &Json) -> Read<Call> {
    let ty = ty(case)?;
    Call::of(args(case)?, move |args| match args {
        [value] => match msgpack::to_vec(value, &ty) {
            Ok(bytes) => data(hex(&bytes)),
            Err(error) => Err(error.message().to_owned()),
        },
        _ => Err("one value is written".to_owned()),
    })
}

/// What is read beyond what is well formed is cty's business: see [`strict`].
fn unmarshal(case: &Json) -> Read<Call> {
    let (bytes, ty) = (input(case)?, ty(case)?);
    Call::of(Vec::new(), move |_| found(msgpack::from_slice_lenient(&bytes, &ty)))
}

fn implied(case: &Json) -> Read<Call> {
    let bytes = input(case)?;
    Call::of(Vec::new(), move |_| match msgpack::implied_type(&bytes) {
        Ok(ty) => data(write_type(&ty)),
        Err(error) => Err(error.message().to_owned()),
    })
}
