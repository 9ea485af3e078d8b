//! Values of Starlark as YAML, and back.

use std::rc::Rc;

use super::error::Failure;
use super::heap::Heap;
use super::value::{Fragment, Struct, StructKind, Value};
use crate::node::{Content, Node, Position, Scalar, child_path};

/// The largest depth of values that become YAML.
const MAX_DEPTH: usize = 60;

/// Returns a scalar as a value.
pub(crate) fn scalar_value(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Null => Value::None,
        Scalar::Bool(bool) => Value::Bool(*bool),
        Scalar::Int(int) => Value::Int(int.clone()),
        Scalar::Float(float) => Value::Float(*float),
        Scalar::Text(text) => Value::text(text),
        Scalar::Unknown => Value::Unknown("".into()),
    }
}

/// Returns the content of a fragment as functions see it: a scalar as a value, a map or an array as a fragment.
pub(crate) fn value_of(fragment: Fragment) -> Value {
    match fragment.content() {
        Content::Scalar(Scalar::Unknown) => Value::Unknown(Rc::clone(&fragment.name)),
        Content::Scalar(scalar) => scalar_value(scalar),
        Content::Map(_) | Content::Array(_) => Value::Fragment(fragment),
    }
}

/// Returns the elements of a loop over a fragment: the keys of a map, the items of an array.
pub(crate) fn elements(fragment: &Fragment) -> Vec<Value> {
    match fragment.content() {
        Content::Map(children) => {
            children.iter().filter_map(|child| child.key.as_ref()).map(scalar_value).collect()
        }
        Content::Array(children) => {
            (0..children.len()).map(|index| value_of(fragment.child(index))).collect()
        }
        Content::Scalar(_) => Vec::new(),
    }
}

/// Returns the element of a fragment at a key or an index.
pub(crate) fn element(fragment: &Fragment, index: &Value) -> Result<Option<Value>, Failure> {
    let position = match fragment.content() {
        Content::Map(children) => {
            let same = |child: &Node| match (&child.key, index) {
                (Some(Scalar::Text(key)), Value::Text(text)) => key.as_bytes() == &**text,
                (Some(Scalar::Int(key)), Value::Int(int)) => key == int,
                (Some(Scalar::Bool(key)), Value::Bool(bool)) => key == bool,
                (Some(Scalar::Float(key)), Value::Float(float)) => key == float,
                (Some(Scalar::Null), Value::None) => true,
                _ => false,
            };
            children.iter().position(same)
        }
        Content::Array(children) => {
            let Value::Int(int) = index else {
                let found = index.type_name();
                return Err(format!(
                    "yamlfragment.Get: Expected array index to be an int64, but was {found}"
                )
                .into());
            };
            usize::try_from(int).ok().filter(|at| *at < children.len())
        }
        Content::Scalar(_) => None,
    };
    Ok(position.map(|at| value_of(fragment.child(at))))
}

/// Returns the path of the first value within a fragment that is not known.
pub(crate) fn first_unknown(fragment: &Fragment) -> Option<Rc<str>> {
    /// Returns the path of the first unknown value below `path`.
    fn search(content: &Content, path: &str) -> Option<String> {
        match content {
            Content::Scalar(Scalar::Unknown) => Some(path.to_owned()),
            Content::Scalar(_) => None,
            other => other
                .children()
                .iter()
                .enumerate()
                .find_map(|(index, child)| search(&child.content, &child_path(path, child, index))),
        }
    }
    search(fragment.content(), &fragment.name).map(Rc::from)
}

/// Returns a value as YAML, every node at one position.
pub(crate) fn yaml_from_value(heap: &Heap, value: &Value, at: &Position) -> Result<Content, Failure> {
    converted(heap, value, at, 0)
}

/// Returns a value as YAML; `depth` is how many values contain it.
fn converted(heap: &Heap, value: &Value, at: &Position, depth: usize) -> Result<Content, Failure> {
    heap.work(1)?;
    if depth > MAX_DEPTH {
        return Err(Failure::Limit("values are nested too deeply".to_owned()));
    }
    let depth = depth.saturating_add(1);
    let node = |key: Option<Scalar>, value: &Value| -> Result<Node, Failure> {
        Ok(Node { key, content: converted(heap, value, at, depth)?, at: at.clone(), annotations: Vec::new() })
    };
    let array = |items: &[Value]| -> Result<Content, Failure> {
        Ok(Content::Array(items.iter().map(|item| node(None, item)).collect::<Result<_, _>>()?))
    };
    Ok(match value {
        Value::None => Content::Scalar(Scalar::Null),
        Value::Bool(bool) => Content::Scalar(Scalar::Bool(*bool)),
        Value::Int(int) => Content::Scalar(Scalar::Int(int.clone())),
        Value::Float(float) => Content::Scalar(Scalar::Float(*float)),
        Value::Text(text) => Content::Scalar(Scalar::Text(whole_text(text)?)),
        Value::Unknown(_) => Content::Scalar(Scalar::Unknown),
        Value::List(list) => array(&list.items.borrow())?,
        Value::Tuple(items) => array(items)?,
        Value::Set(set) => array(&set.entries.borrow().keys())?,
        Value::Dict(dict) => {
            let mut items = Vec::new();
            for (key, value) in dict.entries.borrow().iter() {
                let Content::Scalar(key) = converted(heap, key, at, depth)? else {
                    return Err(Failure::Limit("a key that is no scalar is not supported".to_owned()));
                };
                items.push(node(Some(key), value)?);
            }
            Content::Map(items)
        }
        Value::Struct(fields) if value.type_name() == "struct" => {
            let order: Vec<usize> = match &fields.kind {
                StructKind::Values(order) => order.to_vec(),
                _ => (0..fields.fields.len()).collect(),
            };
            let fields = order.into_iter().filter_map(|index| fields.fields.get(index));
            let fields = fields.map(|(name, value)| node(Some(Scalar::Text(name.to_string())), value));
            Content::Map(fields.collect::<Result<_, _>>()?)
        }
        Value::Fragment(fragment) => {
            heap.work(crate::yaml::size_of(fragment.content()))?;
            heap.grow(crate::yaml::size_of(fragment.content()).saturating_mul(64))?;
            fragment.content().clone()
        }
        other => {
            return Err(Failure::Limit(format!("a {} as YAML is not supported", other.type_name())));
        }
    })
}

/// Returns a string as text; the error is that its bytes are none.
fn whole_text(text: &[u8]) -> Result<String, Failure> {
    let text =
        std::str::from_utf8(text).map_err(|_| "a string whose bytes are no text is not supported as YAML")?;
    Ok(text.to_owned())
}

/// Returns data values as templates see them: maps as structs, arrays as lists. `path` is the path of the content.
pub(crate) fn data_values(heap: &Heap, content: &Content, path: &str) -> Result<Value, Failure> {
    heap.work(1)?;
    let child = |index: usize, item: &Node| data_values(heap, &item.content, &child_path(path, item, index));
    match content {
        Content::Scalar(Scalar::Unknown) => Ok(Value::Unknown(path.into())),
        Content::Scalar(Scalar::Text(text)) => heap.text(text.as_str()),
        Content::Scalar(scalar) => Ok(scalar_value(scalar)),
        Content::Array(items) => {
            let items = items.iter().enumerate().map(|(index, item)| child(index, item));
            heap.list(items.collect::<Result<_, _>>()?)
        }
        Content::Map(items) => {
            let mut fields = Vec::new();
            for (index, item) in items.iter().enumerate() {
                let Some(Scalar::Text(key)) = &item.key else {
                    let text = "a key of data values that is no string is not supported in templates";
                    return Err(Failure::Limit(text.to_owned()));
                };
                fields.push((Rc::<str>::from(key.as_str()), index, child(index, item)?));
            }
            fields.sort_by(|(left, ..), (right, ..)| left.cmp(right));
            let mut order: Vec<(usize, usize)> =
                fields.iter().enumerate().map(|(place, (_, index, _))| (*index, place)).collect();
            order.sort();
            let order = order.into_iter().map(|(_, place)| place).collect();
            let fields = fields.into_iter().map(|(key, _, value)| (key, value)).collect();
            heap.structure(Struct { kind: StructKind::Values(order), fields })
        }
    }
}

/// Converts YAML to a Starlark value: a map to a dict, an array to a list, a scalar to a value of its type.
pub(crate) fn value_from_yaml(heap: &Heap, content: &Content) -> Result<Value, Failure> {
    heap.work(1)?;
    match content {
        Content::Scalar(Scalar::Text(text)) => heap.text(text.as_str()),
        Content::Scalar(scalar) => Ok(scalar_value(scalar)),
        Content::Array(items) => {
            let items =
                items.iter().map(|item| value_from_yaml(heap, &item.content)).collect::<Result<_, _>>()?;
            heap.list(items)
        }
        Content::Map(items) => {
            let entry = |item: &Node| {
                let key = item.key.as_ref().map_or(Value::None, scalar_value);
                Ok((key, value_from_yaml(heap, &item.content)?))
            };
            let entries = items.iter().map(entry).collect::<Result<_, Failure>>()?;
            heap.dict(entries)
        }
    }
}
