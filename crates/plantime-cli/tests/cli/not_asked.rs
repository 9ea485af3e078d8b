//! What is not asked never looks like passed.

use std::path::Path;

use crate::{Run, check, file, run};

/// A plan that creates the bucket `a` with these attributes.
fn plan(name: &str, known: &str) -> String {
    let text = format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "aws_s3_bucket.a", "mode": "managed",
        "type": "aws_s3_bucket", "name": "a", "provider_name": "aws", "change": {{"actions": ["create"], "before": null,
        "after": {{{known}}}, "after_unknown": {{"arn": true}}, "before_sensitive": false, "after_sensitive": {{}}}}}}]}}"#
    );
    file(&format!("not_asked/{name}.json"), text)
}

fn rules(name: &str, attributes: &[&str]) -> String {
    let rule = |attribute: &&str| {
        format!(
            "rule \"{attribute}\" {{\n  resource = \"aws_s3_bucket\"\n  attribute \"{attribute}\" {{ not_null = true }}\n}}\n"
        )
    };
    file(&format!("not_asked/{name}.hcl"), attributes.iter().map(rule).collect::<String>())
}

#[test]
fn a_quiet_run_says_what_asks_nothing_and_why_it_ends_with_another_status() {
    let plan = plan("quiet", "\"bucket\": \"x\"");
    let misspelt = file(
        "not_asked/misspelt.hcl",
        "rule \"a\" {\n  resource = \"aws_s3_bukcet\"\n  attribute \"bucket\" { not_null = true }\n}\n",
    );
    let run = check(&[&plan, "--rules", &misspelt, "-q"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("no matching resources: rule a"), "{}", run.out);
    assert!(run.out.contains("the nearest type is `aws_s3_bucket`"), "{}", run.out);
    let run = check(&[&plan, "--rules", &misspelt, "-q", "--strict"]);
    assert_eq!(run.status, 3, "{}", run.err);
    let last = run.out.lines().last().expect("a line");
    assert_eq!(last, "Open questions (--strict): 1 rule or skip that is not asked.");
    let open = rules("open", &["bucket", "arn"]);
    for more in [&["-q"][..], &[]] {
        let run = check(&[&[&*plan, "--rules", &open, "--strict", "--no-catalogue"], more].concat());
        assert_eq!(run.status, 3, "{}", run.out);
        assert!(run.out.contains("Open questions (--strict): 1 undetermined."), "{}", run.out);
    }
}

/// An attribute that an older version of the provider lacks takes no other answers with it.
#[test]
fn a_rule_about_what_one_plan_lacks_is_not_asked_there_alone() {
    let new = plan("new", "\"bucket\": \"x\", \"region\": \"eu-west-1\"");
    let old = plan("old", "\"bucket\": \"y\"");
    let both = rules("both", &["region", "bucket"]);
    let run = check(&[&new, &old, "--rules", &both]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("3 pass, 0 fail"), "{}", run.out);
    let note = "aws_s3_bucket.a: there is no attribute \"region\": rule region";
    for more in [&[][..], &["-q"]] {
        let run = check(&[&[&*new, &old, "--rules", &both], more].concat());
        assert!(run.out.contains(note), "{}", run.out);
    }
    let run = check(&[&new, &old, "--rules", &both, "--strict"]);
    assert_eq!(run.status, 3, "{}{}", run.out, run.err);
    // Where no plan has it, it is probably misspelt: an error, and the others are answered all the same.
    let run = check(&[&old, "--rules", &both]);
    assert_eq!(run.status, 2, "{}", run.out);
    assert!(
        run.err.contains("both.hcl:3:") && run.err.contains("there is no attribute \"region\""),
        "{}",
        run.err
    );
    assert!(run.out.contains("1 pass, 0 fail"), "{}", run.out);
    let run = check(&[&new, &old, "--rules", &rules("nowhere", &["regio", "bucket"])]);
    assert_eq!(run.status, 2, "{}", run.out);
    assert_eq!(run.err.matches("there is no attribute \"regio\"").count(), 1, "{}", run.err);
    assert!(run.out.contains("2 pass, 0 fail"), "{}", run.out);
}

fn validate(arguments: &[&str]) -> Run {
    run(&[&["validate"], arguments].concat())
}

#[test]
fn arguments_that_no_schema_checks_are_named() {
    let text = "resource \"aws_vpc\" \"a\" {\n  nope = 1\n}\ndata \"aws_ami\" \"b\" {}\nresource \"terraform_data\" \"c\" {}\n";
    let path = file("not_asked/config/main.tf", text);
    let folder = Path::new(&path).parent().expect("a folder").display().to_string();
    let run = validate(&[&folder]);
    let expected = "The configuration is valid, as far as it was checked.\n\
                    Not checked are the arguments of 2 resources, whose providers have no schemas here (--schemas): aws_vpc.a, data.aws_ami.b.\n";
    assert_eq!((run.out.as_str(), run.status), (expected, 0), "{}", run.err);
    let run = validate(&[&folder, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["not_checked"], serde_json::json!(["aws_vpc.a", "data.aws_ami.b"]));
    // What Terraform writes for a configuration without providers is a file of schemas.
    let path = file("not_asked/own/main.tf", "resource \"terraform_data\" \"c\" {}\n");
    let folder = Path::new(&path).parent().expect("a folder").display().to_string();
    let schemas = file("not_asked/schemas.json", "{\"format_version\":\"1.0\"}\n");
    let run = validate(&[&folder, "--schemas", &schemas]);
    assert_eq!((run.out.as_str(), run.status), ("The configuration is valid.\n", 0), "{}", run.err);
}

/// A property twice is two answers to one question.
#[test]
fn a_property_twice_in_a_plan_is_an_error() {
    let twice = plan("twice", "\"bucket\": \"bad\", \"bucket\": \"good\"");
    let run = check(&[&twice, "--rules", &rules("twice", &["bucket"])]);
    assert!(run.status == 2 && run.err.contains("occurs twice"), "{} {}", run.out, run.err);
}
