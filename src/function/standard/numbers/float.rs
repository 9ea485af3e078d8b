//! What goes through floating point numbers: powers and logarithms.

use crate::error::{Error, Kind, Result};
use crate::function::standard::Standard;
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::types::Type;
use crate::value::Value;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let log = Function::new("log")
        .description("The logarithm of a number to a base.")
        .parameter(Parameter::new("num", Type::Number))
        .parameter(Parameter::new("base", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body(|arguments| through_floats(arguments, |number, base| number.ln() / base.ln()));
    all.push(Standard::both(log));
    let pow = Function::new("pow")
        .description("A number to a power.")
        .parameter(Parameter::new("num", Type::Number))
        .parameter(Parameter::new("power", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body(|arguments| match exactly(arguments.number(0)?, arguments.number(1)?) {
            Some(power) => Ok(Value::from(power)),
            None => through_floats(arguments, f64::powf),
        });
    all.push(Standard::both(pow));
}

/// Whole powers are exact as long as they have at most so many digits.
const EXACT: u64 = 1024;

/// A whole power of a finite number, where it is not too long.
fn exactly(number: &Number, power: &Number) -> Option<Number> {
    let times = power.to_u64().filter(|times| *times <= EXACT && number.is_finite())?;
    let places = number.to_string().len() as u64;
    if places.saturating_mul(times) > EXACT {
        return None;
    }
    (0..times).try_fold(Number::ONE, |power, _| power.multiply(number)).ok()
}

fn through_floats(arguments: &Arguments<'_>, function: fn(f64, f64) -> f64) -> Result<Value> {
    let result = function(arguments.number(0)?.to_f64(), arguments.number(1)?.to_f64());
    let none = || Error::new(Kind::Undefined, "there is no such number");
    if result.is_nan() { Err(none()) } else { Value::try_from(result).map_err(|_| none()) }
}
