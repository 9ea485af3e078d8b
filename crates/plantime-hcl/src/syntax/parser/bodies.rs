//! Parses files and blocks: arguments and blocks, line by line.

use std::collections::HashMap;

use super::Parser;
use crate::body::{Argument, Block, Body};
use crate::expression::tree::Span;
use crate::expression::{Diagnostic, Expression};
use crate::syntax::lexer::{Kind, Token};

impl Parser<'_> {
    /// Reads arguments and blocks, up to the end of the block that begins at `open`, or of the file.
    pub(super) fn body(&mut self, open: Option<Token>) -> Body {
        let mut body = Body::default();
        self.rest_of_body(open, &mut body);
        body.arguments.shrink_to_fit();
        body.blocks.shrink_to_fit();
        body
    }

    fn rest_of_body(&mut self, open: Option<Token>, body: &mut Body) {
        // By name: a block may have tens of thousands of arguments. Most have few, for which a search takes less.
        let mut places = HashMap::new();
        loop {
            let next = self.peek();
            match (next.kind, open) {
                (Kind::End, _) if self.resume.is_some() => self.recover_after_item(),
                (Kind::CloseBrace, Some(_)) | (Kind::End, None) => {
                    self.read();
                    return;
                }
                (Kind::Newline, _) => {
                    self.read();
                }
                (Kind::Name, _) => {
                    if self.freedom.problems_of_each_block
                        && open.is_none()
                        && !self.muted
                        && self.begins_line(next)
                    {
                        self.recovering = false;
                    }
                    let name = self.read();
                    match self.peek().kind {
                        Kind::Equal => {
                            if let Some(argument) = self.argument(name, false) {
                                self.add_argument(argument, body, &mut places);
                            }
                        }
                        Kind::OpenQuote | Kind::OpenBrace | Kind::Name => {
                            let block = self.deeper(|parser| parser.block(name, open.is_some()));
                            body.blocks.extend(block);
                        }
                        _ => {
                            self.report_definition_required(name);
                            self.recover_after_item();
                        }
                    }
                }
                _ => {
                    let bad = self.read();
                    self.report_unexpected_token(bad, open);
                    if open.is_some() {
                        self.recover(Kind::CloseBrace);
                        return;
                    }
                    // Terraform's parser reads no further.
                    self.muted = !self.freedom.problems_of_each_block;
                    self.recover_after_item();
                }
            }
        }
    }

    /// Whether a token is the first one in its line, without blanks before it.
    fn begins_line(&self, token: Token) -> bool {
        self.text.get(..token.start).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    }

    fn add_argument(&mut self, argument: Argument, body: &mut Body, places: &mut HashMap<Box<str>, Span>) {
        const FEW: usize = 16;
        if places.is_empty() && body.arguments.len() >= FEW {
            places
                .extend(body.arguments.iter().map(|argument| (argument.name.clone(), argument.span.clone())));
        }
        let before = match places.is_empty() {
            true => body.argument(&argument.name).map(|before| before.span.clone()),
            false => places.get(&argument.name).cloned(),
        };
        if let Some(before) = before {
            let place = self.source.range_text(before);
            let name = &argument.name;
            let detail = format!(
                "The argument {name:?} was already set at {place}. Each argument may be set only once."
            );
            let problem = Diagnostic::new(self.source, argument.span, "Attribute redefined", detail);
            return self.push_problem(problem);
        }
        if !places.is_empty() {
            places.insert(argument.name.clone(), argument.span.clone());
        }
        body.arguments.push(argument);
    }

    /// Reports a token that begins no argument and no block.
    #[cold]
    fn report_unexpected_token(&mut self, bad: Token, open: Option<Token>) {
        let (span, summary, detail) = match (bad.kind, open) {
            (Kind::OpenQuote, _) => {
                (bad.span(), "Invalid argument name", "Argument names must not be quoted.")
            }
            (Kind::End, Some(open)) => (open.span(), "Unclosed configuration block", UNCLOSED_BLOCK),
            _ => (bad.span(), "Argument or block definition required", NO_DEFINITION),
        };
        self.report_unless_recovering(span, summary, detail);
    }

    /// Reports a name that begins no argument and no block.
    #[cold]
    fn report_definition_required(&mut self, name: Token) {
        let detail = format!(
            "{NO_DEFINITION} To set an argument, use the equals sign \"=\" to introduce the argument value."
        );
        self.report(name.span(), "Argument or block definition required", detail);
    }

    /// Reads an argument from its equals sign on, and the end of its line unless it is the only one of a block on one line.
    fn argument(&mut self, name: Token, is_single: bool) -> Option<Argument> {
        self.read();
        let errors = self.errors;
        let node = self.expression();
        if self.has_failed_since(errors) {
            self.recover_after_item();
        } else if !is_single {
            let end = self.peek();
            match end.kind {
                Kind::Newline | Kind::End => {
                    self.read();
                }
                // The end of a block on one line.
                Kind::CloseBrace if self.freedom.blocks_on_one_line && self.depth > 0 => {}
                _ => {
                    let end_detail = "An argument definition must end with a newline.";
                    let (summary, detail) = match end.kind {
                        Kind::Comma => (
                            "Unexpected comma after argument",
                            format!(
                                "Argument definitions must be separated by newlines, not commas. {end_detail}"
                            ),
                        ),
                        _ => ("Missing newline after argument", end_detail.to_owned()),
                    };
                    self.report_in_unless_recovering(name.start, end.span(), summary, detail);
                    self.recover_after_item();
                }
            }
        }
        let expression = Expression::of_node(self.source.clone(), node);
        Some(Argument { name: self.text_of(&name).into(), span: self.span(name.span()), expression })
    }

    /// Reads a block behind its kind.
    fn block(&mut self, kind: Token, is_nested: bool) -> Block {
        let span = self.span(kind.span());
        let mut block = Block {
            kind: self.text_of(&kind).into(),
            labels: Vec::new(),
            source: self.source.clone(),
            body_start: span.clone(),
            span,
            label_spans: Vec::new(),
            body: Body::default(),
        };
        let open = loop {
            let next = self.peek();
            match next.kind {
                Kind::OpenBrace => break self.read(),
                Kind::OpenQuote => {
                    let (label, span) = self.label();
                    block.labels.push(label);
                    block.label_spans.push(span);
                }
                Kind::Name => {
                    self.read();
                    block.labels.push(self.text_of(&next).into());
                    block.label_spans.push(self.span(next.span()));
                }
                _ => {
                    self.report_missing_block_body(kind, next);
                    self.recover_after_item();
                    return block;
                }
            }
        };
        block.labels.shrink_to_fit();
        block.label_spans.shrink_to_fit();
        block.body_start = self.span(open.span());
        let before = self.problems.len();
        let first = self.peek();
        match first.kind {
            Kind::Newline | Kind::End | Kind::CloseBrace => block.body = self.body(Some(open)),
            _ => self.body_on_one_line(kind, open, before, &mut block),
        }
        let end = self.peek();
        match end.kind {
            Kind::Newline | Kind::End => {
                self.read();
            }
            _ if is_nested && self.freedom.blocks_on_one_line => {}
            _ => {
                let detail = "A block definition must end with a newline.";
                let summary = "Missing newline after block definition";
                self.report_in_unless_recovering(kind.start, end.span(), summary, detail);
                self.recover_after_item();
            }
        }
        block
    }

    /// Reads the body of a block on one line: its only argument, and the brace after it.
    fn body_on_one_line(&mut self, kind: Token, open: Token, before: usize, block: &mut Block) {
        let name = self.read();
        let next = self.peek();
        match (name.kind, next.kind) {
            (Kind::Name, Kind::Equal) => {
                block.body_start = self.span(name.start..name.start.saturating_add(1));
                block.body.arguments.extend(self.argument(name, true));
                block.body.arguments.shrink_to_fit();
            }
            (Kind::Name, Kind::OpenQuote | Kind::OpenBrace | Kind::Name)
                if self.freedom.blocks_on_one_line =>
            {
                let inner = self.deeper(|parser| parser.block(name, true));
                block.body.blocks.extend(inner);
                return self.rest_of_body(Some(open), &mut block.body);
            }
            (Kind::Name, Kind::OpenQuote | Kind::OpenBrace | Kind::Name) => {
                let detail = format!(
                    "A single-line block definition can contain only a single argument. If you meant to define argument {:?}, \
                     use an equals sign to assign it a value. To define a nested block, place it on a line of its own within \
                     its parent block.",
                    self.text_of(&name)
                );
                self.report(name.start..next.end, "Argument definition required", detail);
                self.recover_after_item();
            }
            (Kind::Name, _) => {
                self.report_definition_required(name);
                self.recover_after_item();
            }
            _ => {
                self.report(name.span(), "Argument or block definition required", NO_DEFINITION);
                self.recover_after_item();
            }
        }
        let end = self.peek();
        let (summary, is_certain) = ("Invalid single-argument block definition", !self.recovering);
        let detail = match end.kind {
            Kind::CloseBrace => {
                self.read();
                return;
            }
            Kind::Comma => Some(
                "Single-line block syntax can include only one argument definition. To define multiple arguments, use the \
                 multi-line block syntax with one argument definition per line.",
            ),
            Kind::Newline => Some(
                "An argument definition on the same line as its containing block creates a single-line block definition, which \
                 must also be closed on the same line. Place the block's closing brace immediately after the argument \
                 definition.",
            ),
            Kind::End => {
                if is_certain {
                    self.report_in(kind.start, open.span(), "Unclosed configuration block", UNCLOSED_BLOCK);
                }
                None
            }
            _ => is_certain.then_some(
                "A single-line block definition must end with a closing brace immediately after its single argument definition.",
            ),
        };
        if let Some(detail) = detail {
            self.report(end.span(), summary, detail);
        }
        // This one comes before those of the body.
        if let Some(reported) = self.problems.get_mut(before..) {
            reported.rotate_right(usize::from(detail.is_some() && reported.len() > 1 && !self.muted));
        }
        self.recover(Kind::CloseBrace);
    }

    /// Reports a token in place of labels or the opening brace.
    #[cold]
    fn report_missing_block_body(&mut self, kind: Token, next: Token) {
        let summary = "Invalid block definition";
        match next.kind {
            Kind::Equal => {
                let detail = "The equals sign \"=\" indicates an argument definition, and must not be used when defining a block.";
                self.report_in(kind.start, next.span(), summary, detail);
            }
            Kind::Newline => {
                let detail = "A block definition must have block content delimited by \"{\" and \"}\", starting on the same \
                              line as the block header.";
                self.report_in(kind.start, next.span(), summary, detail);
            }
            _ => {
                let detail =
                    "Either a quoted string block label or an opening brace (\"{\") is expected here.";
                self.report_in_unless_recovering(kind.start, next.span(), summary, detail);
            }
        }
    }

    /// Reads a label in quotes.
    fn label(&mut self) -> (Box<str>, Span) {
        let open = self.read();
        let mut label = String::new();
        loop {
            let token = self.read();
            match token.kind {
                Kind::CloseQuote => break,
                Kind::Literal => label.push_str(&self.unescaped(&token)),
                Kind::Interpolation | Kind::Directive => {
                    let sign = if token.kind == Kind::Interpolation { '$' } else { '%' };
                    let detail = format!(
                        "Template sequences are not allowed in this string. To include a literal \"{sign}\", double it (as \
                         \"{sign}{sign}\") to escape it."
                    );
                    self.report_in(open.start, token.span(), "Invalid string literal", detail);
                    label.push(sign);
                    label.push_str("{ ... }");
                    self.recover(Kind::SequenceEnd);
                }
                Kind::End => {
                    let detail = "Unable to find the closing quote mark before the end of the file.";
                    self.report_in(open.start, token.span(), "Unterminated string literal", detail);
                    break;
                }
                _ => {
                    let detail = "This item is not valid in a string literal.";
                    self.report_in(open.start, token.span(), "Invalid string literal", detail);
                    self.recover(Kind::CloseQuote);
                    return (label.into(), self.span(open.start..token.end));
                }
            }
        }
        (label.into(), self.span(open.start..self.last.end))
    }
}

const NO_DEFINITION: &str = "An argument or block definition is required here.";
const UNCLOSED_BLOCK: &str = "There is no closing brace for this block before the end of the file. This may be caused by incorrect \
                              brace nesting elsewhere in this file.";
