//! Keywords and references in quotes, as Terraform 0.11 had them and as JSON has them.

use std::collections::BTreeMap;
use std::ops::Range;

use plantime_hcl::{Diagnostic, Expression, Scope};

/// The text of an expression that is a string without references and calls, and the place of its first character.
pub(in crate::configuration) fn quoted_text(expression: &Expression) -> Option<(String, usize)> {
    if !expression.references().is_empty() || !expression.outermost_calls().is_empty() {
        return None;
    }
    let value = expression.evaluate(&Scope::new(&BTreeMap::new())).ok()?;
    let text = value.as_str().ok()?.to_owned();
    let inside: Range<usize> = expression.span().start.saturating_add(1)..expression.span().end;
    let written = expression.source().text().get(inside.clone()).unwrap_or_default();
    // A text with escapes has no places of its own; neither has one that is calculated. In JSON it cannot be written without.
    (written.starts_with(&text) || expression.is_json()).then_some((text, inside.start))
}

/// The warning about a keyword or reference in quotes.
pub(in crate::configuration) fn quoted_warning(expression: &Expression, one: &str, many: &str) -> Diagnostic {
    let detail = format!(
        "In this context, {many} are expected literally rather than in quotes. Terraform 0.11 and earlier required quotes, but \
         quoted {many} are now deprecated and will be removed in a future version of Terraform. Remove the quotes surrounding \
         this {one} to silence this warning."
    );
    let summary = format!("Quoted {many} are deprecated");
    Diagnostic::new(expression.source(), expression.span(), summary, detail).as_warning()
}

/// A reference that an argument of the language lists: written out, or in quotes.
#[derive(Clone, Debug)]
pub(in crate::configuration) struct ListedReference {
    /// The expression that is the reference.
    pub(in crate::configuration) expression: Expression,
    /// What is added to its places to get those of the file.
    offset: usize,
}

impl ListedReference {
    /// The reference that an item of a list is; `None` if it is none.
    pub(in crate::configuration) fn of(item: &Expression) -> Option<ListedReference> {
        if item.as_reference().is_some() {
            return Some(ListedReference { expression: item.clone(), offset: 0 });
        }
        let (text, offset) = quoted_text(item)?;
        let expression = Expression::parse(&text).ok()?;
        expression.as_reference().is_some().then_some(ListedReference { expression, offset })
    }

    /// A place inside the reference as one of the file.
    pub(in crate::configuration) fn place(&self, span: Range<usize>) -> Range<usize> {
        span.start.saturating_add(self.offset)..span.end.saturating_add(self.offset)
    }
}

/// The problem of a text in quotes that is no reference: what follows the name, attributes and keys at its start.
pub(super) fn quoted_problem(item: &Expression, text: &str, start: usize) -> Diagnostic {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let name_length = |rest: &str| rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let first = text.trim_start();
    let (mut rest, mut is_whole) = (first, first.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    let mut is_first = true;
    while is_whole {
        let before = if is_first { Some(rest) } else { rest.strip_prefix('.') };
        let Some(name) = before.filter(|name| name_length(name) > 0) else { break };
        let Some(after) = name.get(name_length(name)..) else { break };
        (rest, is_first) = (after, false);
        // A key is left whole.
        while let Some((_, after)) = rest.strip_prefix('[').and_then(|key| key.split_once(']')) {
            rest = after;
        }
        is_whole = !rest.is_empty();
    }
    let next = rest.trim_start();
    let at = start.saturating_add(text.len().saturating_sub(next.len()));
    let length = name_length(next).max(next.chars().next().map_or(1, char::len_utf8));
    let (summary, detail) = match is_first {
        true => ("Variable name required", "Must begin with a variable name."),
        false => ("Invalid character", "Expected an attribute access or an index operator."),
    };
    Diagnostic::new(item.source(), at..at.saturating_add(length), summary, detail)
}
