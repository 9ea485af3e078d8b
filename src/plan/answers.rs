//! Rules on the planned values of a plan.

mod asked;
mod misspelt;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};

use self::asked::{Asked, Found, operands};

use super::config::{Configuration, flow};
use super::knowledge::{Planned, assume, planned, schema, unknowns};
use super::replacement::{Replacement, replacement};
use super::report::{Answer, Checked, Report, Shown, Verdict};
use super::rule_set::{NamedRule, RuleSet, Subject};
use super::source::{Position, Problem};
use super::title::{counts, header, output_title, title};
use super::transition::sides_hidden_alike;
use super::{Change, Plan, References, Sensitivity};
use crate::mark::Mark;
use crate::path::Path;
use crate::rule::{ExprStep, PathExpr, Replaces};
use crate::schema::ProviderSchemas;
use crate::value::{Value, View};

/// What plans are checked against.
#[derive(Clone, Debug)]
pub struct Against {
    /// The rules.
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
/// Rules that cannot be asked: a path that a resource does not have, a test that cannot read the type of its value,
/// an assumption of another kind than its value. Each once, where it stands.
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
    let unstated = if *show_values { 0 } else { hide(&mut resources, schemas) };
    let unknown = resources.iter().map(|resource| unknowns(resource.raw)).fold(0, usize::saturating_add);
    let mut applied = assume(&mut resources, rules);
    if let Some(configuration) = configuration {
        applied.contradicted.extend(flow::take(configuration, &mut resources, schemas));
    }
    let mut checker = Checker {
        rules,
        references: &plan.references,
        data,
        problems: applied.misused,
        missing: Vec::new(),
        asked: BTreeSet::new(),
        answered: 0,
        wanted: BTreeMap::new(),
    };
    let open = applied.open.into_iter();
    let assumed =
        open.filter_map(|(address, at)| Some((address, rules.assumptions.get(at)?.clone()))).collect();
    let mut warnings = applied.untyped;
    warnings.extend(applied.unmatched.into_iter().map(|position| {
        let stated = rules.assumptions.iter().find(|stated| stated.position == position);
        let meant = stated.and_then(|stated| misspelt::meant(&stated.assumption.target, plan, schemas));
        let nearest = meant.map_or_else(String::new, |name| format!("; the nearest type is `{name}`"));
        (position, format!("no resource of the plan matches this assumption{nearest}"))
    }));
    for stated in &rules.forces_new {
        if !resources.iter().any(|resource| stated.target.matches(resource.change)) {
            let meant = misspelt::meant(&stated.target, plan, schemas);
            let nearest = meant.map_or_else(String::new, |name| format!("; the nearest type is `{name}`"));
            warnings
                .push((stated.position, format!("no resource of the plan matches this assumption{nearest}")));
        }
    }
    for rule in &rules.rules {
        let Subject::Resource(pattern) = &rule.subject else { continue };
        if let Some(meant) = misspelt::meant(pattern, plan, schemas) {
            let name = pattern.type_name();
            warnings
                .push((rule.position, format!("the plan has no `{name}`; the nearest type is `{meant}`")));
        }
    }
    let mut checked: Vec<Checked> = resources.iter().map(|resource| checker.resource(resource)).collect();
    for (resource, checked) in resources.iter().zip(&mut checked) {
        let address = &resource.change.address;
        checked.contradicted =
            applied.contradicted.iter().filter(|one| one.address == *address).cloned().collect();
    }
    checked.extend(checker.outputs(plan, &mut warnings));
    checked.retain(|checked| {
        !checked.answers.is_empty()
            || !checked.contradicted.is_empty()
            || checked.shown.iter().any(|shown| shown.origin.is_some())
            || checked.replacement.as_ref().is_some_and(|one| one.asked)
    });
    // A place that no resource has is a mistake; where only some have it, it is a null in the others.
    let nowhere = checker.missing.iter().filter(|(position, _)| !checker.asked.contains(position));
    checker.problems.extend(nowhere.cloned());
    if !checker.problems.is_empty() {
        return Err(checker.problems(&rules.source));
    }
    let mut wanted: Vec<(String, usize)> =
        checker.wanted.into_iter().map(|(reference, rules)| (reference, rules.len())).collect();
    wanted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    warnings.sort();
    let notes = notes(plan, against, &checked, unstated);
    Ok(Report {
        name: name.to_owned(),
        terraform_version: plan.terraform_version.clone(),
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
        answered: checker.answered,
        notes,
        wanted,
        assumed,
    })
}

/// What a reader of the report should know of the inputs.
fn notes(plan: &Plan, against: &Against, checked: &[Checked], hidden: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if hidden > 0 {
        notes.push(format!(
            "the plan does not say what is sensitive: the values of {} are not shown (--schemas, or --show-values)",
            if hidden == 1 { "1 resource".to_owned() } else { format!("{hidden} resources") },
        ));
    }
    if against.configuration.is_some() && against.schemas.providers.is_empty() {
        notes.push("without schemas the configuration says nothing (--schemas)".to_owned());
    }
    if let Some(first) = plan.notes.first() {
        notes.push(format!(
            "the plan does not fit the schemas in {} {}, first {}.{}: {}",
            plan.notes.len(),
            if plan.notes.len() == 1 { "place" } else { "places" },
            first.address,
            first.path,
            first.message,
        ));
    }
    let answered: BTreeSet<&str> =
        checked.iter().flat_map(|checked| &checked.answers).map(|answer| answer.rule.as_str()).collect();
    let idle = against.rules.rules.iter().map(|rule| rule.name.as_str());
    let idle: Vec<&str> = idle.filter(|name| !answered.contains(name)).collect();
    if !idle.is_empty() {
        notes.push(format!("nothing in the plan to ask: {}", idle.join(", ")));
    }
    notes
}

/// The mark of values of which nothing says whether they are sensitive.
pub(super) const HIDDEN: &str = "maybe sensitive";

/// Marks the values of resources of which nothing says what is sensitive; how many resources.
fn hide(resources: &mut [Planned<'_>], schemas: &ProviderSchemas) -> usize {
    let mut hidden: usize = 0;
    for resource in resources {
        let change = resource.change;
        let unstated = [change.change.before_sensitivity, change.change.after_sensitivity]
            .contains(&Sensitivity::Unstated);
        if !unstated || schema(schemas, change).is_some() {
            continue;
        }
        hidden = hidden.saturating_add(1);
        resource.after = resource.after.clone().mark(Mark::new(HIDDEN));
        resource.before = resource.before.take().map(|before| before.mark(Mark::new(HIDDEN)));
    }
    hidden
}

struct Checker<'c> {
    rules: &'c RuleSet,
    references: &'c References,
    /// The caller's own.
    data: Option<&'c dyn Any>,
    problems: Vec<(Position, String)>,
    /// Tests about a place that some resource has not, and those about one that some resource has.
    missing: Vec<(Position, String)>,
    asked: BTreeSet<Position>,
    answered: usize,
    /// Which rules wait for an unknown.
    wanted: BTreeMap<String, BTreeSet<String>>,
}

impl Checker<'_> {
    fn resource(&mut self, resource: &Planned<'_>) -> Checked {
        let change = resource.change;
        let references = self.references;
        let depends_on = |path: &Path| references.of(&change.address, path);
        let asked = Asked {
            address: change.address.clone(),
            type_name: Some(&change.type_name),
            data: self.data,
            raw: resource.raw,
            after: &resource.after,
            before: resource.before.as_ref(),
            depends_on: &depends_on,
        };
        let mut names = BTreeSet::new();
        let mut found = Found::default();
        for rule in &self.rules.rules {
            let Subject::Resource(pattern) = &rule.subject else { continue };
            let acts = rule.actions.is_empty()
                || rule.actions.iter().any(|action| action.matches(&change.change.actions));
            if !pattern.matches(change) || !acts {
                continue;
            }
            let skip =
                self.rules.skips.iter().find(|skip| skip.rule == rule.name && skip.address.matches(change));
            asked.ask(rule, skip, &mut found);
            roots(rule, &mut names);
        }
        let forces_new = &self.rules.forces_new;
        let (mut replacement, misused) = replacement(resource, forces_new);
        if let Some(Replacement { answer: Replaces::Maybe(why), depends_on, .. }) = &mut replacement {
            *depends_on = asked.inputs(why);
        }
        self.problems.extend(misused.into_iter().map(|(position, misuse)| (position, asked.misuse(&misuse))));
        for stated in forces_new.iter().filter(|stated| stated.target.matches(change)) {
            names.extend(root(stated.force_new.path()));
        }
        for stated in self.rules.assumptions.iter().filter(|stated| stated.assumption.target.matches(change))
        {
            names.extend(root(&stated.assumption.path));
        }
        let (shown, hidden) = shown(resource, asked.before, &names);
        self.answered = self.answered.saturating_add(found.answered.len());
        let answers = self.take(found);
        Checked {
            address: change.address.clone(),
            actions: change.change.actions.clone(),
            before: resource.before.clone(),
            header: header(change),
            title: title(change),
            shown,
            hidden,
            replacement,
            answers,
            contradicted: Vec::new(),
        }
    }

    fn outputs(&mut self, plan: &Plan, warnings: &mut Vec<(Position, String)>) -> Vec<Checked> {
        let mut checked: BTreeMap<&str, Checked> = BTreeMap::new();
        for rule in &self.rules.rules {
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
            let acts =
                rule.actions.is_empty() || rule.actions.iter().any(|action| action.matches(&change.actions));
            let (before, after) = sides_hidden_alike(change);
            let Some(after) = after.as_ref().filter(|_| acts) else { continue };
            let references = self.references;
            let depends_on = |_: &Path| references.of_output(name);
            let asked = Asked {
                address: format!("output.{name}"),
                type_name: None,
                data: self.data,
                raw: after,
                after,
                before: before.as_ref().filter(|before| !before.is_null()),
                depends_on: &depends_on,
            };
            let mut found = Found::default();
            asked.ask(rule, None, &mut found);
            // An output is no attribute: it counts for no unknown one.
            let answers = self.take(found);
            checked.entry(name).or_insert_with(|| output(name, change)).answers.extend(answers);
        }
        checked.into_values().collect()
    }

    fn take(&mut self, found: Found) -> Vec<Answer> {
        self.problems.extend(found.problems);
        self.missing.extend(found.missing);
        self.asked.extend(found.asked);
        for answer in &found.answers {
            let Verdict::Undetermined(reason) = &answer.verdict else { continue };
            for reference in &reason.depends_on {
                self.wanted.entry(reference.clone()).or_default().insert(answer.rule.clone());
            }
        }
        found.answers
    }

    fn problems(self, source: &super::Source) -> Vec<Problem> {
        let mut seen = BTreeSet::new();
        let mut problems = self.problems;
        problems.sort();
        // One mistake in a rule shows on every resource it speaks of.
        problems.retain(|(position, _)| seen.insert(*position));
        problems.into_iter().map(|(position, message)| source.problem_at(position, message)).collect()
    }
}

/// The attributes that a rule looks at.
fn roots(rule: &NamedRule, names: &mut BTreeSet<String>) {
    for test in &rule.tests {
        let Some(path) = &test.path else { continue };
        names.extend(root(path));
        // What the value is held against, as seen from the whole.
        for operand in operands(&test.rule) {
            let steps = path.steps().iter().chain(operand.steps()).cloned();
            names.extend(PathExpr::from_steps(steps).ok().as_ref().and_then(root));
        }
    }
    let inside = rule.tests.iter().filter(|test| test.path.is_none()).map(|test| &test.rule);
    for rule in inside.chain(&rule.guard) {
        names.extend(operands(rule).iter().filter_map(root));
    }
}

fn root(path: &PathExpr) -> Option<String> {
    match path.steps().first() {
        Some(ExprStep::Attr(name)) => Some(name.clone()),
        _ => None,
    }
}

fn shown(resource: &Planned<'_>, before: Option<&Value>, names: &BTreeSet<String>) -> (Vec<Shown>, usize) {
    let (after, marks) = resource.after.clone().unmark();
    let mut shown = Vec::new();
    let mut hidden: usize = 0;
    if let View::Object(object) = after.view() {
        for (name, value) in object.iter() {
            if !names.contains(name) {
                hidden = hidden.saturating_add(1);
                continue;
            }
            let path = Path::new().attr(name);
            let before = before.and_then(|before| before.get(&path).ok());
            let inside = resource.origins.iter().find(|(place, _)| place.starts_with(&path));
            let origin = inside.map(|(_, origin)| origin.clone());
            shown.push(Shown {
                name: name.to_owned(),
                before,
                after: value.clone().with_marks(&marks),
                origin,
                forces_replacement: resource
                    .change
                    .change
                    .replace_paths
                    .iter()
                    .any(|place| place.starts_with(&path)),
            });
        }
    }
    (shown, hidden)
}

fn output(name: &str, change: &Change) -> Checked {
    let (before, after) = sides_hidden_alike(change);
    let shown = after.map(|after| Shown {
        name: name.to_owned(),
        before: before.clone(),
        after,
        origin: None,
        forces_replacement: false,
    });
    Checked {
        address: format!("output.{name}"),
        actions: change.actions.clone(),
        before: before.filter(|before| !before.is_null()),
        header: String::new(),
        title: output_title(name, change),
        shown: shown.into_iter().collect(),
        hidden: 0,
        replacement: None,
        answers: Vec::new(),
        contradicted: Vec::new(),
    }
}
