//! Whether everything that one value may become, another may become too.

use plantime::sample::may_become;
use plantime::{Nullness, Type, Value, View};

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
