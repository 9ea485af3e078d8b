//! What is known of the planned values of a plan: the plan, then assumptions, then the configuration.

use std::collections::BTreeMap;

use super::assumption::{self, Assumed};
use super::rule_set::RuleSet;
use super::source::Position;
use super::{Mode, Plan, ResourceChange};
use crate::path::{Path, Step};
use crate::schema::{ProviderSchemas, Schema};
use crate::value::{Value, View};

/// A resource of the plan, with what is known of its planned value by now.
pub(crate) struct Planned<'p> {
    pub(crate) change: &'p ResourceChange,
    /// As the plan has it.
    pub(crate) raw: &'p Value,
    pub(crate) after: Value,
    pub(crate) before: Option<Value>,
    /// Where the knowledge of a place comes from.
    pub(crate) origins: BTreeMap<Path, Origin>,
}

/// Where knowledge comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An assumption, and where it stands in the rules file.
    Assumed(Position),
    /// A reference in the configuration: `aws_vpc.main.id`.
    From(String),
    /// A template in the configuration: file and line.
    Written(String),
}

/// An assumption that the plan contradicts.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradicted {
    /// Where the assumption stands; nowhere where the configuration contradicts the plan by itself.
    pub position: Option<Position>,
    /// The resource.
    pub address: String,
    /// The place in it.
    pub path: Path,
    /// What contradicts what.
    pub message: String,
}

/// What came of the assumptions.
#[derive(Debug, Default)]
pub(crate) struct Applied {
    pub(crate) contradicted: Vec<Contradicted>,
    /// Assumptions that no resource matches.
    pub(crate) unmatched: Vec<Position>,
    /// Mistakes: a place that a resource does not have, a refinement of another kind.
    pub(crate) misused: Vec<(Position, String)>,
    /// Assumptions that say nothing, since the type of their value is not known.
    pub(crate) untyped: Vec<(Position, String)>,
}

/// The resources that leave a planned value.
pub(crate) fn planned(plan: &Plan) -> Vec<Planned<'_>> {
    let changes = plan.resource_changes.iter();
    let with_after = changes.filter_map(|change| {
        let raw = change.change.after.as_ref()?;
        let before = change.change.before.clone().filter(|before| !before.is_null());
        Some(Planned { change, raw, after: raw.clone(), before, origins: BTreeMap::new() })
    });
    with_after.filter(|planned| !planned.raw.is_null()).collect()
}

/// The schema of a resource.
pub(crate) fn schema<'s>(schemas: &'s ProviderSchemas, change: &ResourceChange) -> Option<&'s Schema> {
    match change.mode {
        Mode::Managed => schemas.resource(&change.provider_name, &change.type_name),
        Mode::Data => schemas.data_source(&change.provider_name, &change.type_name),
        Mode::Ephemeral | Mode::Other => None,
    }
}

/// Applies every assumption to every resource that it is about.
pub(crate) fn assume(planned: &mut [Planned<'_>], rules: &RuleSet) -> Applied {
    let mut applied = Applied::default();
    for (index, stated) in rules.assumptions.iter().enumerate() {
        let (assumption, position) = (&stated.assumption, stated.position);
        let mut matched = false;
        for resource in planned.iter_mut().filter(|resource| assumption.target.matches(resource.change)) {
            matched = true;
            let mut assumed = Assumed::default();
            let address = &resource.change.address;
            assumption::assume(assumption, index, address, &mut resource.after, &mut assumed);
            for narrowed in assumed.narrowed {
                resource.origins.insert(narrowed.path, Origin::Assumed(position));
            }
            for failure in assumed.failures {
                if failure.error.is_contradiction() {
                    applied.contradicted.push(Contradicted {
                        position: Some(position),
                        address: address.clone(),
                        path: by_position(&failure.path, &resource.after),
                        message: failure.error.message().to_owned(),
                    });
                } else if failure.error.needs_type() {
                    let message =
                        format!("the type of {address}.{} is not known: schemas tell it", failure.path);
                    if !applied.untyped.iter().any(|(known, _)| *known == position) {
                        applied.untyped.push((position, message));
                    }
                } else {
                    let error = failure.error.at(failure.path);
                    applied.misused.push((position, format!("{address}: {error}")));
                }
            }
        }
        if !matched {
            applied.unmatched.push(position);
        }
    }
    applied
}

/// How many places of a value are not known: where a whole part is unknown, that part is one.
pub(crate) fn unknowns(value: &Value) -> usize {
    let mut count: usize = 0;
    value.walk(|_, part| {
        if !part.is_known() {
            count = count.saturating_add(1);
        }
        !part.is_wholly_known()
    });
    count
}

/// The path with members of sets named by their position: a member itself is no place that a person could find.
pub(crate) fn by_position(path: &Path, root: &Value) -> Path {
    let mut named = Path::new();
    let mut here = root.clone();
    for step in path.steps() {
        let (bare, _) = here.clone().unmark();
        let position = match (bare.view(), step) {
            (View::Set(set), Step::Index(member)) => {
                let (member, _) = member.unmark_deep();
                set.iter().position(|one| one.unmark_deep().0 == member).map(|at| (Step::index(at), member))
            }
            _ => None,
        };
        match position {
            Some((step, member)) => {
                named.push(step);
                here = member;
            }
            None => {
                let mut one = Path::new();
                one.push(step.clone());
                here = here.get(&one).unwrap_or_else(|_| Value::dynamic());
                named.push(step.clone());
            }
        }
    }
    named
}
