//! Evaluation of expressions.

use std::rc::Rc;

use super::error::Failure;
use super::heap::Scope;
use super::interpreter::{Context, Flow, Interpreter};
use super::syntax::{Clause, Comprehension, Expr, ExprKind, Place};
use super::value::{ElementKind, Value, text_of};

/// The largest number of elements of a range that is iterated.
const MAX_RANGE: i64 = 100_000;

impl Interpreter<'_> {
    /// Returns the value of an expression.
    pub(crate) fn eval(&mut self, expr: &Expr, context: &Context) -> Result<Value, Failure> {
        self.nested(|this| this.eval_without_line(expr, context))
            .map_err(|failure| failure.at_line(expr.line))
    }

    /// Returns the value of an expression; its errors have no line yet.
    fn eval_without_line(&mut self, expr: &Expr, context: &Context) -> Result<Value, Failure> {
        match &expr.kind {
            ExprKind::Literal(value) => Ok(value.clone()),
            ExprKind::Name(name, place) => self.variable(name, place.get(), context),
            ExprKind::List(items) => {
                let items = self.eval_all(items, context)?;
                self.heap.list(items)
            }
            ExprKind::Tuple(items) => {
                let items = self.eval_all(items, context)?;
                self.heap.tuple(items)
            }
            ExprKind::Dict(entries) => {
                let dict = self.heap.dict(Vec::new())?;
                let Value::Dict(table) = &dict else { return Ok(dict) };
                for (key, value) in entries {
                    let (key, value) = (self.eval(key, context)?, self.eval(value, context)?);
                    if table.entries.borrow().get(&key)?.is_some() {
                        return Err(format!("duplicate key: {}", self.repr(&key)?).into());
                    }
                    self.heap.grow_dict()?;
                    table.entries.borrow_mut().insert(key, value)?;
                }
                Ok(dict)
            }
            ExprKind::Unary(operator, operand) => {
                let operand = self.eval(operand, context)?;
                self.unary(operator, &operand)
            }
            ExprKind::Binary(operator @ ("and" | "or"), left, right) => {
                let left = self.eval(left, context)?;
                if left.truth()? == (*operator == "or") { Ok(left) } else { self.eval(right, context) }
            }
            ExprKind::Binary(operator, left, right) => {
                let left = self.eval(left, context)?;
                let right = self.eval(right, context)?;
                self.binary(operator, &left, &right)
            }
            ExprKind::Conditional(parts) => {
                let [then, condition, otherwise] = &**parts;
                let branch = if self.eval(condition, context)?.truth()? { then } else { otherwise };
                self.eval(branch, context)
            }
            ExprKind::Attribute(owner, name) => {
                let owner = self.eval(owner, context)?;
                self.attribute(&owner, name)
            }
            ExprKind::Index(collection, index) => {
                let collection = self.eval(collection, context)?;
                let index = self.eval(index, context)?;
                self.index(&collection, &index)
            }
            ExprKind::Slice(value, bounds) => {
                let value = self.eval(value, context)?;
                let mut values = [None, None, None];
                for (slot, bound) in values.iter_mut().zip(bounds) {
                    *slot = bound.as_ref().map(|bound| self.eval(bound, context)).transpose()?;
                }
                self.slice(&value, values)
            }
            ExprKind::Call(function, arguments) => {
                let function = self.eval(function, context)?;
                let arguments = self.arguments(arguments, context)?;
                self.call(&function, arguments)
            }
            ExprKind::Lambda(definition) => self.function(definition, context),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, context),
        }
    }

    /// Returns the values of expressions.
    fn eval_all(&mut self, items: &[Expr], context: &Context) -> Result<Vec<Value>, Failure> {
        items.iter().map(|item| self.eval(item, context)).collect()
    }

    /// Returns the value of a variable.
    pub(super) fn variable(
        &mut self,
        name: &Rc<str>,
        place: Place,
        context: &Context,
    ) -> Result<Value, Failure> {
        let Place::Slot { up, slot } = place else { return Ok(super::builtins::predeclared(name)?) };
        let mut scope: Option<&Rc<Scope>> = Some(&context.scope);
        for _ in 0..up {
            scope = scope.and_then(|scope| scope.parent.as_ref());
        }
        let value = scope.and_then(|scope| scope.values.borrow().get(slot).cloned().flatten());
        let is_global = scope.is_none_or(|scope| scope.parent.is_none());
        let kind = if is_global { "global" } else { "local" };
        Ok(value.ok_or_else(|| format!("{kind} variable {name} referenced before assignment"))?)
    }

    /// Returns the list or dict of a comprehension.
    fn comprehension(&mut self, comprehension: &Comprehension, context: &Context) -> Result<Value, Failure> {
        let Some((Clause::For(_, first), _)) = comprehension.clauses.split_first() else {
            return Err(Failure::Limit("a comprehension has no loop".to_owned()));
        };
        let first = self.eval(first, context)?;
        let scope = self.heap.scope(comprehension.slots.get(), Some(Rc::clone(&context.scope)))?;
        let inner = Context { unit: Rc::clone(&context.unit), scope };
        let mut entries = Vec::new();
        self.clauses(&comprehension.clauses, Some(first), comprehension, &inner, &mut entries)?;
        if comprehension.key.is_some() {
            return self.heap.dict(entries);
        }
        self.heap.list(entries.into_iter().map(|(_, value)| value).collect())
    }

    /// Evaluates the clauses of a comprehension that are left, and adds an entry for each time that all of them let
    /// through. `first` is the value of the first loop's sequence.
    fn clauses(
        &mut self,
        clauses: &[Clause],
        first: Option<Value>,
        comprehension: &Comprehension,
        context: &Context,
        entries: &mut Vec<(Value, Value)>,
    ) -> Result<(), Failure> {
        match clauses.split_first() {
            None => {
                let key = comprehension.key.as_ref().map(|key| self.eval(key, context)).transpose()?;
                let value = self.eval(&comprehension.value, context)?;
                entries.push((key.unwrap_or(Value::None), value));
                Ok(())
            }
            Some((Clause::If(condition), rest)) => match self.eval(condition, context)?.truth()? {
                true => self.clauses(rest, None, comprehension, context, entries),
                false => Ok(()),
            },
            Some((Clause::For(target, iterable), rest)) => {
                let iterable = match first {
                    Some(first) => first,
                    None => self.eval(iterable, context)?,
                };
                let flow = self.for_each(&iterable, |this, item| {
                    this.assign(target, item, context)?;
                    this.nested(|this| this.clauses(rest, None, comprehension, context, entries))?;
                    Ok(Flow::Next)
                });
                flow.map(drop)
            }
        }
    }

    /// Returns the elements of a value; `None` if it has none.
    pub(crate) fn iterate(&mut self, value: &Value) -> Result<Option<Vec<Value>>, Failure> {
        let items = match value.known()? {
            Value::List(list) => list.items.borrow().clone(),
            Value::Tuple(items) => items.to_vec(),
            Value::Dict(dict) | Value::Set(dict) => dict.entries.borrow().keys(),
            Value::Range { start, step, .. } => {
                let length = value.range_length();
                // The elements are all made at once, outside of the heap.
                if length > MAX_RANGE {
                    let message = format!(
                        "a loop over more than {MAX_RANGE} elements of a range takes too much memory"
                    );
                    return Err(Failure::Limit(message));
                }
                self.heap.work(usize::try_from(length).unwrap_or(usize::MAX))?;
                (0..length)
                    .map(|index| Value::int(start.saturating_add(index.saturating_mul(*step))))
                    .collect()
            }
            Value::Elements(kind, text) => {
                self.heap.work(text.len())?;
                match kind {
                    ElementKind::Bytes => text.iter().map(|byte| Value::Text([*byte].into())).collect(),
                    ElementKind::ByteNumbers => text.iter().map(|byte| Value::int(*byte)).collect(),
                    ElementKind::Characters => {
                        text_of(text).chars().map(|char| Value::text(char.encode_utf8(&mut [0; 4]))).collect()
                    }
                    ElementKind::CharacterNumbers => {
                        text_of(text).chars().map(|char| Value::int(u32::from(char))).collect()
                    }
                }
            }
            Value::Fragment(fragment) => super::convert::elements(fragment),
            _ => return Ok(None),
        };
        self.heap.work(items.len())?;
        Ok(Some(items))
    }

    /// Fails if a value, or one that it contains, is not known.
    pub(super) fn wholly_known(&mut self, value: &Value, depth: usize) -> Result<(), Failure> {
        if depth > 50 {
            return Err(Failure::Limit("values are nested too deeply".to_owned()));
        }
        let depth = depth.saturating_add(1);
        match value.known()? {
            Value::Dict(dict) => {
                let entries: Vec<Value> =
                    dict.entries.borrow().iter().map(|(_, value)| value.clone()).collect();
                entries.iter().try_for_each(|value| self.wholly_known(value, depth))
            }
            Value::Struct(fields) => {
                fields.fields.iter().try_for_each(|(_, value)| self.wholly_known(value, depth))
            }
            Value::Fragment(fragment) => super::convert::first_unknown(fragment)
                .map_or(Ok(()), |path| Err(Failure::Undetermined(path))),
            Value::List(_) | Value::Tuple(_) => match self.iterate(value)? {
                Some(items) => items.iter().try_for_each(|item| self.wholly_known(item, depth)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
