//! `strlen`, `reverse`, `substr`: functions that count characters, which are grapheme clusters.
//!
//! What follows a known prefix can join its last cluster only: where a cluster starts depends on what precedes it and
//! on its own first code point.

use std::ops::RangeInclusive;

use unicode_segmentation::UnicodeSegmentation;

use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::{Arguments, Function, Parameter};
use crate::language::{self, Language, hull};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::text::grapheme_count;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::{KnownText, ascii_language_of, in_language, integer_range, string_parameter, string_with_prefix};

/// `substr` with unknown numbers tries at most this many pairs of offset and length.
const MAX_SUBSTRINGS: usize = 256;

/// Registers `strlen`, `reverse` and `substr`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let strlen = Function::new("strlen")
        .description("The number of characters (grapheme clusters) of a string.")
        .parameter(string_parameter("str"))
        .returns(Type::Number)
        .not_null()
        .body_for_all(|arguments| match ascii_language_of(arguments.at(0)) {
            Some(language) => language_length(language),
            None => strlen(KnownText::of(arguments.at(0))),
        });
    functions.push(StandardFunction::cty_only(
        strlen,
        "the number of characters that are known, as a lower bound",
    ));
    let reverse = Function::new("reverse")
        .description("The characters of a string in reverse order.")
        .parameter(string_parameter("str"))
        .returns(Type::String)
        .not_null()
        .transformer(|arguments| {
            let known = string_with_prefix("");
            Ok(match ascii_language_of(arguments.at(0)) {
                Some(language) => in_language(known, language.reverse()),
                None => known,
            })
        })
        .body(|arguments| Ok(Value::from(arguments.text(0)?.graphemes(true).rev().collect::<String>())));
    let note = "of a shape the reversed one, if it has no other characters than those of ASCII";
    functions.push(StandardFunction::shared_as("strrev", reverse, note));
    let substr = Function::new("substr")
        .description(
            "The characters of a string from an offset on, up to a length. A negative offset counts from the end; a \
             negative length means all characters that follow.",
        )
        .parameter(string_parameter("str"))
        .parameter(Parameter::new("offset", Type::Number))
        .parameter(Parameter::new("length", Type::Number))
        .returns(Type::String)
        .not_null()
        .transformer(unknown_substr)
        .body(|arguments| Ok(Value::from(substr(arguments.text(0)?, arguments.integer(1)?, arguments.integer(2)?))));
    let note = "the substring, if its characters and the one after them are known; else its prefix";
    functions.push(StandardFunction::shared(substr, note));
}

/// The lengths of the strings of a language of ASCII, of which each character counts as one.
pub(in crate::function::standard) fn language_length(language: &Language) -> Result<Value> {
    let least = Bound::Inclusive(Number::from(u64::from(language.shortest().unwrap_or(0))));
    let most = match language.longest() {
        Some(longest) => Bound::Inclusive(Number::from(u64::from(longest))),
        None => Bound::Exclusive(Number::INFINITY),
    };
    Ok(canonical(Type::Number, Refinement::integer_in(&NumberRange::new(least, most)?).and_not_null()))
}

/// The length of a string, or a lower bound of it.
fn strlen(text: KnownText<'_>) -> Result<Value> {
    let count = Number::from(grapheme_count(text.known_prefix()) as u64);
    Ok(match text {
        KnownText::Whole(_) => Value::from(count),
        KnownText::Prefix(_) => {
            let range = NumberRange::new(Bound::Inclusive(count), Bound::Exclusive(Number::INFINITY))?;
            canonical(Type::Number, Refinement::integer_in(&range).and_not_null())
        }
    })
}

/// The characters from an offset on. As in go-cty, a length of 0 means all of them if the offset is negative.
fn substr(text: &str, offset: i64, length: i64) -> &str {
    if offset >= 0 && length == 0 {
        return "";
    }
    let starts = || text.grapheme_indices(true).map(|(at, _)| at);
    let start = match usize::try_from(offset) {
        Ok(offset) => starts().nth(offset).unwrap_or(text.len()),
        Err(_) => {
            let from_end = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            starts().rev().nth(from_end.saturating_sub(1)).unwrap_or(0)
        }
    };
    let rest = text.get(start..).unwrap_or_default();
    let end = usize::try_from(length).ok().filter(|length| *length > 0);
    let end = end.and_then(|length| rest.grapheme_indices(true).nth(length)).map(|(at, _)| at);
    end.and_then(|end| rest.get(..end)).unwrap_or(rest)
}

/// The transformer of `substr`: the join of all substrings that the arguments may select, if these are few.
fn unknown_substr(arguments: &Arguments<'_>) -> Result<Value> {
    let (offsets, lengths) = (integer_range(arguments, 1)?, integer_range(arguments, 2)?);
    let text = KnownText::of(arguments.at(0));
    let starts: Vec<usize> = text.known_prefix().grapheme_indices(true).map(|(at, _)| at).collect();
    let count = i64::try_from(starts.len()).unwrap_or(i64::MAX);
    // All offsets beyond the characters give the same substring, and so do all lengths beyond them.
    let first = if matches!(text, KnownText::Whole(_)) { count.saturating_neg() } else { -1 };
    let (min_offset, max_offset) =
        ((*offsets.start()).clamp(first, count), (*offsets.end()).clamp(first, count));
    let all = count.saturating_add(1);
    let (min_length, max_length) = ((*lengths.start()).clamp(-1, all), (*lengths.end()).clamp(-1, all));
    let pair_count = max_offset
        .abs_diff(min_offset)
        .saturating_add(1)
        .saturating_mul(max_length.abs_diff(min_length).saturating_add(1));
    if pair_count > MAX_SUBSTRINGS as u64 {
        return Ok(string_with_prefix(""));
    }
    let pairs = (min_offset..=max_offset)
        .flat_map(|offset| (min_length..=max_length).map(move |length| (offset, length)));
    let substrings: Vec<Value> =
        pairs.map(|(offset, length)| substr_of_known(text, &starts, offset, length)).collect();
    let known = Value::join(&substrings.iter().collect::<Vec<_>>())?;
    let part = ascii_language_of(arguments.at(0)).and_then(|language| part_of(language, &offsets, &lengths));
    Ok(match part {
        Some(part) => in_language(known, part),
        None => known,
    })
}

/// The substrings of the strings of a language of ASCII; `None` if the offset or length is not known.
fn part_of(
    language: &Language,
    offsets: &RangeInclusive<i64>,
    lengths: &RangeInclusive<i64>,
) -> Option<language::Result> {
    let single = |range: &RangeInclusive<i64>| Some(*range.start()).filter(|start| start == range.end());
    let offset = single(offsets)?;
    let rest = match u32::try_from(offset) {
        Ok(offset) => hull(language.skip(offset)),
        // The last characters, or all where there are fewer.
        Err(_) => {
            let count = u32::try_from(offset.unsigned_abs()).unwrap_or(u32::MAX);
            hull(hull(hull(language.reverse()).take(count)).reverse())
        }
    };
    // A negative length means all characters that follow, and so does 0 after a negative offset.
    if *lengths.end() < 0 || offset < 0 && *lengths.end() == 0 {
        return Some(Ok(rest));
    }
    Some(rest.take(u32::try_from(single(lengths)?).ok()?))
}

/// What is known of the substring at a known offset. `starts` are the byte offsets of the characters of the known
/// prefix.
fn substr_of_known(text: KnownText<'_>, starts: &[usize], offset: i64, length: i64) -> Value {
    let prefix = match text {
        KnownText::Whole(text) => return Value::from(substr(text, offset, length)),
        KnownText::Prefix(_) if offset >= 0 && length == 0 => return Value::from(""),
        KnownText::Prefix(prefix) => prefix,
    };
    let start_of = |character: i64| starts.get(usize::try_from(character).ok()?).copied();
    match (start_of(offset), start_of(offset.saturating_add(length)).filter(|_| length > 0)) {
        // The character after the substring is known too, so nothing that follows joins the substring.
        (Some(from), Some(to)) => Value::from(prefix.get(from..to).unwrap_or_default()),
        (Some(from), None) => string_with_prefix(prefix.get(from..).unwrap_or_default()),
        (None, _) => string_with_prefix(""),
    }
}
