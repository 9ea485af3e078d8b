//! Helpers for lists and tuples: their elements, length bounds, unknown lists, and integer arguments such as indices.

use std::borrow::Cow;

use crate::error::Result;
use crate::function::Arguments;
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, elements_of_all, view_below_marks};

/// The elements of a list or tuple, or the members of a wholly known set. An unknown tuple has unknown elements. `None`
/// if the number of elements is not known, and for other values.
pub(in crate::function::standard) fn elements_of(value: &Value) -> Option<Cow<'_, [Value]>> {
    match view_below_marks(value) {
        View::List(list) if list.element_type().has_dynamic() => {
            Some(Cow::Owned(list.iter().map(Value::outside_collection).collect()))
        }
        View::List(list) => Some(Cow::Borrowed(list.as_slice())),
        View::Tuple(tuple) => Some(Cow::Borrowed(tuple.as_slice())),
        View::Set(set) if value.is_wholly_known() => Some(Cow::Owned(set.iter().cloned().collect())),
        View::Unknown(range) => match range.ty() {
            Type::Tuple(_) => Some(Cow::Owned(range.unknown_parts())),
            _ => None,
        },
        _ => None,
    }
}

/// The bounds of the number of elements of a collection, tuple or object; no bounds for other values.
pub(in crate::function::standard) fn length_of(value: &Value) -> LengthRange {
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

/// An unknown list of this element type, not null, with these length bounds.
fn unknown_list(element: &Type, length: LengthRange) -> Result<Value> {
    Ok(canonical(Type::list(element.clone())?, Refinement::length(length).and_not_null()))
}

/// An unknown list of this element type, not null, with these length bounds, every element of which satisfies the
/// refinement.
pub(in crate::function::standard) fn unknown_list_with(
    ty: &Type,
    length: LengthRange,
    element: Refinement,
) -> Result<Value> {
    Ok(canonical(Type::list(ty.clone())?, refined_elements(length, element)))
}

/// The refinement of a collection, not null, with these length bounds, every element of which satisfies the refinement.
pub(in crate::function::standard) fn refined_elements(
    length: LengthRange,
    element: Refinement,
) -> Refinement {
    let range = Range::of_elements(length, element, Range::Any).unwrap_or_default();
    Refinement::of(range).and_not_null()
}

/// An unknown list, not null, with these length bounds, which will contain some elements of `of`. It
/// gets the marks of all elements of `of`, since it is not known which ones it will contain (law L5).
pub(in crate::function::standard) fn unknown_list_of_elements_from(
    of: &Value,
    element: &Type,
    length: LengthRange,
) -> Result<Value> {
    let list = unknown_list_with(element, length, elements_of_all([of]))?;
    Ok(if of.contains_marks() { list.with_marks(&of.unmark_deep().1) } else { list })
}

/// A list of `items`, which were selected from the elements of `of`. Without items it is an unknown list of length 0
/// while the element type of `of` is undecided, since its own type is not known yet.
pub(in crate::function::standard) fn list_of_elements_from(
    of: &Value,
    element: &Type,
    items: Vec<Value>,
) -> Result<Value> {
    if items.is_empty() && element.has_dynamic() && !of.is_wholly_known() {
        return unknown_list(element, LengthRange::exactly(0));
    }
    Value::list_of(element.clone(), items)
}

/// The least and the greatest 64-bit integer that a number, which may be unknown, can be. `None` if it can be none.
pub(in crate::function::standard) fn integer_range(value: &Value) -> Option<(i64, i64)> {
    let range = value.range();
    let (min, max) = match range.number_range() {
        Some(range) => (least_integer(range.lower())?, greatest_integer(range.upper())?),
        None => (i64::MIN, i64::MAX),
    };
    (min <= max).then_some((min, max))
}

/// The least 64-bit integer that a lower bound allows. `None` if all are below the bound.
fn least_integer(bound: &Bound) -> Option<i64> {
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

/// The greatest 64-bit integer that an upper bound allows. `None` if all are above the bound.
fn greatest_integer(bound: &Bound) -> Option<i64> {
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

/// The known argument at this index as a 64-bit integer. Else an error that begins with "invalid" and `what`, such as
/// "start index".
pub(in crate::function::standard) fn integer_argument(
    arguments: &Arguments<'_>,
    index: usize,
    what: &str,
) -> Result<i64> {
    arguments.integer(index).map_err(|error| {
        let message = format!("invalid {what}: {}", error.message());
        error.with_message(message)
    })
}
