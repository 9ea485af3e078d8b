//! Finds the scope of every name, and refuses names that are not defined.

use std::rc::Rc;

use super::builtins::is_predeclared;
use super::error::SyntaxError;
use super::syntax::{
    Argument, Clause, Comprehension, Definition, Expr, ExprKind, ParameterKind, Place, Statement,
    StatementKind, Target,
};

/// Resolves the names of a file, and returns its global variables.
pub(crate) fn resolve(body: &[Statement]) -> Result<Vec<Rc<str>>, SyntaxError> {
    let mut names = Vec::new();
    assigned(body, &mut names);
    let mut resolver = Resolver { scopes: vec![names] };
    resolver.statements(body)?;
    Ok(resolver.scopes.pop().unwrap_or_default())
}

fn add(name: &Rc<str>, names: &mut Vec<Rc<str>>) {
    if !names.contains(name) {
        names.push(Rc::clone(name));
    }
}

/// Adds the names that statements assign to, without those of functions within.
fn assigned(body: &[Statement], names: &mut Vec<Rc<str>>) {
    for statement in body {
        match &statement.kind {
            StatementKind::Assign(target, _) | StatementKind::Update(target, ..) => targets(target, names),
            StatementKind::If(_, then, otherwise) => {
                assigned(then, names);
                assigned(otherwise, names);
            }
            StatementKind::For(target, _, body) => {
                targets(target, names);
                assigned(body, names);
            }
            StatementKind::While(_, body) => assigned(body, names),
            StatementKind::Define(definition, _) => add(&definition.name, names),
            StatementKind::Load(_, loaded) => loaded.iter().for_each(|(name, ..)| add(name, names)),
            StatementKind::Node(node) => assigned(&node.body, names),
            _ => {}
        }
    }
}

fn targets(target: &Target, names: &mut Vec<Rc<str>>) {
    match target {
        Target::Name(name, _) => add(name, names),
        Target::Items(items, _) => items.iter().for_each(|item| targets(item, names)),
        Target::Index(..) | Target::Attribute(..) => {}
    }
}

struct Resolver {
    /// The names of the scopes, outermost first.
    scopes: Vec<Vec<Rc<str>>>,
}

impl Resolver {
    fn place(&self, name: &Rc<str>, line: usize) -> Result<Place, SyntaxError> {
        for (up, names) in self.scopes.iter().rev().enumerate() {
            if let Some(slot) = names.iter().position(|known| known == name) {
                return Ok(Place::Slot { up, slot });
            }
        }
        if is_predeclared(name) {
            return Ok(Place::Predeclared);
        }
        let hint = match &**name {
            "true" => " (hint: use 'True' instead of 'true' for boolean assignment)",
            "false" => " (hint: use 'False' instead of 'false' for boolean assignment)",
            "none" | "null" | "nil" => {
                &format!(" (hint: use 'None' instead of '{name}' to indicate no value)")
            }
            _ => "",
        };
        Err(SyntaxError { message: format!("undefined: {name}{hint}"), line })
    }

    fn statements(&mut self, body: &[Statement]) -> Result<(), SyntaxError> {
        body.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), SyntaxError> {
        let line = statement.line;
        match &statement.kind {
            StatementKind::Expr(value) => self.expr(value),
            StatementKind::Assign(target, value) | StatementKind::Update(target, _, value) => {
                self.expr(value)?;
                self.target(target, line)
            }
            StatementKind::If(condition, then, otherwise) => {
                self.expr(condition)?;
                self.statements(then)?;
                self.statements(otherwise)
            }
            StatementKind::For(target, iterable, body) => {
                self.expr(iterable)?;
                self.target(target, line)?;
                self.statements(body)
            }
            StatementKind::While(condition, body) => {
                self.expr(condition)?;
                self.statements(body)
            }
            StatementKind::Define(definition, place) => {
                place.set(self.place(&definition.name, line)?);
                self.definition(definition)
            }
            StatementKind::Return(_) if self.scopes.len() == 1 => {
                Err(SyntaxError { message: "return statement not within a function".to_owned(), line })
            }
            StatementKind::Return(value) => value.iter().try_for_each(|value| self.expr(value)),
            StatementKind::Load(_, names) => names.iter().try_for_each(|(name, _, place)| {
                place.set(self.place(name, line)?);
                Ok(())
            }),
            StatementKind::Node(node) => {
                node.annotations.iter().try_for_each(|arguments| self.arguments(arguments))?;
                node.value.iter().try_for_each(|value| self.expr(value))?;
                self.statements(&node.body)
            }
            StatementKind::Break | StatementKind::Continue | StatementKind::Pass => Ok(()),
        }
    }

    fn target(&mut self, target: &Target, line: usize) -> Result<(), SyntaxError> {
        match target {
            Target::Name(name, place) => {
                place.set(self.place(name, line)?);
                Ok(())
            }
            Target::Index(collection, index, _) => {
                self.expr(collection)?;
                self.expr(index)
            }
            Target::Attribute(value, ..) => self.expr(value),
            Target::Items(items, _) => items.iter().try_for_each(|item| self.target(item, line)),
        }
    }

    fn definition(&mut self, definition: &Definition) -> Result<(), SyntaxError> {
        let mut names = Vec::new();
        for parameter in &definition.parameters {
            if let ParameterKind::Default(value) = &parameter.kind {
                self.expr(value)?;
            }
            names.push(Rc::clone(&parameter.name));
        }
        assigned(&definition.body, &mut names);
        self.scopes.push(names);
        self.statements(&definition.body)?;
        *definition.slots.borrow_mut() = self.scopes.pop().unwrap_or_default();
        Ok(())
    }

    fn arguments(&mut self, arguments: &[Argument]) -> Result<(), SyntaxError> {
        arguments.iter().try_for_each(|argument| self.expr(&argument.value))
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> Result<(), SyntaxError> {
        let mut names = Vec::new();
        for clause in &comprehension.clauses {
            if let Clause::For(target, _) = clause {
                targets(target, &mut names);
            }
        }
        comprehension.slots.set(names.len());
        // The first sequence is evaluated before there are variables.
        if let Some(Clause::For(_, iterable)) = comprehension.clauses.first() {
            self.expr(iterable)?;
        }
        self.scopes.push(names);
        for (index, clause) in comprehension.clauses.iter().enumerate() {
            match clause {
                Clause::For(target, iterable) => {
                    if index > 0 {
                        self.expr(iterable)?;
                    }
                    self.target(target, 0)?;
                }
                Clause::If(condition) => self.expr(condition)?,
            }
        }
        comprehension.key.iter().try_for_each(|key| self.expr(key))?;
        self.expr(&comprehension.value)?;
        self.scopes.pop();
        Ok(())
    }

    fn expr(&mut self, expr: &Expr) -> Result<(), SyntaxError> {
        match &expr.kind {
            ExprKind::Literal(_) => Ok(()),
            ExprKind::Name(name, place) => {
                place.set(self.place(name, expr.line)?);
                Ok(())
            }
            ExprKind::List(items) | ExprKind::Tuple(items) => {
                items.iter().try_for_each(|item| self.expr(item))
            }
            ExprKind::Dict(entries) => entries.iter().try_for_each(|(key, value)| {
                self.expr(key)?;
                self.expr(value)
            }),
            ExprKind::Unary(_, operand) => self.expr(operand),
            ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
                self.expr(left)?;
                self.expr(right)
            }
            ExprKind::Conditional(parts) => parts.iter().try_for_each(|part| self.expr(part)),
            ExprKind::Attribute(value, _) => self.expr(value),
            ExprKind::Slice(value, bounds) => {
                self.expr(value)?;
                bounds.iter().flatten().try_for_each(|bound| self.expr(bound))
            }
            ExprKind::Call(function, arguments) => {
                self.expr(function)?;
                self.arguments(arguments)
            }
            ExprKind::Lambda(definition) => self.definition(definition),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }
}
