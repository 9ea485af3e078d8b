//! Changes in the words and symbols of Terraform's plan.

use super::ChangeCounts;
use crate::plan::words::action_words;
use crate::plan::{Action, Change, Mode, Plan, ResourceChange};

/// The sentence on a resource change in the words of Terraform's plan: `aws_vpc.main will be created`.
pub(in crate::plan) fn title(resource: &ResourceChange) -> String {
    let what = match resource.change.actions.as_slice() {
        [Action::Forget] => "will be removed from the state but will not be destroyed".to_owned(),
        _ => {
            let (before, highlighted, after) = action_words(resource);
            format!("{before}{highlighted}{after}")
        }
    };
    match &resource.deposed {
        Some(key) => format!("{} (deposed object {key}) {what}", resource.address),
        None => format!("{} {what}", resource.address),
    }
}

/// The sentence on an output change: `output.vpc_id will be updated`.
pub(in crate::plan) fn output_title(name: &str, change: &Change) -> String {
    let what = match change.actions.as_slice() {
        [Action::Create] => "will be created",
        [Action::Update] => "will be updated",
        [Action::Delete] => "will be removed",
        [Action::Configured] => "is configured",
        _ => "stays as it is",
    };
    format!("output.{name} {what}")
}

/// How many managed resources the plan creates, updates and deletes.
pub(in crate::plan) fn change_counts(plan: &Plan) -> ChangeCounts {
    let managed = || plan.resource_changes.iter().filter(|resource| resource.mode == Mode::Managed);
    let with = |action: &Action| managed().filter(|resource| resource.change.has_action(action)).count();
    let is_change = |change: &&Change| !change.is_no_op();
    ChangeCounts {
        add: with(&Action::Create),
        change: with(&Action::Update),
        destroy: with(&Action::Delete),
        outputs: plan.output_changes.values().filter(is_change).count(),
    }
}
