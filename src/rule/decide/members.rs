//! Evaluates `contains`: a substring of a string, an element of a list, set or tuple.

use crate::types::Type;
use crate::value::{Value, View, membership, view_below_marks};

use crate::rule::evaluate::known_text;

/// Whether a value that is not null contains `wanted`.
pub(in crate::rule) fn contains(value: &Value, wanted: &Value) -> Option<bool> {
    match view_below_marks(value) {
        View::List(list) => any_equals(list.iter(), wanted),
        View::Tuple(tuple) => any_equals(tuple.iter(), wanted),
        View::Set(set) if wanted.is_null() && set.element_type().has_dynamic() => {
            any_equals(set.iter(), wanted)
        }
        View::Set(set) => {
            // Nulls are equal whatever their types; the lookup in the set compares types.
            let null = wanted.is_null().then(|| Value::null(set.element_type().clone()));
            match membership::in_set(set.node(), null.as_ref().unwrap_or(wanted)) {
                (false, _) => Some(false),
                (true, can_lack) => (!can_lack).then_some(true),
            }
        }
        View::String(_) => super::text::contains(value, known_text(wanted)?),
        View::Unknown(range) if range.length_range().and_then(|length| length.upper()) == Some(0) => {
            Some(false)
        }
        View::Unknown(range) => match range.ty() {
            Type::String => super::text::contains(value, known_text(wanted)?),
            Type::List(ty) => never_contains(ty.element(), wanted),
            Type::Set(ty) => never_contains(ty.element(), wanted),
            Type::Tuple(ty) => {
                let parts: Vec<Value> = ty.iter().cloned().map(Value::unknown).collect();
                any_equals(parts.iter(), wanted)
            }
            _ => None,
        },
        _ => None,
    }
}

/// `Some(false)` if no value of the element type equals `wanted`. An unknown collection may contain any other value.
fn never_contains(element: &Type, wanted: &Value) -> Option<bool> {
    let part = Value::unknown(element.clone());
    (crate::value::equality::equal(&part, wanted) == Some(false)).then_some(false)
}

/// Whether some element equals `wanted`.
fn any_equals<'a>(elements: impl Iterator<Item = &'a Value>, wanted: &Value) -> Option<bool> {
    let mut answer = Some(false);
    for element in elements {
        match crate::value::equality::equal(element, wanted) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => answer = None,
        }
    }
    answer
}
