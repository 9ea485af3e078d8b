//! Reports at the decision: Markdown and the page begin with the verdict, failures say what to change, and links lead to the files.

use std::process::Command;

use super::around::plan;
use super::{DATA, Run, TFPLAN, check, command, file, has, has_not};

const RULES: &str = "rule \"small\" {\n  resource = \"x_y\"\n  attribute \"n\" { max = 5 }\n}\n";

/// The places of texts in a text, which has all of them.
#[track_caller]
fn places(text: &str, parts: &[&str]) -> Vec<usize> {
    parts.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("no `{part}` in\n{text}"))).collect()
}

#[test]
fn markdown_has_the_verdict_first_then_failures_then_what_is_open() {
    let run = check(&["--format", "markdown"]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    assert!(
        run.out.starts_with("## fail: `network/plan.json`\n\n**4 failures**, 2 warnings, "),
        "{}",
        run.out
    );
    let order = places(
        &run.out,
        &[
            "### Failures",
            "- **no-world** at `aws_security_group.web`, `network/main.tf:94`",
            "Next\\: change network/main\\.tf\\:94\\. Passes if\\: ingress",
            "(warning)",
            "### Open, by the unknown value that decides it",
            "- `aws_subnet.main`: 4 answers",
            "; passes if ",
            "### Not asked",
            "<details><summary>Rules: 11</summary>",
            "<details><summary>Notes: ",
        ],
    );
    assert!(order.is_sorted(), "{}", run.out);
}

#[test]
fn several_plans_and_unusable_inputs_have_a_verdict_on_all_of_it_first() {
    let (good, bad) =
        (plan("decision/good.json", &[("x_y.a", 1)], &[]), plan("decision/bad.json", &[("x_y.a", 9)], &[]));
    let rules = file("decision/rules.hcl", RULES);
    let with = |plans: &[&str]| check(&[plans, &["--rules", &rules, "--format", "markdown"]].concat());
    assert!(with(&[&good]).out.starts_with("## pass: "), "{}", with(&[&good]).out);
    let both = with(&[&good, &bad]);
    assert!(both.out.starts_with("# fail: 2 plans\n\n1 pass, 1 fail"), "{}", both.out);
    let lost = with(&[&good, "/no/such/plan.json"]);
    assert_eq!(lost.status, 2);
    assert!(lost.out.starts_with("# fail: 1 plan\n"), "{}", lost.out);
    has(&lost.out, "> unusable: ");
    let nothing = with(&["/no/such/plan.json"]);
    assert!(nothing.out.starts_with("# fail: 0 plans\n"), "{}", nothing.out);
    // What is not asked is no pass.
    let misspelt = file("decision/misspelt.hcl", RULES.replace("x_y", "x_z"));
    let run = check(&[&good, "--rules", &misspelt, "--format", "markdown"]);
    assert!(run.out.starts_with("## open: "), "{}", run.out);
    let empty = file("decision/empty.hcl", "");
    let run = check(&[&good, "--rules", &empty, "--format", "markdown"]);
    assert!(run.out.starts_with("## open: "), "{}", run.out);
}

#[test]
fn texts_of_plans_and_rules_are_no_markdown() {
    let evil = "x_y.a[\"<img src=x> `@team` [a](https://evil.example) | #1\"]";
    let bad = plan("decision/evil.json", &[("x_y.a", 9)], &[]);
    let text = std::fs::read_to_string(&bad)
        .expect("the plan")
        .replace("\"address\":\"x_y.a\"", &format!("\"address\":{}", serde_json::json!(evil)));
    let bad = file("decision/evil.json", text);
    let rules =
        RULES.replace("resource", "description = \"<script>*x* @team https://evil.example\"\n  resource");
    let rules = file("decision/evil.hcl", rules);
    let run = check(&[&bad, "--rules", &rules, "--format", "markdown"]);
    has_not(&run.out, "<script>");
    has_not(&run.out, "<img src=x> `@team` [a](https://evil.example) | #1\"]`\n  <");
    has(&run.out, "&lt;script&gt;\\*x\\* @\u{200b}team https\\://evil\\.example");
    // In code, between more backticks.
    has(&run.out, "``x_y.a[\"<img src=x> `@team` ");
}

#[test]
fn the_summary_of_a_job_gets_the_markdown() {
    let bad = plan("decision/job.json", &[("x_y.a", 9)], &[]);
    let rules = file("decision/job.hcl", RULES);
    let summary = file("decision/summary.md", "before\n");
    let run = |format: &str, summary: &str| -> Run {
        let mut command = command(&[&bad, "--rules", &rules, "--format", format]);
        command.env("GITHUB_STEP_SUMMARY", summary).output().expect("the command runs").into()
    };
    let first = run("github", &summary);
    assert_eq!(first.status, 1);
    assert!(first.out.starts_with("::error "), "{}", first.out);
    let text = std::fs::read_to_string(&summary).expect("the summary");
    assert!(text.starts_with("before\n## fail: "), "{text}");
    // Only with this format, and an input is never written.
    run("text", &summary);
    assert_eq!(std::fs::read_to_string(&summary).expect("the summary"), text);
    let over = run("github", &rules);
    assert_eq!(over.status, 2);
    has(&over.err, "GITHUB_STEP_SUMMARY would overwrite an input");
    assert_eq!(std::fs::read_to_string(&rules).expect("the rules"), RULES);
}

#[test]
fn the_page_has_the_verdict_first_and_the_resources_last_and_folded() {
    let page = check(&["--format", "html"]).out;
    let order = places(
        &page,
        &[
            "<title>network/plan.json · plantime check</title>",
            "<p class=\"verdict\"><strong class=\"r\">fail</strong> 4 failures, 2 warnings",
            "<svg class=\"bar\"",
            "<h3>Failures</h3>",
            "Next: change network/main.tf:182. Passes if: allocated_storage only increases.",
            "<h3>Open, by the unknown values that decide it</h3>",
            "<svg class=\"drawing\"",
            "<b>aws_subnet.main</b>: 4 answers",
            "<details class=\"rules resources\"><summary>",
            "class=\"entry\"",
        ],
    );
    assert!(order.is_sorted(), "{order:?}");
    // A rule leads to its first failure.
    let rule = page.find(">bucket-name</a>").expect("the rule");
    let link = &page[page[..rule].rfind("<a href=\"#").expect("a link") + 10..];
    let anchor = &link[..link.find('"').expect("the end")];
    has(&page, &format!("<a id=\"{anchor}\"></a><details open class=\"entry\" data-entry-kind=\"fail\">"));
}

#[test]
fn links_of_a_page_work_from_where_it_is_written() {
    let folder =
        std::path::PathBuf::from(file("decision/links/main.tf", "")).parent().expect("a folder").to_owned();
    std::fs::create_dir_all(folder.join("site/deep")).expect("the folder");
    let plan = plan("decision/links/plan.json", &[("x_y.a", 9)], &[]);
    file("decision/links/rules.hcl", RULES);
    for (output, expected) in [
        ("page.html", "./"),
        ("site/page.html", "../"),
        ("site/deep/page.html", "../../"),
        ("./site/../page.html", "./"),
    ] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_plantime"));
        run.current_dir(&folder).args([
            "check",
            &plan,
            "--rules",
            "rules.hcl",
            "--format",
            "html",
            "--output",
            output,
        ]);
        assert_eq!(run.output().expect("the command runs").status.code(), Some(1));
        let page = std::fs::read_to_string(folder.join(output)).expect("the page");
        has(&page, &format!("<a href=\"{expected}rules.hcl#L1\">rules.hcl:1</a>"));
        assert!(page.ends_with("</html>\n"));
    }
    let mut run = Command::new(env!("CARGO_BIN_EXE_plantime"));
    let config = format!("{DATA}/config/step2");
    run.current_dir(&folder).args([
        "show",
        TFPLAN,
        "--format",
        "html",
        "--config",
        &config,
        "--output",
        "site/show.html",
    ]);
    assert_eq!(run.output().expect("the command runs").status.code(), Some(0));
    let page = std::fs::read_to_string(folder.join("site/show.html")).expect("the page");
    has_not(&page, "href=\"./");
}

#[test]
fn every_failure_says_what_would_pass_and_where_for_both_kinds_of_plans() {
    let schemas = format!("{DATA}/provider-schemas.json");
    let rules = file(
        "decision/cidr.hcl",
        "rule \"small\" {\n  resource = \"aws_db_instance\"\n  attribute \"allocated_storage\" { max = 30 }\n}\n",
    );
    let json = format!("{DATA}/plan.json");
    for (plan, more, place) in [
        (TFPLAN, &[][..], "Next: change "),
        (&*json, &["--config", &*format!("{DATA}/config/step2")], "Next: change "),
        (&*json, &[], "Next: change the configuration of aws_db_instance."),
    ] {
        let with = |format: &str| {
            check(&[&[plan, "--rules", &rules, "--schemas", &schemas, "--format", format], more].concat()).out
        };
        for format in ["text", "json", "html", "sarif", "junit", "github"] {
            has(&with(format), place);
            has(&with(format), "Passes if: allocated_storage is at most 30.");
        }
        has(&with("markdown"), "Passes if\\: allocated\\_storage is at most 30\\.");
    }
    has(&check(&[&json, "--rules", &rules]).out, "(--config DIR names the line)");
}

/// The resource, its change and its drift.
const CHANGED: &str = r#"{"format_version": "1.2", "terraform_version": "1.11.4",
    "resource_drift": [{"address": "x_y.d", "mode": "managed", "type": "x_y", "name": "d", "provider_name": "p",
        "change": {"actions": ["update"], "before": {"s": "old", "p": "SECRET1"}, "after": {"s": "new", "p": "SECRET2"},
            "before_sensitive": {"p": true}, "after_sensitive": {"p": true}}}],
    "resource_changes": [
        {"address": "x_y.u", "mode": "managed", "type": "x_y", "name": "u", "provider_name": "p",
        "change": {"actions": ["update"], "before": {"n": 50, "m": 1, "p": "SECRET1"}, "after": {"n": 40, "m": 1, "p": "SECRET2"},
            "after_unknown": {}, "before_sensitive": {"p": true}, "after_sensitive": {"p": true}}},
        {"address": "x_y.d", "mode": "managed", "type": "x_y", "name": "d", "provider_name": "p",
        "change": {"actions": ["no-op"], "before": {"s": "new", "p": "SECRET2"}, "after": {"s": "new", "p": "SECRET2"},
            "after_unknown": {}, "before_sensitive": {"p": true}, "after_sensitive": {"p": true}}}
    ]}"#;

#[test]
fn a_denied_change_says_what_changes_and_drift_what_was_changed_outside() {
    let plan = file("decision/changed.json", CHANGED);
    let rules = file(
        "decision/denied.hcl",
        "rule \"no-update\" {\n  resource = \"x_y\"\n  actions = [\"update\"]\n  deny = true\n}\n\
         rule \"no-drift\" {\n  resource = \"x_y\"\n  actions = [\"drift\"]\n  deny = true\n}\n",
    );
    let run = check(&[&plan, "--rules", &rules]);
    has(&run.out, "~ n = 50 -> 40");
    has(&run.out, "x_y.u.n is 50 now, and then is 40");
    has(&run.out, "the plan would update it in place; undo that");
    has(&run.out, "# x_y.d stays as it is, and was changed outside of the configuration");
    has(&run.out, "x_y.d.s is \"old\" now, and then is \"new\"");
    has(&run.out, "Next: it was changed outside of the configuration");
    for format in ["text", "json", "html", "markdown", "sarif", "junit", "github"] {
        has_not(&check(&[&plan, "--rules", &rules, "--format", format]).out, "SECRET");
    }
    has_not(&run.out, "x_y.u.m");
}

#[test]
fn the_page_of_a_plan_names_nothing_known_as_a_cause() {
    let (plan, schemas) = (format!("{DATA}/plan.json"), format!("{DATA}/provider-schemas.json"));
    let page = super::run(&["show", &plan, "--schemas", &schemas, "--format", "html"]).out;
    let (_, causes) = page.split_once("Values that unknown attributes depend on").expect("the list");
    let (causes, _) = causes.split_once("</details>").expect("the end of the list");
    has(causes, "aws_vpc.main");
    // Both variables are in the plan, and a local value beside an unknown one explains nothing.
    for known in ["var.name", "var.release", "local.tags"] {
        has_not(causes, &format!("<li>{known}:"));
    }
}
