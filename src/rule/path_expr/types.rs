//! Follows a path expression through a type.

use std::collections::HashSet;

use super::{ExprStep, append_steps, nearest};
use crate::error::{Error, Kind, Result};
use crate::path::Path;
use crate::rule::describe::quoted;
use crate::types::{ObjectType, Type};

/// The types that the steps lead to in values of a type, without duplicates. Fails if a type on the way cannot have
/// the step.
pub(super) fn end_types(steps: &[ExprStep], ty: &Type) -> Result<Vec<Type>> {
    let mut here = vec![ty.clone()];
    for (i, step) in steps.iter().enumerate() {
        let mut next: Vec<Type> = Vec::new();
        for ty in &here {
            let taken = || append_steps(steps.get(..i).unwrap_or_default(), Path::new());
            next.extend(step_types(step, ty).map_err(|error| key_hint(error, step, i).at(taken()))?);
        }
        here = distinct(next);
    }
    Ok(here)
}

/// The types that one step leads to from values of several types, without duplicates. A type that cannot have the
/// step adds none.
pub(in crate::rule) fn types_after(step: &ExprStep, types: &[Type]) -> Vec<Type> {
    distinct(types.iter().filter_map(|ty| step_types(step, ty).ok()).flatten().collect())
}

/// Removes duplicate types. A single type is not compared: it may be large, and this runs once for each place.
fn distinct(mut types: Vec<Type>) -> Vec<Type> {
    // Neighbouring elements mostly share one type node, which compares by its address.
    types.dedup();
    if types.len() > 1 {
        let mut seen = HashSet::new();
        types.retain(|ty| seen.insert(ty.clone()));
    }
    types
}

/// The types that one step leads to from values of a type: several for `[*]` in a tuple or object, otherwise one.
/// Dynamic for an undecided type, and for a key or index that the type lacks. An error for a step that the type
/// cannot have.
fn step_types(step: &ExprStep, ty: &Type) -> Result<Vec<Type>> {
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

/// The error for an attribute that the object type lacks, with the nearest name.
#[cold]
pub(super) fn no_attribute(name: &str, ty: &ObjectType) -> Error {
    let error = Error::new(Kind::NotFound, format!("there is no attribute \"{name}\""));
    match nearest(name, ty.attribute_names()) {
        Some(near) => error.with_suggestion(near),
        None => error,
    }
}

/// Adds to the error for a missing attribute how a map key is written. `taken` is the number of steps before `step`:
/// without a schema, plan JSON shows objects and maps alike, so below the first step the object may be a map that
/// lacks the key.
#[cold]
pub(super) fn key_hint(error: Error, step: &ExprStep, taken: usize) -> Error {
    match step {
        ExprStep::Attr(name) if taken > 0 && error.is_not_found() && error.before_suggestion().is_none() => {
            let message =
                format!("{}; a key that may be missing is written [{}]", error.message(), quoted(name));
            Error::new(Kind::NotFound, message)
        }
        _ => error,
    }
}

/// The error for a step that values of the type cannot have, such as an index into an object.
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
