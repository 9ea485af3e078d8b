//! Plans as documents: nothing is dropped, and what is known of unknown values is written and read again.

use plantime::{Mark, Refinement, Type, Value, View};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Plan, PlanDocument, PlanStates};
use serde_json::Value as Json;

use super::{collection, files, is_plan};

fn written(text: &[u8]) -> String {
    let mut out = Vec::new();
    PlanDocument::parse(text).unwrap().write_json(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The text as Go's encoder writes it, if it already is without white space: only characters of HTML may differ.
fn escaped_for_html(text: &str) -> String {
    text.trim_end().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[test]
fn every_real_plan_is_written_as_it_was_read() {
    let Some(root) = collection() else { return };
    let (mut plans, mut compact) = (0, 0);
    for (name, content) in files(&root) {
        let json: Json = serde_json::from_slice(&content).unwrap();
        if !is_plan(&json) {
            continue;
        }
        plans += 1;
        let written = written(&content);
        let text = std::str::from_utf8(&content).unwrap();
        // Without any white space between tokens the text is compact.
        if !text.trim_end().contains(['\n', '\t']) && text.starts_with("{\"format_version\":") {
            compact += 1;
            assert!(written == escaped_for_html(text), "{name} is written otherwise");
        }
        assert!(serde_json::from_str::<Json>(&written).unwrap() == json, "{name} is another document");
        assert!(self::written(written.as_bytes()) == written, "{name} is not in canonical form");
    }
    println!("{plans} plans written as they were read, {compact} of them byte for byte");
    assert!(compact > 0);
}

const PLAN: &str = r#"{"format_version":"1.2","later":{"b":1e+2,"a":[]},"resource_changes":[
 {"address":"a.x","type":"a","name":"x","mode":"managed","provider_name":"p","change":{"actions":["create"],"before":null,
  "after":{"known":1,"nested":[{},{"k":"v"}],"tags":[{"n":1}]},
  "after_unknown":{"id":true,"size":true,"zones":true,"secret":true,"nested":[{},{"id":true}],"tags":[{"id":true}]},
  "before_sensitive":false,"after_sensitive":{"secret":true},"later":null}},
 {"address":"a.y","type":"a","name":"y","mode":"managed","provider_name":"p","change":{"actions":["create"],"before":null,
  "after":{"k":1},"after_unknown":{"id":true},"before_sensitive":false,"after_sensitive":{}}}],
 "output_changes":{"o":{"actions":["create"],"before":null,"after_unknown":true,"before_sensitive":false,"after_sensitive":false}}}"#;

/// The plan with refinements of its unknown values, as the binary plan has them.
fn with_knowledge() -> Plan {
    let mut plan = Plan::read(PLAN.as_bytes(), &ProviderSchemas::new()).unwrap();
    let of = |ty: Type, text: &str| Value::refined(ty, text.parse().unwrap()).unwrap();
    let id = || of(Type::String, r#"notnull(stringprefix("vpc-<"))"#);
    let pattern = || of(Type::String, r#"notnull(stringpattern("^i-[0-9a-f]{8}$"))"#);
    let after = Value::object([
        ("id", id()),
        ("known", Value::from(1)),
        ("size", of(Type::Number, "numberabove(1), numbermax(10000000000000000000001)")),
        ("zones", of(Type::list(Type::String).unwrap(), "notnull(length(1, 3))")),
        ("secret", of(Type::String, r#"stringprefix("hunter")"#).mark(Mark::SENSITIVE)),
        (
            "nested",
            Value::tuple([
                Value::object::<&str, Value>([]).unwrap(),
                Value::object([("id", pattern()), ("k", Value::from("v"))]).unwrap(),
            ])
            .unwrap(),
        ),
        (
            "tags",
            Value::tuple([
                Value::object([("id", Value::unknown(Type::Dynamic)), ("n", Value::from(1))]).unwrap()
            ])
            .unwrap(),
        ),
    ]);
    let resource = std::sync::Arc::make_mut(&mut plan.resource_changes[0]);
    resource.change.after = Some(after.unwrap());
    plan.output_changes.get_mut("o").unwrap().after =
        Some(Value::refined(Type::Bool, Refinement::not_null()).unwrap());
    plan
}

#[test]
fn refinements_are_written_beside_after_unknown_and_read_again() {
    let plan = with_knowledge();
    let document = PlanDocument::parse(PLAN.as_bytes()).unwrap();
    let mut out = Vec::new();
    document.write_json_with_refinements(&mut out, &plan).unwrap();
    let text = String::from_utf8(out.clone()).unwrap();
    let json: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(
        json["resource_changes"][0]["change"]["after_refinements"],
        serde_json::json!({
            "id": {"type": "string", "not_null": true, "prefix": "vpc-<"},
            "size": {"type": "number", "above": "1", "max": "10000000000000000000001"},
            "zones": {"type": "list(string)", "not_null": true, "min_length": 1, "max_length": 3},
            "nested": [null, {"id": {"type": "string", "not_null": true, "strings": "stringpattern(\"^i-[0-9a-f]{8}$\")"}}],
        })
    );
    // Nothing is known of the unknown value of the second resource, so that it has no tree.
    assert!(json["resource_changes"][1]["change"].get("after_refinements").is_none());
    assert!(!text.contains("hunter"));
    let read = Plan::read(&out, &ProviderSchemas::new()).unwrap();
    let mut expected = plan.clone();
    // What is behind a mark is not written.
    let resource = std::sync::Arc::make_mut(&mut expected.resource_changes[0]);
    let after = resource.change.after.as_ref().unwrap();
    let secret = Value::unknown(Type::Dynamic).mark(Mark::SENSITIVE);
    let View::Object(object) = after.view() else { panic!() };
    let attributes: Vec<_> = object
        .iter()
        .map(|(name, value)| (name, if name == "secret" { secret.clone() } else { value.clone() }))
        .collect();
    resource.change.after = Some(Value::object(attributes).unwrap());
    assert_eq!(read.notes, []);
    assert_eq!(read.resource_changes[0].change, expected.resource_changes[0].change);
    assert_eq!(read.output_changes, expected.output_changes);
    // Written again with what was read, nothing changes; written without, neither.
    let again = PlanDocument::parse(&out).unwrap();
    let mut twice = Vec::new();
    again.write_json_with_refinements(&mut twice, &read).unwrap();
    assert_eq!(String::from_utf8(twice).unwrap(), text);
    assert_eq!(written(&out), text);
}

#[test]
fn refinements_that_do_not_fit_are_reported_and_ignored() {
    for (refinements, message) in [
        (r#"{"type":"number","prefix":"a"}"#, true),
        (r#"{"type":"list(","not_null":true}"#, true),
        (r#"{"type":"number","min":"2","max":"1","not_null":true}"#, true),
        (r#"{"type":"number","min":2}"#, true),
        (r#"{"type":"number","min":"1e8000"}"#, true),
        (r#"{"type":"number","one_of":["1","1e8000"]}"#, true),
        (r#"{"type":"number","one_of":["1",2]}"#, true),
        (r#"{"type":"number","one_of":"1"}"#, true),
        (r#"{"type":"number","one_of":[]}"#, true),
        (r#"{"type":"string","not_null":1,"later":[]}"#, false),
        ("null", false),
    ] {
        let text = PLAN.replace(
            r#""after_unknown":{"id":true},"#,
            &format!(r#""after_unknown":{{"id":true}},"after_refinements":{{"id":{refinements}}},"#),
        );
        let plan = Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap();
        assert_eq!(!plan.notes.is_empty(), message, "{refinements}: {:?}", plan.notes);
        let after = plan.resource_changes[1].change.after.as_ref().unwrap();
        assert!(!after.is_wholly_known());
    }
    let text = PLAN.replace(r#""later":{"#, r#""refinements_format_version":"2.0","later":{"#);
    let error = Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap_err();
    assert!(error.to_string().contains("refinements of format \"2.0\" are not supported"), "{error}");
}

#[test]
fn a_list_of_numbers_is_written_and_read() {
    let refinement = Refinement::one_of_numbers([9, 1, 5]).unwrap().and_not_null();
    let one = Value::refined(Type::Number, refinement).unwrap();
    let mut plan = Plan::read(PLAN.as_bytes(), &ProviderSchemas::new()).unwrap();
    let after = Value::object([("id", one.clone()), ("k", Value::from(1))]).unwrap();
    std::sync::Arc::make_mut(&mut plan.resource_changes[1]).change.after = Some(after);
    let mut out = Vec::new();
    PlanDocument::parse(PLAN.as_bytes()).unwrap().write_json_with_refinements(&mut out, &plan).unwrap();
    let json: Json = serde_json::from_slice(&out).unwrap();
    let written = &json["resource_changes"][1]["change"]["after_refinements"]["id"];
    let stated = serde_json::json!({"type": "number", "not_null": true, "one_of": ["1", "5", "9"]});
    assert_eq!(*written, stated);
    let schema: Json =
        serde_json::from_str(include_str!("../../docs/after_refinements.schema.json")).unwrap();
    assert!(fits_schema(written, schema["$defs"]["refinement"]["properties"].as_object().unwrap()));
    let read = Plan::read(out.as_slice(), &ProviderSchemas::new()).unwrap();
    let after = read.resource_changes[1].change.after.as_ref().unwrap();
    assert_eq!(after.at("id").unwrap(), one);
}

/// Everything that a plan in JSON says is in the types; what the newest versions say too.
#[test]
fn every_property_of_a_plan_is_read() {
    let change = r#""change":{"actions":["delete","create"],"before":{"id":"i","p":"s"},"after":{"p":"s"},"after_unknown":{"id":true},
        "before_sensitive":{"p":true},"after_sensitive":{"p":true},"replace_paths":[["id"],["l",0,"k"]],
        "importing":{"id":"i","unknown":true,"identity":{"n":1}},"generated_config":"resource","before_identity":{"n":1},
        "after_identity":{"n":2}}"#;
    let resource = |more: &str| {
        format!(
            r#"{{"address":"module.m.a.x[0]","previous_address":"a.x","module_address":"module.m","mode":"managed","type":"a",
            "name":"x","provider_name":"p","deposed":"0a1b2c3d","action_reason":"replace_because_tainted",{more},{change}}}"#
        )
    };
    let action = r#"{"address":"action.b.c","type":"b","name":"c","provider_name":"p","config_values":{"k":1},"config_sensitive":{},
        "config_unknown":{"u":true},"lifecycle_action_trigger":{"triggering_resource_address":"a.x","action_trigger_event":"AfterCreate",
        "action_trigger_block_index":1,"actions_list_index":2,"on_failure":"continue"}}"#;
    let invoked = r#"{"address":"action.b.d","type":"b","name":"d","invoke_action_trigger":{"calling_resource_address":"a.x"}}"#;
    let text = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.15.5","variables":{{"v":{{"value":[1]}}}},
        "planned_values":{{"outputs":{{"o":{{"sensitive":true,"type":["list","string"]}}}},"root_module":{{}}}},
        "resource_drift":[{}],"resource_changes":[{}],"deferred_changes":[{{"reason":"instance_count_unknown","resource_change":{}}}],
        "action_invocations":[{action},{invoked}],"deferred_action_invocations":[{{"reason":"absent_prereq","action_invocation":{action}}}],
        "output_changes":{{"o":{{"actions":["create"],"before":null,"after_unknown":true,"before_sensitive":false,"after_sensitive":true}}}},
        "prior_state":{{"format_version":"1.0","terraform_version":"1.15.4","values":{{"outputs":{{"o":{{"sensitive":false,"value":1,"type":"number"}}}},
          "root_module":{{"resources":[{{"address":"a.x","mode":"managed","type":"a","name":"x","provider_name":"p","schema_version":3,
            "values":{{"id":"i"}},"sensitive_values":{{}},"depends_on":["a.y"],"tainted":true,"deposed_key":"0a","identity":{{"n":1}}}}]}}}},
          "checks":[{{"address":{{"kind":"check","to_display":"check.c"}},"status":"pass","instances":[]}}]}},
        "configuration":{{"root_module":{{"variables":{{"v":{{"sensitive":true}}}}}}}},
        "relevant_attributes":[{{"resource":"a.x","attribute":["l",0]}}],
        "checks":[{{"address":{{"kind":"output_value","to_display":"output.o","name":"o"}},"status":"fail","instances":[
          {{"address":{{"to_display":"output.o"}},"status":"fail","problems":[{{"message":"No."}}]}}]}}],
        "timestamp":"2026-11-25T12:00:00Z","applyable":true,"complete":false,"errored":true}}"#,
        resource(r#""index":0"#),
        resource(r#""index":0"#),
        resource(r#""index_unknown":true"#),
    );
    let none = ProviderSchemas::new();
    let plan = Plan::read(text.as_bytes(), &none).unwrap();
    let resource = &plan.resource_changes[0];
    assert_eq!((resource, &*resource.address), (&plan.resource_drift[0], "module.m.a.x[0]"));
    assert_eq!(
        (resource.previous_address.as_deref(), resource.module_address.as_deref()),
        (Some("a.x"), Some("module.m"))
    );
    assert_eq!(
        (resource.deposed.as_deref(), resource.action_reason.as_deref()),
        (Some("0a1b2c3d"), Some("replace_because_tainted"))
    );
    assert_eq!((&resource.index, resource.has_unknown_index), (&Some(Value::from(0)), false));
    let change = &resource.change;
    assert_eq!((change.actions.len(), change.replace_paths.len()), (2, 2));
    let importing = change.importing.as_ref().unwrap();
    assert!(importing.unknown && importing.id.is_some() && importing.identity.is_some());
    assert!(change.generated_config.is_some() && change.before_identity != change.after_identity);
    assert!(
        change.before.as_ref().unwrap().contains_marks() && change.after.as_ref().unwrap().contains_marks()
    );
    let deferred = plan.deferred_changes[0].change.as_ref().unwrap();
    assert_eq!(
        (plan.deferred_changes[0].reason.as_deref(), deferred.has_unknown_index),
        (Some("instance_count_unknown"), true)
    );
    let [action, invoked, later] = &plan.action_invocations[..] else { panic!("{plan:?}") };
    let triggers = [&action.trigger, &later.trigger].map(|trigger| format!("{trigger:?}"));
    assert!(
        triggers.iter().all(|text| text.contains("after_create") && text.contains("continue")),
        "{triggers:?}"
    );
    assert!(
        format!("{:?}", invoked.trigger).contains("a.x")
            && later.deferred.as_deref() == Some("absent_prereq")
    );
    assert_eq!(action.config.as_ref().unwrap().at("k").unwrap(), Value::from(1));
    assert!(
        plan.variables["v"].contains_marks()
            && plan.output_changes["o"].after.as_ref().unwrap().contains_marks()
    );
    assert_eq!(plan.output_types["o"].to_string(), "list(string)");
    assert_eq!((plan.relevant_attributes.len(), &*plan.checks[0].kind), (1, "output_value"));
    assert_eq!(plan.checks[0].instances[0].problems, ["No."]);
    assert_eq!((plan.applyable, plan.complete, plan.errored), (Some(true), Some(false), Some(true)));
    assert!(plan.timestamp.is_some() && plan.notes.is_empty());
    let state = PlanStates::read(text.as_bytes(), &none).unwrap().prior.unwrap();
    let found = &state.resources[0];
    assert_eq!(
        (found.schema_version, found.is_tainted, found.deposed.as_deref()),
        (Some(3), true, Some("0a"))
    );
    assert!(found.identity.is_some() && found.depends_on == ["a.y"]);
    assert_eq!((&state.outputs["o"], state.checks.len()), (&Value::from(1), 1));
    // What is written of the plan and read again says the same; what is sensitive is unknown there.
    let again = Plan::read(plan.to_json_text(&ProviderSchemas::new()).unwrap().as_bytes(), &none).unwrap();
    assert_eq!((&again.checks, &again.timestamp), (&plan.checks, &plan.timestamp));
    assert!(again.deferred_changes[0].change.as_ref().unwrap().has_unknown_index);
    let triggers_of =
        |plan: &Plan| plan.action_invocations.iter().map(|one| one.trigger.clone()).collect::<Vec<_>>();
    assert_eq!(triggers_of(&again), triggers_of(&plan));
}

#[test]
fn documents_keep_the_order_of_unknown_properties() {
    let text = "{\"z\": 1, \"format_version\": \"1.2\", \"a\" : {\"y\":1.50,\"b\":\"<\"}}";
    assert_eq!(written(text.as_bytes()), r#"{"z":1,"format_version":"1.2","a":{"y":1.50,"b":"\u003c"}}"#);
    let document = PlanDocument::parse(text.as_bytes()).unwrap();
    let names: Vec<_> = document.properties().map(|(name, _)| name).collect();
    assert_eq!(names, ["z", "format_version", "a"]);
    assert_eq!(document.property("a"), Some("{\"y\":1.50,\"b\":\"<\"}"));
    for (text, expected) in [
        ("[]", "the JSON is no object"),
        ("{}", "there is no format_version"),
        ("{\"format_version\":\"1.2\",}", "a comma before a closing bracket"),
        ("{\"format_version\":\"1.2\"} x", "extraneous data"),
    ] {
        let error = PlanDocument::parse(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

/// Whether a tree has the form that the JSON Schema in `docs` describes.
fn fits_schema(tree: &Json, known: &serde_json::Map<String, Json>) -> bool {
    match tree {
        Json::Array(items) => items.iter().all(|item| item.is_null() || fits_schema(item, known)),
        Json::Object(entries) if entries.get("type").is_some_and(Json::is_string) => {
            entries.len() > 1 && entries.keys().all(|key| known.contains_key(key))
        }
        Json::Object(entries) => entries.values().all(|item| fits_schema(item, known)),
        _ => false,
    }
}

#[test]
fn the_json_schema_in_the_documentation_has_every_property_of_a_refinement() {
    let text = include_str!("../../docs/after_refinements.schema.json");
    let schema: Json = serde_json::from_str(text).unwrap();
    let known = schema["$defs"]["refinement"]["properties"].as_object().unwrap();
    let mut out = Vec::new();
    let document = PlanDocument::parse(PLAN.as_bytes()).unwrap();
    document.write_json_with_refinements(&mut out, &with_knowledge()).unwrap();
    let json: Json = serde_json::from_slice(&out).unwrap();
    assert!(fits_schema(&json["resource_changes"][0]["change"]["after_refinements"], known));
    assert!(fits_schema(&json["output_changes"]["o"]["after_refinements"], known));
    assert!(!fits_schema(&serde_json::json!({"a": true}), known));
    assert!(
        schema["title"].as_str().unwrap().ends_with(plantime_terraform::plan::REFINEMENTS_FORMAT_VERSION)
    );
}
