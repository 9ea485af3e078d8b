//! `slice`: consecutive elements of a list or tuple.

use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{
    elements_of, integer_argument, integer_range, invalid_argument, length_of, list_of_elements_from,
    unknown_list_of_elements_from,
};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::LengthRange;
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// Adds `slice`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let slice = Function::new("slice")
        .description(
            "The elements of a list or tuple from a start index up to an end index, which is excluded.",
        )
        .parameter(Parameter::new("list", Type::Dynamic).marks(MarkHandling::Carried))
        .parameter(Parameter::new("start_index", Type::Number))
        .parameter(Parameter::new("end_index", Type::Number))
        .returns_by(slice_type)
        .not_null()
        .body_for_all(slice);
    let note = "the elements, if both indices are known; else bounds of the length, and what is known of all elements";
    functions.push(StandardFunction::shared(slice, note));
}

/// The result type of `slice`: that of a list, or the tuple type of the selected elements; `dynamic` for a tuple with
/// an unknown index.
fn slice_type(arguments: &Arguments<'_>) -> Result<Type> {
    let ty = arguments.at(0).ty();
    match &ty {
        Type::List(_) | Type::Tuple(_) => {}
        Type::Set(_) => {
            let message = "cannot slice a set, because its elements do not have indices; explicitly convert to \
                           a list if the ordering of the result is not important";
            return Err(invalid_argument(message).in_argument(0));
        }
        _ => return Err(invalid_argument("must be a list or tuple value").in_argument(0)),
    }
    let indices = known_indices(arguments)?;
    match (ty, indices) {
        (Type::Tuple(ty), (Some(start), Some(end))) => {
            let elements = ty.elements().get(start..end).unwrap_or_default();
            Type::tuple(elements.iter().cloned())
        }
        (Type::Tuple(_), _) => Ok(Type::Dynamic),
        (ty, _) => Ok(ty),
    }
}

/// The start and the end index of `slice`, each `None` if it is unknown. An error if one is out of range, or the start
/// is after the end.
fn known_indices(arguments: &Arguments<'_>) -> Result<(Option<usize>, Option<usize>)> {
    let length = length_of(arguments.at(0)).exact();
    let known_index = |argument: usize, which: &str| {
        if !arguments.at(argument).is_known() {
            return Ok(None);
        }
        let index = integer_argument(arguments, argument, &format!("{which} index"))?;
        let negative =
            || invalid_argument(format!("{which} index must not be less than zero")).in_argument(argument);
        let index = u64::try_from(index).map_err(|_| negative())?;
        if length.is_some_and(|length| index > length) {
            let message = format!("{which} index must not be greater than the length of the list");
            return Err(invalid_argument(message).in_argument(argument));
        }
        Ok(Some(usize::try_from(index).unwrap_or(usize::MAX)))
    };
    let (start, end) = (known_index(1, "start")?, known_index(2, "end")?);
    if let (Some(start), Some(end)) = (start, end)
        && start > end
    {
        return Err(invalid_argument("start index must not be greater than end index").in_argument(1));
    }
    Ok((start, end))
}

/// Computes `slice`: the elements of a list or tuple from a start index up to an end index, which is excluded. Bounds
/// of the length if an index or the list is unknown.
fn slice(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    if matches!(list, Value::Dynamic(_)) {
        known_indices(arguments)?;
        return Ok(Value::dynamic());
    }
    let length = length_of(list);
    let index_range = |argument: usize| {
        let (min, max) = integer_range(arguments.at(argument))?;
        Some((u64::try_from(min).unwrap_or(0), u64::try_from(max).ok()?))
    };
    let out_of_range = || invalid_argument("the indices are no places in the list");
    let (first_start, last_start) = index_range(1).ok_or_else(out_of_range)?;
    let (first_end, last_end) = index_range(2).ok_or_else(out_of_range)?;
    let last_end = length.upper().map_or(last_end, |max| last_end.min(max));
    let first_end = first_end.max(first_start);
    let last_start = last_start.min(last_end);
    if first_end > last_end || first_start > last_start {
        return Err(out_of_range());
    }
    if first_start == last_start && first_end == last_end {
        let index = |index: u64| usize::try_from(index).unwrap_or(usize::MAX);
        let range = index(first_start)..index(first_end);
        match (view_below_marks(list), elements_of(list)) {
            (View::List(elements), _) => {
                let selected = elements.as_slice().get(range).unwrap_or_default().to_vec();
                return list_of_elements_from(list, elements.element_type(), selected);
            }
            (_, Some(items)) => return Value::tuple(items.get(range).unwrap_or_default().iter().cloned()),
            _ => {}
        }
    }
    match list.ty() {
        Type::List(ty) => {
            let min = first_end.saturating_sub(last_start);
            let max = last_end.saturating_sub(first_start);
            // An end index without an upper bound says nothing about the length.
            let max = (length.upper().is_some() || last_end < i64::MAX as u64).then_some(max);
            unknown_list_of_elements_from(list, ty.element(), LengthRange::new(min, max).unwrap_or_default())
        }
        _ => Ok(Value::dynamic()),
    }
}
