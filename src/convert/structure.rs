//! Conversion of known containers into objects and tuples, child by child.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::types::{ObjectType, Type};
use crate::value::{MapNode, ObjectNode, Value, object_of_parts};

use super::available::{Mode, available};
use super::mismatch::{mismatch, mismatch_message, quoted};
use super::target::{AttributeTarget, Target};

/// Converts a tuple to a tuple, element by element.
pub(super) fn tuple(items: &[Value], from: &Type, to: &TypeConstraint) -> Result<Value> {
    let mut elements = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let Some(element) = to.element_at(i) else { break };
        let mut target = Target::new(element.into_owned());
        elements.push(target.convert(item).map_err(|error| error.under(Step::index(i)))?);
    }
    if to.element_at(elements.len()).is_some() || elements.len() < items.len() {
        return Err(mismatch(from, to));
    }
    Value::tuple(elements)
}

/// Converts an object to an object, attribute by attribute; drops attributes that the target does not have.
pub(super) fn object(
    node: &ObjectNode,
    object: &ObjectType,
    attributes: &mut [AttributeTarget],
    to: &TypeConstraint,
) -> Result<Value> {
    let mut slots = Vec::with_capacity(object.len());
    for (attribute, name) in attributes.iter_mut().zip(object.attribute_names()) {
        slots.push(match attribute.position.and_then(|position| node.slots.get(position)) {
            Some(given) => attribute.convert(given).map_err(|error| error.under(Step::attr(name)))?,
            None if attribute.constraint.is_optional() => attribute.value_if_missing(),
            None => return Err(mismatch(&Type::Object(node.ty.clone()), to)),
        });
    }
    object_of_parts(object, slots)
}

/// Converts a map to an object; drops keys that the target does not have.
pub(super) fn object_from_map(
    node: &MapNode,
    object: &ObjectType,
    attributes: &mut [AttributeTarget],
) -> Result<Value> {
    let mode = if node.inside.known { Mode::Unsafe } else { Mode::Open };
    let mut slots = Vec::with_capacity(object.len());
    for (attribute, name) in attributes.iter_mut().zip(object.attribute_names()) {
        let given = node.entries.binary_search_by(|(key, _)| key.as_str().cmp(name)).ok();
        slots.push(match given.and_then(|position| node.entries.get(position)) {
            Some((_, given)) => attribute_from_entry(given, node.ty.element(), name, attribute, mode)?,
            None if attribute.constraint.is_optional() => attribute.value_if_missing(),
            None => return Err(no_element(name)),
        });
    }
    object_of_parts(object, slots)
}

/// Converts an entry of a map to an attribute.
fn attribute_from_entry(
    given: &Value,
    element: &Type,
    name: &str,
    attribute: &mut AttributeTarget,
    mode: Mode,
) -> Result<Value> {
    let to = attribute.constraint.constraint();
    if !available(element, to, mode) {
        let why = mismatch_message(element, to);
        let message = format!("map element type is incompatible with attribute {}: {why}", quoted(name));
        return Err(Error::new(Kind::TypeMismatch, message).with_types(to.to_type(), element.clone()));
    }
    let has_default = attribute.constraint.default().is_some_and(|default| !default.is_null());
    let is_typed_null = given.is_null() && (has_default || !to.as_type().has_dynamic());
    // Outside the map the type of the element no longer depends on the other elements.
    let given = if is_typed_null { given.clone() } else { given.outside_collection() };
    attribute.convert(&given).map_err(|error| error.under(Step::index(name)))
}

/// The error for a map without the key of a required attribute.
#[cold]
pub(super) fn no_element(name: &str) -> Error {
    Error::new(Kind::NotFound, format!("map has no element for required attribute {}", quoted(name)))
}
