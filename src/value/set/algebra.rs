//! Union, intersection and difference of sets, wholly known or not.
//!
//! A member of the result is *certain* or *possible*. A partial set cannot say that a member is only possible: each of
//! its undecided members exists in the end. But an undecided member that turns out equal to another member adds
//! nothing. So a possible member becomes, in the result, the [join](crate::value::join) of itself and a certain member.
//! If no member is certain and the result is not empty, each possible member becomes the join of all of them. If the
//! result may be empty, or may have members of which nothing is known, it is an unknown set with a length, of whose
//! members the join is known.

mod lookup;
pub(in crate::value) mod meet;
mod operand;
mod result;

use std::cmp::Ordering;

use crate::refinement::{LengthRange, Refinement};
use crate::types::{SetType, Type};

use super::finite;
use crate::value::{Value, canonical, narrowed, order, set};

pub(crate) use operand::Operand;

use lookup::{Lookup, sorted_contains};
use result::ResultMembers;

/// An operation on two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetOperation {
    Union,
    Intersection,
    Difference,
    SymmetricDifference,
}

/// The result of an operation on two sets of one type.
pub(crate) fn operate(operation: SetOperation, ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Value {
    if let Some(value) = with_empty_set(operation, ty, a, b) {
        return value;
    }
    if a.is_wholly_known(ty) && b.is_wholly_known(ty) {
        return set::of_sorted_members(ty.clone(), known_members(operation, ty, a.known(), b.known()));
    }
    if let (Some(x), Some(y)) = (a.combinations(ty), b.combinations(ty))
        && let Some(value) = finite::operate(operation, ty, x, y)
    {
        return value;
    }
    let result = match operation {
        SetOperation::Union => union(ty, a, b),
        SetOperation::Intersection => intersection(ty, a, b),
        SetOperation::Difference => difference(ty, a, b),
        SetOperation::SymmetricDifference => symmetric_difference(ty, a, b),
    };
    result.value(ty)
}

/// The members of the result of two wholly known sets. One pass over both, which are sorted.
fn known_members(operation: SetOperation, ty: &SetType, a: &[Value], b: &[Value]) -> Vec<Value> {
    let (only_a, both, only_b) = match operation {
        SetOperation::Union => (true, true, true),
        SetOperation::Intersection => (false, true, false),
        SetOperation::Difference => (true, false, false),
        SetOperation::SymmetricDifference => (true, false, true),
    };
    let most = if only_b { a.len().saturating_add(b.len()) } else { a.len() };
    let mut members = Vec::with_capacity(most);
    let mut rest = b;
    for value in a {
        let mut shared = false;
        while let [other, after @ ..] = rest {
            match order::of_elements(ty.element(), other, value) {
                Ordering::Less if only_b => members.push(other.clone()),
                Ordering::Less => {}
                Ordering::Equal => shared = true,
                Ordering::Greater => break,
            }
            rest = after;
        }
        if if shared { both } else { only_a } {
            members.push(value.clone());
        }
    }
    if only_b {
        members.extend_from_slice(rest);
    }
    members
}

/// The exact result if one of the sets is certainly empty; `None` if neither is.
fn with_empty_set(operation: SetOperation, ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Option<Value> {
    let (a_empty, b_empty) = (a.most == Some(0), b.most == Some(0));
    if !a_empty && !b_empty {
        return None;
    }
    // While the type of the other set is undecided, the empty result may still get any such type.
    let empty = || {
        if a.is_wholly_known(ty) && b.is_wholly_known(ty) {
            set::build(ty.clone(), Vec::new())
        } else {
            unknown_set(ty, 0, Some(0), Refinement::any())
        }
    };
    Some(match operation {
        SetOperation::Union | SetOperation::SymmetricDifference if !b_empty => b.to_value(ty),
        SetOperation::Union | SetOperation::SymmetricDifference | SetOperation::Difference if !a_empty => {
            a.to_value(ty)
        }
        _ => empty(),
    })
}

/// The members of the union of two sets.
fn union(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> ResultMembers {
    let (both, only_a, only_b) = split_common(a.known(), b.known());
    let (in_a, in_b) = (Lookup::new(ty, a, b), Lookup::new(ty, b, a));
    // Each known member that cannot be in the other set adds one to the minimum length of the union.
    let more_a = count(only_a.iter().filter(|member| !in_b.may_contain(member)));
    let more_b = count(only_b.iter().filter(|member| !in_a.may_contain(member)));
    let fewest = a.fewest.saturating_add(more_b).max(b.fewest.saturating_add(more_a));
    let most = sum_of_bounds(a.most, b.most).map(|most| most.saturating_sub(both.len() as u64));
    let mut result = ResultMembers { fewest, most, ..ResultMembers::default() };
    result.known = [both, only_a, only_b].concat();
    result.not_wholly_known = [a.not_wholly_known(), b.not_wholly_known()].concat();
    for operand in [a, b] {
        let Some(all) = operand.unknown_member() else { continue };
        match operand.expandable_length() {
            Some(length) if !(a.is_unknown() && b.is_unknown()) => {
                let member = canonical(ty.element().clone(), all.clone());
                result.possible.extend(std::iter::repeat_n(member, length));
            }
            _ => {
                let before = result.further.take();
                result.further = Some(before.map_or_else(|| all.clone(), |before| before.join(all)));
            }
        }
    }
    result
}

/// The members of the intersection of two sets.
fn intersection(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> ResultMembers {
    let (both, only_a, only_b) = split_common(a.known(), b.known());
    let (in_a, in_b) = (Lookup::new(ty, a, b), Lookup::new(ty, b, a));
    let mut possible: Vec<Value> = only_a.into_iter().filter(|member| in_b.may_contain(member)).collect();
    possible.extend(only_b.into_iter().filter(|member| in_a.may_contain(member)));
    // A member that is undecided in both counts once.
    let (fewer, other) =
        if a.not_wholly_known().len() <= b.not_wholly_known().len() { (a, &in_b) } else { (b, &in_a) };
    possible.extend(fewer.not_wholly_known().iter().filter_map(|member| other.meet_with_undecided(member)));
    let possible = narrow_to_common(possible, ty, a, b);
    let mut possible = order::sorted(possible, ty.element());
    possible.dedup_by(|a, b| a.is_wholly_known() && order::content(a, b).is_eq());
    possible.retain(|member| !sorted_contains(&both, member));
    let all = (both.len() as u64).saturating_add(possible.len() as u64);
    let further = a.is_unknown() || b.is_unknown();
    let most = min_bound(in_b.max_common(a), in_a.max_common(b));
    let most = min_bound(most, (!further).then_some(all));
    if further && both.is_empty() {
        // A common member satisfies what is known of the members of either.
        return match a.member(ty).meet(&b.member(ty)) {
            Ok(member) => ResultMembers { most, further: Some(member), ..ResultMembers::default() },
            Err(_) => ResultMembers { most: Some(0), ..ResultMembers::default() },
        };
    }
    ResultMembers {
        fewest: both.len() as u64,
        most,
        known: both,
        possible,
        further: further.then(Refinement::any),
        ..ResultMembers::default()
    }
}

/// The possible members of an intersection: each narrowed by what is known of the members of both sets, and left out if
/// it cannot be in both.
fn narrow_to_common(possible: Vec<Value>, ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Vec<Value> {
    if possible.iter().all(Value::is_wholly_known) {
        return possible;
    }
    let Ok(common) = a.member(ty).meet(&b.member(ty)) else { return Vec::new() };
    let narrow = |member: Value| match member.ty() {
        Type::Dynamic => Some(member),
        _ => narrowed(&member, &common).ok(),
    };
    possible.into_iter().filter_map(narrow).collect()
}

/// The members of `a` without those of `b`.
fn difference(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> ResultMembers {
    let common = intersection(ty, a, b);
    let mut result = ResultMembers::default();
    result.add_difference(ty, a, &Lookup::new(ty, b, a));
    result.fewest = common.most.map_or(0, |most| a.fewest.saturating_sub(most));
    result.most = a.most.map(|most| most.saturating_sub(common.fewest));
    result
}

/// The members that are in exactly one of two sets: the union of both differences, which have no member in common.
fn symmetric_difference(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> ResultMembers {
    let (mut only_a, mut only_b) = (difference(ty, a, b), difference(ty, b, a));
    let common = intersection(ty, a, b);
    let without_common = common
        .most
        .map_or(0, |most| a.fewest.saturating_add(b.fewest).saturating_sub(most.saturating_mul(2)));
    let twice = common.fewest.saturating_mul(2);
    let fewest = without_common.max(only_a.fewest.saturating_add(only_b.fewest));
    let most = min_bound(
        sum_of_bounds(a.most, b.most).map(|most| most.saturating_sub(twice)),
        sum_of_bounds(only_a.most, only_b.most),
    );
    let possible = [only_a.take_possible_if_empty(), only_b.take_possible_if_empty()].concat();
    let (only_a, only_b) = (only_a.value(ty), only_b.value(ty));
    let mut result = union(ty, &Operand::of(ty, &only_a), &Operand::of(ty, &only_b));
    result.possible.extend(possible);
    ResultMembers { fewest, most, ..result }
}

/// Splits the values of two sorted slices: those in both, those only in the first, those only in the second.
fn split_common(a: &[Value], b: &[Value]) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
    let (mut both, mut only_a, mut only_b) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = b.iter().peekable();
    for value in a {
        while let Some(before) = rest.next_if(|other| order::content(other, value) == Ordering::Less) {
            only_b.push(before.clone());
        }
        let same = rest.next_if(|other| order::content(other, value) == Ordering::Equal);
        if same.is_some() { both.push(value.clone()) } else { only_a.push(value.clone()) }
    }
    only_b.extend(rest.cloned());
    (both, only_a, only_b)
}

/// The number of items.
fn count<T>(items: impl Iterator<Item = T>) -> u64 {
    items.count() as u64
}

/// The unknown set, not null, with `fewest` to `most` members, each of which satisfies the refinement.
fn unknown_set(ty: &SetType, fewest: u64, most: Option<u64>, member: Refinement) -> Value {
    finite::unknown_set(ty, LengthRange::new(fewest, most).unwrap_or_default(), member)
}

/// The set with its length narrowed to `fewest` to `most`. Some set of these members must have such a length: a debug
/// build asserts it, a release build returns the set as it is, which is still sound.
fn with_length(value: Value, fewest: u64, most: Option<u64>) -> Value {
    let length = LengthRange::new(fewest, most).unwrap_or_default();
    let narrowed = narrowed(&value, &Refinement::length(length));
    debug_assert!(narrowed.is_ok(), "{value:?} has no length {length:?}");
    narrowed.unwrap_or(value)
}

/// The sum of two upper bounds; `None`, which is no bound, if either has none.
fn sum_of_bounds(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    Some(a?.saturating_add(b?))
}

/// The lower of two upper bounds, where `None` is no bound.
fn min_bound(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (bound, None) | (None, bound) => bound,
    }
}
