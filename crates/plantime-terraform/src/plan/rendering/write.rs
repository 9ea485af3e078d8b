//! Writes a tree of differences as text.
//!
//! | file | writes |
//! |---|---|
//! | this one | any value: the symbol of its action, its name, its warnings |
//! | `containers` | maps, objects, lists and sets |
//! | `blocks` | blocks |
//! | `scalars` | strings, numbers, JSON text, unknown values |
//! | `one_line` | short lists, sets, maps and objects on one line |

mod blocks;
mod containers;
mod one_line;
mod scalars;

use super::attributes::DrawnAttribute;
use super::diff_node::{DiffAction, DiffKind, DiffNode};
use super::styled_text::{Style, StyledText};
use crate::plan::words::mark_warning;

/// How much rendered text says of the refinements of unknown values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownDetail {
    /// Nothing: the text is Terraform's own.
    Omitted,
    /// Prefix and suffix of a string, bounds of a number or a length, a short list of possible strings.
    #[default]
    Summary,
    /// Every refinement, not-null included.
    Full,
}

/// Options that a container sets for its parts.
#[derive(Clone, Copy, Debug, Default)]
struct PartOptions {
    /// Whether ` -> null` is left out after deleted parts: the container is deleted too, or is a list.
    hides_null: bool,
    /// Whether unchanged parts are written, and not only counted.
    shows_unchanged: bool,
    /// Whether `# forces replacement` is written after each part.
    forces: bool,
}

/// Writes differences to styled text.
pub(super) struct DiffWriter<'s> {
    pub(super) output: &'s mut StyledText,
    pub(super) unknown_detail: UnknownDetail,
    /// Whether short lists, sets, maps and objects that are new, gone or unchanged as a whole are written on one line.
    pub(super) is_compact: bool,
    /// Whether the lines of texts of equal length are compared by position where a line is gone.
    pub(super) by_position: bool,
}

/// Whether an attribute with this name is written even if unchanged, because it identifies the object.
fn is_identifying(name: &str) -> bool {
    matches!(name, "id" | "name" | "tags")
}

/// The number of columns of a text.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// The width that names are padded to: the length in bytes of the longest one, as in Terraform.
fn padding<'n>(names: impl IntoIterator<Item = &'n String>) -> usize {
    names.into_iter().map(String::len).max().unwrap_or(0)
}

impl DiffWriter<'_> {
    /// Writes the block of a resource in braces, after its header; what is unchanged too if that is asked for.
    pub(super) fn write_body(&mut self, node: &DiffNode, shows_unchanged: bool) {
        self.write_value(node, 0, PartOptions { shows_unchanged, ..PartOptions::default() });
    }

    /// Writes the differences of outputs, one output after the other. Names are padded to the longest of `names`, which
    /// includes those of unchanged outputs.
    pub(super) fn write_outputs<'n>(
        &mut self,
        names: impl Iterator<Item = &'n String>,
        outputs: &[(&'n String, DiffNode)],
    ) {
        let names: Vec<String> = names.map(|name| containers::key_text(name)).collect();
        let widest = padding(&names);
        for (name, node) in outputs {
            self.write_warning(node, 0);
            self.begin(node.action, 0);
            self.write_name(&containers::key_text(name), widest);
            self.write_value(node, 0, PartOptions::default());
            self.output.end_line();
        }
    }

    /// Writes attributes that a report selected, all of each, with their comments.
    pub(super) fn write_lines_of(&mut self, lines: &[(&DrawnAttribute<'_>, DiffNode)], indent: usize) {
        let keys: Vec<String> =
            lines.iter().map(|(attribute, _)| containers::key_text(attribute.name)).collect();
        let widest = padding(&keys);
        for (key, (attribute, node)) in keys.iter().zip(lines) {
            self.write_warning(node, indent);
            self.begin(node.action, indent);
            self.write_name(key, widest);
            self.output.line_comment = attribute.comment.clone();
            self.write_value(node, indent, PartOptions { shows_unchanged: true, ..PartOptions::default() });
            self.output.end_line();
        }
    }

    /// Begins a line: indent, symbol of the action, space.
    fn begin(&mut self, action: DiffAction, indent: usize) {
        self.output.spaces(indent.saturating_mul(4));
        match action {
            DiffAction::Unchanged => self.output.spaces(4),
            DiffAction::Create => self.symbol(Style::Green, "+"),
            DiffAction::Delete => self.symbol(Style::Red, "-"),
            DiffAction::Update => self.symbol(Style::Yellow, "~"),
        }
    }

    /// Writes a symbol in its three columns, and a space.
    fn symbol(&mut self, style: Style, symbol: &str) {
        self.output.spaces(2);
        self.output.styled(style, symbol);
        self.output.spaces(1);
    }

    /// Writes a name padded to a width, and the equals sign.
    fn write_name(&mut self, name: &str, widest: usize) {
        self.output.plain(name);
        self.output.spaces(widest.saturating_sub(width(name)));
        self.output.plain(" = ");
    }

    /// Writes a comment on a line of its own, indented as attributes are.
    fn comment(&mut self, indent: usize, comment: &str) {
        self.output.spaces(indent.saturating_add(1).saturating_mul(4));
        self.output.styled(Style::Grey, comment);
        self.output.end_line();
    }

    /// Writes `# (2 unchanged attributes hidden)`; nothing for a count of 0.
    fn write_hidden(&mut self, count: usize, noun: &str, indent: usize) {
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            self.comment(indent, &format!("# ({count} unchanged {noun}{plural} hidden)"));
        }
    }

    /// Writes the warning that a value becomes sensitive or is no longer sensitive.
    fn write_warning(&mut self, node: &DiffNode, indent: usize) {
        let DiffKind::Sensitive { was_sensitive, is_sensitive, content, .. } = &node.kind else { return };
        if was_sensitive == is_sensitive || matches!(content, DiffAction::Create | DiffAction::Delete) {
            return;
        }
        let [first, second] = mark_warning(*is_sensitive);
        // That the value is unchanged is a statement about sensitive content: only Terraform's own text makes it.
        let states_unchanged =
            *content == DiffAction::Unchanged && self.unknown_detail == UnknownDetail::Omitted;
        let unchanged = if states_unchanged { " The value is unchanged." } else { "" };
        let rest = first.strip_prefix("Warning").unwrap_or_default();
        let lines = [("# Warning", rest.to_owned()), ("#", format!(" {second}{unchanged}"))];
        for (start, words) in lines {
            self.output.spaces(indent.saturating_mul(4).saturating_add(2));
            self.output.styled(Style::Yellow, start);
            self.output.plain(&words);
            self.output.end_line();
        }
    }

    /// Writes a value after its symbol and name, without the last line end.
    fn write_value(&mut self, node: &DiffNode, indent: usize, options: PartOptions) {
        match &node.kind {
            DiffKind::Scalar { before, after } => {
                self.write_scalar(node, before.as_ref(), after.as_ref(), indent, options);
            }
            DiffKind::Json { content, only_white_space } => {
                self.write_json(node, content, *only_white_space, indent, options);
            }
            DiffKind::OfOtherKind(becomes) => {
                self.write_value(&becomes.0, indent, PartOptions { hides_null: true, ..options });
                self.arrow();
                self.write_value(&becomes.1, indent, options);
                self.write_forces(node, options);
            }
            DiffKind::Unknown { before, after } => {
                self.write_unknown(node, before.as_deref(), after, indent, options)
            }
            DiffKind::Sensitive { text, .. } => {
                self.output.plain(text);
                self.write_end(node, options);
            }
            DiffKind::WriteOnly => {
                self.output.plain("(write-only attribute)");
                self.write_end(node, options);
            }
            DiffKind::Entries(_) | DiffKind::Elements(_) if self.write_on_one_line(node, options) => {}
            DiffKind::Entries(entries) => self.write_entries(node, entries, indent, options),
            DiffKind::Elements(elements) => self.write_elements(node, elements, indent, options),
            DiffKind::Block(block) => self.write_block(node, block, indent, options),
            DiffKind::SensitiveBlock => self.write_sensitive_block(node, indent, options),
        }
    }

    /// Writes the arrow between the old and the new value.
    fn arrow(&mut self) {
        self.output.styled(Style::Yellow, " -> ");
    }

    /// Writes what follows a value: ` -> null`, ` # forces replacement`.
    fn write_end(&mut self, node: &DiffNode, options: PartOptions) {
        self.write_null(node, options);
        self.write_forces(node, options);
    }

    /// Writes ` -> null` after a deleted value.
    fn write_null(&mut self, node: &DiffNode, options: PartOptions) {
        if node.action == DiffAction::Delete && !options.hides_null {
            self.output.styled(Style::Grey, " -> null");
        }
    }

    /// Writes ` # forces replacement` if the value does.
    fn write_forces(&mut self, node: &DiffNode, options: PartOptions) {
        if node.forces_replacement || options.forces {
            self.output.styled(Style::Red, " # forces replacement");
            self.output.has_comment = true;
        }
    }
}
