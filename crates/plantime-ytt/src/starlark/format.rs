//! Values as text: `repr`, `str`, `%` and `format`.

use super::error::Failure;
use super::interpreter::Interpreter;
use super::number::{float_of, float_text, whole};
use super::value::{Arguments, StructKind, Value, text_of};
use crate::quoted::quoted;

/// The largest depth of values that are written.
const MAX_DEPTH: usize = 40;
/// The largest length of a text.
const MAX_TEXT: usize = 1 << 22;

impl Interpreter<'_> {
    /// Returns a value as Starlark's `repr` writes it.
    pub(crate) fn repr(&mut self, value: &Value) -> Result<String, Failure> {
        let mut text = String::new();
        self.write(value, &mut text, 0)?;
        Ok(text)
    }

    /// Returns a value as Starlark's `str` writes it: a string without quotes.
    pub(crate) fn str(&mut self, value: &Value) -> Result<String, Failure> {
        match value {
            Value::Text(text) => Ok(text_of(text).into_owned()),
            other => self.repr(other),
        }
    }

    /// Appends a value as `repr` writes it; `depth` is how many values contain it.
    fn write(&mut self, value: &Value, text: &mut String, depth: usize) -> Result<(), Failure> {
        self.heap.work(1)?;
        if text.len() > MAX_TEXT {
            return Err(Failure::Limit("the text of a value is too long".to_owned()));
        }
        if depth > MAX_DEPTH {
            text.push_str("...");
            return Ok(());
        }
        match value.known()? {
            Value::None => text.push_str("None"),
            Value::Bool(true) => text.push_str("True"),
            Value::Bool(false) => text.push_str("False"),
            Value::Int(int) => {
                let bits = usize::try_from(int.bits()).unwrap_or(usize::MAX);
                self.heap.work(bits / 16)?;
                text.push_str(&int.to_string());
            }
            Value::Float(float) => text.push_str(&float_text(*float)),
            Value::Text(string) => {
                self.heap.work(string.len() / 16)?;
                text.push_str(&quoted_bytes(string));
            }
            Value::List(_) => self.write_items(value, ["[", "]"], text, depth)?,
            Value::Tuple(items) => {
                let close = if items.len() == 1 { ",)" } else { ")" };
                self.write_items(value, ["(", close], text, depth)?;
            }
            Value::Set(_) => self.write_items(value, ["set([", "])"], text, depth)?,
            Value::Dict(dict) => {
                let entries: Vec<_> = dict.entries.borrow().iter().cloned().collect();
                text.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { ", " });
                    self.write(key, text, depth.saturating_add(1))?;
                    text.push_str(": ");
                    self.write(value, text, depth.saturating_add(1))?;
                }
                text.push('}');
            }
            Value::Range { start, stop, step } => text.push_str(&match (start, step) {
                (0, 1) => format!("range({stop})"),
                (_, 1) => format!("range({start}, {stop})"),
                _ => format!("range({start}, {stop}, {step})"),
            }),
            Value::Elements(kind, string) => {
                text.push_str(&format!("{}.{}()", quoted_bytes(string), kind.method()));
            }
            Value::Function(function) => text.push_str(&format!("<function {}>", function.definition.name)),
            Value::Builtin(builtin) => {
                let kind = match &builtin.receiver {
                    Some(receiver) if !matches!(receiver, Value::Struct(_)) => {
                        format!("built-in method {} of {} value", builtin.name, receiver.type_name())
                    }
                    _ => format!("built-in function {}", builtin.name),
                };
                text.push_str(&format!("<{kind}>"));
            }
            Value::Struct(fields) => match &fields.kind {
                StructKind::Module(name) => text.push_str(&format!("<module \"{name}\">")),
                _ => text.push_str("struct(...)"),
            },
            Value::Fragment(fragment) => {
                let kind =
                    if let crate::node::Content::Map(_) = fragment.content() { "Map" } else { "Array" };
                text.push_str(&format!("yamlfragment(*yamlmeta.{kind})"));
            }
            Value::Unknown(_) => {}
        }
        Ok(())
    }

    /// Appends the elements of a value with commas, between two brackets.
    fn write_items(
        &mut self,
        value: &Value,
        [open, close]: [&str; 2],
        text: &mut String,
        depth: usize,
    ) -> Result<(), Failure> {
        text.push_str(open);
        for (index, item) in self.iterate(value)?.unwrap_or_default().iter().enumerate() {
            text.push_str(if index == 0 { "" } else { ", " });
            self.write(item, text, depth.saturating_add(1))?;
        }
        text.push_str(close);
        Ok(())
    }
}

/// Returns bytes as a string in double quotes; what is no UTF-8 as escapes.
pub(crate) fn quoted_bytes(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        let valid = quoted(chunk.valid());
        text.push_str(valid.strip_prefix('"').and_then(|valid| valid.strip_suffix('"')).unwrap_or(""));
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text.push('"');
    text
}

/// Returns the result of `FORMAT % VALUES`.
pub(crate) fn interpolate(
    this: &mut Interpreter<'_>,
    format: &[u8],
    values: &Value,
) -> Result<Value, Failure> {
    let format = text_of(format).into_owned();
    let arguments = match values.known()? {
        Value::Tuple(items) => items.to_vec(),
        other => vec![other.clone()],
    };
    let mut arguments = arguments.into_iter();
    let (mut text, mut rest) = (String::new(), format.as_str());
    let mut used_key = false;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        let mut chars = after.chars();
        let conversion = chars.next();
        rest = chars.as_str();
        if conversion == Some('%') {
            text.push('%');
            continue;
        }
        let (conversion, value) = if conversion == Some('(') {
            let Some((key, after)) = rest.split_once(')') else { return Err("incomplete format key".into()) };
            let Value::Dict(dict) = values else { return Err("format requires a mapping".into()) };
            used_key = true;
            let value = dict.entries.borrow().get(&Value::text(key))?.cloned();
            let value = value.ok_or_else(|| format!("key not found: {key}"))?;
            let mut chars = after.chars();
            let conversion = chars.next();
            rest = chars.as_str();
            (conversion, value)
        } else {
            (conversion, arguments.next().ok_or("not enough arguments for format string")?)
        };
        let conversion = conversion.ok_or("incomplete format")?;
        text.push_str(&converted(this, conversion, &value)?);
    }
    text.push_str(rest);
    if arguments.next().is_some() && !used_key {
        return Err("too many arguments for format string".into());
    }
    this.heap.text(text)
}

/// Returns a value as a conversion of `%` writes it, such as `d` or `s`.
fn converted(this: &mut Interpreter<'_>, conversion: char, value: &Value) -> Result<String, Failure> {
    let name = value.known()?.type_name();
    Ok(match conversion {
        's' => this.str(value)?,
        'r' => this.repr(value)?,
        'd' | 'i' | 'o' | 'x' | 'X' => {
            let int = match value {
                Value::Int(int) => int.clone(),
                Value::Float(float) => whole(float.trunc()).ok_or("cannot convert float to int")?,
                _ => {
                    return Err(format!(
                        "%{conversion} format requires integer: cannot convert {name} to int"
                    )
                    .into());
                }
            };
            match conversion {
                'o' => int.to_str_radix(8),
                'x' => int.to_str_radix(16),
                'X' => int.to_str_radix(16).to_uppercase(),
                _ => int.to_string(),
            }
        }
        'e' | 'f' | 'g' | 'E' | 'F' | 'G' => {
            let float = match value {
                Value::Int(int) => float_of(int),
                Value::Float(float) => *float,
                _ => return Err(format!("%{conversion} format requires float, not {name}").into()),
            };
            match conversion {
                'f' | 'F' => format!("{float:.6}"),
                'g' | 'G' => float_text(float),
                _ => {
                    let text = format!("{float:.6e}");
                    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                    let exponent: i32 = exponent.parse().unwrap_or(0);
                    let sign = if exponent < 0 { '-' } else { '+' };
                    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
                }
            }
        }
        'c' => match value {
            Value::Text(text) if text_of(text).chars().count() == 1 => text_of(text).into_owned(),
            Value::Int(int) => {
                let char = u32::try_from(int).ok().and_then(char::from_u32);
                char.ok_or_else(|| format!("%c format requires a valid Unicode code point, got {int}"))?
                    .to_string()
            }
            _ => return Err(format!("%c format requires int or single-character string, not {name}").into()),
        },
        other => return Err(format!("unknown conversion %{other}").into()),
    })
}

/// Returns the result of `FORMAT.format(...)`.
pub(crate) fn format(
    this: &mut Interpreter<'_>,
    format: &str,
    arguments: &Arguments,
) -> Result<Value, Failure> {
    let (mut text, mut rest) = (String::new(), format);
    let (mut next, mut automatic) = (0_usize, None);
    while let Some(at) = rest.find(['{', '}']) {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        text.push_str(before);
        if let Some(after) = after.strip_prefix("}}") {
            text.push('}');
            rest = after;
            continue;
        }
        if let Some(after) = after.strip_prefix("{{") {
            text.push('{');
            rest = after;
            continue;
        }
        let Some(field) = after.strip_prefix('{') else {
            return Err("format: single '}' in format".into());
        };
        let Some((field, after)) = field.split_once('}') else {
            return Err("format: unmatched '{' in format".into());
        };
        rest = after;
        let (field, spec) = field.split_once(':').map_or((field, ""), |(field, spec)| (field, spec));
        let (name, conversion) =
            field.split_once('!').map_or((field, "s"), |(name, conversion)| (name, conversion));
        if !spec.is_empty() {
            return Err("format spec features not supported in replacement fields: ".to_owned().into());
        }
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let value = if name.is_empty() || is_number {
            if automatic.is_some_and(|automatic| automatic != name.is_empty()) {
                let (from, to) = if is_number { ("automatic", "manual") } else { ("manual", "automatic") };
                let message =
                    format!("format: cannot switch from {from} field specification to {to} field numbering");
                return Err(message.into());
            }
            automatic = Some(name.is_empty());
            let index = if name.is_empty() { next } else { name.parse().unwrap_or(usize::MAX) };
            next = next.saturating_add(1);
            arguments.positional.get(index).cloned().ok_or("format: tuple index out of range")?
        } else {
            for (sign, kind) in [('.', "attribute"), ('[', "element")] {
                if name.contains(sign) {
                    return Err(format!(
                        "format: {kind} syntax {name} is not supported in replacement fields: {name}"
                    )
                    .into());
                }
            }
            let found = arguments.keywords.iter().find(|(keyword, _)| &**keyword == name);
            found
                .map(|(_, value)| value.clone())
                .ok_or_else(|| format!("format: keyword {name} not found"))?
        };
        match conversion {
            "s" => text.push_str(&this.str(&value)?),
            "r" => text.push_str(&this.repr(&value)?),
            other => return Err(format!("format: unknown conversion {}", quoted(other)).into()),
        }
        if text.len() > MAX_TEXT {
            return Err(Failure::Limit("the text of a value is too long".to_owned()));
        }
    }
    text.push_str(rest);
    this.heap.text(text)
}
