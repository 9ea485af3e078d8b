//! Union, intersection and difference of sets of which not all is decided.
//!
//! A member of the result is *sure*, or it *may* be there. A partial set has no room for a member that may be there:
//! each of its undecided members is there in the end. But an undecided member that may be the same as a sure one adds
//! nothing when it is, so what may be there stands in the result as the [join](crate::value::join) of itself and a sure member. Where
//! nothing is sure and the set is not empty, each member that may be there is the join of all of them. Where the set
//! can become empty, or has members of which nothing is known, it is unknown with a length.

mod among;
mod common;
mod found;
mod operand;

use std::cmp::Ordering;

use crate::refinement::{LengthRange, Refinement};
use crate::types::{SetType, Type};

use super::finite;
use crate::value::{Value, canonical, narrowed, order, set};

pub(crate) use operand::Operand;

use among::{Among, contains};
use found::Found;

/// An operation on two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetOperation {
    Union,
    Intersection,
    Difference,
    SymmetricDifference,
}

/// The operation on two sets of one type.
pub(crate) fn operate(operation: SetOperation, ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Value {
    if let Some(value) = with_the_empty_set(operation, ty, a, b) {
        return value;
    }
    if a.is_wholly_known(ty) && b.is_wholly_known(ty) {
        return set::of_sorted(ty.clone(), known(operation, ty, a.decided(), b.decided()));
    }
    if let (Some(x), Some(y)) = (a.combinations(ty), b.combinations(ty))
        && let Some(value) = finite::operate(operation, ty, x, y)
    {
        return value;
    }
    let found = match operation {
        SetOperation::Union => union(ty, a, b),
        SetOperation::Intersection => intersection(ty, a, b),
        SetOperation::Difference => difference(ty, a, b),
        SetOperation::SymmetricDifference => symmetric_difference(ty, a, b),
    };
    found.value(ty)
}

/// The members of the result where all members of both are known: one pass through both.
fn known(operation: SetOperation, ty: &SetType, a: &[Value], b: &[Value]) -> Vec<Value> {
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

/// The exact answer where one of the sets is certainly empty.
fn with_the_empty_set(
    operation: SetOperation,
    ty: &SetType,
    a: &Operand<'_>,
    b: &Operand<'_>,
) -> Option<Value> {
    let (a_empty, b_empty) = (a.most == Some(0), b.most == Some(0));
    if !a_empty && !b_empty {
        return None;
    }
    // An empty set of an undecided type may be one of any type that the other set has.
    let empty = || {
        if a.is_wholly_known(ty) && b.is_wholly_known(ty) {
            set::build(ty.clone(), Vec::new())
        } else {
            unknown(ty, 0, Some(0))
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

fn union(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Found {
    let (both, only_a, only_b) = parted(a.decided(), b.decided());
    let (in_a, in_b) = (Among::new(ty, a, b), Among::new(ty, b, a));
    // Each known member that cannot be in the other set adds one to the minimum length of the union.
    let more_a = count(only_a.iter().filter(|member| !in_b.may_have(member)));
    let more_b = count(only_b.iter().filter(|member| !in_a.may_have(member)));
    let fewest = a.fewest.saturating_add(more_b).max(b.fewest.saturating_add(more_a));
    let most = sum(a.most, b.most).map(|most| most.saturating_sub(both.len() as u64));
    let mut found = Found { fewest, most, ..Found::default() };
    found.decided = [both, only_a, only_b].concat();
    found.undecided = [a.undecided(), b.undecided()].concat();
    for operand in [a, b].into_iter().filter(|operand| operand.is_unknown()) {
        match operand.few() {
            Some(few) if !(a.is_unknown() && b.is_unknown()) => {
                found.possible.extend(std::iter::repeat_n(Value::unknown(ty.element().clone()), few));
            }
            _ => found.others = true,
        }
    }
    found
}

fn intersection(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Found {
    let (both, only_a, only_b) = parted(a.decided(), b.decided());
    let (in_a, in_b) = (Among::new(ty, a, b), Among::new(ty, b, a));
    let mut possible: Vec<Value> = only_a.into_iter().filter(|member| in_b.may_have(member)).collect();
    possible.extend(only_b.into_iter().filter(|member| in_a.may_have(member)));
    // A member that is undecided in both counts once.
    let (fewer, other) = if a.undecided().len() <= b.undecided().len() { (a, &in_b) } else { (b, &in_a) };
    possible.extend(fewer.undecided().iter().filter_map(|member| other.common_undecided(member)));
    let mut possible = order::sorted(possible, ty.element());
    possible.dedup_by(|a, b| a.is_wholly_known() && order::content(a, b).is_eq());
    possible.retain(|member| !contains(&both, member));
    let all = (both.len() as u64).saturating_add(possible.len() as u64);
    let others = a.is_unknown() || b.is_unknown();
    let most = least(in_b.left_of(a), in_a.left_of(b));
    let most = least(most, (!others).then_some(all));
    Found { fewest: both.len() as u64, most, decided: both, possible, others, ..Found::default() }
}

fn difference(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Found {
    let common = intersection(ty, a, b);
    let mut found = Found::default();
    found.take_only_in(ty, a, &Among::new(ty, b, a));
    found.fewest = common.most.map_or(0, |most| a.fewest.saturating_sub(most));
    found.most = a.most.map(|most| most.saturating_sub(common.fewest));
    found
}

/// The union of both differences: what is only in one set is not in the other difference.
fn symmetric_difference(ty: &SetType, a: &Operand<'_>, b: &Operand<'_>) -> Found {
    let (mut only_a, mut only_b) = (difference(ty, a, b), difference(ty, b, a));
    let common = intersection(ty, a, b);
    let without_common = common
        .most
        .map_or(0, |most| a.fewest.saturating_add(b.fewest).saturating_sub(most.saturating_mul(2)));
    let twice = common.fewest.saturating_mul(2);
    let fewest = without_common.max(only_a.fewest.saturating_add(only_b.fewest));
    let most =
        least(sum(a.most, b.most).map(|most| most.saturating_sub(twice)), sum(only_a.most, only_b.most));
    let possible = [only_a.taken_if_empty(), only_b.taken_if_empty()].concat();
    let (only_a, only_b) = (only_a.value(ty), only_b.value(ty));
    let mut found = union(ty, &Operand::of(ty, &only_a), &Operand::of(ty, &only_b));
    found.possible.extend(possible);
    Found { fewest, most, ..found }
}

/// The values in both sorted slices, those only in the first, and those only in the second.
fn parted(a: &[Value], b: &[Value]) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
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

fn count<T>(items: impl Iterator<Item = T>) -> u64 {
    items.count() as u64
}

/// An unknown set of a length, not null.
fn unknown(ty: &SetType, fewest: u64, most: Option<u64>) -> Value {
    let length = LengthRange::new(fewest, most).unwrap_or_default();
    canonical(Type::Set(ty.clone()), Refinement::length(length).and_not_null())
}

/// The set with a narrower length, which is one that its members allow. Were it not, the set as it is would still be
/// sound, and a debug build tells.
fn of_length(value: Value, fewest: u64, most: Option<u64>) -> Value {
    let length = LengthRange::new(fewest, most).unwrap_or_default();
    let narrowed = narrowed(&value, &Refinement::length(length));
    debug_assert!(narrowed.is_ok(), "{value:?} has no length {length:?}");
    narrowed.unwrap_or(value)
}

/// The sum of two bounds; no bound when one is missing.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    Some(a?.saturating_add(b?))
}

/// The lower of two bounds.
fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (bound, None) | (None, bound) => bound,
    }
}
