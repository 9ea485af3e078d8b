//! What the operations give for concrete values: the reference that the library is held against.

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use plantime::testing::concrete::{Con, Num, Outcome, Ty};

fn truth(con: &Con) -> Option<bool> {
    match con {
        Con::Bool(truth) => Some(*truth),
        _ => None,
    }
}

fn number(con: &Con) -> Option<Num> {
    match con {
        Con::Num(number) => Some(number.clone()),
        _ => None,
    }
}

/// Two nulls are equal, whatever their types; all else by type and content.
pub(crate) fn equal(a: &Con, b: &Con) -> bool {
    a.is_null() && b.is_null() || a == b
}

pub(crate) fn equals(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(equal(a, b)))
}

pub(crate) fn not_equal(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(!equal(a, b)))
}

pub(crate) fn and(a: &Con, b: &Con) -> Outcome {
    let (a, b) = (truth(a)?, truth(b)?);
    Some(Con::Bool(a && b))
}

pub(crate) fn or(a: &Con, b: &Con) -> Outcome {
    let (a, b) = (truth(a)?, truth(b)?);
    Some(Con::Bool(a || b))
}

pub(crate) fn not(a: &Con) -> Outcome {
    Some(Con::Bool(!truth(a)?))
}

pub(crate) fn less_than(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(number(a)? < number(b)?))
}

pub(crate) fn greater_than(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(number(a)? > number(b)?))
}

pub(crate) fn less_than_or_equal(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(number(a)? <= number(b)?))
}

pub(crate) fn greater_than_or_equal(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(number(a)? >= number(b)?))
}

pub(crate) fn length(a: &Con) -> Outcome {
    let length = match a {
        Con::List(_, items) => items.len(),
        Con::Set(_, items) => items.len(),
        Con::Map(_, entries) => entries.len(),
        Con::Tuple(parts) => parts.len(),
        Con::Object(parts) => parts.len(),
        _ => return None,
    };
    Some(Con::Num(Num::whole(length as i64)))
}

pub(crate) fn index(a: &Con, key: &Con) -> Outcome {
    match (a, key) {
        (Con::List(_, items) | Con::Tuple(items), Con::Num(place)) => items.get(place.place()?).cloned(),
        (Con::Map(ty, entries), Con::Str(key)) => {
            Some(entries.get(key).cloned().unwrap_or_else(|| Con::Null(ty.clone())))
        }
        _ => None,
    }
}

pub(crate) fn has_index(a: &Con, key: &Con) -> Outcome {
    if key.is_null() {
        return None;
    }
    let found = match (a, key) {
        (Con::List(_, items) | Con::Tuple(items), Con::Num(place)) => {
            place.place().is_some_and(|place| place < items.len())
        }
        (Con::Map(_, entries), Con::Str(key)) => entries.contains_key(key),
        (Con::List(..) | Con::Tuple(_) | Con::Map(..), _) => false,
        _ => return None,
    };
    Some(Con::Bool(found))
}

/// A null of another type is no member.
pub(crate) fn has_element(a: &Con, member: &Con) -> Outcome {
    let Con::Set(_, members) = a else { return None };
    Some(Con::Bool(members.contains(member)))
}

pub(crate) fn get_attr(a: &Con, name: &str) -> Outcome {
    match a {
        Con::Object(parts) => parts.get(name).cloned(),
        _ => None,
    }
}

/// Attaching a type to what has none yet.
pub(crate) fn assume_type(a: &Con, wanted: &Ty) -> Outcome {
    let own = a.ty();
    if !own.has_dynamic() {
        return wanted.covers(&own).then(|| a.clone());
    }
    match (a, wanted) {
        (_, Ty::Dyn) => Some(a.clone()),
        (Con::Null(own), wanted) => Some(Con::Null(own.decided_by(wanted)?)),
        (Con::List(own, _), Ty::List(wanted)) => Some(Con::List(own.decided_by(wanted)?, Vec::new())),
        (Con::Set(own, _), Ty::Set(wanted)) => Some(Con::Set(own.decided_by(wanted)?, BTreeSet::new())),
        (Con::Map(own, _), Ty::Map(wanted)) => Some(Con::Map(own.decided_by(wanted)?, BTreeMap::new())),
        (Con::Tuple(parts), Ty::Tuple(wanted)) if parts.len() == wanted.len() => Some(Con::Tuple(
            parts.iter().zip(wanted).map(|(a, ty)| assume_type(a, ty)).collect::<Option<_>>()?,
        )),
        (Con::Object(parts), Ty::Object(wanted)) if parts.keys().eq(wanted.keys()) => {
            let parts = parts.iter().zip(wanted.values());
            Some(Con::Object(
                parts
                    .map(|((name, a), ty)| Some((name.clone(), assume_type(a, ty)?)))
                    .collect::<Option<_>>()?,
            ))
        }
        _ => None,
    }
}
