//! `log` and `pow`, which compute with floating point numbers as go-cty does; short integer powers are exact.

use crate::error::{Error, Kind, Result};
use crate::function::standard::StandardFunction;
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::types::Type;
use crate::value::Value;

/// Adds `log` and `pow`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let log = Function::new("log")
        .description("The logarithm of a number to a base.")
        .parameter(Parameter::new("num", Type::Number))
        .parameter(Parameter::new("base", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body(|arguments| through_floats(arguments, |number, base| number.ln() / base.ln()));
    functions.push(StandardFunction::shared(log, "that the result is not null"));
    let pow = Function::new("pow")
        .description("A number raised to a power.")
        .parameter(Parameter::new("num", Type::Number))
        .parameter(Parameter::new("power", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body(|arguments| match exact_power(arguments.number(0)?, arguments.number(1)?) {
            Some(power) => Ok(Value::from(power)),
            None => through_floats(arguments, f64::powf),
        });
    functions.push(StandardFunction::shared(pow, "that the result is not null"));
}

/// The maximum number of digits, roughly, of an integer power that is computed exactly; longer ones are by floating
/// point.
const EXACT_DIGITS: u64 = 1024;

/// A number raised to a natural number, computed exactly. `None` if the exponent is not a natural number, the number is
/// infinite or the result is too long.
fn exact_power(number: &Number, exponent: &Number) -> Option<Number> {
    let times = exponent.to_u64().filter(|times| *times <= EXACT_DIGITS && number.is_finite())?;
    let digits = number.to_string().len() as u64;
    if digits.saturating_mul(times) > EXACT_DIGITS {
        return None;
    }
    (0..times).try_fold(Number::ONE, |power, _| power.multiply(number)).ok()
}

/// Applies a floating point function to the first two arguments; an error if the result is not a number (NaN).
fn through_floats(arguments: &Arguments<'_>, function: fn(f64, f64) -> f64) -> Result<Value> {
    let result = function(arguments.number(0)?.to_f64(), arguments.number(1)?.to_f64());
    let undefined = || Error::new(Kind::Undefined, "there is no such number");
    if result.is_nan() { Err(undefined()) } else { Value::try_from(result).map_err(|_| undefined()) }
}
