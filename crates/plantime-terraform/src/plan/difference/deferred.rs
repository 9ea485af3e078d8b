//! Compares the changes that are left to a later plan.

use std::collections::BTreeMap;

use super::{ChangeDifference, ChangeDifferenceKind, DeferredDifference, Planned, change_difference};
use crate::plan::DeferredChange;

/// The key of a deferred change: its address, deposed key and, of several alike, its number.
type Key<'d> = (&'d str, Option<&'d str>, usize);

/// The deferred changes that differ, sorted by address. Those without a change, which have no address, are left out.
pub(super) fn differences(first: &[DeferredChange], second: &[DeferredChange]) -> Vec<DeferredDifference> {
    let (mut left, right) = (by_key(first), by_key(second));
    let mut found = Vec::new();
    for (key, later) in right {
        found.extend(difference(left.remove(&key), Some(later)));
    }
    found.extend(left.into_values().filter_map(|earlier| difference(Some(earlier), None)));
    let key = |one: &DeferredDifference| (one.change.address.clone(), one.change.deposed.clone());
    found.sort_by_cached_key(key);
    found
}

/// The deferred changes by their keys.
fn by_key(list: &[DeferredChange]) -> BTreeMap<Key<'_>, &DeferredChange> {
    let mut counts: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    let keyed = list.iter().filter_map(|deferred| {
        let change = deferred.change.as_deref()?;
        let place = (change.address.as_str(), change.deposed.as_deref());
        let count = counts.entry(place).or_default();
        let number = *count;
        *count = number.saturating_add(1);
        Some(((place.0, place.1, number), deferred))
    });
    keyed.collect()
}

/// The difference between two deferred changes of one resource; `None` if they are the same.
fn difference(first: Option<&DeferredChange>, second: Option<&DeferredChange>) -> Option<DeferredDifference> {
    let planned =
        |deferred: Option<&DeferredChange>| deferred.and_then(|deferred| deferred.change.as_deref()).cloned();
    let (earlier, later) = (planned(first), planned(second));
    let (earlier, later) =
        (earlier.as_ref().map(Planned::of_resource), later.as_ref().map(Planned::of_resource));
    let reason = |deferred: Option<&DeferredChange>| deferred.and_then(|deferred| deferred.reason.clone());
    let (first_reason, second_reason) = (reason(first), reason(second));
    let change = match change_difference(earlier.as_ref(), later.as_ref()) {
        Some(change) => change,
        None if first_reason == second_reason => return None,
        None => {
            let shown = later.or(earlier)?;
            ChangeDifference {
                address: shown.address.clone().into_owned(),
                first_address: None,
                deposed: shown.deposed.map(str::to_owned),
                kind: ChangeDifferenceKind::Changed,
                first_actions: shown.change.actions.clone(),
                second_actions: shown.change.actions.clone(),
                values: Vec::new(),
            }
        }
    };
    Some(DeferredDifference { change, first_reason, second_reason })
}
