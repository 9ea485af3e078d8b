//! JSON: every text gets an answer, and what is read is written so that it reads as the same.

use plantime::json::lenient;
use plantime::{Type, TypeConstraint, Value, json, limits};

use super::{bounds, texts};

const TYPES: [&str; 10] = [
    "any",
    "string",
    "number",
    "list(any)",
    "set(string)",
    "map(any)",
    "set(object({a = number, b = list(any)}))",
    "object({a = any, \"caf\u{e9}\" = map(number), list = list(string)})",
    "tuple([bool, any, set(any)])",
    "list(tuple([any, map(bool)]))",
];

pub fn decode(input: &[u8]) {
    let strict = bounds::read(input, || json::from_slice(input));
    if let Ok(value) = &strict {
        assert_eq!(lenient::from_slice(input).as_ref(), Ok(value));
        assert_eq!(json::from_slice(&json::to_vec(value).unwrap()).as_ref(), Ok(value));
        round_trip(value, &Type::Dynamic);
    }
    implied_leniently(input);
    let implied = bounds::read(input, || json::implied_type(input));
    assert_eq!(implied, strict.map(|value| value.ty()));
    for ty in TYPES.map(|text| text.parse::<Type>().unwrap()) {
        let read = bounds::read(input, || lenient::from_slice_as(input, &ty));
        if let Ok(value) = &read {
            assert!(ty.covers(&value.ty()), "{value} is no {ty}");
            round_trip(value, &ty);
        }
        if let Ok(value) = bounds::read(input, || json::from_slice_as(input, &ty)) {
            assert_eq!(read, Ok(value));
        }
    }
}

fn implied_leniently(input: &[u8]) {
    let value = bounds::read(input, || lenient::from_slice(input));
    let implied = bounds::read(input, || lenient::implied_type(input));
    assert_eq!(implied, value.map(|value| value.ty()));
}

/// Written with its type and read again, a value is the same; only an infinity has no JSON.
fn round_trip(value: &Value, ty: &Type) {
    match json::to_vec_as(value, ty) {
        Ok(text) => {
            match json::from_slice_as(&text, ty) {
                Ok(read) => assert_eq!(read, *value, "{}", String::from_utf8_lossy(&text)),
                // The wrapper that names the type is one level more.
                Err(error) => assert!(error.is_limit() && text.len() > limits::DEPTH, "{value}: {error}"),
            }
            let mut pieces = Vec::new();
            json::to_writer_as(&mut pieces, value, ty).unwrap();
            assert_eq!(pieces, text);
        }
        Err(error) => {
            assert!(error.is_argument() && error.message().contains("infinity"), "{value}: {error}")
        }
    }
}

/// The JSON form of types and constraints.
pub fn ty(text: &str) {
    if let Ok(ty) = bounds::read(text.as_bytes(), || Type::from_json_text(text)) {
        texts::types(&ty);
        assert_eq!(TypeConstraint::from_json_text(text), Ok(TypeConstraint::from(&ty)));
    }
    if let Ok(constraint) = bounds::read(text.as_bytes(), || TypeConstraint::from_json_text(text)) {
        texts::constraints(&constraint);
        let again = TypeConstraint::from_json_text(&constraint.to_json_text().unwrap());
        assert_eq!(again, Ok(constraint));
    }
}
