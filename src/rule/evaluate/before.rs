//! The value before a change, at the same place as a part of the value after it.

use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::equality::may_be_null;
use crate::value::{Value, View, join, view_below_marks};

use super::at::Base;
use crate::rule::path_expr::{Found, concrete};
use crate::rule::{ExprStep, Misuse, Request};

/// The value at a place before the change.
pub(in crate::rule) enum Before {
    /// Nothing to compare with: the whole is created or deleted, or a member of a set is meant, now or before. Members
    /// of a set have no place of their own, so none of them is the one before.
    Nothing,
    /// This value; null where nothing stood there.
    Value(Value),
    /// Either: types that are undecided may turn out sets.
    NothingOr(Value),
}

/// The value before at a place that a path leads to.
///
/// # Errors
///
/// When the path leads out of the value, and nobody said what stood around it before.
pub(in crate::rule) fn of(found: &Found<'_>, base: &Base, request: &Request<'_>) -> Result<Before, Misuse> {
    let Some(before) = request.before else { return Ok(Before::Nothing) };
    if !request.is_part && (before.is_null() || request.value.is_null()) {
        return Ok(Before::Nothing);
    }
    let in_set = match crosses_set(&base.value, &found.path) {
        true => Some(true),
        false => crosses_set_below(&found.value.ty(), found.rest),
    };
    if in_set == Some(true) {
        return Ok(Before::Nothing);
    }
    let (start, place) = if base.is_outside {
        let root = request.before_root().ok_or_else(|| {
            Misuse::new(request.path.clone(), "the path leads out of what is known of the value before")
        })?;
        (root, concrete(found.rest, base.path.clone().join(&found.path)))
    } else {
        (before, concrete(found.rest, found.path.clone()))
    };
    // A whole that may turn out null was perhaps not there, and then everything is created.
    let is_whole = !request.is_part || base.is_outside;
    let may_be_created = is_whole && may_be_null(start);
    let mut may_be_in_set = in_set.is_none();
    Ok(match follow(start, &place, &mut may_be_in_set) {
        None => Before::Nothing,
        Some(value) if may_be_in_set || may_be_created => Before::NothingOr(value),
        Some(value) => Before::Value(value),
    })
}

/// Whether the path leads to a member of a set, or into one.
fn crosses_set(value: &Value, path: &Path) -> bool {
    let mut here = value.clone();
    for step in path.steps() {
        if matches!(here.ty(), Type::Set(_)) {
            return true;
        }
        here = into(&here, step);
    }
    false
}

/// Whether steps below an unknown of a type lead into a set; none where some may.
fn crosses_set_below(ty: &Type, rest: &[ExprStep]) -> Option<bool> {
    let mut types = vec![ty.clone()];
    let mut may = false;
    for step in rest {
        if *step == ExprStep::AnyElement {
            let is_set = |ty: &Type| matches!(ty, Type::Set(_));
            if !types.is_empty() && types.iter().all(is_set) {
                return if may { None } else { Some(true) };
            }
            may |= types.iter().any(|ty| is_set(ty) || *ty == Type::Dynamic);
        }
        types = crate::rule::path_expr::types_after(step, &types);
    }
    (!may).then_some(false)
}

/// What a place holds in a value before: null where nothing stood there, none for a member of a set. A set that may be
/// null may have been no set with members.
fn follow(before: &Value, place: &Path, may_be_in_set: &mut bool) -> Option<Value> {
    let mut here = before.clone();
    for step in place.steps() {
        if matches!(here.ty(), Type::Set(_)) && !here.is_null() {
            if !may_be_null(&here) {
                return None;
            }
            *may_be_in_set = true;
        }
        let marks = here.marks().clone();
        here = into(&here, step).with_marks(&marks);
    }
    Some(here)
}

/// One step. Between objects and maps an attribute and a key are the same, as the type before may be another than the
/// one after.
fn into(here: &Value, step: &Step) -> Value {
    // Below a mark a key is marked as well.
    let key = match step {
        Step::Attr(name) => Value::from(name.as_str()),
        Step::Index(key) => key.clone().unmark().0,
    };
    let name = key.as_str().ok();
    let index = key.as_number().ok().and_then(|number| usize::try_from(number.to_u64()?).ok());
    // Which element is meant is open below an unknown that has not got its elements yet.
    let is_open = matches!(step, Step::Index(key) if !key.is_wholly_known());
    let or_null = |part: Option<&Value>| part.cloned().unwrap_or_else(nothing);
    match view_below_marks(here) {
        View::Dynamic => Value::dynamic(),
        View::Unknown(range) => {
            let length = range.length_range().unwrap_or_default();
            let is_empty = length.upper() == Some(0);
            let too_short =
                index.is_some_and(|index| length.upper().is_some_and(|most| index as u64 >= most));
            match range.ty() {
                Type::Map(ty) if (is_open || name.is_some()) && !is_empty => {
                    Value::unknown(ty.element().clone())
                }
                Type::List(ty) if is_open && !is_empty || index.is_some() && !too_short => {
                    Value::unknown(ty.element().clone())
                }
                Type::Object(ty) if is_open && !ty.is_empty() => one_of_types(ty.iter().map(|(_, ty)| ty)),
                Type::Tuple(ty) if is_open && !ty.is_empty() => one_of_types(ty.iter()),
                Type::Object(ty) => name.and_then(|name| ty.get(name)).map_or_else(nothing, unknown),
                Type::Tuple(ty) => index.and_then(|index| ty.get(index)).map_or_else(nothing, unknown),
                _ => nothing(),
            }
        }
        View::Map(map) if is_open => any_of(map.iter().map(|(_, part)| part), map.element_type()),
        View::Object(object) if is_open => any_of(object.iter().map(|(_, part)| part), &Type::Dynamic),
        View::List(list) if is_open => any_of(list.iter(), list.element_type()),
        View::Tuple(tuple) if is_open => any_of(tuple.iter(), &Type::Dynamic),
        View::Map(map) => or_null(name.and_then(|name| map.get(name))),
        View::Object(object) => or_null(name.and_then(|name| object.get(name))),
        View::List(list) => or_null(index.and_then(|index| list.get(index))),
        View::Tuple(tuple) => or_null(index.and_then(|index| tuple.get(index))),
        _ => nothing(),
    }
}

fn nothing() -> Value {
    Value::null(Type::Dynamic)
}

fn unknown(ty: &Type) -> Value {
    Value::unknown(ty.clone())
}

/// An unknown of the type that all these have.
fn one_of_types<'t>(mut types: impl Iterator<Item = &'t Type>) -> Value {
    let first = types.next();
    match first.filter(|first| types.all(|ty| ty == *first)) {
        Some(ty) => unknown(ty),
        None => Value::dynamic(),
    }
}

/// The join of the elements and null: the value before may be any of them.
fn any_of<'v>(parts: impl Iterator<Item = &'v Value>, ty: &Type) -> Value {
    let none = Value::null(ty.clone());
    let parts: Vec<&Value> = parts.collect();
    let mut all = vec![&none];
    all.extend(parts);
    join(&all).unwrap_or_else(|| unknown(ty))
}
