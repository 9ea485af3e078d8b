//! Suggests a resource type in place of one that does not exist.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::plan::address::AddressPattern;
use crate::plan::{Mode, Plan};
use plantime_schema::ProviderSchemas;

/// The types that a plan and schemas have, listed once for each mode.
pub(super) struct TypeNames<'t> {
    plan: &'t Plan,
    schemas: &'t ProviderSchemas,
    of_mode: RefCell<BTreeMap<&'static str, BTreeSet<&'t str>>>,
}

impl<'t> TypeNames<'t> {
    pub(super) fn new(plan: &'t Plan, schemas: &'t ProviderSchemas) -> TypeNames<'t> {
        TypeNames { plan, schemas, of_mode: RefCell::default() }
    }

    /// The existing resource type whose name is nearest to the one in a pattern. `None` if the plan or a schema has the
    /// type of the pattern, or no name is near.
    pub(super) fn suggested(&self, pattern: &AddressPattern) -> Option<String> {
        let mode = pattern.mode();
        let mut known = self.of_mode.borrow_mut();
        let types = known.entry(mode.prefix()).or_insert_with(|| known_types(mode, self.plan, self.schemas));
        let written = pattern.type_name();
        if written.contains('*') || types.contains(written) {
            return None;
        }
        plantime::unstable::text::nearest(written, types.iter().copied()).map(str::to_owned)
    }
}

/// The types of a mode that the plan or a schema has.
pub(super) fn known_types<'t>(mode: Mode, plan: &'t Plan, schemas: &'t ProviderSchemas) -> BTreeSet<&'t str> {
    let mut types: BTreeSet<&str> = BTreeSet::new();
    let planned = plan.resource_changes.iter().filter(|change| change.mode == mode);
    types.extend(planned.map(|change| &*change.type_name));
    if mode == Mode::Data {
        types.extend(plan.data_sources.iter().map(|source| source.type_name.as_str()));
    }
    for provider in schemas.providers.values() {
        match mode {
            Mode::Managed => types.extend(provider.resource_types()),
            Mode::Data => types.extend(provider.data_source_types()),
            _ => {}
        }
    }
    types
}
