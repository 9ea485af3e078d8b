//! Proposals: every rule by hand, then that knowing more of a configuration makes none different.

use super::*;

const ATTRIBUTES: &str = r#""attributes": {
    "name": {"type": "string", "optional": true},
    "id": {"type": "string", "computed": true},
    "zone": {"type": "string", "optional": true, "computed": true}}"#;

fn nested(nesting: &str) -> Block {
    block(&format!(
        r#"{{"attributes": {{"rule": {{"optional": true, "computed": true, "nested_type": {{"nesting_mode": "{nesting}", {ATTRIBUTES}}}}}}}}}"#
    ))
}

fn blocks(nesting: &str) -> Block {
    block(&format!(
        r#"{{"block_types": {{"rule": {{"nesting_mode": "{nesting}", "block": {{{ATTRIBUTES}}}}}}}}}"#
    ))
}

/// The proposal for what is under `rule`.
fn rule(schema: &Block, prior: Value, config: Value) -> Value {
    let whole = |value: Value| value!({ "rule": value }).unwrap();
    proposed_new(schema, &whole(prior), &whole(config))
        .unwrap()
        .part(&plantime::Step::attr("rule"))
        .unwrap()
        .clone()
}

/// What the schema makes of a value under `rule`.
fn of(schema: &Block, value: Value) -> Value {
    let whole = schema.coerce(&value!({ "rule": value }).unwrap()).unwrap();
    whole.part(&plantime::Step::attr("rule")).unwrap().clone()
}

#[test]
fn what_is_computed_stays_and_what_is_configured_is_taken() {
    let schema = block(&format!("{{{ATTRIBUTES}}}"));
    let prior = value!({"id": "i-1", "name": "a", "zone": "z"}).unwrap();
    let propose = |config: Value| proposed_new(&schema, &prior, &config);
    assert_eq!(
        propose(value!({}).unwrap()),
        value!({"id": "i-1", "name": Value::null(Type::String), "zone": "z"})
    );
    assert_eq!(
        propose(value!({"name": "b", "zone": "y"}).unwrap()),
        value!({"id": "i-1", "name": "b", "zone": "y"})
    );
    // Nothing yet, and nothing left.
    let none = Value::null(Type::Dynamic);
    let created = proposed_new(&schema, &none, &value!({"name": "b"}).unwrap()).unwrap();
    assert_eq!(created.to_string(), r#"{id = null, name = "b", zone = null}"#);
    assert_eq!(proposed_new(&schema, &prior, &none).as_ref(), Ok(&prior));
    assert!(proposed_new(&schema, &none, &none).unwrap().is_null());
    let later = planned_unknown(&schema, &value!({"name": "b"}).unwrap()).unwrap();
    assert_eq!(later.to_string(), r#"{id = (known after apply), name = "b", zone = (known after apply)}"#);
    assert!(propose(value!({"nome": "b"}).unwrap()).is_err());
}

#[test]
fn nested_objects_continue_the_prior_ones() {
    for schema in [blocks("single"), nested("single")] {
        let prior = || value!({"id": "i-1", "name": "a", "zone": "z"}).unwrap();
        let expected = value!({"id": "i-1", "name": "b", "zone": "z"}).unwrap();
        assert_eq!(rule(&schema, prior(), value!({"name": "b"}).unwrap()), expected);
        // Removed from the configuration: a block is null; nested attributes with a value that only a configuration
        // can have set are too.
        assert!(rule(&schema, prior(), Value::null(Type::Dynamic)).is_null());
        assert!(rule(&schema, prior(), Value::dynamic()).range().nullness() == plantime::Nullness::Nullable);
    }
    let only_computed = value!({"id": "i-1", "zone": "z"}).unwrap();
    let schema = nested("single");
    assert_eq!(rule(&schema, only_computed.clone(), Value::null(Type::Dynamic)), of(&schema, only_computed));
    let group = blocks("group");
    let prior = value!({"id": "i-1", "name": "a"}).unwrap();
    assert_eq!(rule(&group, prior.clone(), value!({}).unwrap()), of(&group, value!({"id": "i-1"}).unwrap()));
    assert_eq!(rule(&group, prior.clone(), Value::null(Type::Dynamic)), of(&group, prior));
}

#[test]
fn lists_go_by_index_and_maps_by_key() {
    for schema in [blocks("list"), nested("list")] {
        let proposed = rule(
            &schema,
            value!([{"id": "1", "name": "a"}, {"id": "2", "name": "b"}]).unwrap(),
            value!([{"name": "b"}, {"name": "c"}, {"name": "d"}]).unwrap(),
        );
        let expected = value!([{"id": "1", "name": "b"}, {"id": "2", "name": "c"}, {"name": "d"}]).unwrap();
        assert_eq!(proposed, of(&schema, expected));
    }
    for schema in [blocks("map"), nested("map")] {
        let proposed = rule(
            &schema,
            value!({"k": {"id": "1", "name": "a"}, "l": {"id": "2"}}).unwrap(),
            value!({"k": {"name": "b"}, "m": {"name": "c"}}).unwrap(),
        );
        let expected = value!({"k": {"id": "1", "name": "b"}, "m": {"name": "c"}}).unwrap();
        assert_eq!(proposed, of(&schema, expected));
    }
}

#[test]
fn members_of_a_set_continue_the_prior_ones_that_may_have_come_from_them() {
    for schema in [blocks("set"), nested("set")] {
        let prior = || value!([{"id": "1", "name": "a", "zone": "z"}, {"id": "2", "name": "b"}]).unwrap();
        let proposed = rule(
            &schema,
            prior(),
            value!([{"name": "b"}, {"name": "a", "zone": "z"}, {"name": "c"}]).unwrap(),
        );
        let expected =
            value!([{"id": "1", "name": "a", "zone": "z"}, {"id": "2", "name": "b"}, {"name": "c"}]).unwrap();
        assert_eq!(proposed, of(&schema, expected));
        let other_zone = rule(&schema, prior(), value!([{"name": "a", "zone": "y"}]).unwrap());
        assert_eq!(other_zone, of(&schema, value!([{"name": "a", "zone": "y"}]).unwrap()));
    }
}

#[test]
fn marks_of_the_configuration_and_of_the_prior_state_are_kept() {
    let secret = |value: &str| Value::from(value).mark(Mark::SENSITIVE);
    let schema = block(&format!("{{{ATTRIBUTES}}}"));
    let prior = value!({"id": secret("i-1"), "zone": "z"}).unwrap();
    let proposed = proposed_new(&schema, &prior, &value!({"name": secret("n")}).unwrap()).unwrap();
    assert_eq!(proposed, value!({"id": secret("i-1"), "name": secret("n"), "zone": "z"}).unwrap());
    let hidden = proposed_new(&schema, &prior.mark(Mark::SENSITIVE), &value!({}).unwrap()).unwrap();
    assert!(hidden.is_marked());
}

/// A configured value that may become another one has a proposal that may become the proposal of that other one.
#[test]
fn knowing_more_of_a_configuration_makes_no_proposal_different() {
    let object = |name: &Value, zone: &Value| {
        value!({"id": Value::null(Type::String), "name": name.clone(), "zone": zone.clone()}).unwrap()
    };
    let objects = |strings: &dyn Fn() -> Vec<Value>| -> Vec<Value> {
        strings()
            .iter()
            .flat_map(|name| strings().iter().map(|zone| object(name, zone)).collect::<Vec<_>>())
            .collect()
    };
    let configured = objects(&strings);
    let known = || vec![Value::null(Type::String), "x".into(), "y".into(), "xy".into()];
    let outcomes_of = |config: &Value| -> Vec<Value> {
        let all = objects(&known);
        all.into_iter().filter(|outcome| config.may_become(outcome)).collect()
    };
    let old = |id: &str, name: &str, zone: &str| value!({"id": id, "name": name, "zone": zone}).unwrap();
    let priors = [old("1", "x", "x"), old("2", "x", "y"), old("3", "y", "x")];
    let mut tried = 0;
    for nesting in ["list", "set"] {
        for schema in [blocks(nesting), nested(nesting)] {
            let collect = |items: &[&Value]| {
                of(&schema, Value::tuple(items.iter().map(|item| (*item).clone())).unwrap())
            };
            let prior = collect(&[&priors[0], &priors[1], &priors[2]]);
            for (at, first) in configured.iter().enumerate() {
                for second in configured.iter().skip(at).step_by(5) {
                    let proposed = rule(&schema, prior.clone(), collect(&[first, second]));
                    for a in outcomes_of(first) {
                        for b in outcomes_of(second) {
                            let config = collect(&[&a, &b]);
                            let outcome = rule(&schema, prior.clone(), config.clone());
                            assert!(
                                proposed.may_become(&outcome),
                                "{first} and {second}: {proposed}, but {config}: {outcome}"
                            );
                            tried += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(tried > 1000, "{tried}");
    // Attributes, also with refinements, and what may be null.
    let schema = block(&format!("{{{ATTRIBUTES}}}"));
    for prior in [Value::null(Type::Dynamic), old("1", "x", "y")] {
        for config in &configured {
            let proposed = proposed_new(&schema, &prior, config).unwrap();
            for outcome in outcomes_of(config) {
                assert!(
                    proposed.may_become(&proposed_new(&schema, &prior, &outcome).unwrap()),
                    "{config}: {proposed}"
                );
            }
        }
    }
}

#[test]
fn ten_thousand_blocks_of_a_set_are_proposed_in_time() {
    let schema = blocks("set");
    let set = |old: bool| {
        let member = |n: i32| {
            let id = if old { Value::from(format!("i-{n}")) } else { Value::null(Type::String) };
            value!({"id": id, "name": format!("n{}", n / 2), "zone": format!("z{n}")}).unwrap()
        };
        Value::set((0..10_000).map(member)).unwrap()
    };
    assert_eq!(rule(&schema, set(true), set(false)), set(true));
}

/// A provider that plans what is proposed breaks no promise, whatever else it chooses for what is computed.
#[test]
fn what_is_proposed_may_be_planned() {
    let object = |name: &Value, zone: &Value| value!({"name": name.clone(), "zone": zone.clone()}).unwrap();
    let prior = || value!({"id": "1", "name": "x", "zone": "y"}).unwrap();
    let accepted = |schema: &Block, prior: &Value, config: &Value| {
        let [prior, config] = [prior, config].map(|value| schema.coerce(value).unwrap());
        let proposed = proposed_new(schema, &prior, &config).unwrap();
        let verdict = assert_plan_valid(schema, &prior, &config, &proposed, TypeSystem::Strict).unwrap();
        assert!(verdict.is_accepted(), "{prior}, {config}, {proposed}: {:#?}", verdict.violations);
        assert!(refines(&proposed, &proposed));
    };
    let flat = block(&format!("{{{ATTRIBUTES}}}"));
    for name in strings() {
        for zone in strings() {
            let config = object(&name, &zone);
            for prior in [Value::null(Type::Dynamic), prior()] {
                accepted(&flat, &prior, &config);
            }
            for nesting in ["single", "group", "list", "set", "map"] {
                let schemas = if nesting == "group" {
                    vec![blocks(nesting)]
                } else {
                    vec![blocks(nesting), nested(nesting)]
                };
                for schema in schemas {
                    let wrapped = |item: Value| match nesting {
                        "list" | "set" => value!({"rule": [item]}).unwrap(),
                        "map" => value!({"rule": {"k": item}}).unwrap(),
                        _ => value!({"rule": item}).unwrap(),
                    };
                    for prior in [Value::null(Type::Dynamic), value!({}).unwrap(), wrapped(prior())] {
                        accepted(&schema, &prior, &wrapped(config.clone()));
                        accepted(&schema, &prior, &value!({}).unwrap());
                        accepted(&schema, &prior, &value!({"rule": Value::dynamic()}).unwrap());
                    }
                }
            }
        }
    }
}

/// Blocks that have nothing but other blocks inside have no attributes to be found by.
#[test]
fn ten_thousand_blocks_that_differ_only_inside_are_proposed_in_time() {
    let inner =
        r#"{"nesting_mode": "list", "block": {"attributes": {"x": {"type": "string", "optional": true}}}}"#;
    let computed = r#"{"id": {"type": "string", "computed": true}}"#;
    let schema = block(&format!(
        r#"{{"block_types": {{"rule": {{"nesting_mode": "set", "block": {{"attributes": {computed}, "block_types": {{"in": {inner}}}}}}}}}}}"#
    ));
    let set = |old: bool| {
        let member = |n: i32| {
            let id = if old { Value::from(format!("i-{n}")) } else { Value::null(Type::String) };
            let inner = value!({"x": format!("x{n}")}).unwrap();
            value!({"id": id, "in": Value::list([inner]).unwrap()}).unwrap()
        };
        Value::set((0..10_000).map(member)).unwrap()
    };
    assert_eq!(rule(&schema, set(true), set(false)), set(true));
}
