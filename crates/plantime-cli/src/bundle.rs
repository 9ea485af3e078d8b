//! The bundled example `network`: plan, schemas, configuration and rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::source::{Problem, Source};
use plantime_terraform::plan::{Configuration, example};

pub(crate) use plantime_terraform::plan::example::{PLAN, PROVIDER_SCHEMAS as SCHEMAS};

/// The text before the report of the bundled example, which says how to check one's own plan.
pub(crate) const INTRODUCTION: &str = "\
No plan given: checking the bundled example `network` (Terraform 1.15.5, stand-in provider) with its rules.
Yours:  terraform show -json tfplan | plantime check - --schemas schemas.json --rules rules.hcl

";

/// The rules file of the bundled example.
pub(crate) fn rules() -> Source {
    Source::new("network/rules.hcl", example::RULES)
}

/// The configuration of the bundled example.
pub(crate) fn configuration() -> Result<Configuration, Vec<Problem>> {
    let files = example::CONFIGURATION.iter();
    let files: BTreeMap<String, Vec<u8>> =
        files.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    Configuration::open(Arc::new(files), "network/")
}
