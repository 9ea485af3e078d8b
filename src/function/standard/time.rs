//! Times.

mod duration;
mod format;
mod timestamp;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;
use timestamp::Timestamp;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (
        &["formatdate"],
        "the text that the format begins with; an error where the format, or the time, is none",
    ),
    (&["timeadd"], "that the result is not null; an error where the time, or the duration, is none"),
    (&["timecmp"], "that the result is from -1 to 1; an error where one of the times is none"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let formatdate = Function::new("formatdate")
        .description("A time, given by RFC 3339, in another form.")
        .parameter(Parameter::new("format", Type::String))
        .parameter(Parameter::new("time", Type::String))
        .returns(Type::String)
        .not_null()
        .transformer(|arguments| {
            if arguments.at(1).is_known() {
                timestamp(arguments, 1)?;
            }
            let known = arguments.at(0).is_known();
            let start = if known { format::start(arguments.text(0)?).map_err(first)? } else { String::new() };
            Ok(canonical(Type::String, Refinement::prefix(&start).and_not_null()))
        })
        .body(|arguments| {
            let time = timestamp(arguments, 1)?;
            format::format(arguments.text(0)?, &time).map(Value::from).map_err(first)
        });
    all.push(Standard::both(formatdate));
    let timeadd = Function::new("timeadd")
        .description("The time, as RFC 3339 has it, some hours, minutes, seconds, … after another.")
        .parameter(Parameter::new("timestamp", Type::String))
        .parameter(Parameter::new("duration", Type::String))
        .returns(Type::String)
        .not_null()
        .transformer(|arguments| {
            if arguments.at(0).is_known() {
                timestamp(arguments, 0)?;
            }
            if arguments.at(1).is_known() {
                elapsed(arguments)?;
            }
            Ok(canonical(Type::String, Refinement::not_null()))
        })
        .body(|arguments| {
            let (time, duration) = (timestamp(arguments, 0)?, elapsed(arguments)?);
            let later = time.after(duration).filter(|later| (0..=9999).contains(&later.civil.year()));
            later.map(|later| Value::from(later.to_string())).ok_or_else(|| {
                Error::new(
                    Kind::Limit,
                    "the result is no year from 0 to 9999, which RFC 3339 has no form for",
                )
            })
        });
    all.push(Standard::both(timeadd));
    let order = NumberRange::new(Bound::Inclusive(Number::from(-1)), Bound::Inclusive(Number::ONE));
    let order = Refinement::number(order.unwrap_or_default()).and_not_null();
    let timecmp = Function::new("timecmp")
        .description(
            "-1 where the first time is before the second, 0 where both are the same, 1 where it is after.",
        )
        .parameter(Parameter::new("timestamp_a", Type::String))
        .parameter(Parameter::new("timestamp_b", Type::String))
        .returns(Type::Number)
        .promising(order.clone())
        .transformer(move |arguments| {
            for index in [0, 1] {
                if arguments.at(index).is_known() {
                    timestamp(arguments, index)?;
                }
            }
            Ok(canonical(Type::Number, order.clone()))
        })
        .body(|arguments| {
            let order = timestamp(arguments, 0)?.instant().cmp(&timestamp(arguments, 1)?.instant());
            Ok(Value::from(order as i8))
        });
    all.push(Standard::language(timecmp));
}

#[cold]
fn first(message: String) -> Error {
    Error::new(Kind::Argument, message).in_argument(0)
}

fn timestamp(arguments: &Arguments<'_>, index: usize) -> Result<Timestamp> {
    Timestamp::read(arguments.text(index)?).map_err(|why| {
        Error::new(Kind::Syntax, format!("not a valid RFC3339 timestamp: {why}")).in_argument(index)
    })
}

/// A duration in nanoseconds.
fn elapsed(arguments: &Arguments<'_>) -> Result<i64> {
    duration::nanoseconds(arguments.text(1)?)
        .map_err(|why| Error::new(Kind::Syntax, format!("time: {why}")).in_argument(1))
}
