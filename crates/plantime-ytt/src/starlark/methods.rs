//! Attributes: methods of lists, dicts and sets, and fields of structs.

use std::cell::Cell;
use std::rc::Rc;

use super::error::Failure;
use super::freeze::FROZEN;
use super::interpreter::Interpreter;
use super::strings;
use super::value::{Arguments, Builtin, Native, Value};
use crate::spelling::nearest;

const LIST: [(&str, Native); 7] = [
    ("append", append),
    ("clear", clear),
    ("extend", extend),
    ("index", index),
    ("insert", insert),
    ("pop", pop),
    ("remove", remove),
];

const DICT: [(&str, Native); 9] = [
    ("clear", clear),
    ("get", get),
    ("items", items),
    ("keys", items),
    ("pop", pop),
    ("popitem", popitem),
    ("setdefault", setdefault),
    ("update", update),
    ("values", items),
];

const SET: [(&str, Native); 1] = [("union", union)];

/// Returns the methods of a value by name.
fn table(value: &Value) -> &'static [(&'static str, Native)] {
    match value {
        Value::List(_) => &LIST,
        Value::Dict(_) => &DICT,
        Value::Set(_) => &SET,
        Value::Text(_) => &strings::METHODS,
        _ => &[],
    }
}

impl Interpreter<'_> {
    /// Returns the names of the attributes of a value, sorted.
    pub(super) fn attribute_names(&self, value: &Value) -> Vec<Rc<str>> {
        match value {
            Value::Struct(fields) => fields.fields.iter().map(|(name, _)| Rc::clone(name)).collect(),
            other => table(other).iter().map(|(name, _)| Rc::from(*name)).collect(),
        }
    }

    /// Returns an attribute of a value.
    pub(super) fn attribute(&mut self, value: &Value, name: &str) -> Result<Value, Failure> {
        if let Some(field) = value.known()?.field(name) {
            return Ok(field.clone());
        }
        if let Some((name, native)) = table(value).iter().find(|(known, _)| *known == name) {
            return Ok(Builtin::method(name, *native, value.clone()));
        }
        let names: Vec<String> = self.attribute_names(value).iter().map(|name| name.to_string()).collect();
        let hint = nearest(name, &names).map_or(String::new(), |near| format!(" (did you mean .{near}?)"));
        Err(format!("{} has no .{name} field or method{hint}", value.type_name()).into())
    }
}

/// Fails if a loop over a list or a dict is under way, or if it is of a file that was loaded.
pub(super) fn check_change(loops: &Cell<usize>, verb: &str, kind: &str) -> Result<(), Failure> {
    if loops.get() >= FROZEN {
        return Err(format!("cannot {verb} frozen {kind}").into());
    }
    if loops.get() > 0 {
        return Err(format!("cannot {verb} {kind} during iteration").into());
    }
    Ok(())
}

/// Fails with the name of the method before the message.
fn changed(f: &Builtin, verb: &str) -> Result<(), Failure> {
    let result = match f.receiver() {
        Value::List(list) => check_change(&list.loops, verb, "list"),
        Value::Dict(dict) | Value::Set(dict) => check_change(&dict.loops, verb, "hash table"),
        _ => Ok(()),
    };
    result.map_err(|failure| format!("{}: {}", f.name, failure.message()).into())
}

/// Returns a list's index where an element is inserted or looked for: within the list.
fn clamped(index: i64, length: usize) -> usize {
    let length = i64::try_from(length).unwrap_or(i64::MAX / 4);
    let from_start = if index < 0 { index.saturating_add(length) } else { index };
    usize::try_from(from_start.clamp(0, length)).unwrap_or(0)
}

/// `list.append(x)`: adds an element at the end.
fn append(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    changed(f, "append to")?;
    if let Value::List(list) = f.receiver() {
        this.heap.grow_list()?;
        list.items.borrow_mut().push(value);
    }
    Ok(Value::None)
}

/// `list.clear()` and `dict.clear()`: removes all elements.
fn clear(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    f.none(&arguments)?;
    changed(f, "clear")?;
    match f.receiver() {
        Value::List(list) => list.items.borrow_mut().clear(),
        Value::Dict(dict) => dict.entries.borrow_mut().clear(),
        _ => {}
    }
    Ok(Value::None)
}

/// `list.extend(x)`: adds the elements of another value at the end.
fn extend(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    let items = this.iterate(&value)?.ok_or_else(|| f.wrong("1", &value, "iterable"))?;
    changed(f, "extend")?;
    if let Value::List(list) = f.receiver() {
        for item in items {
            this.heap.grow_list()?;
            list.items.borrow_mut().push(item);
        }
    }
    Ok(Value::None)
}

/// `list.index(x[, start[, end]])`: the index of the first element equal to a value.
fn index(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value, start, end] = arguments.positions(&f.name, 1)?;
    let value = value.unwrap_or(Value::None);
    let items = this.iterate(f.receiver())?.unwrap_or_default();
    let start = start.map_or(Ok(0), |start| f.int("2", &start))?;
    let end = end.map_or(Ok(i64::MAX / 4), |end| f.int("3", &end))?;
    let (start, end) = (clamped(start, items.len()), clamped(end, items.len()));
    for (at, item) in items.iter().enumerate().take(end).skip(start) {
        if this.equal(item, &value, 0)? {
            return Ok(Value::int(at));
        }
    }
    Err("index: value not in list".into())
}

/// `list.insert(i, x)`: adds an element before an index.
fn insert(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [at, value] = arguments.positions(&f.name, 2)?;
    let at = f.int("1", &at.unwrap_or(Value::None))?;
    changed(f, "insert into")?;
    if let Value::List(list) = f.receiver() {
        this.heap.grow_list()?;
        let length = list.items.borrow().len();
        this.heap.work(length / 16)?;
        list.items.borrow_mut().insert(clamped(at, length), value.unwrap_or(Value::None));
    }
    Ok(Value::None)
}

/// `list.pop([i])` and `dict.pop(key[, default])`: removes an element, and returns it.
fn pop(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    match f.receiver() {
        Value::List(list) => {
            let [at] = arguments.positions(&f.name, 0)?;
            let length = list.items.borrow().len();
            let at = at.map_or(Ok(-1), |at| f.int("1", &at))?;
            let from_start = if at < 0 { at.saturating_add(i64::try_from(length).unwrap_or(0)) } else { at };
            let position = usize::try_from(from_start).ok().filter(|position| *position < length);
            let Some(position) = position else {
                let message = match length {
                    0 => format!("pop: index {at} out of range: empty list"),
                    _ => {
                        format!("pop: list index {at} out of range [-{length}:{}]", length.saturating_sub(1))
                    }
                };
                return Err(message.into());
            };
            changed(f, "pop from")?;
            this.heap.work(length / 16)?;
            Ok(list.items.borrow_mut().remove(position))
        }
        Value::Dict(dict) => {
            let [key, default] = arguments.positions(&f.name, 1)?;
            let key = key.unwrap_or(Value::None);
            changed(f, "delete from")?;
            let removed = dict.entries.borrow_mut().remove(&key)?;
            match removed.map(|(_, value)| value).or(default) {
                Some(value) => Ok(value),
                None => Err("pop: missing key".into()),
            }
        }
        _ => Ok(Value::None),
    }
}

/// `list.remove(x)`: removes the first element equal to a value.
fn remove(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    changed(f, "remove from")?;
    for (at, item) in this.iterate(f.receiver())?.unwrap_or_default().iter().enumerate() {
        if this.equal(item, &value, 0)? {
            if let Value::List(list) = f.receiver() {
                list.items.borrow_mut().remove(at);
            }
            return Ok(Value::None);
        }
    }
    Err("remove: element not found".into())
}

/// `dict.get(key[, default])`: the value of a key, or else the default.
fn get(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [key, default] = arguments.positions(&f.name, 1)?;
    let Value::Dict(dict) = f.receiver() else { return Ok(Value::None) };
    let found = dict
        .entries
        .borrow()
        .get(&key.unwrap_or(Value::None))
        .map_err(|failure| prefixed(f, failure))?
        .cloned();
    Ok(found.or(default).unwrap_or(Value::None))
}

/// Puts the name of the method before the message of an error.
fn prefixed(f: &Builtin, failure: Failure) -> Failure {
    match failure {
        Failure::Error(error) => format!("{}: {}", f.name, error.message).into(),
        other => other,
    }
}

/// `dict.keys()`, `dict.values()` and `dict.items()`: the keys, the values, or pairs of both.
fn items(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    f.none(&arguments)?;
    let Value::Dict(dict) = f.receiver() else { return Ok(Value::None) };
    let entries: Vec<(Value, Value)> = dict.entries.borrow().iter().cloned().collect();
    let mut values = Vec::new();
    for (key, value) in entries {
        values.push(match &*f.name {
            "keys" => key,
            "values" => value,
            _ => this.heap.tuple(vec![key, value])?,
        });
    }
    this.heap.list(values)
}

/// `dict.popitem()`: removes the first entry, and returns it as a pair.
fn popitem(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    f.none(&arguments)?;
    changed(f, "delete from")?;
    let Value::Dict(dict) = f.receiver() else { return Ok(Value::None) };
    let first = dict.entries.borrow().iter().next().map(|(key, _)| key.clone());
    let first = first.ok_or("popitem: empty dict")?;
    let removed = dict.entries.borrow_mut().remove(&first)?;
    let (key, value) = removed.ok_or("popitem: empty dict")?;
    this.heap.tuple(vec![key, value])
}

/// `dict.setdefault(key[, default])`: the value of a key, which is set to the default if it is not there.
fn setdefault(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [key, default] = arguments.positions(&f.name, 1)?;
    let (key, default) = (key.unwrap_or(Value::None), default.unwrap_or(Value::None));
    let Value::Dict(dict) = f.receiver() else { return Ok(Value::None) };
    let found = dict.entries.borrow().get(&key)?.cloned();
    if let Some(found) = found {
        return Ok(found);
    }
    changed(f, "insert into")?;
    this.heap.grow_dict()?;
    dict.entries.borrow_mut().insert(key, default.clone())?;
    Ok(default)
}

/// `dict.update([pairs], **entries)`: sets the values of keys.
fn update(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    if arguments.positional.len() > 1 {
        return Err(format!("update: got {} arguments, want at most 1", arguments.positional.len()).into());
    }
    changed(f, "insert into")?;
    let Value::Dict(dict) = f.receiver() else { return Ok(Value::None) };
    let mut entries = Vec::new();
    if let Some(value) = arguments.positional.first() {
        super::builtins::pairs(this, "update", value, &mut entries)?;
    }
    entries.extend(arguments.keywords.into_iter().map(|(name, value)| (Value::text(&name), value)));
    for (key, value) in entries {
        this.heap.grow_dict()?;
        dict.entries.borrow_mut().insert(key, value)?;
    }
    Ok(Value::None)
}

/// `set.union(x)`: a set of the elements of both.
fn union(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    let mut items = this.iterate(f.receiver())?.unwrap_or_default();
    items.extend(this.iterate(&value)?.ok_or_else(|| f.wrong("1", &value, "iterable"))?);
    this.heap.set(items)
}
