//! Changes in the words and symbols of Terraform's plan.

use super::ChangeCounts;
use crate::plan::{Action, Change, Mode, Plan, ResourceChange};

/// The sentence on a resource change in the words of Terraform's plan: `aws_vpc.main will be created`.
pub(in crate::plan) fn title(resource: &ResourceChange) -> String {
    let change = &resource.change;
    let unknown = change.actions.iter().find(|action| matches!(action, Action::Other(_)));
    if let Some(unknown) = unknown {
        // An action that this version does not know may do anything, so nothing is claimed.
        return format!("{} has an action that is not known here: {}", resource.address, unknown.as_str());
    }
    let what = match change.actions.as_slice() {
        [Action::Create] => "will be created",
        [Action::Read] => "will be read during apply",
        [Action::Update] => "will be updated in-place",
        [Action::Delete] => "will be destroyed",
        [Action::Forget] => "will be removed from the state but will not be destroyed",
        _ if change.is_replacement() => match resource.action_reason.as_deref() {
            Some("replace_because_tainted") => "is tainted, so it must be replaced",
            Some("replace_by_request") => "will be replaced, as requested",
            Some("replace_by_triggers") => "will be replaced due to changes in replace_triggered_by",
            _ => "must be replaced",
        },
        _ if change.importing.is_some() => "will be imported",
        _ => "stays as it is",
    };
    match &resource.deposed {
        Some(key) => format!("{} (deposed object {key}) {what}", resource.address),
        None => format!("{} {what}", resource.address),
    }
}

/// The line that opens a resource in Terraform's plan: `resource "aws_vpc" "main"`.
pub(in crate::plan) fn header(resource: &ResourceChange) -> String {
    let kind = match resource.mode {
        Mode::Data => "data",
        Mode::Ephemeral => "ephemeral",
        Mode::Managed | Mode::Other => "resource",
    };
    format!("{kind} \"{}\" \"{}\"", resource.type_name, resource.name)
}

/// The sentence on an output change: `output.vpc_id will be updated`.
pub(in crate::plan) fn output_title(name: &str, change: &Change) -> String {
    let what = match change.actions.as_slice() {
        [Action::Create] => "will be created",
        [Action::Update] => "will be updated",
        [Action::Delete] => "will be removed",
        _ => "stays as it is",
    };
    format!("output.{name} {what}")
}

/// The symbol of a change in Terraform's plan, such as `+` or `-/+`, padded to three columns.
pub(super) fn symbol(actions: &[Action]) -> &'static str {
    match actions {
        [Action::Create] => "  +",
        [Action::Update] => "  ~",
        [Action::Delete] => "  -",
        [Action::Read] => " <=",
        [Action::Delete, Action::Create] => "-/+",
        [Action::Create, Action::Delete] => "+/-",
        [Action::Forget, Action::Create] => "./+",
        [Action::Forget] => "  .",
        _ if actions.iter().any(|action| matches!(action, Action::Other(_))) => "  ?",
        _ => "   ",
    }
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
