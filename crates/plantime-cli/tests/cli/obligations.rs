//! `check --obligations`, and `verify` after the apply.

use serde_json::{Value, json};

use crate::{DATA, Run, TFPLAN, check, file, has, has_not, network, run};

fn verify(arguments: &[&str]) -> Run {
    run(&[&["verify"], arguments].concat())
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).expect("the file is there")
}

fn data(name: &str) -> String {
    format!("{DATA}/{name}")
}

/// Where a test writes its obligations, and the two arguments that say so.
fn target(name: &str) -> String {
    file(name, "")
}

/// The state after the apply, changed.
fn state(name: &str, change: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut state: Value = serde_json::from_str(&read(&data("state-after.json"))).expect("JSON");
    let resources = state.pointer_mut("/values/root_module/resources").and_then(Value::as_array_mut);
    change(resources.expect("resources"));
    file(name, state.to_string())
}

fn values<'r>(resources: &'r mut [Value], address: &str) -> &'r mut Value {
    let found = resources.iter_mut().find(|resource| resource["address"] == address);
    &mut found.expect("the resource")["values"]
}

#[test]
fn the_example_leaves_what_its_file_says() {
    let written = target("obligations/example.json");
    let run = check(&["--obligations", &written]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let last = run.out.lines().last().expect("a line");
    assert_eq!(
        last,
        format!(
            "Wrote 20 obligations to {written}. After the apply: plantime verify {written} --state state.json"
        )
    );
    assert_eq!(
        read(&written),
        read(&data("obligations.json")),
        "{written} has what obligations.json must have"
    );
    assert_eq!(check(&["--obligations", &written, "--format", "json"]).out, check(&["--format", "json"]).out);
}

#[test]
fn the_example_is_verified_as_its_text_says() {
    let (obligations, state) = (data("obligations.json"), data("state-after.json"));
    let schemas = data("provider-schemas.json");
    for more in [&["--schemas", &*schemas][..], &[]] {
        let run = verify(&[&[&*obligations, "--state", &state], more].concat());
        assert_eq!((run.status, run.err.as_str()), (1, ""));
        assert_eq!(run.out, read(&data("verified.txt")));
    }
}

#[test]
fn what_turned_out_well_ends_with_0() {
    let rules = "assume \"aws_vpc\" {\n  id = assumed(notnull(stringprefix(\"vpc-\")))\n}\n\
                 rule \"arn\" {\n  resource = \"aws_vpc\"\n  attribute \"arn\" { starts_with = \"arn:\" }\n}\n";
    let written = target("obligations/well.json");
    assert_eq!(network("obligations/well.hcl", rules, &["--obligations", &written]).status, 0);
    let run = verify(&[&written, "--state", &data("state-after.json"), "--plan", &data("plan.json")]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    has(&run.out, "    upheld          assumption         id notnull(stringprefix(\"vpc-\"))\n");
    has(&run.out, "    upheld          arn                arn starts with \"arn:\"\n");
    has(&run.out, "\nObligations: 2 upheld, 0 broken, 0 not verifiable.\n");
    let hash = serde_json::from_str::<Value>(&read(&written)).expect("JSON")["sha256"].clone();
    has(&run.out, &format!("  # plan sha256 {}\n", hash.as_str().expect("a hash")));
}

#[test]
fn what_is_broken_is_named_and_what_is_sensitive_is_not_shown() {
    let rules = "rule \"names\" {\n  resource = \"aws_db_instance.orders\"\n  attribute \"identifier\" {\n    \
                 ends_with = \"-db\"\n    message = \"{key} is {value}: {failure}\"\n  }\n}\n\
                 rule \"ids\" {\n  resource = \"aws_vpc\"\n  severity = \"warning\"\n  attribute \"id\" { len = 3 }\n}\n";
    let written = target("obligations/broken.json");
    let options = ["--no-schema-facts", "--obligations", &written];
    assert_eq!(network("obligations/broken.hcl", rules, &options).status, 0);
    let state = state("obligations/broken-state.json", |resources| {
        values(resources, "aws_db_instance.orders")["identifier"] = json!("hunter2");
        for resource in resources {
            if resource["address"] == "aws_db_instance.orders" {
                resource["sensitive_values"]["identifier"] = json!(true);
            }
        }
    });
    let run = verify(&[&written, "--state", &state]);
    assert_eq!(run.status, 1);
    has(&run.out, "  # aws_db_instance.orders\n    broken          names ");
    has(&run.out, "\n                    identifier is (sensitive value): it is (sensitive value)\n");
    has(&run.out, "    warning         ids ");
    has(&run.out, "\nObligations: 0 upheld, 1 broken, 1 warned, 0 not verifiable.\n");
    let json = verify(&[&written, "--state", &state, "--format", "json"]);
    assert_eq!(json.status, 1);
    has_not(&(run.out + &json.out), "hunter2");
    let report: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(report["summary"], json!({"upheld": 0, "broken": 1, "warned": 1, "not_verifiable": 0}));
    let finding = &report["findings"][0];
    assert_eq!((&finding["finding"], &finding["rule"]), (&json!("broken"), &json!("names")));
    assert_eq!(
        finding["breaches"],
        json!([{"path": "identifier", "message": "identifier is (sensitive value): it is (sensitive value)"}])
    );
    // A warning alone does not fail.
    let rules = rules.split("rule \"ids\"").nth(1).expect("two rules");
    network("obligations/warned.hcl", &format!("rule \"ids\"{rules}"), &["--obligations", &written]);
    assert_eq!(verify(&[&written, "--state", &state]).status, 0);
}

#[test]
fn what_is_not_there_is_not_verifiable() {
    let written = data("obligations.json");
    let state = state("obligations/missing.json", |resources| {
        resources.retain(|resource| resource["address"] != "aws_vpc.main");
        for address in ["aws_subnet.mixed", "aws_subnet.spare"] {
            values(resources, address)["ipv4_ipam_pool_id"] = Value::Null;
        }
        values(resources, "aws_db_instance.orders").as_object_mut().expect("an object").remove("identifier");
        values(resources, "aws_subnet.mixed")["vpc_id"] = "other".into();
    });
    let run = verify(&[&written, "--state", &state]);
    has(
        &run.out,
        "    not verifiable  assumption         id notnull(stringprefix(\"vpc-\"))\n                    the state has no such resource\n",
    );
    has(&run.out, "                    there is no attribute \"identifier\"\n");
    // What the configuration says is broken, as the provider chose another value.
    has(&run.out, "\n    broken          fact               vpc_id notnull(stringprefix(\"vpc-\"))\n");
    has(&run.out, "\nObligations: 15 upheld, 1 broken, 4 not verifiable.\n");
    assert_eq!(run.status, 1);
    let empty = file("obligations/empty.json", "{\"format_version\": \"1.0\"}");
    let run = verify(&[&written, "--state", &empty]);
    assert_eq!(run.status, 3);
    has(&run.out, "\nObligations: 0 upheld, 0 broken, 20 not verifiable.\n");
}

#[test]
fn inputs_that_cannot_be_used_end_with_2() {
    let (obligations, state) = (data("obligations.json"), data("state-after.json"));
    for (arguments, message) in [
        (vec!["no-such.json", "--state", &*state], "error: no-such.json: no such file or directory\n"),
        (vec![&*obligations, "--state", "no-such.json"], "error: no-such.json: no such file or directory\n"),
        (vec![&*state, "--state", &*state], "state-after.json: not a file of obligations: "),
        (
            vec![&*obligations, "--state", &*obligations],
            "obligations.json: not a state: there are no values\n",
        ),
        (vec![&*obligations, "--state", &*data("plan.json")], "plan.json: not a state: this is a plan\n"),
        (
            vec![&*obligations, "--state", &*state, "--plan", &*data("first/plan.json")],
            "first/plan.json: the obligations were made from another plan, of sha256 583fc977",
        ),
    ] {
        let run = verify(&arguments);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{arguments:?}");
        has(&run.err, message);
    }
    let broken = file("obligations/misspelt.json", read(&obligations).replace("\"not_null\"", "\"not_nul\""));
    let run = verify(&[&broken, "--state", &state]);
    assert_eq!(run.status, 2);
    has(&run.err, "must.at.not_nul: there is no rule \"not_nul\"; did you mean \"not_null\"? at line ");
}

#[test]
fn obligations_are_of_one_plan_and_are_written_where_they_can_be() {
    let (plan, rules) = (data("plan.json"), data("questions/rules.hcl"));
    let written = target("obligations/several.json");
    let run = check(&[&plan, &plan, "--rules", &rules, "--obligations", &written]);
    assert_eq!((run.status, read(&written).as_str()), (2, ""));
    has(&run.err, "error: --obligations takes one plan");
    let nowhere = format!("{written}/no/such/folder.json");
    let run = check(&["--obligations", &nowhere]);
    assert_eq!(run.status, 2);
    has(&run.err, &format!("error: {nowhere}: not a directory\n"));
}

#[test]
fn what_differs_from_the_plan_is_a_broken_promise() {
    let rules =
        "rule \"arn\" {\n  resource = \"aws_vpc\"\n  attribute \"arn\" { starts_with = \"arn:\" }\n}\n";
    let written = target("obligations/promises.json");
    let options = ["--no-schema-facts", "--obligations", &written];
    assert_eq!(network("obligations/promises.hcl", rules, &options).status, 0);
    let (plan, schemas) = (data("plan.json"), data("provider-schemas.json"));
    let verified = |state: &str, more: &[&str]| {
        verify(&[&[&*written, "--state", state, "--plan", &plan], more].concat())
    };
    let run = verified(&data("state-after.json"), &["--schemas", &schemas]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{}", run.out);
    has(&run.out, " kept, 0 broken, 0 tolerated, ");

    let changed = state("obligations/promises-state.json", |resources| {
        values(resources, "aws_vpc.main")["cidr_block"] = json!("10.99.0.0/16");
    });
    // Without schemas the obligations alone are looked at, and they are upheld.
    assert_eq!(verified(&changed, &[]).status, 0);
    let run = verified(&changed, &["--schemas", &schemas]);
    assert_eq!((run.status, run.err.as_str()), (1, ""), "{}", run.out);
    has(&run.out, "  # aws_vpc.main\n    broken          .cidr_block: was cty.StringVal(\"");
    has(&run.out, "\"), but now cty.StringVal(\"10.99.0.0/16\")\n");
    has(&run.out, " kept, 1 broken, 0 tolerated, ");
    let run = verified(&changed, &["--schemas", &schemas, "--legacy-type-system"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{}", run.out);
    has(&run.out, "    tolerated       .cidr_block: was cty.StringVal(\"");
    let json = verified(&changed, &["--schemas", &schemas, "--format", "json"]);
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["promises"]["broken"][0]["path"], "cidr_block");

    let gone = state("obligations/promises-gone.json", |resources| {
        resources.retain(|resource| resource["address"] != "aws_internet_gateway.main");
    });
    let run = verified(&gone, &["--schemas", &schemas]);
    has(&run.out, "    broken          Root object was present, but now absent\n");
}

#[test]
fn promises_of_a_binary_plan() {
    let binary = TFPLAN.to_owned();
    let (rules, schemas, state) =
        (data("rules.hcl"), data("provider-schemas.json"), data("state-after.json"));
    let written = target("obligations/binary.json");
    check(&[&binary, "--rules", &rules, "--schemas", &schemas, "--obligations", &written]);
    let run = verify(&[&written, "--state", &state, "--plan", &binary, "--schemas", &schemas]);
    assert_eq!(run.err, "");
    has(&run.out, " kept, 0 broken, 0 tolerated, ");
    // A plan of Terraform has no schemas inside: the obligations alone are looked at.
    let run = verify(&[&written, "--state", &state, "--plan", &binary]);
    assert_eq!(run.err, "");
    has_not(&run.out, " kept, ");
}
