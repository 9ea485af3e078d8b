//! A test file from a plan: the values that the rules asked, and the answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use super::differences::{GivenAnswer, GivenAnswers, add_answers, answers_of};
use super::hcl_text::{is_name, push_name, push_text, push_value};
use super::planned::implied_provider;
use super::{Answer, PLAN, TestFile, TestInputs};
use crate::plan::checking::is_unstated;
use crate::plan::knowledge::schema_of;
use crate::plan::report::{CheckedResource, PlanReport, ShownAttribute};
use crate::plan::{
    Action, CheckOptions, Mode, Plan, ResourceChange, RulesFile, check_askable, printable_in_line,
};
use plantime::source::{Problem, Source};
use plantime::{Mark, Value, View};

/// What a test file that is made from a plan says beside the values: files relative to its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixtureHead {
    /// The name of the test.
    pub test: String,
    /// The rules files that the test file names.
    pub rules: Vec<String>,
    /// The files with schemas that the plan was read with.
    pub schemas: Vec<String>,
}

/// The text of a test file that passes as it is: the resources and outputs of a plan that the rules asked, with what is known of their
/// values, and the answers. What is behind a mark is written as `sensitive(unknown())`; so is each value of which neither the plan nor
/// a schema says whether it is sensitive. Where an answer differs from that on the plan, a comment says so.
///
/// ```
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
/// use plantime_terraform::plan::rule_tests::{FixtureHead, TestFile, TestInputs, write_fixture};
/// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, example};
///
/// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
/// let plan = Plan::read(example::PLAN, &schemas)?;
/// let rules = RulesFile::read(Source::new("rules.hcl", example::RULES)).unwrap();
/// let against = CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
/// let head = FixtureHead { test: "network".to_owned(), ..FixtureHead::default() };
/// let text = write_fixture(&plan, &against, &head).unwrap();
/// assert!(text.contains("password   = sensitive(unknown())") || text.contains("sensitive(unknown())"));
///
/// let file = TestFile::read(Source::new("network.test.hcl", text)).unwrap();
/// let mut inputs = TestInputs::new(against.rules);
/// inputs.schemas = against.schemas;
/// assert!(file.run(&file.tests[0], &inputs).is_pass());
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`check_askable`].
pub fn write_fixture(
    plan: &Plan,
    against: &CheckOptions,
    head: &FixtureHead,
) -> Result<String, Vec<Problem>> {
    let report = check_askable(&head.test, plan, against)?;
    let mut of_plan = GivenAnswers::new();
    add_answers(&report, &mut of_plan);
    let values = values_text(plan, &report, against);
    let names = against.rules.rules.iter().map(|rule| rule.name.as_str());
    let asked = names.filter(|name| !answers_of(&of_plan, name).is_empty());
    let bare: String = asked.map(|name| format!("  expect {} {{}}\n", quoted(name))).collect();
    if bare.is_empty() {
        return Err(vec![against.rules.source.problem(0, "no rule has an answer on the plan")]);
    }
    let written = TestFile::read(Source::new("fixture", file_text(against, head, &values, &bare)))?;
    let inputs = TestInputs {
        schemas: against.schemas.clone(),
        facts: against.facts.clone(),
        ..TestInputs::new(against.rules.clone())
    };
    let Some(test) = written.tests.first() else { return Err(Vec::new()) };
    let given = written.answers(test, &inputs)?;
    let expectations = expectations_text(&against.rules, &given, &of_plan);
    RulesFile::format(&Source::new("fixture", file_text(against, head, &values, &expectations)))
}

/// The text of a test file with these values and expectations.
fn file_text(against: &CheckOptions, head: &FixtureHead, values: &str, expectations: &str) -> String {
    let mut out = String::new();
    if !head.rules.is_empty() {
        let _ = writeln!(out, "rules = {}\n", list(&head.rules));
    }
    let given = &against.rules.parameters.given;
    if !given.is_empty() {
        out.push_str("variables {\n");
        for (name, value) in given.iter() {
            let _ = write!(out, "  {name} = ");
            push_value(value, (false, 1), &mut out);
            out.push('\n');
        }
        out.push_str("}\n\n");
    }
    let _ = writeln!(out, "test {} {{", quoted(&head.test));
    if !head.schemas.is_empty() {
        let _ = writeln!(out, "  schemas = {}\n", list(&head.schemas));
    }
    out + values + expectations.trim_end_matches('\n') + "\n}\n"
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    push_text(text, &mut out);
    out
}

/// A list of texts.
fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
}

/// The blocks with what is expected, a rule each. Comments name the answers that are others on the plan.
fn expectations_text(rules: &RulesFile, given: &GivenAnswers, of_plan: &GivenAnswers) -> String {
    let mut out = String::new();
    for rule in &rules.rules {
        let answers = answers_of(given, &rule.name);
        let on_plan = answers_of(of_plan, &rule.name);
        if answers.is_empty() && on_plan.is_empty() {
            continue;
        }
        let _ = writeln!(out, "  expect {} {{", quoted(&rule.name));
        for (address, found) in on_plan.iter().filter(|(address, _)| !answers.contains_key(**address)) {
            let text = format!("{address}: {} on the plan", found.answer.name());
            let _ = writeln!(out, "    # {}", printable_in_line(&text));
        }
        for kind in [Answer::Pass, Answer::Fail, Answer::Undetermined, Answer::Skipped] {
            push_answers(kind, &answers, &on_plan, &mut out);
        }
        out.push_str("  }\n\n");
    }
    out
}

/// Appends the addresses with an answer.
fn push_answers(
    kind: Answer,
    answers: &BTreeMap<&str, &GivenAnswer>,
    on_plan: &BTreeMap<&str, &GivenAnswer>,
    out: &mut String,
) {
    let of_kind: Vec<&str> =
        answers.iter().filter(|(_, found)| found.answer == kind).map(|(address, _)| *address).collect();
    let other = |address: &str| match on_plan.get(address) {
        Some(found) if found.answer == kind => String::new(),
        found => format!(" # {} on the plan", found.map_or("no answer", |found| found.answer.name())),
    };
    let _ = match of_kind.as_slice() {
        [] => Ok(()),
        [PLAN] => writeln!(out, "    answer = {}{}", quoted(kind.name()), other(PLAN)),
        [address] => writeln!(out, "    {} = [{}]{}", kind.name(), quoted(address), other(address)),
        several => {
            let lines =
                several.iter().map(|address| format!("      {},{}\n", quoted(address), other(address)));
            writeln!(out, "    {} = [\n{}    ]", kind.name(), lines.collect::<String>())
        }
    };
}

/// The blocks with the values that the rules asked; all values where conditions may read any.
fn values_text(plan: &Plan, report: &PlanReport, against: &CheckOptions) -> String {
    let reads_all = against.rules.has_conditions();
    let mut out = String::new();
    if reads_all && let Some(version) = &plan.terraform_version {
        let _ = writeln!(out, "  terraform_version = {}\n", quoted(version));
    }
    if !plan.gaps().is_empty() {
        out.push_str("  complete = false\n\n");
    }
    if reads_all {
        for (name, value) in &plan.variables {
            push_single("variable", name, value, &mut out);
        }
    }
    let read: Vec<Arc<ResourceChange>> =
        plan.data_sources.iter().map(|data| Arc::new(data.as_change())).collect();
    let changes = plan.resource_changes.iter().chain(&read);
    let asked: BTreeMap<&str, &CheckedResource> =
        report.checked.iter().map(|checked| (checked.address(), checked)).collect();
    let mut written = BTreeSet::new();
    for change in changes {
        let checked =
            asked.get(change.address.as_str()).filter(|checked| !checked.answers.is_empty()).copied();
        if (reads_all || checked.is_some()) && written.insert(change.address.as_str()) {
            push_resource(change, checked, (reads_all, against), &mut out);
        }
    }
    for (name, change) in &plan.output_changes {
        let checked = asked.get(format!("output.{name}").as_str()).copied();
        if let (true, Some(after)) = (reads_all || checked.is_some(), &change.after) {
            let shown = checked.and_then(|checked| checked.shown.first()).map(|shown| &shown.after);
            push_single("output", name, shown.unwrap_or(after), &mut out);
        }
    }
    out
}

/// Appends a block that has one value.
fn push_single(kind: &str, name: &str, value: &Value, out: &mut String) {
    let _ = write!(out, "  {kind} {} {{\n    value = ", quoted(name));
    push_value(value, (false, 2), out);
    out.push_str("\n  }\n\n");
}

/// What cannot be written of a resource, in words; `None` if it can.
fn unwritable(change: &ResourceChange) -> Option<&'static str> {
    if change.deposed.is_some() {
        return Some("what an earlier replacement left over");
    }
    if matches!(change.mode, Mode::Ephemeral | Mode::Other) {
        return Some("no managed resource and no data source");
    }
    if change.address.contains("${") || change.address.contains("%{") || change.has_unknown_index {
        return Some("its key cannot be written");
    }
    let is_other = |action: &Action| matches!(action, Action::Other(_) | Action::Configured);
    change.change.actions.iter().any(is_other).then_some("an action that is not known here")
}

/// Appends the block of a resource.
fn push_resource(
    change: &ResourceChange,
    checked: Option<&CheckedResource>,
    (reads_all, against): (bool, &CheckOptions),
    out: &mut String,
) {
    if let Some(why) = unwritable(change) {
        let _ = writeln!(out, "  # {} is left out: {why}\n", printable_in_line(&change.address));
        return;
    }
    let (ty, name) = (&change.type_name, &change.name);
    let labels = format!("{} {}", quoted(ty), quoted(name));
    let _ = match change.mode {
        Mode::Managed if change.address == format!("{ty}.{name}") => writeln!(out, "  resource {labels} {{"),
        Mode::Data if change.address == format!("data.{ty}.{name}") => writeln!(out, "  data {labels} {{"),
        _ => writeln!(out, "  resource {} {{", quoted(&change.address)),
    };
    if *change.provider_name != *implied_provider(change.mode, ty, &against.schemas) {
        let _ = writeln!(out, "    provider = {}", quoted(&change.provider_name));
    }
    let is_hidden = !against.show_values && is_unstated(change, &against.schemas);
    let is_typed = schema_of(&against.schemas, change).is_some();
    let shown = checked.map_or(&[][..], |checked| &checked.shown);
    let names: Option<BTreeSet<&str>> =
        (!reads_all).then(|| shown.iter().map(|one| one.name.as_str()).collect());
    let is_meant = |name: &str| names.as_ref().is_none_or(|names| names.contains(name));
    let sides = &change.change;
    let narrowed = |name: &str| find(shown, name).filter(|_| sides.after.is_some());
    for (name, value) in attributes(sides.after.as_ref().or(sides.before.as_ref()), is_hidden) {
        if !is_meant(&name) {
            continue;
        }
        if !is_argument(&name) {
            let _ = writeln!(out, "    # {} cannot be written", printable_in_line(&name));
            continue;
        }
        let _ = write!(out, "    {name} = ");
        push_value(narrowed(&name).unwrap_or(&value), (is_typed, 2), out);
        out.push('\n');
    }
    push_change(change, (is_hidden, is_typed), &is_meant, out);
    out.push_str("  }\n\n");
}

/// The planned value of a shown attribute.
fn find<'s>(shown: &'s [ShownAttribute], name: &str) -> Option<&'s Value> {
    shown.iter().find(|one| one.name == name).map(|one| &one.after)
}

/// The attributes of an object; each sensitive where the whole is, or is to be hidden.
fn attributes(value: Option<&Value>, is_hidden: bool) -> Vec<(String, Value)> {
    let Some((bare, marks)) = value.map(|value| value.clone().unmark()) else { return Vec::new() };
    let View::Object(object) = bare.view() else { return Vec::new() };
    let part = |part: &Value| match is_hidden {
        true => part.clone().mark(Mark::SENSITIVE),
        false => part.clone().with_marks(&marks),
    };
    object.iter().map(|(name, value)| (name.to_owned(), part(value))).collect()
}

/// Whether a test file takes a name as an argument of a resource.
fn is_argument(name: &str) -> bool {
    is_name(name) && !crate::plan::rules::reader::META_ARGUMENTS.contains(&name) && name != "provider"
}

/// Appends the block `change`, unless the resource is simply created.
fn push_change(
    change: &ResourceChange,
    (is_hidden, is_typed): (bool, bool),
    is_meant: &dyn Fn(&str) -> bool,
    out: &mut String,
) {
    let sides = &change.change;
    let is_simple = matches!(sides.actions.as_slice(), [Action::Create]) && change.mode == Mode::Managed;
    let imported = sides.importing.as_ref().and_then(|importing| importing.id.as_ref());
    if is_simple && change.previous_address.is_none() && imported.is_none() {
        return;
    }
    let actions: Vec<String> = sides.actions.iter().map(|action| action.as_str().to_owned()).collect();
    let is_single = change.previous_address.is_none() && imported.is_none();
    let before = sides.before.as_ref().filter(|_| sides.after.is_some() && sides.before != sides.after);
    if is_single && sides.replace_paths.is_empty() && before.is_none() {
        let _ = writeln!(out, "\n    change {{ actions = {} }}", list(&actions));
        return;
    }
    let _ = write!(out, "\n    change {{\n      actions = {}\n", list(&actions));
    if let Some(previous) = &change.previous_address {
        let _ = writeln!(out, "      previous_address = {}", quoted(previous));
    }
    if let Some(id) = imported {
        let _ = writeln!(out, "      import_id = {}", quoted(id));
    }
    let paths: Vec<String> = sides.replace_paths.iter().map(ToString::to_string).collect();
    if !paths.is_empty() {
        let _ = writeln!(out, "      replace_paths = {}", list(&paths));
    }
    if let Some(before) = before {
        out.push_str("      before = {\n");
        for (name, value) in attributes(Some(before), is_hidden).iter().filter(|(name, _)| is_meant(name)) {
            out.push_str("        ");
            push_name(name, out);
            out.push_str(" = ");
            push_value(value, (is_typed, 4), out);
            out.push('\n');
        }
        out.push_str("      }\n");
    }
    out.push_str("    }\n");
}
