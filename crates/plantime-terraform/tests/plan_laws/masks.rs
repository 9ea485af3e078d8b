//! What a hostile plan says of unknown and sensitive places makes nothing known and nothing public.
//!
//! Masks (`after_unknown`, `after_sensitive`) are trees beside the value. Whatever stands at a place of a mask that is neither
//! a bool, null nor a container like the value's is read as `true`.

use plantime::Mark;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Plan, PlanReport, Sensitivity, State};

use crate::asking::{self, report, rules};

/// A plan that creates `x_y.a` with this value and these masks.
fn plan(after: &str, masks: &str) -> String {
    format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "x_y.a", "mode": "managed", "type": "x_y",
           "name": "a", "provider_name": "p", "change": {{"actions": ["create"], "before": null, "after": {after}{masks}}}}}]}}"#
    )
}

fn schemas() -> [ProviderSchemas; 2] {
    let declared = r#"{"provider_schemas": {"p": {"resource_schemas": {"x_y": {"block": {"attributes": {
        "s": {"type": "string", "computed": true}, "l": {"type": ["list", "string"], "computed": true},
        "m": {"type": ["map", "string"], "computed": true}}}}}}}}"#;
    [ProviderSchemas::new(), asking::schemas(declared)]
}

/// Masks of an unexpected form for a string, a list, a map.
const MASKS: [(&str, &[&str]); 3] = [
    (
        "s",
        &[
            "\"true\"",
            "\"\"",
            "1",
            "0",
            "[true]",
            "{\"x\": true}",
            "[1]",
            "{\"x\": \"\"}",
            "[[{\"x\": [0]}]]",
        ],
    ),
    ("l", &["\"true\"", "1", "{\"0\": true}", "[\"x\"]", "[0]", "[[true]]", "[{\"0\": 1}]"]),
    ("m", &["\"true\"", "1", "[true]", "[0]", "{\"k\": \"x\"}", "{\"k\": [true]}", "{\"k\": 1}"]),
];

const AFTER: &str = r#"{"s": "hush", "l": ["hush"], "m": {"k": "hush"}}"#;

#[test]
fn a_mask_of_an_unexpected_form_hides() {
    for schemas in schemas() {
        for (name, masks) in MASKS {
            for mask in masks {
                let json = plan(
                    AFTER,
                    &format!(r#", "after_unknown": {{}}, "after_sensitive": {{"{name}": {mask}}}"#),
                );
                let plan = Plan::read(json.as_bytes(), &schemas).unwrap();
                let value = plan.resource_changes[0].change.after.as_ref().unwrap().at(name).unwrap();
                assert!(!value.to_string().contains("hush"), "{name} {mask}: {value}");
                assert!(value.contains_marks(), "{name} {mask}");
            }
        }
        for mask in ["\"x\"", "1", "[true]", "[1]"] {
            let json = plan(AFTER, &format!(r#", "after_unknown": {{}}, "after_sensitive": {mask}"#));
            let plan = Plan::read(json.as_bytes(), &schemas).unwrap();
            let value = plan.resource_changes[0].change.after.as_ref().unwrap();
            assert!(value.marks().contains(&Mark::SENSITIVE), "{mask}");
        }
        // A mask that is not there says nothing, and neither does null.
        for masks in ["", r#", "after_sensitive": null"#] {
            let plan = Plan::read(plan(AFTER, masks).as_bytes(), &schemas).unwrap();
            assert_eq!(plan.resource_changes[0].change.after_sensitivity, Sensitivity::Unstated, "{masks}");
        }
        // More elements than the value has.
        let json = plan(AFTER, r#", "after_unknown": {}, "after_sensitive": {"l": [false, true]}"#);
        let plan = Plan::read(json.as_bytes(), &schemas).unwrap();
        let list = plan.resource_changes[0].change.after.as_ref().unwrap().at("l").unwrap();
        assert!(list.is_marked());
        let state = format!(
            r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [{{"address": "x_y.a", "mode": "managed",
               "type": "x_y", "name": "a", "provider_name": "p", "values": {AFTER}, "sensitive_values": {{"s": "x"}}}}]}}}}}}"#
        );
        let state = State::read(state.as_bytes(), &schemas).unwrap();
        assert!(state.resources[0].value.at("s").unwrap().is_marked());
    }
}

#[test]
fn a_mask_of_an_unexpected_form_makes_nothing_known() {
    for schemas in schemas() {
        for (name, masks) in MASKS {
            for mask in masks {
                let json = plan(
                    AFTER,
                    &format!(r#", "after_unknown": {{"{name}": {mask}}}, "after_sensitive": {{}}"#),
                );
                let plan = Plan::read(json.as_bytes(), &schemas).unwrap();
                let value = plan.resource_changes[0].change.after.as_ref().unwrap().at(name).unwrap();
                assert!(!value.is_wholly_known(), "{name} {mask}: {value}");
            }
        }
    }
}

/// What writers of plans do say.
#[test]
fn masks_of_the_usual_form_are_about_their_places() {
    for schemas in schemas() {
        for mask in [
            "false",
            "null",
            "{}",
            "{\"s\": false}",
            "{\"s\": null, \"l\": [false], \"m\": {\"k\": false}}",
            "{\"l\": [], \"m\": {}}",
        ] {
            let json = plan(AFTER, &format!(r#", "after_unknown": {mask}, "after_sensitive": {{}}"#));
            let plan = Plan::read(json.as_bytes(), &schemas).unwrap();
            let value = plan.resource_changes[0].change.after.clone().unwrap();
            assert!(value.is_wholly_known() && !value.contains_marks(), "{mask}");
        }
        let json =
            plan(AFTER, r#", "after_unknown": {"l": [false, true]}, "after_sensitive": {"m": {"k": true}}"#);
        let plan = Plan::read(json.as_bytes(), &schemas).unwrap();
        let value = plan.resource_changes[0].change.after.as_ref().unwrap();
        assert!(value.at("s").unwrap().is_wholly_known() && !value.at("m").unwrap().is_marked());
        assert!(!value.at("l").unwrap().is_wholly_known());
    }
}

fn outcomes(report: &PlanReport) -> Vec<String> {
    asking::answers(report).into_values().flatten().map(|answer| answer.outcome).collect()
}

#[test]
fn a_resource_all_of_which_is_unknown_is_asked() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n attribute \"s\" { starts_with = \"a\" }\n}");
    for schemas in schemas() {
        for json in [
            plan("null", r#", "after_unknown": true, "after_sensitive": false"#),
            plan("null", r#", "after_unknown": {"s": true}"#),
        ] {
            let report = report(&json, &schemas, &rules).unwrap();
            assert_eq!(outcomes(&report), ["undetermined"], "{json}");
        }
    }
}

/// Errors and notes on what cannot be read name no key behind a mark, and no key where nothing says what is marked.
#[test]
fn what_cannot_be_read_shows_no_key() {
    let contents = [
        r#"{"hushk": 1e9999999}"#,
        r#"{"hushk": {"hushq": 1e9999999}}"#,
        r#"{"hushk": "x", "hushk": "y"}"#,
        r#"{"hushk": {"hushq": 1, "hushq": 2}}"#,
        r#"{"hushk": [1e9999999]}"#,
        r#"{"hushk" "x"}"#,
        r#"{"hushk": hush}"#,
        r#"{"hushk": "\q"}"#,
    ];
    let deep = format!(r#"{{"hushk": {}1{}}}"#, "[".repeat(300), "]".repeat(300));
    let masks = [
        r#", "after_sensitive": {"m": true}"#,
        r#", "after_sensitive": true"#,
        r#", "after_sensitive": null"#,
        "",
    ];
    let variable = |content: &str| {
        format!(
            r#"{{"format_version": "1.2", "resource_changes": [], "variables": {{"v": {{"value": {content}}}}}}}"#
        )
    };
    let output = |content: &str, mask: &str| {
        format!(
            r#"{{"format_version": "1.2", "resource_changes": [], "output_changes": {{"o": {{"actions": ["create"],
               "before": null, "after": {content}, "after_unknown": false, "after_sensitive": {mask}}}}}}}"#
        )
    };
    let state = |content: &str| {
        format!(
            r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [{{"address": "x_y.a", "mode": "managed",
               "type": "x_y", "name": "a", "provider_name": "p", "values": {{"m": {content}}}, "sensitive_values": {{"m": true}}}}]}}}}}}"#
        )
    };
    for schemas in schemas() {
        for content in contents.iter().copied().chain([&*deep]) {
            // A schema says what is sensitive, where the plan does not.
            let masks = masks.iter().take(if schemas.providers.is_empty() { 4 } else { 2 });
            let mut plans: Vec<String> =
                masks.map(|mask| plan(&format!("{{\"m\": {content}}}"), mask)).collect();
            plans.push(variable(content));
            plans.extend(["true", "null"].map(|mask| output(content, mask)));
            for json in plans {
                let said = match Plan::read(json.as_bytes(), &schemas) {
                    Ok(plan) => format!("{:?}", plan.notes),
                    Err(error) => format!("{error} {error:?} {}", error.path()),
                };
                assert!(!said.contains("hush"), "{said}\n{json}");
            }
            let said = match State::read(state(content).as_bytes(), &schemas) {
                Ok(state) => format!("{:?}", state.notes),
                Err(error) => format!("{error} {error:?} {}", error.path()),
            };
            assert!(!said.contains("hush"), "{said}");
        }
    }
}
