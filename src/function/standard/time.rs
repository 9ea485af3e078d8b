//! Functions of timestamps: `formatdate`, `timeadd`, `timecmp`.

mod duration;
mod format;
mod timestamp;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::{ResultPattern, StandardFunction};
use timestamp::Timestamp;

/// Adds `formatdate`, `timeadd` and `timecmp`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let formatdate = Function::new("formatdate")
        .description("A timestamp, given in RFC 3339 format, in another format.")
        .parameter(Parameter::new("format", Type::String))
        .parameter(Parameter::new("time", Type::String))
        .returns(Type::String)
        .not_null()
        .transformer(|arguments| {
            if arguments.at(1).is_known() {
                timestamp(arguments, 1)?;
            }
            let (prefix, pattern) = match arguments.at(0).is_known() {
                true => format::shape(arguments.text(0)?).map_err(invalid_format)?,
                false => (String::new(), None),
            };
            let pattern = pattern.and_then(|pattern| Refinement::pattern(&pattern).ok());
            let shape = pattern.unwrap_or_else(|| Refinement::prefix(&prefix));
            Ok(canonical(Type::String, shape.and_not_null()))
        })
        .body(|arguments| {
            let time = timestamp(arguments, 1)?;
            format::format_time(arguments.text(0)?, &time).map(Value::from).map_err(invalid_format)
        });
    let note = "the texts that a known format can give; an error if the known format or timestamp is invalid";
    functions.push(StandardFunction::shared(formatdate, note));
    let timestamps = ResultPattern::new(
        "^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9](?::[0-5][0-9]){2}(?:Z|[-+][0-9]{2}:[0-9]{2})$",
    );
    let timeadd = Function::new("timeadd")
        .description("The timestamp, in RFC 3339 format, that is a duration after another one.")
        .parameter(Parameter::new("timestamp", Type::String))
        .parameter(Parameter::new("duration", Type::String))
        .returns(Type::String)
        .not_null()
        .transformer(move |arguments| {
            if arguments.at(0).is_known() {
                timestamp(arguments, 0)?;
            }
            if arguments.at(1).is_known() {
                duration_nanoseconds(arguments)?;
            }
            Ok(timestamps.value())
        })
        .body(|arguments| {
            let (time, duration) = (timestamp(arguments, 0)?, duration_nanoseconds(arguments)?);
            let later =
                time.plus_nanoseconds(duration).filter(|later| (0..=9999).contains(&later.civil.year()));
            later.map(|later| Value::from(later.to_string())).ok_or_else(|| {
                Error::new(
                    Kind::Limit,
                    "the result is no year from 0 to 9999, which RFC 3339 has no form for",
                )
            })
        });
    let note = "the form of a timestamp; an error if the known timestamp or duration is invalid";
    functions.push(StandardFunction::shared(timeadd, note));
    let order = NumberRange::new(Bound::Inclusive(Number::from(-1)), Bound::Inclusive(Number::ONE));
    let order = Refinement::integer_in(&order.unwrap_or_default()).and_not_null();
    let timecmp = Function::new("timecmp")
        .description(
            "-1 if the first timestamp is before the second, 0 if both are the same instant, 1 if it is after.",
        )
        .parameter(Parameter::new("timestamp_a", Type::String))
        .parameter(Parameter::new("timestamp_b", Type::String))
        .returns(Type::Number)
        .refine_result(order.clone())
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
    let note = "that the result is from -1 to 1; an error if a known timestamp is invalid";
    functions.push(StandardFunction::language_only(timecmp, note));
}

/// The error for an invalid format, which is the first argument.
#[cold]
fn invalid_format(message: String) -> Error {
    Error::new(Kind::Argument, message).in_argument(0)
}

/// The timestamp in the argument at this index, which is known; an error if it is not in RFC 3339 format.
fn timestamp(arguments: &Arguments<'_>, index: usize) -> Result<Timestamp> {
    Timestamp::parse(arguments.text(index)?).map_err(|why| {
        Error::new(Kind::Syntax, format!("not a valid RFC3339 timestamp: {why}")).in_argument(index)
    })
}

/// The duration in the second argument, which is known, in nanoseconds; an error if it is invalid.
fn duration_nanoseconds(arguments: &Arguments<'_>) -> Result<i64> {
    duration::parse_nanoseconds(arguments.text(1)?)
        .map_err(|why| Error::new(Kind::Syntax, format!("time: {why}")).in_argument(1))
}
