//! Writes the sentences around the resources: headings, legend, totals, notes.

use super::styled_text::Style;
use super::{Counts, LEGEND, PlanWriter, UnknownDetail};
use crate::plan::{Action, PlanMode};

impl PlanWriter<'_, '_> {
    /// Writes a paragraph, broken before the last column of the style's width, as Terraform does.
    fn paragraph(&mut self, text: &str) {
        let most = self.columns.saturating_sub(1);
        let mut column = 0usize;
        for word in text.split(' ') {
            let length = word.chars().count();
            if column > 0 && column.saturating_add(1).saturating_add(length) > most {
                self.writer.output.end_line();
                column = 0;
            }
            if column > 0 {
                self.writer.output.plain(" ");
                column = column.saturating_add(1);
            }
            self.writer.output.plain(word);
            column = column.saturating_add(length);
        }
        self.writer.output.end_line();
    }

    /// Writes a line in bold.
    fn headline(&mut self, text: &str) {
        self.writer.output.styled(Style::Bold, text);
        self.writer.output.end_line();
    }

    /// Writes that the plan is errored, incomplete or has deferred changes; Terraform's own text does not have these lines.
    pub(super) fn write_gaps(&mut self) {
        if self.writer.unknown_detail == UnknownDetail::Omitted {
            return;
        }
        for gap in self.plan.gaps() {
            self.writer.output.end_line();
            self.writer.output.styled(Style::Yellow, "!");
            self.writer.output.plain(" ");
            self.writer.output.styled(Style::Bold, &gap.to_string());
            self.writer.output.end_line();
        }
    }

    /// Writes the heading of the changes made outside of Terraform.
    pub(super) fn write_drift_head(&mut self) {
        let name = self.program.name();
        let command = name.to_lowercase().replace("opentofu", "tofu");
        self.writer.output.end_line();
        self.headline(&format!("Note: Objects have changed outside of {name}"));
        self.writer.output.end_line();
        self.paragraph(&format!(
            "{name} detected the following changes made outside of {name} since the last \"{command} apply\" which may \
             have affected this plan:"
        ));
    }

    /// Writes the note below the changes made outside, and the rule before the planned changes.
    pub(super) fn write_drift_foot(&mut self, has_changes: bool) {
        let name = self.program.name();
        self.writer.output.end_line();
        if !has_changes || self.plan.options.mode == Some(PlanMode::RefreshOnly) {
            let what = match (self.plan.options.mode, self.plan.applyable) {
                (Some(PlanMode::RefreshOnly), _) | (None, Some(true)) => "This is a refresh-only plan, so",
                // Nothing follows these changes, and `write_no_changes` says so.
                (Some(_), _) | (None, Some(false)) => return,
                // Older plans do not say whether they can be applied, so the mode is not known.
                (None, None) => "If this is a refresh-only plan,",
            };
            self.writer.output.end_line();
            self.paragraph(&format!(
                "{what} {name} will not take any actions to undo these. If you were expecting these changes then you can \
                 apply this plan to record the updated values in the {name} state without changing any remote objects."
            ));
        } else {
            self.writer.output.end_line();
            self.paragraph(
                "Unless you have made equivalent changes to your configuration, or ignored the relevant attributes using \
                 ignore_changes, the following plan may include actions to undo or respond to these changes.",
            );
        }
        if has_changes {
            self.writer.output.end_line();
            let line = "\u{2500}".repeat(self.columns.saturating_sub(1));
            self.writer.output.styled(Style::Grey, &line);
            self.writer.output.end_line();
        }
    }

    /// Writes the heading of the planned changes: the legend of the symbols that occur, and whether planning failed.
    pub(super) fn write_head(&mut self, actions: &[&[Action]]) {
        let name = self.program.name();
        self.writer.output.end_line();
        let legend: Vec<_> = LEGEND.iter().filter(|(shown, ..)| actions.contains(shown)).collect();
        if !legend.is_empty() {
            self.paragraph(&format!(
                "{name} used the selected providers to generate the following execution plan. Resource actions are \
                 indicated with the following symbols:"
            ));
            for (_, indent, style, text) in legend {
                let (symbol, words) = text.split_once(' ').unwrap_or((text, ""));
                self.writer.output.plain(indent);
                self.writer.output.styled(*style, symbol);
                self.writer.output.plain(&format!(" {words}"));
                self.writer.output.end_line();
            }
            self.writer.output.end_line();
        }
        self.paragraph(&match self.plan.errored {
            Some(true) => format!("{name} planned the following actions, but then encountered a problem:"),
            _ => format!("{name} will perform the following actions:"),
        });
    }

    /// Writes the line with the totals.
    pub(super) fn write_counts(&mut self, counts: &Counts) {
        self.writer.output.end_line();
        self.writer.output.styled(Style::Bold, "Plan:");
        self.write_totals(counts);
        self.writer.output.end_line();
    }

    /// Writes the totals: ` 1 to add, 0 to change, 2 to destroy.`
    pub(super) fn write_totals(&mut self, counts: &Counts) {
        let import = if counts.import > 0 { format!("{} to import, ", counts.import) } else { String::new() };
        let forget = match self.program {
            super::Program::OpenTofu if counts.forget > 0 => format!(", {} to forget", counts.forget),
            _ => String::new(),
        };
        self.writer.output.plain(&format!(
            " {import}{} to add, {} to change, {} to destroy{forget}.",
            counts.add, counts.change, counts.destroy
        ));
    }

    /// Writes the note on a plan that changes only outputs.
    pub(super) fn write_only_outputs(&mut self) {
        let name = self.program.name();
        self.writer.output.end_line();
        self.paragraph(&format!(
            "You can apply this plan to save these new output values to the {name} state, without changing any real \
             infrastructure."
        ));
    }

    /// Writes that nothing changes, or that planning failed.
    pub(super) fn write_no_changes(&mut self, has_drift: bool) {
        let name = self.program.name();
        let says_so_above = match self.plan.options.mode {
            Some(mode) => mode == PlanMode::RefreshOnly,
            None => self.plan.applyable != Some(false),
        };
        if has_drift && says_so_above && self.plan.errored != Some(true) {
            return;
        }
        self.writer.output.end_line();
        if self.plan.errored == Some(true) {
            self.writer.output.styled(Style::Red, "Planning failed.");
            self.writer
                .output
                .styled(Style::Bold, &format!(" {name} encountered an error while generating this plan."));
            self.writer.output.end_line();
            self.writer.output.end_line();
            return;
        }
        // A plan in JSON does not say what it is for.
        let (headline, text) = match self.plan.options.mode {
            Some(PlanMode::Destroy) => (
                "No objects need to be destroyed.",
                format!(
                    "Either you have not created any objects yet or the existing objects were already deleted outside \
                     of {name}."
                ),
            ),
            Some(PlanMode::RefreshOnly) => (
                "Your infrastructure still matches the configuration.",
                format!(
                    "{name} has checked that the real remote objects still match the result of your most recent \
                     changes, and found no differences."
                ),
            ),
            Some(PlanMode::Normal) | None => (
                "Your infrastructure matches the configuration.",
                format!(
                    "{name} has compared your real infrastructure against your configuration and found no \
                     differences, so no changes are needed."
                ),
            ),
        };
        self.writer.output.styled(Style::Green, "No changes.");
        self.writer.output.styled(Style::Bold, &format!(" {headline}"));
        self.writer.output.end_line();
        self.writer.output.end_line();
        self.paragraph(&text);
    }
}
