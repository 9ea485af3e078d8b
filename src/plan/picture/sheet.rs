//! The sheet that a picture is drawn on: plain text, text in colours, or HTML.

use crate::plan::report::render::{BOLD, CYAN, DIM, GREEN, Medium, RED, YELLOW};

/// The colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Bold,
    Green,
    Red,
    Yellow,
    Cyan,
    Grey,
}

/// Text that a picture is drawn on. No text that is put there can control the terminal or the page, or begin a line.
pub(super) struct Sheet {
    pub(super) text: String,
    medium: Medium,
}

impl Sheet {
    /// An empty sheet.
    pub(super) fn new(medium: Medium) -> Sheet {
        Sheet { text: String::new(), medium }
    }

    /// Adds text to the line, in a colour.
    pub(super) fn put(&mut self, ink: Ink, text: &str) {
        let style = match ink {
            Ink::Plain => "",
            Ink::Bold => BOLD,
            Ink::Green => GREEN,
            Ink::Red => RED,
            Ink::Yellow => YELLOW,
            Ink::Cyan => CYAN,
            Ink::Grey => DIM,
        };
        if text.contains('\n') {
            self.medium.push_styled(&mut self.text, style, &text.replace('\n', "\\n"));
        } else if !text.is_empty() {
            self.medium.push_styled(&mut self.text, style, text);
        }
    }

    /// Adds text without a colour.
    pub(super) fn plain(&mut self, text: &str) {
        self.put(Ink::Plain, text);
    }

    /// Adds spaces.
    pub(super) fn spaces(&mut self, count: usize) {
        self.text.extend(std::iter::repeat_n(' ', count));
    }

    /// Ends the line.
    pub(super) fn end_line(&mut self) {
        self.text.push('\n');
    }
}
