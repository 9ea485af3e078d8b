//! Writes maps, objects, lists and sets.

use super::{DiffWriter, PartOptions, is_identifying, padding};
use crate::plan::rendering::diff_node::{DiffAction, DiffNode, Elements, Entries};
use plantime::unstable::text::{QuotedInMessage, is_word};

/// The name of an attribute, quoted if it is not an identifier.
pub(super) fn key_text(name: &str) -> String {
    if is_word(name) { name.to_owned() } else { QuotedInMessage(name).to_string() }
}

/// The key of a map, in quotes, or the name of an attribute.
pub(super) fn entry_key(entries: &Entries, name: &str) -> String {
    if entries.is_map { QuotedInMessage(name).to_string() } else { key_text(name) }
}

impl DiffWriter<'_> {
    /// Writes a map or an object.
    pub(super) fn write_entries(
        &mut self,
        node: &DiffNode,
        entries: &Entries,
        indent: usize,
        options: PartOptions,
    ) {
        if entries.entries.is_empty() {
            self.output.plain("{}");
            return self.write_end(node, options);
        }
        let keys: Vec<String> = entries.entries.iter().map(|(name, _)| entry_key(entries, name)).collect();
        let widest = match entries.is_aligned {
            true => padding(&keys),
            false => 0,
        };
        self.output.plain("{");
        self.write_forces(node, options);
        self.output.end_line();
        let hides_null = !entries.shows_null
            || entries.is_map && (node.action == DiffAction::Delete || options.hides_null);
        let inner = PartOptions { hides_null, forces: false, ..options };
        let below = indent.saturating_add(1);
        let mut hidden = 0usize;
        for (key, (name, entry)) in keys.iter().zip(&entries.entries) {
            let is_identifying = !entries.is_map && is_identifying(name);
            if entry.action == DiffAction::Unchanged && !options.shows_unchanged && !is_identifying {
                hidden = hidden.saturating_add(1);
                continue;
            }
            self.write_warning(entry, below);
            self.begin(entry.action, below);
            self.write_name(key, widest);
            let shows_unchanged = options.shows_unchanged || is_identifying;
            self.write_value(entry, below, PartOptions { shows_unchanged, ..inner });
            self.output.plain(if entries.has_commas { "," } else { "" });
            self.output.end_line();
        }
        self.write_hidden(hidden, if entries.is_map { "element" } else { "attribute" }, below);
        self.close(node, "}", indent, options);
    }

    /// Writes a list, tuple or set.
    pub(super) fn write_elements(
        &mut self,
        node: &DiffNode,
        elements: &Elements,
        indent: usize,
        options: PartOptions,
    ) {
        if elements.elements.is_empty() {
            self.output.plain("[]");
            return self.write_end(node, options);
        }
        let forces = node.forces_replacement || options.forces;
        self.output.plain("[");
        if !elements.elements_force {
            self.write_forces(node, options);
        }
        self.output.end_line();
        let inner = PartOptions { hides_null: true, forces: forces && elements.elements_force, ..options };
        let below = indent.saturating_add(1);
        // The unchanged elements that are not written yet.
        let mut waiting: Vec<&DiffNode> = Vec::new();
        let mut follows_change = false;
        for element in &elements.elements {
            if element.action == DiffAction::Unchanged && !options.shows_unchanged {
                if elements.has_context && follows_change {
                    self.write_element(element, below, PartOptions { shows_unchanged: true, ..inner });
                } else {
                    waiting.push(element);
                }
                follows_change = false;
                continue;
            }
            if elements.has_context {
                if let Some(last) = waiting.pop() {
                    self.write_hidden(waiting.len(), "element", below);
                    self.write_element(last, below, PartOptions { shows_unchanged: true, ..inner });
                }
                waiting.clear();
                follows_change = element.action != DiffAction::Unchanged;
            }
            self.write_element(element, below, inner);
        }
        self.write_hidden(waiting.len(), "element", below);
        self.close(node, "]", indent, options);
    }

    /// Writes an element on a line of its own.
    fn write_element(&mut self, element: &DiffNode, indent: usize, options: PartOptions) {
        self.write_warning(element, indent);
        self.begin(element.action, indent);
        self.write_value(element, indent, options);
        self.output.plain(",");
        self.output.end_line();
    }

    /// Writes the closing bracket, and ` -> null` after a deleted value.
    pub(super) fn close(&mut self, node: &DiffNode, bracket: &str, indent: usize, options: PartOptions) {
        self.output.spaces(indent.saturating_add(1).saturating_mul(4));
        self.output.plain(bracket);
        self.write_null(node, options);
    }
}
