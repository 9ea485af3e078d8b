//! Keywords that are short for other rules.

use crate::error::{Error, Result};
use crate::number::Number;
use crate::rule::{ExprStep, Format, Networks, PathExpr, Pattern, Rule, Schemes, Unit, Words};
use crate::text::calendar::{DAYS, MONTHS};
use crate::value::Value;

use super::read::elements;

/// The rule of a keyword that is short for others; `None` if the keyword has a rule of its own. `wrong` makes the
/// error for an invalid argument.
pub(super) fn composed_rule(name: &str, argument: &Value, wrong: impl Fn() -> Error) -> Result<Option<Rule>> {
    let text = || argument.as_str().map_err(|_| wrong());
    let lengths = |unit| match read_bounds(argument, Number::to_u64) {
        Some((least, most)) => length_between(unit, least, most),
        None => Err(wrong()),
    };
    Ok(Some(match name {
        "between" => match read_bounds(argument, |number| Some(number.clone())) {
            Some((least, most)) => Rule::all([Rule::Min(least), Rule::Max(most)])?,
            None => return Err(wrong()),
        },
        "len_between" => lengths(None)?,
        "byte_len_between" => lengths(Some(Unit::Bytes))?,
        "grapheme_len_between" => lengths(Some(Unit::Graphemes))?,
        "key_len_between" => Rule::keys(lengths(Some(Unit::Bytes))?)?,
        "value_len_between" => each(lengths(Some(Unit::Bytes))?)?,
        "key_matches" => Rule::keys(Rule::Matches(Pattern::new(text()?)?))?,
        "value_matches" => each(Rule::Matches(Pattern::new(text()?)?))?,
        "does_not_match" => Rule::not(Rule::Matches(Pattern::new(text()?)?))?,
        "without_characters" => Rule::not(Rule::Matches(Pattern::new(&one_of_the_characters(text()?))?))?,
        "not_empty" => Rule::MinLen(1),
        "empty" => Rule::MaxLen(0),
        "not_blank" => Rule::Matches(Pattern::new(r"[^\t-\r \x{85}\pZ]")?),
        "blank" => Rule::Matches(Pattern::new(r"\A[\t-\r \x{85}\pZ]*\z")?),
        "https_url" => Rule::Url(Schemes::new(["https"])?),
        "web_url" => Rule::Url(Schemes::new(["http", "https"])?),
        "day_of_week_ignoring_case" => Rule::OneOfIgnoringCase(Words::new(DAYS)?),
        "month_ignoring_case" => Rule::OneOfIgnoringCase(Words::new(MONTHS)?),
        name => match name.strip_prefix("is_").and_then(|format| format.parse::<Format>().ok()) {
            Some(format) => Rule::Format(format),
            None => return Ok(None),
        },
    }))
}

/// The rule at each element of a collection.
pub(crate) fn each(rule: Rule) -> Result<Rule> {
    Rule::at(PathExpr::from_steps([ExprStep::AnyElement])?, rule)
}

/// Reads a minimum and a maximum number of bits; `None` if the argument is something else.
pub(super) fn networks(argument: &Value) -> Option<Result<Networks>> {
    let (least, most) = read_bounds(argument, |bits| u8::try_from(bits.to_u64()?).ok())?;
    Some(Networks::new(least, most))
}

/// Reads a list of two numbers.
fn read_bounds<T>(argument: &Value, read: impl Fn(&Number) -> Option<T>) -> Option<(T, T)> {
    match elements(argument)?.as_slice() {
        [least, most] => read(least.as_number().ok()?).zip(read(most.as_number().ok()?)),
        _ => None,
    }
}

/// The rule for a length between two bounds.
fn length_between(unit: Option<Unit>, least: u64, most: u64) -> Result<Rule> {
    Rule::all(match unit {
        None => [Rule::MinLen(least), Rule::MaxLen(most)],
        Some(unit) => [Rule::MinLenIn(unit, least), Rule::MaxLenIn(unit, most)],
    })
}

/// A pattern that finds one of these characters; without characters, one that never matches.
fn one_of_the_characters(text: &str) -> String {
    if text.is_empty() {
        return r"\A\z.".to_owned();
    }
    let mut pattern = String::from("[");
    for character in crate::text::nfc(text).chars() {
        if r"[]^-&~\".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push(']');
    pattern
}
