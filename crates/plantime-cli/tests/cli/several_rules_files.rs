//! Rules of several files are one set of rules, and every message names the file.

use serde_json::Value;

use crate::{DATA, Run, check, file, has};

const VPC: &str = "rule \"vpc\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { is_null = true }\n}\n";
const SKIP: &str = "# the exceptions of this repository\nskip \"subnet\" {\n  address = \"aws_subnet.*\"\n  \
                    reason  = \"not yet\"\n}\nassume \"aws_vpc\" {\n  id = assumed(notnull())\n}\n";
const SUBNET: &str = "\n\nrule \"subnet\" {\n  resource = \"aws_subnet\"\n  attribute \"arn\" { not_null = true }\n}\n\
                      rule \"cidr\" {\n  resource = \"aws_vpc\"\n  attribute \"arn\" { not_null = true }\n}\n";

/// The folder of a test with three rules files, and a file that is none.
fn folder(name: &str) -> String {
    let path = |file: &str| format!("several/{name}/{file}");
    file(&path("c-subnet.hcl"), SUBNET);
    file(&path("b-skips.hcl"), SKIP);
    file(&path("notes.txt"), "rule {");
    file(&path("a-vpc.hcl"), VPC).trim_end_matches("a-vpc.hcl").to_owned()
}

fn with(rules: &[&str], more: &[&str]) -> Run {
    let (plan, schemas) = (format!("{DATA}/plan.json"), format!("{DATA}/provider-schemas.json"));
    let rules = rules.iter().flat_map(|rules| ["--rules", *rules]);
    check(&[&[&*plan, "--schemas", &schemas], &rules.collect::<Vec<_>>()[..], more].concat())
}

#[test]
fn files_a_folder_and_a_pattern_are_the_same_rules() {
    let folder = folder("same");
    let files = ["a-vpc.hcl", "b-skips.hcl", "c-subnet.hcl"].map(|name| format!("{folder}{name}"));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let cut = |run: Run| run.out.split("Checks: ").next().unwrap_or_default().replace("same//", "same/");
    let expected = with(&files, &[]);
    assert_eq!((expected.status, expected.err.as_str()), (1, ""));
    has(&expected.out, "c-subnet.hcl: 1 assumption, 3 rules, 1 skip\n");
    let expected = cut(expected);
    assert_eq!(cut(with(&[&folder], &[])), expected);
    assert_eq!(cut(with(&[&format!("{folder}*.hcl")], &[])), expected);
    assert_eq!(cut(with(&[files[0], &format!("{folder}[bc]*.hcl")], &[])), expected);
}

#[test]
fn every_place_names_its_file() {
    let folder = folder("places");
    let open = file("several/places-open.json", "");
    let run = with(&[&folder], &["--obligations", &open]);
    has(&run.out, "│   on ");
    has(&run.out, "a-vpc.hcl line 3, in rule \"vpc\":\n│   3:   attribute \"id\" { is_null = true }\n");
    has(&run.out, "    # assumed, b-skips.hcl:7\n");
    has(&run.out, "skipped       subnet             b-skips.hcl:2, not yet\n");
    let run = with(&[&folder], &["--diagnostics", "snippets"]);
    has(&run.out, "a-vpc.hcl:3:20\n");
    let json: Value = serde_json::from_str(&with(&[&folder], &["--format", "json"]).out).expect("JSON");
    let text = json.to_string();
    for name in ["a-vpc.hcl\"", "b-skips.hcl\"", "c-subnet.hcl\""] {
        has(&text, name);
    }
    let open: Value = serde_json::from_str(&std::fs::read_to_string(open).expect("written")).expect("JSON");
    let files = open["obligations"].as_array().expect("obligations").iter();
    let files: Vec<&str> = files.map(|one| one["position"]["file"].as_str().expect("a file")).collect();
    assert!(files.iter().any(|file| file.ends_with("b-skips.hcl")), "{files:?}");
    assert!(files.iter().any(|file| file.ends_with("c-subnet.hcl")), "{files:?}");
}

#[test]
fn problems_of_all_files_are_told_with_their_files() {
    let first = file("several/wrong/a.hcl", VPC);
    let second = file("several/wrong/b.hcl", format!("{VPC}x = 1\n"));
    let third = file("several/wrong/c.hcl", "rule \"s\" {\n  resource = = 1\n}\n");
    let run = with(&[&first, &second, &third], &[]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    let errors: Vec<&str> = run.err.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 3, "{}", run.err);
    has(errors[0], &format!("{second}:1:1: a second rule `vpc`; the first is at {first}:1:1"));
    has(errors[1], &format!("{second}:5:1: `x` must stand in a block"));
    has(errors[2], &format!("{third}:2:14: "));
}

#[test]
fn a_folder_without_rules_and_a_pattern_without_files_are_told() {
    let empty = file("several/empty/notes.txt", "").replace("notes.txt", "");
    let run = with(&[&empty], &[]);
    assert_eq!(run.status, 2);
    has(&run.err, &format!("error: {empty}: no *.hcl files\n"));
    let run = with(&[&format!("{empty}*.hcl")], &[]);
    assert_eq!(run.status, 2);
    has(&run.err, "*.hcl: no file has a name of this pattern\n");
}
