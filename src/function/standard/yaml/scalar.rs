//! Values of YAML scalars: an untagged plain scalar can be a null, a bool, a number or a timestamp by its form, else
//! it is a string.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use saphyr_parser::ScalarStyle;

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::text::Quoted;
use crate::types::Type;
use crate::value::Value;

use super::time::rfc3339_timestamp;

/// The prefix of the tags of YAML's own types.
const CORE_TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// The value of a scalar, whose type depends on its style (plain, quoted or block), its tag and its form. An error if
/// it does not fit its tag, or the tag is not supported.
pub(super) fn scalar_value(text: &str, style: ScalarStyle, tag: Option<&str>) -> Result<Value> {
    let is_quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
    let Some(tag) = tag else {
        return match style {
            ScalarStyle::Plain => Ok(resolve(text)?.value(text)),
            // As in go-cty-yaml, a block scalar is never a number or a bool, but can be a null or a timestamp.
            ScalarStyle::Literal | ScalarStyle::Folded => match resolve(text)? {
                Meaning::Bool(_) | Meaning::Number(_) => Ok(Value::from(text)),
                meaning => Ok(meaning.value(text)),
            },
            _ => Ok(Value::from(text)),
        };
    };
    match tag.strip_prefix(CORE_TAG_PREFIX) {
        Some("str") => Ok(Value::from(text)),
        Some("binary") => {
            let plain = text.replace(['\r', '\n'], "");
            match STANDARD.decode(plain) {
                Ok(_) => Ok(Value::from(text)),
                Err(_) => {
                    let message = format!("cannot parse {} as {tag}: not valid base64", quote(text));
                    Err(Error::new(Kind::Syntax, message))
                }
            }
        }
        Some(kind @ ("null" | "bool" | "int" | "float" | "timestamp")) => match resolve_tagged(text) {
            Ok(meaning) if is_quoted && !matches!(meaning, Meaning::String) => Ok(Value::from(text)),
            Ok(meaning @ Meaning::Timestamp(_)) if kind == "timestamp" => Ok(meaning.value(text)),
            Ok(meaning @ (Meaning::Null | Meaning::Bool(_) | Meaning::Number(_))) => Ok(meaning.value(text)),
            _ if kind == "null" => Ok(Value::null(Type::Dynamic)),
            Err(error) if error.is_limit() => Err(error),
            _ => Err(invalid_for_tag(text, tag)),
        },
        _ => Err(unsupported_tag(tag)),
    }
}

/// The type and value that a scalar has by its form, such as a number for `1.5`.
enum Meaning {
    Null,
    Bool(bool),
    Number(Number),
    /// A timestamp in RFC 3339 format.
    Timestamp(String),
    String,
}

impl Meaning {
    /// The value of a scalar with this meaning; `text` is its text, the value of a string.
    fn value(self, text: &str) -> Value {
        match self {
            Meaning::Null => Value::null(Type::Dynamic),
            Meaning::Bool(truth) => Value::from(truth),
            Meaning::Number(number) => Value::from(number),
            Meaning::Timestamp(time) => Value::from(time),
            Meaning::String => Value::from(text),
        }
    }
}

/// The meaning of a plain scalar without a tag, by its form. An error for NaN, and for numbers beyond the limits.
fn resolve(text: &str) -> Result<Meaning> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Meaning::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            Meaning::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            Meaning::Bool(false)
        }
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Meaning::Number(Number::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Meaning::Number(Number::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => {
            return Err(Error::new(Kind::Syntax, "floating point NaN is not supported"));
        }
        // Numbers and timestamps start with a digit, a point or a sign: most strings are recognized here.
        text if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-')) => {
            Meaning::String
        }
        text => match (parse_number(text)?, rfc3339_timestamp(text)) {
            (Some(number), _) => Meaning::Number(number),
            (None, Some(timestamp)) => Meaning::Timestamp(timestamp),
            (None, None) => Meaning::String,
        },
    })
}

/// The meaning of a scalar whose tag says that it is not a string. Its numbers may be binary, octal or hexadecimal with
/// a sign, and contain `_`, which is not allowed without a tag.
fn resolve_tagged(text: &str) -> Result<Meaning> {
    let meaning = resolve(text)?;
    if !matches!(meaning, Meaning::String) {
        return Ok(meaning);
    }
    let plain = text.replace('_', "");
    let (is_negative, unsigned) = match plain.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let integer = parse_in_base(unsigned, "0b", 2)
        .or_else(|| parse_in_base(unsigned, "0o", 8))
        .or_else(|| parse_in_base(unsigned, "0x", 16));
    let number = match integer {
        Some(number) => Some(number?),
        None if matches!(unsigned, "inf" | "Inf") => Some(Number::INFINITY),
        None => parse_number(unsigned)?,
    };
    Ok(match number {
        Some(number) if is_negative => Meaning::Number(number.negate()),
        Some(number) => Meaning::Number(number),
        None => Meaning::String,
    })
}

/// Parses a decimal number, or an integer with the prefix `0o` (base 8) or `0x` (base 16). `None` if the text is not a
/// number; an error if it is one beyond the limits.
fn parse_number(text: &str) -> Result<Option<Number>> {
    if let Some(number) = parse_in_base(text, "0o", 8).or_else(|| parse_in_base(text, "0x", 16)) {
        return number.map(Some);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = unsigned.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.');
    if digits.filter(|byte| *byte != b'.').count() == 0 {
        return Ok(None);
    }
    match text.parse::<Number>() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_limit() => Err(error),
        Err(_) => Ok(None),
    }
}

/// Parses an integer whose digits follow the prefix of its base, such as `0x`. `None` if the text has another form; an
/// error if the integer does not fit 64 bits.
fn parse_in_base(text: &str, prefix: &str, base: u32) -> Option<Result<Number>> {
    let digits = text.strip_prefix(prefix)?;
    let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(base));
    is_number.then(|| {
        let number = u64::from_str_radix(digits, base).map(Number::from);
        number.map_err(|_| invalid_for_tag(text, "tag:yaml.org,2002:int"))
    })
}

/// The error for a scalar with this text, which its tag does not allow.
#[cold]
fn invalid_for_tag(text: &str, tag: &str) -> Error {
    Error::new(Kind::Syntax, format!("cannot parse {} as {tag}", quote(text)))
}

/// The error for a tag that this decoder does not support.
#[cold]
pub(super) fn unsupported_tag(tag: &str) -> Error {
    Error::new(Kind::Syntax, format!("unsupported tag {}", quote(tag)))
}

/// A text in quotes for a message, cut after 60 characters.
pub(super) fn quote(text: &str) -> String {
    const MAX_CHARACTERS: usize = 60;
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", Quoted(text.get(..end).unwrap_or_default())),
        None => Quoted(text).to_string(),
    }
}
