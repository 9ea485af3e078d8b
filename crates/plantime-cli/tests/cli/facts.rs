//! Facts about the values that providers choose: the catalogue, packs, schemas.

use crate::{Run, check, file, has, has_not};

/// A plan without schemas of one new resource of AWS, whose id is not known.
fn plan(provider: &str, after: &str) -> String {
    format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "aws_vpc.main", "mode": "managed",
        "type": "aws_vpc", "name": "main", "provider_name": "{provider}", "change": {{"actions": ["create"],
        "before": null, "after": {{{after}}}, "after_unknown": {{"id": true, "owner_id": true}},
        "after_sensitive": {{}}}}}}]}}"#
    )
}

const AWS: &str = "registry.terraform.io/hashicorp/aws";

const RULES: &str =
    "rule \"vpc-id\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { starts_with = \"vpc-\" }\n}\n";

/// Checks the plan of a provider.
fn run(name: &str, provider: &str, more: &[&str]) -> Run {
    let (plan, rules) =
        (file(&format!("facts/{name}.json"), plan(provider, "")), file("facts/rules.hcl", RULES));
    check(&[&[&*plan, "--rules", &rules], more].concat())
}

#[test]
fn the_catalogue_decides_a_rule_and_is_named() {
    let run = run("catalogue", AWS, &[]);
    assert_eq!((run.status, &*run.err), (0, ""));
    has(&run.out, "# catalogue: aws_vpc.id (class A)");
    has(&run.out, "Checks: 1 pass, 0 fail, 0 undetermined");
}

#[test]
fn the_catalogue_can_be_switched_off_and_is_of_its_provider() {
    for (name, provider, more) in
        [("off", AWS, &["--no-catalogue"][..]), ("fork", "registry.terraform.io/acme/aws", &[])]
    {
        let run = run(name, provider, more);
        has(&run.out, "Checks: 0 pass, 0 fail, 1 undetermined");
        has_not(&run.out, "catalogue:");
    }
    let mirror = ["--mirror", "registry.terraform.io/acme/aws=hashicorp/aws"];
    has(&run("mirror", "registry.terraform.io/acme/aws", &mirror).out, "1 pass");
}

#[test]
fn a_pack_is_assumed_as_the_catalogue_is() {
    let pack = file("facts/own.facts", "aws_vpc acme/aws\n  id A since:2.0.0 stringprefix(\"vpc-\")\n");
    let provider = "registry.terraform.io/acme/aws";
    let with_pack = run("pack", provider, &["--assume", &pack]);
    has(&with_pack.out, &format!("# {pack}:2"));
    has(&with_pack.out, "1 pass");
    for (version, answer) in [("1.9.0", "1 undetermined"), ("2.0.0", "1 pass")] {
        let text = format!("provider \"{provider}\" {{\n  version     = \"{version}\"\n  hashes = []\n}}\n");
        let lock = file(&format!("facts/{version}.lock.hcl"), text);
        has(&run("lock", provider, &["--assume", &pack, "--lock-file", &lock]).out, answer);
    }
    let wrong = file("facts/wrong.facts", "aws_vpc acme/aws\n  id C notnull()\n");
    let run = run("wrong", provider, &["--assume", &wrong]);
    assert_eq!(run.status, 2);
    has(&run.err, "wrong.facts:2:3");
}

#[test]
fn the_lock_file_beside_the_configuration_is_read() {
    let pack = file("facts/since.facts", "aws_vpc acme/aws\n  id A since:2.0.0 stringprefix(\"vpc-\")\n");
    let provider = "registry.terraform.io/acme/aws";
    let lock = |version: &str| format!("provider \"{provider}\" {{\n  version = \"{version}\"\n}}\n");
    for (version, answer) in [("1.9.0", "1 undetermined"), ("2.0.0", "1 pass")] {
        let folder = format!("facts/locked-{version}");
        let main = file(&format!("{folder}/main.tf"), "resource \"aws_vpc\" \"main\" {}\n");
        file(&format!("{folder}/.terraform.lock.hcl"), lock(version));
        let config = main.trim_end_matches("/main.tf");
        let given = ["--assume", &*pack, "--config", config];
        has(&run("locked", provider, &given).out, answer);
        // The option counts, not the file in the folder.
        let other = file("facts/other.lock.hcl", lock("2.1.0"));
        has(&run("locked", provider, &[&given[..], &["--lock-file", &other]].concat()).out, "1 pass");
    }
}

#[test]
fn a_fact_that_the_plan_contradicts_is_a_warning() {
    let text = plan(AWS, r#""id": "net-1""#).replace(r#""id": true, "#, "");
    let (plan, rules) =
        (file("facts/against.json", text), file("facts/against.rules.hcl", RULES.replace("vpc-\"", "net\"")));
    let run = check(&[&plan, "--rules", &rules]);
    assert_eq!(run.status, 0, "{}", run.out);
    has(&run.out, "╷ Warning: The plan contradicts a fact\n");
    has(&run.out, "The fact is not used here: catalogue: aws_vpc.id (class A).");
}

#[test]
fn facts_that_answers_rest_on_are_obligations() {
    let written = file("facts/obligations.json", "");
    assert_eq!(run("open", AWS, &["--obligations", &written]).status, 0);
    let text = std::fs::read_to_string(&written).expect("the file is there");
    has(&text, "\"origin\": \"catalogue: aws_vpc.id (class A)\"");
    // No rule is about the owner.
    has_not(&text, "owner_id");
    let state = |id: &str| {
        let state = format!(
            r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [{{"address": "aws_vpc.main",
            "mode": "managed", "type": "aws_vpc", "name": "main", "values": {{"id": "{id}"}}, "sensitive_values": {{}}}}]}}}}}}"#
        );
        file(&format!("facts/{id}.state.json"), state)
    };
    let verify = |id: &str| -> Run {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"));
        command.args(["verify", &written, "--state", &state(id)]).output().expect("the command runs").into()
    };
    assert_eq!(verify("vpc-0123456789abcdef0").status, 0);
    let broken = verify("net-1");
    assert_eq!(broken.status, 1);
    has(&broken.out, "catalogue: aws_vpc.id (class A)");
}

#[test]
fn the_facts_about_a_type_are_listed() {
    let listed = |arguments: &[&str]| -> Run {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"));
        command.arg("catalogue").args(arguments).output().expect("the command runs").into()
    };
    let all = listed(&[]);
    assert!(all.status == 0 && all.out.lines().count() > 4_000);
    let vpc = listed(&["aws_vpc"]);
    has(&vpc.out, "aws_vpc hashicorp/aws\n");
    has(&vpc.out, "  id A notnull(stringpattern(\"^vpc-");
    // What is listed is a pack again.
    let pack = file("facts/listed.facts", &vpc.out);
    let again = listed(&["aws_vpc", "--assume", &pack]);
    assert_eq!(again.out, vpc.out.repeat(2));
    assert_eq!(listed(&["aws_vcp"]).status, 2);
}
