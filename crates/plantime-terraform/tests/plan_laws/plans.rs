//! The JSON of plans, of provider schemas and of states.

use serde_json::{Map, Value as Json, json};

use crate::kind::{Declared, Kind};
use crate::tree::Tree;

/// The address of the provider of all resources here.
const PROVIDER: &str = "registry.terraform.io/x/x";

/// A planned change of one resource.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) type_name: &'static str,
    pub(crate) name: &'static str,
    pub(crate) actions: &'static [&'static str],
    pub(crate) before: Option<Tree>,
    pub(crate) after: Option<Tree>,
    pub(crate) before_sensitive: Json,
    pub(crate) after_sensitive: Json,
}

impl Resource {
    /// A resource that is created, or updated where there is a value before.
    pub(crate) fn planned(
        type_name: &'static str,
        name: &'static str,
        before: Option<Tree>,
        after: Tree,
    ) -> Resource {
        Resource {
            type_name,
            name,
            actions: if before.is_some() { &["update"] } else { &["create"] },
            before,
            after: Some(after),
            before_sensitive: json!({}),
            after_sensitive: json!({}),
        }
    }

    pub(crate) fn with_after(self, after: Option<Tree>) -> Resource {
        Resource { after, ..self }
    }

    pub(crate) fn address(&self) -> String {
        format!("{}.{}", self.type_name, self.name)
    }

    fn json(&self) -> Json {
        let known = |tree: &Option<Tree>| tree.as_ref().map_or(Json::Null, Tree::known);
        json!({
            "address": self.address(), "mode": "managed", "type": self.type_name, "name": self.name,
            "provider_name": PROVIDER,
            "change": {
                "actions": self.actions,
                "before": known(&self.before),
                "after": known(&self.after),
                "after_unknown": self.after.as_ref().map_or(json!({}), Tree::unknown),
                "before_sensitive": self.before_sensitive,
                "after_sensitive": self.after_sensitive,
            },
        })
    }
}

/// The text of a plan.
pub(crate) fn plan(resources: &[Resource]) -> String {
    plan_with(resources, json!({}), json!({}))
}

/// The text of a plan with changes of outputs and a configuration.
pub(crate) fn plan_with(resources: &[Resource], outputs: Json, configuration: Json) -> String {
    json!({
        "format_version": "1.2", "terraform_version": "1.9.0",
        "resource_changes": resources.iter().map(Resource::json).collect::<Vec<_>>(),
        "output_changes": outputs,
        "configuration": configuration,
        "errored": false, "complete": true, "applyable": true,
    })
    .to_string()
}

/// The text of the provider schemas of resource types with these attributes.
pub(crate) fn schemas(types: &[(&str, &[(&'static str, Kind)])], declared: Declared) -> String {
    let types: Map<String, Json> = types
        .iter()
        .map(|(name, fields)| {
            ((*name).to_owned(), json!({ "version": 0, "block": Kind::block(fields, declared) }))
        })
        .collect();
    json!({ "format_version": "1.0", "provider_schemas": { PROVIDER: { "resource_schemas": types } } })
        .to_string()
}

/// The text of a state in which a resource turned out so.
pub(crate) fn state(resource: &Resource, turned_out: &Tree) -> String {
    json!({
        "format_version": "1.0", "terraform_version": "1.9.0",
        "values": { "root_module": { "resources": [{
            "address": resource.address(), "mode": "managed", "type": resource.type_name, "name": resource.name,
            "provider_name": PROVIDER, "values": turned_out.known(),
            "sensitive_values": resource.after_sensitive,
        }] } },
    })
    .to_string()
}
