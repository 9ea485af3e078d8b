//! Writes strings that ignore case as patterns that every regular expression engine reads alike.

use crate::error::Result;
use crate::rule::{Schemes, Words};
use crate::value::Value;

use super::fragment::Fragment;
use super::{Dialect, ecma};

/// The strings as alternatives of a pattern, each letter in both cases, between `before` and `after`. `None` if a
/// letter is not ASCII.
pub(super) fn pattern(texts: &[String], before: &str, after: &str) -> Option<String> {
    if texts.is_empty() || !texts.iter().all(|text| text.is_ascii()) {
        return None;
    }
    let texts: Vec<String> = texts.iter().map(|text| text.chars().map(letter).collect()).collect();
    Some(format!("{before}(?:{}){after}", texts.join("|")))
}

/// The regular expression that matches a character in upper and lower case, escaped where needed.
fn letter(c: char) -> String {
    match c {
        // Unicode's simple case folding makes the long s (U+017F) equal to s.
        's' | 'S' => "[Ss\u{17f}]".to_owned(),
        c if c.is_ascii_alphabetic() => format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase()),
        c => ecma::quoted(c.encode_utf8(&mut [0; 4])),
    }
}

/// The schema of a string that is one of the words, ignoring case; no keyword if a word is not ASCII.
pub(super) fn one_of(words: &Words) -> Result<Fragment> {
    Ok(match pattern(words.texts(), "^", "$") {
        Some(text) => Fragment::some(true, [("pattern", Value::from(text))]),
        None => Fragment::nothing(),
    })
}

/// The schema of a string that is none of the words, ignoring case; no keyword if a word is not ASCII.
pub(super) fn none_of(words: &Words) -> Result<Fragment> {
    let Some(text) = pattern(words.texts(), "^", "$") else { return Ok(Fragment::nothing()) };
    let not = Value::object([("type", "string"), ("pattern", text.as_str())])?;
    Ok(Fragment::some(true, [("not", not)]))
}

/// The schema of a URL: a pattern for its scheme, and the format `uri` for the rest (not in Kubernetes). Never exact.
pub(super) fn url(schemes: &Schemes, dialect: Dialect) -> Result<Fragment> {
    let pattern = pattern(schemes.names(), "^", ":\\/\\/.");
    let pattern = Value::from(pattern.unwrap_or_else(|| ":\\/\\/.".to_owned()));
    Ok(match dialect {
        // The format `uri` of Kubernetes accepts other strings than RFC 3986.
        Dialect::Kubernetes => Fragment::some(false, [("pattern", pattern)]),
        _ => Fragment::some(false, [("pattern", pattern), ("format", Value::from("uri"))]),
    })
}
