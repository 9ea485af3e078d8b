//! The JSON form of types, byte for byte cty's.

use indexmap::IndexMap;

use super::cursor::TypeTokens;
use super::names::{from_word, word};
use super::node::too_deep;
use super::{ObjectType, Type};
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::text::{QuotedInMessage, Text, run_for_html};

impl Type {
    /// The type as JSON text, byte for byte what cty writes.
    ///
    /// | type | JSON |
    /// |---|---|
    /// | dynamic and primitive | `"dynamic"`, `"bool"`, `"number"`, `"string"` |
    /// | collections | `["list",T]`, `["set",T]`, `["map",T]` |
    /// | tuple | `["tuple",[T,…]]` |
    /// | object | `["object",{"a":T,…}]`, names sorted by bytes; `<`, `>`, `&`, U+2028 and U+2029 in them are escaped |
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let ty: Type = "map(object({a = string, b = any}))".parse()?;
    /// let json = ty.to_json_text()?;
    /// assert_eq!(json, r#"["map",["object",{"a":"string","b":"dynamic"}]]"#);
    /// assert_eq!(Type::from_json_text(&json)?, ty);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](Error::is_type_mismatch) for a capsule type, at any depth: it has no JSON form.
    pub fn to_json_text(&self) -> Result<String> {
        let mut out = String::new();
        write_type(self, &mut out)?;
        Ok(out)
    }

    /// Reads a type from its JSON form, which [`to_json_text`](Type::to_json_text) writes.
    ///
    /// As in cty, white space is allowed between all tokens, `null` stands for no attributes or elements
    /// (`["tuple",null]`), and of two attributes with the same name the last one wins. Unlike cty, only white space
    /// may follow the type (cty accepts a closing bracket).
    ///
    /// ```
    /// use plantime::Type;
    ///
    /// let ty = Type::from_json_text(r#"["map", ["object", {"port": "number"}]]"#)?;
    /// assert_eq!(ty.to_string(), "map(object({port = number}))");
    /// let error = Type::from_json_text(r#""int""#).unwrap_err();
    /// assert_eq!(error.message(), r#"invalid primitive type name "int""#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_syntax`](Error::is_syntax) when the text is not JSON or no type, in cty's words where cty has words of
    /// its own (`invalid primitive type name "x"`), also for optional attributes, which belong to constraints;
    /// [`is_limit`](Error::is_limit) above [`limits::DEPTH`] levels.
    pub fn from_json_text(text: &str) -> Result<Type> {
        read(text)
    }
}

/// Appends the JSON form of a type to `out`; an error for a capsule type, at any depth.
fn write_type(ty: &Type, out: &mut String) -> Result<()> {
    if let Type::Capsule(_) = ty {
        return Err(not_allowed(ty));
    }
    let compound = !(ty.is_primitive() || *ty == Type::Dynamic);
    out.push_str(if compound { "[\"" } else { "\"" });
    out.push_str(word(ty));
    out.push_str(if compound { "\"," } else { "\"" });
    match ty {
        Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Capsule(_) => return Ok(()),
        Type::List(list) => write_type(list.element(), out)?,
        Type::Set(set) => write_type(set.element(), out)?,
        Type::Map(map) => write_type(map.element(), out)?,
        Type::Tuple(tuple) => {
            out.push('[');
            for (index, element) in tuple.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write_type(element, out)?;
            }
            out.push(']');
        }
        Type::Object(object) => {
            out.push('{');
            for (index, (name, attribute)) in object.iter().enumerate() {
                out.push_str(if index == 0 { "\"" } else { ",\"" });
                write_escaped(name, out);
                out.push_str("\":");
                write_type(attribute, out)?;
            }
            out.push('}');
        }
    }
    out.push(']');
    Ok(())
}

/// The error for a capsule type where JSON is written, in cty's words.
#[cold]
pub(crate) fn not_allowed(ty: &Type) -> Error {
    Error::new(Kind::TypeMismatch, format!("type not allowed: {}", ty.friendly_name()))
}

/// Appends a string to `out` with the escapes of Go's JSON encoder, without quotes around it.
pub fn write_escaped(text: &str, out: &mut String) {
    let mut rest = text;
    loop {
        let (plain, tail) = rest.split_at_checked(run_for_html(rest.as_bytes())).unwrap_or((rest, ""));
        out.push_str(plain);
        if tail.is_empty() {
            return;
        }
        let (escaped, left) = match tail.as_bytes() {
            [b'"', ..] => ("\\\"", tail.get(1..)),
            [b'\\', ..] => ("\\\\", tail.get(1..)),
            [b'\n', ..] => ("\\n", tail.get(1..)),
            [b'\r', ..] => ("\\r", tail.get(1..)),
            [b'\t', ..] => ("\\t", tail.get(1..)),
            [0x8, ..] => ("\\b", tail.get(1..)),
            [0xc, ..] => ("\\f", tail.get(1..)),
            [b'<', ..] => ("\\u003c", tail.get(1..)),
            [b'>', ..] => ("\\u003e", tail.get(1..)),
            [b'&', ..] => ("\\u0026", tail.get(1..)),
            [0xe2, 0x80, 0xa8, ..] => ("\\u2028", tail.get(3..)),
            [0xe2, 0x80, 0xa9, ..] => ("\\u2029", tail.get(3..)),
            _ => {
                // Another control character, or one that starts as U+2028 does.
                let mut chars = tail.chars();
                match chars.next() {
                    Some(c @ '\0'..' ') => out.push_str(&format!("\\u{:04x}", u32::from(c))),
                    Some(c) => out.push(c),
                    None => {}
                }
                ("", Some(chars.as_str()))
            }
        };
        out.push_str(escaped);
        rest = left.unwrap_or_default();
    }
}

/// What reading the JSON form of a type builds: a type, or a constraint, which may have optional attributes.
pub(crate) trait TypeFromJson: From<Type> {
    /// The list, set or map with this element; `of` is the constructor of its type.
    fn collection(of: fn(Type) -> Result<Type>, element: Self) -> Result<Self>;
    /// The tuple with these elements.
    fn tuple(elements: Vec<Self>) -> Result<Self>;
    /// The object with these attributes, of which those named in `optional` are optional; an error if none may be.
    fn object(attributes: IndexMap<Text, Self>, optional: &[String]) -> Result<Self>;
}

impl TypeFromJson for Type {
    fn collection(of: fn(Type) -> Result<Type>, element: Type) -> Result<Type> {
        of(element)
    }

    fn tuple(elements: Vec<Type>) -> Result<Type> {
        Type::tuple(elements)
    }

    fn object(attributes: IndexMap<Text, Type>, optional: &[String]) -> Result<Type> {
        match optional {
            [] => ObjectType::from_map(attributes).map(Type::Object),
            _ => Err(invalid("a type has no optional attributes")),
        }
    }
}

/// Reads the JSON form of a type or a constraint, which must be the whole text.
pub(crate) fn read<T: TypeFromJson>(text: &str) -> Result<T> {
    let mut cursor = TypeTokens::new(text);
    let is_word = cursor.peek() == Some('"');
    let shape = read_shape(&mut cursor, limits::DEPTH)?;
    match cursor.peek() {
        None => Ok(shape),
        // cty accepts a closing bracket here.
        Some(']' | '}') => Err(invalid("extraneous data after type description")),
        Some(_) if is_word => Err(invalid("extraneous data after type description")),
        Some(_) => Err(invalid("unexpected extra data in type description")),
    }
}

/// Reads a type or a constraint that nests at most `depth` levels.
fn read_shape<T: TypeFromJson>(cursor: &mut TypeTokens<'_>, depth: usize) -> Result<T> {
    match cursor.peek() {
        Some('"') => {
            let name = cursor.string()?;
            let ty = from_word(&name);
            ty.map(T::from)
                .ok_or_else(|| invalid(&format!("invalid primitive type name {}", QuotedInMessage(&name))))
        }
        Some('[') => read_compound(cursor, depth),
        Some('{') => Err(invalid("invalid complex type description")),
        Some('0'..='9' | '-' | 't' | 'f' | 'n') => Err(invalid("invalid type description")),
        _ => Err(cursor.expected("a type description")),
    }
}

/// Reads the array that describes a list, set, map, tuple or object of at most `depth` levels.
fn read_compound<T: TypeFromJson>(cursor: &mut TypeTokens<'_>, depth: usize) -> Result<T> {
    let below = depth.checked_sub(1).ok_or_else(too_deep)?;
    cursor.expect('[')?;
    let kind = read_kind(cursor)?;
    cursor.expect(',')?;
    let shape = match kind {
        "list" => T::collection(Type::list, read_shape(cursor, below)?)?,
        "set" => T::collection(Type::set, read_shape(cursor, below)?)?,
        "map" => T::collection(Type::map, read_shape(cursor, below)?)?,
        "tuple" => {
            T::tuple(read_array(cursor, "an array of element types", |cursor| read_shape(cursor, below))?)?
        }
        _ => {
            let attributes = read_attributes(cursor, below)?;
            let optional = if cursor.take(',') {
                read_array(cursor, "an array of optional attribute names", TypeTokens::string)?
            } else {
                Vec::new()
            };
            T::object(attributes, &optional)?
        }
    };
    match cursor.peek() {
        Some(',') => Err(invalid("unexpected extra data in type description")),
        _ => cursor.expect(']').map(|()| shape),
    }
}

/// Reads the kind of a type with inner types, the first element of its array: `list`, `set`, `map`, `tuple` or
/// `object`.
fn read_kind(cursor: &mut TypeTokens<'_>) -> Result<&'static str> {
    if cursor.peek() == Some('"') {
        let kind = cursor.string()?;
        let known = ["list", "set", "map", "tuple", "object"].into_iter().find(|known| *known == kind);
        return known.ok_or_else(|| invalid("invalid complex type kind name"));
    }
    match cursor.peek() {
        None => Err(cursor.expected("a type kind name")),
        Some(_) => Err(invalid("invalid complex type kind name")),
    }
}

/// Reads a JSON array with `item` for each element; `null` is an empty one. `what` names the array in messages.
fn read_array<'a, T>(
    cursor: &mut TypeTokens<'a>,
    what: &str,
    item: impl Fn(&mut TypeTokens<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut items = Vec::new();
    if cursor.peek() == Some('n') {
        return read_null(cursor).map(|()| items);
    }
    if cursor.peek() != Some('[') {
        return Err(cursor.expected(what));
    }
    cursor.expect('[')?;
    let mut more = !cursor.take(']');
    while more {
        items.push(item(cursor)?);
        more = cursor.take_comma_or(']')?;
    }
    Ok(items)
}

/// Reads a JSON object of attribute names and types of at most `depth` levels; `null` is an empty one.
fn read_attributes<T: TypeFromJson>(cursor: &mut TypeTokens<'_>, depth: usize) -> Result<IndexMap<Text, T>> {
    let mut attributes = IndexMap::new();
    if cursor.peek() == Some('n') {
        return read_null(cursor).map(|()| attributes);
    }
    if cursor.peek() != Some('{') {
        return Err(cursor.expected("an object of attribute types"));
    }
    cursor.expect('{')?;
    let mut more = !cursor.take('}');
    while more {
        let name = cursor.string()?;
        cursor.expect(':')?;
        attributes.insert(Text::new(&name), read_shape(cursor, depth)?);
        more = cursor.take_comma_or('}')?;
    }
    Ok(attributes)
}

/// Reads `null`; a syntax error if another word is next.
fn read_null(cursor: &mut TypeTokens<'_>) -> Result<()> {
    if cursor.word() == "null" { Ok(()) } else { Err(cursor.error("null expected before here")) }
}

#[cold]
/// The syntax error with this message.
pub(crate) fn invalid(message: &str) -> Error {
    Error::new(Kind::Syntax, message)
}
