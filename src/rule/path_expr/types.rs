//! Following a path expression through a type.

use std::collections::HashSet;

use super::{ExprStep, concrete, nearest};
use crate::error::{Error, Kind, Result};
use crate::path::Path;
use crate::types::{ObjectType, Type};

pub(super) fn types(steps: &[ExprStep], ty: &Type) -> Result<Vec<Type>> {
    let mut here = vec![ty.clone()];
    for (i, step) in steps.iter().enumerate() {
        let mut next: Vec<Type> = Vec::new();
        let mut seen = HashSet::new();
        for ty in &here {
            let parts = into(step, ty)
                .map_err(|error| error.at(concrete(steps.get(..i).unwrap_or_default(), Path::new())))?;
            for part in parts {
                // Elements next to each other mostly share their type, which compares without a look inside.
                if next.last() != Some(&part) && seen.insert(part.clone()) {
                    next.push(part);
                }
            }
        }
        here = next;
    }
    Ok(here)
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
