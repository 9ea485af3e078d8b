//! `range`: a list of numbers from a start to an end.

use crate::error::{Error, Result};
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{invalid_argument, unknown_list_with};
use crate::function::{Arguments, Function, Parameter};
use crate::limits;
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Refinement};
use crate::types::Type;
use crate::value::Value;

/// The maximum number of numbers that `range` returns, as in go-cty.
const MAX_NUMBERS: u64 = 1024;

/// Adds `range`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let Ok(numbers) = Type::list(Type::Number) else { return };
    let range = Function::new("range")
        .description(
            "Numbers from a start (or 0) up or down to an end, which is excluded, in steps of 1 or of a given \
             size.",
        )
        .variadic(Parameter::new("params", Type::Number))
        .returns(numbers)
        .not_null()
        .transformer(unknown_range)
        .body(range);
    functions.push(StandardFunction::shared(range, "bounds of how many numbers there are"));
}

/// Computes `range`: the numbers from a start (default 0) to an end, which is excluded, in steps (default 1 or -1). An
/// error if they are more than [`MAX_NUMBERS`].
fn range(arguments: &Arguments<'_>) -> Result<Value> {
    let number = |index: usize| arguments.number(index).cloned();
    let unit_step = |is_down: bool| if is_down { Number::from(-1) } else { Number::ONE };
    let (start, end, step) = match arguments.all().len() {
        1 => (Number::from(0), number(0)?, unit_step(number(0)?.is_negative())),
        2 => (number(0)?, number(1)?, unit_step(number(1)? < number(0)?)),
        3 => (number(0)?, number(1)?, number(2)?),
        _ => return Err(wrong_argument_count()),
    };
    if step.is_zero() {
        return Err(zero_step());
    }
    let is_down = step.is_negative();
    if is_down && end > start {
        return Err(invalid_argument("end must be less than start when step is negative").in_argument(1));
    }
    if !is_down && end < start {
        return Err(invalid_argument("end must be greater than start when step is positive").in_argument(1));
    }
    let (mut numbers, mut next) = (Vec::new(), start);
    while if is_down { next > end } else { next < end } {
        if numbers.len() as u64 >= MAX_NUMBERS {
            return Err(too_many_numbers());
        }
        let following = next.add(&step)?;
        numbers.push(Value::from(next));
        next = following;
    }
    Value::list_of(Type::Number, numbers)
}

/// Computes `range` for unknown arguments: an unknown list with bounds of its length, from the distance between start
/// and end.
fn unknown_range(arguments: &Arguments<'_>) -> Result<Value> {
    let distance = match arguments.all() {
        [end] => end.absolute(),
        [start, end] => end.subtract(start).and_then(|distance| distance.absolute()),
        [_, _, step] if step.as_number().is_ok_and(Number::is_zero) => return Err(zero_step()),
        [_, _, _] => Ok(Value::unknown(Type::Number)),
        _ => return Err(wrong_argument_count()),
    };
    // The difference of two infinities is undefined: a range between them has no bounds to find.
    let distance = distance.unwrap_or_else(|_| Value::unknown(Type::Number));
    let (mut min, mut max) = (0, MAX_NUMBERS);
    if let Some(range) = distance.range().number_range() {
        let count = |number: &Number| number.ceil().to_u64().unwrap_or(u64::MAX);
        min = match range.lower() {
            Bound::Exclusive(number) if number.is_integer() && !number.is_negative() => {
                count(number).saturating_add(1)
            }
            Bound::Inclusive(number) | Bound::Exclusive(number) if !number.is_negative() => count(number),
            _ => 0,
        };
        if let Bound::Inclusive(number) | Bound::Exclusive(number) = range.upper() {
            max = max.min(count(number));
        }
    }
    if min > MAX_NUMBERS {
        return Err(too_many_numbers());
    }
    if min == max && max <= limits::COLLAPSE as u64 {
        let number = Value::unknown(Type::Number).assume_not_null()?;
        return Value::list_of(Type::Number, (0..max).map(|_| number.clone()));
    }
    let length = LengthRange::new(min, Some(max)).unwrap_or_default();
    unknown_list_with(&Type::Number, length, Refinement::not_null())
}

/// The error of `range` for no arguments or more than three.
#[cold]
fn wrong_argument_count() -> Error {
    invalid_argument("must have one, two, or three arguments")
}

/// The error of `range` for a step of 0.
#[cold]
fn zero_step() -> Error {
    invalid_argument("step must not be zero").in_argument(2)
}

/// The error of `range` for more than [`MAX_NUMBERS`] numbers.
#[cold]
fn too_many_numbers() -> Error {
    invalid_argument(
        "more than 1024 values were generated; either decrease the difference between start and end or use a \
         smaller step",
    )
}
