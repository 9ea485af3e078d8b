//! Writes strings, numbers, JSON text and unknown values.

use super::{DiffWriter, PartOptions, UnknownDetail};
use crate::plan::rendering::compare::digits_of;
use crate::plan::rendering::diff_node::{DiffAction, DiffKind, DiffNode};
use crate::plan::rendering::string_content;
use crate::plan::rendering::styled_text::Style;
use crate::plan::rendering::subsequence::{are_replaced_in_place, common_subsequence};
use plantime::unstable::text::QuotedInMessage;
use plantime::{Nullness, Range, Value, View};

/// Whether a value is a string with line ends.
pub(super) fn has_lines(value: Option<&Value>) -> bool {
    string_content(value).is_some_and(|text| text.contains('\n'))
}

impl DiffWriter<'_> {
    /// Writes a string, number, bool or null.
    pub(super) fn write_scalar(
        &mut self,
        node: &DiffNode,
        before: Option<&Value>,
        after: Option<&Value>,
        indent: usize,
        options: PartOptions,
    ) {
        if (has_lines(before) || has_lines(after)) && self.write_lines(node, before, after, indent, options) {
            return;
        }
        if let (DiffAction::Update, Some(before)) = (node.action, before) {
            self.write_plain(before);
            self.arrow();
        }
        match after.or(before) {
            Some(value) => self.write_plain(value),
            None => self.output.styled(Style::Grey, "null"),
        }
        self.write_end(node, options);
    }

    /// Writes one scalar without action or line end.
    fn write_plain(&mut self, value: &Value) {
        match value.view() {
            View::Null(_) => self.output.styled(Style::Grey, "null"),
            _ => self.output.plain(&self.scalar_text(value)),
        }
    }

    /// The text of one scalar.
    pub(super) fn scalar_text(&self, value: &Value) -> String {
        match (value.view(), self.unknown_detail) {
            (View::String(text), UnknownDetail::Omitted) => QuotedInMessage(text).to_string(),
            // A literal `${` must not look like an unknown part.
            (View::String(text), _) => {
                QuotedInMessage(text).to_string().replace("${", "$${").replace("%{", "%%{")
            }
            (View::Capsule(capsule), _) => digits_of(&capsule).unwrap_or_default().to_owned(),
            _ => value.to_string(),
        }
    }

    /// Writes a string of several lines as a heredoc, with a symbol at each changed line. Writes nothing and returns false if
    /// one side is neither a string nor null.
    fn write_lines(
        &mut self,
        node: &DiffNode,
        before: Option<&Value>,
        after: Option<&Value>,
        indent: usize,
        options: PartOptions,
    ) -> bool {
        let lines = |value: Option<&Value>| -> Option<Vec<String>> {
            match value.map(Value::view_below_marks) {
                None | Some(View::Null(_)) => Some(Vec::new()),
                // White space around it is left out of a text of several lines only.
                Some(View::String(text)) if text.contains('\n') => {
                    Some(text.trim().split('\n').map(str::to_owned).collect())
                }
                Some(View::String(text)) => Some(vec![text.to_owned()]),
                _ => None,
            }
        };
        let (Some(old), Some(new)) = (lines(before), lines(after)) else { return false };
        self.output.plain("<<-EOT");
        self.write_forces(node, options);
        self.output.end_line();
        let below = indent.saturating_add(1);
        let by_position = self.by_position;
        let mut line = |action: DiffAction, text: &str| {
            self.begin(action, below);
            self.output.plain(text);
            self.output.end_line();
        };
        if node.action == DiffAction::Update {
            let mut numbers = std::collections::HashMap::new();
            let mut number = |text: &str| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                *numbers.entry(text.to_owned()).or_insert(next)
            };
            let before: Vec<u32> = old.iter().map(|text| number(text)).collect();
            let after: Vec<u32> = new.iter().map(|text| number(text)).collect();
            if by_position && are_replaced_in_place(&before, &after) {
                for (old, new) in old.iter().zip(&new) {
                    if old == new {
                        line(DiffAction::Unchanged, old);
                    } else {
                        line(DiffAction::Delete, old);
                        line(DiffAction::Create, new);
                    }
                }
            } else {
                let (mut i, mut j) = (0usize, 0usize);
                let common = common_subsequence(&before, &after).into_iter();
                for (next_i, next_j) in common.chain([(old.len(), new.len())]) {
                    let (gone, added) = (old.get(i..next_i), new.get(j..next_j));
                    gone.unwrap_or_default().iter().for_each(|text| line(DiffAction::Delete, text));
                    added.unwrap_or_default().iter().for_each(|text| line(DiffAction::Create, text));
                    old.get(next_i).into_iter().for_each(|text| line(DiffAction::Unchanged, text));
                    (i, j) = (next_i.saturating_add(1), next_j.saturating_add(1));
                }
            }
        } else {
            let shown = if after.is_some() { new } else { old };
            shown.iter().for_each(|text| line(DiffAction::Unchanged, text));
        }
        self.close(node, "EOT", indent, options);
        true
    }

    /// Writes a JSON string as `jsonencode(...)` of the difference of its parsed values.
    pub(super) fn write_json(
        &mut self,
        node: &DiffNode,
        content: &DiffNode,
        only_white_space: bool,
        indent: usize,
        options: PartOptions,
    ) {
        self.output.plain("jsonencode(");
        let shows_unchanged = options.shows_unchanged || only_white_space;
        let inner_options = PartOptions { hides_null: true, shows_unchanged, forces: false };
        let forces = node.forces_replacement || options.forces;
        let is_empty = match &content.kind {
            DiffKind::Entries(entries) => entries.entries.is_empty(),
            DiffKind::Elements(elements) => elements.elements.is_empty(),
            DiffKind::OfOtherKind(_) => false,
            _ => true,
        };
        if is_empty {
            self.write_value(content, indent, inner_options);
            self.output.plain(")");
            if only_white_space {
                self.write_white_space(forces);
            } else {
                self.write_forces(node, options);
            }
            return;
        }
        if only_white_space {
            self.write_white_space(forces);
        }
        self.output.end_line();
        let below = indent.saturating_add(1);
        // The symbol of an added or removed value stands before the name already.
        let is_changed = node.action == DiffAction::Update && !only_white_space;
        self.begin(if is_changed { DiffAction::Update } else { DiffAction::Unchanged }, below);
        self.write_value(content, below, inner_options);
        if !only_white_space {
            self.write_forces(node, options);
        }
        self.output.end_line();
        self.close(node, ")", indent, options);
    }

    /// Writes the note that only the white space of JSON text changes.
    fn write_white_space(&mut self, forces: bool) {
        let note = if forces { " # whitespace changes force replacement" } else { " # whitespace changes" };
        self.output.styled(Style::Grey, note);
    }

    /// Writes an unknown value, after the value before it.
    pub(super) fn write_unknown(
        &mut self,
        node: &DiffNode,
        before: Option<&DiffNode>,
        after: &Value,
        indent: usize,
        options: PartOptions,
    ) {
        if let Some(before) = before {
            self.write_value(before, indent, PartOptions { hides_null: true, forces: false, ..options });
            self.arrow();
        }
        let text = self.unknown_text(after);
        self.output.plain(&text);
        self.write_forces(node, options);
    }

    /// The text of an unknown value, with its refinements as the style asks for.
    pub(super) fn unknown_text(&self, value: &Value) -> String {
        const PLAIN: &str = "(known after apply)";
        let Some((_, refinement)) = value.as_unknown() else { return PLAIN.to_owned() };
        let is_not_null = refinement.nullness() == Nullness::NotNull;
        match self.unknown_detail {
            UnknownDetail::Omitted => PLAIN.to_owned(),
            UnknownDetail::Summary => value.to_string(),
            UnknownDetail::Full if *refinement.range() == Range::Any && !is_not_null => PLAIN.to_owned(),
            UnknownDetail::Full => format!("(known after apply, {})", refinement.describe()),
        }
    }
}
