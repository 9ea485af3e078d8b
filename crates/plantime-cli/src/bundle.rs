//! The bundled example `network`: plan, schemas, configuration and rules.

use plantime::plan::Source;
use plantime::plan::example;

pub(crate) use plantime::plan::example::{PLAN, PROVIDER_SCHEMAS as SCHEMAS};

/// The text before the report of the bundled example, which says how to check one's own plan.
pub(crate) const INTRODUCTION: &str = "\
No plan given: checking the bundled example `network` (Terraform 1.15.5, stand-in provider) with its rules.
Yours:  terraform show -json tfplan | plantime check - --schemas schemas.json --rules rules.hcl

";

/// The rules file of the bundled example.
pub(crate) fn rules() -> Source {
    Source::new("network/rules.hcl", example::RULES)
}

/// The `*.tf` files of the bundled example.
pub(crate) fn configuration() -> impl Iterator<Item = Source> {
    example::CONFIGURATION.iter().map(|(name, text)| Source::new(format!("network/{name}"), *text))
}
