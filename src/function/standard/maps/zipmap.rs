//! `zipmap`: a map or object built from a list of keys and a list of values.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{elements_of, invalid_argument, length_of};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::{LengthRange, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, elements_of_all, equality, view_below_marks};

/// Adds `zipmap`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let Ok(texts) = Type::list(Type::String) else { return };
    let zipmap = Function::new("zipmap")
        .description(
            "A map or object with the keys of one list and the values at the same positions of another.",
        )
        .parameter(Parameter::new("keys", texts))
        .parameter(Parameter::new("values", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(zipmap_type)
        .not_null()
        .body_for_all(zipmap);
    let note = "the elements, if the keys are known; else bounds of their number";
    functions.push(StandardFunction::shared(zipmap, note));
}

/// The result type of `zipmap`: a map for a list of values, an object for a tuple of values; `dynamic` for a tuple
/// while not all keys are known.
fn zipmap_type(arguments: &Arguments<'_>) -> Result<Type> {
    match arguments.at(1).ty() {
        Type::List(ty) => Type::map(ty.element().clone()),
        Type::Tuple(_) if !arguments.at(0).is_wholly_known() => Ok(Type::Dynamic),
        Type::Tuple(ty) => {
            check_lengths(length_of(arguments.at(0)), LengthRange::exactly(ty.len() as u64))?;
            let keys = known_keys(arguments.at(0))?.unwrap_or_default();
            // For equal keys, the last value counts.
            let attributes: BTreeMap<&str, &Type> = keys.into_iter().zip(ty.iter()).collect();
            Type::object(attributes.into_iter().map(|(name, ty)| (name, ty.clone())))
        }
        _ => Err(invalid_argument("values argument must be a list or tuple value")),
    }
}

/// The keys in a list, if the list and all its elements are known; else `None`. An error if one is null.
fn known_keys(keys: &Value) -> Result<Option<Vec<&str>>> {
    let View::List(keys) = view_below_marks(keys) else { return Ok(None) };
    for (i, key) in keys.iter().enumerate() {
        if equality::is_always_null(key) {
            return Err(invalid_argument(format!("keys list has null value at index {i}")));
        }
    }
    Ok(keys.iter().map(|key| key.as_str().ok()).collect())
}

/// The length bounds that satisfy both those of the keys and those of the values; an error if the two lengths cannot be
/// equal.
fn check_lengths(keys: LengthRange, values: LengthRange) -> Result<LengthRange> {
    let different = || -> Error {
        let (keys, values) = (keys.lower(), values.lower());
        invalid_argument(format!("number of keys ({keys}) does not match number of values ({values})"))
    };
    keys.meet(values).ok_or_else(different)
}

/// Computes `zipmap`: a map or object with the keys of one list and the values at the same index of another. If not all
/// keys are known: for a list of values an unknown map with bounds of its length, for a tuple an unknown of unknown type.
fn zipmap(arguments: &Arguments<'_>) -> Result<Value> {
    let (keys, values) = (arguments.at(0), arguments.at(1));
    let is_dynamic = matches!(values, Value::Dynamic(_));
    if !is_dynamic && !matches!(values.ty(), Type::List(_) | Type::Tuple(_)) {
        return Err(invalid_argument("values argument must be a list or tuple value"));
    }
    let length = check_lengths(length_of(keys), length_of(values))?;
    let names = known_keys(keys)?;
    let Type::Map(ty) = arguments.ty() else {
        return match (names, elements_of(values)) {
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
            let value = values.range().unknown_element(element);
            Value::map_of(element.clone(), names.iter().map(|name| (name, value.clone())))
        }
        (_, _) => {
            // Unknown keys may be equal, and equal keys make one element: only distinct known keys count.
            let certain: BTreeSet<&str> = match view_below_marks(keys) {
                View::List(keys) => keys.iter().filter_map(|key| key.as_str().ok()).collect(),
                _ => BTreeSet::new(),
            };
            let min = (certain.len() as u64).max(u64::from(length.lower() > 0));
            let length = LengthRange::new(min, length.upper()).unwrap_or_default();
            let (of_keys, of_values) = (elements_of_all([keys]), elements_of_all([values]));
            let range = Range::of_elements(length, of_values, of_keys.range().clone()).unwrap_or_default();
            // What is known of all elements may come from one that is marked.
            let marks = keys.unmark_deep().1.union(&values.unmark_deep().1);
            Ok(canonical(Type::Map(ty.clone()), Refinement::of(range).and_not_null()).with_marks(&marks))
        }
    }
}
