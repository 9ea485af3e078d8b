//! Three-valued equality of two values, from everything that is known of both.
//!
//! Two nulls are equal, whatever their types; a null and a value are not; values of different types are not.
//! Inside containers the types of the two containers decide first: `tuple([null of string])` and
//! `tuple([null of number])` are of different types, so they differ.

use std::ops::RangeInclusive;

use crate::refinement::{Nullness, Range};
use crate::types::Type;

use super::repr::{Container, KnownRepr, SetNode};
use super::{Knownness, Value, order, set};

/// Up to this many members of two sets together, every way in which they can become the same is looked at.
const SET_MEMBERS: usize = 8;
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
    if may_be_null(a) && may_be_null(b) || may_equal_not_null(a, b, false) { None } else { Some(false) }
}

/// Whether the two can become one member of a set, or one part at the same place of equal containers: as
/// [`equal`], but two nulls must be of one type.
///
/// `open` says that an element type above them is undecided: the types of what is known inside are then decided
/// with it, so that a null or an empty collection there is one of any type that its own covers.
pub(crate) fn may_be_same(a: &Value, b: &Value, open: bool) -> bool {
    if let (Value::Known(_), Value::Known(_), false) = (a, b, open) {
        return order::content(a, b).is_eq();
    }
    may_be_null(a) && may_be_null(b) && types_may_agree(a, b, open) || may_equal_not_null(a, b, open)
}

/// Whether the types of the two can become one. At least one is unknown or null.
fn types_may_agree(a: &Value, b: &Value, open: bool) -> bool {
    if a.is_known() { may_be_of_type(a, &b.ty(), open) } else { may_be_of_type(b, &a.ty(), open) }
}

/// Whether the type of the value can become one that `ty` covers.
fn may_be_of_type(value: &Value, ty: &Type, open: bool) -> bool {
    match (value, ty) {
        (Value::Known(_), ty) if !open => ty.covers(&value.ty()),
        (Value::Partial(partial), ty) => match (partial.0.container(), ty) {
            (Container::Tuple(node), Type::Tuple(ty)) => {
                node.items.len() == ty.len()
                    && node.items.iter().zip(ty.iter()).all(|(item, ty)| may_be_of_type(item, ty, open))
            }
            (Container::Object(node), Type::Object(ty)) => {
                node.slots.len() == ty.len()
                    && node.ty.iter().zip(ty.iter()).all(|((a, _), (b, _))| a == b)
                    && node.slots.iter().zip(ty.iter()).all(|(slot, (_, ty))| may_be_of_type(slot, ty, open))
            }
            _ => value.ty().compatible(ty),
        },
        _ => value.ty().compatible(ty),
    }
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
fn may_equal_not_null(a: &Value, b: &Value, open: bool) -> bool {
    if is_always_null(a) || is_always_null(b) {
        return false;
    }
    match (a, b) {
        (Value::Dynamic(_), _) | (_, Value::Dynamic(_)) => true,
        (Value::Partial(_) | Value::Known(_), Value::Partial(_) | Value::Known(_)) => {
            match (a.container(), b.container()) {
                (Some(a), Some(b)) => containers_may_equal(a, b, open),
                (None, None) => order::content(a, b).is_eq(),
                _ => false,
            }
        }
        _ => types_may_agree(a, b, open) && ranges_meet(a, b),
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

fn containers_may_equal(a: &Container, b: &Container, open: bool) -> bool {
    let all_may_be_same = |a: &[Value], b: &[Value], open: bool| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_be_same(a, b, open))
    };
    // A collection that is known and of an undecided type is empty, and one that is not is not.
    let opened = |a: &Type, b: &Type| open || a.has_dynamic() || b.has_dynamic();
    match (a, b) {
        (Container::List(a), Container::List(b)) => {
            let (x, y) = (a.ty.element(), b.ty.element());
            elements_compatible(x, y) && all_may_be_same(&a.items, &b.items, opened(x, y))
        }
        (Container::Map(a), Container::Map(b)) => {
            let (x, y) = (a.ty.element(), b.ty.element());
            let open = opened(x, y);
            elements_compatible(x, y)
                && a.entries.len() == b.entries.len()
                && a.entries
                    .iter()
                    .zip(&b.entries)
                    .all(|((a_key, a), (b_key, b))| a_key == b_key && may_be_same(a, b, open))
        }
        (Container::Tuple(a), Container::Tuple(b)) => all_may_be_same(&a.items, &b.items, open),
        (Container::Object(a), Container::Object(b)) => {
            a.slots.len() == b.slots.len()
                && a.ty.iter().zip(b.ty.iter()).all(|((a, _), (b, _))| a == b)
                && all_may_be_same(&a.slots, &b.slots, open)
        }
        (Container::Set(a), Container::Set(b)) => {
            let (x, y) = (a.element_type(), b.element_type());
            elements_compatible(x, y) && sets_may_equal(a, b, opened(x, y))
        }
        _ => false,
    }
}

fn elements_compatible(a: &Type, b: &Type) -> bool {
    a == b || a.compatible(b)
}

/// Every known member of one needs a member of the other that may become it, each a different one; every
/// undecided member needs some member that it may become.
fn sets_may_equal(a: &SetNode, b: &SetNode, open: bool) -> bool {
    let (a_min, a_max) = a.length;
    let (b_min, b_max) = b.length;
    if a_max < b_min || b_max < a_min {
        return false;
    }
    if let Some(meet) = set::combinations_meet(a, b) {
        return meet;
    }
    let members = a.member_count().saturating_add(b.member_count());
    if members <= SET_MEMBERS {
        let lengths = a_min.max(b_min)..=a_max.min(b_max);
        let all = |set: &SetNode| set.known.iter().chain(&set.undecided).cloned().collect::<Vec<Value>>();
        let (of_a, of_b) = (all(a), all(b));
        let members: Vec<(&Value, bool)> = of_a
            .iter()
            .map(|member| (member, true))
            .chain(of_b.iter().map(|member| (member, false)))
            .collect();
        return can_be_grouped(&members, &mut Vec::new(), &lengths, open);
    }
    let few = a.member_count().saturating_mul(b.member_count()) <= SET_PAIRS;
    if open {
        // No member's type is decided: each is as good as undecided.
        return !few
            || has_partners(&a.known, b, open)
                && has_partners(&b.known, a, open)
                && has_partners(&a.undecided, b, open)
                && has_partners(&b.undecided, a, open);
    }
    let only_a = missing_from(&a.known, &b.known);
    let only_b = missing_from(&b.known, &a.known);
    if only_a.len() > b.undecided.len() || only_b.len() > a.undecided.len() {
        return false;
    }
    !few || all_matched(&only_a, &b.undecided)
        && all_matched(&only_b, &a.undecided)
        && has_partners(&a.undecided, b, open)
        && has_partners(&b.undecided, a, open)
}

/// Whether the members of two sets (true: of the first one) can be put into groups that each become one value:
/// a number of groups that both lengths allow, each with members of both sets.
fn can_be_grouped<'a>(
    members: &[(&'a Value, bool)],
    groups: &mut Vec<Vec<(&'a Value, bool)>>,
    lengths: &RangeInclusive<u64>,
    open: bool,
) -> bool {
    let count = groups.len() as u64;
    if count > *lengths.end() {
        return false;
    }
    let Some(((member, side), rest)) = members.split_first() else {
        let both =
            |group: &Vec<(&Value, bool)>| [true, false].iter().all(|s| group.iter().any(|(_, o)| o == s));
        return lengths.contains(&count) && groups.iter().all(both);
    };
    for i in 0..groups.len() {
        let Some(group) = groups.get_mut(i) else { continue };
        if group.iter().all(|(other, _)| may_be_same(member, other, open)) {
            group.push((member, *side));
            let found = can_be_grouped(rest, groups, lengths, open);
            if let Some(group) = groups.get_mut(i) {
                group.pop();
            }
            if found {
                return true;
            }
        }
    }
    groups.push(vec![(member, *side)]);
    let found = can_be_grouped(rest, groups, lengths, open);
    groups.pop();
    found
}

fn has_partners(members: &[Value], other: &SetNode, open: bool) -> bool {
    members.iter().all(|member| {
        other.known.iter().chain(&other.undecided).any(|candidate| may_be_same(member, candidate, open))
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
        if visited.get(j).is_none_or(|seen| *seen) || !may_be_same(value, member, false) {
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
