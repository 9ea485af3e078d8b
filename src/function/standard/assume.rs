//! Assumptions: functions with which the author of a configuration states what is known of an unknown value.

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, FunctionBuilder, MarkHandling, Parameter, work};
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Refinement};
use crate::types::Type;
use crate::value::Value;

use super::StandardFunction;

/// Adds the functions that assume facts about a value: `assumenotnull`, `assumestringprefix`, `assumeequal`, and those
/// about the lengths of lists, sets and maps.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let not_null = assumption("assumenotnull", "The value, which is assumed not to be null.", Type::Dynamic)
        .not_null()
        .body(|arguments| arguments.at(0).assume_not_null().map_err(contradiction));
    functions.push(StandardFunction::language_only(not_null, "everything, and that it is not null"));
    let note = "everything, and the assumed prefix; of an unknown prefix, the part that is known";
    functions.push(StandardFunction::language_only(assume_prefix(), note));
    functions.push(StandardFunction::language_only(
        assume_equal(),
        "the assumed value, in place of the first one",
    ));
    let collections = [
        ("list", Type::list(Type::Dynamic)),
        ("set", Type::set(Type::Dynamic)),
        ("map", Type::map(Type::Dynamic)),
    ];
    for (kind, ty) in collections {
        let Ok(ty) = ty else { continue };
        let begin = |suffix: &str, bounds: &str| {
            let description = format!("The {kind}, whose length is assumed to be {bounds}.");
            assumption(&format!("assume{kind}length{suffix}"), &description, ty.clone())
        };
        let bound = |name: &str| Parameter::new(name, Type::Number).allow_unknown();
        let length = begin("", "from min to max").parameter(bound("min")).parameter(bound("max"));
        let length = length.body(|arguments| {
            assume_length(arguments, least_bound(arguments, 1)?, most_bound(arguments, 2)?)
        });
        let min = begin("min", "at least min").parameter(bound("min"));
        let min = min.body(|arguments| assume_length(arguments, least_bound(arguments, 1)?, None));
        let max = begin("max", "at most max").parameter(bound("max"));
        let max = max.body(|arguments| assume_length(arguments, 0, most_bound(arguments, 1)?));
        let note = "everything, and the bounds of the length; of an unknown bound, its own bounds";
        functions.extend([length, min, max].map(|function| StandardFunction::language_only(function, note)));
    }
}

/// The first argument, narrowed to lengths from `least` to `most` (`None`: no upper bound). An error if it contradicts
/// them.
fn assume_length(arguments: &Arguments<'_>, least: u64, most: Option<u64>) -> Result<Value> {
    let length = LengthRange::new(least, most).map_err(|error| error.in_argument(1))?;
    arguments.at(0).assume(&Refinement::length(length)).map_err(contradiction)
}

/// Begins the definition of a function that narrows its first argument, of type `ty`, and returns it with its marks.
fn assumption(name: &str, description: &str, ty: Type) -> FunctionBuilder {
    Function::new(name)
        .description(description)
        .parameter(any_argument("value", ty))
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
}

/// A parameter that takes every argument of a type: null, unknown, marked or of undecided type.
fn any_argument(name: &str, ty: Type) -> Parameter {
    Parameter::new(name, ty).allow_null().allow_unknown().allow_dynamic().marks(MarkHandling::Own)
}

/// Attributes an error to the first argument: it contradicts the assumption.
#[cold]
fn contradiction(error: Error) -> Error {
    error.in_argument(0)
}

/// Defines `assumestringprefix`: narrows a string to those that start with a prefix.
fn assume_prefix() -> Function {
    assumption("assumestringprefix", "The string, which is assumed to start with a prefix.", Type::String)
        .parameter(Parameter::new("prefix", Type::String).allow_unknown())
        .body(|arguments| {
            // The string starts with whatever an unknown prefix starts with.
            let range = arguments.at(1).range();
            let prefix = arguments.text(1).ok().or(range.prefix()).unwrap_or_default();
            arguments.at(0).assume_string_prefix(prefix).map_err(contradiction)
        })
}

/// Defines `assumeequal`: returns the second value, after it checks that the first may equal it.
fn assume_equal() -> Function {
    Function::new("assumeequal")
        .description("The second value, which the first is assumed to equal.")
        .parameter(any_argument("got", Type::Dynamic))
        .parameter(any_argument("assumed", Type::Dynamic))
        .returns_by(|arguments| Ok(arguments.at(1).ty()))
        .body(|arguments| {
            // They are compared part by part.
            arguments.all().iter().for_each(|value| work::charge(value.size() as usize));
            arguments.at(0).assume_equal(arguments.at(1)).map_err(contradiction)
        })
}

/// The least and the greatest integer that the argument at this index, a length bound that may be unknown, can be. An
/// error if it can be no integer of at least `min`.
fn integer_bounds(arguments: &Arguments<'_>, index: usize, min: &Number) -> Result<(Number, Number)> {
    let range = super::numbers::number_range(arguments.at(index));
    let least = match range.lower() {
        Bound::Unbounded => Number::NEG_INFINITY,
        Bound::Inclusive(number) => number.ceil(),
        Bound::Exclusive(number) => number.floor().add(&Number::ONE)?,
    };
    let most = match range.upper() {
        Bound::Unbounded => Number::INFINITY,
        Bound::Inclusive(number) => number.floor(),
        Bound::Exclusive(number) => number.ceil().subtract(&Number::ONE)?,
    };
    let is_invalid = arguments.number(index).is_ok_and(|number| number.to_i64().is_none());
    let is_empty = least > most || most < *min || as_length(&least.clone().max(Number::ZERO)).is_none();
    if is_invalid || is_empty { Err(invalid_length(index)) } else { Ok((least, most)) }
}

/// The least length that the argument at this index, a lower bound that may be unknown, can stand for. A negative bound
/// counts as 0.
fn least_bound(arguments: &Arguments<'_>, index: usize) -> Result<u64> {
    let (least, _) = integer_bounds(arguments, index, &Number::NEG_INFINITY)?;
    Ok(as_length(&least).unwrap_or(0))
}

/// The greatest length that the argument at this index, an upper bound that may be unknown, can stand for; `None` if
/// there is no limit.
fn most_bound(arguments: &Arguments<'_>, index: usize) -> Result<Option<u64>> {
    let (_, most) = integer_bounds(arguments, index, &Number::ZERO)?;
    Ok(as_length(&most))
}

/// The number as a length; `None` unless it is a natural number that fits `i64`.
fn as_length(number: &Number) -> Option<u64> {
    number.to_u64().filter(|length| i64::try_from(*length).is_ok())
}

/// The error for an argument that is not a length.
#[cold]
fn invalid_length(index: usize) -> Error {
    Error::new(Kind::Argument, format!("must be a whole number between 0 and {}", i64::MAX))
        .in_argument(index)
}
