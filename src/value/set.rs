//! Building sets: known members, undecided members (those that are not wholly known), and the range of the set's
//! final length.

use std::sync::Arc;

use crate::mark::GatheredMarks;
use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::{SetType, Type};

use super::equality::{is_always_null, may_be_null, may_be_same};
use super::repr::{Container, Inside, SetNode};
use super::{Value, build, order};

pub(super) mod algebra;
pub(super) mod equality;
mod few;
pub(super) mod finite;
pub(super) mod iteration;
pub(super) mod join;
pub(super) mod members;
pub(crate) mod membership;
mod sort_key;

use finite::{combinations, finite_value_count, members_of};
use members::OrderedMembers;

/// The maximum number of undecided members that are compared in pairs, so that the work stays linear. The minimum
/// length of a set with more may be too low.
const DISTINCT_AMONG: usize = 64;

/// Builds a set from items that all have the element type. Equal known items become one member; the marks of the
/// items move to the set.
pub fn build(ty: SetType, items: Vec<Value>) -> Value {
    let mut marks = GatheredMarks::default();
    let mut known = Vec::with_capacity(items.len());
    let mut not_wholly_known = Vec::new();
    for item in items {
        let item = if item.contains_marks() {
            let (item, inside) = item.unmark_deep();
            marks.add(&inside);
            item
        } else {
            item
        };
        let item = if ty.element().has_dynamic() { item.inside_collection() } else { item };
        if item.is_wholly_known() { known.push(item) } else { not_wholly_known.push(item) }
    }
    if not_wholly_known.is_empty()
        && finite_value_count(ty.element()).is_none()
        && members::can_sort_by_key(&known, ty.element())
    {
        let ordered = members::order_members(known, ty.element());
        return of_ordered_members(ty, ordered).with_marks(&marks.into_marks());
    }
    let mut known = order::sorted(known, ty.element());
    let mut not_wholly_known = order::sorted(not_wholly_known, ty.element());
    known.dedup_by(|a, b| order::of_elements(ty.element(), a, b).is_eq());
    if ty.element().has_dynamic() {
        not_wholly_known.dedup_by(|a, b| order::content(a, b).is_eq() && is_known_but_for_types(a));
    }
    drop_certain_duplicates(&ty, &known, &mut not_wholly_known);
    let length = length(&ty, &known, &not_wholly_known);
    let (known, not_wholly_known) = (known.into_boxed_slice(), not_wholly_known.into_boxed_slice());
    // Such a type has at most two values beside null, so copying the members costs nothing.
    let set = finite_value_count(ty.element())
        .and_then(|_| narrowest_set(ty.clone(), known.clone(), not_wholly_known.clone(), length));
    set.unwrap_or_else(|| assembled(ty, known, not_wholly_known, length)).with_marks(&marks.into_marks())
}

/// Builds a wholly known set from unmarked members that are sorted and without duplicates.
pub(super) fn of_sorted_members(ty: SetType, known: Vec<Value>) -> Value {
    let count = known.len() as u64;
    assembled(ty, known.into_boxed_slice(), Box::new([]), (count, count))
}

/// Builds a wholly known set from sorted members and the facts about them that sorting has collected.
fn of_ordered_members(ty: SetType, OrderedMembers { members, inside, order }: OrderedMembers) -> Value {
    let length = members.len() as u64;
    let (known, not_wholly_known) = (members.into_boxed_slice(), Box::default());
    let set = SetNode { ty, known, not_wholly_known, inside, length: (length, length), order };
    build::at_level(Container::Set(Arc::new(set)), true)
}

/// Builds the set from sorted members without duplicates: a known value if all members and the element type are known,
/// else a partial one.
fn assembled(ty: SetType, known: Box<[Value]>, not_wholly_known: Box<[Value]>, length: (u64, u64)) -> Value {
    let inside = Inside::of(known.iter().chain(&not_wholly_known));
    let count = known.len().saturating_add(not_wholly_known.len());
    let wholly_known = build::collection_is_known(ty.element(), count, inside);
    let order = iteration::order_of(&ty, &known, &not_wholly_known);
    build::at_level(
        Container::Set(Arc::new(SetNode { ty, known, not_wholly_known, inside, length, order })),
        wholly_known,
    )
}

/// Removes undecided members that certainly equal another member.
fn drop_certain_duplicates(ty: &SetType, known: &[Value], not_wholly_known: &mut Vec<Value>) {
    if not_wholly_known.is_empty() {
        return;
    }
    let mut null_seen = known.iter().any(Value::is_null);
    not_wholly_known.retain(|member| !is_always_null(member) || !std::mem::replace(&mut null_seen, true));
    if let Some(values) = finite_value_count(ty.element()) {
        let values_in = known.iter().filter(|member| !member.is_null()).count() >= values;
        let null_in = known.iter().any(Value::is_null);
        not_wholly_known.retain(|member| !(values_in && (null_in || !may_be_null(member))));
    }
}

/// Whether the value is known except that its type may contain `dynamic`. In all members of one set a `dynamic`
/// becomes the same type, so two such members that are equal now stay equal.
fn is_known_but_for_types(value: &Value) -> bool {
    match value {
        Value::Known(_) => true,
        Value::Partial(partial) => partial.0.container().children().all(is_known_but_for_types),
        _ => false,
    }
}

/// The length range, with its upper bound cut to the largest set that the type and the refinement of its members allow.
pub(crate) fn within_capacity(ty: &Type, member: &Refinement, length: LengthRange) -> LengthRange {
    let most = capacity(ty, member).map(LengthRange::at_most);
    most.and_then(|most| length.meet(most)).unwrap_or(length)
}

/// The maximum number of members of a set of this type, null included, if there are few values that its members can be;
/// `None` for other members and other types.
pub(super) fn capacity(ty: &Type, member: &Refinement) -> Option<u64> {
    let Type::Set(set) = ty else { return None };
    if member.is_trivial() {
        return finite_value_count(set.element()).map(|values| values.saturating_add(1) as u64);
    }
    if member.nullness() == Nullness::Null {
        // Nulls are equal, whatever their types.
        return Some(1);
    }
    few::few_values(set.element(), member).map(|values| values.len() as u64)
}

/// The set of all values that its members can be, null included, if there are few.
pub(super) fn set_of_all_values(ty: &SetType, member: &Refinement) -> Option<Value> {
    few::few_values(ty.element(), member).map(|values| build(ty.clone(), values))
}

/// Whether two sets can become equal, if an element type is finite and the other element type is the same or dynamic;
/// `None` for other sets. Exact: compares all sets that each may become.
pub(super) fn finite_sets_may_equal(a: &SetNode, b: &SetNode) -> Option<bool> {
    let ty = if finite_value_count(a.element_type()).is_some() { &a.ty } else { &b.ty };
    let of = |set: &SetNode| {
        let has_finite_type = set.ty == *ty || *set.element_type() == Type::Dynamic;
        has_finite_type.then(|| combinations(ty, &set.known, &set.not_wholly_known, set.length)).flatten()
    };
    Some(of(a)? & of(b)? != 0)
}

/// Builds the narrowest set of these members and this length: if the element type is finite, the length range becomes
/// exact, and a set with only one possible outcome becomes that outcome. `None` if it has no outcome.
fn narrowest_set(
    ty: SetType,
    known: Box<[Value]>,
    not_wholly_known: Box<[Value]>,
    length: (u64, u64),
) -> Option<Value> {
    let Some(found) = combinations(&ty, &known, &not_wholly_known, length) else {
        return Some(assembled(ty, known, not_wholly_known, length));
    };
    let counts = || (0_u32..8).filter(|all| found & 1_u8.checked_shl(*all).unwrap_or(0) != 0);
    if let (1, Some(only)) = (found.count_ones(), counts().next()) {
        let mut members = members_of(&ty, only);
        members.sort_unstable_by(order::content);
        let count = members.len() as u64;
        return Some(assembled(ty, members.into_boxed_slice(), Box::new([]), (count, count)));
    }
    let lengths = || counts().map(|all| u64::from(all.count_ones()));
    Some(assembled(ty, known, not_wholly_known, (lengths().min()?, lengths().max()?)))
}

/// The minimum and maximum of the set's final length, from facts that hold for every element type.
fn length(ty: &SetType, known: &[Value], not_wholly_known: &[Value]) -> (u64, u64) {
    let known_count = known.len() as u64;
    if not_wholly_known.is_empty() {
        return (known_count, known_count);
    }
    let has_dynamic = ty.element().has_dynamic();
    let fewest = known_count.saturating_add(min_distinct_count(known, not_wholly_known, has_dynamic)).max(1);
    (fewest, known_count.saturating_add(not_wholly_known.len() as u64))
}

/// Lower bound of the number of undecided members that differ from all known members and from each other. Exact for up
/// to twelve members that differ from all known ones, else a greedy choice among the first [`DISTINCT_AMONG`].
/// `has_dynamic` says that the element type contains `dynamic`.
fn min_distinct_count(known: &[Value], not_wholly_known: &[Value], has_dynamic: bool) -> u64 {
    let candidates: Vec<&Value> = not_wholly_known
        .iter()
        .take(DISTINCT_AMONG)
        .filter(|member| known.iter().all(|other| !may_be_same(member, other, has_dynamic)))
        .collect();
    // For each candidate the mask of the candidates that are certainly different values.
    let apart: Vec<u64> = candidates
        .iter()
        .enumerate()
        .map(|(i, a)| {
            let others =
                candidates.iter().enumerate().filter(|(j, b)| i != *j && !may_be_same(a, b, has_dynamic));
            others.fold(0_u64, |bits, (j, _)| bits | bit(j))
        })
        .collect();
    if candidates.len() > 12 {
        return greedy_group(&apart);
    }
    u64::from(largest_group(bit(candidates.len()).saturating_sub(1), &apart))
}

/// The mask with only this bit set; 0 from bit 64 on.
fn bit(position: usize) -> u64 {
    u32::try_from(position).ok().and_then(|position| 1_u64.checked_shl(position)).unwrap_or(0)
}

/// The size of the largest group of candidates in the mask `left` that are certainly pairwise different. Entry `i` of
/// `apart` is the mask of the candidates that differ from candidate `i`.
fn largest_group(left: u64, apart: &[u64]) -> u32 {
    if left == 0 {
        return 0;
    }
    let first = left.trailing_zeros() as usize;
    let rest = left & !bit(first);
    let with_first = rest & apart.get(first).copied().unwrap_or(0);
    largest_group(with_first, apart).saturating_add(1).max(largest_group(rest, apart))
}

/// A lower bound of the largest group of pairwise different candidates: takes each candidate, in order, that differs
/// from all taken before.
fn greedy_group(apart: &[u64]) -> u64 {
    let (mut chosen, mut count) = (0_u64, 0_u64);
    for (i, others) in apart.iter().enumerate() {
        if chosen & !others == 0 {
            chosen |= bit(i);
            count = count.saturating_add(1);
        }
    }
    count
}

/// Whether a wholly known value is among the set's known members. Marks do not matter.
pub(super) fn contains_known(set: &SetNode, value: &Value) -> bool {
    set.known.binary_search_by(|member| order::content(member, value)).is_ok()
}

/// The set, without marks, with its length narrowed to a range; `None` if no set that it may become has such a length.
pub(super) fn narrow(set: &Arc<SetNode>, length: &LengthRange) -> Option<Value> {
    let (min, max) = set.length;
    let now = LengthRange::new(min, Some(max)).ok()?;
    let met = now.meet(*length)?;
    let narrowed = (met.lower(), met.upper().unwrap_or(max));
    let (known, not_wholly_known) = (set.known.clone(), set.not_wholly_known.clone());
    if narrowed.1 == known.len() as u64 && !not_wholly_known.is_empty() && !known.is_empty() {
        // The maximum length leaves no room beside the known members: each undecided member must become one of them.
        return narrowest_set(set.ty.clone(), known, Box::new([]), narrowed);
    }
    narrowest_set(set.ty.clone(), known, not_wholly_known, narrowed)
}

/// What the member of a set is whose members all turn out the same: what they have in common. `None` for other sets, and for an
/// unknown one.
pub fn only_member(set: &Value) -> Option<Value> {
    let Some(Container::Set(node)) = set.container() else { return None };
    // With `dynamic` in it, the type of the member is decided with that of the set.
    if node.length != (1, 1) || node.ty.element().has_dynamic() {
        return None;
    }
    let mut members = node.known.iter().chain(node.not_wholly_known.iter().take(DISTINCT_AMONG));
    let first = members.next()?.clone();
    Some(members.fold(first, |all, member| algebra::meet::meet(&all, member)))
}
