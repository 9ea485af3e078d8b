//! Partly known sets: which members are decided, and how many there can be in the end.

use std::sync::Arc;

use crate::mark::Marks;
use crate::refinement::LengthRange;
use crate::types::{SetType, Type};

use super::equality::{is_always_null, may_be_null, may_be_same};
use super::repr::{Container, SetNode};
use super::{Value, build, order, set_order};

/// Only the first so many undecided members are looked at for pairwise distinctness, so that the work stays
/// linear; the fewest members of a larger set may be given too low.
const DISTINCT_AMONG: usize = 64;

/// A set of items that are all of the element type. Marks move to the set.
pub(crate) fn build(ty: SetType, items: Vec<Value>) -> Value {
    let mut marks = Marks::new();
    let mut known = Vec::with_capacity(items.len());
    let mut undecided = Vec::new();
    for item in items {
        let item = if item.contains_marks() {
            let (item, inside) = item.unmark_deep();
            marks.extend_from(&inside);
            item
        } else {
            item
        };
        if item.is_wholly_known() { known.push(item) } else { undecided.push(item) }
    }
    known.sort_unstable_by(order::content);
    known.dedup_by(|a, b| order::content(a, b).is_eq());
    undecided.sort_by(order::content);
    drop_decided(&ty, &known, &mut undecided);
    let length = length(&ty, &known, &undecided);
    finish(ty, known.into_boxed_slice(), undecided.into_boxed_slice(), length).with_marks(&marks)
}

fn finish(ty: SetType, known: Box<[Value]>, undecided: Box<[Value]>, length: (u64, u64)) -> Value {
    let wholly_known = undecided.is_empty() && build::collection_is_known(ty.element(), known.iter());
    let order = set_order::stored(&ty, &known, &undecided);
    build::at_level(Container::Set(Arc::new(SetNode { ty, known, undecided, length, order })), wholly_known)
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

/// How many values beside null a type has, where that is few.
fn finite(ty: &Type) -> Option<usize> {
    match ty {
        Type::Bool => Some(2),
        Type::Object(ty) if ty.is_empty() => Some(1),
        Type::Tuple(ty) if ty.is_empty() => Some(1),
        _ => None,
    }
}

/// The fewest and the most members the set may have in the end.
fn length(ty: &SetType, known: &[Value], undecided: &[Value]) -> (u64, u64) {
    let known_count = known.len() as u64;
    if undecided.is_empty() {
        return (known_count, known_count);
    }
    let most = match finite(ty.element()) {
        None => undecided.len() as u64,
        Some(values) => {
            let null_free = u64::from(!known.iter().any(Value::is_null));
            let values_free =
                values.saturating_sub(known.iter().filter(|member| !member.is_null()).count()) as u64;
            let nullable = undecided.iter().filter(|member| may_be_null(member)).count() as u64;
            let not_null = (undecided.len() as u64).saturating_sub(nullable);
            let by_values = not_null.min(values_free);
            by_values
                .saturating_add(nullable.min(values_free.saturating_sub(by_values).saturating_add(null_free)))
        }
    };
    let fewest = known_count.saturating_add(distinct(known, undecided)).max(1);
    (fewest, known_count.saturating_add(most))
}

/// How many undecided members, at least, are distinct from all known ones and from each other.
fn distinct(known: &[Value], undecided: &[Value]) -> u64 {
    let candidates: Vec<&Value> = undecided
        .iter()
        .take(DISTINCT_AMONG)
        .filter(|member| known.iter().all(|other| !may_be_same(member, other)))
        .collect();
    largest_distinct(&candidates, &[])
}

/// The size of a largest group of pairwise distinct values: exact for up to 12 candidates, else greedy.
fn largest_distinct(candidates: &[&Value], chosen: &[&Value]) -> u64 {
    if candidates.len() > 12 {
        let mut chosen: Vec<&Value> = Vec::new();
        for candidate in candidates {
            if chosen.iter().all(|other| !may_be_same(candidate, other)) {
                chosen.push(candidate);
            }
        }
        return chosen.len() as u64;
    }
    let Some((first, rest)) = candidates.split_first() else { return chosen.len() as u64 };
    let without = largest_distinct(rest, chosen);
    if chosen.iter().any(|other| may_be_same(first, other)) {
        return without;
    }
    let mut chosen = chosen.to_vec();
    chosen.push(first);
    without.max(largest_distinct(rest, &chosen))
}

/// Whether a wholly known value is a known member; content only.
pub(super) fn contains_known(set: &SetNode, value: &Value) -> bool {
    set.known.binary_search_by(|member| order::content(member, value)).is_ok()
}

/// The set with a narrower length; `None` when no outcome is left. Unmarked.
pub(crate) fn narrow(set: &Arc<SetNode>, length: &LengthRange) -> Option<Value> {
    let (min, max) = set.length;
    let now = LengthRange::new(min, Some(max)).ok()?;
    let met = now.meet(*length)?;
    let narrowed = (met.lower(), met.upper().unwrap_or(max));
    let (known, undecided) = (&set.known, &set.undecided);
    if narrowed.1 == known.len() as u64 && !undecided.is_empty() && !known.is_empty() {
        // No room beside the known members: each undecided one must become one of them.
        return Some(finish(set.ty.clone(), known.clone(), Box::new([]), narrowed));
    }
    Some(finish(set.ty.clone(), known.clone(), undecided.clone(), narrowed))
}
