//! What verbs write for unknown values, as far as it is known.

use std::sync::OnceLock;

use crate::convert::convert;
use crate::error::Result;
use crate::function::standard::ResultPattern;
use crate::function::standard::strings::in_language;
use crate::json;
use crate::number::Number;
use crate::refinement::{NumberRange, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, canonical};

use super::numbers::default_text;
use super::verb::Verb;

/// What `%v` writes for numbers.
static BY_DEFAULT: ResultPattern = ResultPattern::new(
    r"^(?:[+-]Inf|-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|[1-9](?:\.[0-9]+)?e[+-][0-9]{2,}))$",
);

/// What the verbs of other bases than ten write.
static BINARY: ResultPattern = ResultPattern::new("^(?:0|-?1[01]*)$");
static OCTAL: ResultPattern = ResultPattern::new("^(?:0|-?[1-7][0-7]*)$");
static HEXADECIMAL: ResultPattern = ResultPattern::new("^(?:0|-?[1-9a-f][0-9a-f]*)$");
static UPPER_HEXADECIMAL: ResultPattern = ResultPattern::new("^(?:0|-?[1-9A-F][0-9A-F]*)$");

/// What `%f` and `%e` write without a precision.
static FIXED: ResultPattern = ResultPattern::new(r"^(?:[+-]Inf|-?(?:0|[1-9][0-9]*)\.[0-9]{6})$");
static SCIENTIFIC: ResultPattern = ResultPattern::new(r"^(?:[+-]Inf|-?[0-9]\.[0-9]{6}e[+-][0-9]{2,})$");

/// The largest number of decimals of which the shape is said.
const MAX_DECIMALS: usize = 32;

/// The least number that `%v` writes with an exponent.
const WITH_EXPONENT: i64 = 1_000_000;

/// What a verb other than `%v` writes for an unknown value that is not null; an error if it can be no integer where one
/// is required. The value has the type of the verb, to which it was converted from a value of the type `given`.
pub(super) fn of_unknown(verb: &Verb<'_>, value: &Value, given: &Type) -> Result<Value> {
    // `%t` has no width.
    if verb.mode == 't' {
        return convert(value, &Type::String.into());
    }
    let has_sign = verb.plus || verb.space;
    let is_plain = verb.width == 0;
    let is_whole = verb.precision.is_none_or(|precision| precision == 0);
    let plain_number = is_plain && !has_sign && !verb.sharp;
    Ok(match (verb.mode, verb.precision) {
        // Infinities are written in another way than they are converted.
        ('s', _) if is_plain && is_whole && matches!(given, Type::String | Type::Bool) => value.clone(),
        ('q', _) if is_plain => {
            let is_exact = is_whole && *given == Type::String;
            let any = canonical(Type::String, Refinement::not_null());
            match json::known_text(if is_exact { value } else { &any })? {
                json::KnownText::Complete(text) => Value::from(text),
                json::KnownText::Open(text) => text.into_value(),
            }
        }
        ('d', None) if plain_number => integer_text(value)?,
        ('b', None) if plain_number => BINARY.value(),
        ('o', None) if plain_number => OCTAL.value(),
        ('x', None) if plain_number => HEXADECIMAL.value(),
        ('X', None) if plain_number => UPPER_HEXADECIMAL.value(),
        ('f', None) if plain_number => FIXED.value(),
        ('f', Some(decimals)) if plain_number && decimals <= MAX_DECIMALS => with_decimals(decimals),
        ('e', None) if plain_number => SCIENTIFIC.value(),
        _ => Value::unknown(Type::String),
    })
}

/// What `%v` writes for an unknown number that is not null.
pub(super) fn of_number_by_default(value: &Value) -> Value {
    let limit = Number::from(WITH_EXPONENT);
    let short = NumberRange::new(
        crate::refinement::Bound::Exclusive(limit.negate()),
        crate::refinement::Bound::Exclusive(limit),
    );
    let is_short_integer = match value.range().refinement().range() {
        Range::Multiples(multiples) => short.is_ok_and(|short| short.covers(multiples.range())),
        Range::Numbers(few) => {
            let texts: Vec<String> = few.as_slice().iter().map(default_text).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            return canonical(Type::String, Refinement::some_of(&texts).and_not_null());
        }
        _ => false,
    };
    if is_short_integer {
        integer_text(value).unwrap_or_else(|_| BY_DEFAULT.value())
    } else {
        BY_DEFAULT.value()
    }
}

/// The digits of an unknown number that is not null; an error if it can be no integer.
fn integer_text(value: &Value) -> Result<Value> {
    let integer = value.assume(&Refinement::integer().and_not_null())?;
    convert(&integer, &Type::String.into())
}

/// The unknown string that `%.Nf` writes for an unknown number, N being `decimals`.
fn with_decimals(decimals: usize) -> Value {
    static TEXTS: [OnceLock<Value>; MAX_DECIMALS + 1] = [const { OnceLock::new() }; MAX_DECIMALS + 1];
    let compiled = || {
        let fraction = if decimals == 0 { String::new() } else { format!(r"\.[0-9]{{{decimals}}}") };
        let pattern = format!("^(?:[+-]Inf|-?(?:0|[1-9][0-9]*){fraction})$");
        let unknown = canonical(Type::String, Refinement::not_null());
        match crate::regexp::language(&pattern) {
            Ok(language) => in_language(unknown, language),
            Err(_) => unknown,
        }
    };
    TEXTS.get(decimals).map_or_else(compiled, |text| text.get_or_init(compiled).clone())
}
