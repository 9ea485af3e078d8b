//! What a plan in JSON repeats of the changes for other tools: the planned values, module by module.

use std::collections::{BTreeMap, HashMap};

use super::from_plan::{mode_name, push_name, push_object, push_text};
use super::refinements::push_string;
use super::values::{Selected, is_left_out, push_known, push_places};
use crate::configuration::Published;
use crate::plan::address::parse_address;
use crate::plan::{Action, DataSource, Mode, Plan, ResourceChange};
use plantime::{Path, Result, Value};
use plantime_schema::ProviderSchemas;

impl Plan {
    /// Appends `planned_values`.
    pub(super) fn push_planned_values(&self, schemas: &ProviderSchemas, out: &mut String) -> Result<()> {
        out.push_str("{\"outputs\":");
        let outputs = self.output_changes.iter();
        let outputs: BTreeMap<&String, _> =
            outputs.filter(|(_, change)| *change.actions != [Action::Delete]).collect();
        push_object(
            outputs.iter().map(|(name, change)| (*name, (*name, *change))),
            out,
            |(name, change), out| {
                let value = change.after.as_ref();
                let is_sensitive = value.is_some_and(Value::contains_marks);
                out.push_str(if is_sensitive { "{\"sensitive\":true" } else { "{\"sensitive\":false" });
                // The names of attributes are content too.
                if let Some(ty) = self.output_types.get(name).filter(|_| !is_sensitive) {
                    push_name("type", out);
                    out.push_str(&ty.to_json_text()?);
                }
                if let Some(value) = value.filter(|value| value.is_wholly_known() && !is_sensitive) {
                    push_name("value", out);
                    push_known(value, out)?;
                }
                out.push('}');
                Ok(())
            },
        )?;
        let planned = self.resource_changes.iter().filter(|change| {
            change.deposed.is_none() && change.change.after.as_ref().is_some_and(|after| !after.is_null())
        });
        let mut root = PlannedModule::default();
        for change in planned {
            root.inside(change.module_address.as_deref().unwrap_or_default()).resources.push(change);
        }
        push_name("root_module", out);
        root.push("", schemas, out)?;
        out.push('}');
        Ok(())
    }
}

impl Plan {
    /// Appends `prior_state`, with the data sources that were read while planning; nothing where there are none.
    pub(super) fn push_prior_state(&self, schemas: &ProviderSchemas, out: &mut String) -> Result<()> {
        if self.data_sources.is_empty() {
            return Ok(());
        }
        let read: Vec<ResourceChange> = self.data_sources.iter().map(DataSource::as_change).collect();
        let mut root = PlannedModule::default();
        for source in &read {
            root.inside(source.module_address.as_deref().unwrap_or_default()).resources.push(source);
        }
        out.push_str(",\"prior_state\":{\"format_version\":\"1.0\",\"values\":{\"root_module\":");
        root.push("", schemas, out)?;
        out.push_str("}}");
        Ok(())
    }
}

/// The planned resources of an instance of a module.
#[derive(Default)]
struct PlannedModule<'p> {
    resources: Vec<&'p ResourceChange>,
    /// The modules that it calls, by their addresses.
    modules: BTreeMap<&'p str, PlannedModule<'p>>,
}

impl<'p> PlannedModule<'p> {
    /// The module at an address below this one.
    fn inside(&mut self, address: &'p str) -> &mut PlannedModule<'p> {
        let mut module = self;
        for end in module_ends(address) {
            module = module.modules.entry(address.get(..end).unwrap_or(address)).or_default();
        }
        module
    }

    /// Appends the module.
    fn push(&self, address: &str, schemas: &ProviderSchemas, out: &mut String) -> Result<()> {
        out.push('{');
        let mut separator = "";
        if !self.resources.is_empty() {
            out.push_str("\"resources\":[");
            for (index, change) in self.resources.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                push_planned(change, schemas, out)?;
            }
            out.push(']');
            separator = ",";
        }
        if !address.is_empty() {
            out.push_str(std::mem::replace(&mut separator, ","));
            out.push_str("\"address\":");
            push_string(address, out);
        }
        if !self.modules.is_empty() {
            out.push_str(separator);
            out.push_str("\"child_modules\":[");
            for (index, (address, module)) in self.modules.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                module.push(address, schemas, out)?;
            }
            out.push(']');
        }
        out.push('}');
        Ok(())
    }
}

/// Where the address of each module on the way to a module ends: those of `module.a` and `module.a[0].module.b`.
fn module_ends(address: &str) -> Vec<usize> {
    let (mut ends, mut at) = (Vec::new(), 0);
    while let Some(rest) = address.get(at..).filter(|rest| !rest.is_empty()) {
        // A quoted key may contain anything.
        let (mut is_quoted, mut is_escaped, mut length) = (false, false, rest.len());
        for (position, c) in rest.char_indices() {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = is_quoted,
                '"' => is_quoted = !is_quoted,
                '.' if !is_quoted
                    && rest.get(position..).is_some_and(|rest| rest.starts_with(".module.")) =>
                {
                    length = position;
                    break;
                }
                _ => {}
            }
        }
        let end = at.saturating_add(length);
        ends.push(end);
        at = end.saturating_add(1);
    }
    ends
}

/// Appends a planned resource.
fn push_planned(change: &ResourceChange, schemas: &ProviderSchemas, out: &mut String) -> Result<()> {
    out.push_str("{\"address\":");
    push_string(&change.address, out);
    push_text("mode", mode_name(change.mode), out);
    push_text("type", Some(&change.type_name), out);
    push_text("name", Some(&change.name), out);
    if let Some(index) = &change.index {
        push_name("index", out);
        push_known(index, out)?;
    }
    push_text("provider_name", Some(&change.provider_name), out);
    let schema = match change.mode {
        Mode::Managed => schemas.resource(&change.provider_name, &change.type_name),
        Mode::Data => schemas.data_source(&change.provider_name, &change.type_name),
        Mode::Ephemeral | Mode::Other => None,
    };
    if let Some(schema) = schema {
        out.push_str(&format!(",\"schema_version\":{}", schema.version()));
    }
    if let Some(after) = &change.change.after {
        push_name("values", out);
        // Where all of it is sensitive, no part is written.
        if is_left_out(after) {
            out.push_str("{}");
        } else {
            push_known(after, out)?;
        }
        push_name("sensitive_values", out);
        push_places(after, Selected::Sensitive, out);
        // A data source that was read has no change that says so.
        if change.change.is_no_op() && change.mode == Mode::Data && after.contains_marks() {
            push_name("unknown_values", out);
            push_places(after, Selected::Unknown, out);
        }
    }
    out.push('}');
    Ok(())
}

/// The planned values of each resource of the configuration: they say which of its arguments are sensitive.
pub(super) struct PlannedMarks<'p> {
    by_address: HashMap<String, Vec<&'p Value>>,
}

impl<'p> PlannedMarks<'p> {
    /// Those of a plan.
    pub(super) fn of(plan: &'p Plan) -> PlannedMarks<'p> {
        let mut by_address: HashMap<String, Vec<&Value>> = HashMap::new();
        for change in &plan.resource_changes {
            let Some(address) = parse_address(&change.address) else { continue };
            let calls: Vec<&str> = address.modules.iter().map(|module| module.name.as_str()).collect();
            let name = format!("{}{}.{}", address.mode.prefix(), address.type_name, address.name);
            let values = by_address.entry(key(&calls, &name)).or_default();
            values.extend(change.change.after.iter().chain(&change.change.before));
        }
        PlannedMarks { by_address }
    }
}

/// The key of a resource of the configuration.
fn key(calls: &[&str], name: &str) -> String {
    calls.iter().map(|call| format!("{call}/")).chain([name.to_owned()]).collect()
}

impl Published for PlannedMarks<'_> {
    fn is_public(&self, calls: &[&str], name: &str, attribute: &str) -> bool {
        let path = Path::new().attr(attribute);
        let is_public = |value: &&Value| value.get(&path).is_ok_and(|part| !part.contains_marks());
        self.by_address.get(&key(calls, name)).is_some_and(|values| values.iter().all(is_public))
    }
}
