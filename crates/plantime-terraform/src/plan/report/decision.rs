//! What a reader of a report decides by: the verdict, how each rule was answered, what fails with what to change, and what is open,
//! grouped by the unknown values that it waits for. The page and the Markdown begin with it.

use std::collections::BTreeMap;

use super::finding::Location;
use super::render::{AnswerKind, plural};
use super::{CheckedResource, Failure, PlanReport, Reason, Side, TestAnswer, TestVerdict, Totals};
use crate::plan::words;

/// The verdict on a plan, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// Every rule was asked and passes.
    Pass,
    /// Nothing fails, and something is open.
    Open,
    /// Something fails the run.
    Fail,
}

impl Verdict {
    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Open => "open",
            Verdict::Fail => "fail",
        }
    }
}

/// How often a rule was answered in each way, in the order of [`AnswerKind::NAMES`].
pub(super) struct RuleAnswers<'r> {
    pub(super) name: &'r str,
    pub(super) counts: BTreeMap<AnswerKind, usize>,
    /// The number of the first resource with its most important answer, if that is no pass.
    pub(super) first: Option<usize>,
}

/// A failure with what to do about it.
pub(super) struct FailureEntry<'r> {
    /// The number of the resource in the report.
    pub(super) number: usize,
    pub(super) checked: &'r CheckedResource,
    pub(super) answer: &'r TestAnswer,
    pub(super) failure: &'r Failure,
}

/// The undetermined answers that wait for one unknown value.
pub(super) struct OpenGroup<'r> {
    /// The unknown value; empty for answers that name none.
    pub(super) unknown: &'r str,
    pub(super) answers: Vec<(usize, &'r CheckedResource, &'r TestAnswer, &'r Reason)>,
}

impl PlanReport {
    /// The verdict.
    pub(super) fn verdict(&self) -> Verdict {
        let totals = self.totals();
        if totals.failed() || self.gaps.iter().any(|gap| self.is_failure(*gap)) {
            return Verdict::Fail;
        }
        let is_asked = self.checked.iter().any(|checked| !checked.answers.is_empty());
        let is_open = totals.undetermined > 0 || self.not_asked().next().is_some() || !is_asked;
        if is_open { Verdict::Open } else { Verdict::Pass }
    }

    /// The counts behind the verdict: `1 failure, 2 open, 8 pass`.
    pub(super) fn verdict_counts(&self) -> String {
        let Totals { pass, fail, warned, skipped, contradicted, expired, known, .. } = self.totals();
        let not_asked = self.not_asked().count();
        let mut parts = vec![format!("{fail} {}", plural(fail, "failure"))];
        let open = self.undetermined_answers();
        for (count, what) in [
            (contradicted, plural(contradicted, "contradicted assumption")),
            (expired, plural(expired, "expired skip")),
            (warned, plural(warned, "warning")),
            (known, "known".to_owned()),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        parts.push(format!("{open} open"));
        parts.push(format!("{pass} pass"));
        for (count, what) in [(skipped, "skipped"), (not_asked, "not asked")] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        if !self.gaps.is_empty() {
            parts.push("the plan is not whole".to_owned());
        }
        parts.join(", ")
    }

    /// How each rule with an answer was answered, in the order of the rules files.
    pub(super) fn rule_answers(&self) -> Vec<RuleAnswers<'_>> {
        let mut rules: BTreeMap<&str, (RuleAnswers<'_>, AnswerKind)> = BTreeMap::new();
        for (number, checked) in self.checked.iter().enumerate() {
            for answer in &checked.answers {
                let kind = AnswerKind::of(answer);
                let (rule, worst) = rules.entry(&answer.rule).or_insert_with(|| {
                    let rule = RuleAnswers { name: &answer.rule, counts: BTreeMap::new(), first: None };
                    (rule, AnswerKind::Pass)
                });
                let count = rule.counts.entry(kind).or_default();
                *count = count.saturating_add(1);
                if importance(kind) > importance(*worst) {
                    (*worst, rule.first) = (kind, Some(number));
                }
            }
        }
        let mut rules: Vec<RuleAnswers<'_>> = rules.into_values().map(|(rule, _)| rule).collect();
        rules.sort_by_key(|rule| self.rule_summary(rule.name).map(|summary| summary.position));
        rules
    }

    /// The failures that fail the run, then the others; not those that a baseline knows.
    pub(super) fn failure_entries(&self) -> Vec<FailureEntry<'_>> {
        let mut entries = Vec::new();
        for wanted in [AnswerKind::Fail, AnswerKind::Warning] {
            for (number, checked) in self.checked.iter().enumerate() {
                let answers = checked.answers.iter().filter(|answer| AnswerKind::of(answer) == wanted);
                for answer in answers {
                    if let TestVerdict::Fail(failure) = &answer.verdict {
                        entries.push(FailureEntry { number, checked, answer, failure });
                    }
                }
            }
        }
        entries
    }

    /// The undetermined answers by the unknown values that they wait for, those with the most answers first.
    pub(super) fn open_groups(&self) -> Vec<OpenGroup<'_>> {
        let mut groups: BTreeMap<&str, OpenGroup<'_>> = BTreeMap::new();
        for (number, checked) in self.checked.iter().enumerate() {
            for answer in &checked.answers {
                let TestVerdict::Undetermined(reason) = &answer.verdict else { continue };
                let named = reason.depends_on.iter().map(String::as_str);
                for unknown in named.chain(reason.depends_on.is_empty().then_some("")) {
                    let group =
                        groups.entry(unknown).or_insert_with(|| OpenGroup { unknown, answers: Vec::new() });
                    group.answers.push((number, checked, answer, reason));
                }
            }
        }
        let mut groups: Vec<OpenGroup<'_>> = groups.into_values().collect();
        groups.sort_by_key(|group| (std::cmp::Reverse(group.answers.len()), group.unknown));
        groups
    }

    /// What to do about a failure: the line to change, and what would pass.
    pub(super) fn next_step(
        &self,
        checked: &CheckedResource,
        answer: &TestAnswer,
        failure: &Failure,
    ) -> String {
        let claim = super::render::claim_at(&answer.place(), &answer.claim);
        let skip = "a `skip` with a reason and `until` makes an exception";
        if failure.is_denial {
            let change = checked.change().map_or_else(|| "change it".to_owned(), words::action_in_words);
            if checked.is_drifted {
                let block =
                    checked.declared.as_ref().map_or_else(String::new, |block| format!(" at {block}"));
                return format!(
                    "Next: it was changed outside of the configuration, and the plan would {change}; write what it is now into the \
                     configuration{block} or change it back, or {skip}."
                );
            }
            return match &checked.declared {
                Some(place) => format!("Next: the plan would {change}; undo that at {place}, or {skip}."),
                None => format!("Next: the plan would {change}; undo that, or {skip}."),
            };
        }
        if answer.side == Side::Prior {
            return format!("Next: keep the object, whose value before the change is tested, or {skip}.");
        }
        let place = match (&failure.source_line, &checked.declared) {
            (Some(line), _) => format!("change {}:{}", line.file, line.line),
            (None, Some(block)) => format!("change the block at {block}"),
            (None, None) if checked.address() == "plan" => "change what decides it".to_owned(),
            (None, None) => {
                format!("change the configuration of {} (--config DIR names the line)", checked.address())
            }
        };
        match claim.is_empty() {
            true => format!("Next: {place}."),
            false => format!("Next: {place}. Passes if: {claim}."),
        }
    }

    /// Where a failure is: the line of the value, else the block, else the rule.
    pub(super) fn failure_place(&self, checked: &CheckedResource, answer: &TestAnswer) -> Option<Location> {
        self.finding(checked, answer).primary_location().cloned()
    }
}

/// The place of a kind of answer among those that a rule or a resource is shown by.
fn importance(kind: AnswerKind) -> u8 {
    match kind {
        AnswerKind::Fail => 5,
        AnswerKind::Warning => 4,
        AnswerKind::Known => 3,
        AnswerKind::Undetermined => 2,
        AnswerKind::Skipped => 1,
        AnswerKind::Pass => 0,
    }
}
