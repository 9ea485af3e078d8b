//! Every resource of a plan is asked: those with planned values, and the data sources that were read while planning.

use std::collections::BTreeSet;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{CheckOptions, Plan, PlanReport, RulesFile, check_askable};

use crate::packed::read;
use crate::recorded::{collection, files_below, schemas_of};

fn report(plan: &Plan, rules: &str, schemas: &ProviderSchemas) -> PlanReport {
    let rules =
        RulesFile::read(Source::new("rules.hcl", rules)).unwrap_or_else(|problems| panic!("{problems:?}"));
    let schemas = schemas.clone();
    let against =
        CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
    check_askable("plan", plan, &against).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The addresses that a rule whose target matches everything has an answer about, or names as not asked.
fn named(report: &PlanReport) -> BTreeSet<String> {
    let named = report.checked.iter().filter(|one| !one.answers.is_empty() || !one.unasked.is_empty());
    named.map(|one| one.address().to_owned()).collect()
}

/// The law on one plan.
fn law(name: &str, plan: &Plan, schemas: &ProviderSchemas) -> usize {
    let rules = "rule \"all\" {\n  resource = \"*\"\n  deny = true\n}\nrule \"data\" {\n  resource = \"data.*\"\n  deny = true\n}\n";
    let named = named(&report(plan, rules, schemas));
    let planned = plan
        .resource_changes
        .iter()
        .filter(|change| change.change.after.as_ref().is_some_and(|after| !after.is_null()));
    let read = plan.data_sources.iter().map(|source| source.address.clone());
    let expected: BTreeSet<String> = planned.map(|change| change.address.clone()).chain(read).collect();
    let missing: Vec<&String> = expected.difference(&named).collect();
    assert!(missing.is_empty(), "{name}: {missing:?} are not asked");
    plan.data_sources.len()
}

#[test]
fn every_planned_value_and_every_data_source_that_was_read_is_asked_or_named() {
    let Some(folder) = collection() else { return };
    let mut files = Vec::new();
    files_below(&folder, "plan.json", &mut files);
    files_below(&folder, "plan.json.gz", &mut files);
    files_below(&folder, ".tfplan", &mut files);
    files.sort();
    let (mut plans, mut sources) = (0, 0);
    for path in files {
        let name = path.display().to_string();
        let Some(bytes) = read(std::path::Path::new(name.trim_end_matches(".gz"))) else { continue };
        let schemas = schemas_of(&path);
        let plan = match Plan::is_binary(&bytes) {
            true => Plan::read_binary(&bytes, &schemas),
            false => Plan::read(&bytes, &schemas),
        };
        let Ok(plan) = plan else { continue };
        sources += law(&name, &plan, &schemas);
        plans += 1;
    }
    println!("{plans} plans, {sources} data sources that were read");
}

const PLAN: &str = r#"{"format_version": "1.2", "resource_changes": [{
    "address": "data.x_image.late", "mode": "data", "type": "x_image", "name": "late", "provider_name": "x",
    "change": {"actions": ["read"], "before": null, "after": {"owner": "us"}, "after_unknown": {"id": true}, "after_sensitive": {}}}],
    "prior_state": {"format_version": "1.0", "values": {"root_module": {"resources": [
        {"address": "data.x_image.known", "mode": "data", "type": "x_image", "name": "known", "provider_name": "x",
         "values": {"owner": "them", "id": "i-1"}, "sensitive_values": {}}],
      "child_modules": [{"address": "module.a[\"data.x_image.b\"]", "resources": [
        {"address": "module.a[\"data.x_image.b\"].data.x_image.many[\"k\"]", "mode": "data", "type": "x_image", "name": "many",
         "index": "k", "provider_name": "x", "values": {"owner": "us", "id": "secret-1"}, "sensitive_values": {"id": true}}]}]}}}}"#;

#[test]
fn a_data_source_that_was_read_while_planning_is_asked_like_any_other() {
    let schemas = ProviderSchemas::new();
    let plan = Plan::read(PLAN.as_bytes(), &schemas).unwrap();
    let rules = r#"
        rule "owner" {
          resource = "data.x_image"
          attribute "owner" { equals = "us" }
        }
        rule "there" {
          resource = "module.a.data.x_image.many"
          attribute "id" { starts_with = "i-" }
        }
        rule "managed" {
          resource = "*"
          deny     = true
        }
    "#;
    let report = report(&plan, rules, &schemas);
    let text = report.text(plantime_terraform::plan::Colour::Never);
    assert_eq!((report.totals().pass, report.totals().fail), (2, 2), "{text}");
    assert!(text.contains("data.x_image.known was read while planning"), "{text}");
    assert!(!text.contains("secret-1"), "{text}");
    let owners: Vec<&str> =
        report.checked.iter().filter(|one| !one.answers.is_empty()).map(|one| one.address()).collect();
    let many = "module.a[\"data.x_image.b\"].data.x_image.many[\"k\"]";
    assert_eq!(owners, ["data.x_image.late", "data.x_image.known", many]);
    assert_eq!(report.checked[2].module(), Some("module.a[\"data.x_image.b\"]"));
    assert!(report.unmatched.iter().all(|one| one.name == "managed"), "{:?}", report.unmatched);
}
