//! Functions of all elements: `one`, `sum`, `alltrue`, `anytrue`.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::{Error, Result};
use crate::function::standard::StandardFunction;
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, View, canonical, equality, join, view_below_marks};

use super::{elements_of, invalid_argument, length_of};

/// Adds `one`, `sum`, `alltrue` and `anytrue`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
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
    let note = "what all members that may be the only one have in common";
    functions.push(StandardFunction::language_only(one, note));
    let sum = Function::new("sum")
        .description("The sum of the numbers in a list, set or tuple.")
        .parameter(Parameter::new("list", Type::Dynamic))
        .returns(Type::Number)
        .not_null()
        .body_for_all(sum);
    let note = "the interval of the sum, if the number of elements is known; for a set, only if all members are known";
    functions.push(StandardFunction::language_only(sum, note));
    let Ok(bools) = Type::list(Type::Bool) else { return };
    let quantifier = |name: &str, description: &str, is_all: bool| {
        Function::new(name)
            .description(description)
            .parameter(Parameter::new("list", bools.clone()))
            .returns(Type::Bool)
            .not_null()
            .body_for_all(move |arguments| Ok(all_or_any(arguments.at(0), is_all)))
    };
    let all = quantifier("alltrue", "Whether all elements of a list are true.", true);
    functions.push(StandardFunction::language_only(
        all,
        "false if an element is certainly not true, true if all are",
    ));
    let any = quantifier("anytrue", "Whether any element of a list is true.", false);
    functions.push(StandardFunction::language_only(
        any,
        "true if an element is certainly true, false if none can be",
    ));
}

/// The error of `one` for several elements, or for a value that is not a list, set or tuple.
#[cold]
fn more_than_one() -> Error {
    invalid_argument("must be a list, set, or tuple value with either zero or one elements").in_argument(0)
}

/// Computes `one`: the only element of a list, set or tuple, null if it is empty, an error if it certainly has two or
/// more. For unknown elements, what all elements that may be the only one have in common.
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
        View::Set(set) => set.iter().map(Value::outside_collection).collect(),
        _ => elements_of(list).unwrap_or_default().into_owned(),
    };
    let element = ty.element_type().cloned().unwrap_or(Type::Dynamic);
    match join(&members.iter().collect::<Vec<_>>()) {
        Some(element) => Ok(element),
        None if list.is_wholly_known() => Ok(Value::null(element)),
        None if length.upper() == Some(0) => Ok(Value::null(element).outside_collection()),
        None => {
            let only = list.range().unknown_element(&element);
            let null = Value::null(element);
            let outcomes = if length.lower() > 0 { vec![&only] } else { vec![&only, &null] };
            Ok(join(&outcomes).unwrap_or_else(Value::dynamic))
        }
    }
}

/// Computes `sum` of a list, set or tuple of numbers; an error if it is empty or an element is not a number. Unknown
/// where the number of elements is unknown, or members of a set are.
fn sum(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let ty = list.ty();
    let length = length_of(list);
    let invalid_argument = |message: &str| invalid_argument(message).in_argument(0);
    let unknown = || canonical(Type::Number, Refinement::not_null());
    match &ty {
        Type::Dynamic => return Ok(unknown()),
        Type::List(_) | Type::Set(_) | Type::Tuple(_) if length.upper() == Some(0) => {
            return Err(invalid_argument("cannot sum an empty list"));
        }
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => {}
        Type::Map(_) | Type::Object(_) => {
            let name = ty.friendly_name();
            return Err(invalid_argument(&format!("argument must be list, set, or tuple. Received {name}")));
        }
        _ => return Err(invalid_argument("cannot sum noniterable")),
    }
    let number = |value: &Value| {
        let number =
            convert(value, &TypeConstraint::from(Type::Number)).and_then(|value| value.assume_not_null());
        number
            .ok()
            .filter(|number| !number.is_null())
            .ok_or_else(|| invalid_argument("argument must be list, set, or tuple of number values"))
    };
    let numbers = match view_below_marks(list) {
        // Members that are not known may turn out equal: the set then has fewer numbers to add.
        View::Set(set) if !list.is_wholly_known() => {
            set.iter().try_for_each(|member| number(&member.outside_collection()).map(|_| ()))?;
            return Ok(unknown());
        }
        View::Set(set) => set.iter().map(Value::outside_collection).collect(),
        _ => match elements_of(list) {
            Some(items) => items.into_owned(),
            None => {
                number(&Value::unknown(ty.element_type().cloned().unwrap_or(Type::Dynamic)))?;
                return Ok(unknown());
            }
        },
    };
    let mut numbers = numbers.iter().map(number);
    let first = numbers.next().unwrap_or_else(|| Err(invalid_argument("cannot sum an empty list")))?;
    numbers.try_fold(first, |sum, number| {
        sum.add(&number?).map_err(|error| match error.is_undefined() {
            true => invalid_argument("can't compute sum of opposing infinities"),
            false => error,
        })
    })
}

/// Whether all elements of a list of bools are true (`is_all`), or whether any is. Null is not true. The answer is an
/// unknown bool if unknown elements decide it.
fn all_or_any(list: &Value, is_all: bool) -> Value {
    let unknown = || canonical(Type::Bool, Refinement::not_null());
    let Some(items) = elements_of(list) else {
        return if length_of(list).upper() == Some(0) { Value::from(is_all) } else { unknown() };
    };
    let mut is_unknown = false;
    for item in items.iter() {
        match item.as_bool() {
            Ok(truth) if truth == is_all => {}
            Ok(_) => return Value::from(!is_all),
            Err(_) if equality::is_always_null(item) && is_all => return Value::from(false),
            Err(_) if equality::is_always_null(item) => {}
            Err(_) => is_unknown = true,
        }
    }
    if is_unknown { unknown() } else { Value::from(is_all) }
}
