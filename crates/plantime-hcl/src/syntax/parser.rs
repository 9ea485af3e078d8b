//! Parses the native syntax of HCL: files, expressions, templates.
//!
//! Reading goes on after an error: at the next argument or block, or behind the bracket that the error is in. Which problems
//! are reported after the first one, and in which words, is what Terraform's parser does, so that a text has the same problems in both.

mod bodies;

use plantime::limits;
use plantime::source::Source;
use plantime::{Type, Value};

use super::lexer::{Kind, Lexer, Token};
use super::words::invalid_token;
use crate::body::Body;
use crate::expression::tree::{Kind as NodeKind, Node, Span};
use crate::expression::{Diagnostic, Diagnostics, Problems};

/// How a file is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Freedom {
    /// Whether a block may be on the line of the block that it is in: `when { attribute "engine" { equals = "x" } }`.
    pub blocks_on_one_line: bool,
    /// Whether each outermost block is checked as if it were the first: an error in one block does not suppress the errors in the
    /// blocks after it, as it does in Terraform.
    pub problems_of_each_block: bool,
}

/// Parses a file. The problems are added to `problems`; what is read has the arguments and blocks beside them.
pub fn parse_body(source: &Source, freedom: Freedom, problems: &mut Problems) -> Body {
    let mut parser = Parser::new(source, Lexer::of_code(source.text()), source.text(), 0);
    parser.freedom = freedom;
    let body = parser.body(None);
    parser.finish(problems);
    body
}

/// Parses a text as an expression. It is in the source from byte `start` on, perhaps with escapes.
pub(crate) fn parse_expression(source: &Source, text: &str, start: usize) -> Result<Node, Diagnostics> {
    let mut parser = Parser::new(source, Lexer::of_code(text), text, start);
    parser.newlines = false;
    let node = parser.expression();
    let next = parser.peek();
    if next.kind != Kind::End {
        let detail = "An expression was successfully parsed, but extra characters were found after it.";
        parser.report_unless_recovering(next.span(), "Extra characters after expression", detail);
    }
    parser.result(node)
}

/// Parses a text as a template. It is in the source from byte `start` on, perhaps with escapes.
pub(crate) fn parse_template(source: &Source, text: &str, start: usize) -> Result<Node, Diagnostics> {
    let mut parser = Parser::new(source, Lexer::of_template(text), text, start);
    let kind = parser.template(Kind::End, false);
    let node = Node { span: parser.span(0..text.len()), kind };
    parser.result(node)
}

/// The maximum number of times that reading goes on where a bracket is never closed: each time the rest of the text is read to find
/// that out.
const RESUMED: usize = 16;

/// A position to go on from.
struct Resume<'s> {
    lexer: Lexer<'s>,
    newline: Option<Token>,
    second_newline: Option<Token>,
    next: Token,
}

/// Parses one text.
pub(super) struct Parser<'s> {
    source: &'s Source,
    pub(super) text: &'s str,
    /// The byte of the source at which the text begins.
    start: usize,
    lexer: Lexer<'s>,
    /// The first two line ends before the next token, if there are any.
    newline: Option<Token>,
    second_newline: Option<Token>,
    next: Token,
    /// The token that was read last.
    pub(super) last: Token,
    /// Whether line ends are tokens: not inside brackets.
    pub(super) newlines: bool,
    /// Whether an error was found after which the position may be a wrong one. Most problems are not reported from then on.
    pub(super) recovering: bool,
    /// Whether no more problems are reported, since Terraform's parser would read no further.
    muted: bool,
    /// The number of problems that were found, whether they are reported or not.
    pub(super) errors: usize,
    pub(super) depth: usize,
    freedom: Freedom,
    /// Where reading goes on, if a bracket was never closed: until then the text seems to end.
    resume: Option<Box<Resume<'s>>>,
    /// How many times reading has gone on there.
    resumed: usize,
    /// The end of the last token that was read ever.
    seen: usize,
    /// Problems of single tokens, which come before all others.
    invalid: Vec<Diagnostic>,
    /// How many invalid tokens of each kind were reported.
    reported: [usize; 4],
    problems: Vec<Diagnostic>,
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source, lexer: Lexer<'s>, text: &'s str, start: usize) -> Parser<'s> {
        // The first token is read below.
        let none = Token { kind: Kind::End, start: 0, end: 0 };
        let mut parser = Parser {
            source,
            text,
            start,
            lexer,
            newline: None,
            second_newline: None,
            next: none,
            last: none,
            newlines: true,
            recovering: false,
            muted: false,
            errors: 0,
            depth: 0,
            freedom: Freedom::default(),
            resume: None,
            resumed: 0,
            seen: 0,
            invalid: Vec::new(),
            reported: [0; 4],
            problems: Vec::new(),
        };
        parser.advance();
        parser
    }

    /// The problems, those of single tokens first.
    fn finish(mut self, problems: &mut Problems) {
        while self.next.kind != Kind::End {
            self.advance();
        }
        problems.extend(self.invalid);
        problems.extend(self.problems);
    }

    fn result(self, node: Node) -> Result<Node, Diagnostics> {
        let mut problems = Problems::default();
        self.finish(&mut problems);
        Diagnostics::of(problems).map_or(Ok(node), Err)
    }

    /// The place in the source of a place in the text.
    pub(super) fn span(&self, span: Span) -> Span {
        self.start.saturating_add(span.start)..self.start.saturating_add(span.end)
    }

    /// A place in the text in words: `main.tf:2,3-7`.
    pub(super) fn place_of(&self, span: &Span) -> String {
        self.source.range_text(self.span(span.clone()))
    }

    /// The text of a token.
    pub(super) fn text_of(&self, token: &Token) -> &'s str {
        self.text.get(token.span()).unwrap_or_default()
    }

    /// Reads the token after the next one, and the line end between them.
    fn advance(&mut self) {
        (self.newline, self.second_newline) = (None, None);
        loop {
            let token = self.lexer.next();
            match token.kind {
                Kind::Comment if !self.text_of(&token).ends_with('\n') => {}
                // A comment takes the line end along.
                Kind::Comment | Kind::Newline => {
                    let newline = Token { kind: Kind::Newline, ..token };
                    match self.newline {
                        None => self.newline = Some(newline),
                        Some(_) => self.second_newline = self.second_newline.or(Some(newline)),
                    }
                }
                kind => {
                    if let Kind::Invalid | Kind::QuotedNewline = kind
                        && token.start >= self.seen
                    {
                        let text = self.text_of(&token);
                        if let Some((summary, detail)) = invalid_token(text, kind, &mut self.reported)
                            && self.invalid.len() <= limits::PROBLEMS
                        {
                            self.invalid.push(self.diagnostic(token.span(), summary, detail));
                        }
                    }
                    self.seen = self.seen.max(token.end);
                    self.next = token;
                    return;
                }
            }
        }
    }

    /// The next token.
    pub(super) fn peek(&self) -> Token {
        match self.newline {
            Some(newline) if self.newlines => newline,
            _ => self.next,
        }
    }

    /// Takes the next token.
    pub(super) fn read(&mut self) -> Token {
        let token = self.peek();
        if token.kind == Kind::Newline {
            self.newline = self.second_newline.take();
        } else if token.kind != Kind::End {
            self.advance();
        }
        self.last = token;
        token
    }

    /// Takes the next token if it is of a kind, and returns whether it was.
    pub(super) fn accept(&mut self, kind: Kind) -> bool {
        let is_next = self.peek().kind == kind;
        if is_next {
            self.read();
        }
        is_next
    }

    /// Whether the next token is this word.
    pub(super) fn is_word(&self, word: &str) -> bool {
        let next = self.peek();
        next.kind == Kind::Name && self.text_of(&next) == word
    }

    /// Runs with line ends as tokens, or without.
    pub(super) fn with_newlines<T>(&mut self, newlines: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.newlines, newlines);
        let result = read(self);
        self.newlines = before;
        result
    }

    /// Runs one level deeper. `None` beyond the maximum, after which nothing more is read.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= limits::DEPTH {
            self.report_too_deep();
            return None;
        }
        self.depth = self.depth.saturating_add(1);
        let result = read(self);
        self.depth = self.depth.saturating_sub(1);
        Some(result)
    }

    #[cold]
    pub(super) fn report_too_deep(&mut self) {
        let span = self.peek().span();
        let detail = format!("Expressions and blocks are nested more than {} levels deep.", limits::DEPTH);
        let problem = self.diagnostic(span, "Expression too complex", detail).of_limit();
        if !self.muted {
            self.problems.push(problem);
        }
        self.errors = self.errors.saturating_add(1);
        (self.recovering, self.muted) = (true, true);
        self.lexer.go_to_end();
        self.advance();
    }

    #[cold]
    fn diagnostic(&self, span: Span, summary: &str, detail: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.source, self.span(span), summary, detail)
    }

    /// Reports a problem.
    #[cold]
    pub(super) fn report(&mut self, span: Span, summary: &str, detail: impl Into<String>) {
        let problem = self.diagnostic(span, summary, detail);
        self.push_problem(problem);
    }

    /// Reports a problem that is shown with what is before it.
    #[cold]
    pub(super) fn report_in(&mut self, from: usize, span: Span, summary: &str, detail: impl Into<String>) {
        let context = self.span(from.min(span.start)..span.end);
        let problem = self.diagnostic(span, summary, detail).with_context(context);
        self.push_problem(problem);
    }

    /// Reports a problem that is shown with what is around it.
    #[cold]
    pub(super) fn report_around(&mut self, around: Span, span: Span, summary: &str, detail: &str) {
        let problem = self.diagnostic(span, summary, detail).with_context(self.span(around));
        self.push_problem(problem);
    }

    #[cold]
    fn push_problem(&mut self, problem: Diagnostic) {
        self.errors = self.errors.saturating_add(1);
        if !self.muted && self.problems.len() <= limits::PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Reports a problem, unless the position may be a wrong one.
    #[cold]
    pub(super) fn report_unless_recovering(&mut self, span: Span, summary: &str, detail: impl Into<String>) {
        if !self.recovering {
            self.report(span, summary, detail);
        }
    }

    #[cold]
    pub(super) fn report_in_unless_recovering(
        &mut self,
        from: usize,
        span: Span,
        summary: &str,
        detail: impl Into<String>,
    ) {
        if !self.recovering {
            self.report_in(from, span, summary, detail);
        }
    }

    /// Whether a problem was found after the first `errors` ones, and the position may be a wrong one.
    pub(super) fn has_failed_since(&self, errors: usize) -> bool {
        self.recovering && self.errors > errors
    }

    /// A node in place of one that could not be read.
    pub(super) fn placeholder(&self, span: Span) -> Node {
        Node { span: self.span(span), kind: NodeKind::Literal(Value::unknown(Type::Dynamic)) }
    }

    /// Skips tokens up to the closing token of this kind, those of inner brackets left out, or to the end of the text; returns the
    /// token at which it stopped.
    ///
    /// If nothing closes it, Terraform's parser has read all of the text; here reading goes on with the next line, and the rest of
    /// the problems are not reported.
    #[cold]
    pub(super) fn recover(&mut self, close: Kind) -> Token {
        self.recovering = true;
        let resume = (self.resume.is_none() && self.resumed < RESUMED).then(|| {
            let Parser { lexer, newline, second_newline, next, .. } = &*self;
            let (newline, second_newline, next) = (*newline, *second_newline, *next);
            Box::new(Resume { lexer: lexer.clone(), newline, second_newline, next })
        });
        let mut inner = 0_usize;
        loop {
            let token = self.read();
            match token.kind {
                Kind::End => {
                    if resume.is_some() {
                        self.resume = resume;
                        self.resumed = self.resumed.saturating_add(1);
                    }
                    return token;
                }
                kind if kind == close && inner == 0 => return token,
                kind if kind == close => inner = inner.saturating_sub(1),
                kind if opens(kind, close) => inner = inner.saturating_add(1),
                _ => {}
            }
        }
    }

    /// Skips tokens up to the next line end that is inside no bracket, so that the next argument or block can be parsed.
    #[cold]
    pub(super) fn recover_after_item(&mut self) {
        self.recovering = true;
        if let Some(resume) = self.resume.take() {
            self.muted = !self.freedom.problems_of_each_block;
            let Resume { lexer, newline, second_newline, next } = *resume;
            (self.lexer, self.newline, self.second_newline, self.next) =
                (lexer, newline, second_newline, next);
        }
        let mut open: Vec<Kind> = Vec::new();
        loop {
            let token = self.read();
            match token.kind {
                Kind::End => return,
                Kind::Newline if open.is_empty() => return,
                kind if kind.is_opening() => open.push(kind),
                kind if kind.is_closing() => while open.pop().is_some_and(|opened| !opens(opened, kind)) {},
                _ => {}
            }
        }
    }
}

/// Whether a token of a kind opens what one of another kind closes.
fn opens(open: Kind, close: Kind) -> bool {
    matches!(
        (open, close),
        (Kind::OpenBrace, Kind::CloseBrace)
            | (Kind::OpenBracket, Kind::CloseBracket)
            | (Kind::OpenParenthesis, Kind::CloseParenthesis)
            | (Kind::OpenQuote, Kind::CloseQuote)
            | (Kind::OpenHeredoc, Kind::CloseHeredoc)
            | (Kind::Interpolation | Kind::Directive, Kind::SequenceEnd)
    )
}
