//! The end of a report: every failure in one line.

use super::terminal::TerminalText;
use super::{AnswerKind, answer_word};
use crate::plan::report::{CheckedResource, PlanReport, TestAnswer, TestVerdict};
use plantime::source::Position;

/// One line of the list of failures at the end of the report.
struct FailureLine<'r> {
    word: &'static str,
    rule: &'r str,
    /// The address, and the claim that does not hold there.
    claim: String,
    position: Option<Position>,
    /// File and line in the configuration: of the value, else of the block.
    place: Option<String>,
}

impl PlanReport {
    /// Writes the contradicted assumptions and the failures of one resource (also those of severity warning), a line
    /// each, with the address, the rule and its location; before the first line (`is_first`) a heading. Repeats only
    /// what is written above, so it shows nothing that is behind a mark.
    pub(super) fn write_failures(
        &self,
        out: &mut TerminalText,
        checked: &CheckedResource,
        is_first: &mut bool,
    ) {
        for line in self.failure_lines(checked) {
            self.write_failure(out, line, is_first);
        }
    }

    /// Writes the skips that no longer count, a line each.
    pub(super) fn write_expired(&self, out: &mut TerminalText, is_first: &mut bool) {
        for expired in &self.expired {
            let (word, rule, position) = ("expired", "skip", Some(expired.position));
            let line = FailureLine { word, rule, claim: expired.message(), position, place: None };
            self.write_failure(out, line, is_first);
        }
    }

    /// Writes one line of the list of failures, before the first one a heading.
    fn write_failure(&self, out: &mut TerminalText, line: FailureLine<'_>, is_first: &mut bool) {
        let FailureLine { word, rule, claim, position, place } = line;
        if std::mem::take(is_first) {
            out.line("");
            out.line("Failures:");
        }
        out.word("  ", word, 14);
        out.part(format_args!("{rule:<18} {claim}"));
        if let Some(position) = position {
            let place = place.map_or_else(String::new, |place| format!(", {place}"));
            out.dim(&format!("    # {}{place}", self.rule_location(position)));
        }
        out.line("");
    }

    /// The lines for the contradicted assumptions and the failures of one resource.
    fn failure_lines<'r>(&'r self, checked: &'r CheckedResource) -> impl Iterator<Item = FailureLine<'r>> {
        let declared = || checked.declared.as_deref().map(str::to_owned);
        let written = |answer: &TestAnswer| match &answer.verdict {
            TestVerdict::Fail(failure) => {
                failure.source_line.as_ref().map(|written| format!("{}:{}", written.file, written.line))
            }
            _ => None,
        };
        let contradicted = checked.contradicted.iter().map(move |one| FailureLine {
            word: "contradicted",
            rule: "assumption",
            claim: format!("{}.{}: {}", checked.address(), one.path, one.message),
            position: one.position,
            place: declared(),
        });
        let is_failure = |kind: AnswerKind| matches!(kind, AnswerKind::Fail | AnswerKind::Warning);
        let failed = checked.answers.iter().filter(move |answer| is_failure(AnswerKind::of(answer)));
        contradicted.chain(failed.map(move |answer| FailureLine {
            word: answer_word(answer),
            rule: &answer.rule,
            claim: match self.claim_or_reason(answer) {
                claim if claim.is_empty() => checked.address().to_owned(),
                claim => format!("{}: {claim}", checked.address()),
            },
            position: Some(answer.position),
            place: written(answer).or_else(declared),
        }))
    }
}
