//! `keys` and `values` of maps and objects.

use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{invalid_argument, length_of, unknown_list_with};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, View, elements_of_all, view_below_marks};

/// Adds `keys` and `values`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let keys = Function::new("keys")
        .description("The keys of a map, or the names of an object's attributes, sorted.")
        .parameter(Parameter::new("inputMap", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(|arguments| match arguments.at(0).ty() {
            Type::Map(_) => Type::list(Type::String),
            Type::Object(ty) => Type::tuple(ty.iter().map(|_| Type::String)),
            _ => Err(invalid_argument("must have map or object type").in_argument(0)),
        })
        .not_null()
        .body_for_all(keys);
    let note =
        "the keys of a partly known map and of every object; of an unknown map, bounds of their number";
    functions.push(StandardFunction::shared(keys, note));
    let values = Function::new("values")
        .description(
            "The elements of a map, or the values of an object's attributes, in the order of their keys.",
        )
        .parameter(Parameter::new("mapping", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(|arguments| match arguments.at(0).ty() {
            Type::Map(ty) => Type::list(ty.element().clone()),
            Type::Object(ty) => Type::tuple(ty.iter().map(|(_, ty)| ty.clone())),
            _ => Err(invalid_argument("values() requires a map as the first argument")),
        })
        .not_null()
        .body_for_all(values);
    let note = "the values of a partly known map or object; of an unknown map, bounds of their number";
    functions.push(StandardFunction::shared(values, note));
}

/// Computes `keys`: the keys of a map or the attribute names of an object, sorted. Bounds of their number for an
/// unknown map.
fn keys(arguments: &Arguments<'_>) -> Result<Value> {
    let map = arguments.at(0);
    match (view_below_marks(map), map.ty()) {
        (View::Map(map), _) => Value::list_of(Type::String, map.iter().map(|(key, _)| Value::from(key))),
        (_, Type::Object(ty)) => Value::tuple(ty.attribute_names().map(Value::from)),
        (_, Type::Map(_)) => {
            let key = Refinement::of(map.range().refinement().key_range().clone()).and_not_null();
            unknown_list_with(&Type::String, length_of(map), key)
        }
        _ => Ok(Value::dynamic()),
    }
}

/// Computes `values`: the elements of a map or the attribute values of an object, in the order of their keys. Bounds of
/// their number for an unknown map.
fn values(arguments: &Arguments<'_>) -> Result<Value> {
    let map = arguments.at(0);
    match (view_below_marks(map), map.ty()) {
        (View::Map(map), _) => {
            Value::list_of(map.element_type().clone(), map.iter().map(|(_, value)| value.clone()))
        }
        (View::Object(object), _) => Value::tuple(object.iter().map(|(_, value)| value.clone())),
        (_, Type::Object(_)) => Value::tuple(map.range().unknown_parts()),
        (_, Type::Map(ty)) => unknown_list_with(ty.element(), length_of(map), elements_of_all([map])),
        _ => Ok(Value::dynamic()),
    }
}
