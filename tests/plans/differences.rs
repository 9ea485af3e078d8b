//! What differs between two plans of one configuration.

use plantime::plan::{ChangeDifferenceKind, Plan, PlanDifferences, ValueDifferenceKind, diff};
use plantime::schema::ProviderSchemas;
use plantime::{Refinement, Type, Value};

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
