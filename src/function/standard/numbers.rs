//! Functions of numbers: arithmetic, rounding, minimum and maximum, powers and logarithms, parsing.

mod float;
mod parse;
mod round;

use std::cmp::Ordering;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::StandardFunction;

/// Adds the functions of numbers.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let absolute = unary("absolute", "The number without its sign.", Value::absolute);
    functions.push(StandardFunction::shared_as("abs", absolute, INTERVAL));
    let negate = unary("negate", "The number with the other sign.", Value::negate);
    functions.push(StandardFunction::cty_only(negate, INTERVAL));
    for (name, description, operation, undefined) in ARITHMETIC {
        let function = binary(name, description, operation, undefined);
        functions.push(StandardFunction::cty_only(function, INTERVAL));
    }
    let min = extreme("min", "The least of some numbers.", Ordering::Less);
    functions.push(StandardFunction::shared(min, "the interval of all results: `min(x, 10)` is at most 10"));
    let max = extreme("max", "The greatest of some numbers.", Ordering::Greater);
    functions.push(StandardFunction::shared(max, "the interval of all results: `max(x, 10)` is at least 10"));
    round::register(functions);
    float::register(functions);
    let note = "the sign and a bound of the number, which known leading digits give";
    functions.push(StandardFunction::shared(parse::parseint(), note));
}

/// The precision note of the arithmetic functions: which facts about the result are known while arguments are unknown.
const INTERVAL: &str = "the interval of all results, or each of a few";

/// An arithmetic operator on two numbers, which may be unknown.
type Binary = fn(&Value, &Value) -> Result<Value>;

/// The arithmetic functions: name, description, operator, and the error message where the result is undefined.
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
        "The remainder of dividing the first number by the second.",
        Value::modulo,
        "can't use modulo with zero and infinity",
    ),
];

/// Defines a function of one number that applies this operator.
fn unary(name: &str, description: &str, operation: fn(&Value) -> Result<Value>) -> Function {
    Function::new(name)
        .description(description)
        .parameter(Parameter::new("num", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body_for_all(move |arguments| operation(arguments.at(0)))
}

/// Defines a function of two numbers that applies this operator. `undefined` is the message where the result is
/// undefined.
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

/// Defines `min` (`side` is [`Ordering::Less`]) or `max` ([`Ordering::Greater`]).
fn extreme(name: &str, description: &str, side: Ordering) -> Function {
    Function::new(name)
        .description(description)
        .variadic(Parameter::new("numbers", Type::Number))
        .returns(Type::Number)
        .not_null()
        .body_for_all(move |arguments| extreme_of(arguments, side))
}

/// Computes `min` or `max` of the arguments, as a number in an interval: its lower bound is the least or greatest of
/// the lower bounds, its upper bound that of the upper bounds. An error without arguments.
fn extreme_of(arguments: &Arguments<'_>, side: Ordering) -> Result<Value> {
    let ranges = arguments.all().iter().map(number_range);
    let range = ranges.reduce(|a, b| {
        let extreme = |a: Bound, b: Bound, is_upper: bool| {
            if compare_bounds(&a, &b, is_upper) == side { a } else { b }
        };
        let (lower, upper) = (a.lower().clone(), a.upper().clone());
        let lower = extreme(lower, b.lower().clone(), false);
        let upper = extreme(upper, b.upper().clone(), true);
        NumberRange::new(lower, upper).unwrap_or_default()
    });
    let none = || Error::new(Kind::Argument, "must pass at least one number");
    let range = range.ok_or_else(none)?;
    let known = among_multiples(arguments.all(), &range, side).unwrap_or_else(|| Refinement::number(range));
    Ok(canonical(Type::Number, known.and_not_null()))
}

/// The refinement that the minimum or maximum of the arguments, a number in `range`, is one of a few numbers or a multiple of
/// some integer; `None` if it may be any number of an interval. Only arguments that may be the minimum or maximum count: those whose interval
/// reaches beyond the certain end of `range` (for `max` the lower one), or that give this end.
fn among_multiples(arguments: &[Value], range: &NumberRange, side: Ordering) -> Option<Refinement> {
    let is_max = side == Ordering::Greater;
    let near = |range: &NumberRange| if is_max { range.lower().clone() } else { range.upper().clone() };
    let may_be_extreme = |own: &NumberRange| {
        let least = NumberRange::new(
            if is_max { range.lower().clone() } else { Bound::Unbounded },
            if is_max { Bound::Unbounded } else { range.upper().clone() },
        );
        let reached = least.ok().and_then(|least| own.meet(&least));
        near(own) == near(range) || reached.is_some_and(|reached| reached.singleton().is_none())
    };
    let within = Refinement::number(range.clone());
    let mut all: Option<Refinement> = None;
    for argument in arguments {
        let known = argument.range().refinement().clone();
        let own = number_range(argument);
        if !may_be_extreme(&own) {
            continue;
        }
        let is_listed =
            matches!(known.range(), Range::Multiples(_) | Range::Numbers(_)) || own.singleton().is_some();
        if !is_listed {
            return None;
        }
        let part = known.and_not_null().meet(&within).ok()?;
        all = Some(match all {
            Some(all) => all.join(&part),
            None => part,
        });
    }
    all?.meet(&within).ok()
}

/// Compares two lower bounds or, with `is_upper`, two upper bounds of intervals.
fn compare_bounds(a: &Bound, b: &Bound, is_upper: bool) -> Ordering {
    let number = |bound: &Bound| match bound.number() {
        Some(number) => number.clone(),
        None if is_upper => Number::INFINITY,
        None => Number::NEG_INFINITY,
    };
    // An exclusive upper bound lies just below its number, an exclusive lower bound just above.
    let rank = |bound: &Bound| bound.is_inclusive() == is_upper;
    number(a).cmp(&number(b)).then(rank(a).cmp(&rank(b)))
}

/// The interval of a number, which may be unknown; a single number if it is known.
pub(super) fn number_range(value: &Value) -> NumberRange {
    value.range().number_range().cloned().unwrap_or_default()
}

/// A number, not null, of which only the interval is known; the number itself if the interval has only one.
fn number_in_range(range: NumberRange) -> Value {
    canonical(Type::Number, Refinement::number(range).and_not_null())
}
