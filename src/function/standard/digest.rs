//! Digests of strings, and `uuidv5`, whose identifiers are digests.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::Digest;
use uuid::Uuid;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::StandardFunction;

/// Adds the digests, such as `sha256`, and `uuidv5`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    type DigestText = fn(&[u8]) -> String;
    let digests: [(&str, &str, DigestText); 6] = [
        ("md5", "The MD5 digest of the string, in hexadecimal digits.", |text| hex(&md5::Md5::digest(text))),
        ("sha1", "The SHA-1 digest of the string, in hexadecimal digits.", |text| {
            hex(&sha1::Sha1::digest(text))
        }),
        ("sha256", "The SHA-256 digest of the string, in hexadecimal digits.", |text| {
            hex(&sha2::Sha256::digest(text))
        }),
        ("sha512", "The SHA-512 digest of the string, in hexadecimal digits.", |text| {
            hex(&sha2::Sha512::digest(text))
        }),
        ("base64sha256", "The SHA-256 digest of the string, as Base64.", |text| {
            STANDARD.encode(sha2::Sha256::digest(text))
        }),
        ("base64sha512", "The SHA-512 digest of the string, as Base64.", |text| {
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
        functions.push(StandardFunction::language_only(function, "that the result is not null"));
    }
    let note = "that the result is not null; an error if the known namespace is invalid";
    functions.push(StandardFunction::language_only(uuidv5(), note));
}

/// The bytes in lower-case hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Defines `uuidv5`: the UUID of a name in a namespace.
fn uuidv5() -> Function {
    Function::new("uuidv5")
        .description("The version 5 UUID of a name in a namespace, which is dns, url, oid, x500 or a UUID.")
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

/// The namespace UUID in the first argument, which is known: one of the four well-known names, or a UUID itself. Else
/// an error.
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
