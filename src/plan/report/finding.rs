//! The statements of a report one by one, as formats for other programs list them.

use super::render::{AnswerKind, Message};
use super::{CheckedResource, PlanReport, TestAnswer, TestVerdict};
use crate::plan::knowledge::ContradictedAssumption;
use crate::source::Position;

/// What a finding states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FindingKind {
    /// A test has this answer.
    Answer(AnswerKind),
    /// The plan contradicts an assumption.
    Contradicted,
}

/// A place in a text: the file, the line and, if it is known, the column, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
}

/// One statement of a report on a resource or output. Nothing behind a mark is in its texts, which come from files and may
/// hold control characters.
#[derive(Clone, Debug)]
pub(super) struct Finding<'r> {
    pub(super) kind: FindingKind,
    /// The name of the rule; `assumption` for an assumption.
    pub(super) rule: &'r str,
    pub(super) address: &'r str,
    /// The claim after the place that it is about.
    pub(super) claim: String,
    /// What is wrong in a few words.
    pub(super) summary: String,
    /// The sentences that explain it, and the values involved.
    pub(super) message: String,
    /// The block of the resource in the configuration, where it was read.
    pub(super) declared: Option<Place>,
    /// The place in the rules file.
    pub(super) stated: Option<Place>,
}

impl Finding<'_> {
    /// The place where a reader looks first: the block of the resource, else the rule.
    pub(super) fn place(&self) -> Option<&Place> {
        self.declared.as_ref().or(self.stated.as_ref())
    }
}

impl PlanReport {
    /// All statements on resources and outputs, in the order of the plan.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding<'_>> {
        self.checked.iter().flat_map(move |checked| {
            let contradicted = checked.contradicted.iter().map(move |one| self.contradiction(checked, one));
            contradicted.chain(checked.answers.iter().map(move |answer| self.finding(checked, answer)))
        })
    }

    /// An answer as a finding.
    fn finding<'r>(&'r self, checked: &'r CheckedResource, answer: &'r TestAnswer) -> Finding<'r> {
        let (summary, message) = match &answer.verdict {
            TestVerdict::Fail(failure) => {
                let description = self.description(&answer.rule);
                texts(&Message::failure(checked.address(), answer, failure, description))
            }
            TestVerdict::Undetermined(reason) => {
                let mut parts = vec![format!("Undetermined: {}.", self.claim_or_reason(answer))];
                if !reason.depends_on.is_empty() {
                    parts.push(format!("Depends on {}.", super::render::first_few(&reason.depends_on)));
                }
                let passes_if = reason.why.passes_if();
                if !passes_if.is_empty() {
                    parts.push(format!("Passes if {passes_if}."));
                }
                ("undetermined".to_owned(), parts.join(" "))
            }
            _ => (String::new(), self.claim_or_reason(answer)),
        };
        Finding {
            kind: FindingKind::Answer(AnswerKind::of(answer)),
            rule: &answer.rule,
            address: checked.address(),
            claim: super::render::claim_at(&answer.place(), &answer.claim),
            summary,
            message,
            declared: declared(checked),
            stated: Some(self.rule_place(answer.position)),
        }
    }

    /// A contradicted assumption as a finding.
    fn contradiction<'r>(
        &'r self,
        checked: &'r CheckedResource,
        one: &ContradictedAssumption,
    ) -> Finding<'r> {
        let (summary, message) = texts(&Message::contradiction(one));
        Finding {
            kind: FindingKind::Contradicted,
            rule: "assumption",
            address: checked.address(),
            claim: one.path.to_string(),
            summary,
            message,
            declared: declared(checked),
            stated: one.position.map(|position| self.rule_place(position)),
        }
    }

    /// A position in the rules files as a place.
    fn rule_place(&self, position: Position) -> Place {
        let number = |number: usize| u32::try_from(number).ok();
        Place {
            file: self.rules.file(position).name().to_owned(),
            line: number(position.line),
            column: number(position.column),
        }
    }
}

/// The summary of a message, and its sentences with the values.
fn texts(message: &Message) -> (String, String) {
    let mut lines = message.details.clone();
    lines.extend(message.values.iter().cloned());
    (message.summary.clone(), lines.join("\n"))
}

/// Where the block of a resource stands, such as `main.tf:12`.
fn declared(checked: &CheckedResource) -> Option<Place> {
    let text = checked.declared.as_deref()?;
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (file, line.parse().ok()),
        None => (text, None),
    };
    Some(Place { file: file.to_owned(), line, column: None })
}
