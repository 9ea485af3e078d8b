//! What the beginning of a JSON text tells of the value.

use crate::error::{Error, Kind};
use crate::text::stable_prefix;
use crate::value::Value;

use super::implied::Implied;
use super::reader::Reader;
use super::{Reading, lenient};

/// What is known of the value of a text that begins so.
pub(crate) enum Beginning {
    /// All: only white space, or what the lenient reading passes over, can follow.
    Whole(Value),
    Open,
    /// No such text is JSON.
    Never(Error),
}

/// Reads the beginning of a text, as leniently as [`lenient`].
pub(crate) fn beginning(text: &str) -> Beginning {
    let mut reader = Reader::of(text);
    let read = Implied::<Value>::new(Reading::Lenient).part(&mut reader);
    let rest = text.get(reader.at()..).unwrap_or_default();
    match read {
        // More digits may follow.
        Ok((value, _)) if rest.is_empty() && value.as_number().is_ok() => Beginning::Open,
        Ok((value, _)) => match reader.end_or_bracket() {
            Ok(()) => Beginning::Whole(value),
            Err(error) => Beginning::Never(error),
        },
        Err(error) => {
            let unfinished = ["true", "false", "null"].iter().any(|word| word.starts_with(rest));
            if unfinished || error.is_limit() { Beginning::Open } else { Beginning::Never(error) }
        }
    }
}

/// What the string certainly starts with whose JSON begins so, after the quote.
pub(crate) fn beginning_of_string(raw: &str) -> String {
    let read = |raw: &str| lenient::from_slice(format!("\"{raw}\"").as_bytes()).ok();
    // An escape may not be all there.
    let ends = raw.char_indices().map(|(at, _)| at).rev().take(6);
    let whole = [raw.len()].into_iter().chain(ends).find_map(|end| {
        let raw = raw.get(..end)?;
        read(raw).map(|value| (raw, value))
    });
    let Some((raw, value)) = whole else { return String::new() };
    // One half of a pair, of which the other half may follow.
    let before_half = raw.len().checked_sub(6).and_then(|at| raw.split_at_checked(at));
    let value = match before_half {
        Some((before, half)) if is_high_surrogate(half) => read(before).unwrap_or(value),
        _ => value,
    };
    value.as_str().map(|text| stable_prefix(text).to_owned()).unwrap_or_default()
}

fn is_high_surrogate(escape: &str) -> bool {
    let code = escape.strip_prefix("\\u").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    code.is_some_and(|code| (0xd800..0xdc00).contains(&code))
}

impl Beginning {
    /// The error of a text that never is JSON.
    pub(crate) fn possible(self) -> Result<Option<Value>, Error> {
        match self {
            Beginning::Whole(value) => Ok(Some(value)),
            Beginning::Open => Ok(None),
            Beginning::Never(error) => Err(error.of_kind(Kind::Syntax)),
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
            assert_eq!(beginning_of_string(raw), expected, "{raw}");
        }
    }

    #[test]
    fn a_beginning_is_open_whole_or_of_no_json() {
        let kind = |text: &str| match beginning(text) {
            Beginning::Whole(value) => value.to_string(),
            Beginning::Open => "open".to_owned(),
            Beginning::Never(_) => "never".to_owned(),
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
