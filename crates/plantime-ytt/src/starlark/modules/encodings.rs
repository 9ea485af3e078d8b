//! The modules `base64`, `json` and `yaml`.

use super::super::arguments::module_text;
use super::super::convert::value_from_yaml;
use super::super::error::Failure;
use super::super::interpreter::Interpreter;
use super::super::value::{Arguments, Builtin, Native, Value};
use super::assert::yaml_text;
use super::text::{exactly, flag, positional, refuse_other_keywords};
use crate::node::{Content, Scalar, float_text, shortest};
use crate::quoted::double_quoted;
use crate::yaml::{Comments, ReadError, read};

pub(super) const BASE64: [(&str, Native); 2] = [("decode", base64_decode), ("encode", base64_encode)];
pub(super) const JSON: [(&str, Native); 2] = [("decode", json_decode), ("encode", json_encode)];
pub(super) const YAML: [(&str, Native); 2] = [("decode", yaml_decode), ("encode", yaml_encode)];

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A variant of base64.
#[derive(Clone, Copy, Default)]
struct Base64 {
    /// Whether `-` and `_` stand for `+` and `/`.
    is_url: bool,
    /// Whether there is no padding.
    is_raw: bool,
    /// Whether bits behind the last byte have to be zero.
    is_strict: bool,
}

impl Base64 {
    /// The variant that keywords name.
    fn of(arguments: &Arguments) -> Result<Base64, Failure> {
        refuse_other_keywords(arguments, &["raw", "strict", "url"])?;
        Ok(Base64 {
            is_url: flag(arguments, "url", false)?,
            is_raw: flag(arguments, "raw", false)?,
            is_strict: flag(arguments, "strict", false)?,
        })
    }

    /// The character for six bits.
    fn character(self, bits: u32) -> u8 {
        match (self.is_url, bits & 63) {
            (true, 62) => b'-',
            (true, 63) => b'_',
            (_, bits) => usize::try_from(bits).ok().and_then(|at| DIGITS.get(at)).copied().unwrap_or(b'='),
        }
    }

    /// The six bits that a character stands for.
    fn bits(self, character: u8) -> Option<u32> {
        Some(match (self.is_url, character) {
            (_, b'A'..=b'Z') => u32::from(character.saturating_sub(b'A')),
            (_, b'a'..=b'z') => u32::from(character.saturating_sub(b'a')).saturating_add(26),
            (_, b'0'..=b'9') => u32::from(character.saturating_sub(b'0')).saturating_add(52),
            (false, b'+') | (true, b'-') => 62,
            (false, b'/') | (true, b'_') => 63,
            _ => return None,
        })
    }

    /// Returns bytes as text.
    fn encoded(self, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        for group in bytes.chunks(3) {
            let byte = |at: usize| group.get(at).copied().map_or(0, u32::from);
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
                if index <= group.len() {
                    text.push(self.character(bits >> shift));
                } else if !self.is_raw {
                    text.push(b'=');
                }
            }
        }
        text
    }

    /// Returns the bytes that a text stands for, or the place of what is wrong, as Go counts it.
    fn decoded(self, text: &str) -> Result<Vec<u8>, usize> {
        let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let characters: Vec<(usize, u8)> =
            text.bytes().enumerate().filter(|(_, byte)| !is_break(byte)).collect();
        let mut bytes = Vec::new();
        for (group, quantum) in characters.chunks(4).enumerate() {
            let mut bits = 0_u32;
            let mut count = 0_usize;
            let mut end = text.len();
            for (index, (at, character)) in quantum.iter().enumerate() {
                if *character == b'=' && !self.is_raw {
                    // Padding stands for the last one or two characters of the last group.
                    if index < 2 {
                        return Err(*at);
                    }
                    let after = |skip: usize| {
                        let next = group.saturating_mul(4).saturating_add(index).saturating_add(skip);
                        characters.get(next)
                    };
                    let rest = if index == 2 { 2 } else { 1 };
                    match (index, after(1)) {
                        (2, None) => return Err(text.len()),
                        (2, Some((_, next))) if *next != b'=' => return Err(*at),
                        _ => {}
                    }
                    if let Some((at, _)) = after(rest) {
                        return Err(*at);
                    }
                    end = *at;
                    break;
                }
                bits = bits << 6 | self.bits(*character).ok_or(*at)?;
                count = count.saturating_add(1);
            }
            let is_cut = quantum.len() < 4;
            if count < 4 && (count == 1 || is_cut && !self.is_raw) {
                let first = quantum.first().map_or(0, |(at, _)| *at);
                return Err(first);
            }
            bits = match count {
                2 => bits << 12,
                3 => bits << 6,
                _ => bits,
            };
            let [_, first, second, third] = bits.to_be_bytes();
            let rest = match count {
                2 => u32::from(second) | u32::from(third),
                3 => u32::from(third),
                _ => 0,
            };
            if self.is_strict && rest != 0 {
                return Err(end.saturating_sub(if count == 2 { 0 } else { 1 }));
            }
            bytes.extend([first, second, third].into_iter().take(count.saturating_sub(1)));
        }
        Ok(bytes)
    }
}

/// `base64.encode(text, url=False, raw=False, strict=False)`.
fn base64_encode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let variant = Base64::of(&arguments)?;
    let Value::Text(bytes) = value.known()? else {
        module_text(&value)?;
        return Ok(Value::None);
    };
    this.heap.work(bytes.len() / 16)?;
    this.heap.text(variant.encoded(bytes))
}

/// `base64.decode(text, url=False, raw=False, strict=False)`.
fn base64_decode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let variant = Base64::of(&arguments)?;
    let text = module_text(&value)?;
    this.heap.work(text.len() / 16)?;
    let bytes = variant
        .decoded(&text)
        .map_err(|at| Failure::from(format!("illegal base64 data at input byte {at}")))?;
    this.heap.text(bytes)
}

/// Returns the text that base64 encodes; `None` if it encodes none.
pub(crate) fn decoded(text: &str) -> Option<String> {
    Base64::default().decoded(text).ok().and_then(|bytes| String::from_utf8(bytes).ok())
}

/// `yaml.encode(value)`: a value as YAML.
fn yaml_encode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    // ytt takes an indentation, and ignores it.
    refuse_other_keywords(&arguments, &["indent"])?;
    let text = yaml_text(this, &value)?;
    this.heap.text(text)
}

/// `yaml.decode(text)`: the value of a YAML document.
fn yaml_decode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = positional(&arguments)?;
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

/// `json.encode(value, indent=0, escape_html=True)`: a value as JSON.
fn json_encode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let is_other = |name: &str| !["escape_html", "indent"].contains(&name);
    if let Some((keyword, _)) = arguments.keywords.iter().find(|(keyword, _)| is_other(keyword)) {
        return Err(format!("invalid argument name: {keyword}").into());
    }
    let indent = match arguments.keywords.iter().find(|(keyword, _)| &**keyword == "indent") {
        Some((_, Value::Int(int))) => usize::try_from(int).unwrap_or(usize::MAX),
        Some((_, other)) => return Err(format!("expected int value, but was {}", other.type_name()).into()),
        None => 0,
    };
    if indent > 8 {
        return Err("indent value must be between 0 and 8".into());
    }
    let escape = flag(&arguments, "escape_html", true)?;
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
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        char if char < ' ' || matches!(char, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') => {
            out.push_str(&format!("\\u{:04x}", u32::from(char)));
        }
        char => out.push(char),
    })
}

/// `json.decode(text)`: the value of a JSON text.
fn json_decode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = positional(&arguments)?;
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
