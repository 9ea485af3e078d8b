//! The custom conditions of the configuration, compared with the results that the plan has of them.

use std::collections::HashMap;

use crate::plan::{Check, CheckStatus};

/// The maximum number of conditions of one kind that notes name.
const NAMED: usize = 5;

/// A custom condition of the configuration, evaluated on the planned values with all assumptions.
///
/// The apply evaluates it again, so the assumptions that it rests on need no obligation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CustomCondition {
    /// The kind of block that states it: `validation`, `precondition`, `postcondition`, `assert`.
    pub kind: &'static str,
    /// The kind of object that it is about, as plan JSON writes it: `var`, `resource`, `output_value`, `check`.
    pub object: &'static str,
    /// The address of the object: `aws_vpc.main[0]`, `module.net.var.cidr`, `output.url`, `check.health`.
    pub address: String,
    /// File and line of the condition.
    pub place: String,
    /// Whether it holds; unknown if it depends on unknown values.
    pub status: CheckStatus,
    /// The module's message of a failure, or why it cannot be evaluated; `None` if it is not known or hidden.
    pub message: Option<String>,
    /// The unknown values that an undetermined condition depends on.
    pub depends_on: Vec<String>,
    /// The status of all conditions on the object together in the plan; `None` if the plan has none.
    pub terraform: Option<CheckStatus>,
}

/// Sets the status that the plan has for the object of each condition.
pub(super) fn add_statuses(conditions: &mut [CustomCondition], checks: &[Check]) {
    let instances = checks.iter().flat_map(|check| {
        let of_all = check.instances.is_empty().then(|| ((&*check.kind, &*check.address), &check.status));
        let each = check.instances.iter().map(|one| ((&*check.kind, &*one.address), &one.status));
        of_all.into_iter().chain(each)
    });
    let statuses: HashMap<(&str, &str), &CheckStatus> = instances.collect();
    for condition in conditions {
        let status = statuses.get(&(condition.object, &*condition.address));
        condition.terraform = status.map(|status| (*status).clone());
    }
}

/// Notes on failing, invalid and undetermined conditions, and on conditions that hold although the plan has them as unknown.
/// Statuses that the plan has too are not repeated.
pub(super) fn notes(conditions: &[CustomCondition]) -> Vec<String> {
    let mut notes = Vec::new();
    let of = |status: CheckStatus| {
        let all = conditions.iter().filter(move |condition| condition.status == status);
        all.filter(|condition| condition.terraform.as_ref() != Some(&condition.status))
    };
    let text = |condition: &CustomCondition, says: &str| {
        let CustomCondition { kind, address, place, message, .. } = condition;
        let message = message.as_ref().map_or_else(String::new, |message| format!(": {message}"));
        format!("the {kind} of {address} ({place}) {says}{message}")
    };
    notes.extend(of(CheckStatus::Fail).map(|condition| text(condition, "will fail")));
    notes.extend(of(CheckStatus::Error).map(|condition| text(condition, "cannot be evaluated")));
    let open: Vec<&CustomCondition> =
        conditions.iter().filter(|condition| condition.status == CheckStatus::Unknown).collect();
    for condition in open.iter().take(NAMED) {
        let CustomCondition { kind, address, place, depends_on, .. } = condition;
        let dependencies = match depends_on.as_slice() {
            [] => String::new(),
            some => format!(": it depends on {}", crate::plan::report::render::first_few(some)),
        };
        notes.push(format!("the {kind} of {address} ({place}) is undetermined{dependencies}"));
    }
    if let Some(more) = open.len().checked_sub(NAMED).filter(|more| *more > 0) {
        notes.push(format!("and {more} more conditions of the configuration are undetermined"));
    }
    let decided: Vec<String> = of(CheckStatus::Pass)
        .filter(|condition| condition.terraform == Some(CheckStatus::Unknown))
        .map(|condition| format!("the {} of {} ({})", condition.kind, condition.address, condition.place))
        .collect();
    if !decided.is_empty() {
        let (verb, count) = if decided.len() == 1 { ("holds", 1) } else { ("hold", decided.len()) };
        let named = crate::plan::report::render::first_few(&decided);
        let noun = if count == 1 { "condition" } else { "conditions" };
        notes.push(format!(
            "{count} {noun} that the plan leaves open {verb}, as far as what is assumed does: {named}"
        ));
    }
    notes
}
