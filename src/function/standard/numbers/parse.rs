//! Whole numbers from text, in any base.

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{NumberRange, Refinement};
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::{Value, View, canonical};

pub(super) fn parseint() -> Function {
    Function::new("parseint")
        .description("The whole number that a text writes in a base from 2 to 62.")
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
        .transformer(unknown)
        .body(|arguments| {
            let (text, base) = (arguments.text(0)?, base(arguments)?);
            read(text, base).map(Value::from).ok_or_else(|| {
                let message = format!("cannot parse {} as a base {base} integer", QuotedInMessage(text));
                Error::new(Kind::Argument, message).in_argument(0)
            })
        })
}

/// A text that is known is read in all bases that there can be. Of another one the beginning is looked at: it must be
/// digits, and more of them only make the number larger.
fn unknown(arguments: &Arguments<'_>) -> Result<Value> {
    let bases = bases(arguments)?;
    let range = match arguments.at(0).view() {
        View::String(text) => bases
            .clone()
            .filter_map(|base| read(text, base))
            .map(NumberRange::exactly)
            .reduce(|a, b| a.join(&b)),
        _ => beginning(arguments.at(0).range().prefix().unwrap_or_default(), bases.clone()),
    };
    let range = range.ok_or_else(|| {
        Error::new(Kind::Argument, "cannot be parsed as an integer of any base that it may have")
            .in_argument(0)
    })?;
    Ok(canonical(Type::Number, Refinement::number(range).and_not_null()))
}

/// The bases that there can be, of which there is at least one.
fn bases(arguments: &Arguments<'_>) -> Result<impl Iterator<Item = u32> + Clone> {
    let known = arguments.at(1).is_known().then(|| base(arguments)).transpose()?;
    let range = super::number_range(arguments.at(1));
    let bases: Vec<u32> = match known {
        Some(base) => vec![base],
        None => (2..=62).filter(|base| range.contains(&Number::from(i64::from(*base)))).collect(),
    };
    if bases.is_empty() { Err(bad_base()) } else { Ok(bases.into_iter()) }
}

/// What numbers can be of a text that begins like this. Of several bases the least gives the least number.
fn beginning(prefix: &str, bases: impl Iterator<Item = u32>) -> Option<NumberRange> {
    let (negative, digits) = match prefix.as_bytes().first() {
        None => return Some(NumberRange::default()),
        Some(b'-') => (true, prefix.get(1..)?),
        Some(b'+') => (false, prefix.get(1..)?),
        Some(_) => (false, prefix),
    };
    let mut sizes =
        bases.filter_map(|base| if digits.is_empty() { Some(Number::ZERO) } else { read(digits, base) });
    // Signs stand at the beginning only.
    let least = sizes.next().filter(|_| !digits.starts_with(['-', '+']))?;
    Some(if negative { NumberRange::at_most(least.negate()) } else { NumberRange::at_least(least) })
}

fn bad_base() -> Error {
    Error::new(Kind::Argument, "base must be a whole number between 2 and 62 inclusive").in_argument(1)
}

fn base(arguments: &Arguments<'_>) -> Result<u32> {
    let base = u32::try_from(arguments.whole(1)?).ok().filter(|base| (2..=62).contains(base));
    base.ok_or_else(bad_base)
}

/// Digits are 0 to 9, then letters. Up to base 36 small and capital letters are the same; above, capitals follow small
/// ones.
fn read(text: &str, base: u32) -> Option<Number> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > crate::limits::DIGITS {
        return None;
    }
    let digits: Vec<u8> = digits.chars().map(|c| digit(c, base)).collect::<Option<_>>()?;
    let number = Number::from_digits(&digits, base)?;
    Some(if negative { number.negate() } else { number })
}

fn digit(c: char, base: u32) -> Option<u8> {
    let value = match c {
        'A'..='Z' if base > 36 => u32::from(c).checked_sub(u32::from('A'))?.checked_add(36)?,
        c => c.to_digit(36)?,
    };
    u8::try_from(value).ok().filter(|_| value < base)
}
