//! The module `overlay`: functions that say which nodes match.

use std::rc::Rc;

use super::super::convert::{scalar_value, value_of, yaml_from_value};
use super::super::error::Failure;
use super::super::functions::no_position;
use super::super::interpreter::Interpreter;
use super::super::value::{Arguments, Builtin, Fragment, Native, Value, text_of};
use super::text::{positional, refuse_other_keywords};
use crate::node::{Content, Node, key_id};
use crate::yaml::size_of;

pub(super) const FUNCTIONS: [(&str, Native); 8] = [
    ("all", all),
    ("and_op", and_op),
    ("apply", apply),
    ("index", index),
    ("map_key", map_key_function),
    ("not_op", not_op),
    ("or_op", or_op),
    ("subset", subset),
];

/// Returns the content of a node as functions of overlays see it.
pub(crate) fn fragment(this: &Interpreter<'_>, node: &Node) -> Result<Value, Failure> {
    match &node.content {
        Content::Scalar(scalar) => Ok(scalar_value(scalar)),
        content => {
            this.heap.work(size_of(content))?;
            Ok(value_of(Fragment::new(Rc::new(node.clone()), "")))
        }
    }
}

/// A function that was made with a value.
fn bound(name: &str, native: Native, value: Value) -> Value {
    Value::Builtin(Rc::new(Builtin { name: name.into(), native, receiver: Some(value), shallow: true }))
}

/// `overlay.all(index, left, right)`: every node matches.
fn all(_: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    exact_three(&arguments)?;
    Ok(Value::Bool(true))
}

/// Returns the arguments of a matcher.
fn exact_three(arguments: &Arguments) -> Result<[Value; 3], Failure> {
    <[Value; 3]>::try_from(arguments.positional.clone()).map_err(|_| "expected exactly 3 arguments".into())
}

/// `overlay.index(i)`: the node with an index matches.
fn index(_: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [index] = positional(&arguments)?;
    let Value::Int(_) = index.known()? else {
        return Err(format!("expected starlark.Int, but was {}", index.go_type()).into());
    };
    Ok(bound("overlay.index_matcher", index_matcher, index))
}

/// Whether the index is the one that the matcher was made with.
fn index_matcher(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [index, ..] = exact_three(&arguments)?;
    let found = matches!((f.receiver(), &index), (Value::Int(wanted), Value::Int(index)) if wanted == index);
    Ok(Value::Bool(found))
}

/// The matcher of nodes that have the same value at a key.
pub(crate) fn map_key(key: Value) -> Value {
    bound("overlay.map_key_matcher", map_key_matcher, key)
}

/// `overlay.map_key(key)`: nodes with the same value at a key match.
fn map_key_function(_: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [key] = positional(&arguments)?;
    let Value::Text(_) = key.known()? else {
        return Err(format!("expected starlark.String, but was {}", key.go_type()).into());
    };
    Ok(map_key(key))
}

/// Whether both values have the same value at the key of the matcher.
fn map_key_matcher(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [_, left, right] = exact_three(&arguments)?;
    let left = at_key(this, &left, f.receiver())?;
    let right = at_key(this, &right, f.receiver())?;
    Ok(Value::Bool(is_subset(this, &right, &left, true)?))
}

/// Returns the content of a map at a key.
fn at_key(this: &Interpreter<'_>, value: &Value, key: &Value) -> Result<Content, Failure> {
    let content = yaml_from_value(&this.heap, value.known()?, &no_position())?;
    let Value::Text(key) = key else { return Err("expected starlark.String".into()) };
    let key = text_of(key);
    let Content::Map(items) = content else {
        return Err(format!("Expected value to be map, but was {}", content.type_name()).into());
    };
    let id = format!("s{key}");
    let found = items.into_iter().find(|item| key_id(item.key.as_ref()) == id);
    Ok(found.ok_or_else(|| format!("Expected to find mapitem with key '{key}', but did not"))?.content)
}

/// `overlay.subset(value)`: nodes that contain a value match.
fn subset(_: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [wanted] = positional(&arguments)?;
    Ok(bound("overlay.subset_matcher", subset_matcher, wanted))
}

/// Whether a value contains the one that the matcher was made with.
fn subset_matcher(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [_, left, _] = exact_three(&arguments)?;
    let wanted = yaml_from_value(&this.heap, f.receiver().known()?, &no_position())?;
    let left = yaml_from_value(&this.heap, left.known()?, &no_position())?;
    Ok(Value::Bool(is_subset(this, &wanted, &left, false)?))
}

/// Whether a content contains another one: each key of a map, each item of an array in its place.
fn is_subset(
    this: &Interpreter<'_>,
    wanted: &Content,
    found: &Content,
    whole: bool,
) -> Result<bool, Failure> {
    this.heap.work(1)?;
    match (wanted, found) {
        (Content::Scalar(wanted), Content::Scalar(found)) => Ok(wanted == found),
        (Content::Map(wanted), Content::Map(found)) => {
            if whole && wanted.len() != found.len() {
                return Ok(false);
            }
            for item in wanted {
                this.heap.work(found.len())?;
                let same = found.iter().find(|other| other.key == item.key);
                let Some(same) = same else { return Ok(false) };
                if !is_subset(this, &item.content, &same.content, whole)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Content::Array(wanted), Content::Array(found)) => {
            if wanted.len() > found.len() || whole && wanted.len() != found.len() {
                return Ok(false);
            }
            for (item, other) in wanted.iter().zip(found) {
                if !is_subset(this, &item.content, &other.content, whole)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Content::Scalar(_) | Content::Map(_) | Content::Array(_), _) => Ok(false),
    }
}

/// Returns a matcher that combines others.
fn combined(
    this: &Interpreter<'_>,
    name: &str,
    native: Native,
    arguments: Arguments,
) -> Result<Value, Failure> {
    refuse_other_keywords(&arguments, &[])?;
    Ok(bound(name, native, this.heap.tuple(arguments.positional)?))
}

/// `overlay.and_op(...)`: what all matchers match.
fn and_op(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    combined(this, "overlay.and_op_matcher", and_matcher, arguments)
}

/// `overlay.or_op(...)`: what one of the matchers matches.
fn or_op(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    combined(this, "overlay.or_op_matcher", or_matcher, arguments)
}

/// `overlay.not_op(matcher)`: what the matcher does not match.
fn not_op(_: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [matcher] = positional(&arguments)?;
    Ok(bound("overlay.not_op_matcher", not_matcher, matcher))
}

/// Whether the answers of all matchers are `stop`, or one is not.
fn any_is(
    this: &mut Interpreter<'_>,
    f: &Builtin,
    arguments: &Arguments,
    stop: bool,
) -> Result<bool, Failure> {
    let Value::Tuple(matchers) = f.receiver() else { return Ok(!stop) };
    for matcher in matchers.iter() {
        if this.call(matcher, arguments.clone())?.truth()? == stop {
            return Ok(stop);
        }
    }
    Ok(!stop)
}

/// Whether all matchers match.
fn and_matcher(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    Ok(Value::Bool(any_is(this, f, &arguments, false)?))
}

/// Whether one of the matchers matches.
fn or_matcher(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    Ok(Value::Bool(any_is(this, f, &arguments, true)?))
}

/// Whether the matcher does not match.
fn not_matcher(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let answer = this.call(f.receiver(), arguments)?.truth()?;
    Ok(Value::Bool(!answer))
}

/// `overlay.apply(left, ...overlays)`: is not supported.
fn apply(_: &mut Interpreter<'_>, _: &Builtin, _: Arguments) -> Result<Value, Failure> {
    Err(Failure::Limit("overlay.apply is not supported".to_owned()))
}
