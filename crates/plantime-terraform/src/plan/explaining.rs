//! Why values of a plan are not known, and which unknown values most undetermined answers depend on.
//!
//! | file | does |
//! |---|---|
//! | this one | [`explain`]: one value; [`root_causes`]: all unknown values, or all undetermined answers |
//! | `write` | explanations as text, JSON and a graph |

mod write;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::configuration::{Evaluation, ExplainedValue, Explanation, PlanObject, UnknownCause};
use crate::plan::address::split_path;
use crate::plan::checking::{CheckOptions, mark_unstated};
use crate::plan::knowledge::configuration::flow;
use crate::plan::knowledge::facts::apply_facts;
use crate::plan::knowledge::{Origin, Planned, apply_assumptions, planned_resources};
use crate::plan::report::{CheckedResource, PlanReport, TestVerdict};
use crate::plan::{Mode, Plan};
use plantime::unstable::error::Kind;
use plantime::unstable::text::nearest;
use plantime::{Error, Path, Result, Value, View};

pub use write::EXPLANATION_FORMAT_VERSION;

/// Explains why a value is not known: follows the expressions that it is computed by back to the unknown values that only an
/// apply decides, and says of each where it is written, what is known, and from where.
///
/// The name is an address with a path, as plans and expressions have it: `aws_subnet.a[0].vpc_id`, `module.net.vpc_id`,
/// `module.net.local.cidr`, `var.region`, `output.url`; or an expression of the root module. A name may stand for several
/// values: `aws_subnet.a[*].id`, or a resource with several unknown attributes.
///
/// | the value | depends on |
/// |---|---|
/// | an attribute that the configuration computes | what its expression refers to and is not known |
/// | an attribute that is not configured | nothing: the provider chooses it |
/// | a data source that is read during the apply | its arguments that are not known, else its `depends_on` |
/// | an object or tuple that is written out | only the part that the path names |
/// | `c ? a : b` | the branch that is taken, if `c` is known |
/// | one element of `for` | this element of the collection, if there is no `if` |
/// | `each.value`, an iterator | the element of `for_each` |
///
/// Rules are not evaluated; the assumptions of the rules file hold. Without a configuration, the references in a plan in JSON
/// are followed, without places.
///
/// ```
/// use plantime_terraform::plan::{CheckOptions, Configuration, Plan, RulesFile, example, explain};
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
///
/// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
/// let plan = Plan::read(example::PLAN, &schemas)?;
/// let rules = RulesFile::read(Source::new("rules.hcl", "")).unwrap();
/// let options = CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
/// let why = explain(&plan, &options, "aws_subnet.main[\"data\"].vpc_id")?;
/// let roots: Vec<&str> = why.roots().map(|root| root.name.as_str()).collect();
/// assert_eq!(roots, ["aws_vpc.main.id"]);
/// assert_eq!(why.requested()[0].name, "aws_subnet.main[\"data\"].vpc_id");
/// assert!(why.text().contains("└─ aws_vpc.main.id\n"));
/// assert_eq!(why.to_json()["values"][1]["cause"], "provider");
/// assert!(why.to_dot().starts_with("digraph why {"));
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// When there is no such value.
pub fn explain(plan: &Plan, options: &CheckOptions, name: &str) -> Result<Explanation> {
    let mut resources = resources_with_facts(plan, options);
    let explanation = match &options.configuration {
        Some(configuration) => {
            let read = |evaluation: &Evaluation<'_>, _: &[Planned<'_>]| evaluation.explain(name);
            let found =
                flow::apply_configuration_with(configuration, plan, &mut resources, &options.schemas, read).1;
            found.map(|mut explanation| {
                explanation.values.iter_mut().for_each(|value| add_folder(value, configuration.folder()));
                explanation
            })
        }
        None => None,
    };
    let resources = by_address(&resources);
    let explanation = explanation.or_else(|| by_references(plan, &resources, name));
    let Some(mut explanation) = explanation else { return Err(no_such_value(plan, name)) };
    explanation.values.iter_mut().for_each(|value| add_facts(value, &resources));
    Ok(explanation)
}

/// The unknown values that the undetermined answers, or all unknown values, of a plan depend on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RootCauses {
    /// The values, those with the most dependents first.
    pub roots: Vec<RootCause>,
    /// The number of undetermined answers, or of unknown values.
    pub total: usize,
    /// Whether undetermined answers are counted; else unknown values are.
    pub counts_answers: bool,
}

/// An unknown value that only an apply decides, and what depends on it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RootCause {
    /// The unknown value itself.
    pub value: ExplainedValue,
    /// What depends on it: `rule vpc-id on aws_subnet.a.vpc_id`, or the name of an unknown value.
    pub dependents: Vec<String>,
}

/// The unknown values that the undetermined answers of a report depend on, or without a report all unknown values of the plan;
/// those with the most dependents first.
///
/// An answer that depends on several values is counted for each of them. Without a configuration, none is found.
///
/// ```
/// use plantime_terraform::plan::{CheckOptions, Configuration, Plan, RulesFile, root_causes};
/// use plantime::source::Source;
///
/// let plan = br#"{"format_version": "1.2", "resource_changes": [
///     {"address": "x_a.a", "type": "x_a", "name": "a", "mode": "managed", "provider_name": "x",
///      "change": {"actions": ["create"], "after": {}, "after_unknown": {"id": true}}},
///     {"address": "x_b.b", "type": "x_b", "name": "b", "mode": "managed", "provider_name": "x",
///      "change": {"actions": ["create"], "after": {}, "after_unknown": {"id": true, "of": true}}}
/// ]}"#;
/// let plan = Plan::read(plan, &Default::default())?;
/// let main = Source::new("main.tf", "resource \"x_a\" \"a\" {}\nresource \"x_b\" \"b\" {\n  of = x_a.a.id\n}\n");
/// let options = CheckOptions {
///     rules: RulesFile::read(Source::new("rules.hcl", "")).unwrap(),
///     schemas: Default::default(),
///     configuration: Some(Configuration::read([main]).unwrap()),
///     show_values: true,
///     facts: Default::default(),
/// };
/// let causes = root_causes(&plan, &options, None);
/// assert_eq!((causes.total, causes.counts_answers), (3, false));
/// assert_eq!(causes.roots[0].value.name, "x_a.a.id");
/// assert_eq!(causes.roots[0].dependents, ["x_a.a.id", "x_b.b.of"]);
/// assert!(causes.text().starts_with("3 unknown values, by the values that they depend on:\n"));
/// assert_eq!(causes.to_json()["roots"][0]["place"], "main.tf:1");
/// assert!(causes.to_dot().contains("-> r0;"));
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn root_causes(plan: &Plan, options: &CheckOptions, report: Option<&PlanReport>) -> RootCauses {
    let mut resources = resources_with_facts(plan, options);
    let inputs: Vec<UnknownInput> = match report {
        Some(report) => report.checked.iter().flat_map(inputs_of_answers).collect(),
        None => resources.iter().flat_map(unknown_values).collect(),
    };
    let requested: Vec<(PlanObject<'_>, &Path)> =
        inputs.iter().map(|input| (input.object(), &input.path)).collect();
    let found = match &options.configuration {
        Some(configuration) => {
            let read = |evaluation: &Evaluation<'_>, _: &[Planned<'_>]| evaluation.explain_all(&requested);
            let mut found =
                flow::apply_configuration_with(configuration, plan, &mut resources, &options.schemas, read).1;
            found.0.values.iter_mut().for_each(|value| add_folder(value, configuration.folder()));
            Some(found)
        }
        None => None,
    };
    let total = inputs.iter().map(|input| &input.dependent).collect::<BTreeSet<_>>().len();
    let counts_answers = report.is_some();
    let Some((explanation, positions)) = found else {
        return RootCauses { roots: Vec::new(), total, counts_answers };
    };
    // An answer may depend on several parts of one value.
    let mut dependents: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    let roots_of_each = explanation.roots_of_each();
    for (input, positions) in inputs.iter().zip(&positions) {
        for root in positions.iter().filter_map(|at| roots_of_each.get(*at)).flat_map(|roots| roots.iter()) {
            dependents.entry(*root).or_default().insert(&input.dependent);
        }
    }
    let resources = by_address(&resources);
    let root = |(position, dependents): (usize, BTreeSet<&str>)| {
        let mut value = explanation.values.get(position)?.clone();
        add_facts(&mut value, &resources);
        Some(RootCause { value, dependents: dependents.into_iter().map(str::to_owned).collect() })
    };
    let mut roots: Vec<RootCause> = dependents.into_iter().filter_map(root).collect();
    roots.sort_by(|a, b| (b.dependents.len(), &a.value.name).cmp(&(a.dependents.len(), &b.value.name)));
    RootCauses { roots, total, counts_answers }
}

/// An unknown value of a resource or output, and the name of what depends on it.
struct UnknownInput {
    address: String,
    is_output: bool,
    path: Path,
    dependent: String,
}

impl UnknownInput {
    /// The resource or output that has the unknown input.
    fn object(&self) -> PlanObject<'_> {
        match self.is_output {
            true => PlanObject::Output(self.address.strip_prefix("output.").unwrap_or(&self.address)),
            false => PlanObject::Resource(&self.address),
        }
    }
}

/// The unknown inputs of the undetermined answers about a resource or output.
fn inputs_of_answers(checked: &CheckedResource) -> Vec<UnknownInput> {
    let mut inputs = Vec::new();
    for answer in &checked.answers {
        let TestVerdict::Undetermined(reason) = &answer.verdict else { continue };
        let place = answer.path.after_name(checked.address());
        for input in reason.why.inputs() {
            inputs.push(UnknownInput {
                address: checked.address().to_owned(),
                is_output: checked.type_name().is_none(),
                path: input.clone(),
                dependent: format!("rule {} on {place}", answer.rule),
            });
        }
    }
    inputs
}

/// The unknown values of a resource. A set or a marked value with unknown parts counts as one unknown value.
fn unknown_values(resource: &Planned<'_>) -> Vec<UnknownInput> {
    let mut inputs = Vec::new();
    resource.after.walk(|path, part| {
        let is_whole = !part.is_known() || part.is_marked() || matches!(part.view(), View::Set(_));
        if is_whole && !part.is_wholly_known() {
            let address = resource.change.address.clone();
            let dependent = path.after_name(&address);
            inputs.push(UnknownInput { address, is_output: false, path: path.clone(), dependent });
        }
        !is_whole && !part.is_wholly_known()
    });
    inputs
}

/// The planned resources with what assumptions, schemas and catalogues say.
fn resources_with_facts<'p>(plan: &'p Plan, options: &CheckOptions) -> Vec<Planned<'p>> {
    let mut resources = planned_resources(plan);
    if !options.show_values {
        mark_unstated(&mut resources, &options.schemas);
    }
    apply_assumptions(&mut resources, &options.rules);
    apply_facts(&options.facts, &mut resources, &options.schemas);
    resources
}

/// Prepends the folder of the configuration to the file of an explained value.
fn add_folder(value: &mut ExplainedValue, folder: &str) {
    if let Some(place) = &mut value.place {
        place.insert_str(0, folder);
    }
}

/// The resources by their addresses, without deposed objects, which have the same address as the current object.
fn by_address<'r, 'p>(resources: &'r [Planned<'p>]) -> HashMap<&'r str, &'r Planned<'p>> {
    let current = resources.iter().filter(|resource| resource.change.deposed.is_none());
    current.map(|resource| (resource.change.address.as_str(), resource)).collect()
}

/// Adds where knowledge about a value comes from, except from the configuration, whose lines the explanation has.
fn add_facts(value: &mut ExplainedValue, resources: &HashMap<&str, &Planned<'_>>) {
    let found = value.address.as_deref().and_then(|address| resources.get(address));
    match found.and_then(|resource| resource.origins.get(&value.path)) {
        None | Some(Origin::Configuration(_)) => {}
        Some(origin) => value.facts.push(origin.to_string()),
    }
}

/// The explanation that the references in a plan in JSON give: they do not tell how a value is computed, nor where.
fn by_references(plan: &Plan, resources: &HashMap<&str, &Planned<'_>>, name: &str) -> Option<Explanation> {
    let mut values = vec![planned_value(plan, resources, name)?];
    let Some(first) = values.first_mut().filter(|first| first.cause != UnknownCause::Known) else {
        return Some(Explanation { values, requested: 1 });
    };
    let references = match &first.address {
        Some(address) => plan.references.of(address, &first.path),
        None => plan.references.of_output(name.strip_prefix("output.").unwrap_or(name)),
    };
    let roots = references.iter().filter_map(|reference| planned_value(plan, resources, reference));
    let roots: Vec<ExplainedValue> = roots.filter(|root| root.cause != UnknownCause::Known).collect();
    if !roots.is_empty() {
        first.cause = UnknownCause::Expression;
        first.depends_on = (1..=roots.len()).collect();
    }
    values.extend(roots);
    Some(Explanation { values, requested: 1 })
}

/// A value of the plan by its name: a resource with a path, a variable of the root module, an output.
fn planned_value(plan: &Plan, resources: &HashMap<&str, &Planned<'_>>, name: &str) -> Option<ExplainedValue> {
    let explained = |address: Option<&str>, path: Path, value: Value, cause: UnknownCause| ExplainedValue {
        name: name.to_owned(),
        address: address.map(str::to_owned),
        path,
        cause: if value.is_wholly_known() { UnknownCause::Known } else { cause },
        value,
        place: None,
        line: None,
        depends_on: Vec::new(),
        omitted: 0,
        facts: Vec::new(),
    };
    if let Some(variable) = name.strip_prefix("var.") {
        let variable = variable.split(['.', '[']).next()?;
        let value = plan.variables.get(variable).cloned()?;
        return Some(explained(None, Path::new(), value, UnknownCause::Variable));
    }
    if let Some(output) = name.strip_prefix("output.") {
        let value = plan.output_changes.get(output)?.after.clone()?;
        return Some(explained(None, Path::new(), value, UnknownCause::Expression));
    }
    let (address, path) = split_path(name, |address| resources.contains_key(address))?;
    let resource = resources.get(address)?;
    let value = resource.after.get(&path).ok()?;
    let cause = match resource.change.mode {
        Mode::Managed | Mode::Other => UnknownCause::Provider(resource.change.type_name.to_string()),
        Mode::Data => UnknownCause::DataSource,
        Mode::Ephemeral => UnknownCause::Ephemeral,
    };
    Some(explained(Some(address), path, value, cause))
}

/// The error that neither the plan nor the configuration has a value, with the nearest name.
fn no_such_value(plan: &Plan, name: &str) -> Error {
    let addresses = plan.resource_changes.iter().map(|change| change.address.as_str());
    let outputs: Vec<String> = plan.output_changes.keys().map(|name| format!("output.{name}")).collect();
    let variables: Vec<String> = plan.variables.keys().map(|name| format!("var.{name}")).collect();
    let known = addresses.chain(outputs.iter().chain(&variables).map(String::as_str));
    let near = nearest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Error::new(Kind::NotFound, format!("there is no value `{name}`{near}"))
}
