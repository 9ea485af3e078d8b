//! A message in the form of Terraform's own diagnostics: a box with the line of the rules file.

use super::message::{Message, truncated};
use super::terminal::TerminalText;
use crate::rule::Severity;
use crate::source::Source;

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
        out.line_of(format_args!("│   on {} line {}{rule}:", rules.name(), position.line));
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
        out.line_of(format_args!("│   on {} line {line}, in {}:", written.file, written.head));
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
