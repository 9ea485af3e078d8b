//! Reads templates: the white space that strip markers and `<<-` take away, and the parts.
//!
//! HCL reads the literal text of a heredoc line by line, so a strip marker takes white space up to the end of the line only.
//! It strips before `<<-` removes the indentation, and a line whose line break was stripped before it counts no more as the
//! beginning of a line: its indentation stays.

use hcl_edit::Span as _;
use hcl_edit::template::{Directive, Element, HeredocTemplate, StringTemplate, Strip, Template};
use plantime::Value;
use unicode_segmentation::UnicodeSegmentation;

use super::Reader;
use crate::expression::diagnostic::{Diagnostics, all};
use crate::expression::tree::{Kind, Node, Part, Span, TemplateFor};

/// How the literals of a template are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// In quotes: with escapes, and in one piece.
    Quoted,
    /// In lines.
    Lines,
}

/// A token of a template, the tokens of nested templates among them.
enum Token {
    Literal(String),
    Sequence(Strip),
}

impl Reader<'_> {
    /// Reads a template in quotes.
    pub(super) fn quoted_template(&self, template: &StringTemplate) -> Result<Kind, Diagnostics> {
        let elements: Vec<&Element> = template.iter().collect();
        self.template(&elements, Form::Quoted, false)
    }

    /// Reads a heredoc. `<<-` removes the common indentation of its lines.
    pub(super) fn heredoc(&self, heredoc: &HeredocTemplate) -> Result<Kind, Diagnostics> {
        let elements: Vec<&Element> = heredoc.template.iter().collect();
        // hcl-edit keeps whether the heredoc is one of `<<-` only where it took something away.
        let flush = heredoc.span().is_some_and(|_| self.text(&self.span(heredoc)).starts_with("<<-"));
        self.template(&elements, Form::Lines, flush)
    }

    /// A template without quotes around it.
    pub(super) fn bare_template(&self, template: &Template, span: Span) -> Result<Node, Diagnostics> {
        let elements: Vec<&Element> = template.iter().collect();
        Ok(Node { span, kind: self.template(&elements, Form::Lines, false)? })
    }

    /// Reads the elements of a template. A template of one interpolation alone keeps the value's type, so it
    /// becomes no string.
    fn template(&self, elements: &[&Element], form: Form, flush: bool) -> Result<Kind, Diagnostics> {
        if let [Element::Interpolation(only)] = elements {
            return Ok(Kind::Wrapped(Box::new(self.expression(&only.expr)?)));
        }
        let mut tokens = Vec::new();
        self.tokens(elements, form, &mut tokens);
        strip(&mut tokens);
        if flush {
            remove_indentation(&mut tokens);
        }
        let mut parts = self.parts(elements, form, &mut tokens.into_iter())?;
        Ok(match (parts.pop(), parts.is_empty()) {
            (None, _) => Kind::Literal(Value::from("")),
            (Some(Part::Literal(text)), true) => Kind::Literal(text),
            (Some(last), _) => {
                parts.push(last);
                Kind::Template(parts)
            }
        })
    }

    /// The literals and sequences of a template in the order of the source.
    fn tokens(&self, elements: &[&Element], form: Form, tokens: &mut Vec<Token>) {
        for element in elements {
            match element {
                Element::Literal(literal) => {
                    tokens.extend(self.pieces(literal, form).into_iter().map(Token::Literal))
                }
                Element::Interpolation(interpolation) => tokens.push(Token::Sequence(interpolation.strip)),
                Element::Directive(directive) => match &**directive {
                    Directive::If(directive) => {
                        tokens.push(Token::Sequence(directive.if_expr.strip));
                        self.tokens(&children(&directive.if_expr.template), form, tokens);
                        if let Some(other) = &directive.else_expr {
                            tokens.push(Token::Sequence(other.strip));
                            self.tokens(&children(&other.template), form, tokens);
                        }
                        tokens.push(Token::Sequence(directive.endif_expr.strip));
                    }
                    Directive::For(directive) => {
                        tokens.push(Token::Sequence(directive.for_expr.strip));
                        self.tokens(&children(&directive.for_expr.template), form, tokens);
                        tokens.push(Token::Sequence(directive.endfor_expr.strip));
                    }
                },
            }
        }
    }

    /// The pieces of a literal: its lines, unless it is in quotes.
    fn pieces(&self, literal: &hcl_edit::Spanned<String>, form: Form) -> Vec<String> {
        if form == Form::Quoted {
            return vec![literal.value().clone()];
        }
        // What hcl-edit has read lacks the indentation already.
        let written = match literal.span() {
            Some(_) => self.text(&self.span(literal)).replace("$${", "${").replace("%%{", "%{"),
            None => literal.value().clone(),
        };
        written.split_inclusive('\n').map(str::to_owned).collect()
    }

    /// The parts, with the literals as the tokens have them.
    fn parts(
        &self,
        elements: &[&Element],
        form: Form,
        tokens: &mut impl Iterator<Item = Token>,
    ) -> Result<Vec<Part>, Diagnostics> {
        all(elements.iter().map(|element| {
            Ok(match element {
                Element::Literal(literal) => {
                    let pieces = tokens.by_ref().take(self.pieces(literal, form).len());
                    let text: String = pieces
                        .map(|token| match token {
                            Token::Literal(text) => text,
                            Token::Sequence(_) => String::new(),
                        })
                        .collect();
                    Part::Literal(Value::from(text))
                }
                Element::Interpolation(interpolation) => {
                    tokens.next();
                    Part::Interpolation(self.expression(&interpolation.expr)?)
                }
                Element::Directive(directive) => match &**directive {
                    Directive::If(directive) => {
                        tokens.next();
                        let condition = self.expression(&directive.if_expr.cond_expr)?;
                        let yes = self.parts(&children(&directive.if_expr.template), form, tokens)?;
                        let mut no = Vec::new();
                        if let Some(other) = &directive.else_expr {
                            tokens.next();
                            no = self.parts(&children(&other.template), form, tokens)?;
                        }
                        tokens.next();
                        Part::If(condition, yes, no)
                    }
                    Directive::For(directive) => {
                        tokens.next();
                        let each = &directive.for_expr;
                        let collection = self.expression(&each.collection_expr)?;
                        let parts = self.parts(&children(&each.template), form, tokens)?;
                        tokens.next();
                        Part::For(TemplateFor {
                            key: each.key_var.as_ref().map(|name| name.value().as_str().into()),
                            value: each.value_var.value().as_str().into(),
                            collection,
                            parts,
                        })
                    }
                },
            })
        }))
        .map(|parts| parts.into_iter().filter(|part| !is_empty(part)).collect())
    }
}

/// The elements of a template.
fn children(template: &Template) -> Vec<&Element> {
    template.iter().collect()
}

fn is_empty(part: &Part) -> bool {
    matches!(part, Part::Literal(text) if text.as_str().is_ok_and(str::is_empty))
}

/// Removes the white space that strip markers ask for: of the one token beside each.
fn strip(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let Some(Token::Sequence(strip)) = tokens.get(at) else { continue };
        let strip = *strip;
        if strip.strip_start()
            && let Some(Token::Literal(text)) = at.checked_sub(1).and_then(|before| tokens.get_mut(before))
        {
            text.truncate(text.trim_end().len());
        }
        if strip.strip_end()
            && let Some(Token::Literal(text)) = tokens.get_mut(at.saturating_add(1))
        {
            *text = text.trim_start().to_owned();
        }
    }
}

/// Removes the indentation that all lines have in common. It is counted in characters as they are seen; blank lines count not.
fn remove_indentation(tokens: &mut [Token]) {
    let (mut least, mut at_line_start) = (usize::MAX, true);
    let mut indented = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if std::mem::take(&mut at_line_start) {
            let indentation = match token {
                Token::Literal(text) => {
                    let trimmed = text.trim_start();
                    if trimmed.is_empty() && text.ends_with('\n') {
                        usize::MAX
                    } else {
                        indented.push(at);
                        let blank = text.get(..text.len().saturating_sub(trimmed.len()));
                        blank.unwrap_or_default().graphemes(true).count()
                    }
                }
                Token::Sequence(_) => 0,
            };
            least = least.min(indentation);
        }
        at_line_start = matches!(token, Token::Literal(text) if text.ends_with('\n'));
    }
    for at in indented {
        if let Some(Token::Literal(text)) = tokens.get_mut(at) {
            *text = text.graphemes(true).skip(least).collect();
        }
    }
}
