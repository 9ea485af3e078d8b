//! Rules on the planned values of a plan.

mod concealed;
mod declared;
mod examined;
mod kinds;
mod known_references;
mod misspelt;
mod notes;
mod operands;
mod prepared;
mod readings;
mod shown;
mod sides;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};

pub(super) use self::concealed::outcome as concealed_outcome;
use self::declared::{TypeKey, key};
use self::examined::{Evaluated, Examined};
use self::known_references::KnownReferences;
use self::notes::Unmet;
use self::operands::add_attributes;
use self::prepared::{PreparedRule, prepared, root};
use self::readings::Readings;
pub(super) use self::readings::for_every_kind;
use self::shown::output;
use self::sides::Circumstances;

use super::config::{Configuration, flow};
use super::knowledge::{Contradicted, Planned, assume, planned, schema, unknowns};
use super::replacement::{Replacement, replacement};
use super::report::{Answer, Checked, Report, Side, Verdict};
use super::rule_set::{RuleSet, Skip, Subject};
use super::source::{Position, Problem};
use super::title::{counts, header, title};
use super::transition::sides_hidden_alike;
use super::{Plan, References, ResourceChange, Sensitivity};
use crate::mark::Mark;
use crate::path::Path;
use crate::rule::Replaces;
use crate::schema::ProviderSchemas;
use crate::types::Type;
use crate::value::Value;

/// What plans are checked against.
#[derive(Clone, Debug)]
pub struct Against {
    /// The rules that are evaluated.
    pub rules: RuleSet,
    /// The provider schemas that the plan was read with.
    pub schemas: ProviderSchemas,
    /// The configuration of the root module, if it is to be followed.
    pub configuration: Option<Configuration>,
    /// Whether to show values of which neither plan nor schema says whether they are sensitive.
    pub show_values: bool,
}

/// Checks a plan: applies the assumptions, takes over what the configuration says, and asks every rule.
///
/// ```
/// use plantime::plan::{Against, Plan, RuleSet, Source, Totals, check};
/// use plantime::schema::ProviderSchemas;
///
/// let schemas = ProviderSchemas::from_json(include_bytes!("../../tests/data/network/first/provider-schemas.json"))?;
/// let plan = Plan::read(include_bytes!("../../tests/data/network/first/plan.json"), &schemas)?;
/// let rules = r#"
///     assume "aws_vpc" {
///       id = assumed(notnull(stringprefix("vpc-")))
///     }
///     rule "vpc-id" {
///       resource = "aws_vpc"
///       attribute "id" { starts_with = "vpc-" }
///     }
/// "#;
/// let rules = RuleSet::read(Source::new("rules.hcl", rules)).unwrap();
/// let against = Against { rules, schemas, configuration: None, show_values: false };
/// let report = check("plan.json", &plan, &against).unwrap();
/// assert_eq!(report.totals(), Totals { pass: 1, ..Totals::default() });
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// Rules that cannot be evaluated: a path that the type of a resource does not have, a test that cannot read the declared
/// type of its value, an assumption of another kind than its value. Each once, where it stands.
pub fn check(name: &str, plan: &Plan, against: &Against) -> Result<Report, Vec<Problem>> {
    answers(name, plan, against, None)
}

/// The same with data of the caller for [`Custom`](crate::rule::Custom) rules, which read it with
/// [`Request::data`](crate::rule::Request::data). Rules files hold no functions; a [`RuleSet`] may get some afterwards.
///
/// # Errors
///
/// As for [`check`].
pub fn check_with(
    name: &str,
    plan: &Plan,
    against: &Against,
    data: &dyn Any,
) -> Result<Report, Vec<Problem>> {
    answers(name, plan, against, Some(data))
}

fn answers(
    name: &str,
    plan: &Plan,
    against: &Against,
    data: Option<&dyn Any>,
) -> Result<Report, Vec<Problem>> {
    let Against { rules, schemas, configuration, show_values } = against;
    let mut resources = planned(plan);
    // Before whole resources are marked: a marked part counts as one place.
    let unknown = resources.iter().map(|resource| unknowns(&resource.after)).fold(0, usize::saturating_add);
    let unstated = if *show_values { 0 } else { hide(&mut resources, schemas) };
    let mut applied = assume(&mut resources, rules);
    if let Some(configuration) = configuration {
        applied.contradicted.extend(flow::take(configuration, &mut resources, schemas));
    }
    let mut contradicted: BTreeMap<String, Vec<Contradicted>> = BTreeMap::new();
    for one in applied.contradicted {
        contradicted.entry(one.address.clone()).or_default().push(one);
    }
    let mut skips: BTreeMap<&str, Vec<(usize, &Skip)>> = BTreeMap::new();
    for (index, skip) in rules.skips.iter().enumerate() {
        skips.entry(&skip.rule).or_default().push((index, skip));
    }
    let mut checker = Checker {
        rules,
        references: &plan.references,
        known: KnownReferences::of(plan),
        circumstances: Circumstances::of(plan),
        declared: declared::types(plan, schemas),
        prepared: BTreeMap::new(),
        skips,
        data,
        problems: BTreeMap::new(),
        unmet: Unmet::of(rules),
        answered: 0,
        wanted: BTreeMap::new(),
    };
    for (position, message) in applied.misused {
        checker.problem(position, message);
    }
    let open = applied.open.into_iter();
    let assumed =
        open.filter_map(|(address, at)| Some((address, rules.assumptions.get(at)?.clone()))).collect();
    let mut warnings = applied.untyped;
    warnings.extend(notes::assumptions(&applied.unmatched, rules, plan, schemas, &resources));
    let mut checked = Vec::new();
    let mut resources = resources.iter().peekable();
    for change in &plan.resource_changes {
        let resource = resources.next_if(|resource| std::ptr::eq(resource.change, change));
        let hidden = !*show_values && is_unstated(change, schemas);
        let mut one = checker.resource(change, resource, hidden);
        one.contradicted = contradicted.remove(&change.address).unwrap_or_default();
        let is_shown = !one.answers.is_empty()
            || !one.contradicted.is_empty()
            || one.shown.iter().any(|shown| shown.origin.is_some())
            || one.replacement.as_ref().is_some_and(|one| one.asked);
        if is_shown {
            checked.push(one);
        }
    }
    checked.extend(checker.outputs(plan, &mut warnings));
    let Checker { problems, unmet, answered, wanted, .. } = checker;
    if !problems.is_empty() {
        let problem = |(position, message)| rules.source.problem_at(position, message);
        return Err(problems.into_iter().map(problem).collect());
    }
    let mut wanted: Vec<(String, usize)> =
        wanted.into_iter().map(|(reference, rules)| (reference, rules.len())).collect();
    wanted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    warnings.extend(unmet.warnings(plan, schemas));
    warnings.sort();
    let mut notes = notes::of_inputs(plan, against, unstated);
    notes.extend(unmet.notes());
    Ok(Report {
        name: name.to_owned(),
        terraform_version: plan.terraform_version.clone(),
        gaps: plan.gaps(),
        own_checks: plan.checks.clone(),
        rules: rules.source.clone(),
        counts: [
            rules.assumptions.len().saturating_add(rules.forces_new.len()),
            rules.rules.len(),
            rules.skips.len(),
        ],
        changes: counts(plan),
        resources: plan.resource_changes.len(),
        checked,
        warnings,
        unknown,
        answered,
        notes,
        unmatched: unmet.unmatched(),
        wanted,
        assumed,
    })
}

/// The mark of values of which nothing says whether they are sensitive.
pub(super) const HIDDEN: &str = "maybe sensitive";

/// Marks the values of resources of which nothing says what is sensitive; how many resources.
fn hide(resources: &mut [Planned<'_>], schemas: &ProviderSchemas) -> usize {
    let mut hidden: usize = 0;
    for resource in resources.iter_mut().filter(|resource| is_unstated(resource.change, schemas)) {
        hidden = hidden.saturating_add(1);
        resource.after = resource.after.clone().mark(Mark::new(HIDDEN));
        resource.before = resource.before.take().map(|before| before.mark(Mark::new(HIDDEN)));
    }
    hidden
}

/// Whether neither the plan nor a schema says what of a resource is sensitive.
fn is_unstated(change: &ResourceChange, schemas: &ProviderSchemas) -> bool {
    let stated = [change.change.before_sensitivity, change.change.after_sensitivity];
    stated.contains(&Sensitivity::Unstated) && schema(schemas, change).is_none()
}

struct Checker<'c> {
    rules: &'c RuleSet,
    references: &'c References,
    known: KnownReferences<'c>,
    circumstances: Circumstances<'c>,
    declared: BTreeMap<TypeKey<'c>, Type>,
    /// Each rule by its position in the file, for each type of resource that it was evaluated on.
    prepared: BTreeMap<TypeKey<'c>, BTreeMap<usize, PreparedRule<'c>>>,
    /// By rule, with their positions in the file.
    skips: BTreeMap<&'c str, Vec<(usize, &'c Skip)>>,
    /// The caller's own.
    data: Option<&'c dyn Any>,
    /// One for each place of the rules file: one mistake in a rule shows on every resource that it matches.
    problems: BTreeMap<Position, String>,
    unmet: Unmet<'c>,
    answered: usize,
    /// Which rules wait for an unknown.
    wanted: BTreeMap<String, BTreeSet<String>>,
}

impl<'c> Checker<'c> {
    fn resource(&mut self, change: &'c ResourceChange, planned: Option<&Planned<'c>>, hide: bool) -> Checked {
        let (references, known) = (self.references, &self.known);
        let depends_on = |path: &Path| known.unknown(references.of(&change.address, path));
        let mark = |value: &Value| if hide { value.clone().mark(Mark::new(HIDDEN)) } else { value.clone() };
        let (before, _) = sides_hidden_alike(&change.change);
        let prior = before.as_ref().filter(|before| !before.is_null()).map(mark);
        let key = key(change);
        let declared = self.declared.get(&key).cloned().unwrap_or(Type::Dynamic);
        let examined = |side: Side| {
            let (raw, value, before) = match (side, planned) {
                (Side::Planned, Some(planned)) => (planned.raw, &planned.after, planned.before.as_ref()),
                (Side::Planned, None) => return None,
                (Side::Prior, _) => (prior.as_ref()?, prior.as_ref()?, None),
            };
            Some(Examined {
                address: change.address.clone(),
                type_name: Some(&change.type_name),
                data: self.data,
                raw,
                value,
                before,
                side,
                declared: &declared,
                depends_on: &depends_on,
                readings: Readings::default(),
            })
        };
        let (planned_side, prior_side) = (examined(Side::Planned), examined(Side::Prior));
        let mut names = BTreeSet::new();
        let mut evaluated = Evaluated::default();
        let prepared_for_type = self.prepared.entry(key).or_default();
        for (index, rule) in self.rules.rules.iter().enumerate() {
            let Subject::Resource(pattern) = &rule.subject else { continue };
            if !pattern.matches(change) {
                continue;
            }
            let sides = self.circumstances.sides(rule, change);
            self.unmet.matched(index, !sides.is_empty());
            if sides.is_empty() {
                continue;
            }
            let skip = self.skips.get(rule.name.as_str());
            let skip = skip.and_then(|skips| skips.iter().find(|(_, skip)| skip.address.matches(change)));
            let prepared_rule = prepared_for_type
                .entry(index)
                .or_insert_with(|| prepared(rule, &declared, self.rules.on_null));
            if let Some((skip, _)) = skip {
                self.unmet.skipped(*skip);
            }
            self.unmet.absent(index, change, &prepared_rule.absent);
            if prepared_rule.is_idle() && skip.is_none() {
                continue;
            }
            for side in sides {
                let examined = match side {
                    Side::Planned => planned_side.as_ref(),
                    Side::Prior => prior_side.as_ref(),
                };
                if let Some(examined) = examined {
                    examined.evaluate(prepared_rule, skip.map(|(_, skip)| *skip), &mut evaluated);
                    self.unmet.answered(index);
                }
            }
            add_attributes(rule, &mut names);
        }
        let forces_new = &self.rules.forces_new;
        let mut replaces = None;
        let mut misused = Vec::new();
        if let (Some(planned), Some(examined)) = (planned, &planned_side) {
            let (mut found, problems) = replacement(planned, forces_new);
            if let Some(Replacement { answer: Replaces::Maybe(why), depends_on, .. }) = &mut found {
                *depends_on = examined.inputs(why);
            }
            replaces = found;
            misused = problems;
        }
        for stated in forces_new.iter().filter(|stated| stated.target.matches(change)) {
            names.extend(root(stated.force_new.path()));
        }
        for stated in self.rules.assumptions.iter().filter(|stated| stated.assumption.target.matches(change))
        {
            names.extend(root(&stated.assumption.path));
        }
        let (shown, hidden) = match planned {
            Some(planned) => shown::planned(planned, &names),
            None => shown::prior(prior.as_ref(), &names),
        };
        for (position, misuse) in misused {
            self.problem(position, format!("{}: {misuse}", change.address));
        }
        self.answered = self.answered.saturating_add(evaluated.answered.len());
        let answers = self.take(evaluated);
        Checked {
            address: change.address.clone(),
            actions: change.change.actions.clone(),
            before: planned.map_or(prior, |planned| planned.before.clone()),
            header: header(change),
            title: title(change),
            shown,
            hidden,
            replacement: replaces,
            answers,
            contradicted: Vec::new(),
        }
    }

    fn outputs(&mut self, plan: &Plan, warnings: &mut Vec<(Position, String)>) -> Vec<Checked> {
        let mut checked: BTreeMap<&str, Checked> = BTreeMap::new();
        for (index, rule) in self.rules.rules.iter().enumerate() {
            let Subject::Output(name) = &rule.subject else { continue };
            let Some(change) = plan.output_changes.get(name) else {
                let names = plan.output_changes.keys().map(String::as_str);
                let hint = match crate::rule::nearest(name, names) {
                    Some(near) => format!("; the nearest is `{near}`"),
                    None => String::new(),
                };
                warnings.push((rule.position, format!("the plan has no output `{name}`{hint}")));
                continue;
            };
            let sides = sides::of_output(rule, change);
            self.unmet.matched(index, !sides.is_empty());
            let declared = plan.output_types.get(name).cloned().unwrap_or(Type::Dynamic);
            let prepared = prepared(rule, &declared, self.rules.on_null);
            let (references, known) = (self.references, &self.known);
            let depends_on = |_: &Path| known.unknown(references.of_output(name));
            let (before, after) = sides_hidden_alike(change);
            let prior = before.as_ref().filter(|before| !before.is_null());
            let mut evaluated = Evaluated::default();
            for side in sides {
                let (value, before) = match side {
                    Side::Planned => (after.as_ref(), prior),
                    Side::Prior => (before.as_ref(), None),
                };
                let Some(value) = value else { continue };
                let examined = Examined {
                    address: format!("output.{name}"),
                    type_name: None,
                    data: self.data,
                    raw: value,
                    value,
                    before,
                    side,
                    declared: &declared,
                    depends_on: &depends_on,
                    readings: Readings::default(),
                };
                examined.evaluate(&prepared, None, &mut evaluated);
                self.unmet.answered(index);
            }
            // An output is no attribute: it counts for no unknown one.
            let answers = self.take(evaluated);
            if !answers.is_empty() {
                checked.entry(name).or_insert_with(|| output(name, change)).answers.extend(answers);
            }
        }
        checked.into_values().collect()
    }

    fn take(&mut self, evaluated: Evaluated) -> Vec<Answer> {
        for (position, message) in evaluated.problems {
            self.problem(position, message);
        }
        self.unmet.places(evaluated.exists, evaluated.missing);
        for answer in &evaluated.answers {
            let Verdict::Undetermined(reason) = &answer.verdict else { continue };
            for reference in &reason.depends_on {
                self.wanted.entry(reference.clone()).or_default().insert(answer.rule.clone());
            }
        }
        evaluated.answers
    }

    fn problem(&mut self, position: Position, message: String) {
        let known = self.problems.entry(position).or_insert_with(|| message.clone());
        // The same one whatever the order of the resources is.
        if message < *known {
            *known = message;
        }
    }
}
