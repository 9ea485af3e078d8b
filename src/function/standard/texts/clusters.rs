//! What counts the characters that a person counts, grapheme clusters.
//!
//! What follows a text joins its last cluster at most: where a cluster begins is decided by what stands before, and by
//! its own first character.

use unicode_segmentation::UnicodeSegmentation;

use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::text::grapheme_count;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::{Known, starting, text, whole_numbers};

/// So many parts that may be meant are looked at.
const PARTS: usize = 256;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let strlen = Function::new("strlen")
        .description("How many characters a text has, as a person counts them.")
        .parameter(text("str"))
        .returns(Type::Number)
        .not_null()
        .body_for_all(|arguments| strlen(Known::of(arguments.at(0))));
    all.push(Standard::cty(strlen));
    let reverse = Function::new("reverse")
        .description("The characters of a text from the last to the first.")
        .parameter(text("str"))
        .returns(Type::String)
        .not_null()
        .body(|arguments| Ok(Value::from(arguments.text(0)?.graphemes(true).rev().collect::<String>())));
    all.push(Standard::called(reverse, "strrev"));
    let substr = Function::new("substr")
        .description(
            "So many characters of a text from a place on, which is counted from the end if it is below 0. All that \
             follow, if their number is below 0.",
        )
        .parameter(text("str"))
        .parameter(Parameter::new("offset", Type::Number))
        .parameter(Parameter::new("length", Type::Number))
        .returns(Type::String)
        .not_null()
        .transformer(unknown_part)
        .body(|arguments| Ok(Value::from(part(arguments.text(0)?, arguments.whole(1)?, arguments.whole(2)?))));
    all.push(Standard::both(substr));
}

fn strlen(text: Known<'_>) -> Result<Value> {
    let count = Number::from(grapheme_count(text.start()) as u64);
    Ok(match text {
        Known::Whole(_) => Value::from(count),
        Known::Start(_) => {
            let range = NumberRange::new(Bound::Inclusive(count), Bound::Exclusive(Number::INFINITY))?;
            canonical(Type::Number, Refinement::number(range).and_not_null())
        }
    })
}

/// Characters from a place on. From a place that is counted from the end, no characters means all.
fn part(text: &str, offset: i64, length: i64) -> &str {
    if offset >= 0 && length == 0 {
        return "";
    }
    let starts = || text.grapheme_indices(true).map(|(at, _)| at);
    let start = match usize::try_from(offset) {
        Ok(offset) => starts().nth(offset).unwrap_or(text.len()),
        Err(_) => {
            let back = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            starts().rev().nth(back.saturating_sub(1)).unwrap_or(0)
        }
    };
    let rest = text.get(start..).unwrap_or_default();
    let end = usize::try_from(length).ok().filter(|length| *length > 0);
    let end = end.and_then(|length| rest.grapheme_indices(true).nth(length)).map(|(at, _)| at);
    end.and_then(|end| rest.get(..end)).unwrap_or(rest)
}

/// All the parts that may be meant, as far as these are few.
fn unknown_part(arguments: &Arguments<'_>) -> Result<Value> {
    let (offsets, lengths) = (whole_numbers(arguments, 1)?, whole_numbers(arguments, 2)?);
    let text = Known::of(arguments.at(0));
    let starts: Vec<usize> = text.start().grapheme_indices(true).map(|(at, _)| at).collect();
    let count = i64::try_from(starts.len()).unwrap_or(i64::MAX);
    // Beyond these, all places and all lengths give the same.
    let first = if matches!(text, Known::Whole(_)) { count.saturating_neg() } else { -1 };
    let (offset, last) = ((*offsets.start()).clamp(first, count), (*offsets.end()).clamp(first, count));
    let all = count.saturating_add(1);
    let (length, most) = ((*lengths.start()).clamp(-1, all), (*lengths.end()).clamp(-1, all));
    let parts =
        last.abs_diff(offset).saturating_add(1).saturating_mul(most.abs_diff(length).saturating_add(1));
    if parts > PARTS as u64 {
        return Ok(starting(""));
    }
    let pairs = (offset..=last).flat_map(|offset| (length..=most).map(move |length| (offset, length)));
    let parts: Vec<Value> = pairs.map(|(offset, length)| part_of(text, &starts, offset, length)).collect();
    Value::join(&parts.iter().collect::<Vec<_>>())
}

fn part_of(text: Known<'_>, starts: &[usize], offset: i64, length: i64) -> Value {
    let start = match text {
        Known::Whole(text) => return Value::from(part(text, offset, length)),
        Known::Start(_) if offset >= 0 && length == 0 => return Value::from(""),
        Known::Start(start) => start,
    };
    let at = |place: i64| starts.get(usize::try_from(place).ok()?).copied();
    match (at(offset), at(offset.saturating_add(length)).filter(|_| length > 0)) {
        (Some(from), Some(to)) => Value::from(start.get(from..to).unwrap_or_default()),
        (Some(from), None) => starting(start.get(from..).unwrap_or_default()),
        (None, _) => starting(""),
    }
}
