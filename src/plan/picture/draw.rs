//! Draws the tree of a change.
//!
//! | file | draws |
//! |---|---|
//! | this one | a value in its place: the symbol of its change, its name, its warnings |
//! | `containers` | maps, objects, lists and sets |
//! | `blocks` | blocks |
//! | `scalars` | strings, numbers, JSON text, values that are not known yet |

mod blocks;
mod containers;
mod scalars;

use super::change_node::{Act, ChangeNode, Shape};
use super::sheet::{Ink, Sheet};

/// How much is said of values that are not known yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Knowledge {
    /// Nothing: exactly the text of Terraform.
    Nothing,
    /// What helps a reader: how a string begins and ends, the bounds of a number or a length, a short list of strings.
    #[default]
    Helpful,
    /// Everything: also that a value is not null.
    Everything,
}

/// How a part is drawn, as its surroundings ask for.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    /// ` -> null` is left out behind what goes: what contains it goes too, or is a list.
    hides_null: bool,
    /// Unchanged parts are drawn and not counted.
    shows_unchanged: bool,
    /// The parts say that they force a replacement.
    forces: bool,
}

/// Draws on a sheet.
pub(super) struct Painter<'s> {
    pub(super) sheet: &'s mut Sheet,
    pub(super) knowledge: Knowledge,
}

/// The name of an attribute, which is drawn even if it does not change: it tells which object it is.
fn is_identifying(name: &str) -> bool {
    matches!(name, "id" | "name" | "tags")
}

/// The number of columns of a text.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// The columns that names are padded to: the length in bytes of the longest, as Terraform has it.
fn padding<'n>(names: impl IntoIterator<Item = &'n String>) -> usize {
    names.into_iter().map(String::len).max().unwrap_or(0)
}

impl Painter<'_> {
    /// Draws the change of a resource behind its header: the body in braces.
    pub(super) fn draw_body(&mut self, node: &ChangeNode) {
        self.draw_value(node, 0, Look::default());
    }

    /// Draws outputs, one below the other.
    ///
    /// Names are padded for all of `names`, also for those of outputs that do not change.
    pub(super) fn draw_outputs<'n>(
        &mut self,
        names: impl Iterator<Item = &'n String>,
        outputs: &[(&'n String, ChangeNode)],
    ) {
        let names: Vec<String> = names.map(|name| containers::key_text(name)).collect();
        let widest = padding(&names);
        for (name, node) in outputs {
            self.draw_warning(node, 0);
            self.begin(node.act, 0);
            self.draw_name(&containers::key_text(name), widest);
            self.draw_value(node, 0, Look::default());
            self.sheet.end_line();
        }
    }

    /// Begins a line: the indent, the symbol of what happens, a space.
    fn begin(&mut self, act: Act, indent: usize) {
        self.sheet.spaces(indent.saturating_mul(4));
        match act {
            Act::Same => self.sheet.spaces(4),
            Act::Create => self.symbol(Ink::Green, "+"),
            Act::Delete => self.symbol(Ink::Red, "-"),
            Act::Update => self.symbol(Ink::Yellow, "~"),
        }
    }

    /// Draws a symbol in its three columns, and the space behind it.
    fn symbol(&mut self, ink: Ink, symbol: &str) {
        self.sheet.spaces(2);
        self.sheet.put(ink, symbol);
        self.sheet.spaces(1);
    }

    /// Draws a name padded to a width, and the equals sign.
    fn draw_name(&mut self, name: &str, widest: usize) {
        self.sheet.plain(name);
        self.sheet.spaces(widest.saturating_sub(width(name)));
        self.sheet.plain(" = ");
    }

    /// Draws a comment on a line of its own, at the place of an attribute.
    fn comment(&mut self, indent: usize, comment: &str) {
        self.sheet.spaces(indent.saturating_add(1).saturating_mul(4));
        self.sheet.put(Ink::Grey, comment);
        self.sheet.end_line();
    }

    /// Draws how many parts are not drawn; nothing where there is none.
    fn draw_hidden(&mut self, count: usize, noun: &str, indent: usize) {
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            self.comment(indent, &format!("# ({count} unchanged {noun}{plural} hidden)"));
        }
    }

    /// Draws the warning that a value becomes sensitive, or is no longer.
    fn draw_warning(&mut self, node: &ChangeNode, indent: usize) {
        let Shape::Sensitive { was_sensitive, is_sensitive, content } = &node.shape else { return };
        if was_sensitive == is_sensitive || matches!(content, Act::Create | Act::Delete) {
            return;
        }
        let lines = if *was_sensitive {
            ["will no longer be marked as sensitive", "after applying this change."]
        } else {
            ["will be marked as sensitive and will not", "display in UI output after applying this change."]
        };
        // Whether the value stays as it is tells something of the content.
        let unchanged = if *content == Act::Same && self.knowledge == Knowledge::Nothing {
            " The value is unchanged."
        } else {
            ""
        };
        let [first, second] = lines;
        for (start, words, end) in [("# Warning", first, ""), ("#", second, unchanged)] {
            self.sheet.spaces(indent.saturating_mul(4).saturating_add(2));
            self.sheet.put(Ink::Yellow, start);
            let words =
                if start == "#" { words.to_owned() } else { format!(": this attribute value {words}") };
            let gap = if start == "#" { " " } else { "" };
            self.sheet.plain(&format!("{gap}{words}{end}"));
            self.sheet.end_line();
        }
    }

    /// Draws a value, from behind its symbol and name to before the end of its last line.
    fn draw_value(&mut self, node: &ChangeNode, indent: usize, look: Look) {
        match &node.shape {
            Shape::Scalar { before, after } => {
                self.draw_scalar(node, before.as_ref(), after.as_ref(), indent, look);
            }
            Shape::Json { content, only_white_space } => {
                self.draw_json(node, content, *only_white_space, indent, look);
            }
            Shape::Becomes(becomes) => {
                self.draw_value(&becomes.0, indent, Look { hides_null: true, ..look });
                self.arrow();
                self.draw_value(&becomes.1, indent, look);
                self.draw_forces(node, look);
            }
            Shape::Unknown { before, after } => {
                self.draw_unknown(node, before.as_deref(), after, indent, look)
            }
            Shape::Sensitive { .. } => {
                self.sheet.plain("(sensitive value)");
                self.draw_end(node, look);
            }
            Shape::WriteOnly => {
                self.sheet.plain("(write-only attribute)");
                self.draw_end(node, look);
            }
            Shape::Entries(entries) => self.draw_entries(node, entries, indent, look),
            Shape::Elements(elements) => self.draw_elements(node, elements, indent, look),
            Shape::Block(block) => self.draw_block(node, block, indent, look),
            Shape::SensitiveBlock => self.draw_sensitive_block(node, indent, look),
        }
    }

    /// Draws the arrow between two sides.
    fn arrow(&mut self) {
        self.sheet.put(Ink::Yellow, " -> ");
    }

    /// Draws what follows a value: that it becomes null, that it forces a replacement.
    fn draw_end(&mut self, node: &ChangeNode, look: Look) {
        self.draw_null(node, look);
        self.draw_forces(node, look);
    }

    /// Draws that what goes becomes null.
    fn draw_null(&mut self, node: &ChangeNode, look: Look) {
        if node.act == Act::Delete && !look.hides_null {
            self.sheet.put(Ink::Grey, " -> null");
        }
    }

    /// Draws that a value forces a replacement, if it does.
    fn draw_forces(&mut self, node: &ChangeNode, look: Look) {
        if node.forces_replacement || look.forces {
            self.sheet.put(Ink::Red, " # forces replacement");
        }
    }
}
