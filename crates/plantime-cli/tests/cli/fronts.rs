//! One question through every front: the answers agree, and a name that does not exist is refused with the nearest right one,
//! wherever it is written.

use std::collections::BTreeSet;
use std::path::Path;

use plantime::Value;
use plantime::rule::Rule;
use serde_json::Value as Json;

use crate::{Run, file, run};

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/aws": {
    "resource_schemas": {"aws_vpc": {"version": 0, "block": {"attributes": {
        "id": {"type": "string", "computed": true}, "cidr_block": {"type": "string", "optional": true},
        "size": {"type": "number", "optional": true}, "zones": {"type": ["list", "string"], "optional": true}}}}}}}}"#;

/// A plan that creates `aws_vpc.main` with these known attributes, as JSON, and an unknown id.
fn plan(known: &str) -> String {
    format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "aws_vpc.main", "mode": "managed", "type": "aws_vpc",
        "name": "main", "provider_name": "registry.terraform.io/hashicorp/aws", "change": {{"actions": ["create"], "before": null,
        "after": {{{known}}}, "after_unknown": {{"id": true}}, "before_sensitive": false, "after_sensitive": {{}}}}}}]}}"#
    )
}

/// A folder with a configuration of one resource with this argument.
fn configuration(name: &str, argument: &str) -> String {
    let text = format!("resource \"aws_vpc\" \"main\" {{\n  {argument}\n}}\n");
    let path = file(&format!("fronts/{name}/main.tf"), text);
    Path::new(&path).parent().expect("a folder").display().to_string()
}

/// What is wrong in an assumption is refused in a rules file and in a configuration: by `check`, `eval`, `validate` and `why`, each with the
/// place, and with the same words.
#[test]
fn an_assumption_is_refused_in_every_place() {
    let (plan, schemas) = (file("fronts/plan.json", plan("")), file("fronts/schemas.json", SCHEMAS));
    let none = file(
        "fronts/none.hcl",
        "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { not_null = true }\n}\n",
    );
    for (name, argument, words) in [
        ("attribute", "idd = assumed(notnull())", &["idd", "\"id\""][..]),
        ("kind", "id = assumed(listlength(1, 2))", &["id", "listlength(1, 2)"]),
        ("refinement", "id = assumed(stringprefx(\"a\"))", &["stringprefx", "stringprefix"]),
    ] {
        let folder = configuration(name, argument);
        let rules = file(&format!("fronts/{name}.hcl"), format!("assume \"aws_vpc\" {{\n  {argument}\n}}\n"));
        let (with, config) = (["--schemas", &schemas], ["--config", &folder]);
        let fronts = [
            ("check, rules file", [&["check", &plan, "--rules", &rules][..], &with].concat(), 2),
            ("check, configuration", [&["check", &plan, "--rules", &none][..], &with, &config].concat(), 2),
            ("validate", [&["validate", &folder][..], &with].concat(), 1),
            (
                "eval",
                [&["eval", "aws_vpc.main.id"][..], &with, &config].concat(),
                if name == "refinement" { 2 } else { 0 },
            ),
            (
                "why",
                [&["why", "--roots", "--plan", &plan, "--rules", &rules][..], &with, &config].concat(),
                2,
            ),
        ];
        for (front, arguments, status) in fronts {
            let run = run(&arguments);
            let said = format!("{}{}", run.out, run.err).replace("│", " ");
            assert_eq!(run.status, status, "{name}, {front}: {said}");
            for word in words {
                assert!(said.contains(word), "{name}, {front}: no {word} in {said}");
            }
            let is_placed = said.contains(":2:") || said.contains("line 2");
            assert!(is_placed && !said.contains("?."), "{name}, {front}: {said}");
        }
    }
}

/// A function that does not exist, and an argument that does not fit, are told alike by `eval` and `validate`: with file and line.
#[test]
fn an_expression_is_refused_in_every_place() {
    for (name, expression, words) in [
        ("function", "uper(\"x\")", "There is no function named \"uper\". Did you mean \"upper\"?"),
        ("untyped", "assumenotnull(yamldecode(local.u))", ""),
        ("number", "tonumber(\"x\")", "cannot convert \"x\" to number"),
    ] {
        let text = format!("locals {{\n  u = \"a: 1\"\n  x = {expression}\n}}\n");
        let path = file(&format!("fronts/e-{name}/main.tf"), text);
        let folder = Path::new(&path).parent().expect("a folder").display().to_string();
        let fronts = [
            ("eval", run(&["eval", expression, "--config", &folder])),
            ("eval, configuration", run(&["eval", "local.x", "--config", &folder])),
            ("validate", run(&["validate", &folder])),
        ];
        for (front, run) in fronts {
            let said = format!("{}{}", run.out, run.err).replace("│ ", "");
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains(words), "{name}, {front}: {said}");
            assert!(!said.contains("assume_type"), "{name}, {front}: {said}");
            if !words.is_empty() {
                assert!(
                    said.contains(":3:") || said.contains("line 3") || said.contains("expression:1:"),
                    "{name}, {front}: {said}"
                );
            }
        }
    }
    // The folder and the line are shown, as `check` shows them.
    let path = file("fronts/e-shown/main.tf", "locals {\n  x = uper(\"x\")\n}\n");
    let folder = Path::new(&path).parent().expect("a folder").display().to_string();
    let run = run(&["eval", "local.x", "--config", &folder]);
    assert!(
        run.err.contains(&format!("{folder}/main.tf:2:")) && run.err.contains("2 |   x = uper(\"x\")"),
        "{}",
        run.err
    );
}

/// What is sensitive is the same to `eval` and `validate`.
#[test]
fn marks_are_the_same_in_every_place() {
    for (expression, is_sensitive) in [
        ("can(var.p)", false),
        ("can(tonumber(var.p))", false),
        ("true ? \"1\" : var.p", true),
        ("true ? [\"a\"] : [var.p]", false),
        ("try(var.p, \"x\")", true),
        ("\"%{ if true }a%{ else }${var.p}%{ endif }\"", true),
        ("issensitive(can(tonumber(var.p)))", false),
    ] {
        let text = format!(
            "variable \"p\" {{\n  type = string\n  sensitive = true\n}}\noutput \"o\" {{\n  value = {expression}\n}}\n"
        );
        let path = file("fronts/marks/main.tf", text);
        let folder = Path::new(&path).parent().expect("a folder").display().to_string();
        let validated = run(&["validate", &folder]);
        assert_eq!(
            validated.out.contains("Output refers to sensitive values"),
            is_sensitive,
            "{expression}: {}",
            validated.out
        );
        let evaluated = run(&["eval", &format!("issensitive({expression})"), "--config", &folder]);
        assert_eq!(evaluated.out.starts_with("true"), is_sensitive, "{expression}: {}", evaluated.out);
    }
}

/// The answers of a JSON report: rule, address, path and outcome.
fn answers(run: &Run) -> BTreeSet<[String; 4]> {
    let json: Json =
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err));
    let answers = json["plans"][0]["answers"].as_array().expect("answers");
    let text = |answer: &Json, name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    answers
        .iter()
        .map(|answer| ["rule", "address", "path", "outcome"].map(|name| text(answer, name)))
        .collect()
}

/// A rule gives one answer on one value: to the library, and to `check` with and without schemas.
#[test]
fn a_rule_gives_one_answer_in_every_place() {
    let list = |items: &[&str]| Value::list(items.iter().copied()).expect("a list");
    let rows: Vec<(&str, &str, Rule, Value, &str)> = vec![
        ("size", "min = 3", Rule::min(3), Value::from(2), "2"),
        ("size", "min = 3", Rule::min(3), Value::from(3), "3"),
        ("size", "max = 3", Rule::max(3), Value::from(4), "4"),
        ("cidr_block", "starts_with = \"10.\"", Rule::starts_with("10."), Value::from("10.0"), "\"10.0\""),
        ("cidr_block", "starts_with = \"10.\"", Rule::starts_with("10."), Value::from("9.0"), "\"9.0\""),
        ("cidr_block", "not_null = true", Rule::NotNull, Value::null(plantime::Type::String), "null"),
        ("cidr_block", "min_len = 2", Rule::min_len(2), Value::from("a"), "\"a\""),
        ("zones", "min_len = 2", Rule::min_len(2), list(&["a"]), "[\"a\"]"),
        ("zones", "min_len = 2", Rule::min_len(2), list(&["a", "b"]), "[\"a\", \"b\"]"),
    ];
    let schemas = file("fronts/schemas-2.json", SCHEMAS);
    for (at, (attribute, written, rule, value, json)) in rows.into_iter().enumerate() {
        let outcome = rule.check_value(&value).expect("the rule reads the value");
        let library = if outcome.is_pass() { "pass" } else { "fail" };
        let rules = format!(
            "rule \"r\" {{\n  resource = \"aws_vpc\"\n  attribute \"{attribute}\" {{ {written} }}\n}}\n"
        );
        let rules = file(&format!("fronts/r{at}.hcl"), rules);
        let plan = file(&format!("fronts/r{at}.json"), plan(&format!("\"{attribute}\": {json}")));
        let asked = ["check", &plan, "--rules", &rules, "--format", "json"];
        for more in [&[][..], &["--schemas", &schemas]] {
            let run = run(&[&asked[..], more].concat());
            let outcomes: BTreeSet<String> = answers(&run).into_iter().map(|[.., outcome]| outcome).collect();
            assert_eq!(outcomes, BTreeSet::from([library.to_owned()]), "{written} on {json} {more:?}");
        }
    }
}

/// A binary plan and its JSON give the same answers, over instance keys of every kind.
#[test]
fn both_forms_of_a_plan_give_the_same_answers() {
    let binary = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/modules.tfplan");
    let shown = run(&["show", "--format", "json", binary]);
    assert_eq!(shown.status, 0, "{}", shown.err);
    let json = file("fronts/modules.json", &shown.out);
    let rules = file(
        "fronts/modules.hcl",
        "rule \"all\" {\n  resource = \"terraform_data\"\n  attribute \"triggers_replace\" { not_null = true }\n}\n\
         rule \"odd\" {\n  resource = \"terraform_data.b[\\\"$${q}\\\"]\"\n  attribute \"input.list[1]\" { equals = \"x\" }\n}\n\
         rule \"number\" {\n  resource = \"terraform_data.c[1]\"\n  attribute \"input\" { equals = 1 }\n}\n\
         rule \"module\" {\n  resource = \"module.m[\\\"k\\\"].terraform_data.r\"\n  attribute \"input.name\" { equals = \"w\" }\n}\n",
    );
    let asked =
        |plan: &str| answers(&run(&["check", plan, "--rules", &rules, "--format", "json", "--no-config"]));
    let (of_binary, of_json) = (asked(binary), asked(&json));
    assert_eq!(of_binary, of_json);
    for rule in ["all", "odd", "number", "module"] {
        assert!(of_json.iter().any(|[name, ..]| name == rule), "{rule} is not asked: {of_json:?}");
    }
}

/// An instance with an odd key has its planned value with the configuration, which is inside the binary plan, and without.
#[test]
fn an_instance_with_an_odd_key_has_its_value_with_the_configuration() {
    let binary = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/modules.tfplan");
    let json = file("fronts/odd-keys.json", run(&["show", "--format", "json", binary]).out);
    for expression in
        ["terraform_data.b[\"$${q}\"].input.list[1]", "[for k, b in terraform_data.b : b.input.list[1]]"]
    {
        let [with, without] = [binary, &json].map(|plan| run(&["eval", "--plan", plan, expression]));
        assert_eq!((with.status, without.status), (0, 0), "{} {}", with.err, without.err);
        assert!(!without.out.contains("known after apply"), "{}", without.out);
        assert_eq!(with.out, without.out, "{expression}");
    }
}
