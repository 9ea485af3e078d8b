//! Resource types that rules and assumptions ask for and that are none.

use std::collections::BTreeSet;

use crate::plan::address::AddressPattern;
use crate::plan::{Mode, Plan};
use crate::schema::ProviderSchemas;

/// The resource type that an author meant, where neither the plan nor a schema has the one that is written.
pub(super) fn meant(pattern: &AddressPattern, plan: &Plan, schemas: &ProviderSchemas) -> Option<String> {
    let mode = pattern.mode();
    let mut types: BTreeSet<&str> = BTreeSet::new();
    let planned = plan.resource_changes.iter().filter(|change| change.mode == mode);
    types.extend(planned.map(|change| change.type_name.as_str()));
    for provider in schemas.providers.values() {
        match mode {
            Mode::Managed => types.extend(provider.resource_types()),
            Mode::Data => types.extend(provider.data_source_types()),
            _ => {}
        }
    }
    let written = pattern.type_name();
    if written.contains('*') || types.contains(written) {
        return None;
    }
    crate::rule::nearest(written, types).map(str::to_owned)
}
