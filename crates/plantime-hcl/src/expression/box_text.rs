//! A problem as Terraform prints it: where it is, the lines of the source, the values, the sentences.

use std::fmt::Write as _;
use std::ops::Range;

use super::diagnostic::Diagnostic;
use crate::syntax::lexer::{Kind, Lexer};

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
        let (start, shown_span) = (self.position(), self.shown_span());
        // A line end that is shown begins no other line.
        let last = shown_span.end.saturating_sub(1).max(shown_span.start);
        let (first, last) = (source.position(shown_span.start), source.position(last));
        if !source.name().is_empty() && !self.is_global() {
            let context = self.context().map_or_else(String::new, |context| format!(", in {context}"));
            let _ = writeln!(text, "  on {} line {}{context}:", source.name(), start.line);
        }
        let shown = if self.is_global() { 0 } else { LINES };
        for number in (first.line..=last.line.max(start.line)).take(shown) {
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

/// The outermost blocks of a text, each with its kind and labels.
fn block_heads(text: &str) -> Vec<(Range<usize>, String)> {
    let (mut lexer, mut heads) = (Lexer::of_code(text), Vec::new());
    // The words of the line so far, unless there is something else in it, and where they begin.
    let (mut head, mut start, mut depth) = (Some(String::new()), 0, 0_usize);
    loop {
        let token = lexer.next();
        let word = text.get(token.span()).unwrap_or_default();
        match token.kind {
            Kind::End => return heads,
            Kind::Comment if !word.ends_with('\n') => {}
            Kind::Newline | Kind::Comment if depth == 0 => head = Some(String::new()),
            Kind::Name if depth == 0 => match &mut head {
                Some(words) if words.is_empty() => {
                    start = token.start;
                    words.push_str(word);
                }
                Some(words) => {
                    let _ = write!(words, " \"{word}\"");
                }
                None => {}
            },
            Kind::Literal if depth == 1 => {
                if let Some(words) = &mut head {
                    let _ = write!(words, " \"{word}\"");
                }
            }
            kind if kind.is_opening() => {
                if depth == 0 && token.kind == Kind::OpenBrace {
                    // Found with the closing brace.
                    heads.extend(
                        head.take().filter(|words| !words.is_empty()).map(|words| (start..usize::MAX, words)),
                    );
                }
                depth = depth.saturating_add(1);
            }
            kind if kind.is_closing() => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some((span, _)) = heads.last_mut()
                    && span.end == usize::MAX
                {
                    span.end = token.start;
                }
            }
            _ if depth == 0 => head = None,
            _ => {}
        }
    }
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
