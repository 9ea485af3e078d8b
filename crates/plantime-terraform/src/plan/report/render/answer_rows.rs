//! The answers on a resource, a row each.

use super::message::claim_at;
use super::terminal::{Markup, TerminalText};
use super::{answer_word, first_few};
use crate::plan::checking::replacement::{ForcedBy, Replacement};
use crate::plan::report::reference::line_reference;
use crate::plan::report::{PlanReport, Side, TestAnswer, TestVerdict};
use crate::plan::{Action, ResourceChange};
use plantime::rule::Replaces;

impl PlanReport {
    /// Writes the answer whether the change replaces the object (yes, no or maybe), and what forces that.
    pub(super) fn write_replacement(&self, out: &mut TerminalText, replacement: &Replacement) {
        let forced_by = |forced_by: &ForcedBy| {
            let ForcedBy { what, is_certain, is_unchanged, position } = forced_by;
            let stated = position.map(|position| format!(" ({})", self.rule_location(position)));
            let certainty = match (is_certain, is_unchanged) {
                (true, _) => "",
                (false, true) => ", as the plan says, though the planned value is the one before",
                (false, false) => ", and may turn out as it was",
            };
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
            write_detail(out, "depends on", &first_few(&replacement.depends_on));
        }
    }

    /// Writes an answer in one row; an undetermined one with what it depends on.
    pub(super) fn write_answer_row(&self, out: &mut TerminalText, answer: &TestAnswer) {
        out.word("    ", answer_word(answer), 14);
        match out.markup() {
            // A page wraps its lines, in which columns of blanks would be gaps.
            Markup::Html => out.part(format_args!("{}: {}", answer.rule, self.claim_or_reason(answer))),
            Markup::Terminal(_) => {
                out.part(format_args!("{:<18} {}", answer.rule, self.claim_or_reason(answer)))
            }
        }
        // The row of a skip names the line of the skip.
        if !matches!(answer.verdict, TestVerdict::Skipped(..)) {
            let position = answer.position;
            let reference = line_reference(self.rules.file(position).name(), position.line);
            out.dim_link("    # ", &self.rule_location(position), &reference);
        }
        out.line("");
        let TestVerdict::Undetermined(reason) = &answer.verdict else { return };
        write_detail(out, "depends on", &first_few(&reason.depends_on));
        for note in reason.why.notes() {
            write_detail(out, "known so far", &note);
        }
        write_detail(out, "passes if", &reason.passes_if());
    }

    /// The claim of an answer after its place; for a skipped one the reason why nothing was tested.
    pub(in crate::plan::report) fn claim_or_reason(&self, answer: &TestAnswer) -> String {
        let claim = claim_at(&answer.place(), &answer.claim);
        match &answer.verdict {
            TestVerdict::Skipped(skip) => {
                let until = skip.until.map_or_else(String::new, |day| format!(" (until {day})"));
                format!("{}, {}{until}", self.rule_location(skip.position), skip.reason)
            }
            TestVerdict::NotApplicable(why) => why.to_string(),
            _ if answer.is_null => format!("{claim} (null: not set)"),
            _ if answer.side == Side::Prior && !claim.is_empty() => format!("{claim} (before)"),
            _ => claim,
        }
    }
}

/// Writes the names of the rules that were not evaluated because they are about what the plan does not have.
pub(super) fn write_unasked_rules(out: &mut TerminalText, rules: &[String], change: Option<&ResourceChange>) {
    if rules.is_empty() {
        return;
    }
    let noun = super::plural(rules.len(), "rule");
    let is_gone = change.is_some_and(|change| change.change.after.is_none());
    let is_configured = change.is_some_and(|change| change.change.has_action(&Action::Configured));
    let what = match (is_configured, is_gone) {
        (true, _) => "changes",
        (_, true) => "is planned",
        _ => "the plan does not have",
    };
    let about = if is_configured { "they are about" } else { "they are about what" };
    out.dim(&format!("    # not asked, as {about} {what}: {noun} {}", rules.join(", ")));
    out.line("");
}

/// Writes a named detail on a line below the row of an answer; nothing if it is empty.
fn write_detail(out: &mut TerminalText, name: &str, text: &str) {
    if !text.is_empty() {
        out.dim(&format!("                  {name:<18} "));
        out.line(text);
    }
}
