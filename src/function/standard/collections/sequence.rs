//! Lists and tuples as sequences, and places in them.

use std::borrow::Cow;

use crate::error::Result;
use crate::function::Arguments;
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, view_below_marks};

/// The elements of a list or tuple, and the members of a set that is wholly known, as values of their own; those of an
/// unknown tuple are unknown. None where it is not known how many there are.
pub(in crate::function::standard) fn items(value: &Value) -> Option<Cow<'_, [Value]>> {
    match view_below_marks(value) {
        View::List(list) if list.element_type().has_dynamic() => {
            Some(Cow::Owned(list.iter().map(Value::opened).collect()))
        }
        View::List(list) => Some(Cow::Borrowed(list.as_slice())),
        View::Tuple(tuple) => Some(Cow::Borrowed(tuple.as_slice())),
        View::Set(set) if value.is_wholly_known() => Some(Cow::Owned(set.iter().cloned().collect())),
        View::Unknown(range) => match range.ty() {
            Type::Tuple(ty) => Some(Cow::Owned(ty.iter().cloned().map(Value::unknown).collect())),
            _ => None,
        },
        _ => None,
    }
}

/// How many elements there can be.
pub(in crate::function::standard) fn length(value: &Value) -> LengthRange {
    if let Some(container) = value.container() {
        return container.length().unwrap_or(LengthRange::exactly(container.child_count() as u64));
    }
    let of_type = |ty: &Type| match ty {
        Type::Tuple(ty) => Some(LengthRange::exactly(ty.len() as u64)),
        Type::Object(ty) => Some(LengthRange::exactly(ty.len() as u64)),
        _ => None,
    };
    match value.as_unknown() {
        Some((ty, refinement)) => of_type(ty).or(refinement.length_range()),
        None => of_type(&value.ty()),
    }
    .unwrap_or_default()
}

/// A list of unknown elements.
pub(in crate::function::standard) fn unknown_list(element: &Type, length: LengthRange) -> Result<Value> {
    Ok(canonical(Type::list(element.clone())?, Refinement::length(length).and_not_null()))
}

/// A list of unknown elements that are elements of a list, or lists of these: which ones is not known, so it has the marks
/// of all of them.
pub(in crate::function::standard) fn unknown_list_from(
    of: &Value,
    element: &Type,
    length: LengthRange,
) -> Result<Value> {
    let list = unknown_list(element, length)?;
    Ok(if of.contains_marks() { list.with_marks(&of.unmark_deep().1) } else { list })
}

/// A list of some of the elements of a collection. None of a collection of an undecided type is an empty list of any.
pub(in crate::function::standard) fn list_from(
    of: &Value,
    element: &Type,
    items: Vec<Value>,
) -> Result<Value> {
    if items.is_empty() && element.has_dynamic() && !of.is_wholly_known() {
        return unknown_list(element, LengthRange::exactly(0));
    }
    Value::list_of(element.clone(), items)
}

/// The whole numbers of 64 bits that a number can be: the least and the greatest. None where there are none.
pub(in crate::function::standard) fn wholes(value: &Value) -> Option<(i64, i64)> {
    let range = value.range();
    let (low, high) = match range.number_range() {
        Some(range) => (least(range.lower())?, greatest(range.upper())?),
        None => (i64::MIN, i64::MAX),
    };
    (low <= high).then_some((low, high))
}

fn least(bound: &Bound) -> Option<i64> {
    let at_least = |number: &Number| match number.is_infinite() {
        true => number.is_negative().then_some(i64::MIN),
        false => number.ceil().to_i64().or_else(|| number.is_negative().then_some(i64::MIN)),
    };
    match bound {
        Bound::Unbounded => Some(i64::MIN),
        Bound::Exclusive(number) if number.is_integer() => match number.to_i64() {
            Some(number) => number.checked_add(1),
            None => at_least(number),
        },
        Bound::Inclusive(number) | Bound::Exclusive(number) => at_least(number),
    }
}

fn greatest(bound: &Bound) -> Option<i64> {
    let at_most = |number: &Number| match number.is_infinite() {
        true => (!number.is_negative()).then_some(i64::MAX),
        false => number.floor().to_i64().or_else(|| (!number.is_negative()).then_some(i64::MAX)),
    };
    match bound {
        Bound::Unbounded => Some(i64::MAX),
        Bound::Exclusive(number) if number.is_integer() => match number.to_i64() {
            Some(number) => number.checked_sub(1),
            None => at_most(number),
        },
        Bound::Inclusive(number) | Bound::Exclusive(number) => at_most(number),
    }
}

/// A known number as a whole one of 64 bits; the error begins with what is invalid.
pub(in crate::function::standard) fn whole(
    arguments: &Arguments<'_>,
    index: usize,
    what: &str,
) -> Result<i64> {
    arguments.whole(index).map_err(|error| {
        let message = format!("invalid {what}: {}", error.message());
        error.with_message(message)
    })
}
