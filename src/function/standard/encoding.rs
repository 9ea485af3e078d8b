//! Text as other text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::Refinement;
use crate::text::{QuotedInMessage, nfc, stable_prefix};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["base64encode", "urlencode"], "the text of what a known beginning becomes"),
    (
        &["base64decode", "urldecode"],
        "the text that a known beginning means, as far as nothing that follows changes it",
    ),
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
    let decode = of_text("urldecode", "The text that a part of the query of a URL means.", url_start);
    all.push(Standard::language(decode.body(|arguments| url_decoded(arguments.text(0)?).map(Value::from))));
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

/// The bytes that a part of a query means, and where an escape begins that is not all there.
fn unescaped(text: &str) -> Result<(Vec<u8>, Option<usize>)> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0_usize);
    while let Some(byte) = bytes.get(at) {
        let after = bytes.get(at.saturating_add(1)..).unwrap_or_default();
        match byte {
            b'%' => match (digit(after.first()), digit(after.get(1))) {
                (Some(high), Some(low)) => {
                    out.extend(u8::try_from(high.saturating_mul(16).saturating_add(low)));
                    at = at.saturating_add(2);
                }
                (None, _) if after.is_empty() => return Ok((out, Some(at))),
                (Some(_), None) if after.len() == 1 => return Ok((out, Some(at))),
                _ => return Err(no_escape(text, at)),
            },
            b'+' => out.push(b' '),
            byte => out.push(*byte),
        }
        at = at.saturating_add(1);
    }
    Ok((out, None))
}

fn url_decoded(text: &str) -> Result<String> {
    match unescaped(text)? {
        (_, Some(cut)) => Err(no_escape(text, cut)),
        (bytes, None) => String::from_utf8(bytes).map_err(|_| no_text()),
    }
}

fn url_start(prefix: &str) -> Result<String> {
    start_of_utf8(&unescaped(prefix)?.0)
}

#[cold]
fn no_escape(text: &str, at: usize) -> Error {
    // An escape has three characters; fewer of them at the end of the text.
    let rest = text.get(at..).unwrap_or_default();
    let escape: String = rest.chars().take(3).collect();
    let message = format!(
        "failed to decode URL {}: invalid URL escape {}",
        QuotedInMessage(text),
        QuotedInMessage(&escape)
    );
    Error::new(Kind::Syntax, message).in_argument(0)
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
    start_of_utf8(&STANDARD.decode(groups).unwrap_or_default())
}

/// What a text starts with whose bytes start with these. The last character may not be all there.
fn start_of_utf8(bytes: &[u8]) -> Result<String> {
    let text = match std::str::from_utf8(bytes) {
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
    Error::new(Kind::Syntax, format!("failed to decode base64 data {}", QuotedInMessage(text))).in_argument(0)
}

#[cold]
fn no_text() -> Error {
    let message = "the result of decoding the provided string is not valid UTF-8";
    Error::new(Kind::Syntax, message).in_argument(0)
}
