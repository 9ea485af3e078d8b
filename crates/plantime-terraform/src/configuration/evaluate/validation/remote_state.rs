//! What the data source `terraform_remote_state`, which is part of Terraform, checks of its own arguments.

use std::collections::BTreeMap;

use super::super::Engine;
use crate::configuration::module::Resource;
use plantime::{Type, Value, View};
use plantime_hcl::Diagnostic;

/// The types of backends that Terraform has, `oci` from 1.12 on.
const BACKENDS: [&str; 13] = [
    "azurerm",
    "consul",
    "cos",
    "gcs",
    "http",
    "inmem",
    "kubernetes",
    "local",
    "oci",
    "oss",
    "pg",
    "remote",
    "s3",
];

impl Engine<'_> {
    /// Reports a backend that does not exist, and a configuration or defaults that are no objects.
    pub(in crate::configuration::evaluate) fn check_remote_state(
        &self,
        resource: &Resource,
        arguments: &Value,
    ) {
        let report = |name: &str, summary: &str, detail: String| {
            let Some(argument) = resource.block.body.argument(name) else { return };
            let (source, span) = (argument.expression.source(), argument.expression.span());
            self.report(Diagnostic::new(source, span, summary, detail));
        };
        let of = |name: &str| arguments.get_attr(name).map(|value| value.unmark_deep().0);
        let (Ok(backend), Ok(config), Ok(defaults)) = (of("backend"), of("config"), of("defaults")) else {
            return;
        };
        let is_object = |value: &Value| matches!(value.ty(), Type::Object(_) | Type::Map(_) | Type::Dynamic);
        let summary = "Invalid backend configuration";
        match backend.as_str() {
            Ok(name) if !BACKENDS.contains(&name) => {
                report("backend", summary, format!("There is no backend type named {name:?}."));
            }
            _ if config.is_null() => {}
            _ if !config.is_wholly_known() && !is_object(&config) => {
                report("config", summary, "The configuration must be an object value.".to_owned());
            }
            Ok(name) => {
                let invalid = |reason: String| {
                    let detail =
                        format!("The given configuration is not valid for backend {name:?}: {reason}.");
                    report("config", summary, detail);
                };
                let entries: BTreeMap<&str, &Value> = match config.view() {
                    View::Object(object) => object.iter().collect(),
                    View::Map(map) => map.iter().collect(),
                    _ => BTreeMap::new(),
                };
                let own = ["path", "workspace_dir"];
                let unexpected = entries.keys().find(|known| !own.contains(known));
                let is_no_text =
                    |value: &Value| plantime::conversion(&value.ty(), &Type::String.into()).is_none();
                let wrong = own.iter().find(|name| entries.get(*name).is_some_and(|value| is_no_text(value)));
                let path = entries.get("path").and_then(|path| path.as_str().ok());
                match (unexpected, wrong) {
                    _ if !is_object(&config) => invalid("an object is required".to_owned()),
                    _ if name != "local" => {}
                    (Some(unexpected), _) => invalid(format!("unexpected attribute {unexpected:?}")),
                    (None, Some(wrong)) => invalid(format!(".{wrong}: string required")),
                    (None, None) if path == Some("") => {
                        let detail = "The \"path\" attribute value must not be empty.";
                        let (source, span) = (&resource.block.source, resource.block.body_start.clone());
                        self.report(Diagnostic::new(source, span, "Invalid local state file path", detail));
                    }
                    (None, None) => {}
                }
            }
            Err(_) => {}
        }
        if !defaults.is_null() && !is_object(&defaults) {
            let detail = "Defaults must be given in an object value.";
            report("defaults", "Invalid default values", detail.to_owned());
        }
    }
}
