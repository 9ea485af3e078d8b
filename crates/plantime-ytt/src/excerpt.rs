//! Messages with lines of the source, as ytt draws them.

use crate::node::{Annotation, Position};

/// What was found and expected, and hints.
#[derive(Debug)]
pub(crate) struct Notes {
    found: String,
    expected: String,
    pub(crate) hints: Vec<String>,
}

impl Notes {
    /// Notes that say what was found.
    pub(crate) fn new(found: String) -> Notes {
        Notes { found, expected: String::new(), hints: Vec::new() }
    }

    /// The same notes, which also say what was expected.
    pub(crate) fn expected(mut self, expected: &str) -> Notes {
        expected.clone_into(&mut self.expected);
        self
    }

    /// The same notes with one more hint.
    pub(crate) fn hint(mut self, hint: &str) -> Notes {
        self.hints.push(hint.to_owned());
        self
    }

    /// The lines that start with `=`.
    pub(crate) fn text(&self) -> String {
        // As in ytt, the line is empty where nothing was found.
        let found =
            if self.found.is_empty() { String::new() } else { format!("    = found: {}", self.found) };
        let mut text = match self.expected.as_str() {
            // As in ytt, both lines are empty.
            "" => "\n\n\n".to_owned(),
            expected => format!("\n{found}\n    = expected: {expected}\n"),
        };
        for hint in &self.hints {
            text.push_str(&format!("    = hint: {hint}\n"));
        }
        text
    }
}

/// Draws lines of one file, with an ellipsis where lines between are left out.
pub(crate) fn excerpt(lines: &[&Position]) -> String {
    let Some(first) = lines.first() else { return String::new() };
    let mut text = format!("{}:\n    |\n", first.source.name);
    let mut before: Option<usize> = None;
    for position in lines {
        if before.is_some_and(|before| before.saturating_add(1) < position.line) {
            text.push_str("    | ...\n");
        }
        text.push_str(&format!("{:>3} | {}\n", position.shown_line(), position.text()));
        before = Some(position.line);
    }
    text.push_str("    |\n");
    text
}

/// A message with an underlined title.
pub(crate) fn titled(title: &str, text: &str, lines: &str, notes: &Notes) -> String {
    let underline = "=".repeat(title.len());
    let text = if text.is_empty() { String::new() } else { format!("{text}\n") };
    format!("\n{title}\n{underline}\n\n{text}{lines}{}\n", notes.text())
}

/// A message about an annotation of a node of a schema.
pub(crate) fn invalid(text: &str, annotation: &Annotation, node: &Position, notes: &Notes) -> String {
    titled("Invalid schema", text, &excerpt(&[&annotation.at, node]), notes)
}
