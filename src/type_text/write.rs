//! Writing the text form of constraints.

use std::fmt;

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::convert::convert;
use crate::error::Result;
use crate::text::{write_escaped, write_word};
use crate::types::Type;
use crate::types::names::word;
use crate::value::{Value, View, view_below_marks};

impl fmt::Display for TypeConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_constraint(self, f)
    }
}

impl fmt::Debug for TypeConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_constraint(self, f)
    }
}

/// Writes the text form of a constraint.
fn write_constraint(constraint: &TypeConstraint, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match constraint.as_type() {
        Type::Dynamic => f.write_str("any"),
        ty @ (Type::Bool | Type::Number | Type::String) => f.write_str(word(ty)),
        ty @ Type::Capsule(_) => write!(f, "{ty}"),
        ty @ (Type::List(_) | Type::Set(_) | Type::Map(_)) => {
            write!(f, "{}(", word(ty))?;
            constraint.element().map_or(Ok(()), |element| write_constraint(&element, f))?;
            f.write_str(")")
        }
        Type::Tuple(tuple) => {
            f.write_str("tuple([")?;
            for index in 0..tuple.len() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                constraint.element_at(index).map_or(Ok(()), |element| write_constraint(&element, f))?;
            }
            f.write_str("])")
        }
        Type::Object(object) => {
            f.write_str("object({")?;
            for (index, name) in object.attribute_names().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                write_word(f, name)?;
                f.write_str(" = ")?;
                constraint.attribute_at(index).map_or(Ok(()), |attribute| write_attribute(&attribute, f))?;
            }
            f.write_str("})")
        }
    }
}

/// Writes the constraint of an attribute, within `optional(…)` and with its default if it is optional.
fn write_attribute(attribute: &AttributeConstraint, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !attribute.is_optional() {
        return write_constraint(attribute.constraint(), f);
    }
    f.write_str("optional(")?;
    write_constraint(attribute.constraint(), f)?;
    if let Some(default) = attribute.default() {
        f.write_str(", ")?;
        write_default(default, attribute.constraint(), f)?;
    }
    f.write_str(")")
}

/// Writes the default of an attribute with this constraint. If the constraint contains `any` and reading the constant
/// alone would give another value (a tuple for a list, an object for a map), writes `convert(constant, type)`.
fn write_default(default: &Value, constraint: &TypeConstraint, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let reads_back =
        || read_back(default).and_then(|read_back| convert(&read_back, constraint)).as_ref() == Ok(default);
    if !constraint.as_type().has_dynamic() || reads_back() {
        return write_constant(default, f);
    }
    f.write_str("convert(")?;
    write_constant(default, f)?;
    write!(f, ", {})", TypeConstraint::from(default.ty()))
}

/// The value that reading the written constant gives, before it is converted to a constraint: tuples for lists and
/// sets, objects for maps.
fn read_back(value: &Value) -> Result<Value> {
    let plain_items = |items: &mut dyn Iterator<Item = &Value>| {
        let mut all = Vec::new();
        for item in items {
            all.push(read_back(item)?);
        }
        Value::tuple(all)
    };
    let plain_entries = |entries: &mut dyn Iterator<Item = (&str, &Value)>| {
        let mut all = Vec::new();
        for (key, item) in entries {
            all.push((key.to_owned(), read_back(item)?));
        }
        Value::object(all)
    };
    match view_below_marks(value) {
        View::Number(number) if number.is_infinite() => Ok(Value::from(number.to_string())),
        View::Bool(_) | View::Number(_) | View::String(_) => Ok(value.clone()),
        View::List(list) => plain_items(&mut list.iter()),
        View::Set(set) => plain_items(&mut set.iter()),
        View::Tuple(tuple) => plain_items(&mut tuple.iter()),
        View::Map(map) => plain_entries(&mut map.iter()),
        View::Object(object) => plain_entries(&mut object.iter()),
        _ => Ok(Value::null(Type::Dynamic)),
    }
}

/// Writes a known value as a literal, in the syntax that constants are read from.
fn write_constant(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match view_below_marks(value) {
        View::Bool(bool) => write!(f, "{bool}"),
        // No literal exists for an infinity; the string converts to it.
        View::Number(number) if number.is_infinite() => write!(f, "\"{number}\""),
        View::Number(number) => write!(f, "{number}"),
        View::String(text) => write_text(text, f),
        View::List(list) => write_items(list.iter(), f),
        View::Set(set) => write_items(set.iter(), f),
        View::Tuple(tuple) => write_items(tuple.iter(), f),
        View::Map(map) => write_entries(map.iter(), f),
        View::Object(object) => write_entries(object.iter(), f),
        _ => f.write_str("null"),
    }
}

/// Writes values as the literal of a list: `[a, b]`.
fn write_items<'a>(items: impl Iterator<Item = &'a Value>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("[")?;
    for (index, item) in items.enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        write_constant(item, f)?;
    }
    f.write_str("]")
}

/// Writes keys and values as the literal of a map: `{"a" = b}`.
fn write_entries<'a>(
    entries: impl Iterator<Item = (&'a str, &'a Value)>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    f.write_str("{")?;
    for (index, (key, value)) in entries.enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        write_text(key, f)?;
        f.write_str(" = ")?;
        write_constant(value, f)?;
    }
    f.write_str("}")
}

/// Writes a quoted string with `${` and `%{` escaped.
fn write_text(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    let escaped = text.replace("${", "$${").replace("%{", "%%{");
    write_escaped(f, &escaped)?;
    f.write_str("\"")
}
