//! What test files say, and what is wrong with them.

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::RulesFile;
use plantime_terraform::plan::rule_tests::{TestFile, TestInputs, TestOutcome};

const RULES: &str = r#"
variable "most" {
  type    = number
  default = 9
}

rule "name" {
  resource = "x_y"
  attribute "name" { starts_with = "a-" }
}

rule "size" {
  resource = "x_y"
  attribute "size" { max = 5 }
}

rule "few" {
  assert {
    condition     = length(resources("x_y")) <= var.most
    error_message = "${length(resources("x_y"))} are too many."
  }
}

rule "grows" {
  resource = "x_y"
  change "size" { only_increase = true }
}

rule "keep" {
  resource = "x_y"
  actions  = ["delete"]
  deny     = true
}

rule "each" {
  resource = "x_y"
  for_each = toset(["a", "b"])
  assert {
    condition     = contains(self.tags, each.key)
    error_message = "No tag ${each.key}."
  }
}

rule "url" {
  output = "url"
  value { starts_with = "https://" }
}

rule "image" {
  resource = "data.x_image"
  attribute "owner" { equals = "us" }
}

rule "text" {
  resource = "x_t"
  attribute "flag" { starts_with = "a" }
}
"#;

const SCHEMAS: &str = r#"{"provider_schemas": {"example/x": {"resource_schemas": {
    "x_t": {"version": 0, "block": {"attributes": {
        "flag": {"type": "bool", "optional": true},
        "token": {"type": "string", "required": true, "sensitive": true}},
        "block_types": {"rule": {"nesting_mode": "set", "block": {"attributes": {"port": {"type": "number", "optional": true}}}}}}}}}}}"#;

/// The outcome of a test, whose body this is.
fn run(body: &str) -> TestOutcome {
    let file = TestFile::read(Source::new("a.test.hcl", format!("test \"t\" {{\n{body}\n}}\n")))
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut inputs = TestInputs::new(RulesFile::read(Source::new("rules.hcl", RULES)).unwrap());
    inputs.schemas = ProviderSchemas::from_json(SCHEMAS.as_bytes()).unwrap();
    file.run(&file.tests[0], &inputs)
}

/// What is different in a test.
fn differences(body: &str) -> Vec<String> {
    let outcome = run(body);
    assert!(outcome.errors.is_empty(), "{:?}", outcome.errors);
    outcome
        .differences
        .iter()
        .map(|one| {
            let about: Vec<String> = one.rule.iter().chain(&one.address).cloned().collect();
            format!("{} {}: {}", one.position, about.join(" "), one.message)
        })
        .collect()
}

#[track_caller]
fn passes(body: &str) {
    assert_eq!(differences(body), Vec::<String>::new(), "{body}");
}

#[test]
fn values_are_known_unknown_refined_or_sensitive() {
    passes(
        r#"
  resource "x_y" "a" { name = "a-1" }
  resource "x_y" "b" { name = "b-1" }
  resource "x_y" "c" { name = unknown() }
  resource "x_y" "d" { name = unknown(string) }
  resource "x_y" "e" { name = assumed(stringprefix("a-")) }
  resource "x_y" "f" { name = unknown(string, notnull(), stringprefix("b-")) }
  resource "x_y" "g" { name = sensitive("b-secret") }
  resource "x_y" "h" { name = "${lower("A")}-${unknown()}" }
  resource "x_y" "i" {}
  expect "name" {
    pass         = ["x_y.a", "x_y.e", "x_y.h", "x_y.i"]
    fail         = ["x_y.b", "x_y.f", "x_y.g"]
    undetermined = ["x_y.c", "x_y.d"]
  }"#,
    );
}

#[test]
fn no_message_shows_a_sensitive_value() {
    let outcome = run(
        "  resource \"x_y\" \"a\" { name = sensitive(\"b-hidden\") }\n  expect \"name\" { pass = \"x_y.a\" }",
    );
    let text = format!("{outcome:?}");
    assert_eq!(outcome.differences.len(), 1);
    assert!(!text.contains("b-hidden"), "{text}");
}

#[test]
fn no_error_shows_a_line_with_a_sensitive_value() {
    let wrong = [
        "test \"t\" {\n  resource \"x_y\" \"a\" { name = [sensitive(\"canary\"), unknwn()] }\n}\n",
        "test \"t\" {\n  resource \"x_y\" \"a\" { name = sensitive(\"canary\") = }\n}\n",
    ];
    for text in wrong {
        let problems = TestFile::read(Source::new("a.test.hcl", text)).unwrap_err();
        problems
            .iter()
            .for_each(|problem| assert!(!format!("{problem:#}").contains("canary"), "{problem:#}"));
    }
    // The schema says that a token is sensitive.
    let outcome = run("  resource \"x_t\" \"a\" { token = [\"canary\"] }\n  expect \"text\" {}");
    assert!(
        !outcome.errors.is_empty() && !outcome.errors[0].to_string().contains("canary"),
        "{:?}",
        outcome.errors
    );
}

#[test]
fn a_change_has_values_before_and_actions() {
    passes(
        r#"
  resource "x_y" "grown" {
    size = 3
    change { before = { size = 2 } }
  }
  resource "x_y" "shrunk" {
    size = 1
    change { before = { size = 2 } }
  }
  resource "x_y" "open" {
    size = unknown(number)
    change { before = { size = 2 } }
  }
  resource "module.net[0].x_y.gone[\"k\"]" {
    size = 1
    change { actions = ["delete"] }
  }
  expect "grows" {
    pass         = ["x_y.grown"]
    fail         = ["x_y.shrunk"]
    undetermined = ["x_y.open"]
  }
  expect "keep" { fail = "module.net[0].x_y.gone[\"k\"]" }
  expect "few" { answer = "pass" }"#,
    );
}

#[test]
fn outputs_data_sources_and_variables_are_written_too() {
    passes(
        r#"
  output "url" { value = "https://${unknown()}" }
  data "x_image" "us" { owner = "us" }
  data "x_image" "other" { owner = unknown(string) }
  expect "url" { pass = "output.url" }
  expect "image" {
    pass         = "data.x_image.us"
    undetermined = "data.x_image.other"
  }"#,
    );
}

#[test]
fn a_configuration_is_checked_as_it_is_written() {
    let body = "  configuration = <<-EOT\n    variable \"env\" {}\n    resource \"x_y\" \"a\" {\n      name = \"b-${var.env}\"\n    }\n    \
                resource \"x_y\" \"b\" {\n      name = \"${var.env}-x\"\n    }\n  EOT\n";
    passes(&format!("{body}  expect \"name\" {{\n    fail = \"x_y.a\"\n    undetermined = \"x_y.b\"\n  }}"));
    passes(&format!(
        "{body}  variables {{\n    env = \"a\"\n    most = 2\n  }}\n  expect \"name\" {{\n    fail = \"x_y.a\"\n    pass = \"x_y.b\"\n  }}\n  \
         expect \"few\" {{ answer = \"pass\" }}"
    ));
    let broken = run(
        "  configuration = <<-EOT\n    resource \"x_y\" \"a\" {\n      name =\n    }\n  EOT\n  expect \"name\" {}",
    );
    // The line is that of the test file.
    assert!(broken.errors[0].to_string().starts_with("a.test.hcl: main.tf:4:"), "{}", broken.errors[0]);
}

#[test]
fn schemas_give_types_and_what_is_sensitive() {
    let outcome = run(
        "  resource \"x_t\" \"a\" {\n    token = \"b-hidden\"\n    rule { port = \"80\" }\n  }\n  expect \"text\" { error = \"must be a string\" }",
    );
    assert!(!format!("{outcome:?}").contains("b-hidden"));
    let outcome = run("  resource \"x_t\" \"a\" { tokn = 1 }\n  expect \"text\" {}");
    assert!(
        outcome.errors[0]
            .to_string()
            .contains("a.test.hcl:2:3: this does not fit the schema: unexpected attribute \"tokn\""),
        "{}",
        outcome.errors[0]
    );
}

#[test]
fn each_kind_of_difference_is_told_with_its_place() {
    assert_eq!(
        differences(
            r#"
  resource "x_y" "a" {
    name = "b-1"
    size = 9
  }
  resource "x_y" "b" { name = "a-1" }
  expect "name" {
    pass = ["x_y.a", "x_y.c"]
  }
  expect "size" {
    fail     = "x_y.a"
    pass     = "x_y.b"
    messages = ["at most 6"]
  }
  expect "few" {}
  expect "grows" { error = "wrong" }"#
        ),
        [
            "8:10 name x_y.b: not named, given pass",
            "9:13 name x_y.a: expected pass, given fail",
            "9:22 name x_y.c: expected pass, given none",
            "11:10 size x_y.a: no part of `messages` is in this message",
            "14:17 size: no message has the part \"at most 6\"",
            "16:10 few: not named, given pass",
            "17:28 grows: expected the error \"wrong\", given none",
        ]
    );
}

#[test]
fn a_rule_with_for_each_is_expected_as_a_whole_or_by_element() {
    passes("  resource \"x_y\" \"a\" { tags = [\"a\"] }\n  expect \"each\" { fail = \"x_y.a\" }");
    passes(
        "  resource \"x_y\" \"a\" { tags = [\"a\"] }\n  expect \"each[\\\"a\\\"]\" { pass = \"x_y.a\" }\n  expect \"each[\\\"b\\\"]\" {\n    \
         fail = \"x_y.a\"\n    messages = \"No tag b.\"\n  }",
    );
}

#[test]
fn a_rule_that_is_an_error_leaves_the_others_alone() {
    let body = "  resource \"x_t\" \"a\" { token = \"t\" }\n  resource \"x_y\" \"a\" { name = \"a-1\" }\n  expect \"name\" { pass = \"x_y.a\" }\n  expect \"text\" ";
    passes(&format!("{body}{{ error = \"bool\" }}"));
    let differences = differences(&format!("{body}{{}}"));
    assert_eq!(differences, ["5:10 text: the rule is an error here"]);
}

#[test]
fn rules_and_variables_that_do_not_exist_are_refused_with_the_nearest() {
    let error = |body: &str| run(body).errors[0].to_string();
    let wrong = error("  resource \"x_y\" \"a\" {}\n  expect \"nmae\" {}");
    assert!(wrong.starts_with("a.test.hcl:3:10: there is no rule `nmae`; the nearest is `name`"), "{wrong}");
    let wrong = error("  variables { mots = 1 }\n  resource \"x_y\" \"a\" {}\n  expect \"few\" {}");
    assert!(
        wrong.starts_with("a.test.hcl:2:15: no rules file has a variable `mots`; the nearest is `most`"),
        "{wrong}"
    );
}

/// The first problem of a file.
fn problem(text: &str) -> String {
    match TestFile::read(Source::new("a.test.hcl", text)) {
        Ok(_) => panic!("nothing is wrong with\n{text}"),
        Err(problems) => problems[0].to_string(),
    }
}

#[test]
fn what_is_wrong_with_a_test_file_is_said_with_its_place() {
    for (text, expected) in [
        ("", "1:1: there is no test: write test \"NAME\" { … }"),
        ("rule = \"a\"\n", "1:1: unknown argument `rule`; the nearest is `rules`"),
        ("rules = 5\n", "1:9: `rules` takes a text or a list of texts, not a number"),
        ("tset \"a\" {}\n", "1:1: unknown block `tset`; the nearest is `test`"),
        ("test {}\n", "1:1: `test` takes one label: test \"…\""),
        ("test \"a\" {\n  expect \"r\" {}\n}\n", "1:1: a test has one subject: "),
        (
            "test \"a\" {\n  resource \"x_y\" \"a\" {}\n}\n",
            "1:1: test `a` expects nothing: write expect \"RULE\" { … }",
        ),
        (
            "test \"a\" {\n  plan = \"p\"\n  resource \"x_y\" \"a\" {}\n  expect \"r\" {}\n}\n",
            "1:1: a test has one subject: ",
        ),
        (
            "test \"a\" {\n  resorce \"x_y\" \"a\" {}\n}\n",
            "2:3: unknown block `resorce`; the nearest is `resource`",
        ),
        ("test \"a\" {\n  resource \"x_y\" {}\n}\n", "2:3: \"x_y\" is no address of a resource"),
        (
            "test \"a\" {\n  resource \"x_y\" \"a\" { count = 2 }\n}\n",
            "2:24: `count` belongs into a configuration",
        ),
        ("test \"a\" {\n  resource \"x_y\" \"a\" { name = assumed() }\n}\n", "2:31: nothing is assumed"),
        (
            "test \"a\" {\n  resource \"x_y\" \"a\" { name = assumed(prefix(\"a\")) }\n}\n",
            "2:39: unknown refinement `prefix`",
        ),
        ("test \"a\" {\n  resource \"x_y\" \"a\" { name = unknown(strin) }\n}\n", "2:39: "),
        ("test \"a\" {\n  resource \"x_y\" \"a\" { name = unknwn() }\n}\n", "2:31: Call to unknown function"),
        ("test \"a\" {\n  resource \"x_y\" \"a\" { name = var.a }\n}\n", "2:31: "),
        (
            "test \"a\" {\n  resource \"x_y\" \"a\" {}\n  resource \"x_y\" \"a\" {}\n}\n",
            "3:3: x_y.a stands in line 2 already",
        ),
        (
            "test \"a\" {\n  resource \"x_y\" \"a\" {\n    change { action = 1 }\n  }\n}\n",
            "3:14: unknown argument `action`; the nearest is `actions`",
        ),
        (
            "test \"a\" {\n  resource \"x_y\" \"a\" {\n    change { actions = \"updat\" }\n  }\n}\n",
            "3:24: unknown action `updat`; the nearest is `update`",
        ),
        (
            "test \"a\" {\n  plan = \"p\"\n  expect \"r\" { answer = \"passes\" }\n}\n",
            "3:25: unknown answer `passes`; the nearest is `pass`",
        ),
        (
            "test \"a\" {\n  plan = \"p\"\n  expect \"r\" {\n    pass = \"a.b\"\n    fail = \"a.b\"\n  }\n}\n",
            "5:12: a.b has an answer already: pass in line 4",
        ),
        (
            "test \"a\" {\n  plan = \"p\"\n  expect \"r\" {\n    pass = \"a.b\"\n    error = \"a.b\"\n  }\n}\n",
            "3:3: a rule that is an error has no answers",
        ),
        (
            "test \"a\" {\n  plan = \"p\"\n  expect \"r\" {}\n  expect \"r\" {}\n}\n",
            "4:3: a second `expect` of rule `r` in this test",
        ),
        (
            "test \"a\" {\n  plan = \"p\"\n  expect \"r\" {}\n}\ntest \"a\" {\n  plan = \"p\"\n  expect \"r\" {}\n}\n",
            "5:1: a second test `a`; the first is in line 1",
        ),
        (
            "test \"a\" {\n  plan = \"p\"\n  complete = false\n  expect \"r\" {}\n}\n",
            "3:3: `complete` belongs to planned values",
        ),
        ("test \"a\" {\n  plan = \n}\n", "2:10: "),
    ] {
        let found = problem(text);
        assert!(found.starts_with(&format!("a.test.hcl:{expected}")), "{text}\n{found}\n{expected}");
    }
}
