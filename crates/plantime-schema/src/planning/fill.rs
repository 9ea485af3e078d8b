//! Fills the defaults into a configuration and applies state functions, before the provider plans with it.

use plantime::unstable::value::join;
use plantime::{LengthRange, Refinement, Result, Step, Type, Value, View, convert};

use super::behaviour::{Behaviour, DefaultValue};
use super::behaviours::Node;
use super::layout::{Entry, Layout, Nest, is_unknown, null};

/// Which defaults to fill in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// Only the defaults that functions return: rules are evaluated on the configuration with these.
    DefaultFunctions,
    /// All defaults; then state functions are applied.
    Everything,
}

/// The object with defaults and stored values.
pub(super) fn fill_object(layout: &Layout<'_>, node: &Node<'_>, config: &Value, what: Fill) -> Result<Value> {
    let View::Object(object) = config.view_below_marks() else { return Ok(config.clone()) };
    if !node.fills_inside {
        return Ok(config.clone());
    }
    let mut entries = Vec::with_capacity(layout.ty.len());
    for (name, entry) in layout.entries() {
        let Some(value) = object.get(name) else { continue };
        let filled = match node.inside.get(name) {
            Some(inside) => fill_entry(entry, inside, value, what),
            None => Ok(value.clone()),
        };
        entries.push(filled.map_err(|error| error.under(Step::attr(name)))?);
    }
    Ok(Value::object_of(&layout.ty, entries)?.with_marks(config.marks()))
}

/// The value of an attribute, or the blocks of one type, with defaults and stored values.
fn fill_entry(entry: &Entry<'_>, node: &Node<'_>, config: &Value, what: Fill) -> Result<Value> {
    match entry {
        Entry::Blocks(nest) => fill_objects(nest, node, config, what),
        Entry::Attribute { constraint, nested, .. } => {
            let mut value = config.clone();
            if let Some(behaviour) = node.behaviour {
                let typed = |value: &Value| convert(value, constraint);
                if let Some(default) = default_of(behaviour, what)? {
                    value = with_default(&value, &typed(&default)?);
                }
                if let (Some(state), Fill::Everything) = (&behaviour.state, what) {
                    value = stored(&value, |bare| typed(&state.0(bare)?))?;
                }
            }
            match nested {
                Some(nest) => fill_objects(nest, node, &value, what),
                None => Ok(value),
            }
        }
    }
}

/// The default of an attribute, if it has one.
fn default_of(behaviour: &Behaviour, what: Fill) -> Result<Option<Value>> {
    match &behaviour.default {
        Some(DefaultValue::Function(function)) => function.ask(),
        Some(DefaultValue::Value(value)) if what == Fill::Everything => Ok(Some(value.clone())),
        _ => Ok(None),
    }
}

/// The value, or the default if it is null.
fn with_default(value: &Value, default: &Value) -> Value {
    let default = default.clone().with_marks(value.marks());
    match null(value) {
        Some(true) => default,
        Some(false) => value.clone(),
        None => {
            let set = value.assume_not_null().unwrap_or_else(|_| value.clone());
            join(&[&set, &default]).unwrap_or(set)
        }
    }
}

/// Applies a state function to a value.
fn stored(value: &Value, function: impl Fn(&Value) -> Result<Value>) -> Result<Value> {
    if null(value) == Some(true) {
        return Ok(value.clone());
    }
    let (bare, marks) = value.unmark_deep();
    let made = if bare.is_wholly_known() {
        function(&bare).map_err(|error| if marks.is_empty() { error } else { error.behind_mark() })?
    } else {
        let ty = bare.ty();
        match null(&bare) {
            Some(false) if ty != Type::Dynamic => Value::refined(ty, Refinement::not_null())?,
            _ => Value::unknown(ty),
        }
    };
    Ok(made.with_marks(&marks))
}

/// The objects of a block type or an attribute with nested attributes, each with defaults and stored values.
fn fill_objects(nest: &Nest<'_>, node: &Node<'_>, config: &Value, what: Fill) -> Result<Value> {
    if !node.fills_inside || null(config) == Some(true) {
        return Ok(config.clone());
    }
    if is_unknown(config) {
        return Ok(with_members_merged(config));
    }
    if !nest.is_collection() {
        return fill_object(&nest.item, node, config, what);
    }
    let fill = |(step, item): (Step, &Value)| {
        let filled = fill_object(&nest.item, node, item, what);
        filled.map_err(|error| error.under(step.clone())).map(|item| (step, item))
    };
    let items = config.elements().map(fill).collect::<Result<_>>()?;
    Ok(nest.collect(items)?.with_marks(config.marks()))
}

/// Lowers the minimum length of an unknown set to 1: with defaults and state functions applied, its members may be equal.
fn with_members_merged(value: &Value) -> Value {
    let View::Unknown(range) = value.view_below_marks() else { return value.clone() };
    let (ty, length) = (range.ty().clone(), range.length_range());
    let (Type::Set(_), Some(length)) = (&ty, length) else { return value.clone() };
    if length.lower() < 2 {
        return value.clone();
    }
    let merged = LengthRange::new(1, length.upper()).map(Refinement::length);
    let merged = merged.map(|range| match null(value) {
        Some(false) => range.and_not_null(),
        _ => range,
    });
    let refined = merged.and_then(|refinement| Value::refined(ty.clone(), refinement));
    refined.unwrap_or_else(|_| Value::unknown(ty)).with_marks(value.marks())
}
