//! What a reader finds in the text of a check, and what a program finds of it in JSON.

use serde_json::Value;

use crate::{DATA, Run, check, file, has, has_not, network, resource};

/// A plan in which resources `x_y.NAME` are changed: each with its `change` as JSON.
fn plan(changes: &[(&str, &str)]) -> String {
    let changes = changes.iter().map(|(name, change)| {
        format!(
            r#"{{"address": "x_y.{name}", "mode": "managed", "type": "x_y", "name": "{name}", "provider_name": "p",
                "change": {change}}}"#
        )
    });
    let changes: Vec<String> = changes.collect();
    format!(r#"{{"format_version": "1.2", "resource_changes": [{}]}}"#, changes.join(","))
}

/// A new resource with these attributes, of which some may be sensitive.
fn created(after: &str, sensitive: &str) -> String {
    format!(
        r#"{{"actions": ["create"], "before": null, "after": {after}, "after_unknown": {{}}, "before_sensitive": false,
            "after_sensitive": {sensitive}}}"#
    )
}

fn run(name: &str, plan: &str, rules: &str, more: &[&str]) -> Run {
    let plan = file(&format!("reading/{name}.json"), plan);
    let rules = file(&format!("reading/{name}.hcl"), rules);
    check(&[&[&*plan, "--rules", &rules], more].concat())
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).expect("JSON")
}

const DESCRIBED: &str = "rule \"r\" {\n  description = \"Names are left to the provider\"\n  resource = \"x_y\"\n  \
                         attribute \"name\" { is_null = [\"is not ours\", true] }\n}\n";

#[test]
fn the_description_of_a_rule_and_the_words_of_a_pair_are_in_the_box() {
    let plan = plan(&[("a", &created(r#"{"name": "n"}"#, "{}"))]);
    let out = run("described", &plan, DESCRIBED, &[]).out;
    has(
        &out,
        "│ Names are left to the provider.\n│ Required: name is not ours.\n│ Attribute name value must be null, got: \"n\".\n│ Next: ",
    );
    let out = run("described", &plan, DESCRIBED, &["--diagnostics", "snippets"]).out;
    has(&out, "Names are left to the provider.\n");
    has(&out, "Required: name is not ours.\n");
    // The author's own message says what it wants to say of the test.
    let own = DESCRIBED
        .replace("{ is_null", "{\n    message = \"leave it: {failure}\"\n    is_null")
        .replace("] }", "]\n  }");
    has(
        &run("own", &plan, &own, &[]).out,
        "│ Names are left to the provider.\n│ leave it: it is \"n\"\n│ Next: ",
    );
    let denied = "rule \"r\" {\n  resource = \"x_y\"\n  deny = true\n}\n";
    has_not(&run("denied", &plan, denied, &[]).out, "Required");
}

#[test]
fn the_description_of_a_rule_is_in_the_json() {
    let plan = plan(&[("a", &created(r#"{"name": "n"}"#, "{}"))]);
    let rules = format!(
        "{DESCRIBED}rule \"s\" {{\n  resource = \"x_y\"\n  attribute \"name\" {{ not_null = true }}\n}}\n"
    );
    let report = json(&run("json", &plan, &rules, &["--format", "json"]));
    let answers = &report["plans"][0]["answers"];
    assert_eq!(answers[0]["description"], "Names are left to the provider");
    assert_eq!(answers[1].get("description"), None);
}

#[test]
fn the_json_says_what_each_resource_is() {
    let report = json(&check(&["--format", "json"]));
    let resources = report["plans"][0]["resources"].as_array().expect("resources");
    let resource =
        |address: &str| resources.iter().find(|one| one["address"] == address).expect("the resource");
    let web = resource("aws_instance.web[1]");
    assert_eq!(
        (&web["type"], &web["module"], &web["index"]),
        (&"aws_instance".into(), &Value::Null, &1.into())
    );
    assert_eq!(web["declared"], "network/main.tf:191");
    assert_eq!(resource("aws_subnet.main[\"app\"]")["index"], "app");
    let bucket = resource("module.flow_logs.aws_s3_bucket.this");
    assert_eq!(bucket["module"], "module.flow_logs");
    assert_eq!(bucket["declared"], "network/modules/flow_logs/main.tf:27");
    assert_eq!(resource("aws_db_instance.orders")["actions"], serde_json::json!(["delete", "create"]));
    assert_eq!(resource("aws_security_group.legacy")["not_asked"], serde_json::json!(["no-world"]));
    let output = network(
        "reading/output.hcl",
        "rule \"r\" {\n  output = \"subnet_count\"\n  value { min = 1 }\n}\n",
        &["--format", "json"],
    );
    assert_eq!(json(&output)["plans"][0]["resources"][0]["type"], Value::Null);
}

#[test]
fn the_description_of_a_rule_is_verified_with_it() {
    let plan = plan(&[(
        "a",
        r#"{"actions": ["create"], "before": null, "after": {}, "after_unknown": {"name": true},
        "before_sensitive": false, "after_sensitive": {}}"#,
    )]);
    let obligations = file("reading/obligations.json", "");
    run("open", &plan, DESCRIBED, &["--obligations", &obligations]);
    let written: Value =
        serde_json::from_str(&std::fs::read_to_string(&obligations).expect("a file")).expect("JSON");
    assert_eq!(written["obligations"][0]["description"], "Names are left to the provider");
    let state = file(
        "reading/state.json",
        r#"{"format_version": "1.0", "values": {"root_module": {"resources": [{"address": "x_y.a", "mode": "managed",
            "type": "x_y", "name": "a", "values": {"name": "n"}, "sensitive_values": {}}]}}}"#,
    );
    let verify = |more: &[&str]| -> Run {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"));
        let command = command.args(["verify", &obligations, "--state", &state]).args(more);
        command.output().expect("the command runs").into()
    };
    has(
        &verify(&[]).out,
        "    broken          r                  name is not ours\n                    Names are left to the provider\n",
    );
    let findings = json(&verify(&["--format", "json"]));
    assert_eq!(findings["findings"][0]["description"], "Names are left to the provider");
}

#[test]
fn the_text_ends_with_a_line_for_each_failure() {
    let run = check(&[]);
    let (_, recap) = run.out.split_once("\nFailures:\n").expect("a recap");
    let (recap, _) = recap.split_once("\nChecks: ").expect("totals");
    let lines: Vec<&str> = recap.lines().collect();
    let failed: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.starts_with("    fail ") || line.starts_with("    warning "))
        .collect();
    assert_eq!(lines.len(), failed.len());
    assert_eq!(
        lines[0],
        "  fail          db-storage         aws_db_instance.reports: allocated_storage only increases    \
         # rules.hcl:108, network/main.tf:182"
    );
    let rules = "assume \"x_y\" {\n  name = assumed(stringprefix(\"a-\"))\n}\n";
    let out = self::run("contradicted", &plan(&[("a", &created(r#"{"name": "n"}"#, "{}"))]), rules, &[]).out;
    has(&out, "\nFailures:\n  contradicted  assumption         x_y.a.name: ");
    has(&out, "    # contradicted.hcl:2\n\nChecks: ");
    has_not(
        &network(
            "reading/passes.hcl",
            "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"cidr_block\" { not_null = true }\n}\n",
            &[],
        )
        .out,
        "Failures:",
    );
}

#[test]
fn every_row_names_its_line_of_the_rules_file() {
    let run = check(&[]);
    let words = ["pass", "fail", "warning", "undetermined"];
    let rows =
        run.out.lines().filter(|line| words.iter().any(|word| line.starts_with(&format!("    {word} "))));
    let without: Vec<&str> = rows.filter(|row| !row.contains("    # rules.hcl:")).collect();
    assert_eq!(without, [""; 0]);
}

#[test]
fn the_text_says_what_to_do_about_what_is_open() {
    let steps = "\nUndetermined answers: --obligations FILE keeps them for `plantime verify` after the apply; --strict ends \
                 with status 3 because of them.\n";
    has(&check(&[]).out, steps);
    has(&check(&[]).out, ": an `assume` block in a rules file states what is known of them.\n");
    let written = file("reading/written.json", "");
    has_not(&check(&["--obligations", &written, "--strict"]).out, "Undetermined answers");
}

#[test]
fn a_quiet_run_shows_failures_alone() {
    let run = check(&["--quiet"]);
    assert_eq!(run.status, 1);
    has(&run.out, "  # aws_db_instance.reports will be updated in-place");
    has(&run.out, "\n    fail          db-storage ");
    has(&run.out, "╷ Error: Invalid Attribute Change\n");
    has(&run.out, "\nFailures:\n");
    assert!(run.out.lines().last().is_some_and(|line| line.starts_with("Checks: ")), "{}", run.out);
    for hidden in
        ["    pass ", "    undetermined ", "    skipped ", "  + resource", "aws_vpc.main", "No plan given"]
    {
        has_not(&run.out, hidden);
    }
}

#[test]
fn a_reader_chooses_the_kinds_of_answers() {
    let run = check(&["--only", "undetermined,skipped"]);
    assert_eq!(run.status, 1);
    has(&run.out, "\n    undetermined  ");
    has(&run.out, "\n    skipped       ");
    for hidden in ["\n    pass ", "\n    fail ", "\n    warning ", "╷ Error", "  # aws_security_group.web "]
    {
        has_not(&run.out, hidden);
    }
    // What failed is told all the same.
    has(&run.out, "\nFailures:\n");
    assert_eq!(check(&["--only", "failed"]).status, 2);
    assert_eq!(check(&["--only", "fail", "--quiet"]).status, 2);
    let run = check(&["--only", "fail", "--format", "json"]);
    assert_eq!(run.status, 2);
    has(&run.err, "--quiet and --only choose what a text shows");
}

const TAGGED: &str = "rule \"tagged\" {\n  resource = \"x_y\"\n  attribute \"tags\" { not_null = true }\n}\n";

#[test]
fn equal_boxes_are_drawn_once() {
    let untagged = created(r#"{"tags": null}"#, "{}");
    let names: Vec<String> = (0..40).map(|i| format!("n{i:02}")).collect();
    let changes: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), untagged.as_str())).collect();
    let run = run("equal", &plan(&changes), TAGGED, &[]);
    assert_eq!(run.out.matches("╷ Error: ").count(), 1, "{}", run.out);
    has(
        resource(&run.out, "x_y.n00"),
        "│     │ x_y.n00.tags is null\n│\n│ Attribute tags value must not be null, got: null.\n\
         │ Also: x_y.n01, x_y.n02, x_y.n03, x_y.n04, x_y.n05 and 34 more\n│ Next: ",
    );
    assert_eq!(run.out.matches("\n    fail          tagged ").count(), 40);
    let report = json(&self::run("equal", &plan(&changes), TAGGED, &["--format", "json"]));
    let answers = report["plans"][0]["answers"].as_array().expect("answers");
    assert!(answers.len() == 40 && answers.iter().all(|answer| answer["diagnostics"].is_array()));
}

#[test]
fn boxes_that_say_different_things_are_all_drawn() {
    let rules = "rule \"named\" {\n  resource = \"x_y\"\n  attribute \"name\" { is_null = true }\n}\n";
    // A value that is the address of its resource is no address.
    let (a, b) = (created(r#"{"name": "x_y.a"}"#, "{}"), created(r#"{"name": "x_y.b"}"#, "{}"));
    let out = run("different", &plan(&[("a", &a), ("b", &b)]), rules, &[]).out;
    assert_eq!(out.matches("╷ Error: ").count(), 2, "{out}");
    has_not(&out, "Also: ");
}

#[test]
fn what_is_sensitive_does_not_decide_whether_boxes_are_equal() {
    let rules = "rule \"named\" {\n  resource = \"x_y\"\n  attribute \"name\" { is_null = true }\n}\n";
    let out = |second: &str| {
        let of = |name: &str| created(&format!(r#"{{"name": "{name}"}}"#), r#"{"name": true}"#);
        run("hidden", &plan(&[("a", &of("one")), ("b", &of(second))]), rules, &[]).out
    };
    let (same, other) = (out("one"), out("two"));
    let without_time = |out: &str| out.split("Checks: ").next().map(str::to_owned);
    assert_eq!(without_time(&same), without_time(&other));
    has(&same, "│ Also: x_y.b\n");
}

#[test]
fn boxes_are_compared_in_time_that_grows_with_their_number() {
    let seconds = |count: usize| {
        let named: Vec<(String, String)> = (0..count)
            .map(|i| (format!("n{i}"), created(&format!(r#"{{"tags": null, "name": "{i}"}}"#), "{}")))
            .collect();
        let changes: Vec<(&str, &str)> = named.iter().map(|(name, change)| (&**name, &**change)).collect();
        let plan = plan(&changes);
        let rules = format!(
            "{TAGGED}rule \"named\" {{\n  resource = \"x_y\"\n  attribute \"name\" {{ is_null = true }}\n}}\n"
        );
        let runs = (0..3).map(|_| {
            let start = std::time::Instant::now();
            has(
                &run(&format!("many{count}"), &plan, &rules, &["--quiet"]).out,
                &format!("{} fail", 2 * count),
            );
            start.elapsed().as_secs_f64()
        });
        runs.fold(f64::INFINITY, f64::min)
    };
    let (few, many) = (seconds(500), seconds(4_000));
    assert!(many < few * 20.0, "{few} s and {many} s");
}

#[test]
fn a_destroyed_resource_that_a_rule_is_about_is_drawn_as_it_goes() {
    let gone = r#"{"actions": ["delete"], "before": {"tags": {"a": "b"}, "n": 1}, "after": null, "after_unknown": {},
        "before_sensitive": {}, "after_sensitive": false}"#;
    let out = run("gone", &plan(&[("gone", gone)]), TAGGED, &[]).out;
    has(
        &out,
        "  # x_y.gone will be destroyed\n  - resource \"x_y\" \"gone\" {\n      - tags = { a = \"b\" } -> null\n",
    );
    has(&out, "\n    # not asked, as they are about what is planned: rule tagged\n");
    has(&out, "Checks: 0 pass, 0 fail, 0 undetermined, 0 skipped.");
    let deleted = TAGGED.replace("  attribute", "  actions = [\"delete\"]\n  attribute");
    let out = run("deleted", &plan(&[("gone", gone)]), &deleted, &[]).out;
    has(&out, "\n    pass          tagged             tags is not null (before)    # deleted.hcl:4\n");
    has_not(&out, "not asked");
    // One that no rule is about is not drawn.
    let other = TAGGED.replace("\"x_y\"", "\"x_z\"");
    has_not(&run("other", &plan(&[("gone", gone)]), &other, &[]).out, "will be destroyed");
}

#[test]
fn what_was_null_is_drawn_as_new_and_what_becomes_null_as_gone() {
    let change = r#"{"actions": ["update"], "before": {"replicas": null, "n": 1}, "after": {"replicas": ["a"], "n": null},
        "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}"#;
    let rules = "rule \"r\" {\n  resource = \"x_y\"\n  attribute \"replicas\" { not_null = true }\n  \
                 attribute \"n\" { is_null = true }\n}\n";
    has(
        &run("null", &plan(&[("a", change)]), rules, &[]).out,
        "      - n        = 1 -> null\n      + replicas = [\"a\"]\n",
    );
}

#[test]
fn the_values_that_a_test_compares_with_are_in_the_box() {
    let ports = created(r#"{"rules": [{"from": 9, "to": 5, "on": true}]}"#, "{}");
    let sum = "rule \"s\" {\n  resource = \"x_y\"\n  attribute \"rules[*].to\" { at_least_sum_of = [\"<.from\"] }\n}\n";
    let out = run("sum", &plan(&[("a", &ports)]), sum, &[]).out;
    has(
        &out,
        "fail          s                  rules[0].to is at least the sum of from beside it    # sum.hcl:3\n",
    );
    has(&out, "│     │ x_y.a.rules[0].to is 5\n│     │ x_y.a.rules[0].from is 9\n");
    let not = "rule \"n\" {\n  resource = \"x_y\"\n  not {\n    all {\n      attribute \"rules[0].from\" { min = 8 }\n      \
               attribute \"rules[0].to\" { max = 6 }\n    }\n  }\n}\n";
    let out = run("not", &plan(&[("a", &ports)]), not, &[]).out;
    has(&out, "│     │ x_y.a.rules[0].from is 9\n│     │ x_y.a.rules[0].to is 5\n");
    let inside = "rule \"i\" {\n  resource = \"x_y\"\n  attribute \"rules[*]\" {\n    not {\n      all {\n        \
                  attribute \"from\" { min = 8 }\n        attribute \"to\" { max = 6 }\n      }\n    }\n  }\n}\n";
    let out = run("inside", &plan(&[("a", &ports)]), inside, &[]).out;
    has(&out, "│     │ x_y.a.rules[0].from is 9\n│     │ x_y.a.rules[0].to is 5\n");
}

#[test]
fn the_configuration_tells_where_a_resource_is_declared() {
    let out = check(&[]).out;
    has(&out, "\n  # aws_security_group.web will be created (network/main.tf:");
    let line = |text: &str| {
        text.lines().position(|line| line == "resource \"aws_security_group\" \"web\" {").map(|at| at + 1)
    };
    let main = std::fs::read_to_string(format!("{DATA}/config/step2/main.tf")).expect("the file is there");
    let line = line(&main).expect("the block");
    has(&out, &format!("\n  # aws_security_group.web will be created (network/main.tf:{line})\n"));
    has(&out, "\n  # module.archive.aws_s3_bucket.this stays as it is (network/modules/bucket/main.tf:11)\n");
}
