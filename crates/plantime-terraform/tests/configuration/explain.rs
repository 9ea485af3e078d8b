//! Why values are not known: the roots of expressions of every kind.
//!
//! Two laws on each row: the roots are those of the table, and once they alone are known, the value is.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{Configuration, Inputs};
use plantime_terraform::plan;
use plantime_terraform::plan::{
    CheckOptions, Configuration as PlanConfiguration, Plan, RulesFile, explain, root_causes,
};

use crate::fixtures::{self, MODULE_CALLS};

/// The expression of an output, and the roots of its value.
const ROWS: &[(&str, &[&str])] = &[
    ("x_vpc.main.id", &["x_vpc.main.id"]),
    ("local.copied", &["x_vpc.main.id"]),
    ("\"${local.copied}-${x_vpc.other.id}\"", &["x_vpc.main.id", "x_vpc.other.id"]),
    // A part of an object or tuple that is written out.
    ("local.both.first", &["x_vpc.main.id"]),
    ("local.both[\"second\"]", &["x_vpc.other.id"]),
    ("[x_vpc.main.id, x_vpc.other.id][1]", &["x_vpc.other.id"]),
    ("{ for_key = x_vpc.main.id, (\"o\") = x_vpc.other.id }.o", &["x_vpc.other.id"]),
    ("local.both", &["x_vpc.main.id", "x_vpc.other.id"]),
    // Conditions: the branch that is taken, if it is known which.
    ("var.yes ? x_vpc.main.id : x_vpc.other.id", &["x_vpc.main.id"]),
    ("var.yes ? \"a\" : x_vpc.other.id", &[]),
    ("x_vpc.main.id == \"a\" ? \"b\" : x_vpc.other.id", &["x_vpc.main.id", "x_vpc.other.id"]),
    ("\"%{ if var.yes }${x_vpc.main.id}%{ else }${x_vpc.other.id}%{ endif }\"", &["x_vpc.main.id"]),
    // Instances.
    ("x_counted.c[1].id", &["x_counted.c[1].id"]),
    ("x_counted.c[*].id", &["x_counted.c[0].id", "x_counted.c[1].id"]),
    ("[for c in x_counted.c : c.id][1]", &["x_counted.c[1].id"]),
    ("[for c in x_counted.c : c.id if c.name != \"c0\"]", &["x_counted.c[0].id", "x_counted.c[1].id"]),
    ("x_keyed.k[\"a\"].id", &["x_keyed.k[\"a\"].id"]),
    ("{ for key, k in x_keyed.k : key => k.id }[\"b\"]", &["x_keyed.k[\"b\"].id"]),
    ("values(x_keyed.k)[*].id", &["x_keyed.k[\"a\"].id", "x_keyed.k[\"b\"].id"]),
    ("x_vpc.main[*].id", &["x_vpc.main.id"]),
    ("one(x_vpc.main[*].id)", &["x_vpc.main.id"]),
    // `each` and `count` of a resource; an argument that is computed from them.
    ("x_keyed.k[\"a\"].of", &["x_vpc.main.id"]),
    ("x_keyed.k[\"b\"].of", &["x_vpc.other.id"]),
    // Blocks, and blocks that an iterator makes.
    ("x_blocks.b.rule[0].from", &["x_vpc.main.id"]),
    ("x_blocks.b.rule[1].from", &["x_counted.c[0].id", "x_counted.c[1].id"]),
    // Modules: inputs, outputs, instances.
    ("module.net.id", &["module.net.x_vpc.inner.id"]),
    ("module.net.given", &["x_vpc.main.id"]),
    ("module.many[\"a\"].id", &["module.many[\"a\"].x_vpc.inner.id"]),
    ("module.many[\"b\"].given", &["x_vpc.other.id"]),
    ("[for m in module.many : m.given]", &["x_vpc.main.id", "x_vpc.other.id"]),
    // Functions.
    ("merge(local.both, { first = \"a\" }).second", &["x_vpc.other.id"]),
    ("upper(x_vpc.main.id)", &["x_vpc.main.id"]),
    ("try(x_vpc.main.id, x_vpc.other.id)", &["x_vpc.main.id", "x_vpc.other.id"]),
    ("length(x_counted.c)", &[]),
    ("element([x_vpc.main.id, \"b\"], 0)", &["x_vpc.main.id"]),
    // A data source that is read during the apply.
    ("data.x_read.late.result", &["x_vpc.main.id"]),
];

const MAIN: &str = r#"
variable "yes" { default = true }
locals {
  copied = x_vpc.main.id
  both   = { first = x_vpc.main.id, second = x_vpc.other.id }
  keyed  = { a = x_vpc.main.id, b = x_vpc.other.id }
}
resource "x_vpc" "main" {}
resource "x_vpc" "other" {}
resource "x_counted" "c" {
  count = 2
  name  = "c${count.index}"
}
resource "x_keyed" "k" {
  for_each = local.keyed
  of       = each.value
}
resource "x_blocks" "b" {
  rule {
    from = x_vpc.main.id
  }
  dynamic "rule" {
    for_each = x_counted.c[*].id
    iterator = each_rule
    content {
      from = each_rule.value
    }
  }
}
data "x_read" "late" {
  of = local.copied
}
"#;

const NET: &str = r#"
variable "given" {}
resource "x_vpc" "inner" {}
output "id" { value = x_vpc.inner.id }
output "given" { value = var.given }
"#;

/// The resources of the plan: address, type, and the unknown attributes.
const RESOURCES: &[(&str, &str, &[&str])] = &[
    ("x_vpc.main", "x_vpc", &["id"]),
    ("x_vpc.other", "x_vpc", &["id"]),
    ("x_counted.c[0]", "x_counted", &["id"]),
    ("x_counted.c[1]", "x_counted", &["id"]),
    ("x_keyed.k[\"a\"]", "x_keyed", &["id", "of"]),
    ("x_keyed.k[\"b\"]", "x_keyed", &["id", "of"]),
    ("x_blocks.b", "x_blocks", &["id"]),
    ("data.x_read.late", "x_read", &["of", "result"]),
    ("module.net.x_vpc.inner", "x_vpc", &["id"]),
    ("module.many[\"a\"].x_vpc.inner", "x_vpc", &["id"]),
    ("module.many[\"b\"].x_vpc.inner", "x_vpc", &["id"]),
];

fn files(outputs: &str) -> BTreeMap<String, Vec<u8>> {
    let main = format!("{MAIN}{MODULE_CALLS}{outputs}");
    Arc::unwrap_or_clone(fixtures::files(&[("main.tf", &main), ("net/main.tf", NET)]))
}

/// The plan, with these attributes known.
fn plan(known: &[&str]) -> Plan {
    let changes = RESOURCES.iter().map(|(address, ty, attributes)| {
        let is_known = |attribute: &str| known.contains(&format!("{address}.{attribute}").as_str());
        let mut after = serde_json::Map::new();
        let mut unknown = serde_json::Map::new();
        for attribute in *attributes {
            match is_known(attribute) {
                true => after.insert((*attribute).to_owned(), "known".into()),
                false => unknown.insert((*attribute).to_owned(), true.into()),
            };
        }
        if let Some(at) = address.strip_prefix("x_counted.c[") {
            after.insert("name".to_owned(), format!("c{}", &at[..1]).into());
        }
        if *ty == "x_blocks" {
            after.insert("rule".to_owned(), serde_json::json!([{}, {}, {}]));
            let rules: Vec<serde_json::Value> = vec![serde_json::json!({"from": true}); 3];
            unknown.insert("rule".to_owned(), rules.into());
        }
        let mode = if address.starts_with("data.") { "data" } else { "managed" };
        let action = if mode == "data" { "read" } else { "create" };
        serde_json::json!({
            "address": address, "mode": mode, "type": ty, "name": "n", "provider_name": "x",
            "change": {"actions": [action], "before": null, "after": after, "after_unknown": unknown}
        })
    });
    let changes: Vec<serde_json::Value> = changes.collect();
    let text = serde_json::json!({"format_version": "1.2", "resource_changes": changes}).to_string();
    Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap()
}

fn options(outputs: &str) -> CheckOptions {
    CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", "")).unwrap(),
        schemas: ProviderSchemas::new(),
        configuration: Some(PlanConfiguration::open(Arc::new(files(outputs)), "infra/").unwrap()),
        show_values: true,
        facts: plan::ProviderFacts::default(),
    }
}

fn outputs() -> String {
    let outputs = ROWS.iter().enumerate();
    outputs.map(|(at, (expression, _))| format!("output \"o{at}\" {{ value = {expression} }}\n")).collect()
}

#[test]
fn each_construct_has_its_roots() {
    let (outputs, plan) = (outputs(), plan(&[]));
    let options = options(&outputs);
    let mut wrong = Vec::new();
    for (at, (expression, expected)) in ROWS.iter().enumerate() {
        let explanation = explain(&plan, &options, &format!("output.o{at}")).unwrap();
        let mut roots: Vec<&str> = explanation.roots().map(|root| root.name.as_str()).collect();
        roots.sort_unstable();
        if roots != *expected {
            wrong.push(format!("{expression}: {roots:?}, not {expected:?}\n{}", explanation.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The roots are all that is needed: once they are known, the value is.
#[test]
fn once_the_roots_are_known_the_value_is() {
    let (outputs, open) = (outputs(), plan(&[]));
    let options = options(&outputs);
    let configuration = Configuration::read(Arc::new(files(&outputs))).unwrap();
    let mut decided = 0;
    for (at, (expression, _)) in ROWS.iter().enumerate() {
        // What a data source gives is decided by its read.
        if expression.contains("data.") {
            continue;
        }
        let explanation = explain(&open, &options, &format!("output.o{at}")).unwrap();
        let roots: Vec<&str> = explanation.roots().map(|root| root.name.as_str()).collect();
        // Attributes that copy a root are known with it.
        let mut known = roots.clone();
        let copies = explanation.values.iter().filter(|value| value.address.is_some());
        known.extend(copies.map(|value| value.name.as_str()));
        if expression.contains("x_blocks") {
            continue;
        }
        let plan = plan(&known);
        let values = plan.planned_values();
        let inputs = Inputs::new().known(&values);
        let value = configuration.evaluate(&inputs).output(&format!("o{at}")).unwrap();
        assert!(value.is_wholly_known(), "{expression}: {value} with {known:?}");
        decided += 1;
    }
    assert!(decided > 30, "{decided}");
}

/// The names that people ask for: addresses with paths, names of a module, expressions.
#[test]
fn names_of_every_kind_are_found() {
    let (outputs, plan) = (outputs(), plan(&[]));
    let options = options(&outputs);
    for (name, root) in [
        ("x_vpc.main.id", "x_vpc.main.id"),
        ("x_vpc.main", "x_vpc.main.id"),
        ("local.copied", "x_vpc.main.id"),
        ("module.net.id", "module.net.x_vpc.inner.id"),
        ("module.net.var.given", "x_vpc.main.id"),
        ("module.net.x_vpc.inner.id", "module.net.x_vpc.inner.id"),
        ("module.many[\"b\"].var.given", "x_vpc.other.id"),
        ("data.x_read.late.of", "x_vpc.main.id"),
        ("upper(x_vpc.other.id)", "x_vpc.other.id"),
    ] {
        let explanation = explain(&plan, &options, name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let roots: Vec<&str> = explanation.roots().map(|root| root.name.as_str()).collect();
        assert_eq!(roots, [root], "{name}");
    }
    let known = explain(&plan, &options, "x_counted.c[0].name").unwrap();
    assert_eq!(known.requested()[0].cause.name(), "known");
    assert_eq!(known.roots().count(), 0);
    for missing in ["x_vpc.mian.id", "nothing", "local.none", "output.none", "1 +", ""] {
        let error = explain(&plan, &options, missing).unwrap_err();
        assert!(error.to_string().contains("there is no value"), "{missing}: {error}");
    }
}

/// The text and the graph of one explanation.
#[test]
fn an_explanation_reads_as_a_tree() {
    let (outputs, plan) = ("output \"url\" { value = \"https://${module.net.given}\" }\n", plan(&[]));
    let explanation = explain(&plan, &options(outputs), "output.url").unwrap();
    assert_eq!(
        explanation.text(),
        "\
output.url is a string starting with \"https://\", known after apply
│  infra/main.tf:42: output \"url\" { value = \"https://${module.net.given}\" }
└─ module.net.given
   │  infra/net/main.tf:5: output \"given\" { value = var.given }
   └─ module.net.var.given
      │  infra/main.tf:35: given  = x_vpc.main.id
      └─ x_vpc.main.id
            infra/main.tf:8: resource \"x_vpc\" \"main\" {}
            the provider chooses it during the apply

1 value decides it:
  x_vpc.main.id: the provider chooses it during the apply; it takes the apply, or an assumption about it in the rules file
"
    );
    let dot = explanation.to_dot();
    assert!(dot.starts_with("digraph why {") && dot.contains("n0 -> n1;"), "{dot}");
    assert!(dot.contains("n3 [label=\"x_vpc.main.id\\nis known after apply"), "{dot}");
    let json = explanation.to_json();
    assert_eq!(json["values"][1]["depends_on"], serde_json::json!(["module.net.var.given"]));
    assert_eq!(json["values"][3]["is_root"], true);
}

/// What a mark hides is in no text: neither the value nor the line that it is written in.
#[test]
fn nothing_sensitive_is_shown() {
    let outputs = r#"
locals { secret = sensitive("hunter2-${x_vpc.main.id}") }
output "secret" {
  value     = local.secret
  sensitive = true
}
"#;
    let explanation = explain(&plan(&[]), &options(outputs), "output.secret").unwrap();
    let shown = format!("{}{}{}", explanation.text(), explanation.to_json(), explanation.to_dot());
    assert!(!shown.contains("hunter2"), "{shown}");
    assert!(shown.contains("x_vpc.main.id"), "{shown}");
}

/// A line that has a secret beside the value that is asked for is not shown, although that value is not sensitive.
#[test]
fn a_secret_beside_the_value_is_not_shown() {
    for beside in [
        "{ token = sensitive(\"hunter2\"), id = x_vpc.main.id }",
        "{ id = x_vpc.main.id, token = nonsensitive(sensitive(\"hunter2\")) }",
        "[x_vpc.main.id, sensitive(\"hunter2\")][0]",
        "{ id = length(sensitive(\"hunter2\")) > 1 ? x_vpc.main.id : \"\" }",
        "{ id = x_vpc.main.id, token = \"hunter2${local.secret}\" }",
    ] {
        let part = if beside.starts_with('[') { "local.beside" } else { "local.beside.id" };
        let outputs = format!(
            "locals {{\n  secret = sensitive(\"\")\n  beside = {beside}\n}}\noutput \"part\" {{ value = {part} }}\n"
        );
        let explanation = explain(&plan(&[]), &options(&outputs), "output.part").unwrap();
        let shown = format!("{}{}{}", explanation.text(), explanation.to_json(), explanation.to_dot());
        assert!(!shown.contains("hunter2"), "{beside}: {shown}");
        let roots: Vec<&str> = explanation.roots().map(|root| root.name.as_str()).collect();
        assert_eq!(roots, ["x_vpc.main.id"], "{beside}");
        let causes = root_causes(&plan(&[]), &options(&outputs), None);
        assert!(!format!("{}{}", causes.text(), causes.to_json()).contains("hunter2"), "{beside}");
    }
}

/// A chain of 2,000 local values, and values that depend on each other in every way, end.
#[test]
fn long_chains_and_wide_graphs_end() {
    let chain: String = (0..1_500).map(|at| format!("  l{} = local.l{at}\n", at + 1)).collect();
    let outputs =
        format!("locals {{\n  l0 = x_vpc.main.id\n{chain}}}\noutput \"end\" {{ value = local.l1500 }}\n");
    let explanation = explain(&plan(&[]), &options(&outputs), "output.end").unwrap();
    let roots: Vec<&str> = explanation.roots().map(|root| root.name.as_str()).collect();
    assert_eq!(roots, ["x_vpc.main.id"]);
    assert!(explanation.text().lines().count() > 3_000);
    // Each layer reads every value of the layer before: the number of paths is 10^20.
    let layers: String = (1..20)
        .flat_map(|layer| {
            let before: Vec<String> = (0..10).map(|at| format!("local.w{}_{at}", layer - 1)).collect();
            let sum = before.join("}${");
            (0..10).map(move |at| format!("  w{layer}_{at} = \"${{{sum}}}\"\n"))
        })
        .collect();
    let first: String = (0..10).map(|at| format!("  w0_{at} = x_vpc.main.id\n")).collect();
    let outputs = format!("locals {{\n{first}{layers}}}\noutput \"wide\" {{ value = local.w19_0 }}\n");
    let explanation = explain(&plan(&[]), &options(&outputs), "output.wide").unwrap();
    assert_eq!(explanation.roots().count(), 1);
    assert_eq!(explanation.values.len(), 193);
    // A `for` in a `for` in a `for`, each of which reads its element twice.
    let nested =
        (0..30).fold("x_counted.c[*].id".to_owned(), |of, _| format!("[for e in {of} : \"${{e}}${{e}}\"]"));
    let outputs = format!("output \"nested\" {{ value = {nested} }}\n");
    let explanation = explain(&plan(&[]), &options(&outputs), "output.nested").unwrap();
    assert_eq!(explanation.roots().count(), 2);
}

/// A member of a set has the position that reports give it. What computes the set computes its members.
#[test]
fn members_of_sets_are_named_by_position() {
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"x": {"resource_schemas": {
        "x_vpc": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": true}}}},
        "x_group": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": true}}, "block_types": {
            "ingress": {"nesting_mode": "set", "block": {"attributes": {
                "from": {"type": "string", "optional": true}, "port": {"type": "number", "optional": true}}}}}}}}}}}"#;
    let schemas = ProviderSchemas::from_json(schemas.as_bytes()).unwrap();
    let plan = br#"{"format_version": "1.2", "resource_changes": [
        {"address": "x_vpc.main", "type": "x_vpc", "name": "main", "mode": "managed", "provider_name": "x",
         "change": {"actions": ["create"], "after": {}, "after_unknown": {"id": true}, "after_sensitive": {}}},
        {"address": "x_group.g", "type": "x_group", "name": "g", "mode": "managed", "provider_name": "x",
         "change": {"actions": ["create"], "after": {"ingress": [{"port": 1}, {"port": 2, "from": "a"}]},
         "after_unknown": {"id": true, "ingress": [{"from": true}, {}]}, "after_sensitive": {}}}]}"#;
    let plan = Plan::read(plan, &schemas).unwrap();
    let main = "resource \"x_vpc\" \"main\" {}\nresource \"x_group\" \"g\" {\n  ingress {\n    port = 1\n    from = x_vpc.main.id\n  }\n  \
                ingress {\n    port = 2\n    from = \"a\"\n  }\n}\n";
    let options = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", "")).unwrap(),
        schemas,
        configuration: Some(PlanConfiguration::read([Source::new("main.tf", main)]).unwrap()),
        show_values: true,
        facts: plan::ProviderFacts::default(),
    };
    let after = plan.resource_changes[1].change.after.as_ref().unwrap().at("ingress").unwrap();
    let plantime::View::Set(members) = after.view() else { panic!("{after}") };
    let unknown = members.iter().position(|member| !member.is_wholly_known()).unwrap();
    let name = format!("x_group.g.ingress[{unknown}].from");
    let explanation = explain(&plan, &options, &name).unwrap();
    assert_eq!(explanation.requested()[0].name, name);
    let roots: Vec<&str> = explanation.roots().map(|root| root.name.as_str()).collect();
    assert_eq!(roots, ["x_vpc.main.id"]);
    let known = format!("x_group.g.ingress[{}].port", 1 - unknown);
    assert_eq!(explain(&plan, &options, &known).unwrap().requested()[0].cause.name(), "known");
}

/// A chain in which each value waits for one root is walked once, not once for each value; and circles end.
#[test]
fn roots_of_long_chains_are_found_at_once() {
    let count = 3_000;
    let change = |at: usize| {
        format!(
            "{{\"address\": \"x_a.a{at}\", \"type\": \"x_a\", \"name\": \"a{at}\", \"mode\": \"managed\", \"provider_name\": \"x\", \
             \"change\": {{\"actions\": [\"create\"], \"after\": {{}}, \"after_unknown\": {{\"of\": true}}}}}}"
        )
    };
    let changes: Vec<String> = (0..count).map(change).collect();
    let text = format!("{{\"format_version\": \"1.2\", \"resource_changes\": [{}]}}", changes.join(","));
    let plan = Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap();
    let main: String = (1..count)
        .map(|at| format!("resource \"x_a\" \"a{at}\" {{\n  of = x_a.a{}.of\n}}\n", at - 1))
        .collect::<String>()
        + "resource \"x_a\" \"a0\" {}\n";
    let options = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", "")).unwrap(),
        schemas: ProviderSchemas::new(),
        configuration: Some(PlanConfiguration::read([Source::new("main.tf", main)]).unwrap()),
        show_values: true,
        facts: plan::ProviderFacts::default(),
    };
    let causes = root_causes(&plan, &options, None);
    assert_eq!(causes.roots.len(), 1);
    assert_eq!((causes.roots[0].value.name.as_str(), causes.roots[0].dependents.len()), ("x_a.a0.of", count));
}

/// The values that most others depend on come first.
#[test]
fn root_causes_are_ranked_by_their_dependents() {
    let (outputs, plan) = (outputs(), plan(&[]));
    let causes = root_causes(&plan, &options(&outputs), None);
    assert!(!causes.counts_answers);
    let first: Vec<(&str, usize)> =
        causes.roots.iter().map(|root| (root.value.name.as_str(), root.dependents.len())).take(3).collect();
    assert_eq!(first[0], ("x_vpc.main.id", 5));
    assert!(first[0].1 >= first[1].1 && first[1].1 >= first[2].1);
    // With rules, answers are counted.
    let mut with_rules = options(&outputs);
    let rules = "rule \"a\" {\n  resource = \"x_keyed\"\n  attribute \"of\" { starts_with = \"v\" }\n  attribute \"id\" { starts_with = \"v\" }\n}\n";
    with_rules.rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    let report = plan::check("plan.json", &plan, &with_rules).unwrap();
    let causes = root_causes(&plan, &with_rules, Some(&report));
    assert_eq!((causes.counts_answers, causes.total), (true, 4));
    let roots: Vec<(&str, &[String])> =
        causes.roots.iter().map(|root| (root.value.name.as_str(), &root.dependents[..])).collect();
    assert_eq!(roots.len(), 4);
    assert_eq!(roots[2], ("x_vpc.main.id", &["rule a on x_keyed.k[\"a\"].of".to_owned()][..]));
    assert!(
        causes.text().starts_with("4 undetermined answers, by the values that they depend on:\n"),
        "{}",
        causes.text()
    );
}
