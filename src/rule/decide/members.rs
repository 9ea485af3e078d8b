//! Containment: text in a string, an element in a list, set or tuple.

use crate::types::Type;
use crate::value::{Value, View, membership, view_below_marks};

use crate::rule::evaluate::known_text;

pub(in crate::rule) fn contains(value: &Value, wanted: &Value) -> Option<bool> {
    match view_below_marks(value) {
        View::List(list) => any(list.iter(), wanted),
        View::Tuple(tuple) => any(tuple.iter(), wanted),
        View::Set(set) if wanted.is_null() && set.element_type().has_dynamic() => any(set.iter(), wanted),
        View::Set(set) => {
            // Nulls are the same whatever their types.
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
            Type::List(ty) => never(ty.element(), wanted),
            Type::Set(ty) => never(ty.element(), wanted),
            Type::Tuple(ty) => {
                let parts: Vec<Value> = ty.iter().cloned().map(Value::unknown).collect();
                any(parts.iter(), wanted)
            }
            _ => None,
        },
        _ => None,
    }
}

/// An unknown collection may hold anything that its element type allows.
fn never(element: &Type, wanted: &Value) -> Option<bool> {
    let part = Value::unknown(element.clone());
    (crate::value::equality::equal(&part, wanted) == Some(false)).then_some(false)
}

fn any<'a>(elements: impl Iterator<Item = &'a Value>, wanted: &Value) -> Option<bool> {
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
