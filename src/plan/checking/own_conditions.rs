//! The conditions that the modules of the configuration state themselves, beside what Terraform said of them in the plan.

use std::collections::HashMap;

use crate::plan::{Check, CheckStatus};

/// The maximum number of conditions of one kind that notes name.
const NAMED: usize = 5;

/// A condition of the configuration, evaluated on the planned values with all that is assumed of them.
///
/// The apply evaluates it again, so that what it rests on needs no obligation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OwnCondition {
    /// The kind of block that states it: `validation`, `precondition`, `postcondition`, `assert`.
    pub kind: &'static str,
    /// What it is about: `aws_vpc.main[0]`, `module.net.var.cidr`, `output.url`, `check.health`.
    pub address: String,
    /// File and line of the condition.
    pub place: String,
    /// Whether it holds; unknown if it hangs on unknown values.
    pub status: CheckStatus,
    /// The module's message of a failure, or why it cannot be evaluated; `None` if it is not known or hidden.
    pub message: Option<String>,
    /// The unknown values that an undetermined condition waits for.
    pub waits_for: Vec<String>,
    /// What Terraform said of all conditions of this kind on this object; `None` if the plan does not say.
    pub terraform: Option<CheckStatus>,
}

/// Adds to each condition what the plan says of it.
pub(super) fn add_statuses(conditions: &mut [OwnCondition], checks: &[Check]) {
    let instances = checks.iter().flat_map(|check| {
        let of_all = check.instances.is_empty().then(|| ((&*check.kind, &*check.address), &check.status));
        let each = check.instances.iter().map(|one| ((&*check.kind, &*one.address), &one.status));
        of_all.into_iter().chain(each)
    });
    let statuses: HashMap<(&str, &str), &CheckStatus> = instances.collect();
    for condition in conditions {
        let name = condition.address.rsplit_once("output.").map(|(before, _)| before);
        let is_output = name.is_some_and(|before| before.is_empty() || before.ends_with('.'));
        let kind = match condition.kind {
            "validation" => "var",
            "assert" => "check",
            "precondition" if is_output => "output_value",
            _ => "resource",
        };
        condition.terraform = statuses.get(&(kind, &*condition.address)).map(|status| (*status).clone());
    }
}

/// Notes on the conditions of which the plan does not say the same already.
pub(super) fn notes(conditions: &[OwnCondition]) -> Vec<String> {
    let mut notes = Vec::new();
    let of = |status: CheckStatus| {
        let all = conditions.iter().filter(move |condition| condition.status == status);
        all.filter(|condition| condition.terraform.as_ref() != Some(&condition.status))
    };
    let text = |condition: &OwnCondition, says: &str| {
        let OwnCondition { kind, address, place, message, .. } = condition;
        let message = message.as_ref().map_or_else(String::new, |message| format!(": {message}"));
        format!("the {kind} of {address} ({place}) {says}{message}")
    };
    notes.extend(of(CheckStatus::Fail).map(|condition| text(condition, "will fail")));
    notes.extend(of(CheckStatus::Error).map(|condition| text(condition, "cannot be evaluated")));
    let open: Vec<&OwnCondition> =
        conditions.iter().filter(|condition| condition.status == CheckStatus::Unknown).collect();
    for condition in open.iter().take(NAMED) {
        let OwnCondition { kind, address, place, waits_for, .. } = condition;
        let waits = match waits_for.as_slice() {
            [] => String::new(),
            some => format!(": it waits for {}", crate::plan::report::render::first_few(some)),
        };
        notes.push(format!("the {kind} of {address} ({place}) is undetermined{waits}"));
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
