//! What an evaluation allocates and how many steps it takes, within bounds.
//!
//! Every value that contains others is registered. So values that contain themselves are released in the end, and no
//! chain of values is released by recursion, however long it is.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::error::Failure;
use super::value::{Dict, Function, List, Struct, Value};
use crate::bounds::Bounds;

/// The size that an element of a collection counts as, with the allocations beside it.
const ELEMENT: usize = 48;
/// The size that a dict entry counts as.
const ENTRY: usize = 160;
/// Strings up to this length are not registered: the element that holds one counts for it.
const SHORT: usize = 32;

/// The variables of a function that was called.
pub(crate) struct Scope {
    pub(crate) values: RefCell<Vec<Option<Value>>>,
    pub(crate) parent: Option<Rc<Scope>>,
}

/// A value that is registered.
enum Entry {
    List(Rc<List>),
    Dict(Rc<Dict>),
    Scope(Rc<Scope>),
    Tuple(Rc<[Value]>),
    Text(Rc<[u8]>),
    Struct(Rc<Struct>),
    Function(Rc<Function>),
}

impl Entry {
    /// Whether only the heap still owns the value.
    fn is_unused(&self) -> bool {
        let owners = match self {
            Entry::List(list) => Rc::strong_count(list),
            Entry::Dict(dict) => Rc::strong_count(dict),
            Entry::Scope(scope) => Rc::strong_count(scope),
            Entry::Tuple(items) => Rc::strong_count(items),
            Entry::Text(text) => Rc::strong_count(text),
            Entry::Struct(fields) => Rc::strong_count(fields),
            Entry::Function(function) => Rc::strong_count(function),
        };
        owners == 1
    }

    /// The number of bytes that it counts as.
    fn size(&self) -> usize {
        let content = match self {
            Entry::List(list) => list.items.borrow().len().saturating_mul(ELEMENT),
            Entry::Dict(dict) => dict.entries.borrow().len().saturating_mul(ENTRY),
            Entry::Scope(scope) => scope.values.borrow().len().saturating_mul(ELEMENT),
            Entry::Tuple(items) => items.len().saturating_mul(ELEMENT),
            Entry::Text(text) => text.len(),
            Entry::Struct(fields) => fields.fields.len().saturating_mul(ELEMENT),
            Entry::Function(function) => function.defaults.len().saturating_mul(ELEMENT),
        };
        content.saturating_add(ELEMENT)
    }

    /// Empties a value that can change, so that it contains nothing that has to be released with it.
    fn clear(&self) {
        match self {
            Entry::List(list) => {
                drop(list.items.try_borrow_mut().map(|mut items| std::mem::take(&mut *items)))
            }
            Entry::Dict(dict) => {
                drop(dict.entries.try_borrow_mut().map(|mut entries| std::mem::take(&mut *entries)))
            }
            Entry::Scope(scope) => {
                drop(scope.values.try_borrow_mut().map(|mut values| std::mem::take(&mut *values)));
            }
            Entry::Tuple(_) | Entry::Text(_) | Entry::Struct(_) | Entry::Function(_) => {}
        }
    }
}

/// The values of an evaluation.
pub(crate) struct Heap {
    entries: RefCell<Vec<Entry>>,
    bytes: Cell<usize>,
    steps: Cell<usize>,
    nodes: Cell<usize>,
    bounds: Bounds,
    /// The number of entries at which unused ones are next looked for.
    next_sweep: Cell<usize>,
}

impl Heap {
    /// A heap without values, for an evaluation within bounds.
    pub(crate) fn new(bounds: Bounds) -> Heap {
        let (bytes, steps, nodes, next_sweep) = (Cell::new(0), Cell::new(0), Cell::new(0), Cell::new(4_096));
        Heap { entries: RefCell::new(Vec::new()), bytes, steps, nodes, bounds, next_sweep }
    }

    /// Counts steps; fails when there are too many.
    pub(crate) fn work(&self, steps: usize) -> Result<(), Failure> {
        self.steps.set(self.steps.get().saturating_add(steps));
        let most = self.bounds.steps;
        if self.steps.get() > most {
            return Err(Failure::Limit(format!("the evaluation takes more than {most} steps")));
        }
        Ok(())
    }

    /// The bounds of the evaluation.
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The number of steps so far.
    pub(crate) fn steps(&self) -> usize {
        self.steps.get()
    }

    /// Counts nodes that a template makes; fails when there are too many.
    pub(crate) fn add_nodes(&self, count: usize) -> Result<(), Failure> {
        self.nodes.set(self.nodes.get().saturating_add(count));
        let most = self.bounds.nodes;
        if self.nodes.get() > most {
            return Err(Failure::Limit(format!("templates make more than {most} nodes")));
        }
        Ok(())
    }

    /// Counts the growth of a value that is registered; fails when values take too much memory.
    pub(crate) fn grow(&self, bytes: usize) -> Result<(), Failure> {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        if self.bytes.get() > self.bounds.memory {
            self.sweep();
        }
        if self.bytes.get() > self.bounds.memory {
            return Err(Failure::Limit("the values of the evaluation take too much memory".to_owned()));
        }
        Ok(())
    }

    /// Counts an element that is added to a list.
    pub(crate) fn grow_list(&self) -> Result<(), Failure> {
        self.grow(ELEMENT)
    }

    /// Counts an entry that is added to a dict.
    pub(crate) fn grow_dict(&self) -> Result<(), Failure> {
        self.grow(ENTRY)
    }

    /// Keeps a value until nothing else uses it, and counts its size.
    fn register(&self, entry: Entry) -> Result<(), Failure> {
        let bytes = entry.size();
        self.entries.borrow_mut().push(entry);
        if self.entries.borrow().len() > self.next_sweep.get() {
            self.sweep();
        }
        self.grow(bytes)
    }

    /// Releases values that nothing uses. Newer values are looked at first: they contain older ones.
    fn sweep(&self) {
        let mut entries = self.entries.borrow_mut();
        self.steps.set(self.steps.get().saturating_add(entries.len() / 4));
        let (mut kept, mut bytes) = (Vec::new(), 0_usize);
        while let Some(entry) = entries.pop() {
            if entry.is_unused() {
                entry.clear();
            } else {
                bytes = bytes.saturating_add(entry.size());
                kept.push(entry);
            }
        }
        kept.reverse();
        self.bytes.set(bytes);
        self.next_sweep.set(kept.len().saturating_mul(2).max(4_096));
        *entries = kept;
    }

    /// Returns a new list.
    pub(crate) fn list(&self, items: Vec<Value>) -> Result<Value, Failure> {
        self.work(items.len())?;
        let list = Rc::new(List { items: RefCell::new(items), loops: Cell::new(0) });
        self.register(Entry::List(Rc::clone(&list)))?;
        Ok(Value::List(list))
    }

    /// Returns a new tuple.
    pub(crate) fn tuple(&self, items: Vec<Value>) -> Result<Value, Failure> {
        self.work(items.len())?;
        let items: Rc<[Value]> = items.into();
        self.register(Entry::Tuple(Rc::clone(&items)))?;
        Ok(Value::Tuple(items))
    }

    /// Returns a new dict with these entries; of equal keys the last one counts.
    fn table(&self, entries: Vec<(Value, Value)>) -> Result<Rc<Dict>, Failure> {
        self.work(entries.len())?;
        let dict = Rc::new(Dict::default());
        for (key, value) in entries {
            dict.entries.borrow_mut().insert(key, value)?;
        }
        self.register(Entry::Dict(Rc::clone(&dict)))?;
        Ok(dict)
    }

    /// Returns a new dict.
    pub(crate) fn dict(&self, entries: Vec<(Value, Value)>) -> Result<Value, Failure> {
        Ok(Value::Dict(self.table(entries)?))
    }

    /// Returns a new set.
    pub(crate) fn set(&self, items: Vec<Value>) -> Result<Value, Failure> {
        Ok(Value::Set(self.table(items.into_iter().map(|item| (item, Value::None)).collect())?))
    }

    /// Returns a new string.
    pub(crate) fn text(&self, text: impl Into<Vec<u8>>) -> Result<Value, Failure> {
        let text: Rc<[u8]> = text.into().into();
        if text.len() > SHORT {
            self.work(text.len() / 64)?;
            self.register(Entry::Text(Rc::clone(&text)))?;
        }
        Ok(Value::Text(text))
    }

    /// Returns a new struct, module or object.
    pub(crate) fn structure(&self, fields: Struct) -> Result<Value, Failure> {
        let fields = Rc::new(fields);
        self.register(Entry::Struct(Rc::clone(&fields)))?;
        Ok(Value::Struct(fields))
    }

    /// Returns a new function.
    pub(crate) fn function(&self, function: Function) -> Result<Value, Failure> {
        let function = Rc::new(function);
        self.register(Entry::Function(Rc::clone(&function)))?;
        Ok(Value::Function(function))
    }

    /// Returns the scope of a call, with so many variables that have no value yet.
    pub(crate) fn scope(&self, slots: usize, parent: Option<Rc<Scope>>) -> Result<Rc<Scope>, Failure> {
        let scope = Rc::new(Scope { values: RefCell::new(vec![None; slots]), parent });
        self.register(Entry::Scope(Rc::clone(&scope)))?;
        Ok(scope)
    }
}

impl Drop for Heap {
    /// Empties all values first, as they may contain each other.
    fn drop(&mut self) {
        let entries = self.entries.get_mut();
        for entry in entries.iter() {
            entry.clear();
        }
        while entries.pop().is_some() {}
    }
}
