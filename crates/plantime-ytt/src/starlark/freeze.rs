//! Values of a file that was loaded: they do not change any more.

use std::collections::HashSet;
use std::rc::Rc;

use super::error::Failure;
use super::heap::{Heap, Scope};
use super::value::Value;

/// The number of loops that stands for a value which never changes again.
pub(super) const FROZEN: usize = 1 << 62;

/// Marks all lists, dicts and sets that the variables of a scope reach.
pub(super) fn freeze(heap: &Heap, scope: &Rc<Scope>) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    let mut scopes = vec![Rc::clone(scope)];
    let mut values: Vec<Value> = Vec::new();
    loop {
        while let Some(value) = values.pop() {
            heap.work(1)?;
            match &value {
                Value::List(list) if seen.insert(Rc::as_ptr(list).addr()) => {
                    list.loops.set(FROZEN);
                    values.extend(list.items.borrow().iter().cloned());
                }
                Value::Dict(dict) | Value::Set(dict) if seen.insert(Rc::as_ptr(dict).addr()) => {
                    dict.loops.set(FROZEN);
                    values.extend(dict.entries.borrow().iter().map(|(_, value)| value.clone()));
                }
                Value::Tuple(items) if seen.insert(items.as_ptr().addr()) => {
                    values.extend(items.iter().cloned())
                }
                Value::Struct(fields) if seen.insert(Rc::as_ptr(fields).addr()) => {
                    values.extend(fields.fields.iter().map(|(_, value)| value.clone()));
                }
                Value::Builtin(builtin) => values.extend(builtin.receiver.clone()),
                Value::Function(function) if seen.insert(Rc::as_ptr(function).addr()) => {
                    values.extend(function.defaults.iter().cloned());
                    scopes.extend(function.scope.clone());
                }
                _ => {}
            }
        }
        let Some(scope) = scopes.pop() else { return Ok(()) };
        if seen.insert(Rc::as_ptr(&scope).addr()) {
            values.extend(scope.values.borrow().iter().flatten().cloned());
            scopes.extend(scope.parent.clone());
        }
    }
}
