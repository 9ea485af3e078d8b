//! Text as other text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::Refinement;
use crate::text::{Quoted, nfc, stable_prefix};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["base64encode", "urlencode"], "the text of what a known beginning becomes"),
    (&["base64decode"], "the text that a known beginning means, as far as nothing that follows changes it"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let encode = of_text("base64encode", "The text, in UTF-8, as Base64.", base64_start);
    all.push(Standard::language(
        encode.body(|arguments| Ok(Value::from(STANDARD.encode(arguments.text(0)?)))),
    ));
    let encode = of_text("urlencode", "The text as a part of the query of a URL.", |prefix| Ok(url(prefix)));
    all.push(Standard::language(encode.body(|arguments| Ok(Value::from(url(arguments.text(0)?))))));
    let decode = of_text("base64decode", "The text that a Base64 text means.", decoded_start);
    all.push(Standard::language(decode.body(|arguments| decoded(arguments.text(0)?).map(Value::from))));
}

/// A function from text to text, and what its result starts with for a text that starts so.
fn of_text(
    name: &str,
    description: &str,
    start: fn(&str) -> Result<String>,
) -> crate::function::FunctionBuilder {
    Function::new(name)
        .description(description)
        .parameter(Parameter::new("str", Type::String))
        .returns(Type::String)
        .not_null()
        .transformer(move |arguments: &Arguments<'_>| {
            let range = arguments.at(0).range();
            let start = start(range.prefix().unwrap_or_default())?;
            Ok(canonical(Type::String, Refinement::prefix(&start).and_not_null()))
        })
}

/// Each character is 6 bits; those of which all are known.
fn base64_start(prefix: &str) -> Result<String> {
    let mut text = STANDARD.encode(prefix);
    text.truncate(prefix.len().saturating_mul(8).checked_div(6).unwrap_or(0));
    Ok(text)
}

/// As Go's `url.QueryEscape`: a space is a plus sign, all but letters, digits, `-`, `_`, `.` and `~` is escaped.
fn url(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The characters that count: Go passes over the ends of lines.
fn characters(text: &str) -> Vec<u8> {
    text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect()
}

fn decoded(text: &str) -> Result<String> {
    let bytes = STANDARD.decode(characters(text)).map_err(|_| no_base64(text))?;
    String::from_utf8(bytes).map_err(|_| no_text())
}

/// The whole groups of four characters that are known.
fn decoded_start(prefix: &str) -> Result<String> {
    let characters = characters(prefix);
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    if !characters.iter().all(is_base64) {
        return Err(no_base64(prefix));
    }
    let groups = characters.chunks_exact(4).take_while(|group| !group.contains(&b'='));
    let groups: Vec<u8> = groups.flatten().copied().collect();
    let bytes = STANDARD.decode(groups).unwrap_or_default();
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_some() => return Err(no_text()),
        Err(error) => {
            bytes.get(..error.valid_up_to()).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or("")
        }
    };
    Ok(stable_prefix(&nfc(text)).to_owned())
}

#[cold]
fn no_base64(text: &str) -> Error {
    Error::new(Kind::Syntax, format!("failed to decode base64 data {}", Quoted(text))).in_argument(0)
}

#[cold]
fn no_text() -> Error {
    let message = "the result of decoding the provided string is not valid UTF-8";
    Error::new(Kind::Syntax, message).in_argument(0)
}
