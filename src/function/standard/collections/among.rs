//! What the planning languages ask of all elements: the only one, the sum, whether all or any are true.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Result};
use crate::function::standard::Standard;
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, View, canonical, equality, join, view_below_marks};

use super::{items, length_of, unfit};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let one = Function::new("one")
        .description("The only element of a list, set or tuple, or null where it is empty.")
        .parameter(Parameter::new("list", Type::Dynamic).marks(MarkHandling::Picked))
        .returns_by(|arguments| match arguments.at(0).ty() {
            Type::Tuple(ty) => match ty.elements() {
                [] => Ok(Type::Dynamic),
                [ty] => Ok(ty.clone()),
                _ => Err(more_than_one()),
            },
            ty => {
                ty.element_type().filter(|_| !matches!(ty, Type::Map(_))).cloned().ok_or_else(more_than_one)
            }
        })
        .body_for_all(one);
    all.push(Standard::language(one));
    let sum = Function::new("sum")
        .description("The sum of the numbers in a list, set or tuple.")
        .parameter(Parameter::new("list", Type::Dynamic))
        .returns(Type::Number)
        .not_null()
        .body_for_all(sum);
    all.push(Standard::language(sum));
    let Ok(bools) = Type::list(Type::Bool) else { return };
    let truths = |name: &str, description: &str, wanted: bool| {
        Function::new(name)
            .description(description)
            .parameter(Parameter::new("list", bools.clone()))
            .returns(Type::Bool)
            .not_null()
            .body_for_all(move |arguments| Ok(truths(arguments.at(0), wanted)))
    };
    all.push(Standard::language(truths("alltrue", "Whether all in a list are true.", true)));
    all.push(Standard::language(truths("anytrue", "Whether any in a list is true.", false)));
}

#[cold]
fn more_than_one() -> Error {
    unfit("must be a list, set, or tuple value with either zero or one elements").in_argument(0)
}

fn one(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let ty = list.ty();
    let length = length_of(list);
    match &ty {
        Type::Dynamic => return Ok(Value::dynamic()),
        Type::List(_) | Type::Set(_) | Type::Tuple(_) if length.lower() < 2 => {}
        _ => return Err(more_than_one()),
    }
    let members = match view_below_marks(list) {
        View::Set(set) => set.iter().map(Value::opened).collect(),
        _ => items(list).unwrap_or_default().into_owned(),
    };
    let element = ty.element_type().cloned().unwrap_or(Type::Dynamic);
    match join(&members.iter().collect::<Vec<_>>()) {
        Some(element) => Ok(element),
        None if list.is_wholly_known() => Ok(Value::null(element)),
        None if length.upper() == Some(0) => Ok(Value::null(element).opened()),
        None => Ok(Value::unknown(element)),
    }
}

fn sum(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let ty = list.ty();
    let length = length_of(list);
    let unfit = |message: &str| unfit(message).in_argument(0);
    let unknown = || canonical(Type::Number, Refinement::not_null());
    match &ty {
        Type::Dynamic => return Ok(unknown()),
        Type::List(_) | Type::Set(_) | Type::Tuple(_) if length.upper() == Some(0) => {
            return Err(unfit("cannot sum an empty list"));
        }
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => {}
        Type::Map(_) | Type::Object(_) => {
            let name = ty.friendly_name();
            return Err(unfit(&format!("argument must be list, set, or tuple. Received {name}")));
        }
        _ => return Err(unfit("cannot sum noniterable")),
    }
    let number = |value: &Value| {
        let number =
            convert(value, &TypeConstraint::from(Type::Number)).and_then(|value| value.assume_not_null());
        number
            .ok()
            .filter(|number| !number.is_null())
            .ok_or_else(|| unfit("argument must be list, set, or tuple of number values"))
    };
    let numbers = match view_below_marks(list) {
        // Members can be the same.
        View::Set(set) if !list.is_wholly_known() => {
            set.iter().try_for_each(|member| number(&member.opened()).map(|_| ()))?;
            return Ok(unknown());
        }
        View::Set(set) => set.iter().map(Value::opened).collect(),
        _ => match items(list) {
            Some(items) => items.into_owned(),
            None => {
                number(&Value::unknown(ty.element_type().cloned().unwrap_or(Type::Dynamic)))?;
                return Ok(unknown());
            }
        },
    };
    let mut numbers = numbers.iter().map(number);
    let first = numbers.next().unwrap_or_else(|| Err(unfit("cannot sum an empty list")))?;
    numbers.try_fold(first, |sum, number| {
        sum.add(&number?).map_err(|error| match error.is_undefined() {
            true => unfit("can't compute sum of opposing infinities"),
            false => error,
        })
    })
}

/// Whether all are true, or any is. A null is not.
fn truths(list: &Value, all: bool) -> Value {
    let unknown = || canonical(Type::Bool, Refinement::not_null());
    let Some(items) = items(list) else {
        return if length_of(list).upper() == Some(0) { Value::from(all) } else { unknown() };
    };
    let mut is_open = false;
    for item in items.iter() {
        match item.as_bool() {
            Ok(truth) if truth == all => {}
            Ok(_) => return Value::from(!all),
            Err(_) if equality::is_always_null(item) && all => return Value::from(false),
            Err(_) if equality::is_always_null(item) => {}
            Err(_) => is_open = true,
        }
    }
    if is_open { unknown() } else { Value::from(all) }
}
