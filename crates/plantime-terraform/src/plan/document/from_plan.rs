//! Writes a plan that was not read from JSON as a JSON plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::planned::PlannedMarks;
use super::refinements::push_string;
use super::values::{Selected, is_left_out, push_known, push_places};
use crate::plan::address::{Key, parse_address};
use crate::plan::read::binary::address::{InstanceAddress, split_modules};
use crate::plan::{
    ActionInvocation, ActionTrigger, Change, Check, CheckInstance, DeferredChange, Importing, Mode, Plan,
    ResourceChange, Sensitivity,
};
use plantime::{Path, Result, Step, Value, View};
use plantime_schema::ProviderSchemas;

/// The version of the JSON form of plans that is written.
const FORMAT_VERSION: &str = "1.2";

impl Plan {
    /// The plan as the JSON text of a plan of format 1.2, in the form of `terraform show -json`, without white space.
    /// [`PlanDocument::parse`](crate::plan::PlanDocument::parse) reads it, and adds the refinements.
    ///
    /// For a plan that was read from a binary file. The text of a plan in JSON has more:
    /// [`PlanDocument`](crate::plan::PlanDocument) writes it as it was read.
    ///
    /// | part | in the text |
    /// |---|---|
    /// | changes, drift, outputs, variables, checks, relevant attributes, whether it is complete | as in Terraform's |
    /// | a value behind a mark | as unknown and sensitive; left out of `before`, which has no unknown values, and of `planned_values` |
    /// | the members of a set | in their order here |
    /// | `planned_values` | as in Terraform's; `schema_version` where `schemas` have the type |
    /// | `configuration` | as in Terraform's, of the files inside a binary plan; constants only where nothing sensitive can be in them |
    /// | deferred changes, invocations of actions | as in Terraform's |
    /// | `prior_state` | the data sources that were read while planning; `unknown_values` names what is left out of them |
    /// | other states, how the plan was made | left out |
    ///
    /// ```
    /// use plantime_terraform::plan::{Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(example::PLAN, &ProviderSchemas::new())?;
    /// let text = plan.to_json_text(&ProviderSchemas::new())?;
    /// let again = Plan::read(text.as_bytes(), &ProviderSchemas::new())?;
    /// assert_eq!(again.resource_changes.len(), plan.resource_changes.len());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a value has no form in JSON: an infinity or a capsule.
    pub fn to_json_text(&self, schemas: &ProviderSchemas) -> Result<String> {
        let configuration = self.configuration().and_then(std::result::Result::ok);
        let mut out = String::new();
        out.push_str("{\"format_version\":");
        push_string(FORMAT_VERSION, &mut out);
        push_text("terraform_version", self.terraform_version.as_deref(), &mut out);
        out.push_str(",\"variables\":");
        // A plan has the variables that were given.
        let hidden = Value::dynamic();
        let defaults = configuration.iter().flat_map(|configuration| configuration.public_defaults());
        let defaults = defaults.map(|(name, default)| (name, default.unwrap_or(&hidden)));
        let mut variables: BTreeMap<&str, &Value> = defaults.collect();
        variables.extend(self.variables.iter().map(|(name, value)| (name.as_str(), value)));
        push_object(variables.iter().map(|(name, value)| (name, *value)), &mut out, |value, out| {
            if is_left_out(value) {
                out.push_str("{}");
                return Ok(());
            }
            out.push_str("{\"value\":");
            push_known(value, out)?;
            out.push('}');
            Ok(())
        })?;
        out.push_str(",\"planned_values\":");
        self.push_planned_values(schemas, &mut out)?;
        for (name, list) in
            [("resource_drift", &self.resource_drift), ("resource_changes", &self.resource_changes)]
        {
            push_name(name, &mut out);
            push_array(in_order(list), &mut out, push_resource)?;
        }
        if !self.deferred_changes.is_empty() {
            push_name("deferred_changes", &mut out);
            push_array(&self.deferred_changes, &mut out, push_deferred)?;
        }
        self.push_invocations(&mut out)?;
        out.push_str(",\"output_changes\":");
        push_object(&self.output_changes, &mut out, |change, out| push_change(change, true, out))?;
        self.push_prior_state(schemas, &mut out)?;
        if let Some(configuration) = &configuration {
            push_name("configuration", &mut out);
            let published = PlannedMarks::of(self);
            out.push_str(&configuration.to_plan_json(schemas, &published).to_string());
        }
        out.push_str(",\"relevant_attributes\":");
        push_array(&self.relevant_attributes, &mut out, |(resource, path), out| {
            out.push_str("{\"resource\":");
            push_string(resource, out);
            out.push_str(",\"attribute\":");
            push_path(path, out)?;
            out.push('}');
            Ok(())
        })?;
        out.push_str(",\"checks\":");
        let mut checks: Vec<&Check> = self.checks.iter().collect();
        checks.sort_by(|a, b| a.address.cmp(&b.address));
        push_array(checks, &mut out, push_check)?;
        push_text("timestamp", self.timestamp.as_deref(), &mut out);
        let flags = [("applyable", self.applyable), ("complete", self.complete), ("errored", self.errored)];
        for (name, flag) in flags {
            if let Some(flag) = flag {
                push_name(name, &mut out);
                out.push_str(if flag { "true" } else { "false" });
            }
        }
        out.push('}');
        Ok(out)
    }
}

impl Plan {
    /// Appends the invocations of actions, those that are deferred apart.
    fn push_invocations(&self, out: &mut String) -> Result<()> {
        let deferred = |is_deferred: bool| {
            let all = self.action_invocations.iter();
            all.filter(move |invocation| invocation.deferred.is_some() == is_deferred)
        };
        if deferred(false).next().is_some() {
            push_name("action_invocations", out);
            push_array(deferred(false), out, push_invocation)?;
        }
        if deferred(true).next().is_some() {
            push_name("deferred_action_invocations", out);
            push_array(deferred(true), out, |invocation, out| {
                out.push_str("{\"action_invocation\":");
                push_invocation(invocation, out)?;
                push_text("reason", invocation.deferred.as_deref(), out);
                out.push('}');
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Appends a deferred change.
fn push_deferred(deferred: &DeferredChange, out: &mut String) -> Result<()> {
    out.push_str("{\"resource_change\":");
    match &deferred.change {
        Some(change) => push_resource(change, out)?,
        None => out.push_str("null"),
    }
    push_text("reason", deferred.reason.as_deref(), out);
    out.push('}');
    Ok(())
}

/// Appends an invocation of an action.
fn push_invocation(invocation: &ActionInvocation, out: &mut String) -> Result<()> {
    out.push_str("{\"address\":");
    push_string(&invocation.address, out);
    push_text("type", Some(&invocation.type_name), out);
    push_text("name", Some(&invocation.name), out);
    if let Some(config) = &invocation.config {
        // Where the arguments are sensitive as a whole, no part of them is written.
        push_name("config_values", out);
        if is_left_out(config) {
            out.push_str("{}");
        } else {
            push_known(config, out)?;
        }
        push_name("config_sensitive", out);
        push_places(config, Selected::Sensitive, out);
        push_name("config_unknown", out);
        push_places(config, Selected::Unknown, out);
    }
    push_text("provider_name", Some(&invocation.provider_name), out);
    match &invocation.trigger {
        Some(ActionTrigger::Lifecycle { resource, event, block_index, action_index, on_failure }) => {
            push_name("lifecycle_action_trigger", out);
            out.push_str("{\"triggering_resource_address\":");
            push_string(resource, out);
            push_text("action_trigger_event", Some(event), out);
            out.push_str(&format!(
                ",\"action_trigger_block_index\":{block_index},\"actions_list_index\":{action_index}"
            ));
            // `halt` is the usual value, which is left out.
            push_text("on_failure", on_failure.as_deref().filter(|what| *what != "halt"), out);
            out.push('}');
        }
        Some(ActionTrigger::Invoked { resource }) => {
            out.push_str(",\"invoke_action_trigger\":{");
            if let Some(resource) = resource {
                out.push_str("\"calling_resource_address\":");
                push_string(resource, out);
            }
            out.push('}');
        }
        None => {}
    }
    out.push('}');
    Ok(())
}

/// The word for the mode of a resource.
pub(super) fn mode_name(mode: Mode) -> Option<&'static str> {
    match mode {
        Mode::Managed => Some("managed"),
        Mode::Data => Some("data"),
        Mode::Ephemeral => Some("ephemeral"),
        Mode::Other => None,
    }
}

/// Appends the change of a resource.
fn push_resource(resource: &ResourceChange, out: &mut String) -> Result<()> {
    out.push_str("{\"address\":");
    push_string(&resource.address, out);
    push_text("previous_address", resource.previous_address.as_deref(), out);
    push_text("module_address", resource.module_address.as_deref(), out);
    push_text("mode", mode_name(resource.mode), out);
    push_text("type", Some(&resource.type_name), out);
    push_text("name", Some(&resource.name), out);
    if let Some(index) = &resource.index {
        push_name("index", out);
        push_known(index, out)?;
    }
    if resource.has_unknown_index {
        out.push_str(",\"index_unknown\":true");
    }
    push_text("provider_name", Some(&resource.provider_name), out);
    push_text("deposed", resource.deposed.as_deref(), out);
    push_name("change", out);
    push_change(&resource.change, false, out)?;
    push_text("action_reason", resource.action_reason.as_deref(), out);
    out.push('}');
    Ok(())
}

/// Changes in the order in which Terraform writes them: by module, data sources first, then by type, name and key.
fn in_order(changes: &[Arc<ResourceChange>]) -> Vec<&ResourceChange> {
    let mut ordered: Vec<_> = changes.iter().map(|change| (order_of(change), &**change)).collect();
    ordered.sort_by(|(a, _), (b, _)| a.cmp(b));
    ordered.into_iter().map(|(_, change)| change).collect()
}

/// The parts of an address that its place in the order depends on. What is no address comes last.
fn order_of(change: &ResourceChange) -> impl Ord + use<'_> {
    let key = |key: &Option<Key>| match key {
        None | Some(Key::Any) => (0_u8, 0, String::new()),
        Some(Key::Index(index)) => (1, *index, String::new()),
        Some(Key::Text(text)) => (2, 0, text.clone()),
    };
    let own = match change.index.as_ref().map(Value::view) {
        Some(View::Number(number)) => (1, number.to_u64().unwrap_or(u64::MAX), String::new()),
        Some(View::String(text)) => (2, 0, text.to_owned()),
        _ => (0, 0, String::new()),
    };
    let modules = parse_address(&change.address).map(|address| address.modules);
    let modules: Option<Vec<_>> =
        modules.map(|all| all.into_iter().map(|one| (one.name.clone(), key(&one.key))).collect());
    let length = modules.as_ref().map_or(usize::MAX, Vec::len);
    (length, modules, change.mode != Mode::Data, &change.type_name, &change.name, own, &change.deposed)
}

/// Appends the change of a value. Of an output Terraform says only whether all of it is sensitive, and which parts are unknown if any are.
fn push_change(change: &Change, is_output: bool, out: &mut String) -> Result<()> {
    out.push_str("{\"actions\":");
    push_array(&change.actions, out, |action, out| {
        push_string(action.as_str(), out);
        Ok(())
    })?;
    push_name("before", out);
    push_side(change.before.as_ref(), out)?;
    if !change.after.as_ref().is_some_and(is_left_out) {
        push_name("after", out);
        push_side(change.after.as_ref(), out)?;
    }
    push_name("after_unknown", out);
    let unknown = change.after.as_ref().filter(|after| !is_output || !is_public_and_known(after));
    push_side_places(unknown, Selected::Unknown, out);
    let sides = [
        ("before_sensitive", &change.before, change.before_sensitivity),
        ("after_sensitive", &change.after, change.after_sensitivity),
    ];
    for (name, value, sensitivity) in sides {
        if sensitivity == Sensitivity::Stated {
            push_name(name, out);
            let marked = value.as_ref().filter(|value| !is_output || value.is_marked());
            push_side_places(marked, Selected::Sensitive, out);
        }
    }
    if !change.replace_paths.is_empty() {
        push_name("replace_paths", out);
        push_array(&change.replace_paths, out, push_path)?;
    }
    if let Some(importing) = &change.importing {
        push_name("importing", out);
        push_importing(importing, out)?;
    }
    push_text("generated_config", change.generated_config.as_deref(), out);
    let identities =
        [("before_identity", &change.before_identity), ("after_identity", &change.after_identity)];
    for (name, identity) in identities {
        if let Some(identity) = identity {
            push_name(name, out);
            push_known(identity, out)?;
        }
    }
    out.push('}');
    Ok(())
}

/// Whether a value is known and not sensitive, with all that is in it.
fn is_public_and_known(value: &Value) -> bool {
    value.is_wholly_known() && !value.contains_marks()
}

/// Appends the known part of a side of a change; `null` if there is no object.
fn push_side(value: Option<&Value>, out: &mut String) -> Result<()> {
    match value {
        Some(value) => push_known(value, out),
        None => {
            out.push_str("null");
            Ok(())
        }
    }
}

/// Appends the tree with `true` at the selected places of a value before or after a change; `false` if there is no object.
fn push_side_places(value: Option<&Value>, selected: Selected, out: &mut String) {
    match value {
        Some(value) => push_places(value, selected, out),
        None => out.push_str("false"),
    }
}

/// Appends the id or identity of the existing object that a resource is imported from.
fn push_importing(importing: &Importing, out: &mut String) -> Result<()> {
    out.push('{');
    let mut parts = String::new();
    push_text("id", importing.id.as_deref(), &mut parts);
    if importing.unknown {
        parts.push_str(",\"unknown\":true");
    }
    if let Some(identity) = &importing.identity {
        push_name("identity", &mut parts);
        push_known(identity, &mut parts)?;
    }
    out.push_str(parts.strip_prefix(',').unwrap_or_default());
    out.push('}');
    Ok(())
}

/// Appends the result of the conditions on one object.
fn push_check(check: &Check, out: &mut String) -> Result<()> {
    out.push_str("{\"address\":{\"kind\":");
    push_string(&check.kind, out);
    let parts = CheckedAddress::of(&check.kind, &check.address);
    for (name, part) in [
        ("mode", parts.mode),
        ("module", parts.module.as_deref()),
        ("name", parts.name.as_deref()),
        ("to_display", Some(&*check.address)),
        ("type", parts.type_name.as_deref()),
    ] {
        push_text(name, part, out);
    }
    out.push('}');
    push_text("status", Some(check.status.as_str()), out);
    if !check.instances.is_empty() {
        push_name("instances", out);
        let mut instances: Vec<&CheckInstance> = check.instances.iter().collect();
        instances.sort_by(|a, b| a.address.cmp(&b.address));
        push_array(instances, out, |instance, out| push_check_instance(&check.kind, instance, out))?;
    }
    out.push('}');
    Ok(())
}

/// The parts of the address of what a configuration's own condition checks.
#[derive(Default)]
struct CheckedAddress {
    module: Option<String>,
    mode: Option<&'static str>,
    type_name: Option<String>,
    name: Option<String>,
    key: Option<Value>,
}

impl CheckedAddress {
    /// Takes an address apart; without parts if it is none.
    fn of(kind: &str, address: &str) -> CheckedAddress {
        if kind == "resource" {
            let Ok(parts) = InstanceAddress::parse(address) else { return CheckedAddress::default() };
            return CheckedAddress {
                module: parts.module,
                mode: mode_name(parts.mode),
                type_name: Some(parts.type_name),
                name: Some(parts.name),
                key: parts.index,
            };
        }
        let Some((module, rest)) = split_modules(address) else { return CheckedAddress::default() };
        let name = rest.split_once('.').map(|(_, name)| name.to_owned());
        CheckedAddress { module, name, ..CheckedAddress::default() }
    }
}

/// Appends the result of the conditions on one instance.
fn push_check_instance(kind: &str, instance: &CheckInstance, out: &mut String) -> Result<()> {
    out.push_str("{\"address\":{\"to_display\":");
    push_string(&instance.address, out);
    let parts = CheckedAddress::of(kind, &instance.address);
    push_text("module", parts.module.as_deref(), out);
    if let Some(key) = &parts.key {
        push_name("instance_key", out);
        push_known(key, out)?;
    }
    out.push('}');
    push_text("status", Some(instance.status.as_str()), out);
    if !instance.problems.is_empty() {
        push_name("problems", out);
        push_array(&instance.problems, out, |problem, out| {
            out.push_str("{\"message\":");
            push_string(problem, out);
            out.push('}');
            Ok(())
        })?;
    }
    out.push('}');
    Ok(())
}

/// Appends the steps of a path as an array.
fn push_path(path: &Path, out: &mut String) -> Result<()> {
    push_array(path.steps(), out, |step, out| match step {
        Step::Attr(name) => {
            push_string(name.as_str(), out);
            Ok(())
        }
        Step::Index(key) => push_known(key, out),
    })
}

/// Appends a comma and the name of a property.
pub(super) fn push_name(name: &str, out: &mut String) {
    out.push(',');
    push_string(name, out);
    out.push(':');
}

/// Appends a property with a text, if there is one.
pub(super) fn push_text(name: &str, text: Option<&str>, out: &mut String) {
    if let Some(text) = text {
        push_name(name, out);
        push_string(text, out);
    }
}

/// Appends items as an array.
pub(super) fn push_array<'i, T: 'i>(
    items: impl IntoIterator<Item = &'i T>,
    out: &mut String,
    push: impl Fn(&'i T, &mut String) -> Result<()>,
) -> Result<()> {
    out.push('[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        push(item, out)?;
    }
    out.push(']');
    Ok(())
}

/// Appends named items as an object.
pub(super) fn push_object<'i, K: AsRef<str> + 'i, T>(
    items: impl IntoIterator<Item = (&'i K, T)>,
    out: &mut String,
    push: impl Fn(T, &mut String) -> Result<()>,
) -> Result<()> {
    out.push('{');
    for (index, (name, item)) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        push_string(name.as_ref(), out);
        out.push(':');
        push(item, out)?;
    }
    out.push('}');
    Ok(())
}
