//! Rules on lengths: code points of a string, elements of a collection or tuple, attributes of an object.

use crate::refinement::LengthRange;
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// How long a value that is not null can be in the end; `None` where its type is not known.
///
/// | value | length |
/// |---|---|
/// | known string | its code points |
/// | unknown string | at least the code points of its known beginning |
/// | list, map | its length, known even if elements are not |
/// | set | from its fewest to its most members |
/// | tuple, object | what the type says |
pub(super) fn of(value: &Value) -> Option<LengthRange> {
    let exactly = |length: usize| Some(LengthRange::exactly(length as u64));
    match view_below_marks(value) {
        View::String(text) => exactly(text.chars().count()),
        View::List(list) => exactly(list.len()),
        View::Map(map) => exactly(map.len()),
        View::Set(set) => Some(set.length()),
        View::Tuple(tuple) => exactly(tuple.len()),
        View::Object(object) => exactly(object.len()),
        View::Unknown(range) => match range.ty() {
            Type::String => {
                let beginning = range.prefix().unwrap_or_default();
                Some(LengthRange::at_least(beginning.chars().count() as u64))
            }
            Type::Tuple(ty) => exactly(ty.len()),
            Type::Object(ty) => exactly(ty.len()),
            Type::List(_) | Type::Set(_) | Type::Map(_) => Some(range.length_range().unwrap_or_default()),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn at_least(value: &Value, least: u64) -> Option<bool> {
    let length = of(value)?;
    if length.lower() >= least {
        Some(true)
    } else if length.upper().is_some_and(|upper| upper < least) {
        Some(false)
    } else {
        None
    }
}

pub(super) fn at_most(value: &Value, most: u64) -> Option<bool> {
    let length = of(value)?;
    if length.upper().is_some_and(|upper| upper <= most) {
        Some(true)
    } else if length.lower() > most {
        Some(false)
    } else {
        None
    }
}

pub(super) fn exactly(value: &Value, wanted: u64) -> Option<bool> {
    let length = of(value)?;
    match length.exact() {
        Some(length) => Some(length == wanted),
        None if !length.contains(wanted) => Some(false),
        None => None,
    }
}
