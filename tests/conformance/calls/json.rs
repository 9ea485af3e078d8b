//! Values as JSON and back.

use plantime::json::{self, lenient};
use plantime::{Type, Value, convert};
use serde_json::Value as Json;

use super::convert::constraint;
use super::{Answer, Call, args, data, found};
use crate::notation::{Read, write_type};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "json_marshal" => marshal(case),
        "json_simple_marshal" => {
            args(case).and_then(|args| Call::of(args, |args| written(json::to_vec(one(args)))))
        }
        "json_unmarshal" => read(case, json::from_slice_as),
        "json_simple_unmarshal" => read(case, |text, _| json::from_slice(text)),
        "json_implied_type" => {
            text(case).and_then(|text| Call::of(Vec::new(), move |_| implied(json::implied_type(&text))))
        }
        _ => return None,
    })
}

/// The answer of the lenient reading.
pub(crate) fn lenient_answer(case: &Json) -> Option<Answer> {
    let text = text(case).ok()?;
    Some(match case.get("op").and_then(Json::as_str)? {
        "json_unmarshal" => found(lenient::from_slice_as(&text, &ty(case).ok()?)),
        "json_simple_unmarshal" => found(lenient::from_slice(&text)),
        "json_implied_type" => implied(lenient::implied_type(&text)),
        _ => return None,
    })
}

fn marshal(case: &Json) -> Read<Call> {
    let to = constraint(case.get("type").unwrap_or(&Json::Null))?;
    let ty = to.to_type();
    let call = Call::of(args(case)?, move |args| {
        let value = one(args);
        if to.has_optional() && value.ty() != ty {
            let value = convert(value, &to).map_err(|error| error.to_string())?;
            return written(json::to_vec_as(&value, &ty));
        }
        written(json::to_vec_as(value, &ty))
    })?;
    // What is not known has no JSON, whatever it becomes.
    Ok(Call { vary: |_| false, ..call })
}

fn one(args: &[Value]) -> &Value {
    args.first().expect("one argument")
}

fn written(text: plantime::Result<Vec<u8>>) -> Answer {
    let text = text.map_err(|error| error.to_string())?;
    data(String::from_utf8(text).expect("it is UTF-8"))
}

fn implied(ty: plantime::Result<Type>) -> Answer {
    ty.map_err(|error| error.to_string()).and_then(|ty| data(write_type(&ty)))
}

fn read(case: &Json, read: fn(&[u8], &Type) -> plantime::Result<Value>) -> Read<Call> {
    let text = text(case)?;
    let ty = ty(case)?;
    Call::of(Vec::new(), move |_| found(read(&text, &ty)))
}

/// The type that is asked for; what is optional in it counts for nothing when it is read.
fn ty(case: &Json) -> Read<Type> {
    case.get("type").map_or(Ok(Type::Dynamic), |ty| constraint(ty).map(|constraint| constraint.to_type()))
}

/// The text, or the bytes where it is none.
pub(crate) fn text(case: &Json) -> Read<Vec<u8>> {
    match case.get("text_hex").and_then(Json::as_str) {
        Some(hex) => Ok(bytes(hex)),
        None => super::text(case).map(String::into_bytes),
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).expect("it is hexadecimal") as u8;
    hex.as_bytes().chunks(2).map(|pair| digit(pair[0]) * 16 + digit(pair[1])).collect()
}
