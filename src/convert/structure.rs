//! Conversion into objects and tuples of what is there, part by part.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::text::write_quoted;
use crate::types::ObjectType;
use crate::value::{MapNode, ObjectNode, Value, object_of_parts};

use super::matrix::{Mode, available};
use super::{default, mismatch, mismatch_message, run};

pub(super) fn tuple(items: &[Value], to: &TypeConstraint) -> Result<Value> {
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let Some(element) = to.element_at(i) else { break };
        parts.push(run(item, &element).map_err(|error| error.under(Step::index(i)))?);
    }
    if to.element_at(parts.len()).is_some() || parts.len() < items.len() {
        let found = Value::tuple(items.iter().cloned())?.ty();
        return Err(mismatch(&found, to));
    }
    Value::tuple(parts)
}

pub(super) fn object(node: &ObjectNode, object: &ObjectType, to: &TypeConstraint) -> Result<Value> {
    let mut slots = Vec::with_capacity(object.len());
    for (index, name) in object.attribute_names().enumerate() {
        let Some(attribute) = to.attribute_at(index) else { break };
        let given = node.ty.index_of(name).and_then(|slot| node.slots.get(slot));
        slots.push(match given {
            Some(given) => {
                default::attribute(given, &attribute).map_err(|error| error.under(Step::attr(name)))?
            }
            None if attribute.is_optional() => default::missing(&attribute),
            None => return Err(mismatch(&crate::Type::Object(node.ty.clone()), to)),
        });
    }
    object_of_parts(object, slots)
}

pub(super) fn object_from_map(node: &MapNode, object: &ObjectType, to: &TypeConstraint) -> Result<Value> {
    let element = node.ty.element();
    let mode = if node.inside.known { Mode::Unsafe } else { Mode::Open };
    let mut slots = Vec::with_capacity(object.len());
    for (index, name) in object.attribute_names().enumerate() {
        let Some(attribute) = to.attribute_at(index) else { break };
        let given = node.entries.binary_search_by(|(key, _)| key.as_str().cmp(name)).ok();
        let given = given.and_then(|place| node.entries.get(place));
        slots.push(match given {
            Some(_) if !available(element, attribute.constraint(), mode) => {
                let why = mismatch_message(element, attribute.constraint());
                let message =
                    format!("map element type is incompatible with attribute {}: {why}", quoted(name));
                return Err(Error::new(Kind::TypeMismatch, message)
                    .with_types(attribute.constraint().to_type(), element.clone()));
            }
            Some((_, given)) => {
                let decided = !attribute.constraint().as_type().has_dynamic();
                let has_default = attribute.default().is_some_and(|default| !default.is_null());
                let typed = given.is_null() && (decided || has_default);
                // Outside the collection the element's type is decided independently of the others.
                let given = if typed { given.clone() } else { given.opened() };
                default::attribute(&given, &attribute).map_err(|error| error.under(Step::index(name)))?
            }
            None if attribute.is_optional() => default::missing(&attribute),
            None => return Err(no_element(name)),
        });
    }
    object_of_parts(object, slots)
}

#[cold]
pub(super) fn no_element(name: &str) -> Error {
    Error::new(Kind::NotFound, format!("map has no element for required attribute {}", quoted(name)))
}

fn quoted(name: &str) -> String {
    let mut text = String::new();
    match write_quoted(&mut text, name) {
        Ok(()) | Err(_) => text,
    }
}
