//! The JSON form, byte for byte cty's: optional names are a third part of an object.

use crate::error::{Error, Result};
use crate::limits;
use crate::text::Quoted;
use crate::types::Type;
use crate::types::cursor::Cursor;
use crate::types::json::{invalid, read_kind, read_null, read_primitive, write_escaped};
use crate::types::names::word;
use crate::types::node::too_deep;

use super::{AttributeConstraint, TypeConstraint};

impl TypeConstraint {
    /// The constraint as JSON text, as [`Type::to_json_text`]; an object with optional attributes has their sorted
    /// names as a third part. Defaults have no JSON form and are left out.
    ///
    /// ```
    /// use plantime::TypeConstraint;
    ///
    /// let constraint: TypeConstraint = "object({a = string, b = optional(number)})".parse()?;
    /// let json = r#"["object",{"a":"string","b":"number"},["b"]]"#;
    /// assert_eq!(constraint.to_json_text()?, json);
    /// assert_eq!(TypeConstraint::from_json_text(json)?, constraint);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Type::to_json_text`].
    pub fn to_json_text(&self) -> Result<String> {
        let mut out = String::new();
        write(self, &mut out)?;
        Ok(out)
    }

    /// Reads the JSON form, as [`Type::from_json_text`].
    ///
    /// # Errors
    ///
    /// As [`Type::from_json_text`]; also for an optional name that the object does not have, where cty panics.
    pub fn from_json_text(text: &str) -> Result<TypeConstraint> {
        let mut cursor = Cursor::new(text);
        let constraint = read(&mut cursor, limits::DEPTH)?;
        match cursor.peek() {
            None => Ok(constraint),
            Some(_) => Err(invalid("extraneous data after type description")),
        }
    }
}

fn write(constraint: &TypeConstraint, out: &mut String) -> Result<()> {
    if !constraint.has_optional() {
        out.push_str(&constraint.as_type().to_json_text()?);
        return Ok(());
    }
    let ty = constraint.as_type();
    out.push_str("[\"");
    out.push_str(word(ty));
    out.push_str("\",");
    match ty {
        Type::Tuple(tuple) => {
            out.push('[');
            for index in 0..tuple.len() {
                out.push_str(if index == 0 { "" } else { "," });
                if let Some(element) = constraint.element_at(index) {
                    write(&element, out)?;
                }
            }
            out.push(']');
        }
        Type::Object(object) => {
            let mut optional = Vec::new();
            out.push('{');
            for (index, name) in object.attribute_names().enumerate() {
                out.push_str(if index == 0 { "\"" } else { ",\"" });
                write_escaped(name, out);
                out.push_str("\":");
                if let Some(attribute) = constraint.attribute_at(index) {
                    write(attribute.constraint(), out)?;
                    optional.extend(attribute.is_optional().then_some(name));
                }
            }
            out.push('}');
            for (index, name) in optional.iter().enumerate() {
                out.push_str(if index == 0 { ",[\"" } else { ",\"" });
                write_escaped(name, out);
                out.push('"');
            }
            out.push_str(if optional.is_empty() { "" } else { "]" });
        }
        _ => {
            if let Some(element) = constraint.element() {
                write(&element, out)?;
            }
        }
    }
    out.push(']');
    Ok(())
}

fn read(cursor: &mut Cursor<'_>, depth: usize) -> Result<TypeConstraint> {
    match cursor.peek() {
        Some('"') => read_primitive(cursor).map(TypeConstraint::from),
        Some('[') => read_compound(cursor, depth),
        Some('{') => Err(invalid("invalid complex type description")),
        Some('0'..='9' | '-' | 't' | 'f' | 'n') => Err(invalid("invalid type description")),
        _ => Err(cursor.expected("a type description")),
    }
}

fn read_compound(cursor: &mut Cursor<'_>, depth: usize) -> Result<TypeConstraint> {
    let below = depth.checked_sub(1).ok_or_else(too_deep)?;
    cursor.expect('[')?;
    let kind = read_kind(cursor)?;
    cursor.expect(',')?;
    let constraint = match kind {
        "list" => TypeConstraint::list(read(cursor, below)?)?,
        "set" => TypeConstraint::set(read(cursor, below)?)?,
        "map" => TypeConstraint::map(read(cursor, below)?)?,
        "tuple" => TypeConstraint::tuple(read_elements(cursor, below)?)?,
        _ => read_object(cursor, below)?,
    };
    match cursor.peek() {
        Some(',') => Err(invalid("unexpected extra data in type description")),
        _ => cursor.expect(']').map(|()| constraint),
    }
}

fn read_elements(cursor: &mut Cursor<'_>, depth: usize) -> Result<Vec<TypeConstraint>> {
    let mut elements = Vec::new();
    if cursor.peek() == Some('n') {
        return read_null(cursor).map(|()| elements);
    }
    if cursor.peek() != Some('[') {
        return Err(cursor.expected("an array of element types"));
    }
    cursor.expect('[')?;
    let mut more = !cursor.take(']');
    while more {
        elements.push(read(cursor, depth)?);
        more = cursor.take_comma_or(']')?;
    }
    Ok(elements)
}

fn read_object(cursor: &mut Cursor<'_>, depth: usize) -> Result<TypeConstraint> {
    let mut attributes = std::collections::BTreeMap::new();
    if cursor.peek() == Some('n') {
        read_null(cursor)?;
    } else if cursor.peek() == Some('{') {
        cursor.expect('{')?;
        let mut more = !cursor.take('}');
        while more {
            let name = cursor.string()?;
            cursor.expect(':')?;
            let constraint = read(cursor, depth)?;
            let name = crate::text::nfc(&name).into_owned();
            attributes.insert(name, AttributeConstraint::required(constraint));
            more = cursor.take_comma_or('}')?;
        }
    } else {
        return Err(cursor.expected("an object of attribute types"));
    }
    if cursor.take(',') {
        for name in read_optional(cursor)? {
            let Some(attribute) = attributes.get_mut(crate::text::nfc(&name).as_ref()) else {
                return Err(undeclared(&name));
            };
            attribute.optional = true;
        }
    }
    TypeConstraint::object(attributes)
}

fn read_optional(cursor: &mut Cursor<'_>) -> Result<Vec<String>> {
    let mut names = Vec::new();
    if cursor.peek() == Some('n') {
        return read_null(cursor).map(|()| names);
    }
    if cursor.peek() != Some('[') {
        return Err(cursor.expected("an array of optional attribute names"));
    }
    cursor.expect('[')?;
    let mut more = !cursor.take(']');
    while more {
        names.push(cursor.string()?);
        more = cursor.take_comma_or(']')?;
    }
    Ok(names)
}

#[cold]
fn undeclared(name: &str) -> Error {
    invalid(&format!("optional contains undeclared attribute {}", Quoted(name)))
}
