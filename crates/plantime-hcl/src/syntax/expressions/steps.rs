//! Parses what follows a value: attributes, keys and splats.

use plantime::{Value, limits};

use crate::expression::tree::{Kind as NodeKind, Node, Step, StepKind};
use crate::expression::{ReferenceKey, ReferenceStep};
use crate::syntax::lexer::{Kind, Token};
use crate::syntax::parser::Parser;

impl Parser<'_> {
    /// Reads the attributes, keys and splats behind a value.
    pub(super) fn steps(&mut self, mut of: Node) -> Node {
        // Each splat is one level of the tree.
        let mut levels = 0_usize;
        loop {
            let next = self.peek();
            match next.kind {
                Kind::Dot => {
                    self.read();
                    let name = self.peek();
                    match name.kind {
                        Kind::Name => {
                            self.read();
                            let kind = StepKind::Attribute(self.text_of(&name).into());
                            of = with_step(of, Step { span: self.span(next.start..name.end), kind });
                        }
                        Kind::Number => {
                            let step = self.legacy_index(next, None);
                            of = with_step(of, step);
                        }
                        Kind::Star => {
                            levels = levels.saturating_add(1);
                            of = self.attribute_splat(of, next);
                        }
                        _ => {
                            self.report(
                                name.span(),
                                "Invalid attribute name",
                                "An attribute name is required after a dot.",
                            );
                            self.recovering = true;
                        }
                    }
                }
                Kind::OpenBracket => {
                    self.read();
                    if self.peek().kind == Kind::Star {
                        levels = levels.saturating_add(1);
                        of = self.full_splat(of, next);
                    } else {
                        let step = self.with_newlines(false, |parser| parser.index(next));
                        of = with_step(of, step);
                    }
                }
                _ => return of,
            }
            if self.depth.saturating_add(levels) > limits::DEPTH {
                self.report_too_deep();
                return of;
            }
        }
    }

    /// Reads the number of `.0`, which is written as an attribute; behind a splat, its star is where a problem is reported.
    fn legacy_index(&mut self, dot: Token, star: Option<Token>) -> Step {
        let token = self.read();
        let with = if star.is_some() { " with a full splat expression [*]" } else { "" };
        let written = self.text_of(&token);
        let key = match written.split_once('.') {
            Some((first, second)) => {
                let detail = format!(
                    "When using the legacy index syntax, chaining two indexes together is not permitted. Use the proper index \
                     syntax{with} instead, like [{first}][{second}]."
                );
                self.report(star.unwrap_or(token).span(), "Invalid legacy index syntax", detail);
                Value::unknown(plantime::Type::Number)
            }
            None => self.number(&token),
        };
        let span = self.span(dot.start..token.end);
        let key = Node { span: span.clone(), kind: NodeKind::Literal(key) };
        Step { span, kind: StepKind::Index(Box::new(key)) }
    }

    /// Reads an index behind its bracket.
    fn index(&mut self, open: Token) -> Step {
        let errors = self.errors;
        let key = self.expression();
        let close = if self.has_failed_since(errors) {
            self.recover(Kind::CloseBracket)
        } else {
            let close = self.read();
            if close.kind != Kind::CloseBracket && !self.recovering {
                let detail = "The index operator must end with a closing bracket (\"]\").";
                self.report_missing_bracket("Missing close bracket on index", detail)
            } else {
                close
            }
        };
        Step { span: self.span(open.start..close.end), kind: StepKind::Index(Box::new(key)) }
    }

    /// Goes behind the next closing bracket, which is where Terraform reports that another one is missing.
    #[cold]
    fn report_missing_bracket(&mut self, summary: &str, detail: &str) -> Token {
        let close = self.recover(Kind::CloseBracket);
        self.report(close.span(), summary, detail);
        close
    }

    /// Reads `[*]` behind its bracket, with all steps behind it, which apply to each element.
    fn full_splat(&mut self, of: Node, open: Token) -> Node {
        self.read();
        let mut close = self.read();
        if close.kind != Kind::CloseBracket && !self.recovering {
            let detail = "The star for a full splat operator must be immediately followed by a closing bracket (\"]\").";
            close = self.report_missing_bracket("Missing close bracket on splat index", detail);
        }
        let marker = self.span(open.start..close.end);
        let element = Node { span: of.span.start..marker.end, kind: NodeKind::Element };
        let each = match self.deeper(|parser| parser.steps(element)) {
            Some(each) => each,
            None => self.placeholder(open.start..close.end),
        };
        let span = of.span.start..each.span.end.max(marker.end);
        Node { span, kind: NodeKind::Splat { of: Box::new(of), each: Box::new(each), marker } }
    }

    /// Reads `.*` behind its dot, with the attributes behind it, which apply to each element.
    fn attribute_splat(&mut self, of: Node, dot: Token) -> Node {
        let star = self.read();
        let marker = self.span(dot.start..star.end);
        let mut each = Node { span: of.span.start..marker.end, kind: NodeKind::Element };
        while self.peek().kind == Kind::Dot {
            let dot = self.read();
            let name = self.peek();
            match name.kind {
                Kind::Name => {
                    self.read();
                    let kind = StepKind::Attribute(self.text_of(&name).into());
                    each = with_step(each, Step { span: self.span(dot.start..name.end), kind });
                }
                Kind::Number => {
                    let step = self.legacy_index(dot, Some(star));
                    each = with_step(each, step);
                }
                Kind::Star => {
                    let detail = "A splat expression (*) cannot be used inside another attribute-only splat expression.";
                    let summary = "Nested splat expression not allowed";
                    self.report_unless_recovering(name.span(), summary, detail);
                    self.recovering = true;
                    return of;
                }
                _ => {
                    // Terraform points at the star.
                    let detail = "An attribute name is required after a dot.";
                    self.report_unless_recovering(star.span(), "Invalid attribute name", detail);
                    self.recovering = true;
                    return of;
                }
            }
        }
        let span = of.span.start..each.span.end;
        Node { span, kind: NodeKind::Splat { of: Box::new(of), each: Box::new(each), marker } }
    }
}

/// The node with one step more. A reference takes attributes and constant keys into itself.
fn with_step(mut of: Node, step: Step) -> Node {
    let span = of.span.start..step.span.end;
    if let NodeKind::Reference(reference) = &mut of.kind
        && let Some(key) = constant_key(&step)
    {
        reference.steps.push(ReferenceStep { key, span: step.span.into() });
        return Node { span, kind: of.kind };
    }
    match of.kind {
        NodeKind::Access(inner, mut steps) => {
            steps.push(step);
            Node { span, kind: NodeKind::Access(inner, steps) }
        }
        _ => Node { span, kind: NodeKind::Access(Box::new(of), vec![step]) },
    }
}

/// The key of a step that needs no evaluation.
fn constant_key(step: &Step) -> Option<ReferenceKey> {
    match &step.kind {
        StepKind::Attribute(name) => Some(ReferenceKey::Attribute(name.clone())),
        StepKind::Index(key) => match &key.kind {
            NodeKind::Literal(value) if !value.is_null() => Some(ReferenceKey::Index(value.clone())),
            _ => None,
        },
    }
}
