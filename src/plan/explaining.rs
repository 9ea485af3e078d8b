//! Why values of a plan are not known, and what most of the open answers wait for.
//!
//! | file | does |
//! |---|---|
//! | this one | [`explain`]: one value; [`open_roots`]: all that is open |
//! | `write` | explanations as text, JSON and a graph |

mod write;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::configuration::{Asked, Cause, Evaluation, ExplainedValue, Explanation};
use crate::error::{Error, Kind, Result};
use crate::path::Path;
use crate::plan::checking::{CheckOptions, mark_unstated};
use crate::plan::knowledge::configuration::flow;
use crate::plan::knowledge::facts::apply_facts;
use crate::plan::knowledge::{Origin, Planned, apply_assumptions, planned_resources};
use crate::plan::report::{CheckedResource, PlanReport, TestVerdict};
use crate::plan::{Mode, Plan};
use crate::text::nearest;
use crate::value::{Value, View};

pub use write::EXPLANATION_FORMAT_VERSION;

/// Explains why a value is not known: follows the expressions that it is computed by back to the unknown values that only an
/// apply decides, and says of each where it is written, what is known, and from where.
///
/// The name is an address with a path, as plans and expressions have it: `aws_subnet.a[0].vpc_id`, `module.net.vpc_id`,
/// `module.net.local.cidr`, `var.region`, `output.url`; or an expression of the root module. A name may stand for several
/// values: `aws_subnet.a[*].id`, or a resource with several unknown attributes.
///
/// | the value | hangs on |
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
/// use plantime::plan::{CheckOptions, Configuration, Plan, RulesFile, Source, example, explain};
/// use plantime::schema::ProviderSchemas;
///
/// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
/// let plan = Plan::read(example::PLAN, &schemas)?;
/// let rules = RulesFile::read(Source::new("rules.hcl", "")).unwrap();
/// let options = CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
/// let why = explain(&plan, &options, "aws_subnet.main[\"data\"].vpc_id")?;
/// let roots: Vec<&str> = why.roots().map(|root| root.name.as_str()).collect();
/// assert_eq!(roots, ["aws_vpc.main.id"]);
/// assert_eq!(why.asked()[0].name, "aws_subnet.main[\"data\"].vpc_id");
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
    let mut resources = known_resources(plan, options);
    let explanation = match &options.configuration {
        Some(configuration) => {
            let read = |evaluation: &Evaluation<'_>| evaluation.explain(name);
            let found = flow::apply_and_read(configuration, plan, &mut resources, &options.schemas, read).1;
            found.map(|mut explanation| {
                explanation.values.iter_mut().for_each(|value| add_folder(value, configuration.folder()));
                explanation
            })
        }
        None => None,
    };
    let explanation = explanation.or_else(|| by_references(plan, &resources, name));
    let Some(mut explanation) = explanation else { return Err(no_such_value(plan, name)) };
    let by_address = by_address(&resources);
    explanation.values.iter_mut().for_each(|value| add_facts(value, &by_address));
    Ok(explanation)
}

/// The unknown values that everything open in a plan waits for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenRoots {
    /// The values, the most wanted first.
    pub roots: Vec<OpenRoot>,
    /// The number of all that is open: undetermined answers, or unknown values.
    pub open: usize,
    /// Whether answers are counted; else unknown values are.
    pub are_answers: bool,
}

/// An unknown value, and what waits for it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenRoot {
    /// The unknown value itself.
    pub value: ExplainedValue,
    /// What waits for it: `rule vpc-id on aws_subnet.a.vpc_id`, or the name of an unknown value.
    pub waiting: Vec<String>,
}

/// The unknown values that everything open in a plan waits for, the most wanted first: the undetermined answers of a report, or
/// without a report all unknown values of the plan.
///
/// A value that hangs on several is counted for each of them. Needs a configuration.
///
/// ```
/// use plantime::plan::{CheckOptions, Configuration, Plan, RulesFile, Source, open_roots};
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
/// let open = open_roots(&plan, &options, None);
/// assert_eq!((open.open, open.are_answers), (3, false));
/// assert_eq!(open.roots[0].value.name, "x_a.a.id");
/// assert_eq!(open.roots[0].waiting, ["x_a.a.id", "x_b.b.of"]);
/// assert!(open.text().starts_with("3 unknown values, by what they wait for:\n"));
/// assert_eq!(open.to_json()["roots"][0]["place"], "main.tf:1");
/// assert!(open.to_dot().contains("-> r0;"));
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn open_roots(plan: &Plan, options: &CheckOptions, report: Option<&PlanReport>) -> OpenRoots {
    let mut resources = known_resources(plan, options);
    let open: Vec<Open> = match report {
        Some(report) => report.checked.iter().flat_map(open_answers).collect(),
        None => resources.iter().flat_map(unknown_values).collect(),
    };
    let asked: Vec<(Asked<'_>, &Path)> = open.iter().map(|open| (open.asked(), &open.path)).collect();
    let found = match &options.configuration {
        Some(configuration) => {
            let read = |evaluation: &Evaluation<'_>| evaluation.explain_all(&asked);
            let mut found =
                flow::apply_and_read(configuration, plan, &mut resources, &options.schemas, read).1;
            found.0.values.iter_mut().for_each(|value| add_folder(value, configuration.folder()));
            Some(found)
        }
        None => None,
    };
    let count = open.iter().map(|open| &open.waiting).collect::<BTreeSet<_>>().len();
    let are_answers = report.is_some();
    let Some((explanation, positions)) = found else {
        return OpenRoots { roots: Vec::new(), open: count, are_answers };
    };
    // An answer may wait for several parts of one value.
    let mut waiting: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for (open, positions) in open.iter().zip(&positions) {
        for root in explanation.roots_of(positions) {
            waiting.entry(root).or_default().insert(&open.waiting);
        }
    }
    let by_address = by_address(&resources);
    let root = |(position, waiting): (usize, BTreeSet<&str>)| {
        let mut value = explanation.values.get(position)?.clone();
        add_facts(&mut value, &by_address);
        Some(OpenRoot { value, waiting: waiting.into_iter().map(str::to_owned).collect() })
    };
    let mut roots: Vec<OpenRoot> = waiting.into_iter().filter_map(root).collect();
    roots.sort_by(|a, b| (b.waiting.len(), &a.value.name).cmp(&(a.waiting.len(), &b.value.name)));
    OpenRoots { roots, open: count, are_answers }
}

/// Something open: where it is, and what it is called.
struct Open {
    address: String,
    is_output: bool,
    path: Path,
    waiting: String,
}

impl Open {
    fn asked(&self) -> Asked<'_> {
        match self.is_output {
            true => Asked::Output(self.address.strip_prefix("output.").unwrap_or(&self.address)),
            false => Asked::Resource(&self.address),
        }
    }
}

/// The undetermined answers about a resource or output, one for each unknown input.
fn open_answers(checked: &CheckedResource) -> Vec<Open> {
    let mut open = Vec::new();
    for answer in &checked.answers {
        let TestVerdict::Undetermined(reason) = &answer.verdict else { continue };
        let place = write::joined(checked.address(), &answer.path);
        for input in reason.why.inputs() {
            open.push(Open {
                address: checked.address().to_owned(),
                is_output: checked.type_name().is_none(),
                path: input.clone(),
                waiting: format!("rule {} on {place}", answer.rule),
            });
        }
    }
    open
}

/// The unknown values of a resource: of a set and of what is marked the whole.
fn unknown_values(resource: &Planned<'_>) -> Vec<Open> {
    let mut open = Vec::new();
    resource.after.walk(|path, part| {
        let is_whole = !part.is_known() || part.is_marked() || matches!(part.view(), View::Set(_));
        if is_whole && !part.is_wholly_known() {
            let address = resource.change.address.clone();
            let waiting = write::joined(&address, path);
            open.push(Open { address, is_output: false, path: path.clone(), waiting });
        }
        !is_whole && !part.is_wholly_known()
    });
    open
}

/// The planned resources with what assumptions, schemas and catalogues say.
fn known_resources<'p>(plan: &'p Plan, options: &CheckOptions) -> Vec<Planned<'p>> {
    let mut resources = planned_resources(plan);
    if !options.show_values {
        mark_unstated(&mut resources, &options.schemas);
    }
    apply_assumptions(&mut resources, &options.rules);
    apply_facts(&options.facts, &mut resources, &options.schemas);
    resources
}

fn add_folder(value: &mut ExplainedValue, folder: &str) {
    if let Some(place) = &mut value.place {
        place.insert_str(0, folder);
    }
}

/// The resources by their addresses; a deposed object has that of the current one.
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
fn by_references(plan: &Plan, resources: &[Planned<'_>], name: &str) -> Option<Explanation> {
    let asked = planned_value(plan, resources, name)?;
    let mut values = vec![asked];
    let Some(first) = values.first_mut().filter(|first| first.cause != Cause::Known) else {
        return Some(Explanation { values, asked: 1 });
    };
    let references = match &first.address {
        Some(address) => plan.references.of(address, &first.path),
        None => plan.references.of_output(name.strip_prefix("output.").unwrap_or(name)),
    };
    let roots = references.iter().filter_map(|reference| planned_value(plan, resources, reference));
    let roots: Vec<ExplainedValue> = roots.filter(|root| root.cause != Cause::Known).collect();
    if !roots.is_empty() {
        first.cause = Cause::Expression;
        first.hangs_on = (1..=roots.len()).collect();
    }
    values.extend(roots);
    Some(Explanation { values, asked: 1 })
}

/// A value of the plan by its name: a resource with a path, a variable of the root module, an output.
fn planned_value(plan: &Plan, resources: &[Planned<'_>], name: &str) -> Option<ExplainedValue> {
    let explained = |address: Option<&str>, path: Path, value: Value, cause: Cause| ExplainedValue {
        name: name.to_owned(),
        address: address.map(str::to_owned),
        path,
        cause: if value.is_wholly_known() { Cause::Known } else { cause },
        value,
        place: None,
        line: None,
        hangs_on: Vec::new(),
        omitted: 0,
        facts: Vec::new(),
    };
    if let Some(variable) = name.strip_prefix("var.") {
        let variable = variable.split(['.', '[']).next()?;
        let value = plan.variables.get(variable).cloned()?;
        return Some(explained(None, Path::new(), value, Cause::Variable));
    }
    if let Some(output) = name.strip_prefix("output.") {
        let value = plan.output_changes.get(output)?.after.clone()?;
        return Some(explained(None, Path::new(), value, Cause::Expression));
    }
    // The longest part that is an address; what follows is a path into the resource.
    let ends = name.match_indices(['.', '[']).map(|(at, _)| at).chain([name.len()]);
    let ends: Vec<usize> = ends.collect();
    ends.into_iter().rev().find_map(|end| {
        let (address, rest) = name.split_at_checked(end)?;
        let resource = resources.iter().find(|resource| resource.change.address == address)?;
        let path: Path = rest.strip_prefix('.').unwrap_or(rest).parse().ok()?;
        let value = resource.after.get(&path).ok()?;
        let cause = match resource.change.mode {
            Mode::Managed | Mode::Other => Cause::Provider(resource.change.type_name.to_string()),
            Mode::Data => Cause::DataSource,
            Mode::Ephemeral => Cause::Ephemeral,
        };
        Some(explained(Some(address), path, value, cause))
    })
}

/// The error that neither the plan nor the configuration has a value, with the nearest name.
fn no_such_value(plan: &Plan, name: &str) -> Error {
    let addresses = plan.resource_changes.iter().map(|change| change.address.as_str());
    let near = nearest(name, addresses).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Error::new(Kind::NotFound, format!("there is no value `{name}`{near}"))
}
