//! Errors in the directives of templates, which the parser of HCL reports at the beginning of the block around.
//!
//! | what | Terraform's summary |
//! |---|---|
//! | `%{ while true }` | Invalid template control keyword |
//! | `%{ 5 }`, `%{ }` | Invalid template directive |
//! | an `if` or `for` without end | Unexpected end of template |
//! | an `else`, `endif` or `endfor` that nothing opens, or that ends something else | Unexpected else directive, … |
//! | a line break in quotes | Invalid multi-line string |

use std::ops::Range;

use plantime::source::Source;
use plantime::unstable::text::{Cursor, near_name};

use super::diagnostic::Diagnostic;

/// The keywords of directives.
const KEYWORDS: [&str; 5] = ["if", "else", "endif", "for", "endfor"];

/// A directive that is open.
struct Directive {
    /// `if` or `for`.
    keyword: &'static str,
    /// The whole sequence, from `%{` to `}`.
    span: Range<usize>,
    has_else: bool,
}

/// What surrounds the position of the scan.
enum Frame<'t> {
    /// An expression, inside this number of braces; in a template unless it is the file. A directive is its keyword and start.
    Code { braces: usize, is_sequence: bool, directive: Option<(&'static str, usize)> },
    /// A template: in quotes, or up to a line with this word.
    Template { end: Option<&'t str>, open: Vec<Directive> },
}

/// The first error in a directive of a template of the source, or in how directives nest, or the first line break in quotes.
pub fn template_error(source: &Source) -> Option<Diagnostic> {
    let mut scan = Scan::new(source);
    while !scan.cursor.rest().is_empty() {
        if let Some(problem) = scan.read_token() {
            return Some(problem);
        }
    }
    scan.unbalanced
}

/// The sequence of a template that a byte is in, outside inner braces: the keyword of a directive, `None` in an interpolation.
pub(super) fn sequence_at(source: &Source, place: usize) -> Option<Option<&'static str>> {
    let mut scan = Scan::new(source);
    while scan.cursor.at() < place {
        let before = scan.cursor.at();
        if scan.read_token().is_some() || scan.cursor.at() == before {
            return None;
        }
    }
    match scan.frames.last() {
        Some(Frame::Code { braces: 0, is_sequence: true, directive }) => {
            Some(directive.map(|(keyword, _)| keyword))
        }
        _ => None,
    }
}

/// A scan of an expression's text for errors of templates, with a stack of the surrounding templates and code.
struct Scan<'t> {
    source: &'t Source,
    cursor: Cursor<'t>,
    frames: Vec<Frame<'t>>,
    /// The first directive that does not fit those around it. Terraform reports wrong keywords before.
    unbalanced: Option<Diagnostic>,
}

impl<'t> Scan<'t> {
    fn new(source: &'t Source) -> Scan<'t> {
        let frames = vec![Frame::Code { braces: 0, is_sequence: false, directive: None }];
        Scan { source, cursor: Cursor::new(source.text()), frames, unbalanced: None }
    }

    /// Reads one token; an error if it is one in itself.
    fn read_token(&mut self) -> Option<Diagnostic> {
        match self.frames.last() {
            Some(Frame::Template { end, .. }) => {
                let end = *end;
                self.template_token(end)
            }
            Some(Frame::Code { .. }) => {
                self.code_token();
                None
            }
            None => {
                self.cursor.advance(self.cursor.rest().len());
                None
            }
        }
    }

    /// Reads one token of code: a comment, a heredoc's marker, a quote, a brace or one character.
    fn code_token(&mut self) {
        let rest = self.cursor.rest();
        let Some(next) = rest.chars().next() else { return };
        if next == '#' || rest.starts_with("//") {
            return self.cursor.advance(rest.find('\n').unwrap_or(rest.len()));
        }
        if rest.starts_with("/*") {
            return self.cursor.advance(rest.find("*/").map_or(rest.len(), |end| end.saturating_add(2)));
        }
        if let Some(marker) = rest.strip_prefix("<<") {
            let marker = marker.strip_prefix('-').unwrap_or(marker);
            // A line is not read whole for each marker in it.
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            let (word, behind) = marker.split_at(marker.find(|c| !is_part(c)).unwrap_or(marker.len()));
            let is_line_end = behind.is_empty() || behind.starts_with('\n') || behind.starts_with("\r\n");
            let is_word = !word.is_empty() && is_line_end;
            if is_word {
                self.cursor.advance(rest.find('\n').map_or(rest.len(), |end| end.saturating_add(1)));
                return self.frames.push(Frame::Template { end: Some(word), open: Vec::new() });
            }
        }
        self.cursor.advance(next.len_utf8());
        let Some(Frame::Code { braces, is_sequence, directive }) = self.frames.last_mut() else { return };
        match next {
            '"' => self.frames.push(Frame::Template { end: None, open: Vec::new() }),
            '{' => *braces = braces.saturating_add(1),
            '}' if *braces > 0 => *braces = braces.saturating_sub(1),
            '}' if *is_sequence => {
                let directive = directive.take();
                self.frames.pop();
                if let Some((keyword, start)) = directive {
                    self.directive(keyword, start..self.cursor.at());
                }
            }
            _ => {}
        }
    }

    /// Reads one token inside a template: an escape, the begin of an interpolation or directive, the end of the
    /// template or one character. Returns the error of a directive.
    fn template_token(&mut self, end: Option<&'t str>) -> Option<Diagnostic> {
        let rest = self.cursor.rest();
        if rest.starts_with("$${") || rest.starts_with("%%{") {
            self.cursor.advance(3);
            return None;
        }
        if rest.starts_with("${") {
            self.cursor.advance(2);
            self.frames.push(Frame::Code { braces: 0, is_sequence: true, directive: None });
            return None;
        }
        if rest.starts_with("%{") {
            return self.begin_directive();
        }
        match end {
            None if rest.starts_with('"') => {
                self.end_template(1);
                self.cursor.advance(1);
            }
            None if rest.starts_with('\\') => {
                self.cursor.advance(1);
                self.cursor.advance(self.cursor.peek().map_or(0, char::len_utf8));
            }
            None if rest.starts_with('\n') => {
                let detail = "Quoted strings may not be split over multiple lines. To produce a multi-line string, either use \
                              the \\n escape to represent a newline character or use the \"heredoc\" multi-line template \
                              syntax.";
                let span = self.cursor.at()..self.cursor.at().saturating_add(1);
                return Some(Diagnostic::new(self.source, span, "Invalid multi-line string", detail));
            }
            Some(word)
                if self.begins_line() && rest.lines().next().is_some_and(|line| line.trim() == word) =>
            {
                let line = rest.lines().next().unwrap_or_default();
                let indentation = line.len().saturating_sub(line.trim_start().len());
                self.cursor.advance(indentation);
                self.end_template(word.len());
                self.cursor.advance(word.len());
            }
            _ => self.cursor.advance(rest.chars().next().map_or(1, char::len_utf8)),
        }
        None
    }

    /// Whether the position is at the begin of a line.
    fn begins_line(&self) -> bool {
        self.cursor
            .text()
            .get(..self.cursor.at())
            .is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    }

    /// Reads `%{` and the keyword.
    fn begin_directive(&mut self) -> Option<Diagnostic> {
        let start = self.cursor.at();
        self.cursor.advance(2);
        if self.cursor.rest().starts_with('~') {
            self.cursor.advance(1);
        }
        let rest = self.cursor.rest();
        self.cursor.advance(rest.len().saturating_sub(rest.trim_start().len()));
        let rest = self.cursor.rest();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let word = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len())).unwrap_or_default();
        if !word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let width = rest.chars().next().map_or(0, char::len_utf8);
            let detail = "A template directive keyword (\"if\", \"for\", etc) is expected at the beginning of a %{ sequence.";
            let span = self.cursor.at()..self.cursor.at().saturating_add(width);
            return Some(Diagnostic::new(self.source, span, "Invalid template directive", detail));
        }
        let Some(keyword) = KEYWORDS.into_iter().find(|keyword| *keyword == word) else {
            let hint = near_name(word, KEYWORDS.into_iter()).map(|near| format!(" Did you mean {near:?}?"));
            let detail =
                format!("{word:?} is not a valid template control keyword.{}", hint.unwrap_or_default());
            let span = self.cursor.at()..self.cursor.at().saturating_add(word.len());
            return Some(Diagnostic::new(self.source, span, "Invalid template control keyword", detail));
        };
        self.cursor.advance(word.len());
        let directive = Some((keyword, start));
        self.frames.push(Frame::Code { braces: 0, is_sequence: true, directive });
        None
    }

    /// Notes a directive that has been read to its end.
    fn directive(&mut self, keyword: &'static str, span: Range<usize>) {
        let source = self.source;
        let Some(Frame::Template { open, .. }) = self.frames.last_mut() else { return };
        let around = open.last().map(|around| (around.keyword, around.has_else, around.span.clone()));
        // The place of the first error only: it is counted from the start of the file.
        let is_first = self.unbalanced.is_none();
        let text =
            |place: &Range<usize>| if is_first { source.range_text(place.clone()) } else { String::new() };
        let problem = match (keyword, around) {
            ("if" | "for", _) => {
                open.push(Directive { keyword, span, has_else: false });
                return;
            }
            ("else", Some(("if", false, _))) => {
                if let Some(around) = open.last_mut() {
                    around.has_else = true;
                }
                return;
            }
            ("endif", Some(("if", ..))) | ("endfor", Some(("for", ..))) => {
                open.pop();
                return;
            }
            (_, None) => "The control directives within this template are unbalanced.".to_owned(),
            ("else", Some(("if", _, place))) => {
                format!("Already in the else clause for the if started at {}.", text(&place))
            }
            ("else", Some(_)) => "An else clause is not expected for a for directive.".to_owned(),
            (_, Some(("if", _, place))) => {
                format!("Expecting an endif directive for the if started at {}.", text(&place))
            }
            (_, Some((_, _, place))) => {
                format!(
                    "Expecting an endfor directive corresponding to the for directive at {}.",
                    text(&place)
                )
            }
        };
        let summary = format!("Unexpected {keyword} directive");
        self.unbalanced.get_or_insert_with(|| Diagnostic::new(source, span, &summary, problem));
    }

    /// Ends a template; its closing token has this number of bytes.
    fn end_template(&mut self, width: usize) {
        let Some(Frame::Template { open, .. }) = self.frames.pop() else { return };
        let Some(last) = open.last().filter(|_| self.unbalanced.is_none()) else { return };
        let (source, span) = (self.source, self.cursor.at()..self.cursor.at().saturating_add(width));
        let Directive { keyword, span: opened, .. } = last;
        let place = source.range_text(opened.clone());
        let detail = format!(
            "The {keyword} directive at {place} is missing its corresponding end{keyword} directive."
        );
        self.unbalanced
            .get_or_insert_with(|| Diagnostic::new(source, span, "Unexpected end of template", detail));
    }
}
