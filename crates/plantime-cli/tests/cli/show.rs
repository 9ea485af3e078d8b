//! `plantime show`.

use std::process::Command;

use super::{DATA, Run, TFPLAN, file, has, has_not};

fn show(arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plantime"));
    command.arg("show").args(arguments).output().expect("the command runs").into()
}

#[test]
fn a_plan_is_shown_with_what_is_known() {
    let (plan, schemas) = (TFPLAN.to_owned(), format!("{DATA}/provider-schemas.json"));
    let shown = show(&[&plan, "--schemas", &schemas]);
    assert_eq!((shown.status, &*shown.err), (0, ""));
    has(&shown.out, "  # aws_vpc.main will be created\n  + resource \"aws_vpc\" \"main\" {\n");
    has(&shown.out, "+ id                        = \"vpc-${(known after apply)}\"");
    has(&shown.out, "= (known after apply, 1 to 4 elements)");
    has(&shown.out, "Plan: 18 to add, 1 to change, 3 to destroy.");
    let known = show(&[&plan, "--schemas", &schemas, "--known", "--color", "always"]);
    has(&known.out, "(known after apply, not null, starts with \"vpc-\")");
    has(&known.out, "\u{1b}[32m+\u{1b}[0m");
    let plain = show(&[&plan, "--schemas", &schemas, "--plain"]);
    has_not(&plain.out, "after apply,");
}

#[test]
fn two_plans_are_compared() {
    let (plan, schemas) = (format!("{DATA}/plan.json"), format!("{DATA}/provider-schemas.json"));
    let binary = TFPLAN.to_owned();
    let same = show(&[&plan, &plan, "--schemas", &schemas]);
    assert_eq!((same.status, &*same.err), (0, ""));
    assert_eq!(same.out, "No differences: both plans have the same changes.\n");
    // The binary plan knows more of the same values.
    let text = show(&[&plan, &binary, "--schemas", &schemas]);
    has(&text.out, "~ aws_vpc.main (create)\n");
    has(
        &text.out,
        "    id: more known: (known after apply) -> (known after apply, not null, starts with \"vpc-\")\n",
    );
    has_not(&text.out, "different");
    has_not(&text.out, "less known");
    let json = show(&[&plan, &binary, "--schemas", &schemas, "--format", "json"]);
    has(&json.out, "\"path\":\"id\"");
    let back = show(&[&binary, &plan, "--schemas", &schemas]);
    has(&back.out, "    id: less known: ");
    let page = show(&[&plan, &plan, "--format", "html"]);
    assert_eq!((page.status, &*page.out), (2, ""));
    has(&page.err, "--format html shows one plan");
}

#[test]
fn a_page_links_to_the_configuration() {
    let binary = TFPLAN.to_owned();
    let (json, config) = (format!("{DATA}/plan.json"), format!("{DATA}/config/step2"));
    let page = |arguments: &[&str]| {
        let shown = show(&[arguments, &["--format", "html"]].concat());
        assert_eq!((shown.status, &*shown.err), (0, ""));
        shown.out
    };
    // A binary plan has its configuration inside.
    let own = page(&[&binary]);
    has(&own, "aws_vpc.main</span> will be created <span class=\"soft\">(<a href=\"./main.tf#L");
    has_not(&page(&[&binary, "--no-config"]), "<a href");
    has_not(&page(&[&json]), "<a href");
    has(&page(&[&json, "--config", &config]), "config/step2/main.tf#L");
    let text = show(&[&json, "--config", &config]);
    assert_eq!(text.status, 2);
    has(&text.err, "--config is for the links of --format html");
    let nowhere = show(&[&json, "--config", "nowhere", "--format", "html"]);
    assert_eq!((nowhere.status, &*nowhere.out), (2, ""));
}

#[test]
fn one_plan_is_written_as_json() {
    let (plan, schemas) = (format!("{DATA}/plan.json"), format!("{DATA}/provider-schemas.json"));
    let binary = TFPLAN.to_owned();
    let written = show(&[&plan, "--format", "json"]);
    assert_eq!((written.status, &*written.err), (0, ""));
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(json(&written.out), json(&std::fs::read_to_string(&plan).unwrap()));
    let plain = show(&[&binary, "--schemas", &schemas, "--format", "json"]);
    assert_eq!((plain.status, &*plain.err), (0, ""));
    has_not(&plain.out, "after_refinements");
    let known = show(&[&binary, "--schemas", &schemas, "--format", "json", "--known"]);
    has(&known.out, "\"refinements_format_version\":\"1.1\"");
    // What was written is read again. Members of sets have no place of their own to write what is known of them, and of an
    // unknown value without refinements the type is not written: nothing else is less known.
    let (plain, known) = (file("show-plain.json", plain.out), file("show-known.json", known.out));
    let same = show(&[&binary, &known, "--schemas", &schemas]);
    has_not(&same.out, "different");
    let less: Vec<_> = same.out.lines().filter(|line| line.starts_with("    ")).collect();
    let expected = ["subnet_ids", "subnet_ids", "subnet_ids", "ingress", "output"];
    assert_eq!(less.len(), expected.len(), "{}", same.out);
    for (line, name) in less.iter().zip(expected) {
        assert!(line.starts_with(&format!("    {name}: less known: ")), "{line}");
    }
    let lines = |text: &str| text.lines().count();
    assert!(lines(&show(&[&binary, &plain, "--schemas", &schemas]).out) > lines(&same.out));
}

#[test]
fn what_cannot_be_shown_is_an_error() {
    let shown = show(&[&format!("{DATA}/rules.hcl")]);
    assert_eq!((shown.status, &*shown.out), (2, ""));
    has(&shown.err, "rules.hcl");
}
