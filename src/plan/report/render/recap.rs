//! The end of a report: every failure in one line.

use super::terminal::Out;
use super::{AnswerKind, word};
use crate::plan::report::{CheckedResource, PlanReport};
use crate::plan::source::Position;

/// One line.
struct Line<'r> {
    word: &'static str,
    rule: &'r str,
    /// The address, and what does not hold there.
    said: String,
    position: Option<Position>,
}

impl PlanReport {
    /// The contradicted assumptions and the failures of one resource, those of severity warning too: each with its address, its rule and
    /// where that stands. Says nothing that does not stand above it, so nothing that is behind a mark.
    pub(super) fn recap(&self, out: &mut Out, checked: &CheckedResource, is_first: &mut bool) {
        let declared = checked.declared.as_ref().map_or_else(String::new, |place| format!(", {place}"));
        for Line { word, rule, said, position } in self.lines(checked) {
            if std::mem::take(is_first) {
                out.line("");
                out.line("Failures:");
            }
            out.word("  ", word, 14);
            out.part(format_args!("{rule:<18} {said}"));
            if let Some(position) = position {
                out.dim(&format!("    # {}{declared}", self.line(position)));
            }
            out.line("");
        }
    }

    fn lines<'r>(&'r self, checked: &'r CheckedResource) -> impl Iterator<Item = Line<'r>> {
        let contradicted = checked.contradicted.iter().map(|one| Line {
            word: "contradicted",
            rule: "assumption",
            said: format!("{}.{}: {}", checked.address, one.path, one.message),
            position: one.position,
        });
        let is_failure = |kind: AnswerKind| matches!(kind, AnswerKind::Fail | AnswerKind::Warning);
        let failed = checked.answers.iter().filter(move |answer| is_failure(AnswerKind::of(answer)));
        contradicted.chain(failed.map(|answer| Line {
            word: word(answer),
            rule: &answer.rule,
            said: match self.said(answer) {
                said if said.is_empty() => checked.address.clone(),
                said => format!("{}: {said}", checked.address),
            },
            position: Some(answer.position),
        }))
    }
}
