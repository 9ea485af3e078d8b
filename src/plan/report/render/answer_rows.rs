//! The answers on a resource, a row each.

use super::message::placed;
use super::terminal::Out;
use super::{few, word};
use crate::plan::checking::replacement::{ForcedBy, Replacement};
use crate::plan::report::{PlanReport, Side, TestAnswer, TestVerdict};
use crate::rule::Replaces;

impl PlanReport {
    /// Whether the change replaces the object, and what forces that.
    pub(super) fn replacement(&self, out: &mut Out, replacement: &Replacement) {
        let forced_by = |forced_by: &ForcedBy| {
            let ForcedBy { what, is_certain, position } = forced_by;
            let stated = position.map(|position| format!(" ({})", self.line(position)));
            let certainty = if *is_certain { "" } else { ", and may turn out as it was" };
            format!("{what} forces replacement{}{certainty}", stated.unwrap_or_default())
        };
        let mut reasons: Vec<String> = replacement.forced_by.iter().map(forced_by).collect();
        if let Replaces::No = replacement.answer {
            reasons.push("nothing changes that forces replacement".to_owned());
        }
        let mut word = match replacement.answer {
            Replaces::Yes => "certain",
            Replaces::No => "no",
            Replaces::Maybe(_) => "possible",
        };
        for reason in &reasons {
            out.word("    ", if word.is_empty() { "" } else { "replacement" }, 14);
            out.line_of(format_args!("{word:<18} {reason}"));
            word = "";
        }
        if !replacement.depends_on.is_empty() {
            detail(out, "depends on", &few(&replacement.depends_on));
        }
    }

    pub(super) fn row(&self, out: &mut Out, answer: &TestAnswer) {
        out.word("    ", word(answer), 14);
        out.part(format_args!("{:<18} {}", answer.rule, self.said(answer)));
        // The row of a skip names the line of the skip.
        if !matches!(answer.verdict, TestVerdict::Skipped(..)) {
            out.dim(&format!("    # {}", self.line(answer.position)));
        }
        out.line("");
        let TestVerdict::Undetermined(reason) = &answer.verdict else { return };
        detail(out, "depends on", &few(&reason.depends_on));
        for note in reason.why.notes() {
            detail(out, "known so far", &note);
        }
        detail(out, "passes if", &reason.why.passes_if());
    }

    /// What is asked, and where; or why nothing is.
    pub(super) fn said(&self, answer: &TestAnswer) -> String {
        let claim = placed(&answer.place(), &answer.claim);
        match &answer.verdict {
            TestVerdict::Skipped(reason, position) => format!("{}, {reason}", self.line(*position)),
            TestVerdict::NotApplicable(why) => why.clone(),
            _ if answer.is_null => format!("{claim} (null: not set)"),
            _ if answer.side == Side::Prior && !claim.is_empty() => format!("{claim} (before)"),
            _ => claim,
        }
    }
}

/// The rules that were not asked about what is destroyed.
pub(super) fn unasked(out: &mut Out, rules: &[String]) {
    if rules.is_empty() {
        return;
    }
    let noun = super::plural(rules.len(), "rule");
    out.dim(&format!("    # not asked, as they are about what is planned: {noun} {}", few(rules)));
    out.line("");
}

fn detail(out: &mut Out, name: &str, text: &str) {
    if !text.is_empty() {
        out.dim(&format!("                  {name:<18} "));
        out.line(text);
    }
}
