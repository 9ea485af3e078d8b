//! Three-valued equality of two values, from everything that is known of both.
//!
//! Two nulls are equal, whatever their types; a null and a value are not; values of different types are not.
//! Inside containers the types of the two containers decide first: `tuple([null of string])` and
//! `tuple([null of number])` are of different types, so they differ.

use crate::refinement::{Nullness, Range};
use crate::types::Type;

use super::order;
use super::repr::{Container, KnownRepr, SetNode};
use super::{Knownness, Value};

/// Above this many pairs of undecided members, sets are compared by their lengths and known members alone.
const SET_PAIRS: usize = 4096;

/// Whether `a` equals `b` in every outcome, in none, or (`None`) that depends. Marks do not matter.
pub(crate) fn equal(a: &Value, b: &Value) -> Option<bool> {
    if let (Value::Known(_), Value::Known(_)) = (a, b) {
        let both_null = a.is_null() && b.is_null();
        return Some(both_null || order::content(a, b).is_eq());
    }
    if is_always_null(a) && is_always_null(b) {
        return Some(true);
    }
    if may_be_null(a) && may_be_null(b) || may_equal_not_null(a, b) { None } else { Some(false) }
}

/// Whether the two can become one member of a set, or one part at the same place of equal containers: as
/// [`equal`], but two nulls must be of one type.
pub(crate) fn may_be_same(a: &Value, b: &Value) -> bool {
    if let (Value::Known(_), Value::Known(_)) = (a, b) {
        return order::content(a, b).is_eq();
    }
    may_be_null(a) && may_be_null(b) && a.ty().compatible(&b.ty()) || may_equal_not_null(a, b)
}

pub(crate) fn may_be_null(value: &Value) -> bool {
    match value {
        Value::Dynamic(_) | Value::Unknown(_) => true,
        Value::Refined(refined) => refined.0.refinement.nullness() != Nullness::NotNull,
        Value::Partial(_) => false,
        Value::Known(known) => known.0.is_null(),
    }
}

pub(crate) fn is_always_null(value: &Value) -> bool {
    match value {
        Value::Refined(refined) => refined.0.refinement.nullness() == Nullness::Null,
        value => value.is_null(),
    }
}

/// Whether some non-null outcome of `a` is also one of `b`.
fn may_equal_not_null(a: &Value, b: &Value) -> bool {
    if is_always_null(a) || is_always_null(b) {
        return false;
    }
    match (a, b) {
        (Value::Dynamic(_), _) | (_, Value::Dynamic(_)) => true,
        (Value::Known(x), Value::Known(y)) => match (x.0.bare(), y.0.bare()) {
            (KnownRepr::Container(_), KnownRepr::Container(_)) => order::content(a, b).is_eq(),
            _ => order::content(a, b).is_eq(),
        },
        (Value::Partial(_) | Value::Known(_), Value::Partial(_) | Value::Known(_)) => {
            match (a.container(), b.container()) {
                (Some(a), Some(b)) => containers_may_equal(a, b),
                _ => false,
            }
        }
        _ => a.ty().compatible(&b.ty()) && ranges_meet(a, b),
    }
}

/// At least one is an unknown of known type; the types are compatible.
fn ranges_meet(a: &Value, b: &Value) -> bool {
    // The range of a known text has no end, so a longer prefix must be looked at in the text itself.
    for (text, other) in [(a, b), (b, a)] {
        if let (Some(text), Value::Refined(refined)) = (known_text(text), other)
            && let Some(prefix) = refined.0.refinement.prefix_str()
        {
            return text.starts_with(prefix);
        }
    }
    if a.knownness() == Knownness::Unknown || b.knownness() == Knownness::Unknown {
        return true;
    }
    let (a, b) = (a.range(), b.range());
    match (a.refinement().range(), b.refinement().range()) {
        (Range::Any, _) | (_, Range::Any) => true,
        (Range::Prefix(a), Range::Prefix(b)) => {
            a.as_str().starts_with(b.as_str()) || b.as_str().starts_with(a.as_str())
        }
        (Range::Number(a), Range::Number(b)) => a.meet(b).is_some(),
        (Range::Length(a), Range::Length(b)) => a.meet(*b).is_some(),
        _ => false,
    }
}

fn known_text(value: &Value) -> Option<&str> {
    match value {
        Value::Known(known) => match known.0.bare() {
            KnownRepr::String(text) => Some(text.as_str()),
            _ => None,
        },
        _ => None,
    }
}

fn containers_may_equal(a: &Container, b: &Container) -> bool {
    match (a, b) {
        (Container::List(a), Container::List(b)) => {
            elements_compatible(a.ty.element(), b.ty.element())
                && a.items.len() == b.items.len()
                && a.items.iter().zip(&b.items).all(|(a, b)| may_be_same(a, b))
        }
        (Container::Map(a), Container::Map(b)) => {
            elements_compatible(a.ty.element(), b.ty.element())
                && a.entries.len() == b.entries.len()
                && a.entries
                    .iter()
                    .zip(&b.entries)
                    .all(|((a_key, a), (b_key, b))| a_key == b_key && may_be_same(a, b))
        }
        (Container::Tuple(a), Container::Tuple(b)) => {
            a.items.len() == b.items.len() && a.items.iter().zip(&b.items).all(|(a, b)| may_be_same(a, b))
        }
        (Container::Object(a), Container::Object(b)) => {
            a.slots.len() == b.slots.len()
                && a.ty.iter().zip(b.ty.iter()).all(|((a, _), (b, _))| a == b)
                && a.slots.iter().zip(&b.slots).all(|(a, b)| may_be_same(a, b))
        }
        (Container::Set(a), Container::Set(b)) => {
            elements_compatible(a.element_type(), b.element_type()) && sets_may_equal(a, b)
        }
        _ => false,
    }
}

fn elements_compatible(a: &Type, b: &Type) -> bool {
    a == b || a.compatible(b)
}

/// Every known member of one needs a member of the other that may become it, each a different one; every
/// undecided member needs some member that it may become.
fn sets_may_equal(a: &SetNode, b: &SetNode) -> bool {
    let (a_min, a_max) = a.length;
    let (b_min, b_max) = b.length;
    if a_max < b_min || b_max < a_min {
        return false;
    }
    let only_a = missing_from(&a.known, &b.known);
    let only_b = missing_from(&b.known, &a.known);
    if only_a.len() > b.undecided.len() || only_b.len() > a.undecided.len() {
        return false;
    }
    let pairs = a.member_count().saturating_mul(b.member_count());
    if pairs > SET_PAIRS {
        return true;
    }
    all_matched(&only_a, &b.undecided)
        && all_matched(&only_b, &a.undecided)
        && has_partners(&a.undecided, b)
        && has_partners(&b.undecided, a)
}

fn has_partners(members: &[Value], other: &SetNode) -> bool {
    members.iter().all(|member| {
        other.known.iter().chain(&other.undecided).any(|candidate| may_be_same(member, candidate))
    })
}

/// The values of the first sorted slice that are not in the second.
fn missing_from<'a>(values: &'a [Value], others: &[Value]) -> Vec<&'a Value> {
    values
        .iter()
        .filter(|value| others.binary_search_by(|other| order::content(other, value)).is_err())
        .collect()
}

/// Whether each wanted value can be given an undecided member of its own that may become it: a matching in a
/// bipartite graph, by augmenting paths.
fn all_matched(wanted: &[&Value], members: &[Value]) -> bool {
    let mut owner: Vec<Option<usize>> = vec![None; members.len()];
    (0..wanted.len()).all(|i| {
        let mut visited = vec![false; members.len()];
        augment(i, wanted, members, &mut owner, &mut visited)
    })
}

fn augment(
    want: usize,
    wanted: &[&Value],
    members: &[Value],
    owner: &mut [Option<usize>],
    visited: &mut [bool],
) -> bool {
    let Some(value) = wanted.get(want) else { return false };
    for (j, member) in members.iter().enumerate() {
        if visited.get(j).is_none_or(|seen| *seen) || !may_be_same(value, member) {
            continue;
        }
        if let Some(seen) = visited.get_mut(j) {
            *seen = true;
        }
        let free = match owner.get(j) {
            Some(Some(previous)) => augment(*previous, wanted, members, owner, visited),
            _ => true,
        };
        if free {
            if let Some(slot) = owner.get_mut(j) {
                *slot = Some(want);
            }
            return true;
        }
    }
    false
}
