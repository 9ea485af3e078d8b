//! Parsing of assignments and of `load`.

use std::cell::Cell;
use std::rc::Rc;

use super::error::SyntaxError;
use super::parser::Parser;
use super::syntax::{Expr, ExprKind, Place, StatementKind, Target};
use super::token::Token;

impl Parser<'_> {
    /// Parses `load(FILE, NAMES...)`.
    pub(super) fn load(&mut self) -> Result<StatementKind, SyntaxError> {
        self.next();
        if self.in_function {
            return self.fail("load statement within a function");
        }
        self.expect(&Token::Sign("("))?;
        let Token::Text(file) = self.peek() else {
            return self.fail("first operand of load statement must be a string literal");
        };
        self.next();
        let mut names = Vec::new();
        while self.take_sign(",") && *self.peek() != Token::Sign(")") {
            let mut alias = None;
            if let Token::Name(name) = self.peek() {
                self.next();
                self.expect(&Token::Sign("="))?;
                alias = Some(Rc::clone(name));
            }
            let Token::Text(name) = self.peek() else {
                return self.fail(format!(
                    "load operand must be \"name\" or localname=\"name\" (got {})",
                    self.peek()
                ));
            };
            self.next();
            let name: Rc<str> = super::value::text_of(name).into();
            let place = Cell::new(Place::Predeclared);
            names.push((alias.unwrap_or_else(|| Rc::clone(&name)), name, place));
        }
        self.expect(&Token::Sign(")"))?;
        if names.is_empty() {
            return Err(SyntaxError {
                message: "load statement must import at least 1 symbol".to_owned(),
                line: self.tokens.get(self.at.saturating_sub(1)).map_or(1, |placed| placed.line),
            });
        }
        Ok(StatementKind::Load(super::value::text_of(file).into(), names))
    }

    /// Parses an expression, or an assignment.
    pub(super) fn assignment(&mut self) -> Result<StatementKind, SyntaxError> {
        let line = self.line();
        let first = self.expressions()?;
        let operator = match self.peek() {
            Token::Sign(
                sign @ ("=" | "+=" | "-=" | "*=" | "/=" | "//=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>="),
            ) => *sign,
            _ => return Ok(StatementKind::Expr(first)),
        };
        self.next();
        let value = self.expressions()?;
        let target = match into_target(first, line) {
            Ok(target) => target,
            Err(what) => return self.fail(format!("can't assign to {what}")),
        };
        match operator.strip_suffix('=') {
            Some("") | None => Ok(StatementKind::Assign(target, value)),
            Some(operator) => Ok(StatementKind::Update(target, operator, value)),
        }
    }

    /// Parses what follows `for`: the variables that each element is assigned to.
    pub(super) fn loop_target(&mut self) -> Result<Target, SyntaxError> {
        let line = self.line();
        let mut items = vec![self.primary_expression()?];
        let mut comma = false;
        while self.take_sign(",") {
            comma = true;
            if *self.peek() == Token::Word("in") {
                break;
            }
            items.push(self.primary_expression()?);
        }
        let value = match items.pop() {
            Some(only) if items.is_empty() && !comma => only,
            last => Expr { line, kind: ExprKind::Tuple(items.into_iter().chain(last).collect()) },
        };
        match into_target(value, line) {
            Ok(target) => Ok(target),
            Err(what) => self.fail(format!("can't assign to {what}")),
        }
    }
}

/// Returns an expression as what can be assigned to; the error says what it is.
fn into_target(expr: Expr, line: usize) -> Result<Target, &'static str> {
    Ok(match expr.kind {
        ExprKind::Name(name, place) => Target::Name(name, place),
        ExprKind::Index(collection, index) => Target::Index(*collection, *index, expr.line),
        ExprKind::Attribute(value, name) => Target::Attribute(*value, name, expr.line),
        ExprKind::List(items) | ExprKind::Tuple(items) => {
            let items = items.into_iter().map(|item| into_target(item, line)).collect::<Result<_, _>>()?;
            Target::Items(items, line)
        }
        ExprKind::Literal(_) => return Err("literal"),
        ExprKind::Call(..) => return Err("callexpr"),
        _ => return Err("expression"),
    })
}
