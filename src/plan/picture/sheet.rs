//! The sheet that a picture is drawn on: plain text, or text in colours.

use crate::plan::report::render::{Colour, push_printable};

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

/// Text that a picture is drawn on. No text that is put there can control the terminal, or begin a line.
pub(super) struct Sheet {
    pub(super) text: String,
    colour: Colour,
}

impl Sheet {
    /// An empty sheet.
    pub(super) fn new(colour: Colour) -> Sheet {
        Sheet { text: String::new(), colour }
    }

    /// Adds text to the line, in a colour.
    pub(super) fn put(&mut self, ink: Ink, text: &str) {
        if text.is_empty() {
            return;
        }
        if ink == Ink::Plain || self.colour == Colour::Never {
            return self.put_escaped(text);
        }
        self.text.push_str(escape_sequence(ink));
        self.put_escaped(text);
        self.text.push_str("\x1b[0m");
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

    /// Adds text with the characters escaped that would control the terminal.
    fn put_escaped(&mut self, text: &str) {
        let one_line;
        let text = if text.contains('\n') {
            one_line = text.replace('\n', "\\n");
            &one_line
        } else {
            text
        };
        push_printable(&mut self.text, text);
    }
}

/// The escape sequence of ANSI terminals (ECMA-48, 8.3.117) that begins a colour.
fn escape_sequence(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain => "",
        Ink::Bold => "\x1b[1m",
        Ink::Green => "\x1b[32m",
        Ink::Red => "\x1b[31m",
        Ink::Yellow => "\x1b[33m",
        Ink::Cyan => "\x1b[36m",
        Ink::Grey => "\x1b[90m",
    }
}
