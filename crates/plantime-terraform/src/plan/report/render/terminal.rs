//! Text for a terminal, which nothing that came from a file can control.

use std::fmt::{self, Write};

pub use plantime::source::printable;
use plantime::unstable::text::{self, in_one_line, push_printable};

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

/// Text for a terminal or a page. Everything that is added goes through [`printable_in_line`], except the colours: nothing
/// but the methods that say so ends a line.
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
        self.markup.push_escaped(&mut self.text, &in_one_line(text));
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
            return self.markup.push_escaped(&mut self.text, &in_one_line(text));
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
        self.markup.push_styled(&mut self.text, style, &in_one_line(text));
    }
}

impl fmt::Write for TerminalText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.markup.push_escaped(&mut self.text, &in_one_line(text));
        Ok(())
    }
}

/// The escape sequence of the colour for a word that names an answer, finding or severity.
fn word_colour(word: &str) -> &'static str {
    match word {
        "pass" | "upheld" => GREEN,
        "fail" | "contradicted" | "broken" | "Error" => RED,
        "warning" | "undetermined" | "known" | "not verifiable" | "Warning" => YELLOW,
        _ => DIM,
    }
}

impl TerminalText {
    /// Adds the word for a severity in its colour.
    pub(in crate::plan) fn severity_word(&mut self, word: &str) {
        self.styled(word_colour(word), word);
    }
}

/// The text for a place inside a line of a terminal: as [`printable`] gives it, with line ends written as `\n`.
///
/// ```
/// use plantime_terraform::plan::printable_in_line;
///
/// assert_eq!(printable_in_line("a\n::error::b"), "a\\n::error::b");
/// ```
pub fn printable_in_line(text: &str) -> String {
    printable(&in_one_line(text))
}

/// JSON as text with line breaks, in which the characters that [`printable`] escapes are escaped too: the document is the
/// same.
///
/// ```
/// use plantime_terraform::plan::printable_json;
///
/// assert_eq!(printable_json(&serde_json::json!("a\u{202e}b")), "\"a\\u202eb\"");
/// ```
pub fn printable_json(json: &serde_json::Value) -> String {
    text::printable_json(&format!("{json:#}")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_to_a_line_stays_in_it() {
        let mut out = TerminalText::new(Colour::Always);
        let forged = "a\n::error::b\u{2028}";
        out.part(format_args!("{forged}"));
        out.bold(forged);
        out.dim(forged);
        out.link(forged, forged);
        out.word("  ", forged, 3);
        out.line(forged);
        out.line_of(format_args!("{forged}"));
        assert_eq!(out.text.lines().count(), 2, "{:?}", out.text);
        assert!(!out.text.contains('\u{2028}'));
    }
}
