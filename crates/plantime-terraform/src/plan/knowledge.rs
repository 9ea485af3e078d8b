//! What is known of the planned values of a plan: the plan, then assumptions, then facts about the values that providers
//! choose, then the configuration.
//!
//! | file | does |
//! |---|---|
//! | this one | the planned value of each resource, and the assumptions of a rules file applied to them |
//! | `assumption` | applies one assumption to one value |
//! | `facts` | narrows values by what schemas promise and catalogues say |
//! | `configuration` | narrows values by what a configuration says, and carries facts along its references |
//! | `replace_part` | replaces the part of a value at a path |
//! | `side_marks` | gives both sides of a change the marks of either |

pub(super) mod assumption;
pub(super) mod configuration;
pub(super) mod facts;
mod replace_part;
pub(super) mod side_marks;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::Arc;

use self::assumption::AssumptionResults;
use self::facts::UsedFact;
use self::side_marks::sides_with_common_marks;
use crate::plan::report::render::statement;
use crate::plan::rules::rules_file::RulesFile;
use crate::plan::{Mode, Plan, ResourceChange};
use plantime::rule::{How, PathExpr};
use plantime::source::Position;
use plantime::{Path, Step, Type, Value, View};
use plantime_schema::{ProviderSchemas, Schema};

/// A resource with a planned value, and the facts about it that are known so far.
pub(crate) struct Planned<'p> {
    pub(crate) change: &'p ResourceChange,
    /// The planned value as the plan has it, without assumptions.
    pub(crate) raw: &'p Value,
    pub(crate) after: Value,
    pub(crate) before: Option<Value>,
    /// Where the facts about a place come from, for places that the plan alone does not tell about.
    pub(crate) origins: BTreeMap<Path, Origin>,
    /// The facts about the values that the provider chooses which narrowed the value.
    pub(crate) facts: Vec<UsedFact>,
}

impl Planned<'_> {
    /// Adds where the facts about a place come from. An assumption of the rules file, a catalogue and the configuration stay
    /// named once they are; each of them says more than a schema.
    pub(crate) fn add_origin(&mut self, path: Path, origin: Origin) {
        match self.origins.get(&path) {
            None | Some(Origin::Schema(_)) => self.origins.insert(path, origin),
            Some(Origin::Assumed(_) | Origin::Configuration(_) | Origin::Catalogue(_)) => None,
        };
    }
}

/// Where a fact about a planned value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// An assumption, at this position of the rules file.
    Assumed(Position),
    /// The configured value, at this file and line: `main.tf:12`.
    Configuration(String),
    /// What the schema of the provider promises: `schema: aws_vpc.cidr_block is required`.
    Schema(String),
    /// A fact of a catalogue: `catalogue: aws_vpc.id (class A)`, or file and line of a pack.
    Catalogue(String),
}

impl fmt::Display for Origin {
    /// Without the name of the rules file, which the position of an assumption is in.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Assumed(position) => write!(f, "assumed, line {}", position.line),
            Origin::Configuration(place) => write!(f, "configuration {place}"),
            Origin::Schema(stated) | Origin::Catalogue(stated) => f.write_str(stated),
        }
    }
}

/// An assumption that the plan contradicts.
#[derive(Clone, Debug, PartialEq)]
pub struct ContradictedAssumption {
    /// The position of the assumption in the rules file; none if the configuration contradicts the plan by itself.
    pub position: Option<Position>,
    /// The address of the resource.
    pub address: String,
    /// The path of the place in the value of the resource.
    pub path: Path,
    /// What the planned value is, as far as it may be shown: `is "10.0.0.0/16"`.
    pub value: Option<String>,
    /// What the assumption says, and what the plan says against it.
    pub message: String,
}

/// The results of applying all assumptions, beside the narrowed values.
#[derive(Debug, Default)]
pub(crate) struct Applied {
    pub(crate) contradicted: Vec<ContradictedAssumption>,
    /// Assumptions that no resource matches.
    pub(crate) unmatched: Vec<Position>,
    /// Mistakes in assumptions: a path that the resource does not have, a refinement that does not fit the type.
    pub(crate) misused: Vec<(Position, String)>,
    /// Assumptions without effect, since the type of their value is not known.
    pub(crate) untyped: Vec<(Position, String)>,
    /// The addresses and assumptions (by position) for which the plan alone does not decide whether they hold.
    pub(crate) undecided: Vec<(String, usize)>,
}

/// The resources of a plan that have a planned value.
pub(crate) fn planned_resources(plan: &Plan) -> Vec<Planned<'_>> {
    planned_of(plan.resource_changes.iter())
}

/// Those of these resources that have a planned value.
pub(crate) fn planned_of<'p>(changes: impl Iterator<Item = &'p Arc<ResourceChange>>) -> Vec<Planned<'p>> {
    let with_after = changes.filter_map(|change| {
        let raw = change.change.after.as_ref()?;
        let (before, after) = sides_with_common_marks(&change.change);
        let before = before.filter(|before| !before.is_null());
        Some(Planned { change, raw, after: after?, before, origins: BTreeMap::new(), facts: Vec::new() })
    });
    with_after.filter(|planned| !planned.raw.is_null()).collect()
}

/// The provider schema for the type of a resource.
pub(crate) fn schema_of<'s>(schemas: &'s ProviderSchemas, change: &ResourceChange) -> Option<&'s Schema> {
    match change.mode {
        Mode::Managed => schemas.resource(&change.provider_name, &change.type_name),
        Mode::Data => schemas.data_source(&change.provider_name, &change.type_name),
        Mode::Ephemeral | Mode::Other => None,
    }
}

/// Narrows the planned values by every assumption of the rules file; returns what each assumption led to.
pub(crate) fn apply_assumptions(planned: &mut [Planned<'_>], rules: &RulesFile) -> Applied {
    let mut applied = Applied::default();
    let targets = rules.assumptions.iter().map(|stated| &stated.assumption.target);
    let matched_by = assumption::matches(targets, planned.iter().map(|resource| resource.change));
    let mut untyped_positions = HashSet::new();
    for ((index, stated), matched) in rules.assumptions.iter().enumerate().zip(matched_by) {
        let (assumption, position) = (&stated.assumption, stated.position);
        if matched.is_empty() {
            applied.unmatched.push(position);
        }
        // An assumption about several types passes over those that have no such attribute.
        let several = assumption.target.type_name().contains('*');
        for at in matched {
            let Some(resource) = planned.get_mut(at) else { continue };
            let mut assumed = AssumptionResults::default();
            let address = &resource.change.address;
            let leads_beyond = leads_into_unknown(&assumption.path, &resource.after);
            assumption::assume_on(assumption, index, address, &mut resource.after, &mut assumed);
            let untyped = assumed.failures.iter().any(|failure| failure.error.needs_type());
            if leads_beyond || untyped || !assumed.narrowed.is_empty() {
                applied.undecided.push((address.clone(), index));
            }
            for narrowed in assumed.narrowed {
                resource.origins.insert(narrowed.path, Origin::Assumed(position));
            }
            for failure in assumed.failures {
                if failure.error.is_contradiction() {
                    applied.contradicted.push(ContradictedAssumption {
                        position: Some(position),
                        address: address.clone(),
                        path: PlaceNames::new(&resource.after).display_path(&failure.path),
                        value: resource.after.get(&failure.path).ok().map(|value| statement(&value)),
                        message: failure.error.message().to_owned(),
                    });
                } else if failure.error.needs_type() {
                    let message =
                        format!("the type of {address}.{} is not known: schemas tell it", failure.path);
                    if untyped_positions.insert(position) {
                        applied.untyped.push((position, message));
                    }
                } else if !several {
                    let error = failure.error.at(failure.path);
                    applied.misused.push((position, format!("{address}: {error}")));
                }
            }
        }
    }
    applied
}

/// Whether a path ends at an unknown value before its last step, so that the place may come to exist.
fn leads_into_unknown(path: &PathExpr, value: &Value) -> bool {
    let matches = path.matches(value).unwrap_or_default();
    matches.iter().any(|found| found.how == How::StoppedAtUnknown)
}

/// The number of unknown places in a value. An unknown container counts as one; so does a marked container with unknown
/// parts, since their number is content (L5).
pub(crate) fn unknown_places(value: &Value) -> usize {
    let mut count: usize = 0;
    value.walk(|_, part| {
        let is_sealed = part.is_marked() && !part.is_wholly_known();
        if !part.is_known() || is_sealed {
            count = count.saturating_add(1);
        }
        !part.is_wholly_known() && !is_sealed
    });
    count
}

/// Rewrites paths for display: members of sets are named by their position, since a member as a key would show its content
/// and nobody could find it. Caches the positions of each set.
pub(crate) struct PlaceNames<'v> {
    root: &'v Value,
    sets: BTreeMap<Path, BTreeMap<Value, usize>>,
}

impl<'v> PlaceNames<'v> {
    /// Names for the places of a value.
    pub(crate) fn new(root: &'v Value) -> PlaceNames<'v> {
        PlaceNames { root, sets: BTreeMap::new() }
    }

    /// The path with each member of a set named by its position.
    pub(crate) fn display_path(&mut self, path: &Path) -> Path {
        if !path.steps().iter().any(|step| matches!(step, Step::Index(_))) {
            return path.clone();
        }
        let mut named = Path::new();
        let mut here = self.root.clone();
        for step in path.steps() {
            let position = match step {
                Step::Index(member) if matches!(here.ty(), Type::Set(_)) => {
                    let positions = self.sets.entry(named.clone()).or_insert_with(|| member_positions(&here));
                    let (member, _) = member.unmark_deep();
                    positions.get(&member).map(|at| (Step::index(*at), member))
                }
                _ => None,
            };
            if let Some((step, member)) = position {
                named.push(step);
                here = member;
                continue;
            }
            let mut next = Path::new();
            next.push(step.clone());
            here = here.get(&next).unwrap_or_else(|_| Value::dynamic());
            named.push(step.clone());
        }
        named
    }
}

/// The position of each member in a set.
fn member_positions(set: &Value) -> BTreeMap<Value, usize> {
    let (set, _) = set.unmark_deep();
    let mut positions = BTreeMap::new();
    if let View::Set(set) = set.view() {
        for (at, member) in set.iter().enumerate() {
            positions.entry(member.clone()).or_insert(at);
        }
    }
    positions
}
