//! Compares the invocations of actions.

use std::collections::BTreeMap;

use super::{ActionDifference, ChangeDifferenceKind, value_differences};
use crate::plan::{ActionInvocation, ActionTrigger};

/// The key of an invocation: the address of the action, what invokes it and, of several alike, its number.
type Key<'i> = (&'i str, String, usize);

/// The invocations that differ, sorted by address and trigger.
pub(super) fn differences(first: &[ActionInvocation], second: &[ActionInvocation]) -> Vec<ActionDifference> {
    let (mut left, right) = (by_key(first), by_key(second));
    let mut found = Vec::new();
    for (key, later) in right {
        let earlier = left.remove(&key);
        found.push((key, difference(earlier, Some(later))));
    }
    found.extend(left.into_iter().map(|(key, earlier)| (key, difference(Some(earlier), None))));
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found.into_iter().filter_map(|(_, difference)| difference).collect()
}

/// The invocations by their keys.
fn by_key(list: &[ActionInvocation]) -> BTreeMap<Key<'_>, &ActionInvocation> {
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let keyed = list.iter().map(|invocation| {
        let trigger = invocation.trigger.as_ref().map_or_else(String::new, ActionTrigger::to_string);
        let count = counts.entry((&invocation.address, trigger.clone())).or_default();
        let number = *count;
        *count = number.saturating_add(1);
        ((&*invocation.address, trigger, number), invocation)
    });
    keyed.collect()
}

/// The difference between two invocations; `None` if they are the same.
fn difference(
    first: Option<&ActionInvocation>,
    second: Option<&ActionInvocation>,
) -> Option<ActionDifference> {
    let shown = second.or(first)?;
    let deferred = |one: Option<&ActionInvocation>| one.and_then(|one| one.deferred.clone());
    let (first_deferred, second_deferred) = (deferred(first), deferred(second));
    let (kind, values) = match (first, second) {
        (None, _) => (ChangeDifferenceKind::Appeared, Vec::new()),
        (_, None) => (ChangeDifferenceKind::Vanished, Vec::new()),
        (Some(first), Some(second)) => {
            let values = value_differences(first.config.clone(), second.config.clone());
            if values.is_empty() && first_deferred == second_deferred {
                return None;
            }
            (ChangeDifferenceKind::Changed, values)
        }
    };
    Some(ActionDifference {
        address: shown.address.clone(),
        trigger: shown.trigger.clone(),
        kind,
        first_deferred,
        second_deferred,
        values,
    })
}
