//! What the parts of a sequence or map have in common.
//!
//! The parts of a Rust sequence are of one Rust type, but what they are as values may differ: of an option that is none
//! nothing is known but that it is null, of an empty sequence nothing but that it is empty. Where that is all that keeps
//! the parts apart, they are given the type of the others; nothing is lost by it.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

use super::Made;

/// A list; a tuple where the items have no type in common.
pub(super) fn list(items: Vec<Made>) -> Result<Made> {
    if items.is_empty() {
        return Value::list_of(Type::Dynamic, [] as [Value; 0]).map(Made::new);
    }
    let Some(ty) = common(items.iter()) else { return tuple(items) };
    let items: Result<Vec<Value>> = items.into_iter().map(|item| settled(item, &ty)).collect();
    Value::list_of(ty, items?).map(Made::new)
}

/// A tuple.
pub(super) fn tuple(items: Vec<Made>) -> Result<Made> {
    let is_fixed = items.iter().any(|item| item.is_fixed);
    Ok(Made { value: Value::tuple(items.into_iter().map(|item| item.value))?, is_fixed })
}

/// A map; an object where the elements have no type in common.
pub(super) fn map(entries: Vec<(String, Made)>) -> Result<Made> {
    if entries.is_empty() {
        return Value::map_of(Type::Dynamic, [] as [(&str, Value); 0]).map(Made::new);
    }
    let Some(ty) = common(entries.iter().map(|(_, element)| element)) else { return object(entries) };
    let entry = |(key, element)| Ok((key, settled(element, &ty)?));
    let entries: Result<Vec<(String, Value)>> = entries.into_iter().map(entry).collect();
    Value::map_of(ty.clone(), entries?).map(Made::new)
}

/// An object.
pub(super) fn object<K: AsRef<str>>(attributes: Vec<(K, Made)>) -> Result<Made> {
    let is_fixed = attributes.iter().any(|(_, value)| value.is_fixed);
    let value = Value::object(attributes.into_iter().map(|(name, made)| (name, made.value)))?;
    Ok(Made { value, is_fixed })
}

fn settled(part: Made, ty: &Type) -> Result<Value> {
    if part.value.has_type(ty) { Ok(part.value) } else { convert(&part.value, &TypeConstraint::from(ty)) }
}

/// The type of them all, if it is decided and all that has to take it may.
fn common<'a>(parts: impl Iterator<Item = &'a Made> + Clone) -> Option<Type> {
    let mut common = Type::Dynamic;
    for part in parts.clone() {
        if !part.value.has_type(&common) {
            common = merged(&common, &part.value.ty())?;
        }
    }
    let mut parts = parts;
    let decided = !common.has_dynamic() && parts.all(|part| !part.is_fixed || part.value.has_type(&common));
    decided.then_some(common)
}

/// The type that both are, each `dynamic` taken for what the other has there.
fn merged(a: &Type, b: &Type) -> Option<Type> {
    if a.is_same(b) {
        return Some(a.clone());
    }
    match (a, b) {
        (Type::Dynamic, ty) | (ty, Type::Dynamic) => Some(ty.clone()),
        (Type::List(a), Type::List(b)) => Type::list(merged(a.element(), b.element())?).ok(),
        (Type::Set(a), Type::Set(b)) => Type::set(merged(a.element(), b.element())?).ok(),
        (Type::Map(a), Type::Map(b)) => Type::map(merged(a.element(), b.element())?).ok(),
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            let types: Option<Vec<Type>> = a.iter().zip(b).map(|(a, b)| merged(a, b)).collect();
            Type::tuple(types?).ok()
        }
        (Type::Object(a), Type::Object(b)) if a.attribute_names().eq(b.attribute_names()) => {
            let types: Option<Vec<Type>> =
                a.iter().zip(b.iter()).map(|((_, a), (_, b))| merged(a, b)).collect();
            Type::object(a.attribute_names().zip(types?)).ok()
        }
        (Type::Capsule(a), Type::Capsule(b)) if a == b => Some(Type::Capsule(*a)),
        _ => None,
    }
}
