//! The module `library`: packages within a package.

use std::rc::Rc;

use super::super::convert::{data_values, yaml_from_value};
use super::super::error::Failure;
use super::super::functions::no_position;
use super::super::interpreter::{Interpreter, LibraryRequest};
use super::super::value::{Arguments, Builtin, Fragment, Native, Struct, StructKind, Value, text_of};
use super::text::{exactly, flag, positional, refuse_other_keywords};
use crate::node::{Content, Node};
use crate::package::Skipped;
use crate::yaml::size_of;

pub(super) const FUNCTIONS: [(&str, Native); 1] = [("get", get)];

const METHODS: [(&str, Native); 5] = [
    ("data_values", values),
    ("eval", eval),
    ("export", export),
    ("with_data_values", with_data_values),
    ("with_data_values_schema", with_schema),
];

/// `library.get(path, alias="", dangerous_data_values_disable_validation=False)`: a library, not evaluated yet.
fn get(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [path] = exactly(&arguments)?;
    let Value::Text(name) = path.known()? else {
        return Err(format!("expected starlark.String, but was {}", path.go_type()).into());
    };
    let (mut alias, mut unvalidated) = (Value::text(""), Value::Bool(false));
    for (keyword, value) in &arguments.keywords {
        match (&**keyword, value) {
            ("alias", Value::Text(_)) => alias = value.clone(),
            ("dangerous_data_values_disable_validation", Value::Bool(_)) => unvalidated = value.clone(),
            ("alias" | "dangerous_data_values_disable_validation", other) => {
                return Err(format!("a keyword argument {keyword} that is {}", other.go_type()).into());
            }
            ("ignore_unknown_comments" | "implicit_map_key_overrides" | "strict", _) => {
                return Err(Failure::Limit(format!("library.get with {keyword}= is not supported")));
            }
            _ => return Err(format!("Unexpected kwarg '{keyword}'").into()),
        }
    }
    let name = text_of(name);
    if !this.library.has_library(&name) {
        return Err(format!("Expected to find library '{name}', but did not find ''").into());
    }
    let none = this.heap.tuple(Vec::new())?;
    object(this, vec![path.clone(), alias, unvalidated, none.clone(), none])
}

/// Returns a library as an object with methods. Its state is the path, the alias, whether rules are skipped, the schemas, and
/// the data values.
fn object(this: &Interpreter<'_>, state: Vec<Value>) -> Result<Value, Failure> {
    let state = this.heap.tuple(state)?;
    let method = |(name, native): (&str, Native)| {
        let function = Builtin {
            name: format!("library.{name}").into(),
            native,
            receiver: Some(state.clone()),
            shallow: true,
        };
        (Rc::from(name), Value::Builtin(Rc::new(function)))
    };
    Struct::value(&this.heap, StructKind::Object("library"), METHODS.map(method).into())
}

/// Returns the state of a library with an element added to one of its lists.
fn with(this: &Interpreter<'_>, f: &Builtin, list: usize, element: Value) -> Result<Value, Failure> {
    let Value::Tuple(state) = f.receiver() else { return Ok(Value::None) };
    let mut state = state.to_vec();
    if let Some(Value::Tuple(items)) = state.get(list).cloned() {
        let items = items.iter().cloned().chain([element]).collect();
        if let Some(slot) = state.get_mut(list) {
            *slot = this.heap.tuple(items)?;
        }
    }
    object(this, state)
}

/// `with_data_values(values, plain=False)`: the library with more data values.
fn with_data_values(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = exactly(&arguments)?;
    let mut plain = Value::Bool(false);
    for (keyword, value) in &arguments.keywords {
        match (&**keyword, value) {
            ("plain", Value::Bool(_)) => plain = value.clone(),
            _ => return Err(format!("Unexpected kwarg '{keyword}'").into()),
        }
    }
    let pair = this.heap.tuple(vec![value, plain])?;
    with(this, f, 4, pair)
}

/// `with_data_values_schema(schema)`: the library with one more schema.
fn with_schema(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [schema] = positional(&arguments)?;
    with(this, f, 3, schema)
}

/// `export(name, path="")`: is not supported.
fn export(_: &mut Interpreter<'_>, _: &Builtin, _: Arguments) -> Result<Value, Failure> {
    Err(Failure::Limit("library.export is not supported".to_owned()))
}

/// `eval()`: the documents of the library. The proposal has keywords that skip validations.
fn eval(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [] = exactly(&arguments)?;
    let known = ["data_value_schema_disable_validation", "output_disable_validation"];
    refuse_other_keywords(&arguments, if this.library.has_proposal() { &known } else { &[] })?;
    let [values, output] = known.map(|name| flag(&arguments, name, false));
    let content = evaluated(this, f, true, Skipped { values: values?, output: output? })?;
    let root = Node { key: None, content, at: no_position(), annotations: Vec::new() };
    Ok(Value::Fragment(Fragment::new(Rc::new(root), "")))
}

/// `data_values()`: the final data values of the library.
fn values(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [] = positional(&arguments)?;
    let content = evaluated(this, f, false, Skipped::default())?;
    data_values(&this.heap, &content, "")
}

/// Evaluates a library.
fn evaluated(
    this: &mut Interpreter<'_>,
    f: &Builtin,
    wants_documents: bool,
    skipped: Skipped,
) -> Result<Content, Failure> {
    let Value::Tuple(state) = f.receiver() else { return Err("a library has no state".into()) };
    let [Value::Text(path), Value::Text(alias), unvalidated, Value::Tuple(schemas), Value::Tuple(given)] =
        &**state
    else {
        return Err("a library has no state".into());
    };
    let yaml = |value: &Value| yaml_from_value(&this.heap, value, &no_position());
    let mut values = Vec::new();
    for pair in given.iter() {
        let Value::Tuple(pair) = pair else { continue };
        if let [value, plain] = &**pair {
            values.push((yaml(value)?, matches!(plain, Value::Bool(true))));
        }
    }
    let unvalidated = matches!(unvalidated, Value::Bool(true));
    let request = LibraryRequest {
        path: text_of(path).into_owned(),
        alias: text_of(alias).into_owned(),
        skipped: skipped.or(Skipped { values: unvalidated, output: unvalidated }),
        schemas: schemas.iter().map(yaml).collect::<Result<_, _>>()?,
        values,
        wants_documents,
    };
    let name = match request.alias.as_str() {
        "" => request.path.clone(),
        alias => format!("{}~{alias}", request.path),
    };
    this.evaluate_library(request).map_err(|failure| match failure {
        Failure::Error(error) => format!("Evaluating library '{name}': {}", error.message).into(),
        other => other,
    })
}

impl Interpreter<'_> {
    /// Evaluates a library, and counts what it costs.
    fn evaluate_library(&mut self, request: LibraryRequest) -> Result<Content, Failure> {
        self.heap.work(1_000)?;
        let result = self.nested(|this| this.library.evaluate_library(&request).map_err(Failure::from))?;
        self.heap.work(result.steps)?;
        self.heap.grow(size_of(&result.content).saturating_mul(64))?;
        self.used_libraries.push((request.path, request.alias));
        self.undetermined.extend(result.undetermined);
        for line in result.printed.lines() {
            self.print(line)?;
        }
        self.note_unknowns(&result.content);
        Ok(result.content)
    }
}
