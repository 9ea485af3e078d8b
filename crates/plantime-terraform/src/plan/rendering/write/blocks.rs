//! Writes blocks: attributes, then nested blocks.

use super::containers::key_text;
use super::{DiffWriter, PartOptions, is_identifying, padding};
use crate::plan::rendering::diff_node::{Block, DiffAction, DiffNode, NestedBlock};
use plantime::unstable::text::QuotedInMessage;

impl DiffWriter<'_> {
    /// Writes a block in braces.
    pub(super) fn write_block(
        &mut self,
        node: &DiffNode,
        block: &Block,
        indent: usize,
        options: PartOptions,
    ) {
        if block.attributes.is_empty() && block.blocks.is_empty() {
            self.output.plain("{}");
            return self.write_forces(node, options);
        }
        self.output.plain("{");
        self.write_forces(node, options);
        self.output.end_line();
        let below = indent.saturating_add(1);
        let keys: Vec<String> = block.attributes.iter().map(|(name, _)| key_text(name)).collect();
        let widest = padding(&keys);
        let mut hidden = 0usize;
        for (key, (name, attribute)) in keys.iter().zip(&block.attributes) {
            let is_identifying = is_identifying(name);
            if attribute.action == DiffAction::Unchanged && !options.shows_unchanged && !is_identifying {
                hidden = hidden.saturating_add(1);
                continue;
            }
            self.write_warning(attribute, below);
            self.begin(attribute.action, below);
            self.write_name(key, widest);
            let shows_unchanged = options.shows_unchanged || is_identifying;
            self.write_value(
                attribute,
                below,
                PartOptions { shows_unchanged, hides_null: false, forces: false },
            );
            self.output.end_line();
        }
        self.write_hidden(hidden, "attribute", below);
        let mut hidden = 0usize;
        for (name, blocks) in &block.blocks {
            let mut is_first = true;
            for (key, nested) in blocks {
                if nested.action == DiffAction::Unchanged && !options.shows_unchanged {
                    hidden = hidden.saturating_add(1);
                    continue;
                }
                if is_first && !block.attributes.is_empty() {
                    self.output.end_line();
                }
                is_first = false;
                self.write_nested(name, key.as_deref(), nested, below, options);
            }
        }
        if hidden > 0 {
            self.output.end_line();
            self.write_hidden(hidden, "block", below);
        }
        self.output.spaces(below.saturating_mul(4));
        self.output.plain("}");
    }

    /// Writes the nested blocks of one type, all of each.
    pub(in crate::plan::rendering) fn write_blocks(
        &mut self,
        name: &str,
        blocks: &[NestedBlock],
        indent: usize,
    ) {
        let options = PartOptions { shows_unchanged: true, ..PartOptions::default() };
        for (key, nested) in blocks {
            self.write_nested(name, key.as_deref(), nested, indent, options);
        }
    }

    /// Writes a nested block with its name and key.
    fn write_nested(
        &mut self,
        name: &str,
        key: Option<&str>,
        node: &DiffNode,
        indent: usize,
        options: PartOptions,
    ) {
        self.begin(node.action, indent);
        self.output.plain(&key_text(name));
        self.output.spaces(1);
        if let Some(key) = key {
            self.output.plain(&QuotedInMessage(key).to_string());
            self.output.spaces(1);
        }
        let options = PartOptions { shows_unchanged: options.shows_unchanged, ..PartOptions::default() };
        self.write_value(node, indent, options);
        self.output.end_line();
    }

    /// Writes a block whose content is hidden.
    pub(super) fn write_sensitive_block(&mut self, node: &DiffNode, indent: usize, options: PartOptions) {
        self.output.plain("{");
        self.write_forces(node, options);
        self.output.end_line();
        for line in [
            "# At least one attribute in this block is (or was) sensitive,",
            "# so its contents will not be displayed.",
        ] {
            self.output.spaces(indent.saturating_add(1).saturating_mul(4).saturating_add(2));
            self.output.styled(super::Style::Grey, line);
            self.output.end_line();
        }
        self.output.spaces(indent.saturating_add(1).saturating_mul(4));
        self.output.plain("}");
    }
}
