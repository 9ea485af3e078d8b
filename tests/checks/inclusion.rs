//! Whether everything that one value may become, another may become too.

use plantime::{LengthRange, Nullness, Refinement, Type, Value, View};

/// `false` only where the second certainly leaves something out: sets are held against each other by type and
/// length alone.
pub fn may_include(wide: &Value, narrow: &Value) -> bool {
    let (wide, narrow) = (wide.clone().unmark().0, narrow.clone().unmark().0);
    let parts = |a: Vec<&Value>, b: Vec<&Value>| {
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| may_include(a, b))
    };
    match (wide.view(), narrow.view()) {
        (View::Dynamic, _) => true,
        (View::Unknown(range), _) => {
            let own = narrow.range();
            let said = own.refinement();
            // A set has no more members than there are values for them, whether that is said or not.
            let own_type = own.ty().clone();
            let most = most_members(&own_type).map(|most| Refinement::length(LengthRange::at_most(most)));
            let own = most.and_then(|most| said.meet(&most).ok());
            range.ty().covers(&own_type) && range.refinement().contains(own.as_ref().unwrap_or(said))
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

fn most_members(ty: &Type) -> Option<u64> {
    let Type::Set(set) = ty else { return None };
    match set.element() {
        Type::Bool => Some(3),
        Type::Tuple(tuple) if tuple.is_empty() => Some(2),
        Type::Object(object) if object.is_empty() => Some(2),
        _ => None,
    }
}
