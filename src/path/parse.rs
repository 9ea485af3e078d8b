//! Parsing the text form of paths.

use super::{Path, Step};
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::text::is_word;
use crate::types::Type;
use crate::value::Value;

/// Parses a path.
pub(super) fn path(text: &str) -> Result<Path> {
    let mut path = Path::new();
    let mut rest = text;
    let mut first = true;
    while !rest.is_empty() {
        rest = if let Some(after) = rest.strip_prefix('[') {
            let (key, after) = key(text, after)?;
            path.push(Step::Index(key));
            after.strip_prefix(']').ok_or_else(|| problem(text, after, "`]`"))?
        } else {
            let start = match (first, rest.strip_prefix('.')) {
                (false, Some(after)) => after,
                (true, None) => rest,
                (true, Some(_)) => return Err(problem(text, rest, "an attribute name")),
                (false, None) => return Err(problem(text, rest, "`.` or `[`")),
            };
            let (name, after) = name(text, start)?;
            path.push(Step::attr(&name));
            after
        };
        first = false;
    }
    Ok(path)
}

/// Parses an attribute name, a word or a quoted string. Returns it and the rest of the text.
fn name<'t>(text: &str, rest: &'t str) -> Result<(String, &'t str)> {
    if let Some(after) = rest.strip_prefix('"') {
        return quoted(text, after);
    }
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    if is_word(name) { Ok((name.to_owned(), after)) } else { Err(problem(text, rest, "an attribute name")) }
}

/// Parses a key up to its closing bracket: a quoted string, `*` or a number. Returns it and the rest of the text.
fn key<'t>(text: &str, rest: &'t str) -> Result<(Value, &'t str)> {
    if let Some(after) = rest.strip_prefix('"') {
        let (key, after) = quoted(text, after)?;
        return Ok((Value::from(key), after));
    }
    if let Some(after) = rest.strip_prefix('*') {
        return Ok((Value::unknown(Type::Number), after));
    }
    let end = rest.find(']').unwrap_or(rest.len());
    let (digits, after) = rest.split_at(end);
    let number: Number = digits.parse().map_err(|_| problem(text, rest, "a number, a quoted key or `*`"))?;
    Ok((Value::from(number), after))
}

/// Parses a quoted string, whose opening quote has been read. Returns it and the rest of the text.
pub(crate) fn quoted<'t>(text: &str, rest: &'t str) -> Result<(String, &'t str)> {
    crate::text::read_quoted(rest).ok_or_else(|| problem(text, rest, "a quoted text that ends"))
}

/// The error for a path in which `wanted` is missing at the start of `rest`, which is the end of `text`.
#[cold]
pub(crate) fn problem(text: &str, rest: &str, wanted: &str) -> Error {
    let column = text.len().saturating_sub(rest.len()).saturating_add(1);
    let found = match rest.chars().next() {
        None => "the end".to_owned(),
        Some(c) => format!("`{c}`"),
    };
    Error::new(Kind::Syntax, format!("a path needs {wanted} at column {column}, but has {found}"))
}
