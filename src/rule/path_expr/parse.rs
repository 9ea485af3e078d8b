//! Reads the text form of path expressions.

use super::ExprStep;
use crate::error::Result;
use crate::path::parse::{problem, quoted};
use crate::text::is_word;

/// Reads all steps of the text form of a path expression.
pub(super) fn steps(text: &str) -> Result<Vec<ExprStep>> {
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (step, after) = match rest.strip_prefix('[') {
            Some(inside) => bracket(text, inside)?,
            None => {
                let start = match (steps.is_empty(), rest.strip_prefix('.')) {
                    (false, Some(after)) => after,
                    (true, None) => rest,
                    (true, Some(_)) => return Err(problem(text, rest, "a name, `[` or `<`")),
                    (false, None) => return Err(problem(text, rest, "`.` or `[`")),
                };
                name(text, start)?
            }
        };
        steps.push(step);
        rest = after;
    }
    Ok(steps)
}

/// Reads one step outside of brackets at the beginning of `rest`: a name, `<`, or an index or `*` between dots.
/// Returns the step and the text after it; `text` is the whole, for errors.
fn name<'t>(text: &str, rest: &'t str) -> Result<(ExprStep, &'t str)> {
    if let Some(after) = rest.strip_prefix('<') {
        return Ok((ExprStep::Parent, after));
    }
    if let Some(inside) = rest.strip_prefix('"') {
        let (name, after) = quoted(text, inside)?;
        return Ok((ExprStep::Attr(name), after));
    }
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    // Older Terraform configurations write an index and a wildcard as `ingress.0.port` and `ingress.*.port`.
    if name == "*" {
        return Ok((ExprStep::AnyElement, after));
    }
    if let Ok(index) = index(name) {
        return Ok((ExprStep::Index(index), after));
    }
    if is_word(name) {
        Ok((ExprStep::Attr(name.to_owned()), after))
    } else {
        Err(problem(text, rest, "a name or `<`"))
    }
}

/// Reads the text after an opening bracket, up to the closing one: an index, a quoted key or `*`. Returns the step
/// and the text after it; `text` is the whole, for errors.
fn bracket<'t>(text: &str, inside: &'t str) -> Result<(ExprStep, &'t str)> {
    let (step, after) = if let Some(after) = inside.strip_prefix('*') {
        (ExprStep::AnyElement, after)
    } else if let Some(key) = inside.strip_prefix('"') {
        let (key, after) = quoted(text, key)?;
        (ExprStep::Key(key), after)
    } else {
        let end = inside.find(']').unwrap_or(inside.len());
        let (digits, after) = inside.split_at(end);
        let index = index(digits).map_err(|()| problem(text, inside, "an index, a quoted key or `*`"))?;
        (ExprStep::Index(index), after)
    };
    let after = after.strip_prefix(']').ok_or_else(|| problem(text, after, "`]`"))?;
    Ok((step, after))
}

/// Reads an index from decimal digits; an error for anything else, and if it does not fit in 64 bits.
fn index(digits: &str) -> Result<u64, ()> {
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(());
    }
    digits.parse().map_err(drop)
}
