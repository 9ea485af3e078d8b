//! Checks a configuration without a plan: builds the plan-like value of what is written, which the one checker reads.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::condition::Condition;

use super::checking::{CheckOptions, check_askable};
use super::report::PlanReport;
use super::rules::rules_file::{RulesFile, Subject};
use super::{Action, AddressPattern, Change, Mode, Plan, ResourceChange, Sensitivity};
use crate::configuration::{Inputs, WrittenInstance};
use plantime::rule::{ExprStep, PathExpr, Rule};
use plantime::source::Problem;
use plantime::{Value, View};
use plantime_hcl::Expression;

/// Checks a configuration without a plan against the rules, with the assumptions, facts and schemas of the options. Its
/// configuration is [`CheckOptions::configuration`]; `variables` are the values of variables of the root module, before its
/// `*.tfvars` and the defaults.
///
/// | of the configuration | in the check |
/// |---|---|
/// | an argument or block that is written | counts, with and without a schema |
/// | what is not written | unknown, unless a schema says that the provider does not choose it ([`Inputs::without_plan`]) |
/// | instances whose number is unknown | one, whose address has `[*]` and whose [`has_unknown_index`](ResourceChange::has_unknown_index) is true: its answers are about each instance, if there is any |
/// | names that are not declared, expressions that fail | unknown, and a note each |
/// | modules whose source is not there | a [`Gap`](crate::plan::Gap): their resources are not asked |
/// | rules about changes (`actions`, `change`) | are not asked, and named in [`PlanReport::unmatched`] |
///
/// The report has the gap [`NoPlan`](crate::plan::Gap::NoPlan), and no obligations: no apply belongs to it. An answer holds for every
/// plan of the configuration, if the provider plans what is written, has no default where its schema says that a null stays null, and
/// adds no block that its schema does not say it computes.
///
/// ```
/// use std::{collections::BTreeMap, sync::Arc};
/// use plantime_terraform::plan::{CheckOptions, Configuration, Gap, RulesFile, check_configuration};
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
///
/// let main = "resource \"aws_s3_bucket\" \"logs\" {\n  bucket = \"logs-prod\"\n  acl    = var.acl\n}\n";
/// let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
/// let rules = r#"
///     rule "name" {
///       resource = "aws_s3_bucket"
///       attribute "bucket" { starts_with = "logs-" }
///     }
///     rule "private" {
///       resource = "aws_s3_bucket"
///       attribute "acl" { equals = "private" }
///     }
/// "#;
/// let against = CheckOptions {
///     rules: RulesFile::read(Source::new("rules.hcl", rules)).unwrap(),
///     schemas: ProviderSchemas::new(),
///     configuration: Some(Configuration::open_tolerantly(Arc::new(files), "").unwrap()),
///     show_values: false,
///     facts: Default::default(),
/// };
/// let report = check_configuration("infra", &BTreeMap::new(), &against).unwrap();
/// assert_eq!((report.totals().pass, report.totals().undetermined), (1, 1));
/// assert_eq!(report.gaps, [Gap::NoPlan]);
/// assert_eq!(report.checked[0].title(), "aws_s3_bucket.logs is configured");
/// ```
///
/// # Errors
///
/// As for [`check`](crate::plan::check), but for places that a type does not have; and where the options have no configuration.
pub fn check_configuration(
    name: &str,
    variables: &BTreeMap<String, Value>,
    against: &CheckOptions,
) -> Result<PlanReport, Vec<Problem>> {
    let Some(configuration) = &against.configuration else {
        return Err(vec![against.rules.source.problem(0, "there is no configuration to check")]);
    };
    let configuration = configuration.read_configuration();
    let mut inputs = Inputs::new().schemas(&against.schemas).without_plan();
    for (name, value) in variables {
        inputs = inputs.variable(name, value.clone());
    }
    let evaluation = configuration.evaluate(&inputs);
    let mut places = ReadPlaces::new(&against.rules);
    let instances = evaluation.resource_instances().into_iter();
    let output = |(name, value): (String, Value)| (name, configured(value));
    let plan = Plan {
        is_configuration: true,
        missing_modules: configuration.missing_modules().len(),
        variables: evaluation.root_variables(),
        resource_changes: instances.map(|instance| Arc::new(places.resource(instance))).collect(),
        output_changes: evaluation.root_outputs().into_iter().map(output).collect(),
        ..Plan::default()
    };
    drop(evaluation);
    check_askable(name, &plan, against)
}

/// The change of an object that is configured with a value.
fn configured(value: Value) -> Change {
    Change {
        actions: vec![Action::Configured],
        after: Some(value),
        // The marks of the configuration and of the schemas are all that there are.
        before_sensitivity: Sensitivity::Stated,
        after_sensitivity: Sensitivity::Stated,
        ..Change::default()
    }
}

/// The names that the conditions of a rules file read one after another: from a resource or another subject, and from the elements of
/// something in one.
#[derive(Default)]
pub(super) struct ReadNames {
    of_all: BTreeSet<Vec<ExprStep>>,
    of_elements: BTreeSet<Vec<ExprStep>>,
}

impl ReadNames {
    pub(super) fn of(rules: &RulesFile) -> ReadNames {
        let mut read = ReadNames::default();
        let of_rules = rules.rules.iter().flat_map(|rule| rule.conditions.iter().chain(rule.locals.values()));
        for condition in of_rules.chain(rules.locals.values()) {
            add_chains(condition, &mut read);
        }
        read
    }
}

/// The value in which the places that conditions read are unknown, where they are not written.
pub(super) fn with_places(value: &Value, read: &ReadNames) -> Value {
    let value = read.of_all.iter().fold(value.clone(), |value, steps| with_place(&value, steps));
    read.of_elements.iter().fold(value, |value, steps| with_place_in_elements(&value, steps))
}

/// The places that the rules, assumptions and `change` blocks of a rules file read in the resources that they may match.
pub(super) struct ReadPlaces<'r> {
    places: Vec<(&'r AddressPattern, Vec<Vec<ExprStep>>)>,
    /// The places in the resources that rules compare values with, by address.
    compared: HashMap<&'r str, Vec<Vec<ExprStep>>>,
    /// The names that conditions read.
    read: ReadNames,
    types: HashMap<String, Arc<str>>,
}

impl<'r> ReadPlaces<'r> {
    pub(super) fn new(rules: &'r RulesFile) -> ReadPlaces<'r> {
        let mut places: Vec<(&AddressPattern, Vec<Vec<ExprStep>>)> = Vec::new();
        let mut compared: HashMap<&str, Vec<Vec<ExprStep>>> = HashMap::new();
        for rule in &rules.rules {
            let mut read = Vec::new();
            for test in &rule.tests {
                let prefix = test.path.as_ref().map_or(&[][..], PathExpr::steps);
                read.push(prefix.to_vec());
                add_places(&test.rule, prefix, &mut read);
                if let Some(place) = &test.same_as {
                    compared.entry(&place.address).or_default().push(place.path.steps().to_vec());
                }
            }
            if let Some(guard) = &rule.guard {
                add_places(guard, &[], &mut read);
            }
            if let Subject::Resource(patterns) = &rule.subject {
                places.extend(patterns.iter().map(|pattern| (pattern, read.clone())));
            }
        }
        for stated in &rules.assumptions {
            places.push((&stated.assumption.target, vec![stated.assumption.path.steps().to_vec()]));
        }
        for stated in &rules.forces_new {
            places.push((&stated.target, vec![stated.force_new.path().steps().to_vec()]));
        }
        ReadPlaces { places, compared, read: ReadNames::of(rules), types: HashMap::new() }
    }

    /// The resource of a plan that an instance of the configuration is. Without a schema nobody knows which attributes it has besides
    /// those that are written, so those that the rules read are unknown.
    fn resource(&mut self, instance: WrittenInstance) -> ResourceChange {
        let mut shared = |text: &str| {
            let known = self.types.get(text).cloned();
            known.unwrap_or_else(|| {
                let text: Arc<str> = text.into();
                self.types.insert(text.to_string(), Arc::clone(&text));
                text
            })
        };
        let mut change = ResourceChange {
            module_address: Some(instance.module.into_boxed_str()).filter(|module| !module.is_empty()),
            previous_address: None,
            mode: if instance.is_data_source { Mode::Data } else { Mode::Managed },
            type_name: shared(&instance.type_name),
            name: shared(&instance.name),
            provider_name: shared(&instance.provider),
            index: instance.index,
            has_unknown_index: instance.is_open,
            deposed: None,
            action_reason: None,
            address: instance.address,
            change: Change::default(),
        };
        let mut value = instance.value;
        if !instance.has_schema {
            for steps in self.of(&change) {
                value = with_place(&value, steps);
            }
            value = with_places(&value, &self.read);
        }
        change.change = configured(value);
        change
    }

    /// The places that are read in a resource, each once or twice.
    fn of(&self, change: &ResourceChange) -> Vec<&[ExprStep]> {
        let matching = self.places.iter().filter(|(pattern, _)| pattern.matches(change));
        let compared = self.compared.get(change.address.as_str());
        let read: BTreeSet<&[ExprStep]> = matching
            .flat_map(|(_, read)| read)
            .chain(compared.into_iter().flatten())
            .map(Vec::as_slice)
            .collect();
        read.into_iter().chain(self.read.of_all.iter().map(Vec::as_slice)).collect()
    }

    /// The names of the attributes of a resource that are read.
    pub(super) fn attributes(&self, change: &ResourceChange) -> BTreeSet<&str> {
        let first = self.of(change).into_iter().filter_map(|steps| match steps.first()? {
            ExprStep::Attr(name) | ExprStep::Key(name) => Some(name.as_str()),
            _ => None,
        });
        first.collect()
    }
}

/// Adds the places that a rule reads on a value at `prefix`.
fn add_places(rule: &Rule, prefix: &[ExprStep], places: &mut Vec<Vec<ExprStep>>) {
    let place = |path: &PathExpr| {
        let steps = prefix.iter().chain(path.steps()).cloned();
        PathExpr::from_steps(steps).map_or_else(|_| prefix.to_vec(), |path| path.steps().to_vec())
    };
    let inner = match rule {
        Rule::At(path, _) => place(path),
        // It is about names, which have no parts.
        Rule::Keys(_) => return,
        Rule::Members(_) => [prefix, &[ExprStep::AnyElement]].concat(),
        _ => prefix.to_vec(),
    };
    places.extend(rule.operands().into_iter().map(place));
    if matches!(rule, Rule::At(..)) {
        places.push(inner.clone());
    }
    for nested in rule.nested() {
        add_places(nested, &inner, places);
    }
}

/// Adds the names that a condition reads one after another: those of a resource, also at the paths of relations, and those of an
/// element.
fn add_chains(condition: &Condition, read: &mut ReadNames) {
    let calls = condition.expression.calls().into_iter();
    for call in calls.filter(|call| matches!(&*call.name, "referrers" | "referents")) {
        let path = call.arguments.get(2).and_then(Expression::as_literal);
        let path: Option<PathExpr> = path.and_then(|path| path.as_str().ok()?.parse().ok());
        read.of_all.extend(path.map(|path| path.steps().to_vec()));
    }
    for chain in condition.name_chains() {
        let mut names = chain.into_iter();
        let Some(root) = names.next() else { continue };
        let names: Vec<String> = names.collect();
        let (steps, of) = match (root.as_str(), names.as_slice()) {
            ("self" | "after", names) => (names, &mut read.of_all),
            ("var" | "local" | "plan" | "each" | "terraform" | "before", _) => continue,
            (_, [first, rest @ ..]) if first == "values" => (rest, &mut read.of_all),
            ("subject", _) => continue,
            (_, names) => (names, &mut read.of_elements),
        };
        if !steps.is_empty() {
            of.insert(steps.iter().map(|name| ExprStep::Attr(name.as_str().into())).collect());
        }
    }
}

/// The value with the place that steps lead to in the elements of each of its lists.
fn with_place_in_elements(value: &Value, steps: &[ExprStep]) -> Value {
    let (bare, marks) = value.clone().unmark();
    let changed = match bare.view() {
        View::Object(_) => bare.map_children(|_, child| with_place_in_elements(child, steps)),
        View::Tuple(_) => {
            bare.map_children(|_, child| with_place_in_elements(&with_place(child, steps), steps))
        }
        _ => None,
    };
    changed.map_or_else(|| value.clone(), |changed| changed.with_marks(&marks))
}

/// The value in which the place that steps lead to is unknown, if it is not written: an object without a schema may have more
/// attributes than are written.
fn with_place(value: &Value, steps: &[ExprStep]) -> Value {
    let Some((step, rest)) = steps.split_first() else { return value.clone() };
    let (bare, marks) = value.clone().unmark();
    let inside = |child: &Value| with_place(child, rest);
    let changed = match (bare.view(), step) {
        (View::Object(object), ExprStep::Attr(name) | ExprStep::Key(name)) => {
            let part = object.get(name).map_or_else(Value::dynamic, inside);
            let others = object.iter().filter(|(other, _)| *other != name.as_str());
            let parts =
                others.map(|(other, value)| (other.to_owned(), value.clone())).chain([(name.clone(), part)]);
            Value::object(parts).ok()
        }
        (View::Object(_) | View::Tuple(_), ExprStep::AnyElement) | (View::Tuple(_), ExprStep::Index(_)) => {
            bare.map_children(|_, child| inside(child))
        }
        // A single block may be written where the rule has the attribute of one.
        (View::Tuple(_), ExprStep::Attr(_) | ExprStep::Key(_)) => {
            bare.map_children(|_, child| with_place(child, steps))
        }
        _ => None,
    };
    changed.map_or_else(|| value.clone(), |changed| changed.with_marks(&marks))
}

#[cfg(test)]
mod tests {
    use super::with_place;
    use plantime::rule::PathExpr;
    use plantime::value;

    #[test]
    fn a_place_that_is_not_written_is_unknown_in_each_element() {
        let written = value!({ "ingress": [{ "from": 1 }, { "from": 2, "to": 3 }] }).unwrap();
        let path: PathExpr = "ingress[*].to".parse().unwrap();
        let open = with_place(&written, path.steps());
        assert_eq!(
            open.to_string(),
            "{ingress = [{from = 1, to = (known after apply)}, {from = 2, to = 3}]}"
        );
    }
}
