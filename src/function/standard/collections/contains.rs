//! `contains`, and `index` of the planning languages: whether and where a list has an element.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, equality, view_below_marks};

use super::{elements_of, invalid_argument, length_of};
use crate::function::standard::StandardFunction;

/// Adds `contains`, and `index` of the planning languages.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let contains = Function::new("contains")
        .description("Whether a list, tuple or set has an element that equals a value.")
        .parameter(Parameter::new("list", Type::Dynamic))
        .parameter(Parameter::new("value", Type::Dynamic).allow_null())
        .returns(Type::Bool)
        .not_null()
        .body_for_all(contains);
    let note = "true if an element certainly equals the value, false if none can";
    functions.push(StandardFunction::shared(contains, note));
    let index = Function::new("index")
        .description("The index of the first element of a list that equals a value.")
        .parameter(Parameter::new("list", Type::Dynamic))
        .parameter(Parameter::new("value", Type::Dynamic))
        .returns(Type::Number)
        .not_null()
        .body_for_all(index_of);
    let note =
        "the interval from the first element that may equal the value to the first that certainly does";
    functions.push(StandardFunction::language_only(index, note));
}

/// Computes `contains`: whether a list, tuple or set has an element that equals a value; an unknown bool if unknowns
/// decide it.
fn contains(arguments: &Arguments<'_>) -> Result<Value> {
    let (list, value) = (arguments.at(0), arguments.at(1));
    let unknown = || canonical(Type::Bool, Refinement::not_null());
    match list.ty() {
        Type::List(_) | Type::Tuple(_) | Type::Set(_) => {}
        Type::Dynamic => return Ok(unknown()),
        _ => return Err(invalid_argument("argument must be list, tuple, or set")),
    }
    let members = match view_below_marks(list) {
        View::Set(set) => Some(Cow::Owned(set.iter().map(Value::outside_collection).collect())),
        _ => elements_of(list),
    };
    if let Some(items) = members {
        return Ok(equality::any_equal(items.iter(), value).map_or_else(unknown, Value::from));
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

/// Computes `index` of the planning languages: the position (from 0) of the first element that equals a value; an error
/// if none does. While elements are unknown, a number in the interval from the first element that may equal the value
/// to the first that certainly does.
fn index_of(arguments: &Arguments<'_>) -> Result<Value> {
    let (list, value) = (arguments.at(0), arguments.at(1));
    let not_found = || invalid_argument("item not found");
    match view_below_marks(list) {
        View::Dynamic => return Ok(number_between(0, None)),
        View::List(_) | View::Tuple(_) => {}
        View::Unknown(range) if matches!(range.ty(), Type::List(_) | Type::Tuple(_)) => {}
        _ => return Err(invalid_argument("argument must be a list or tuple")),
    }
    let Some(items) = elements_of(list) else {
        let element = list.ty().element_type().cloned().unwrap_or(Type::Dynamic);
        let length: LengthRange = length_of(list);
        if length.upper() == Some(0) {
            return Err(empty_list());
        }
        return match equality::equal(&Value::unknown(element), value) {
            Some(false) => Err(not_found()),
            Some(true) => Ok(Value::from(0)),
            None => Ok(number_between(0, length.upper().map(|max| max.saturating_sub(1)))),
        };
    };
    if items.is_empty() {
        return Err(empty_list());
    }
    let (mut first, mut last) = (None, None);
    for (item, position) in items.iter().zip(0_u64..) {
        let equal = equality::equal(item, value);
        if equal != Some(false) {
            first = first.or(Some(position));
            last = Some(position);
        }
        if equal == Some(true) {
            break;
        }
    }
    first.map(|first| number_between(first, last)).ok_or_else(not_found)
}

/// A number, not null, of which only the interval is known: from `first` to `last`, both included (`None`: no upper
/// bound).
fn number_between(first: u64, last: Option<u64>) -> Value {
    let last = last.map(|last| Bound::Inclusive(Number::from(last)));
    let last = last.unwrap_or(Bound::Exclusive(Number::INFINITY));
    let range = NumberRange::new(Bound::Inclusive(Number::from(first)), last).unwrap_or_default();
    canonical(Type::Number, Refinement::integer_in(&range).and_not_null())
}

/// The error of `index` for an empty list.
#[cold]
fn empty_list() -> Error {
    invalid_argument("cannot search an empty list")
}
