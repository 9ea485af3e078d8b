//! Whether an element is there, and where.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, equality, view_below_marks};

use super::{items, length_of, unfit};
use crate::function::standard::Standard;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let contains = Function::new("contains")
        .description("Whether a list, tuple or set has an element that equals a value.")
        .parameter(Parameter::new("list", Type::Dynamic))
        .parameter(Parameter::new("value", Type::Dynamic).allow_null())
        .returns(Type::Bool)
        .not_null()
        .body_for_all(contains);
    all.push(Standard::both(contains));
    let index = Function::new("index")
        .description("The place of the first element of a list that equals a value.")
        .parameter(Parameter::new("list", Type::Dynamic))
        .parameter(Parameter::new("value", Type::Dynamic))
        .returns(Type::Number)
        .not_null()
        .body_for_all(place);
    all.push(Standard::language(index));
}

fn contains(arguments: &Arguments<'_>) -> Result<Value> {
    let (list, value) = (arguments.at(0), arguments.at(1));
    let unknown = || canonical(Type::Bool, Refinement::not_null());
    match list.ty() {
        Type::List(_) | Type::Tuple(_) | Type::Set(_) => {}
        Type::Dynamic => return Ok(unknown()),
        _ => return Err(unfit("argument must be list, tuple, or set")),
    }
    let members = match view_below_marks(list) {
        View::Set(set) => Some(Cow::Owned(set.iter().map(Value::opened).collect())),
        _ => items(list),
    };
    if let Some(items) = members {
        let mut open = false;
        for item in items.iter() {
            match equality::equal(item, value) {
                Some(true) => return Ok(Value::from(true)),
                Some(false) => {}
                None => open = true,
            }
        }
        return Ok(if open { unknown() } else { Value::from(false) });
    }
    let element = list.ty().element_type().cloned().unwrap_or(Type::Dynamic);
    let length = length_of(list);
    Ok(match equality::equal(&Value::unknown(element), value) {
        _ if length.upper() == Some(0) => Value::from(false),
        Some(false) => Value::from(false),
        Some(true) if length.lower() > 0 => Value::from(true),
        _ => unknown(),
    })
}

/// From the first that may be it to the first that is it for certain.
fn place(arguments: &Arguments<'_>) -> Result<Value> {
    let (list, value) = (arguments.at(0), arguments.at(1));
    let not_found = || unfit("item not found");
    match view_below_marks(list) {
        View::Dynamic => return Ok(between(0, None)),
        View::List(_) | View::Tuple(_) => {}
        View::Unknown(range) if matches!(range.ty(), Type::List(_) | Type::Tuple(_)) => {}
        _ => return Err(unfit("argument must be a list or tuple")),
    }
    let Some(items) = items(list) else {
        let element = list.ty().element_type().cloned().unwrap_or(Type::Dynamic);
        let length: LengthRange = length_of(list);
        if length.upper() == Some(0) {
            return Err(nothing_to_search());
        }
        return match equality::equal(&Value::unknown(element), value) {
            Some(false) => Err(not_found()),
            Some(true) => Ok(Value::from(0)),
            None => Ok(between(0, length.upper().map(|most| most.saturating_sub(1)))),
        };
    };
    if items.is_empty() {
        return Err(nothing_to_search());
    }
    let (mut first, mut last) = (None, None);
    for (item, place) in items.iter().zip(0_u64..) {
        let equal = equality::equal(item, value);
        if equal != Some(false) {
            first = first.or(Some(place));
            last = Some(place);
        }
        if equal == Some(true) {
            break;
        }
    }
    first.map(|first| between(first, last)).ok_or_else(not_found)
}

/// A whole number that is not infinite.
fn between(first: u64, last: Option<u64>) -> Value {
    let last = last.map(|last| Bound::Inclusive(Number::from(last)));
    let last = last.unwrap_or(Bound::Exclusive(Number::INFINITY));
    let range = NumberRange::new(Bound::Inclusive(Number::from(first)), last).unwrap_or_default();
    canonical(Type::Number, Refinement::number(range).and_not_null())
}

#[cold]
fn nothing_to_search() -> Error {
    unfit("cannot search an empty list")
}
