//! Texts in any case, as patterns that every engine reads alike.

use crate::error::Result;
use crate::rule::{Schemes, Words};
use crate::value::Value;

use super::fragment::Fragment;
use super::{Dialect, ecma};

/// The texts as alternatives, each letter in both cases; none where a letter is not of ASCII.
pub(super) fn pattern(texts: &[String], before: &str, after: &str) -> Option<String> {
    if texts.is_empty() || !texts.iter().all(|text| text.is_ascii()) {
        return None;
    }
    let texts: Vec<String> = texts.iter().map(|text| text.chars().map(letter).collect()).collect();
    Some(format!("{before}(?:{}){after}", texts.join("|")))
}

fn letter(c: char) -> String {
    match c {
        // The long s is an s.
        's' | 'S' => "[Ss\u{17f}]".to_owned(),
        c if c.is_ascii_alphabetic() => format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase()),
        c => ecma::quoted(c.encode_utf8(&mut [0; 4])),
    }
}

pub(super) fn one_of(words: &Words) -> Result<Fragment> {
    Ok(match pattern(words.texts(), "^", "$") {
        Some(text) => Fragment::some(true, [("pattern", Value::from(text))]),
        None => Fragment::nothing(),
    })
}

pub(super) fn none_of(words: &Words) -> Result<Fragment> {
    let Some(text) = pattern(words.texts(), "^", "$") else { return Ok(Fragment::nothing()) };
    let not = Value::object([("type", "string"), ("pattern", text.as_str())])?;
    Ok(Fragment::some(true, [("not", not)]))
}

/// A pattern for the schemes. The rest of the URL is left to the format `uri`.
pub(super) fn url(schemes: &Schemes, dialect: Dialect) -> Result<Fragment> {
    let pattern = pattern(schemes.names(), "^", ":\\/\\/.");
    let pattern = Value::from(pattern.unwrap_or_else(|| ":\\/\\/.".to_owned()));
    Ok(match dialect {
        // Its URIs are not those of the standard.
        Dialect::Kubernetes => Fragment::some(false, [("pattern", pattern)]),
        _ => Fragment::some(false, [("pattern", pattern), ("format", Value::from("uri"))]),
    })
}
