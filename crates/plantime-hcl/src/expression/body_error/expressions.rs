//! Reads past expressions, by the grammar of HCL.

use super::tokens::{Kind, Token};
use super::{DEPTH, NO_EXPRESSION, Parser, Read};

impl Parser<'_> {
    /// Reads past an expression: a conditional, or operands between operators.
    pub(super) fn read_expression(&mut self) -> Read {
        if self.depth >= DEPTH {
            return Err(None);
        }
        self.depth = self.depth.saturating_add(1);
        loop {
            self.read_operand()?;
            if !matches!(self.peek().kind, Kind::Operator | Kind::Star | Kind::Minus) {
                break;
            }
            self.read();
        }
        if self.accept(Kind::Question) {
            self.read_expression()?;
            let colon = self.read();
            if colon.kind != Kind::Colon {
                let detail = "The conditional operator (...?...:...) requires a false expression, delimited by a colon.";
                return Self::error(&colon, "Missing false expression in conditional", detail);
            }
            self.read_expression()?;
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }

    /// Reads past an operand: a term and the steps behind it.
    fn read_operand(&mut self) -> Read {
        while matches!(self.peek().kind, Kind::Minus | Kind::Bang) {
            self.read();
        }
        self.read_term()?;
        loop {
            match self.peek().kind {
                Kind::Minus => return Ok(()),
                Kind::Dot => self.read_attribute()?,
                Kind::OpenBracket => {
                    self.read();
                    self.with_newlines(false, Self::read_index)?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Reads past the attribute after a dot.
    fn read_attribute(&mut self) -> Read {
        let no_name = |token: &Token| {
            Self::error(token, "Invalid attribute name", "An attribute name is required after a dot.")
        };
        self.read();
        let name = self.peek();
        match name.kind {
            Kind::Name | Kind::Number => {
                self.read();
                Ok(())
            }
            Kind::Star => {
                self.read();
                while self.accept(Kind::Dot) {
                    match self.peek().kind {
                        Kind::Name => {
                            self.read();
                        }
                        Kind::Number | Kind::Star => return Err(None),
                        _ => return no_name(&name),
                    }
                }
                Ok(())
            }
            _ => no_name(&name),
        }
    }

    /// Reads past the index after a bracket.
    fn read_index(&mut self) -> Read {
        let (summary, detail) = if self.accept(Kind::Star) {
            (
                "Missing close bracket on splat index",
                "The star for a full splat operator must be immediately followed by a closing bracket (\"]\").",
            )
        } else {
            self.read_expression()?;
            ("Missing close bracket on index", "The index operator must end with a closing bracket (\"]\").")
        };
        if self.read().kind == Kind::CloseBracket {
            return Ok(());
        }
        self.at = self.at.min(self.tokens.len().saturating_sub(1));
        let close = self.closing(Kind::OpenBracket, Kind::CloseBracket);
        Self::error(&close, summary, detail)
    }

    fn read_term(&mut self) -> Read {
        let start = self.peek();
        match start.kind {
            Kind::OpenParenthesis => {
                self.read();
                self.with_newlines(false, |parser| {
                    parser.read_expression()?;
                    let close = parser.read();
                    if close.kind == Kind::CloseParenthesis {
                        return Ok(());
                    }
                    let detail = "Expected a closing parenthesis to terminate the expression.";
                    Self::error(&close, "Unbalanced parentheses", detail)
                })
            }
            Kind::Number => {
                self.read();
                Ok(())
            }
            Kind::Name => {
                self.read();
                match self.peek().kind {
                    Kind::OpenParenthesis | Kind::DoubleColon => self.read_call(&start),
                    _ => Ok(()),
                }
            }
            Kind::OpenQuote | Kind::OpenHeredoc => {
                self.read();
                self.read_template(start.kind == Kind::OpenQuote)
            }
            Kind::OpenBracket => {
                self.read();
                self.with_newlines(false, |parser| parser.read_tuple(&start))
            }
            Kind::OpenBrace => {
                self.read();
                self.newlines.push(false);
                let is_for = self.next_is_word("for");
                self.newlines.pop();
                match is_for {
                    true => self.with_newlines(false, |parser| parser.read_for_expression(&start)),
                    false => self.with_newlines(true, |parser| parser.read_object(&start)),
                }
            }
            Kind::End => {
                let detail = "Expected the start of an expression, but found the end of the file.";
                Self::error(&start, "Missing expression", detail)
            }
            _ => Self::error(&start, "Invalid expression", NO_EXPRESSION),
        }
    }

    /// Reads past the rest of a function call, after the first part of the function's name.
    fn read_call(&mut self, name: &Token) -> Read {
        while self.accept(Kind::DoubleColon) {
            let part = self.peek();
            if part.kind != Kind::Name {
                let detail =
                    "Function scope resolution symbol :: must be followed by a function name in this scope.";
                return Self::error(&part, "Missing function name", detail);
            }
            self.read();
        }
        let open = self.peek();
        if open.kind != Kind::OpenParenthesis {
            let detail =
                "Function selector must be followed by an open parenthesis to begin the function call.";
            return Self::error(&open, "Missing open parenthesis", detail);
        }
        self.read();
        self.with_newlines(false, |parser| {
            loop {
                if parser.accept(Kind::CloseParenthesis) {
                    return Ok(());
                }
                parser.read_expression()?;
                let next = parser.read();
                match next.kind {
                    Kind::Comma => {}
                    Kind::CloseParenthesis => return Ok(()),
                    Kind::Ellipsis if parser.accept(Kind::CloseParenthesis) => return Ok(()),
                    Kind::Ellipsis => {
                        let detail = "An expanded function argument (with ...) must be immediately followed by closing \
                                      parentheses.";
                        return Self::error(&next, "Missing closing parenthesis", detail);
                    }
                    Kind::End => {
                        let detail = "There is no closing parenthesis for this function call before the end of the file. This may \
                                      be caused by incorrect parenthesis nesting elsewhere in this file.";
                        return Self::error(name, "Unterminated function call", detail);
                    }
                    _ => {
                        let detail = "A comma is required to separate each function argument from the next.";
                        return Self::error(&next, "Missing argument separator", detail);
                    }
                }
            }
        })
    }

    /// Reads past the items of a tuple, or a `for` expression, after the opening bracket.
    fn read_tuple(&mut self, open: &Token) -> Read {
        if self.next_is_word("for") {
            return self.read_for_expression(open);
        }
        loop {
            if self.accept(Kind::CloseBracket) {
                return Ok(());
            }
            self.read_expression()?;
            let next = self.read();
            match next.kind {
                Kind::Comma => {}
                Kind::CloseBracket => return Ok(()),
                Kind::End => {
                    let detail = "There is no corresponding closing bracket before the end of the file. This may be caused by \
                                  incorrect bracket nesting elsewhere in this file.";
                    return Self::error(open, "Unterminated tuple constructor expression", detail);
                }
                _ => {
                    let detail = "Expected a comma to mark the beginning of the next item.";
                    return Self::error(&next, "Missing item separator", detail);
                }
            }
        }
    }

    /// Reads past the items of an object, after the opening brace.
    fn read_object(&mut self, open: &Token) -> Read {
        let unterminated = || {
            let detail = "There is no corresponding closing brace before the end of the file. This may be caused by incorrect brace \
                          nesting elsewhere in this file.";
            Self::error(open, "Unterminated object constructor expression", detail)
        };
        loop {
            match self.peek().kind {
                Kind::Newline => {
                    self.read();
                    continue;
                }
                Kind::CloseBrace => {
                    self.read();
                    return Ok(());
                }
                _ => {}
            }
            self.read_expression()?;
            let next = self.read();
            match next.kind {
                Kind::Equal | Kind::Colon => {}
                Kind::Newline | Kind::Comma => {
                    let detail = "Expected an attribute value, introduced by an equals sign (\"=\").";
                    return Self::error(&next, "Missing attribute value", detail);
                }
                Kind::Name => {
                    let detail = "Expected an equals sign (\"=\") to mark the beginning of the attribute value. If you intended to \
                                  given an attribute name containing periods or spaces, write the name in quotes to create a \
                                  string literal.";
                    return Self::error(&next, "Missing key/value separator", detail);
                }
                Kind::End => return unterminated(),
                _ => {
                    let detail =
                        "Expected an equals sign (\"=\") to mark the beginning of the attribute value.";
                    return Self::error(&next, "Missing key/value separator", detail);
                }
            }
            self.read_expression()?;
            let next = self.read();
            match next.kind {
                Kind::Comma | Kind::Newline => {}
                Kind::CloseBrace => return Ok(()),
                Kind::End => return unterminated(),
                _ => {
                    let detail = "Expected a newline or comma to mark the beginning of the next attribute.";
                    return Self::error(&next, "Missing attribute separator", detail);
                }
            }
        }
    }

    /// Reads past a `for` expression, after its opening bracket or brace.
    fn read_for_expression(&mut self, open: &Token) -> Read {
        let wrong =
            |token: &Token, detail: &'static str| Self::error(token, "Invalid 'for' expression", detail);
        let is_object = open.kind == Kind::OpenBrace;
        self.read();
        let name = self.read();
        if name.kind != Kind::Name {
            return wrong(&name, "For expression requires variable name after 'for'.");
        }
        if self.accept(Kind::Comma) {
            let name = self.read();
            if name.kind != Kind::Name {
                return wrong(&name, "For expression requires value variable name after comma.");
            }
        }
        if !self.accept_word("in") {
            let next = self.peek();
            return wrong(&next, "For expression requires the 'in' keyword after its name declarations.");
        }
        self.read_expression()?;
        let colon = self.read();
        if colon.kind != Kind::Colon {
            return wrong(&colon, "For expression requires a colon after the collection expression.");
        }
        let first = self.peek();
        self.read_expression()?;
        let has_key = self.accept(Kind::Arrow);
        if has_key {
            self.read_expression()?;
        }
        let ellipsis = self.peek();
        if ellipsis.kind == Kind::Ellipsis {
            self.read();
        }
        if self.accept_word("if") {
            self.read_expression()?;
        }
        let close = self.read();
        let wanted = if is_object { Kind::CloseBrace } else { Kind::CloseBracket };
        if close.kind != wanted {
            return wrong(&close, "Extra characters after the end of the 'for' expression.");
        }
        if is_object && !has_key {
            return wrong(&first, "Key expression is required when building an object.");
        }
        if !is_object && has_key {
            return wrong(&first, "Key expression is not valid when building a tuple.");
        }
        if !is_object && ellipsis.kind == Kind::Ellipsis {
            return wrong(&ellipsis, "Grouping ellipsis (...) cannot be used when building a tuple.");
        }
        Ok(())
    }

    /// Reads past the parts of a template, after its opening quote or marker.
    fn read_template(&mut self, is_quoted: bool) -> Read {
        loop {
            let token = self.read();
            match token.kind {
                Kind::CloseQuote | Kind::CloseHeredoc => return Ok(()),
                Kind::Literal if is_quoted => self.check_escapes(&token)?,
                Kind::Literal | Kind::QuotedNewline => {}
                Kind::Interpolation => {
                    self.with_newlines(false, |parser| parser.read_interpolation(is_quoted))?
                }
                Kind::Directive => self.with_newlines(false, Self::read_directive)?,
                // The errors of directives, and of templates without end, are found elsewhere.
                _ => return Err(None),
            }
        }
    }

    fn read_interpolation(&mut self, is_quoted: bool) -> Read {
        self.read_expression()?;
        let close = self.read();
        let extra = "Extra characters after interpolation expression";
        let unclosed = "Unclosed template interpolation sequence";
        match close.kind {
            Kind::SequenceEnd => Ok(()),
            Kind::End => {
                let detail = "There is no closing brace for this interpolation sequence before the end of the file. This might be \
                              caused by incorrect nesting inside the given expression.";
                Self::error(&close, unclosed, detail)
            }
            Kind::Colon => {
                let detail = "Template interpolation doesn't expect a colon at this location. Did you intend this to be a literal \
                              sequence to be processed as part of another language? If so, you can escape it by starting with \
                              \"$${\" instead of just \"${\".";
                Self::error(&close, extra, detail)
            }
            Kind::OpenQuote | Kind::CloseQuote if is_quoted => {
                let detail = "There is no closing brace for this interpolation sequence before the end of the quoted template. This \
                              might be caused by incorrect nesting inside the given expression.";
                Self::error(&close, unclosed, detail)
            }
            _ => {
                let detail = "Expected a closing brace to end the interpolation expression, but found extra characters.\n\nThis can \
                              happen when you include interpolation syntax for another language, such as shell scripting, but \
                              forget to escape the interpolation start token. If this is an embedded sequence for another \
                              language, escape it by starting with \"$${\" instead of just \"${\".";
                Self::error(&close, extra, detail)
            }
        }
    }

    /// Reads past a directive. The errors inside a directive are left to another reader.
    fn read_directive(&mut self) -> Read {
        let is_if = self.next_is_word("if");
        let is_for = self.next_is_word("for");
        let is_plain = ["else", "endif", "endfor"].iter().any(|word| self.next_is_word(word));
        if !(is_if || is_for || is_plain) {
            return Err(None);
        }
        self.read();
        if is_for {
            if self.read().kind != Kind::Name {
                return Err(None);
            }
            if self.accept(Kind::Comma) && self.read().kind != Kind::Name {
                return Err(None);
            }
            if !self.accept_word("in") {
                return Err(None);
            }
        }
        if is_if || is_for {
            self.read_expression()?;
        }
        if self.read().kind == Kind::SequenceEnd { Ok(()) } else { Err(None) }
    }
}
