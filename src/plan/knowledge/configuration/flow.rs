//! Carries facts along the references of a configuration: from a value to the attributes that refer to it.

use std::collections::{BTreeMap, VecDeque};

use super::{AttributeFact, BlockStep, Configuration, InstanceKey, Reference, ResourceBlock, WrittenAs};
use crate::path::Path;
use crate::plan::knowledge::replace_part::replace_parts;
use crate::plan::knowledge::{ContradictedAssumption, Origin, Planned, schema_of};
use crate::plan::{Action, Mode, ResourceChange};
use crate::refinement::{Nullness, Refinement};
use crate::rule::ExprStep;
use crate::schema::{Block, Nesting, ProviderSchemas};
use crate::types::Type;
use crate::value::Value;

/// A fact that flows to one resource instance, at its place by the schema.
struct FactFlow<'a> {
    target: usize,
    fact: &'a AttributeFact,
    steps: Vec<ExprStep>,
    path: Path,
    /// Whether the provider may set the attribute where the configuration has null.
    computed: bool,
    /// The value before the change, which the provider may keep.
    prior: Option<Value>,
    source: Option<usize>,
}

/// Narrows planned values by the facts of the configuration, until nothing changes: a narrowed value is passed on to the
/// attributes that refer to it, in whatever order the resources are. Returns the contradictions.
pub(crate) fn apply_configuration(
    configuration: &Configuration,
    planned: &mut [Planned<'_>],
    schemas: &ProviderSchemas,
) -> Vec<ContradictedAssumption> {
    let flows = fact_flows(configuration, planned, schemas);
    let mut readers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, flow) in flows.iter().enumerate() {
        if let Some(source) = flow.source {
            readers.entry(source).or_default().push(i);
        }
    }
    let mut contradicted = Vec::new();
    let mut queue: VecDeque<usize> = (0..flows.len()).collect();
    // Refinements only narrow, so this ends. The bound is for circular references, which no real plan has.
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

/// The facts of the configuration for each planned resource of the root module that has a schema.
fn fact_flows<'a>(
    configuration: &'a Configuration,
    planned: &[Planned<'a>],
    schemas: &ProviderSchemas,
) -> Vec<FactFlow<'a>> {
    // Only the root module's configuration is read.
    let in_root = |change: &ResourceChange| change.module_address.is_none() && change.deposed.is_none();
    let mut instances = Instances::new();
    for (i, resource) in planned.iter().enumerate().filter(|(_, resource)| in_root(resource.change)) {
        let of_resource = instances.entry(resource_name(resource.change)).or_default();
        of_resource.entry(resource.change.index.as_ref()).or_insert(i);
    }
    let mut flows = Vec::new();
    for (target, resource) in planned.iter().enumerate().filter(|(_, resource)| in_root(resource.change)) {
        let change = resource.change;
        let Some(declared) = configuration.resource_block(&resource_name(change)) else { continue };
        // Only a schema tells the types and which attributes the provider computes.
        let Some(schema) = schema_of(schemas, change) else { continue };
        for fact in &declared.facts {
            let Some((steps, path, computed)) = steps_by_schema(&fact.place, schema.block()) else {
                continue;
            };
            let source = match &fact.written {
                WrittenAs::Beginning(_) => None,
                WrittenAs::Reference(reference) => match source_position(reference, change, &instances) {
                    Some(source) => Some(source),
                    None => continue,
                },
            };
            let prior = resource.before.clone().filter(|_| keeps_prior(change, declared));
            flows.push(FactFlow { target, fact, steps, path, computed, prior, source });
        }
    }
    flows
}

/// The name of a resource in the configuration: `TYPE.NAME`, or `data.TYPE.NAME`.
pub(super) fn resource_name(change: &ResourceChange) -> String {
    let data = if change.mode == Mode::Data { "data." } else { "" };
    format!("{data}{}.{}", change.type_name, change.name)
}

/// Whether the planned value may keep its prior value, whatever the configuration says. In a replacement the provider does
/// not see the prior value, but `ignore_changes` restores it before.
fn keeps_prior(change: &ResourceChange, declared: &ResourceBlock) -> bool {
    !change.change.has_action(&Action::Create) || declared.ignores_changes
}

/// The positions of the planned instances of each resource, by `TYPE.NAME` and by instance key. Indexed, since `count` may
/// give thousands of instances.
type Instances<'p> = BTreeMap<String, BTreeMap<Option<&'p Value>, usize>>;

/// The place in the list of planned resources (those of the plan that have a value after the change) of the instance that
/// a reference leads to.
fn source_position(reference: &Reference, from: &ResourceChange, instances: &Instances<'_>) -> Option<usize> {
    let wanted = match &reference.instance {
        InstanceKey::Only => None,
        InstanceKey::Own => Some(from.index.as_ref()?),
        InstanceKey::Literal(key) => Some(key),
    };
    instances.get(&reference.resource)?.get(&wanted).copied()
}

/// The path of a fact in the planned value, by the schema, and whether the attribute is computed. `None` in sets and maps of
/// blocks, and if the schema has no such attribute.
fn steps_by_schema(place: &[BlockStep], block: &Block) -> Option<(Vec<ExprStep>, Path, bool)> {
    let (mut steps, mut path, mut block) = (Vec::new(), Path::new(), block);
    let (last, blocks) = place.split_last()?;
    for step in blocks {
        let BlockStep::Block(name, nth) = step else { return None };
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
    let BlockStep::Attribute(name) = last else { return None };
    let attribute = block.attributes.get(name)?;
    steps.push(ExprStep::Attr(name.clone()));
    Some((steps, path.attr(name), attribute.computed))
}

impl FactFlow<'_> {
    /// Narrows the target by the present value of the source. Returns whether that changed anything.
    fn apply(
        &self,
        configuration: &Configuration,
        planned: &mut [Planned<'_>],
    ) -> Result<bool, Box<ContradictedAssumption>> {
        let (known, from, origin) = match &self.fact.written {
            WrittenAs::Beginning(text) => {
                let file = configuration.source_of(self.fact).map_or("", |source| source.name());
                let origin = Origin::Written(format!("{file}:{}", self.fact.position.line));
                (Value::refined(Type::String, Refinement::prefix(text).and_not_null()), None, origin)
            }
            WrittenAs::Reference(reference) => {
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
        let replaced = replace_parts(&target.after, &self.steps, &mut |_, value| {
            if value.is_known() {
                return None;
            }
            // A template is a string, whatever type the attribute has.
            let is_text = matches!(self.fact.written, WrittenAs::Beginning(_)) && self.prior.is_none();
            if is_text && value.ty() == Type::Dynamic {
                return Some(known.clone().with_marks(value.marks()));
            }
            let refinement = self.target_refinement(&known, &value.ty())?;
            match value.assume(&refinement) {
                // Facts about a sensitive value are sensitive too.
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
                    Origin::Assumed(_) | Origin::Schema(_) | Origin::Catalogue(_) => String::new(),
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

    /// The refinement that holds of an attribute of type `ty` if its configuration evaluates to `known`.
    fn target_refinement(&self, known: &Value, ty: &Type) -> Option<Refinement> {
        let range = known.range();
        let mut taken = if keeps_refinement(range.ty(), ty) {
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
            if !prior.is_null() && !keeps_refinement(&prior.ty(), ty) {
                return None;
            }
            taken = taken.join(prior.range().refinement());
        }
        (!taken.is_trivial() && *ty != Type::Dynamic).then_some(taken)
    }
}

/// Whether a refinement still holds after the conversion from one type to another.
fn keeps_refinement(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::List(_), Type::List(_)) | (Type::Map(_), Type::Map(_)) => true,
        // In a set, converted members may become equal, which changes the length.
        _ => from == to && !from.has_dynamic(),
    }
}
