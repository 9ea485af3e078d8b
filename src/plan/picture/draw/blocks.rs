//! Draws blocks: attributes, then the nested blocks.

use super::containers::key_text;
use super::{Look, Painter, is_identifying, padding};
use crate::plan::picture::change_node::{Act, Block, ChangeNode};
use crate::text::QuotedInMessage;

impl Painter<'_> {
    /// Draws the body of a block, in braces.
    pub(super) fn draw_block(&mut self, node: &ChangeNode, block: &Block, indent: usize, look: Look) {
        if block.attributes.is_empty() && block.blocks.is_empty() {
            self.sheet.plain("{}");
            return self.draw_forces(node, look);
        }
        self.sheet.plain("{");
        self.draw_forces(node, look);
        self.sheet.end_line();
        let below = indent.saturating_add(1);
        let keys: Vec<String> = block.attributes.iter().map(|(name, _)| key_text(name)).collect();
        let widest = padding(&keys);
        let mut hidden = 0usize;
        for (key, (name, attribute)) in keys.iter().zip(&block.attributes) {
            let is_identifying = is_identifying(name);
            if attribute.act == Act::Same && !look.shows_unchanged && !is_identifying {
                hidden = hidden.saturating_add(1);
                continue;
            }
            self.draw_warning(attribute, below);
            self.begin(attribute.act, below);
            self.draw_name(key, widest);
            let shows_unchanged = look.shows_unchanged || is_identifying;
            self.draw_value(attribute, below, Look { shows_unchanged, hides_null: false, forces: false });
            self.sheet.end_line();
        }
        self.draw_hidden(hidden, "attribute", below);
        let mut hidden = 0usize;
        for (name, blocks) in &block.blocks {
            let mut is_first = true;
            for (key, nested) in blocks {
                if nested.act == Act::Same && !look.shows_unchanged {
                    hidden = hidden.saturating_add(1);
                    continue;
                }
                if is_first && !block.attributes.is_empty() {
                    self.sheet.end_line();
                }
                is_first = false;
                self.draw_nested(name, key.as_deref(), nested, below, look);
            }
        }
        if hidden > 0 {
            self.sheet.end_line();
            self.draw_hidden(hidden, "block", below);
        }
        self.sheet.spaces(below.saturating_mul(4));
        self.sheet.plain("}");
    }

    /// Draws a nested block with its name and key.
    fn draw_nested(&mut self, name: &str, key: Option<&str>, node: &ChangeNode, indent: usize, look: Look) {
        self.begin(node.act, indent);
        self.sheet.plain(&key_text(name));
        self.sheet.spaces(1);
        if let Some(key) = key {
            self.sheet.plain(&QuotedInMessage(key).to_string());
            self.sheet.spaces(1);
        }
        let look = Look { shows_unchanged: look.shows_unchanged, ..Look::default() };
        self.draw_value(node, indent, look);
        self.sheet.end_line();
    }

    /// Draws that the content of a block is not shown.
    pub(super) fn draw_sensitive_block(&mut self, node: &ChangeNode, indent: usize, look: Look) {
        self.sheet.plain("{");
        self.draw_forces(node, look);
        self.sheet.end_line();
        for line in [
            "# At least one attribute in this block is (or was) sensitive,",
            "# so its contents will not be displayed.",
        ] {
            self.sheet.spaces(indent.saturating_add(1).saturating_mul(4).saturating_add(2));
            self.sheet.put(super::Ink::Grey, line);
            self.sheet.end_line();
        }
        self.sheet.spaces(indent.saturating_add(1).saturating_mul(4));
        self.sheet.plain("}");
    }
}
