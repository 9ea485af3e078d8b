//! Finds the scope of every name, and refuses names that are not defined.

use std::collections::HashMap;
use std::rc::Rc;

use super::builtins::is_predeclared;
use super::error::SyntaxError;
use super::syntax::{
    Argument, Clause, Comprehension, Definition, Expr, ExprKind, ParameterKind, Place, Statement,
    StatementKind, Target,
};

/// Resolves the names of a file, and returns its global variables.
pub(crate) fn resolve(body: &[Statement]) -> Result<Vec<Rc<str>>, SyntaxError> {
    let mut names = Names::default();
    collect_assigned(body, &mut names);
    let mut resolver = Resolver { scopes: vec![names] };
    resolver.resolve_statements(body)?;
    Ok(resolver.scopes.pop().unwrap_or_default().in_order)
}

/// The names of the variables of a scope. The index of a name in the list is the slot of its variable.
#[derive(Default)]
struct Names {
    in_order: Vec<Rc<str>>,
    slots: HashMap<Rc<str>, usize>,
}

impl Names {
    /// Adds a name, unless it is there already.
    fn add(&mut self, name: &Rc<str>) {
        if !self.slots.contains_key(name) {
            self.add_parameter(name);
        }
    }

    /// Adds a name even if it is there already, since arguments are stored by the position of their parameter.
    fn add_parameter(&mut self, name: &Rc<str>) {
        self.slots.entry(Rc::clone(name)).or_insert(self.in_order.len());
        self.in_order.push(Rc::clone(name));
    }
}

/// Adds the names that statements assign to, without those of functions within.
fn collect_assigned(body: &[Statement], names: &mut Names) {
    for statement in body {
        match &statement.kind {
            StatementKind::Assign(target, _) | StatementKind::Update(target, ..) => {
                collect_target(target, names)
            }
            StatementKind::If(_, then, otherwise) => {
                collect_assigned(then, names);
                collect_assigned(otherwise, names);
            }
            StatementKind::For(target, _, body) => {
                collect_target(target, names);
                collect_assigned(body, names);
            }
            StatementKind::While(_, body) => collect_assigned(body, names),
            StatementKind::Define(definition, _) => names.add(&definition.name),
            StatementKind::Load(_, loaded) => loaded.iter().for_each(|(name, ..)| names.add(name)),
            StatementKind::Node(node) => collect_assigned(&node.body, names),
            _ => {}
        }
    }
}

/// Adds the names that an assignment to a target sets: none for an index or an attribute.
fn collect_target(target: &Target, names: &mut Names) {
    match target {
        Target::Name(name, _) => names.add(name),
        Target::Items(items, _) => items.iter().for_each(|item| collect_target(item, names)),
        Target::Index(..) | Target::Attribute(..) => {}
    }
}

/// Walks over the statements of a file and sets the place of every name in them.
struct Resolver {
    /// The names of the scopes that the walk is in, outermost first.
    scopes: Vec<Names>,
}

impl Resolver {
    /// Returns where the value of a name is found; the error is that the name is not defined.
    fn find_place(&self, name: &Rc<str>, line: usize) -> Result<Place, SyntaxError> {
        for (up, names) in self.scopes.iter().rev().enumerate() {
            if let Some(slot) = names.slots.get(name) {
                return Ok(Place::Slot { up, slot: *slot });
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

    /// Resolves the names in statements.
    fn resolve_statements(&mut self, body: &[Statement]) -> Result<(), SyntaxError> {
        body.iter().try_for_each(|statement| self.resolve_statement(statement))
    }

    /// Resolves the names in a statement.
    fn resolve_statement(&mut self, statement: &Statement) -> Result<(), SyntaxError> {
        let line = statement.line;
        match &statement.kind {
            StatementKind::Expr(value) => self.resolve_expr(value),
            StatementKind::Assign(target, value) | StatementKind::Update(target, _, value) => {
                self.resolve_expr(value)?;
                self.resolve_target(target, line)
            }
            StatementKind::If(condition, then, otherwise) => {
                self.resolve_expr(condition)?;
                self.resolve_statements(then)?;
                self.resolve_statements(otherwise)
            }
            StatementKind::For(target, iterable, body) => {
                self.resolve_expr(iterable)?;
                self.resolve_target(target, line)?;
                self.resolve_statements(body)
            }
            StatementKind::While(condition, body) => {
                self.resolve_expr(condition)?;
                self.resolve_statements(body)
            }
            StatementKind::Define(definition, place) => {
                place.set(self.find_place(&definition.name, line)?);
                self.resolve_definition(definition)
            }
            StatementKind::Return(_) if self.scopes.len() == 1 => {
                Err(SyntaxError { message: "return statement not within a function".to_owned(), line })
            }
            StatementKind::Return(value) => value.iter().try_for_each(|value| self.resolve_expr(value)),
            StatementKind::Load(_, names) => names.iter().try_for_each(|(name, _, place)| {
                place.set(self.find_place(name, line)?);
                Ok(())
            }),
            StatementKind::Node(node) => {
                node.annotations.iter().try_for_each(|arguments| self.resolve_arguments(arguments))?;
                node.value.iter().try_for_each(|value| self.resolve_expr(value))?;
                self.resolve_statements(&node.body)
            }
            StatementKind::Break | StatementKind::Continue | StatementKind::Pass => Ok(()),
        }
    }

    /// Resolves the names in the target of an assignment or a loop.
    fn resolve_target(&mut self, target: &Target, line: usize) -> Result<(), SyntaxError> {
        match target {
            Target::Name(name, place) => {
                place.set(self.find_place(name, line)?);
                Ok(())
            }
            Target::Index(collection, index, _) => {
                self.resolve_expr(collection)?;
                self.resolve_expr(index)
            }
            Target::Attribute(value, ..) => self.resolve_expr(value),
            Target::Items(items, _) => items.iter().try_for_each(|item| self.resolve_target(item, line)),
        }
    }

    /// Resolves the names in a function, whose parameters and variables are a scope of their own.
    fn resolve_definition(&mut self, definition: &Definition) -> Result<(), SyntaxError> {
        let mut names = Names::default();
        for parameter in &definition.parameters {
            if let ParameterKind::Default(value) = &parameter.kind {
                self.resolve_expr(value)?;
            }
            names.add_parameter(&parameter.name);
        }
        collect_assigned(&definition.body, &mut names);
        self.scopes.push(names);
        self.resolve_statements(&definition.body)?;
        *definition.slots.borrow_mut() = self.scopes.pop().unwrap_or_default().in_order;
        Ok(())
    }

    /// Resolves the names in the arguments of a call or of an annotation.
    fn resolve_arguments(&mut self, arguments: &[Argument]) -> Result<(), SyntaxError> {
        arguments.iter().try_for_each(|argument| self.resolve_expr(&argument.value))
    }

    /// Resolves the names in a comprehension, whose loop variables are a scope of their own.
    fn resolve_comprehension(&mut self, comprehension: &Comprehension) -> Result<(), SyntaxError> {
        let mut names = Names::default();
        for clause in &comprehension.clauses {
            if let Clause::For(target, _) = clause {
                collect_target(target, &mut names);
            }
        }
        comprehension.slots.set(names.in_order.len());
        // The first sequence is evaluated before there are variables.
        if let Some(Clause::For(_, iterable)) = comprehension.clauses.first() {
            self.resolve_expr(iterable)?;
        }
        self.scopes.push(names);
        for (index, clause) in comprehension.clauses.iter().enumerate() {
            match clause {
                Clause::For(target, iterable) => {
                    if index > 0 {
                        self.resolve_expr(iterable)?;
                    }
                    self.resolve_target(target, 0)?;
                }
                Clause::If(condition) => self.resolve_expr(condition)?,
            }
        }
        comprehension.key.iter().try_for_each(|key| self.resolve_expr(key))?;
        self.resolve_expr(&comprehension.value)?;
        self.scopes.pop();
        Ok(())
    }

    /// Resolves the names in an expression.
    fn resolve_expr(&mut self, expr: &Expr) -> Result<(), SyntaxError> {
        match &expr.kind {
            ExprKind::Literal(_) => Ok(()),
            ExprKind::Name(name, place) => {
                place.set(self.find_place(name, expr.line)?);
                Ok(())
            }
            ExprKind::List(items) | ExprKind::Tuple(items) => {
                items.iter().try_for_each(|item| self.resolve_expr(item))
            }
            ExprKind::Dict(entries) => entries.iter().try_for_each(|(key, value)| {
                self.resolve_expr(key)?;
                self.resolve_expr(value)
            }),
            ExprKind::Unary(_, operand) => self.resolve_expr(operand),
            ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
                self.resolve_expr(left)?;
                self.resolve_expr(right)
            }
            ExprKind::Conditional(parts) => parts.iter().try_for_each(|part| self.resolve_expr(part)),
            ExprKind::Attribute(value, _) => self.resolve_expr(value),
            ExprKind::Slice(value, bounds) => {
                self.resolve_expr(value)?;
                bounds.iter().flatten().try_for_each(|bound| self.resolve_expr(bound))
            }
            ExprKind::Call(function, arguments) => {
                self.resolve_expr(function)?;
                self.resolve_arguments(arguments)
            }
            ExprKind::Lambda(definition) => self.resolve_definition(definition),
            ExprKind::Comprehension(comprehension) => self.resolve_comprehension(comprehension),
        }
    }
}
