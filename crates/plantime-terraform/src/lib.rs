//! Plans and configurations of Terraform and OpenTofu, on values that may not be known yet.
//!
//! | you want | look at |
//! |---|---|
//! | plans and states, rules files, reports, obligations | [`plan`] |
//! | root modules: read, evaluated, checked without a plan | [`configuration`] |
//!
//! ```
//! use plantime::source::Source;
//! use plantime_schema::ProviderSchemas;
//! use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check, example};
//!
//! let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
//! let plan = Plan::read(example::PLAN, &schemas)?;
//! let rules = RulesFile::read(Source::new("rules.hcl", example::RULES)).unwrap();
//! let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
//! let report = check("plan.json", &plan, &against).unwrap();
//! assert!(report.totals().pass > 0 && report.totals().fail > 0 && report.totals().undetermined > 0);
//! # Ok::<(), plantime::Error>(())
//! ```

pub mod configuration;
mod json;
pub mod plan;

/// Runs the examples of the README as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
