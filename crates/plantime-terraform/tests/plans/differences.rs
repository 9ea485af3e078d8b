//! What differs between two plans of one configuration.

use plantime::{Refinement, Type, Value};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    ChangeDifferenceKind, CheckStatus, Plan, PlanDifferences, ValueDifferenceKind, diff,
};

use super::{collection, files};

/// A plan that changes `a.x` like this.
fn plan(actions: &str, after: &str, unknown: &str, sensitive: &str) -> Plan {
    let text = format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"a.x","type":"a","name":"x","mode":"managed",
        "provider_name":"p","change":{{"actions":{actions},"before":null,"after":{after},"after_unknown":{unknown},
        "before_sensitive":false,"after_sensitive":{sensitive}}}}}]}}"#
    );
    Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap()
}

fn create(after: &str, unknown: &str) -> Plan {
    plan(r#"["create"]"#, after, unknown, "{}")
}

/// The paths of the values that differ, with the kind of each.
fn values(differences: &PlanDifferences) -> Vec<String> {
    let values = differences.changes.iter().flat_map(|change| &change.values);
    values.map(|value| format!("{} {}", value.path, value.kind)).collect()
}

fn text(differences: &PlanDifferences) -> String {
    let (mut text, mut json) = (Vec::new(), Vec::new());
    differences.write_text(&mut text).unwrap();
    differences.write_json(&mut json).unwrap();
    let json = String::from_utf8(json).unwrap();
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
    String::from_utf8(text).unwrap() + &json
}

#[test]
fn values_are_more_known_less_known_or_different() {
    let first = create(r#"{"a":1,"b":[1,2],"c":{"d":"x"},"e":1}"#, r#"{"id":true,"b":[false,false]}"#);
    let second = create(r#"{"a":2,"b":[1,3],"c":{"d":"x"},"f":1,"id":"i"}"#, r#"{"e":true}"#);
    let differences = diff(&first, &second);
    assert_eq!(
        values(&differences),
        ["a different", "b[1] different", "e less known", "f different", "id more known"]
    );
    assert_eq!(values(&diff(&second, &first))[4], "id less known");
    let text = text(&differences);
    assert!(text.contains("~ a.x (create)\n    a: different: 1 -> 2\n"), "{text}");
    assert!(text.contains("    f: different: (no such part) -> 1\n"), "{text}");
    assert!(text.contains("Changes: 0 appeared, 0 vanished, 1 changed."), "{text}");
}

#[test]
fn refinements_are_compared() {
    let with = |refinement: Refinement| {
        let mut plan = create("{}", r#"{"id":true}"#);
        let id = Value::refined(Type::String, refinement).unwrap();
        std::sync::Arc::make_mut(&mut plan.resource_changes[0]).change.after =
            Some(Value::object([("id", id)]).unwrap());
        plan
    };
    let (any, vpc) = (with(Refinement::not_null()), with(Refinement::prefix("vpc-").and_not_null()));
    let subnet = with(Refinement::prefix("subnet-").and_not_null());
    for (first, second, kind) in [
        (&any, &vpc, ValueDifferenceKind::MoreKnown),
        (&vpc, &any, ValueDifferenceKind::LessKnown),
        (&vpc, &subnet, ValueDifferenceKind::Different),
        (&vpc, &create(r#"{"id":"vpc-1"}"#, "{}"), ValueDifferenceKind::MoreKnown),
        (&vpc, &create(r#"{"id":"sg-1"}"#, "{}"), ValueDifferenceKind::Different),
        (&create(r#"{"id":"vpc-1"}"#, "{}"), &vpc, ValueDifferenceKind::LessKnown),
    ] {
        let differences = diff(first, second);
        assert_eq!(differences.changes[0].values[0].kind, kind, "{differences:?}");
    }
    assert!(diff(&vpc, &vpc).changes.is_empty());
}

#[test]
fn changes_appear_vanish_and_have_other_actions() {
    let none = plan(r#"["no-op"]"#, "{}", "{}", "{}");
    let (update, replace) =
        (plan(r#"["update"]"#, "{}", "{}", "{}"), plan(r#"["delete","create"]"#, "{}", "{}", "{}"));
    let kind = |first: &Plan, second: &Plan| diff(first, second).changes[0].kind;
    assert_eq!(kind(&none, &update), ChangeDifferenceKind::Appeared);
    assert_eq!(kind(&update, &none), ChangeDifferenceKind::Vanished);
    assert_eq!(kind(&update, &Plan::default()), ChangeDifferenceKind::Vanished);
    assert_eq!(kind(&update, &replace), ChangeDifferenceKind::Changed);
    assert!(diff(&none, &Plan::default()).changes.is_empty());
    assert!(text(&diff(&update, &replace)).starts_with("~ a.x (update, now delete and create)\n"));
}

/// A plan with these resource changes, drift and checks.
fn plan_of(changes: &str, drift: &str, checks: &str) -> Plan {
    let text = format!(
        r#"{{"format_version":"1.2","resource_changes":[{changes}],"resource_drift":[{drift}],"checks":[{checks}]}}"#
    );
    Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap()
}

/// The change of a resource at an address.
fn at(address: &str, previous: &str, actions: &str, after: &str) -> String {
    let (kind, name) = address.split_once('.').unwrap();
    let previous = match previous {
        "" => String::new(),
        previous => format!(r#""previous_address":"{previous}","#),
    };
    format!(
        r#"{{"address":"{address}",{previous}"type":"{kind}","name":"{name}","mode":"managed","provider_name":"p",
        "change":{{"actions":{actions},"before":null,"after":{after},"after_unknown":{{}},"before_sensitive":false,"after_sensitive":{{}}}}}}"#
    )
}

#[test]
fn elements_of_lists_are_aligned() {
    let lists = |first: &str, second: &str| {
        let of = |list: &str| create(&format!(r#"{{"l":{list}}}"#), "{}");
        let differences = diff(&of(first), &of(second));
        differences.changes.iter().flat_map(|change| &change.values).cloned().collect::<Vec<_>>()
    };
    let shown = |first: &str, second: &str| -> Vec<String> {
        let texts = lists(first, second).into_iter().map(|value| {
            let side = |side: &Option<Value>| side.as_ref().map_or("-".to_owned(), Value::to_string);
            format!(
                "{} {} {} {} {}",
                value.first_path,
                value.path,
                value.kind,
                side(&value.first),
                side(&value.second)
            )
        });
        texts.collect()
    };
    assert_eq!(shown("[1,2,3]", "[1,3]"), ["l[1] l[1] different 2 -"]);
    assert_eq!(shown("[1,3]", "[1,2,3,4]"), ["l[1] l[1] different - 2", "l[3] l[3] different - 4"]);
    assert_eq!(shown("[1,2,3]", "[2,3,1]"), ["l[0] l[2] moved 1 1"]);
    assert_eq!(
        shown(r#"[{"a":1,"b":1},{"a":2}]"#, r#"[{"a":0},{"a":1,"b":2},{"a":2}]"#),
        [
            "l[0].a l[0].a different 1 0",
            "l[0].b l[0].b different 1 -",
            "l[1] l[1] different - {a = 1, b = 2}"
        ]
    );
    // What follows an element that is new is compared with what it was.
    assert_eq!(
        shown(r#"[1,[2,3],4]"#, r#"[0,1,[2,5],4]"#),
        ["l[0] l[0] different - 0", "l[1][1] l[2][1] different 3 5"]
    );
    let text = text(&diff(&create(r#"{"l":[1,[2,3],4]}"#, "{}"), &create(r#"{"l":[0,1,[2,5],4]}"#, "{}")));
    assert!(text.contains("    l[2][1] (was l[1][1]): different: 3 -> 5\n"), "{text}");
    assert!(text.contains(r#""first_path":"l[1][1]""#), "{text}");
}

#[test]
fn an_element_that_becomes_known_is_reported_as_more_known() {
    let first = create(r#"{"l":["a",null]}"#, r#"{"l":[false,true]}"#);
    let second = create(r#"{"l":["a","b","c"]}"#, "{}");
    assert_eq!(values(&diff(&first, &second)), ["l[1] more known", "l[2] different"]);
    assert_eq!(values(&diff(&second, &first)), ["l[1] less known", "l[2] different"]);
}

#[test]
fn members_of_sets_are_differences_of_their_own() {
    let with = |members: &[&str]| {
        let mut plan = create("{}", "{}");
        let set = Value::set_of(Type::String, members.iter().map(|member| Value::from(*member))).unwrap();
        std::sync::Arc::make_mut(&mut plan.resource_changes[0]).change.after =
            Some(Value::object([("s", set)]).unwrap());
        plan
    };
    let differences = diff(&with(&["a", "b"]), &with(&["b", "c"]));
    assert_eq!(values(&differences), ["s[\"a\"] different", "s[\"c\"] different"]);
    let [lost, new] = &differences.changes[0].values[..] else { panic!("{differences:?}") };
    assert_eq!((&lost.second, &new.first), (&None, &None));
}

#[test]
fn resources_that_moved_are_paired_with_themselves() {
    let update = r#"["update"]"#;
    let first = plan_of(&at("a.x", "", update, r#"{"k":1}"#), "", "");
    let moved = |after: &str| plan_of(&at("a.y", "a.x", update, after), "", "");
    let differences = diff(&first, &moved(r#"{"k":1}"#));
    let [change] = &differences.changes[..] else { panic!("{differences:?}") };
    assert_eq!((&*change.address, change.first_address.as_deref()), ("a.y", Some("a.x")));
    assert_eq!((change.kind, change.values.len()), (ChangeDifferenceKind::Moved, 0));
    let shown = text(&differences);
    assert!(shown.starts_with("> a.y, was a.x (update)\n"), "{shown}");
    assert!(shown.contains("0 appeared, 0 vanished, 0 changed, 1 moved."), "{shown}");
    // Also back, and with another value.
    let differences = diff(&moved(r#"{"k":2}"#), &first);
    let [change] = &differences.changes[..] else { panic!("{differences:?}") };
    assert_eq!((&*change.address, change.first_address.as_deref()), ("a.x", Some("a.y")));
    assert_eq!(
        (change.kind, values(&differences)),
        (ChangeDifferenceKind::Changed, vec!["k different".to_owned()])
    );
    // A plan that only moves says so.
    let none = r#"["no-op"]"#;
    let (still, moves) =
        (plan_of(&at("a.x", "", none, "{}"), "", ""), plan_of(&at("a.y", "a.x", none, "{}"), "", ""));
    assert_eq!(diff(&still, &moves).changes[0].kind, ChangeDifferenceKind::Appeared);
    assert!(diff(&moves, &moves).changes.is_empty());
    // Another resource took the place of the one that moved.
    let both = plan_of(
        &[at("a.y", "a.x", update, r#"{"k":1}"#), at("a.x", "", update, r#"{"k":1}"#)].join(","),
        "",
        "",
    );
    let kinds: Vec<_> =
        diff(&first, &both).changes.iter().map(|change| (change.address.clone(), change.kind)).collect();
    assert_eq!(kinds, [("a.y".to_owned(), ChangeDifferenceKind::Appeared)]);
}

#[test]
fn drift_and_checks_are_compared() {
    let check = |status: &str| {
        format!(
            r#"{{"address":{{"kind":"check","to_display":"check.c"}},"status":"{status}","instances":[
            {{"address":{{"to_display":"check.c"}},"status":"{status}"}}]}}"#
        )
    };
    let drift = |value: i64| at("a.x", "", r#"["update"]"#, &format!(r#"{{"k":{value}}}"#));
    let (first, second) = (plan_of("", &drift(1), &check("unknown")), plan_of("", &drift(2), &check("pass")));
    let differences = diff(&first, &second);
    assert!(differences.changes.is_empty());
    assert_eq!((&*differences.drift[0].address, differences.drift[0].values.len()), ("a.x", 1));
    let [check] = &differences.checks[..] else { panic!("{differences:?}") };
    assert_eq!((&check.first, &check.second), (&Some(CheckStatus::Unknown), &Some(CheckStatus::Pass)));
    let shown = text(&differences);
    assert!(
        shown.starts_with(
            "\nChanged outside of the configuration:\n~ a.x (update)\n    k: different: 1 -> 2\n\nConditions:\n~ check.c: unknown -> pass\n"
        ),
        "{shown}"
    );
    assert_eq!(diff(&first, &Plan::default()).checks[0].second, None);
    assert!(text(&diff(&first, &first)).starts_with("No differences"));
}

/// A plan with a deferred change, an action that a change invokes, and one that the command line does.
fn deferring(reason: &str, argument: &str, secret: &str) -> Plan {
    let text = format!(
        r#"{{"format_version":"1.2","resource_changes":[],"deferred_changes":[{{"reason":"{reason}","resource_change":{{
        "address":"a.x","type":"a","name":"x","mode":"managed","provider_name":"p","change":{{"actions":["create"],"before":null,
        "after":{{"k":{argument},"p":{secret}}},"after_unknown":{{}},"before_sensitive":false,"after_sensitive":{{"p":true}}}}}}}}],
        "action_invocations":[{{"address":"action.t.n","type":"t","name":"n","provider_name":"p",
        "config_values":{{"k":{argument},"p":{secret}}},"config_sensitive":{{"p":true}},"config_unknown":{{}},
        "lifecycle_action_trigger":{{"triggering_resource_address":"a.y","action_trigger_event":"AfterCreate",
        "action_trigger_block_index":0,"actions_list_index":1}}}}],
        "deferred_action_invocations":[{{"reason":"{reason}","action_invocation":{{"address":"action.t.m","type":"t","name":"m",
        "provider_name":"p","invoke_action_trigger":{{}}}}}}]}}"#
    );
    Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap()
}

#[test]
fn deferred_changes_and_actions_are_compared() {
    let (first, second) = (deferring("x", "1", "\"a\""), deferring("y", "2", "\"a\""));
    let shown = text(&diff(&first, &second));
    let expected = "\nDeferred to a later plan:\n~ a.x (create, x, now y)\n    k: different: 1 -> 2\n\nActions:\n\
                    ~ action.t.m, invoked, deferred: x, now y\n\
                    ~ action.t.n, after_create of a.y (action_trigger 0, action 1)\n    k: different: 1 -> 2\n";
    assert!(shown.starts_with(expected), "{shown}");
    let appeared = text(&diff(&Plan::default(), &first));
    let expected = "\nDeferred to a later plan:\n+ a.x (create, x)\n\nActions:\n+ action.t.m, invoked, deferred: x\n\
                    + action.t.n, after_create of a.y (action_trigger 0, action 1)\n";
    assert!(appeared.starts_with(expected), "{appeared}");
    assert!(text(&diff(&first, &Plan::default())).contains("- action.t.m, invoked, deferred: x\n"));
    // What is deferred in one plan and planned in the other vanishes there and appears here.
    let differences = diff(&first, &create("{}", "{}"));
    assert_eq!(differences.deferred[0].change.kind, ChangeDifferenceKind::Vanished);
    assert_eq!(differences.changes[0].kind, ChangeDifferenceKind::Appeared);
    assert!(diff(&first, &first).is_empty());
    // Nothing depends on what is behind a mark.
    let with = |secret: &str| {
        let other = deferring("x", "1", secret);
        text(&diff(&first, &other)) + &text(&diff(&other, &second))
    };
    for secret in ["\"hush\"", "null", "[\"hush\"]", "7"] {
        assert_eq!(with(secret), with("\"a\""), "{secret}");
    }
    assert!(!with("\"hush\"").contains("hush"));
}

/// The JSON has the properties that the JSON Schema in the documentation requires, and no others.
#[test]
fn the_json_schema_in_the_documentation_describes_differences() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../docs/differences.schema.json")).unwrap();
    let check = r#"{"address":{"kind":"check","to_display":"check.c"},"status":"pass"}"#;
    let first = plan_of(&at("a.x", "", r#"["update"]"#, r#"{"l":[1,2],"k":1}"#), "", check);
    let second = plan_of(
        &at("a.y", "a.x", r#"["update"]"#, r#"{"l":[2],"k":2}"#),
        &at("a.z", "", r#"["delete"]"#, "null"),
        "",
    );
    let mut json = Vec::new();
    diff(&first, &second).write_json(&mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let fits = |object: &serde_json::Value, schema: &serde_json::Value| {
        let object = object.as_object().unwrap();
        let known = schema["properties"].as_object().unwrap();
        let required = schema["required"].as_array().unwrap();
        assert!(object.keys().all(|key| known.contains_key(key)), "{object:?}");
        assert!(required.iter().all(|key| object.contains_key(key.as_str().unwrap())), "{object:?}");
    };
    fits(&json, &schema);
    for change in [&json["changes"][0], &json["drift"][0]] {
        fits(change, &schema["$defs"]["change"]);
    }
    for value in json["changes"][0]["values"].as_array().unwrap() {
        fits(value, &schema["$defs"]["value"]);
    }
    fits(&json["checks"][0], &schema["$defs"]["check"]);
    let (first, second) = (deferring("x", "1", "\"a\""), deferring("y", "2", "\"a\""));
    let mut json_of_deferred = Vec::new();
    diff(&first, &second).write_json(&mut json_of_deferred).unwrap();
    let deferred: serde_json::Value = serde_json::from_slice(&json_of_deferred).unwrap();
    fits(&deferred["deferred"][0], &schema["$defs"]["deferred"]);
    fits(&deferred["actions"][0], &schema["$defs"]["action"]);
    let version = plantime_terraform::plan::DIFFERENCES_FORMAT_VERSION;
    assert!(json["format_version"] == version && schema["title"].as_str().unwrap().ends_with(version));
}

/// How two lists with secrets in them are aligned depends on no secret.
#[test]
fn secrets_do_not_align_elements() {
    let shown = |secret: &str| {
        let first = plan(
            r#"["create"]"#,
            &format!(r#"{{"l":[{{"k":1,"p":{secret}}},{{"k":2,"p":"b"}}]}}"#),
            "{}",
            r#"{"l":[{"p":true},{"p":true}]}"#,
        );
        let second = plan(r#"["create"]"#, r#"{"l":[{"k":2,"p":"b"}]}"#, "{}", r#"{"l":[{"p":true}]}"#);
        text(&diff(&first, &second)) + &text(&diff(&second, &first))
    };
    assert!(shown("\"a\"").contains("l[0].k: different: 1 -> 2"), "{}", shown("\"a\""));
    for secret in ["\"b\"", "null", "[1]", "7"] {
        assert_eq!(shown(secret), shown("\"a\""));
    }
}

/// Nothing depends on what is behind a mark, of either plan.
#[test]
fn marked_values_are_not_compared() {
    let of = |after: &str, sensitive: &str| plan(r#"["create"]"#, after, "{}", sensitive);
    let text = |secret: &str, sensitive: &str| {
        let first = of(&format!(r#"{{"k":1,"p":{secret}}}"#), r#"{"p":true}"#);
        let second = of(r#"{"k":2,"p":"hunter2"}"#, sensitive);
        text(&diff(&first, &second)) + &text(&diff(&second, &first))
    };
    for sensitive in [r#"{"p":true}"#, "{}"] {
        let shown = text("\"hunter2\"", sensitive);
        assert!(shown.contains("k: different: 1 -> 2") && !shown.contains("hunter"), "{shown}");
        for secret in ["\"other\"", "null", "[1]"] {
            assert_eq!(text(secret, sensitive), shown);
        }
    }
}

#[test]
fn real_plans_differ_in_nothing_from_themselves() {
    let Some(root) = collection() else { return };
    for (name, content) in files(&root).iter().filter(|(_, content)| content.len() < 1 << 18) {
        let Ok(plan) = Plan::read(content, &ProviderSchemas::new()) else { continue };
        assert!(diff(&plan, &plan).changes.is_empty(), "{name}");
        let appeared = diff(&Plan::default(), &plan);
        let vanished = diff(&plan, &Plan::default());
        assert_eq!(appeared.changes.len(), vanished.changes.len(), "{name}");
        text(&appeared);
    }
}
