//! A problem as Terraform prints it: where it is, the lines of the source, the values, the sentences.

use std::fmt::Write as _;
use std::ops::Range;

use super::diagnostic::Diagnostic;
use crate::hcl::block_braces;

/// The maximum number of columns of a line of sentences.
const WIDTH: usize = 77;

/// The maximum number of bytes of a line of the source that are shown.
const LINE: usize = 500;

/// The maximum number of lines of the source that are shown.
const LINES: usize = 20;

impl Diagnostic {
    /// The problem as `terraform validate -no-color` prints it, without the empty line before it.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use plantime::value;
    /// use plantime_hcl::{Expression, Scope};
    /// use plantime::source::Source;
    ///
    /// let variables = BTreeMap::from([("local".to_owned(), value!({ "n": 5 })?)]);
    /// let size = Expression::parse_source(Source::new("main.tf", "local.n.size")).unwrap();
    /// let problems = size.evaluate(&Scope::new(&variables)).unwrap_err();
    /// assert_eq!(problems.first().to_text(), "\
    /// Error: Unsupported attribute
    ///
    ///   on main.tf line 1:
    ///    1: local.n.size
    ///     ├────────────────
    ///     │ local.n is 5
    ///
    /// Can't access attributes on a primitive-typed value (number).
    /// ");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn to_text(&self) -> String {
        let severity = if self.is_warning() { "Warning" } else { "Error" };
        let mut text = format!("{severity}: {}\n\n", self.summary());
        let source = self.source();
        let (start, end) = (self.position(), self.end_position());
        if !source.name().is_empty() && !self.is_global() {
            let context = self.context().map_or_else(String::new, |context| format!(", in {context}"));
            let _ = writeln!(text, "  on {} line {}{context}:", source.name(), start.line);
        }
        let shown = if self.is_global() { 0 } else { LINES };
        for number in (start.line..=end.line.max(start.line)).take(shown) {
            let (line, end) = cut(source.line(number).unwrap_or_default());
            let _ = writeln!(text, "{number:>4}: {line}{end}");
        }
        if !self.values().is_empty() || self.call().is_some() {
            text.push_str("    ├────────────────\n");
            if let Some(call) = self.call() {
                let _ = writeln!(text, "    │ while calling {call}");
            }
            for value in self.values() {
                let _ = writeln!(text, "    │ {} {}", value.reference, value.statement);
            }
        }
        if !self.is_global() {
            text.push('\n');
        }
        for line in self.detail().lines() {
            wrap(line, &mut text);
        }
        text
    }

    /// The head of the block of a file that the problem is in: `resource "aws_vpc" "main"`.
    pub fn context(&self) -> Option<String> {
        let source = self.source();
        if source.name().ends_with(".json") {
            return None;
        }
        let place = self.span().start;
        let blocks = source.blocks(block_heads);
        let after = blocks.partition_point(|(span, _)| span.end < place);
        let (_, head) = blocks.get(after).filter(|(span, _)| span.start < place)?;
        Some(head.clone())
    }
}

/// The beginning of a line, and `…` if the rest is cut off, else an empty string. If a long line were shown whole for
/// each problem in it, the output would grow with the square of its length.
fn cut(line: &str) -> (&str, &str) {
    if line.len() <= LINE {
        return (line, "");
    }
    let end = (0..=LINE).rev().find(|at| line.is_char_boundary(*at)).unwrap_or_default();
    (line.get(..end).unwrap_or_default(), "…")
}

/// The outermost blocks of a text, each with its kind and labels; up to the first brace without words before it.
fn block_heads(text: &str) -> Vec<(Range<usize>, String)> {
    let (mut depth, mut brace, mut heads) = (0_usize, 0, Vec::<(Range<usize>, String)>::new());
    for (at, opens) in block_braces(text) {
        if opens {
            if depth == 0 {
                brace = at;
            }
            depth = depth.saturating_add(1);
            continue;
        }
        depth = depth.saturating_sub(1);
        if depth == 0 {
            // A block may follow another one in its line.
            let end = heads.last().map_or(0, |(last, _)| last.end.saturating_add(1));
            let Some((start, head)) = head_before(text, end, brace) else { break };
            heads.push((start..at, head));
        }
    }
    heads
}

/// The kind and the labels between a byte and a brace, and the byte where they begin.
fn head_before(text: &str, from: usize, brace: usize) -> Option<(usize, String)> {
    let before = text.get(from..brace)?;
    let start = before.rfind(['\n', '}']).map_or(0, |end| end.saturating_add(1));
    let start = from.saturating_add(start);
    let head = text.get(start..brace)?;
    let indent = head.len().saturating_sub(head.trim_start().len());
    let mut words = head.split_whitespace();
    let mut shown = words.next()?.to_owned();
    for label in words {
        let _ = write!(shown, " \"{}\"", label.trim_matches('"'));
    }
    Some((start.saturating_add(indent), shown))
}

/// Adds a paragraph, broken between words. A line that begins with a space is an example and stays whole.
fn wrap(line: &str, text: &mut String) {
    if line.starts_with(' ') {
        text.push_str(line);
        text.push('\n');
        return;
    }
    let mut column = 0_usize;
    for word in line.split(' ') {
        let length = word.chars().count();
        if column > 0 && column.saturating_add(length).saturating_add(1) > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column = column.saturating_add(1);
        }
        text.push_str(word);
        column = column.saturating_add(length);
    }
    text.push('\n');
}
