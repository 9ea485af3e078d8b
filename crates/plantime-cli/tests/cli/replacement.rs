//! Whether a planned change replaces: yes, no, maybe.

use serde_json::Value as Json;

use crate::{Run, check, file, has, has_not, network, resource};

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"p": {"resource_schemas": {"db": {"version": 0,
    "block": {"attributes": {"engine": {"type": "string", "optional": true},
        "storage": {"type": "number", "optional": true}, "version": {"type": "string", "optional": true}, "key": {"type": "string", "optional": true, "sensitive": true},
        "tags": {"type": ["map", "string"], "optional": true}}}}}}}}"#;

/// A change in place of one resource, from an engine `postgres` with a storage of 40.
fn plan(actions: &str, after: &str, unknown: &str, more: &str) -> String {
    format!(
        r#"{{"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [{{"address": "db.a", "mode": "managed",
            "type": "db", "name": "a", "provider_name": "p", "change": {{"actions": {actions},
                "before": {{"engine": "postgres", "storage": 40, "key": "hunter1", "tags": {{"hunter2": "a"}}}},
                "after": {after}, "after_unknown": {unknown}, "before_sensitive": {{"key": true, "tags": true}},
                "after_sensitive": {{"key": true, "tags": true}}{more}}}}}],
            "configuration": {{"root_module": {{"resources": [{{"address": "db.a", "mode": "managed", "type": "db", "name": "a",
                "expressions": {{"engine": {{"references": ["var.engine"]}}}}}}]}}}}}}"#
    )
}

fn run(name: &str, plan: &str, rules: &str, more: &[&str]) -> Run {
    let plan = file(&format!("replacement/{name}.json"), plan);
    let rules = file(&format!("replacement/{name}.hcl"), rules);
    let schemas = file(&format!("replacement/{name}-schemas.json"), SCHEMAS);
    check(&[&[&*plan, "--schemas", &schemas, "--rules", &rules], more].concat())
}

const STATED: &str = r#"assume "db" {
  change "engine" { force_new = true }
  change "storage" {
    force_new = true
    when {
      not {
        only_increase = true
      }
    }
  }
}
"#;

#[test]
fn an_update_may_replace_by_what_the_rules_file_says() {
    for (name, after, unknown, expected, answer) in [
        (
            "no",
            r#"{"engine": "postgres", "storage": 80}"#,
            "{}",
            "    replacement   no                 nothing changes that forces replacement\n",
            "no",
        ),
        (
            "yes",
            r#"{"engine": "postgres", "storage": 20}"#,
            "{}",
            "    replacement   certain            storage forces replacement (yes.hcl:3)\n",
            "yes",
        ),
        (
            "maybe",
            r#"{"storage": 40}"#,
            r#"{"engine": true}"#,
            "    replacement   possible           engine forces replacement (maybe.hcl:2), and may turn out as it was\n\
             \x20                 depends on         var.engine\n",
            "maybe",
        ),
        (
            "one-is-enough",
            r#"{"storage": 20}"#,
            r#"{"engine": true}"#,
            "    replacement   certain            engine forces replacement (one-is-enough.hcl:2), and may turn out as it was\n\
             \x20                                    storage forces replacement (one-is-enough.hcl:3)\n",
            "yes",
        ),
    ] {
        let plan = plan("[\"update\"]", after, unknown, "");
        let run = self::run(name, &plan, STATED, &[]);
        assert_eq!(run.status, 0, "{}", run.err);
        has(&run.out, expected);
        has(&run.out, "hcl: 2 assumptions\n");
        let json: Json =
            serde_json::from_str(&self::run(name, &plan, STATED, &["--format", "json"]).out).expect("JSON");
        let replacement = &json["plans"][0]["replacements"][0];
        assert_eq!(
            (replacement["address"].as_str(), replacement["answer"].as_str()),
            (Some("db.a"), Some(answer))
        );
    }
}

#[test]
fn the_json_of_a_maybe_says_what_and_where() {
    let plan = plan("[\"update\"]", r#"{"storage": 40}"#, r#"{"engine": true}"#, "");
    let run = run("json", &plan, STATED, &["--format", "json"]);
    let json: Json = serde_json::from_str(&run.out).expect("JSON");
    let replacement = &json["plans"][0]["replacements"][0];
    let forced_by = &replacement["forced_by"][0];
    assert_eq!(forced_by["what"], "engine");
    assert_eq!(forced_by["certain"], false);
    assert_eq!(forced_by["position"]["line"], 2);
    assert_eq!(replacement["depends_on"][0], "var.engine");
}

#[test]
fn what_the_plan_replaces_is_replaced_and_says_whether_that_is_certain() {
    let rules = "rule \"r\" {\n  resource = \"db\"\n  attribute \"engine\" { not_null = true }\n}\n";
    let replaced = |paths: &str| {
        let more = format!(", \"replace_paths\": {paths}");
        plan("[\"delete\", \"create\"]", r#"{"storage": 20}"#, r#"{"engine": true}"#, &more)
    };
    let out = run("planned", &replaced(r#"[["engine"], ["storage"]]"#), rules, &[]).out;
    has(&out, "# db.a must be replaced\n-/+ resource");
    has(&out, "~ engine = \"postgres\" -> (known after apply) # forces replacement\n");
    has(&out, "    replacement   certain            engine forces replacement, and may turn out as it was\n");
    has(&out, "                                     storage forces replacement\n");
    // A part that stays as it was: null on both sides.
    let out = run("same", &replaced(r#"[["version"]]"#), rules, &[]).out;
    has(
        &out,
        "    replacement   certain            version forces replacement, as the plan says, though the planned value is the \
         one before\n",
    );
    // What the rules file says adds reasons, and changes no fact.
    let both = format!("{STATED}{rules}");
    let out = run("both", &replaced(r#"[["engine"]]"#), &both, &[]).out;
    has(&out, "    replacement   certain            engine forces replacement, and may turn out as it was\n");
    has(&out, "                                     storage forces replacement (both.hcl:3)\n");
    let tainted =
        replaced("[]").replace("\"change\":", "\"action_reason\": \"replace_because_tainted\", \"change\":");
    has(
        &run("tainted", &tainted, rules, &[]).out,
        "replacement   certain            its being tainted forces replacement\n",
    );
}

#[test]
fn a_place_behind_a_mark_is_not_named() {
    let rules = "rule \"r\" {\n  resource = \"db\"\n  attribute \"storage\" { not_null = true }\n}\n";
    let more = r#", "replace_paths": [["tags", "hunter2"], ["key"]]"#;
    let plan =
        plan("[\"delete\", \"create\"]", r#"{"storage": 20, "key": "hunter3", "tags": {}}"#, "{}", more);
    for format in ["text", "json"] {
        let out = run("marked", &plan, rules, &["--format", format]).out;
        has_not(&out, "hunter");
        has(&out, if format == "text" { "tags forces replacement\n" } else { "\"what\": \"tags\"" });
    }
}

#[test]
fn nothing_is_said_where_nothing_is_known() {
    let rules = "rule \"r\" {\n  resource = \"db\"\n  attribute \"storage\" { not_null = true }\n}\n";
    let update = plan("[\"update\"]", r#"{"storage": 20}"#, "{}", "");
    has_not(&run("silent", &update, rules, &[]).out, "replacement   ");
    let created =
        update.replace("\"update\"", "\"create\"").replace("\"before\": {", "\"before\": null, \"was\": {");
    has_not(&run("created", &created, &format!("{STATED}{rules}"), &[]).out, "replacement   ");
}

#[test]
fn mistakes_are_told_where_they_stand() {
    let update = plan("[\"update\"]", r#"{"storage": 20}"#, "{}", "");
    for (name, body, message) in [
        (
            "path",
            "change \"engin\" { force_new = true }",
            ":2:3: db.a: there is no attribute \"engin\"; did you mean \"engine\"?",
        ),
        (
            "argument",
            "change \"engine\" { forces_new = true }",
            ":2:21: unknown argument `forces_new`; the nearest is `force_new`",
        ),
        ("type", "change \"engine\" { force_new = 1 }", ":2:33: force_new takes true or false, not a number"),
        ("empty", "change \"engine\" {}", ":2:3: write change \"PATH\" { force_new = true }"),
        (
            "block",
            "chang \"engine\" { force_new = true }",
            ":2:3: unknown block `chang`; the nearest is `change`",
        ),
        (
            "guard",
            "change \"engine\" {\n    force_new = true\n    if {\n      is_null = true\n    }\n  }",
            ":4:5: a `change` in `assume` takes one block, `when`",
        ),
        (
            "condition",
            "change \"engine\" {\n    force_new = true\n    when {\n      only_increase = true\n    }\n  }",
            "only_increase needs a number, but the value is a string",
        ),
    ] {
        let rules = format!("assume \"db\" {{\n  {body}\n}}\n");
        let run = run(&format!("mistake-{name}"), &update, &rules, &[]);
        assert_eq!(run.status, 2, "{name}: {}{}", run.out, run.err);
        has(&run.err, message);
    }
    // Several types: those without the part are passed over.
    let rules = "assume \"d*\" {\n  change \"engin\" { force_new = true }\n}\n";
    assert_eq!(run("several", &update, rules, &[]).status, 0);
    let rules = "assume \"dbb\" {\n  change \"engine\" { force_new = true }\n}\n";
    has(&run("unmatched", &update, rules, &[]).out, "No resource of the plan matches this assumption");
}

#[test]
fn the_example_tells_what_forces_its_replacements() {
    let rules = "assume \"aws_db_instance\" {\n  change \"engine\" { force_new = true }\n}\n";
    let run = network("replacement/network.hcl", rules, &[]);
    has(
        resource(&run.out, "aws_db_instance.orders"),
        "replacement   certain            identifier forces replacement, and may turn out as it was\n",
    );
    has(
        resource(&run.out, "aws_db_instance.reports"),
        "replacement   no                 nothing changes that forces",
    );
}
