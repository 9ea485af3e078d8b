//! What a plan leaves out of the configuration.

use std::fmt;

use crate::plan::Plan;

/// Why a plan does not speak of the whole configuration, so that rules that passed may not have seen what breaks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Gap {
    /// Planning ended with an error: resources may be missing, and the plan cannot be applied.
    Errored,
    /// The plan covers only a part of the configuration, as with `-target`.
    Incomplete,
    /// This number of changes is left to a later plan.
    Deferred(usize),
    /// The plan has changes, and says that it cannot be applied.
    NotApplyable,
    /// There is no plan: the configuration is checked as it is written. It leaves nothing out of the configuration.
    NoPlan,
    /// This number of module calls has no source here: no rule is asked about their resources.
    MissingModules(usize),
    /// This number of resources has planned values and no change: no rule is asked about them.
    Unlisted(usize),
}

impl Gap {
    /// The word of a report in JSON: `errored`, `incomplete`, `deferred`, `not_applyable`, `no_plan`, `missing_modules`, `unlisted`.
    ///
    /// [Example](Plan::gaps)
    pub fn word(self) -> &'static str {
        match self {
            Gap::Errored => "errored",
            Gap::Incomplete => "incomplete",
            Gap::Deferred(_) => "deferred",
            Gap::NotApplyable => "not_applyable",
            Gap::NoPlan => "no_plan",
            Gap::MissingModules(_) => "missing_modules",
            Gap::Unlisted(_) => "unlisted",
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Errored => {
                f.write_str("planning ended with an error: resources may be missing from this plan")
            }
            Gap::Incomplete => f.write_str("the plan is incomplete: it is of a part of the configuration"),
            Gap::Deferred(1) => f.write_str("1 change is deferred to a later plan"),
            Gap::Deferred(count) => write!(f, "{count} changes are deferred to a later plan"),
            Gap::NotApplyable => f.write_str("the plan cannot be applied as it is"),
            Gap::NoPlan => f.write_str(
                "no plan was made: the configuration is checked as it is written, and rules about changes are not asked",
            ),
            Gap::MissingModules(1) => f.write_str(
                "1 module call has no source here: no rule is asked about its resources",
            ),
            Gap::MissingModules(count) => {
                write!(f, "{count} module calls have no source here: no rule is asked about their resources")
            }
            Gap::Unlisted(1) => f.write_str(
                "1 resource of planned_values is not in resource_changes: no rule is asked about it",
            ),
            Gap::Unlisted(count) => write!(
                f,
                "{count} resources of planned_values are not in resource_changes: no rule is asked about them"
            ),
        }
    }
}

impl Plan {
    /// What the plan leaves out of the configuration. Formats that do not say it have no gaps.
    ///
    /// ```
    /// use plantime_terraform::plan::{Gap, Plan};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let json = br#"{"format_version": "1.2", "resource_changes": [], "errored": true}"#;
    /// let plan = Plan::read(json, &ProviderSchemas::new())?;
    /// assert_eq!(plan.gaps(), [Gap::Errored]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn gaps(&self) -> Vec<Gap> {
        let mut gaps = Vec::new();
        if self.is_configuration {
            gaps.push(Gap::NoPlan);
        }
        if self.missing_modules > 0 {
            gaps.push(Gap::MissingModules(self.missing_modules));
        }
        if self.errored == Some(true) {
            gaps.push(Gap::Errored);
        }
        if self.complete == Some(false) && self.deferred_changes.is_empty() && self.errored != Some(true) {
            gaps.push(Gap::Incomplete);
        }
        if !self.deferred_changes.is_empty() {
            gaps.push(Gap::Deferred(self.deferred_changes.len()));
        }
        let has_changes = self.resource_changes.iter().any(|change| !change.change.is_no_op());
        if self.applyable == Some(false) && has_changes && gaps.is_empty() {
            gaps.push(Gap::NotApplyable);
        }
        if !self.unlisted_resources.is_empty() {
            gaps.push(Gap::Unlisted(self.unlisted_resources.len()));
        }
        gaps
    }
}
