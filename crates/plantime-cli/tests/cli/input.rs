//! Which inputs are read, and in which order they are reported.

use crate::{DATA, check, check_standard_input, file, has, has_not};

const RULES: &str =
    "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"cidr_block\" { not_null = true }\n}\n";

fn plans(folder: &str) -> [String; 3] {
    let plan = std::fs::read(format!("{DATA}/first/plan.json")).expect("the plan is there");
    ["a.json", "b.json", "c.json"].map(|name| file(&format!("{folder}/{name}"), &plan))
}

#[test]
fn standard_input_is_a_plan() {
    let rules = file("input/stdin.hcl", RULES);
    let plan = std::fs::read(format!("{DATA}/first/plan.json")).expect("the plan is there");
    let run = check_standard_input(&["-", "--rules", &rules], &plan);
    assert_eq!(run.status, 0, "{}", run.err);
    has(&run.out, "standard input · Terraform 1.15.5 · 2 to add · ");
    has(&run.out, "Checks: 1 pass, 0 fail, 0 undetermined, 0 skipped. 2 resources in 1 plan, ");
}

#[test]
fn several_plans_are_reported_in_the_order_of_the_arguments() {
    let [a, b, c] = plans("input/several");
    let rules = file("input/several.hcl", RULES);
    let run = check(&[&c, &a, &b, "--rules", &rules]);
    assert_eq!(run.status, 0, "{}", run.err);
    let places: Vec<usize> =
        [&c, &a, &b].iter().map(|name| run.out.find(&format!("{name} · ")).expect("a report")).collect();
    assert!(places.is_sorted(), "{places:?}");
    has(&run.out, "Checks: 3 pass, 0 fail, 0 undetermined, 0 skipped. 6 resources in 3 plans, ");
}

#[test]
fn a_pattern_names_files() {
    let [a, ..] = plans("input/pattern");
    let rules = file("input/pattern.hcl", RULES);
    let folder = a.trim_end_matches("a.json");
    let run = check(&[&format!("{folder}*.json"), "--rules", &rules]);
    has(&run.out, " in 3 plans, ");
    let run = check(&[&format!("{folder}*.nothing"), "--rules", &rules]);
    has(&run.err, "*.nothing: no file has a name of this pattern");
    assert_eq!(run.status, 2);
}

#[test]
fn one_unusable_plan_does_not_stop_the_others() {
    let [a, b, _] = plans("input/unusable");
    let rules = file("input/unusable.hcl", RULES);
    let broken = file("input/broken.json", "{");
    let run = check(&[&a, &broken, &b, "--rules", &rules]);
    assert_eq!(run.status, 2);
    has(&run.out, " in 2 plans, ");
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    has(&run.err, "input/broken.json: ");
}

#[test]
fn schemas_can_come_in_several_files() {
    let rules = file(
        "input/schemas.hcl",
        "assume \"aws_vpc\" {\n  id = assumed(notnull())\n}\n\
         rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { not_null = true }\n}\n",
    );
    let plan = format!("{DATA}/first/plan.json");
    let empty = file("input/empty.json", r#"{"format_version": "1.0", "provider_schemas": {}}"#);
    let schemas = format!("{DATA}/first/provider-schemas.json");
    let run = check(&[&plan, "--rules", &rules, "--schemas", &empty, "--schemas", &schemas]);
    assert_eq!(run.status, 0, "{}", run.err);
    has(&run.out, "Checks: 1 pass");
}

/// Old formats do not say what is sensitive; without a schema nothing is shown.
#[test]
fn values_of_unknown_sensitivity_are_shown_on_demand() {
    let plan = r#"{"format_version": "0.1", "resource_changes": [{"address": "t.a", "mode": "managed", "type": "t",
        "name": "a", "provider_name": "p", "change": {"actions": ["create"], "before": null,
        "after": {"secret": "hush"}, "after_unknown": {}}}]}"#;
    let plan = file("input/old.json", plan);
    let rules = "rule \"r\" {\n  resource = \"t\"\n  attribute \"secret\" { equals = \"x\" }\n}\n";
    let rules = file("input/old.hcl", rules);
    let run = check(&[&plan, "--rules", &rules]);
    has(&run.out, "secret = (value marked maybe sensitive)");
    has(&run.out, "# the plan does not say what is sensitive: the values of 1 resource are not shown");
    has_not(&run.out, "hush");
    assert_eq!(run.status, 1);
    let run = check(&[&plan, "--rules", &rules, "--show-values"]);
    has(&run.out, "secret = \"hush\"");
    has_not(&run.out, "sensitive");
    let schema = r#"{"provider_schemas": {"p": {"resource_schemas": {"t": {"version": 0, "block": {"attributes":
        {"secret": {"type": "string", "optional": true, "sensitive": SENSITIVE}}}}}}}}"#;
    for (sensitive, shown) in [("true", "(sensitive value)"), ("false", "\"hush\"")] {
        let schemas = file(&format!("input/old-{sensitive}.json"), schema.replace("SENSITIVE", sensitive));
        let run = check(&[&plan, "--rules", &rules, "--schemas", &schemas]);
        has(&run.out, &format!("secret = {shown}"));
    }
}

/// `plantime check | head -1` ends without a panic.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = crate::command(&[])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let run = crate::Run::from(child.wait_with_output().expect("the command ends"));
    assert_eq!(run.err, "");
    assert_eq!(run.status, 1);
}

#[test]
fn there_are_no_colours_in_a_file() {
    has_not(&check(&[]).out, "\u{1b}");
}
