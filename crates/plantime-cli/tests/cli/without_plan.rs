//! A configuration is checked without a plan.

use crate::{Run, check, file, has, has_not};

const RULES: &str = "rule \"acl\" {\n  resource = \"aws_s3_bucket\"\n  attribute \"acl\" { equals = \"private\" }\n}\n\
                     rule \"keep\" {\n  resource = \"aws_s3_bucket\"\n  actions = [\"delete\"]\n  deny = true\n}\n";

/// A folder with this configuration, and the rules.
fn folder(name: &str, main: &str) -> (String, String) {
    let main = file(&format!("without_plan/{name}/main.tf"), main);
    (main.trim_end_matches("/main.tf").to_owned(), file("without_plan/rules.hcl", RULES))
}

fn run(name: &str, main: &str, more: &[&str]) -> Run {
    let (folder, rules) = folder(name, main);
    check(&[&[&*folder, "--rules", &rules], more].concat())
}

const MAIN: &str = "variable \"acl\" {}\nresource \"aws_s3_bucket\" \"a\" {\n  acl = \"public-read\"\n}\n\
                    resource \"aws_s3_bucket\" \"b\" {\n  acl = var.acl\n}\n";

#[test]
fn each_format_says_that_no_plan_was_made_and_what_is_not_asked() {
    for format in ["text", "json", "sarif", "junit", "github", "html"] {
        let run = run("formats", MAIN, &["--format", format]);
        assert_eq!(run.status, 1, "{format}: {}", run.err);
        has(&run.out, "no plan was made");
        has(&run.out, "about changes, and no plan was made");
        has(&run.out, "main.tf");
    }
    let text = run("formats", MAIN, &[]).out;
    has(&text, "configuration without a plan");
    has(&text, "main.tf:3");
    has(&text, "1 fail, 1 undetermined");
    has_not(&text, "will be");
    has_not(&text, "--obligations");
}

#[test]
fn variables_come_from_the_command_line_and_from_files() {
    let given = run("given", MAIN, &["--var", "acl=private"]);
    has(&given.out, "1 pass, 1 fail, 0 undetermined");
    let vars = file("without_plan/prod.tfvars", "acl = \"private\"\n");
    has(&run("given", MAIN, &["--var-file", &vars]).out, "1 pass, 1 fail, 0 undetermined");
    let wrong = run("given", MAIN, &["--var", "ack=private"]);
    assert_eq!(wrong.status, 2);
    has(&wrong.err, "the configuration declares no variable `ack`; the nearest is `acl`");
    let wrong = run("given", MAIN, &["--var", "acl"]);
    has(&wrong.err, "expected NAME=VALUE");
}

#[test]
fn config_without_a_plan_is_the_same_check() {
    let (folder, rules) = folder("same", MAIN);
    let by_option = check(&["--config", &folder, "--rules", &rules]);
    let by_name = check(&[&*folder, "--rules", &rules]);
    assert_eq!(by_option.status, 1, "{}", by_option.err);
    let without_time = |text: &str| text.split(" in 1 plan").next().map(str::to_owned);
    assert_eq!(without_time(&by_option.out), without_time(&by_name.out));
}

#[test]
fn what_belongs_to_plans_is_refused() {
    let open = file("without_plan/open.json", "");
    let refused = run("refused", MAIN, &["--obligations", &open]);
    assert_eq!(refused.status, 2);
    has(&refused.err, "--obligations takes a plan");
    let broken = run("broken", "resource \"a_b\" \"c\" {\n  x = \n}\n", &[]);
    assert_eq!(broken.status, 2);
    has(&broken.err, "main.tf:2");
}
