//! Builds containers from written children, and finds the common type of the children.
//!
//! The items of a Rust sequence are of one Rust type, but their values may differ in type: a `None` is a null of
//! unknown type, an empty `Vec` a list of unknown element type. If only such items differ, they get the type of the
//! others, which loses nothing.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

use super::Written;

/// Builds a list of the written items, or a tuple if they have no common type.
pub(super) fn list(items: Vec<Written>) -> Result<Written> {
    if items.is_empty() {
        return Value::list_of(Type::Dynamic, [] as [Value; 0]).map(Written::new);
    }
    let Some(ty) = common_type(items.iter()) else { return tuple(items) };
    let items: Result<Vec<Value>> = items.into_iter().map(|item| converted(item, &ty)).collect();
    Value::list_of(ty, items?).map(Written::new)
}

/// Builds a tuple of the written items.
pub(super) fn tuple(items: Vec<Written>) -> Result<Written> {
    let has_fixed_type = items.iter().any(|item| item.has_fixed_type);
    Ok(Written { value: Value::tuple(items.into_iter().map(|item| item.value))?, has_fixed_type })
}

/// Builds a map of the written entries, or an object if their values have no common type.
pub(super) fn map(entries: Vec<(String, Written)>) -> Result<Written> {
    if entries.is_empty() {
        return Value::map_of(Type::Dynamic, [] as [(&str, Value); 0]).map(Written::new);
    }
    let Some(ty) = common_type(entries.iter().map(|(_, element)| element)) else { return object(entries) };
    let entry = |(key, element)| Ok((key, converted(element, &ty)?));
    let entries: Result<Vec<(String, Value)>> = entries.into_iter().map(entry).collect();
    Value::map_of(ty.clone(), entries?).map(Written::new)
}

/// Builds an object of the written attributes.
pub(super) fn object<K: AsRef<str>>(attributes: Vec<(K, Written)>) -> Result<Written> {
    let has_fixed_type = attributes.iter().any(|(_, value)| value.has_fixed_type);
    let value = Value::object(attributes.into_iter().map(|(name, made)| (name, made.value)))?;
    Ok(Written { value, has_fixed_type })
}

/// The value, converted to the type if it is of another one.
fn converted(part: Written, ty: &Type) -> Result<Value> {
    if part.value.has_type(ty) { Ok(part.value) } else { convert(&part.value, &TypeConstraint::from(ty)) }
}

/// The common type of the values: fully known, and the type of every value whose type is fixed. `None` if there is
/// none.
fn common_type<'a>(parts: impl Iterator<Item = &'a Written> + Clone) -> Option<Type> {
    let mut common = Type::Dynamic;
    for part in parts.clone() {
        if !part.value.has_type(&common) {
            common = merged_type(&common, &part.value.ty())?;
        }
    }
    let mut parts = parts;
    let decided =
        !common.has_dynamic() && parts.all(|part| !part.has_fixed_type || part.value.has_type(&common));
    decided.then_some(common)
}

/// The type of which both are instances, where each `dynamic` stands for what the other type has in its place.
fn merged_type(a: &Type, b: &Type) -> Option<Type> {
    if a.is_same(b) {
        return Some(a.clone());
    }
    match (a, b) {
        (Type::Dynamic, ty) | (ty, Type::Dynamic) => Some(ty.clone()),
        (Type::List(a), Type::List(b)) => Type::list(merged_type(a.element(), b.element())?).ok(),
        (Type::Set(a), Type::Set(b)) => Type::set(merged_type(a.element(), b.element())?).ok(),
        (Type::Map(a), Type::Map(b)) => Type::map(merged_type(a.element(), b.element())?).ok(),
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            let types: Option<Vec<Type>> = a.iter().zip(b).map(|(a, b)| merged_type(a, b)).collect();
            Type::tuple(types?).ok()
        }
        (Type::Object(a), Type::Object(b)) if a.attribute_names().eq(b.attribute_names()) => {
            let types: Option<Vec<Type>> =
                a.iter().zip(b.iter()).map(|((_, a), (_, b))| merged_type(a, b)).collect();
            Type::object(a.attribute_names().zip(types?)).ok()
        }
        (Type::Capsule(a), Type::Capsule(b)) if a == b => Some(Type::Capsule(*a)),
        _ => None,
    }
}
