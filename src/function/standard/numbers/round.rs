//! Rounding and the sign: monotone functions whose results are integers.

use crate::function::standard::StandardFunction;
use crate::function::{Function, Parameter};
use crate::number::Number;
use crate::ops::few_numbers::result_of_each;
use crate::refinement::{Bound, NumberRange, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::{number_in_range, number_range};

/// Adds `ceil`, `floor`, `int` and `signum`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let note = "the interval of the results: that of the argument with both ends put through the function; or each of a few";
    let ceil = monotone("ceil", "The least integer that is at least the number.", Number::ceil);
    functions.push(StandardFunction::shared(ceil, note));
    let floor = monotone("floor", "The greatest integer that is at most the number.", Number::floor);
    functions.push(StandardFunction::shared(floor, note));
    let int = monotone("int", "The number without the digits after the decimal point.", Number::trunc);
    functions.push(StandardFunction::cty_only(int, note));
    let sign = |number: &Number| Number::from(i64::from(number.signum()));
    let signum = monotone("signum", "-1 for a negative number, 1 for a positive one, 0 for 0.", sign);
    functions.push(StandardFunction::shared(signum, note));
}

/// Defines a function of one number. `function` computes it: it never decreases, its finite results are integers, and
/// it maps an infinity to itself or to a number of the same sign.
fn monotone(
    name: &str,
    description: &str,
    function: impl Fn(&Number) -> Number + Send + Sync + Copy + 'static,
) -> Function {
    // Integers are their own results, as 2 is, or have results of one kind.
    let keeps_integers = function(&Number::from(2)) == Number::from(2);
    Function::new(name)
        .description(description)
        .parameter(Parameter::new("num", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body_for_all(move |arguments| {
            let argument = arguments.at(0);
            if let Some(result) = result_of_each(argument, function) {
                return Ok(result);
            }
            let refinement = argument.range().refinement().clone();
            match refinement.range() {
                Range::Multiples(_) if keeps_integers => {
                    Ok(canonical(Type::Number, refinement.and_not_null()))
                }
                _ => Ok(integer_in_range(image(&number_range(argument), function))),
            }
        })
}

/// An unknown integer in the interval, not null; an unknown number if it may be an infinity, which rounds to itself.
fn integer_in_range(range: NumberRange) -> Value {
    let is_infinite = |bound: &Bound| match bound {
        Bound::Unbounded => true,
        Bound::Inclusive(number) => number.is_infinite(),
        Bound::Exclusive(_) => false,
    };
    if is_infinite(range.lower()) || is_infinite(range.upper()) {
        return number_in_range(range);
    }
    canonical(Type::Number, Refinement::integer_in(&range).and_not_null())
}

/// The interval of the results that a monotone function with integer results has for the numbers of an interval.
///
/// At an exclusive bound the result beside the bound counts, not that at it: `ceil` of a number above 1 is at least 2.
/// The function jumps at integers only, so beside an integer it has the result of the point half way to the next one.
fn image(range: &NumberRange, function: impl Fn(&Number) -> Number) -> NumberRange {
    let result_beside = |number: &Number, above: bool| {
        let half = Number::ONE.divide(&Number::from(2)).unwrap_or(Number::ONE);
        let beside = if above { number.add(&half) } else { number.subtract(&half) };
        match beside {
            Ok(beside) if number.is_integer() && number.is_finite() => function(&beside),
            _ => function(number),
        }
    };
    let end = |bound: &Bound, infinity: Number, is_lower: bool| match bound {
        Bound::Unbounded => Bound::Inclusive(function(&infinity)),
        Bound::Inclusive(number) => Bound::Inclusive(function(number)),
        // A finite number has a finite result, so the bound stays exclusive.
        Bound::Exclusive(number) if number.is_infinite() && function(number).is_infinite() => bound.clone(),
        Bound::Exclusive(number) => Bound::Inclusive(result_beside(number, is_lower)),
    };
    let lower = end(range.lower(), Number::NEG_INFINITY, true);
    let upper = end(range.upper(), Number::INFINITY, false);
    NumberRange::new(lower, upper).unwrap_or_default()
}
