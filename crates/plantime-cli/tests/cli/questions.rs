//! The questions of NOTE.md, in three readings: the plan, the plan with one assumption, and both with the
//! configuration.

use std::collections::BTreeMap;

use crate::{DATA, check, file, has};

/// The answer of each rule: fail if some answer fails, else undetermined if some is.
fn answers(plan: &str, rules: &str, more: &[&str]) -> BTreeMap<String, String> {
    let run = check(&[&[plan, "--rules", rules, "--format", "json"], more].concat());
    assert_eq!(run.err, "");
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("the report is JSON");
    let mut folded: BTreeMap<String, String> = BTreeMap::new();
    for answer in report["plans"][0]["answers"].as_array().expect("answers") {
        let word = |key: &str| answer[key].as_str().expect("a text").to_owned();
        let kept = folded.entry(word("rule")).or_insert_with(|| "pass".to_owned());
        let outcome = word("outcome");
        let rank = |word: &str| ["pass", "undetermined", "fail"].iter().position(|known| *known == word);
        if rank(&outcome) > rank(kept) {
            *kept = outcome;
        }
    }
    folded
}

#[track_caller]
fn agree(plan: &str, schemas: &str, config: &str, rules: &str, expected: &str, count: usize) {
    let data = |name: &str| format!("{DATA}/{name}");
    let read = |name: &str| std::fs::read_to_string(data(name)).expect("the file is there");
    let (plan, schemas, config) = (data(plan), data(schemas), data(config));
    let assumed = format!("{}\n{}", read("questions/assumption.hcl"), read(rules));
    let assumed = file(&format!("questions/{}", rules.replace('/', "-")), assumed);
    let found = [
        answers(&plan, &data(rules), &["--no-schema-facts", "--schemas", &schemas]),
        answers(&plan, &assumed, &["--no-schema-facts", "--schemas", &schemas]),
        answers(&plan, &assumed, &["--no-schema-facts", "--schemas", &schemas, "--config", &config]),
    ];
    let expected = read(expected);
    let rows = expected.lines().filter(|line| !line.starts_with('#'));
    let mut rules = 0;
    for row in rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        let answer = |at: usize| found[at].get(words[0]).map(String::as_str);
        assert_eq!(
            [answer(0), answer(1), answer(2)],
            [Some(words[1]), Some(words[2]), Some(words[3])],
            "{row}"
        );
        rules += 1;
    }
    assert_eq!(rules, count);
}

#[test]
fn the_plan_network_is_answered_as_its_note_says() {
    agree(
        "plan.json",
        "provider-schemas.json",
        "config/step2",
        "questions/rules.hcl",
        "questions/answers.txt",
        47,
    );
}

#[test]
fn the_plan_first_is_answered_as_its_note_says() {
    agree(
        "first/plan.json",
        "first/provider-schemas.json",
        "first/config",
        "questions/first.hcl",
        "questions/first-answers.txt",
        5,
    );
}

/// A prefix that excludes the asked one does not fail it: null has every prefix and passes.
#[test]
fn an_unknown_that_may_be_null_does_not_fail_a_test_of_text() {
    let rules = "assume \"aws_vpc\" {\n  id = assumed(stringprefix(\"vpc-\"))\n}\n\
                 rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { starts_with = \"subnet-\" }\n}\n";
    let run = crate::network("questions/null.hcl", rules, &[]);
    has(&run.out, "undetermined  r                  id starts with \"subnet-\"");
    has(&run.out, "passes if          id turns out null");
    assert_eq!(run.status, 0);
}

/// `--null` takes the place of the setting at the top of the file; the settings of a rule and of a block have precedence.
#[test]
fn the_option_null_replaces_the_setting_of_the_file_alone() {
    let rule = |name: &str, of_rule: &str, of_block: &str| {
        format!(
            "rule \"{name}\" {{\n  resource = \"aws_subnet\"\n  {of_rule}\n  attribute \"ipv4_ipam_pool_id\" {{\n    \
             starts_with = \"ipam-\"\n    {of_block}\n  }}\n}}\n"
        )
    };
    let settled = rule("of-rule", "null = \"pass\"", "") + &rule("of-block", "", "null = \"pass\"");
    let rules = |top: &str| format!("{top}\n{}{settled}", rule("unsettled", "", ""));
    let row =
        |answer: &str, name: &str| format!("    {answer:<12}  {name:<17}  ipv4_ipam_pool_id starts with");
    for (name, top, option, answer, status) in [
        ("questions/unset.hcl", "", None, "pass", 0),
        ("questions/option.hcl", "", Some("fail"), "fail", 1),
        ("questions/top.hcl", "null = \"fail\"", None, "fail", 1),
        ("questions/both.hcl", "null = \"fail\"", Some("undetermined"), "undetermined", 0),
    ] {
        let options: Vec<&str> = option.iter().flat_map(|option| ["--null", option]).collect();
        let run = crate::network(name, &rules(top), &options);
        has(&run.out, &row(answer, "unsettled"));
        has(&run.out, &row("pass", "of-rule"));
        has(&run.out, &row("pass", "of-block"));
        assert_eq!(run.status, status, "{name}");
    }
}
