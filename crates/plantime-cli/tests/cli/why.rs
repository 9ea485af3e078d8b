//! `plantime why`.

use crate::{DATA, Run, file, has};

fn why(arguments: &[&str]) -> Run {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"));
    command.arg("why").args(arguments).output().expect("the command runs").into()
}

/// The bundled plan, as options.
fn of_bundle() -> [String; 6] {
    [
        "--plan".to_owned(),
        format!("{DATA}/plan.json"),
        "--schemas".to_owned(),
        format!("{DATA}/provider-schemas.json"),
        "--config".to_owned(),
        format!("{DATA}/config/step2"),
    ]
}

fn of_bundle_and(more: &[&str]) -> Run {
    let bundle = of_bundle();
    let arguments: Vec<&str> = more.iter().copied().chain(bundle.iter().map(String::as_str)).collect();
    why(&arguments)
}

#[test]
fn a_value_is_followed_to_what_decides_it() {
    let run = of_bundle_and(&["aws_subnet.main[\"data\"].vpc_id", "--no-catalogue"]);
    let folder = format!("{DATA}/config/step2");
    let expected = format!(
        "\
aws_subnet.main[\"data\"].vpc_id is a string, known after apply
│  {folder}/main.tf:39: vpc_id            = aws_vpc.main.id
│  schema: aws_subnet.vpc_id is required
└─ aws_vpc.main.id
      {folder}/main.tf:20: resource \"aws_vpc\" \"main\" {{
      the provider chooses it during the apply
      is a string, known after apply

1 value decides it:
  aws_vpc.main.id: the provider chooses it during the apply; it takes the apply, or an assumption about it in the rules file
"
    );
    assert_eq!((run.out.as_str(), run.err.as_str(), run.status), (expected.as_str(), "", 0));
    // What is assumed is shown with its origin.
    let rules = format!("{DATA}/rules.hcl");
    let run = of_bundle_and(&["aws_subnet.main[\"data\"].vpc_id", "--rules", &rules]);
    assert!(run.out.contains("      assumed, line 13\n"), "{}", run.out);
    // Without the configuration the references of the plan tell the root.
    let run = why(&["aws_subnet.main[\"data\"].vpc_id", "--plan", &format!("{DATA}/plan.json")]);
    assert!(run.status == 0 && run.out.contains("└─ aws_vpc.main.id\n"), "{} {}", run.out, run.err);
}

/// The members of a set have the positions that reports give them. Which block wrote a member is not certain, so what all blocks
/// depend on is shown.
#[test]
fn a_member_of_a_set_is_named_by_its_position_in_reports() {
    let run = of_bundle_and(&["aws_security_group.database.ingress[0].security_groups"]);
    has(&run.out, "aws_security_group.database.ingress[0].security_groups is null\n");
    let run = of_bundle_and(&["aws_security_group.database.ingress[1]"]);
    has(
        &run.out,
        "aws_security_group.database.ingress[1].security_groups is a set of string with 1 member\n",
    );
    has(&run.out, "├─ aws_subnet.main[\"data\"].cidr_block\n");
    has(&run.out, "└─ aws_security_group.web.id\n");
}

#[test]
fn every_form_is_written() {
    let name = "aws_subnet.main[\"data\"].vpc_id";
    let run = of_bundle_and(&[name, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["requested"], serde_json::json!([name]));
    assert_eq!(json["values"][1]["cause"], "provider");
    let run = of_bundle_and(&[name, "--format", "dot"]);
    assert!(run.out.starts_with("digraph why {\n") && run.out.ends_with("}\n"), "{}", run.out);
    let run = of_bundle_and(&["--roots"]);
    assert!(run.out.contains("    20  aws_vpc.main.id\n"), "{}", run.out);
    let rules = format!("{DATA}/rules.hcl");
    let run = of_bundle_and(&["--roots", "--rules", &rules]);
    assert!(
        run.out.contains(" undetermined answers, by the values that they depend on:\n"),
        "{} {}",
        run.out,
        run.err
    );
    let run = of_bundle_and(&["--roots", "--rules", &rules, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["counts_answers"], true);
    let run = of_bundle_and(&["--roots", "--format", "dot"]);
    assert!(run.out.starts_with("digraph roots {\n"), "{}", run.out);
}

/// A configuration alone: every resource is unknown.
#[test]
fn a_configuration_without_a_plan() {
    let main = "resource \"t\" \"a\" {}\nresource \"t\" \"b\" {\n  name = local.name\n}\nlocals {\n  name = \"x-${t.a.id}\"\n}\n";
    let folder = std::path::PathBuf::from(file("why/main.tf", main));
    let folder = folder.parent().expect("a folder").display().to_string();
    let run = why(&["t.b.name", "--config", &folder]);
    assert!(
        run.out.ends_with("in the rules file\n") && run.out.contains("└─ t.a.id\n"),
        "{} {}",
        run.out,
        run.err
    );
    let run = why(&["upper(local.name)", "--config", &folder]);
    assert!(run.status == 0 && run.out.contains("t.a.id"), "{} {}", run.out, run.err);
}

#[test]
fn what_cannot_be_explained_is_an_error() {
    let run = of_bundle_and(&["aws_subnett.spare"]);
    assert_eq!((run.out.as_str(), run.status), ("", 2));
    assert!(run.err.contains("did you mean `aws_subnet.spare`?"), "{}", run.err);
    let run = why(&["aws_vpc.main.id"]);
    assert!(run.status == 2 && run.err.contains("add --plan FILE, --config DIR, or both"), "{}", run.err);
    let run = why(&["--roots", "--plan", &format!("{DATA}/plan.json")]);
    assert!(run.status == 2 && run.err.contains("add --config DIR"), "{}", run.err);
    let run = why(&[]);
    assert!(run.status == 2 && run.err.contains("--roots"), "{}", run.err);
}
