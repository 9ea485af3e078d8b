//! What a scalar means: text, or by its form a null, a bool, a number or a time.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use saphyr_parser::ScalarStyle;

use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::text::Quoted;
use crate::types::Type;
use crate::value::Value;

use super::time::time;

/// What the tags of YAML's own types begin with.
const CORE: &str = "tag:yaml.org,2002:";

/// The value of a scalar.
pub(super) fn value(text: &str, style: ScalarStyle, tag: Option<&str>) -> Result<Value> {
    let quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
    let Some(tag) = tag else {
        return match style {
            ScalarStyle::Plain => Ok(resolve(text)?.value(text)),
            // Texts in lines of their own are not numbers or truth values, but nulls and times like plain ones.
            ScalarStyle::Literal | ScalarStyle::Folded => match resolve(text)? {
                Meaning::Bool(_) | Meaning::Number(_) => Ok(Value::from(text)),
                meaning => Ok(meaning.value(text)),
            },
            _ => Ok(Value::from(text)),
        };
    };
    match tag.strip_prefix(CORE) {
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
        Some(kind @ ("null" | "bool" | "int" | "float" | "timestamp")) => match tagged(text) {
            Ok(meaning) if quoted && !matches!(meaning, Meaning::Text) => Ok(Value::from(text)),
            Ok(meaning @ Meaning::Time(_)) if kind == "timestamp" => Ok(meaning.value(text)),
            Ok(meaning @ (Meaning::Null | Meaning::Bool(_) | Meaning::Number(_))) => Ok(meaning.value(text)),
            _ if kind == "null" => Ok(Value::null(Type::Dynamic)),
            Err(error) if error.is_limit() => Err(error),
            _ => Err(unfit(text, tag)),
        },
        _ => Err(unsupported(tag)),
    }
}

enum Meaning {
    Null,
    Bool(bool),
    Number(Number),
    /// As RFC 3339 has it.
    Time(String),
    Text,
}

impl Meaning {
    fn value(self, text: &str) -> Value {
        match self {
            Meaning::Null => Value::null(Type::Dynamic),
            Meaning::Bool(truth) => Value::from(truth),
            Meaning::Number(number) => Value::from(number),
            Meaning::Time(time) => Value::from(time),
            Meaning::Text => Value::from(text),
        }
    }
}

/// What a text means by its form.
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
        // What begins otherwise is none of these.
        text if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-')) => {
            Meaning::Text
        }
        text => match (number(text)?, time(text)) {
            (Some(number), _) => Meaning::Number(number),
            (None, Some(time)) => Meaning::Time(time),
            (None, None) => Meaning::Text,
        },
    })
}

/// What a text means whose tag says that it is no text: numbers may have signs, bases and `_` that they have not otherwise.
fn tagged(text: &str) -> Result<Meaning> {
    let meaning = resolve(text)?;
    if !matches!(meaning, Meaning::Text) {
        return Ok(meaning);
    }
    let plain = text.replace('_', "");
    let (negative, unsigned) = match plain.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let whole = in_base(unsigned, "0b", 2)
        .or_else(|| in_base(unsigned, "0o", 8))
        .or_else(|| in_base(unsigned, "0x", 16));
    let number = match whole {
        Some(number) => Some(number?),
        None if matches!(unsigned, "inf" | "Inf") => Some(Number::INFINITY),
        None => number(unsigned)?,
    };
    Ok(match number {
        Some(number) if negative => Meaning::Number(number.negate()),
        Some(number) => Meaning::Number(number),
        None => Meaning::Text,
    })
}

/// A number in decimal notation, or a whole one in base 8 or 16.
fn number(text: &str) -> Result<Option<Number>> {
    if let Some(number) = in_base(text, "0o", 8).or_else(|| in_base(text, "0x", 16)) {
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

/// A whole number of 64 bits whose digits follow a prefix.
fn in_base(text: &str, prefix: &str, base: u32) -> Option<Result<Number>> {
    let digits = text.strip_prefix(prefix)?;
    let fits = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(base));
    fits.then(|| {
        let number = u64::from_str_radix(digits, base).map(Number::from);
        number.map_err(|_| unfit(text, "tag:yaml.org,2002:int"))
    })
}

#[cold]
fn unfit(text: &str, tag: &str) -> Error {
    Error::new(Kind::Syntax, format!("cannot parse {} as {tag}", quote(text)))
}

#[cold]
pub(super) fn unsupported(tag: &str) -> Error {
    Error::new(Kind::Syntax, format!("unsupported tag {}", quote(tag)))
}

/// A text in a message; of a long one, the beginning.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", Quoted(text.get(..end).unwrap_or_default())),
        None => Quoted(text).to_string(),
    }
}
