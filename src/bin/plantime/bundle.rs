//! The example `network`, embedded: plan, schemas, configuration and rules.

use plantime::plan::Source;

pub(crate) const PLAN: &str = include_str!("../../../tests/data/network/plan.json");
pub(crate) const SCHEMAS: &str = include_str!("../../../tests/data/network/provider-schemas.json");
const RULES: &str = include_str!("../../../tests/data/network/rules.hcl");
const CONFIG: &[(&str, &str)] = &[
    ("network/main.tf", include_str!("../../../tests/data/network/config/step2/main.tf")),
    ("network/outputs.tf", include_str!("../../../tests/data/network/config/step2/outputs.tf")),
    ("network/variables.tf", include_str!("../../../tests/data/network/config/step2/variables.tf")),
    ("network/versions.tf", include_str!("../../../tests/data/network/config/step2/versions.tf")),
];

pub(crate) const INTRODUCTION: &str = "\
No plan given: checking the bundled example `network` (Terraform 1.15.5, stand-in provider) with its rules.
Yours:  terraform show -json tfplan | plantime check - --schemas schemas.json --rules rules.hcl

";

pub(crate) fn rules() -> Source {
    Source::new("network/rules.hcl", RULES)
}

pub(crate) fn configuration() -> impl Iterator<Item = Source> {
    CONFIG.iter().map(|(name, text)| Source::new(*name, *text))
}
