//! The findings of a report: one for each answer and each contradicted assumption, as SARIF, JUnit and GitHub list them.

use super::render::{AnswerKind, Message};
use super::{CheckedResource, Failure, PlanReport, TestAnswer, TestVerdict};
use crate::plan::Gap;
use crate::plan::knowledge::ContradictedAssumption;
use crate::plan::rules::skip::ExpiredSkip;
use plantime::source::Position;

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FindingKind {
    /// A test has this answer.
    Answer(AnswerKind),
    /// The plan contradicts an assumption.
    Contradicted,
    /// A skip no longer counts.
    Expired,
}

/// A location in a file. Lines and columns count from 1; `None` if they are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) file: String,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
}

/// A finding about a resource or output. Its texts contain no marked content. They may contain control characters from
/// input files, so writers escape them.
#[derive(Clone, Debug)]
pub(super) struct Finding<'r> {
    pub(super) kind: FindingKind,
    /// The name of the rule; `assumption` for an assumption, `skip` for a skip that no longer counts.
    pub(super) rule: &'r str,
    pub(super) address: &'r str,
    /// The tested path and the claim: `id must not be null`.
    pub(super) claim: String,
    /// The title of a failure in a few words.
    pub(super) summary: String,
    /// The explanation, with the values involved.
    pub(super) message: String,
    /// The line of the configuration that the value is written in, else the block of the resource, if that was read.
    pub(super) resource_location: Option<Location>,
    /// The test or assumption in the rules file.
    pub(super) rule_location: Option<Location>,
}

impl Finding<'_> {
    /// The location to report: the block of the resource if it is known, else the rule.
    pub(super) fn primary_location(&self) -> Option<&Location> {
        self.resource_location.as_ref().or(self.rule_location.as_ref())
    }
}

impl PlanReport {
    /// The report in which planning that ended with an error is a gap as any other, for a run that accepts such plans: its exit
    /// status and its files then say the same.
    ///
    /// | planning failed | in a report | in one that allows it |
    /// |---|---|---|
    /// | [JUnit](PlanReport::write_junit) | `<error>` | `<skipped>` |
    /// | [SARIF](PlanReport::write_sarif) | not `executionSuccessful`, level `error` | `executionSuccessful`, level `warning` |
    /// | [GitHub](PlanReport::write_github) | `::error` | `::warning` |
    ///
    /// ```
    /// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check};
    /// use plantime::source::Source;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(br#"{"format_version": "1.2", "planned_values": {}, "errored": true}"#, &ProviderSchemas::new())?;
    /// let rules = RulesFile::read(Source::new("rules.hcl", "")).unwrap();
    /// let against = CheckOptions { rules, schemas: ProviderSchemas::new(), configuration: None, show_values: false, facts: Default::default() };
    /// let report = check("plan.json", &plan, &against).unwrap();
    /// let mut lines = Vec::new();
    /// report.write_github(&mut lines)?;
    /// assert!(lines.starts_with(b"::error "));
    /// lines.clear();
    /// report.allow_errored().write_github(&mut lines)?;
    /// assert!(lines.starts_with(b"::warning "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn allow_errored(self) -> PlanReport {
        PlanReport { allows_errored: true, ..self }
    }

    /// Whether a gap of the plan is a failure of the run.
    pub(super) fn is_failure(&self, gap: Gap) -> bool {
        gap == Gap::Errored && !self.allows_errored
    }

    /// All findings: the skips that no longer count, then the others in the order of the plan.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding<'_>> {
        let of_resources = self.findings_of_resources();
        self.expired.iter().map(|expired| self.expired_finding(expired)).chain(of_resources)
    }

    /// A skip that no longer counts as a finding.
    fn expired_finding<'r>(&'r self, expired: &'r ExpiredSkip) -> Finding<'r> {
        Finding {
            kind: FindingKind::Expired,
            rule: "skip",
            address: &expired.address,
            claim: format!("{} until {}", expired.of, expired.until),
            summary: "A skip has ended".to_owned(),
            message: format!("{}. Its reason was: {}", expired.message(), expired.reason),
            resource_location: None,
            rule_location: Some(self.location_in_rules(expired.position)),
        }
    }

    /// The findings about resources and outputs, in the order of the plan.
    fn findings_of_resources(&self) -> impl Iterator<Item = Finding<'_>> {
        self.checked.iter().flat_map(move |checked| {
            let contradicted = checked.contradicted.iter().map(move |one| self.contradiction(checked, one));
            contradicted.chain(checked.answers.iter().map(move |answer| self.finding(checked, answer)))
        })
    }

    /// Why a test has its answer: a title in a few words, empty for what holds, and the explanation. No marked content.
    pub(in crate::plan) fn reason(&self, checked: &CheckedResource, answer: &TestAnswer) -> (String, String) {
        match &answer.verdict {
            TestVerdict::Fail(failure) => summary_and_text(&self.failure_message(checked, answer, failure)),
            TestVerdict::Undetermined(reason) => {
                let mut parts = vec![format!("Undetermined: {}.", self.claim_or_reason(answer))];
                if !reason.depends_on.is_empty() {
                    parts.push(format!("Depends on {}.", super::render::first_few(&reason.depends_on)));
                }
                let passes_if = reason.passes_if();
                if !passes_if.is_empty() {
                    parts.push(format!("Passes if {passes_if}."));
                }
                ("undetermined".to_owned(), parts.join(" "))
            }
            _ => (String::new(), self.claim_or_reason(answer)),
        }
    }

    /// The message of a failure, with what its author says about the rule.
    fn failure_message(&self, checked: &CheckedResource, answer: &TestAnswer, failure: &Failure) -> Message {
        let about = (self.description(&answer.rule), self.metadata(&answer.rule));
        Message::failure(checked.address(), answer, failure, about)
    }

    /// An answer as a finding.
    pub(super) fn finding<'r>(&'r self, checked: &'r CheckedResource, answer: &'r TestAnswer) -> Finding<'r> {
        let (summary, message) = match &answer.verdict {
            TestVerdict::Fail(failure) => {
                let mut message = self.failure_message(checked, answer, failure);
                message.details.push(self.next_step(checked, answer, failure));
                summary_and_text(&message)
            }
            _ => self.reason(checked, answer),
        };
        Finding {
            kind: FindingKind::Answer(AnswerKind::of(answer)),
            rule: &answer.rule,
            address: checked.address(),
            claim: super::render::claim_at(&answer.place(), &answer.claim),
            summary,
            message,
            resource_location: written(answer).or_else(|| declaration(checked)),
            rule_location: Some(self.location_in_rules(answer.position)),
        }
    }

    /// A contradicted assumption as a finding.
    fn contradiction<'r>(
        &'r self,
        checked: &'r CheckedResource,
        one: &ContradictedAssumption,
    ) -> Finding<'r> {
        let (summary, message) = summary_and_text(&Message::contradiction(one));
        Finding {
            kind: FindingKind::Contradicted,
            rule: "assumption",
            address: checked.address(),
            claim: one.path.to_string(),
            summary,
            message,
            resource_location: declaration(checked),
            rule_location: one.position.map(|position| self.location_in_rules(position)),
        }
    }

    /// The location of a position in the rules files.
    fn location_in_rules(&self, position: Position) -> Location {
        let number = |number: usize| u32::try_from(number).ok();
        Location {
            file: self.rules.file(position).name().to_owned(),
            line: number(position.line),
            column: number(position.column),
        }
    }
}

/// The summary of a message, and its details with the values.
fn summary_and_text(message: &Message) -> (String, String) {
    let mut lines = message.details.clone();
    lines.extend(message.values.iter().cloned());
    (message.summary.clone(), lines.join("\n"))
}

/// The line of the configuration that a failing value is written in; `None` if the answer is no failure, or the line is not
/// known.
fn written(answer: &TestAnswer) -> Option<Location> {
    let TestVerdict::Fail(failure) = &answer.verdict else { return None };
    let written = failure.source_line.as_ref()?;
    Some(Location { file: written.file.clone(), line: u32::try_from(written.line).ok(), column: None })
}

/// The place of the block that declares a resource, from text such as `main.tf:12`; `None` if it is not known.
fn declaration(checked: &CheckedResource) -> Option<Location> {
    let text = checked.declared.as_deref()?;
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (file, line.parse().ok()),
        None => (text, None),
    };
    Some(Location { file: file.to_owned(), line, column: None })
}
