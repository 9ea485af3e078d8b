//! Draws maps, objects, lists and sets.

use super::{Look, Painter, is_identifying, padding};
use crate::plan::picture::change_node::{Act, ChangeNode, Elements, Entries};
use crate::text::{QuotedInMessage, is_word};

/// The name of an attribute, in quotes where the configuration language needs them.
pub(super) fn key_text(name: &str) -> String {
    if is_word(name) { name.to_owned() } else { QuotedInMessage(name).to_string() }
}

impl Painter<'_> {
    /// Draws a map or an object.
    pub(super) fn draw_entries(&mut self, node: &ChangeNode, entries: &Entries, indent: usize, look: Look) {
        if entries.entries.is_empty() {
            self.sheet.plain("{}");
            return self.draw_end(node, look);
        }
        let keys: Vec<String> = entries
            .entries
            .iter()
            .map(|(name, _)| if entries.is_map { QuotedInMessage(name).to_string() } else { key_text(name) })
            .collect();
        let widest = match entries.is_aligned {
            true => padding(&keys),
            false => 0,
        };
        self.sheet.plain("{");
        self.draw_forces(node, look);
        self.sheet.end_line();
        let hides_null = !entries.is_map || node.act == Act::Delete || look.hides_null;
        let inner = Look { hides_null, forces: false, ..look };
        let below = indent.saturating_add(1);
        let mut hidden = 0usize;
        for (key, (name, entry)) in keys.iter().zip(&entries.entries) {
            let is_identifying = !entries.is_map && is_identifying(name);
            if entry.act == Act::Same && !look.shows_unchanged && !is_identifying {
                hidden = hidden.saturating_add(1);
                continue;
            }
            self.draw_warning(entry, below);
            self.begin(entry.act, below);
            self.draw_name(key, widest);
            let shows_unchanged = look.shows_unchanged || is_identifying;
            self.draw_value(entry, below, Look { shows_unchanged, ..inner });
            self.sheet.plain(if entries.has_commas { "," } else { "" });
            self.sheet.end_line();
        }
        self.draw_hidden(hidden, if entries.is_map { "element" } else { "attribute" }, below);
        self.close(node, "}", indent, look);
    }

    /// Draws a list, tuple or set.
    pub(super) fn draw_elements(
        &mut self,
        node: &ChangeNode,
        elements: &Elements,
        indent: usize,
        look: Look,
    ) {
        if elements.elements.is_empty() {
            self.sheet.plain("[]");
            return self.draw_end(node, look);
        }
        let forces = node.forces_replacement || look.forces;
        self.sheet.plain("[");
        if !elements.elements_force {
            self.draw_forces(node, look);
        }
        self.sheet.end_line();
        let inner = Look { hides_null: true, forces: forces && elements.elements_force, ..look };
        let below = indent.saturating_add(1);
        // The unchanged elements since the last one that was drawn.
        let mut waiting: Vec<&ChangeNode> = Vec::new();
        let mut follows_change = false;
        for element in &elements.elements {
            if element.act == Act::Same && !look.shows_unchanged {
                if elements.has_context && follows_change {
                    self.draw_element(element, below, Look { shows_unchanged: true, ..inner });
                } else {
                    waiting.push(element);
                }
                follows_change = false;
                continue;
            }
            if elements.has_context {
                if let Some(last) = waiting.pop() {
                    self.draw_hidden(waiting.len(), "element", below);
                    self.draw_element(last, below, Look { shows_unchanged: true, ..inner });
                }
                waiting.clear();
                follows_change = element.act != Act::Same;
            }
            self.draw_element(element, below, inner);
        }
        self.draw_hidden(waiting.len(), "element", below);
        self.close(node, "]", indent, look);
    }

    /// Draws an element on a line of its own.
    fn draw_element(&mut self, element: &ChangeNode, indent: usize, look: Look) {
        self.draw_warning(element, indent);
        self.begin(element.act, indent);
        self.draw_value(element, indent, look);
        self.sheet.plain(",");
        self.sheet.end_line();
    }

    /// Draws the closing bracket, and that a value that goes becomes null.
    pub(super) fn close(&mut self, node: &ChangeNode, bracket: &str, indent: usize, look: Look) {
        self.sheet.spaces(indent.saturating_add(1).saturating_mul(4));
        self.sheet.plain(bracket);
        self.draw_null(node, look);
    }
}
