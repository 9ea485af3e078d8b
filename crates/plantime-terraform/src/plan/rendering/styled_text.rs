//! Escaped text with styles: for a terminal with or without colours, or as HTML.

use crate::plan::page::push_link;
use crate::plan::report::render::{BOLD, CYAN, DIM, GREEN, Markup, RED, YELLOW};

/// The styles of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Bold,
    Green,
    Red,
    Yellow,
    Cyan,
    Grey,
}

/// A comment that is written at the end of a line.
#[derive(Clone, Debug)]
pub(in crate::plan) struct LineComment {
    pub(in crate::plan) text: String,
    /// The place in a file that it names, as a link of a page.
    pub(in crate::plan) reference: Option<String>,
}

/// Text with styles. Added text is escaped: it cannot control the terminal or the page, and contains no line end.
pub(super) struct StyledText {
    pub(super) text: String,
    markup: Markup,
    /// The comment to be written at the end of the current line, if there is one.
    pub(super) line_comment: Option<LineComment>,
    /// Whether the line has a comment already.
    pub(super) has_comment: bool,
}

impl StyledText {
    /// Empty text.
    pub(super) fn new(markup: Markup) -> StyledText {
        StyledText { text: String::new(), markup, line_comment: None, has_comment: false }
    }

    /// Adds text in a style.
    pub(super) fn styled(&mut self, style: Style, text: &str) {
        let style = match style {
            Style::Plain => "",
            Style::Bold => BOLD,
            Style::Green => GREEN,
            Style::Red => RED,
            Style::Yellow => YELLOW,
            Style::Cyan => CYAN,
            Style::Grey => DIM,
        };
        if text.contains('\n') {
            self.markup.push_styled(&mut self.text, style, &text.replace('\n', "\\n"));
        } else if !text.is_empty() {
            self.markup.push_styled(&mut self.text, style, text);
        }
    }

    /// Adds text without a style.
    pub(super) fn plain(&mut self, text: &str) {
        self.styled(Style::Plain, text);
    }

    /// Adds the parts of a symbol, and a space if there are any.
    pub(super) fn symbol(&mut self, parts: &[(Style, &str)]) {
        for (style, text) in parts {
            self.styled(*style, text);
        }
        self.spaces(usize::from(!parts.is_empty()));
    }

    /// Adds spaces.
    pub(super) fn spaces(&mut self, count: usize) {
        self.text.extend(std::iter::repeat_n(' ', count));
    }

    /// Ends the line, with its comment if it has one.
    pub(super) fn end_line(&mut self) {
        let has_comment = std::mem::take(&mut self.has_comment);
        if let Some(comment) = self.line_comment.take() {
            self.styled(Style::Grey, if has_comment { ", " } else { "    # " });
            match comment.reference.filter(|_| self.markup == Markup::Html) {
                Some(reference) => {
                    self.text.push_str("<span class=\"d\">");
                    push_link(&mut self.text, &comment.text, &reference);
                    self.text.push_str("</span>");
                }
                None => self.styled(Style::Grey, &comment.text),
            }
        }
        self.text.push('\n');
    }
}
