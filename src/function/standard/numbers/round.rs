//! Rounding, and the sign.

use crate::function::standard::Standard;
use crate::function::{Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange};
use crate::types::Type;

use super::{number_range, of_range};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    all.push(Standard::both(whole("ceil", "The least whole number that is not less.", Number::ceil)));
    all.push(Standard::both(whole("floor", "The greatest whole number that is not more.", Number::floor)));
    all.push(Standard::cty(whole(
        "int",
        "The whole number without what comes after the point.",
        Number::trunc,
    )));
    let sign = |number: &Number| Number::from(i64::from(number.signum()));
    all.push(Standard::both(whole("signum", "-1 for what is below 0, 1 for what is above, else 0.", sign)));
}

/// A function with whole results that never falls. An infinity is itself, or what has its sign.
fn whole(
    name: &str,
    description: &str,
    function: impl Fn(&Number) -> Number + Send + Sync + Copy + 'static,
) -> Function {
    Function::new(name)
        .description(description)
        .parameter(Parameter::new("num", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body_for_all(move |arguments| Ok(of_range(image(&number_range(arguments.at(0)), function))))
}

/// What a function that never falls makes of a range.
///
/// At an open end it is not what it is at the end itself, where it jumps there. Its results being whole, it jumps at
/// whole numbers only, and just beside one it is what it is half way to the next.
fn image(range: &NumberRange, function: impl Fn(&Number) -> Number) -> NumberRange {
    let beside = |number: &Number, up: bool| {
        let half = Number::ONE.divide(&Number::from(2)).unwrap_or(Number::ONE);
        let beside = if up { number.add(&half) } else { number.subtract(&half) };
        match beside {
            Ok(beside) if number.is_integer() && number.is_finite() => function(&beside),
            _ => function(number),
        }
    };
    let end = |bound: &Bound, infinity: Number, up: bool| match bound {
        Bound::Unbounded => Bound::Inclusive(function(&infinity)),
        Bound::Inclusive(number) => Bound::Inclusive(function(number)),
        // What is finite has a finite result, or one that has a closed end.
        Bound::Exclusive(number) if number.is_infinite() && function(number).is_infinite() => bound.clone(),
        Bound::Exclusive(number) => Bound::Inclusive(beside(number, up)),
    };
    let lower = end(range.lower(), Number::NEG_INFINITY, true);
    let upper = end(range.upper(), Number::INFINITY, false);
    NumberRange::new(lower, upper).unwrap_or_default()
}
