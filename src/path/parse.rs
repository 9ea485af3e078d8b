//! Parsing the text form of paths, and what the text forms of paths and path expressions have in common.

use super::{Path, Step};
use crate::error::{Error, Kind, Result};
use crate::number::Number;
use crate::text::{Cursor, is_word};
use crate::types::Type;
use crate::value::Value;

/// Parses the text form of a path, such as `ingress[0].tags["Name"]`.
pub(super) fn path(text: &str) -> Result<Path> {
    Ok(steps(text, "an attribute name", name, key)?.into_iter().collect())
}

/// Parses the steps of a path or path expression: names with a dot between them, and brackets. `name` parses a step
/// outside of brackets, and `bracket` what is inside. `first` says what the text can start with.
pub(crate) fn steps<S>(
    text: &str,
    first: &str,
    name: impl Fn(&mut Cursor<'_>) -> Result<S>,
    bracket: impl Fn(&mut Cursor<'_>) -> Result<S>,
) -> Result<Vec<S>> {
    let mut cursor = Cursor::new(text);
    let mut steps = Vec::new();
    while let Some(next) = cursor.peek() {
        if cursor.take('[') {
            steps.push(bracket(&mut cursor)?);
            if !cursor.take(']') {
                return Err(problem(&cursor, "`]`"));
            }
            continue;
        }
        match (steps.is_empty(), next) {
            (true, '.') => return Err(problem(&cursor, first)),
            (false, '.') => cursor.advance('.'.len_utf8()),
            (true, _) => {}
            (false, _) => return Err(problem(&cursor, "`.` or `[`")),
        }
        steps.push(name(&mut cursor)?);
    }
    Ok(steps)
}

/// Parses an attribute name, a word or a quoted string.
fn name(cursor: &mut Cursor<'_>) -> Result<Step> {
    if let Some(name) = quoted(cursor)? {
        return Ok(Step::attr(&name));
    }
    let start = cursor.clone();
    let name = bare_name(cursor);
    if is_word(name) { Ok(Step::attr(name)) } else { Err(problem(&start, "an attribute name")) }
}

/// Parses a key before its closing bracket: a quoted string, `*` or a number.
fn key(cursor: &mut Cursor<'_>) -> Result<Step> {
    if let Some(key) = quoted(cursor)? {
        return Ok(Step::Index(Value::from(key)));
    }
    if cursor.take('*') {
        return Ok(Step::Index(Value::unknown(Type::Number)));
    }
    let start = cursor.clone();
    let number: Result<Number> = cursor.take_while(|c| c != ']').parse();
    let number = number.map_err(|_| problem(&start, "a number, a quoted key or `*`"))?;
    Ok(Step::Index(Value::from(number)))
}

/// Reads the characters up to the next dot or bracket.
pub fn bare_name<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    cursor.take_while(|c| !matches!(c, '.' | '['))
}

/// Reads a quoted string if one is next, and returns its content.
pub(crate) fn quoted(cursor: &mut Cursor<'_>) -> Result<Option<String>> {
    if !cursor.take('"') {
        return Ok(None);
    }
    match cursor.take_quoted() {
        Some(text) => Ok(Some(text)),
        None => Err(problem(cursor, "a quoted text that ends")),
    }
}

/// The error that a path needs `wanted` at the position of the cursor. The column is counted in bytes from 1.
#[cold]
pub(crate) fn problem(cursor: &Cursor<'_>, wanted: &str) -> Error {
    let column = cursor.at().saturating_add(1);
    let found = match cursor.peek() {
        None => "the end".to_owned(),
        Some(c) => format!("`{c}`"),
    };
    Error::new(Kind::Syntax, format!("a path needs {wanted} at column {column}, but has {found}"))
}
