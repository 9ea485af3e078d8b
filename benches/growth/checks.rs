//! Checks of plans: resources, rules, elements and answers of any number.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::Configuration;
use plantime_terraform::plan::{CheckOptions, Colour, Plan, PlanReport, RulesFile, check};
use serde_json::{Value as Json, json};

use crate::Growth::{Linear, Sorting};
use crate::rows::{row, work};
use crate::{Row, Work};

const PROVIDER: &str = "registry.terraform.io/x/x";

/// A resource that is created: what is known and what is not.
fn created(type_name: &str, name: &str, index: usize, after: Json, unknown: Json) -> Json {
    json!({
        "address": format!("{type_name}.{name}[{index}]"), "mode": "managed", "type": type_name, "name": name,
        "index": index, "provider_name": PROVIDER,
        "change": {
            "actions": ["create"], "before": null, "after": after, "after_unknown": unknown,
            "before_sensitive": false, "after_sensitive": {},
        },
    })
}

fn plan(resources: Vec<Json>) -> Json {
    json!({ "format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": resources })
}

/// The schema of `x_y` and of `x_z`.
fn schemas() -> ProviderSchemas {
    let attribute = |ty: Json| json!({ "type": ty, "optional": true, "computed": true });
    let items = attribute(json!(["list", ["object", { "port": "number" }]]));
    let block = json!({ "attributes": {
        "id": attribute(json!("string")), "mode": attribute(json!("string")), "items": items,
        "names": attribute(json!(["set", "string"])),
    } });
    let ty = json!({ "version": 0, "block": block });
    let text = json!({
        "format_version": "1.0",
        "provider_schemas": { PROVIDER: { "resource_schemas": { "x_y": ty, "x_z": ty } } },
    });
    ProviderSchemas::from_json(text.to_string().as_bytes()).expect("schemas")
}

fn against(rules: &str, schemas: ProviderSchemas) -> CheckOptions {
    let rules = RulesFile::read(Source::new("rules.hcl", rules)).expect("a rules file");
    CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() }
}

/// A plan that is read, and what to check it against.
fn checked(plan: Json, against: CheckOptions) -> Work {
    let plan = Plan::read(plan.to_string().as_bytes(), &against.schemas).expect("a plan");
    work((plan, against), |(plan, against)| report(plan, against))
}

fn report(plan: &Plan, against: &CheckOptions) -> PlanReport {
    check("plan.json", plan, against).expect("rules that can be asked")
}

const GUARDED: &str = r#"
    rule "ports" {
      resource = "x_y"
      when {
        attribute "mode" { equals = "on" }
      }
      attribute "items[*].port" { max = 10 }
    }
"#;

/// One resource with many elements, each under a guard that is not decided.
fn guarded(count: usize, schemas: ProviderSchemas) -> Work {
    let items: Vec<Json> = (0..count).map(|i| json!({ "port": 80 + i })).collect();
    let resource = created("x_y", "a", 0, json!({ "items": items }), json!({ "mode": true }));
    checked(plan(vec![resource]), against(GUARDED, schemas))
}

/// An array that is read without a schema: it may be a set.
fn arrays(count: usize) -> Work {
    let items: Vec<Json> = (0..count).map(|i| json!({ "port": 80 + i })).collect();
    let unknown: Vec<Json> = (0..count).map(|_| json!({ "id": true })).collect();
    let resource = created("x_y", "a", 0, json!({ "items": items }), json!({ "items": unknown }));
    let rules = r#"
        rule "ports" {
          resource = "x_y"
          attribute "items[*].port" { min = 100 }
          attribute "items[*].id" { starts_with = "id-" }
          attribute "items" { unique = true }
          attribute "items" { min_len = 2 }
        }
    "#;
    checked(plan(vec![resource]), against(rules, ProviderSchemas::new()))
}

fn ids(count: usize, id: &str) -> Vec<Json> {
    (0..count).map(|i| created("x_y", "a", i, json!({ "id": id, "mode": "on" }), json!({}))).collect()
}

fn contradicted(count: usize) -> Work {
    let rules = "assume \"x_y\" {\n id = assumed(stringprefix(\"id-\"))\n}";
    checked(plan(ids(count, "other")), against(rules, schemas()))
}

/// Some rules on many resources; every tenth fails.
fn resources(count: usize) -> Work {
    checked(plan(mixed(count)), against(&some_rules(10, ""), schemas()))
}

fn mixed(count: usize) -> Vec<Json> {
    let mode = |i: usize| if i.is_multiple_of(10) { "off" } else { "on" };
    (0..count).map(|i| created("x_y", "a", i, json!({ "mode": mode(i) }), json!({ "id": true }))).collect()
}

/// Many rules on some resources, each with a skip of its own.
fn rules(count: usize) -> Work {
    let skips: String = (0..count)
        .map(|i| format!("skip \"rule-{i}\" {{\n address = \"x_y.a[0]\"\n reason = \"a reason\"\n}}\n"))
        .collect();
    checked(plan(mixed(10)), against(&some_rules(count, &skips), schemas()))
}

fn some_rules(count: usize, more: &str) -> String {
    let rules: String = (0..count)
        .map(|i| {
            format!(
                "rule \"rule-{i}\" {{\n resource = \"x_*\"\n attribute \"mode\" {{ equals = \"on\" }}\n \
                 attribute \"id\" {{ starts_with = \"id-{i}\" }}\n}}\n"
            )
        })
        .collect();
    rules + more
}

/// As many blocks of the rules file as resources, each about one resource or about one type.
fn each_about_one(count: usize, block: impl Fn(usize) -> String, is_type: bool) -> Work {
    let resources = (0..count).map(|i| {
        let name = if is_type { format!("x_{i}") } else { "x_y".to_owned() };
        created(&name, &format!("a{i}"), 0, json!({ "mode": "on" }), json!({ "id": true }))
    });
    let blocks: String = (0..count).map(block).collect();
    let schemas = if is_type { ProviderSchemas::new() } else { schemas() };
    checked(plan(resources.collect()), against(&some_rules(1, &blocks), schemas))
}

fn skips_of_resources(count: usize) -> Work {
    let block = |i| format!("skip \"rule-0\" {{\n address = \"x_y.a{i}\"\n reason = \"a reason\"\n}}\n");
    each_about_one(count, block, false)
}

fn assumptions_of_resources(count: usize) -> Work {
    let block = |i| format!("assume \"x_y.a{i}\" {{\n id = assumed(stringprefix(\"id-\"))\n}}\n");
    each_about_one(count, block, false)
}

fn rules_of_resources(count: usize) -> Work {
    let block = |i| {
        format!("rule \"r{i}\" {{\n resource = \"x_y.a{i}\"\n attribute \"mode\" {{ equals = \"on\" }}\n}}\n")
    };
    each_about_one(count, block, false)
}

fn rules_of_types(count: usize) -> Work {
    let block = |i| {
        format!("rule \"r{i}\" {{\n resource = \"x_{i}\"\n attribute \"mode\" {{ equals = \"on\" }}\n}}\n")
    };
    each_about_one(count, block, true)
}

/// As many resources of two types, and a condition that joins each with one of the other type.
fn joined(count: usize, condition: &str) -> Work {
    let of_type = |ty: &'static str| {
        move |i: usize| {
            created(ty, &format!("a{i}"), 0, json!({ "mode": format!("m{i}") }), json!({ "id": true }))
        }
    };
    let resources = (0..count).map(of_type("x_y")).chain((0..count).map(of_type("x_z")));
    let rules = condition_rule("r", condition);
    checked(plan(resources.collect()), against(&rules, schemas()))
}

fn condition_rule(name: &str, condition: &str) -> String {
    format!(
        "rule \"{name}\" {{\n resource = \"x_y\"\n assert {{\n condition = {condition}\n error_message = \"No.\"\n }}\n}}\n"
    )
}

/// Many conditions on some resources.
fn conditions(count: usize) -> Work {
    let rule = |i| condition_rule(&format!("r{i}"), "length(resources(\"x_y\")) > 1 && self.mode != \"z\"");
    let rules: String = (0..count).map(rule).collect();
    checked(plan(mixed(10)), against(&rules, schemas()))
}

/// The validation of references to one resource.
fn validated_references(count: usize) -> Work {
    let references: String =
        (0..count).map(|i| format!("resource \"x_y\" \"a{i}\" {{\n  mode = x_y.b.id\n}}\n")).collect();
    let text = format!("{references}resource \"x_y\" \"b\" {{}}\n");
    let files = Arc::new(BTreeMap::from([("main.tf".to_owned(), text.into_bytes())]));
    work(files, |files| Configuration::validate(files.clone(), None).len())
}

fn reported(count: usize, write: fn(&PlanReport) -> usize) -> Work {
    let against = against(&some_rules(2, ""), schemas());
    let text = plan(mixed(count)).to_string();
    let plan = Plan::read(text.as_bytes(), &against.schemas).expect("a plan");
    Box::new(move || {
        let report = report(&plan, &against);
        Box::new(write(&report))
    })
}

pub(crate) const ROWS: &[Row] = &[
    row("checks/elements-under-an-open-guard", Linear, 100, |n| guarded(n, schemas())),
    row("checks/elements-under-an-open-guard-without-schema", Linear, 100, |n| {
        guarded(n, ProviderSchemas::new())
    }),
    row("checks/arrays-without-schema", Sorting, 100, arrays),
    row("checks/contradicted-resources", Linear, 1000, contradicted),
    row("checks/resources", Sorting, 50, resources),
    row("checks/rules", Sorting, 50, rules),
    row("checks/skips-of-resources", Sorting, 200, skips_of_resources),
    row("checks/assumptions-of-resources", Sorting, 200, assumptions_of_resources),
    row("checks/rules-of-resources", Sorting, 200, rules_of_resources),
    row("checks/rules-of-types", Sorting, 200, rules_of_types),
    row("checks/conditions", Sorting, 50, conditions),
    row("checks/joins-by-if", Sorting, 100, |n| {
        joined(n, "length([for z in resources(\"x_z\") : z if z.values.mode == self.mode]) == 1")
    }),
    row("checks/joins-by-contains", Sorting, 100, |n| {
        joined(n, "contains([for z in resources(\"x_z\") : z.values.mode], self.mode)")
    }),
    row("checks/joins-by-referrers", Sorting, 100, |n| {
        joined(n, "length(referrers(subject, \"x_z\", \"mode\")) == 1")
    }),
    row("checks/joins-by-referents", Sorting, 100, |n| {
        joined(n, "length(referents(subject, \"x_z\", \"mode\")) == 1")
    }),
    row("checks/validated-references", Sorting, 200, validated_references),
    row("checks/report-text", Sorting, 50, |n| reported(n, |report| report.text(Colour::Never).len())),
    row("checks/report-json", Sorting, 50, |n| reported(n, |report| report.to_json().to_string().len())),
];
