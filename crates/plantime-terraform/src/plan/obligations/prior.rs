//! Gives the value before a change the types that a state has: a plan is often checked with schemas and its state read without,
//! or the other way round. A list of the one is then a tuple of the other, and no two values of these types are equal.

use std::borrow::Cow;

use plantime::{Type, Value, View, convert};

/// Converts the value of a resource, or the value `before` it, so that their types can be compared; `None` if that is
/// impossible.
///
/// | the state was read | converted |
/// |---|---|
/// | with schemas (`declared`) | an attribute of `before`, to its declared type |
/// | without | an attribute of `value`, to the type in `before`, if that is of a decided kind (list, set, map) |
///
/// Only `attributes` have to be comparable; all, if there are none.
pub(super) fn comparable<'v>(
    value: &'v Value,
    declared: &Type,
    before: &'v Value,
    attributes: &[&str],
) -> Option<(Cow<'v, Value>, Cow<'v, Value>)> {
    let (View::Object(now), View::Object(earlier)) = (value.view(), before.view()) else {
        let (value, before) = pair(value, declared, before)?;
        return Some((Cow::Owned(value), Cow::Owned(before)));
    };
    let declared_attribute = |name: &str| match declared {
        Type::Object(ty) => ty.get(name).unwrap_or(&Type::Dynamic),
        _ => &Type::Dynamic,
    };
    let (mut values, mut befores) = (Vec::new(), Vec::new());
    for (name, old) in earlier.iter() {
        let Some(new) = now.get(name) else { continue };
        match pair(new, declared_attribute(name), old) {
            Some((new, old)) => {
                values.push((name, new));
                befores.push((name, old));
            }
            None if attributes.is_empty() || attributes.contains(&name) => return None,
            None => {}
        }
    }
    let replaced = |all: &'v Value, parts: Vec<(&str, Value)>| -> Option<Cow<'v, Value>> {
        let View::Object(object) = all.view() else { return Some(Cow::Borrowed(all)) };
        if parts.iter().all(|(name, part)| object.get(name) == Some(part)) {
            return Some(Cow::Borrowed(all));
        }
        let part = |name: &str| parts.iter().find(|(known, _)| *known == name).map(|(_, part)| part.clone());
        let all = object.iter().map(|(name, own)| (name, part(name).unwrap_or_else(|| own.clone())));
        Value::object(all).ok().map(Cow::Owned)
    };
    Some((replaced(value, values)?, replaced(before, befores)?))
}

/// Converts one attribute of both values to types that can be compared; `None` if that is impossible.
fn pair(value: &Value, declared: &Type, before: &Value) -> Option<(Value, Value)> {
    let (new, old) = (value.ty(), before.ty());
    if new == old || value.is_null() || before.is_null() {
        return Some((value.clone(), before.clone()));
    }
    if *declared != Type::Dynamic {
        let is_same = becomes(&old, declared);
        return is_same
            .then(|| convert(before, &declared.into()).ok())?
            .map(|before| (value.clone(), before));
    }
    if !has_decided_kind(&old) {
        return Some((value.clone(), before.clone()));
    }
    becomes(&new, &old).then(|| convert(value, &old.into()).ok())?.map(|value| (value, before.clone()))
}

/// Whether a type has a list, set or map in it, which JSON without a schema never has.
fn has_decided_kind(ty: &Type) -> bool {
    match ty {
        Type::List(_) | Type::Set(_) | Type::Map(_) => true,
        Type::Tuple(ty) => ty.iter().any(has_decided_kind),
        Type::Object(ty) => ty.iter().any(|(_, ty)| has_decided_kind(ty)),
        _ => false,
    }
}

/// Whether a value of the type `from` is one of the type `to` that JSON wrote and nothing more: a conversion that also turns
/// numbers into strings, or leaves attributes out, would make different values equal.
fn becomes(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (from, to) if from == to => true,
        (Type::Dynamic, _) | (_, Type::Dynamic) => true,
        (Type::Tuple(parts), Type::Tuple(to)) => {
            parts.len() == to.len() && parts.iter().zip(to.iter()).all(|(part, to)| becomes(part, to))
        }
        (Type::Tuple(parts), to @ (Type::List(_) | Type::Set(_))) => {
            to.element_type().is_some_and(|to| parts.iter().all(|part| becomes(part, to)))
        }
        (Type::Object(parts), Type::Map(to)) => parts.iter().all(|(_, part)| becomes(part, to.element())),
        (Type::Object(parts), Type::Object(to)) => {
            parts.len() == to.len()
                && to.iter().all(|(name, to)| parts.get(name).is_some_and(|part| becomes(part, to)))
        }
        (Type::List(from), Type::List(to)) => becomes(from.element(), to.element()),
        (Type::Set(from), Type::Set(to)) => becomes(from.element(), to.element()),
        (Type::Map(from), Type::Map(to)) => becomes(from.element(), to.element()),
        _ => false,
    }
}
