//! The values of a plan as the evaluation of a configuration asks for them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Mode, Plan};
use crate::configuration;
use crate::configuration::{Configuration, KnownValues};
use plantime::Value;
use plantime_hcl::{Diagnostics, Reference, ReferenceKey, Resolved, Unresolved, Variables};

/// The planned value of each resource instance, the data sources that were read, and the variables of a [`Plan`].
///
/// ```
/// use plantime_terraform::configuration::KnownValues;
/// use plantime_terraform::plan::{Plan, example};
/// use plantime_schema::ProviderSchemas;
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
    /// The addresses of resources without a prior value.
    created: HashSet<&'p str>,
}

impl Plan {
    /// The values of the plan by the addresses of resources: what a configuration is evaluated with.
    pub fn planned_values(&self) -> PlannedValues<'_> {
        let read = self.data_sources.iter().map(|source| (source.address.as_str(), &source.value));
        let planned = self.resource_changes.iter().filter(|change| change.deposed.is_none());
        let planned = planned
            .filter(|change| matches!(change.mode, Mode::Managed | Mode::Data))
            .filter_map(|change| change.change.after.as_ref().map(|after| (change.address.as_str(), after)));
        let changes = self.resource_changes.iter().filter(|change| change.change.before.is_none());
        let created = changes.map(|change| change.address.as_str()).collect();
        PlannedValues { plan: self, resources: read.chain(planned).collect(), created }
    }
}

impl Plan {
    /// The configuration that a binary plan has inside, to be evaluated with its [values](Plan::planned_values); `None` for a
    /// plan in JSON, which has none.
    ///
    /// ```
    /// use plantime_terraform::plan::{Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(example::PLAN, &ProviderSchemas::new())?;
    /// assert!(plan.configuration().is_none());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Every file that is wrong, with its places.
    pub fn configuration(&self) -> Option<Result<Configuration, Diagnostics>> {
        let files = configuration::embedded_files(&self.configuration_files)?;
        Some(Configuration::read(Arc::new(files)))
    }
}

impl KnownValues for PlannedValues<'_> {
    fn resource(&self, address: &str) -> Option<Value> {
        self.resources.get(address).map(|value| (*value).clone())
    }

    fn has_prior(&self, address: &str) -> bool {
        !self.created.contains(address)
    }

    fn variable(&self, name: &str) -> Option<Value> {
        self.plan.variables.get(name).cloned()
    }

    fn timestamp(&self) -> Option<&str> {
        self.plan.timestamp.as_deref()
    }
}

/// The values of the root module by their references, without its configuration: `var.NAME`, `TYPE.NAME`, `data.TYPE.NAME`.
impl Variables for PlannedValues<'_> {
    fn resolve(&self, reference: &Reference) -> Result<Resolved, Unresolved> {
        let names: Vec<&str> = reference
            .steps()
            .iter()
            .map_while(|step| match step.key() {
                ReferenceKey::Attribute(name) => Some(&**name),
                ReferenceKey::Index(_) => None,
            })
            .collect();
        let (value, steps) = match (reference.root(), names.as_slice()) {
            ("var", [name, ..]) => (self.plan.variables.get(*name).cloned(), 1),
            ("data", [ty, name, ..]) => (self.instances(&format!("data.{ty}.{name}")), 2),
            (ty, [name, ..]) => (self.instances(&format!("{ty}.{name}")), 1),
            _ => (None, 0),
        };
        value.map(|value| Resolved { value, steps }).ok_or_else(|| Unresolved {
            summary: "Reference to unknown object".to_owned(),
            detail: "The root module of the plan has no variable, resource or data source of this name."
                .to_owned(),
            steps,
        })
    }
}

impl PlannedValues<'_> {
    /// The value of a resource of the root module: of its one instance, or of all by their keys; `None` if there is none.
    fn instances(&self, address: &str) -> Option<Value> {
        if let Some(value) = self.resource(address) {
            return Some(value);
        }
        let read = self.plan.data_sources.iter().map(|source| (&source.address, &source.index));
        let planned = self.plan.resource_changes.iter().map(|change| (&change.address, &change.index));
        let mut keyed: Vec<(&Value, Value)> = read
            .chain(planned)
            .filter(|(whole, _)| whole.strip_prefix(address).is_some_and(|rest| rest.starts_with('[')))
            .filter_map(|(whole, key)| Some((key.as_ref()?, self.resource(whole)?)))
            .collect();
        keyed.sort_by_key(|(key, _)| *key);
        keyed.dedup_by(|(a, _), (b, _)| a == b);
        let is_named = keyed.first()?.0.as_str().is_ok();
        let built = match is_named {
            true => Value::object(
                keyed.iter().filter_map(|(key, value)| Some((key.as_str().ok()?, value.clone()))),
            ),
            false => Value::tuple(keyed.into_iter().map(|(_, value)| value)),
        };
        built.ok()
    }
}
