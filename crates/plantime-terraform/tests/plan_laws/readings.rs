//! A plan checked with schemas and a state read without, or the other way round: what `verify` and assumptions then say.

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Finding, Obligations, State};

use crate::asking::{self, answers, report, rules, word};

const SCHEMAS: &str = r#"{"provider_schemas": {"p": {"resource_schemas": {"x_y": {"block": {"attributes": {
    "u": {"type": "string", "computed": true}, "s": {"type": "string", "optional": true, "computed": true},
    "l": {"type": ["list", "string"], "optional": true, "computed": true}, "st": {"type": ["set", "string"], "optional": true, "computed": true},
    "m": {"type": ["map", "string"], "optional": true, "computed": true},
    "lo": {"type": ["list", ["object", {"a": "string"}]], "optional": true, "computed": true}}}}}}}}"#;

fn both() -> [ProviderSchemas; 2] {
    [ProviderSchemas::new(), asking::schemas(SCHEMAS)]
}

fn plan(before: &str, after: &str, unknown: &str) -> String {
    format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a",
           "provider_name": "p", "change": {{"actions": ["update"], "before": {before}, "after": {after},
           "after_unknown": {unknown}, "before_sensitive": {{}}, "after_sensitive": {{}}}}}}]}}"#
    )
}

fn state(values: &str, schemas: &ProviderSchemas) -> State {
    let json = format!(
        r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [{{"address": "x_y.a", "mode": "managed",
           "type": "x_y", "name": "a", "provider_name": "p", "values": {values}, "sensitive_values": {{}}}}]}}}}}}"#
    );
    State::read(json.as_bytes(), schemas).unwrap()
}

fn obligations(json: &str, body: &str, schemas: &ProviderSchemas) -> Obligations {
    let rules = rules(&format!("rule \"r\" {{\n resource = \"x_y\"\n {body}\n}}"));
    let text = report(json, schemas, &rules).unwrap().obligations(b"").to_json().to_string();
    Obligations::read(text.as_bytes()).unwrap()
}

/// `immutable` compares values of the same types, whatever schemas the plan and the state were read with.
#[test]
fn a_change_is_verified_the_same_with_other_schemas() {
    for (name, same, other) in [
        ("l", r#"["x"]"#, r#"["y"]"#),
        ("st", r#"["x", "z"]"#, r#"["x"]"#),
        ("m", r#"{"k": "x"}"#, r#"{"k": "x", "j": "y"}"#),
        ("lo", r#"[{"a": "x"}]"#, r#"[{"a": "y"}]"#),
        ("s", r#""x""#, r#""y""#),
    ] {
        let json = plan(&format!(r#"{{"{name}": {same}}}"#), "{}", &format!(r#"{{"{name}": true}}"#));
        for (body, is_same) in [("immutable = true", true), ("not", false)] {
            let body = match body {
                "not" => format!("not {{\n change \"{name}\" {{ immutable = true }}\n}}"),
                test => format!("change \"{name}\" {{ {test} }}"),
            };
            for checked in both() {
                let open = obligations(&json, &body, &checked);
                assert_eq!(open.obligations.len(), 1, "{body}");
                for read in both() {
                    for (after, expected) in [(same, is_same), (other, !is_same)] {
                        let state = state(&format!(r#"{{"{name}": {after}}}"#), &read);
                        let found = &open.verify(&state).verified[0].finding;
                        let with = (checked.providers.len(), read.providers.len());
                        match found {
                            Finding::Upheld => assert!(expected, "{body} {after} {with:?}"),
                            Finding::Broken(_) => assert!(!expected, "{body} {after} {with:?}"),
                            Finding::NotVerifiable(why) => panic!("{body} {after} {with:?}: {why}"),
                        }
                    }
                }
            }
        }
    }
}

/// What a state lacks is not null, with schemas as without.
#[test]
fn an_attribute_that_the_state_lacks_is_not_verifiable() {
    let json = plan("{}", "{}", r#"{"s": true}"#);
    for body in ["attribute \"s\" { starts_with = \"a\" }", "attribute \"s\" { not_null = true }"] {
        for checked in both() {
            let open = obligations(&json, body, &checked);
            for read in both() {
                let found = open.verify(&state(r#"{"u": "x"}"#, &read)).verified.remove(0).finding;
                assert!(matches!(found, Finding::NotVerifiable(_)), "{body}: {found:?}");
            }
        }
    }
}

/// An assumed length is compared with a known value, also where no schema says that it is a list.
#[test]
fn an_assumed_length_needs_no_schema() {
    for schemas in both() {
        for (known, expected) in [(r#"["x"]"#, false), (r#"["w", "x", "y", "z"]"#, true)] {
            let json = plan("{}", &format!(r#"{{"l": {known}, "s": "a"}}"#), "{}");
            let text = "assume \"x_y\" {\n l = assumed(notnull(listlength(1, 3)))\n}\n\
                        rule \"r\" {\n resource = \"x_y\"\n attribute \"s\" { starts_with = \"a\" }\n}";
            let report = report(&json, &schemas, &rules(text)).unwrap();
            let all = answers(&report).into_values().flatten().collect::<Vec<_>>();
            assert_eq!(word(&all), crate::asking::Word::Pass);
            assert_eq!(report.to_json()["summary"]["contradicted"] != 0, expected, "{known}");
        }
    }
}
