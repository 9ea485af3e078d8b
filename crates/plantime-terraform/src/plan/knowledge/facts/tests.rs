//! Tests of facts.

use super::*;
use plantime::source::Source;

const PACK: &str = r#"
thing acme/p
  id A notnull(stringpattern("^t-[0-9]+$"))
  arn A contains:name notnull()
  other A equals:name notnull()
  copy A equals:id
  size A notnull(numbermin(1))
  parts[*].id A stringprefix("p-")
  list A type:list(string) notnull()
  late A since:3.0.0 stringprefix("l-")
"#;

/// The plan of one resource, read without schemas and narrowed by the pack.
fn narrowed(change: &str, facts: impl FnOnce(&mut ProviderFacts)) -> (Plan, Vec<ContradictedFact>) {
    let json = format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "thing.x", "mode": "managed", "type": "thing",
        "name": "x", "provider_name": "registry.terraform.io/acme/p", "change": {change}}}]}}"#
    );
    let schemas = ProviderSchemas::new();
    let mut plan = Plan::read(json.as_bytes(), &schemas).expect("a plan");
    let mut options = ProviderFacts::default();
    options.catalogues.push(Catalogue::read(Source::new("p.facts", PACK)).expect("a catalogue"));
    facts(&mut options);
    let contradicted = plan.assume_facts(&options, &schemas);
    (plan, contradicted)
}

#[track_caller]
fn shown(plan: &Plan, name: &str) -> String {
    let after = plan.resource_changes[0].change.after.as_ref().expect("a value");
    after.get(&Path::new().attr(name)).expect("an attribute").to_string()
}

const CREATE: &str = r#"{"actions": ["create"], "after": {"name": "n", "parts": [{"id": null}]},
    "after_unknown": {"id": true, "arn": true, "other": true, "copy": true, "size": true, "list": true, "late": true,
    "parts": [{"id": true}]}}"#;

#[test]
fn unknown_values_are_narrowed() {
    let (plan, contradicted) = narrowed(CREATE, |_| {});
    assert_eq!(contradicted, []);
    let shows =
        ["id", "arn", "other", "copy", "size", "list", "late", "parts"].map(|name| shown(&plan, name));
    assert_eq!(
        shows,
        [
            r#"(known after apply, matches ^t-[0-9]+$)"#,
            r#"(known after apply, contains "n")"#,
            r#""n""#,
            r#"(known after apply, matches ^t-[0-9]+$)"#,
            "(known after apply, >= 1)",
            "(known after apply)",
            r#""l-${(known after apply)}""#,
            r#"[{id = "p-${(known after apply)}"}]"#,
        ]
    );
    let after = plan.resource_changes[0].change.after.as_ref().expect("a value");
    let list = after.get(&Path::new().attr("list")).expect("an attribute");
    assert_eq!((list.ty().to_string().as_str(), list.range().is_not_null()), ("list(string)", true));
    let copy = after.get(&Path::new().attr("copy")).expect("an attribute");
    assert!(!copy.range().is_not_null(), "equality says nothing of null");
}

/// Equality holds both ways, and through several attributes, in whatever order they come.
#[test]
fn equality_is_followed_backwards() {
    let pack = "thing acme/p\n  a A equals:b\n  b A equals:c\n  d A equals:c notnull(stringprefix(\"d-\"))\n";
    let pack = || Catalogue::read(Source::new("q.facts", pack));
    let change = r#"{"actions": ["create"], "after": {}, "after_unknown": {"a": true, "b": true, "c": true, "d": true}}"#;
    let (plan, contradicted) =
        narrowed(change, |facts| facts.catalogues = vec![pack().expect("a catalogue")]);
    assert_eq!(contradicted, []);
    for name in ["a", "b", "c", "d"] {
        assert_eq!(shown(&plan, name), r#""d-${(known after apply)}""#, "{name}");
    }
    let after = plan.resource_changes[0].change.after.as_ref().expect("a value");
    let is_not_null =
        |name: &str| after.get(&Path::new().attr(name)).expect("an attribute").range().is_not_null();
    assert!(is_not_null("d") && !is_not_null("c"), "equality says nothing of null");
    // What is known is no fact about the other one: it may be the value before.
    let known = r#"{"actions": ["update"], "after": {"d": "d-1"}, "after_unknown": {"c": true}}"#;
    let (plan, _) = narrowed(known, |facts| facts.catalogues = vec![pack().expect("a catalogue")]);
    assert_eq!(shown(&plan, "c"), "(known after apply)");
}

#[test]
fn a_known_value_that_contradicts_is_reported_and_stays() {
    let change = r#"{"actions": ["create"], "after": {"id": "x", "size": null}, "after_unknown": {}}"#;
    let (plan, contradicted) = narrowed(change, |_| {});
    let told: Vec<String> = contradicted.iter().map(|one| format!("{} {}", one.path, one.origin)).collect();
    assert_eq!(told, ["id p.facts:3"], "a null says that the version of the provider has no such attribute");
    assert_eq!(shown(&plan, "id"), r#""x""#);
}

#[test]
fn nothing_is_told_of_marked_values() {
    let change = r#"{"actions": ["create"], "after": {"id": "x", "name": "secret"}, "after_unknown": {"other": true},
        "after_sensitive": {"id": true, "name": true}}"#;
    let (plan, contradicted) = narrowed(change, |_| {});
    assert_eq!(contradicted, []);
    assert_eq!(shown(&plan, "other"), "(known after apply)");
}

#[test]
fn only_applied_resources_of_the_provider_and_version_are_narrowed() {
    for change in [CREATE.replace("create", "no-op"), CREATE.replace("create", "read")] {
        assert_eq!(shown(&narrowed(&change, |_| {}).0, "late"), "(known after apply)");
    }
    let address = || "registry.terraform.io/acme/p".to_owned();
    let late = |version: &str| {
        shown(&narrowed(CREATE, |facts| drop(facts.versions.insert(address(), version.to_owned()))).0, "late")
    };
    assert_eq!(late("2.9.0"), "(known after apply)");
    assert_eq!(late("3.0.0"), r#""l-${(known after apply)}""#);
    let mirrored = narrowed(CREATE, |facts| drop(facts.mirrors.insert(address(), "acme/q".to_owned()))).0;
    assert_eq!(shown(&mirrored, "late"), "(known after apply)");
}

#[test]
fn a_schema_promises_required_arguments_and_blocks() {
    let schemas = br#"{"provider_schemas": {"p": {"resource_schemas": {"r": {"block": {
        "attributes": {"must": {"type": "string", "required": true}, "may": {"type": "string", "optional": true},
            "secret": {"type": "string", "required": true, "write_only": true},
            "nested": {"nested_type": {"nesting_mode": "list", "attributes": {"in": {"type": "string", "required": true}}},
                "optional": true}},
        "block_types": {
            "list": {"nesting_mode": "list", "min_items": 2, "block": {"attributes": {"x": {"type": "string", "required": true}}}},
            "set": {"nesting_mode": "set", "min_items": 2, "block": {}},
            "map": {"nesting_mode": "map", "block": {}},
            "one": {"nesting_mode": "single", "block": {"attributes": {"x": {"type": "string", "required": true}}}},
            "group": {"nesting_mode": "group", "block": {"attributes": {"x": {"type": "string", "required": true}}}}
        }}}}}}}"#;
    let schemas = ProviderSchemas::from_json(schemas).expect("schemas");
    let block = schemas.resource("p", "r").expect("a schema").block();
    let facts = schema::promised("r", block);
    let told: Vec<String> = facts
        .iter()
        .map(|fact| format!("{}: {}", fact.origin, fact.refinement_in(|_| None).expect("a refinement")))
        .collect();
    assert_eq!(
        told,
        [
            "schema: r.must is required: notnull()",
            "schema: r.nested[*].in is required: notnull()",
            "schema: r.group is a group: notnull()",
            "schema: r.list has at least 2: notnull(lengthmin(2))",
            "schema: r.list[*].x is required: notnull()",
            "schema: r.map is a nested block: notnull()",
            "schema: r.one.x is required: notnull()",
            "schema: r.set has at least 1: notnull(lengthmin(1))",
        ]
    );
}
