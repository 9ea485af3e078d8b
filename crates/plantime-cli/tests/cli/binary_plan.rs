//! A plan as `terraform plan -out=FILE` wrote it: checked without `terraform show -json`, and more of it is known.

use super::{DATA, TFPLAN, check};

/// The numbers of answers in the last line of a report: `25 tests: 14 pass, 1 fail, 10 undetermined`.
fn undetermined(report: &str) -> usize {
    let line = report.lines().rfind(|line| line.contains("undetermined")).expect("a line of totals");
    let words: Vec<&str> = line.split_whitespace().collect();
    let place = words.iter().position(|word| word.starts_with("undetermined")).expect("the word");
    words[place - 1].parse().expect("a number")
}

#[test]
fn a_binary_plan_is_checked_as_it_is() {
    let binary = TFPLAN.to_owned();
    let (json, schemas) = (format!("{DATA}/plan.json"), format!("{DATA}/provider-schemas.json"));
    let rules = format!("{DATA}/rules.hcl");
    let from_json = check(&[&json, "--rules", &rules, "--schemas", &schemas]);
    let from_binary = check(&[&binary, "--rules", &rules, "--schemas", &schemas]);
    assert_eq!(from_binary.status, from_json.status, "{}", from_binary.err);
    assert!(undetermined(&from_binary.out) < undetermined(&from_json.out), "{}", from_binary.out);
    // Without schemas too.
    let without = check(&[&binary, "--rules", &rules]);
    assert_eq!(without.status, from_json.status, "{}", without.err);
}
