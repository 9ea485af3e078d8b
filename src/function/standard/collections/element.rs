//! `index` of cty and `element`: the element at an index or key.

use crate::error::{Error, Result};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::types::Type;
use crate::value::{Value, View, join, view_below_marks};

use super::{elements_of, integer_argument, integer_range, invalid_argument, length_of};
use crate::function::standard::StandardFunction;

/// The precision note of both functions: which facts about the result are known while arguments are unknown.
const REACHED: &str =
    "what all elements that the key may select have in common; an error if it can select none";

/// Adds `index` of cty, and `element`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let index = Function::new("index")
        .description("The element of a list or tuple at an index, or of a map at a key.")
        .parameter(Parameter::new("collection", Type::Dynamic))
        .parameter(Parameter::new("key", Type::Dynamic).allow_dynamic())
        .returns_by(index_type)
        .body_for_all(index);
    functions.push(StandardFunction::cty_only(index, REACHED));
    let element = Function::new("element")
        .description("The element of a list or tuple at an index; indices wrap around at the end.")
        .parameter(Parameter::new("list", Type::Dynamic).marks(MarkHandling::Picked))
        .parameter(Parameter::new("index", Type::Number))
        .returns_by(element_type)
        .body_for_all(element);
    functions.push(StandardFunction::shared(element, REACHED));
}

/// The type of the element that `index` selects; an error if the key has the wrong type or is out of range.
fn index_type(arguments: &Arguments<'_>) -> Result<Type> {
    let key = arguments.at(1).ty();
    let check = |expected: Type, kind: &str| match key == expected || key == Type::Dynamic {
        true => Ok(()),
        false => Err(invalid_argument(format!("key for {kind} must be {}", expected.friendly_name()))),
    };
    match arguments.at(0).ty() {
        Type::List(ty) => check(Type::Number, "list").map(|()| ty.element().clone()),
        Type::Map(ty) => check(Type::String, "map").map(|()| ty.element().clone()),
        Type::Tuple(ty) => {
            check(Type::Number, "tuple")?;
            if !arguments.at(1).is_known() {
                return Ok(Type::Dynamic);
            }
            let position = integer_argument(arguments, 1, "key for tuple")?;
            let element = usize::try_from(position).ok().and_then(|position| ty.get(position));
            element
                .cloned()
                .ok_or_else(|| invalid_argument(format!("key must be between 0 and {} inclusive", ty.len())))
        }
        _ => Err(invalid_argument("collection must be a list, a map or a tuple")),
    }
}

/// Computes `index` of cty: the element of a list or tuple at an index, or of a map at a key; an error if there is
/// none. For an unknown key, what all elements that it may select have in common.
fn index(arguments: &Arguments<'_>) -> Result<Value> {
    let (collection, key) = (arguments.at(0), arguments.at(1));
    let invalid_index = |_: Error| invalid_argument("invalid index");
    match view_below_marks(collection) {
        // Not `Value::index`: here a key that the map lacks is an error, not null.
        View::Map(map) => {
            let name = key.as_str().ok();
            let range = key.range();
            let prefix = range.prefix().unwrap_or("");
            let selectable = match name {
                Some(name) => map.get(name).into_iter().collect(),
                None => {
                    let matching = map.iter().filter(|(name, _)| name.starts_with(prefix));
                    matching.map(|(_, element)| element).collect::<Vec<_>>()
                }
            };
            let element = join(&selectable).ok_or_else(|| invalid_argument("invalid index"))?;
            Ok(if map.element_type().has_dynamic() { element.outside_collection() } else { element })
        }
        View::Unknown(range) if matches!(range.ty(), Type::Map(_)) => {
            match range.length_range().and_then(|length| length.upper()) {
                Some(0) => Err(invalid_argument("invalid index")),
                _ if !range.may_have_key(key) => Err(invalid_argument("invalid index")),
                _ => Ok(range.unknown_element(range.ty().element_type().unwrap_or(&Type::Dynamic))),
            }
        }
        View::Dynamic | View::Unknown(_) | View::List(_) | View::Tuple(_) => {
            collection.index(key).map_err(invalid_index)
        }
        _ => Err(invalid_argument("collection must be a list, a map or a tuple")),
    }
}

/// The type of the element that `element` selects; `dynamic` for an unknown index into a tuple.
fn element_type(arguments: &Arguments<'_>) -> Result<Type> {
    match arguments.at(0).ty() {
        Type::List(ty) => Ok(ty.element().clone()),
        Type::Tuple(_) if !arguments.at(1).is_known() => Ok(Type::Dynamic),
        Type::Tuple(ty) => {
            let index = integer_argument(arguments, 1, "index")?;
            let length = i64::try_from(ty.len()).unwrap_or(i64::MAX);
            let position = index.checked_rem_euclid(length).ok_or_else(empty_list)?;
            let element = usize::try_from(position).ok().and_then(|position| ty.get(position));
            element.cloned().ok_or_else(empty_list)
        }
        ty => Err(invalid_argument(format!("cannot read elements from {}", ty.friendly_name()))),
    }
}

/// Computes `element`: the element of a list or tuple at an index, which wraps around at the end. For an unknown index,
/// the join (what they have in common) of all elements that it may select.
fn element(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    if arguments.at(1).is_known() {
        integer_argument(arguments, 1, "index")?;
    }
    let (min, max) = integer_range(arguments.at(1))
        .ok_or_else(|| invalid_argument("invalid index: it can be no whole number"))?;
    let Some(items) = elements_of(list) else {
        return match list.ty() {
            Type::List(_) if length_of(list).upper() == Some(0) => Err(empty_list()),
            Type::List(ty) => Ok(list.range().unknown_element(ty.element())),
            _ => Ok(Value::dynamic()),
        };
    };
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let first = min
        .checked_rem_euclid(length)
        .and_then(|position| usize::try_from(position).ok())
        .ok_or_else(empty_list)?;
    let count = max.saturating_sub(min).saturating_add(1);
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(items.len());
    let selectable: Vec<&Value> = items.iter().cycle().skip(first).take(count).collect();
    join(&selectable).ok_or_else(empty_list)
}

/// The error of `element` for an empty list.
#[cold]
fn empty_list() -> Error {
    invalid_argument("cannot use element function with an empty list")
}
