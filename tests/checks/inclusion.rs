//! Whether everything that one value may become, another may become too.

use std::collections::BTreeMap;

use plantime::sample::may_become;
use plantime::{Nullness, Range, Refinement, Type, Value, View};

/// `false` only where the second certainly leaves something out. Sets are held against each other by type and length
/// alone, but for sets of a type with few values: each of those is looked at.
pub fn may_include(wide: &Value, narrow: &Value) -> bool {
    let (wide, narrow) = (wide.clone().unmark().0, narrow.clone().unmark().0);
    if let Some(sets) = sets_of_few_values(&narrow.ty()) {
        return sets.iter().all(|set| may_become(&wide, set) || !may_become(&narrow, set));
    }
    let parts = |a: Vec<&Value>, b: Vec<&Value>| {
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| may_include(a, b))
    };
    match (wide.view(), narrow.view()) {
        (View::Dynamic, _) => true,
        // The range of a known string tells its beginning only.
        (View::Unknown(_), View::String(_)) => may_become(&wide, &narrow),
        (View::Unknown(range), _) => {
            let own = narrow.range();
            let children = children(&narrow);
            if let (Range::Elements(wanted), Some(children)) = (range.refinement().range(), children) {
                let length = Refinement::length(wanted.length());
                let element = |ty: &Type| match ty {
                    Type::Dynamic => Value::dynamic(),
                    ty => Value::refined(ty.clone(), wanted.element().clone()).unwrap(),
                };
                let element = range.ty().element_type().map(element).unwrap();
                return range.ty().covers(own.ty())
                    && length.contains(own.refinement())
                    && children.iter().all(|(key, child)| {
                        key.is_none_or(|key| is_in(wanted.keys(), key)) && may_include(&element, child)
                    });
            }
            if let (Range::Structure(wanted), Some(parts)) = (range.refinement().range(), parts_of(&narrow)) {
                let attributes = wanted.attributes().map(|(name, known)| (name.to_owned(), known));
                let elements = wanted.elements().map(|(index, known)| (index.to_string(), known));
                return range.ty().covers(own.ty())
                    && attributes.chain(elements).all(|(place, known)| {
                        let part = parts[&place];
                        let ty = part.ty();
                        let may_differ = ty == Type::Dynamic || !known.applies_to(&ty);
                        may_differ || may_include(&Value::refined(ty, known.clone()).unwrap(), part)
                    });
            }
            range.ty().covers(own.ty()) && range.refinement().contains(own.refinement())
        }
        (View::List(a), View::List(b)) => {
            a.element_type().covers(b.element_type()) && parts(a.iter().collect(), b.iter().collect())
        }
        (View::Tuple(a), View::Tuple(b)) => parts(a.iter().collect(), b.iter().collect()),
        (View::Map(a), View::Map(b)) => {
            a.element_type().covers(b.element_type())
                && a.iter().map(|(key, _)| key).eq(b.iter().map(|(key, _)| key))
                && parts(a.iter().map(|(_, part)| part).collect(), b.iter().map(|(_, part)| part).collect())
        }
        (View::Object(a), View::Object(b)) => {
            a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name))
                && parts(a.iter().map(|(_, part)| part).collect(), b.iter().map(|(_, part)| part).collect())
        }
        (View::Set(a), View::Set(b)) => {
            a.element_type().covers(b.element_type()) && a.length().covers(b.length())
        }
        // Of a set of so many members it may be known that no more than one of them is null.
        (View::Set(set), View::Unknown(own)) if own.nullness() == Nullness::NotNull => {
            let length = own.length_range().unwrap_or_default();
            Type::set(set.element_type().clone()).is_ok_and(|ty| ty.covers(own.ty()))
                && set.length().covers(length)
        }
        (View::Null(a), View::Null(b)) => a.covers(&b),
        // A list of undecided elements, collapsed or not.
        (_, View::Unknown(_)) => narrow.ty().has_dynamic(),
        _ => wide == narrow,
    }
}

/// The parts of an object or tuple by name or index; `None` for other values.
fn parts_of(value: &Value) -> Option<BTreeMap<String, &Value>> {
    match value.view() {
        View::Object(object) => Some(object.iter().map(|(name, part)| (name.to_owned(), part)).collect()),
        View::Tuple(tuple) => Some(tuple.iter().enumerate().map(|(i, part)| (i.to_string(), part)).collect()),
        _ => None,
    }
}

/// Whether a string is in the range of keys.
fn is_in(keys: &Range, key: &str) -> bool {
    match keys {
        Range::Prefix(prefix) => key.starts_with(prefix.as_str()),
        Range::Language(language) => language.language().contains(key),
        _ => *keys == Range::Any,
    }
}

/// The elements of a list, set or map, with their keys; `None` for other values.
fn children(value: &Value) -> Option<Vec<(Option<&str>, &Value)>> {
    match value.view() {
        View::List(list) => Some(list.iter().map(|element| (None, element)).collect()),
        View::Set(set) => Some(set.iter().map(|element| (None, element)).collect()),
        View::Map(map) => Some(map.iter().map(|(key, element)| (Some(key), element)).collect()),
        _ => None,
    }
}

/// All sets of a type that has few, and null; none of other types.
fn sets_of_few_values(ty: &Type) -> Option<Vec<Value>> {
    let Type::Set(set) = ty else { return None };
    let values = match set.element() {
        Type::Bool => vec![Value::from(true), Value::from(false), Value::null(Type::Bool)],
        Type::Tuple(tuple) if tuple.is_empty() => {
            vec![Value::tuple(Vec::<Value>::new()).unwrap(), Value::null(set.element().clone())]
        }
        Type::Object(object) if object.is_empty() => {
            vec![Value::object(Vec::<(&str, Value)>::new()).unwrap(), Value::null(set.element().clone())]
        }
        _ => return None,
    };
    let chosen = |some: usize| {
        let members = values.iter().enumerate().filter(move |(i, _)| some >> i & 1 == 1);
        members.map(|(_, value)| value.clone()).collect::<Vec<_>>()
    };
    let sets =
        (0..1_usize << values.len()).map(|some| Value::set_of(set.element().clone(), chosen(some)).unwrap());
    Some(sets.chain([Value::null(ty.clone())]).collect())
}
