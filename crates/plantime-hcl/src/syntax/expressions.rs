//! Parses expressions.

mod steps;

use plantime::{Number, Value};

use super::lexer::{Kind, Token};
use super::parser::Parser;
use crate::expression::Reference;
use crate::expression::tree::{Binary, Call, Chain, For, Key, Kind as NodeKind, Node, Unary};

/// The binary operator of a token, and its precedence.
fn operator(kind: Kind) -> Option<(Binary, u8)> {
    Some(match kind {
        Kind::Or => (Binary::Or, 0),
        Kind::And => (Binary::And, 1),
        Kind::EqualTo => (Binary::Equal, 2),
        Kind::NotEqualTo => (Binary::NotEqual, 2),
        Kind::Greater => (Binary::Greater, 3),
        Kind::GreaterOrEqual => (Binary::GreaterOrEqual, 3),
        Kind::Less => (Binary::Less, 3),
        Kind::LessOrEqual => (Binary::LessOrEqual, 3),
        Kind::Plus => (Binary::Add, 4),
        Kind::Minus => (Binary::Subtract, 4),
        Kind::Star => (Binary::Multiply, 5),
        Kind::Slash => (Binary::Divide, 5),
        Kind::Percent => (Binary::Modulo, 5),
        _ => return None,
    })
}

/// The precedence of a binary operator: a higher one binds its operands first.
fn precedence(operator: Binary) -> u8 {
    match operator {
        Binary::Or => 0,
        Binary::And => 1,
        Binary::Equal | Binary::NotEqual => 2,
        Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => 3,
        Binary::Add | Binary::Subtract => 4,
        Binary::Multiply | Binary::Divide | Binary::Modulo => 5,
    }
}

/// What a `for` lacks.
#[derive(Clone, Copy)]
pub(super) enum ForPart {
    Name,
    SecondName,
    In,
}

const FOR: &str = "Invalid 'for' expression";

impl Parser<'_> {
    /// Reads an expression. After an error it is what was read of it.
    pub(super) fn expression(&mut self) -> Node {
        let place = self.peek();
        match self.deeper(Self::conditional) {
            Some(node) => node,
            None => self.placeholder(place.span()),
        }
    }

    fn conditional(&mut self) -> Node {
        let start = self.peek().start;
        let errors = self.errors;
        let condition = self.binary_expression(0);
        if self.has_failed_since(errors) || !self.accept(Kind::Question) {
            return condition;
        }
        let yes = self.expression();
        if self.has_failed_since(errors) {
            return condition;
        }
        let colon = self.peek();
        if colon.kind != Kind::Colon {
            let summary = "Missing false expression in conditional";
            let detail =
                "The conditional operator (...?...:...) requires a false expression, delimited by a colon.";
            self.report_in(start, colon.span(), summary, detail);
            return condition;
        }
        self.read();
        let no = self.expression();
        if self.has_failed_since(errors) {
            return condition;
        }
        let span = self.span(start..start).start..no.span.end;
        Node { span, kind: NodeKind::Conditional(Box::new([condition, yes, no])) }
    }

    /// Parses binary operators whose precedence is at least `minimum`, with their operands, by precedence climbing.
    fn binary_expression(&mut self, minimum: u8) -> Node {
        let errors = self.errors;
        let mut left = self.operand();
        while !self.has_failed_since(errors)
            && let Some((operator, level)) = operator(self.peek().kind)
            && level >= minimum
        {
            self.read();
            let right = self.binary_expression(level.saturating_add(1));
            if self.has_failed_since(errors) {
                return left;
            }
            let span = left.span.start..right.span.end;
            let kind = match left.kind {
                NodeKind::Binary(mut chain)
                    if chain.rest.last().is_some_and(|(last, _)| precedence(*last) == level) =>
                {
                    chain.rest.push((operator, right));
                    NodeKind::Binary(chain)
                }
                kind => {
                    let first = Node { span: left.span, kind };
                    NodeKind::Binary(Box::new(Chain { first, rest: vec![(operator, right)] }))
                }
            };
            left = Node { span, kind };
        }
        if let NodeKind::Binary(chain) = &mut left.kind {
            chain.rest.shrink_to_fit();
        }
        left
    }

    /// Reads a value with the attributes, keys and splats behind it.
    fn operand(&mut self) -> Node {
        let value = self.value();
        let mut node = self.steps(value);
        if let NodeKind::Reference(reference) = &mut node.kind {
            reference.steps.shrink_to_fit();
        }
        node
    }

    /// Reads an operand behind a sign.
    fn signed(&mut self, operator: Unary) -> Node {
        let sign = self.read();
        let Some(operand) = self.deeper(Self::operand) else { return self.placeholder(sign.span()) };
        let span = self.span(sign.span()).start..operand.span.end;
        Node { span, kind: NodeKind::Unary(operator, Box::new(operand)) }
    }

    fn value(&mut self) -> Node {
        let start = self.peek();
        match start.kind {
            Kind::OpenParenthesis => self.parenthesis(),
            Kind::Number => {
                self.read();
                let number = self.number(&start);
                Node { span: self.span(start.span()), kind: NodeKind::Literal(number) }
            }
            Kind::Name => {
                self.read();
                self.name(start)
            }
            Kind::OpenQuote | Kind::OpenHeredoc => {
                self.read();
                let close = if start.kind == Kind::OpenQuote { Kind::CloseQuote } else { Kind::CloseHeredoc };
                let is_flush = self.text_of(&start).starts_with("<<-");
                let kind = self.template(close, is_flush);
                Node { span: self.span(start.start..self.last.end), kind }
            }
            Kind::Minus => self.signed(Unary::Negate),
            Kind::Bang => self.signed(Unary::Not),
            Kind::OpenBracket => {
                self.read();
                self.with_newlines(false, |parser| match parser.is_word("for") {
                    true => parser.for_expression(start, false),
                    false => parser.tuple(start),
                })
            }
            Kind::OpenBrace => {
                self.read();
                // Before `for`, line ends are no tokens; in an object they are.
                match self.with_newlines(false, |parser| parser.is_word("for")) {
                    true => self.with_newlines(false, |parser| parser.for_expression(start, true)),
                    false => self.with_newlines(true, |parser| parser.object(start)),
                }
            }
            _ => {
                let (summary, detail) = match start.kind {
                    Kind::End => (
                        "Missing expression",
                        "Expected the start of an expression, but found the end of the file.",
                    ),
                    _ => (
                        "Invalid expression",
                        "Expected the start of an expression, but found an invalid expression token.",
                    ),
                };
                self.report_unless_recovering(start.span(), summary, detail);
                self.recovering = true;
                self.placeholder(start.span())
            }
        }
    }

    fn parenthesis(&mut self) -> Node {
        let open = self.read();
        self.with_newlines(false, |parser| {
            let errors = parser.errors;
            let inner = parser.expression();
            if parser.errors > errors {
                parser.recover(Kind::CloseParenthesis);
                return inner;
            }
            let close = parser.peek();
            if close.kind != Kind::CloseParenthesis {
                let detail = "Expected a closing parenthesis to terminate the expression.";
                parser.report_in(open.start, close.span(), "Unbalanced parentheses", detail);
                parser.recovering = true;
            }
            parser.read();
            let span = parser.span(open.start..close.end);
            Node { span, kind: NodeKind::Parenthesis(Box::new(inner)) }
        })
    }

    /// The value of a number, with all its digits.
    fn number(&mut self, token: &Token) -> Value {
        match self.text_of(token).parse::<Number>() {
            Ok(number) => Value::from(number),
            Err(error) => {
                let detail = match error.is_limit() {
                    true => format!("{error}."),
                    false => "Failed to recognize the value of this number literal.".to_owned(),
                };
                self.report(token.span(), "Invalid number literal", detail);
                Value::unknown(plantime::Type::Number)
            }
        }
    }

    /// What begins with a name: a keyword, the call of a function, or a reference.
    fn name(&mut self, token: Token) -> Node {
        if let Kind::OpenParenthesis | Kind::DoubleColon = self.peek().kind {
            return self.call(token);
        }
        let span = self.span(token.span());
        let kind = match self.text_of(&token) {
            "true" => NodeKind::Literal(Value::from(true)),
            "false" => NodeKind::Literal(Value::from(false)),
            "null" => NodeKind::Literal(Value::null(plantime::Type::Dynamic)),
            name => NodeKind::Reference(Reference::of_name(name.into(), span.start)),
        };
        Node { span, kind }
    }

    /// Reads a call behind the first part of its name.
    fn call(&mut self, first: Token) -> Node {
        let mut name = self.text_of(&first).to_owned();
        let mut name_end = first.end;
        let mut open = self.read();
        while open.kind == Kind::DoubleColon {
            let next = self.read();
            if next.kind != Kind::Name {
                let detail =
                    "Function scope resolution symbol :: must be followed by a function name in this scope.";
                self.report_in(first.start, next.span(), "Missing function name", detail);
                self.recover_behind_parentheses();
                return self.placeholder(first.start..next.end);
            }
            name.push_str("::");
            name.push_str(self.text_of(&next));
            name_end = next.end;
            open = self.read();
        }
        if open.kind != Kind::OpenParenthesis {
            let detail =
                "Function selector must be followed by an open parenthesis to begin the function call.";
            self.report_in(first.start, open.span(), "Missing open parenthesis", detail);
            self.recover_behind_parentheses();
            return self.placeholder(first.start..open.end);
        }
        let (mut arguments, expands, close) =
            self.with_newlines(false, |parser| parser.arguments(first, open));
        arguments.shrink_to_fit();
        let (name_span, close) = (self.span(first.start..name_end), self.span(close.span()));
        let span = name_span.start..close.end.max(name_span.end);
        let call = Call { name: name.into(), name_span, arguments, expands, close };
        Node { span, kind: NodeKind::Call(Box::new(call)) }
    }

    /// Goes behind the next parentheses.
    #[cold]
    fn recover_behind_parentheses(&mut self) {
        while !matches!(self.read().kind, Kind::OpenParenthesis | Kind::End) {}
        self.recover(Kind::CloseParenthesis);
    }

    /// Reads the arguments of a call up to the closing parenthesis; whether the last one is expanded, and the parenthesis.
    fn arguments(&mut self, name: Token, open: Token) -> (Vec<Node>, bool, Token) {
        let mut arguments = Vec::new();
        loop {
            if self.peek().kind == Kind::CloseParenthesis {
                return (arguments, false, self.read());
            }
            let errors = self.errors;
            arguments.push(self.expression());
            if self.has_failed_since(errors) {
                let close = self.recover(Kind::CloseParenthesis);
                return (arguments, false, close);
            }
            let separator = self.read();
            match separator.kind {
                Kind::CloseParenthesis => return (arguments, false, separator),
                Kind::Comma => {}
                Kind::Ellipsis => {
                    if self.peek().kind == Kind::CloseParenthesis {
                        return (arguments, true, self.read());
                    }
                    let detail = "An expanded function argument (with ...) must be immediately followed by closing parentheses.";
                    let summary = "Missing closing parenthesis";
                    self.report_in_unless_recovering(name.start, separator.span(), summary, detail);
                    return (arguments, true, self.recover(Kind::CloseParenthesis));
                }
                Kind::End => {
                    let detail = "There is no closing parenthesis for this function call before the end of the file. This may be \
                                  caused by incorrect parenthesis nesting elsewhere in this file.";
                    self.report(name.start..open.end, "Unterminated function call", detail);
                    return (arguments, false, self.recover(Kind::CloseParenthesis));
                }
                _ => {
                    let detail = "A comma is required to separate each function argument from the next.";
                    self.report_in(name.start, separator.span(), "Missing argument separator", detail);
                    return (arguments, false, self.recover(Kind::CloseParenthesis));
                }
            }
        }
    }

    /// Reads a tuple behind its bracket.
    fn tuple(&mut self, open: Token) -> Node {
        let mut items = Vec::new();
        let close = loop {
            if self.peek().kind == Kind::CloseBracket {
                break self.read();
            }
            let errors = self.errors;
            items.push(self.expression());
            if self.has_failed_since(errors) {
                break self.recover(Kind::CloseBracket);
            }
            let next = self.peek();
            match next.kind {
                Kind::CloseBracket => break self.read(),
                Kind::Comma => {
                    self.read();
                }
                Kind::End => {
                    let detail = "There is no corresponding closing bracket before the end of the file. This may be caused by \
                                  incorrect bracket nesting elsewhere in this file.";
                    let summary = "Unterminated tuple constructor expression";
                    self.report_unless_recovering(open.span(), summary, detail);
                    break self.recover(Kind::CloseBracket);
                }
                _ => {
                    let detail = "Expected a comma to mark the beginning of the next item.";
                    let summary = "Missing item separator";
                    self.report_in_unless_recovering(open.start, next.span(), summary, detail);
                    break self.recover(Kind::CloseBracket);
                }
            }
        };
        items.shrink_to_fit();
        Node { span: self.span(open.start..close.end), kind: NodeKind::Tuple(items) }
    }

    /// Reads an object behind its brace.
    fn object(&mut self, open: Token) -> Node {
        let mut items = Vec::new();
        let close = loop {
            match self.peek().kind {
                Kind::Newline => {
                    self.read();
                    continue;
                }
                Kind::CloseBrace => break self.read(),
                _ => {}
            }
            let errors = self.errors;
            let key = self.expression();
            if self.has_failed_since(errors) {
                break self.recover(Kind::CloseBrace);
            }
            let next = self.peek();
            if !matches!(next.kind, Kind::Equal | Kind::Colon) {
                if !self.recovering {
                    self.report_missing_separator(open, next);
                }
                break self.recover(Kind::CloseBrace);
            }
            self.read();
            let errors = self.errors;
            let value = self.expression();
            items.push((self.key(key), value));
            if self.has_failed_since(errors) {
                break self.recover(Kind::CloseBrace);
            }
            let next = self.peek();
            match next.kind {
                Kind::CloseBrace => break self.read(),
                Kind::Comma | Kind::Newline => {
                    self.read();
                }
                Kind::End => {
                    self.report_unless_recovering(open.span(), UNCLOSED_OBJECT.0, UNCLOSED_OBJECT.1);
                    break self.recover(Kind::CloseBrace);
                }
                _ => {
                    let detail = "Expected a newline or comma to mark the beginning of the next attribute.";
                    let summary = "Missing attribute separator";
                    self.report_in_unless_recovering(open.start, next.span(), summary, detail);
                    break self.recover(Kind::CloseBrace);
                }
            }
        };
        items.shrink_to_fit();
        Node { span: self.span(open.start..close.end), kind: NodeKind::Object(items) }
    }

    /// The key of an item: a word alone is a name, the keywords too.
    fn key(&self, node: Node) -> Key {
        match node.kind {
            NodeKind::Reference(reference) if reference.steps.is_empty() => {
                Key::Name(reference.root, node.span)
            }
            NodeKind::Literal(ref value) if value.as_str().is_err() => {
                let start = node.span.start.saturating_sub(self.span(0..0).start);
                let word = self.text.get(start..start.saturating_add(node.span.len())).unwrap_or_default();
                match word {
                    "true" | "false" | "null" => Key::Name(word.into(), node.span),
                    _ => Key::Expression(Box::new(node)),
                }
            }
            _ => Key::Expression(Box::new(node)),
        }
    }

    /// Reports a token in place of the sign between a key and its value.
    #[cold]
    fn report_missing_separator(&mut self, open: Token, next: Token) {
        let (summary, detail) = match next.kind {
            Kind::Newline | Kind::Comma => (
                "Missing attribute value",
                "Expected an attribute value, introduced by an equals sign (\"=\").",
            ),
            Kind::Name => (
                "Missing key/value separator",
                "Expected an equals sign (\"=\") to mark the beginning of the attribute value. If you intended to given an \
                 attribute name containing periods or spaces, write the name in quotes to create a string literal.",
            ),
            Kind::End => return self.report(open.span(), UNCLOSED_OBJECT.0, UNCLOSED_OBJECT.1),
            _ => (
                "Missing key/value separator",
                "Expected an equals sign (\"=\") to mark the beginning of the attribute value.",
            ),
        };
        self.report_in(open.start, next.span(), summary, detail);
    }

    /// Reads a `for` expression behind its bracket.
    fn for_expression(&mut self, open: Token, is_object: bool) -> Node {
        let closing = if is_object { Kind::CloseBrace } else { Kind::CloseBracket };
        // It counts as two levels, since evaluating it takes as much as two.
        match self.deeper(|parser| parser.for_parts(open, is_object, closing)).flatten() {
            Some(node) => node,
            None => {
                let close = self.recover(closing);
                self.placeholder(open.start..close.end)
            }
        }
    }

    /// Reads a `for` expression up to its closing bracket; `None` after an error, before that bracket.
    fn for_parts(&mut self, open: Token, is_object: bool, closing: Kind) -> Option<Node> {
        self.read();
        let (key, value) = self.for_names(|parser, next, missing| {
            let detail = match missing {
                ForPart::Name => "For expression requires variable name after 'for'.",
                ForPart::SecondName => "For expression requires value variable name after comma.",
                ForPart::In => "For expression requires the 'in' keyword after its name declarations.",
            };
            parser.report_in_unless_recovering(open.start, next.span(), FOR, detail);
        })?;
        let errors = self.errors;
        let collection = self.expression();
        if self.has_failed_since(errors) {
            return None;
        }
        let next = self.peek();
        if next.kind != Kind::Colon {
            let detail = "For expression requires a colon after the collection expression.";
            self.report_in_unless_recovering(open.start, next.span(), FOR, detail);
            return None;
        }
        self.read();
        let errors = self.errors;
        let mut result = self.expression();
        let mut result_key = None;
        if self.accept(Kind::Arrow) {
            result_key = Some(std::mem::replace(&mut result, self.placeholder(0..0)));
            result = self.expression();
        }
        if self.has_failed_since(errors) {
            return None;
        }
        let ellipsis = self.peek();
        let groups = self.accept(Kind::Ellipsis);
        let mut condition = None;
        if self.is_word("if") {
            self.read();
            let errors = self.errors;
            condition = Some(self.expression());
            if self.has_failed_since(errors) {
                return None;
            }
        }
        let next = self.peek();
        let close = if next.kind == closing {
            self.read()
        } else {
            let detail = "Extra characters after the end of the 'for' expression.";
            self.report_in_unless_recovering(open.start, next.span(), FOR, detail);
            self.recover(closing)
        };
        let in_text = |parser: &Self, node: &Node| {
            let start = parser.span(0..0).start;
            node.span.start.saturating_sub(start)..node.span.end.saturating_sub(start)
        };
        match &result_key {
            None if is_object => {
                let span = in_text(self, &result);
                self.report_around(
                    open.start..close.end,
                    span,
                    FOR,
                    "Key expression is required when building an object.",
                );
            }
            Some(key) if !is_object => {
                let span = in_text(self, key);
                self.report_around(
                    open.start..close.end,
                    span,
                    FOR,
                    "Key expression is not valid when building a tuple.",
                );
            }
            _ => {}
        }
        if groups && !is_object {
            let detail = "Grouping ellipsis (...) cannot be used when building a tuple.";
            self.report_around(open.start..close.end, ellipsis.span(), FOR, detail);
        }
        let each = For { key, value, collection, result_key, result, condition, groups };
        Some(Node { span: self.span(open.start..close.end), kind: NodeKind::For(Box::new(each)) })
    }

    /// Reads the names of a `for` and the word `in`; `None` after an error, which `report` reports.
    pub(super) fn for_names(
        &mut self,
        report: impl Fn(&mut Self, Token, ForPart),
    ) -> Option<(Option<Box<str>>, Box<str>)> {
        let name = |parser: &mut Self, part: ForPart| {
            let next = parser.peek();
            if next.kind != Kind::Name {
                report(parser, next, part);
                return None;
            }
            parser.read();
            Some(Box::from(parser.text_of(&next)))
        };
        let first = name(self, ForPart::Name)?;
        let second = match self.accept(Kind::Comma) {
            true => Some(name(self, ForPart::SecondName)?),
            false => None,
        };
        if !self.is_word("in") {
            let next = self.peek();
            report(self, next, ForPart::In);
            return None;
        }
        self.read();
        Some(match second {
            Some(second) => (Some(first), second),
            None => (None, first),
        })
    }
}

const UNCLOSED_OBJECT: (&str, &str) = (
    "Unterminated object constructor expression",
    "There is no corresponding closing brace before the end of the file. This may be caused by incorrect brace nesting elsewhere \
     in this file.",
);
