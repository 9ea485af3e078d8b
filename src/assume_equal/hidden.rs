//! Hiding the parts of a value whose converted form depends on the type that `dynamic` becomes.

use crate::refinement::{LengthRange, Range, Refinement};
use crate::types::Type;
use crate::value::{Container, Value, canonical};

/// The value with each part unknown that would be converted to a `dynamic` in `to`. Converting the result to `to`
/// gives a value that contains the conversion of `value` to every type that `to` covers.
///
/// This is needed since a conversion chooses one type for `dynamic`, and another one may be right: the set
/// `{"1", "01"}` has two members as strings, and one as numbers.
pub(super) fn hidden(value: &Value, to: &Type) -> Value {
    if !to.has_dynamic() {
        return value.clone();
    }
    let hidden = match value.container() {
        // A null converts to a null of every type.
        _ if value.is_null() => Some(Value::null(hidden_type(&value.ty(), to))),
        _ if *to == Type::Dynamic => None,
        None => hide_leaf(value, to),
        Some(container) => hide_container(container, to),
    };
    hidden.unwrap_or_else(Value::dynamic)
}

/// Hides an unknown or a value without children, as `hidden` does: an unknown loses the facts that conversion may
/// change, a known value stays; `None` if its type is hidden too.
fn hide_leaf(value: &Value, to: &Type) -> Option<Value> {
    let own = value.ty();
    let ty = hidden_type(&own, to);
    if ty == Type::Dynamic {
        return None;
    }
    if value.is_known() {
        return Some(value.clone());
    }
    Some(match value.refinement() {
        Some(refinement) => canonical(ty, without_distinct_members(&own, refinement)),
        None => Value::unknown(ty),
    })
}

/// Whether different values of the type stay different under conversion to any type.
fn stays_distinct(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Number)
}

/// The refinement with a minimum length of at most 1 for each set whose members may become equal by conversion, also for
/// sets inside the value; other refinements as they are.
fn without_distinct_members(ty: &Type, refinement: &Refinement) -> Refinement {
    if let Range::Structure(structure) = refinement.range() {
        let range = structure.map(ty, |part, ty| without_distinct_members(ty, part));
        return refinement.clone().and_range(range);
    }
    let Some(element) = ty.element_type() else { return refinement.clone() };
    let length = refinement.length_range().unwrap_or_default();
    let length = match ty {
        Type::Set(_) if !stays_distinct(element) => {
            LengthRange::new(length.lower().min(1), length.upper()).unwrap_or_default()
        }
        _ => length,
    };
    let element = without_distinct_members(element, refinement.element());
    let range = Range::of_elements(length, element, refinement.key_range().clone());
    refinement.clone().and_range(range.unwrap_or_default())
}

/// Makes unknown the children of a container that `hidden` requires to be; `None` if no container expresses the
/// result.
fn hide_container(container: &Container, to: &Type) -> Option<Value> {
    let own = container.ty();
    let element = own.element_type().map(|own| hidden_element_type(own, to));
    match (container, element) {
        (Container::List(node), Some(element)) => Value::list_of(element, hide_items(&node.items, to)).ok(),
        (Container::Map(node), Some(element)) => {
            let items = node.entries.iter().map(|(key, item)| (key.as_str(), hide_element(item, to)));
            Value::map_of(element, items).ok()
        }
        (Container::Set(node), Some(element)) => {
            let members = node.known.iter().chain(&node.not_wholly_known);
            let fewest = if stays_distinct(node.ty.element()) { node.length.0 } else { 0 };
            let at_least = Refinement::length(LengthRange::at_least(fewest));
            let set = Value::set_of(element, members.map(|member| hide_element(member, to))).ok()?;
            Some(set.assume(&at_least).unwrap_or(set))
        }
        (Container::Tuple(node), _) => match to {
            Type::Tuple(types) if types.len() == node.items.len() => {
                Value::tuple(node.items.iter().zip(types).map(|(item, ty)| hidden(item, ty))).ok()
            }
            _ => Value::tuple(hide_items(&node.items, to)).ok(),
        },
        (Container::Object(node), _) => {
            let names = node.ty.attribute_names().zip(&node.slots);
            let attributes = names.map(|(name, slot)| match to {
                Type::Object(types) => {
                    (name, types.get(name).map_or_else(|| slot.clone(), |ty| hidden(slot, ty)))
                }
                _ => (name, hide_element(slot, to)),
            });
            Value::object(attributes).ok()
        }
        _ => None,
    }
}

/// The elements of a list or tuple that is converted to a collection, each hidden as by `hide_element`.
fn hide_items(items: &[Value], to: &Type) -> Vec<Value> {
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        parts.push(hide_element(item, to));
    }
    parts
}

/// An element of a collection, hidden as by `hidden`. If `to` is no collection, it is wholly unknown: an element of a
/// map may become any attribute of an object.
fn hide_element(value: &Value, to: &Type) -> Value {
    match to.element_type() {
        Some(element) => hidden(value, element),
        None => Value::dynamic(),
    }
}

/// The type that an element of type `own` has once `hide_element` has hidden it.
fn hidden_element_type(own: &Type, to: &Type) -> Type {
    to.element_type().map_or(Type::Dynamic, |element| hidden_type(own, element))
}

/// The type `own` with `dynamic` for each part that would be converted to a `dynamic` in `to`.
fn hidden_type(own: &Type, to: &Type) -> Type {
    if !to.has_dynamic() || *own == Type::Dynamic {
        return own.clone();
    }
    let hidden =
        match (own, to) {
            // A capsule may convert to a value of any type.
            (_, Type::Dynamic) | (Type::Capsule(_), _) => return Type::Dynamic,
            (Type::List(own), to) => Type::list(hidden_element_type(own.element(), to)),
            (Type::Set(own), to) => Type::set(hidden_element_type(own.element(), to)),
            (Type::Map(own), to) => Type::map(hidden_element_type(own.element(), to)),
            (Type::Tuple(own), Type::Tuple(to)) if own.len() == to.len() => {
                Type::tuple(own.iter().zip(to.iter()).map(|(own, to)| hidden_type(own, to)))
            }
            (Type::Tuple(own), to) => Type::tuple(own.iter().map(|own| hidden_element_type(own, to))),
            (Type::Object(own), Type::Object(to)) => Type::object(own.iter().map(|(name, own)| {
                (name, to.get(name).map_or_else(|| own.clone(), |to| hidden_type(own, to)))
            })),
            (Type::Object(own), to) => {
                Type::object(own.iter().map(|(name, own)| (name, hidden_element_type(own, to))))
            }
            (own, _) => return own.clone(),
        };
    hidden.unwrap_or(Type::Dynamic)
}
