//! Digests, and identifiers made with them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::Digest;
use uuid::Uuid;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["md5", "sha1", "sha256", "sha512", "base64sha256", "base64sha512"], "that the result is not null"),
    (&["uuidv5"], "that the result is not null, and an error where the namespace can be none"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    type Digested = fn(&[u8]) -> String;
    let digests: [(&str, &str, Digested); 6] = [
        ("md5", "The MD5 digest of the text, in hexadecimal digits.", |text| hex(&md5::Md5::digest(text))),
        ("sha1", "The SHA-1 digest of the text, in hexadecimal digits.", |text| {
            hex(&sha1::Sha1::digest(text))
        }),
        ("sha256", "The SHA-256 digest of the text, in hexadecimal digits.", |text| {
            hex(&sha2::Sha256::digest(text))
        }),
        ("sha512", "The SHA-512 digest of the text, in hexadecimal digits.", |text| {
            hex(&sha2::Sha512::digest(text))
        }),
        ("base64sha256", "The SHA-256 digest of the text, as Base64.", |text| {
            STANDARD.encode(sha2::Sha256::digest(text))
        }),
        ("base64sha512", "The SHA-512 digest of the text, as Base64.", |text| {
            STANDARD.encode(sha2::Sha512::digest(text))
        }),
    ];
    for (name, description, digest) in digests {
        let function = Function::new(name)
            .description(description)
            .parameter(Parameter::new("str", Type::String))
            .returns(Type::String)
            .not_null()
            .body(move |arguments| Ok(Value::from(digest(arguments.text(0)?.as_bytes()))));
        all.push(Standard::language(function));
    }
    all.push(Standard::language(uuidv5()));
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn uuidv5() -> Function {
    Function::new("uuidv5")
        .description("The UUID, of version 5, of a name in a namespace: dns, url, oid, x500, or a UUID.")
        .parameter(Parameter::new("namespace", Type::String))
        .parameter(Parameter::new("name", Type::String))
        .returns(Type::String)
        .not_null()
        .transformer(|arguments| {
            if arguments.at(0).is_known() {
                namespace(arguments)?;
            }
            Ok(canonical(Type::String, crate::refinement::Refinement::not_null()))
        })
        .body(|arguments| {
            let uuid = Uuid::new_v5(&namespace(arguments)?, arguments.text(1)?.as_bytes());
            Ok(Value::from(uuid.hyphenated().to_string()))
        })
}

fn namespace(arguments: &Arguments<'_>) -> Result<Uuid> {
    match arguments.text(0)? {
        "dns" => Ok(Uuid::NAMESPACE_DNS),
        "url" => Ok(Uuid::NAMESPACE_URL),
        "oid" => Ok(Uuid::NAMESPACE_OID),
        "x500" => Ok(Uuid::NAMESPACE_X500),
        text => Uuid::parse_str(text).map_err(|_| {
            let message = format!("uuidv5() doesn't support namespace {}", QuotedInMessage(text));
            Error::new(Kind::Argument, message).in_argument(0)
        }),
    }
}
