//! Partly known sets: which members are decided, and how many there can be in the end.

use std::sync::Arc;

use crate::mark::GatheredMarks;
use crate::refinement::LengthRange;
use crate::types::{SetType, Type};

use super::equality::{is_always_null, may_be_null, may_be_same};
use super::repr::{Container, Inside, SetNode};
use super::{Value, build, order};

pub(super) mod algebra;
pub(super) mod equality;
pub(super) mod finite;
pub(super) mod iteration;
pub(super) mod join;
pub(super) mod members;
pub(crate) mod membership;
mod sort_key;

use finite::{combinations, finite, members_of};
use members::Ordered;

/// The number of unknown members that are tested for pairwise distinctness, so that the work stays linear. The
/// lower bound of a larger set's length may be too low.
const DISTINCT_AMONG: usize = 64;

/// A set of items that are all of the element type. Marks move to the set.
pub(crate) fn build(ty: SetType, items: Vec<Value>) -> Value {
    let mut marks = GatheredMarks::default();
    let mut known = Vec::with_capacity(items.len());
    let mut undecided = Vec::new();
    for item in items {
        let item = if item.contains_marks() {
            let (item, inside) = item.unmark_deep();
            marks.add(&inside);
            item
        } else {
            item
        };
        let item = if ty.element().has_dynamic() { item.closed() } else { item };
        if item.is_wholly_known() { known.push(item) } else { undecided.push(item) }
    }
    if undecided.is_empty() && finite(ty.element()).is_none() && members::are_keyed(&known, ty.element()) {
        let ordered = members::ordered(known, ty.element());
        return of_ordered(ty, ordered).with_marks(&marks.into_marks());
    }
    let mut known = order::sorted(known, ty.element());
    let mut undecided = order::sorted(undecided, ty.element());
    known.dedup_by(|a, b| order::of_elements(ty.element(), a, b).is_eq());
    if ty.element().has_dynamic() {
        undecided.dedup_by(|a, b| order::content(a, b).is_eq() && is_settled(a));
    }
    drop_decided(&ty, &known, &mut undecided);
    let length = length(&ty, &known, &undecided);
    let (known, undecided) = (known.into_boxed_slice(), undecided.into_boxed_slice());
    // Few values: the members are few as well, and a copy costs nothing.
    let set =
        finite(ty.element()).and_then(|_| decided(ty.clone(), known.clone(), undecided.clone(), length));
    set.unwrap_or_else(|| finish(ty, known, undecided, length)).with_marks(&marks.into_marks())
}

/// The set of wholly known members without marks that are in order, each once.
pub(super) fn of_sorted(ty: SetType, known: Vec<Value>) -> Value {
    let count = known.len() as u64;
    finish(ty, known.into_boxed_slice(), Box::new([]), (count, count))
}

/// The same of members that were sorted with all that is asked of them.
fn of_ordered(ty: SetType, Ordered { members, inside, order }: Ordered) -> Value {
    let length = members.len() as u64;
    let (known, undecided) = (members.into_boxed_slice(), Box::default());
    let set = SetNode { ty, known, undecided, inside, length: (length, length), order };
    build::at_level(Container::Set(Arc::new(set)), true)
}

fn finish(ty: SetType, known: Box<[Value]>, undecided: Box<[Value]>, length: (u64, u64)) -> Value {
    let inside = Inside::of(known.iter().chain(&undecided));
    let count = known.len().saturating_add(undecided.len());
    let wholly_known = build::collection_is_known(ty.element(), count, inside);
    let order = iteration::stored(&ty, &known, &undecided);
    build::at_level(
        Container::Set(Arc::new(SetNode { ty, known, undecided, inside, length, order })),
        wholly_known,
    )
}

/// Takes out undecided members that certainly equal another member.
fn drop_decided(ty: &SetType, known: &[Value], undecided: &mut Vec<Value>) {
    if undecided.is_empty() {
        return;
    }
    let mut null_seen = known.iter().any(Value::is_null);
    undecided.retain(|member| !is_always_null(member) || !std::mem::replace(&mut null_seen, true));
    if let Some(values) = finite(ty.element()) {
        let values_in = known.iter().filter(|member| !member.is_null()).count() >= values;
        let null_in = known.iter().any(Value::is_null);
        undecided.retain(|member| !(values_in && (null_in || !may_be_null(member))));
    }
}

/// Whether nothing but types is yet to be decided. Members of one set get the same types: two such members that are
/// the same now are the same in the end.
fn is_settled(value: &Value) -> bool {
    match value {
        Value::Known(_) => true,
        Value::Partial(partial) => partial.0.container().children().all(is_settled),
        _ => false,
    }
}

/// The range of lengths, cut to the number of values that the element type has.
pub(crate) fn within_capacity(ty: &Type, length: LengthRange) -> LengthRange {
    let most = capacity(ty).map(LengthRange::at_most);
    most.and_then(|most| length.meet(most)).unwrap_or(length)
}

/// How many members a set of the type can have, null among them, where its element type has few values.
pub(super) fn capacity(ty: &Type) -> Option<u64> {
    let Type::Set(set) = ty else { return None };
    finite(set.element()).map(|values| values.saturating_add(1) as u64)
}

/// The set of all values of the element type, if there are few.
pub(super) fn all_members(ty: &SetType) -> Option<Value> {
    let values = u32::try_from(finite(ty.element())?).ok()?;
    let all = 2_u32.checked_shl(values)?.saturating_sub(1);
    Some(build(ty.clone(), members_of(ty, all)))
}

/// Whether two sets can become equal, where an element type has few values and the other is the same or undecided.
pub(super) fn combinations_meet(a: &SetNode, b: &SetNode) -> Option<bool> {
    let ty = if finite(a.element_type()).is_some() { &a.ty } else { &b.ty };
    let of = |set: &SetNode| {
        let decided = set.ty == *ty || *set.element_type() == Type::Dynamic;
        decided.then(|| combinations(ty, &set.known, &set.undecided, set.length)).flatten()
    };
    Some(of(a)? & of(b)? != 0)
}

/// The set of these members and this length, in the form that says most: for an element type of few values the
/// length is exact, and a set that can become only one set is that set. `None` where it can become none.
fn decided(ty: SetType, known: Box<[Value]>, undecided: Box<[Value]>, length: (u64, u64)) -> Option<Value> {
    let Some(found) = combinations(&ty, &known, &undecided, length) else {
        return Some(finish(ty, known, undecided, length));
    };
    let counts = || (0_u32..8).filter(|all| found & 1_u8.checked_shl(*all).unwrap_or(0) != 0);
    if let (1, Some(only)) = (found.count_ones(), counts().next()) {
        let mut members = members_of(&ty, only);
        members.sort_unstable_by(order::content);
        let count = members.len() as u64;
        return Some(finish(ty, members.into_boxed_slice(), Box::new([]), (count, count)));
    }
    let lengths = || counts().map(|all| u64::from(all.count_ones()));
    Some(finish(ty, known, undecided, (lengths().min()?, lengths().max()?)))
}

/// The range of the set's final length, from facts that hold for every element type.
fn length(ty: &SetType, known: &[Value], undecided: &[Value]) -> (u64, u64) {
    let known_count = known.len() as u64;
    if undecided.is_empty() {
        return (known_count, known_count);
    }
    let open = ty.element().has_dynamic();
    let fewest = known_count.saturating_add(distinct(known, undecided, open)).max(1);
    (fewest, known_count.saturating_add(undecided.len() as u64))
}

/// How many undecided members, at least, are distinct from all known ones and from each other: exact for up to
/// twelve that are distinct from all known ones, else a greedy choice among the first so many.
fn distinct(known: &[Value], undecided: &[Value], open: bool) -> u64 {
    let candidates: Vec<&Value> = undecided
        .iter()
        .take(DISTINCT_AMONG)
        .filter(|member| known.iter().all(|other| !may_be_same(member, other, open)))
        .collect();
    // One bit for each other candidate that is certainly another value.
    let apart: Vec<u64> = candidates
        .iter()
        .enumerate()
        .map(|(i, a)| {
            let others = candidates.iter().enumerate().filter(|(j, b)| i != *j && !may_be_same(a, b, open));
            others.fold(0_u64, |bits, (j, _)| bits | bit(j))
        })
        .collect();
    if candidates.len() > 12 {
        return greedy_group(&apart);
    }
    u64::from(largest_group(bit(candidates.len()).saturating_sub(1), &apart))
}

fn bit(place: usize) -> u64 {
    u32::try_from(place).ok().and_then(|place| 1_u64.checked_shl(place)).unwrap_or(0)
}

/// The size of a largest group of the candidates in `left` that are pairwise apart.
fn largest_group(left: u64, apart: &[u64]) -> u32 {
    if left == 0 {
        return 0;
    }
    let first = left.trailing_zeros() as usize;
    let rest = left & !bit(first);
    let with_first = rest & apart.get(first).copied().unwrap_or(0);
    largest_group(with_first, apart).saturating_add(1).max(largest_group(rest, apart))
}

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

/// Whether a wholly known value is a known member; content only.
pub(super) fn contains_known(set: &SetNode, value: &Value) -> bool {
    set.known.binary_search_by(|member| order::content(member, value)).is_ok()
}

/// The set with a narrower length; `None` when no outcome is left. Unmarked.
pub(super) fn narrow(set: &Arc<SetNode>, length: &LengthRange) -> Option<Value> {
    let (min, max) = set.length;
    let now = LengthRange::new(min, Some(max)).ok()?;
    let met = now.meet(*length)?;
    let narrowed = (met.lower(), met.upper().unwrap_or(max));
    let (known, undecided) = (set.known.clone(), set.undecided.clone());
    if narrowed.1 == known.len() as u64 && !undecided.is_empty() && !known.is_empty() {
        // No room beside the known members: each undecided one must become one of them.
        return decided(set.ty.clone(), known, Box::new([]), narrowed);
    }
    decided(set.ty.clone(), known, undecided, narrowed)
}
