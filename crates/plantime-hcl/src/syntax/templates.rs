//! Parses templates: the escapes of texts, the white space that strip markers and `<<-` take away, and how directives nest.
//!
//! HCL reads the literal text of a heredoc line by line, so a strip marker takes white space up to the end of the line only.
//! It strips before `<<-` removes the indentation, and a line whose line break was stripped before it counts no more as the
//! beginning of a line: its indentation stays.

use std::borrow::Cow;
use std::vec::IntoIter;

use plantime::Value;
use plantime::unstable::text::near_name;
use unicode_segmentation::UnicodeSegmentation;

use super::expressions::ForPart;
use super::lexer::{Kind, Token};
use super::parser::Parser;
use crate::expression::tree::{Kind as NodeKind, Node, Part, Span, TemplateFor, TemplateIf};

/// A piece of a template, before directives are nested.
enum Piece {
    Literal(String),
    Interpolation(Node),
    If(Node, Span),
    For(Option<Box<str>>, Box<str>, Node, Span),
    /// `else`, `endif` or `endfor`.
    End(&'static str, Span),
}

/// The pieces that are left to nest, and the place of the end of the template.
struct Pieces {
    rest: std::iter::Peekable<IntoIter<Piece>>,
    end: Span,
}

/// The keywords of directives.
const KEYWORDS: [&str; 5] = ["if", "for", "else", "endif", "endfor"];

const DIRECTIVE: &str = "Invalid 'for' directive";

impl<'s> Parser<'s> {
    /// Reads a template behind its opening token, up to the one that closes it. `is_flush` removes the common indentation of
    /// its lines.
    pub(super) fn template(&mut self, close: Kind, is_flush: bool) -> NodeKind {
        let first = self.peek();
        // Most texts are literals.
        if first.kind == Kind::Literal && close == Kind::CloseQuote {
            self.read();
            let text = self.unescaped(&first);
            if self.accept(close) {
                return NodeKind::Literal(Value::from(&*text));
            }
            let text = text.into_owned();
            return self.template_of(first, vec![Piece::Literal(text)], close, is_flush);
        }
        self.template_of(first, Vec::new(), close, is_flush)
    }

    /// Reads a template of which these pieces were read already.
    fn template_of(&mut self, first: Token, mut pieces: Vec<Piece>, close: Kind, is_flush: bool) -> NodeKind {
        let end = self.pieces(first, &mut pieces, close);
        if is_flush {
            remove_indentation(&mut pieces);
        }
        // A template that is one interpolation keeps the type of the value.
        if let [Piece::Interpolation(_)] = &*pieces
            && let Some(Piece::Interpolation(only)) = pieces.pop()
        {
            return NodeKind::Wrapped(Box::new(only));
        }
        let mut pieces = Pieces { rest: pieces.into_iter().peekable(), end };
        let mut parts = Vec::new();
        while let Some(piece) = pieces.rest.next() {
            match piece {
                Piece::End(keyword, span) => {
                    let detail = "The control directives within this template are unbalanced.";
                    self.report(span, &format!("Unexpected {keyword} directive"), detail);
                }
                piece => self.add_part(piece, &mut pieces, &mut parts),
            }
        }
        match parts.pop() {
            None => NodeKind::Literal(Value::from("")),
            Some(Part::Literal(text)) if parts.is_empty() => NodeKind::Literal(text),
            Some(last) => {
                parts.push(last);
                parts.shrink_to_fit();
                NodeKind::Template(parts)
            }
        }
    }

    /// Parses a template up to its closing token into literals, interpolations and directives that are not nested yet. Returns the
    /// place of the closing token.
    fn pieces(&mut self, first: Token, pieces: &mut Vec<Piece>, close: Kind) -> Span {
        let mut strips_next = false;
        loop {
            let token = self.read();
            let strips = std::mem::take(&mut strips_next);
            match token.kind {
                kind if kind == close => return token.span(),
                Kind::Literal => {
                    let text = match close {
                        Kind::CloseQuote => self.unescaped(&token),
                        _ => without_doubled_signs(self.text_of(&token)),
                    };
                    let text = if strips { text.trim_start() } else { &*text };
                    pieces.push(Piece::Literal(text.to_owned()));
                }
                Kind::Interpolation => {
                    self.strip_before(&token, pieces);
                    strips_next = self.with_newlines(false, |parser| {
                        let node = parser.expression();
                        pieces.push(Piece::Interpolation(node));
                        parser.end_of_interpolation(first, close)
                    });
                }
                Kind::Directive => {
                    self.strip_before(&token, pieces);
                    strips_next =
                        self.with_newlines(false, |parser| match parser.directive(&token, pieces) {
                            Some(keyword) => parser.end_of_directive(first, keyword),
                            None => {
                                parser.recover(Kind::SequenceEnd);
                                false
                            }
                        });
                }
                _ => {
                    let (summary, detail) =
                        ("Unterminated template string", "No closing marker was found for the string.");
                    self.report_in_unless_recovering(first.start, token.span(), summary, detail);
                    // The end of the text has been read.
                    if token.kind == Kind::End {
                        self.recovering = true;
                        return token.span();
                    }
                    return self.recover(close).span();
                }
            }
        }
    }

    /// Removes the white space before a sequence that begins with a strip marker.
    fn strip_before(&self, token: &Token, pieces: &mut [Piece]) {
        if self.text_of(token).ends_with('~')
            && let Some(Piece::Literal(text)) = pieces.last_mut()
        {
            text.truncate(text.trim_end().len());
        }
    }

    /// Reads the end of a sequence; whether it has a strip marker.
    fn accept_sequence_end(&mut self) -> Option<bool> {
        let close = self.peek();
        if close.kind != Kind::SequenceEnd {
            return None;
        }
        self.read();
        Some(self.text_of(&close).starts_with('~'))
    }

    /// Reads the end of an interpolation; whether white space behind it goes.
    fn end_of_interpolation(&mut self, first: Token, around: Kind) -> bool {
        if let Some(strips) = self.accept_sequence_end() {
            return strips;
        }
        let close = self.peek();
        let (extra, unclosed) =
            ("Extra characters after interpolation expression", "Unclosed template interpolation sequence");
        if !self.recovering {
            match close.kind {
                Kind::End => {
                    let detail = "There is no closing brace for this interpolation sequence before the end of the file. This \
                                  might be caused by incorrect nesting inside the given expression.";
                    self.report(first.span(), unclosed, detail);
                }
                Kind::Colon => {
                    let detail = "Template interpolation doesn't expect a colon at this location. Did you intend this to be a \
                                  literal sequence to be processed as part of another language? If so, you can escape it by \
                                  starting with \"$${\" instead of just \"${\".";
                    self.report_in(first.start, close.span(), extra, detail);
                }
                Kind::OpenQuote | Kind::CloseQuote if around == Kind::CloseQuote => {
                    let detail = "There is no closing brace for this interpolation sequence before the end of the quoted \
                                  template. This might be caused by incorrect nesting inside the given expression.";
                    self.report(first.span(), unclosed, detail);
                }
                _ => {
                    let detail = "Expected a closing brace to end the interpolation expression, but found extra \
                                  characters.\n\nThis can happen when you include interpolation syntax for another language, \
                                  such as shell scripting, but forget to escape the interpolation start token. If this is an \
                                  embedded sequence for another language, escape it by starting with \"$${\" instead of just \
                                  \"${\".";
                    self.report_in(first.start, close.span(), extra, detail);
                }
            }
        }
        self.recover(Kind::SequenceEnd);
        false
    }

    /// Reads the end of a directive; whether white space behind it goes.
    fn end_of_directive(&mut self, first: Token, keyword: &str) -> bool {
        if let Some(strips) = self.accept_sequence_end() {
            return strips;
        }
        let close = self.peek();
        let detail = "Expected a closing brace to end the sequence, but found extra characters.";
        let summary = format!("Extra characters in {keyword} marker");
        self.report_in_unless_recovering(first.start, close.span(), &summary, detail);
        self.recover(Kind::SequenceEnd);
        false
    }

    /// Reads a directive behind its opening token, up to its brace. `None` after an error in its keyword or names.
    fn directive(&mut self, open: &Token, pieces: &mut Vec<Piece>) -> Option<&'static str> {
        let word = self.peek();
        if word.kind != Kind::Name {
            let detail = "A template directive keyword (\"if\", \"for\", etc) is expected at the beginning of a %{ sequence.";
            self.report_in_unless_recovering(open.start, word.span(), "Invalid template directive", detail);
            return None;
        }
        self.read();
        let written = self.text_of(&word);
        let Some(keyword) = KEYWORDS.into_iter().find(|keyword| *keyword == written) else {
            if !self.recovering {
                let hint = near_name(written, KEYWORDS.into_iter());
                let hint = hint.map(|near| format!(" Did you mean {near:?}?")).unwrap_or_default();
                let detail = format!("{written:?} is not a valid template control keyword.{hint}");
                self.report_in(open.start, word.span(), "Invalid template control keyword", detail);
            }
            return None;
        };
        let mut names = None;
        if keyword == "for" {
            names = Some(self.for_names(|parser, next, missing| {
                let detail = match missing {
                    ForPart::Name => "For directive requires variable name after 'for'.",
                    ForPart::SecondName => "For directive requires value variable name after comma.",
                    ForPart::In => "For directive requires 'in' keyword after names.",
                };
                parser.report_unless_recovering(next.span(), DIRECTIVE, detail);
            })?);
        }
        let operand = matches!(keyword, "if" | "for").then(|| self.expression());
        let span = open.start..self.peek().end;
        pieces.push(match (operand, names) {
            (Some(collection), Some((key, value))) => Piece::For(key, value, collection, span),
            (Some(condition), None) => Piece::If(condition, span),
            _ => Piece::End(keyword, span),
        });
        Some(keyword)
    }

    /// Adds a piece as a part, with those of the directive that it opens. Literals beside each other become one.
    fn add_part(&mut self, piece: Piece, pieces: &mut Pieces, parts: &mut Vec<Part>) {
        match piece {
            Piece::Literal(mut text) => {
                while let Some(Piece::Literal(more)) =
                    pieces.rest.next_if(|piece| matches!(piece, Piece::Literal(_)))
                {
                    text.push_str(&more);
                }
                if !text.is_empty() {
                    parts.push(Part::Literal(Value::from(text)));
                }
            }
            Piece::Interpolation(node) => parts.push(Part::Interpolation(node)),
            Piece::If(condition, span) => {
                let nested = self.deeper(|parser| parser.if_parts(&span, pieces)).flatten();
                parts.extend(nested.map(|(yes, no)| Part::If(Box::new(TemplateIf { condition, yes, no }))));
            }
            Piece::For(key, value, collection, span) => {
                let nested = self.deeper(|parser| parser.for_parts_of_template(&span, pieces)).flatten();
                let part = nested
                    .map(|nested| Part::For(Box::new(TemplateFor { key, value, collection, parts: nested })));
                parts.extend(part);
            }
            Piece::End(..) => {}
        }
    }

    /// Takes the pieces of an `if` directive up to its `endif`: the parts before `else`, and those behind it. `None` after an error.
    fn if_parts(&mut self, opened: &Span, pieces: &mut Pieces) -> Option<(Vec<Part>, Vec<Part>)> {
        let mut yes = Vec::new();
        let mut no = None;
        loop {
            match pieces.rest.next() {
                None => {
                    self.report_missing_end("if", opened, pieces);
                    return None;
                }
                Some(Piece::End("endif", _)) => return Some((yes, no.unwrap_or_default())),
                Some(Piece::End("else", _)) if no.is_none() => no = Some(Vec::new()),
                Some(Piece::End(keyword, span)) => {
                    let place = self.place_of(opened);
                    let detail = match keyword {
                        "else" => format!("Already in the else clause for the if started at {place}."),
                        _ => format!("Expecting an endif directive for the if started at {place}."),
                    };
                    self.report(span, &format!("Unexpected {keyword} directive"), detail);
                    return None;
                }
                Some(piece) => self.add_part(piece, pieces, no.as_mut().unwrap_or(&mut yes)),
            }
        }
    }

    /// The parts of a `for` up to its `endfor`. `None` after an error.
    fn for_parts_of_template(&mut self, opened: &Span, pieces: &mut Pieces) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        loop {
            match pieces.rest.next() {
                None => {
                    self.report_missing_end("for", opened, pieces);
                    return None;
                }
                Some(Piece::End("endfor", _)) => return Some(parts),
                Some(Piece::End(keyword, span)) => {
                    let detail = match keyword {
                        "else" => "An else clause is not expected for a for directive.".to_owned(),
                        _ => format!(
                            "Expecting an endfor directive corresponding to the for directive at {}.",
                            self.place_of(opened)
                        ),
                    };
                    self.report(span, &format!("Unexpected {keyword} directive"), detail);
                    return None;
                }
                Some(piece) => self.add_part(piece, pieces, &mut parts),
            }
        }
    }

    #[cold]
    fn report_missing_end(&mut self, keyword: &str, opened: &Span, pieces: &Pieces) {
        let place = self.place_of(opened);
        let detail = format!(
            "The {keyword} directive at {place} is missing its corresponding end{keyword} directive."
        );
        self.report(pieces.end.clone(), "Unexpected end of template", detail);
    }

    /// The text of a token in quotes with its escapes resolved.
    pub(super) fn unescaped(&mut self, token: &Token) -> Cow<'s, str> {
        let written = self.text_of(token);
        if memchr::memchr3(b'\\', b'$', b'%', written.as_bytes()).is_none() {
            return Cow::Borrowed(written);
        }
        let mut text = String::with_capacity(written.len());
        let mut at = 0_usize;
        while let Some(rest) = written.get(at..)
            && let Some(found) = memchr::memchr3(b'\\', b'$', b'%', rest.as_bytes())
        {
            text.push_str(rest.get(..found).unwrap_or_default());
            at = at.saturating_add(found);
            let rest = rest.get(found..).unwrap_or_default();
            let taken = match rest.strip_prefix('\\') {
                Some(selected) => self.escape(token.start.saturating_add(at), selected, &mut text),
                None if rest.starts_with("$${") || rest.starts_with("%%{") => {
                    text.push_str(rest.get(1..3).unwrap_or_default());
                    3
                }
                None => {
                    text.push_str(rest.get(..1).unwrap_or_default());
                    1
                }
            };
            at = at.saturating_add(taken);
        }
        text.push_str(written.get(at..).unwrap_or_default());
        Cow::Owned(text)
    }

    /// Adds the character of the escape at byte `start`, of which `selected` follows the backslash; the number of its bytes.
    fn escape(&mut self, start: usize, selected: &str, text: &mut String) -> usize {
        let Some(selector) = selected.chars().next() else {
            let detail = "Backslash must be followed by an escape sequence selector character.";
            self.report(start..start.saturating_add(1), ESCAPE, detail);
            return 1;
        };
        let most = match selector {
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let digits = selected.bytes().skip(1).take(most).take_while(u8::is_ascii_hexdigit).count();
        let length = selector.len_utf8().saturating_add(1).saturating_add(digits);
        let detail = match selector {
            'n' => return push(text, '\n', length),
            'r' => return push(text, '\r', length),
            't' => return push(text, '\t', length),
            '"' | '\\' => return push(text, selector, length),
            'u' if digits < most => {
                "The \\u escape sequence must be followed by four hexadecimal digits.".to_owned()
            }
            'U' if digits < most => {
                "The \\U escape sequence must be followed by eight hexadecimal digits.".to_owned()
            }
            'u' | 'U' => {
                let digits = selected.get(1..digits.saturating_add(1)).unwrap_or_default();
                let code = u32::from_str_radix(digits, 16).unwrap_or(u32::MAX);
                match char::from_u32(code) {
                    Some(c) => return push(text, c, length),
                    None => format!("Cannot encode character U+{code:04x} in UTF-8."),
                }
            }
            _ => format!("The symbol {:?} is not a valid escape sequence selector.", selector.to_string()),
        };
        self.report(start..start.saturating_add(length), ESCAPE, detail);
        length
    }
}

const ESCAPE: &str = "Invalid escape sequence";

/// Adds a character; the number of bytes of its escape.
fn push(text: &mut String, c: char, length: usize) -> usize {
    text.push(c);
    length
}

/// The text of a heredoc or a bare template, with `$${` as `${` and `%%{` as `%{`.
fn without_doubled_signs(text: &str) -> Cow<'_, str> {
    match text.contains("$${") || text.contains("%%{") {
        true => {
            let mut result = String::with_capacity(text.len());
            let mut rest = text;
            while let Some(at) = memchr::memchr2(b'$', b'%', rest.as_bytes()) {
                let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
                result.push_str(before);
                let skipped = usize::from(from.starts_with("$${") || from.starts_with("%%{"));
                let kept = if skipped > 0 { 3 } else { 1 };
                result.push_str(from.get(skipped..kept).unwrap_or_default());
                rest = from.get(kept..).unwrap_or_default();
            }
            result.push_str(rest);
            Cow::Owned(result)
        }
        false => Cow::Borrowed(text),
    }
}

/// Removes the indentation that all lines have in common. It is counted in characters as they are seen; blank lines count not.
fn remove_indentation(pieces: &mut [Piece]) {
    let (mut least, mut at_line_start) = (usize::MAX, true);
    let mut indented = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        if std::mem::take(&mut at_line_start) {
            let indentation = match piece {
                Piece::Literal(text) => {
                    let trimmed = text.trim_start();
                    if trimmed.is_empty() && text.ends_with('\n') {
                        usize::MAX
                    } else {
                        indented.push(at);
                        let blank = text.get(..text.len().saturating_sub(trimmed.len()));
                        blank.unwrap_or_default().graphemes(true).count()
                    }
                }
                _ => 0,
            };
            least = least.min(indentation);
        }
        at_line_start = matches!(piece, Piece::Literal(text) if text.ends_with('\n'));
    }
    for at in indented {
        if let Some(Piece::Literal(text)) = pieces.get_mut(at) {
            let cut: usize = text.graphemes(true).take(least).map(str::len).fold(0, usize::saturating_add);
            text.drain(..cut);
        }
    }
}
