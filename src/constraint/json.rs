//! The JSON form of constraints, byte for byte that of cty: an object lists its optional attributes as a third element.

use indexmap::IndexMap;

use crate::error::{Error, Result};
use crate::text::{QuotedInMessage, Text};
use crate::types::Type;
use crate::types::json::{TypeFromJson, invalid, write_escaped};
use crate::types::names::word;

use super::{AttributeConstraint, TypeConstraint};

impl TypeConstraint {
    /// The constraint as JSON text, as [`Type::to_json_text`]; an object with optional attributes has their sorted
    /// names as a third element. Defaults have no JSON form and are omitted.
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
    /// ```
    /// use plantime::TypeConstraint;
    ///
    /// let server = TypeConstraint::from_json_text(r#"["object",{"name":"string","zone":"string"},["zone"]]"#)?;
    /// assert_eq!(server.to_string(), "object({name = string, zone = optional(string)})");
    /// assert_eq!(TypeConstraint::from_json_text(&server.to_json_text()?)?, server);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Type::from_json_text`]; also for an optional name that the object does not have, where cty panics.
    pub fn from_json_text(text: &str) -> Result<TypeConstraint> {
        crate::types::json::read(text)
    }
}

/// Appends the JSON form.
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

impl TypeFromJson for TypeConstraint {
    fn collection(of: fn(Type) -> Result<Type>, element: TypeConstraint) -> Result<TypeConstraint> {
        TypeConstraint::collection(of, element)
    }

    fn tuple(elements: Vec<TypeConstraint>) -> Result<TypeConstraint> {
        TypeConstraint::tuple(elements)
    }

    fn object(attributes: IndexMap<Text, TypeConstraint>, optional: &[String]) -> Result<TypeConstraint> {
        let mut attributes: IndexMap<Text, AttributeConstraint> =
            attributes.into_iter().map(|(name, ty)| (name, AttributeConstraint::required(ty))).collect();
        for name in optional {
            let attribute = attributes.get_mut(&Text::new(name)).ok_or_else(|| undeclared(name))?;
            attribute.optional = true;
        }
        TypeConstraint::object(attributes.iter().map(|(name, attribute)| (name.as_str(), attribute.clone())))
    }
}

/// The error for an optional attribute that the object type does not declare.
#[cold]
fn undeclared(name: &str) -> Error {
    invalid(&format!("optional contains undeclared attribute {}", QuotedInMessage(name)))
}
