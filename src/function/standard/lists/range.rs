//! Numbers from one to another.

use crate::error::{Error, Result};
use crate::function::standard::Standard;
use crate::function::standard::collections::{unfit, unknown_list};
use crate::function::{Arguments, Function, Parameter};
use crate::limits;
use crate::number::Number;
use crate::refinement::{Bound, LengthRange};
use crate::types::Type;
use crate::value::Value;

/// There are at most so many.
const MOST: u64 = 1024;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let Ok(numbers) = Type::list(Type::Number) else { return };
    let range = Function::new("range")
        .description("Numbers from 0 or a start up or down to an end that is left out, 1 or a step apart.")
        .variadic(Parameter::new("params", Type::Number))
        .returns(numbers)
        .not_null()
        .transformer(some)
        .body(range);
    all.push(Standard::both(range));
}

fn range(arguments: &Arguments<'_>) -> Result<Value> {
    let number = |index: usize| arguments.number(index).cloned();
    let unit = |is_down: bool| if is_down { Number::from(-1) } else { Number::ONE };
    let (start, end, step) = match arguments.all().len() {
        1 => (Number::from(0), number(0)?, unit(number(0)?.is_negative())),
        2 => (number(0)?, number(1)?, unit(number(1)? < number(0)?)),
        3 => (number(0)?, number(1)?, number(2)?),
        _ => return Err(wrong_number()),
    };
    if step.is_zero() {
        return Err(no_step());
    }
    let is_down = step.is_negative();
    if is_down && end > start {
        return Err(unfit("end must be less than start when step is negative").in_argument(1));
    }
    if !is_down && end < start {
        return Err(unfit("end must be greater than start when step is positive").in_argument(1));
    }
    let (mut numbers, mut next) = (Vec::new(), start);
    while if is_down { next > end } else { next < end } {
        if numbers.len() as u64 >= MOST {
            return Err(too_many());
        }
        let following = next.add(&step)?;
        numbers.push(Value::from(next));
        next = following;
    }
    Value::list_of(Type::Number, numbers)
}

/// How many there can be.
fn some(arguments: &Arguments<'_>) -> Result<Value> {
    let distance = match arguments.all() {
        [end] => end.absolute(),
        [start, end] => end.subtract(start).and_then(|distance| distance.absolute()),
        [_, _, step] if step.as_number().is_ok_and(Number::is_zero) => return Err(no_step()),
        [_, _, _] => Ok(Value::unknown(Type::Number)),
        _ => return Err(wrong_number()),
    };
    // Infinities that have no difference are ends that are too far apart.
    let distance = distance.unwrap_or_else(|_| Value::unknown(Type::Number));
    let (mut fewest, mut most) = (0, MOST);
    if let Some(range) = distance.range().number_range() {
        let count = |number: &Number| number.ceil().to_u64().unwrap_or(u64::MAX);
        fewest = match range.lower() {
            Bound::Exclusive(number) if number.is_integer() && !number.is_negative() => {
                count(number).saturating_add(1)
            }
            Bound::Inclusive(number) | Bound::Exclusive(number) if !number.is_negative() => count(number),
            _ => 0,
        };
        if let Bound::Inclusive(number) | Bound::Exclusive(number) = range.upper() {
            most = most.min(count(number));
        }
    }
    if fewest > MOST {
        return Err(too_many());
    }
    if fewest == most && most <= limits::COLLAPSE as u64 {
        let number = Value::unknown(Type::Number).assume_not_null()?;
        return Value::list_of(Type::Number, (0..most).map(|_| number.clone()));
    }
    unknown_list(&Type::Number, LengthRange::new(fewest, Some(most)).unwrap_or_default())
}

#[cold]
fn wrong_number() -> Error {
    unfit("must have one, two, or three arguments")
}

#[cold]
fn no_step() -> Error {
    unfit("step must not be zero").in_argument(2)
}

#[cold]
fn too_many() -> Error {
    unfit(
        "more than 1024 values were generated; either decrease the difference between start and end or use a \
         smaller step",
    )
}
