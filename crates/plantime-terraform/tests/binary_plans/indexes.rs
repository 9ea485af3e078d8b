//! Rules on the element at an index: nothing declares the type of an attribute such as `terraform_data.input`, so JSON does not
//! say whether an array is a list or a set, and the binary plan does. Both forms of a plan give the same answer for a set, and no
//! answers that contradict each other for a list.

use std::collections::BTreeMap;

use plantime::source::Source;
use plantime::{Step, Value, View};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, TestVerdict, check};

use crate::packed;
use crate::recorded::{collection, files_below, schemas_of};

/// A plan of Terraform 1.15.5 with every kind of value as the input of a `terraform_data`.
const BINARY: &[u8] = include_bytes!("kinds.tfplan");
const JSON: &[u8] = include_bytes!("kinds.json.gz");

/// The answer of each rule that has one, with the reasons that a failure gives.
fn answers(plan: &Plan, schemas: &ProviderSchemas, rules: &str) -> BTreeMap<String, (&'static str, String)> {
    let options = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", rules)).unwrap(),
        schemas: schemas.clone(),
        configuration: None,
        show_values: true,
        facts: Default::default(),
    };
    // With a schema that declares a set, an index is a mistake in the rules file.
    let Ok(report) = check("plan", plan, &options) else { return BTreeMap::new() };
    let answers = report.checked.iter().flat_map(|checked| &checked.answers);
    answers
        .map(|answer| {
            let said = match &answer.verdict {
                TestVerdict::Fail(failure) => ("fail", failure.diagnostics.to_string()),
                TestVerdict::Undetermined(reason) => ("undetermined", reason.remaining().to_string()),
                _ => ("pass", String::new()),
            };
            (answer.rule.to_string(), said)
        })
        .collect()
}

/// A rule on one attribute of one resource.
fn rule(name: usize, address: &str, attribute: &str, test: &str) -> String {
    format!("rule \"r{name}\" {{\n  resource = {address:?}\n  attribute {attribute:?} {{ {test} }}\n}}\n")
}

#[test]
fn the_member_of_a_set_at_an_index_is_the_same_in_both_forms() {
    let schemas = ProviderSchemas::new();
    let binary = Plan::read_binary(BINARY, &schemas).unwrap();
    let json = Plan::read(&packed::bytes(JSON), &schemas).unwrap();
    for (key, attribute, test, of_json, of_binary) in [
        ("set", "input[0]", "one_of = [\"a\"]", "pass", "pass"),
        ("set", "input[1]", "one_of = [\"a\"]", "fail", "fail"),
        ("set", "input[2]", "not_null = true", "fail", "fail"),
        ("nset", "input[0]", "max = 1", "pass", "pass"),
        ("nset", "input[2]", "max = 1", "fail", "fail"),
        // The order of objects in a set is not said by their content.
        ("soo", "input[0].a", "max = 2", "pass", "pass"),
        ("soo", "input[0].a", "max = 1", "undetermined", "undetermined"),
        ("soo", "input[0].a", "min = 3", "fail", "fail"),
        ("los", "input[0][0]", "one_of = [\"q\"]", "pass", "pass"),
        ("los", "input[0][0]", "one_of = [\"p\"]", "fail", "fail"),
        ("list", "input[1]", "one_of = [\"b\"]", "pass", "pass"),
        ("tuple", "input[1]", "max = 1", "pass", "pass"),
    ] {
        let text = rule(0, &format!("terraform_data.v[{key:?}]"), attribute, test);
        let said = |plan: &Plan| answers(plan, &schemas, &text).remove("r0").unwrap();
        let (json, binary) = (said(&json), said(&binary));
        assert_eq!((json.0, binary.0), (of_json, of_binary), "{text}{json:?}\n{binary:?}");
    }
}

/// The first places below an attribute that are primitive and lie in an array, as paths with indexes and texts of their values.
fn indexed_places(name: &str, value: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    value.walk(|path, part| {
        let in_array = path.steps().iter().any(|step| match step {
            Step::Index(key) => key.as_number().is_ok(),
            Step::Attr(_) => false,
        });
        let is_scalar = matches!(part.view(), View::String(_) | View::Number(_) | View::Bool(_));
        let text = part.to_string();
        if in_array && is_scalar && !text.contains("${") && found.len() < 4 {
            found.push((format!("{name}{path}"), text));
        }
        part.marks().is_empty() && found.len() < 4
    });
    found
}

#[test]
fn rules_on_recorded_arrays_are_not_contradicted_by_the_other_form() {
    let Some(root) = collection() else { return };
    let mut paths = Vec::new();
    files_below(&root, ".tfplan", &mut paths);
    paths.sort();
    let (mut asked, mut same, mut more) = (0, 0, 0);
    let mut wrong = Vec::new();
    for path in &paths {
        let json = packed::read(&path.with_extension("json"))
            .or_else(|| packed::read(&path.with_file_name("plan.json")));
        let (Some(json), Some(binary)) = (json, packed::read(path)) else { continue };
        if !json.windows(14).any(|text| text == b"terraform_data") {
            continue;
        }
        for schemas in [ProviderSchemas::new(), schemas_of(path)] {
            let json = Plan::read(&json, &schemas).unwrap();
            let binary = Plan::read_binary(&binary, &schemas).unwrap();
            let mut rules = String::new();
            let mut count = 0;
            for change in &json.resource_changes {
                let Some(View::Object(object)) = change.change.after.as_ref().map(Value::view) else {
                    continue;
                };
                for (name, value) in object.iter() {
                    let builtin = change.type_name.as_ref() == "terraform_data";
                    for (place, text) in indexed_places(name, value).into_iter().filter(|_| builtin) {
                        rules += &rule(count, &change.address, &place, &format!("one_of = [{text}]"));
                        rules += &rule(count + 1, &change.address, &place, "one_of = [\"no value\"]");
                        count += 2;
                    }
                }
            }
            let of_json = answers(&json, &schemas, &rules);
            let of_binary = answers(&binary, &schemas, &rules);
            for (name, (json, _)) in &of_json {
                let (binary, why) = &of_binary[name];
                asked += 1;
                match (*json, *binary) {
                    (json, binary) if json == binary => same += 1,
                    ("undetermined", _) => more += 1,
                    _ => wrong.push(format!("{}: {name} {json} {binary} {why}\n{rules}", path.display())),
                }
            }
        }
    }
    println!("{asked} rules asked of both forms, {same} the same, {more} decided by the binary plan alone");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked > 20);
}
