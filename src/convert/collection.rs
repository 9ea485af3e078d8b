//! Conversion into collections of what is there, part by part.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::refinement::{LengthRange, Refinement};
use crate::text::Text;
use crate::types::Type;
use crate::value::{ObjectNode, SetNode, Value, canonical, join, least_type, set_iter};

use super::matrix::Mode;
use super::unify::unify_in;
use super::{mismatch, run, unknown};

fn element_of(to: &TypeConstraint) -> Result<TypeConstraint> {
    match to.element() {
        Some(element) => Ok(element.into_owned()),
        None => Err(mismatch(&Type::Dynamic, to)),
    }
}

fn part(value: &Value, to: &TypeConstraint, step: impl FnOnce() -> Step) -> Result<Value> {
    run(value, to).map_err(|error| error.under(step()))
}

pub(super) fn from_list(items: &[Value], from: &Type, to: &TypeConstraint) -> Result<Value> {
    let element = element_of(to)?;
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        parts.push(part(item, &element, || Step::index(i))?);
    }
    built(to, empty_element(from, &element), parts, &element)
}

/// The element type of an empty collection.
fn empty_element(from: &Type, element: &TypeConstraint) -> Type {
    match element.as_type() {
        Type::Dynamic => from.clone(),
        ty => ty.clone(),
    }
}

pub(super) fn from_tuple(items: &[Value], to: &TypeConstraint) -> Result<Value> {
    let wanted = element_of(to)?;
    let element = agreed(items.iter(), &wanted, to)?;
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        parts.push(part(item, &element, || Step::index(i))?);
    }
    built(to, wanted.to_type(), parts, &element)
}

/// What elements of different types become, where any one type will do.
fn agreed<'a>(
    items: impl Iterator<Item = &'a Value> + Clone,
    wanted: &TypeConstraint,
    to: &TypeConstraint,
) -> Result<TypeConstraint> {
    let mut types = items.clone().map(Value::ty).collect::<Vec<_>>();
    if *wanted.as_type() != Type::Dynamic || types.is_empty() || is_open(items) {
        return Ok(wanted.clone());
    }
    types.dedup();
    match unify_in(&types, Mode::Unsafe) {
        Some(ty) => Ok(ty.into()),
        None => Err(different(to)),
    }
}

/// Whether the type of some part is yet to be decided.
fn is_open<'a>(mut items: impl Iterator<Item = &'a Value>) -> bool {
    items.any(|item| !item.is_wholly_known() && item.ty().has_dynamic())
}

pub(super) fn from_map(entries: &[(Text, Value)], from: &Type, to: &TypeConstraint) -> Result<Value> {
    let element = element_of(to)?;
    let mut parts = Vec::with_capacity(entries.len());
    for (key, item) in entries {
        parts.push(part(item, &element, || Step::index(key.as_str()))?);
    }
    let keys = entries.iter().map(|(key, _)| key.as_str());
    built_map(to, keys, empty_element(from, &element), parts, &element)
}

pub(super) fn map_from_object(node: &ObjectNode, to: &TypeConstraint) -> Result<Value> {
    let wanted = element_of(to)?;
    let element = agreed(node.slots.iter(), &wanted, to)?;
    let mut parts = Vec::with_capacity(node.slots.len());
    for (name, item) in node.ty.attribute_names().zip(&node.slots) {
        parts.push(part(item, &element, || Step::index(name))?);
    }
    built_map(to, node.ty.attribute_names(), wanted.to_type(), parts, &element)
}

fn built_map<'a>(
    to: &TypeConstraint,
    keys: impl Iterator<Item = &'a str>,
    empty: Type,
    parts: Vec<Value>,
    element: &TypeConstraint,
) -> Result<Value> {
    let (ty, parts) = settled(to, empty, parts, element)?;
    Value::map_of(ty, keys.zip(parts))
}

fn built(to: &TypeConstraint, empty: Type, parts: Vec<Value>, element: &TypeConstraint) -> Result<Value> {
    let (ty, parts) = settled(to, empty, parts, element)?;
    match to.as_type() {
        Type::Set(_) => Value::set_of(ty, parts),
        _ => Value::list_of(ty, parts),
    }
}

/// The converted parts as values of one type.
fn settled(
    to: &TypeConstraint,
    empty: Type,
    parts: Vec<Value>,
    element: &TypeConstraint,
) -> Result<(Type, Vec<Value>)> {
    let Some(first) = parts.first().map(Value::ty) else { return Ok((empty, parts)) };
    if parts.iter().all(|part| part.has_type(&first)) {
        return Ok((first, parts));
    }
    if is_open(parts.iter()) {
        let ty = parts.iter().fold(first, |all, part| least_type(&all, &part.ty()));
        let parts = parts.into_iter().map(|part| widened(part, &ty)).collect();
        return Ok((ty, parts));
    }
    let mut types: Vec<Type> = parts.iter().map(Value::ty).collect();
    types.dedup();
    let unified = match (to.as_type(), element.as_type()) {
        (Type::Set(_), _) => None,
        (Type::Map(_), ty) if !ty.is_collection() && !matches!(ty, Type::Object(_)) => None,
        _ => unify_in(&types, Mode::Safe),
    };
    let Some(ty) = unified else { return Err(different(to)) };
    let target = TypeConstraint::from(&ty);
    let mut unified = Vec::with_capacity(parts.len());
    for part in &parts {
        unified.push(run(part, &target)?);
    }
    Ok((ty, unified))
}

#[cold]
fn different(to: &TypeConstraint) -> Error {
    let message = match to.as_type() {
        Type::Set(_) => "element types must all match for conversion to set",
        Type::Map(_) => "cannot find a common base type for all elements",
        _ => "element types must all match for conversion to list",
    };
    Error::new(Kind::TypeMismatch, message)
}

/// A value of a type that is one possibility of another, as what it may be once that is decided.
fn widened(value: Value, ty: &Type) -> Value {
    if value.has_type(ty) {
        return value;
    }
    let (bare, marks) = value.unmark_deep();
    let wide = if *ty == Type::Dynamic {
        Value::dynamic()
    } else {
        let nullness = match bare.range().nullness() {
            crate::Nullness::Nullable => Refinement::any(),
            crate::Nullness::NotNull => Refinement::not_null(),
            crate::Nullness::Null => Refinement::null(),
        };
        let length = bare.range().length_range().filter(|_| matches!(ty, Type::List(_) | Type::Map(_)));
        let refinement =
            length.map_or(Ok(nullness.clone()), |length| nullness.meet(&Refinement::length(length)));
        canonical(ty.clone(), refinement.unwrap_or(nullness))
    };
    wide.with_marks(&marks)
}

/// The members in order where all are known; else a list as long as the set may be.
pub(super) fn list_from_set(node: &SetNode, to: &TypeConstraint) -> Result<Value> {
    let element = element_of(to)?;
    let mut parts = Vec::with_capacity(node.member_count());
    for (i, member) in set_iter(node).enumerate() {
        parts.push(part(member, &element, || Step::index(i))?);
    }
    let (ty, parts) = settled(to, empty_element(node.ty.element(), &element), parts, &element)?;
    if node.undecided.is_empty() {
        return Value::list_of(ty, parts);
    }
    let (fewest, most) = node.length;
    let all: Vec<&Value> = parts.iter().collect();
    let any = join(&all).unwrap_or_else(Value::dynamic);
    match usize::try_from(fewest) {
        Ok(count) if fewest == most && count <= crate::limits::COLLAPSE && any.has_type(&ty) => {
            Value::list_of(ty, vec![any; count])
        }
        _ => {
            let length = LengthRange::new(fewest, Some(most))?;
            Ok(canonical(Type::list(ty)?, Refinement::length(length).and_not_null()))
        }
    }
}

pub(super) fn set_from_set(node: &SetNode, to: &TypeConstraint) -> Result<Value> {
    let element = element_of(to)?;
    let mut parts = Vec::with_capacity(node.member_count());
    for (i, member) in set_iter(node).enumerate() {
        parts.push(part(member, &element, || Step::index(i))?);
    }
    let set = built(to, empty_element(node.ty.element(), &element), parts, &element)?;
    let (fewest, most) = node.length;
    let fewest =
        if unknown::keeps_apart(node.ty.element(), element.as_type()) { fewest } else { fewest.min(1) };
    set.assume(&Refinement::length(LengthRange::new(fewest, Some(most))?))
}
