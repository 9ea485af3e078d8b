//! The promises that providers made in a plan, compared with the state after its apply.

use serde_json::{Value as Json, json};

use super::{Mode, Plan, State};
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use plantime::unstable::text::in_one_line;
use plantime::{Type, Value};
use plantime_schema::ProviderSchemas;
use plantime_schema::planning::{TypeSystem, Violation, assert_object_compatible};

/// The promises that providers made in a plan, compared with the state after its apply: see [`Plan::promises`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Promises {
    /// The number of resource instances whose state is what was planned.
    pub kept: usize,
    /// The differences from the plan that are errors, in the order of the plan.
    pub broken: Vec<BrokenPromise>,
    /// The differences from the plan that core tolerates.
    pub tolerated: Vec<BrokenPromise>,
    /// The addresses of the instances that could not be compared, each with the reason.
    pub unchecked: Vec<(String, String)>,
}

/// A promise about a resource instance that its provider did not keep.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BrokenPromise {
    /// The address of the instance.
    pub address: String,
    /// The difference: its path, and the message of Terraform's core.
    pub violation: Violation,
}

impl Plan {
    /// Compares each planned resource instance with the state after the apply, as Terraform's core does it when a provider
    /// returns the new state ([`assert_object_compatible`]): what was known has to be the same, and what was unknown has
    /// to be of the planned type and keep what was promised of it.
    ///
    /// | instance | |
    /// |---|---|
    /// | created, updated, replaced, unchanged | is compared |
    /// | deleted | must be gone |
    /// | without a schema, or not of the schema's type | is not compared |
    /// | data source, left-over object of a failed replacement | is left out |
    ///
    /// With [`TypeSystem::Legacy`], as for providers that are built with the first SDK, differences are only listed: core tolerates
    /// them.
    ///
    /// ```
    /// use plantime_terraform::plan::{Plan, State};
    /// use plantime_schema::planning::TypeSystem;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(br#"{"provider_schemas": {"p": {"resource_schemas": {"x_vpc": {"block": {
    ///     "attributes": {"cidr": {"type": "string", "required": true}, "id": {"type": "string", "computed": true}}}}}}}}"#)?;
    /// let plan = br#"{"format_version": "1.2", "resource_changes": [{"address": "x_vpc.a", "mode": "managed", "type": "x_vpc",
    ///     "name": "a", "provider_name": "p", "change": {"actions": ["create"], "before": null,
    ///     "after": {"cidr": "10.0.0.0/8"}, "after_unknown": {"id": true}, "after_sensitive": {}}}]}"#;
    /// let state = br#"{"format_version": "1.0", "values": {"root_module": {"resources": [{"address": "x_vpc.a", "mode": "managed",
    ///     "type": "x_vpc", "name": "a", "provider_name": "p", "values": {"cidr": "10.1.0.0/16", "id": "1"},
    ///     "sensitive_values": {}}]}}}"#;
    /// let (plan, state) = (Plan::read(plan, &schemas)?, State::read(state, &schemas)?);
    /// let promises = plan.promises(&state, &schemas, TypeSystem::Strict);
    /// assert_eq!(
    ///     promises.broken[0].violation.to_string(),
    ///     r#".cidr: was cty.StringVal("10.0.0.0/8"), but now cty.StringVal("10.1.0.0/16")"#
    /// );
    /// assert_eq!(plan.promises(&state, &schemas, TypeSystem::Legacy).tolerated.len(), 1);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn promises(&self, state: &State, schemas: &ProviderSchemas, system: TypeSystem) -> Promises {
        let resources = state.by_address();
        let none = Value::null(Type::Dynamic);
        let mut promises = Promises::default();
        let is_managed =
            |change: &super::ResourceChange| change.mode == Mode::Managed && change.deposed.is_none();
        for change in self.resource_changes.iter().filter(|change| is_managed(change)) {
            let address = change.address.clone();
            let Some(schema) = schemas.resource(&change.provider_name, &change.type_name) else {
                promises.unchecked.push((address, "there is no schema of its type".to_owned()));
                continue;
            };
            // What is marked before is as secret after.
            let (_, planned) = sides_with_common_marks(&change.change);
            let planned = planned.as_ref().unwrap_or(&none);
            let actual = resources.get(address.as_str()).map_or(&none, |resource| &resource.value);
            match assert_object_compatible(schema.block(), planned, actual, system) {
                Ok(verdict) => {
                    let is_kept = verdict.violations.is_empty() && verdict.tolerated.is_empty();
                    promises.kept = promises.kept.saturating_add(usize::from(is_kept));
                    let of = |violation| BrokenPromise { address: address.clone(), violation };
                    promises.broken.extend(verdict.violations.into_iter().map(of));
                    promises.tolerated.extend(verdict.tolerated.into_iter().map(of));
                }
                Err(error) => promises.unchecked.push((address, error.to_string())),
            }
        }
        promises
    }
}

impl Promises {
    /// The result as text: each broken promise, by resource, and the totals.
    ///
    /// ```
    /// use plantime_terraform::plan::Promises;
    ///
    /// assert_eq!(Promises::default().text(), "Promises of providers: 0 kept, 0 broken, 0 tolerated, 0 not compared.\n");
    /// ```
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut last = None;
        let broken = self.broken.iter().map(|one| ("broken", one));
        for (word, one) in broken.chain(self.tolerated.iter().map(|one| ("tolerated", one))) {
            if last != Some((word, one.address.as_str())) {
                text.push_str(&format!("  # {}\n", in_one_line(&one.address)));
                last = Some((word, &one.address));
            }
            text.push_str(&format!("    {word:<16}{}\n", in_one_line(&one.violation.to_string())));
        }
        for (address, reason) in &self.unchecked {
            let (address, reason) = (in_one_line(address), in_one_line(reason));
            text.push_str(&format!("  # {address}\n    {:<16}{reason}\n", "not compared"));
        }
        let blank = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!(
            "{blank}Promises of providers: {} kept, {} broken, {} tolerated, {} not compared.\n",
            self.kept,
            self.broken.len(),
            self.tolerated.len(),
            self.unchecked.len(),
        ));
        super::printable(&text)
    }

    /// The promises as JSON: `kept`, and a list each for `broken`, `tolerated` (`address`, `path`, `message`) and `not_compared`
    /// (`address`, `reason`).
    ///
    /// ```
    /// use plantime_terraform::plan::Promises;
    ///
    /// assert_eq!(Promises::default().to_json()["kept"], 0);
    /// ```
    pub fn to_json(&self) -> Json {
        let list = |all: &[BrokenPromise]| -> Json {
            let one = |one: &BrokenPromise| {
                let (path, message) = (one.violation.path().to_string(), one.violation.message());
                json!({ "address": one.address, "path": path, "message": message })
            };
            all.iter().map(one).collect()
        };
        let unchecked = self.unchecked.iter();
        let unchecked = unchecked.map(|(address, reason)| json!({ "address": address, "reason": reason }));
        json!({
            "kept": self.kept,
            "broken": list(&self.broken),
            "tolerated": list(&self.tolerated),
            "not_compared": unchecked.collect::<Json>(),
        })
    }
}
