//! Some elements of a list, one after the other.

use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::standard::collections::{
    items, length_of, list_from, unfit, unknown_list_from, whole, wholes,
};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::LengthRange;
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let slice = Function::new("slice")
        .description("The elements of a list or tuple from one place on, up to another that is left out.")
        .parameter(Parameter::new("list", Type::Dynamic).marks(MarkHandling::Carried))
        .parameter(Parameter::new("start_index", Type::Number))
        .parameter(Parameter::new("end_index", Type::Number))
        .returns_by(slice_type)
        .not_null()
        .body_for_all(slice);
    all.push(Standard::both(slice));
}

fn slice_type(arguments: &Arguments<'_>) -> Result<Type> {
    let ty = arguments.at(0).ty();
    match &ty {
        Type::List(_) | Type::Tuple(_) => {}
        Type::Set(_) => {
            let message = "cannot slice a set, because its elements do not have indices; explicitly convert to \
                           a list if the ordering of the result is not important";
            return Err(unfit(message).in_argument(0));
        }
        _ => return Err(unfit("must be a list or tuple value").in_argument(0)),
    }
    let places = places(arguments)?;
    match (ty, places) {
        (Type::Tuple(ty), (Some(start), Some(end))) => {
            let elements = ty.elements().get(start..end).unwrap_or_default();
            Type::tuple(elements.iter().cloned())
        }
        (Type::Tuple(_), _) => Ok(Type::Dynamic),
        (ty, _) => Ok(ty),
    }
}

/// The places that are known, which then fit together.
fn places(arguments: &Arguments<'_>) -> Result<(Option<usize>, Option<usize>)> {
    let length = length_of(arguments.at(0)).exact();
    let place = |index: usize, which: &str| {
        if !arguments.at(index).is_known() {
            return Ok(None);
        }
        let place = whole(arguments, index, &format!("{which} index"))?;
        let below = || unfit(format!("{which} index must not be less than zero")).in_argument(index);
        let place = u64::try_from(place).map_err(|_| below())?;
        if length.is_some_and(|length| place > length) {
            let message = format!("{which} index must not be greater than the length of the list");
            return Err(unfit(message).in_argument(index));
        }
        Ok(Some(usize::try_from(place).unwrap_or(usize::MAX)))
    };
    let (start, end) = (place(1, "start")?, place(2, "end")?);
    if let (Some(start), Some(end)) = (start, end)
        && start > end
    {
        return Err(unfit("start index must not be greater than end index").in_argument(1));
    }
    Ok((start, end))
}

fn slice(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    if matches!(list, Value::Dynamic(_)) {
        places(arguments)?;
        return Ok(Value::dynamic());
    }
    let length = length_of(list);
    let fits = |index: usize| {
        let (low, high) = wholes(arguments.at(index))?;
        Some((u64::try_from(low).unwrap_or(0), u64::try_from(high).ok()?))
    };
    let beyond = || unfit("the indices are no places in the list");
    let (first_start, last_start) = fits(1).ok_or_else(beyond)?;
    let (first_end, last_end) = fits(2).ok_or_else(beyond)?;
    let last_end = length.upper().map_or(last_end, |most| last_end.min(most));
    let first_end = first_end.max(first_start);
    let last_start = last_start.min(last_end);
    if first_end > last_end || first_start > last_start {
        return Err(beyond());
    }
    if first_start == last_start && first_end == last_end {
        let place = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
        let part = place(first_start)..place(first_end);
        match (view_below_marks(list), items(list)) {
            (View::List(elements), _) => {
                let part = elements.as_slice().get(part).unwrap_or_default().to_vec();
                return list_from(list, elements.element_type(), part);
            }
            (_, Some(items)) => return Value::tuple(items.get(part).unwrap_or_default().iter().cloned()),
            _ => {}
        }
    }
    match list.ty() {
        Type::List(ty) => {
            let fewest = first_end.saturating_sub(last_start);
            let most = last_end.saturating_sub(first_start);
            let most = (length.upper().is_some() || last_end < i64::MAX as u64).then_some(most);
            unknown_list_from(list, ty.element(), LengthRange::new(fewest, most).unwrap_or_default())
        }
        _ => Ok(Value::dynamic()),
    }
}
