//! Compares two plans of one configuration: which changes appeared or vanished, and which values are more or less known.
//!
//! | file | holds |
//! |---|---|
//! | this one | compares the changes of two plans |
//! | `values` | compares two planned values |
//! | `write` | writes the differences as text and as JSON |

mod values;
mod write;

use std::collections::BTreeMap;
use std::fmt;

use crate::mark::Mark;
use crate::path::Path;
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::{Action, Change, Plan, Sensitivity};
use crate::value::Value;

pub use write::DIFFERENCES_FORMAT_VERSION;

/// The differences between two plans: see [`diff`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlanDifferences {
    /// The changes that differ, sorted by address.
    pub changes: Vec<ChangeDifference>,
}

/// A resource or output whose planned change differs between two plans.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChangeDifference {
    /// The address of the resource, or `output.NAME`.
    pub address: String,
    /// The key of the deposed object, if the change is of one.
    pub deposed: Option<String>,
    /// Whether the change appeared, vanished, or is another one.
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
}

/// A part of a planned value that differs between two plans.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ValueDifference {
    /// The part of the value.
    pub path: Path,
    /// Whether it is more known, less known, or another one.
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
    /// Neither: another value, or one of which each plan knows something that the other does not.
    Different,
}

impl fmt::Display for ChangeDifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChangeDifferenceKind::Appeared => "appeared",
            ChangeDifferenceKind::Vanished => "vanished",
            ChangeDifferenceKind::Changed => "changed",
        })
    }
}

impl fmt::Display for ValueDifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValueDifferenceKind::MoreKnown => "more known",
            ValueDifferenceKind::LessKnown => "less known",
            ValueDifferenceKind::Different => "different",
        })
    }
}

/// Compares two plans of one configuration, such as those of yesterday and today.
///
/// Resources are paired by address and deposed key, outputs by name. A resource that a plan leaves as it is has no change in
/// it. What changed outside of the configuration is not compared. A value that is marked in either plan is not compared, so
/// that nothing depends on its content; nor are values where an old format does not say what is sensitive.
///
/// ```
/// use plantime::plan::{Plan, ValueDifferenceKind, diff};
/// use plantime::schema::ProviderSchemas;
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
/// assert!(diff(&second, &second).changes.is_empty());
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn diff(first: &Plan, second: &Plan) -> PlanDifferences {
    let mut pairs: BTreeMap<(String, Option<&str>), [Option<&Change>; 2]> = BTreeMap::new();
    for (key, change) in planned_changes(first) {
        pairs.entry(key).or_default()[0] = Some(change);
    }
    for (key, change) in planned_changes(second) {
        pairs.entry(key).or_default()[1] = Some(change);
    }
    let differences = pairs.into_iter().filter_map(|((address, deposed), [first, second])| {
        let (kind, values) = match (first, second) {
            (None, None) => return None,
            (None, Some(_)) => (ChangeDifferenceKind::Appeared, Vec::new()),
            (Some(_), None) => (ChangeDifferenceKind::Vanished, Vec::new()),
            (Some(first), Some(second)) => {
                let values = planned_value_differences(first, second);
                if first.actions == second.actions && values.is_empty() {
                    return None;
                }
                (ChangeDifferenceKind::Changed, values)
            }
        };
        let actions = |change: Option<&Change>| change.map(|change| change.actions.clone());
        Some(ChangeDifference {
            address,
            deposed: deposed.map(str::to_owned),
            kind,
            first_actions: actions(first).unwrap_or_default(),
            second_actions: actions(second).unwrap_or_default(),
            values,
        })
    });
    PlanDifferences { changes: differences.collect() }
}

/// The changes of a plan that do something, by address and deposed key.
fn planned_changes(plan: &Plan) -> impl Iterator<Item = ((String, Option<&str>), &Change)> {
    let resources = plan
        .resource_changes
        .iter()
        .map(|resource| ((resource.address.clone(), resource.deposed.as_deref()), &resource.change));
    let outputs = plan.output_changes.iter().map(|(name, change)| ((format!("output.{name}"), None), change));
    resources.chain(outputs).filter(|(_, change)| !change.is_no_op())
}

/// The differences between the planned values of two changes.
fn planned_value_differences(first: &Change, second: &Change) -> Vec<ValueDifference> {
    let after = |change: &Change| {
        let value = change.after.clone();
        match change.after_sensitivity {
            Sensitivity::Stated => value,
            Sensitivity::Unstated => value.map(|value| value.mark(Mark::SENSITIVE)),
        }
    };
    // What is marked in one plan is as secret in the other (L5).
    let sides = Change { before: after(first), after: after(second), ..Change::default() };
    let (first, second) = sides_with_common_marks(&sides);
    let mut found = Vec::new();
    match (&first, &second) {
        (Some(first), Some(second)) => values::compare(first, second, &mut found),
        (None, None) => {}
        _ => found.push(ValueDifference {
            path: Path::new(),
            kind: ValueDifferenceKind::Different,
            first: first.clone(),
            second: second.clone(),
        }),
    }
    found
}
