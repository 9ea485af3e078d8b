//! Numbers: arithmetic, rounding, the least and the greatest.

mod float;
mod parse;
mod round;

use std::cmp::Ordering;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (
        &["absolute", "negate", "add", "subtract", "multiply", "divide", "modulo"],
        "the interval of all results",
    ),
    (&["min", "max"], "the interval of all results: `max(x, 10)` is at least 10"),
    (&["ceil", "floor", "int", "signum"], "the ends, each put through the function"),
    (&["parseint", "pow", "log"], "that it is a number, and what the argument's range says of its sign"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    all.push(Standard::called(unary("absolute", "The number without its sign.", Value::absolute), "abs"));
    all.push(Standard::cty(unary("negate", "The number with the other sign.", Value::negate)));
    for (name, description, operation, undefined) in ARITHMETIC {
        all.push(Standard::cty(binary(name, description, operation, undefined)));
    }
    all.push(Standard::both(extreme("min", "The least of some numbers.", Ordering::Less)));
    all.push(Standard::both(extreme("max", "The greatest of some numbers.", Ordering::Greater)));
    round::add_to(all);
    float::add_to(all);
    all.push(Standard::both(parse::parseint()));
}

type Binary = fn(&Value, &Value) -> Result<Value>;

/// Name, description, operation, and what to say where there is no result.
const ARITHMETIC: [(&str, &str, Binary, &str); 5] = [
    ("add", "The sum of two numbers.", Value::add, "can't compute sum of opposing infinities"),
    ("subtract", "The first number less the second.", Value::subtract, "can't subtract infinity from itself"),
    ("multiply", "The product of two numbers.", Value::multiply, "can't multiply zero by infinity"),
    (
        "divide",
        "The first number divided by the second.",
        Value::divide,
        "can't divide zero by zero or infinity by infinity",
    ),
    (
        "modulo",
        "What is left of the first number when it is divided by the second as often as that goes.",
        Value::modulo,
        "can't use modulo with zero and infinity",
    ),
];

fn unary(name: &str, description: &str, operation: fn(&Value) -> Result<Value>) -> Function {
    Function::new(name)
        .description(description)
        .parameter(Parameter::new("num", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body_for_all(move |arguments| operation(arguments.at(0)))
}

fn binary(name: &str, description: &str, operation: Binary, undefined: &'static str) -> Function {
    Function::new(name)
        .description(description)
        .parameter(Parameter::new("a", Type::Number))
        .parameter(Parameter::new("b", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body_for_all(move |arguments| {
            operation(arguments.at(0), arguments.at(1)).map_err(|error| match error.is_undefined() {
                true => error.with_message(undefined.to_owned()),
                false => error,
            })
        })
}

fn extreme(name: &str, description: &str, wanted: Ordering) -> Function {
    Function::new(name)
        .description(description)
        .variadic(Parameter::new("numbers", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body_for_all(move |arguments| most(arguments, wanted))
}

/// Each end of the result is the extreme one of the ends.
fn most(arguments: &Arguments<'_>, wanted: Ordering) -> Result<Value> {
    let ranges = arguments.all().iter().map(number_range);
    let ends = ranges.reduce(|a, b| {
        let further = |a: Bound, b: Bound, upper: bool| if reach(&a, &b, upper) == wanted { a } else { b };
        let (lower, upper) = (a.lower().clone(), a.upper().clone());
        let lower = further(lower, b.lower().clone(), false);
        let upper = further(upper, b.upper().clone(), true);
        NumberRange::new(lower, upper).unwrap_or_default()
    });
    let none = || Error::new(Kind::Argument, "must pass at least one number");
    ends.map(of_range).ok_or_else(none)
}

/// Which of two ends of one side is the greater.
fn reach(a: &Bound, b: &Bound, upper: bool) -> Ordering {
    let number = |bound: &Bound| match bound.number() {
        Some(number) => number.clone(),
        None if upper => Number::INFINITY,
        None => Number::NEG_INFINITY,
    };
    // An upper end that is open lies just below its number, a lower one just above.
    let within = |bound: &Bound| bound.is_inclusive() == upper;
    number(a).cmp(&number(b)).then(within(a).cmp(&within(b)))
}

/// What is known of a number.
pub(super) fn number_range(value: &Value) -> NumberRange {
    value.range().number_range().cloned().unwrap_or_default()
}

/// A number in a range.
fn of_range(range: NumberRange) -> Value {
    canonical(Type::Number, Refinement::number(range).and_not_null())
}
