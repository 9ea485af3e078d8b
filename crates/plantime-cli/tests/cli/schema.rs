//! The JSON Schema of `check --format json`: every output of the tests is what it says, and has no property that it does not name.

use serde_json::Value as Json;

use super::{Run, check};

const SCHEMA: &str = include_str!("../../docs/check.schema.json");

/// What the schema says otherwise of a value. It has the keywords that the schema uses, and no other.
fn problems(root: &Json, schema: &Json, value: &Json, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut wrong = |what: String| found.push(format!("{place}: {what}"));
    let object = schema.as_object().expect("a schema is an object");
    let mut below = Vec::new();
    for (keyword, argument) in object {
        match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" => {}
            "$ref" => {
                let name =
                    argument.as_str().and_then(|text| text.strip_prefix("#/$defs/")).expect("a definition");
                below.extend(problems(root, &root["$defs"][name], value, place));
            }
            "type" => {
                let is = |name: &str| match name {
                    "string" => value.is_string(),
                    "null" => value.is_null(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("a type {other}"),
                };
                let names: Vec<&str> = match argument {
                    Json::Array(names) => names.iter().filter_map(Json::as_str).collect(),
                    name => name.as_str().into_iter().collect(),
                };
                if !names.iter().any(|name| is(name)) {
                    wrong(format!("no {argument}: {value}"));
                }
            }
            "enum" => {
                if !argument.as_array().is_some_and(|all| all.contains(value)) {
                    wrong(format!("none of {argument}: {value}"));
                }
            }
            "minimum" => {
                if value.as_i64().zip(argument.as_i64()).is_some_and(|(value, least)| value < least) {
                    wrong(format!("less than {argument}: {value}"));
                }
            }
            "pattern" => {
                assert_eq!(argument, "^1\\.[0-9]+$");
                let text = value.as_str().and_then(|text| text.strip_prefix("1."));
                if !text
                    .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
                {
                    wrong(format!("no version 1: {value}"));
                }
            }
            "required" => {
                for name in argument.as_array().expect("names") {
                    if value.get(name.as_str().expect("a name")).is_none() {
                        wrong(format!("no property {name}"));
                    }
                }
            }
            "properties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    match argument.get(name) {
                        Some(schema) => {
                            below.extend(problems(root, schema, value, &format!("{place}.{name}")))
                        }
                        None => wrong(format!("a property {name} that the schema does not name")),
                    }
                }
            }
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    below.extend(problems(root, argument, item, &format!("{place}[{at}]")));
                }
            }
            "anyOf" => {
                let mut all = argument.as_array().expect("schemas").iter();
                if !all.any(|schema| problems(root, schema, value, place).is_empty()) {
                    wrong(format!("none of the schemas: {value}"));
                }
            }
            other => panic!("the test does not know the keyword {other}"),
        }
    }
    found.extend(below);
    found
}

/// The run, whose output is what the schema says if it is JSON.
#[track_caller]
pub(crate) fn of_the_schema(arguments: &[&str], run: Run) -> Run {
    let is_json = arguments.windows(2).any(|pair| pair == ["--format", "json"]);
    if is_json && let Ok(output) = serde_json::from_str::<Json>(&run.out) {
        let schema: Json = serde_json::from_str(SCHEMA).expect("the schema is JSON");
        let problems = problems(&schema, &schema, &output, "");
        assert!(problems.is_empty(), "{problems:#?}");
    }
    run
}

#[test]
fn what_the_schema_forbids_is_found() {
    let schema: Json = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let output: Json = serde_json::from_str(&check(&["--format", "json"]).out).expect("JSON");
    assert!(problems(&schema, &schema, &output, "").is_empty());
    for (pointer, value, expected) in [
        ("/format_version", "2.0".into(), "no version 1"),
        ("/plans/0/answers/0/outcome", "good".into(), "none of"),
        ("/plans/0/answers/0/position/line", 0.into(), "less than 1"),
        ("/plans/0/more", 1.into(), "a property more"),
        ("/summary/pass", "1".into(), "no \"integer\""),
    ] {
        let mut wrong = output.clone();
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
        wrong.pointer_mut(parent).expect("a place")[name] = value;
        let found = problems(&schema, &schema, &wrong, "").join("\n");
        assert!(found.contains(expected), "{found}");
    }
    let mut wrong = output;
    wrong["plans"][0].as_object_mut().expect("an object").remove("answers");
    assert!(problems(&schema, &schema, &wrong, "")[0].contains("no property \"answers\""));
}
