//! Checks the planned values of a plan against the rules of a rules file.
//!
//! | file | does |
//! |---|---|
//! | this one | [`check`]: facts first, then the rules on every resource and output |
//! | `checker` | walks resources and outputs, on several threads where there are many |
//! | `prepared_rule` | compiles a rule for a resource type, and says which attributes it lacks and what is wrong |
//! | `evaluation` | evaluates one rule on one value |
//! | `readings` | evaluates a rule on every container kind that a value without a schema may have |
//! | `container_kinds` | a value with its arrays as sets, its objects as maps |
//! | `denied` | what a denied change changes |
//! | `conceal` | makes an answer name nothing behind a mark |
//! | `custom_conditions` | the conditions of the configuration beside what the plan says of them |
//! | `operands` | the attributes that a rule reads |
//! | `same_as` | compares a value with that of another place |
//! | `sides` | the side of a change that a rule is about: planned or prior |
//! | `declared_types` | the types that values of resources are declared with |
//! | `elements` | the elements that a rule with `for_each` is asked for |
//! | `known_references` | the references of a configuration to values that the plan knows |
//! | `replacement` | whether a change replaces the object |
//! | `shown_attributes` | the attributes that a report draws |
//! | `decided_parts` | decides a rule made of rules by those of its parts that are decided |
//! | `element_paths` | warns of rules that read the elements of one list by several paths |
//! | `notes` | remarks on the inputs, and on rules that matched nothing |
//! | `type_suggestion` | the resource type that a misspelt one probably means |

mod checker;
mod compiled_test;
mod conceal;
pub(super) mod container_kinds;
pub(super) mod custom_conditions;
mod decided_parts;
mod declared_types;
mod denied;
mod element_paths;
mod elements;
mod evaluation;
pub(super) mod known_references;
mod named_types;
mod notes;
mod operands;
mod prepared_rule;
mod readings;
pub(super) mod replacement;
pub(super) mod same_as;
mod shown_attributes;
mod sides;
mod type_suggestion;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::checker::{CheckContext, Checker, SkipsOfRule};
pub(super) use self::conceal::concealed_outcome;
pub(super) use self::evaluation::last_step_name;
use self::known_references::KnownReferences;
use self::named_types::NamedTypes;
pub(super) use self::operands::operands;
use self::prepared_rule::RulesByType;
pub(super) use self::prepared_rule::top_level_name;
pub(super) use self::readings::{KIND_NOT_STATED, for_every_kind, for_every_kind_in};
use self::same_as::SameAsTargets;
use self::sides::ChangeEvents;
use crate::plan::address::PatternIndex;
use crate::plan::condition::{self, FactParts, PlanFacts};
use crate::plan::knowledge::configuration::{Configuration, Evaluated, flow};
use crate::plan::knowledge::facts::{ProviderFacts, apply_facts};
use crate::plan::knowledge::{
    ContradictedAssumption, Planned, apply_assumptions, planned_of, schema_of, unknown_places,
};
use crate::plan::report::title::change_counts;
use crate::plan::report::{PlanReport, RulesFileCounts};
use crate::plan::rules::metadata::RuleSummary;
use crate::plan::rules::rules_file::{RulesFile, Subject};
use crate::plan::rules::skip::RuleSkip;
use crate::plan::without_plan::ReadNames;
use crate::plan::{Mode, Plan, ResourceChange, Sensitivity};
use plantime::source::Problem;
use plantime::{Mark, Type};
use plantime_schema::ProviderSchemas;

/// What a plan is checked against, and what the report may show.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The rules that are evaluated.
    pub rules: RulesFile,
    /// The provider schemas that the plan was read with.
    pub schemas: ProviderSchemas,
    /// The configuration of the root module, if it is to be followed.
    pub configuration: Option<Configuration>,
    /// Whether to show values of which neither plan nor schema says whether they are sensitive.
    pub show_values: bool,
    /// The facts about the values that providers choose; none by default.
    pub facts: ProviderFacts,
}

/// Checks a plan: applies the assumptions, then the facts of the configuration, then evaluates every rule.
///
/// ```
/// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, Totals, check, example};
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
///
/// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
/// let plan = Plan::read(example::PLAN, &schemas)?;
/// let rules = r#"
///     assume "aws_vpc" {
///       id = assumed(notnull(stringprefix("vpc-")))
///     }
///     rule "vpc-id" {
///       resource = "aws_vpc"
///       attribute "id" { starts_with = "vpc-" }
///     }
/// "#;
/// let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
/// let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
/// let report = check("plan.json", &plan, &against).unwrap();
/// assert_eq!(report.totals(), Totals { pass: 1, ..Totals::default() });
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// Rules that cannot be evaluated: a path that the type of a resource does not have, a test that cannot read the declared
/// type of its value, an assumption of another kind than its value. Each once, where it stands.
pub fn check(name: &str, plan: &Plan, against: &CheckOptions) -> Result<PlanReport, Vec<Problem>> {
    checked_report(name, plan, against, None, false)
}

/// Checks a plan as [`check`] does, but does not ask the rules about places that a type of the plan does not have: another version
/// of the provider may have them. [`PlanReport::lacking`] names them; it is up to the caller whether that is an error.
///
/// ```
/// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check_askable, example};
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
///
/// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
/// let plan = Plan::read(example::PLAN, &schemas)?;
/// let rules = r#"
///     rule "region" {
///       resource = "aws_vpc"
///       attribute "regin" { not_null = true }
///     }
///     rule "cidr" {
///       resource = "aws_vpc"
///       attribute "cidr_block" { not_null = true }
///     }
/// "#;
/// let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
/// let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
/// let report = check_askable("plan.json", &plan, &against).unwrap();
/// assert_eq!((report.totals().pass, report.lacking[0].0.as_str()), (1, "region"));
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As for [`check`], but for places that a type does not have.
pub fn check_askable(name: &str, plan: &Plan, against: &CheckOptions) -> Result<PlanReport, Vec<Problem>> {
    checked_report(name, plan, against, None, true)
}

/// Checks a plan as [`check`] does, with data of the caller that [`Custom`](plantime::rule::Custom) rules read with
/// [`Request::data`](plantime::rule::Request::data). Rules files hold no functions; a [`RulesFile`] may get some afterwards.
///
/// [`Request::with_data`](plantime::rule::Request::with_data) shows how a rule reads the data.
///
/// # Errors
///
/// As for [`check`].
pub fn check_with(
    name: &str,
    plan: &Plan,
    against: &CheckOptions,
    data: &dyn Any,
) -> Result<PlanReport, Vec<Problem>> {
    checked_report(name, plan, against, Some(data), false)
}

/// Applies assumptions and configuration to the plan, evaluates every rule and builds the report; or returns the
/// problems of the rules file. `data` is the caller's data for custom rules; `may_lack` says whether it is no problem that a type
/// does not have the place of a rule.
fn checked_report(
    name: &str,
    plan: &Plan,
    against: &CheckOptions,
    data: Option<&dyn Any>,
    may_lack: bool,
) -> Result<PlanReport, Vec<Problem>> {
    let CheckOptions { rules, schemas, show_values, facts, .. } = against;
    let undated = rules.undated_skips();
    if !undated.is_empty() {
        return Err(undated);
    }
    let read = read_while_planning(plan, rules);
    let all_changes: Vec<&Arc<ResourceChange>> = plan.resource_changes.iter().chain(&read).collect();
    let mut resources = planned_of(all_changes.iter().copied());
    // Counted before whole resources are marked, since a marked container counts as one place.
    let unknown =
        resources.iter().map(|resource| unknown_places(&resource.after)).fold(0, usize::saturating_add);
    let unstated = if *show_values { 0 } else { mark_unstated(&mut resources, schemas) };
    let mut applied = apply_assumptions(&mut resources, rules);
    let mut contradicted_facts = apply_facts(facts, &mut resources, schemas);
    let mut evaluated = evaluated_configuration(against, plan, &mut resources);
    if !evaluated.invalid_assumptions.is_empty() {
        return Err(evaluated.invalid_assumptions);
    }
    applied.contradicted.append(&mut evaluated.contradicted);
    contradicted_facts.append(&mut evaluated.contradicted_facts);
    let evaluation_problems = std::mem::take(&mut evaluated.problems);
    let mut conditions = std::mem::take(&mut evaluated.conditions);
    custom_conditions::add_statuses(&mut conditions, &plan.checks);
    let contradicted = contradictions_by_change(&all_changes, applied.contradicted);
    let mut skips: BTreeMap<&str, Vec<(usize, &RuleSkip)>> = BTreeMap::new();
    for (index, skip) in rules.skips.iter().enumerate().filter(|(_, skip)| !rules.is_expired(skip)) {
        for rule in &skip.rules {
            skips.entry(rule).or_default().push((index, skip));
        }
    }
    let same_as = SameAsTargets::new(rules, plan, &resources, &evaluated);
    let declared = declared_types::declared_types(&all_changes, schemas);
    let facts = facts_for_conditions(against, (plan, &all_changes), &declared, &resources, &mut evaluated)?;
    let named_types = NamedTypes::new(plan, against, facts.as_deref());
    let context = CheckContext {
        named_types: &named_types,
        against,
        references: &plan.references,
        known: KnownReferences::new(plan),
        change_events: ChangeEvents::new(plan),
        declared,
        skips: skips.into_iter().map(|(rule, skips)| (rule, SkipsOfRule::new(skips))).collect(),
        by_type: RulesByType::new(rules),
        assumptions: PatternIndex::new(
            rules.assumptions.iter().enumerate().map(|(at, stated)| (at, &stated.assumption.target)),
        ),
        forces_new: PatternIndex::new(
            rules.forces_new.iter().enumerate().map(|(at, stated)| (at, &stated.target)),
        ),
        contradicted,
        evaluated,
        same_as,
        elements: facts.as_ref().map(|facts| elements::elements(rules, facts)).unwrap_or_default(),
        facts,
        is_configuration: plan.is_configuration,
    };
    let mut checker = Checker::new(&context, data);
    for (position, message) in applied.misused {
        checker.add_problem(position, message);
    }
    let undecided = applied.undecided.into_iter();
    let assumed =
        undecided.filter_map(|(address, at)| Some((address, rules.assumptions.get(at)?.clone()))).collect();
    let mut warnings = applied.untyped;
    warnings.extend(notes::unmatched_assumptions(&applied.unmatched, rules, plan, schemas, &resources));
    let mut resources = resources.iter().peekable();
    let with_planned = all_changes
        .iter()
        .map(|change| (*change, resources.next_if(|resource| std::ptr::eq(resource.change, &***change))));
    let changes: Vec<(&Arc<ResourceChange>, Option<&Planned<'_>>)> = with_planned.collect();
    let mut checked = checker.check_resources(&changes);
    shown_attributes::add_declarations(&mut checked, schemas);
    checked.extend(checker.check_outputs(plan, &mut warnings));
    checked.extend(checker.check_named(&mut warnings));
    let Checker { mut problems, mut rule_usage, answered, copies, .. } = checker;
    warnings.extend(rule_usage.add_named_types(&named_types));
    if !may_lack {
        problems.extend(rule_usage.lacking().map(|(_, place)| place));
    }
    let problem = |(position, message)| rules.source.problem_at(position, message);
    if !problems.is_empty() {
        return Err(problems.into_iter().map(problem).collect());
    }
    let lacking = rule_usage.lacking();
    let lacking: Vec<(String, Problem)> =
        lacking.map(|(rule, place)| (rule.to_owned(), problem(place))).collect();
    warnings.extend(rule_usage.warnings(plan, schemas));
    warnings.extend(element_paths::warnings(rules));
    warnings.sort();
    let mut notes = notes::input_notes(plan, against, unstated, &evaluation_problems);
    notes.extend(custom_conditions::notes(&conditions));
    let rule_notes = rule_usage.notes();
    notes.extend(rule_notes.iter().cloned());
    Ok(PlanReport {
        name: name.to_owned(),
        terraform_version: plan.terraform_version.clone(),
        gaps: plan.gaps(),
        own_checks: plan.checks.clone(),
        conditions,
        rules: rules.source.clone(),
        rule_summaries: RuleSummary::of_rules(rules),
        expired: rules.expired_skips(),
        counts: RulesFileCounts {
            assumptions: rules.assumptions.len().saturating_add(rules.forces_new.len()),
            rules: rules.rules.len(),
            skips: rules.skips.len(),
        },
        changes: change_counts(plan),
        resources: all_changes.len(),
        checked,
        warnings,
        unknown,
        answered,
        notes,
        rule_notes,
        unmatched: rule_usage.unmatched(),
        lacking,
        asked: rule_usage.asked(),
        assumed,
        contradicted_facts,
        copies: copies.into_values().collect(),
        condition_facts: context.facts.clone(),
        allows_errored: false,
    })
}

/// The data sources that were read while planning and that the rules file speaks of: a plan has them in its prior state, and no
/// change of them. Others are left out, since their values are copied.
fn read_while_planning(plan: &Plan, rules: &RulesFile) -> Vec<Arc<ResourceChange>> {
    let of_rules = rules.rules.iter().flat_map(|rule| match &rule.subject {
        Subject::Resource(patterns) => patterns.as_slice(),
        _ => &[],
    });
    let targets = of_rules
        .chain(rules.assumptions.iter().map(|stated| &stated.assumption.target))
        .chain(rules.skips.iter().map(|skip| &skip.address));
    // Conditions may list any of them.
    let all = rules.has_conditions();
    let targets: Vec<_> = targets.filter(|pattern| pattern.mode() == Mode::Data).collect();
    let tests = rules.rules.iter().flat_map(|rule| &rule.tests);
    let compared: BTreeSet<&str> =
        tests.filter_map(|test| test.same_as.as_ref()).map(|place| place.address.as_str()).collect();
    if plan.data_sources.is_empty() || targets.is_empty() && compared.is_empty() && !all {
        return Vec::new();
    }
    let changed: BTreeSet<&str> =
        plan.resource_changes.iter().map(|change| change.address.as_str()).collect();
    let unchanged = plan.data_sources.iter().filter(|source| !changed.contains(source.address.as_str()));
    let named = unchanged.filter(|source| {
        all || compared.contains(source.address.as_str())
            || targets.iter().any(|pattern| pattern.matches_type_name(&source.type_name))
    });
    named.map(|source| Arc::new(source.as_change())).collect()
}

/// Evaluates the configuration on the planned values and narrows these; returns empty results if there is no configuration.
fn evaluated_configuration<'p>(
    against: &'p CheckOptions,
    plan: &'p Plan,
    resources: &mut [Planned<'p>],
) -> Evaluated {
    if let Some(configuration) = &against.configuration {
        return flow::apply_configuration(configuration, plan, resources, &against.schemas, &against.rules);
    }
    let _ = (against, plan, resources);
    Evaluated::default()
}

/// What conditions see of the plan; `None` if no rule has a condition.
fn facts_for_conditions(
    against: &CheckOptions,
    (plan, changes): (&Plan, &[&Arc<ResourceChange>]),
    declared: &BTreeMap<declared_types::TypeKey<'_>, Type>,
    resources: &[Planned<'_>],
    evaluated: &mut Evaluated,
) -> Result<Option<Arc<PlanFacts>>, Vec<Problem>> {
    let rules = &against.rules;
    let parameters = rules.parameters.values()?;
    if !rules.has_conditions() {
        return Ok(None);
    }
    let references = match &against.configuration {
        Some(configuration) => configuration.references(),
        None => plan.references.clone(),
    };
    let mut parts = FactParts {
        parameters,
        locals: Arc::clone(&rules.locals),
        functions: condition::functions(plan),
        show_values: against.show_values,
        hidden: changes
            .iter()
            .map(|change| &***change)
            .chain(plan.resource_drift.iter().map(|change| &**change))
            .filter(|change| !against.show_values && is_unstated(change, &against.schemas))
            .map(|change| change.address.clone())
            .collect(),
        unwritten: changes
            .iter()
            .filter(|change| plan.is_configuration && schema_of(&against.schemas, change).is_none())
            .map(|change| change.address.clone())
            .collect(),
        read: ReadNames::of(rules),
        references: Arc::new(references),
        copies: std::mem::take(&mut evaluated.chains),
        json_sources: std::mem::take(&mut evaluated.json_sources),
        declared: declared
            .iter()
            .map(|((mode, provider, name), ty)| ((*mode, (*provider).into(), (*name).into()), ty.clone()))
            .collect(),
        ..FactParts::default()
    };
    match evaluated.facts.take() {
        Some(facts) => parts.add_declared(facts),
        None => {
            let value = |kind: &str, name: &str| match kind {
                "var" => plan.variables.get(name).cloned(),
                _ => plan.output_changes.get(name).and_then(|change| change.after.clone()),
            };
            match plan.references.declared(&value) {
                Some(facts) => parts.add_declared(facts),
                None => parts.add_of_plan(plan),
            }
        }
    }
    Ok(Some(Arc::new(PlanFacts::new((plan, changes), resources, parts))))
}

/// The name of the mark that hides values when neither the plan nor a schema says which of them are sensitive.
pub(super) const HIDDEN: &str = "maybe sensitive";

/// Marks all values of each resource for which neither the plan nor a schema says what is sensitive. Returns the
/// number of these resources.
pub(super) fn mark_unstated(resources: &mut [Planned<'_>], schemas: &ProviderSchemas) -> usize {
    let mut hidden: usize = 0;
    for resource in resources.iter_mut().filter(|resource| is_unstated(resource.change, schemas)) {
        hidden = hidden.saturating_add(1);
        resource.after = resource.after.clone().mark(Mark::new(HIDDEN));
        resource.before = resource.before.take().map(|before| before.mark(Mark::new(HIDDEN)));
    }
    hidden
}

/// Whether neither the plan nor a schema says which values of a resource are sensitive.
pub(super) fn is_unstated(change: &ResourceChange, schemas: &ProviderSchemas) -> bool {
    let stated = [change.change.before_sensitivity, change.change.after_sensitivity];
    stated.contains(&Sensitivity::Unstated) && schema_of(schemas, change).is_none()
}

/// Groups contradicted assumptions by the index of their resource's change in the plan. Where deposed objects have
/// the same address, they go to the first change with that address, so that each is reported once.
fn contradictions_by_change(
    changes: &[&Arc<ResourceChange>],
    contradicted: Vec<ContradictedAssumption>,
) -> BTreeMap<usize, Vec<ContradictedAssumption>> {
    let mut by_address: BTreeMap<String, Vec<ContradictedAssumption>> = BTreeMap::new();
    for contradiction in contradicted {
        by_address.entry(contradiction.address.clone()).or_default().push(contradiction);
    }
    let changes = changes.iter().enumerate();
    changes.filter_map(|(at, change)| Some((at, by_address.remove(&change.address)?))).collect()
}
