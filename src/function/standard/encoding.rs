//! Encodings of strings: Base64 and the query strings of URLs.

use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::language::{self, CharMap, Language};
use crate::text::{QuotedInMessage, nfc, stable_prefix};
use crate::types::Type;
use crate::value::Value;

use super::strings::{ascii_language_of, in_language, language_of};
use super::{ResultPattern, StandardFunction};

/// A pattern of all Base64 encodings: groups of four digits, of which the last may stand for one or two bytes.
const BASE64: &str = "^(?:[0-9A-Za-z+/]{4})*(?:[0-9A-Za-z+/]{2}[AEIMQUYcgkosw048]=|[0-9A-Za-z+/][AQgw]==)?$";

/// A pattern of all escaped query strings.
const ESCAPED: &str = "^(?:[-+.0-9A-Z_a-z~]|%[0-9A-F]{2})*$";

/// Adds `base64encode`, `base64decode`, `urlencode` and `urldecode`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let encoding = "the encoding of the known prefix, which characters follow, and how many";
    let description = "The UTF-8 bytes of the string, encoded as Base64.";
    let encode = string_function("base64encode", description, BASE64, base64_encoded_prefix, base64_lengths)
        .body(|arguments| Ok(Value::from(STANDARD.encode(arguments.text(0)?))));
    functions.push(StandardFunction::language_only(encode, encoding));
    let description = "The string, escaped for the query string of a URL.";
    let prefix = |prefix: &str| Ok(url_encode(prefix));
    let encode = string_function("urlencode", description, ESCAPED, prefix, url_encoded_language)
        .body(|arguments| Ok(Value::from(url_encode(arguments.text(0)?))));
    functions.push(StandardFunction::language_only(encode, encoding));
    let decoding = "the decoding of the known prefix, as far as no continuation changes it";
    let description = "The string whose UTF-8 bytes are encoded as this Base64.";
    let decode = string_function("base64decode", description, "", base64_decoded_prefix, |_| None)
        .body(|arguments| base64_decode(arguments.text(0)?).map(Value::from));
    functions.push(StandardFunction::language_only(decode, decoding));
    let description = "The string that is escaped in a query string of a URL.";
    let decode = string_function("urldecode", description, "", url_decoded_prefix, url_decoded_language)
        .body(|arguments| url_decode(arguments.text(0)?).map(Value::from));
    functions.push(StandardFunction::language_only(decode, decoding));
}

/// Begins the definition of a function from string to string. `pattern` matches all results; `result_prefix` computes
/// the known prefix of the result from the known prefix of an unknown argument, `image` the language of the result from
/// an unknown argument.
fn string_function(
    name: &str,
    description: &str,
    pattern: &'static str,
    result_prefix: fn(&str) -> Result<String>,
    image: fn(&Value) -> Option<language::Result>,
) -> crate::function::FunctionBuilder {
    let result_pattern = ResultPattern::new(pattern);
    Function::new(name)
        .description(description)
        .parameter(Parameter::new("str", Type::String))
        .returns(Type::String)
        .not_null()
        .transformer(move |arguments: &Arguments<'_>| {
            let range = arguments.at(0).range();
            let prefix = result_prefix(range.prefix().unwrap_or_default())?;
            let known = result_pattern.with_prefix(&prefix);
            Ok(match image(arguments.at(0)) {
                Some(image) => in_language(known, image),
                None => known,
            })
        })
}

/// The known prefix of the Base64 encoding of a string with this prefix. Each digit stands for 6 bits, so the last
/// bytes may determine only a part of a digit, which is left out.
fn base64_encoded_prefix(prefix: &str) -> Result<String> {
    let mut text = STANDARD.encode(prefix);
    text.truncate(prefix.len().saturating_mul(8).checked_div(6).unwrap_or(0));
    Ok(text)
}

/// The lengths of the Base64 encodings of the strings of a language.
fn base64_lengths(text: &Value) -> Option<language::Result> {
    let strings = language_of(text)?;
    let longest_character = if ascii_language_of(text).is_some() { 1 } else { 4 };
    let digits = |bytes: u32| bytes.div_ceil(3).saturating_mul(4);
    let most = strings.longest().map(|longest| digits(longest.saturating_mul(longest_character)));
    Some(Language::lengths(digits(strings.shortest()?), most))
}

/// The language of the escaped strings of a language of ASCII.
fn url_encoded_language(text: &Value) -> Option<language::Result> {
    static ESCAPES: OnceLock<CharMap> = OnceLock::new();
    let escapes =
        ESCAPES.get_or_init(|| CharMap::new(('\0'..='\u{7f}').map(|c| (c, url_encode(&c.to_string())))));
    let strings = language_of(text)?;
    let is_ascii = strings.characters().iter().all(|(_, last)| last.is_ascii());
    is_ascii.then(|| strings.map(escapes))
}

/// The language of the strings of a language of ASCII without escapes, where each `+` means a space.
fn url_decoded_language(text: &Value) -> Option<language::Result> {
    let strings = ascii_language_of(text)?;
    let has_escapes = strings.characters().iter().any(|(first, last)| (*first..=*last).contains(&'%'));
    (!has_escapes).then(|| strings.replace("+", " "))
}

/// Escapes a string like Go's `url.QueryEscape`: a space becomes `+`, and every byte but letters, digits, `-`, `_`,
/// `.` and `~` becomes `%` and two hexadecimal digits.
fn url_encode(text: &str) -> String {
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

/// The bytes of an escaped string, and the byte position of an incomplete escape at its end, if there is one. An error
/// for an invalid escape.
fn url_unescape(text: &str) -> Result<(Vec<u8>, Option<usize>)> {
    let hex_digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0_usize);
    while let Some(byte) = bytes.get(at) {
        let after = bytes.get(at.saturating_add(1)..).unwrap_or_default();
        match byte {
            b'%' => match (hex_digit(after.first()), hex_digit(after.get(1))) {
                (Some(high), Some(low)) => {
                    out.extend(u8::try_from(high.saturating_mul(16).saturating_add(low)));
                    at = at.saturating_add(2);
                }
                (None, _) if after.is_empty() => return Ok((out, Some(at))),
                (Some(_), None) if after.len() == 1 => return Ok((out, Some(at))),
                _ => return Err(invalid_url_escape(text, at)),
            },
            b'+' => out.push(b' '),
            byte => out.push(*byte),
        }
        at = at.saturating_add(1);
    }
    Ok((out, None))
}

/// Decodes a string that is escaped for a query string; an error if an escape is invalid or the bytes are not UTF-8.
fn url_decode(text: &str) -> Result<String> {
    match url_unescape(text)? {
        (_, Some(incomplete)) => Err(invalid_url_escape(text, incomplete)),
        (bytes, None) => String::from_utf8(bytes).map_err(|_| invalid_utf8()),
    }
}

/// The known prefix of the URL decoding of a string with this prefix; an error if no string with the prefix can be
/// decoded.
fn url_decoded_prefix(prefix: &str) -> Result<String> {
    prefix_of_utf8(&url_unescape(prefix)?.0)
}

/// The error for an invalid URL escape that begins at this byte; the message quotes the escape.
#[cold]
fn invalid_url_escape(text: &str, at: usize) -> Error {
    // The message quotes the escape: three characters, or fewer at the end of the string.
    let rest = text.get(at..).unwrap_or_default();
    let escape: String = rest.chars().take(3).collect();
    let message = format!(
        "failed to decode URL {}: invalid URL escape {}",
        QuotedInMessage(text),
        QuotedInMessage(&escape)
    );
    Error::new(Kind::Syntax, message).in_argument(0)
}

/// The bytes of the string without line breaks, which Go's Base64 decoder skips.
fn without_line_breaks(text: &str) -> Vec<u8> {
    text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect()
}

/// Decodes a Base64 string; an error if it is invalid or the bytes are not UTF-8.
fn base64_decode(text: &str) -> Result<String> {
    let bytes = STANDARD.decode(without_line_breaks(text)).map_err(|_| invalid_base64(text))?;
    String::from_utf8(bytes).map_err(|_| invalid_utf8())
}

/// The known prefix of the Base64 decoding of a string with this prefix: that of its complete groups of four digits. An
/// error if no string with the prefix can be decoded.
fn base64_decoded_prefix(prefix: &str) -> Result<String> {
    let digits = without_line_breaks(prefix);
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    if !digits.iter().all(is_base64) {
        return Err(invalid_base64(prefix));
    }
    let groups = digits.chunks_exact(4).take_while(|group| !group.contains(&b'='));
    let groups: Vec<u8> = groups.flatten().copied().collect();
    prefix_of_utf8(&STANDARD.decode(groups).unwrap_or_default())
}

/// The known prefix of a string whose UTF-8 bytes start with these, where the last character may be incomplete. An
/// error if the bytes are invalid.
fn prefix_of_utf8(bytes: &[u8]) -> Result<String> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_some() => return Err(invalid_utf8()),
        Err(error) => {
            bytes.get(..error.valid_up_to()).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or("")
        }
    };
    Ok(stable_prefix(&nfc(text)).to_owned())
}

/// The error for a string that is not Base64.
#[cold]
fn invalid_base64(text: &str) -> Error {
    Error::new(Kind::Syntax, format!("failed to decode base64 data {}", QuotedInMessage(text))).in_argument(0)
}

/// The error for decoded bytes that are not UTF-8.
#[cold]
fn invalid_utf8() -> Error {
    let message = "the result of decoding the provided string is not valid UTF-8";
    Error::new(Kind::Syntax, message).in_argument(0)
}
