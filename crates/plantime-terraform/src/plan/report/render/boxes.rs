//! A message in the form of Terraform's own diagnostics: a box with the line of the rules file.

use super::message::{Message, truncated};
use super::terminal::TerminalText;
use crate::plan::report::reference::line_reference;
use plantime::rule::Severity;
use plantime::source::Source;

/// Draws the message as a box, with the line of the rules file that it refers to.
pub(super) fn draw(message: &Message, out: &mut TerminalText, rules: &Source) {
    out.text.push_str("╷ ");
    out.severity_word(match message.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    });
    out.line_of(format_args!(": {}", message.summary));
    if let Some(position) = message.position {
        let rules = rules.file(position);
        let rule = message.rule.as_ref().map_or_else(String::new, |rule| format!(", in rule \"{rule}\""));
        out.line("│");
        write_place(out, rules.name(), position.line);
        out.line_of(format_args!("{rule}:"));
        out.line_of(format_args!(
            "│   {}: {}",
            position.line,
            truncated(rules.line(position.line).unwrap_or_default())
        ));
        if !message.values.is_empty() {
            out.line("│     ├────────────────");
            message.values.iter().for_each(|value| out.line_of(format_args!("│     │ {value}")));
        }
        out.line("│");
    }
    if let Some(written) = &message.source_line {
        let line = written.line;
        write_place(out, &written.file, line);
        out.line_of(format_args!(", in {}:", written.head));
        if let Some(text) = &written.text {
            out.line_of(format_args!("│   {line}: {}", truncated(text)));
        }
        out.line("│");
    }
    for detail in &message.details {
        detail.lines().for_each(|line| out.line_of(format_args!("│ {line}")));
    }
    out.line("╵");
}

/// Writes the beginning of the line that names a place, with a link to it.
fn write_place(out: &mut TerminalText, file: &str, line: usize) {
    out.text.push_str("│   on ");
    out.link(&format!("{file} line {line}"), &line_reference(file, line));
}
