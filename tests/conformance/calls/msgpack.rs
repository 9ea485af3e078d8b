//! MessagePack: bytes from values, values from bytes, and the types that bytes imply.

use plantime::{Type, convert, msgpack};
use serde_json::Value as Json;

use super::convert::without_optional;
use super::{Call, args, data, found};
use crate::notation::{self, Read, Unread, write_type};
use crate::reasons::has_optional;
use crate::within::within;

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
    let call = Call::of(args(case)?, move |args| match args {
        [value] => match msgpack::to_vec(value, &ty) {
            Ok(bytes) => data(hex(&bytes)),
            Err(error) => Err(error.message().to_owned()),
        },
        _ => Err("one value is written".to_owned()),
    })?;
    Ok(Call { better: Some(more_precise), ..call })
}

/// What ours reads as lies inside what theirs reads as, and holds what the conversion gives.
fn more_precise(theirs: &Json, ours: &Json, case: &Json) -> bool {
    let (Some(theirs), Some(ours), Ok(ty), Ok(args)) = (theirs.as_str(), ours.as_str(), ty(case), args(case))
    else {
        return false;
    };
    let read = |hex: &str| msgpack::from_slice(&bytes(hex), &ty).ok();
    let converted = args.first().and_then(|value| convert(value, &ty.clone().into()).ok());
    match (read(theirs), read(ours), converted) {
        (Some(theirs), Some(ours), Some(value)) => within(&theirs, &ours) && within(&ours, &value),
        _ => false,
    }
}

/// The lenient reader reads what cty reads; what the strict one refuses of it is listed in `bytes.rs`.
fn unmarshal(case: &Json) -> Read<Call> {
    let (bytes, ty) = (input(case)?, ty(case)?);
    let call = Call::of(Vec::new(), move |_| found(msgpack::lenient::from_slice(&bytes, &ty)))?;
    // No value has a type with optional attributes: what is compared is one of the type without them.
    let own_form = case.get("type").is_some_and(has_optional);
    Ok(Call { read: |json| notation::value(&without_optional(json)), own_form, ..call })
}

fn implied(case: &Json) -> Read<Call> {
    let bytes = input(case)?;
    Call::of(Vec::new(), move |_| match msgpack::lenient::implied_type(&bytes) {
        Ok(ty) => data(write_type(&ty)),
        Err(error) => Err(error.message().to_owned()),
    })
}
