//! The conditions of modules, against what Terraform said of them in its plans.

use std::collections::BTreeMap;

use plantime_terraform::configuration::{Condition, ConditionVerdict};
use plantime_terraform::plan::CheckStatus;

use super::recorded::roots;

/// The status that our verdicts on one object give: a failure or error decides, then what is open.
fn status(conditions: &[&Condition]) -> CheckStatus {
    let has =
        |wanted: fn(&ConditionVerdict) -> bool| conditions.iter().any(|condition| wanted(&condition.verdict));
    match () {
        () if has(|verdict| matches!(verdict, ConditionVerdict::Invalid(_))) => CheckStatus::Error,
        () if has(|verdict| *verdict == ConditionVerdict::Fail) => CheckStatus::Fail,
        () if has(|verdict| *verdict == ConditionVerdict::Undetermined) => CheckStatus::Unknown,
        () => CheckStatus::Pass,
    }
}

/// Where core decided, we say the same; where it did not, we may.
#[test]
fn conditions_agree_with_terraform() {
    let (mut decided, mut more, mut open, mut wrong, mut missing) =
        (0, Vec::new(), 0, Vec::new(), Vec::new());
    let mut unexplained = Vec::new();
    for root in roots() {
        let Some(configuration) = root.read() else { continue };
        let values = root.plan.planned_values();
        let inputs = root.inputs().known(&values);
        let evaluation = configuration.evaluate(&inputs);
        let conditions = evaluation.conditions();
        let mut ours: BTreeMap<(&str, &str), Vec<&Condition>> = BTreeMap::new();
        for condition in &conditions {
            ours.entry((condition.object.name(), &condition.address)).or_default().push(condition);
            if condition.verdict == ConditionVerdict::Undetermined && condition.depends_on.is_empty() {
                unexplained.push(format!("{}: {} {}", root.name, condition.address, condition.origin));
            }
        }
        for check in &root.plan.checks {
            for instance in &check.instances {
                let place = format!("{}: {} {}", root.name, check.kind, instance.address);
                let Some(found) = ours.get(&(check.kind.as_str(), instance.address.as_str())) else {
                    missing.push(place);
                    continue;
                };
                match (&instance.status, status(found)) {
                    (CheckStatus::Unknown, CheckStatus::Unknown) => open += 1,
                    (CheckStatus::Unknown, ours) => more.push(format!("{place}: {ours:?}")),
                    (core, ours) if *core == ours => decided += 1,
                    (core, ours) => wrong.push(format!("{place}: {core:?}, not {ours:?}: {found:#?}")),
                }
            }
        }
    }
    println!("{decided} decided alike, {open} open in both, {} decided by us alone: {more:#?}", more.len());
    println!("missing: {missing:#?}\nundetermined without a reason: {unexplained:#?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(missing.is_empty() && unexplained.is_empty());
}
