//! Draws strings, numbers, JSON text and values that are not known yet.

use super::{Knowledge, Look, Painter};
use crate::plan::picture::change_node::{Act, ChangeNode, Shape};
use crate::plan::picture::sheet::Ink;
use crate::plan::picture::subsequence::common_subsequence;
use crate::refinement::{Nullness, Range};
use crate::text::QuotedInMessage;
use crate::value::{Value, View};

/// The string that a value is.
fn string(value: Option<&Value>) -> Option<&str> {
    match value.map(crate::value::view_below_marks) {
        Some(View::String(text)) => Some(text),
        _ => None,
    }
}

/// Whether a value is a string of several lines.
fn has_lines(value: Option<&Value>) -> bool {
    string(value).is_some_and(|text| text.contains('\n'))
}

impl Painter<'_> {
    /// Draws a string, number, bool or null.
    pub(super) fn draw_scalar(
        &mut self,
        node: &ChangeNode,
        before: Option<&Value>,
        after: Option<&Value>,
        indent: usize,
        look: Look,
    ) {
        if (has_lines(before) || has_lines(after)) && self.draw_lines(node, before, after, indent, look) {
            return;
        }
        if let (Act::Update, Some(before)) = (node.act, before) {
            self.draw_plain(before);
            self.arrow();
        }
        match after.or(before) {
            Some(value) => self.draw_plain(value),
            None => self.sheet.put(Ink::Grey, "null"),
        }
        self.draw_end(node, look);
    }

    /// Draws a string, number, bool or null on the line.
    fn draw_plain(&mut self, value: &Value) {
        match value.view() {
            View::Null(_) => self.sheet.put(Ink::Grey, "null"),
            View::String(text) => {
                let quoted = QuotedInMessage(text).to_string();
                match self.knowledge {
                    Knowledge::Nothing => self.sheet.plain(&quoted),
                    // What looks like a template is none.
                    _ => self.sheet.plain(&quoted.replace("${", "$${").replace("%{", "%%{")),
                }
            }
            _ => self.sheet.plain(&value.to_string()),
        }
    }

    /// Draws a string of several lines, with those marked that change. Returns false where a side is another value, which
    /// is drawn on the line.
    fn draw_lines(
        &mut self,
        node: &ChangeNode,
        before: Option<&Value>,
        after: Option<&Value>,
        indent: usize,
        look: Look,
    ) -> bool {
        let lines = |value: Option<&Value>| -> Option<Vec<String>> {
            match value.map(crate::value::view_below_marks) {
                None | Some(View::Null(_)) => Some(Vec::new()),
                Some(View::String(text)) => Some(text.trim().split('\n').map(str::to_owned).collect()),
                _ => None,
            }
        };
        let (Some(old), Some(new)) = (lines(before), lines(after)) else { return false };
        self.sheet.plain("<<-EOT");
        self.draw_forces(node, look);
        self.sheet.end_line();
        let below = indent.saturating_add(1);
        let mut line = |act: Act, text: &str| {
            self.begin(act, below);
            self.sheet.plain(text);
            self.sheet.end_line();
        };
        if node.act == Act::Update {
            let mut numbers = std::collections::HashMap::new();
            let mut number = |text: &str| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                *numbers.entry(text.to_owned()).or_insert(next)
            };
            let before: Vec<u32> = old.iter().map(|text| number(text)).collect();
            let after: Vec<u32> = new.iter().map(|text| number(text)).collect();
            let (mut i, mut j) = (0usize, 0usize);
            let common = common_subsequence(&before, &after).into_iter();
            for (next_i, next_j) in common.chain([(old.len(), new.len())]) {
                old.get(i..next_i).unwrap_or_default().iter().for_each(|text| line(Act::Delete, text));
                new.get(j..next_j).unwrap_or_default().iter().for_each(|text| line(Act::Create, text));
                old.get(next_i).into_iter().for_each(|text| line(Act::Same, text));
                (i, j) = (next_i.saturating_add(1), next_j.saturating_add(1));
            }
        } else {
            let shown = if after.is_some() { new } else { old };
            shown.iter().for_each(|text| line(Act::Same, text));
        }
        self.close(node, "EOT", indent, look);
        true
    }

    /// Draws a string that is JSON as the change of the values in it.
    pub(super) fn draw_json(
        &mut self,
        node: &ChangeNode,
        content: &ChangeNode,
        only_white_space: bool,
        indent: usize,
        look: Look,
    ) {
        self.sheet.plain("jsonencode(");
        let look_inside = Look { hides_null: true, forces: false, ..look };
        let forces = node.forces_replacement || look.forces;
        let is_empty = match &content.shape {
            Shape::Entries(entries) => entries.entries.is_empty(),
            Shape::Elements(elements) => elements.elements.is_empty(),
            _ => true,
        };
        if is_empty {
            self.draw_value(content, indent, look_inside);
            self.sheet.plain(")");
            if only_white_space {
                self.draw_white_space(forces);
            } else {
                self.draw_forces(node, look);
            }
            return self.draw_null(node, look);
        }
        if only_white_space {
            self.draw_white_space(forces);
        }
        self.sheet.end_line();
        let below = indent.saturating_add(1);
        // What is new or goes says so in front of the name.
        self.begin(if node.act == Act::Update { Act::Update } else { Act::Same }, below);
        self.draw_value(content, below, look_inside);
        if !only_white_space {
            self.draw_forces(node, look);
        }
        self.sheet.end_line();
        self.close(node, ")", indent, look);
    }

    /// Draws that nothing but white space changes in JSON.
    fn draw_white_space(&mut self, forces: bool) {
        let note = if forces { " # whitespace changes force replacement" } else { " # whitespace changes" };
        self.sheet.put(Ink::Grey, note);
    }

    /// Draws a value that is not known yet.
    pub(super) fn draw_unknown(
        &mut self,
        node: &ChangeNode,
        before: Option<&ChangeNode>,
        after: &Value,
        indent: usize,
        look: Look,
    ) {
        if let Some(before) = before {
            self.draw_value(before, indent, Look { hides_null: true, forces: false, ..look });
            self.arrow();
        }
        let text = self.unknown_text(after);
        self.sheet.plain(&text);
        self.draw_forces(node, look);
    }

    /// What is said of a value that is not known yet.
    fn unknown_text(&self, value: &Value) -> String {
        const PLAIN: &str = "(known after apply)";
        let Some((_, refinement)) = value.as_unknown() else { return PLAIN.to_owned() };
        let is_not_null = refinement.nullness() == Nullness::NotNull;
        match self.knowledge {
            Knowledge::Nothing => PLAIN.to_owned(),
            Knowledge::Helpful => value.to_string(),
            Knowledge::Everything if *refinement.range() == Range::Any && !is_not_null => PLAIN.to_owned(),
            Knowledge::Everything => format!("(known after apply, {})", refinement.describe()),
        }
    }
}
