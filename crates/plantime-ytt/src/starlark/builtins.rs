//! The functions that need no `load`.

use num_bigint::BigInt;

use super::error::Failure;
use super::interpreter::Interpreter;
use super::number::{float_of, whole};
use super::sequences;
use super::value::{Arguments, Builtin, Native, Value, text_of};

/// The functions, and whether each reads no more than the kind of its arguments.
const FUNCTIONS: [(&str, Native, bool); 28] = [
    ("all", all_or_any, false),
    ("any", all_or_any, false),
    ("bool", boolean, true),
    ("chr", character, false),
    ("dict", dict, true),
    ("dir", directory, true),
    ("enumerate", sequences::enumerate, true),
    ("fail", fail, false),
    ("float", float, false),
    ("getattr", getattr, true),
    ("hasattr", hasattr, true),
    ("hash", hash, false),
    ("int", int, false),
    ("len", length, true),
    ("list", list, true),
    ("max", sequences::extreme, false),
    ("min", sequences::extreme, false),
    ("ord", ordinal, false),
    ("print", print, false),
    ("range", sequences::range, false),
    ("repr", repr, false),
    ("reversed", sequences::reversed, true),
    ("set", sequences::set, false),
    ("sorted", sequences::sorted, false),
    ("str", string, false),
    ("tuple", list, true),
    ("type", type_of, true),
    ("zip", sequences::zip, true),
];

/// Whether a name has a value in every file.
pub(crate) fn is_predeclared(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, ..)| *known == name)
}

/// Returns the value that a name has in every file.
pub(crate) fn predeclared(name: &str) -> Result<Value, String> {
    match FUNCTIONS.iter().find(|(known, ..)| *known == name) {
        Some((name, native, true)) => Ok(Builtin::shallow(name, *native)),
        Some((name, native, false)) => Ok(Builtin::function(name, *native)),
        None => Err(format!("undefined: {name}")),
    }
}

/// Returns the elements of an argument; the error says that it has none.
pub(super) fn elements(
    this: &mut Interpreter<'_>,
    f: &Builtin,
    value: &Value,
) -> Result<Vec<Value>, Failure> {
    this.iterate(value)?.ok_or_else(|| f.wrong("1", value, "iterable"))
}

/// `all(x)` and `any(x)`: whether all elements are true, or at least one.
fn all_or_any(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let wanted = &*f.name == "any";
    let value = f.one(&arguments)?;
    for item in elements(this, f, &value)? {
        if item.truth()? == wanted {
            return Ok(Value::Bool(wanted));
        }
    }
    Ok(Value::Bool(!wanted))
}

/// `bool([x])`: whether a value is true.
fn boolean(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = arguments.positions(&f.name, 0)?;
    Ok(Value::Bool(value.unwrap_or(Value::None).truth()?))
}

/// `chr(i)`: the character with a code point.
fn character(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    let Value::Int(int) = &value else {
        return Err(format!("chr: got {}, want int", value.type_name()).into());
    };
    if *int < BigInt::ZERO {
        return Err(format!("chr: Unicode code point {int} out of range (<0)").into());
    }
    let char = u32::try_from(int).ok().and_then(char::from_u32);
    let char = char.ok_or_else(|| format!("chr: Unicode code point U+{int:X} out of range (>0x10FFFF)"))?;
    this.heap.text(char.to_string())
}

/// `dict([pairs], **entries)`: a new dict.
fn dict(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    if arguments.positional.len() > 1 {
        return Err(format!("dict: got {} arguments, want at most 1", arguments.positional.len()).into());
    }
    let mut entries = Vec::new();
    if let Some(value) = arguments.positional.first() {
        pairs(this, &f.name, value, &mut entries)?;
    }
    entries.extend(arguments.keywords.into_iter().map(|(name, value)| (Value::text(&name), value)));
    this.heap.dict(entries)
}

/// Adds the entries of a dict, of a map, or of a sequence of pairs.
pub(super) fn pairs(
    this: &mut Interpreter<'_>,
    name: &str,
    value: &Value,
    entries: &mut Vec<(Value, Value)>,
) -> Result<(), Failure> {
    match value.known()? {
        Value::Dict(dict) => {
            entries.extend(dict.entries.borrow().iter().cloned());
            return Ok(());
        }
        Value::Fragment(fragment) if matches!(fragment.content(), crate::node::Content::Map(_)) => {
            let keys = super::convert::elements(fragment);
            let values = (0..keys.len()).map(|index| super::convert::value_of(fragment.child(index)));
            entries.extend(keys.into_iter().zip(values));
            return Ok(());
        }
        _ => {}
    }
    let Some(items) = this.iterate(value)? else {
        return Err(format!("{name}: got {}, want iterable", value.type_name()).into());
    };
    for (index, item) in items.iter().enumerate() {
        let Some(pair) = this.iterate(item)? else {
            let kind = item.type_name();
            return Err(format!(
                "{name}: dictionary update sequence element #{index} is not iterable ({kind})"
            )
            .into());
        };
        let [key, value] = pair.as_slice() else {
            let length = pair.len();
            return Err(format!(
                "{name}: dictionary update sequence element #{index} has length {length}, want 2"
            )
            .into());
        };
        entries.push((key.clone(), value.clone()));
    }
    Ok(())
}

/// `dir(x)`: the names of the attributes of a value.
fn directory(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    let names = this.attribute_names(&value).iter().map(|name| Value::text(name)).collect();
    this.heap.list(names)
}

/// `fail(*values, sep=" ")`: an error whose message is the values as text.
fn fail(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    Err(format!("fail: {}", joined(this, f, arguments)?).into())
}

/// Returns the arguments as text, with a separator between them.
fn joined(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<String, Failure> {
    let texts = arguments.positional.iter().map(|value| this.str(value)).collect::<Result<Vec<_>, _>>()?;
    let keywords = Arguments { positional: Vec::new(), keywords: arguments.keywords };
    let separator = match keywords.named(&f.name, ["sep?"])? {
        [Some(separator)] => text_of(&f.string("sep", &separator)?).into_owned(),
        [None] => " ".to_owned(),
    };
    Ok(texts.join(&separator))
}

/// `float([x])`: a bool, number or string as a float.
fn float(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = arguments.positions(&f.name, 0)?;
    let value = value.unwrap_or(Value::Float(0.0));
    Ok(Value::Float(match value.known()? {
        Value::Bool(bool) => f64::from(u8::from(*bool)),
        Value::Int(int) => float_of(int),
        Value::Float(float) => *float,
        Value::Text(text) => {
            let text = text_of(text);
            let plain = text.strip_prefix(['+', '-']).unwrap_or(&text).to_lowercase();
            let is_number = plain.starts_with(|char: char| char.is_ascii_digit() || char == '.');
            let is_special = ["inf", "infinity", "nan"].contains(&plain.as_str());
            match text.parse() {
                Ok(float) if is_number || is_special => float,
                _ => {
                    let quoted = crate::quoted::quoted(&text);
                    return Err(format!("float: strconv.ParseFloat: parsing {quoted}: invalid syntax").into());
                }
            }
        }
        other => return Err(format!("float: got {}, want number or string", other.type_name()).into()),
    }))
}

/// `getattr(x, name[, default])`: the attribute of a value.
fn getattr(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [owner, name, default] = arguments.positions(&f.name, 2)?;
    let name = f.string("2", &name.unwrap_or(Value::None))?;
    match this.attribute(&owner.unwrap_or(Value::None), &text_of(&name)) {
        Err(Failure::Error(error)) => default.ok_or(Failure::from(format!("getattr: {}", error.message))),
        result => result,
    }
}

/// `hasattr(x, name)`: whether a value has an attribute.
fn hasattr(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [owner, name] = arguments.positions(&f.name, 2)?;
    let name = f.string("2", &name.unwrap_or(Value::None))?;
    let names = this.attribute_names(&owner.unwrap_or(Value::None));
    Ok(Value::Bool(names.iter().any(|known| **known == *text_of(&name))))
}

/// `hash(s)`: the hash of a string.
fn hash(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let text = f.string("1", &f.one(&arguments)?)?;
    // The hash of Java's strings, over 32 bits.
    let hash = text_of(&text)
        .encode_utf16()
        .fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    Ok(Value::int(hash))
}

/// `int(x[, base])`: a bool, number or string as an int.
fn int(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value, base] = arguments.named(&f.name, ["x", "base?"])?;
    let value = value.unwrap_or(Value::None);
    match value.known()? {
        Value::Text(text) => {
            let base = base.map_or(Ok(10), |base| f.int("base", &base))?;
            let text = text_of(text);
            let (negative, digits) = match text.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, text.strip_prefix('+').unwrap_or(&text)),
            };
            let prefix = digits.get(..2).map(str::to_lowercase);
            let (radix, digits) = match (base, prefix.as_deref()) {
                (0 | 16, Some("0x")) => (16, digits.get(2..).unwrap_or("")),
                (0 | 8, Some("0o")) => (8, digits.get(2..).unwrap_or("")),
                (0 | 2, Some("0b")) => (2, digits.get(2..).unwrap_or("")),
                (0, _) => (10, digits),
                (2..=36, _) => (base, digits),
                _ => return Err(format!("int: invalid base {base} (must be >= 2 && <= 36)").into()),
            };
            let radix = u32::try_from(radix).unwrap_or(10);
            let valid =
                !digits.is_empty() && digits.len() < 2_500 && digits.chars().all(|char| char.is_digit(radix));
            let parsed = valid.then(|| BigInt::parse_bytes(digits.as_bytes(), radix)).flatten();
            let shown_base = if base == 0 { i64::from(radix) } else { base };
            let parsed =
                parsed.ok_or_else(|| format!("int: invalid literal with base {shown_base}: {text}"))?;
            Ok(Value::Int(if negative {
                BigInt::ZERO.checked_sub(&parsed).unwrap_or_default()
            } else {
                parsed
            }))
        }
        _ if base.is_some() => Err("int: can't convert non-string with explicit base".into()),
        Value::Bool(bool) => Ok(Value::int(u8::from(*bool))),
        Value::Int(_) => Ok(value),
        Value::Float(float) => {
            let shown = super::number::float_text(*float);
            let int = whole(float.trunc());
            Ok(Value::Int(int.ok_or_else(|| format!("int: cannot convert float {shown} to integer"))?))
        }
        other => Err(format!("int: cannot convert {} to int", other.type_name()).into()),
    }
}

/// `len(x)`: the number of elements of a collection, or of bytes of a string.
fn length(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    let length = length_of(&value)?;
    Ok(Value::int(length.ok_or_else(|| format!("len: value of type {} has no len", value.type_name()))?))
}

/// Returns the number of elements or bytes of a value; `None` if it has no length.
pub(crate) fn length_of(value: &Value) -> Result<Option<usize>, Failure> {
    Ok(Some(match value.known()? {
        Value::Text(text) => text.len(),
        Value::List(list) => list.items.borrow().len(),
        Value::Tuple(items) => items.len(),
        Value::Dict(dict) | Value::Set(dict) => dict.entries.borrow().len(),
        Value::Range { .. } => usize::try_from(value.range_length()).unwrap_or(0),
        Value::Fragment(fragment) => fragment.content().children().len(),
        Value::Struct(fields) if value.type_name() == "struct" => fields.fields.len(),
        _ => return Ok(None),
    }))
}

/// `list([x])` and `tuple([x])`: the elements of a value as a list or a tuple.
fn list(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = arguments.positions(&f.name, 0)?;
    let items = value.map_or(Ok(Vec::new()), |value| elements(this, f, &value))?;
    if &*f.name == "list" { this.heap.list(items) } else { this.heap.tuple(items) }
}

/// `ord(s)`: the code point of a string of one character.
fn ordinal(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    let Value::Text(text) = &value else {
        return Err(format!("ord: got {}, want string", value.type_name()).into());
    };
    let text = text_of(text);
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(char), None) => Ok(Value::int(u32::from(char))),
        _ => {
            let count = text.chars().count();
            Err(format!("ord: string encodes {count} Unicode code points, want 1").into())
        }
    }
}

/// `print(*values, sep=" ")`: adds a line to the output.
fn print(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let line = joined(this, f, arguments)?;
    this.print(&line)?;
    Ok(Value::None)
}

/// `repr(x)`: a value as Starlark writes it.
fn repr(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let text = this.repr(&f.one(&arguments)?)?;
    this.heap.text(text)
}

/// `str(x)`: a value as text.
fn string(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    match f.one(&arguments)? {
        text @ Value::Text(_) => Ok(text),
        other => {
            let text = this.str(&other)?;
            this.heap.text(text)
        }
    }
}

/// `type(x)`: the name of a value's type.
fn type_of(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    Ok(Value::text(f.one(&arguments)?.type_name()))
}
