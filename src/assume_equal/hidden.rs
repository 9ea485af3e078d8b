//! A value without what an undecided type decides.

use crate::refinement::{LengthRange, Nullness, Range, Refinement};
use crate::types::Type;
use crate::value::{Container, Value, canonical};

/// The value with all hidden that becomes part of what `dynamic` stands for in the type it is converted to: what that
/// gives holds the conversion to each type that `to` covers.
///
/// For a conversion chooses one type for `dynamic`, and another may have been meant: `{"1", "01"}` is two texts, and
/// one number.
pub(super) fn hidden(value: &Value, to: &Type) -> Value {
    if !to.has_dynamic() {
        return value.clone();
    }
    let hidden = match value.container() {
        // A null becomes a null, of whatever type.
        _ if value.is_null() => Some(Value::null(hidden_type(&value.ty(), to))),
        _ if *to == Type::Dynamic => None,
        None => leaf(value, to),
        Some(container) => container_of(container, to),
    };
    hidden.unwrap_or_else(Value::dynamic)
}

/// An unknown or a value without parts; none where nothing of it is left.
fn leaf(value: &Value, to: &Type) -> Option<Value> {
    let own = value.ty();
    let ty = hidden_type(&own, to);
    if ty == Type::Dynamic {
        return None;
    }
    if value.is_known() {
        return Some(value.clone());
    }
    Some(match value.refinement() {
        Some(refinement) => canonical(ty, of_members_that_may_be_one(&own, refinement)),
        None => Value::unknown(ty),
    })
}

/// Whether values of the type that differ still do so once they are converted, to whatever type.
fn stay_apart(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Number)
}

/// Members of a set that are different may be one when they are converted.
fn of_members_that_may_be_one(ty: &Type, refinement: &Refinement) -> Refinement {
    match (ty, refinement.range()) {
        (Type::Set(set), Range::Length(length)) if !stay_apart(set.element()) => {
            let length = LengthRange::new(length.lower().min(1), length.upper()).unwrap_or_default();
            let length = Refinement::length(length);
            if refinement.nullness() == Nullness::NotNull { length.and_not_null() } else { length }
        }
        _ => refinement.clone(),
    }
}

fn container_of(container: &Container, to: &Type) -> Option<Value> {
    let own = container.ty();
    let element = own.element_type().map(|own| inner(own, to));
    match (container, element) {
        (Container::List(node), Some(element)) => Value::list_of(element, parts(&node.items, to)).ok(),
        (Container::Map(node), Some(element)) => {
            let items = node.entries.iter().map(|(key, item)| (key.as_str(), inside(item, to)));
            Value::map_of(element, items).ok()
        }
        (Container::Set(node), Some(element)) => {
            let members = node.known.iter().chain(&node.undecided);
            let fewest = if stay_apart(node.ty.element()) { node.length.0 } else { 0 };
            let at_least = Refinement::length(LengthRange::at_least(fewest));
            let set = Value::set_of(element, members.map(|member| inside(member, to))).ok()?;
            Some(set.assume(&at_least).unwrap_or(set))
        }
        (Container::Tuple(node), _) => match to {
            Type::Tuple(types) if types.len() == node.items.len() => {
                Value::tuple(node.items.iter().zip(types).map(|(item, ty)| hidden(item, ty))).ok()
            }
            _ => Value::tuple(parts(&node.items, to)).ok(),
        },
        (Container::Object(node), _) => {
            let names = node.ty.attribute_names().zip(&node.slots);
            let attributes = names.map(|(name, slot)| match to {
                Type::Object(types) => {
                    (name, types.get(name).map_or_else(|| slot.clone(), |ty| hidden(slot, ty)))
                }
                _ => (name, inside(slot, to)),
            });
            Value::object(attributes).ok()
        }
        _ => None,
    }
}

fn parts(items: &[Value], to: &Type) -> Vec<Value> {
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        parts.push(inside(item, to));
    }
    parts
}

/// An element as one of a collection; of a map it may become any attribute of an object.
fn inside(value: &Value, to: &Type) -> Value {
    match to.element_type() {
        Some(element) => hidden(value, element),
        None => Value::dynamic(),
    }
}

fn inner(own: &Type, to: &Type) -> Type {
    to.element_type().map_or(Type::Dynamic, |element| hidden_type(own, element))
}

fn hidden_type(own: &Type, to: &Type) -> Type {
    if !to.has_dynamic() || *own == Type::Dynamic {
        return own.clone();
    }
    let hidden =
        match (own, to) {
            // What a capsule becomes is its own business.
            (_, Type::Dynamic) | (Type::Capsule(_), _) => return Type::Dynamic,
            (Type::List(own), to) => Type::list(inner(own.element(), to)),
            (Type::Set(own), to) => Type::set(inner(own.element(), to)),
            (Type::Map(own), to) => Type::map(inner(own.element(), to)),
            (Type::Tuple(own), Type::Tuple(to)) if own.len() == to.len() => {
                Type::tuple(own.iter().zip(to.iter()).map(|(own, to)| hidden_type(own, to)))
            }
            (Type::Tuple(own), to) => Type::tuple(own.iter().map(|own| inner(own, to))),
            (Type::Object(own), Type::Object(to)) => Type::object(own.iter().map(|(name, own)| {
                (name, to.get(name).map_or_else(|| own.clone(), |to| hidden_type(own, to)))
            })),
            (Type::Object(own), to) => Type::object(own.iter().map(|(name, own)| (name, inner(own, to)))),
            (own, _) => return own.clone(),
        };
    hidden.unwrap_or(Type::Dynamic)
}
