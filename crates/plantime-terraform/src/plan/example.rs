//! The plan of the examples in this documentation, which the command checks when it is given none.
//!
//! A made-up network with subnets, servers and databases, planned by Terraform 1.15.5 with stand-in providers.
//!
//! ```
//! use plantime_terraform::plan::{Plan, example};
//! use plantime_schema::ProviderSchemas;
//!
//! let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
//! let plan = Plan::read(example::PLAN, &schemas)?;
//! assert_eq!(plan.resource_changes.len(), 22);
//! # Ok::<(), plantime::Error>(())
//! ```

/// The plan, as `terraform show -json` wrote it.
pub const PLAN: &[u8] = include_bytes!("../../examples/network/plan.json");

/// The schemas of its providers, as `terraform providers schema -json` wrote them.
pub const PROVIDER_SCHEMAS: &[u8] = include_bytes!("../../examples/network/provider-schemas.json");

/// The [`Obligations`](super::Obligations) that a check of the plan leaves.
pub const OBLIGATIONS: &[u8] = include_bytes!("../../examples/network/obligations.json");

/// The state after the apply, as `terraform show -json` wrote it; edited so that it breaks two obligations.
pub const STATE_AFTER: &[u8] = include_bytes!("../../examples/network/state-after.json");

/// A rules file for the plan, whose rules give all three answers.
pub const RULES: &str = include_str!("../../examples/network/rules.hcl");

/// Tests of these rules: the plan of the example with its files, planned values, and a configuration.
pub const TESTS: &str = include_str!("../../examples/network/network.test.hcl");

/// The configuration that was planned: the path and the text of each file, those of its modules included.
pub const CONFIGURATION: &[(&str, &str)] = &[
    ("main.tf", include_str!("../../examples/network/config/step2/main.tf")),
    ("outputs.tf", include_str!("../../examples/network/config/step2/outputs.tf")),
    ("variables.tf", include_str!("../../examples/network/config/step2/variables.tf")),
    ("versions.tf", include_str!("../../examples/network/config/step2/versions.tf")),
    ("user-data.sh.tftpl", include_str!("../../examples/network/config/step2/user-data.sh.tftpl")),
    ("modules/bucket/main.tf", include_str!("../../examples/network/config/step2/modules/bucket/main.tf")),
    (
        "modules/flow_logs/main.tf",
        include_str!("../../examples/network/config/step2/modules/flow_logs/main.tf"),
    ),
];
