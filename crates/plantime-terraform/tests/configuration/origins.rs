//! An unknown value that reaches two places unchanged equals itself.
//!
//! The law: whenever a comparison of unknown values has an answer, every apply gives that answer. It is tried on all pairs of a
//! universe of expressions, with every assignment of a few values to what the provider chooses, by a provider that keeps what is
//! configured.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::Value;
use plantime::source::Source;
use plantime_hcl::Expression;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{Configuration, Inputs, KnownValues};
use plantime_terraform::plan::{
    CheckOptions, Configuration as PlanConfiguration, Obligations, Plan, PlanReport, ProviderFacts,
    RulesFile, State, TestVerdict, check,
};

use crate::fixtures::{self, MODULE_CALLS};

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {
  "resource_schemas": {
    "x_vpc": {"version": 0, "block": {"attributes": {
      "id": {"type": "string", "computed": true}, "size": {"type": "number", "computed": true}}}},
    "x_net": {"version": 0, "block": {
      "attributes": {
        "id": {"type": "string", "computed": true},
        "of": {"type": "string", "optional": true},
        "maybe": {"type": "string", "optional": true, "computed": true},
        "secret": {"type": "string", "optional": true, "sensitive": true},
        "list": {"type": ["list", "string"], "optional": true},
        "set": {"type": ["set", "string"], "optional": true}},
      "block_types": {
        "rule": {"nesting_mode": "list", "block": {"attributes": {"from": {"type": "string", "optional": true}}}}}}}}}}}"#;

const MAIN: &str = r#"
variable "yes" { default = true }
locals {
  copied = x_vpc.main.id
  twice  = local.copied
  both   = { first = x_vpc.main.id, second = x_vpc.other.id }
  list   = [x_vpc.main.id, x_vpc.other.id]
  keyed  = { a = x_vpc.main.id, b = x_vpc.other.id }
}
resource "x_vpc" "main" {}
resource "x_vpc" "other" {}
resource "x_net" "n" {
  of     = local.copied
  maybe  = x_vpc.main.id
  secret = x_vpc.main.id
  list   = [x_vpc.main.id, "x"]
  set    = [x_vpc.main.id]
  rule {
    from = x_vpc.main.id
  }
  rule {
    from = x_vpc.other.id
  }
}
resource "x_net" "dynamic" {
  dynamic "rule" {
    for_each = local.list
    content {
      from = rule.value
    }
  }
  rule {
    from = x_vpc.main.id
  }
}
resource "x_net" "ignoring" {
  of = x_vpc.main.id
  lifecycle {
    ignore_changes = [of]
  }
}
resource "x_net" "upper" { of = upper(x_vpc.main.id) }
resource "x_net" "chain" { of = x_net.n.of }
resource "x_net" "number" { of = x_vpc.main.size }
resource "x_net" "counted" {
  count = 2
  of    = local.list[count.index]
}
resource "x_net" "keyed" {
  for_each = local.keyed
  of       = each.value
}
"#;

const NET: &str = r#"
variable "given" {}
variable "text" {
  type    = string
  default = "x"
}
variable "defaulted" {
  default  = "a"
  nullable = false
}
resource "x_net" "inner" { of = var.given }
output "given" { value = var.given }
output "wrapped" { value = { inner = { of = x_net.inner.of } } }
output "text" { value = var.text }
"#;

/// The expressions of the universe.
const EXPRESSIONS: &[&str] = &[
    "x_vpc.main.id",
    "x_vpc.other.id",
    "x_vpc.main.size",
    "\"${x_vpc.main.size}\"",
    "tostring(x_vpc.main.size)",
    "local.copied",
    "(local.twice)",
    "\"${local.copied}\"",
    "\"${local.copied}!\"",
    "local.both.first",
    "local.both[\"second\"]",
    "local.both",
    "{ first = local.copied, second = x_vpc.other.id }",
    "{ first = local.copied, second = x_vpc.main.id }",
    "local.list",
    "tolist(local.list)",
    "[local.copied, local.both.second]",
    "local.list[0]",
    "[for v in local.list : v][1]",
    "[for v in local.list : v if v != \"b\"][0]",
    "{ for k, v in local.keyed : k => v }[\"a\"]",
    "{ for k, v in local.keyed : upper(k) => v }[\"A\"]",
    "{ (local.copied) = 1, a = x_vpc.main.id }.a",
    "var.yes ? x_vpc.main.id : \"x\"",
    "var.yes ? x_vpc.main.size : \"x\"",
    "x_vpc.main.id == \"a\" ? x_vpc.main.id : x_vpc.other.id",
    "try(x_vpc.main.id, \"x\")",
    "try(jsondecode(x_vpc.main.id), x_vpc.main.id)",
    "one(x_vpc.main[*].id)",
    "(x_vpc.main[*].id)[0]",
    "x_net.counted[*].of",
    "x_net.counted[0].of",
    "x_net.counted[*].of == null ? \"\" : x_net.counted[1].of",
    "x_net.keyed[\"a\"].of",
    "x_net.keyed[\"b\"].of",
    "values(x_net.keyed)[0].of",
    "x_net.n.of",
    "x_net.n.maybe",
    "x_net.n.secret",
    "x_net.n.list",
    "x_net.n.list[0]",
    "x_net.n.set",
    "tolist(x_net.n.set)[0]",
    "x_net.n.rule[0].from",
    "x_net.n.rule[1].from",
    "x_net.dynamic.rule[0].from",
    "x_net.dynamic.rule[2].from",
    "x_net.ignoring.of",
    "x_net.upper.of",
    "upper(x_vpc.main.id)",
    "x_net.chain.of",
    "x_net.number.of",
    "module.net.given",
    "module.net.wrapped.inner.of",
    "module.net.text",
    "module.many[\"a\"].given",
    "module.many[\"b\"].wrapped.inner.of",
    "module.many[\"b\"]",
    "sensitive(x_vpc.main.id)",
    "coalesce(x_vpc.main.id, x_vpc.other.id)",
    "\"a\"",
    "null",
];

fn files() -> BTreeMap<String, Vec<u8>> {
    let main = format!("{MAIN}{MODULE_CALLS}");
    Arc::unwrap_or_clone(fixtures::files(&[("main.tf", &main), ("net/main.tf", NET)]))
}

fn schemas() -> ProviderSchemas {
    ProviderSchemas::from_json(SCHEMAS.as_bytes()).unwrap()
}

/// What the provider chooses: the ids and the size. Everything else is unknown until it is configured.
struct Chosen {
    main: Value,
    other: Value,
    size: Value,
}

impl KnownValues for Chosen {
    fn resource(&self, address: &str) -> Option<Value> {
        let text = || Value::unknown(plantime::Type::String);
        let id = match address {
            "x_vpc.main" => self.main.clone(),
            "x_vpc.other" => self.other.clone(),
            _ => Value::from(address),
        };
        if address.starts_with("x_vpc") {
            return Value::object([("id", id), ("size", self.size.clone())]).ok();
        }
        // Where the provider may keep another value, it does.
        let of = if address == "x_net.ignoring" { Value::from("kept") } else { text() };
        let maybe = if self.main.is_null() { Value::from("chosen") } else { text() };
        let rule = plantime::Type::object([("from", plantime::Type::String)]).ok()?;
        let list = |ty: plantime::Type| Some(Value::unknown(plantime::Type::list(ty).ok()?));
        let set = Value::unknown(plantime::Type::set(plantime::Type::String).ok()?);
        let attributes = [
            ("id", id),
            ("of", of),
            ("maybe", maybe),
            ("secret", text()),
            ("list", list(plantime::Type::String)?),
            ("set", set),
            ("rule", list(rule)?),
        ];
        Value::object(attributes).ok()
    }

    fn variable(&self, _: &str) -> Option<Value> {
        None
    }
}

/// Each answer of an unknown comparison is that of every apply.
#[test]
fn what_equals_itself_does_so_after_every_apply() {
    let (configuration, schemas) = (Configuration::read(Arc::new(files())).unwrap(), schemas());
    let pairs: Vec<(String, Expression)> = EXPRESSIONS
        .iter()
        .flat_map(|a| EXPRESSIONS.iter().map(move |b| format!("({a}) == ({b})")))
        .map(|text| (text.clone(), Expression::parse(&text).unwrap()))
        .collect();
    let open = Inputs::new().schemas(&schemas);
    let planned = configuration.evaluate(&open);
    assert!(planned.problems().is_empty(), "{:?}", planned.problems());
    let mut answers: Vec<(usize, bool)> = Vec::new();
    for (at, (_, expression)) in pairs.iter().enumerate() {
        if let Ok(value) = planned.evaluate(expression)
            && let Ok(answer) = value.unmark_deep().0.as_bool()
        {
            answers.push((at, answer));
        }
    }
    let texts = [Value::from("a"), Value::from("b"), Value::from("5"), Value::null(plantime::Type::String)];
    let mut tried = 0;
    for main in &texts {
        for other in &texts {
            let chosen = Chosen { main: main.clone(), other: other.clone(), size: Value::from(5) };
            let inputs = Inputs::new().schemas(&schemas).known(&chosen);
            let applied = configuration.evaluate(&inputs);
            for (at, answer) in &answers {
                let (text, expression) = &pairs[*at];
                // An apply that fails gives no value.
                let Ok(value) = applied.evaluate(expression) else { continue };
                let Ok(found) = value.unmark_deep().0.as_bool() else { continue };
                assert_eq!(found, *answer, "{text} with {main} and {other}");
                tried += 1;
            }
        }
    }
    let equal = answers.iter().filter(|(_, answer)| *answer).count();
    println!("{} pairs, {equal} equal, {tried} answers of applies", pairs.len());
    assert!(equal > 400 && tried > 5_000, "{equal} {tried}");
}

/// What is the same, and what is not said to be.
#[test]
fn copies_are_found_through_every_construct() {
    let (configuration, schemas) = (Configuration::read(Arc::new(files())).unwrap(), schemas());
    let inputs = Inputs::new().schemas(&schemas);
    let evaluation = configuration.evaluate(&inputs);
    let answer = |text: &str| {
        let value = evaluation.evaluate(&Expression::parse(text).unwrap()).unwrap();
        value.unmark_deep().0.as_bool().ok()
    };
    for same in [
        "local.twice",
        "\"${local.copied}\"",
        "local.both.first",
        "local.list[0]",
        "[for v in local.list : v][0]",
        "{ for k, v in local.keyed : k => v }[\"a\"]",
        "var.yes ? x_vpc.main.id : \"x\"",
        "try(x_vpc.main.id, \"x\")",
        "one(x_vpc.main[*].id)",
        "x_net.counted[0].of",
        "(x_net.counted[*].of)[0]",
        "x_net.keyed[\"a\"].of",
        "x_net.n.of",
        "x_net.n.rule[0].from",
        "x_net.n.list[0]",
        "x_net.chain.of",
        "module.net.given",
        "module.net.wrapped.inner.of",
        "module.many[\"a\"].given",
        "sensitive(x_vpc.main.id)",
    ] {
        assert_eq!(answer(&format!("x_vpc.main.id == ({same})")), Some(true), "{same}");
        assert_eq!(answer(&format!("x_vpc.main.id != ({same})")), Some(false), "{same}");
        assert_eq!(answer(&format!("x_vpc.other.id == ({same})")), None, "{same}");
    }
    for unknown in [
        "upper(local.copied)",
        "\"${x_vpc.main.id}!\" == \"\" ? \"\" : local.list[1]",
        "x_net.ignoring.of",
        "x_net.upper.of",
        "x_net.n.maybe",
        "tolist(x_net.n.set)[0]",
        "x_net.dynamic.rule[2].from",
    ] {
        assert_eq!(answer(&format!("x_vpc.main.id == ({unknown})")), None, "{unknown}");
    }
    // Containers part by part.
    assert_eq!(answer("local.both == { first = local.copied, second = x_vpc.other.id }"), Some(true));
    assert_eq!(answer("local.list == [x_net.n.of, local.keyed.b]"), Some(true));
    assert_eq!(answer("local.both == { first = local.copied, second = x_vpc.main.id }"), None);
    assert_eq!(answer("x_net.n.list == tolist([x_vpc.main.id, \"x\"])"), None);
    assert_eq!(answer("module.many[\"a\"] == module.many[\"a\"]"), Some(true));
}

/// A chain of 5,000 copies that each compare is linear, and a circle ends.
#[test]
fn long_chains_of_copies_end() {
    let chain: String = (0..5_000)
        .map(|at| format!("  l{} = local.l{at}\n  e{at} = local.l{at} == x_vpc.main.id\n", at + 1))
        .collect();
    let main = format!("resource \"x_vpc\" \"main\" {{}}\nlocals {{\n  l0 = x_vpc.main.id\n{chain}}}\n");
    let configuration =
        Configuration::read(Arc::new(BTreeMap::from([("main.tf".to_owned(), main.into_bytes())]))).unwrap();
    let (schemas, start) = (schemas(), std::time::Instant::now());
    let inputs = Inputs::new().schemas(&schemas);
    let evaluation = configuration.evaluate(&inputs);
    let last = evaluation.evaluate(&Expression::parse("local.e4999").unwrap()).unwrap();
    assert_eq!(last, Value::from(true));
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    let circle =
        "locals {\n  a = { x = local.b.x }\n  b = { x = local.a }\n  same = local.a.x == local.b\n}\n";
    let circle = BTreeMap::from([("main.tf".to_owned(), circle.as_bytes().to_vec())]);
    let configuration = Configuration::read(Arc::new(circle)).unwrap();
    let inputs = Inputs::new();
    assert_eq!(configuration.evaluate(&inputs).problems().len(), 1);
}

// Rules.

fn plan_text() -> String {
    let resource = |address: &str, after: serde_json::Value, unknown: serde_json::Value| {
        serde_json::json!({
            "address": address, "mode": "managed", "type": address.split('.').next(), "name": address.split('.').nth(1),
            "provider_name": "registry.terraform.io/hashicorp/x",
            "change": {"actions": ["create"], "before": null, "after": after, "after_unknown": unknown,
                "after_sensitive": {}}
        })
    };
    let net = |address: &str| {
        let unknown = serde_json::json!({"id": true, "of": true, "maybe": true});
        resource(address, serde_json::json!({"list": null, "set": null, "rule": [], "secret": null}), unknown)
    };
    let known = |address: &str, of: Option<&str>| {
        let after = serde_json::json!({"of": of, "maybe": "m", "list": null, "set": null, "rule": [], "secret": null});
        resource(address, after, serde_json::json!({"id": true}))
    };
    let vpc = |address: &str| {
        resource(address, serde_json::json!({}), serde_json::json!({"id": true, "size": true}))
    };
    serde_json::json!({
        "format_version": "1.2",
        "resource_changes": [
            vpc("x_vpc.main"), vpc("x_vpc.other"), net("x_net.a"), net("x_net.b"), net("x_net.c"), net("x_net.odd"),
            known("x_net.k1", Some("vpc-1")), known("x_net.k2", Some("vpc-1")), known("x_net.k3", Some("vpc-2")),
            known("x_net.none", None)
        ],
        "output_changes": {
            "id": {"actions": ["create"], "before": null, "after_unknown": true},
            "same": {"actions": ["create"], "before": null, "after_unknown": true}
        }
    })
    .to_string()
}

const RULED: &str = r#"
locals { id = x_vpc.main.id }
resource "x_vpc" "main" {}
resource "x_vpc" "other" {}
resource "x_net" "a" { of = local.id }
resource "x_net" "b" { of = x_vpc.main.id }
resource "x_net" "c" { of = x_vpc.other.id }
resource "x_net" "odd" { of = x_net.a.of }
output "id" { value = local.id }
output "same" { value = x_net.b.of == x_vpc.main.id ? "yes" : "no" }
"#;

fn rules(target: &str, resource: &str, more: &str) -> String {
    format!(
        "rule \"one-net\" {{\n  resource = \"{resource}\"\n  attribute \"of\" {{ \n    same_as = \"{target}\"\n{more}  }}\n}}\n"
    )
}

fn report(rules: &str, with_configuration: bool) -> PlanReport {
    let schemas = schemas();
    let plan = Plan::read(plan_text().as_bytes(), &schemas).unwrap();
    let main = Source::new("infra/main.tf", RULED);
    let options = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", rules)).unwrap(),
        schemas,
        configuration: with_configuration.then(|| PlanConfiguration::read([main]).unwrap()),
        show_values: false,
        facts: ProviderFacts::default(),
    };
    check("plan.json", &plan, &options).unwrap()
}

/// The answer of the only test about one resource: a word and the claim, or the notes.
fn answer(rules: &str, with_configuration: bool) -> String {
    let report = report(rules, with_configuration);
    let answers: Vec<String> = report
        .checked
        .iter()
        .flat_map(|checked| &checked.answers)
        .map(|answer| match &answer.verdict {
            TestVerdict::Pass => format!("pass: {}", answer.claim),
            TestVerdict::Fail(failure) => format!("fail: {}", failure.diagnostics.first().unwrap().detail),
            TestVerdict::Undetermined(reason) => format!("undetermined: {}", reason.why.notes().join("; ")),
            other => format!("{other:?}"),
        })
        .collect();
    answers.join("\n")
}

#[test]
fn same_as_has_three_answers() {
    for (target, resource, expected) in [
        // Copies of one unknown value.
        (
            "x_net.b.of",
            "x_net.a",
            "pass: is the same as x_net.b.of, assumed: configuration infra/main.tf:5, infra/main.tf:6",
        ),
        (
            "x_vpc.main.id",
            "x_net.a",
            "pass: is the same as x_vpc.main.id, assumed: configuration infra/main.tf:5",
        ),
        (
            "x_net.a.of",
            "x_net.odd",
            "pass: is the same as x_net.a.of, assumed: configuration infra/main.tf:8",
        ),
        ("output.id", "x_net.b", "pass: is the same as output.id, assumed: configuration infra/main.tf:6"),
        // Two unknown values.
        (
            "x_vpc.main.id",
            "x_net.c",
            "undetermined: as far as the configuration tells, x_net.c.of and x_vpc.main.id come from two places",
        ),
        // Known values.
        ("x_net.k1.of", "x_net.k2", "pass: is the same as x_net.k1.of"),
        ("x_net.k1.of", "x_net.k3", "fail: x_net.k3.of is not the same as x_net.k1.of."),
        ("x_net.none.of", "x_net.none", "pass: is the same as x_net.none.of"),
        ("x_net.none.of", "x_net.k1", "fail: x_net.k1.of is not the same as x_net.none.of."),
        (
            "x_net.k1.of",
            "x_net.a",
            "undetermined: as far as the configuration tells, x_net.a.of and x_net.k1.of come from two places",
        ),
        // No such place.
        ("x_net.k9.of", "x_net.a", "undetermined: the plan has no planned value of x_net.k9"),
        ("x_vpc.main.size.x", "x_net.a", "undetermined: x_vpc.main has no size.x"),
    ] {
        assert_eq!(answer(&rules(target, resource, ""), true), expected, "{resource} {target}");
    }
    assert_eq!(
        answer(&rules("x_vpc.main.id", "x_net.a", ""), false),
        "undetermined: the configuration tells which values are copies of one (--config)"
    );
    let null = rules("x_net.none.of", "x_net.none", "    null = \"fail\"\n");
    assert!(answer(&null, true).starts_with("fail: "), "{}", answer(&null, true));
    // Outputs need no assumption where no provider is on the way.
    let output = "rule \"r\" {\n  output = \"id\"\n  value { same_as = \"x_vpc.main.id\" }\n}\n";
    assert_eq!(answer(output, true), "pass: value is the same as x_vpc.main.id");
}

/// The assumptions are obligations, and what stays open is one; an apply upholds or breaks them.
#[test]
fn what_same_as_rests_on_is_verified() {
    let text = format!(
        "{}{}",
        rules("x_net.b.of", "x_net.a", ""),
        rules("x_vpc.main.id", "x_net.c", "").replace("one-net", "other-net")
    );
    let report = report(&text, true);
    let obligations = report.obligations(plan_text().as_bytes());
    let json = obligations.to_json();
    assert_eq!(Obligations::read(json.to_string().as_bytes()).unwrap(), obligations);
    let stated: Vec<String> = json["obligations"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one.get("same_as").is_some())
        .map(|one| {
            format!("{}.{} {} {}", one["address"], one["path"], one["same_as"], one["origin"])
                .replace('"', "")
        })
        .collect();
    assert_eq!(
        stated,
        [
            "x_net.a.of {address:x_vpc.main,path:id} configuration infra/main.tf:5",
            "x_net.c.of {address:x_vpc.main,path:id} null",
            "x_net.b.of {address:x_vpc.main,path:id} configuration infra/main.tf:6",
        ]
    );
    let state = |a: &str, c: &str| {
        let resource = |address: &str, values: serde_json::Value| {
            serde_json::json!({"address": address, "mode": "managed", "type": address.split('.').next(), "name": "n",
                "provider_name": "registry.terraform.io/hashicorp/x", "values": values, "sensitive_values": {}})
        };
        let resources = [
            resource("x_vpc.main", serde_json::json!({"id": "vpc-1", "size": 1})),
            resource("x_net.a", serde_json::json!({"id": "a", "of": a})),
            resource("x_net.b", serde_json::json!({"id": "b", "of": "vpc-1"})),
            resource("x_net.c", serde_json::json!({"id": "c", "of": c})),
        ];
        let text =
            serde_json::json!({"format_version": "1.0", "values": {"root_module": {"resources": resources}}});
        State::read(text.to_string().as_bytes(), &ProviderSchemas::new()).unwrap()
    };
    let totals = |a: &str, c: &str| {
        let verification = obligations.verify(&state(a, c));
        let totals = verification.totals();
        (totals.upheld, totals.broken, verification.text(plantime_terraform::plan::Colour::Never))
    };
    let (upheld, broken, shown) = totals("vpc-1", "vpc-1");
    assert_eq!((upheld, broken), (obligations.obligations.len(), 0), "{shown}");
    let (_, broken, shown) = totals("vpc-2", "vpc-3");
    assert!(broken >= 2, "{shown}");
    assert!(shown.contains("it is not the same as x_vpc.main.id"), "{shown}");
    assert!(shown.contains("configuration infra/main.tf:5"), "{shown}");
}

/// A comparison that is true by what the configuration says narrows what is computed from it.
#[test]
fn a_comparison_in_the_configuration_flows() {
    let rules = "rule \"r\" {\n  output = \"same\"\n  value { equals = \"yes\" }\n}\n";
    assert_eq!(answer(rules, true), "pass: value is \"yes\"");
}

#[test]
fn mistakes_are_named() {
    for (place, message) in [
        ("x_net.a", "a path is missing"),
        ("x_net.a.list[*]", "it has a wildcard"),
        ("x_net.*.of", "it has a wildcard"),
        ("module.a", "a resource is missing"),
        ("", "a name is missing"),
    ] {
        let problems = RulesFile::read(Source::new("rules.hcl", &*rules(place, "x_net", ""))).unwrap_err();
        assert!(problems[0].to_string().contains(message), "{place}: {}", problems[0]);
    }
    let nested = "rule \"r\" {\n  resource = \"x_net\"\n  any {\n    attribute \"of\" { same_as = \"x_vpc.main.id\" }\n  }\n}\n";
    let problems = RulesFile::read(Source::new("rules.hcl", nested)).unwrap_err();
    assert!(problems[0].to_string().contains("of the rule itself"), "{}", problems[0]);
}
