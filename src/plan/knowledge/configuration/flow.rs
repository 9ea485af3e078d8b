//! Lets what is known of a value reach the places that the configuration writes it to.

use std::collections::{BTreeMap, VecDeque};

use super::{Configuration, Declared, Fact, Instance, Place, Reference, Written};
use crate::path::Path;
use crate::plan::knowledge::replace_part::replace;
use crate::plan::knowledge::{ContradictedAssumption, Origin, Planned, schema};
use crate::plan::{Action, Mode, ResourceChange};
use crate::refinement::{Nullness, Refinement};
use crate::rule::ExprStep;
use crate::schema::{Block, Nesting, ProviderSchemas};
use crate::types::Type;
use crate::value::Value;

/// A fact of one instance, with its place as the schema has it.
struct Flow<'a> {
    target: usize,
    fact: &'a Fact,
    steps: Vec<ExprStep>,
    path: Path,
    /// The provider fills the attribute in where the configuration leaves it null.
    computed: bool,
    /// The value before the change, which the provider may keep.
    prior: Option<Value>,
    source: Option<usize>,
}

/// Takes over what the configuration says, whatever the order of resources: what changes is looked at again by
/// those that refer to it.
pub(crate) fn take(
    configuration: &Configuration,
    planned: &mut [Planned<'_>],
    schemas: &ProviderSchemas,
) -> Vec<ContradictedAssumption> {
    let flows = flows(configuration, planned, schemas);
    let mut readers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, flow) in flows.iter().enumerate() {
        if let Some(source) = flow.source {
            readers.entry(source).or_default().push(i);
        }
    }
    let mut contradicted = Vec::new();
    let mut queue: VecDeque<usize> = (0..flows.len()).collect();
    // Knowledge only grows, so this ends; the bound is for references in a circle, which no plan has.
    let mut budget = flows.len().saturating_mul(64);
    while let Some(next) = queue.pop_front() {
        let (Some(flow), Some(left)) = (flows.get(next), budget.checked_sub(1)) else { break };
        budget = left;
        match flow.apply(configuration, planned) {
            Ok(false) => {}
            Ok(true) => queue.extend(readers.get(&flow.target).into_iter().flatten()),
            Err(contradiction) => contradicted.push(*contradiction),
        }
    }
    contradicted.sort_by(|a, b| (&a.address, &a.path).cmp(&(&b.address, &b.path)));
    contradicted.dedup();
    contradicted
}

fn flows<'a>(
    configuration: &'a Configuration,
    planned: &[Planned<'a>],
    schemas: &ProviderSchemas,
) -> Vec<Flow<'a>> {
    // Only the root module's configuration is read.
    let in_root = |change: &ResourceChange| change.module_address.is_none() && change.deposed.is_none();
    let mut instances = Instances::new();
    for (i, resource) in planned.iter().enumerate().filter(|(_, resource)| in_root(resource.change)) {
        let of_resource = instances.entry(name(resource.change)).or_default();
        of_resource.entry(resource.change.index.as_ref()).or_insert(i);
    }
    let mut flows = Vec::new();
    for (target, resource) in planned.iter().enumerate().filter(|(_, resource)| in_root(resource.change)) {
        let change = resource.change;
        let Some(declared) = configuration.declared(&name(change)) else { continue };
        // Types, and what the provider computes, are in the schema only.
        let Some(schema) = schema(schemas, change) else { continue };
        for fact in &declared.facts {
            let Some((steps, path, computed)) = place(&fact.place, schema.block()) else { continue };
            let source = match &fact.written {
                Written::Beginning(_) => None,
                Written::Same(reference) => match source(reference, change, &instances) {
                    Some(source) => Some(source),
                    None => continue,
                },
            };
            let prior = resource.before.clone().filter(|_| keeps_prior(change, declared));
            flows.push(Flow { target, fact, steps, path, computed, prior, source });
        }
    }
    flows
}

/// `TYPE.NAME`, or `data.TYPE.NAME`.
pub(super) fn name(change: &ResourceChange) -> String {
    let data = if change.mode == Mode::Data { "data." } else { "" };
    format!("{data}{}.{}", change.type_name, change.name)
}

/// Whether a value may stay what it was, whatever is written. In a replacement the provider sees nothing of what was,
/// but ignored changes are taken out of the configuration before.
fn keeps_prior(change: &ResourceChange, declared: &Declared) -> bool {
    !change.change.has_action(&Action::Create) || declared.ignores_changes
}

/// Where the planned instances of each resource are, by `TYPE.NAME` and by instance key: one of as many instances
/// as `count` says is not searched for.
type Instances<'p> = BTreeMap<String, BTreeMap<Option<&'p Value>, usize>>;

fn source(reference: &Reference, from: &ResourceChange, instances: &Instances<'_>) -> Option<usize> {
    let wanted = match &reference.instance {
        Instance::Only => None,
        Instance::Own => Some(from.index.as_ref()?),
        Instance::Literal(key) => Some(key),
    };
    instances.get(&reference.resource)?.get(&wanted).copied()
}

/// The place of a fact in the planned value; `None` in sets and maps of blocks, and where the schema has no such
/// place.
fn place(place: &[Place], block: &Block) -> Option<(Vec<ExprStep>, Path, bool)> {
    let (mut steps, mut path, mut block) = (Vec::new(), Path::new(), block);
    let (last, blocks) = place.split_last()?;
    for step in blocks {
        let Place::Block(name, nth) = step else { return None };
        let nested = block.block_types.get(name)?;
        steps.push(ExprStep::Attr(name.clone()));
        path = path.attr(name);
        match nested.nesting {
            Nesting::Single | Nesting::Group if *nth == 0 => {}
            Nesting::List => {
                steps.push(ExprStep::Index(u64::try_from(*nth).ok()?));
                path = path.index(*nth);
            }
            _ => return None,
        }
        block = &nested.block;
    }
    let Place::Attribute(name) = last else { return None };
    let attribute = block.attributes.get(name)?;
    steps.push(ExprStep::Attr(name.clone()));
    Some((steps, path.attr(name), attribute.computed))
}

impl Flow<'_> {
    /// Narrows the target by what is known now; whether that changed anything.
    fn apply(
        &self,
        configuration: &Configuration,
        planned: &mut [Planned<'_>],
    ) -> Result<bool, Box<ContradictedAssumption>> {
        let (known, from, origin) = match &self.fact.written {
            Written::Beginning(text) => {
                let file = configuration.source(self.fact).map_or("", |source| source.name());
                let origin = Origin::Written(format!("{file}:{}", self.fact.position.line));
                (Value::refined(Type::String, Refinement::prefix(text).and_not_null()), None, origin)
            }
            Written::Same(reference) => {
                let Some(source) = self.source.and_then(|source| planned.get(source)) else {
                    return Ok(false);
                };
                let origin = Origin::From(format!("{}.{}", source.change.address, reference.path));
                let assumed = match source.origins.get(&reference.path) {
                    Some(Origin::Assumed(position)) => Some(*position),
                    _ => None,
                };
                (source.after.get(&reference.path), assumed, origin)
            }
        };
        let (Ok(known), Some(target)) = (known, planned.get_mut(self.target)) else { return Ok(false) };
        let mut contradiction = None;
        let replaced = replace(&target.after, &self.steps, &mut |_, value| {
            if value.is_known() {
                return None;
            }
            // A template is a text, whatever the attribute takes.
            let is_text = matches!(self.fact.written, Written::Beginning(_)) && self.prior.is_none();
            if is_text && value.ty() == Type::Dynamic {
                return Some(known.clone().with_marks(value.marks()));
            }
            let refinement = self.taken(&known, &value.ty())?;
            match value.assume(&refinement) {
                // What is known of something sensitive is sensitive.
                Ok(refined) => Some(refined.with_marks(known.marks())).filter(|refined| refined != value),
                Err(error) => {
                    contradiction = Some(error);
                    None
                }
            }
        });
        if let Ok(Some(after)) = replaced {
            target.after = after;
            target.origins.entry(self.path.clone()).or_insert(origin);
            return Ok(true);
        }
        match contradiction {
            Some(error) if error.is_contradiction() => {
                let own = match target.origins.get(&self.path) {
                    Some(Origin::Assumed(position)) => Some(*position),
                    _ => None,
                };
                let what = match &origin {
                    Origin::From(source) => format!("the configuration takes it from {source}"),
                    Origin::Written(place) => format!("the configuration writes it in {place}"),
                    Origin::Assumed(_) => String::new(),
                };
                Err(Box::new(ContradictedAssumption {
                    position: own.or(from),
                    address: target.change.address.clone(),
                    path: self.path.clone(),
                    value: None,
                    message: if known.contains_marks() {
                        what
                    } else {
                        format!("{}; {what}", error.message())
                    },
                }))
            }
            _ => Ok(false),
        }
    }

    /// What holds of a target of a type, if its configuration is `known`.
    fn taken(&self, known: &Value, ty: &Type) -> Option<Refinement> {
        let range = known.range();
        let mut taken = if is_kept(range.ty(), ty) {
            range.refinement().clone()
        } else if range.is_not_null() {
            Refinement::not_null()
        } else {
            return None;
        };
        // A null in the configuration leaves the attribute to the provider.
        if self.computed && taken.nullness() != Nullness::NotNull {
            return None;
        }
        if let Some(prior) = &self.prior {
            let prior = prior.get(&self.path).ok()?;
            if !prior.is_null() && !is_kept(&prior.ty(), ty) {
                return None;
            }
            taken = taken.join(prior.range().refinement());
        }
        (!taken.is_trivial() && *ty != Type::Dynamic).then_some(taken)
    }
}

/// Whether a range survives the conversion from one type to another, as it is written to an attribute.
fn is_kept(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::List(_), Type::List(_)) | (Type::Map(_), Type::Map(_)) => true,
        // Converted members may become equal.
        _ => from == to && !from.has_dynamic(),
    }
}
