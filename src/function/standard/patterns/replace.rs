//! `replace` of cty, and of the planning languages, where a pattern between slashes is a regular expression.

use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::standard::strings::{
    KnownText, ascii_language_of, check_length, in_language, overlap, string_parameter, string_with_prefix,
};
use crate::function::{Arguments, Function, FunctionBuilder};
use crate::text::{first_boundary, nfc, stable_prefix};
use crate::types::Type;
use crate::value::Value;

/// Adds `replace` of cty, and `replace` of the planning languages, which accepts regular expressions too.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let signature = |description: &str| -> FunctionBuilder {
        let function = Function::new("replace").description(description);
        function
            .parameter(string_parameter("str"))
            .parameter(string_parameter("substr"))
            .parameter(string_parameter("replace"))
            .returns(Type::String)
            .not_null()
    };
    let literal = signature("The string with all occurrences of a substring replaced.");
    let literal = literal.transformer(unknown_replace);
    let note = "the text before the first match; the whole string, if there is no match; for an unknown string, the \
                part of its known prefix that no continuation can make part of a match";
    let literal =
        literal.body(|arguments| replace(arguments.text(0)?, arguments.text(1)?, arguments.text(2)?));
    functions.push(StandardFunction::cty_only(literal, note));
    let literal_or_pattern = signature(
        "The string with all occurrences of a substring replaced. A substring between slashes is a regular \
         expression.",
    );
    let literal_or_pattern =
        literal_or_pattern.transformer(|arguments| match KnownText::of(arguments.at(1)) {
            KnownText::Whole(part) if pattern_between_slashes(part).is_some() => {
                let pattern = super::replace_pattern(pattern_between_slashes(part).unwrap_or_default())?;
                Ok(super::classes_replaced(arguments.at(0), &pattern, arguments.at(2)))
            }
            // A substring that starts with a slash may end with one.
            KnownText::Prefix(part) if part.is_empty() || part.starts_with('/') => Ok(string_with_prefix("")),
            _ => unknown_replace(arguments),
        });
    let literal_or_pattern = literal_or_pattern.body(|arguments| {
        let (text, part, replacement) = (arguments.text(0)?, arguments.text(1)?, arguments.text(2)?);
        match pattern_between_slashes(part) {
            Some(pattern) => super::replace_matches(text, &super::replace_pattern(pattern)?, replacement),
            None => replace(text, part, replacement),
        }
    });
    functions.push(StandardFunction::language_only(literal_or_pattern, note));
}

/// The regular expression in an argument such as `/a+/`, without the slashes; `None` if the argument has none around
/// it.
fn pattern_between_slashes(part: &str) -> Option<&str> {
    part.strip_prefix('/')?.strip_suffix('/')
}

/// The text with all occurrences of `part` replaced; an error if the result is too long.
fn replace(text: &str, part: &str, replacement: &str) -> Result<Value> {
    if !text.contains(part) {
        return Ok(Value::from(text));
    }
    let added = text.matches(part).count().saturating_mul(replacement.len());
    check_length(text.len().saturating_add(added), text.len().saturating_add(replacement.len()))?;
    Ok(Value::from(text.replace(part, replacement)))
}

/// Computes `replace` of a substring while an argument is unknown: a string with the prefix that no continuation
/// changes; the whole string if it certainly does not contain the substring.
fn unknown_replace(arguments: &Arguments<'_>) -> Result<Value> {
    let [text, part, replacement] = [0, 1, 2].map(|index| KnownText::of(arguments.at(index)));
    let prefix = text.known_prefix();
    // The first position at which an occurrence of the substring may start.
    let first = match (text, prefix.find(part.known_prefix())) {
        (_, Some(at)) => at,
        (KnownText::Whole(_), None) => return Ok(text.value()),
        (KnownText::Prefix(_), None) => prefix.len().saturating_sub(overlap(prefix, part.known_prefix())),
    };
    if let (KnownText::Prefix(_), KnownText::Whole(part), KnownText::Whole(replacement)) =
        (text, part, replacement)
    {
        let known = string_with_prefix(&replaced_prefix(prefix, part, replacement));
        return Ok(match ascii_language_of(arguments.at(0)) {
            // ASCII after ASCII needs no normalization.
            Some(language) if replacement.is_ascii() && !part.is_empty() => {
                in_language(known, language.replace(part, replacement))
            }
            _ => known,
        });
    }
    let before = prefix.get(..first).unwrap_or_default();
    // A replacement that starts with a combining character joins the last character before it.
    let is_separate = first_boundary(replacement.known_prefix()) == Some(0);
    Ok(string_with_prefix(if is_separate { before } else { stable_prefix(before) }))
}

/// The known prefix of the result of `replace` for an unknown string with the known prefix `prefix`, a known substring
/// `part` and a known replacement.
fn replaced_prefix(prefix: &str, part: &str, replacement: &str) -> String {
    if prefix.matches(part).count().saturating_mul(replacement.len()) > crate::limits::TEXT {
        return String::new();
    }
    // The text after the last certain occurrence. Its end may be the start of another one.
    let rest = prefix.rsplit(part).next().filter(|_| !part.is_empty()).unwrap_or_default();
    let open = overlap(rest, part);
    let certain = prefix.get(..prefix.len().saturating_sub(open)).unwrap_or_default();
    let replaced = nfc(&certain.replace(part, replacement)).into_owned();
    // The next text is the string's own, which does not join what precedes it there, or the replacement. If the certain
    // part ends with a replacement, both may join it.
    let is_closed = rest.len() > open && first_boundary(replacement) == Some(0)
        || part.is_empty() && replacement.is_empty();
    if is_closed { replaced } else { stable_prefix(&replaced).to_owned() }
}
