//! Evaluates a configuration on the planned values. A resource is narrowed to its configured values before expressions that
//! refer to it are evaluated, so that facts pass through locals, variables, modules and outputs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::narrowing::{ConfiguredFacts, SchemaPart, narrowed};
use super::{Configuration, Copies, Evaluated, NarrowedOutput, SourceLocations, as_problems};
use crate::configuration::{
    Condition, ConditionVerdict, ConfiguredInstance, Evaluation, INVALID_ASSUMPTION, Inputs, KnownValues,
    Narrowing,
};
use crate::plan::address::parse_address;
use crate::plan::knowledge::facts::{ContradictedFact, UsedFact};
use crate::plan::knowledge::replace_part::with_attributes;
use crate::plan::knowledge::{ContradictedAssumption, Origin, PlaceNames, Planned, schema_of};
use crate::plan::report::render::statement;
use crate::plan::rules::rules_file::RulesFile;
use crate::plan::{Action, Change, CheckStatus, CustomCondition, Plan, PlannedValues, ResourceChange};
use plantime::rule::PathExpr;
use plantime::{Path, Value};
use plantime_schema::{ProviderSchemas, Schema};

/// The planned values, narrowed one resource at a time while the configuration is evaluated.
struct PlannedValuesToNarrow<'p> {
    plan: PlannedValues<'p>,
    schemas: &'p ProviderSchemas,
    planned: BTreeMap<&'p str, PlannedInstance<'p>>,
    narrowed: RefCell<BTreeMap<String, (Option<Value>, ConfiguredFacts)>>,
}

/// A planned resource before the configuration narrows it.
struct PlannedInstance<'p> {
    change: &'p ResourceChange,
    after: Value,
    before: Option<Value>,
}

impl KnownValues for PlannedValuesToNarrow<'_> {
    fn resource(&self, address: &str) -> Option<Value> {
        match self.planned.get(address) {
            Some(planned) => Some(planned.after.clone()),
            None => self.plan.resource(address),
        }
    }

    fn has_prior(&self, address: &str) -> bool {
        self.plan.has_prior(address)
    }

    fn variable(&self, name: &str) -> Option<Value> {
        self.plan.variable(name)
    }

    fn timestamp(&self) -> Option<&str> {
        self.plan.timestamp()
    }
}

impl Narrowing for PlannedValuesToNarrow<'_> {
    fn schema(&self, address: &str) -> Option<&Schema> {
        schema_of(self.schemas, self.planned.get(address)?.change)
    }

    fn keeps_configured(&self, address: &str) -> bool {
        let Some(planned) = self.planned.get(address) else { return false };
        let change = &planned.change.change;
        [Action::Create, Action::Read, Action::Configured].iter().any(|action| change.has_action(action))
    }

    fn narrowed(&self, instance: &ConfiguredInstance<'_>) -> Value {
        let Some(planned) = self.planned.get(instance.address) else { return instance.known.clone() };
        // Only a schema tells the types, and which attributes the provider computes.
        let Some(schema) = instance.schema else { return instance.known.clone() };
        let change = &planned.change.change;
        let is_created = (change.has_action(&Action::Create) || change.has_action(&Action::Configured))
            && !instance.ignores_changes;
        let prior = planned.before.as_ref().filter(|_| !is_created);
        let part = match instance.is_terraform_data && !instance.ignores_changes {
            true => SchemaPart::TerraformData(schema.block()),
            false => SchemaPart::Block(schema.block()),
        };
        let (value, found) = narrowed(&planned.after, instance.configured, part, prior, is_created);
        let narrowed = value.clone().unwrap_or_else(|| planned.after.clone());
        self.narrowed.borrow_mut().insert(instance.address.to_owned(), (value, found));
        narrowed
    }
}

/// Evaluates the configuration on planned values, and narrows these.
pub(crate) fn apply_configuration<'p>(
    configuration: &Configuration,
    plan: &'p Plan,
    planned: &mut [Planned<'p>],
    schemas: &'p ProviderSchemas,
    rules: &RulesFile,
) -> Evaluated {
    let has_conditions = rules.has_conditions();
    let read = |evaluation: &Evaluation<'_>, planned: &[Planned<'_>]| {
        let copies = Copies::requested(evaluation, configuration, rules, plan, planned);
        let chains = match has_conditions {
            true => super::copies::chains(evaluation, configuration, planned),
            false => Default::default(),
        };
        let json_sources = match rules.calls("jsondecode") {
            true => super::copies::json_sources(evaluation, planned),
            false => Default::default(),
        };
        (copies, chains, json_sources, has_conditions.then(|| evaluation.declared_facts()))
    };
    let (mut evaluated, (copies, chains, json_sources, facts)) =
        apply_configuration_with(configuration, plan, planned, schemas, read);
    (evaluated.copies, evaluated.chains, evaluated.facts) = (Some(copies), chains, facts);
    evaluated.json_sources = json_sources;
    evaluated
}

/// Narrows the planned values as [`apply_configuration`] does, and also returns what `read` takes from the evaluation.
pub(crate) fn apply_configuration_with<'p, T>(
    configuration: &Configuration,
    plan: &'p Plan,
    planned: &mut [Planned<'p>],
    schemas: &'p ProviderSchemas,
    read: impl FnOnce(&Evaluation<'_>, &[Planned<'_>]) -> T,
) -> (Evaluated, T) {
    let mut evaluated = Evaluated::default();
    for resource in planned.iter_mut().filter(|resource| resource.change.deposed.is_none()) {
        evaluated.apply_inline_assumptions(resource, configuration);
    }
    let instances = planned.iter().filter(|resource| resource.change.deposed.is_none()).map(|resource| {
        let (after, before) = (resource.after.clone(), resource.before.clone());
        (resource.change.address.as_str(), PlannedInstance { change: resource.change, after, before })
    });
    let values = PlannedValuesToNarrow {
        plan: plan.planned_values(),
        schemas,
        planned: instances.collect(),
        narrowed: RefCell::new(BTreeMap::new()),
    };
    let mut inputs = Inputs::new().known(&values).narrowing(&values).schemas(schemas);
    if plan.is_configuration {
        inputs = inputs.without_plan();
    }
    let evaluation = configuration.read.evaluate(&inputs);
    let mut by_address = values.narrowed.take();
    for resource in planned.iter_mut().filter(|resource| resource.change.deposed.is_none()) {
        let Some((value, found)) = by_address.remove(&resource.change.address) else { continue };
        let origin = |path: &Path| configuration.origin(&evaluation, &resource.change.address, path);
        evaluated.add_contradictions(resource, &found, &origin);
        for (path, refinement) in found.facts {
            let origin = Origin::Configuration(origin(&path));
            if let Some(refinement) = refinement
                && let Some(exact) = PathExpr::exact_steps(&path)
                && let Ok(expression) = PathExpr::from_steps(exact)
            {
                resource.facts.push(UsedFact { path: expression, refinement, origin: origin.clone() });
            }
            resource.add_origin(path, origin);
        }
        if let Some(value) = value {
            resource.after = value;
        }
    }
    for (name, change) in &plan.output_changes {
        if let (Some(planned), Some(configured)) = (&change.after, evaluation.output(name)) {
            let place = evaluation.output_origin(name).map_or_else(String::new, |place| place.to_string());
            let origin = Origin::Configuration(format!("{}{place}", configuration.folder));
            // Terraform computes outputs itself, so nothing else can become of them.
            let (value, found) = narrowed(planned, &configured, SchemaPart::Exact, None, false);
            let Some(value) = value else { continue };
            let facts = found.facts.into_iter().filter_map(|(path, refinement)| {
                let path = PathExpr::from_steps(PathExpr::exact_steps(&path)?).ok()?;
                Some(UsedFact { path, refinement: refinement?, origin: origin.clone() })
            });
            let facts = facts.collect();
            let change = Change { after: Some(value), ..change.clone() };
            evaluated.outputs.insert(name.clone(), NarrowedOutput { change, origin, facts });
        }
    }
    for change in &plan.resource_changes {
        if let Some(declared) = configuration.declaration(&change.address) {
            evaluated.declared.insert(change.address.clone(), declared);
        }
    }
    evaluated.conditions =
        evaluation.conditions().into_iter().map(|one| configuration.custom_condition(one)).collect();
    evaluated.source_locations = SourceLocations::of(&evaluation, &configuration.folder);
    let (invalid, problems): (Vec<_>, Vec<_>) =
        evaluation.problems().into_iter().partition(|problem| problem.summary() == INVALID_ASSUMPTION);
    evaluated.invalid_assumptions = as_problems(invalid.iter(), &configuration.folder);
    evaluated.problems = problems
        .iter()
        .map(|problem| {
            let file = problem.source().name();
            let place = format!("{}{file}:{}", configuration.folder, problem.position().line);
            match problem.detail().lines().next() {
                // Without a plan, each is a note of its own.
                Some(detail) if plan.is_configuration => format!("{place}: {}: {detail}", problem.summary()),
                _ => format!("{place}: {}", problem.summary()),
            }
        })
        .collect();
    let read = read(&evaluation, planned);
    (evaluated, read)
}

impl Evaluated {
    /// Applies what the block of a resource assumes of its attributes.
    fn apply_inline_assumptions(&mut self, resource: &mut Planned<'_>, configuration: &Configuration) {
        let Some(address) = parse_address(&resource.change.address) else { return };
        let calls: Vec<&str> = address.modules.iter().map(|module| module.name.as_str()).collect();
        let name = format!("{}{}.{}", address.mode.prefix(), address.type_name, address.name);
        for stated in configuration.read.inline_assumptions(&calls, &name) {
            let path = Path::new().attr(&stated.attribute);
            let Ok(part) = resource.after.get(&path) else { continue };
            let line = stated.source.position(stated.span.start).line;
            let place = format!("{}{}:{line}", configuration.folder, stated.source.name());
            match part.assume_with_type(&stated.refinement) {
                Ok(narrowed) if narrowed == part => {}
                Ok(narrowed) => {
                    let (bare, marks) = resource.after.clone().unmark();
                    let changed = BTreeMap::from([(stated.attribute.to_string(), narrowed)]);
                    let Ok(after) = with_attributes(&bare, changed) else { continue };
                    resource.after = after.with_marks(&marks);
                    let origin = Origin::Configuration(place);
                    let expression =
                        PathExpr::exact_steps(&path).and_then(|steps| PathExpr::from_steps(steps).ok());
                    if let Some(path) = expression {
                        let (refinement, origin) = (stated.refinement.clone(), origin.clone());
                        resource.facts.push(UsedFact { path, refinement, origin });
                    }
                    resource.add_origin(path, origin);
                }
                Err(error) => self.contradicted.push(ContradictedAssumption {
                    position: None,
                    address: resource.change.address.clone(),
                    path,
                    value: Some(statement(&part)),
                    message: format!("{}; the configuration assumes it in {place}", error.message()),
                }),
            }
        }
    }

    /// Adds the contradictions of one resource. Where the rules file has an assumption about the path, the assumption is
    /// contradicted, else the plan.
    fn add_contradictions(
        &mut self,
        resource: &Planned<'_>,
        found: &ConfiguredFacts,
        origin: &dyn Fn(&Path) -> String,
    ) {
        for (path, message) in &found.contradictions {
            let (origin, address) = (origin(path), resource.change.address.clone());
            let shown = PlaceNames::new(&resource.after).display_path(path);
            match resource.origins.get(path) {
                Some(Origin::Assumed(position)) => self.contradicted.push(ContradictedAssumption {
                    position: Some(*position),
                    address,
                    path: shown,
                    value: None,
                    message: format!("{message}; the configuration says so in {origin}"),
                }),
                _ => self.contradicted_facts.push(ContradictedFact {
                    address,
                    path: shown,
                    origin: format!("configuration {origin}"),
                    message: message.clone(),
                }),
            }
        }
    }
}

impl Configuration {
    /// The file and line where the value at a path in a resource is written.
    fn origin(&self, evaluation: &Evaluation<'_>, address: &str, path: &Path) -> String {
        let origin = evaluation.origin(address, path).or_else(|| evaluation.origin(address, &Path::new()));
        origin.map_or_else(String::new, |origin| format!("{}{origin}", self.folder))
    }

    /// Converts an evaluated condition to the form that reports have.
    fn custom_condition(&self, condition: Condition) -> CustomCondition {
        let (status, message) = match condition.verdict {
            ConditionVerdict::Pass => (CheckStatus::Pass, None),
            ConditionVerdict::Fail => (CheckStatus::Fail, condition.message),
            ConditionVerdict::Undetermined => (CheckStatus::Unknown, None),
            ConditionVerdict::Invalid(problem) => (CheckStatus::Error, Some(problem)),
        };
        CustomCondition {
            kind: condition.kind.name(),
            object: condition.object.name(),
            address: condition.address,
            place: format!("{}{}", self.folder, condition.origin),
            status,
            message,
            depends_on: condition.depends_on,
            terraform: None,
        }
    }
}
