//! Parsing of expressions.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::error::SyntaxError;
use super::parser::Parser;
use super::syntax::{
    Argument, ArgumentKind, Clause, Comprehension, Definition, Expr, ExprKind, Parameter, ParameterKind,
    Place, Statement, StatementKind,
};
use super::token::Token;
use super::value::Value;

/// The operators by how tightly they bind.
const LEVELS: [&[&str]; 9] =
    [&["or"], &["and"], &["=="], &["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "//", "%"]];
/// The level of comparisons, which do not associate.
const COMPARISON: usize = 2;
const COMPARISONS: [&str; 6] = ["==", "!=", "<", ">", "<=", ">="];

impl<'t> Parser<'t> {
    /// Parses one expression, or several with commas, which are a tuple.
    pub(super) fn expressions(&mut self) -> Result<Expr, SyntaxError> {
        let line = self.line();
        let first = self.expression()?;
        if *self.peek() != Token::Sign(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.take_sign(",") {
            if matches!(self.peek(), Token::Newline | Token::End | Token::Sign("=" | ")" | "]" | "}" | ":")) {
                break;
            }
            items.push(self.expression()?);
        }
        Ok(Expr { line, kind: ExprKind::Tuple(items) })
    }

    /// Parses an expression without commas.
    pub(super) fn expression(&mut self) -> Result<Expr, SyntaxError> {
        self.nested(|parser| {
            if *parser.peek() == Token::Word("lambda") {
                return parser.lambda();
            }
            let then = parser.binary(0)?;
            if !parser.take(&Token::Word("if")) {
                return Ok(then);
            }
            let condition = parser.binary(0)?;
            if !parser.take(&Token::Word("else")) {
                return parser.fail("conditional expression without else clause");
            }
            let otherwise = parser.expression()?;
            let line = then.line;
            Ok(Expr { line, kind: ExprKind::Conditional(Box::new([then, condition, otherwise])) })
        })
    }

    /// Parses `lambda PARAMETERS: VALUE`.
    fn lambda(&mut self) -> Result<Expr, SyntaxError> {
        let line = self.line();
        self.next();
        let parameters = self.parameters(&Token::Sign(":"))?;
        self.expect(&Token::Sign(":"))?;
        let value = self.expression()?;
        let body = vec![Statement { line: value.line, kind: StatementKind::Return(Some(value)) }];
        let definition =
            Definition { name: "lambda".into(), parameters, body, slots: RefCell::new(Vec::new()) };
        Ok(Expr { line, kind: ExprKind::Lambda(Rc::new(definition)) })
    }

    /// Returns the operator that comes next if it is of a level, and the number of its tokens.
    fn operator(&self, level: usize) -> Option<(&'static str, usize)> {
        match self.peek() {
            Token::Word(word @ ("or" | "and")) if LEVELS.get(level)?.contains(word) => Some((word, 1)),
            Token::Word("in") if level == COMPARISON => Some(("in", 1)),
            Token::Word("not") if level == COMPARISON => Some(("not in", 2)),
            Token::Sign(sign) if level == COMPARISON && COMPARISONS.contains(sign) => Some((sign, 1)),
            Token::Sign(sign) if level != COMPARISON && LEVELS.get(level)?.contains(sign) => Some((sign, 1)),
            _ => None,
        }
    }

    /// Parses operators of a level of precedence and of all that bind more tightly.
    fn binary(&mut self, level: usize) -> Result<Expr, SyntaxError> {
        if level >= LEVELS.len() {
            return self.unary();
        }
        if level == COMPARISON && *self.peek() == Token::Word("not") {
            let line = self.line();
            self.next();
            let operand = self.nested(|parser| parser.binary(level))?;
            return Ok(Expr { line, kind: ExprKind::Unary("not", Box::new(operand)) });
        }
        let next = level.saturating_add(1);
        let mut left = self.binary(next)?;
        let mut compared: Option<&str> = None;
        let mut count = 0_usize;
        while let Some((operator, tokens)) = self.operator(level) {
            if let Some(before) = compared {
                return self.fail(format!("{before} does not associate with {operator} (use parens)"));
            }
            count = count.saturating_add(1);
            if count > 50 {
                return self.fail("the code is nested too deeply");
            }
            let line = self.line();
            self.next();
            if tokens == 2 {
                self.expect(&Token::Word("in"))?;
            }
            let right = self.binary(next)?;
            left = Expr { line, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) };
            compared = (level == COMPARISON).then_some(operator);
        }
        Ok(left)
    }

    /// Parses a primary expression, with signs before it.
    fn unary(&mut self) -> Result<Expr, SyntaxError> {
        let line = self.line();
        for sign in ["-", "+", "~"] {
            if self.take_sign(sign) {
                let operand = self.nested(Parser::unary)?;
                return Ok(Expr { line, kind: ExprKind::Unary(sign, Box::new(operand)) });
            }
        }
        self.primary_expression()
    }

    /// Parses an operand with what follows it: attributes, indices, calls.
    pub(super) fn primary_expression(&mut self) -> Result<Expr, SyntaxError> {
        let mut value = self.operand()?;
        for _ in 0..50 {
            let line = self.line();
            let kind = if self.take_sign(".") {
                ExprKind::Attribute(Box::new(value), self.take_name()?)
            } else if self.take_sign("(") {
                let arguments = self.nested(|parser| parser.arguments(&Token::Sign(")"), ","))?;
                self.expect(&Token::Sign(")"))?;
                ExprKind::Call(Box::new(value), arguments)
            } else if self.take_sign("[") {
                self.subscript(value)?
            } else {
                return Ok(value);
            };
            value = Expr { line, kind };
        }
        self.fail("the code is nested too deeply")
    }

    /// Parses what follows `[` after a value: an index or a slice.
    fn subscript(&mut self, value: Expr) -> Result<ExprKind, SyntaxError> {
        let mut bounds: [Option<Box<Expr>>; 3] = [None, None, None];
        let mut colons = 0_usize;
        loop {
            if self.take_sign("]") {
                break;
            }
            if self.take_sign(":") {
                colons = colons.saturating_add(1);
                continue;
            }
            let at_end = bounds.get(colons).is_none_or(Option::is_some);
            if at_end {
                return self.fail(format!("got {}, want ']'", self.peek()));
            }
            let bound = self.nested(Parser::expressions)?;
            if let Some(slot) = bounds.get_mut(colons) {
                *slot = Some(Box::new(bound));
            }
        }
        match (colons, bounds) {
            (0, [Some(index), _, _]) => Ok(ExprKind::Index(Box::new(value), index)),
            (0, _) => self.fail("got ']', want primary expression"),
            (_, bounds) => Ok(ExprKind::Slice(Box::new(value), bounds)),
        }
    }

    /// Parses a name, a literal, or an expression in brackets.
    fn operand(&mut self) -> Result<Expr, SyntaxError> {
        let line = self.line();
        let kind = match self.peek() {
            Token::Name(name) => {
                self.next();
                let constant = match &**name {
                    "None" => Some(Value::None),
                    "True" => Some(Value::Bool(true)),
                    "False" => Some(Value::Bool(false)),
                    _ => None,
                };
                match constant {
                    Some(constant) => ExprKind::Literal(constant),
                    None => ExprKind::Name(Rc::clone(name), Cell::new(Place::Predeclared)),
                }
            }
            Token::Int(int) => {
                self.next();
                ExprKind::Literal(Value::Int(int.clone()))
            }
            Token::Float(float) => {
                self.next();
                ExprKind::Literal(Value::Float(*float))
            }
            Token::Text(text) => {
                self.next();
                ExprKind::Literal(Value::Text(Rc::clone(text)))
            }
            Token::Sign("(") => {
                self.next();
                if self.take_sign(")") {
                    ExprKind::Tuple(Vec::new())
                } else {
                    let value = self.nested(Parser::expressions)?;
                    self.expect(&Token::Sign(")"))?;
                    return Ok(value);
                }
            }
            Token::Sign("[") => {
                self.next();
                self.nested(Parser::list)?
            }
            Token::Sign("{") => {
                self.next();
                self.nested(Parser::dict)?
            }
            other => return self.fail(format!("got {other}, want primary expression")),
        };
        Ok(Expr { line, kind })
    }

    /// Parses what follows `[`: the items of a list, or a comprehension.
    fn list(&mut self) -> Result<ExprKind, SyntaxError> {
        let mut items = Vec::new();
        while !self.take_sign("]") {
            items.push(self.expression()?);
            if items.len() == 1 && *self.peek() == Token::Word("for") {
                let clauses = self.clauses()?;
                self.expect(&Token::Sign("]"))?;
                let value = items.pop().ok_or(SyntaxError { message: String::new(), line: self.line() })?;
                let comprehension = Comprehension { key: None, value, clauses, slots: Cell::new(0) };
                return Ok(ExprKind::Comprehension(Box::new(comprehension)));
            }
            if !self.take_sign(",") {
                self.expect(&Token::Sign("]"))?;
                break;
            }
        }
        Ok(ExprKind::List(items))
    }

    /// Parses what follows `{`: the entries of a dict, or a comprehension.
    fn dict(&mut self) -> Result<ExprKind, SyntaxError> {
        let mut entries = Vec::new();
        while !self.take_sign("}") {
            let key = self.expression()?;
            self.expect(&Token::Sign(":"))?;
            let value = self.expression()?;
            if entries.is_empty() && *self.peek() == Token::Word("for") {
                let clauses = self.clauses()?;
                self.expect(&Token::Sign("}"))?;
                let comprehension = Comprehension { key: Some(key), value, clauses, slots: Cell::new(0) };
                return Ok(ExprKind::Comprehension(Box::new(comprehension)));
            }
            entries.push((key, value));
            if !self.take_sign(",") {
                self.expect(&Token::Sign("}"))?;
                break;
            }
        }
        Ok(ExprKind::Dict(entries))
    }

    /// Parses the loops and conditions of a comprehension.
    fn clauses(&mut self) -> Result<Vec<Clause>, SyntaxError> {
        let mut clauses = Vec::new();
        loop {
            if self.take(&Token::Word("for")) {
                let target = self.loop_target()?;
                self.expect(&Token::Word("in"))?;
                clauses.push(Clause::For(target, self.binary(0)?));
            } else if self.take(&Token::Word("if")) {
                clauses.push(Clause::If(self.binary(0)?));
            } else {
                return Ok(clauses);
            }
            if clauses.len() > 20 {
                return self.fail("the code is nested too deeply");
            }
        }
    }

    /// Parses arguments up to a token, which is not taken.
    pub(super) fn arguments(&mut self, close: &Token, want: &str) -> Result<Vec<Argument>, SyntaxError> {
        let mut arguments: Vec<Argument> = Vec::new();
        while self.peek() != close {
            while close == &Token::End && self.take(&Token::Newline) {}
            if self.peek() == close {
                break;
            }
            let kind = if self.take_sign("**") {
                ArgumentKind::StarStar
            } else if self.take_sign("*") {
                ArgumentKind::Star
            } else {
                ArgumentKind::Positional
            };
            let value = self.expression()?;
            let argument = match (&kind, &value.kind) {
                (ArgumentKind::Positional, ExprKind::Name(name, _)) if self.take_sign("=") => {
                    let named = |argument: &Argument| argument.kind == ArgumentKind::Named(Rc::clone(name));
                    if arguments.len() < 300 && arguments.iter().any(named) {
                        return self.fail(format!("keyword argument {name} repeated"));
                    }
                    Argument { kind: ArgumentKind::Named(Rc::clone(name)), value: self.expression()? }
                }
                _ => Argument { kind, value },
            };
            let positional_follows = argument.kind == ArgumentKind::Positional
                && arguments.last().is_some_and(|last| last.kind != ArgumentKind::Positional);
            if positional_follows {
                return self.fail("positional argument may not follow named");
            }
            arguments.push(argument);
            while close == &Token::End && self.take(&Token::Newline) {}
            if !self.take_sign(",") {
                break;
            }
        }
        match self.peek() {
            found if found == close => Ok(arguments),
            other => self.fail(format!("got {other}, want '{want}'")),
        }
    }

    /// Parses parameters up to a token, which is not taken.
    pub(super) fn parameters(&mut self, close: &Token) -> Result<Vec<Parameter>, SyntaxError> {
        let mut parameters = Vec::new();
        while self.peek() != close {
            let parameter = if self.take_sign("**") {
                Parameter { name: self.take_name()?, kind: ParameterKind::StarStar }
            } else if self.take_sign("*") {
                let name = if *self.peek() == Token::Sign(",") { "".into() } else { self.take_name()? };
                Parameter { name, kind: ParameterKind::Star }
            } else {
                let name = self.take_name()?;
                let kind = match self.take_sign("=") {
                    true => ParameterKind::Default(self.expression()?),
                    false => ParameterKind::Plain,
                };
                Parameter { name, kind }
            };
            parameters.push(parameter);
            if !self.take_sign(",") {
                break;
            }
        }
        Ok(parameters)
    }
}
