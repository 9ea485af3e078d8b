//! What is known of the planned values of a plan: the plan, then assumptions, then the configuration.
//!
//! | file | does |
//! |---|---|
//! | this one | the planned value of each resource, and the assumptions of a rules file applied to them |
//! | `assumption` | applies one assumption to one value |
//! | `configuration` | reads `.tf` files, and carries facts along the references in them |
//! | `replace_part` | replaces the part of a value at a path |
//! | `side_marks` | gives both sides of a change the marks of either |

pub(super) mod assumption;
pub(super) mod configuration;
mod replace_part;
pub(super) mod side_marks;

use std::collections::BTreeMap;

use self::assumption::Assumed;
use self::side_marks::sides_hidden_alike;
use crate::path::{Path, Step};
use crate::plan::report::render::statement;
use crate::plan::rules::rules_file::RulesFile;
use crate::plan::source::Position;
use crate::plan::{Mode, Plan, ResourceChange};
use crate::rule::{How, PathExpr};
use crate::schema::{ProviderSchemas, Schema};
use crate::types::Type;
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
pub struct ContradictedAssumption {
    /// Where the assumption stands; nowhere where the configuration contradicts the plan by itself.
    pub position: Option<Position>,
    /// The address of the resource.
    pub address: String,
    /// The place in it.
    pub path: Path,
    /// What the planned value is, as far as it may be shown: `is "10.0.0.0/16"`.
    pub value: Option<String>,
    /// What the assumption says, and what the plan says against it.
    pub message: String,
}

/// What came of the assumptions.
#[derive(Debug, Default)]
pub(crate) struct Applied {
    pub(crate) contradicted: Vec<ContradictedAssumption>,
    /// Assumptions that no resource matches.
    pub(crate) unmatched: Vec<Position>,
    /// Mistakes: a place that a resource does not have, a refinement of another kind.
    pub(crate) misused: Vec<(Position, String)>,
    /// Assumptions that say nothing, since the type of their value is not known.
    pub(crate) untyped: Vec<(Position, String)>,
    /// Resource and assumption, by position, where the plan alone does not decide whether it holds.
    pub(crate) open: Vec<(String, usize)>,
}

/// The resources that leave a planned value.
pub(crate) fn planned(plan: &Plan) -> Vec<Planned<'_>> {
    let changes = plan.resource_changes.iter();
    let with_after = changes.filter_map(|change| {
        let raw = change.change.after.as_ref()?;
        let (before, after) = sides_hidden_alike(&change.change);
        let before = before.filter(|before| !before.is_null());
        Some(Planned { change, raw, after: after?, before, origins: BTreeMap::new() })
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
pub(crate) fn assume(planned: &mut [Planned<'_>], rules: &RulesFile) -> Applied {
    let mut applied = Applied::default();
    for (index, stated) in rules.assumptions.iter().enumerate() {
        let (assumption, position) = (&stated.assumption, stated.position);
        let mut matched = false;
        // An assumption about several types passes over those that have no such attribute.
        let several = assumption.target.type_name().contains('*');
        for resource in planned.iter_mut().filter(|resource| assumption.target.matches(resource.change)) {
            matched = true;
            let mut assumed = Assumed::default();
            let address = &resource.change.address;
            let beyond = leads_into_unknown(&assumption.path, &resource.after);
            assumption::assume(assumption, index, address, &mut resource.after, &mut assumed);
            let untyped = assumed.failures.iter().any(|failure| failure.error.needs_type());
            if beyond || untyped || !assumed.narrowed.is_empty() {
                applied.open.push((address.clone(), index));
            }
            for narrowed in assumed.narrowed {
                resource.origins.insert(narrowed.path, Origin::Assumed(position));
            }
            for failure in assumed.failures {
                if failure.error.is_contradiction() {
                    applied.contradicted.push(ContradictedAssumption {
                        position: Some(position),
                        address: address.clone(),
                        path: Places::of(&resource.after).name(&failure.path),
                        value: resource.after.get(&failure.path).ok().map(|value| statement(&value)),
                        message: failure.error.message().to_owned(),
                    });
                } else if failure.error.needs_type() {
                    let message =
                        format!("the type of {address}.{} is not known: schemas tell it", failure.path);
                    if !applied.untyped.iter().any(|(known, _)| *known == position) {
                        applied.untyped.push((position, message));
                    }
                } else if !several {
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

/// Whether a path cannot be followed to its end yet.
fn leads_into_unknown(path: &PathExpr, value: &Value) -> bool {
    let matches = path.matches(value).unwrap_or_default();
    matches.iter().any(|found| found.how == How::StoppedAtUnknown)
}

/// How many places of a value are not known: where a whole part is unknown, that part is one. A marked container is one
/// place too: how many of its parts are unknown is its content.
pub(crate) fn unknowns(value: &Value) -> usize {
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

/// Names places in a value for people: a member of a set by its position, since the member itself is no place that
/// anybody could find. Knows the positions of a set's members once it has looked.
pub(crate) struct Places<'v> {
    root: &'v Value,
    sets: BTreeMap<Path, BTreeMap<Value, usize>>,
}

impl<'v> Places<'v> {
    pub(crate) fn of(root: &'v Value) -> Places<'v> {
        Places { root, sets: BTreeMap::new() }
    }

    /// The path with members of sets named by position.
    pub(crate) fn name(&mut self, path: &Path) -> Path {
        if !path.steps().iter().any(|step| matches!(step, Step::Index(_))) {
            return path.clone();
        }
        let mut named = Path::new();
        let mut here = self.root.clone();
        for step in path.steps() {
            let position = match step {
                Step::Index(member) if matches!(here.ty(), Type::Set(_)) => {
                    let positions = self.sets.entry(named.clone()).or_insert_with(|| positions(&here));
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
            let mut one = Path::new();
            one.push(step.clone());
            here = here.get(&one).unwrap_or_else(|_| Value::dynamic());
            named.push(step.clone());
        }
        named
    }
}

fn positions(set: &Value) -> BTreeMap<Value, usize> {
    let (set, _) = set.unmark_deep();
    let mut positions = BTreeMap::new();
    if let View::Set(set) = set.view() {
        for (at, member) in set.iter().enumerate() {
            positions.entry(member.clone()).or_insert(at);
        }
    }
    positions
}
