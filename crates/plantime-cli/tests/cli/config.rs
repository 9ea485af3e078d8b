//! `--config`.

use crate::{DATA, check, file, has, has_not};

const PLAN: &str = r#"{"format_version": "1.2", "resource_changes": [
  {"address": "t.a", "mode": "managed", "type": "t", "name": "a", "provider_name": "p",
   "change": {"actions": ["create"], "before": null, "after": {"name": null},
              "after_unknown": {"id": true}, "after_sensitive": {}}},
  {"address": "t.b", "mode": "managed", "type": "t", "name": "b", "provider_name": "p",
   "change": {"actions": ["ACTION"], "before": BEFORE, "after": {},
              "after_unknown": {"id": true, "name": true}, "after_sensitive": {}}}]}"#;

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"p": {"resource_schemas": {"t": {"version": 0,
  "block": {"attributes": {"id": {"type": "string", "computed": true},
                           "name": {"type": "string", "optional": true, "computed": COMPUTED}}}}}}}}"#;

/// What is known of `t.b.name`, which is written so, given what is assumed of `t.a.id`.
#[track_caller]
fn shows(test: &str, written: &str, assumed: &str, change: (&str, &str), computed: &str, expected: &str) {
    let file = |name: &str, text: &str| file(&format!("config/{test}/{name}"), text);
    let plan = file("plan.json", &PLAN.replace("ACTION", change.0).replace("BEFORE", change.1));
    let schemas = file("schemas.json", &SCHEMAS.replace("COMPUTED", computed));
    let rules = file(
        "rules.hcl",
        &format!(
            "assume \"t.a\" {{\n  id = assumed({assumed})\n}}\nrule \"r\" {{\n  resource = \"t.b\"\n  attribute \
             \"name\" {{ not_null = true }}\n}}\n"
        ),
    );
    let main = format!("resource \"t\" \"a\" {{}}\nresource \"t\" \"b\" {{\n  name = {written}\n}}\n");
    let folder = std::path::PathBuf::from(file("module/main.tf", &main));
    let folder = folder.parent().expect("a folder").display().to_string();
    let run = check(&[&plan, "--schemas", &schemas, "--rules", &rules, "--config", &folder]);
    assert_eq!(run.err, "");
    has(&run.out, expected);
}

/// A failure shows the line of the configuration, unless a secret is written in it. The name of a sensitive value is none.
#[test]
fn a_failure_does_not_show_a_line_with_a_secret() {
    let plan = file("config/secret/plan.json", PLAN.replace("ACTION", "create").replace("BEFORE", "null"));
    let schemas = file("config/secret/schemas.json", SCHEMAS.replace("COMPUTED", "false"));
    let rules = "rule \"r\" {\n  resource = \"t.b\"\n  attribute \"name\" { starts_with = \"z\" }\n}\n";
    let rules = file("config/secret/rules.hcl", rules);
    for (written, is_shown) in [
        ("\"hunter2-${t.a.id}\"", true),
        ("[\"hunter2-${t.a.id}\", sensitive(\"hunter2\")][0]", false),
        ("{ name = \"hunter2-${t.a.id}\", other = local.secret }.name", true),
    ] {
        let main = format!(
            "locals {{\n  secret = sensitive(\"\")\n}}\nresource \"t\" \"a\" {{}}\nresource \"t\" \"b\" {{\n  name = {written}\n}}\n"
        );
        let folder = std::path::PathBuf::from(file("config/secret/module/main.tf", &main));
        let folder = folder.parent().expect("a folder").display().to_string();
        for format in ["text", "json", "html"] {
            let run = check(&[
                &plan,
                "--schemas",
                &schemas,
                "--rules",
                &rules,
                "--config",
                &folder,
                "--show-values",
                "--format",
                format,
            ]);
            assert_eq!((run.err.as_str(), run.status), ("", 1), "{written}");
            let line_is_shown = run.out.contains("${t.a.id}");
            assert!(is_shown || !line_is_shown, "{written} {format}: {}", run.out);
            assert!(line_is_shown || !is_shown || format != "text", "{written}: {}", run.out);
        }
    }
}

const NEW: (&str, &str) = ("create", "null");
const VPC: &str = "notnull(stringprefix(\"vpc-\"))";

#[test]
fn a_bare_reference_takes_over_what_is_known() {
    shows("bare", "t.a.id", VPC, NEW, "false", "name = \"vpc-${(known after apply)}\"    # configuration ");
}

#[test]
fn a_template_is_not_null_and_has_a_beginning() {
    let expected = "name = \"x-vpc-${(known after apply)}\"    # configuration ";
    shows("template", "\"x-${t.a.id}\"", VPC, NEW, "true", expected);
    shows(
        "hole",
        "\"${t.a.id}-x\"",
        "notnull()",
        NEW,
        "true",
        "pass          r                  name is not null",
    );
}

/// A null in the configuration leaves the attribute to the provider, which may choose anything.
#[test]
fn a_source_that_may_be_null_says_nothing_of_a_computed_attribute() {
    let prefix = "stringprefix(\"vpc-\")";
    shows("nullable", "t.a.id", prefix, NEW, "false", "name = \"vpc-${(known after apply)}\"");
    shows("computed", "t.a.id", prefix, NEW, "true", "name = (known after apply)\n");
}

#[test]
fn on_an_update_the_prior_value_may_stay() {
    let update = |prior: &'static str| ("update", prior);
    let expected = "-> \"v${(known after apply)}\"    # configuration ";
    shows("kept", "t.a.id", VPC, update("{\"id\": \"i\", \"name\": \"v1\"}"), "false", expected);
    let expected = "+ name = \"vpc-${(known after apply)}\"";
    shows("null", "t.a.id", VPC, update("{\"id\": \"i\", \"name\": null}"), "false", expected);
}

#[test]
fn what_is_taken_over_can_contradict_an_assumption() {
    let file = |name: &str, text: &str| file(&format!("config/contradiction/{name}"), text);
    let plan = file("plan.json", &PLAN.replace("ACTION", "create").replace("BEFORE", "null"));
    let schemas = file("schemas.json", &SCHEMAS.replace("COMPUTED", "false"));
    let rules = file(
        "rules.hcl",
        "assume \"t.b\" {\n  name = assumed(notnull(stringprefix(\"subnet-\")))\n}\n\
         assume \"t.a\" {\n  id = assumed(notnull(stringprefix(\"vpc-\")))\n}\n",
    );
    let main =
        file("module/main.tf", "resource \"t\" \"a\" {}\nresource \"t\" \"b\" {\n  name = t.a.id\n}\n");
    let run = check(&[
        &plan,
        "--schemas",
        &schemas,
        "--rules",
        &rules,
        "--config",
        main.trim_end_matches("/main.tf"),
    ]);
    assert_eq!(run.status, 1, "{}{}", run.out, run.err);
    has(&run.out, "rules.hcl line 2:");
    has(&run.out, "the configuration says so in ");
}

#[test]
fn a_folder_without_configuration_is_an_error() {
    let plan = format!("{DATA}/plan.json");
    let rules = format!("{DATA}/questions/rules.hcl");
    let run = check(&[&plan, "--rules", &rules, "--config", &format!("{DATA}/questions")]);
    assert_eq!(run.status, 2);
    has(&run.err, "questions: no *.tf files");
    let run = check(&[&plan, "--rules", &rules, "--config", "no-such-folder"]);
    has(&run.err, "error: no-such-folder: no such file or directory");
}

#[test]
fn without_the_configuration_a_copy_is_unknown() {
    let rules = "assume \"aws_vpc\" {\n  id = assumed(notnull(stringprefix(\"vpc-\")))\n}\n\
                 rule \"r\" {\n  resource = \"aws_subnet\"\n  attribute \"vpc_id\" { starts_with = \"vpc-\" }\n}\n";
    let run = crate::network("config/without.hcl", rules, &[]);
    has(&run.out, "undetermined  r                  vpc_id starts with \"vpc-\"    # without.hcl:6\n");
    has(&run.out, "depends on         aws_vpc.main.id\n");
    has_not(&run.out, "# from ");
    let run = crate::network("config/without.hcl", rules, &["--config", &format!("{DATA}/config/step2")]);
    has(&run.out, "0 undetermined");
    has_not(&run.out, "undetermined  r");
}

#[test]
fn a_template_is_a_text_where_an_attribute_takes_anything() {
    let name = |name: &str| format!("config/any/{name}");
    let plan = file(&name("plan.json"), PLAN.replace("ACTION", "create").replace("BEFORE", "null"));
    let schemas = SCHEMAS.replace("COMPUTED", "false").replace("\"string\"", "\"dynamic\"");
    let schemas = file(&name("schemas.json"), schemas);
    let main = "resource \"t\" \"a\" {}\nresource \"t\" \"b\" {\n  name = \"sub-${t.a.id}\"\n}\n";
    let main = file(&name("module/main.tf"), main);
    let rules = "rule \"r\" {\n  resource = \"t.b\"\n  attribute \"name\" { starts_with = \"sub-\" }\n}\n";
    let rules = file(&name("rules.hcl"), rules);
    let module = main.trim_end_matches("main.tf");
    let run = check(&[&plan, "--schemas", &schemas, "--rules", &rules, "--config", module]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    has(&run.out, "    pass          r                  name starts with \"sub-\"    # rules.hcl:3\n");
}

#[test]
fn overrides_and_files_in_json_are_read() {
    let plan = file("config/overrides/plan.json", PLAN.replace("ACTION", "create").replace("BEFORE", "null"));
    let schemas = file("config/overrides/schemas.json", SCHEMAS.replace("COMPUTED", "false"));
    let rules = "rule \"r\" {\n  resource = \"t.b\"\n  attribute \"name\" { starts_with = \"new-\" }\n}\n";
    let rules = file("config/overrides/rules.hcl", rules);
    let text = "resource \"t\" \"b\" {\n  name = \"new-${t.a.id}\"\n}\n";
    let json = r#"{"resource": {"t": {"b": {"name": "new-${t.a.id}"}}}}"#;
    for (folder, name, text) in
        [("json", "x_override.tf.json", json), ("tofu", "main.tofu", text), ("override", "override.tf", text)]
    {
        let main = "resource \"t\" \"a\" {}\nresource \"t\" \"b\" {\n  name = \"old-${t.a.id}\"\n}\n";
        let main = match name {
            "main.tofu" => file(&format!("config/overrides/{folder}/main.tf"), main),
            _ => file(&format!("config/overrides/{folder}/m.tf"), main),
        };
        file(&format!("config/overrides/{folder}/{name}"), text);
        let folder = std::path::Path::new(&main).parent().expect("a folder").display().to_string();
        let run = check(&[&plan, "--schemas", &schemas, "--rules", &rules, "--config", &folder]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{name}: {}", run.out);
    }
}

const WRITTEN_PLAN: &str = r#"{"format_version": "1.2", "resource_changes": [
  {"address": "t.a", "mode": "managed", "type": "t", "name": "a", "provider_name": "p",
   "change": {"actions": ["create"], "before": null, "after_unknown": {},
              "after": {"name": "n", "secret": "hunter2", "one": [{"size": 1}], "two": [{"size": 1}, {"size": 2}],
                        "list": [{"size": 1}, {"size": 2}]},
              "after_sensitive": {"secret": true}}}],
  "output_changes": {"size": {"actions": ["create"], "before": null, "after": 3, "after_unknown": false}}}"#;

const WRITTEN_SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"p": {"resource_schemas": {"t": {"version": 0, "block": {
  "attributes": {"name": {"type": "string", "optional": true}, "secret": {"type": "string", "optional": true, "sensitive": true}},
  "block_types": {
    "one": {"nesting_mode": "set", "block": {"attributes": {"size": {"type": "number", "optional": true}}}},
    "two": {"nesting_mode": "set", "block": {"attributes": {"size": {"type": "number", "optional": true}}}},
    "list": {"nesting_mode": "list", "block": {"attributes": {"size": {"type": "number", "optional": true}}}}}}}}}}}"#;

const WRITTEN_MAIN: &str = r#"resource "t" "a" {
  name   = "n"
  secret = "hunter2"
  one {
    size = 1
  }
  two {
    size = 2
  }
  two {
    size = 1
  }
  list {
    size = 1
  }
  list {
    size = 2
  }
}
output "size" {
  value = 3
}
"#;

/// A failure shows the line that the value is written in: not the text of one about something sensitive, and none of a member
/// of a set that several blocks may have written.
#[test]
fn a_failure_shows_the_line_that_wrote_the_value() {
    let rules = r#"rule "r" {
  resource = "t"
  attribute "name" { one_of = ["x"] }
  attribute "secret" { one_of = ["x"] }
  attribute "one[*].size" { min = 5 }
  attribute "two[*].size" { min = 6 }
  attribute "list[*].size" { min = 7 }
}
rule "o" {
  output = "size"
  value { min = 9 }
}
"#;
    let file = |name: &str, text: &str| file(&format!("config/written/{name}"), text);
    let plan = file("plan.json", WRITTEN_PLAN);
    let (schemas, rules) = (file("schemas.json", WRITTEN_SCHEMAS), file("rules.hcl", rules));
    let folder = std::path::PathBuf::from(file("module/main.tf", WRITTEN_MAIN));
    let folder = folder.parent().expect("a folder").display().to_string();
    let arguments = [&plan, "--schemas", &schemas, "--rules", &rules, "--config", &folder];
    let run = check(&arguments);
    assert_eq!(run.err, "");
    let written =
        |line: usize, text: &str| format!("{folder}/main.tf line {line}, in resource \"t\" \"a\":\n{text}");
    has(&run.out, &written(2, "│   2:   name   = \"n\"\n"));
    has(&run.out, &written(3, "│\n"));
    has_not(&run.out, "hunter2");
    has(&run.out, &written(5, "│   5:     size = 1\n"));
    has_not(&run.out, "main.tf line 8,");
    has_not(&run.out, "main.tf line 11,");
    has(&run.out, &format!("t.a: list[1].size is at least 7    # rules.hcl:7, {folder}/main.tf:17\n"));
    has(&run.out, &format!("t.a: two[1].size is at least 6    # rules.hcl:6, {folder}/main.tf:1\n"));
    has(&run.out, &written(14, "│   14:     size = 1\n"));
    has(&run.out, &written(17, "│   17:     size = 2\n"));
    has(&run.out, &format!("{folder}/main.tf line 21, in output \"size\":\n│   21:   value = 3\n"));
    for diagnostics in ["snippets", "boxes"] {
        let run = check(&[&arguments[..], &["--diagnostics", diagnostics]].concat());
        has_not(&run.out, "hunter2");
    }
    for format in ["json", "sarif", "junit", "github", "html", "markdown"] {
        let run = check(&[&arguments[..], &["--format", format]].concat());
        has_not(&run.out, "hunter2");
        if format == "sarif" {
            has(&run.out, "\"startLine\":14");
        }
        if format == "json" {
            has(&run.out, "/main.tf:17\"");
        }
    }
}

const CONDITIONS_MAIN: &str = r#"variable "size" {
  default = 3
  validation {
    condition     = var.size > 0
    error_message = "Positive."
  }
}
resource "t" "a" {
}
resource "t" "b" {
  name = t.a.id
  lifecycle {
    precondition {
      condition     = startswith(t.a.id, "a-")
      error_message = "Not the id of an a."
    }
    precondition {
      condition     = startswith(t.a.id, "b-")
      error_message = "Not the id of a b."
    }
    postcondition {
      condition     = self.id != "x"
      error_message = "It is ${self.name}."
    }
  }
}
check "health" {
  assert {
    condition     = t.a.name == "never"
    error_message = "Not healthy."
  }
}
"#;

/// The conditions that the configuration states are answered at plan, with what is assumed; they fail nothing.
#[test]
fn the_conditions_of_the_configuration_are_answered() {
    let file = |name: &str, text: &str| file(&format!("config/conditions/{name}"), text);
    let checks = r#""checks": [{"address": {"kind": "resource", "to_display": "t.b"}, "status": "unknown",
        "instances": [{"address": {"to_display": "t.b"}, "status": "unknown"}]}], "resource_changes""#;
    let plan =
        PLAN.replace("ACTION", "create").replace("BEFORE", "null").replace("\"resource_changes\"", checks);
    let plan = file("plan.json", &plan);
    let schemas = file("schemas.json", &SCHEMAS.replace("COMPUTED", "false"));
    let rules = file("rules.hcl", "assume \"t.a\" {\n  id = assumed(notnull(stringprefix(\"a-\")))\n}\n");
    let folder = std::path::PathBuf::from(file("module/main.tf", CONDITIONS_MAIN));
    let folder = folder.parent().expect("a folder").display().to_string();
    let arguments = [&plan, "--schemas", &schemas, "--rules", &rules, "--config", &folder];
    let run = check(&arguments);
    assert_eq!((run.err.as_str(), run.status), ("", 0));
    let note = |text: &str| has(&run.out, &format!("  # {text}\n"));
    note(&format!("the precondition of t.b ({folder}/main.tf:18) will fail: Not the id of a b."));
    note(&format!("the postcondition of t.b ({folder}/main.tf:22) is undetermined: it depends on t.b.id"));
    note(&format!("the assert of check.health ({folder}/main.tf:29) will fail: Not healthy."));
    note(&format!(
        "1 condition that the plan leaves open holds, as far as what is assumed does: the precondition of t.b \
         ({folder}/main.tf:14)"
    ));
    let run = check(&[&arguments[..], &["--format", "json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let conditions = &json["plans"][0]["custom_conditions"];
    let statuses: Vec<(&str, &str)> = conditions
        .as_array()
        .expect("an array")
        .iter()
        .map(|one| (one["kind"].as_str().expect("a kind"), one["status"].as_str().expect("a status")))
        .collect();
    let expected = [
        ("validation", "pass"),
        ("assert", "fail"),
        ("precondition", "pass"),
        ("precondition", "fail"),
        ("postcondition", "unknown"),
    ];
    assert_eq!(statuses, expected);
    assert_eq!(conditions[2]["terraform"], "unknown");
}
