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

/// The form of styled text: for a terminal, or HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan) enum Markup {
    /// Text for a terminal.
    Terminal(Colour),
    /// Content of an HTML element that keeps line ends and spaces.
    Html,
}

impl Markup {
    /// Adds text with the characters escaped that would control the terminal or the page.
    pub(in crate::plan) fn push_escaped(self, out: &mut String, text: &str) {
        match self {
            Markup::Terminal(_) => push_printable(out, text),
            Markup::Html => push_html(out, text),
        }
    }

    /// Adds text between the escape sequence `style` and a reset. HTML gets an element with the class of [`html_class`].
    pub(in crate::plan) fn push_styled(self, out: &mut String, style: &str, text: &str) {
        match self {
            Markup::Terminal(Colour::Always) if !style.is_empty() => {
                out.push_str(style);
                push_printable(out, text);
                out.push_str(RESET);
            }
            Markup::Html if !style.is_empty() => {
                out.push_str("<span class=\"");
                out.push_str(html_class(style));
                out.push_str("\">");
                push_html(out, text);
                out.push_str("</span>");
            }
            _ => self.push_escaped(out, text),
        }
    }
}

/// The CSS class that stands for an escape sequence in HTML.
fn html_class(style: &str) -> &'static str {
    match style {
        GREEN => "g",
        RED => "r",
        YELLOW => "y",
        CYAN => "c",
        DIM => "d",
        _ => "b",
    }
}

/// Adds text as content of an HTML element or a quoted attribute.
pub(in crate::plan) fn push_html(out: &mut String, text: &str) {
    let start = out.len();
    push_printable(out, text);
    let needs_escape = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'');
    if out.get(start..).is_some_and(|added| added.contains(needs_escape)) {
        let added = out.split_off(start);
        for c in added.chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\'' => out.push_str("&#39;"),
                c => out.push(c),
            }
        }
    }
}

/// Text for a terminal or a page. Everything that is added goes through [`printable`], except the colours.
pub(in crate::plan) struct TerminalText {
    pub(in crate::plan) text: String,
    markup: Markup,
}

// Escape sequences of ANSI terminals (ECMA-48, 8.3.117).
pub(in crate::plan) const GREEN: &str = "\x1b[32m";
pub(in crate::plan) const RED: &str = "\x1b[31m";
pub(in crate::plan) const YELLOW: &str = "\x1b[33m";
pub(in crate::plan) const CYAN: &str = "\x1b[36m";
pub(in crate::plan) const DIM: &str = "\x1b[90m";
pub(in crate::plan) const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

impl TerminalText {
    /// Empty text.
    pub(in crate::plan) fn new(colour: Colour) -> TerminalText {
        TerminalText { text: String::new(), markup: Markup::Terminal(colour) }
    }

    /// Empty text of a markup.
    pub(in crate::plan) fn of_markup(markup: Markup) -> TerminalText {
        TerminalText { text: String::new(), markup }
    }

    /// The form of the text.
    pub(in crate::plan) fn markup(&self) -> Markup {
        self.markup
    }

    /// Whether the text has colours.
    pub(in crate::plan) fn colour(&self) -> Colour {
        match self.markup {
            Markup::Terminal(colour) => colour,
            Markup::Html => Colour::Never,
        }
    }

    /// Adds text and ends the line.
    pub(in crate::plan) fn line(&mut self, text: &str) {
        self.markup.push_escaped(&mut self.text, text);
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

    /// Adds text that leads to a place: a link on a page, and the text alone in a terminal.
    pub(in crate::plan) fn link(&mut self, text: &str, reference: &str) {
        if self.markup != Markup::Html {
            return self.markup.push_escaped(&mut self.text, text);
        }
        self.text.push_str("<a href=\"");
        push_html(&mut self.text, reference);
        self.text.push_str("\">");
        push_html(&mut self.text, text);
        self.text.push_str("</a>");
    }

    /// Adds a grey comment that leads to a place, as [`link`](TerminalText::link) does.
    pub(in crate::plan) fn dim_link(&mut self, before: &str, text: &str, reference: &str) {
        if self.markup != Markup::Html {
            return self.dim(&format!("{before}{text}"));
        }
        self.dim(before);
        self.text.push_str("<span class=\"d\">");
        self.link(text, reference);
        self.text.push_str("</span>");
    }

    /// Adds text between the escape sequence `style` and a reset, or plain text if there are no colours.
    pub(in crate::plan) fn styled(&mut self, style: &str, text: &str) {
        self.markup.push_styled(&mut self.text, style, text);
    }
}

impl fmt::Write for TerminalText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.markup.push_escaped(&mut self.text, text);
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
///
/// ```
/// use plantime_terraform::plan::printable;
///
/// assert_eq!(printable("a\tb\u{1b}[31m"), "a\tb\\u{1b}[31m");
/// ```
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_printable(&mut out, text);
    out
}

/// Adds the text with the characters escaped that [`printable`] escapes.
fn push_printable(out: &mut String, text: &str) {
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
