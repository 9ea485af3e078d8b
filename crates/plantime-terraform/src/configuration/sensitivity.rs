//! What derives from sensitive values, without a plan.

use std::sync::Arc;

use super::evaluate::Engine;
use super::files::Files;
use super::tree::Loader;
use super::{Configuration, Inputs};
use plantime_hcl::Diagnostic;
use plantime_schema::ProviderSchemas;

/// What derives from sensitive values, and where that ends: see [`Configuration::sensitivity`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Sensitivity {
    /// The variables, local values, outputs and attributes with something sensitive inside, module by module.
    pub values: Vec<SensitiveValue>,
    /// Where a value is made from a sensitive one and is not sensitive itself.
    pub ends: Vec<SensitivityEnd>,
    /// What Terraform refuses when it plans.
    pub(super) refusals: Vec<Diagnostic>,
}

/// A value with something sensitive inside.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SensitiveValue {
    /// Its name: `module.db.local.dsn`, `output.url`, `aws_db_instance.main.password`.
    pub name: String,
    /// File and line where it is declared.
    pub place: Option<String>,
    /// What makes it sensitive.
    pub origin: SensitiveOrigin,
    /// The position in [`Sensitivity::values`] of the value that it derives from.
    pub via: Option<usize>,
}

/// What makes a value sensitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SensitiveOrigin {
    /// A sensitive value that it refers to.
    Reference,
    /// `sensitive = true` of a variable.
    Variable,
    /// `sensitive = true` of an output.
    Output,
    /// The schema of a resource or data source.
    Schema,
    /// Its own expression, such as a call of `sensitive`.
    Expression,
}

/// A value that is made from a sensitive one and is not sensitive itself.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SensitivityEnd {
    /// The name of the value: `local.hash`.
    pub name: String,
    /// File and line where it is declared.
    pub place: Option<String>,
    /// The position in [`Sensitivity::values`] of the value that it is made from.
    pub of: usize,
    /// Whether its expression calls `nonsensitive`. If not, nothing of the sensitive value is in the result, as where a key
    /// is looked up.
    pub is_by_nonsensitive: bool,
}

impl Configuration {
    /// What derives from sensitive variables and from sensitive attributes of resources, in all modules, before there is a
    /// plan.
    ///
    /// Variables of the root module are unknown, resources are as they are configured and else unknown, with the marks of
    /// their schemas. Each expression is then evaluated with these marks, so a mark goes where Terraform lets it go: through
    /// functions, also hashes, through conditions, into parts of objects, into modules and out of them. Of a resource or
    /// module with more than 64 instances, or an unknown number, references to the instances are not followed.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use std::sync::Arc;
    /// use plantime_terraform::configuration::Configuration;
    ///
    /// let main = r#"
    /// variable "password" { sensitive = true }
    /// locals {
    ///   dsn  = "postgres://app:${var.password}@db"
    ///   hash = sha256(local.dsn)
    ///   size = nonsensitive(length(var.password))
    /// }
    /// output "hash" {
    ///   value     = local.hash
    ///   sensitive = true
    /// }
    /// "#;
    /// let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    /// let found = Configuration::sensitivity(Arc::new(files), None);
    /// let position = found.values.iter().position(|value| value.name == "output.hash").unwrap();
    /// assert_eq!(found.path(position), ["output.hash", "local.hash", "local.dsn", "var.password"]);
    /// assert_eq!((found.ends[0].name.as_str(), found.ends[0].is_by_nonsensitive), ("local.size", true));
    /// ```
    pub fn sensitivity(files: Arc<dyn Files>, schemas: Option<&ProviderSchemas>) -> Sensitivity {
        let mut loader = Loader::for_validation(&*files);
        let root = loader.tree("", &mut Vec::new());
        let missing = loader.missing;
        let Some(root) = root else { return Sensitivity::default() };
        let configuration =
            Configuration { files, root, variables: Default::default(), missing, unread: Vec::new() };
        let inputs = Inputs { schemas, is_validation: true, follows_sensitive: true, ..Inputs::new() };
        Engine::run(&configuration, &inputs).sensitivity()
    }
}

impl Sensitivity {
    /// The names from a value to the one that it derives from in the end; empty if there is no value at the position.
    ///
    /// [Example](Configuration::sensitivity)
    pub fn path(&self, position: usize) -> Vec<&str> {
        let mut names = Vec::new();
        let mut next = Some(position);
        while let Some(value) = next.and_then(|position| self.values.get(position)) {
            // A chain visits each value at most once.
            if names.len() >= self.values.len() {
                break;
            }
            names.push(value.name.as_str());
            next = value.via;
        }
        names
    }
}
