//! What is asked of the parts of a value: that none is null, that a key is there.

use crate::types::Type;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::{Value, View, membership, view_below_marks};

/// Whether no element, member, entry or attribute is null.
pub(super) fn no_nulls(value: &Value) -> Option<bool> {
    match view_below_marks(value) {
        View::List(list) => none_is_null(list.iter()),
        View::Tuple(tuple) => none_is_null(tuple.iter()),
        View::Map(map) => none_is_null(map.iter().map(|(_, part)| part)),
        View::Object(object) => none_is_null(object.iter().map(|(_, part)| part)),
        View::Set(set) if set.element_type().has_dynamic() => none_is_null(set.iter()),
        // The length can say that an undecided member is another one, which is not null.
        View::Set(set) => match membership::in_set(set.node(), &Value::null(set.element_type().clone())) {
            (false, _) => Some(true),
            (true, can_lack) => (!can_lack).then_some(false),
        },
        View::Unknown(range) => {
            let most = match range.ty() {
                Type::Tuple(ty) => Some(ty.len() as u64),
                Type::Object(ty) => Some(ty.len() as u64),
                _ => range.length_range().and_then(|length| length.upper()),
            };
            (most == Some(0)).then_some(true)
        }
        _ => None,
    }
}

fn none_is_null<'a>(parts: impl Iterator<Item = &'a Value>) -> Option<bool> {
    let mut answer = Some(true);
    for part in parts {
        if is_always_null(part) {
            return Some(false);
        }
        if may_be_null(part) {
            answer = None;
        }
    }
    answer
}

/// Whether a map has a key, or an object an attribute.
pub(super) fn has_key(value: &Value, key: &str) -> Option<bool> {
    match view_below_marks(value) {
        View::Map(map) => Some(map.get(key).is_some()),
        View::Object(object) => Some(object.get(key).is_some()),
        View::Unknown(range) => match range.ty() {
            Type::Object(ty) => Some(ty.get(key).is_some()),
            Type::Map(_) => {
                let most = range.length_range().and_then(|length| length.upper());
                (most == Some(0)).then_some(false)
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::has_key;
    use crate::types::Type;
    use crate::value;
    use crate::value::Value;

    #[test]
    fn attributes_are_keys() {
        let object = value!({ "p": 1, "q": null }).unwrap();
        let unknown = Value::unknown(object.ty());
        for value in [object, unknown] {
            assert_eq!(has_key(&value, "p"), Some(true));
            assert_eq!(has_key(&value, "q"), Some(true));
            assert_eq!(has_key(&value, "r"), Some(false));
        }
        assert_eq!(has_key(&Value::unknown(Type::map(Type::Bool).unwrap()), "p"), None);
    }
}
