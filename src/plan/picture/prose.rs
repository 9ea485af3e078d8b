//! The sentences of a plan: around what changed outside, before and behind the planned changes.

use super::sheet::Ink;
use super::{Counts, Easel, Knowledge, LEGEND};
use crate::plan::Action;

impl Easel<'_, '_> {
    /// Draws a paragraph, broken where it is too wide.
    fn paragraph(&mut self, text: &str) {
        let mut column = 0usize;
        for word in text.split(' ') {
            let length = word.chars().count();
            if column > 0 && column.saturating_add(1).saturating_add(length) > self.columns {
                self.painter.sheet.end_line();
                column = 0;
            }
            if column > 0 {
                self.painter.sheet.plain(" ");
                column = column.saturating_add(1);
            }
            self.painter.sheet.plain(word);
            column = column.saturating_add(length);
        }
        self.painter.sheet.end_line();
    }

    /// Draws a bold line of its own.
    fn headline(&mut self, text: &str) {
        self.painter.sheet.put(Ink::Bold, text);
        self.painter.sheet.end_line();
    }

    /// Draws what the plan leaves out of the configuration, where Terraform's own text is not asked for.
    pub(super) fn draw_gaps(&mut self) {
        if self.painter.knowledge == Knowledge::Nothing {
            return;
        }
        for gap in self.plan.gaps() {
            self.painter.sheet.end_line();
            self.painter.sheet.put(Ink::Yellow, "!");
            self.painter.sheet.plain(" ");
            self.painter.sheet.put(Ink::Bold, &gap.to_string());
            self.painter.sheet.end_line();
        }
    }

    /// Draws what stands above the resources that changed outside.
    pub(super) fn draw_drift_head(&mut self) {
        let name = self.program.name();
        let command = name.to_lowercase().replace("opentofu", "tofu");
        self.painter.sheet.end_line();
        self.headline(&format!("Note: Objects have changed outside of {name}"));
        self.painter.sheet.end_line();
        self.paragraph(&format!(
            "{name} detected the following changes made outside of {name} since the last \"{command} apply\" which may \
             have affected this plan:"
        ));
    }

    /// Draws what stands below them, and the line before the planned changes.
    pub(super) fn draw_drift_foot(&mut self, has_changes: bool) {
        let name = self.program.name();
        self.painter.sheet.end_line();
        if !has_changes {
            self.paragraph(&format!(
                "This is a refresh-only plan, so {name} will not take any actions to undo these. If you were expecting \
                 these changes then you can apply this plan to record the updated values in the {name} state without \
                 changing any remote objects."
            ));
            return;
        }
        self.paragraph(
            "Unless you have made equivalent changes to your configuration, or ignored the relevant attributes using \
             ignore_changes, the following plan may include actions to undo or respond to these changes.",
        );
        self.painter.sheet.end_line();
        let line = "\u{2500}".repeat(self.columns);
        self.painter.sheet.put(Ink::Grey, &line);
        self.painter.sheet.end_line();
    }

    /// Draws what stands above the planned changes: the symbols that occur, and whether planning ended with an error.
    pub(super) fn draw_head(&mut self, actions: &[&[Action]]) {
        let name = self.program.name();
        self.painter.sheet.end_line();
        let legend: Vec<_> = LEGEND.iter().filter(|(shown, ..)| actions.contains(shown)).collect();
        if !legend.is_empty() {
            self.paragraph(&format!(
                "{name} used the selected providers to generate the following execution plan. Resource actions are \
                 indicated with the following symbols:"
            ));
            for (_, indent, ink, text) in legend {
                let (symbol, words) = text.split_once(' ').unwrap_or((text, ""));
                self.painter.sheet.plain(indent);
                self.painter.sheet.put(*ink, symbol);
                self.painter.sheet.plain(&format!(" {words}"));
                self.painter.sheet.end_line();
            }
            self.painter.sheet.end_line();
        }
        self.paragraph(&match self.plan.errored {
            Some(true) => format!("{name} planned the following actions, but then encountered a problem:"),
            _ => format!("{name} will perform the following actions:"),
        });
    }

    /// Draws the totals.
    pub(super) fn draw_counts(&mut self, counts: &Counts) {
        self.painter.sheet.end_line();
        self.painter.sheet.put(Ink::Bold, "Plan:");
        self.draw_totals(counts);
        self.painter.sheet.end_line();
    }

    /// Draws the numbers of the totals.
    pub(super) fn draw_totals(&mut self, counts: &Counts) {
        let import = if counts.import > 0 { format!("{} to import, ", counts.import) } else { String::new() };
        let forget = match self.program {
            super::Program::OpenTofu if counts.forget > 0 => format!(", {} to forget", counts.forget),
            _ => String::new(),
        };
        self.painter.sheet.plain(&format!(
            " {import}{} to add, {} to change, {} to destroy{forget}.",
            counts.add, counts.change, counts.destroy
        ));
    }

    /// Draws what to do with a plan that changes outputs only.
    pub(super) fn draw_only_outputs(&mut self) {
        let name = self.program.name();
        self.painter.sheet.end_line();
        self.paragraph(&format!(
            "You can apply this plan to save these new output values to the {name} state, without changing any real \
             infrastructure."
        ));
    }

    /// Draws that nothing changes, or that planning failed.
    pub(super) fn draw_no_changes(&mut self, has_drift: bool) {
        let name = self.program.name();
        self.painter.sheet.end_line();
        if self.plan.errored == Some(true) {
            self.painter.sheet.put(Ink::Red, "Planning failed.");
            self.painter
                .sheet
                .put(Ink::Bold, &format!(" {name} encountered an error while generating this plan."));
            self.painter.sheet.end_line();
            self.painter.sheet.end_line();
            return;
        }
        if has_drift {
            return;
        }
        self.painter.sheet.put(Ink::Green, "No changes.");
        self.painter.sheet.put(Ink::Bold, " Your infrastructure matches the configuration.");
        self.painter.sheet.end_line();
        self.painter.sheet.end_line();
        self.paragraph(&format!(
            "{name} has compared your real infrastructure against your configuration and found no differences, so no \
             changes are needed."
        ));
    }
}
