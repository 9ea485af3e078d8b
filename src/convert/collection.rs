//! Conversion into collections of what is there, part by part.

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::path::Step;
use crate::refinement::{LengthRange, Refinement};
use crate::text::Text;
use crate::types::Type;
use crate::value::{
    ObjectNode, Value, View, build_list_of_parts, build_map_of_parts, least_type, view_below_marks,
};

use super::agree::{Seen, agreed, covering};
use super::matrix::{Mode, Query, available};
use super::parts::{Parts, opened};
use super::unify::unify_in;
use super::wide::widened;
use super::{mismatch, run, types, unknown};

pub(super) fn element_of(to: &TypeConstraint) -> Result<TypeConstraint> {
    match to.element() {
        Some(element) => Ok(element.into_owned()),
        None => Err(mismatch(&Type::Dynamic, to)),
    }
}

/// What the parts of a collection were before their conversion.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    /// The element type that they had.
    pub(super) element: Option<&'a Type>,
    /// Whether all of them are wholly known, and so what they become is decided.
    pub(super) known: bool,
    /// Whether what they become is decided by parts whose types are not.
    pub(super) open: bool,
}

impl<'a> Before<'a> {
    fn of(items: impl IntoIterator<Item = &'a Value>, element: Option<&'a Type>) -> Before<'a> {
        Before { element, known: items.into_iter().all(Value::is_wholly_known), open: false }
    }
}

pub(super) fn from_list(items: &[Value], from: &Type, to: &TypeConstraint) -> Result<Value> {
    let element = element_of(to)?;
    let opened = opened(items.iter(), from, &element);
    let mut convert = Parts::to(&element);
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in opened.as_deref().unwrap_or(items).iter().enumerate() {
        parts.push(convert.convert(item, || Step::index(i))?);
    }
    let built = built(to, Before::of(items, Some(from)), parts, &element)?;
    as_many_as(built, items, (from, &element))
}

/// The set with no more members than are different before the conversion.
fn as_many_as(built: Value, items: &[Value], (from, element): (&Type, &TypeConstraint)) -> Result<Value> {
    if built.is_wholly_known() || !matches!(built.ty(), Type::Set(_)) {
        return Ok(built);
    }
    let distinct = Value::set_of(from.clone(), items.iter().cloned())?.range().length_range();
    let Some(distinct) = distinct else { return Ok(built) };
    let fewest = if unknown::keeps_apart(from, element) { distinct.lower() } else { 0 };
    built.assume(&Refinement::length(LengthRange::new(fewest, distinct.upper())?))
}

pub(super) fn from_tuple(items: &[Value], to: &TypeConstraint) -> Result<Value> {
    let wanted = element_of(to)?;
    let (element, open) = common(items.iter(), wanted, to)?;
    let mut convert = Parts::to(&element).decided_by_each_other(open);
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        parts.push(convert.convert(item, || Step::index(i))?);
    }
    finished(items, to, parts, (&element, open))
}

/// The collection of the converted parts of a tuple.
#[inline(never)]
fn finished(
    items: &[Value],
    to: &TypeConstraint,
    parts: Vec<Value>,
    (element, open): (&TypeConstraint, bool),
) -> Result<Value> {
    let built = built(to, Before { open, ..Before::of(items, None) }, parts, element)?;
    if built.is_wholly_known() || !matches!(built.ty(), Type::Set(_)) {
        return Ok(built);
    }
    match items.first().map(Value::ty) {
        Some(first) if items.iter().all(|item| item.has_type(&first)) => {
            as_many_as(built, items, (&first, element))
        }
        _ => Ok(built),
    }
}

/// What parts of a tuple or an object are converted to: where any type will do, the one they have in common; and whether
/// more of it is decided by parts whose types are not.
fn common<'a>(
    items: impl Iterator<Item = &'a Value> + Clone,
    wanted: TypeConstraint,
    to: &TypeConstraint,
) -> Result<(TypeConstraint, bool)> {
    if *wanted.as_type() != Type::Dynamic || items.clone().next().is_none() {
        return Ok((wanted, false));
    }
    let to_map = matches!(to.as_type(), Type::Map(_));
    let open = is_open(items.clone());
    let found = if open {
        let is_kept = |item: &Value| match view_below_marks(item) {
            View::List(_) => item.is_wholly_known(),
            View::Map(map) => map.is_empty(),
            _ => item.ty().element_type() != Some(&Type::Dynamic),
        };
        let is_untyped_null = |item: &&Value| matches!(item, Value::Known(_)) && item.ty() == Type::Dynamic;
        let seen = Seen {
            to_map,
            nulls: items.clone().any(|item| is_untyped_null(&item)),
            kept: items.clone().all(is_kept),
        };
        let types: Vec<Type> = items.filter(|item| !is_untyped_null(item)).map(Value::ty).collect();
        // A null converts by itself to whatever it is asked for, and yet is no part where its type does not.
        let takes_all = |found: &Type| {
            let found = TypeConstraint::from(found);
            let mut last = None;
            types.iter().all(|ty| last.replace(ty) == Some(ty) || available(ty, &found, Mode::Open))
        };
        covering(&types, seen).filter(|found| found.has_dynamic() || takes_all(found))
    } else {
        let mut types = items.map(Value::ty).collect::<Vec<_>>();
        types.dedup();
        agreed(&types, to_map, &Query::new(Mode::Unsafe))
    };
    match found {
        Some(ty) => {
            let open = open && ty.has_dynamic();
            Ok((ty.into(), open))
        }
        None => Err(different(to)),
    }
}

/// Whether the type of some part is yet to be decided.
fn is_open<'a>(mut items: impl Iterator<Item = &'a Value>) -> bool {
    items.any(|item| !item.is_wholly_known() && item.ty().has_dynamic())
}

pub(super) fn from_map(entries: &[(Text, Value)], from: &Type, to: &TypeConstraint) -> Result<Value> {
    let element = element_of(to)?;
    let opened = opened(entries.iter().map(|(_, item)| item), from, &element);
    let mut convert = Parts::to(&element);
    let mut parts = Vec::with_capacity(entries.len());
    for (i, (key, item)) in entries.iter().enumerate() {
        let item = opened.as_ref().and_then(|opened| opened.get(i)).unwrap_or(item);
        parts.push(convert.convert(item, || Step::index(key.as_str()))?);
    }
    let keys = entries.iter().map(|(key, _)| key);
    let before = Before::of(entries.iter().map(|(_, item)| item), Some(from));
    built_map(to, keys, before, parts, &element)
}

pub(super) fn map_from_object(node: &ObjectNode, to: &TypeConstraint) -> Result<Value> {
    let wanted = element_of(to)?;
    let (element, open) = common(node.slots.iter(), wanted, to)?;
    let mut convert = Parts::to(&element).decided_by_each_other(open);
    let mut parts = Vec::with_capacity(node.slots.len());
    for (name, item) in node.ty.attribute_names().zip(&node.slots) {
        parts.push(convert.convert(item, || Step::index(name))?);
    }
    let before = Before { open, ..Before::of(&node.slots, None) };
    built_map(to, node.ty.names(), before, parts, &element)
}

fn built_map<'a>(
    to: &TypeConstraint,
    keys: impl Iterator<Item = &'a Text>,
    before: Before<'_>,
    parts: Vec<Value>,
    element: &TypeConstraint,
) -> Result<Value> {
    let (ty, parts) = settled(to, before, parts, element)?;
    match to.as_type() {
        Type::Map(map) if *map.element() == ty => build_map_of_parts(map, keys.cloned().zip(parts).collect()),
        _ => Value::map_of(ty, keys.zip(parts)),
    }
}

pub(super) fn built(
    to: &TypeConstraint,
    before: Before<'_>,
    parts: Vec<Value>,
    element: &TypeConstraint,
) -> Result<Value> {
    let (ty, parts) = settled(to, before, parts, element)?;
    match to.as_type() {
        Type::Set(_) => Value::set_of(ty, parts),
        Type::List(list) if *list.element() == ty => build_list_of_parts(list, parts),
        _ => Value::list_of(ty, parts),
    }
}

/// The converted parts as values of one type.
pub(super) fn settled(
    to: &TypeConstraint,
    before: Before<'_>,
    parts: Vec<Value>,
    element: &TypeConstraint,
) -> Result<(Type, Vec<Value>)> {
    let Some(first) = parts.first().map(Value::ty) else {
        return Ok((
            before.element.map_or_else(|| element.to_type(), |from| types::of_null(from, element)),
            parts,
        ));
    };
    // What is not decided there is not decided by what is null or empty.
    let undecided =
        before.element.filter(|from| from.has_dynamic()).map(|from| types::of_nulls(from, element));
    let first = undecided.as_ref().map_or_else(|| first.clone(), |ty| least_type(ty, &first));
    if parts.iter().all(|part| part.has_type(&first)) {
        return Ok((first, parts));
    }
    if undecided.is_some() || !before.known && (before.open || is_open(parts.iter())) {
        let ty = parts.iter().fold(first, |all, part| least_type(&all, &part.ty()));
        let parts = parts.into_iter().map(|part| widened(part, &ty)).collect();
        return Ok((ty, parts));
    }
    let mut types: Vec<Type> = parts.iter().map(Value::ty).collect();
    types.dedup();
    let unified = match (to.as_type(), element.as_type()) {
        (Type::Set(_), _) => None,
        (Type::Map(_), ty) if !ty.is_collection() && !matches!(ty, Type::Object(_)) => None,
        _ => match unify_in(&types, Mode::Safe) {
            // What is untyped takes the type of the others.
            Some(ty) if ty.has_dynamic() => unify_in(&types, Mode::Unsafe),
            unified => unified,
        },
    };
    let Some(ty) = unified else { return Err(different(to)) };
    let target = TypeConstraint::from(&ty);
    let mut unified = Vec::with_capacity(parts.len());
    for part in &parts {
        unified.push(run(part, &target)?);
    }
    if !unified.iter().all(|part| part.has_type(&ty)) {
        return Err(different(to));
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
