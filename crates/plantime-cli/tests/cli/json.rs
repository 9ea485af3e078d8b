//! `--format json`.

use serde_json::{Value, json};

use crate::{DATA, check, network};

pub(crate) fn parsed(out: &str) -> Value {
    serde_json::from_str(out).expect("the report is JSON")
}

fn answer<'r>(report: &'r Value, rule: &str, address: &str) -> &'r Value {
    let answers = report["plans"][0]["answers"].as_array().expect("answers");
    let mut found = answers.iter().filter(|answer| answer["rule"] == rule && answer["address"] == address);
    found.next().unwrap_or_else(|| panic!("no {rule} of {address}"))
}

#[test]
fn the_example_as_json_has_everything_that_the_text_has() {
    let run = check(&["--format", "json"]);
    assert_eq!(run.status, 1);
    let report = parsed(&run.out);
    assert_eq!(report["format_version"], "1.0");
    assert_eq!(report["errors"], json!([]));
    let plan = &report["plans"][0];
    assert_eq!(plan["plan"], "network/plan.json");
    assert_eq!(plan["terraform_version"], "1.15.5");
    assert_eq!(plan["rules"], "network/rules.hcl");
    assert_eq!(plan["summary"], report["summary"]);
    assert_eq!(plan["unknown"]["attributes"], 113);
    let failed = answer(&report, "db-storage", "aws_db_instance.reports");
    assert_eq!(failed["outcome"], "fail");
    assert_eq!(failed["severity"], "error");
    assert_eq!(failed["path"], "allocated_storage");
    assert_eq!(failed["diagnostics"][0]["path"], "allocated_storage");
    assert!(failed["position"]["line"].is_u64() && failed["position"]["column"].is_u64());
    let open = answer(&report, "db-identifier", "aws_db_instance.orders");
    assert_eq!(open["outcome"], "undetermined");
    assert_eq!(open["why"]["inputs"], json!(["identifier"]));
    assert_eq!(open["why"]["depends_on"], json!(["random_id.database.hex"]));
    assert!(open["why"]["obligation"].is_string());
    assert_eq!(answer(&report, "db-encrypted", "aws_db_instance.reports")["outcome"], "skipped");
    assert!(!run.out.contains("made-up-for-the-example"));
}

#[test]
fn members_of_a_set_have_a_place_that_a_person_can_find() {
    let rules = "rule \"r\" {\n  resource = \"aws_security_group.web\"\n  \
                 attribute \"ingress[*].cidr_blocks[*]\" { none_of = [\"0.0.0.0/0\"] }\n}\n";
    let report = parsed(&network("json/set.hcl", rules, &["--format", "json"]).out);
    let failed = answer(&report, "r", "aws_security_group.web");
    assert_eq!(failed["path"], "ingress[0].cidr_blocks[0]");
}

#[test]
fn unusable_plans_are_in_the_report() {
    let plan = format!("{DATA}/plan.json");
    let rules = format!("{DATA}/questions/rules.hcl");
    let run = check(&["no-such-plan.json", &plan, "--rules", &rules, "--format", "json"]);
    assert_eq!(run.status, 2);
    let report = parsed(&run.out);
    assert_eq!(report["plans"].as_array().map(Vec::len), Some(1));
    let error =
        json!({"input": "no-such-plan.json", "position": null, "message": "no such file or directory"});
    assert_eq!(report["errors"][0], error);
    let run = network("json/wrong.hcl", "rule \"r\" {\n  resource = 1\n}\n", &["--format", "json"]);
    let error = &parsed(&run.out)["errors"][0];
    assert_eq!(run.status, 2);
    assert_eq!(error["input"], error["position"]["file"]);
    assert_eq!(error["position"]["line"], 2);
}
