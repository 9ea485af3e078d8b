//! Digests of strings, and `uuidv5`, whose identifiers are digests.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::Digest;
use uuid::Uuid;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::Value;

use super::{ResultPattern, StandardFunction};

/// Computes a digest of bytes and writes it as a string.
type DigestText = fn(&[u8]) -> String;

/// The digests by the names of their functions.
pub const DIGESTS: [(&str, DigestText); 6] = [
    ("md5", |bytes| hex(&md5::Md5::digest(bytes))),
    ("sha1", |bytes| hex(&sha1::Sha1::digest(bytes))),
    ("sha256", |bytes| hex(&sha2::Sha256::digest(bytes))),
    ("sha512", |bytes| hex(&sha2::Sha512::digest(bytes))),
    ("base64sha256", |bytes| STANDARD.encode(sha2::Sha256::digest(bytes))),
    ("base64sha512", |bytes| STANDARD.encode(sha2::Sha512::digest(bytes))),
];

/// Adds the digests, such as `sha256`, and `uuidv5`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let texts: [(&str, &str); 6] = [
        ("The MD5 digest of the string, in hexadecimal digits.", "^[0-9a-f]{32}$"),
        ("The SHA-1 digest of the string, in hexadecimal digits.", "^[0-9a-f]{40}$"),
        ("The SHA-256 digest of the string, in hexadecimal digits.", "^[0-9a-f]{64}$"),
        ("The SHA-512 digest of the string, in hexadecimal digits.", "^[0-9a-f]{128}$"),
        // The last digit before the padding stands for the last 4 bits, or 2 bits, of the digest, and zeros.
        ("The SHA-256 digest of the string, as Base64.", "^[0-9A-Za-z+/]{42}[AEIMQUYcgkosw048]=$"),
        ("The SHA-512 digest of the string, as Base64.", "^[0-9A-Za-z+/]{85}[AQgw]==$"),
    ];
    for ((name, digest), (description, pattern)) in DIGESTS.into_iter().zip(texts) {
        let result_pattern = ResultPattern::new(pattern);
        let function = Function::new(name)
            .description(description)
            .parameter(Parameter::new("str", Type::String))
            .returns(Type::String)
            .not_null()
            .transformer(move |_| Ok(result_pattern.value()))
            .body(move |arguments| Ok(Value::from(digest(arguments.text(0)?.as_bytes()))));
        functions
            .push(StandardFunction::language_only(function, "the number of digits, and which digits occur"));
    }
    let note = "the form of a version 5 UUID; an error if the known namespace is invalid";
    functions.push(StandardFunction::language_only(uuidv5(), note));
}

/// The bytes in lower-case hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Defines `uuidv5`: the UUID of a name in a namespace.
fn uuidv5() -> Function {
    let result_pattern =
        ResultPattern::new("^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$");
    Function::new("uuidv5")
        .description("The version 5 UUID of a name in a namespace, which is dns, url, oid, x500 or a UUID.")
        .parameter(Parameter::new("namespace", Type::String))
        .parameter(Parameter::new("name", Type::String))
        .returns(Type::String)
        .not_null()
        .transformer(move |arguments| {
            if arguments.at(0).is_known() {
                namespace(arguments)?;
            }
            Ok(result_pattern.value())
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
