//! Each value in every encoding that MessagePack has for it: our own list, and the suite of others where it lies beside
//! the checkout (`$PLANTIME_REAL`, else `../shared/real/dev`), which has the same form.

use std::path::{Path, PathBuf};

use plantime::{Number, Type, Value, json, msgpack};
use serde_json::Value as Json;

use crate::calls::msgpack::bytes;

const OWN: &str = r#"{
    "nil": [{"nil": null, "msgpack": ["c0"]}],
    "bool": [{"bool": false, "msgpack": ["c2"]}, {"bool": true, "msgpack": ["c3"]}],
    "bin": [{"binary": "61-62", "msgpack": ["c4-02-61-62", "c5-00-02-61-62", "c6-00-00-00-02-61-62"]},
        {"binary": "fe", "msgpack": ["c4-01-fe"]}],
    "number": [
        {"number": 1, "msgpack": ["01", "cc-01", "cd-00-01", "ce-00-00-00-01", "cf-00-00-00-00-00-00-00-01", "d0-01",
            "d1-00-01", "d2-00-00-00-01", "d3-00-00-00-00-00-00-00-01", "ca-3f-80-00-00",
            "cb-3f-f0-00-00-00-00-00-00"]},
        {"number": -1, "msgpack": ["ff", "d0-ff", "d1-ff-ff", "d2-ff-ff-ff-ff", "d3-ff-ff-ff-ff-ff-ff-ff-ff",
            "ca-bf-80-00-00", "cb-bf-f0-00-00-00-00-00-00"]},
        {"number": -33, "msgpack": ["d0-df", "d1-ff-df"]},
        {"number": 128, "msgpack": ["cc-80", "cd-00-80", "d1-00-80"]},
        {"number": 65535, "msgpack": ["cd-ff-ff", "ce-00-00-ff-ff", "d2-00-00-ff-ff"]},
        {"number": 2.5, "msgpack": ["ca-40-20-00-00", "cb-40-04-00-00-00-00-00-00"]},
        {"number": -0.0, "bignum": "0", "msgpack": ["ca-80-00-00-00", "cb-80-00-00-00-00-00-00-00"]},
        {"bignum": "18446744073709551615", "msgpack": ["cf-ff-ff-ff-ff-ff-ff-ff-ff"]},
        {"bignum": "-9223372036854775808", "msgpack": ["d3-80-00-00-00-00-00-00-00"]},
        {"bignum": "18446744073709551616", "msgpack": ["cb-43-f0-00-00-00-00-00-00"]}],
    "string": [
        {"string": "", "msgpack": ["a0", "d9-00", "da-00-00", "db-00-00-00-00"]},
        {"string": "abc", "msgpack": ["a3-61-62-63", "d9-03-61-62-63", "da-00-03-61-62-63", "db-00-00-00-03-61-62-63"]},
        {"string": "\u00e9", "msgpack": ["a2-c3-a9", "a3-65-cc-81"]}],
    "array": [{"array": [], "msgpack": ["90", "dc-00-00", "dd-00-00-00-00"]},
        {"array": [1, [true], null], "msgpack": ["93-01-91-c3-c0", "dc-00-03-01-dc-00-01-c3-c0"]}],
    "map": [{"map": {"a": 1, "b": {}}, "msgpack": ["82-a1-61-01-a1-62-80", "de-00-02-a1-62-de-00-00-a1-61-01",
            "df-00-00-00-02-a1-61-01-a1-62-df-00-00-00-00"]}],
    "ext": [{"timestamp": [1, 0], "msgpack": ["d6-ff-00-00-00-01"]},
        {"ext": [5, "01"], "msgpack": ["d4-05-01", "c7-01-05-01", "c8-00-01-05-01", "c9-00-00-00-01-05-01"]}]
}"#;

fn suites() -> Vec<Json> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real/dev");
    let suite = named.unwrap_or_else(beside).join("msgpack-suite/msgpack-test-suite.json");
    let others = std::fs::read_to_string(&suite).ok();
    if others.is_none() {
        println!("skipped: there is no {}", suite.display());
    }
    let texts = others.into_iter().chain([OWN.to_owned()]);
    texts.map(|text| serde_json::from_str(&text).expect("a suite is JSON")).collect()
}

fn read(encoding: &[u8], ty: &Type) -> Option<Value> {
    let strict = msgpack::from_slice(encoding, ty);
    assert_eq!(strict, msgpack::lenient::from_slice(encoding, ty));
    strict.ok()
}

/// A text or a number, and any of them as a value of its own type.
fn primitive(encoding: &[u8], value: Value) {
    let ty = value.ty();
    assert_eq!(read(encoding, &ty).as_ref(), Some(&value));
    assert_eq!(msgpack::implied_type(encoding), Ok(ty.clone()));
    let written = msgpack::to_vec(&value, &ty).expect("it has an encoding");
    assert!(written.len() <= encoding.len() && read(&written, &ty) == Some(value));
}

/// A value of the kind in every encoding that is listed.
fn judge(case: &Json, encoding: &[u8]) {
    let field = |name: &str| case.get(name);
    if field("nil").is_some() {
        assert_eq!(read(encoding, &Type::String), Some(Value::null(Type::String)));
        assert_eq!(msgpack::implied_type(encoding), Ok(Type::Dynamic));
    } else if let Some(truth) = field("bool").and_then(Json::as_bool) {
        primitive(encoding, Value::from(truth));
    } else if let Some(number) = field("bignum").or(field("number")) {
        let digits = number.as_str().map_or_else(|| number.to_string(), str::to_owned);
        let number: Number = digits.parse().expect("it is a number");
        assert_eq!(read(encoding, &Type::Number), Some(Value::from(number)), "{digits}");
        assert_eq!(msgpack::implied_type(encoding), Ok(Type::Number));
    } else if let Some(text) = field("string").and_then(Json::as_str) {
        primitive(encoding, Value::from(text));
    } else if let Some(binary) = field("binary").and_then(Json::as_str) {
        // Bytes are taken for text, as cty does, if they are text; they imply no type.
        let text = String::from_utf8(bytes(&binary.replace('-', "")));
        assert_eq!(read(encoding, &Type::String), text.ok().map(Value::from));
        assert!(msgpack::implied_type(encoding).is_err());
    } else if let Some(parts) = field("array").or(field("map")) {
        let value = json::from_slice(parts.to_string().as_bytes()).expect("it is JSON");
        let ty = msgpack::implied_type(encoding).expect("it has a type");
        assert_eq!(ty, value.ty());
        assert_eq!(read(encoding, &ty).as_ref(), Some(&value));
    } else {
        // cty takes an extension of up to one byte for an unknown value, whatever its code.
        assert!(field("timestamp").or(field("ext")).is_some(), "{case}");
        let body = field("ext").and_then(|ext| ext[1].as_str());
        let unknown = body.filter(|hex| hex.len() <= 2).map(|_| Value::unknown(Type::String));
        assert_eq!(msgpack::lenient::from_slice(encoding, &Type::String).ok(), unknown);
        let error = msgpack::from_slice(encoding, &Type::String).expect_err("it is no value");
        assert!(error.message().contains("extension"), "{error}");
    }
}

#[test]
fn every_encoding_of_a_value_reads_as_the_value() {
    for suite in suites() {
        let mut count = 0;
        for case in
            suite.as_object().expect("kinds by name").values().flat_map(|cases| cases.as_array()).flatten()
        {
            for encoding in case["msgpack"].as_array().expect("encodings") {
                judge(case, &bytes(&encoding.as_str().expect("hexadecimal").replace('-', "")));
                count += 1;
            }
        }
        println!("{count} encodings");
    }
}
