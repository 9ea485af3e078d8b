//! The values of a plan as the evaluation of a configuration asks for them.

use std::collections::HashMap;

use super::{Mode, Plan};
use crate::configuration::KnownValues;
use crate::value::Value;

/// The planned value of each resource instance, the data sources that were read, and the variables of a [`Plan`].
///
/// ```
/// use plantime::configuration::KnownValues;
/// use plantime::plan::{Plan, example};
/// use plantime::schema::ProviderSchemas;
///
/// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
/// let plan = Plan::read(example::PLAN, &schemas)?;
/// let values = plan.planned_values();
/// assert!(values.resource("aws_subnet.main[\"data\"]").is_some());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlannedValues<'p> {
    plan: &'p Plan,
    resources: HashMap<&'p str, &'p Value>,
}

impl Plan {
    /// The values of the plan by the addresses of resources: what a configuration is evaluated with.
    pub fn planned_values(&self) -> PlannedValues<'_> {
        let read = self.data_sources.iter().map(|source| (source.address.as_str(), &source.value));
        let planned = self.resource_changes.iter().filter(|change| change.deposed.is_none());
        let planned = planned
            .filter(|change| matches!(change.mode, Mode::Managed | Mode::Data))
            .filter_map(|change| change.change.after.as_ref().map(|after| (change.address.as_str(), after)));
        PlannedValues { plan: self, resources: read.chain(planned).collect() }
    }
}

impl KnownValues for PlannedValues<'_> {
    fn resource(&self, address: &str) -> Option<Value> {
        self.resources.get(address).map(|value| (*value).clone())
    }

    fn variable(&self, name: &str) -> Option<Value> {
        self.plan.variables.get(name).cloned()
    }

    fn timestamp(&self) -> Option<&str> {
        self.plan.timestamp.as_deref()
    }
}
