//! A map of keys and values.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::function::standard::Standard;
use crate::function::standard::collections::{items, length_of, unfit};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, equality, view_below_marks};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let Ok(texts) = Type::list(Type::String) else { return };
    let zipmap = Function::new("zipmap")
        .description("A map, or an object, of keys from one list and values from another, each with each.")
        .parameter(Parameter::new("keys", texts))
        .parameter(Parameter::new("values", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(zipped_type)
        .not_null()
        .body_for_all(zipmap);
    all.push(Standard::both(zipmap));
}

fn zipped_type(arguments: &Arguments<'_>) -> Result<Type> {
    match arguments.at(1).ty() {
        Type::List(ty) => Type::map(ty.element().clone()),
        Type::Tuple(_) if !arguments.at(0).is_wholly_known() => Ok(Type::Dynamic),
        Type::Tuple(ty) => {
            check_lengths(length_of(arguments.at(0)), LengthRange::exactly(ty.len() as u64))?;
            let keys = names(arguments.at(0))?.unwrap_or_default();
            // The last of equal keys counts.
            let attributes: BTreeMap<&str, &Type> = keys.into_iter().zip(ty.iter()).collect();
            Type::object(attributes.into_iter().map(|(name, ty)| (name, ty.clone())))
        }
        _ => Err(unfit("values argument must be a list or tuple value")),
    }
}

/// The keys, where all are known.
fn names(keys: &Value) -> Result<Option<Vec<&str>>> {
    let View::List(keys) = view_below_marks(keys) else { return Ok(None) };
    for (i, key) in keys.iter().enumerate() {
        if equality::is_always_null(key) {
            return Err(unfit(format!("keys list has null value at index {i}")));
        }
    }
    Ok(keys.iter().map(|key| key.as_str().ok()).collect())
}

fn check_lengths(keys: LengthRange, values: LengthRange) -> Result<LengthRange> {
    let different = || -> Error {
        let (keys, values) = (keys.lower(), values.lower());
        unfit(format!("number of keys ({keys}) does not match number of values ({values})"))
    };
    keys.meet(values).ok_or_else(different)
}

fn zipmap(arguments: &Arguments<'_>) -> Result<Value> {
    let (keys, values) = (arguments.at(0), arguments.at(1));
    let is_dynamic = matches!(values, Value::Dynamic(_));
    if !is_dynamic && !matches!(values.ty(), Type::List(_) | Type::Tuple(_)) {
        return Err(unfit("values argument must be a list or tuple value"));
    }
    let length = check_lengths(length_of(keys), length_of(values))?;
    let names = names(keys)?;
    let Type::Map(ty) = arguments.ty() else {
        return match (names, items(values)) {
            (Some(names), Some(items)) if !is_dynamic => {
                Value::object(names.iter().zip(items.iter().cloned()))
            }
            _ => Ok(Value::dynamic()),
        };
    };
    let element = ty.element();
    match (names, view_below_marks(values)) {
        (Some(names), View::List(values)) => {
            Value::map_of(element.clone(), names.iter().zip(values.iter().cloned()))
        }
        (Some(names), _) if !names.is_empty() && !element.has_dynamic() => {
            Value::map_of(element.clone(), names.iter().map(|name| (name, Value::unknown(element.clone()))))
        }
        (_, _) => {
            // Keys can be the same.
            let certain: BTreeSet<&str> = match view_below_marks(keys) {
                View::List(keys) => keys.iter().filter_map(|key| key.as_str().ok()).collect(),
                _ => BTreeSet::new(),
            };
            let fewest = (certain.len() as u64).max(u64::from(length.lower() > 0));
            let length = LengthRange::new(fewest, length.upper()).unwrap_or_default();
            Ok(canonical(Type::Map(ty.clone()), Refinement::length(length).and_not_null()))
        }
    }
}
