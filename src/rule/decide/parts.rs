//! Rules on elements and attributes: `no_nulls`, `has_key`, `one_not_null`.

use std::collections::{BTreeMap, BTreeSet};

use crate::refinement::Nullness;
use crate::text::nfc;
use crate::types::Type;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::{Value, View, membership, view_below_marks};

use crate::rule::describe::comma_list;

/// Whether no element, member, entry or attribute of a value is null. `None` if that depends on unknowns.
pub(in crate::rule) fn no_nulls(value: &Value) -> Option<bool> {
    match view_below_marks(value) {
        View::List(list) => none_is_null(list.iter()),
        View::Tuple(tuple) => none_is_null(tuple.iter()),
        View::Map(map) => none_is_null(map.iter().map(|(_, part)| part)),
        View::Object(object) => none_is_null(object.iter().map(|(_, part)| part)),
        View::Set(set) if set.element_type().has_dynamic() => none_is_null(set.iter()),
        // The length of the set can imply that an unknown member equals a known one, which is not null.
        View::Set(set) => match membership::in_set(set.node(), &Value::null(set.element_type().clone())) {
            (false, _) => Some(true),
            (true, can_lack) => (!can_lack).then_some(false),
        },
        View::Unknown(range) => {
            if matches!(range.ty(), Type::Tuple(_) | Type::Object(_)) {
                return none_is_null(range.unknown_parts().iter());
            }
            let most = range.length_range().and_then(|length| length.upper());
            let element = range.refinement().element().nullness();
            match range.length_range().map_or(0, |length| length.lower()) {
                _ if most == Some(0) || element == Nullness::NotNull => Some(true),
                1.. if element == Nullness::Null => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether all of the values are certainly not null (`Some(true)`), or one is certainly null (`Some(false)`).
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

/// Whether a map has the key, or an object the attribute. `None` for an unknown map that may have it, and for other
/// types.
pub(in crate::rule) fn has_key(value: &Value, key: &str) -> Option<bool> {
    match view_below_marks(value) {
        View::Map(map) => Some(map.get(key).is_some()),
        View::Object(object) => Some(object.get(key).is_some()),
        View::Unknown(range) => match range.ty() {
            Type::Object(ty) => Some(ty.get(key).is_some()),
            Type::Map(_) => {
                let most = range.length_range().and_then(|length| length.upper());
                (most == Some(0) || !range.may_have_key(&Value::from(key))).then_some(false)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether exactly one entry of a map or attribute of an object is not null: of those with these keys, or of all.
/// `None` if that depends on unknowns, or the value has another type.
pub(in crate::rule) fn one_not_null(value: &Value, keys: Option<&[String]>) -> Option<bool> {
    let Some(parts) = by_key(value, keys) else { return has_none_of(value, keys).then_some(false) };
    let set = parts.iter().filter(|(_, part)| !may_be_null(part)).count();
    let open = parts.iter().filter(|(_, part)| may_be_null(part) && !is_always_null(part)).count();
    match (set, open) {
        (2.., _) | (0, 0) => Some(false),
        (1, 0) => Some(true),
        _ => None,
    }
}

/// The entries of a known map or the attributes of a known object, by key: those with these keys, or all. `None` for an
/// unknown value and for other types.
fn by_key<'v>(value: &'v Value, keys: Option<&[String]>) -> Option<BTreeMap<&'v str, &'v Value>> {
    let all: Box<dyn Iterator<Item = (&str, &Value)>> = match view_below_marks(value) {
        View::Map(map) => Box::new(map.into_iter()),
        View::Object(object) => Box::new(object.into_iter()),
        _ => return None,
    };
    let Some(keys) = keys else { return Some(all.collect()) };
    let keys: BTreeSet<String> = keys.iter().map(|key| nfc(key).into_owned()).collect();
    Some(all.filter(|(key, _)| keys.contains(*key)).collect())
}

/// Whether an unknown map or object certainly has none of these keys; without keys, whether it is certainly empty.
fn has_none_of(value: &Value, keys: Option<&[String]>) -> bool {
    let View::Unknown(range) = view_below_marks(value) else { return false };
    match (range.ty(), keys) {
        (Type::Object(ty), None) => ty.is_empty(),
        (Type::Object(ty), Some(keys)) => keys.iter().all(|key| ty.get(&nfc(key)).is_none()),
        (Type::Map(_), Some([])) => true,
        (Type::Map(_), keys) => {
            range.length_range().and_then(|length| length.upper()) == Some(0)
                || keys.is_some_and(|keys| {
                    keys.iter().all(|key| !range.may_have_key(&Value::from(key.as_str())))
                })
        }
        _ => false,
    }
}

/// Describes which entries or attributes are not null, for the message of a failed `one_not_null`. `None` if the value
/// is marked, since its keys are then not shown, or is not a known map or object.
pub(in crate::rule) fn not_null_in_words(value: &Value, keys: Option<&[String]>) -> Option<String> {
    if value.is_marked() {
        return None;
    }
    let parts = by_key(value, keys)?;
    let set: Vec<&str> = parts.iter().filter(|(_, part)| !may_be_null(part)).map(|(key, _)| *key).collect();
    Some(match (parts.is_empty() && keys.is_none(), set.as_slice()) {
        (true, _) => "it is empty".to_owned(),
        (_, []) => "all are null".to_owned(),
        (_, set) => format!("{} are not null", comma_list(set)),
    })
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
