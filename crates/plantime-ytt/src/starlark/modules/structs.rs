//! The modules `struct` and `data`.

use std::rc::Rc;

use super::super::arguments::module_text;
use super::super::error::Failure;
use super::super::interpreter::Interpreter;
use super::super::value::{Arguments, Builtin, Native, Struct, StructKind, Value, text_of};
use super::text::{exactly, positional, refuse_other_keywords};

pub(super) const STRUCT: [(&str, Native); 5] = [
    ("bind", bind),
    ("decode", decode),
    ("encode", encode),
    ("make", make),
    ("make_and_bind", make_and_bind),
];
const DATA: [(&str, Native); 2] = [("list", list), ("read", read)];

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
    let [receiver, function] = positional(&arguments)?;
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
    let [value] = positional(&arguments)?;
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
    let [value] = positional(&arguments)?;
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

/// Returns the module `data` of a file: its functions look for other files from there.
pub(super) fn data(from: &str) -> Vec<(Rc<str>, Value)> {
    let function = |(name, native): &(&'static str, Native)| {
        let builtin = Builtin {
            name: format!("data.{name}").into(),
            native: *native,
            receiver: Some(Value::text(from)),
            shallow: false,
        };
        (Rc::from(*name), Value::Builtin(Rc::new(builtin)))
    };
    DATA.iter().map(function).collect()
}

/// Returns the name of the file whose module a function is from.
fn file_of(f: &Builtin) -> String {
    match f.receiver() {
        Value::Text(name) => text_of(name).into_owned(),
        _ => String::new(),
    }
}

/// `data.list(path="")`: the names of the files below a folder. Paths start in the folder of the file, or with a slash in
/// that of the package.
fn list(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    refuse_other_keywords(&arguments, &[])?;
    let folder = match arguments.positional.as_slice() {
        [] => String::new(),
        [path] => module_text(path)?,
        _ => return Err("expected exactly zero or one argument".into()),
    };
    let names = this.library.list_files(&folder, &file_of(f))?;
    this.heap.work(names.len())?;
    let names = names.iter().map(|name| this.heap.text(name.as_str())).collect::<Result<_, _>>()?;
    this.heap.list(names)
}

/// `data.read(path)`: the text of a file.
fn read(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [path] = positional(&arguments)?;
    let text = this.library.read_file(&module_text(&path)?, &file_of(f))?;
    this.heap.work(text.len() / 64)?;
    this.heap.text(text)
}
