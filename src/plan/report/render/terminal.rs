//! Text for a terminal: nothing that came from a file can control it.

use std::fmt::{self, Write};

/// Whether to write colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// With the escape sequences of ANSI terminals.
    Always,
}

pub(in crate::plan) struct Out {
    pub(in crate::plan) text: String,
    colour: Colour,
}

const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const CYAN: &str = "\x1b[36m";
const DIM: &str = "\x1b[90m";
const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

impl Out {
    pub(in crate::plan) fn new(colour: Colour) -> Out {
        Out { text: String::new(), colour }
    }

    pub(in crate::plan) fn colour(&self) -> Colour {
        self.colour
    }

    /// A line, or the rest of one.
    pub(in crate::plan) fn line(&mut self, text: &str) {
        push_printable(&mut self.text, text);
        self.text.push('\n');
    }

    /// The same of a text that is written without being made first.
    pub(in crate::plan) fn line_of(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.write_fmt(text);
        self.text.push('\n');
    }

    /// A part of a line.
    pub(in crate::plan) fn part(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.write_fmt(text);
    }

    pub(in crate::plan) fn bold(&mut self, text: &str) {
        self.styled(BOLD, text);
    }

    pub(in crate::plan) fn dim(&mut self, text: &str) {
        self.styled(DIM, text);
    }

    /// The word of an answer, in a column of its own.
    pub(in crate::plan) fn word(&mut self, indent: &str, word: &str, width: usize) {
        self.text.push_str(indent);
        self.styled(style(word), word);
        let padding = width.saturating_sub(word.len());
        self.text.extend(std::iter::repeat_n(' ', padding));
    }

    /// Lines of a plan: each symbol in its colour.
    pub(in crate::plan) fn plan(&mut self, lines: &str) {
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
            self.line(&format!(" {text}"));
        }
    }

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

impl fmt::Write for Out {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        push_printable(&mut self.text, text);
        Ok(())
    }
}

fn style(word: &str) -> &'static str {
    match word {
        "pass" | "upheld" => GREEN,
        "fail" | "contradicted" | "broken" | "Error" => RED,
        "warning" | "undetermined" | "not verifiable" | "Warning" => YELLOW,
        _ => DIM,
    }
}

impl Out {
    /// The word of a diagnostic, in its colour.
    pub(in crate::plan) fn kind(&mut self, word: &str) {
        self.styled(style(word), word);
    }
}

/// The text with control characters (but for line ends and tabs), and what turns the direction of writing, made
/// visible.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_printable(&mut out, text);
    out
}

fn push_printable(out: &mut String, text: &str) {
    if is_printable(text.as_bytes()) {
        return out.push_str(text);
    }
    for c in text.chars() {
        if (c.is_control() && c != '\n' && c != '\t') || turns(c) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
}

fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether no byte begins a character that is made visible. Some that begin others count too.
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
            let is_shown = (c.is_control() && c != '\n' && c != '\t') || turns(c);
            let text = format!("a{c}b");
            assert!(!is_shown || !is_printable(text.as_bytes()), "{c:?}");
            assert_eq!(printable(&text) != text, is_shown, "{c:?}");
        }
    }
}
