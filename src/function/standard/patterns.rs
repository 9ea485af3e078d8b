//! Functions of regular expressions: `regex`, `regexall`, `regexreplace`, and `replace`. The syntax is that of
//! [`crate::regexp`].

mod compiled;
mod replace;
mod shape;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, work};
use crate::limits;
use crate::refinement::{LengthRange, Refinement};
use crate::regexp::Invalid;
use crate::text::stable_prefix;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::StandardFunction;
use super::collections::refined_elements;
use super::strings::{
    KnownText, ascii_language_of, in_language, language_of, string_parameter, string_with_prefix,
};
use compiled::Pattern;

/// Adds `regex`, `regexall`, `regexreplace` and `replace`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let regex = Function::new("regex")
        .description("The first match of a regular expression: its text, or the texts of its groups.")
        .parameter(string_parameter("pattern"))
        .parameter(string_parameter("string"))
        .returns_by(|arguments| match KnownText::of(arguments.at(0)) {
            KnownText::Whole(text) => search_pattern(text)?.match_type(),
            KnownText::Prefix(_) => Ok(Type::Dynamic),
        })
        .not_null()
        .transformer(|arguments| {
            let unknown = || canonical(arguments.ty().clone(), Refinement::not_null());
            Ok(match KnownText::of(arguments.at(0)) {
                KnownText::Whole(text) => {
                    search_pattern(text)?.any_match(language_of(arguments.at(1))).unwrap_or_else(unknown)
                }
                KnownText::Prefix(_) => unknown(),
            })
        })
        .body(|arguments| {
            let pattern = search_pattern(arguments.text(0)?)?;
            let text = arguments.text(1)?;
            pattern.check_effort(text, false)?;
            let no_match =
                || Error::new(Kind::NotFound, "pattern did not match any part of the given string");
            pattern.match_value(&pattern.first_match(text).ok_or_else(no_match)?, &mut work::Loop::default())
        });
    functions.push(StandardFunction::shared(
        regex,
        "the result type, which the groups of a known pattern determine, and the shape of the match and of each group",
    ));
    let regexall = Function::new("regexall")
        .description("All matches of a regular expression: their texts, or the texts of their groups.")
        .parameter(string_parameter("pattern"))
        .parameter(string_parameter("string"))
        .returns_by(|arguments| match KnownText::of(arguments.at(0)) {
            KnownText::Whole(text) => Type::list(search_pattern(text)?.match_type()?),
            KnownText::Prefix(_) => Type::list(Type::Dynamic),
        })
        .not_null()
        .transformer(|arguments| {
            // A match can be empty: there can be one before each character, and one at the end.
            let length = match KnownText::of(arguments.at(1)) {
                KnownText::Whole(text) => {
                    LengthRange::at_most((text.chars().count() as u64).saturating_add(1))
                }
                KnownText::Prefix(_) => LengthRange::default(),
            };
            Ok(canonical(arguments.ty().clone(), refined_elements(length, Refinement::not_null())))
        })
        .body(|arguments| {
            let pattern = search_pattern(arguments.text(0)?)?;
            let text = arguments.text(1)?;
            pattern.check_effort(text, true)?;
            let mut work = work::Loop::default();
            let values = pattern.all_matches(text).map(|found| pattern.match_value(&found, &mut work));
            Value::list_of(pattern.match_type()?, values.collect::<Result<Vec<_>>>()?)
        });
    let note = "the element type, which the groups of a known pattern determine; for a known string, an upper \
                bound of the number of matches";
    functions.push(StandardFunction::shared(regexall, note));
    let regexreplace = Function::new("regexreplace")
        .description(
            "The string with all matches of a regular expression replaced; $1 in the replacement is the first group.",
        )
        .parameter(string_parameter("str"))
        .parameter(string_parameter("pattern"))
        .parameter(string_parameter("replace"))
        .returns(Type::String)
        .not_null()
        .transformer(unknown_replacement)
        .body(|arguments| {
            let pattern = replace_pattern(arguments.text(1)?)?;
            replace_matches(arguments.text(0)?, &pattern, arguments.text(2)?)
        });
    let note = "the text before the first match; the whole string, if there is no match";
    functions.push(StandardFunction::cty_only(regexreplace, note));
    replace::register(functions);
}

/// Compiles the pattern of `regex` and `regexall`, their first argument; an error has the message of go-cty.
fn search_pattern(text: &str) -> Result<Pattern> {
    let error = |invalid| match invalid {
        Invalid::Syntax { code, part } => {
            Error::new(Kind::Syntax, format!("invalid regexp pattern: {code} in {part}"))
        }
        Invalid::Limit(message) => Error::new(Kind::Limit, message),
    };
    Pattern::new(text).map_err(|invalid| error(invalid).in_argument(0))
}

/// Compiles the pattern of `regexreplace` and `replace`, their second argument; an error has the message of Go.
fn replace_pattern(text: &str) -> Result<Pattern> {
    let error = |invalid| match invalid {
        Invalid::Syntax { code, part } => {
            Error::new(Kind::Syntax, format!("error parsing regexp: {code}: `{part}`"))
        }
        Invalid::Limit(message) => Error::new(Kind::Limit, message),
    };
    Pattern::new(text).map_err(|invalid| error(invalid).in_argument(1))
}

/// The text with all matches of the pattern replaced; in `template`, `$1` and `${name}` stand for groups. An error if
/// the search would take too long or the result is too long.
fn replace_matches(text: &str, pattern: &Pattern, template: &str) -> Result<Value> {
    let max_bytes = text.len().saturating_add(template.len()).max(limits::TEXT);
    pattern.check_effort(text, true)?;
    pattern.replace_all(text, template, max_bytes).map(Value::from)
}

/// What is known of an unknown text with all matches of the pattern replaced: its shape, if the pattern matches single characters of a
/// class, or the longest runs of them.
fn classes_replaced(text: &Value, pattern: &Pattern, template: &Value) -> Value {
    let known = string_with_prefix("");
    let replaced = || {
        let KnownText::Whole(template) = KnownText::of(template) else { return None };
        let (language, (ranges, in_runs)) = (ascii_language_of(text)?, pattern.class()?);
        // ASCII after ASCII needs no normalization; `$` begins the name of a group.
        (template.is_ascii() && !template.contains('$'))
            .then(|| language.replace_class(&ranges, template, in_runs))
    };
    match replaced() {
        Some(language) => in_language(known, language),
        None => known,
    }
}

/// Computes `regexreplace` while an argument is unknown: a string with the prefix before the first match, without a
/// last character that an unknown replacement may join; the whole string if it has no match.
fn unknown_replacement(arguments: &Arguments<'_>) -> Result<Value> {
    let pattern = match KnownText::of(arguments.at(1)) {
        KnownText::Whole(text) => replace_pattern(text)?,
        KnownText::Prefix(_) => return Ok(string_with_prefix("")),
    };
    let KnownText::Whole(text) = KnownText::of(arguments.at(0)) else {
        return Ok(classes_replaced(arguments.at(0), &pattern, arguments.at(2)));
    };
    if pattern.check_effort(text, false).is_err() {
        return Ok(string_with_prefix(""));
    }
    Ok(match pattern.first_match_span(text) {
        Some(span) => string_with_prefix(stable_prefix(text.get(..span.start).unwrap_or_default())),
        None => Value::from(text),
    })
}
