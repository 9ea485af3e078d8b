//! Nested blocks whose number is not known: what the content of a `dynamic` block says holds for every block that it makes.

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    CheckOptions, Configuration, Plan, ProviderFacts, RulesFile, TestVerdict, check,
};
use serde_json::{Value as Json, json};

const PROVIDER: &str = "registry.terraform.io/x/x";

const MAIN: &str = r#"
resource "x_source" "s" {}
variable "secret" {
  sensitive = true
  default   = "tcp"
}
resource "x_group" "dynamic" {
  dynamic "rule" {
    for_each = x_source.s.ports
    content {
      protocol = "tcp"
      name     = "p-${rule.value}"
      secret   = var.secret
    }
  }
}
resource "x_group" "both" {
  rule {
    protocol = "udp"
    name     = "p-0"
  }
  dynamic "rule" {
    for_each = x_source.s.ports
    content {
      protocol = upper("tcp") == "TCP" ? "tcp" : tonumber("x")
      name     = "p-${rule.value}"
      // It fails for every element, if there is one.
      port     = tonumber("x${rule.value}")
    }
  }
}
"#;

/// A rule on each attribute, and whether it passes on both resources while the number of blocks is not known.
const RULES: [(&str, &str, [bool; 2]); 8] = [
    ("protocol", "equals = \"tcp\"", [true, false]),
    ("protocol", "one_of = [\"tcp\", \"udp\"]", [true, true]),
    ("protocol", "equals = \"icmp\"", [false, false]),
    ("name", "starts_with = \"p-\"", [true, true]),
    // The provider chooses it where it is not configured.
    ("cidr", "is_null = true", [false, false]),
    ("cidr", "not_null = true", [false, false]),
    // Nothing is said of what is sensitive.
    ("secret", "equals = \"tcp\"", [false, false]),
    ("port", "is_null = true", [false, false]),
];

fn schemas(nesting: &str) -> ProviderSchemas {
    let text = json!({"format_version": "1.0", "provider_schemas": {PROVIDER: {"resource_schemas": {
        "x_source": {"version": 0, "block": {"attributes": {"ports": {"type": ["list", "string"], "computed": true}}}},
        "x_group": {"version": 0, "block": {"block_types": {"rule": {"nesting_mode": nesting, "block": {"attributes": {
            "protocol": {"type": "string", "required": true}, "name": {"type": "string", "optional": true},
            "secret": {"type": "string", "optional": true}, "port": {"type": "number", "optional": true},
            "cidr": {"type": "string", "optional": true, "computed": true}}}}}}}}}}});
    ProviderSchemas::from_json(text.to_string().as_bytes()).unwrap()
}

fn change(address: &str, after: Json, unknown: Json) -> Json {
    let (type_name, name) = address.split_once('.').unwrap();
    json!({"address": address, "mode": "managed", "type": type_name, "name": name, "provider_name": PROVIDER,
        "change": {"actions": ["create"], "before": null, "after": after, "after_unknown": unknown,
            "before_sensitive": false, "after_sensitive": {}}})
}

/// The verdicts of all rules on both resources: with a number of blocks, or while it is not known.
fn verdicts(nesting: &str, ports: Option<&[&str]>) -> Vec<[Option<TestVerdict>; 2]> {
    let schemas = schemas(nesting);
    let block = |name: &str, protocol: &str| json!({"protocol": protocol, "name": name, "secret": "tcp", "port": null, "cidr": "10.0.0.0/8"});
    let group = |first: &[Json]| match ports {
        None => (json!({}), json!({"rule": true})),
        Some(ports) => {
            let made = ports.iter().map(|port| block(&format!("p-{port}"), "tcp"));
            (json!({"rule": first.iter().cloned().chain(made).collect::<Vec<_>>()}), json!({}))
        }
    };
    let source =
        ports.map_or((json!({}), json!({"ports": true})), |ports| (json!({"ports": ports}), json!({})));
    let (dynamic, both) = (group(&[]), group(&[block("p-0", "udp")]));
    let plan = json!({"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": [
        change("x_source.s", source.0, source.1), change("x_group.dynamic", dynamic.0, dynamic.1),
        change("x_group.both", both.0, both.1)]});
    let plan = Plan::read(plan.to_string().as_bytes(), &schemas).unwrap();
    let rules: String = RULES
        .iter()
        .enumerate()
        .map(|(i, (attribute, test, _))| {
            format!("rule \"r{i}\" {{\n resource = \"x_group\"\n attribute \"rule[*].{attribute}\" {{\n {test}\n }}\n}}\n")
        })
        .collect();
    let against = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", rules.as_str())).unwrap(),
        schemas,
        configuration: Some(Configuration::read([Source::new("main.tf", MAIN)]).unwrap()),
        show_values: false,
        facts: ProviderFacts::default(),
    };
    let report = check("plan.json", &plan, &against).unwrap();
    let mut found = vec![[None, None]; RULES.len()];
    for checked in &report.checked {
        let at = usize::from(checked.address().ends_with("both"));
        for answer in &checked.answers {
            let rule: usize = answer.rule[1..].parse().unwrap();
            let worst = |verdict: &TestVerdict| matches!(verdict, TestVerdict::Fail(_));
            if !found[rule][at].as_ref().is_some_and(worst) {
                found[rule][at] = Some(answer.verdict.clone());
            }
        }
    }
    found
}

#[test]
fn what_holds_for_every_block_is_known_before_their_number_is() {
    for nesting in ["list", "set"] {
        let open = verdicts(nesting, None);
        for ((attribute, test, passes), found) in RULES.iter().zip(&open) {
            let found = found.each_ref().map(|verdict| matches!(verdict, Some(TestVerdict::Pass)));
            assert_eq!(found, *passes, "{nesting}: {attribute} {test}: {open:?}");
        }
        // And it stays, however many there turn out to be.
        for ports in [&[][..], &["1"], &["1", "2"]] {
            for ((attribute, test, passes), found) in RULES.iter().zip(verdicts(nesting, Some(ports))) {
                for (passed, verdict) in passes.iter().zip(found) {
                    let fails = matches!(verdict, Some(TestVerdict::Fail(_)));
                    assert!(!passed || !fails, "{nesting}: {attribute} {test} with {ports:?}");
                }
            }
        }
    }
}
