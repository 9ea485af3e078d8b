//! The modules `struct` and `data`.

use std::rc::Rc;

use super::super::error::Failure;
use super::super::interpreter::Interpreter;
use super::super::value::{Arguments, Builtin, Native, Struct, StructKind, Value, text_of};
use super::text::exactly;

pub(super) const STRUCT: [(&str, Native); 5] = [
    ("bind", bind),
    ("decode", decode),
    ("encode", encode),
    ("make", make),
    ("make_and_bind", make_and_bind),
];
pub(super) const DATA: [(&str, Native); 1] = [("list", list)];

/// `struct.make(**fields)`: a struct.
fn make(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    if !arguments.positional.is_empty() {
        return Err("expected exactly zero arguments".into());
    }
    Struct::value(&this.heap, StructKind::Struct, arguments.keywords)
}

/// `struct.make_and_bind(receiver, **fields)`: a struct whose functions are methods of a value.
fn make_and_bind(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [receiver] = exactly(&arguments)?;
    let mut fields = Vec::new();
    for (name, value) in arguments.keywords {
        let value = if value.is_callable() { bind_method(this, receiver.clone(), value)? } else { value };
        fields.push((name, value));
    }
    Struct::value(&this.heap, StructKind::Struct, fields)
}

/// `struct.bind(receiver, function)`: the function as a method of a value.
fn bind(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [receiver, function] = exactly(&arguments)?;
    bind_method(this, receiver, function)
}

/// Returns a built-in function that calls `function` with `receiver` as the first argument, before those of the call.
fn bind_method(this: &mut Interpreter<'_>, receiver: Value, function: Value) -> Result<Value, Failure> {
    let pair = this.heap.tuple(vec![receiver, function])?;
    let builtin = Builtin { name: "bound".into(), native: call_bound, receiver: Some(pair), shallow: true };
    Ok(Value::Builtin(Rc::new(builtin)))
}

/// Calls a function made by [`bind_method`].
fn call_bound(this: &mut Interpreter<'_>, f: &Builtin, mut arguments: Arguments) -> Result<Value, Failure> {
    let Value::Tuple(pair) = f.receiver() else { return Ok(Value::None) };
    let [receiver, function] = &**pair else { return Ok(Value::None) };
    arguments.positional.insert(0, receiver.clone());
    this.call(function, arguments)
}

/// `struct.encode(value)`: a value with dicts as structs.
fn encode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    encoded(this, &value)
}

/// Returns a value with dicts as structs.
fn encoded(this: &mut Interpreter<'_>, value: &Value) -> Result<Value, Failure> {
    this.nested(|this| match value.known()? {
        Value::Dict(dict) => {
            let entries: Vec<_> = dict.entries.borrow().iter().cloned().collect();
            let mut fields = Vec::new();
            for (key, value) in entries {
                let Value::Text(key) = &key else {
                    return Err(
                        format!("expected struct key to be string, but was {}", key.type_name()).into()
                    );
                };
                fields.push((Rc::from(&*text_of(key)), encoded(this, &value)?));
            }
            Struct::value(&this.heap, StructKind::Struct, fields)
        }
        Value::List(_) | Value::Tuple(_) => {
            let items = this.iterate(value)?.unwrap_or_default();
            let items = items.iter().map(|item| encoded(this, item)).collect::<Result<_, _>>()?;
            this.heap.list(items)
        }
        Value::Fragment(fragment) => Err(unknown_type(fragment.content())),
        other => Ok(other.clone()),
    })
}

/// Returns the error that a YAML fragment cannot be converted.
fn unknown_type(content: &crate::node::Content) -> Failure {
    let kind = if let crate::node::Content::Map(_) = content { "Map" } else { "Array" };
    format!("(p) unknown type *yamlmeta.{kind} for conversion to starlark value (backtrace: <elided>)").into()
}

/// `struct.decode(value)`: a value with structs as dicts.
fn decode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    decoded(this, &value)
}

/// Returns a value with structs as dicts.
fn decoded(this: &mut Interpreter<'_>, value: &Value) -> Result<Value, Failure> {
    this.nested(|this| match value.known()? {
        Value::Struct(fields) => {
            let mut entries = Vec::new();
            for (name, value) in &fields.fields {
                entries.push((Value::text(name), decoded(this, value)?));
            }
            this.heap.dict(entries)
        }
        Value::List(_) | Value::Tuple(_) => {
            let items = this.iterate(value)?.unwrap_or_default();
            let items = items.iter().map(|item| decoded(this, item)).collect::<Result<_, _>>()?;
            this.heap.list(items)
        }
        Value::Fragment(fragment) => Err(unknown_type(fragment.content())),
        other => Ok(other.clone()),
    })
}

/// `data.list()`: the names of all files.
fn list(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    if !arguments.positional.is_empty() {
        return Err(Failure::Limit("data.list with arguments is not supported".to_owned()));
    }
    let names = this.library.names().iter().map(|name| Value::text(name)).collect();
    this.heap.list(names)
}
