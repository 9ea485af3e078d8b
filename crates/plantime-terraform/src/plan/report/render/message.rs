//! What is wrong, or deserves attention: what each way to draw it needs.

use super::{DiagnosticStyle, TerminalText, boxes};
use crate::plan::knowledge::ContradictedAssumption;
use crate::plan::knowledge::configuration::SourceLine;
use crate::plan::knowledge::facts::ContradictedFact;
use crate::plan::report::{Failure, TestAnswer};
use crate::plan::rules::metadata::RuleMetadata;
use crate::plan::rules::skip::ExpiredSkip;
use plantime::rule::Severity;
use plantime::source::{Position, Source};

/// The maximum length of a printed value, in characters.
const LONGEST_VALUE: usize = 200;

/// One message of a report: a failure, a contradiction or a warning about the rules file.
///
/// Its texts hold nothing that is behind a mark. They come from files and may hold control characters.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Message {
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// What is wrong, in a few words: `Invalid Attribute Value`.
    pub summary: String,
    /// The position in the rules file; `None` if the message is about no place there.
    pub position: Option<Position>,
    /// The name of the rule at that place.
    pub rule: Option<String>,
    /// The values involved: `aws_vpc.main.cidr_block is "10.0.0.0/16"`.
    pub values: Vec<String>,
    /// The line of the configuration that the value is written in.
    pub source_line: Option<SourceLine>,
    /// The sentences that explain it.
    pub details: Vec<String>,
}

impl Message {
    /// The message of a failed test, with the description and the metadata of its rule.
    pub(in crate::plan::report) fn failure(
        address: &str,
        answer: &TestAnswer,
        failure: &Failure,
        (description, metadata): (Option<&str>, Option<&RuleMetadata>),
    ) -> Message {
        let first = failure.diagnostics.first();
        let values = failure
            .values
            .iter()
            .map(|(path, value)| format!("{} {}", path.after_name(address), truncated(value)));
        Message {
            severity: answer.severity,
            summary: first.map_or("Invalid Attribute Value", |first| &*first.summary).to_owned(),
            position: Some(answer.position),
            rule: Some(answer.rule.to_string()),
            values: values.chain(failure.decided.iter().cloned()).collect(),
            source_line: failure.source_line.as_deref().cloned(),
            details: details(answer, failure, description)
                .into_iter()
                .chain(metadata.and_then(RuleMetadata::sentence))
                .collect(),
        }
    }

    /// The message of a skip that no longer counts.
    pub(in crate::plan::report) fn expired(expired: &ExpiredSkip) -> Message {
        Message {
            severity: Severity::Error,
            summary: "A skip has ended".to_owned(),
            position: Some(expired.position),
            rule: None,
            values: Vec::new(),
            source_line: None,
            details: vec![
                with_full_stop(&capitalized(&expired.message())),
                with_full_stop(&format!("Its reason was: {}", expired.reason)),
                "Mend what the rules report, or decide on a later day.".to_owned(),
            ],
        }
    }

    /// The message of an assumption that the plan contradicts.
    pub(in crate::plan::report) fn contradiction(contradicted: &ContradictedAssumption) -> Message {
        let ContradictedAssumption { position, address, path, value, message } = contradicted;
        let place = format!("{address}.{path}");
        let summary = match position {
            Some(_) => "Assumption not upheld",
            None => "Contradiction in the configuration",
        };
        Message {
            severity: Severity::Error,
            summary: summary.to_owned(),
            position: *position,
            rule: None,
            values: value.iter().map(|value| format!("{place} {}", truncated(value))).collect(),
            source_line: None,
            details: vec![format!("{place}: {}", with_full_stop(message))],
        }
    }

    /// The warning about a fact of a schema or catalogue that the plan contradicts.
    pub(super) fn contradicted_fact(contradicted: &ContradictedFact) -> Message {
        let ContradictedFact { address, path, origin, message } = contradicted;
        Message {
            severity: Severity::Warning,
            summary: "The plan contradicts a fact".to_owned(),
            position: None,
            rule: None,
            values: Vec::new(),
            source_line: None,
            details: vec![
                format!("{address}.{path}: {}", with_full_stop(message)),
                with_full_stop(&format!("The fact is not used here: {origin}")),
            ],
        }
    }

    /// The message of a warning at a position of the rules file.
    pub(super) fn note(position: Position, message: &str) -> Message {
        let message = capitalized(message);
        Message {
            severity: Severity::Warning,
            summary: "Nothing to check".to_owned(),
            position: Some(position),
            rule: None,
            values: Vec::new(),
            source_line: None,
            details: vec![with_full_stop(&message)],
        }
    }

    /// Draws the message in a style.
    pub(super) fn draw(&self, out: &mut TerminalText, rules: &Source, style: DiagnosticStyle) {
        match style {
            DiagnosticStyle::Boxes => boxes::draw(self, out, rules),
            DiagnosticStyle::Own(draw) => out.text.push_str(&draw(self, rules, out.colour())),
        }
    }
}

/// The sentences of a failure: the rule's description, then the author's message, or, without one, what the test
/// requires and what is wrong.
fn details(answer: &TestAnswer, failure: &Failure, description: Option<&str>) -> Vec<String> {
    let mut details: Vec<String> = description.into_iter().map(with_full_stop).collect();
    match &failure.message {
        Some(message) => details.push(message.clone()),
        None => {
            if failure.has_own_words {
                details
                    .push(with_full_stop(&format!("Required: {}", claim_at(&answer.place(), &answer.claim))));
            }
            details.extend(failure.diagnostics.iter().map(|diagnostic| with_full_stop(&diagnostic.detail)));
        }
    }
    details
}

/// The claim after the place that it is about: `id must not be null`.
pub(in crate::plan::report) fn claim_at(place: &str, claim: &str) -> String {
    match (place.is_empty(), claim.is_empty()) {
        (true, _) => claim.to_owned(),
        (false, true) => place.to_owned(),
        (false, false) => format!("{place} {claim}"),
    }
}

/// The text with a capital first letter.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// The text with a full stop, unless it ends a sentence already.
fn with_full_stop(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// The text, cut after [`LONGEST_VALUE`] characters with a sign that there is more.
pub(super) fn truncated(text: &str) -> String {
    let (part, is_cut) = truncated_part(text);
    if is_cut { format!("{part}…") } else { part.to_owned() }
}

/// The first [`LONGEST_VALUE`] characters of a text, and whether there is more.
pub(super) fn truncated_part(text: &str) -> (&str, bool) {
    let end = if text.len() > LONGEST_VALUE { text.char_indices().nth(LONGEST_VALUE) } else { None };
    match end {
        Some((at, _)) => (text.get(..at).unwrap_or_default(), true),
        None => (text, false),
    }
}
