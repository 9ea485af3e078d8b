//! What a provider has to choose: computed attributes of what is new.

use std::collections::BTreeMap;

use plantime::{Result, Step, Value, View};
use plantime_schema::{Attribute, AttributeType, Block, NestedType, Nesting};

/// The block or object with an unknown value for each computed attribute that is null in what has no prior object, and null
/// for what is write-only.
pub(super) fn object(block: &Block, prior: Option<&Value>, proposed: &Value) -> Result<Value> {
    let View::Object(entries) = proposed.view() else { return Ok(proposed.clone()) };
    let mut chosen = BTreeMap::new();
    for (name, value) in entries.iter() {
        let before = prior.and_then(|prior| prior.get_attr(name).ok());
        let part = match (block.attributes.get(name), block.block_types.get(name)) {
            (Some(described), _) => attribute(described, prior.is_none(), before.as_ref(), value),
            (None, Some(nested)) => elements(nested.nesting, before.as_ref(), value, &|prior, proposed| {
                object(&nested.block, prior, proposed)
            }),
            (None, None) => Ok(value.clone()),
        };
        chosen.insert(name.to_owned(), part.map_err(|error| error.under(Step::attr(name)))?);
    }
    Value::object(chosen)
}

/// The attribute; `is_new` if the object that has it is new.
fn attribute(described: &Attribute, is_new: bool, before: Option<&Value>, value: &Value) -> Result<Value> {
    if described.write_only {
        return Ok(Value::null(value.ty()));
    }
    match &described.ty {
        _ if value.is_null() => {
            let is_chosen = is_new && described.computed;
            Ok(if is_chosen { Value::unknown(value.ty()) } else { value.clone() })
        }
        AttributeType::Nested(nested) => {
            elements(nested.nesting, before, value, &|prior, proposed| nested_object(nested, prior, proposed))
        }
        _ => Ok(value.clone()),
    }
}

/// The object of nested attributes.
fn nested_object(nested: &NestedType, prior: Option<&Value>, proposed: &Value) -> Result<Value> {
    let View::Object(entries) = proposed.view() else { return Ok(proposed.clone()) };
    let mut chosen = BTreeMap::new();
    for (name, value) in entries.iter() {
        let before = prior.and_then(|prior| prior.get_attr(name).ok());
        let part = match nested.attributes.get(name) {
            Some(described) => attribute(described, prior.is_none(), before.as_ref(), value),
            None => Ok(value.clone()),
        };
        chosen.insert(name.to_owned(), part.map_err(|error| error.under(Step::attr(name)))?);
    }
    Value::object(chosen)
}

/// What is chosen in an element, from the prior element that it continues.
type Choose<'a> = &'a dyn Fn(Option<&Value>, &Value) -> Result<Value>;

/// The blocks or objects of one name. An element continues the prior one of its index or key; an element of a set that is no
/// prior member is new.
fn elements(nesting: Nesting, prior: Option<&Value>, proposed: &Value, choose: Choose<'_>) -> Result<Value> {
    let prior = prior.filter(|prior| !prior.is_null());
    let at = |index: usize| match prior.map(Value::view) {
        Some(View::List(items)) => items.get(index),
        Some(View::Tuple(items)) => items.get(index),
        _ => None,
    };
    let under = |key: &str| match prior.map(Value::view) {
        Some(View::Map(entries)) => entries.get(key),
        Some(View::Object(entries)) => entries.get(key),
        _ => None,
    };
    match proposed.view() {
        View::Object(_) if matches!(nesting, Nesting::Single | Nesting::Group) => choose(prior, proposed),
        View::List(items) if !items.is_empty() => {
            let chosen = items.iter().enumerate().map(|(index, item)| choose(at(index), item));
            Value::list(chosen.collect::<Result<Vec<_>>>()?)
        }
        View::Tuple(items) => {
            let chosen = items.iter().enumerate().map(|(index, item)| choose(at(index), item));
            Value::tuple(chosen.collect::<Result<Vec<_>>>()?)
        }
        View::Map(entries) if !entries.is_empty() => {
            let chosen = entries.iter().map(|(key, item)| Ok((key.to_owned(), choose(under(key), item)?)));
            Value::map(chosen.collect::<Result<Vec<_>>>()?)
        }
        View::Object(entries) => {
            let chosen = entries.iter().map(|(key, item)| Ok((key.to_owned(), choose(under(key), item)?)));
            Value::object(chosen.collect::<Result<Vec<_>>>()?)
        }
        View::Set(members) if members.member_count() > 0 => {
            let before: Vec<&Value> = match prior.map(Value::view) {
                Some(View::Set(members)) => members.iter().collect(),
                _ => Vec::new(),
            };
            let chosen = members
                .iter()
                .map(|member| choose(before.iter().find(|prior| **prior == member).copied(), member));
            Value::set(chosen.collect::<Result<Vec<_>>>()?)
        }
        _ => Ok(proposed.clone()),
    }
}
