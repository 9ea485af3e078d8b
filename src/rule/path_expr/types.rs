//! Following a path expression through a type.

use std::collections::HashSet;

use super::{ExprStep, concrete, nearest};
use crate::error::{Error, Kind, Result};
use crate::path::Path;
use crate::rule::describe::quoted;
use crate::types::{ObjectType, Type};

pub(super) fn types(steps: &[ExprStep], ty: &Type) -> Result<Vec<Type>> {
    let mut here = vec![ty.clone()];
    for (i, step) in steps.iter().enumerate() {
        let mut next: Vec<Type> = Vec::new();
        for ty in &here {
            let taken = || concrete(steps.get(..i).unwrap_or_default(), Path::new());
            next.extend(into(step, ty).map_err(|error| key_hint(error, step, i).at(taken()))?);
        }
        here = distinct(next);
    }
    Ok(here)
}

/// The types that a step leads to from several; none from a type without such a part.
pub(in crate::rule) fn types_after(step: &ExprStep, types: &[Type]) -> Vec<Type> {
    distinct(types.iter().filter_map(|ty| into(step, ty).ok()).flatten().collect())
}

/// Removes duplicate types. A single type is not compared: it may be large, and this runs once for each place.
fn distinct(mut types: Vec<Type>) -> Vec<Type> {
    // Elements next to each other mostly share their type, which compares without a look inside.
    types.dedup();
    if types.len() > 1 {
        let mut seen = HashSet::new();
        types.retain(|ty| seen.insert(ty.clone()));
    }
    types
}

fn into(step: &ExprStep, ty: &Type) -> Result<Vec<Type>> {
    match (step, ty) {
        (_, Type::Dynamic) | (ExprStep::Parent, _) => Ok(vec![Type::Dynamic]),
        (ExprStep::Attr(name), Type::Object(ty)) => match ty.get(name) {
            Some(ty) => Ok(vec![ty.clone()]),
            None => Err(no_attribute(name, ty)),
        },
        // Without a schema a map is read as an object, which may lack a key.
        (ExprStep::Key(name), Type::Object(ty)) => Ok(vec![ty.get(name).cloned().unwrap_or(Type::Dynamic)]),
        (ExprStep::Attr(_) | ExprStep::Key(_), Type::Map(ty)) => Ok(vec![ty.element().clone()]),
        (ExprStep::Index(_), Type::List(ty)) => Ok(vec![ty.element().clone()]),
        (ExprStep::Index(index), Type::Tuple(ty)) => {
            let part = usize::try_from(*index).ok().and_then(|index| ty.get(index));
            Ok(vec![part.cloned().unwrap_or(Type::Dynamic)])
        }
        (ExprStep::AnyElement, Type::List(ty)) => Ok(vec![ty.element().clone()]),
        (ExprStep::AnyElement, Type::Set(ty)) => Ok(vec![ty.element().clone()]),
        (ExprStep::AnyElement, Type::Map(ty)) => Ok(vec![ty.element().clone()]),
        (ExprStep::AnyElement, Type::Tuple(ty)) => Ok(ty.iter().cloned().collect()),
        (ExprStep::AnyElement, Type::Object(ty)) => Ok(ty.iter().map(|(_, ty)| ty.clone()).collect()),
        (step, ty) => Err(no_step(step, ty)),
    }
}

#[cold]
pub(super) fn no_attribute(name: &str, ty: &ObjectType) -> Error {
    let hint = match nearest(name, ty.attribute_names()) {
        Some(near) => format!("; did you mean \"{near}\"?"),
        None => String::new(),
    };
    Error::new(Kind::NotFound, format!("there is no attribute \"{name}\"{hint}"))
}

/// Inside an attribute an object may stand for a map, where a key may be missing: without a schema both look alike.
#[cold]
pub(super) fn key_hint(error: Error, step: &ExprStep, taken: usize) -> Error {
    match step {
        ExprStep::Attr(name)
            if taken > 0 && error.is_not_found() && !error.message().contains("; did you") =>
        {
            let message =
                format!("{}; a key that may be missing is written [{}]", error.message(), quoted(name));
            Error::new(Kind::NotFound, message)
        }
        _ => error,
    }
}

#[cold]
pub(super) fn no_step(step: &ExprStep, ty: &Type) -> Error {
    let (what, wanted) = match step {
        ExprStep::Attr(name) => (format!("attribute \"{name}\""), "an object or map"),
        ExprStep::Key(key) => (format!("key \"{key}\""), "a map or object"),
        ExprStep::Index(index) => (format!("index {index}"), "a list or tuple"),
        ExprStep::AnyElement | ExprStep::Parent => ("element".to_owned(), "a collection, tuple or object"),
    };
    let found = ty.friendly_name();
    Error::new(Kind::TypeMismatch, format!("{found} has no {what}: that needs {wanted}"))
}
