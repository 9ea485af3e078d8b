//! Which references of a configuration lead to something that the plan knows.

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::plan::address::split_path;
use plantime::Value;

/// Tells which references lead to values that the plan knows.
pub(in crate::plan) struct KnownReferences<'p> {
    plan: &'p Plan,
    resources: BTreeMap<&'p str, &'p Value>,
    data: BTreeMap<&'p str, ()>,
}

impl<'p> KnownReferences<'p> {
    /// An index of the plan's values by address.
    pub(in crate::plan) fn new(plan: &'p Plan) -> KnownReferences<'p> {
        let with_value = plan.resource_changes.iter().filter_map(|change| {
            let value = change.change.after.as_ref().or(change.change.before.as_ref())?;
            Some((change.address.as_str(), value))
        });
        let data = plan.data_sources.iter().map(|source| (source.address.as_str(), ()));
        KnownReferences { plan, resources: with_value.collect(), data: data.collect() }
    }

    /// Selects, from the references in the expression of an unknown value, those to values that the plan does not know. If
    /// there is none, returns all references, since one of them must be the cause.
    pub(super) fn undecided(&self, references: Vec<String>) -> Vec<String> {
        let unknown: Vec<String> =
            references.iter().filter(|reference| !self.is_known(reference)).cloned().collect();
        if unknown.is_empty() { references } else { unknown }
    }

    /// Whether the plan knows the whole value that a reference leads to.
    pub(in crate::plan) fn is_known(&self, reference: &str) -> bool {
        if let Some(rest) = reference.strip_prefix("var.") {
            let name = rest.split(['.', '[']).next().unwrap_or_default();
            return self.plan.variables.get(name).is_some_and(Value::is_wholly_known);
        }
        let is_address =
            |address: &str| self.data.contains_key(address) || self.resources.contains_key(address);
        let Some((address, path)) = split_path(reference, is_address) else { return false };
        // A data source that was read while planning.
        if self.data.contains_key(address) {
            return true;
        }
        let value = self.resources.get(address).and_then(|value| value.get(&path).ok());
        value.is_some_and(|value| value.is_wholly_known())
    }
}
