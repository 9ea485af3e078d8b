//! The module `assert`, and the assertions that named rules share with it.

use std::cmp::Ordering;
use std::rc::Rc;

use super::super::error::{Error, Failure};
use super::super::interpreter::Interpreter;
use super::super::number::whole;
use super::super::value::{Arguments, Builtin, Native, Struct, StructKind, Value};
use crate::print::document;

pub(super) const FUNCTIONS: [(&str, Native); 10] = [
    ("equals", equals),
    ("fail", fail),
    ("max", object),
    ("max_len", object),
    ("min", object),
    ("min_len", object),
    ("not_null", object),
    ("one_not_null", object),
    ("one_of", object),
    ("try_to", try_to),
];

/// A condition on a value, by the rule that has it.
#[derive(Clone, Debug)]
pub(crate) enum Assertion {
    /// A number: floats are cut.
    MinLen(Value),
    MaxLen(Value),
    Min(Value),
    Max(Value),
    NotNull,
    /// The keys, or all children.
    OneNotNull(Option<Value>),
    OneOf(Value),
}

impl Assertion {
    /// Returns what a valid value is, in words.
    pub(crate) fn describe(&self, this: &mut Interpreter<'_>) -> Result<String, Failure> {
        Ok(match self {
            Assertion::MinLen(bound) => format!("length >= {}", this.repr(bound)?),
            Assertion::MaxLen(bound) => format!("length <= {}", this.repr(bound)?),
            Assertion::Min(bound) => format!("a value >= {}", this.repr(bound)?),
            Assertion::Max(bound) => format!("a value <= {}", this.repr(bound)?),
            Assertion::NotNull => "not null".to_owned(),
            Assertion::OneNotNull(None) => "exactly one of all children to be not null".to_owned(),
            Assertion::OneNotNull(Some(names)) => {
                format!("exactly one of {} to be not null", this.repr(names)?)
            }
            Assertion::OneOf(allowed) => format!("one of {}", this.repr(allowed)?),
        })
    }

    /// Fails with what was found if a value violates the assertion.
    pub(crate) fn check(&self, this: &mut Interpreter<'_>, value: &Value) -> Result<(), Failure> {
        match self {
            Assertion::MinLen(bound) => length(this, value, ">=", bound),
            Assertion::MaxLen(bound) => length(this, value, "<=", bound),
            Assertion::Min(bound) => ordered(this, value, bound, ">=", "<"),
            Assertion::Max(bound) => ordered(this, value, bound, "<=", ">"),
            Assertion::NotNull => match value.known()? {
                Value::None => Err("fail: value is null".into()),
                _ => Ok(()),
            },
            Assertion::OneNotNull(keys) => one_not_null(this, value, keys.as_ref()),
            Assertion::OneOf(allowed) => {
                let value = through_yaml(this, value)?;
                let allowed = through_yaml(this, allowed)?;
                for item in this.iterate(&allowed)?.unwrap_or_default() {
                    if this.equal(&item, &value, 0)? {
                        return Ok(());
                    }
                }
                Err("fail: not one of allowed values".into())
            }
        }
    }
}

/// Returns a number as the bound of a length; `None` for what is no number.
pub(crate) fn length_bound(value: &Value) -> Option<Value> {
    match value {
        Value::Int(_) => Some(value.clone()),
        Value::Float(float) => whole(float.trunc()).map(Value::Int),
        _ => None,
    }
}

/// Fails unless the length of a value is within the bound.
pub(crate) fn length(
    this: &mut Interpreter<'_>,
    value: &Value,
    operator: &str,
    bound: &Value,
) -> Result<(), Failure> {
    let length = super::super::builtins::length_of(value)?;
    let length = length.ok_or_else(|| format!("len: value of type {} has no len", value.type_name()))?;
    let holds = this.binary(operator, &Value::int(length), bound)?.truth()?;
    if holds { Ok(()) } else { Err(format!("fail: length = {length}").into()) }
}

/// Fails unless a value is at least, or at most, the bound. `found` is the opposite operator, for the message.
fn ordered(
    this: &mut Interpreter<'_>,
    value: &Value,
    bound: &Value,
    operator: &str,
    found: &str,
) -> Result<(), Failure> {
    let (value, bound) = (through_yaml(this, value)?, through_yaml(this, bound)?);
    let order = this.order(operator, &value, &bound, 0)?;
    let holds = match operator {
        ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
    };
    if holds {
        return Ok(());
    }
    let bound = this.str(&bound)?;
    Err(format!("fail: value {found} {bound}").into())
}

/// Fails unless exactly one of the values of a map is not null: of those at `keys`, or of all.
fn one_not_null(this: &mut Interpreter<'_>, value: &Value, keys: Option<&Value>) -> Result<(), Failure> {
    let value = through_yaml(this, value)?;
    let Value::Dict(dict) = &value else {
        return Err(format!("check: value must be a map or dict, but was '{}'", value.type_name()).into());
    };
    let keys = match keys {
        Some(keys) => this.iterate(keys)?.unwrap_or_default(),
        None => dict.entries.borrow().keys(),
    };
    if dict.entries.borrow().len() == 0 {
        return Err("check: value is empty".into());
    }
    let mut present = Vec::new();
    for key in keys {
        if dict.entries.borrow().get(&key)?.is_some_and(|value| !matches!(value, Value::None)) {
            present.push(key);
        }
    }
    match present.len() {
        1 => Ok(()),
        0 => Err("check: all values are null".into()),
        _ => {
            let present = this.heap.list(present)?;
            let present = this.repr(&present)?;
            Err(format!("check: {present} are not null").into())
        }
    }
}

/// Returns a value as it is after it was written as YAML and read again.
pub(crate) fn through_yaml(this: &mut Interpreter<'_>, value: &Value) -> Result<Value, Failure> {
    this.wholly_known(value, 0)?;
    this.heap.work(1)?;
    Ok(match value {
        Value::Fragment(fragment) if fragment.content().children().is_empty() => Value::None,
        Value::Fragment(fragment) => {
            let plain = super::super::convert::value_from_yaml(&this.heap, fragment.content())?;
            through_yaml(this, &plain)?
        }
        Value::Float(float) => match whole(*float).filter(|_| float.abs() < 1e6) {
            Some(int) => Value::Int(int),
            None => Value::Float(*float),
        },
        Value::List(_) | Value::Tuple(_) | Value::Set(_) => {
            let items = this.iterate(value)?.unwrap_or_default();
            let items = items
                .iter()
                .map(|item| this.nested(|this| through_yaml(this, item)))
                .collect::<Result<_, _>>()?;
            this.heap.list(items)?
        }
        Value::Dict(dict) => {
            let entries: Vec<_> = dict.entries.borrow().iter().cloned().collect();
            let mut read = Vec::new();
            for (key, value) in entries {
                read.push((through_yaml(this, &key)?, this.nested(|this| through_yaml(this, &value))?));
            }
            this.heap.dict(read)?
        }
        Value::Function(_) | Value::Builtin(_) | Value::Range { .. } => {
            let kind = value.go_type();
            return Err(
                format!("(p) unknown type {kind} for conversion to go value (backtrace: <elided>)").into()
            );
        }
        other => other.clone(),
    })
}

/// `assert.fail(text)`: an error with this message.
fn fail(_: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [text] = arguments.positions("", 1).map_err(unnamed)?;
    let text = super::super::arguments::module_text(&text.unwrap_or(Value::None))?;
    Err(format!("fail: {text}").into())
}

/// Removes the empty name before a message: the name of a module's function is added when it fails.
pub(super) fn unnamed(failure: Failure) -> Failure {
    match failure {
        Failure::Error(error) => error.message.trim_start_matches(": ").into(),
        other => other,
    }
}

/// `assert.equals(expected, actual)`: fails unless both are the same as YAML.
fn equals(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [expected, actual] = arguments.positions("", 2).map_err(unnamed)?;
    let (expected, actual) = (expected.unwrap_or(Value::None), actual.unwrap_or(Value::None));
    for value in [&expected, &actual] {
        if value.is_callable() {
            return Err(format!("expected argument not to be a function, but was {}", value.go_type()).into());
        }
    }
    let (expected_text, actual_text) = (yaml_text(this, &expected)?, yaml_text(this, &actual)?);
    if expected_text == actual_text {
        return Ok(Value::None);
    }
    Err(format!(
        "Not equal:\n(expected type: {})\n{expected_text}\n\n(was type: {})\n{actual_text}",
        expected.type_name(),
        actual.type_name()
    )
    .into())
}

/// Returns a value as YAML text.
pub(super) fn yaml_text(this: &mut Interpreter<'_>, value: &Value) -> Result<String, Failure> {
    let content =
        super::super::convert::yaml_from_value(&this.heap, value, &super::super::functions::no_position())?;
    if let (Value::Fragment(_), []) = (value, content.children()) {
        return Ok(String::new());
    }
    this.heap.work(crate::yaml::size_of(&content))?;
    Ok(document(&content))
}

/// `assert.try_to(function)`: calls the function; returns its result and no error, or no result and its error.
fn try_to(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [function] = arguments.positions("", 1).map_err(unnamed)?;
    let function = function.unwrap_or(Value::None);
    if !function.known()?.is_callable() {
        return Err(format!("expected argument to be a function, but was {}", function.go_type()).into());
    }
    match this.call(&function, Arguments::default()) {
        Ok(value) => this.heap.tuple(vec![value, Value::None]),
        Err(Failure::Error(error)) => {
            let message = this.heap.text(error.message)?;
            this.heap.tuple(vec![Value::None, message])
        }
        Err(other) => Err(other),
    }
}

/// Returns an object with a method `check`.
fn object(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let rule = f.name.trim_start_matches("assert.").to_owned();
    if rule == "not_null" {
        if let [value] = arguments.positional.as_slice() {
            Assertion::NotNull.check(this, value)?;
            return Ok(Value::Bool(true));
        }
        arguments.positions::<0>("", 0).map_err(unnamed)?;
    }
    let receiver = match rule.as_str() {
        "one_of" if arguments.positional.len() > 1 => this.heap.list(arguments.positional.clone())?,
        "one_of" if arguments.positional.is_empty() => return Err("got 0 arguments, want at least 1".into()),
        "not_null" => Value::None,
        "one_not_null" => {
            let least = usize::from(!arguments.positional.is_empty());
            let [keys] = arguments.positions("", least).map_err(unnamed)?;
            keys.unwrap_or(Value::Bool(true))
        }
        _ => {
            let [bound] = arguments.positions("", 1).map_err(unnamed)?;
            bound.unwrap_or(Value::None)
        }
    };
    assertion(&rule, &receiver)?;
    let check =
        Builtin { name: rule.as_str().into(), native: check, receiver: Some(receiver), shallow: true };
    let fields = vec![(Rc::from("check"), Value::Builtin(Rc::new(check)))];
    this.heap.structure(Struct { kind: StructKind::Object("@ytt:assert.assertion"), fields })
}

/// Returns the assertion of a rule with an argument; the error is that of the module's function.
fn assertion(rule: &str, argument: &Value) -> Result<Assertion, Failure> {
    let number = || {
        let found = argument.type_name();
        length_bound(argument).ok_or_else(|| format!("expected value to be an number, but was {found}"))
    };
    Ok(match rule {
        "min_len" => Assertion::MinLen(number()?),
        "max_len" => Assertion::MaxLen(number()?),
        "min" => Assertion::Min(argument.clone()),
        "max" => Assertion::Max(argument.clone()),
        "not_null" => Assertion::NotNull,
        "one_not_null" => match argument {
            Value::Bool(true) => Assertion::OneNotNull(None),
            Value::Bool(false) => return Err("one_not_null() cannot be False".into()),
            other if is_sequence(other) => Assertion::OneNotNull(Some(other.clone())),
            other => {
                let found = other.type_name();
                return Err(format!("expected a sequence of keys, but was a '{found}'").into());
            }
        },
        _ if is_sequence(argument) => Assertion::OneOf(argument.clone()),
        _ => return Err(format!("expected a sequence, but was a '{}'", argument.type_name()).into()),
    })
}

/// Whether a value is a sequence in Starlark's sense. A string is none, although it has elements.
pub(crate) fn is_sequence(value: &Value) -> bool {
    matches!(
        value,
        Value::List(_)
            | Value::Tuple(_)
            | Value::Dict(_)
            | Value::Set(_)
            | Value::Range { .. }
            | Value::Fragment(_)
    )
}

/// The method `check(value)` of an assertion: fails if the value violates it.
fn check(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let assertion = assertion(&f.name, f.receiver())?;
    // All but one are functions of Starlark, which errors show as a call.
    let is_starlark = &*f.name != "one_not_null";
    let parameter = if &*f.name == "not_null" { "value" } else { "val" };
    let value = match arguments.positional.as_slice() {
        [value] if arguments.keywords.is_empty() => Ok(value),
        several if !is_starlark => {
            Err(Failure::from(format!("check: got {} arguments, want 1", several.len())))
        }
        [] => Err(format!("function lambda missing 1 argument ({parameter})").into()),
        several => {
            Err(format!("function lambda accepts 1 positional argument ({} given)", several.len()).into())
        }
    };
    let result = value.and_then(|value| assertion.check(this, value)).map(|()| Value::Bool(true));
    result.map_err(|failure| match failure {
        Failure::Error(error) if is_starlark => {
            let source = crate::node::Source { name: format!("assert.{}", f.name), lines: Vec::new() };
            Failure::Error(error).at_line(1).leaving(&"lambda".into(), &Rc::new(source))
        }
        other => other,
    })
}

/// Returns the message of an error as a violation shows it.
pub(crate) fn found(error: &Error) -> &str {
    let message = error.message.as_str();
    let message = message.strip_prefix("fail: ").unwrap_or(message);
    message.strip_prefix("check: ").unwrap_or(message)
}
