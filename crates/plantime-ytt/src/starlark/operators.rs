//! Operators, comparison, indices and slices.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::error::Failure;
use super::interpreter::Interpreter;
use super::number::{Pair, arithmetic};
use super::value::Value;

/// The largest depth of values that are compared.
const MAX_DEPTH: usize = 50;

impl Interpreter<'_> {
    /// Returns the result of an operator with one operand.
    pub(super) fn unary(&mut self, operator: &str, operand: &Value) -> Result<Value, Failure> {
        match (operator, operand.known()?) {
            ("not", operand) => Ok(Value::Bool(!operand.truth()?)),
            ("-", Value::Int(int)) => {
                let result = arithmetic(&self.heap, "-", Pair::Ints(BigInt::ZERO, int.clone()));
                result.unwrap_or(Ok(Value::None))
            }
            ("-", Value::Float(float)) => Ok(Value::Float(-float)),
            ("+", Value::Int(_) | Value::Float(_)) => Ok(operand.clone()),
            ("~", Value::Int(int)) => Ok(Value::Int(!int.clone())),
            _ => Err(format!("unknown unary op: {operator} {}", operand.type_name()).into()),
        }
    }

    /// Returns the result of an operator that evaluates both operands.
    pub(crate) fn binary(&mut self, operator: &str, left: &Value, right: &Value) -> Result<Value, Failure> {
        match operator {
            "==" => return Ok(Value::Bool(self.equal(left, right, 0)?)),
            "!=" => return Ok(Value::Bool(!self.equal(left, right, 0)?)),
            "<" | "<=" | ">" | ">=" => return Ok(Value::Bool(self.ordered(operator, left, right)?)),
            "in" => return Ok(Value::Bool(self.contains(right, left)?)),
            "not in" => return Ok(Value::Bool(!self.contains(right, left)?)),
            _ => {}
        }
        let (left, right) = (left.known()?, right.known()?);
        if let Some(pair) = Pair::of(left, right)
            && let Some(result) = arithmetic(&self.heap, operator, pair)
        {
            return result;
        }
        match (operator, left, right) {
            ("+", Value::Text(left), Value::Text(right)) => {
                self.heap.grow(0)?;
                self.heap.work(left.len().saturating_add(right.len()) / 64)?;
                self.heap.text([&**left, &**right].concat())
            }
            ("+", Value::List(left), Value::List(right)) => {
                let items = left.items.borrow().iter().chain(right.items.borrow().iter()).cloned().collect();
                self.heap.list(items)
            }
            ("+", Value::Tuple(left), Value::Tuple(right)) => {
                self.heap.tuple(left.iter().chain(right.iter()).cloned().collect())
            }
            ("*", Value::Int(count), repeated) | ("*", repeated, Value::Int(count)) => {
                match self.repeat(repeated, count)? {
                    Some(value) => Ok(value),
                    None => Err(unknown_operator(operator, left, right)),
                }
            }
            ("%", Value::Text(format), right) => super::format::interpolate(self, format, right),
            ("|" | "&" | "^", Value::Set(one), Value::Set(other)) => {
                let (one, other) = (one.entries.borrow(), other.entries.borrow());
                let mut items = Vec::new();
                for key in one.keys() {
                    if operator == "|" || other.get(&key)?.is_some() == (operator == "&") {
                        items.push(key);
                    }
                }
                for key in other.keys() {
                    if operator != "&" && one.get(&key)?.is_none() {
                        items.push(key);
                    }
                }
                self.heap.set(items)
            }
            _ => Err(unknown_operator(operator, left, right)),
        }
    }

    /// Returns `VALUE * COUNT` for a string, list or tuple; `None` for another value.
    fn repeat(&mut self, value: &Value, count: &BigInt) -> Result<Option<Value>, Failure> {
        let count = if *count < BigInt::ZERO { 0 } else { usize::try_from(count).unwrap_or(usize::MAX) };
        let size = match value {
            Value::Text(text) => text.len(),
            Value::List(list) => list.items.borrow().len().saturating_mul(64),
            Value::Tuple(items) => items.len().saturating_mul(64),
            _ => return Ok(None),
        };
        if size.saturating_mul(count) > 1 << 22 {
            return Err(Failure::Limit("a repeated value takes too much memory".to_owned()));
        }
        Ok(Some(match value {
            Value::Text(text) => self.heap.text(text.repeat(count))?,
            Value::Tuple(items) => self.heap.tuple(repeated(items, count))?,
            Value::List(list) => {
                let items = repeated(&list.items.borrow(), count);
                self.heap.list(items)?
            }
            _ => return Ok(None),
        }))
    }

    /// Whether two values are equal.
    pub(crate) fn equal(&mut self, left: &Value, right: &Value, depth: usize) -> Result<bool, Failure> {
        self.heap.work(1)?;
        if depth > MAX_DEPTH {
            return Err("comparison exceeded maximum recursion depth".into());
        }
        let depth = depth.saturating_add(1);
        Ok(match (left.known()?, right.known()?) {
            (Value::None, Value::None) => true,
            (Value::Bool(left), Value::Bool(right)) => left == right,
            (Value::Text(left), Value::Text(right)) => left == right,
            (Value::List(left), Value::List(right)) => {
                let (left, right) = (left.items.borrow().clone(), right.items.borrow().clone());
                self.equal_items(&left, &right, depth)?
            }
            (Value::Tuple(left), Value::Tuple(right)) => self.equal_items(left, right, depth)?,
            (Value::Dict(left), Value::Dict(right)) => {
                if left.entries.borrow().len() != right.entries.borrow().len() {
                    return Ok(false);
                }
                let entries: Vec<_> = left.entries.borrow().iter().cloned().collect();
                for (key, value) in entries {
                    let other = right.entries.borrow().get(&key)?.cloned();
                    match other {
                        Some(other) if self.equal(&value, &other, depth)? => {}
                        _ => return Ok(false),
                    }
                }
                true
            }
            (Value::Set(left), Value::Set(right)) => {
                let (left, right) = (left.entries.borrow(), right.entries.borrow());
                let mut same = left.len() == right.len();
                for key in left.keys() {
                    same = same && right.get(&key)?.is_some();
                }
                same
            }
            (Value::Range { .. }, Value::Range { .. }) => {
                let (left, right) = (self.iterate(left)?, self.iterate(right)?);
                self.equal_items(&left.unwrap_or_default(), &right.unwrap_or_default(), depth)?
            }
            (Value::Fragment(_), Value::Fragment(_)) => {
                return Err("yamlfragment.CompareSameType: Not implemented".into());
            }
            (Value::Function(left), Value::Function(right)) => std::rc::Rc::ptr_eq(left, right),
            (Value::Builtin(left), Value::Builtin(right)) => std::rc::Rc::ptr_eq(left, right),
            (Value::Struct(left), Value::Struct(right)) => std::rc::Rc::ptr_eq(left, right),
            (left, right) => match Pair::of(left, right) {
                Some(Pair::Ints(left, right)) => left == right,
                Some(Pair::Floats(left, right)) => left == right,
                None => false,
            },
        })
    }

    /// Whether two sequences have equal elements in the same order.
    fn equal_items(&mut self, left: &[Value], right: &[Value], depth: usize) -> Result<bool, Failure> {
        if left.len() != right.len() {
            return Ok(false);
        }
        for (left, right) in left.iter().zip(right) {
            if !self.equal(left, right, depth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the result of `<`, `<=`, `>` or `>=`.
    fn ordered(&mut self, operator: &str, left: &Value, right: &Value) -> Result<bool, Failure> {
        let order = self.order(operator, left, right, 0)?;
        Ok(match operator {
            "<" => order == Some(Ordering::Less),
            ">" => order == Some(Ordering::Greater),
            "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        })
    }

    /// Returns the order of two values, `None` with NaN; the error names the operator.
    pub(crate) fn order(
        &mut self,
        operator: &str,
        left: &Value,
        right: &Value,
        depth: usize,
    ) -> Result<Option<Ordering>, Failure> {
        self.heap.work(1)?;
        if depth > MAX_DEPTH {
            return Err("comparison exceeded maximum recursion depth".into());
        }
        let (left, right) = (left.known()?, right.known()?);
        let items = match (left, right) {
            (Value::Text(left), Value::Text(right)) => return Ok(Some(left.cmp(right))),
            (Value::Bool(left), Value::Bool(right)) => return Ok(Some(left.cmp(right))),
            (Value::List(left), Value::List(right)) => {
                (left.items.borrow().clone(), right.items.borrow().clone())
            }
            (Value::Tuple(left), Value::Tuple(right)) => (left.to_vec(), right.to_vec()),
            // ytt orders an infinity on the left against an int the wrong way round.
            (Value::Float(float), Value::Int(_)) if float.is_infinite() => {
                return Ok(Some(if *float > 0.0 { Ordering::Less } else { Ordering::Greater }));
            }
            (Value::Fragment(_), Value::Fragment(_)) => {
                return Err("yamlfragment.CompareSameType: Not implemented".into());
            }
            _ => {
                return match Pair::of(left, right) {
                    Some(Pair::Ints(left, right)) => Ok(Some(left.cmp(&right))),
                    Some(Pair::Floats(left, right)) => Ok(left.partial_cmp(&right)),
                    None => {
                        let (left, right) = (left.type_name(), right.type_name());
                        Err(format!("{left} {operator} {right} not implemented").into())
                    }
                };
            }
        };
        let depth = depth.saturating_add(1);
        for (left, right) in items.0.iter().zip(&items.1) {
            if !self.equal(left, right, depth)? {
                return self.order(operator, left, right, depth);
            }
        }
        Ok(Some(items.0.len().cmp(&items.1.len())))
    }

    /// Whether a collection contains a value; a fragment contains its keys or indices.
    fn contains(&mut self, collection: &Value, value: &Value) -> Result<bool, Failure> {
        match collection.known()? {
            Value::Text(text) => match value.known()? {
                Value::Text(part) => {
                    self.heap.work(text.len() / 16)?;
                    Ok(part.is_empty() || super::strings::find(text, part).is_some())
                }
                other => {
                    Err(format!("'in <string>' requires string as left operand, not {}", other.type_name())
                        .into())
                }
            },
            Value::Dict(dict) | Value::Set(dict) => Ok(dict.entries.borrow().get(value)?.is_some()),
            Value::Fragment(fragment) => {
                self.heap.work(fragment.content().children().len() / 16)?;
                // An error counts as absence: the indices of an array are ints.
                let found = super::convert::element(fragment, value.known()?);
                Ok(found.is_ok_and(|found| found.is_some()))
            }
            Value::Range { .. } | Value::List(_) | Value::Tuple(_) => {
                for item in self.iterate(collection)?.unwrap_or_default() {
                    if self.equal(&item, value, 0)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            other => Err(unknown_operator("in", value, other)),
        }
    }

    /// Returns the element of a collection at an index or a key.
    pub(super) fn index(&mut self, collection: &Value, index: &Value) -> Result<Value, Failure> {
        let (collection, index) = (collection.known()?, index.known()?);
        match collection {
            Value::Dict(dict) => {
                let found = dict.entries.borrow().get(index)?.cloned();
                match found {
                    Some(value) => Ok(value),
                    None => Err(format!("key {} not in dict", self.repr(index)?).into()),
                }
            }
            Value::Fragment(fragment) => {
                // A map is searched from its start.
                self.heap.work(fragment.content().children().len() / 16)?;
                match super::convert::element(fragment, index)? {
                    Some(value) => Ok(value),
                    None => Err(format!("key {} not in yamlfragment", self.repr(index)?).into()),
                }
            }
            Value::Text(text) => {
                let at = position(collection, index, text.len())?;
                Ok(Value::Text(text.get(at..at.saturating_add(1)).unwrap_or_default().into()))
            }
            Value::List(list) => {
                let at = position(collection, index, list.items.borrow().len())?;
                Ok(list.items.borrow().get(at).cloned().unwrap_or(Value::None))
            }
            Value::Tuple(items) => {
                let at = position(collection, index, items.len())?;
                Ok(items.get(at).cloned().unwrap_or(Value::None))
            }
            Value::Range { start, step, .. } => {
                let length = usize::try_from(collection.range_length()).unwrap_or(0);
                let at = i64::try_from(position(collection, index, length)?).unwrap_or(0);
                Ok(Value::int(start.saturating_add(at.saturating_mul(*step))))
            }
            Value::Struct(_) => {
                let Value::Text(name) = index else {
                    return Err(format!("key {} not in {}", self.repr(index)?, collection.type_name()).into());
                };
                self.attribute(collection, &super::value::text_of(name))
            }
            other => {
                Err(format!("unhandled index operation {}[{}]", other.type_name(), index.type_name()).into())
            }
        }
    }

    /// Evaluates `COLLECTION[INDEX] = VALUE`.
    pub(super) fn set_index(
        &mut self,
        collection: &Value,
        index: &Value,
        value: Value,
    ) -> Result<(), Failure> {
        match collection.known()? {
            Value::List(list) => {
                super::methods::check_change(&list.loops, "assign to element of", "list")?;
                let at = position(collection, index.known()?, list.items.borrow().len())?;
                if let Some(slot) = list.items.borrow_mut().get_mut(at) {
                    *slot = value;
                }
                Ok(())
            }
            Value::Dict(dict) => {
                super::methods::check_change(&dict.loops, "insert into", "hash table")?;
                self.heap.grow_dict()?;
                dict.entries.borrow_mut().insert(index.clone(), value)
            }
            Value::Fragment(_) => Err("yamlfragment.SetKey: Not implemented".into()),
            other => Err(format!("{} value does not support item assignment", other.type_name()).into()),
        }
    }
}

/// Returns the elements, so many times over.
fn repeated(items: &[Value], count: usize) -> Vec<Value> {
    std::iter::repeat_n(items, count).flatten().cloned().collect()
}

/// Returns the error that an operator does not take values of these types.
fn unknown_operator(operator: &str, left: &Value, right: &Value) -> Failure {
    format!("unknown binary op: {} {operator} {}", left.type_name(), right.type_name()).into()
}

/// Returns an index as a position from the start; the error is that there is no such element.
fn position(collection: &Value, index: &Value, length: usize) -> Result<usize, Failure> {
    let kind = collection.type_name();
    let Value::Int(index) = index else {
        return Err(format!("{kind} index: got {}, want int", index.type_name()).into());
    };
    let from_start = if *index < BigInt::ZERO {
        index.checked_add(&BigInt::from(length)).unwrap_or_default()
    } else {
        index.clone()
    };
    match usize::try_from(&from_start) {
        Ok(position) if position < length => Ok(position),
        _ if length == 0 => Err(format!("index {index} out of range: empty {kind}").into()),
        _ => {
            let last = length.saturating_sub(1);
            Err(format!("{kind} index {index} out of range [-{length}:{last}]").into())
        }
    }
}
