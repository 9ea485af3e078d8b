//! Which references of a configuration lead to something that the plan knows.

use std::collections::BTreeMap;

use crate::path::Path;
use crate::plan::Plan;
use crate::value::Value;

/// Tells which references lead to values that the plan knows.
pub(super) struct KnownReferences<'p> {
    plan: &'p Plan,
    resources: BTreeMap<&'p str, &'p Value>,
    data: BTreeMap<&'p str, ()>,
}

impl<'p> KnownReferences<'p> {
    /// An index of the plan's values by address.
    pub(super) fn new(plan: &'p Plan) -> KnownReferences<'p> {
        let with_value = plan.resource_changes.iter().filter_map(|change| {
            let value = change.change.after.as_ref().or(change.change.before.as_ref())?;
            Some((change.address.as_str(), value))
        });
        let data = plan.data_sources.iter().map(|source| (source.address.as_str(), ()));
        KnownReferences { plan, resources: with_value.collect(), data: data.collect() }
    }

    /// The references to unknown values among those of an unknown value's expression. If all lead to known values,
    /// all of them, since one of them must be the cause.
    pub(super) fn undecided(&self, references: Vec<String>) -> Vec<String> {
        let unknown: Vec<String> =
            references.iter().filter(|reference| !self.is_known(reference)).cloned().collect();
        if unknown.is_empty() { references } else { unknown }
    }

    /// Whether the plan knows the whole value that a reference leads to.
    fn is_known(&self, reference: &str) -> bool {
        if let Some(rest) = reference.strip_prefix("var.") {
            let name = rest.split(['.', '[']).next().unwrap_or_default();
            return self.plan.variables.get(name).is_some_and(Value::is_wholly_known);
        }
        // The longest part that is an address of a resource; what follows is a path into it.
        let ends = reference.match_indices(['.', '[']).map(|(at, _)| at).chain([reference.len()]);
        let found = ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| {
            let (address, rest) = reference.split_at_checked(end)?;
            if self.data.contains_key(address) {
                return Some((None, rest));
            }
            self.resources.get(address).map(|value| (Some(*value), rest))
        });
        match found {
            // Read while planning.
            Some((None, _)) => true,
            Some((Some(value), rest)) => {
                let path: Option<Path> = rest.strip_prefix('.').unwrap_or(rest).parse().ok();
                path.and_then(|path| value.get(&path).ok()).is_some_and(|part| part.is_wholly_known())
            }
            None => false,
        }
    }
}
