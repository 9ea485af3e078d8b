//! Sums up several reports.

use std::collections::{BTreeMap, BTreeSet};

use super::render::{plural, printable};
use super::{PlanReport, Totals};
use crate::plan::read::gap::Gap;
use plantime::source::Problem;
use plantime::unstable::text::in_one_line;

/// The totals of several reports, as the last lines of the output. Keeps none of the reports.
///
/// ```
/// use plantime_terraform::plan::Summary;
///
/// let nothing = Summary::default();
/// assert_eq!(nothing.text(0.5), "Checks: 0 pass, 0 fail, 0 undetermined, 0 skipped. 0 resources in 0 plans, 0.50 s.\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    totals: Totals,
    plans: usize,
    resources: usize,
    unknown: usize,
    answered: usize,
    undetermined_answers: usize,
    /// Whether planning ended with an error for any of the plans.
    is_errored: bool,
    /// The number of rules and skips that matched nothing, over all plans.
    unmatched: usize,
    /// The unknown values that undetermined rules of a single plan depend on, with the number of rules; empty for several
    /// plans, since the same address in two plans is not the same resource.
    wanted: Vec<(String, usize)>,
    /// The rules about places that a type does not have, each with the first error.
    lacking: BTreeMap<String, Problem>,
    /// The rules that were asked in some plan.
    asked: BTreeSet<String>,
}

impl Summary {
    /// The summary of a single report.
    ///
    /// [Example](Summary)
    pub fn of(report: &PlanReport) -> Summary {
        Summary {
            totals: report.totals(),
            plans: 1,
            resources: report.resources,
            unknown: report.unknown,
            answered: report.answered,
            undetermined_answers: report.undetermined_answers(),
            is_errored: report.gaps.contains(&Gap::Errored),
            unmatched: report.unmatched.len(),
            lacking: report.lacking.iter().cloned().collect(),
            asked: report.asked.clone(),
            wanted: report
                .wanted()
                .into_iter()
                // An `assume` block states facts about attributes of resources.
                .filter(|(name, _)| {
                    !["local.", "var.", "each.", "count."].iter().any(|of| name.starts_with(of))
                })
                .take(3)
                .map(|(name, rules)| (name.to_owned(), rules))
                .collect(),
        }
    }

    /// Adds up two summaries: the result covers the plans of both.
    ///
    /// [Example](Summary)
    #[must_use]
    pub fn and(self, other: Summary) -> Summary {
        let wanted = match (self.plans, other.plans) {
            (_, 0) => self.wanted,
            (0, _) => other.wanted,
            _ => Vec::new(),
        };
        Summary {
            totals: self.totals.and(other.totals),
            plans: self.plans.saturating_add(other.plans),
            resources: self.resources.saturating_add(other.resources),
            unknown: self.unknown.saturating_add(other.unknown),
            answered: self.answered.saturating_add(other.answered),
            undetermined_answers: self.undetermined_answers.saturating_add(other.undetermined_answers),
            is_errored: self.is_errored || other.is_errored,
            unmatched: self.unmatched.saturating_add(other.unmatched),
            wanted,
            // The first error of a rule stays.
            lacking: other.lacking.into_iter().chain(self.lacking).collect(),
            asked: self.asked.into_iter().chain(other.asked).collect(),
        }
    }

    /// How often each kind of answer was given.
    ///
    /// [Example](Summary)
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The number of undetermined answers. Unlike the totals it does not count a plan that is not whole.
    ///
    /// [Example](Summary)
    pub fn undetermined_answers(&self) -> usize {
        self.undetermined_answers
    }

    /// Whether planning one of the plans ended with an error: then resources may be missing from it.
    ///
    /// [Example](Summary)
    pub fn is_errored(&self) -> bool {
        self.is_errored
    }

    /// Whether the check left something open: an undetermined answer, a plan that is not whole, or a rule or skip
    /// that matched nothing in a plan.
    ///
    /// [Example](Summary)
    pub fn is_open(&self) -> bool {
        self.totals.undetermined > 0 || self.unmatched > 0
    }

    /// The number of rules and skips that matched nothing, over all plans.
    ///
    /// [Example](Summary)
    pub fn unmatched(&self) -> usize {
        self.unmatched
    }

    /// The errors of rules about places that the types of every plan lack: probably misspelt. A rule that could be asked of one
    /// plan is not among them.
    ///
    /// [Example](Summary)
    pub fn never_asked(&self) -> impl Iterator<Item = &Problem> {
        self.lacking.iter().filter(|(rule, _)| !self.asked.contains(*rule)).map(|(_, problem)| problem)
    }

    /// The number of reports in the summary.
    ///
    /// [Example](Summary)
    pub fn plans(&self) -> usize {
        self.plans
    }

    /// The lines after all reports. `seconds` is the duration of the check.
    ///
    /// [Example](Summary)
    pub fn text(&self, seconds: f64) -> String {
        let Totals { pass, fail, warned, undetermined, skipped, contradicted, expired, known } = self.totals;
        let mut parts = vec![format!("{pass} pass"), format!("{fail} fail")];
        for (count, what) in
            [(contradicted, "contradicted"), (expired, "expired"), (warned, "warned"), (known, "known")]
        {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        parts.extend([format!("{undetermined} undetermined"), format!("{skipped} skipped")]);
        let (resources, plans, unknown) = (self.resources, self.plans, self.unknown);
        let mut text = format!(
            "Checks: {}. {resources} {} in {plans} {}, {seconds:.2} s.\n",
            parts.join(", "),
            plural(resources, "resource"),
            plural(plans, "plan"),
        );
        if unknown > 0 {
            let answered = self.answered;
            text.push_str(&format!(
                "Of {unknown} unknown {}, {answered} {} now known enough to answer.",
                plural(unknown, "attribute"),
                if answered == 1 { "is" } else { "are" },
            ));
            let wanted = self.wanted.iter();
            let wanted: Vec<String> = wanted
                .map(|(reference, rules)| {
                    format!("{} (decides {rules} {})", in_one_line(reference), plural(*rules, "rule"))
                })
                .collect();
            if !wanted.is_empty() {
                let wanted = wanted.join(", ");
                text.push_str(&format!(
                    " Most wanted: {wanted}: an `assume` block in a rules file states what is known of them."
                ));
            }
            text.push('\n');
        }
        printable(&text)
    }
}

/// The lines after all reports: [`Summary::text`] of their common summary.
///
/// [Example](Summary)
pub fn summary(reports: &[PlanReport], seconds: f64) -> String {
    reports.iter().map(Summary::of).fold(Summary::default(), Summary::and).text(seconds)
}
