//! The JSON that is made of a binary plan beside the one that Terraform 1.11.4 made of it (`terraform show -json`).

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::Plan;
use serde_json::{Map, Value as Json, json};

/// Modules, `for_each` with odd keys, `count`, provisioners, outputs, conditions, a sensitive variable with the value `hunter2`.
const BINARY: &[u8] = include_bytes!("modules.tfplan");
const JSON: &[u8] = include_bytes!("modules.json.gz");

fn plan() -> Plan {
    Plan::read_binary(BINARY, &ProviderSchemas::new()).unwrap()
}

fn ours() -> Json {
    serde_json::from_str(&plan().to_json_text(&ProviderSchemas::new()).unwrap()).unwrap()
}

fn theirs() -> Json {
    serde_json::from_str(&crate::packed::text(JSON)).unwrap()
}

/// Theirs without what is sensitive, which is unknown in ours, and without the versions of schemas, which ours were not given.
fn public(value: &Json) -> Json {
    match value {
        Json::Object(object) => {
            let kept = object.iter().filter(|(name, value)| {
                **value != json!("hunter2") && !matches!(&***name, "schema_version" | "index_unknown")
            });
            let mut kept: Map<String, Json> =
                kept.map(|(name, value)| (name.clone(), public(value))).collect();
            if kept.get("sensitive") == Some(&json!(true)) {
                kept.remove("type");
            }
            Json::Object(kept)
        }
        Json::Array(items) => items.iter().map(public).collect(),
        other => other.clone(),
    }
}

/// The places where two documents differ.
fn differences(ours: &Json, theirs: &Json, place: &str, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Json::Object(a), Json::Object(b)) => {
            let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for name in names {
                let part =
                    |object: &Map<String, Json>| object.get(name).cloned().unwrap_or(json!("(absent)"));
                differences(&part(a), &part(b), &format!("{place}.{name}"), found);
            }
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                differences(a, b, &format!("{place}[{index}]"), found);
            }
        }
        (a, b) if a == b => {}
        (a, b) => found.push(format!("{place}: {a}, theirs {b}")),
    }
}

#[test]
fn what_other_tools_read_is_as_terraform_writes_it() {
    let (ours, theirs) = (ours(), public(&theirs()));
    let mut found = Vec::new();
    for part in [
        "variables",
        "planned_values",
        "resource_changes",
        "output_changes",
        "configuration",
        "checks",
        "relevant_attributes",
    ] {
        differences(&ours[part], &theirs[part], part, &mut found);
    }
    // What is sensitive is unknown here.
    // The type of an unknown output is known here.
    found.retain(|one| !one.starts_with("planned_values.outputs.o.type: "));
    found.retain(|one| !one.contains("after_unknown.input.secret") && !one.contains("output_changes.sec"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_sensitive_is_written() {
    let text = ours().to_string();
    assert!(!text.contains("hunter2"));
    let again = Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap();
    assert!(again.unlisted_resources.is_empty());
    assert_eq!(again.resource_changes.len(), plan().resource_changes.len());
}

/// The addresses of instances with odd keys are the same in both forms.
#[test]
fn instance_keys_are_the_same_in_both_forms() {
    let json = Plan::read(theirs().to_string().as_bytes(), &ProviderSchemas::new()).unwrap();
    let keys = |plan: &Plan| {
        let changes = plan.resource_changes.iter();
        changes.map(|change| (change.address.clone(), change.index.clone())).collect::<Vec<_>>()
    };
    let again = Plan::read(ours().to_string().as_bytes(), &ProviderSchemas::new()).unwrap();
    assert_eq!(keys(&again), keys(&json));
    let sorted = |mut keys: Vec<_>| {
        keys.sort();
        keys
    };
    assert_eq!(sorted(keys(&plan())), sorted(keys(&json)));
    assert!(keys(&json).iter().any(|(_, index)| *index == Some("${q}".into())));
}
