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
