//! Answers, their reasons, and what the exit status says.

use crate::{DATA, check, file, has, has_not, json, network, resource};

#[test]
fn the_exit_status_tells_fail_from_undetermined_from_pass() {
    let rule = |test: &str| {
        format!("rule \"r\" {{\n  resource = \"aws_vpc\"\n  attribute \"id\" {{ {test} }}\n}}\n")
    };
    let (open, assumed) = (rule("not_null = true"), "assume \"aws_vpc\" {\n  id = assumed(notnull())\n}\n");
    let pass = format!("{assumed}{open}");
    let fail = format!("{assumed}{}", rule("is_null = true"));
    let warned = fail.replace("resource =", "severity = \"warning\"\n  resource =");
    for (name, rules, status, strict) in [
        ("status/open.hcl", &open, 0, 3),
        ("status/pass.hcl", &pass, 0, 0),
        ("status/fail.hcl", &fail, 1, 1),
        ("status/warned.hcl", &warned, 0, 0),
    ] {
        assert_eq!(network(name, rules, &[]).status, status, "{name}");
        assert_eq!(network(name, rules, &["--strict"]).status, strict, "{name}");
    }
}

#[test]
fn a_failure_shows_the_rule_and_the_value() {
    let rules = "rule \"r\" {\n  resource = \"module.archive.aws_s3_bucket.this\"\n  \
                 attribute \"bucket\" { starts_with = \"shop-\" }\n}\n";
    let run = network("report/fail.hcl", rules, &[]);
    let report = resource(&run.out, "module.archive.aws_s3_bucket.this");
    has(report, "    fail          r                  bucket starts with \"shop-\"    # fail.hcl:3\n");
    has(report, "╷ Error: Invalid Attribute Value\n│\n│   on ");
    has(
        report,
        "report/fail.hcl line 3, in rule \"r\":\n│   3:   attribute \"bucket\" { starts_with = \"shop-\" }\n",
    );
    has(report, "│     │ module.archive.aws_s3_bucket.this.bucket is \"example-archive\"\n");
    has(
        report,
        "│ Attribute bucket value must start with \"shop-\", got: \"example-archive\".\n│ Next: change the configuration of \
         module.archive.aws_s3_bucket.this (--config DIR names the line). Passes if: bucket starts with \"shop-\".\n╵\n",
    );
}

#[test]
fn an_author_can_write_the_message() {
    let rules = "rule \"r\" {\n  resource = \"aws_db_instance.orders\"\n  attribute \"password\" {\n    \
                 min_len = [\"is long\", 99]\n    message = \"{key} {desc}? {value}: {failure}\"\n  }\n}\n";
    let run = network("report/message.hcl", rules, &[]);
    has(&run.out, "fail          r                  password is long    # message.hcl:4\n");
    has(&run.out, "│ password is long? (sensitive value): ");
    has_not(&run.out, "made-up-for-the-example");
}

#[test]
fn a_contradicted_assumption_fails_the_run() {
    let rules = "assume \"aws_vpc\" {\n  cidr_block = assumed(stringprefix(\"192.168.\"))\n}\n";
    let run = network("report/contradiction.hcl", rules, &[]);
    assert_eq!(run.status, 1);
    has(&run.out, "╷ Error: Assumption not upheld\n");
    has(&run.out, "report/contradiction.hcl line 2:\n");
    has(&run.out, "│ aws_vpc.main.cidr_block: ");
    has(&run.out, "1 contradicted");
}

#[test]
fn an_assumption_that_no_resource_matches_is_a_warning() {
    let rules = "assume \"aws_vcp\" {\n  id = assumed(notnull())\n}\n";
    let run = network("report/unmatched.hcl", rules, &[]);
    assert_eq!(run.status, 0);
    has(&run.out, "╷ Warning: ");
    has(&run.out, "│ No resource of the plan matches this assumption; the nearest type is `aws_vpc`.");
    let run = network("report/other.hcl", &rules.replace("aws_vcp", "helm_release"), &[]);
    has(&run.out, "│ No resource of the plan matches this assumption.");
}

#[test]
fn a_guard_has_three_answers() {
    let rules = |guard: &str, test: &str| {
        format!(
            "rule \"r\" {{\n  resource = \"aws_instance.web[0]\"\n  when {{\n    attribute \"{guard}\" {{ not_null = \
             true }}\n  }}\n  attribute \"instance_type\" {{ equals = \"{test}\" }}\n}}\n"
        )
    };
    for (name, guard, test, expected) in [
        (
            "guard/a.hcl",
            "ami",
            "t4g.small",
            "pass          r                  instance_type is \"t4g.small\"",
        ),
        ("guard/b.hcl", "ami", "large", "fail          r                  instance_type is \"large\""),
        (
            "guard/c.hcl",
            "public_ip",
            "t4g.small",
            "pass          r                  instance_type is \"t4g.small\"",
        ),
        ("guard/d.hcl", "public_ip", "large", "undetermined  r                  instance_type is \"large\""),
    ] {
        has(&network(name, &rules(guard, test), &[]).out, expected);
    }
    let never = rules("ami", "large").replace("not_null", "is_null");
    has(&network("guard/e.hcl", &never, &[]).out, "pass          r                  `when` does not hold");
}

#[test]
fn a_replacement_is_a_create_and_a_delete_and_no_update() {
    for (actions, replaced, updated) in [
        ("[\"create\"]", true, false),
        ("[\"delete\"]", true, false),
        ("[\"replace\"]", true, false),
        ("[\"update\"]", false, true),
        ("[\"create\", \"update\"]", true, true),
        ("[\"read\", \"no-op\"]", false, false),
    ] {
        let rules = format!(
            "rule \"r\" {{\n  resource = \"aws_db_instance\"\n  actions = {actions}\n  attribute \"engine\" {{ not_null \
             = true }}\n}}\n"
        );
        let out = network("actions.hcl", &rules, &[]).out;
        assert_eq!(out.contains("# aws_db_instance.orders "), replaced, "{actions}");
        assert_eq!(out.contains("# aws_db_instance.reports "), updated, "{actions}");
    }
}

#[test]
fn a_skip_says_why_and_where() {
    let rules = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { is_null = true }\n}\n\
                 skip \"r\" {\n  address = \"aws_vpc.*\"\n  reason = \"lab\"\n}\n";
    let run = network("skip.hcl", rules, &["--strict"]);
    has(&run.out, "    skipped       r                  skip.hcl:5, lab\n");
    has(&run.out, "Checks: 0 pass, 0 fail, 0 undetermined, 1 skipped.");
    assert_eq!(run.status, 0);
}

#[test]
fn nothing_from_a_file_controls_the_terminal() {
    let rules = "rule \"r\\u001b[31m\" {\n  description = \"d\"\n  resource = \"aws_vpc\"\n  \
                 attribute \"cidr_block\" { equals = \"\\u001b]0;x\\u0007\" }\n}\n";
    let run = network("escape.hcl", rules, &[]);
    has_not(&run.out, "\u{1b}");
    has_not(&run.out, "\u{7}");
    assert_eq!(run.status, 1);
}

#[test]
fn a_rule_without_a_resource_is_told() {
    let rules = "rule \"r\" {\n  resource = \"aws_vcp\"\n  attribute \"id\" { not_null = true }\n}\n";
    let run = network("report/idle.hcl", rules, &[]);
    has(&run.out, "\n  # no matching resources: rule r\n");
    has(&run.out, "│ The plan has no `aws_vcp`; the nearest type is `aws_vpc`.\n");
    assert_eq!(run.status, 0);
    // What no name is like may be of another provider.
    let run = network("report/idle.hcl", &rules.replace("aws_vcp", "helm_release"), &[]);
    has(&run.out, "\n  # no matching resources: rule r\n");
    has_not(&run.out, "the nearest");
}

#[test]
fn a_place_that_two_parts_of_a_rule_ask_about_is_shown_once() {
    let rules = "rule \"r\" {\n  resource = \"aws_vpc\"\n  any {\n    \
                 attribute \"cidr_block\" { starts_with = \"192.\" }\n    \
                 attribute \"cidr_block\" { starts_with = \"172.\" }\n  }\n}\n";
    let run = network("report/any.hcl", rules, &[]);
    let line = "│     │ aws_vpc.main.cidr_block is \"10.20.0.0/16\"\n";
    assert_eq!(run.out.matches(line).count(), 1, "{}", run.out);
}

/// Elements are compared by position; one that was not there before is a change.
#[test]
fn a_change_is_asked_at_every_match() {
    let rules = "rule \"r\" {\n  resource = \"aws_db_instance.reports\"\n  change \"tags[*]\" { immutable = true }\n}\n";
    let run = network("report/change.hcl", rules, &[]);
    has(&run.out, "pass          r                  tags[\"Team\"] stays as it was");
    has(&run.out, "undetermined  r                  tags[\"Vpc\"] stays as it was");
}

#[test]
fn outputs_are_asked_as_a_whole_and_in_part() {
    let rules = "rule \"r\" {\n  output = \"subnet_count\"\n  value { equals = 3 }\n}\n\
                 rule \"s\" {\n  output = \"database_login\"\n  attribute \"user\" { equals = \"orders\" }\n}\n\
                 rule \"t\" {\n  output = \"zone_cuont\"\n  value { min = 2 }\n}\n";
    let run = network("report/output.hcl", rules, &[]);
    let count = resource(&run.out, "output.subnet_count");
    has(count, "  + subnet_count = 2\n");
    has(count, "fail          r                  value is 3    # output.hcl:3\n");
    has(count, "│     │ output.subnet_count is 2\n");
    let login = resource(&run.out, "output.database_login");
    has(login, "  + database_login = (sensitive value)\n");
    has(login, "pass          s                  [\"user\"] is \"orders\"    # output.hcl:7\n");
    has(&run.out, "│ The plan has no output `zone_cuont`; the nearest is `zone_count`.\n");
}

#[test]
fn a_rule_about_several_types_passes_over_those_without_the_attribute() {
    let rules = "rule \"r\" {\n  resource = \"aws_*\"\n  attribute \"cidr_block\" { not_null = true }\n}\n\
                 assume \"aws_*\" {\n  vpc_id = assumed(notnull())\n}\n";
    let run = network("report/several.hcl", rules, &[]);
    assert_eq!(run.err, "");
    has(resource(&run.out, "aws_vpc.main"), "pass          r                  cidr_block is not null");
    has(resource(&run.out, "aws_subnet.spare"), "undetermined  r                  cidr_block is not null");
    has_not(&run.out, "# aws_db_instance.orders ");
}

#[test]
fn a_key_that_is_not_there_is_null_also_without_schemas() {
    let plan = format!("{DATA}/plan.json");
    let rule = |path: &str| {
        format!(
            "rule \"r\" {{\n  resource = \"aws_subnet\"\n  attribute \"{path}\" {{ not_null = true }}\n}}\n"
        )
    };
    for (name, key, word) in [("report/key.hcl", "Owner", "pass"), ("report/no-key.hcl", "Nobody", "fail")] {
        let run = check(&[&plan, "--rules", &file(name, rule(&format!("tags[\\\"{key}\\\"]")))]);
        let report = resource(&run.out, "aws_subnet.main[\"app\"]");
        has(report, &format!("    {word:<14}r                  tags."));
    }
    let run = check(&[&plan, "--rules", &file("report/name.hcl", rule("tags.Nobody"))]);
    // Without a schema nothing says that `tags` is no map, so a name below it may be a key that is missing.
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    has(
        resource(&run.out, "aws_subnet.main[\"app\"]"),
        "    fail          r                  tags.Nobody is not null",
    );
    has(&run.out, "│ No resource of the plan has a value at tags.Nobody: it counts as null.\n");
}

#[test]
fn what_a_not_says_of_a_resource_is_not_the_whole_resource() {
    let rules = "rule \"r\" {\n  resource = \"aws_vpc\"\n  not {\n    \
                 attribute \"cidr_block\" { starts_with = \"10.\" }\n  }\n}\n";
    let run = network("report/not.hcl", rules, &[]);
    has(&run.out, "│     │ aws_vpc.main.cidr_block is \"10.20.0.0/16\"\n");
    has(&run.out, "│ Value must not satisfy: cidr_block starts with \"10.\".\n");
}

#[test]
fn a_contradicted_assumption_shows_the_value() {
    let assume = |kind: &str, name: &str| {
        format!("assume \"{kind}\" {{\n  {name} = assumed(stringprefix(\"192.\"))\n}}\n")
    };
    let run = network("report/contradicted.hcl", &assume("aws_vpc", "cidr_block"), &[]);
    has(&run.out, "│     │ aws_vpc.main.cidr_block is \"10.20.0.0/16\"\n");
    let run = network("report/secret.hcl", &assume("aws_db_instance", "password"), &[]);
    has(&run.out, "│     │ aws_db_instance.orders.password has a sensitive value\n");
    has_not(&run.out, "made-up-for-the-example");
}

#[test]
fn notes_stand_apart_from_the_head() {
    let run = network("report/idle.hcl", "rule \"r\" {\n  output = \"none\"\n  value { min = 1 }\n}\n", &[]);
    has(&run.out, "\n  # no such output: rule r\n\n╷ Warning: ");
}

/// Without schemas a list is read as a tuple, whose type is as long as itself.
#[test]
fn many_places_are_answered_in_time_that_grows_with_their_number() {
    let rules = "rule \"r\" {\n  resource = \"t\"\n  attribute \"l[*]\" { starts_with = \"x\" }\n}\n";
    let rules = file("report/long.hcl", rules);
    // The fastest of three runs: others may have the processor for a while.
    let seconds = |places: usize| {
        let unknown = vec!["true"; places].join(",");
        let plan = format!(
            r#"{{"format_version": "1.2", "resource_changes": [{{"address": "t.a", "mode": "managed", "type": "t", "name": "a",
            "change": {{"actions": ["create"], "before": null, "after": {{"l": []}}, "after_unknown": {{"l": [{unknown}]}},
            "before_sensitive": false, "after_sensitive": {{}}}}}}]}}"#
        );
        let plan = file(&format!("report/long{places}.json"), plan);
        let runs = (0..3).map(|_| {
            let start = std::time::Instant::now();
            let run = check(&[&plan, "--rules", &rules]);
            has(&run.out, &format!("Checks: 0 pass, 0 fail, {places} undetermined, 0 skipped."));
            start.elapsed().as_secs_f64()
        });
        runs.fold(f64::INFINITY, f64::min)
    };
    // Eight times as many in eight times the time; where each place looks at all others it would be 64 times.
    let (few, many) = (seconds(10_000), seconds(80_000));
    assert!(many < few * 20.0, "{few} s and {many} s");
}

/// The type of such an attribute is that of each value, so what one resource has another may lack.
#[test]
fn an_attribute_that_some_resources_have_is_null_in_the_others() {
    let resource = |name: &str, input: &str| {
        format!(
            r#"{{"address": "t.{name}", "mode": "managed", "type": "t", "name": "{name}", "change": {{"actions": ["create"],
            "before": null, "after": {{"input": {input}}}, "after_unknown": {{}}, "before_sensitive": false, "after_sensitive": {{}}}}}}"#
        )
    };
    let resources = [resource("a", r#"{"x": 1}"#), resource("b", r#"{"y": 2}"#)].join(",");
    let plan = format!(r#"{{"format_version": "1.2", "resource_changes": [{resources}]}}"#);
    let plan = file("report/input.json", plan);
    let rules = |name: &str| {
        let rules = format!(
            "rule \"r\" {{\n  resource = \"t\"\n  attribute \"input.{name}\" {{ not_null = true }}\n}}\n"
        );
        file(&format!("report/input-{name}.hcl"), rules)
    };
    let run = check(&[&plan, "--rules", &rules("x")]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    has(&run.out, "Checks: 1 pass, 1 fail, 0 undetermined, 0 skipped.");
    // What no resource has is null in all of them, and said to be nowhere.
    let run = check(&[&plan, "--rules", &rules("z")]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    has(&run.out, "Checks: 0 pass, 2 fail, 0 undetermined, 0 skipped.");
    has(&run.out, "│ No resource of the plan has a value at input.z: it counts as null.\n");
}

#[test]
fn a_failure_can_be_drawn_as_compilers_do() {
    let rules = "rule \"r\" {\n  resource = \"module.archive.aws_s3_bucket.this\"\n  \
                 attribute \"bucket\" { starts_with = \"shop-\" }\n}\n";
    let run = network("report/snippet.hcl", rules, &["--diagnostics", "snippets"]);
    has(
        &run.out,
        "report/snippet.hcl:3:24\n  │\n\
         3 │   attribute \"bucket\" { starts_with = \"shop-\" }\n  \
         │                        ━━━━━━━━━━━ in rule \"r\"\n  │\n  \
         ├ note: module.archive.aws_s3_bucket.this.bucket is \"example-archive\"\n  \
         ├ Attribute bucket value must start with \"shop-\", got: \"example-archive\".\n  \
         ╰ Next: change the configuration of module.archive.aws_s3_bucket.this (--config DIR names the line). Passes if: bucket starts with \"shop-\".\n",
    );
    has(&run.out, "\nerror: Invalid Attribute Value\n");
    has_not(&run.out, "╷ Error");
    // Wide characters, tabs and what would control a terminal stand before the place.
    let wide = rules.replace("  attribute", "\t/* \u{65e5}\u{672c}\u{1b}[2J\u{202e} */ attribute");
    let run = network("report/wide.hcl", &wide, &["--diagnostics", "snippets"]);
    has(&run.out, "in rule \"r\"");
    assert!(!run.out.contains(['\u{1b}', '\u{202e}']), "{}", run.out);
    assert_eq!(network("report/look.hcl", rules, &["--diagnostics", "circles"]).status, 2);
}

#[test]
fn the_child_at_fault_is_named_and_shown() {
    let rules = "rule \"r\" {\n  resource = \"aws_security_group.web\"\n  \
                 attribute \"ingress[*]\" { no_nulls = true }\n}\n";
    let run = network("report/child.hcl", rules, &[]);
    has(&run.out, "│     │ aws_security_group.web.ingress[0] is an object with ");
    has(&run.out, "│     │ aws_security_group.web.ingress[0].security_groups is null\n");
    has(&run.out, "│ Attribute ingress[0].security_groups value must not be null, got: null.\n");
    let run = network("report/child.hcl", rules, &["--format", "json"]);
    let told = &json::parsed(&run.out)["plans"][0]["answers"][0]["diagnostics"][0];
    assert_eq!((&told["path"], &told["severity"]), (&"ingress[0].security_groups".into(), &"error".into()));
}

#[test]
fn a_write_only_alternative_is_a_warning_at_the_attribute_to_replace() {
    let plan = file(
        "report/write-only.json",
        r#"{"format_version": "1.2", "terraform_version": "1.11.0", "resource_changes": [{"address": "db.a", "mode": "managed",
            "type": "db", "name": "a", "provider_name": "p", "change": {"actions": ["create"], "before": null,
                "after": {"password": "hunter2", "password_wo": null}, "after_unknown": {},
                "before_sensitive": false, "after_sensitive": {"password": true}}}]}"#,
    );
    let text = "rule \"write-only\" {\n  resource = \"db\"\n  \
                prefer_write_only = [\"password\", \"password_wo\"]\n}\n";
    let rules = file("report/write-only.hcl", text);
    let run = check(&[&plan, "--rules", &rules, "--strict"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let (_, report) = run.out.split_once("\n\n").expect("a head");
    let (report, totals) = report.split_once("Checks: ").expect("totals");
    assert_eq!(
        report.replace(&rules, "rules.hcl"),
        "  # db.a will be created\n  \
         + resource \"db\" \"a\" {\n      \
         + password    = (sensitive value)\n      \
         + password_wo = null\n    }\n\n    \
         warning       write-only         password is null, as password_wo is write-only    # write-only.hcl:3\n\n\
         ╷ Warning: Available Write-only Attribute Alternative\n\
         │\n\
         │   on rules.hcl line 3, in rule \"write-only\":\n\
         │   3:   prefer_write_only = [\"password\", \"password_wo\"]\n\
         │     ├────────────────\n\
         │     │ db.a.password has a sensitive value\n\
         │     │ db.a.password_wo is null\n\
         │\n\
         │ The attribute password has a write-only alternative password_wo available. Use the write-only alternative \
         of the attribute when possible.\n\
         │ Next: change the configuration of db.a (--config DIR names the line). Passes if: password is null, as password_wo is \
         write-only.\n\
         ╵\n\n\
         Failures:\n  \
         warning       write-only         db.a: password is null, as password_wo is write-only    # write-only.hcl:3\n\n"
    );
    has(totals, "0 pass, 0 fail, 1 warned, 0 undetermined");
    let out = check(&[&plan, "--rules", &rules, "--format", "json"]).out;
    let told = &json::parsed(&out)["plans"][0]["answers"][0]["diagnostics"][0];
    assert_eq!((&told["path"], &told["severity"]), (&"password".into(), &"warning".into()));
    has_not(&out, "hunter2");
}

#[test]
fn of_a_sequence_the_first_failure_is_told() {
    let rules = |block: &str| {
        format!(
            "rule \"r\" {{\n  resource = \"module.archive.aws_s3_bucket.this\"\n  {block} {{\n    \
             attribute \"bucket\" {{ starts_with = \"shop-\" }}\n    attribute \"tags\" {{ not_null = true }}\n  }}\n}}\n"
        )
    };
    let all = network("report/all.hcl", &rules("all"), &[]).out;
    has(
        &all,
        "│ Attribute bucket value must start with \"shop-\", got: \"example-archive\".\n│ Attribute tags value must not",
    );
    let sequence = network("report/sequence.hcl", &rules("sequence"), &[]).out;
    has(&sequence, "│ Attribute bucket value must start with \"shop-\", got: \"example-archive\".\n│ Next: ");
}

#[test]
fn a_value_that_loses_or_gains_the_sensitive_mark_is_shown_nowhere() {
    let change = |name: &str, before: &str, after: &str| {
        format!(
            r#"{{"address": "x_y.{name}", "mode": "managed", "type": "x_y", "name": "{name}", "change": {{
                "actions": ["update"], "before": {{"input": "hunter2", "other": 1}},
                "after": {{"input": "hunter2", "other": 1}}, "after_unknown": {{}},
                "before_sensitive": {before}, "after_sensitive": {after}}}}}"#
        )
    };
    let (marked, bare) = ("{\"input\": true}", "{}");
    let plan = format!(
        r#"{{"format_version": "1.2", "resource_changes": [{}, {}], "output_changes": {{"o": {{"actions": ["update"],
            "before": "hunter2", "after": "hunter2", "after_unknown": false, "before_sensitive": true,
            "after_sensitive": false}}}}}}"#,
        change("loses", marked, bare),
        change("gains", bare, marked),
    );
    let plan = file("report/transition.json", plan);
    let rules = "rule \"long\" {\n  resource = \"x_y\"\n  attribute \"input\" { min_len = 100 }\n}\n\
                 rule \"change\" {\n  resource = \"x_y\"\n  change \"input\" {\n    not {\n      immutable = true\n    }\n  }\n}\n\
                 rule \"other\" {\n  resource = \"x_y\"\n  attribute \"other\" { min = 2 }\n}\n\
                 rule \"output\" {\n  output = \"o\"\n  value { min_len = 100 }\n}\n";
    let rules = file("report/transition.hcl", rules);
    for more in [&[][..], &["--format", "json"], &["--diagnostics", "snippets"]] {
        let run = check(&[&[&*plan, "--rules", &rules], more].concat());
        assert_eq!((run.status, run.err.as_str()), (1, ""));
        has_not(&run.out, "hunter2");
    }
    let out = check(&[&plan, "--rules", &rules]).out;
    has(
        resource(&out, "x_y.loses"),
        "      # Warning: this attribute value will no longer be marked as sensitive\n      # after applying this \
         change.\n      ~ input = (sensitive value)\n        other = 1\n",
    );
    has(
        resource(&out, "x_y.gains"),
        "      # Warning: this attribute value will be marked as sensitive and will not\n      # display in UI output \
         after applying this change.\n      ~ input = (sensitive value)\n        other = 1\n",
    );
    has(&out, "│ Attribute other value must be at least 2, got: 1.\n");
}
