use plantime::source::Source;
use plantime::{Refinement, Type, Value};
use plantime_schema::catalogue::{Catalogue, Fact};

use super::{broken, narrow};

fn facts(lines: &str) -> Vec<Fact> {
    let pack = Catalogue::read(Source::new("p", format!("t a/b\n{lines}"))).expect("facts");
    pack.facts("registry.terraform.io/a/b", "t")
}

fn resource(id: Value) -> Value {
    Value::object([("id", id), ("name", Value::from("n"))]).expect("an object")
}

fn unknown() -> Value {
    Value::unknown(Type::String)
}

#[test]
fn facts_of_class_a_narrow_what_is_unknown() {
    let (narrowed, added) =
        narrow(&resource(unknown()), &facts("  id A notnull(stringprefix(\"x-\"))\n"), false)
            .expect("narrowed");
    let expected = unknown().assume(&Refinement::prefix("x-").and_not_null()).expect("a refinement");
    assert_eq!(narrowed, resource(expected));
    assert_eq!((added.len(), added[0].origin.as_str()), (1, "p:2"));
}

#[test]
fn nothing_is_added_to_what_is_known_or_already_said_or_by_class_b() {
    let class_a = facts("  id A notnull(stringprefix(\"x-\"))\n");
    let said = unknown().assume(&Refinement::prefix("x-y").and_not_null()).expect("a refinement");
    for id in [Value::from("y"), said, Value::null(Type::String)] {
        assert_eq!(
            narrow(&resource(id.clone()), &class_a, false).expect("a value"),
            (resource(id), Vec::new())
        );
    }
    let class_b = facts("  id B notnull(stringprefix(\"x-\"))\n  gone A notnull()\n");
    assert_eq!(narrow(&resource(unknown()), &class_b, false).expect("a value").1, Vec::new());
    // Unless asked.
    assert_eq!(narrow(&resource(unknown()), &class_b, true).expect("a value").1.len(), 1);
}

#[test]
fn broken_facts_of_both_classes_are_found_and_show_no_content() {
    let stated = facts("  id A notnull(stringprefix(\"x-\"))\n  id B equals:name\n  name A notnull()\n");
    let found = broken(&resource(Value::from("secret")), None, &stated, false);
    let says: Vec<&str> = found.iter().map(|fact| fact.says.as_str()).collect();
    assert_eq!(found.iter().map(|fact| fact.is_planned).collect::<Vec<_>>(), [true, false]);
    assert_eq!(says, ["notnull(stringprefix(\"x-\"))", "equal to name"]);
    assert_eq!(broken(&resource(Value::null(Type::String)), None, &stated[..1], false).len(), 1);
    assert_eq!(broken(&resource(Value::from("x-1")), None, &stated[..1], false), Vec::new());
    assert_eq!(broken(&Value::null(resource(unknown()).ty()), None, &stated, false), Vec::new());
}

/// A plan says what was added to it, not what was known, what the wire cannot carry or what was not unknown.
#[test]
fn a_broken_fact_was_planned_where_the_plan_says_it() {
    let id = Value::from("y");
    for (line, planned, is_planned) in [
        ("id A stringprefix(\"x-\")", unknown(), true),
        ("id A stringprefix(\"x-\")", Value::from("y"), false),
        ("id A stringpattern(\"[0-9]+\")", unknown(), false),
        ("id B stringprefix(\"x-\")", unknown(), false),
    ] {
        let stated = facts(&format!("  {line}\n"));
        let (planned, _) = narrow(&resource(planned), &stated, false).expect("a value");
        let found = broken(&resource(id.clone()), Some(&planned), &stated, false);
        assert_eq!(found.iter().map(|fact| fact.is_planned).collect::<Vec<_>>(), [is_planned], "{line}");
    }
    // A plan of a host that does not say what was added to it.
    let stated = facts("  id A stringprefix(\"x-\")\n");
    assert!(!broken(&resource(id), Some(&resource(unknown())), &stated, false)[0].is_planned);
}

#[test]
fn elements_of_lists_maps_and_sets_are_narrowed_where_they_are() {
    let rules = |id: &Value| {
        let rule = || Value::object([("id", id.clone()), ("n", Value::from(1))]).expect("an object");
        let list = Value::list([rule(), rule()]).expect("a list");
        let map = Value::map([("k", rule())]).expect("a map");
        let set = Value::set([rule()]).expect("a set");
        Value::object([("list", list), ("map", map), ("set", set)]).expect("an object")
    };
    let stated = facts(
        "  list[*].id A stringprefix(\"x-\")\n  map[*].id A stringprefix(\"x-\")\n  set[*].id A stringprefix(\"x-\")\n",
    );
    let expected = unknown().assume(&Refinement::prefix("x-")).expect("a refinement");
    let (narrowed, added) = narrow(&rules(&unknown()), &stated, false).expect("narrowed");
    assert_eq!((narrowed, added.len()), (rules(&expected), 4));
}
