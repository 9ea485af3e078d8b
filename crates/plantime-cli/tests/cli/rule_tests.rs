//! `plantime test`.

use serde_json::Value as Json;

use crate::{DATA, Run, TFPLAN, file, has, has_not, run};

const RULES: &str = "variable \"most\" {\n  type    = number\n  default = 2\n}\n\
                     rule \"private\" {\n  resource = \"aws_s3_bucket\"\n  attribute \"acl\" { equals = \"private\" }\n}\n\
                     rule \"few\" {\n  assert {\n    condition     = length(resources(\"aws_s3_bucket\")) <= var.most\n    \
                     error_message = \"Too many.\"\n  }\n}\n";

const PASSING: &str = "test \"buckets\" {\n  resource \"aws_s3_bucket\" \"a\" { acl = \"private\" }\n  resource \"aws_s3_bucket\" \"b\" { acl = \"public-read\" }\n  \
                       resource \"aws_s3_bucket\" \"c\" { acl = unknown() }\n  expect \"private\" {\n    pass         = \"aws_s3_bucket.a\"\n    \
                       fail         = \"aws_s3_bucket.b\"\n    undetermined = \"aws_s3_bucket.c\"\n  }\n  expect \"few\" { answer = \"fail\" }\n}\n";

/// A folder with the rules and one test file; its path.
fn folder(name: &str, tests: &str) -> String {
    let rules = file(&format!("rule_tests/{name}/a.hcl"), RULES);
    file(&format!("rule_tests/{name}/a.test.hcl"), tests);
    rules.trim_end_matches("/a.hcl").to_owned()
}

fn test(name: &str, tests: &str, more: &[&str]) -> Run {
    run(&[&["test", &folder(name, tests)], more].concat())
}

/// The output, with the folder left out of names.
fn told(run: &Run, name: &str) -> String {
    let folder = folder(name, "");
    run.out.replace(&format!("{folder}/"), "")
}

#[test]
fn tests_that_pass_are_told_as_terraform_does() {
    let run = test("passing", PASSING, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(
        told(&run, "passing"),
        "a.test.hcl... pass\n  run \"buckets\"... pass\n\nSuccess! 1 passed, 0 failed.\n\n\
         No test has seen these answers:\n  pass, undetermined           of rule \"few\" (a.hcl:9)\n"
    );
}

#[test]
fn a_failure_has_its_place_both_answers_and_the_reason() {
    let text = "test \"t\" {\n  resource \"aws_s3_bucket\" \"a\" { acl = \"public-read\" }\n  resource \"aws_s3_bucket\" \"b\" { acl = unknown() }\n  \
                expect \"private\" { pass = [\"aws_s3_bucket.a\", \"aws_s3_bucket.x\"] }\n}\n";
    let run = test("failing", text, &[]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let out = told(&run, "failing");
    let out = out.split("\nNo test").next().unwrap_or_default();
    assert_eq!(
        out,
        "a.test.hcl... fail\n  run \"t\"... fail\n\n\
         \x20   a.test.hcl:4:10: rule \"private\", aws_s3_bucket.b: not named, given undetermined\n\
         \x20     Undetermined: acl is \"private\". Depends on aws_s3_bucket.b.acl. Passes if acl turns out to be \"private\". (a.hcl:7)\n\n\
         \x20   a.test.hcl:4:30: rule \"private\", aws_s3_bucket.a: expected pass, given fail\n\
         \x20     Invalid Attribute Value (a.hcl:7)\n\
         \x20     Attribute acl value must be \"private\", got: \"public-read\".\n\
         \x20     aws_s3_bucket.a.acl is \"public-read\"\n\n\
         \x20   a.test.hcl:4:49: rule \"private\", aws_s3_bucket.x: expected pass, given none\n\
         \x20     The nearest address with an answer is aws_s3_bucket.a.\n\n\
         Failure! 0 passed, 1 failed.\n"
    );
}

#[test]
fn no_format_shows_a_sensitive_value() {
    let text = "test \"t\" {\n  resource \"aws_s3_bucket\" \"a\" { acl = sensitive(\"canary-acl\") }\n  expect \"private\" { pass = \"aws_s3_bucket.a\" }\n}\n";
    for format in ["text", "json", "junit"] {
        let run = test("sensitive", text, &["--format", format]);
        assert_eq!(run.status, 1, "{format}");
        has_not(&(run.out.clone() + &run.err), "canary-acl");
        has(&run.out, "sensitive");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_an_error_with_its_place() {
    let run = test("wrong", "test \"t\" {\n  resorce \"a_b\" \"c\" {}\n}\n", &[]);
    assert_eq!(run.status, 2);
    has(&run.err, "rule_tests/wrong/a.test.hcl:2:3: unknown block `resorce`; the nearest is `resource`");
    has(&run.out, "Failure! 0 passed, 0 failed.");
    let run = test("names", "test \"t\" {\n  resource \"a_b\" \"c\" {}\n  expect \"privat\" {}\n}\n", &[]);
    assert_eq!(run.status, 2);
    has(&run.out, "run \"t\"... error");
    has(&run.out, "there is no rule `privat`; the nearest is `private`");
    // What is wrong with rules is told as a check tells it.
    folder("rules", PASSING);
    let rules = file(
        "rule_tests/rules/b.hcl",
        "rule \"r\" {\n  resource = \"a_b\"\n  attribute \"x\" { equal = 1 }\n}\n",
    );
    let run = super::run(&["test", rules.trim_end_matches("/b.hcl")]);
    assert_eq!(run.status, 2);
    has(&run.err, "rule_tests/rules/b.hcl:3:19: unknown rule `equal`; the nearest is `equals`");
    for (text, expected) in [("rules = \"none.hcl\"\n", "none.hcl: no such file"), ("", "there is no test")] {
        let run = test("missing", &format!("{text}{}", if text.is_empty() { "" } else { PASSING }), &[]);
        assert_eq!(run.status, 2);
        has(&run.err, expected);
    }
    let run = test("no-plan", "test \"t\" {\n  plan = \"none.json\"\n  expect \"few\" {}\n}\n", &[]);
    assert_eq!(run.status, 2);
    has(&run.out, "none.json: no such file");
    let empty = file("rule_tests/empty/readme.md", "");
    let run = super::run(&["test", empty.trim_end_matches("/readme.md")]);
    assert_eq!(run.status, 2);
    has(&run.err, "rule_tests/empty: no *.test.hcl files");
}

#[test]
fn json_and_junit_say_the_same() {
    let text = "test \"t\" {\n  resource \"aws_s3_bucket\" \"a\" { acl = \"<&>\" }\n  expect \"private\" { pass = \"aws_s3_bucket.a\" }\n  expect \"few\" { answer = \"pass\" }\n}\n";
    let json: Json = serde_json::from_str(&test("formats", text, &["--format", "json"]).out).expect("JSON");
    let difference = &json["files"][0]["tests"][0]["differences"][0];
    assert_eq!((difference["expected"].as_str(), difference["given"].as_str()), (Some("pass"), Some("fail")));
    assert_eq!((difference["line"].as_u64(), difference["rule"].as_str()), (Some(3), Some("private")));
    assert_eq!(json["summary"]["failed"], 1);
    assert_eq!(json["coverage"][1]["seen"][0], "pass");
    let junit = test("formats", text, &["--format", "junit"]);
    assert_eq!(junit.status, 1);
    has(&junit.out, "tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\">");
    has(
        &junit.out,
        "<failure message=\"rule &quot;private&quot;, aws_s3_bucket.a: expected pass, given fail\" type=\"failure\">",
    );
    has(&junit.out, "&lt;&amp;&gt;");
    let output = format!("{}/report.xml", folder("formats", text));
    let written = super::run(&["test", &folder("formats", text), "--format", "junit", "--output", &output]);
    assert_eq!((written.status, written.out.as_str()), (1, ""));
    assert_eq!(std::fs::read_to_string(&output).expect("the report"), junit.out);
}

#[test]
fn coverage_is_told_and_can_be_required() {
    let text = "test \"t\" {\n  resource \"aws_s3_bucket\" \"a\" { acl = \"private\" }\n  expect \"private\" { pass = \"aws_s3_bucket.a\" }\n}\n";
    let run = test("coverage", text, &[]);
    assert_eq!(run.status, 0);
    has(&run.out, "  fail, undetermined           of rule \"private\"");
    has(&run.out, "  fail, pass, undetermined     of rule \"few\"");
    let run = test("coverage", text, &["--coverage"]);
    assert_eq!(run.status, 1);
    has(&run.out, "Failure! 1 passed, 0 failed, 2 rules never seen to fail.");
    let run = test("coverage", text, &["--coverage", "--format", "junit"]);
    assert_eq!(run.status, 1);
    has(&run.out, "<testsuite name=\"coverage\" tests=\"2\" failures=\"2\"");
    // Of some tests nothing can be said.
    has_not(&test("coverage", text, &["--filter", "t"]).out, "No test has seen");
    assert_eq!(test("coverage", text, &["--filter", "t", "--coverage"]).status, 2);
}

#[test]
fn a_filter_chooses_tests_by_name() {
    let text = format!("{PASSING}{}", PASSING.replace("\"buckets\"", "\"other\""));
    let run = test("filter", &text, &["--filter", "oth*"]);
    assert_eq!(run.status, 0, "{}", run.err);
    has(&run.out, "run \"other\"... pass\n\nSuccess! 1 passed, 0 failed.");
    has_not(&run.out, "buckets\"");
    let run = test("filter", &text, &["--filter", "othr"]);
    assert_eq!(run.status, 2);
    has(&run.err, "--filter othr: there is no such test; the nearest is `other`");
}

#[test]
fn many_files_are_told_in_order() {
    folder("many", PASSING);
    for number in 0..30 {
        file(&format!("rule_tests/many/{number:02}.test.hcl"), PASSING);
    }
    let run = test("many", PASSING, &[]);
    assert_eq!(run.status, 0, "{}", run.err);
    let files: Vec<&str> = run.out.lines().filter(|line| line.ends_with("hcl... pass")).collect();
    assert!(files.len() == 31 && files.is_sorted(), "{files:?}");
    has(&run.out, "Success! 31 passed, 0 failed.");
}

#[test]
fn a_plan_becomes_a_test_file_that_passes() {
    let rules = format!("{DATA}/rules.hcl");
    let folder = folder("from", PASSING);
    let out = format!("{folder}/sub");
    std::fs::create_dir_all(&out).expect("a folder");
    let (plan, schemas, config) = (
        format!("{DATA}/plan.json"),
        format!("{DATA}/provider-schemas.json"),
        format!("{DATA}/config/step2"),
    );
    for (name, arguments) in [
        ("json", vec![&*plan, "--schemas", &schemas, "--config", &config]),
        ("bare", vec![&*plan]),
        ("binary", vec![TFPLAN, "--schemas", &schemas]),
    ] {
        let path = format!("{out}/{name}.test.hcl");
        let _ = std::fs::remove_file(&path);
        let written =
            run(&[&["test", "--from-plan"], &arguments[..], &["--rules", &rules, "--out", &path]].concat());
        assert_eq!((written.status, written.err.as_str(), written.out.as_str()), (0, "", ""), "{name}");
        let text = std::fs::read_to_string(&path).expect("the test file");
        has_not(&text, "made-up-for-the-example");
        let run_again = run(&["test", &path]);
        assert_eq!(run_again.status, 0, "{name}: {} {}", run_again.out, run_again.err);
        has(&run_again.out, "Success! 1 passed, 0 failed.");
        // A file that is there stays as it is.
        let again = run(&["test", "--from-plan", &plan, "--rules", &rules, "--out", &path]);
        assert_eq!(again.status, 2);
        has(&again.err, "the file is there already, and is not overwritten");
        assert_eq!(std::fs::read_to_string(&path).expect("the test file"), text);
        assert_eq!(run(&["fmt", "--check", &path]).status, 0, "{name}");
    }
    let printed = run(&["test", "--from-plan", &plan, "--rules", &rules]);
    has(&printed.out, "test \"plan\" {");
    let wrong = run(&["test", "--from-plan", &rules, "--rules", &rules]);
    assert_eq!(wrong.status, 2);
    assert_eq!(run(&["test", "--rules", &rules]).status, 2);
}

#[test]
fn the_tests_of_the_bundled_example_pass() {
    let run = run(&["test", DATA, "--coverage"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{}", run.out);
    has(&run.out, "Success! 6 passed, 0 failed.");
}

/// Runs the text of a test file of rules about buckets; how it ends.
fn of_buckets(name: &str, text: &str) -> Run {
    let rules = "rule \"private-buckets\" {\n  resource = \"aws_s3_bucket\"\n  attribute \"acl\" { equals = \"private\" }\n}\n";
    file(&format!("rule_tests/{name}/buckets.hcl"), rules);
    run(&["test", &file(&format!("rule_tests/{name}/a.test.hcl"), text)])
}

#[test]
fn the_examples_of_the_help_and_of_the_page_are_test_files() {
    let help = run(&["test", "--help"]).out;
    let example = help.split("A test file:\n").nth(1).and_then(|rest| rest.split("\nExamples:").next());
    let lines = example.expect("an example").lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
    let page = include_str!("../../docs/checking-plans.md");
    let section = page.split("\n## Testing rules\n").nth(1).expect("the section");
    let block = section.split("```hcl\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    for (name, text) in [("help", lines.collect::<Vec<_>>().join("\n")), ("page", block.to_owned())] {
        let run = of_buckets(name, &text);
        assert_eq!(run.status, 0, "{name}: {} {}", run.out, run.err);
    }
}

#[test]
fn variables_of_the_rules_are_given_and_written() {
    let rules = file("rule_tests/given/a.hcl", RULES.replace("  default = 2\n", ""));
    let arguments = ["test", "--from-plan", &format!("{DATA}/plan.json"), "--rules", &rules];
    let missing = run(&arguments);
    assert_eq!(missing.status, 2);
    has(&missing.err, "variable `most` has no value");
    let written = run(&[&arguments[..], &["--var", "most=1"]].concat());
    assert_eq!((written.status, written.err.as_str()), (0, ""));
    has(&written.out, "variables {\n  most = \"1\"\n}");
    has(&written.out, "answer = \"fail\"");
    let wrong = run(&[&arguments[..], &["--var", "mots=1"]].concat());
    has(&wrong.err, "no rules file has a variable `mots`; the nearest is `most`");
}
