//! Writes short lists, sets, maps and objects on one line.

use super::containers::entry_key;
use super::{DiffWriter, PartOptions};
use crate::plan::rendering::diff_node::{DiffAction, DiffKind, DiffNode};

/// The maximum length in characters of a list or object that is written on one line.
const ONE_LINE: usize = 80;

impl DiffWriter<'_> {
    /// Writes a list, set, map or object on one line and returns true; or returns false, if the style does not ask for it or
    /// the text would be long, if parts of it change, if a part takes several lines, and for sequences of containers.
    pub(super) fn write_on_one_line(&mut self, node: &DiffNode, options: PartOptions) -> bool {
        if !self.is_compact || node.action == DiffAction::Update || has_containers(node) {
            return false;
        }
        let mut text = String::new();
        if self.push_on_one_line(&mut text, node).is_none() {
            return false;
        }
        self.output.plain(&text);
        self.write_end(node, options);
        true
    }

    /// Adds a value without its symbol; `None` if it does not fit on a line. Values nest no deeper than the limit of plantime.
    fn push_on_one_line(&self, out: &mut String, node: &DiffNode) -> Option<()> {
        match &node.kind {
            DiffKind::Scalar { before, after } => match after.as_ref().or(before.as_ref()) {
                Some(value) if super::scalars::has_lines(Some(value)) => return None,
                Some(value) => out.push_str(&self.scalar_text(value)),
                None => out.push_str("null"),
            },
            DiffKind::Unknown { before: None, after } => out.push_str(&self.unknown_text(after)),
            DiffKind::Sensitive { text, .. } => out.push_str(text),
            DiffKind::Elements(elements) => {
                out.push('[');
                for (i, element) in elements.elements.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { "" });
                    self.push_part(out, node, element)?;
                }
                out.push(']');
            }
            DiffKind::Entries(entries) if entries.entries.is_empty() => out.push_str("{}"),
            DiffKind::Entries(entries) => {
                for (i, (name, entry)) in entries.entries.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { "{ " });
                    out.push_str(&entry_key(entries, name));
                    out.push_str(" = ");
                    self.push_part(out, node, entry)?;
                }
                out.push_str(" }");
            }
            _ => return None,
        }
        (out.len() <= ONE_LINE || out.chars().count() <= ONE_LINE).then_some(())
    }

    /// Adds a part of a container; `None` unless the part has the action of the container and forces no replacement itself.
    fn push_part(&self, out: &mut String, container: &DiffNode, part: &DiffNode) -> Option<()> {
        if part.action != container.action || part.forces_replacement {
            return None;
        }
        self.push_on_one_line(out, part)
    }
}

/// Whether a list or set has lists, sets, maps or objects in it: these stand on lines of their own.
fn has_containers(node: &DiffNode) -> bool {
    let DiffKind::Elements(elements) = &node.kind else { return false };
    let is_container = |part: &DiffNode| matches!(part.kind, DiffKind::Elements(_) | DiffKind::Entries(_));
    elements.elements.iter().any(is_container)
}
