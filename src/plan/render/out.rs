//! Text for a terminal: nothing that came from a file can control it.

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

    #[cfg(feature = "cli")]
    pub(in crate::plan) fn colour(&self) -> Colour {
        self.colour
    }

    /// A line, or the rest of one.
    pub(in crate::plan) fn line(&mut self, text: &str) {
        self.text.push_str(&printable(text));
        self.text.push('\n');
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
            Colour::Never => self.text.push_str(&printable(text)),
            Colour::Always => {
                self.text.push_str(style);
                self.text.push_str(&printable(text));
                self.text.push_str(RESET);
            }
        }
    }
}

fn style(word: &str) -> &'static str {
    match word {
        "pass" | "upheld" => GREEN,
        "fail" | "broken" | "Error" => RED,
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
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if (c.is_control() && c != '\n' && c != '\t') || turns(c) {
            out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}
