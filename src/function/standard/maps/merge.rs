//! Several maps or objects as one.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::standard::collections::{length_of, unfit};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::{MapType, Type};
use crate::value::{Container, Value, View, canonical, equality, join, map_of_typed, view_below_marks};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let maps =
        Parameter::new("maps", Type::Dynamic).allow_null().allow_dynamic().marks(MarkHandling::Carried);
    let merge = Function::new("merge")
        .description("The elements of all the maps or objects; of those with one key, the last.")
        .variadic(maps)
        .returns_by(merged_type)
        .not_null()
        .body_for_all(merge);
    all.push(Standard::both(merge));
}

fn merged_type(arguments: &Arguments<'_>) -> Result<Type> {
    if let [first, rest @ ..] = arguments.all()
        && let ty @ Type::Map(_) = first.ty()
        && !ty.has_dynamic()
        && rest.iter().all(|map| map.has_type(&ty))
    {
        return Ok(ty);
    }
    Ok(merge(arguments)?.ty())
}

fn merge(arguments: &Arguments<'_>) -> Result<Value> {
    let all = arguments.all();
    if let wanted @ Type::Map(ty) = arguments.ty()
        && !wanted.has_dynamic()
        && all.iter().all(|map| map.has_type(wanted))
    {
        return maps(ty, all);
    }
    let types: Vec<Type> = all.iter().map(Value::ty).collect();
    for ty in &types {
        if !matches!(ty, Type::Map(_) | Type::Object(_) | Type::Dynamic) {
            let name = ty.friendly_name();
            return Err(unfit(format!("arguments must be maps or objects, got {name:?}")));
        }
    }
    match types.split_first() {
        Some((Type::Map(ty), rest))
            if rest.iter().all(|other| matches!(other, Type::Map(other) if other == ty)) =>
        {
            let is_decided = !ty.element().has_dynamic() || all.iter().all(Value::is_wholly_known);
            match (is_decided, all) {
                (true, all) => maps(ty, all),
                (false, [map]) if !equality::may_be_null(map) => Ok(map.clone()),
                // A null counts as an empty one.
                (false, [map]) => {
                    let most = if equality::is_always_null(map) { Some(0) } else { length_of(map).upper() };
                    let length = LengthRange::new(0, most).unwrap_or_default();
                    Ok(canonical(map.ty(), Refinement::length(length).and_not_null()))
                }
                (false, _) => Ok(Value::dynamic()),
            }
        }
        // Maps of undecided types can turn out to be of one type.
        _ if types.iter().all(|ty| matches!(ty, Type::Map(_)))
            && all.iter().zip(&types).any(|(map, ty)| ty.has_dynamic() && !map.is_wholly_known())
            && !all.is_empty() =>
        {
            Ok(Value::dynamic())
        }
        _ => objects(all),
    }
}

fn maps(ty: &MapType, all: &[Value]) -> Result<Value> {
    let there = |map: &Value| map.container().map_or(0, Container::child_count);
    let mut elements = Vec::with_capacity(all.iter().map(there).fold(0, usize::saturating_add));
    let (mut is_whole, mut fewest, mut most) = (true, 0_u64, Some(0_u64));
    for map in all.iter().filter(|map| !equality::is_always_null(map)) {
        let length = length_of(map);
        most = most.and_then(|most| Some(most.saturating_add(length.upper()?)));
        match view_below_marks(map) {
            View::Map(map) => elements.extend_from_slice(map.as_slice()),
            _ => {
                is_whole = false;
                if !equality::may_be_null(map) {
                    fewest = fewest.max(length.lower());
                }
            }
        }
    }
    if is_whole {
        // Of equal keys the last counts.
        return map_of_typed(ty, elements);
    }
    elements.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    elements.dedup_by(|(a, _), (b, _)| a == b);
    let length = LengthRange::new(fewest.max(elements.len() as u64), most).unwrap_or_default();
    Ok(canonical(Type::Map(ty.clone()), Refinement::length(length).and_not_null()))
}

/// An attribute of the result: what it can be, and whether it is there for certain.
#[derive(Default)]
struct Merged {
    values: Vec<Value>,
    is_certain: bool,
}

fn objects(all: &[Value]) -> Result<Value> {
    let mut merged: BTreeMap<String, Merged> = BTreeMap::new();
    for map in all.iter().filter(|map| !equality::is_always_null(map)) {
        let certain = |value: Value| Merged { values: vec![value], is_certain: true };
        match (view_below_marks(map), map.ty()) {
            (View::Map(map), _) => {
                merged.extend(map.iter().map(|(key, value)| (key.to_owned(), certain(value.opened()))));
            }
            (View::Object(object), _) => {
                merged.extend(object.iter().map(|(name, value)| (name.to_owned(), certain(value.clone()))));
            }
            (_, Type::Object(ty)) => {
                for (name, ty) in ty.iter() {
                    let value = Value::unknown(ty.clone());
                    if equality::may_be_null(map) {
                        merged.entry(name.to_owned()).or_default().values.push(value);
                    } else {
                        merged.insert(name.to_owned(), certain(value));
                    }
                }
            }
            (_, Type::Map(_)) if length_of(map).upper() == Some(0) => {}
            _ => return Ok(Value::dynamic()),
        }
    }
    if merged.values().any(|attribute| !attribute.is_certain) {
        return Ok(Value::dynamic());
    }
    let attributes = merged.into_iter().map(|(name, attribute)| {
        let value = join(&attribute.values.iter().collect::<Vec<_>>()).unwrap_or_else(Value::dynamic);
        (name, value)
    });
    Value::object(attributes)
}
