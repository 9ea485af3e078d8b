//! `parseint`: integers from strings, in any base from 2 to 62.

use crate::convert::interval_of_digits;
use crate::error::{Error, Kind, Result};
use crate::function::standard::strings::language_of;
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{NumberRange, Refinement};
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::{Value, View, canonical};

/// Defines `parseint`: the integer that a string of digits means in a base.
pub(super) fn parseint() -> Function {
    Function::new("parseint")
        .description("The integer that a string of digits means in a base from 2 to 62.")
        .parameter(Parameter::new("number", Type::Dynamic))
        .parameter(Parameter::new("base", Type::Number))
        .returns_by(|arguments| match arguments.at(0).ty() {
            Type::String | Type::Dynamic => Ok(Type::Number),
            ty => {
                let message = format!("first argument must be a string, not {}", ty.friendly_name());
                Err(Error::new(Kind::TypeMismatch, message).in_argument(0))
            }
        })
        .not_null()
        .transformer(parse_unknown)
        .body(|arguments| {
            let (text, base) = (arguments.text(0)?, base(arguments)?);
            parse_integer(text, base).map(Value::from).ok_or_else(|| {
                let message = format!("cannot parse {} as a base {base} integer", QuotedInMessage(text));
                Error::new(Kind::Argument, message).in_argument(0)
            })
        })
}

/// Computes `parseint` while an argument is unknown: a number in an interval. A known string is parsed in all possible
/// bases. Of an unknown string, the known prefix gives a bound: further digits only make the absolute value larger. Of a
/// known shape, the number of digits gives bounds.
fn parse_unknown(arguments: &Arguments<'_>) -> Result<Value> {
    let bases = possible_bases(arguments)?;
    let range = match arguments.at(0).view() {
        View::String(text) => bases
            .clone()
            .filter_map(|base| parse_integer(text, base))
            .map(NumberRange::exactly)
            .reduce(|a, b| a.join(&b)),
        _ => range_with_prefix(arguments.at(0).range().prefix().unwrap_or_default(), bases.clone()),
    };
    let range = range.ok_or_else(|| {
        Error::new(Kind::Argument, "cannot be parsed as an integer of any base that it may have")
            .in_argument(0)
    })?;
    let integer = Refinement::integer_in(&range).and_not_null();
    let Some(strings) = language_of(arguments.at(0)) else { return Ok(canonical(Type::Number, integer)) };
    let by_digits = bases.map(|base| interval_of_digits(strings, base)).reduce(|a, b| a.join(&b));
    let both = by_digits.and_then(|digits| integer.meet(&Refinement::integer_in(&digits)).ok());
    Ok(canonical(Type::Number, both.unwrap_or(integer)))
}

/// The bases, in ascending order, that the second argument may be; an error if there is none.
fn possible_bases(arguments: &Arguments<'_>) -> Result<impl Iterator<Item = u32> + Clone> {
    let known = arguments.at(1).is_known().then(|| base(arguments)).transpose()?;
    let range = super::number_range(arguments.at(1));
    let bases: Vec<u32> = match known {
        Some(base) => vec![base],
        None => (2..=62).filter(|base| range.contains(&Number::from(i64::from(*base)))).collect(),
    };
    if bases.is_empty() { Err(invalid_base()) } else { Ok(bases.into_iter()) }
}

/// The interval of the integers whose text starts with this prefix in one of the bases; `None` if there is no such
/// integer. `bases` are in ascending order: the smallest one gives the smallest absolute value.
fn range_with_prefix(prefix: &str, bases: impl Iterator<Item = u32>) -> Option<NumberRange> {
    let (is_negative, digits) = match prefix.as_bytes().first() {
        None => return Some(NumberRange::default()),
        Some(b'-') => (true, prefix.get(1..)?),
        Some(b'+') => (false, prefix.get(1..)?),
        Some(_) => (false, prefix),
    };
    let mut magnitudes = bases
        .filter_map(|base| if digits.is_empty() { Some(Number::ZERO) } else { parse_integer(digits, base) });
    // `parse_integer` accepts a sign of its own, but "--1" is not a number.
    let least = magnitudes.next().filter(|_| !digits.starts_with(['-', '+']))?;
    Some(if is_negative { NumberRange::at_most(least.negate()) } else { NumberRange::at_least(least) })
}

/// The error for a base that is not an integer from 2 to 62.
fn invalid_base() -> Error {
    Error::new(Kind::Argument, "base must be a whole number between 2 and 62 inclusive").in_argument(1)
}

/// The base in the second argument, which is known; an error if it is not an integer from 2 to 62.
fn base(arguments: &Arguments<'_>) -> Result<u32> {
    let base = u32::try_from(arguments.integer(1)?).ok().filter(|base| (2..=62).contains(base));
    base.ok_or_else(invalid_base)
}

/// Parses an integer with an optional sign; `None` if the text is not one. Digits above 9 are letters: up to base 36 in
/// either case; above base 36, lower case letters are 10 to 35 and upper case letters 36 to 61.
fn parse_integer(text: &str, base: u32) -> Option<Number> {
    let (is_negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > crate::limits::DIGITS {
        return None;
    }
    let digits: Vec<u8> = digits.chars().map(|c| digit_value(c, base)).collect::<Option<_>>()?;
    let number = Number::from_digits(&digits, base)?;
    Some(if is_negative { number.negate() } else { number })
}

/// The value of a digit, a decimal digit or a letter; `None` if it is not a digit of this base.
fn digit_value(c: char, base: u32) -> Option<u8> {
    let value = match c {
        'A'..='Z' if base > 36 => u32::from(c).checked_sub(u32::from('A'))?.checked_add(36)?,
        c => c.to_digit(36)?,
    };
    u8::try_from(value).ok().filter(|_| value < base)
}
