//! Assumptions: what the author of a configuration knows, as functions.

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, FunctionBuilder, MarkHandling, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Refinement};
use crate::types::Type;
use crate::value::Value;

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (
        &[
            "assumenotnull",
            "assumestringprefix",
            "assumelistlength",
            "assumelistlengthmin",
            "assumelistlengthmax",
            "assumesetlength",
            "assumesetlengthmin",
            "assumesetlengthmax",
            "assumemaplength",
            "assumemaplengthmin",
            "assumemaplengthmax",
        ],
        "everything, and what is assumed; of a bound that is unknown its own range counts",
    ),
    (&["assumeequal"], "the assumed value takes its place"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let not_null = of_value("assumenotnull", "The value, which is assumed not to be null.", Type::Dynamic)
        .not_null()
        .body(|arguments| arguments.at(0).assume_not_null().map_err(not_upheld));
    all.push(Standard::language(not_null));
    all.push(Standard::language(prefix()));
    all.push(Standard::language(equal()));
    let collections = [
        ("list", Type::list(Type::Dynamic)),
        ("set", Type::set(Type::Dynamic)),
        ("map", Type::map(Type::Dynamic)),
    ];
    for (kind, ty) in collections {
        let Ok(ty) = ty else { continue };
        let begin = |end: &str, what: &str| {
            let description = format!("The {kind}, which is assumed to have {what} elements.");
            of_value(&format!("assume{kind}length{end}"), &description, ty.clone())
        };
        let length = begin("", "from so many to so many").parameter(number("min")).parameter(number("max"));
        let length = length.body(|arguments| long(arguments, least(arguments, 1)?, most(arguments, 2)?));
        let min = begin("min", "at least so many").parameter(number("min"));
        let min = min.body(|arguments| long(arguments, least(arguments, 1)?, None));
        let max = begin("max", "at most so many").parameter(number("max"));
        let max = max.body(|arguments| long(arguments, 0, most(arguments, 1)?));
        all.extend([length, min, max].map(Standard::language));
    }
}

/// The first argument with a length between two.
fn long(arguments: &Arguments<'_>, least: u64, most: Option<u64>) -> Result<Value> {
    let length = LengthRange::new(least, most).map_err(|error| error.in_argument(1))?;
    arguments.at(0).assume(&Refinement::length(length)).map_err(not_upheld)
}

/// A function whose first argument is narrowed. Marks stay where they are.
fn of_value(name: &str, description: &str, ty: Type) -> FunctionBuilder {
    Function::new(name)
        .description(description)
        .parameter(value("value", ty))
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
}

fn value(name: &str, ty: Type) -> Parameter {
    Parameter::new(name, ty).allow_null().allow_unknown().allow_dynamic().marks(MarkHandling::Own)
}

fn number(name: &str) -> Parameter {
    Parameter::new(name, Type::Number).allow_unknown()
}

#[cold]
fn not_upheld(error: Error) -> Error {
    error.in_argument(0)
}

fn prefix() -> Function {
    of_value("assumestringprefix", "The text, which is assumed to start with another.", Type::String)
        .parameter(Parameter::new("prefix", Type::String).allow_unknown())
        .body(|arguments| {
            // What an unknown prefix starts with, the text starts with as well.
            let range = arguments.at(1).range();
            let prefix = arguments.text(1).ok().or(range.prefix()).unwrap_or_default();
            arguments.at(0).assume_string_prefix(prefix).map_err(not_upheld)
        })
}

fn equal() -> Function {
    Function::new("assumeequal")
        .description("A value that is assumed to be equal to another, which is given back.")
        .parameter(value("got", Type::Dynamic))
        .parameter(value("assumed", Type::Dynamic))
        .returns_by(|arguments| Ok(arguments.at(1).ty()))
        .body(|arguments| arguments.at(0).assume_equal(arguments.at(1)).map_err(not_upheld))
}

/// The whole numbers that a bound can be; an error where there is none, and where there is none from `from` on.
fn whole(arguments: &Arguments<'_>, index: usize, from: &Number) -> Result<(Number, Number)> {
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
    let known = arguments.number(index).is_ok_and(|number| number.to_i64().is_none());
    let none = least > most || most < *from || within(&least.clone().max(Number::ZERO)).is_none();
    if known || none { Err(no_length(index)) } else { Ok((least, most)) }
}

/// The least length that can be meant; below 0 is as good as 0.
fn least(arguments: &Arguments<'_>, index: usize) -> Result<u64> {
    let (least, _) = whole(arguments, index, &Number::NEG_INFINITY)?;
    Ok(within(&least).unwrap_or(0))
}

/// The greatest length that can be meant.
fn most(arguments: &Arguments<'_>, index: usize) -> Result<Option<u64>> {
    let (_, most) = whole(arguments, index, &Number::ZERO)?;
    Ok(within(&most))
}

fn within(number: &Number) -> Option<u64> {
    number.to_u64().filter(|length| i64::try_from(*length).is_ok())
}

#[cold]
fn no_length(index: usize) -> Error {
    Error::new(Kind::Argument, format!("must be a whole number between 0 and {}", i64::MAX))
        .in_argument(index)
}
