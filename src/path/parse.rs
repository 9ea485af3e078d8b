//! Parsing the text form of paths.

use super::{Path, Step};
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::text::is_word;
use crate::types::Type;
use crate::value::Value;

/// Parses the text form of a path, such as `ingress[0].tags["Name"]`.
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

/// Parses an attribute name, a word or a quoted string, at the start of `rest`. Returns the name and the text after
/// it. `text` is the whole text, for the column in errors.
fn name<'t>(text: &str, rest: &'t str) -> Result<(String, &'t str)> {
    if let Some(after) = rest.strip_prefix('"') {
        return quoted(text, after);
    }
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    if is_word(name) { Ok((name.to_owned(), after)) } else { Err(problem(text, rest, "an attribute name")) }
}

/// Parses a key before its closing bracket: a quoted string, `*` or a number. Returns the key and the text after it.
/// `text` is the whole text, for the column in errors.
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

/// Parses the rest of a quoted string, after its opening quote. Returns its content and the text after the closing
/// quote. `text` is the whole text, for the column in errors.
pub(crate) fn quoted<'t>(text: &str, rest: &'t str) -> Result<(String, &'t str)> {
    crate::text::read_quoted(rest).ok_or_else(|| problem(text, rest, "a quoted text that ends"))
}

/// The error that the path `text` needs `wanted` where `rest`, the part of it that was not read, starts. The column
/// is counted in bytes from 1.
#[cold]
pub(crate) fn problem(text: &str, rest: &str, wanted: &str) -> Error {
    let column = text.len().saturating_sub(rest.len()).saturating_add(1);
    let found = match rest.chars().next() {
        None => "the end".to_owned(),
        Some(c) => format!("`{c}`"),
    };
    Error::new(Kind::Syntax, format!("a path needs {wanted} at column {column}, but has {found}"))
}
