//! The element at a place or key.

use crate::error::{Error, Result};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::types::Type;
use crate::value::{Value, View, join, view_below_marks};

use super::{items, length_of, unfit, whole, wholes};
use crate::function::standard::Standard;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let index = Function::new("index")
        .description("The element of a list or tuple at a place, or of a map at a key.")
        .parameter(Parameter::new("collection", Type::Dynamic))
        .parameter(Parameter::new("key", Type::Dynamic).allow_dynamic())
        .returns_by(index_type)
        .body_for_all(index);
    all.push(Standard::cty(index));
    let element = Function::new("element")
        .description("The element of a list or tuple at a place, counted on from the first after the last.")
        .parameter(Parameter::new("list", Type::Dynamic).marks(MarkHandling::Picked))
        .parameter(Parameter::new("index", Type::Number))
        .returns_by(element_type)
        .body_for_all(element);
    all.push(Standard::both(element));
}

fn index_type(arguments: &Arguments<'_>) -> Result<Type> {
    let key = arguments.at(1).ty();
    let check = |wanted: Type, kind: &str| match key == wanted || key == Type::Dynamic {
        true => Ok(()),
        false => Err(unfit(format!("key for {kind} must be {}", wanted.friendly_name()))),
    };
    match arguments.at(0).ty() {
        Type::List(ty) => check(Type::Number, "list").map(|()| ty.element().clone()),
        Type::Map(ty) => check(Type::String, "map").map(|()| ty.element().clone()),
        Type::Tuple(ty) => {
            check(Type::Number, "tuple")?;
            if !arguments.at(1).is_known() {
                return Ok(Type::Dynamic);
            }
            let place = whole(arguments, 1, "key for tuple")?;
            let found = usize::try_from(place).ok().and_then(|place| ty.get(place));
            found.cloned().ok_or_else(|| unfit(format!("key must be between 0 and {} inclusive", ty.len())))
        }
        _ => Err(unfit("collection must be a list, a map or a tuple")),
    }
}

fn index(arguments: &Arguments<'_>) -> Result<Value> {
    let (collection, key) = (arguments.at(0), arguments.at(1));
    let none = |_: Error| unfit("invalid index");
    match view_below_marks(collection) {
        // A key that is not there is an error here, not null.
        View::Map(map) => {
            let name = key.as_str().ok();
            let range = key.range();
            let prefix = range.prefix().unwrap_or("");
            let reached = match name {
                Some(name) => map.get(name).into_iter().collect(),
                None => {
                    let named = map.iter().filter(|(name, _)| name.starts_with(prefix));
                    named.map(|(_, element)| element).collect::<Vec<_>>()
                }
            };
            let element = join(&reached).ok_or_else(|| unfit("invalid index"))?;
            Ok(if map.element_type().has_dynamic() { element.opened() } else { element })
        }
        View::Unknown(range) if matches!(range.ty(), Type::Map(_)) => {
            match range.length_range().and_then(|length| length.upper()) {
                Some(0) => Err(unfit("invalid index")),
                _ => Ok(Value::unknown(range.ty().element_type().cloned().unwrap_or(Type::Dynamic))),
            }
        }
        View::Dynamic | View::Unknown(_) | View::List(_) | View::Tuple(_) => {
            collection.index(key).map_err(none)
        }
        _ => Err(unfit("collection must be a list, a map or a tuple")),
    }
}

fn element_type(arguments: &Arguments<'_>) -> Result<Type> {
    match arguments.at(0).ty() {
        Type::List(ty) => Ok(ty.element().clone()),
        Type::Tuple(_) if !arguments.at(1).is_known() => Ok(Type::Dynamic),
        Type::Tuple(ty) => {
            let place = whole(arguments, 1, "index")?;
            let length = i64::try_from(ty.len()).unwrap_or(i64::MAX);
            let place = place.checked_rem_euclid(length).ok_or_else(empty)?;
            let found = usize::try_from(place).ok().and_then(|place| ty.get(place));
            found.cloned().ok_or_else(empty)
        }
        ty => Err(unfit(format!("cannot read elements from {}", ty.friendly_name()))),
    }
}

fn element(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    if arguments.at(1).is_known() {
        whole(arguments, 1, "index")?;
    }
    let (low, high) =
        wholes(arguments.at(1)).ok_or_else(|| unfit("invalid index: it can be no whole number"))?;
    let Some(items) = items(list) else {
        return match list.ty() {
            Type::List(_) if length_of(list).upper() == Some(0) => Err(empty()),
            Type::List(ty) => Ok(Value::unknown(ty.element().clone())),
            _ => Ok(Value::dynamic()),
        };
    };
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let first =
        low.checked_rem_euclid(length).and_then(|place| usize::try_from(place).ok()).ok_or_else(empty)?;
    let count = high.saturating_sub(low).saturating_add(1);
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(items.len());
    let reached: Vec<&Value> = items.iter().cycle().skip(first).take(count).collect();
    join(&reached).ok_or_else(empty)
}

#[cold]
fn empty() -> Error {
    unfit("cannot use element function with an empty list")
}
