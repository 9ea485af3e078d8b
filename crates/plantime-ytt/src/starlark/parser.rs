//! Parsing of statements. Blocks end with `end`, as in ytt's templates; indentation has no meaning.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::error::SyntaxError;
use super::syntax::{Argument, Definition, Expr, NodeStatement, Place, Statement, StatementKind};
use super::token::{Placed, Token};

/// The largest depth of nested blocks and expressions.
const MAX_DEPTH: usize = 60;

/// What a template says of a node beside its place among the tokens.
#[derive(Debug, Default)]
pub(crate) struct NodeCode {
    /// For each annotation the tokens of its arguments.
    pub(crate) annotations: Vec<Vec<Placed>>,
    /// The tokens of the expression that is its content.
    pub(crate) value: Option<Vec<Placed>>,
}

/// A parser over tokens.
pub(crate) struct Parser<'t> {
    pub(super) tokens: &'t [Placed],
    nodes: &'t [NodeCode],
    pub(super) at: usize,
    depth: usize,
    pub(super) in_function: bool,
    /// Whether `pass` is refused, as in lines of templates.
    in_template: bool,
}

const END: Token = Token::End;

/// Parses a file.
pub(crate) fn parse_file(
    tokens: &[Placed],
    nodes: &[NodeCode],
    in_template: bool,
) -> Result<Vec<Statement>, SyntaxError> {
    let mut parser = Parser { tokens, nodes, at: 0, depth: 0, in_function: false, in_template };
    let body = parser.block(&[])?;
    match parser.peek() {
        Token::End => Ok(body),
        Token::Word("end") => parser.fail_later("unexpected end"),
        other => {
            let message = format!("got {other}, want primary expression");
            parser.fail_later(&message)
        }
    }
}

/// Checks that a text is an expression.
pub(crate) fn check_expression(text: &str, line: usize) -> Result<(), SyntaxError> {
    let placed = super::token::tokens(&format!("({text})"), line)?;
    Parser::lone_expression(&placed).map(drop)
}

impl<'t> Parser<'t> {
    /// Parses the arguments of an annotation.
    fn annotation(tokens: &'t [Placed]) -> Result<Vec<Argument>, SyntaxError> {
        let mut parser =
            Parser { tokens, nodes: &[], at: 0, depth: 0, in_function: false, in_template: true };
        let arguments = parser.arguments(&Token::End, ",")?;
        Ok(arguments)
    }

    /// Parses a single expression.
    fn lone_expression(tokens: &'t [Placed]) -> Result<Expr, SyntaxError> {
        let mut parser =
            Parser { tokens, nodes: &[], at: 0, depth: 0, in_function: false, in_template: true };
        let value = parser.expression()?;
        match parser.peek() {
            Token::End => Ok(value),
            other => parser.fail(format!("got {other}, want ')'")),
        }
    }

    /// The token that comes next.
    pub(super) fn peek(&self) -> &'t Token {
        self.tokens.get(self.at).map_or(&END, |placed| &placed.token)
    }

    /// The line of the token that comes next.
    pub(super) fn line(&self) -> usize {
        let last = self.tokens.last().map_or(1, |placed| placed.line);
        self.tokens.get(self.at).map_or(last, |placed| placed.line)
    }

    /// Takes the token that comes next.
    pub(super) fn next(&mut self) -> &'t Token {
        let token = self.peek();
        self.at = self.at.saturating_add(1);
        token
    }

    /// Returns an error at the token that comes next. A line break counts to the line of the token after it.
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        let mut at = self.at;
        let is_newline = |at: usize| self.tokens.get(at).is_some_and(|placed| placed.token == Token::Newline);
        if matches!(self.peek(), Token::Newline) {
            while is_newline(at) {
                at = at.saturating_add(1);
            }
        }
        let line = self.tokens.get(at).map_or_else(|| self.line(), |placed| placed.line);
        Err(SyntaxError { message: message.into(), line })
    }

    /// Returns an error at the line after the token that comes next, where ytt shows misplaced words of blocks.
    fn fail_later<T>(&self, message: &str) -> Result<T, SyntaxError> {
        Err(SyntaxError { message: message.to_owned(), line: self.line().saturating_add(1) })
    }

    /// Takes the token that comes next if it is this one; returns whether it was.
    pub(super) fn take(&mut self, token: &Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.at = self.at.saturating_add(1);
        }
        found
    }

    /// Takes this token; an error if another one comes next.
    pub(super) fn expect(&mut self, token: &Token) -> Result<(), SyntaxError> {
        if self.take(token) {
            return Ok(());
        }
        self.fail(format!("got {}, want {token}", self.peek()))
    }

    /// Takes this sign if it comes next; returns whether it did.
    pub(super) fn take_sign(&mut self, sign: &'static str) -> bool {
        self.take(&Token::Sign(sign))
    }

    /// Takes a name.
    pub(super) fn take_name(&mut self) -> Result<Rc<str>, SyntaxError> {
        match self.peek() {
            Token::Name(name) => {
                self.at = self.at.saturating_add(1);
                Ok(Rc::clone(name))
            }
            other => self.fail(format!("got {other}, want identifier")),
        }
    }

    /// Counts a level of nesting while a part is parsed.
    pub(super) fn nested<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        if self.depth > MAX_DEPTH {
            return self.fail("the code is nested too deeply");
        }
        self.depth = self.depth.saturating_add(1);
        let result = part(self);
        self.depth = self.depth.saturating_sub(1);
        result
    }

    /// Parses statements up to one of some words, or to the end of a node or of the file.
    fn block(&mut self, ends: &[&str]) -> Result<Vec<Statement>, SyntaxError> {
        let mut statements = Vec::new();
        loop {
            match self.peek() {
                Token::Newline => {
                    self.next();
                }
                Token::End | Token::NodeEnd => return Ok(statements),
                Token::Word(word) if ends.contains(word) => return Ok(statements),
                Token::Word("end") if ends.is_empty() && self.depth == 0 => return Ok(statements),
                Token::Word(word @ ("else" | "elif" | "end")) => {
                    return self.fail_later(&format!("got {word}, want primary expression"));
                }
                _ => self.nested(|parser| parser.statement(&mut statements))?,
            }
        }
    }

    /// Parses a statement with a block, or the statements of a line.
    fn statement(&mut self, statements: &mut Vec<Statement>) -> Result<(), SyntaxError> {
        let line = self.line();
        let kind = match self.peek() {
            Token::Node(slot) => self.node(*slot)?,
            Token::Word("if") => self.conditional()?,
            Token::Word("for") => {
                self.next();
                let target = self.loop_target()?;
                self.expect(&Token::Word("in"))?;
                let iterable = self.expression()?;
                StatementKind::For(target, iterable, self.suite()?)
            }
            Token::Word("while") => {
                self.next();
                let condition = self.expression()?;
                StatementKind::While(condition, self.suite()?)
            }
            Token::Word("def") => self.definition()?,
            _ => return self.simple_statements(statements),
        };
        statements.push(Statement { line, kind });
        Ok(())
    }

    /// Parses a node of the template: its annotations, its value, and the statements inside it.
    fn node(&mut self, slot: usize) -> Result<StatementKind, SyntaxError> {
        self.next();
        let nodes = self.nodes;
        let code = nodes.get(slot);
        let arguments =
            code.iter().flat_map(|code| &code.annotations).map(|tokens| Parser::annotation(tokens));
        let annotations = arguments.collect::<Result<_, _>>()?;
        let value = code.and_then(|code| code.value.as_deref()).map(Parser::lone_expression).transpose()?;
        let body = self.block(&["\0"])?;
        if !self.take(&Token::NodeEnd) {
            return self.fail(format!("got {}, want 'end'", self.peek()));
        }
        Ok(StatementKind::Node(NodeStatement { slot, annotations, value, body }))
    }

    /// Parses `:` and a block, which is one line without `end`, or lines up to `end`.
    fn suite(&mut self) -> Result<Vec<Statement>, SyntaxError> {
        let line = self.line();
        let (body, is_line) = self.suite_up_to(&["end"])?;
        if !is_line && !self.take(&Token::Word("end")) {
            return Err(unclosed(line));
        }
        Ok(body)
    }

    /// Parses `:` and a block up to one of these words; returns the block, and whether it was on the same line.
    fn suite_up_to(&mut self, ends: &[&str]) -> Result<(Vec<Statement>, bool), SyntaxError> {
        self.expect(&Token::Sign(":"))?;
        if matches!(self.peek(), Token::Newline | Token::End) {
            return Ok((self.block(ends)?, false));
        }
        let mut body = Vec::new();
        self.simple_statements(&mut body)?;
        Ok((body, true))
    }

    /// Parses `if` or `elif`, with all that belongs to it.
    fn conditional(&mut self) -> Result<StatementKind, SyntaxError> {
        let start = self.line();
        self.next();
        let condition = self.expression()?;
        let (then, is_line) = self.suite_up_to(&["end", "else", "elif"])?;
        let line = self.line();
        let otherwise = match self.peek() {
            Token::Word("elif") => {
                let kind = self.nested(Parser::conditional)?;
                return Ok(StatementKind::If(condition, then, vec![Statement { line, kind }]));
            }
            Token::Word("else") => {
                self.next();
                let (body, is_line) = self.suite_up_to(&["end"])?;
                if !is_line {
                    self.expect(&Token::Word("end"))?;
                }
                return Ok(StatementKind::If(condition, then, body));
            }
            Token::Word("end") if !is_line => {
                self.next();
                Vec::new()
            }
            _ if is_line => Vec::new(),
            _ => return Err(unclosed(start)),
        };
        Ok(StatementKind::If(condition, then, otherwise))
    }

    /// Parses `def NAME(PARAMETERS):` and the body.
    fn definition(&mut self) -> Result<StatementKind, SyntaxError> {
        self.next();
        let name = self.take_name()?;
        self.expect(&Token::Sign("("))?;
        let parameters = self.parameters(&Token::Sign(")"))?;
        self.expect(&Token::Sign(")"))?;
        let before = std::mem::replace(&mut self.in_function, true);
        let body = self.suite()?;
        self.in_function = before;
        let slots = RefCell::new(Vec::new());
        let definition = Definition { name, parameters, body, slots };
        Ok(StatementKind::Define(Rc::new(definition), Cell::new(Place::Predeclared)))
    }

    /// Parses statements of one line, up to its end.
    fn simple_statements(&mut self, statements: &mut Vec<Statement>) -> Result<(), SyntaxError> {
        loop {
            let line = self.line();
            let kind = self.small_statement()?;
            statements.push(Statement { line, kind });
            let more = self.take_sign(";");
            match self.peek() {
                Token::Newline | Token::End | Token::NodeEnd => return Ok(()),
                _ if more => {}
                other => return self.fail(format!("got {other}, want newline")),
            }
        }
    }

    /// Parses a statement without a block, such as an assignment or `return`.
    fn small_statement(&mut self) -> Result<StatementKind, SyntaxError> {
        match self.peek() {
            Token::Word("return") => {
                self.next();
                let ends = matches!(self.peek(), Token::Newline | Token::End | Token::Sign(";"));
                let value = if ends { None } else { Some(self.expressions()?) };
                Ok(StatementKind::Return(value))
            }
            Token::Word("break") => {
                self.next();
                Ok(StatementKind::Break)
            }
            Token::Word("continue") => {
                self.next();
                Ok(StatementKind::Continue)
            }
            Token::Word("pass") if self.in_template => {
                self.fail("use of reserved keyword 'pass' is not allowed")
            }
            Token::Word("pass") => {
                self.next();
                Ok(StatementKind::Pass)
            }
            Token::Word("load") => self.load(),
            _ => self.assignment(),
        }
    }
}

/// The error that a block has no `end`.
fn unclosed(line: usize) -> SyntaxError {
    let message = "mismatched set of block openings (if/else/elif/for/def) and closing (end)";
    SyntaxError { message: message.to_owned(), line }
}
