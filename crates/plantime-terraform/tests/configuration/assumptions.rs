//! Assumptions that a configuration states: the functions of the design proposal, and `assumed(…)` in a resource block.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::Value;
use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{Configuration, Evaluation, Inputs};
use plantime_terraform::plan::{
    CheckOptions, Configuration as PlanConfiguration, Plan, ProviderFacts, RulesFile, TestVerdict, check,
};

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/aws": {
  "resource_schemas": {
    "aws_vpc": {"version": 0, "block": {"attributes": {
      "id": {"type": "string", "computed": true}, "cidr_block": {"type": "string", "optional": true},
      "secret": {"type": "string", "computed": true, "sensitive": true}}}},
    "aws_instance": {"version": 0, "block": {"attributes": {
      "id": {"type": "string", "computed": true}, "public_ip": {"type": "string", "computed": true},
      "vpc_id": {"type": "string", "optional": true}}}},
    "aws_iam_role": {"version": 0, "block": {"attributes": {
      "arn": {"type": "string", "computed": true}, "name": {"type": "string", "required": true}}}}}}}}"#;

fn schemas() -> ProviderSchemas {
    ProviderSchemas::from_json(SCHEMAS.as_bytes()).unwrap()
}

fn configuration(main: &str) -> Result<Configuration, String> {
    let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    Configuration::read(Arc::new(files)).map_err(|problems| problems.to_string())
}

fn evaluated<T>(main: &str, read: impl FnOnce(&Evaluation<'_>) -> T) -> T {
    let (configuration, schemas) = (configuration(main).unwrap(), schemas());
    let inputs = Inputs::new().schemas(&schemas);
    read(&configuration.evaluate(&inputs))
}

fn output(main: &str, name: &str) -> String {
    evaluated(main, |evaluation| {
        assert!(evaluation.problems().is_empty(), "{:?}", evaluation.problems());
        evaluation.output(name).unwrap().to_string()
    })
}

/// The functions of the proposal, on values of resources that are not known.
#[test]
fn functions_assume_what_their_arguments_say() {
    let main = |value: &str| {
        format!(
            "resource \"aws_vpc\" \"a\" {{}}\nresource \"aws_iam_role\" \"r\" {{\n  name = \"reader\"\n}}\noutput \"o\" {{\n  \
             value = {value}\n}}\n"
        )
    };
    for (value, expected) in [
        ("assumestringprefix(aws_vpc.a.id, \"vpc-\")", "\"vpc-${(known after apply)}\""),
        ("startswith(assumestringprefix(aws_vpc.a.id, \"vpc-\"), \"vpc\")", "true"),
        ("assumenotnull(aws_vpc.a.id) != null", "true"),
        ("assumestringprefix(aws_vpc.a.id, \"vpc-\") != \"\"", "true"),
        ("length(assumelistlengthmin(tolist(split(\",\", aws_vpc.a.id)), 1)) != 0", "true"),
        ("length(assumelistlength(tolist(split(\",\", aws_vpc.a.id)), 2, 2))", "2"),
        (
            "assumeequal(aws_iam_role.r.arn, \"arn:aws:iam::123:role/${aws_iam_role.r.name}\")",
            "\"arn:aws:iam::123:role/reader\"",
        ),
        ("assumenotnull(convert(yamldecode(aws_vpc.a.id), object({ name = string }))) == null", "false"),
    ] {
        assert_eq!(output(&main(value), "o"), expected, "{value}");
    }
}

/// The block of a resource says what is known of the values that the provider chooses.
#[test]
fn a_resource_block_states_assumptions() {
    let main = r#"
resource "aws_vpc" "example" {
  cidr_block = "192.168.0.0/24"
  id         = assumed(notnull(stringprefix("vpc-")), stringlength(21, 21))
}
resource "aws_instance" "web" {
  vpc_id = aws_vpc.example.id
}
output "id" { value = aws_vpc.example.id }
output "vpc" { value = aws_instance.web.vpc_id }
output "is_vpc" { value = startswith(aws_instance.web.vpc_id, "vpc-") }
"#;
    assert_eq!(output(main, "id"), "(known after apply, matches ^vpc-(?s:.){17}$)");
    assert_eq!(output(main, "is_vpc"), "true");
    evaluated(main, |evaluation| {
        // It is no configured argument.
        let id = evaluation.attribute("aws_vpc.example", &"id".parse().unwrap());
        assert_eq!(id, None::<Value>);
    });
}

/// In JSON the call is a template.
#[test]
fn a_resource_block_in_json_states_assumptions() {
    let main = r#"{"resource": {"aws_vpc": {"example": {
        "cidr_block": "192.168.0.0/24",
        "id": "${assumed(notnull(stringprefix(\"vpc-\")), stringlength(21, 21))}"}}},
        "output": {"id": {"value": "${aws_vpc.example.id}"}}}"#;
    let read = |main: &str| {
        let files = BTreeMap::from([("main.tf.json".to_owned(), main.as_bytes().to_vec())]);
        Configuration::read(Arc::new(files)).map_err(|problems| problems.to_string())
    };
    let (configuration, schemas) = (read(main).unwrap(), schemas());
    let inputs = Inputs::new().schemas(&schemas);
    let evaluation = configuration.evaluate(&inputs);
    assert!(evaluation.problems().is_empty(), "{:?}", evaluation.problems());
    assert_eq!(evaluation.output("id").unwrap().to_string(), "(known after apply, matches ^vpc-(?s:.){17}$)");
    for wrong in ["notnul()", "stringprefix(var.x)", "\\\"vpc-\\\""] {
        let problem = read(&main.replace("notnull(stringprefix(\\\"vpc-\\\"))", wrong)).unwrap_err();
        assert!(
            problem.contains("Invalid assumption") && problem.contains("main.tf.json:3"),
            "{wrong}: {problem}"
        );
    }
}

#[test]
fn what_is_wrong_with_an_assumption_is_said() {
    let main = |argument: &str| format!("resource \"aws_vpc\" \"a\" {{\n  {argument}\n}}\n");
    for (argument, expected) in [
        ("id = assumed()", "Nothing is assumed."),
        ("id = assumed(notnul())", "Invalid assumption"),
        ("id = assumed(notnull(stringprefix(\"a\")), notnull(stringprefix(\"b\")))", "Invalid assumption"),
    ] {
        let problem = configuration(&main(argument)).unwrap_err();
        assert!(problem.contains(expected) && problem.contains("main.tf:2"), "{argument}: {problem}");
    }
    // A value that the configuration knows.
    let main = "resource \"aws_vpc\" \"a\" {\n  cidr_block = \"10.0.0.0/8\"\n}\noutput \"o\" { value = aws_vpc.a.cidr_block }\n";
    assert_eq!(output(main, "o"), "\"10.0.0.0/8\"");
    // Anywhere else it is a function that there is not.
    evaluated("output \"o\" { value = upper(assumed(notnull())) }\n", |evaluation| {
        assert!(evaluation.problems()[0].detail().contains("There is no function named \"assumed\""));
    });
}

/// What no value of the attribute upholds, and what the provider does not choose, is refused with its place: where a configuration is
/// evaluated, validated and checked.
#[test]
fn an_assumption_that_no_value_upholds_is_refused() {
    for (argument, expected) in [
        ("idd = assumed(notnull())", "An argument named \"idd\" is not expected here. Did you mean \"id\"?"),
        ("id = assumed(listlength(1, 2))", "id: "),
        ("id = assumed(numbermin(1))", "id: "),
        ("cidr_block = assumed(notnull())", "The provider does not choose \"cidr_block\""),
    ] {
        let main = format!("resource \"aws_vpc\" \"example\" {{\n  {argument}\n}}\n");
        let is_told = |problems: &[plantime_hcl::Diagnostic]| {
            let told = problems.iter().filter(|problem| problem.summary() == "Invalid assumption");
            let told: Vec<String> = told.map(ToString::to_string).collect();
            assert_eq!(told.len(), 1, "{argument}: {problems:?}");
            assert!(told[0].contains(expected) && told[0].contains("main.tf:2"), "{argument}: {told:?}");
        };
        evaluated(&main, |evaluation| is_told(&evaluation.problems()));
        let files = || Arc::new(BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]));
        is_told(&Configuration::validate(files(), Some(&schemas())));
        let configuration = PlanConfiguration::read([Source::new("main.tf", main.as_str())]).unwrap();
        let against = CheckOptions { configuration: Some(configuration), ..options() };
        let problems = check("plan.json", &plan("", true), &against).unwrap_err();
        assert_eq!(problems.len(), 1, "{argument}: {problems:?}");
        assert!(problems[0].to_string().starts_with("main.tf:2"), "{argument}: {problems:?}");
    }
}

/// The message about a misspelt refinement ends once, and names no column of a text that is not shown.
#[test]
fn a_misspelt_refinement_is_told_in_one_sentence() {
    let main = "resource \"aws_vpc\" \"a\" {\n  id = assumed(notnull(stringprefx(\"vpc-\")))\n}\n";
    let problem = configuration(main).unwrap_err();
    let expected = "there is no refinement \"stringprefx\"; did you mean \"stringprefix\"?";
    assert!(problem.contains(expected), "{problem}");
    assert!(!problem.contains("?.") && !problem.contains("column"), "{problem}");
}

fn plan(id: &str, id_is_unknown: bool) -> Plan {
    let (known, unknown) = if id_is_unknown { ("", "\"id\": true,") } else { (id, "") };
    let text = format!(
        r#"{{"format_version": "1.2", "resource_changes": [
  {{"address": "aws_vpc.example", "mode": "managed", "type": "aws_vpc", "name": "example",
   "provider_name": "registry.terraform.io/hashicorp/aws",
   "change": {{"actions": ["create"], "before": null, "after": {{{known} "cidr_block": "192.168.0.0/24"}},
              "after_unknown": {{{unknown} "secret": true}}, "after_sensitive": {{"secret": true}}}}}},
  {{"address": "aws_instance.example", "mode": "managed", "type": "aws_instance", "name": "example",
   "provider_name": "registry.terraform.io/hashicorp/aws",
   "change": {{"actions": ["create"], "before": null, "after": {{}},
              "after_unknown": {{"id": true, "public_ip": true, "vpc_id": true}}, "after_sensitive": {{}}}}}}],
  "output_changes": {{"base_url": {{"actions": ["create"], "before": null, "after_unknown": true}}}}}}"#
    );
    Plan::read(text.as_bytes(), &schemas()).unwrap()
}

const MAIN: &str = r#"
resource "aws_vpc" "example" {
  cidr_block = "192.168.0.0/24"
  id         = assumed(notnull(stringprefix("vpc-")))
  secret     = assumed(notnull(stringprefix("hunter")))
}
resource "aws_instance" "example" {
  vpc_id = aws_vpc.example.id
}
output "base_url" {
  value = "https://${aws_instance.example.public_ip}:8443/"
}
"#;

const RULES: &str = r#"
rule "vpc" {
  resource = "aws_instance"
  attribute "vpc_id" { starts_with = "vpc-" }
}
rule "vpc-id" {
  resource = "aws_vpc"
  attribute "id" { not_null = true }
}
rule "url" {
  output = "base_url"
  value { starts_with = "https://" }
}
"#;

fn options() -> CheckOptions {
    CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", RULES)).unwrap(),
        schemas: schemas(),
        configuration: Some(PlanConfiguration::read([Source::new("main.tf", MAIN)]).unwrap()),
        show_values: false,
        facts: ProviderFacts::default(),
    }
}

/// A check assumes it, shows where it comes from, and leaves an obligation; an output that the configuration computes is decided.
#[test]
fn a_check_rests_on_what_a_block_assumes() {
    let report = check("plan.json", &plan("", true), &options()).unwrap();
    for answer in report.checked.iter().flat_map(|checked| &checked.answers) {
        assert!(matches!(answer.verdict, TestVerdict::Pass), "{answer:?}");
    }
    let text = report.text(plantime_terraform::plan::Colour::Never);
    assert!(text.contains("id = \"vpc-${(known after apply)}\"    # configuration main.tf:4"), "{text}");
    assert!(!text.contains("hunter"), "{text}");
    let obligations = report.obligations(b"plan").to_json().to_string();
    assert!(
        obligations.contains("configuration main.tf:4") && obligations.contains("stringprefix"),
        "{obligations}"
    );
}

/// A value of the plan that does not hold is a contradiction, as with the assumptions of a rules file.
#[test]
fn a_plan_that_contradicts_a_block_fails() {
    let report = check("plan.json", &plan("\"id\": \"vpn-1\",", false), &options()).unwrap();
    let vpc = report.checked.iter().find(|checked| checked.address() == "aws_vpc.example").unwrap();
    assert_eq!(vpc.contradicted.len(), 1);
    assert!(vpc.contradicted[0].message.ends_with("; the configuration assumes it in main.tf:4"));
    assert!(report.totals().failed());
}
