//! What is wrong, with the line of the rules file: the form of Terraform's own diagnostics.

use super::out::Out;
use crate::plan::knowledge::Contradicted;
use crate::plan::report::{Answer, Failure};
use crate::plan::source::{Position, Source};
use crate::rule::Severity;

/// Longer values are cut.
const VALUE: usize = 200;

/// A rule that fails.
pub(super) fn failure(out: &mut Out, rules: &Source, address: &str, answer: &Answer, failure: &Failure) {
    let kind = match answer.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    };
    let summary =
        failure.diagnostics.first().map_or("Invalid Attribute Value", |first| first.summary.as_str());
    let values: Vec<String> = failure
        .values
        .iter()
        .map(|(path, value)| {
            let dot = if path.to_string().starts_with('[') || path.is_empty() { "" } else { "." };
            format!("{address}{dot}{path} is {}", cut(value))
        })
        .collect();
    let details: Vec<String> = match &failure.message {
        Some(message) => vec![message.clone()],
        None => failure.diagnostics.iter().map(|one| sentence(&one.detail)).collect(),
    };
    let place = format!(", in rule \"{}\"", answer.rule);
    frame(out, kind, summary, rules, answer.position, &place, &values, &details);
}

/// An assumption that the plan contradicts.
pub(super) fn contradiction(out: &mut Out, rules: &Source, contradicted: &Contradicted) {
    let place = format!("{}.{}", contradicted.address, contradicted.path);
    let details = [format!("{place}: {}", sentence(&contradicted.message))];
    match contradicted.position {
        Some(position) => {
            let value = contradicted.value.iter().map(|value| format!("{place} is {}", cut(value)));
            let values: Vec<String> = value.collect();
            frame(out, "Error", "Assumption not upheld", rules, position, "", &values, &details);
        }
        None => {
            out.kind_line("Error", "Contradiction in the configuration");
            details.iter().for_each(|detail| out.line(&format!("│ {detail}")));
            out.line("╵");
        }
    }
}

/// Something that deserves attention.
pub(super) fn note(out: &mut Out, rules: &Source, position: Position, message: &str) {
    let mut chars = message.chars();
    let message: String = chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect();
    frame(out, "Warning", "Nothing to check", rules, position, "", &[], &[sentence(&message)]);
}

#[expect(clippy::too_many_arguments, reason = "the parts of one frame, in their order")]
fn frame(
    out: &mut Out,
    kind: &str,
    summary: &str,
    rules: &Source,
    position: Position,
    place: &str,
    values: &[String],
    details: &[String],
) {
    out.kind_line(kind, summary);
    out.line("│");
    out.line(&format!("│   on {} line {}{place}:", rules.name(), position.line));
    out.line(&format!("│   {}: {}", position.line, cut(rules.line(position.line).unwrap_or_default())));
    if !values.is_empty() {
        out.line("│     ├────────────────");
        values.iter().for_each(|value| out.line(&format!("│     │ {value}")));
    }
    out.line("│");
    for detail in details {
        detail.lines().for_each(|line| out.line(&format!("│ {line}")));
    }
    out.line("╵");
}

impl Out {
    fn kind_line(&mut self, kind: &str, summary: &str) {
        self.text.push_str("╷ ");
        self.kind(kind);
        self.line(&format!(": {summary}"));
    }
}

/// The text with a full stop.
fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(VALUE) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
