//! Facts with an origin: what schemas promise and what catalogues say of the values that providers choose.
//!
//! | file | does |
//! |---|---|
//! | this one | the options, and the facts about each resource type applied to every resource |
//! | `schema` | the facts that a schema promises |
//! | `stated` | one fact: what it says of a resource, and its origin |
//! | `apply` | narrows one resource by the facts about its type |

mod apply;
mod schema;
mod stated;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::apply::NarrowedResource;
use self::stated::{FactsOfType, StatedFact};
use super::{Origin, Planned, schema_of};
use crate::plan::{Action, Mode, Plan, ResourceChange};
use plantime::rule::PathExpr;
use plantime::{Path, Refinement};
use plantime_schema::ProviderSchemas;
use plantime_schema::catalogue::Catalogue;

/// Which facts about the values that providers choose are assumed, beside those of the rules file.
///
/// | fact | of |
/// |---|---|
/// | a required argument is not null | schemas |
/// | nested blocks in a list, set or map, and a group, are not null | schemas |
/// | there are at least as many blocks as the schema demands | schemas |
/// | what a catalogue says of the attributes of a type | [`catalogues`](ProviderFacts::catalogues) |
///
/// They are assumed of managed resources that are created or updated, and narrow unknown values only. Where the plan has
/// a value other than null that contradicts one, a report warns: [`ContradictedFact`]. Those that an answer may rest on are among the
/// [`Obligations`](crate::plan::Obligations).
///
/// The default is none.
///
/// ```
/// use plantime_schema::catalogue::Catalogue;
/// use plantime_terraform::plan::{Plan, ProviderFacts};
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
///
/// let json = br#"{"format_version": "1.2", "resource_changes": [{"address": "thing.x", "mode": "managed",
///     "type": "thing", "name": "x", "provider_name": "registry.terraform.io/acme/example",
///     "change": {"actions": ["create"], "after": {}, "after_unknown": {"id": true}}}]}"#;
/// let schemas = ProviderSchemas::new();
/// let mut plan = Plan::read(json, &schemas)?;
///
/// let pack = Source::new("example.facts", "thing acme/example\n  id A notnull(stringprefix(\"t-\"))\n");
/// let mut facts = ProviderFacts::default();
/// facts.catalogues.push(Catalogue::read(pack).unwrap());
/// let contradicted = plan.assume_facts(&facts, &schemas);
/// assert!(contradicted.is_empty());
/// let after = plan.resource_changes[0].change.after.as_ref().unwrap();
/// assert_eq!(after.to_string(), r#"{id = "t-${(known after apply)}"}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProviderFacts {
    /// Whether what the schemas promise is assumed.
    pub from_schemas: bool,
    /// The catalogues whose facts are assumed.
    pub catalogues: Vec<Catalogue>,
    /// The version of each provider, by the address that plans have, such as `registry.terraform.io/hashicorp/aws`. A
    /// fact that holds from a later version on is not assumed.
    pub versions: BTreeMap<String, String>,
    /// Forks and mirrors: for the address of a provider in plans, the provider whose facts hold for it too.
    pub mirrors: BTreeMap<String, String>,
}

/// A fact about a provider's values that the plan contradicts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContradictedFact {
    /// The address of the resource.
    pub address: String,
    /// The path of the place in the value of the resource.
    pub path: Path,
    /// Where the fact is stated: `catalogue: aws_vpc.id (class A)`.
    pub origin: String,
    /// What the fact says, and what the plan says against it. Never shows what is marked.
    pub message: String,
}

/// A fact that narrowed a resource.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UsedFact {
    pub(crate) path: PathExpr,
    pub(crate) refinement: Refinement,
    pub(crate) origin: Origin,
}

impl ProviderFacts {
    /// Whether no fact is assumed at all.
    fn is_empty(&self) -> bool {
        !self.from_schemas && self.catalogues.is_empty()
    }

    /// The facts about the type of a resource.
    fn of_type(&self, change: &ResourceChange, schemas: &ProviderSchemas) -> FactsOfType {
        let mut facts = Vec::new();
        if self.from_schemas
            && let Some(schema) = schema_of(schemas, change)
        {
            facts.extend(schema::promised(&change.type_name, schema.block()));
        }
        let address = &*change.provider_name;
        let provider = self.mirrors.get(address).map_or(address, String::as_str);
        let version = self.versions.get(address);
        for catalogue in &self.catalogues {
            for fact in catalogue.facts(provider, &change.type_name) {
                if fact.holds_in(version.map(String::as_str)) {
                    facts.extend(StatedFact::of_catalogue(&Arc::new(fact)));
                }
            }
        }
        FactsOfType::new(facts)
    }
}

/// Whether facts apply to the resource: it is managed, and the plan creates or updates it.
fn is_applied(change: &ResourceChange) -> bool {
    let actions = &change.change.actions;
    change.mode == Mode::Managed
        && actions.iter().any(|action| matches!(action, Action::Create | Action::Update | Action::Configured))
}

/// The facts about each resource type, built at the first resource of the type.
struct FactsByType<'f> {
    options: &'f ProviderFacts,
    schemas: &'f ProviderSchemas,
    types: BTreeMap<(Arc<str>, Arc<str>), Arc<FactsOfType>>,
}

impl<'f> FactsByType<'f> {
    fn new(options: &'f ProviderFacts, schemas: &'f ProviderSchemas) -> FactsByType<'f> {
        FactsByType { options, schemas, types: BTreeMap::new() }
    }

    /// The facts about the type of a resource.
    fn of(&mut self, change: &ResourceChange) -> Arc<FactsOfType> {
        let key = (change.provider_name.clone(), change.type_name.clone());
        let facts =
            self.types.entry(key).or_insert_with(|| Arc::new(self.options.of_type(change, self.schemas)));
        Arc::clone(facts)
    }
}

/// Narrows the planned values by all facts. Returns the contradictions.
pub(in crate::plan) fn apply_facts(
    options: &ProviderFacts,
    planned: &mut [Planned<'_>],
    schemas: &ProviderSchemas,
) -> Vec<ContradictedFact> {
    let mut contradicted = Vec::new();
    if options.is_empty() {
        return contradicted;
    }
    let mut by_type = FactsByType::new(options, schemas);
    for resource in planned.iter_mut().filter(|resource| is_applied(resource.change)) {
        let facts = by_type.of(resource.change);
        let narrowed = NarrowedResource::new(&resource.change.address, &resource.after, &facts);
        contradicted.extend(narrowed.contradicted);
        let Some(after) = narrowed.after else { continue };
        resource.after = after;
        resource.facts.extend(narrowed.used);
        for (path, origin) in narrowed.origins {
            resource.add_origin(path, origin);
        }
    }
    contradicted
}

impl Plan {
    /// Narrows the planned values of the resources by facts about the values that providers choose. Returns those that
    /// the plan contradicts. See [`ProviderFacts`] for an example.
    pub fn assume_facts(
        &mut self,
        facts: &ProviderFacts,
        schemas: &ProviderSchemas,
    ) -> Vec<ContradictedFact> {
        let mut contradicted = Vec::new();
        if facts.is_empty() {
            return contradicted;
        }
        let mut by_type = FactsByType::new(facts, schemas);
        for resource in self.resource_changes.iter_mut().filter(|resource| is_applied(resource)) {
            let of_type = by_type.of(resource);
            let Some(after) = &resource.change.after else { continue };
            let narrowed = NarrowedResource::new(&resource.address, after, &of_type);
            contradicted.extend(narrowed.contradicted);
            if let Some(after) = narrowed.after {
                Arc::make_mut(resource).change.after = Some(after);
            }
        }
        contradicted
    }
}

#[cfg(test)]
mod tests;
