//! `check` answers what the evaluation of a configuration answers: a rule on an output, or on an argument of a resource that
//! Terraform itself provides, passes exactly where the value is known and as the rule wants it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{Configuration, Inputs};
use plantime_terraform::plan::{
    CheckOptions, Configuration as PlanConfiguration, Plan, ProviderFacts, RulesFile, TestVerdict, check,
};
use serde_json::{Map, Value as Json, json};

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"terraform.io/builtin/terraform": {
  "resource_schemas": {"terraform_data": {"version": 0, "block": {"attributes": {
    "id": {"type": "string", "computed": true}, "input": {"type": "dynamic", "optional": true},
    "output": {"type": "dynamic", "computed": true}, "triggers_replace": {"type": "dynamic", "optional": true}}}}}}}}"#;

/// Expressions over values that are not known before the apply, of each kind of value; what of them is known, a rule can ask for.
const EXPRESSIONS: &[&str] = &[
    "upper(format(\"vpc-%s\", terraform_data.v.id)) != \"x\"",
    "startswith(local.vpc, \"vpc-\")",
    "local.vpc",
    "terraform_data.v.id",
    "terraform_data.v.id == null",
    "length([terraform_data.v.id, \"b\"])",
    "[terraform_data.v.id, \"b\"]",
    "{ a = terraform_data.v.id, b = true }",
    "[\"a\", startswith(local.vpc, \"vpc-\")]",
    "{ b = length([terraform_data.v.id]) }",
    "terraform_data.v.id == null ? 1 : null",
    "substr(local.vpc, 0, 4)",
    "length(local.vpc) > 3",
    "can(tonumber(local.vpc))",
    "true",
    "null",
    "[]",
];

/// Rules that ask for a value or for an attribute of one, with what each wants. An index is asked for in no rule here: without a schema an
/// array may be a set.
const RULES: &[(&str, &[(&str, &str)])] = &[
    (
        "",
        &[
            ("equals = true", "%s == true"),
            ("equals = false", "%s == false"),
            ("starts_with = \"vpc-\"", "startswith(%s, \"vpc-\")"),
        ],
    ),
    (
        "",
        &[
            ("equals = 2", "%s == 2"),
            ("equals = \"vpc-\"", "%s == \"vpc-\""),
            ("not_null = true", "%s != null"),
        ],
    ),
    (".b", &[("equals = true", "%s.b == true"), ("equals = 1", "%s.b == 1")]),
];

fn schemas() -> ProviderSchemas {
    ProviderSchemas::from_json(SCHEMAS.as_bytes()).unwrap()
}

/// A resource of the plan, of which these attributes are known and the others are not.
fn resource(name: &str, known: Json, unknown: &[&str]) -> Json {
    let unknown: Map<String, Json> = unknown.iter().map(|name| ((*name).to_owned(), json!(true))).collect();
    json!({"address": format!("terraform_data.{name}"), "mode": "managed", "type": "terraform_data", "name": name,
        "provider_name": "terraform.io/builtin/terraform", "change": {"actions": ["create"], "before": null, "after": known,
        "after_unknown": unknown, "before_sensitive": false, "after_sensitive": {}}})
}

#[test]
fn a_rule_passes_where_the_evaluation_knows_the_answer() {
    let mut main = String::from(
        "resource \"terraform_data\" \"v\" {}\nlocals {\n  vpc = format(\"vpc-%s\", terraform_data.v.id)\n}\n",
    );
    let mut rules = String::new();
    let mut asked = Vec::new();
    let mut resources =
        vec![resource("v", json!({"input": null, "triggers_replace": null}), &["id", "output"])];
    let mut outputs = Map::new();
    for (i, expression) in EXPRESSIONS.iter().enumerate() {
        let (output, argument) = (format!("o{i}"), format!("terraform_data.r{i}"));
        write!(main, "output \"{output}\" {{\n  value = {expression}\n}}\n").unwrap();
        write!(main, "resource \"terraform_data\" \"r{i}\" {{\n  input = {expression}\n}}\n").unwrap();
        outputs.insert(
            output.clone(),
            json!({"actions": ["create"], "before": null, "after_unknown": true,
            "before_sensitive": false, "after_sensitive": false}),
        );
        resources.push(resource(
            &format!("r{i}"),
            json!({"triggers_replace": null}),
            &["id", "input", "output"],
        ));
        for (place, questions) in RULES {
            for (test, question) in *questions {
                let name = format!("q{}", asked.len());
                let body = match place.is_empty() {
                    true => format!("value {{\n {test}\n }}"),
                    false => format!("attribute \"{}\" {{\n {test}\n }}", place.trim_start_matches('.')),
                };
                write!(rules, "rule \"{name}-o\" {{\n output = \"{output}\"\n {body}\n}}\n").unwrap();
                let at = format!("attribute \"input{place}\" {{\n {test}\n }}");
                write!(rules, "rule \"{name}-r\" {{\n resource = \"{argument}\"\n {at}\n}}\n").unwrap();
                asked.push((i, question.replace("%s", &format!("({expression})")), name));
            }
        }
    }
    // What the evaluation answers to each question.
    let mut questions = main.clone();
    for (_, question, name) in &asked {
        write!(questions, "output \"{name}\" {{\n  value = try({question}, \"no answer\")\n}}\n").unwrap();
    }
    let plan = json!({"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": resources, "output_changes": outputs});
    let schemas = schemas();
    let files = BTreeMap::from([("main.tf".to_owned(), questions.into_bytes())]);
    let bytes = plan.to_string();
    let read = Plan::read(bytes.as_bytes(), &schemas).unwrap();
    let configuration = Configuration::read(Arc::new(files)).unwrap();
    let values = read.planned_values();
    let inputs = Inputs::new().known(&values).schemas(&schemas);
    let evaluation = configuration.evaluate(&inputs);
    let options = CheckOptions {
        rules: RulesFile::read(Source::new("r.hcl", rules)).unwrap(),
        schemas: schemas.clone(),
        configuration: Some(PlanConfiguration::read([Source::new("main.tf", main)]).unwrap()),
        show_values: false,
        facts: ProviderFacts::default(),
    };
    let report = check("plan.json", &read, &options).unwrap();
    let mut verdicts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for answer in report.checked.iter().flat_map(|checked| &checked.answers) {
        let verdict = match answer.verdict {
            TestVerdict::Pass => "pass",
            TestVerdict::Fail(_) => "fail",
            TestVerdict::Undetermined(_) => "undetermined",
            _ => "not asked",
        };
        verdicts.entry(&answer.rule).or_default().push(verdict);
    }
    let mut wrong = Vec::new();
    let mut known = 0;
    for (i, question, name) in &asked {
        let answer = evaluation.output(name).unwrap().unmark_deep().0;
        let expected = match answer.as_bool() {
            Ok(true) => "pass",
            Ok(false) => "fail",
            Err(_) => continue,
        };
        known += 1;
        // A null passes a rule that does not ask for null.
        let may_be_null = evaluation.output(&format!("o{i}")).unwrap().may_be_null();
        for side in ["o", "r"] {
            let found = verdicts.get(format!("{name}-{side}").as_str()).cloned().unwrap_or_default();
            if found != [expected] && !may_be_null {
                wrong.push(format!("{question} is {answer}, but the rule on {side}: {found:?}"));
            }
        }
    }
    println!("{known} questions with an answer");
    assert!(known > 40, "{known}");
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

/// A plan does not say of which type a null of an attribute of any type is. The configuration does, or nothing: it is not untyped, with
/// and without schemas.
#[test]
fn a_null_of_an_attribute_of_any_type_has_the_type_that_it_is_configured_with() {
    let main = "variable \"l\" {\n  type = list(object({ a = string }))\n  default = null\n}\n\
                variable \"m\" {\n  type = map(string)\n  default = null\n}\n\
                resource \"terraform_data\" \"l\" {\n  input = var.l\n}\n\
                resource \"terraform_data\" \"m\" {\n  input = { m = var.m, n = null }\n}\n\
                resource \"terraform_data\" \"n\" {\n  input = null\n}\n\
                output \"list\" {\n  value = try(terraform_data.l.output[*].a, \"failed\")\n}\n\
                output \"input\" {\n  value = try(terraform_data.l.input[*].a, \"failed\")\n}\n\
                output \"map\" {\n  value = try(terraform_data.m.input.m[*], \"failed\")\n}\n\
                output \"null\" {\n  value = terraform_data.l.output == null\n}\n\
                output \"untyped\" {\n  value = terraform_data.n.output[*]\n}\n";
    let null = json!({"input": null, "output": null, "triggers_replace": null});
    let nulls =
        json!({"input": {"m": null, "n": null}, "output": {"m": null, "n": null}, "triggers_replace": null});
    let resources =
        [resource("l", null.clone(), &["id"]), resource("m", nulls, &["id"]), resource("n", null, &["id"])];
    let plan = json!({"format_version": "1.2", "resource_changes": resources});
    let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    let configuration = Configuration::read(Arc::new(files)).unwrap();
    for schemas in [schemas(), ProviderSchemas::new()] {
        let read = Plan::read(plan.to_string().as_bytes(), &schemas).unwrap();
        let values = read.planned_values();
        let inputs = Inputs::new().known(&values).schemas(&schemas);
        let evaluation = configuration.evaluate(&inputs);
        let shown = |name: &str| evaluation.output(name).unwrap().to_string();
        assert_eq!(shown("list"), "\"failed\"");
        assert_eq!(shown("input"), "\"failed\"");
        assert_eq!(shown("map"), "[]");
        assert_eq!(shown("null"), "true");
        assert_eq!(shown("untyped"), "[]");
    }
}
