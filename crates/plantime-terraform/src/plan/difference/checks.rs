//! Compares the results of the configuration's own conditions.

use std::collections::BTreeMap;

use super::CheckDifference;
use crate::plan::{Check, CheckStatus};

/// The results that differ, one for each instance or for each check without instances, sorted by address.
pub(super) fn differences(first: &[Check], second: &[Check]) -> Vec<CheckDifference> {
    let mut pairs: BTreeMap<&str, [Option<&CheckStatus>; 2]> = BTreeMap::new();
    for (address, status) in results(first) {
        pairs.entry(address).or_default()[0] = Some(status);
    }
    for (address, status) in results(second) {
        pairs.entry(address).or_default()[1] = Some(status);
    }
    pairs
        .into_iter()
        .filter(|(_, [first, second])| first != second)
        .map(|(address, [first, second])| CheckDifference {
            address: address.to_owned(),
            first: first.cloned(),
            second: second.cloned(),
        })
        .collect()
}

/// The result of each instance by its address; for a check without instances, its overall result.
fn results(checks: &[Check]) -> impl Iterator<Item = (&str, &CheckStatus)> {
    checks.iter().flat_map(|check| {
        let instances = check.instances.iter().map(|instance| (&*instance.address, &instance.status));
        let whole = check.instances.is_empty().then_some((&*check.address, &check.status));
        instances.chain(whole)
    })
}
