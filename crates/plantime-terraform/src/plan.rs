//! Plans, as `terraform show -json` and `tofu show -json` write them.
//!
//! The JSON of a change has three separate trees: the known values, which parts are unknown, and which are sensitive. The
//! types are in the provider's schema. [`Plan::read`] fuses all four into [`Value`]s: known, partly known or unknown of a
//! type, with their marks.
//!
//! ```
//! use plantime_terraform::plan::Plan;
//! use plantime_schema::ProviderSchemas;
//! use plantime::{Type, Value};
//!
//! let json = br#"{"format_version": "1.2", "resource_changes": [{
//!     "address": "random_id.s", "mode": "managed", "type": "random_id", "name": "s", "provider_name": "random",
//!     "change": {"actions": ["create"], "before": null,
//!                "after": {"byte_length": 4}, "after_unknown": {"hex": true}, "after_sensitive": {}}}]}"#;
//! let plan = Plan::read(json, &ProviderSchemas::new())?;
//! let after = plan.resource_changes[0].change.after.as_ref().unwrap();
//! assert_eq!(after.to_string(), "{byte_length = 4, hex = (known after apply)}");
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! | JSON | value |
//! |---|---|
//! | absent in `after`, `true` in `after_unknown` | unknown |
//! | `null` in `after`, `true` at the same position in `after_unknown` | unknown element |
//! | absent in both | null, where the schema has the attribute |
//! | `true` in `after_sensitive`, or sensitive in the schema | marked [`Mark::SENSITIVE`](plantime::Mark::SENSITIVE) |
//! | no schema | arrays are tuples, objects are objects, unknown parts are unknown of unknown type |
//! | does not fit the schema | as without a schema, for that part; [`Plan::notes`] says where |
//!
//! Without a schema a set looks like a list and is read as a tuple. Unknown members of a set may turn out equal, so the
//! length of that tuple is only an upper bound.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::{Path, Result, Type, Value};
use plantime_schema::ProviderSchemas;

mod address;
mod baseline;
mod change;
mod checking;
mod condition;
mod difference;
mod document;
pub mod example;
mod explaining;
mod invocation;
mod knowledge;
mod obligations;
mod options;
mod page;
mod plan_place;
mod planned_values;
mod promises;
mod read;
mod rendering;
mod report;
pub mod rule_tests;
mod rules;
#[cfg(test)]
mod tests;
mod without_plan;
mod words;

pub use address::AddressPattern;
pub use baseline::{Baseline, KnownFailure};
pub use change::{Action, Change, Importing, Mode, ResourceChange, Sensitivity};
pub use checking::custom_conditions::CustomCondition;
pub use checking::replacement::{ForcedBy, ForcesNew, Replacement};
pub use checking::{CheckOptions, check, check_askable, check_with};
pub use condition::{Assertion, Condition, Locals, ModuleNamePattern, Parameters};
pub use difference::{
    ActionDifference, ChangeDifference, ChangeDifferenceKind, CheckDifference, DIFFERENCES_FORMAT_VERSION,
    DeferredDifference, PlanDifferences, ValueDifference, ValueDifferenceKind, diff,
};
pub use document::{PlanDocument, REFINEMENTS_FORMAT_VERSION};
pub use explaining::{EXPLANATION_FORMAT_VERSION, RootCause, RootCauses, explain, root_causes};
pub use invocation::{ActionInvocation, ActionTrigger, DeferredChange};
pub use knowledge::assumption::{Assumption, AssumptionFailure, AssumptionResults, NarrowedPlace};
pub use knowledge::configuration::{Configuration, SourceLine};
pub use knowledge::facts::{ContradictedFact, ProviderFacts};
pub use knowledge::{ContradictedAssumption, Origin};
pub use obligations::verify::{
    Breach, Finding, VERIFICATION_FORMAT_VERSION, Verification, VerificationTotals, Verified,
};
pub use obligations::{
    Expectation, OBLIGATIONS_FORMAT_VERSION, Obligation, Obligations, RemainingRule, UndeterminedTest,
};
pub use options::{Backend, FunctionCall, PlanMode, PlanOptions, StateStoreProvider};
pub use plan_place::PlanPlace;
pub use planned_values::PlannedValues;
pub use promises::{BrokenPromise, Promises};
pub use read::checks::{Check, CheckInstance, CheckStatus};
pub use read::data_sources::DataSource;
pub use read::gap::Gap;
pub use read::references::References;
pub use read::state::{State, StateResource};
pub use read::states::PlanStates;
pub use rendering::{RenderStyle, UnknownDetail};
pub use report::html::HtmlPage;
pub use report::input_error::InputError;
pub use report::json::{REPORT_FORMAT_VERSION, to_json};
pub use report::markdown::text as markdown_text;
pub use report::render::{
    AnswerKind, Colour, DiagnosticStyle, Message, TextStyle, printable, printable_in_line, printable_json,
};
pub use report::sarif::SarifRun;
pub use report::summary::{Summary, summary};
pub use report::{
    AppliedSkip, ChangeCounts, CheckedResource, Failure, PlanReport, Reason, RulesFileCounts, ShownAttribute,
    Side, TestAnswer, TestVerdict, Totals, Unmatched, UnmatchedKind,
};
pub use rules::day::Day;
pub use rules::metadata::{RuleMetadata, RuleSummary};
pub use rules::on_null::OnNull;
pub use rules::pack::RulePack;
pub use rules::rules_file::{NamedRule, PlannedAction, RulesFile, StatedAssumption, Subject, Test};
pub use rules::severity_level::SeverityLevel;
pub use rules::skip::{ExpiredSkip, RuleSkip, SkippedNames};
pub use rules::subject::NamePattern;
pub use without_plan::check_configuration;
pub use words::nearest_name;

/// A plan: the planned change of every resource and output, with what is known of the values.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The version of the JSON format: `0.1`, `0.2` or `1.x`.
    pub format_version: String,
    /// The version of Terraform or OpenTofu that planned.
    pub terraform_version: Option<String>,
    /// Root variables by name; marked where the configuration declares them sensitive.
    pub variables: BTreeMap<String, Value>,
    /// Every resource instance of the plan, in the order of the file.
    pub resource_changes: Vec<Arc<ResourceChange>>,
    /// The addresses of resources with planned values and no change, in a plan in JSON that another tool wrote: no rule is asked
    /// about them.
    pub unlisted_resources: Vec<String>,
    /// The resources that were changed outside of the configuration (drift).
    pub resource_drift: Vec<Arc<ResourceChange>>,
    /// Root outputs by name.
    pub output_changes: BTreeMap<String, Change>,
    /// The types of root outputs, as far as the plan has them.
    pub output_types: BTreeMap<String, Type>,
    /// Changes that are deferred to a later plan.
    pub deferred_changes: Vec<DeferredChange>,
    /// The actions of providers that the apply invokes, and those that are deferred.
    pub action_invocations: Vec<ActionInvocation>,
    /// How the plan was made: mode, targets, backend. Plans in JSON do not say it.
    pub options: PlanOptions,
    /// The calls of providers' functions while planning, in a binary plan of Terraform.
    pub function_calls: Vec<FunctionCall>,
    /// Data sources that were read while planning, from the prior state.
    pub data_sources: Vec<DataSource>,
    /// The results of the configuration's own conditions.
    pub checks: Vec<Check>,
    /// The attributes that contributed to the plan: resource address and path.
    pub relevant_attributes: Vec<(String, Path)>,
    /// When the plan was made.
    pub timestamp: Option<String>,
    /// Whether planning ended with an error.
    pub errored: Option<bool>,
    /// Whether the plan covers the whole configuration.
    pub complete: Option<bool>,
    /// Whether the plan can be applied.
    pub applyable: Option<bool>,
    /// The references between the resources of the configuration. A binary plan has the configuration itself instead.
    pub references: References,
    /// The provider schemas that a binary plan of OpenTofu contains, reduced to what the plan needs; empty for other plans.
    pub schemas: ProviderSchemas,
    /// The files of the configuration that a binary plan has inside, by name: `tfconfig/m-/main.tf` is `main.tf` of the root
    /// module, `tfconfig/modules.json` tells where the other modules come from. Empty for plans in JSON.
    pub configuration_files: BTreeMap<String, String>,
    /// The places where the plan does not fit the schemas.
    pub notes: Vec<Note>,
    /// Whether this is no plan but a configuration as it is written, which [`check_configuration`] makes one of.
    pub is_configuration: bool,
    /// The number of module calls of the configuration whose source is not there; 0 for a plan, which has all resources.
    pub missing_modules: usize,
}

/// A place where a plan or state does not fit the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The resource, data source or output (`output.NAME`).
    pub address: String,
    /// The path of the place in the value of that resource, data source or output.
    pub path: Path,
    /// What does not fit. Never shows the content of values.
    pub message: String,
}

impl Plan {
    /// Reads a plan in JSON, of format 0.1, 0.2 or 1.x, into values with the types of these schemas.
    ///
    /// Numbers keep every digit. Unknown properties are ignored; [`PlanDocument`] keeps them.
    ///
    /// | property | here |
    /// |---|---|
    /// | `resource_changes`, `resource_drift`, `output_changes`, `deferred_changes`, `relevant_attributes`, `checks`, `timestamp`, `errored`, `complete`, `applyable` | the field of that name, every property of a change included |
    /// | `action_invocations`, `deferred_action_invocations` | [`action_invocations`](Plan::action_invocations) |
    /// | `variables` | [`variables`](Plan::variables) |
    /// | `planned_values` | [`output_types`](Plan::output_types), [`unlisted_resources`](Plan::unlisted_resources); all else repeats the changes |
    /// | `prior_state` | [`data_sources`](Plan::data_sources); all of it as [`PlanStates`] |
    /// | `configuration` | [`references`](Plan::references) and what is sensitive; all else is in the [`PlanDocument`] |
    ///
    /// ```
    /// use plantime_terraform::plan::{Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
    /// let plan = Plan::read(example::PLAN, &schemas)?;
    /// let subnet = plan.resource_change("aws_subnet.main[\"data\"]").unwrap();
    /// assert_eq!(&*subnet.type_name, "aws_subnet");
    /// assert!(!subnet.change.after.as_ref().unwrap().is_wholly_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not JSON, is no plan, or has another major version; for limits see
    /// [`limits`](plantime::limits). Syntax errors end with line and column, the error's path leads to the place.
    pub fn read(text: &[u8], schemas: &ProviderSchemas) -> Result<Plan> {
        read::read_plan(text, schemas)
    }

    /// Reads a binary plan, the file that `terraform plan -out=FILE` writes, into values with the types of these schemas.
    ///
    /// It has more than the JSON that `terraform show -json` makes of it: what is known of unknown values, such as that an
    /// id is not null or begins with `vpc-`, and the configuration. It has no schemas: without those that are given, arrays
    /// are tuples, maps are objects, and unknowns are of unknown type unless their refinement tells.
    ///
    /// | in the file | here |
    /// |---|---|
    /// | changes, drift, outputs, checks, data sources of the state | as in a plan in JSON |
    /// | refinements of unknowns | kept |
    /// | deferred changes, invocations of actions | as in a plan in JSON |
    /// | mode, `-target`, `-exclude`, `-replace`, variables of the apply, backend or state store | [`options`](Plan::options) |
    /// | calls of providers' functions | [`function_calls`](Plan::function_calls) |
    /// | the states before and after the refresh | [`PlanStates`]; their data sources here |
    /// | private data of providers, the execution graph of OpenTofu | skipped |
    /// | schemas (OpenTofu) | [`schemas`](Plan::schemas), for the providers that are not among the given schemas |
    /// | `tfconfig/` | [`configuration_files`](Plan::configuration_files) |
    /// | root variables | marked sensitive, unless the configuration declares them and not as sensitive |
    /// | `complete`, `applyable` | absent for OpenTofu, and for Terraform before 1.8 |
    ///
    /// Recorded plans of Terraform 1.6, 1.11 and 1.15 are read in tests; OpenTofu's by its definition of the format.
    ///
    /// # Errors
    ///
    /// When the bytes are no zip archive, are damaged, unpack to far more than they have, have a change of more than 32
    /// MiB inside, hold a plan of another version than 3, or are the bookmark of a plan that is stored elsewhere or
    /// encrypted; for limits see [`limits`](plantime::limits).
    ///
    /// ```
    /// use plantime_terraform::plan::Plan;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let error = Plan::read_binary(b"{\"remote_plan_format\":1}", &ProviderSchemas::new()).unwrap_err();
    /// assert!(error.to_string().contains("stored in HCP Terraform"));
    /// ```
    pub fn read_binary(bytes: &[u8], schemas: &ProviderSchemas) -> Result<Plan> {
        read::binary::read_binary_plan(bytes, schemas)
    }

    /// Whether bytes begin as a binary plan does, so that [`read_binary`](Plan::read_binary) reads them.
    ///
    /// ```
    /// use plantime_terraform::plan::{Plan, example};
    ///
    /// assert!(!Plan::is_binary(example::PLAN));
    /// assert!(Plan::is_binary(b"PK\x03\x04 and the rest of a zip archive"));
    /// ```
    pub fn is_binary(bytes: &[u8]) -> bool {
        read::binary::is_binary_plan(bytes)
    }

    /// These schemas, and those that the plan has inside for other providers.
    ///
    /// ```
    /// use plantime_terraform::plan::{Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
    /// let plan = Plan::read(example::PLAN, &schemas)?;
    /// // A plan in JSON has none.
    /// assert_eq!(plan.schemas_with(&schemas), schemas);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn schemas_with(&self, given: &ProviderSchemas) -> ProviderSchemas {
        let mut all = given.clone();
        for (address, provider) in &self.schemas.providers {
            // A provider has the same types in every registry.
            if given.provider(address).is_none() {
                all.providers.insert(address.clone(), provider.clone());
            }
        }
        all
    }

    /// The change of the resource instance at an address.
    ///
    /// ```
    /// use plantime_terraform::plan::{Action, Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(example::PLAN, &ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?)?;
    /// let vpc = plan.resource_change("aws_vpc.main").unwrap();
    /// assert!(vpc.change.has_action(&Action::Create));
    /// assert!(plan.resource_change("aws_vpc.other").is_none());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn resource_change(&self, address: &str) -> Option<&ResourceChange> {
        self.resource_changes.iter().find(|change| change.address == address).map(|change| &**change)
    }
}
