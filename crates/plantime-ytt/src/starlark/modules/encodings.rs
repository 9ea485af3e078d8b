//! The modules `base64`, `json` and `yaml`.

use super::super::arguments::module_text;
use super::super::convert::value_from_yaml;
use super::super::error::Failure;
use super::super::interpreter::Interpreter;
use super::super::value::{Arguments, Builtin, Native, Value};
use super::assert::yaml_text;
use super::text::exactly;
use crate::node::{Content, Scalar, float_text, shortest};
use crate::quoted::double_quoted;
use crate::yaml::{Comments, ReadError, read};

pub(super) const BASE64: [(&str, Native); 2] = [("decode", base64_decode), ("encode", base64_encode)];
pub(super) const JSON: [(&str, Native); 2] = [("decode", json_decode), ("encode", json_encode)];
pub(super) const YAML: [(&str, Native); 2] = [("decode", yaml_decode), ("encode", yaml_encode)];

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// `base64.encode(text)`.
fn base64_encode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let Value::Text(bytes) = value.known()? else {
        module_text(&value)?;
        return Ok(Value::None);
    };
    this.heap.work(bytes.len() / 16)?;
    let mut text = Vec::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte));
        let missing = 3_usize.saturating_sub(group.len());
        let bits = if missing == 0 { bits } else { bits << (if missing == 1 { 8 } else { 16 }) };
        for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let digit = usize::try_from((bits >> shift) & 63).unwrap_or(0);
            let is_padding = index.saturating_add(missing) > 3;
            text.push(if is_padding { b'=' } else { DIGITS.get(digit).copied().unwrap_or(b'=') });
        }
    }
    this.heap.text(text)
}

/// `base64.decode(text)`.
fn base64_decode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let text = module_text(&value)?;
    this.heap.work(text.len() / 16)?;
    let bytes =
        base64_bytes(&text).map_err(|at| Failure::from(format!("illegal base64 data at input byte {at}")))?;
    this.heap.text(bytes)
}

/// Returns the text that base64 encodes; `None` if it encodes none.
pub(crate) fn decoded(text: &str) -> Option<String> {
    base64_bytes(text).ok().and_then(|bytes| String::from_utf8(bytes).ok())
}

/// Returns the bytes that base64 encodes, or the place of the first byte that is none.
fn base64_bytes(text: &str) -> Result<Vec<u8>, usize> {
    let (mut bytes, mut bits, mut count, mut padding) = (Vec::new(), 0_u32, 0_usize, 0_usize);
    for (at, byte) in text.bytes().enumerate() {
        if let b'\n' | b'\r' = byte {
            continue;
        }
        if byte == b'=' && count % 4 >= 2 && padding < 2 {
            padding = padding.saturating_add(1);
            count = count.saturating_add(1);
            bits <<= 6;
        } else {
            let digit = DIGITS.iter().position(|digit| *digit == byte).filter(|_| padding == 0);
            let digit = digit.ok_or(at)?;
            bits = (bits << 6) | u32::try_from(digit).unwrap_or(0);
            count = count.saturating_add(1);
        }
        if count.is_multiple_of(4) {
            let [_, first, second, third] = bits.to_be_bytes();
            bytes.extend([first, second, third].into_iter().take(3_usize.saturating_sub(padding)));
            bits = 0;
        }
    }
    if count.is_multiple_of(4) { Ok(bytes) } else { Err(text.len()) }
}

/// `yaml.encode(value)`: a value as YAML.
fn yaml_encode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let text = yaml_text(this, &value)?;
    this.heap.text(text)
}

/// `yaml.decode(text)`: the value of a YAML document.
fn yaml_decode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let text = module_text(&value)?;
    this.heap.work(text.len())?;
    let file = read("", &text, Comments::Ignored, false).map_err(|error| match error {
        ReadError::Syntax(message) | ReadError::Comment(message) => Failure::from(message),
    })?;
    match file.documents.as_slice() {
        [] => Ok(Value::None),
        [document] => {
            this.note_unknowns(&document.content);
            value_from_yaml(&this.heap, &document.content)
        }
        _ => Err("Expected to find exactly one YAML document".into()),
    }
}

/// `json.encode(value, indent=0, escape_html=False)`: a value as JSON.
fn json_encode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let option =
        |name: &str| arguments.keywords.iter().find(|(key, _)| &**key == name).map(|(_, value)| value);
    let indent = match option("indent") {
        Some(Value::Int(int)) => usize::try_from(int).unwrap_or(0),
        Some(other) => return Err(format!("expected int value, but was {}", other.type_name()).into()),
        None => 0,
    };
    if indent > 8 {
        return Err("indent value must be between 0 and 8".into());
    }
    let escape = option("escape_html").is_some_and(|value| matches!(value, Value::Bool(true)));
    let content =
        super::super::convert::yaml_from_value(&this.heap, &value, &super::super::functions::no_position())?;
    this.heap.work(crate::yaml::size_of(&content))?;
    let mut text = String::new();
    write_json(&content, indent, 0, escape, &mut text)?;
    this.heap.text(text)
}

/// Returns a document as a line of JSON; the error is Go's.
pub(crate) fn json_line(content: &Content) -> Result<String, String> {
    let mut text = String::new();
    write_json(content, 0, 0, true, &mut text).map_err(|failure| failure.message())?;
    Ok(text)
}

/// Writes JSON with sorted keys, as Go's encoder does.
fn write_json(
    content: &Content,
    indent: usize,
    depth: usize,
    escape: bool,
    text: &mut String,
) -> Result<(), Failure> {
    let inner = depth.saturating_add(1);
    let line = |depth: usize, text: &mut String| {
        if indent > 0 {
            text.push('\n');
            text.push_str(&" ".repeat(indent.saturating_mul(depth)));
        }
    };
    match content {
        Content::Scalar(scalar) => text.push_str(&match scalar {
            Scalar::Null | Scalar::Unknown => "null".to_owned(),
            Scalar::Bool(bool) => bool.to_string(),
            Scalar::Int(int) => int.to_string(),
            Scalar::Float(float) if !float.is_finite() => {
                return Err(format!("json: unsupported value: {}", float_text(*float)).into());
            }
            // Go writes an exponent of one digit without a zero before it.
            Scalar::Float(float) => shortest(*float, -6..21).replace("e-0", "e-"),
            Scalar::Text(string) => quoted_json(string, escape),
        }),
        other if other.children().is_empty() => {
            text.push_str(if let Content::Map(_) = other { "{}" } else { "[]" });
        }
        Content::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                line(inner, text);
                write_json(&item.content, indent, inner, escape, text)?;
            }
            line(depth, text);
            text.push(']');
        }
        Content::Map(items) => {
            let mut entries = Vec::new();
            for item in items {
                let Some(Scalar::Text(key)) = &item.key else {
                    return Err("(p) Expected key to be string (backtrace: <elided>)".into());
                };
                entries.push((key, &item.content));
            }
            entries.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                line(inner, text);
                text.push_str(&quoted_json(key, escape));
                text.push_str(if indent > 0 { ": " } else { ":" });
                write_json(value, indent, inner, escape, text)?;
            }
            line(depth, text);
            text.push('}');
        }
    }
    Ok(())
}

/// Returns a string in double quotes as JSON; `escape` escapes `<`, `>` and `&` too, as Go's encoder does by default.
fn quoted_json(text: &str, escape: bool) -> String {
    double_quoted(text, |char, out| match char {
        '<' | '>' | '&' if !escape => out.push(char),
        char if char < ' ' || matches!(char, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') => {
            out.push_str(&format!("\\u{:04x}", u32::from(char)));
        }
        char => out.push(char),
    })
}

/// `json.decode(text)`: the value of a JSON text.
fn json_decode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let text = module_text(&value)?;
    this.heap.work(text.len())?;
    let parsed: serde_json::Value = serde_json::from_str(&text).map_err(|error| json_error(&text, &error))?;
    json_value(this, &parsed)
}

/// Returns the message of Go's decoder for an error of another one.
fn json_error(text: &str, error: &serde_json::Error) -> Failure {
    if error.is_eof() {
        return "unexpected end of JSON input".into();
    }
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or("");
    let at = error.column().saturating_sub(1);
    let char = line.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
    format!("invalid character {char:?} looking for beginning of value").into()
}

/// Returns JSON as a value of Starlark.
fn json_value(this: &mut Interpreter<'_>, value: &serde_json::Value) -> Result<Value, Failure> {
    Ok(match value {
        serde_json::Value::Null => Value::None,
        serde_json::Value::Bool(bool) => Value::Bool(*bool),
        serde_json::Value::Number(number) => match number.to_string().parse() {
            Ok(int) => Value::Int(int),
            Err(_) => match number.as_f64() {
                Some(float) => super::super::number::whole(float).map_or(Value::Float(float), Value::Int),
                None => Value::None,
            },
        },
        serde_json::Value::String(text) => this.heap.text(text.as_str())?,
        serde_json::Value::Array(items) => {
            let items = items.iter().map(|item| json_value(this, item)).collect::<Result<_, _>>()?;
            this.heap.list(items)?
        }
        serde_json::Value::Object(entries) => {
            // Whichever order the parser keeps: ytt's decoder sorts.
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let mut values = Vec::new();
            for (key, value) in entries {
                values.push((Value::text(key), json_value(this, value)?));
            }
            this.heap.dict(values)?
        }
    })
}
