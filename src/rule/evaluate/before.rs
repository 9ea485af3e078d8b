//! Finds the value before a change at the place of a part of the planned value.

use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::equality::may_be_null;
use crate::value::{Value, View, join, view_below_marks};

use super::at::PathStart;
use crate::rule::path_expr::{PathEnd, append_steps};
use crate::rule::{ExprStep, Misuse, Request};

/// The value before the change, at the place of an element or attribute of the planned value.
pub(in crate::rule) enum Before {
    /// There is no value to compare with: the whole is created or deleted, or the place is, or was, in a set. Members
    /// of a set have no identity, so none of them is the value before.
    Nothing,
    /// This value; null if the place did not exist.
    Value(Value),
    /// Either this value or nothing, which is not certain yet: a container of unknown type may turn out to be a set,
    /// and a whole that may have been null may be created.
    NothingOr(Value),
}

/// Finds the value before the change for an end of a path: the same path is followed in the value, or root, before.
///
/// # Errors
///
/// When the path leads out of the value with `<`, and the request has no root before.
pub(in crate::rule) fn value_before(
    end: &PathEnd<'_>,
    start: &PathStart,
    request: &Request<'_>,
) -> Result<Before, Misuse> {
    let Some(before) = request.before else { return Ok(Before::Nothing) };
    if !request.is_part && (before.is_null() || request.value.is_null()) {
        return Ok(Before::Nothing);
    }
    let in_set = match crosses_set(&start.value, &end.path) {
        true => Some(true),
        false => crosses_set_below(&end.value.ty(), end.rest),
    };
    if in_set == Some(true) {
        return Ok(Before::Nothing);
    }
    let (outermost, place) = if start.is_outside {
        let root = request.before_root().ok_or_else(|| {
            Misuse::new(request.path.clone(), "the path leads out of what is known of the value before")
        })?;
        (root, append_steps(end.rest, start.path.clone().join(&end.path)))
    } else {
        (before, append_steps(end.rest, end.path.clone()))
    };
    // A whole that may have been null may be created by the change, and then nothing was there before.
    let is_whole = !request.is_part || start.is_outside;
    let may_be_created = is_whole && may_be_null(outermost);
    let mut may_be_in_set = in_set.is_none();
    Ok(match value_at(outermost, &place, &mut may_be_in_set) {
        None => Before::Nothing,
        Some(value) if may_be_in_set || may_be_created => Before::NothingOr(value),
        Some(value) => Before::Value(value),
    })
}

/// Whether the path, followed from the value, leads to a member of a set or into one.
fn crosses_set(value: &Value, path: &Path) -> bool {
    let mut here = value.clone();
    for step in path.steps() {
        if matches!(here.ty(), Type::Set(_)) {
            return true;
        }
        here = value_after_step(&here, step);
    }
    false
}

/// Whether the steps, followed from an unknown of the type `ty`, lead into a set. `None` if that depends on types that
/// are not known yet.
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

/// Follows a path in the value before: null where the place does not exist, `None` where it is in a set. Sets
/// `may_be_in_set` where the path crosses a set that may have been null, and so without members.
fn value_at(before: &Value, place: &Path, may_be_in_set: &mut bool) -> Option<Value> {
    let mut here = before.clone();
    for step in place.steps() {
        if matches!(here.ty(), Type::Set(_)) && !here.is_null() {
            if !may_be_null(&here) {
                return None;
            }
            *may_be_in_set = true;
        }
        let marks = here.marks().clone();
        here = value_after_step(&here, step).with_marks(&marks);
    }
    Some(here)
}

/// The attribute or element that a step leads to; null if there is none, unknown below an unknown. Attributes and map
/// keys are the same here, because the value before may be a map where the planned value is an object.
fn value_after_step(here: &Value, step: &Step) -> Value {
    // Below a mark the key is marked too; the lookup needs its content.
    let key = match step {
        Step::Attr(name) => Value::from(name.as_str()),
        Step::Index(key) => key.clone().unmark().0,
    };
    let name = key.as_str().ok();
    let index = key.as_number().ok().and_then(|number| usize::try_from(number.to_u64()?).ok());
    // `[*]` below an unknown has an unknown key: it stands for any element.
    let is_any_element = matches!(step, Step::Index(key) if !key.is_wholly_known());
    let or_null = |part: Option<&Value>| part.cloned().unwrap_or_else(untyped_null);
    match view_below_marks(here) {
        View::Dynamic => Value::dynamic(),
        View::Unknown(range) => {
            let length = range.length_range().unwrap_or_default();
            let is_empty = length.upper() == Some(0);
            let too_short =
                index.is_some_and(|index| length.upper().is_some_and(|most| index as u64 >= most));
            match range.ty() {
                Type::Map(ty) if (is_any_element || name.is_some()) && !is_empty => {
                    Value::unknown(ty.element().clone())
                }
                Type::List(ty) if is_any_element && !is_empty || index.is_some() && !too_short => {
                    Value::unknown(ty.element().clone())
                }
                Type::Object(ty) if is_any_element && !ty.is_empty() => {
                    unknown_of_common_type(ty.iter().map(|(_, ty)| ty))
                }
                Type::Tuple(ty) if is_any_element && !ty.is_empty() => unknown_of_common_type(ty.iter()),
                Type::Object(ty) => name.and_then(|name| ty.get(name)).map_or_else(untyped_null, unknown),
                Type::Tuple(ty) => index.and_then(|index| ty.get(index)).map_or_else(untyped_null, unknown),
                _ => untyped_null(),
            }
        }
        View::Map(map) if is_any_element => {
            join_with_null(map.iter().map(|(_, part)| part), map.element_type())
        }
        View::Object(object) if is_any_element => {
            join_with_null(object.iter().map(|(_, part)| part), &Type::Dynamic)
        }
        View::List(list) if is_any_element => join_with_null(list.iter(), list.element_type()),
        View::Tuple(tuple) if is_any_element => join_with_null(tuple.iter(), &Type::Dynamic),
        View::Map(map) => or_null(name.and_then(|name| map.get(name))),
        View::Object(object) => or_null(name.and_then(|name| object.get(name))),
        View::List(list) => or_null(index.and_then(|index| list.get(index))),
        View::Tuple(tuple) => or_null(index.and_then(|index| tuple.get(index))),
        _ => untyped_null(),
    }
}

/// A null of unknown type, for a place that did not exist.
fn untyped_null() -> Value {
    Value::null(Type::Dynamic)
}

/// An unknown of the type.
fn unknown(ty: &Type) -> Value {
    Value::unknown(ty.clone())
}

/// An unknown of the type that all of these are; of dynamic type if they differ or there are none.
fn unknown_of_common_type<'t>(mut types: impl Iterator<Item = &'t Type>) -> Value {
    let first = types.next();
    match first.filter(|first| types.all(|ty| ty == *first)) {
        Some(ty) => unknown(ty),
        None => Value::dynamic(),
    }
}

/// The value that may be each of the elements or null: the value before at `[*]` may be any of them, or missing. `ty`
/// is the type of the null.
fn join_with_null<'v>(parts: impl Iterator<Item = &'v Value>, ty: &Type) -> Value {
    let none = Value::null(ty.clone());
    let parts: Vec<&Value> = parts.collect();
    let mut all = vec![&none];
    all.extend(parts);
    join(&all).unwrap_or_else(|| unknown(ty))
}
