//! `merge`: several maps or objects as one.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{invalid_argument, length_of};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::{LengthRange, Range, Refinement};
use crate::types::{MapType, Type};
use crate::value::{
    Container, Value, View, canonical, elements_of_all, equality, join, map_of_typed, view_below_marks,
};

/// Adds `merge`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let maps =
        Parameter::new("maps", Type::Dynamic).allow_null().allow_dynamic().marks(MarkHandling::Carried);
    let merge = Function::new("merge")
        .description(
            "The elements of all maps or objects; for a key that several have, the element of the last one.",
        )
        .variadic(maps)
        .returns_by(merge_type)
        .not_null()
        .body_for_all(merge);
    let note = "the elements, if all keys are known; else bounds of their number";
    functions.push(StandardFunction::shared(merge, note));
}

/// The result type of `merge`: a map type if all arguments are maps of that type, else the type of the merged object,
/// or `dynamic` while its attributes are not certain.
fn merge_type(arguments: &Arguments<'_>) -> Result<Type> {
    if let [first, rest @ ..] = arguments.all()
        && let ty @ Type::Map(_) = first.ty()
        && !ty.has_dynamic()
        && rest.iter().all(|map| map.has_type(&ty))
    {
        return Ok(ty);
    }
    Ok(merge(arguments)?.ty())
}

/// Computes `merge`: the entries of all maps or objects; for a key that several have, the value of the last one. Null
/// arguments count as empty.
fn merge(arguments: &Arguments<'_>) -> Result<Value> {
    let all = arguments.all();
    if let result_type @ Type::Map(ty) = arguments.ty()
        && !result_type.has_dynamic()
        && all.iter().all(|map| map.has_type(result_type))
    {
        return merge_maps(ty, all);
    }
    let types: Vec<Type> = all.iter().map(Value::ty).collect();
    for ty in &types {
        if !matches!(ty, Type::Map(_) | Type::Object(_) | Type::Dynamic) {
            let name = ty.friendly_name();
            return Err(invalid_argument(format!("arguments must be maps or objects, got {name:?}")));
        }
    }
    match types.split_first() {
        Some((Type::Map(ty), rest))
            if rest.iter().all(|other| matches!(other, Type::Map(other) if other == ty)) =>
        {
            let is_decided = !ty.element().has_dynamic() || all.iter().all(Value::is_wholly_known);
            match (is_decided, all) {
                (true, all) => merge_maps(ty, all),
                (false, [map]) if !equality::may_be_null(map) => Ok(map.clone()),
                // Null counts as an empty map.
                (false, [map]) => {
                    let max = if equality::is_always_null(map) { Some(0) } else { length_of(map).upper() };
                    let length = LengthRange::new(0, max).unwrap_or_default();
                    Ok(canonical(map.ty(), Refinement::length(length).and_not_null()))
                }
                (false, _) => Ok(Value::dynamic()),
            }
        }
        // Maps whose types are undecided may turn out to have the same type: the result is then a map, not an object.
        _ if types.iter().all(|ty| matches!(ty, Type::Map(_)))
            && all.iter().zip(&types).any(|(map, ty)| ty.has_dynamic() && !map.is_wholly_known())
            && !all.is_empty() =>
        {
            Ok(Value::dynamic())
        }
        _ => merge_to_object(all),
    }
}

/// Merges maps of the type `ty`. If the keys of one are unknown, the result is an unknown map with bounds of its
/// length.
fn merge_maps(ty: &MapType, maps: &[Value]) -> Result<Value> {
    let count = |map: &Value| map.container().map_or(0, Container::child_count);
    let mut elements = Vec::with_capacity(maps.iter().map(count).fold(0, usize::saturating_add));
    let (mut is_complete, mut min, mut max) = (true, 0_u64, Some(0_u64));
    for map in maps.iter().filter(|map| !equality::is_always_null(map)) {
        let length = length_of(map);
        max = max.and_then(|max| Some(max.saturating_add(length.upper()?)));
        match view_below_marks(map) {
            View::Map(map) => elements.extend_from_slice(map.as_slice()),
            _ => {
                is_complete = false;
                if !equality::may_be_null(map) {
                    min = min.max(length.lower());
                }
            }
        }
    }
    if is_complete {
        // For equal keys, `map_of_typed` takes the last element.
        return map_of_typed(ty, elements);
    }
    elements.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    elements.dedup_by(|(a, _), (b, _)| a == b);
    let length = LengthRange::new(min.max(elements.len() as u64), max).unwrap_or_default();
    let elements = elements_of_all(maps.iter().filter(|map| !equality::is_always_null(map)));
    let range = Range::of_elements(length, elements, Range::Any).unwrap_or_default();
    Ok(canonical(Type::Map(ty.clone()), Refinement::of(range).and_not_null()))
}

/// An attribute that the merged object has or may have.
#[derive(Default)]
struct MergedAttribute {
    /// The values that the attribute may have; several if a later object, which would replace the value, may be null.
    values: Vec<Value>,
    /// Whether the merged object certainly has the attribute.
    is_certain: bool,
}

/// Merges maps and objects to an object. The result is unknown, of type `dynamic`, if it is not certain which
/// attributes it has.
fn merge_to_object(all: &[Value]) -> Result<Value> {
    let mut merged: BTreeMap<String, MergedAttribute> = BTreeMap::new();
    // Of a null whose type is not known it is open whether the result is a map or an object.
    let is_skipped =
        |map: &&Value| equality::is_always_null(map) && (map.is_known() || map.ty() != Type::Dynamic);
    for map in all.iter().filter(|map| !is_skipped(map)) {
        let certain = |value: Value| MergedAttribute { values: vec![value], is_certain: true };
        match (view_below_marks(map), map.ty()) {
            (View::Map(map), _) => {
                merged.extend(
                    map.iter().map(|(key, value)| (key.to_owned(), certain(value.outside_collection()))),
                );
            }
            (View::Object(object), _) => {
                merged.extend(object.iter().map(|(name, value)| (name.to_owned(), certain(value.clone()))));
            }
            (_, Type::Object(ty)) => {
                let parts = map.range().unknown_parts();
                for (name, value) in ty.attribute_names().zip(parts) {
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
