//! Text for a terminal, which nothing that came from a file can control.

use std::fmt::{self, Write};

/// Whether to write colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// With the escape sequences of ANSI terminals.
    Always,
}

/// Text for a terminal. Everything that is added goes through [`printable`], except the colours.
pub(in crate::plan) struct TerminalText {
    pub(in crate::plan) text: String,
    colour: Colour,
}

// Escape sequences of ANSI terminals (ECMA-48, 8.3.117).
const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const CYAN: &str = "\x1b[36m";
const DIM: &str = "\x1b[90m";
const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

impl TerminalText {
    /// Empty text.
    pub(in crate::plan) fn new(colour: Colour) -> TerminalText {
        TerminalText { text: String::new(), colour }
    }

    /// Whether the text has colours.
    pub(in crate::plan) fn colour(&self) -> Colour {
        self.colour
    }

    /// Adds text and ends the line.
    pub(in crate::plan) fn line(&mut self, text: &str) {
        push_printable(&mut self.text, text);
        self.text.push('\n');
    }

    /// Adds formatted text and ends the line.
    pub(in crate::plan) fn line_of(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.write_fmt(text);
        self.text.push('\n');
    }

    /// Adds formatted text to the line.
    pub(in crate::plan) fn part(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.write_fmt(text);
    }

    /// Adds bold text to the line.
    pub(in crate::plan) fn bold(&mut self, text: &str) {
        self.styled(BOLD, text);
    }

    /// Adds grey text to the line.
    pub(in crate::plan) fn dim(&mut self, text: &str) {
        self.styled(DIM, text);
    }

    /// Adds an indent and the word for an answer in its colour, padded to `width` columns.
    pub(in crate::plan) fn word(&mut self, indent: &str, word: &str, width: usize) {
        self.text.push_str(indent);
        self.styled(word_colour(word), word);
        let padding = width.saturating_sub(word.len());
        self.text.extend(std::iter::repeat_n(' ', padding));
    }

    /// Adds lines of a plan, with the change symbol of each in its colour.
    pub(in crate::plan) fn plan_lines(&mut self, lines: &str) {
        for line in lines.lines() {
            let start = line.len().saturating_sub(line.trim_start().len());
            let (indent, rest) = line.split_at_checked(start).unwrap_or(("", line));
            let (symbol, text) = rest.split_once(' ').unwrap_or(("", rest));
            let colour = match symbol {
                "+" => GREEN,
                "-" | "-/+" | "+/-" => RED,
                "~" => YELLOW,
                "<=" => CYAN,
                _ => {
                    self.line(line);
                    continue;
                }
            };
            self.text.push_str(indent);
            self.styled(colour, symbol);
            self.text.push(' ');
            self.line(text);
        }
    }

    /// Adds text between the escape sequence `style` and a reset, or plain text if there are no colours.
    pub(in crate::plan) fn styled(&mut self, style: &str, text: &str) {
        match self.colour {
            Colour::Never => push_printable(&mut self.text, text),
            Colour::Always => {
                self.text.push_str(style);
                push_printable(&mut self.text, text);
                self.text.push_str(RESET);
            }
        }
    }
}

impl fmt::Write for TerminalText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        push_printable(&mut self.text, text);
        Ok(())
    }
}

/// The escape sequence of the colour for a word that names an answer, finding or severity.
fn word_colour(word: &str) -> &'static str {
    match word {
        "pass" | "upheld" => GREEN,
        "fail" | "contradicted" | "broken" | "Error" => RED,
        "warning" | "undetermined" | "not verifiable" | "Warning" => YELLOW,
        _ => DIM,
    }
}

impl TerminalText {
    /// Adds the word for a severity in its colour.
    pub(in crate::plan) fn severity_word(&mut self, word: &str) {
        self.styled(word_colour(word), word);
    }
}

/// The text with control characters escaped as `\u{…}` (but for line ends and tabs), and characters that change the direction
/// of writing: text from a file cannot control the terminal.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_printable(&mut out, text);
    out
}

/// Adds the text with the characters escaped that [`printable`] escapes.
pub(in crate::plan) fn push_printable(out: &mut String, text: &str) {
    if is_printable(text.as_bytes()) {
        return out.push_str(text);
    }
    for c in text.chars() {
        if (c.is_control() && c != '\n' && c != '\t') || changes_direction(c) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
}

/// Whether a character changes the direction of writing, which could disguise text.
fn changes_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether no byte can begin a character that must be escaped: a fast path. May be false for a text that needs no
/// escape.
fn is_printable(text: &[u8]) -> bool {
    // Without leaving early, so that many bytes are compared at once: nearly every text passes.
    let needs_a_look = |byte: u8| (byte < 0x20 && byte != b'\n') || matches!(byte, 0x7f | 0xc2 | 0xe2);
    if !text.iter().fold(false, |found, byte| found | needs_a_look(*byte)) {
        return true;
    }
    let begins = |at: usize, byte: u8| match byte {
        b'\n' | b'\t' => false,
        0..=0x1f | 0x7f | 0xc2 => true,
        0xe2 => matches!(text.get(at.saturating_add(1)), Some(0x80 | 0x81)),
        _ => false,
    };
    !text.iter().enumerate().any(|(at, byte)| begins(at, *byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_visible_is_found_by_its_first_bytes() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let is_shown = (c.is_control() && c != '\n' && c != '\t') || changes_direction(c);
            let text = format!("a{c}b");
            assert!(!is_shown || !is_printable(text.as_bytes()), "{c:?}");
            assert_eq!(printable(&text) != text, is_shown, "{c:?}");
        }
    }
}
