//! Reads a prefix of a JSON text: what is certain about the value of every text with this prefix.

use crate::error::{Error, Kind};
use crate::text::stable_prefix;
use crate::value::Value;

use super::implied::Implied;
use super::reader::Reader;
use super::{Reading, lenient};

/// The result of reading a prefix of a JSON text.
pub(crate) enum PrefixValue {
    /// The value is complete: only white space, or text that the lenient reader ignores, can follow.
    Complete(Value),
    /// The value depends on the text that follows.
    Undetermined,
    /// No text with this prefix is JSON.
    Invalid(Error),
}

/// Reads a JSON text of which only a prefix is known: its value if it does not depend on the rest. As lenient as
/// [`lenient`].
pub(crate) fn read_prefix(text: &str) -> PrefixValue {
    let mut reader = Reader::of(text);
    let read = Implied::<Value>::new(Reading::Lenient).value(&mut reader);
    let rest = text.get(reader.at()..).unwrap_or_default();
    match read {
        // More digits may follow a number.
        Ok((value, _)) if rest.is_empty() && value.as_number().is_ok() => PrefixValue::Undetermined,
        Ok((value, _)) => match reader.end_or_bracket() {
            Ok(()) => PrefixValue::Complete(value),
            Err(error) => PrefixValue::Invalid(error),
        },
        Err(error) => {
            let unfinished = ["true", "false", "null"].iter().any(|word| word.starts_with(rest));
            if unfinished || error.is_limit() {
                PrefixValue::Undetermined
            } else {
                PrefixValue::Invalid(error)
            }
        }
    }
}

/// The stable prefix of a JSON string whose text starts with `raw` after the opening quote.
pub(crate) fn string_prefix(raw: &str) -> String {
    let read = |raw: &str| lenient::from_slice(format!("\"{raw}\"").as_bytes()).ok();
    // The last escape may be incomplete: drop up to six characters, the length of `\uXXXX`.
    let ends = raw.char_indices().map(|(at, _)| at).rev().take(6);
    let whole = [raw.len()].into_iter().chain(ends).find_map(|end| {
        let raw = raw.get(..end)?;
        read(raw).map(|value| (raw, value))
    });
    let Some((raw, value)) = whole else { return String::new() };
    // A high surrogate at the end is not a character yet: the low one may follow.
    let before_half = raw.len().checked_sub(6).and_then(|at| raw.split_at_checked(at));
    let value = match before_half {
        Some((before, half)) if is_high_surrogate(half) => read(before).unwrap_or(value),
        _ => value,
    };
    value.as_str().map(|text| stable_prefix(text).to_owned()).unwrap_or_default()
}

/// Whether the escape `\uXXXX` is the first half of a surrogate pair.
fn is_high_surrogate(escape: &str) -> bool {
    let code = escape.strip_prefix("\\u").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    code.is_some_and(|code| (0xd800..0xdc00).contains(&code))
}

impl PrefixValue {
    /// The value if it is complete, `None` if it is undetermined; an error if the text cannot be JSON.
    pub(crate) fn into_value(self) -> Result<Option<Value>, Error> {
        match self {
            PrefixValue::Complete(value) => Ok(Some(value)),
            PrefixValue::Undetermined => Ok(None),
            PrefixValue::Invalid(error) => Err(error.of_kind(Kind::Syntax)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_still_change_is_no_beginning() {
        let cases = [
            (r"vpc-", "vpc-"),
            (r"a", ""),
            (r"-\u00", "-"),
            (r"-\", "-"),
            (r"-\\", "-\\"),
            (r"-\n", "-\n"),
            (r"-\ud83d", "-"),
            (r"-\ud83d\u12", "-"),
            (r"-\ud83d\ude00", "-\u{1f600}"),
            (r"-\\ud83d", "-\\ud83"),
        ];
        for (raw, expected) in cases {
            assert_eq!(string_prefix(raw), expected, "{raw}");
        }
    }

    #[test]
    fn a_beginning_is_open_whole_or_of_no_json() {
        let kind = |text: &str| match read_prefix(text) {
            PrefixValue::Complete(value) => value.to_string(),
            PrefixValue::Undetermined => "open".to_owned(),
            PrefixValue::Invalid(_) => "never".to_owned(),
        };
        let cases = [
            ("", "open"),
            ("12", "open"),
            ("12 ", "12"),
            ("tru", "open"),
            ("trust", "never"),
            ("true", "true"),
            ("true x", "never"),
            ("[1, {\"a\": tr", "open"),
            ("[1, 2]", "[1, 2]"),
            ("[1 2", "never"),
            ("\"a\\", "open"),
        ];
        for (text, expected) in cases {
            assert_eq!(kind(text), expected, "{text}");
        }
    }
}
