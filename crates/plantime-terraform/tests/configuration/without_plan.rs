//! Checks of a configuration without a plan: what is written counts, everything else is unknown.

use std::collections::BTreeMap;

use plantime::source::Source;
use plantime::{Value, View};
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{self, Inputs};
use plantime_terraform::plan::{
    CheckOptions, Configuration, Gap, PlanReport, RulesFile, TestVerdict, check_configuration,
};

use crate::fixtures::files;

/// The schemas of a provider with a few types of attributes and blocks.
pub(crate) const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {
    "resource_schemas": {"x_box": {"version": 0, "block": {
        "attributes": {
            "id": {"type": "string", "computed": true},
            "name": {"type": "string", "required": true},
            "size": {"type": "number", "optional": true},
            "class": {"type": "string", "optional": true, "computed": true},
            "password": {"type": "string", "optional": true, "sensitive": true},
            "tags": {"type": ["map", "string"], "optional": true}
        },
        "block_types": {
            "rule": {"nesting_mode": "list", "block": {"attributes": {
                "port": {"type": "number", "required": true}, "open": {"type": "bool", "optional": true}}}},
            "disk": {"nesting_mode": "list", "block": {"attributes": {
                "kind": {"type": "string", "optional": true, "computed": true}}}}
        }}}}}}}"#;

pub(crate) fn schemas() -> ProviderSchemas {
    ProviderSchemas::from_json(SCHEMAS.as_bytes()).unwrap()
}

/// The values of the instances of a configuration, by address.
fn values(main: &str, schemas: &ProviderSchemas) -> BTreeMap<String, String> {
    let configuration = configuration::Configuration::read_tolerantly(files(&[("main.tf", main)])).unwrap();
    let inputs = Inputs::new().schemas(schemas).without_plan();
    let evaluation = configuration.evaluate(&inputs);
    let value = |address: String| {
        let value = evaluation.value(&address).unwrap().to_string();
        (address, value)
    };
    evaluation.addresses().into_iter().map(value).collect()
}

/// The report on a configuration.
#[track_caller]
pub(crate) fn report_with(texts: &[(&str, &str)], rules: &str, schemas: ProviderSchemas) -> PlanReport {
    report_of(texts, rules, schemas, false)
}

/// The report with all values shown.
fn report_shown(main: &str, rules: &str) -> PlanReport {
    report_of(&[("main.tf", main)], rules, ProviderSchemas::new(), true)
}

fn report_of(texts: &[(&str, &str)], rules: &str, schemas: ProviderSchemas, show_values: bool) -> PlanReport {
    let configuration = Configuration::open_tolerantly(files(texts), "").unwrap();
    let against = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", rules))
            .unwrap_or_else(|problems| panic!("{problems:?}")),
        schemas,
        configuration: Some(configuration),
        show_values,
        facts: Default::default(),
    };
    check_configuration("infra", &BTreeMap::new(), &against).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn report(main: &str, rules: &str) -> PlanReport {
    report_with(&[("main.tf", main)], rules, ProviderSchemas::new())
}

/// The verdicts by rule and address: `name x_box.a pass`.
fn verdicts(report: &PlanReport) -> Vec<String> {
    let mut all = Vec::new();
    for checked in &report.checked {
        for answer in &checked.answers {
            let word = match &answer.verdict {
                TestVerdict::Pass | TestVerdict::NotApplicable(_) => "pass",
                TestVerdict::Fail(_) => "fail",
                TestVerdict::Undetermined(_) => "undetermined",
                TestVerdict::Skipped(..) => "skipped",
                _ => "other",
            };
            all.push(format!("{} {} {word}", answer.rule, checked.address()));
        }
    }
    all
}

#[test]
fn what_is_written_counts_and_what_is_not_is_as_the_schema_says() {
    let main = r#"
        resource "x_box" "a" {
          name     = "n"
          password = "p"
          rule {
            port = 22
          }
        }
    "#;
    assert_eq!(
        values(main, &schemas())["x_box.a"],
        "{class = (known after apply), disk = (known after apply), id = (known after apply), name = \"n\", \
         password = (sensitive value), rule = [{open = null, port = 22}], size = null, tags = null}"
    );
    let without = &values(main, &ProviderSchemas::new())["x_box.a"];
    assert_eq!(without, "{name = \"n\", password = \"p\", rule = [{port = 22}]}");
    // A block that is not written, in which nothing is computed, is not there.
    let none = "resource \"x_box\" \"a\" { name = \"n\" }";
    assert!(values(none, &schemas())["x_box.a"].contains("rule = []"));
}

#[test]
fn references_to_what_is_written_are_followed_and_to_everything_else_are_unknown() {
    let main = r#"
        resource "x_box" "a" {
          name = "n"
          rule {
            port = 22
          }
        }
        resource "x_box" "b" {
          count = 2
          name  = "b${count.index}"
        }
        resource "x_box" "c" {
          name = "${x_box.a.name}-${x_box.b[1].name}"
          tags = {
            id   = x_box.a.id
            port = x_box.a.rule[0].port
            open = x_box.a.rule[0].open
            ids  = x_box.b[*].id
            gone = x_net.main.id
          }
        }
    "#;
    let values = values(main, &ProviderSchemas::new());
    assert_eq!(
        values["x_box.c"],
        "{name = \"n-b1\", tags = {gone = (known after apply), id = (known after apply), \
         ids = [(known after apply), (known after apply)], open = (known after apply), port = 22}}"
    );
}

#[test]
fn without_schemas_nothing_that_is_not_written_is_null() {
    let main = r#"
        resource "x_box" "a" {
          name = "n"
          rule {
            port = 22
          }
        }
    "#;
    let rules = r#"
        rule "name" {
          resource = "x_box"
          attribute "name" { equals = "n" }
        }
        rule "port" {
          resource = "x_box"
          attribute "rule[*]" {
            not {
              attribute "port" { equals = 22 }
              attribute "open" { equals = true }
            }
          }
        }
        rule "size" {
          resource = "x_box"
          attribute "size" { not_null = true }
        }
        rule "deep" {
          resource = "x_box"
          attribute "a.b[0].c" { not_null = true }
        }
    "#;
    assert_eq!(
        verdicts(&report(main, rules)),
        [
            "name x_box.a pass",
            "port x_box.a undetermined",
            "size x_box.a undetermined",
            "deep x_box.a undetermined"
        ]
    );
    // With a schema they are null, and a null satisfies a test inside `not`.
    let with = report_with(&[("main.tf", main)], rules.split("rule \"deep\"").next().unwrap(), schemas());
    assert_eq!(verdicts(&with), ["name x_box.a pass", "port x_box.a fail", "size x_box.a fail"]);
}

/// What is not written at the path of a relation may be there all the same: it is no error, and names something or not.
#[test]
fn a_path_of_a_relation_that_is_not_written_is_open() {
    let main = "resource \"a_b\" \"c\" {\n  texts = [d_e.f.id]\n}\nresource \"d_e\" \"f\" {}\n";
    let rule = |name: &str, condition: &str| {
        format!(
            "rule \"{name}\" {{\n  resource = \"a_b\"\n  assert {{\n    condition     = {condition}\n    error_message = \"No.\"\n  \
             }}\n}}\n"
        )
    };
    let (texts, other) = (
        "length(referents(subject, \"**\", \"texts\"))",
        "length(referents(subject, \"**\", \"other[*].name\"))",
    );
    let rules = rule("texts", &format!("{texts} > 0"))
        + &rule("other", &format!("{other} > 0"))
        + &rule("sum", &format!("{texts} + {other} > 0"));
    let found = verdicts(&report(main, &rules));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[0].contains("pass") && found[1].contains("undetermined") && found[2].contains("pass"),
        "{found:?}"
    );
}

#[test]
fn an_unknown_number_of_instances_is_one_that_says_so() {
    let main = r#"
        variable "names" { type = map(string) }
        variable "on" { type = bool }
        resource "x_box" "a" {
          for_each = var.names
          name     = "box-${each.value}"
        }
        resource "x_box" "b" {
          count = var.on ? 1 : 0
          name  = "b"
        }
        module "m" {
          source = "./m"
          count  = var.on ? 1 : 0
          name   = x_box.b[0].name
        }
    "#;
    let module = "variable \"name\" {}\nresource \"x_box\" \"in\" { name = var.name }\n";
    let rules = r#"
        rule "name" {
          resource = "x_box"
          attribute "name" { starts_with = "box-" }
        }
    "#;
    let report = report_with(&[("main.tf", main), ("m/main.tf", module)], rules, ProviderSchemas::new());
    assert_eq!(
        verdicts(&report),
        ["name x_box.a[*] pass", "name x_box.b[*] fail", "name module.m[*].x_box.in fail"]
    );
    assert!(report.checked.iter().all(|one| one.is_each_if_any()));
    assert_eq!(report.checked[1].title(), "x_box.b[*] is configured, each instance, if any");
    assert_eq!(report.checked[2].title(), "module.m[*].x_box.in is configured, each instance, if any");
    let failure = match &report.checked[1].answers[0].verdict {
        TestVerdict::Fail(failure) => failure,
        other => panic!("{other:?}"),
    };
    assert_eq!(failure.source_line.as_ref().map(|line| line.line), Some(10));
}

#[test]
fn names_that_are_not_declared_are_notes_and_no_end() {
    let main = r#"
        resource "x_box" "a" {
          name = local.none
          size = var.none
          tags = { a = module.none.out, b = data.x_y.none.id, c = "k" }
        }
        output "broken" {}
        module "far" { source = "acme/far/x" }
        output "far" { value = "${module.far.url}/" }
    "#;
    let rules = r#"
        rule "kept" {
          resource = "x_box"
          attribute "tags.c" { equals = "k" }
        }
        rule "far" {
          output = "far"
          value { not_null = true }
        }
    "#;
    let report = report(main, rules);
    assert_eq!(verdicts(&report), ["kept x_box.a pass", "far output.far pass"]);
    assert_eq!(report.gaps, [Gap::NoPlan, Gap::MissingModules(1)]);
    let notes = report.notes.join("\n");
    for line in [3, 4, 5] {
        assert!(notes.contains(&format!("main.tf:{line}: Reference to undeclared")), "{notes}");
    }
    assert_eq!(notes.matches("main.tf:5: Reference to undeclared").count(), 2, "{notes}");
    assert!(notes.contains("main.tf:7: Missing required argument"), "{notes}");
}

#[test]
fn rules_about_changes_are_named_and_not_asked() {
    let main = "resource \"x_box\" \"a\" { name = \"n\" }\noutput \"o\" { value = 1 }\n";
    let rules = r#"
        rule "actions" {
          resource = "x_box"
          actions  = ["create"]
          deny     = true
        }
        rule "change" {
          resource = "x_box"
          change "name" { immutable = true }
        }
        rule "output" {
          output  = "o"
          actions = ["create"]
          value { equals = 2 }
        }
        rule "deny" {
          resource = "x_box"
          deny     = true
        }
    "#;
    let report = report(main, rules);
    assert_eq!(verdicts(&report), ["deny x_box.a fail"]);
    let named: Vec<_> = report.unmatched.iter().map(|one| (one.name.as_str(), one.reason.as_str())).collect();
    let why = "about changes, and no plan was made";
    assert_eq!(named, [("actions", why), ("change", why), ("output", why)]);
    assert_eq!(report.checked[0].unasked.as_ref(), ["actions", "change"]);
}

#[test]
fn sensitive_values_do_not_reach_the_report() {
    let main = r#"
        variable "secret" {
          sensitive = true
          default   = "hunter2"
        }
        resource "x_box" "a" {
          name     = "n-${var.secret}"
          password = "swordfish"
        }
    "#;
    let rules = r#"
        rule "name" {
          resource = "x_box"
          attribute "name" { starts_with = "m" }
        }
        rule "password" {
          resource = "x_box"
          attribute "password" { min_len = 20 }
        }
    "#;
    let report = report_with(&[("main.tf", main)], rules, schemas());
    assert_eq!(verdicts(&report), ["name x_box.a fail", "password x_box.a fail"]);
    let text = report.text(plantime_terraform::plan::Colour::Never) + &report.to_json().to_string();
    assert!(!text.contains("hunter2") && !text.contains("swordfish"), "{text}");
}

#[test]
fn given_variables_take_the_place_of_defaults_and_of_files() {
    let main = "variable \"a\" { default = \"d\" }\nresource \"x_box\" \"a\" { name = var.a }\n";
    let rules = "rule \"r\" {\n  resource = \"x_box\"\n  attribute \"name\" { equals = \"v\" }\n}\n";
    let texts = [("main.tf", main), ("terraform.tfvars", "a = \"f\"\n")];
    let configuration = Configuration::open_tolerantly(files(&texts), "").unwrap();
    let against = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", rules)).unwrap(),
        schemas: ProviderSchemas::new(),
        configuration: Some(configuration),
        show_values: false,
        facts: Default::default(),
    };
    let given = BTreeMap::from([("a".to_owned(), Value::from("v"))]);
    assert!(!check_configuration("infra", &given, &against).unwrap().totals().failed());
    assert!(check_configuration("infra", &BTreeMap::new(), &against).unwrap().totals().failed());
}

#[test]
fn what_validations_promise_of_a_variable_without_a_value_counts() {
    let main = r#"
        variable "env" {
          type = string
          validation {
            condition     = contains(["dev", "prod"], var.env)
            error_message = "dev or prod."
          }
        }
        variable "name" {
          type = string
          validation {
            condition     = can(regex("^app-[a-z]+$", var.name))
            error_message = "An app."
          }
        }
        variable "zone" {
          type     = string
          nullable = false
        }
        resource "x_box" "a" {
          name = "${var.name}-${var.env}"
          size = var.env
          tags = { zone = var.zone }
        }
    "#;
    let rules = r#"
        rule "env" {
          resource = "x_box"
          attribute "size" { one_of = ["dev", "prod", "test"] }
        }
        rule "not test" {
          resource = "x_box"
          attribute "size" { equals = "test" }
        }
        rule "name" {
          resource = "x_box"
          attribute "name" { starts_with = "app-" }
        }
        rule "zone" {
          resource = "x_box"
          attribute "tags.zone" { not_null = true }
        }
    "#;
    let found = verdicts(&report(main, rules));
    assert_eq!(
        found,
        ["env x_box.a pass", "not test x_box.a fail", "name x_box.a pass", "zone x_box.a pass"]
    );
}

/// What the configuration says of an attribute beside what Terraform planned for it.
fn compared(written: &Value, planned: &Value) -> &'static str {
    let (written, planned) = (written.unmark_deep().0, planned.unmark_deep().0);
    if written == planned {
        return "the same";
    }
    let is_empty = |value: &Value| value.is_known() && !value.is_null() && value.elements().next().is_none();
    match (written.is_null(), is_empty(&written)) {
        (true, _) if !planned.is_null() => "null, and the provider has a default",
        (_, true) if !written.ty().is_primitive() => "none, and the provider adds blocks",
        _ if plantime_schema::planning::refines(&written, &planned) => "more is known in the plan",
        _ if !planned.is_wholly_known() => "less is known in the plan",
        _ => "another value",
    }
}

#[test]
fn what_is_known_without_a_plan_is_what_terraform_planned() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    let roots = crate::recorded::roots();
    for root in &roots {
        let Some(configuration) = root.read() else { continue };
        let inputs = root.inputs().without_plan();
        let evaluation = configuration.evaluate(&inputs);
        for change in &root.plan.resource_changes {
            let is_created = change.change.before.is_none() && change.deposed.is_none();
            let (Some(planned), true) = (&change.change.after, is_created) else { continue };
            let Some(written) = evaluation.value(&change.address) else {
                *counts.entry("no instance of this key").or_default() += 1;
                continue;
            };
            let (View::Object(written), View::Object(planned)) = (written.view(), planned.view()) else {
                continue;
            };
            for (name, written) in written.iter() {
                let Some(planned) = planned.get(name) else { continue };
                let what = compared(written, planned);
                *counts.entry(what).or_default() += 1;
                if what == "another value" || what.starts_with("null") || what.starts_with("none") {
                    *others.entry(format!("{what}: {}.{name}", change.type_name)).or_default() += 1;
                }
            }
        }
    }
    println!("{counts:?}");
    // The texts of a request, which the provider writes in its own way, and a default of the provider.
    let known =
        ["azapi_resource.body", "azapi_update_resource.body", "aws_db_instance.manage_master_user_password"];
    others.retain(|what, _| !known.iter().any(|known| what.ends_with(known)));
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn conditions_are_asked_but_for_those_about_changes() {
    let main = "resource \"x_box\" \"a\" {\n  name = \"n\"\n}\n";
    let rule = |name: &str, condition: &str| {
        format!(
            "rule \"{name}\" {{\n  resource = \"x_box\"\n  assert {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    let rules: String = [
        ("value", "self.name == \"n\""),
        ("entry", "subject.name == \"a\""),
        ("before", "before == null"),
        ("actions", "!contains(subject.actions, \"delete\")"),
        ("changes", "length(changes(\"x_box\")) < 3"),
    ]
    .map(|(name, condition)| rule(name, condition))
    .concat();
    let report = report(main, &rules);
    assert_eq!(verdicts(&report), ["value x_box.a pass", "entry x_box.a pass"]);
    let unasked: Vec<&str> = report.unmatched.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(unasked, ["before", "actions", "changes"]);
}

#[test]
fn what_decides_a_condition_has_its_line() {
    let main = "resource \"x_box\" \"a\" {\n  name = \"good\"\n}\nresource \"x_box\" \"b\" {\n  size = 3\n  name = \"bad\"\n}\n";
    let rules = r#"
        rule "own" {
          resource = "x_box"
          assert {
            condition     = self.size != 3 || self.name == "good"
            error_message = "No."
          }
        }
        rule "all" {
          assert {
            condition     = alltrue([for box in resources("x_box") : box.values.name == "good"])
            error_message = "No."
          }
        }
    "#;
    let report = report_shown(main, rules);
    let mut found = Vec::new();
    for answer in report.checked.iter().flat_map(|checked| &checked.answers) {
        if let TestVerdict::Fail(failure) = &answer.verdict {
            let line = failure.source_line.as_ref().map(|line| line.line);
            found.push((failure.decided.clone(), line, answer.position.line));
        }
    }
    let own = vec!["self.size is 3 (main.tf:5)".to_owned(), "self.name is \"bad\" (main.tf:6)".to_owned()];
    let all = vec!["x_box.b: box.values.name is \"bad\" (main.tf:6)".to_owned()];
    assert_eq!(found, [(own, Some(5), 5), (all, Some(6), 11)]);
}

#[test]
fn an_unknown_part_of_json_does_not_hide_the_others() {
    let main = |policy: &str, effect: &str| {
        let document = format!(
            "jsonencode({{\n    Statement = [{{ Action = [\"s3:*\"], Effect = \"{effect}\", Resource = [x_bucket.b.arn, \"a\"] }}]\n  }})"
        );
        let (policy, local) = match policy {
            "local" => ("local.policy".to_owned(), document),
            _ => (document, "null".to_owned()),
        };
        format!(
            "resource \"x_bucket\" \"b\" {{\n  name = \"b\"\n}}\nlocals {{\n  policy = {local}\n}}\nresource \"x_role\" \"r\" {{\n  policy = {policy}\n}}\n"
        )
    };
    let condition = "alltrue([for s in jsondecode(self.policy).Statement : s.Effect != \"Allow\" || !contains(s.Action, \"s3:*\")])";
    let of_resource = "anytrue([for s in jsondecode(self.policy).Statement : contains(s.Resource, \"b\")])";
    let rule = |condition: &str| {
        format!(
            "rule \"r\" {{\n  resource = \"x_role\"\n  assert {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    for policy in ["inline", "local"] {
        for (effect, condition, expected) in [
            ("Allow", condition, "r x_role.r fail"),
            ("Deny", condition, "r x_role.r pass"),
            ("Deny", of_resource, "r x_role.r undetermined"),
        ] {
            assert_eq!(
                verdicts(&report(&main(policy, effect), &rule(condition))),
                [expected],
                "{policy} {condition}"
            );
        }
    }
}
