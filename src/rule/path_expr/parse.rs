//! Reads the text form of path expressions.

use super::ExprStep;
use crate::error::Result;
use crate::path::parse::{self, bare_name, problem, quoted};
use crate::text::{Cursor, is_word};

/// Reads all steps of the text form of a path expression.
pub(super) fn steps(text: &str) -> Result<Vec<ExprStep>> {
    parse::steps(text, "a name, `[` or `<`", name, bracket)
}

/// Reads one step outside of brackets: a name, `<`, or an index or `*` between dots.
fn name(cursor: &mut Cursor<'_>) -> Result<ExprStep> {
    if cursor.take('<') {
        return Ok(ExprStep::Parent);
    }
    if let Some(name) = quoted(cursor)? {
        return Ok(ExprStep::Attr(name));
    }
    let start = cursor.clone();
    let name = bare_name(cursor);
    // Older Terraform configurations write an index and a wildcard as `ingress.0.port` and `ingress.*.port`.
    match index(name) {
        _ if name == "*" => Ok(ExprStep::AnyElement),
        Some(index) => Ok(ExprStep::Index(index)),
        None if is_word(name) => Ok(ExprStep::Attr(name.to_owned())),
        None => Err(problem(&start, "a name or `<`")),
    }
}

/// Reads what is inside of brackets: an index, a quoted key or `*`.
fn bracket(cursor: &mut Cursor<'_>) -> Result<ExprStep> {
    if cursor.take('*') {
        return Ok(ExprStep::AnyElement);
    }
    if let Some(key) = quoted(cursor)? {
        return Ok(ExprStep::Key(key));
    }
    let start = cursor.clone();
    let index = index(cursor.take_while(|c| c != ']'));
    index.map(ExprStep::Index).ok_or_else(|| problem(&start, "an index, a quoted key or `*`"))
}

/// Reads an index from decimal digits; `None` for anything else, and if it does not fit in 64 bits.
fn index(digits: &str) -> Option<u64> {
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}
