//! The element of a map at a key, or a default.

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::{Value, View, join, view_below_marks};

use super::{length_of, unfit};
use crate::function::standard::Standard;

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let any = |name: &str| Parameter::new(name, Type::Dynamic).marks(MarkHandling::Picked);
    let begun = || {
        Function::new("lookup")
            .description("The element of a map or object at a key, or a default where there is none.")
            .parameter(any("inputMap"))
            .parameter(Parameter::new("key", Type::String))
    };
    let cty = begun().parameter(any("default")).returns_by(lookup_type).body_for_all(lookup);
    all.push(Standard::cty(cty));
    let language = begun()
        .variadic(any("default").allow_null().allow_dynamic())
        .returns_by(lookup_type)
        .body_for_all(lookup);
    all.push(Standard::language(language));
}

fn lookup_type(arguments: &Arguments<'_>) -> Result<Type> {
    let default = match arguments.from(2) {
        [] => None,
        [default] => Some(default),
        more => {
            let count = more.len().saturating_add(2);
            return Err(unfit(format!("lookup() takes two or three arguments, got {count}")));
        }
    };
    match arguments.at(0).ty() {
        Type::Object(_) if !arguments.at(1).is_known() => Ok(Type::Dynamic),
        Type::Object(ty) => match (ty.get(arguments.text(1)?), default) {
            (Some(ty), _) => Ok(ty.clone()),
            (None, Some(default)) => Ok(default.ty()),
            (None, None) => Err(no_attribute(arguments.text(1)?)),
        },
        Type::Map(ty) => {
            if let Some(default) = default {
                as_element(default, ty.element())?;
            }
            Ok(ty.element().clone())
        }
        _ => Err(no_map()),
    }
}

#[cold]
fn no_map() -> crate::Error {
    unfit("lookup() requires a map as the first argument").in_argument(0)
}

#[cold]
fn no_attribute(key: &str) -> crate::Error {
    unfit(format!("the given object has no attribute {}", QuotedInMessage(key))).in_argument(0)
}

fn as_element(default: &Value, element: &Type) -> Result<Value> {
    if default.has_type(element) {
        return Ok(default.clone());
    }
    convert(default, &TypeConstraint::from(element.clone()))
        .map_err(|_| unfit("the default value must have the same type as the map elements").in_argument(2))
}

fn lookup(arguments: &Arguments<'_>) -> Result<Value> {
    let (map, key) = (arguments.at(0), arguments.at(1));
    let name = key.as_str().ok();
    if let (Some(name), View::Map(map)) = (name, view_below_marks(map))
        && let Some(found) = map.get(name)
    {
        return Ok(found.opened());
    }
    let range = key.range();
    let prefix = range.prefix().unwrap_or("");
    let fits = |found: &str| name.map_or_else(|| found.starts_with(prefix), |name| found == name);
    let element = map.ty().element_type().cloned();
    let is_open = element.as_ref().is_some_and(Type::has_dynamic) && !map.is_wholly_known();
    let mut reached: Vec<Value> = match view_below_marks(map) {
        View::Map(map) => match name {
            Some(name) => map.get(name).map(Value::opened).into_iter().collect(),
            None => map.iter().filter(|(key, _)| fits(key)).map(|(_, value)| value.opened()).collect(),
        },
        View::Object(object) => {
            object.iter().filter(|(name, _)| fits(name)).map(|(_, value)| value.clone()).collect()
        }
        View::Unknown(range) => match range.ty() {
            Type::Object(ty) => {
                ty.iter().filter(|(name, _)| fits(name)).map(|(_, ty)| Value::unknown(ty.clone())).collect()
            }
            Type::Map(ty) if length_of(map).upper() != Some(0) => vec![Value::unknown(ty.element().clone())],
            Type::Map(_) => Vec::new(),
            _ => return Err(no_map()),
        },
        View::Dynamic => return Ok(Value::dynamic()),
        _ => return Err(no_map()),
    };
    let is_found = name.is_some() && map.is_known() && !reached.is_empty()
        || name.is_some() && matches!(map.ty(), Type::Object(_)) && !reached.is_empty();
    if !is_found && let Some(default) = arguments.from(2).first() {
        reached.push(match &element {
            // What the default is converted to is not decided.
            Some(_) if is_open => Value::dynamic(),
            Some(element) => as_element(default, element)?,
            None => default.clone(),
        });
    }
    let missing = || match name {
        Some(name) => unfit(format!("lookup failed to find key {}", QuotedInMessage(name))),
        None => unfit("lookup failed to find the key"),
    };
    join(&reached.iter().collect::<Vec<_>>()).ok_or_else(missing)
}
