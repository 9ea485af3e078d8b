//! Compares two plans of one configuration: which changes appeared or vanished, and which values are more or less known.
//!
//! | file | holds |
//! |---|---|
//! | this one | compares the changes of two plans |
//! | `values` | compares two planned values |
//! | `alignment` | pairs the elements of two lists |
//! | `deferred` | compares the changes that are left to a later plan |
//! | `actions` | compares the invocations of actions |
//! | `checks` | compares the results of the configuration's own conditions |
//! | `write` | writes the differences as text and as JSON |

mod actions;
mod alignment;
mod checks;
mod deferred;
mod values;
mod write;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::{Action, ActionTrigger, Change, CheckStatus, Plan, ResourceChange, Sensitivity};
use plantime::{Mark, Path, Value};

pub use write::DIFFERENCES_FORMAT_VERSION;

/// The differences between two plans: see [`diff`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlanDifferences {
    /// The planned changes that differ, sorted by address.
    pub changes: Vec<ChangeDifference>,
    /// The changes made outside of the configuration (drift) that differ, sorted by address.
    pub drift: Vec<ChangeDifference>,
    /// The changes left to a later plan that differ, sorted by address.
    pub deferred: Vec<DeferredDifference>,
    /// The invocations of actions that differ, sorted by address and trigger.
    pub actions: Vec<ActionDifference>,
    /// The results of the configuration's own conditions that differ, sorted by address.
    pub checks: Vec<CheckDifference>,
}

/// A change that is left to a later plan and differs between two plans: only one of them defers it, for another reason, or
/// with another value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeferredDifference {
    /// What differs of the change.
    pub change: ChangeDifference,
    /// Why the first plan defers it, as one of Terraform's constants; `None` if it does not, or does not say why.
    pub first_reason: Option<Box<str>>,
    /// Why the second plan defers it.
    pub second_reason: Option<Box<str>>,
}

/// An invocation of an action that differs between two plans. Invocations are paired by the address of the action and by what
/// invokes it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ActionDifference {
    /// The address of the action, such as `action.aws_lambda_invoke.notify`.
    pub address: String,
    /// What invokes it; `None` if the plan does not say it.
    pub trigger: Option<ActionTrigger>,
    /// Whether the invocation appeared, vanished or changed.
    pub kind: ChangeDifferenceKind,
    /// Why the first plan leaves it to a later one; `None` if it does not.
    pub first_deferred: Option<Box<str>>,
    /// Why the second plan leaves it to a later one; `None` if it does not.
    pub second_deferred: Option<Box<str>>,
    /// The parts of its arguments that differ, if both plans invoke it.
    pub values: Vec<ValueDifference>,
}

impl PlanDifferences {
    /// Whether the two plans have no differences at all.
    ///
    /// [Example](diff)
    pub fn is_empty(&self) -> bool {
        let PlanDifferences { changes, drift, deferred, actions, checks } = self;
        changes.is_empty()
            && drift.is_empty()
            && deferred.is_empty()
            && actions.is_empty()
            && checks.is_empty()
    }
}

/// A result of the configuration's own conditions that differs between two plans.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckDifference {
    /// The address of what was checked: an instance of a resource, an output, a variable or a `check` block.
    pub address: String,
    /// The result in the first plan; `None` if it has none.
    pub first: Option<CheckStatus>,
    /// The result in the second plan; `None` if it has none.
    pub second: Option<CheckStatus>,
}

/// A resource or output whose planned change differs between two plans.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChangeDifference {
    /// The address of the resource, or `output.NAME`; in the second plan, if the resource has moved between both.
    pub address: String,
    /// The address in the first plan, if it is another one.
    pub first_address: Option<String>,
    /// The key of the deposed object, if the change is of one.
    pub deposed: Option<String>,
    /// Whether the change appeared, vanished, changed, or only moved to another address.
    pub kind: ChangeDifferenceKind,
    /// The actions in the first plan; none if it has no such change.
    pub first_actions: Vec<Action>,
    /// The actions in the second plan; none if it has no such change.
    pub second_actions: Vec<Action>,
    /// The parts of the planned value that differ, if both plans have the change.
    pub values: Vec<ValueDifference>,
}

/// How a planned change differs between two plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeDifferenceKind {
    /// Only the second plan changes the resource or output.
    Appeared,
    /// Only the first plan changes the resource or output.
    Vanished,
    /// Both plans change it, in another way.
    Changed,
    /// Both plans change it in the same way, at another address: the resource has moved.
    Moved,
}

/// A part of a planned value that differs between two plans.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ValueDifference {
    /// The part of the value; its place in the second plan, if both have it.
    pub path: Path,
    /// The place of the part in the first plan: an element of a list may have another position there.
    pub first_path: Path,
    /// Whether the part is more known, less known, only moved, or otherwise different.
    pub kind: ValueDifferenceKind,
    /// The part in the first plan; `None` if the value has no such part.
    pub first: Option<Value>,
    /// The part in the second plan; `None` if the value has no such part.
    pub second: Option<Value>,
}

/// How a planned value differs between two plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueDifferenceKind {
    /// The second plan knows more of the same value.
    MoreKnown,
    /// The first plan knows more of the same value.
    LessKnown,
    /// The same element of a list, at a place among the others that is not the same.
    Moved,
    /// The plans have different values, or each knows something of the value that the other does not know.
    Different,
}

impl fmt::Display for ChangeDifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChangeDifferenceKind::Appeared => "appeared",
            ChangeDifferenceKind::Vanished => "vanished",
            ChangeDifferenceKind::Changed => "changed",
            ChangeDifferenceKind::Moved => "moved",
        })
    }
}

impl fmt::Display for ValueDifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValueDifferenceKind::MoreKnown => "more known",
            ValueDifferenceKind::LessKnown => "less known",
            ValueDifferenceKind::Moved => "moved",
            ValueDifferenceKind::Different => "different",
        })
    }
}

/// Compares two plans of one configuration, such as those of yesterday and today.
///
/// Resources are paired by address and deposed key, outputs by name. A resource that one of the plans moves is paired with its
/// previous address in the other. A resource that a plan neither changes nor moves has no change in it. A value that is marked
/// in either plan is not compared, so that nothing depends on its content; nor are values where an old format does not say
/// what is sensitive.
///
/// | in the plans | differences |
/// |---|---|
/// | planned changes of resources and outputs | [`changes`](PlanDifferences::changes) |
/// | what changed outside of the configuration | [`drift`](PlanDifferences::drift) |
/// | changes left to a later plan | [`deferred`](PlanDifferences::deferred), with their reasons |
/// | invocations of actions | [`actions`](PlanDifferences::actions) |
/// | results of conditions | [`checks`](PlanDifferences::checks) |
/// | elements of a list | those that are added, removed, changed or moved; equal ones are paired, wherever they stand |
/// | members of a set that are known | those that only one of the plans has |
///
/// ```
/// use plantime_terraform::plan::{Plan, ValueDifferenceKind, diff};
/// use plantime_schema::ProviderSchemas;
///
/// let plan = |change: &str| {
///     let json = format!(
///         r#"{{"format_version": "1.2", "output_changes": {{"id": {{"actions": ["create"], {change}, "before_sensitive": false,
///              "after_sensitive": false}}}}, "resource_changes": []}}"#
///     );
///     Plan::read(json.as_bytes(), &ProviderSchemas::new())
/// };
/// let (first, second) = (plan(r#""after_unknown": true"#)?, plan(r#""after": "vpc-1", "after_unknown": false"#)?);
/// let differences = diff(&first, &second);
/// assert_eq!(differences.changes[0].address, "output.id");
/// assert_eq!(differences.changes[0].values[0].kind, ValueDifferenceKind::MoreKnown);
/// assert!(diff(&second, &second).is_empty());
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn diff(first: &Plan, second: &Plan) -> PlanDifferences {
    let planned =
        |plan| [planned_resources(plan, |plan| &plan.resource_changes), planned_outputs(plan)].concat();
    let drift = |plan| planned_resources(plan, |plan| &plan.resource_drift);
    PlanDifferences {
        changes: change_differences(&planned(first), &planned(second)),
        drift: change_differences(&drift(first), &drift(second)),
        deferred: deferred::differences(&first.deferred_changes, &second.deferred_changes),
        actions: actions::differences(&first.action_invocations, &second.action_invocations),
        checks: checks::differences(&first.checks, &second.checks),
    }
}

/// The changes in one list of a plan's resources, which `list` selects.
fn planned_resources(plan: &Plan, list: fn(&Plan) -> &Vec<Arc<ResourceChange>>) -> Vec<Planned<'_>> {
    list(plan).iter().map(|resource| Planned::of_resource(resource)).collect()
}

/// The changes of outputs.
fn planned_outputs(plan: &Plan) -> Vec<Planned<'_>> {
    plan.output_changes.iter().map(|(name, change)| Planned::of_output(name, change)).collect()
}

/// A change of a plan, with the addresses and the deposed key by which it is paired with a change of the other plan.
#[derive(Clone)]
struct Planned<'p> {
    address: Cow<'p, str>,
    /// The address before a move.
    previous: Option<&'p str>,
    deposed: Option<&'p str>,
    change: &'p Change,
}

impl<'p> Planned<'p> {
    /// The change of a resource.
    fn of_resource(resource: &'p ResourceChange) -> Planned<'p> {
        Planned {
            address: Cow::Borrowed(&resource.address),
            previous: resource.previous_address.as_deref(),
            deposed: resource.deposed.as_deref(),
            change: &resource.change,
        }
    }

    /// The change of an output, under the address `output.NAME`.
    fn of_output(name: &str, change: &'p Change) -> Planned<'p> {
        Planned { address: Cow::Owned(format!("output.{name}")), previous: None, deposed: None, change }
    }

    /// Whether the plan changes or moves the resource or output.
    fn is_planned(&self) -> bool {
        self.previous.is_some() || !self.change.is_no_op()
    }

    /// The planned address and the deposed key.
    fn key(&self) -> (&str, Option<&'p str>) {
        (&self.address, self.deposed)
    }

    /// The address before the move with the deposed key; `None` if the resource was not moved.
    fn previous_key(&self) -> Option<(&'p str, Option<&'p str>)> {
        self.previous.map(|previous| (previous, self.deposed))
    }
}

/// The changes that differ between two lists, sorted by address.
fn change_differences(first: &[Planned<'_>], second: &[Planned<'_>]) -> Vec<ChangeDifference> {
    type ByKey<'k, 'p> = BTreeMap<(&'k str, Option<&'p str>), &'k Planned<'p>>;
    fn by_key<'k, 'p>(list: &'k [Planned<'p>]) -> ByKey<'k, 'p> {
        list.iter().filter(|one| one.is_planned()).map(|one| (one.key(), one)).collect()
    }
    let (mut left, right) = (by_key(first), by_key(second));
    let moved_to: BTreeMap<_, _> =
        left.values().filter_map(|one| Some((one.previous_key()?, one.key()))).collect();
    let mut found = Vec::new();
    for (key, later) in right {
        // The same address; or that before the move of the second plan; or that after a move which only the first one plans.
        let earlier = left.remove(&key).or_else(|| {
            let keys = [later.previous_key(), moved_to.get(&key).copied()];
            keys.into_iter().flatten().find_map(|key| left.remove(&key))
        });
        found.extend(change_difference(earlier, Some(later)));
    }
    found.extend(left.into_values().filter_map(|earlier| change_difference(Some(earlier), None)));
    found.sort_by(|a, b| (&a.address, &a.deposed).cmp(&(&b.address, &b.deposed)));
    found
}

/// The difference between two changes of one resource or output; `None` if they are the same.
fn change_difference(first: Option<&Planned<'_>>, second: Option<&Planned<'_>>) -> Option<ChangeDifference> {
    let shown = second.or(first)?;
    let mut first_address = None;
    let (kind, values) = match (first, second) {
        (None, _) => (ChangeDifferenceKind::Appeared, Vec::new()),
        (_, None) => (ChangeDifferenceKind::Vanished, Vec::new()),
        (Some(first), Some(second)) => {
            first_address = Some(&first.address).filter(|address| **address != second.address);
            let values = planned_value_differences(first.change, second.change);
            let is_same = first.change.actions == second.change.actions && values.is_empty();
            match (is_same, &first_address) {
                (true, None) => return None,
                (true, Some(_)) => (ChangeDifferenceKind::Moved, values),
                (false, _) => (ChangeDifferenceKind::Changed, values),
            }
        }
    };
    let actions = |one: Option<&Planned<'_>>| one.map(|one| one.change.actions.clone()).unwrap_or_default();
    Some(ChangeDifference {
        address: shown.address.clone().into_owned(),
        first_address: first_address.map(|address| address.clone().into_owned()),
        deposed: shown.deposed.map(str::to_owned),
        kind,
        first_actions: actions(first),
        second_actions: actions(second),
        values,
    })
}

/// The differences between the planned values of two changes.
fn planned_value_differences(first: &Change, second: &Change) -> Vec<ValueDifference> {
    let after = |change: &Change| {
        // What is marked before is as secret after.
        let (_, value) = sides_with_common_marks(change);
        match change.after_sensitivity {
            Sensitivity::Stated => value,
            Sensitivity::Unstated => value.map(|value| value.mark(Mark::SENSITIVE)),
        }
    };
    value_differences(after(first), after(second))
}

/// The differences between two values; `None` is no value.
fn value_differences(first: Option<Value>, second: Option<Value>) -> Vec<ValueDifference> {
    // What is marked in one plan is as secret in the other (L5).
    let sides = Change { before: first, after: second, ..Change::default() };
    let (first, second) = sides_with_common_marks(&sides);
    let mut found = Vec::new();
    match (&first, &second) {
        (Some(first), Some(second)) => values::compare(first, second, &mut found),
        (None, None) => {}
        _ => found.push(ValueDifference {
            path: Path::new(),
            first_path: Path::new(),
            kind: ValueDifferenceKind::Different,
            first: first.clone(),
            second: second.clone(),
        }),
    }
    found
}
