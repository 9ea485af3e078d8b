//! Reads JSON in a document as a value of a type.

use crate::types::Type;
use crate::value::{Value, View};

use super::Nulls;

/// The value of the type whose JSON form is `json`; `None` if there is none. Nothing is converted: a string is not
/// read as a number. An attribute that JSON lacks is null if `nulls` says so.
pub(super) fn fit(json: &Value, ty: &Type, nulls: Nulls) -> Option<Value> {
    match (ty, json.view()) {
        (Type::Dynamic, _) => Some(json.clone()),
        (ty, View::Null(_)) => Some(Value::null(ty.clone())),
        (Type::Bool, View::Bool(_)) | (Type::Number, View::Number(_)) | (Type::String, View::String(_)) => {
            Some(json.clone())
        }
        (Type::List(ty), View::Tuple(items)) => {
            Value::list_of(ty.element().clone(), fit_all(items.iter(), ty.element(), nulls)?).ok()
        }
        (Type::Set(ty), View::Tuple(items)) => {
            let members = fit_all(items.iter(), ty.element(), nulls)?;
            let set = Value::set_of(ty.element().clone(), members.clone()).ok()?;
            let View::Set(view) = set.view() else { return None };
            // A JSON array with equal elements is not the form of a set.
            (view.member_count() == members.len()).then_some(set)
        }
        (Type::Tuple(ty), View::Tuple(items)) if ty.len() == items.len() => {
            let parts: Option<Vec<Value>> =
                ty.iter().zip(items.iter()).map(|(ty, item)| fit(item, ty, nulls)).collect();
            Value::tuple(parts?).ok()
        }
        (Type::Map(ty), View::Object(object)) => {
            let entries: Option<Vec<(&str, Value)>> =
                object.iter().map(|(key, item)| Some((key, fit(item, ty.element(), nulls)?))).collect();
            Value::map_of(ty.element().clone(), entries?).ok()
        }
        (Type::Object(ty), View::Object(object)) => {
            let strange = object.iter().any(|(name, _)| ty.get(name).is_none());
            let missing = nulls == Nulls::AreValues && object.len() < ty.len();
            if strange || missing {
                return None;
            }
            let attributes: Option<Vec<(&str, Value)>> = ty
                .iter()
                .map(|(name, ty)| match object.get(name) {
                    Some(part) => Some((name, fit(part, ty, nulls)?)),
                    None => Some((name, Value::null(ty.clone()))),
                })
                .collect();
            Value::object(attributes?).ok()
        }
        _ => None,
    }
}

/// Reads each JSON item as a value of the type; `None` if one does not fit.
fn fit_all<'v>(items: impl Iterator<Item = &'v Value>, ty: &Type, nulls: Nulls) -> Option<Vec<Value>> {
    items.map(|item| fit(item, ty, nulls)).collect()
}
