//! The command, run as a person runs it.
#![cfg(feature = "cli")]
#![expect(clippy::expect_used, reason = "a test helper that fails is a test that fails")]

use std::process::{Command, Output};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/network");

fn plantime(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_plantime")).args(arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is UTF-8")
}

/// Writes a rules file of its own for one test.
fn rules(name: &str, source: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, source).expect("the folder for tests can be written");
    path.display().to_string()
}

/// The checks that are printed for one resource, `word rule text` with single spaces.
fn checks(output: &str, address: &str) -> Vec<String> {
    let start = format!("  # {address} ");
    let block = output.lines().skip_while(|line| !line.starts_with(&start)).skip(1);
    let rows = block.take_while(|line| !line.is_empty());
    rows.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[track_caller]
fn assert_check(output: &str, address: &str, expected: &str) {
    let found = checks(output, address);
    assert!(found.iter().any(|row| row == expected), "{address}: no `{expected}` in {found:#?}");
}

#[test]
fn the_bundled_example_shows_every_kind_of_answer() {
    let run = plantime(&["check"]);
    let output = text(&run.stdout);
    assert_check(&output, "aws_vpc.main", "pass vpc-id id is not null");
    assert_check(&output, "aws_vpc.main", "pass vpc-id id starts with \"vpc-\"");
    assert_check(&output, "aws_vpc.main", "undetermined vpc-id arn starts with \"arn:aws:ec2:\"");
    assert_check(
        &output,
        "module.archive.aws_s3_bucket.this",
        "fail bucket-name bucket starts with \"shop-\"",
    );
    assert_check(&output, "aws_subnet.mixed", "warning tagged tags is not null");
    assert_check(&output, "aws_subnet.main[\"app\"]", "pass tagged tags is not null");
    assert_check(
        &output,
        "aws_db_instance.reports",
        "skipped db-encrypted moves to an encrypted server next month",
    );
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn a_resource_that_goes_away_is_not_checked() {
    assert_eq!(checks(&text(&plantime(&["check"]).stdout), "aws_security_group.legacy"), [""; 0]);
}

#[test]
fn files_given_by_name_answer_as_the_bundle_does() {
    let run = plantime(&[
        "check",
        &format!("{DATA}/plan.json"),
        "--rules",
        &format!("{DATA}/rules.hcl"),
        "--schemas",
        &format!("{DATA}/provider-schemas.json"),
    ]);
    let bundle = text(&plantime(&["check"]).stdout);
    let given = text(&run.stdout);
    let blocks = |output: &str| output.split_once("\n\n  #").expect("a resource").1.to_owned();
    assert_eq!(blocks(&bundle), blocks(&given));
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn a_sensitive_value_is_answered_and_never_shown() {
    let file = rules(
        "sensitive.hcl",
        r#"rule "r" {
             resource = "aws_db_instance"
             attribute "password" {
               not_null    = true
               starts_with = "secret-"
             }
           }"#,
    );
    let run = plantime(&["check", &format!("{DATA}/plan.json"), "--rules", &file]);
    let output = text(&run.stdout);
    assert_check(&output, "aws_db_instance.orders", "pass r password is not null");
    assert_check(&output, "aws_db_instance.orders", "fail r password starts with \"secret-\"");
    assert_check(&output, "aws_db_instance.orders", "password = (sensitive value)");
    assert!(!output.contains("made-up-for-the-example"));
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn undetermined_is_status_0_and_with_strict_3() {
    let file = rules(
        "undetermined.hcl",
        "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { not_null = true }\n}\n",
    );
    let plan = format!("{DATA}/first/plan.json");
    assert_eq!(plantime(&["check", &plan, "--rules", &file]).status.code(), Some(0));
    assert_eq!(plantime(&["check", &plan, "--rules", &file, "--strict"]).status.code(), Some(3));
}

/// What `NOTE.md` says of `first`: reading (a) without, reading (b) with the assumption.
#[test]
fn an_assumption_turns_undetermined_into_pass_and_fail() {
    let rule = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { starts_with = \"vpc-\" }\n  \
                attribute \"id\" { starts_with = \"subnet-\" }\n}\n";
    let assume = "assume \"aws_vpc\" {\n  id = assumed(notnull(stringprefix(\"vpc-\")))\n}\n";
    let plan = format!("{DATA}/first/plan.json");
    for (name, source, vpc, subnet) in [
        ("first-a.hcl", rule.to_owned(), "undetermined", "undetermined"),
        ("first-b.hcl", format!("{assume}{rule}"), "pass", "fail"),
    ] {
        let output = text(&plantime(&["check", &plan, "--rules", &rules(name, &source)]).stdout);
        assert_check(&output, "aws_vpc.main", &format!("{vpc} r id starts with \"vpc-\""));
        assert_check(&output, "aws_vpc.main", &format!("{subnet} r id starts with \"subnet-\""));
    }
}

#[test]
fn an_assumption_that_the_plan_contradicts_fails_the_run() {
    let file = rules(
        "contradiction.hcl",
        "assume \"aws_vpc\" {\n  cidr_block = assumed(stringprefix(\"192.168.\"))\n}\n",
    );
    let run = plantime(&["check", &format!("{DATA}/plan.json"), "--rules", &file]);
    assert!(text(&run.stdout).contains("contradicts"));
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn unusable_input_is_status_2_with_one_error_that_names_the_file() {
    let plan = format!("{DATA}/plan.json");
    let schemas = format!("{DATA}/provider-schemas.json");
    let good = format!("{DATA}/rules.hcl");
    let misspelt = rules(
        "misspelt.hcl",
        "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { start_with = \"vpc-\" }\n}\n",
    );
    let no_such_attribute = rules(
        "attribute.hcl",
        "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"ids\" { not_null = true }\n}\n",
    );
    for (arguments, expected) in [
        (vec!["no-such-plan.json", "--rules", &good], "no-such-plan.json: "),
        (vec![&schemas, "--rules", &good], "not a plan"),
        (vec![&good, "--rules", &good], "rules.hcl: expected value at line 1"),
        (vec![&plan, "--rules", &plan], "plan.json:1:"),
        (vec![&plan, "--rules", &misspelt], "misspelt.hcl:3: unknown rule or argument: `start_with`"),
        (vec![&plan, "--rules", &no_such_attribute, "--schemas", &schemas], "aws_vpc has no attribute `ids`"),
        (vec![&plan], "--rules"),
    ] {
        let run = plantime(&[&["check"], arguments.as_slice()].concat());
        let error = text(&run.stderr);
        assert!(error.starts_with("error: ") && error.contains(expected), "{arguments:?}: {error}");
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(run.stdout.is_empty(), "{arguments:?}");
    }
}
