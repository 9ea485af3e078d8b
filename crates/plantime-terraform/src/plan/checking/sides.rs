//! Which side of a change a rule is about: the planned value, or the one before it.

use std::collections::BTreeMap;

use crate::plan::report::Side;
use crate::plan::rules::rules_file::{NamedRule, PlannedAction};
use crate::plan::{Change, Plan, ResourceChange};
use plantime::Value;

/// The events of resources that are not actions of their change: which ones drifted.
pub(super) struct ChangeEvents<'p> {
    /// The changes of the drifted resources, by address.
    drifted: BTreeMap<&'p str, &'p ResourceChange>,
}

impl<'p> ChangeEvents<'p> {
    /// Collects the addresses of the drifted resources of a plan.
    pub(super) fn new(plan: &'p Plan) -> ChangeEvents<'p> {
        ChangeEvents {
            drifted: plan.resource_drift.iter().map(|drift| (drift.address.as_str(), &**drift)).collect(),
        }
    }

    /// What was changed outside of the configuration.
    pub(super) fn drift(&self, address: &str) -> Option<&'p ResourceChange> {
        self.drifted.get(address).copied()
    }

    /// The sides (planned or prior value) of a resource's change that a rule is evaluated on; none if the change has
    /// none of the rule's actions.
    ///
    /// | `actions` | of a change that has the action |
    /// |---|---|
    /// | none | the planned value, where there is one |
    /// | `delete`, `forget` | the value before: the object that goes |
    /// | any other | the planned value; the one before where nothing is planned |
    pub(super) fn evaluated_sides(&self, rule: &NamedRule, resource: &ResourceChange) -> Vec<Side> {
        let moved = resource.previous_address.as_ref().is_some_and(|before| **before != *resource.address);
        let drifted = self.drifted.contains_key(resource.address.as_str());
        let is_value = |value: &Option<Value>| value.as_ref().is_some_and(|value| !value.is_null());
        let has = [is_value(&resource.change.after), is_value(&resource.change.before)];
        sides_for_actions(rule, has, |action| match action {
            PlannedAction::Move => moved,
            PlannedAction::Import => resource.change.importing.is_some(),
            PlannedAction::Drift => drifted,
            action => action.matches(&resource.change.actions),
        })
    }
}

/// The sides (planned or prior value) of an output's change that a rule is evaluated on. Unlike for resources, a null
/// is a value of an output.
pub(super) fn output_sides(rule: &NamedRule, change: &Change) -> Vec<Side> {
    let has = [change.after.is_some(), change.before.is_some()];
    sides_for_actions(rule, has, |action| action.matches(&change.actions))
}

/// The sides that a rule with these actions is evaluated on. `has` says whether there is a planned and a prior value,
/// `is_planned` whether the change has an action.
fn sides_for_actions(
    rule: &NamedRule,
    has: [bool; 2],
    is_planned: impl Fn(PlannedAction) -> bool,
) -> Vec<Side> {
    let [planned, prior] = has;
    let has = |side: &Side| if *side == Side::Planned { planned } else { prior };
    let mut sides = Vec::new();
    if rule.actions.is_empty() {
        sides.push(Side::Planned);
    }
    for action in rule.actions.iter().copied().filter(|action| is_planned(*action)) {
        sides.push(match action {
            PlannedAction::Delete | PlannedAction::Forget => Side::Prior,
            _ if has(&Side::Planned) => Side::Planned,
            _ => Side::Prior,
        });
    }
    sides.sort();
    sides.dedup();
    sides.retain(has);
    sides
}
