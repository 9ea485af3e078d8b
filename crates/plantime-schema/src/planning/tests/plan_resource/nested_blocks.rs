//! Plans of nested blocks, by the kind of their collection.

use super::*;

#[test]
fn blocks_inside_are_planned_as_their_kind_of_collection() {
    let disk = || {
        Block::builder()
            .attribute("name", Attribute::required(Type::String))
            .attribute("size", Attribute::optional(Type::String))
            .attribute("id", Attribute::computed(Type::String))
            .build()
            .unwrap()
    };
    let behaviours = Behaviours::sdk()
        .at("disk.name", Behaviour::new().force_new())
        .at("disk.size", Behaviour::new().default_value("s"))
        .at("disk.id", Behaviour::new().promise(Refinement::prefix("d-").and_not_null()));
    let id = || Value::refined(Type::String, Refinement::prefix("d-").and_not_null()).unwrap();
    let item = |name: &str, size: &str, id: Value| v!({"name": name, "size": size, "id": id});
    for nested in [NestedBlock::list(disk()), NestedBlock::set(disk())] {
        let block = Block::builder().block("disk", nested).build().unwrap();
        let plan = |prior: &Value, config: Value| plan_resource(&block, &behaviours, prior, &config).unwrap();
        let of = |value: Value| block.coerce(&value).unwrap();
        let created = plan(&none(), v!({"disk": [{"name": "a"}]}));
        assert_eq!(created.value, of(v!({"disk": [item("a", "s", id())]})));
        let prior = of(v!({"disk": [item("a", "s", "d-1".into()), item("b", "t", "d-2".into())]}));
        let same = plan(&prior, v!({"disk": [{"name": "a"}, {"name": "b", "size": "t"}]}));
        assert_eq!((same.replaces(), same.value), (Replaces::No, prior.clone()));
        // One more, and one less.
        let more = plan(&prior, v!({"disk": [{"name": "a"}, {"name": "b", "size": "t"}, {"name": "c"}]}));
        assert_eq!(more.replaces(), Replaces::Yes);
        let less = plan(&prior, v!({"disk": [{"name": "a"}]}));
        assert_eq!(less.replaces(), Replaces::Yes);
        assert!(is_maybe(&plan(&prior, v!({"disk": Value::dynamic()}))));
        assert!(is_maybe(&plan(&prior, v!({"disk": [{"name": "a"}, {"name": unknown(), "size": "t"}]}))));
    }
}

/// As recorded of a provider that is built with the SDK: a new block in a list gets no id in the plan of an update.
#[test]
fn what_is_computed_in_a_block_that_an_update_adds() {
    let disk = || {
        Block::builder()
            .attribute("name", Attribute::required(Type::String))
            .attribute("id", Attribute::computed(Type::String))
            .attribute("ports", Attribute::computed(Type::list(Type::Number).unwrap()))
            .build()
            .unwrap()
    };
    let item = |name: &str, id: Value, ports: Value| v!({"name": name, "id": id, "ports": ports});
    let ports = || Value::unknown(Type::list(Type::Number).unwrap());
    let no_ports = || Value::null(Type::list(Type::Number).unwrap());
    for (nested, sdk) in [
        (NestedBlock::list(disk()), Value::null(Type::String)),
        (NestedBlock::set(disk()), Value::unknown(Type::String)),
    ] {
        let block = Block::builder().block("disk", nested).build().unwrap();
        let of = |value: Value| block.coerce(&value).unwrap();
        let prior = of(v!({"disk": [item("a", "d-1".into(), no_ports())]}));
        let config = v!({"disk": [{"name": "a"}, {"name": "b"}]});
        let with = |id: &Value, kept: Value| of(v!({"disk": [kept, item("b", id.clone(), ports())]}));
        // In a list, null is read as the empty value.
        let is_list = sdk.is_null();
        let kept_ports =
            if is_list { Value::list_of(Type::Number, Vec::<Value>::new()).unwrap() } else { no_ports() };
        let kept = item("a", "d-1".into(), kept_ports);
        let planned = plan_resource(&block, &Behaviours::sdk(), &prior, &config).unwrap();
        assert_eq!(planned.value, with(&sdk, kept));
        let created = plan_resource(&block, &Behaviours::sdk(), &none(), &config).unwrap();
        let unknown = Value::unknown(Type::String);
        assert_eq!(created.value, with(&unknown, item("a", unknown.clone(), ports())));
    }
}

/// As recorded of a provider that is built with version 2.40.1 of the SDK.
#[test]
fn the_sdk_does_not_tell_null_from_empty() {
    let texts = || Type::list(Type::String).unwrap();
    let column = Block::builder()
        .attribute("name", Attribute::required(Type::String))
        .attribute("hint", Attribute::optional(Type::String))
        .attribute("many", Attribute::optional(Type::Bool))
        .attribute("width", Attribute::optional(Type::Number))
        .attribute("id", Attribute::optional_computed(Type::String))
        .build()
        .unwrap();
    let block = Block::builder()
        .attribute("name", Attribute::required(Type::String))
        .attribute("note", Attribute::optional(Type::String))
        .attribute("size", Attribute::optional(Type::Number))
        .attribute("shell", Attribute::optional(Type::Bool))
        .attribute("tools", Attribute::optional(texts()))
        .attribute("groups", Attribute::optional_computed(texts()))
        .block("column", NestedBlock::list(column))
        .build()
        .unwrap();
    let of = |value: Value| block.coerce(&value).unwrap();
    let behaviours = Behaviours::sdk().at("note", Behaviour::new().force_new());
    let planned = |prior: &Value, config: Value| plan_resource(&block, &behaviours, prior, &config).unwrap();
    let columns = || v!([{"name": "c"}]);
    let empty_column = v!({"name": "c", "hint": "", "many": false, "width": 0, "id": ""});

    let nulls = of(v!({"name": "t", "groups": [], "column": columns()}));
    // Nothing changes: the state is the plan.
    for note in [null(), "".into()] {
        let same = planned(&nulls, v!({"name": "t", "note": note, "column": columns()}));
        assert_eq!((same.replaces(), same.value), (Replaces::No, nulls.clone()));
    }
    // Something changes: what is null in a list becomes empty, but for a new element.
    let changed = planned(&nulls, v!({"name": "u", "note": "", "column": [{"name": "c"}, {"name": "d"}]}));
    let expected = v!({"name": "u", "note": "", "groups": [], "column": [empty_column.clone(), {"name": "d", "hint": null(),
            "many": Value::null(Type::Bool), "width": Value::null(Type::Number), "id": null()}]});
    assert_eq!((changed.replaces(), changed.value), (Replaces::No, of(expected)));
    // What is empty in the state stays so without a configuration.
    let empty = of(v!({"name": "t", "note": "", "size": 0, "shell": false, "tools": [], "groups": [],
        "column": [empty_column.clone()]}));
    let kept = planned(&empty, v!({"name": "u", "column": columns()}));
    let expected = v!({"name": "u", "note": "", "size": 0, "shell": false, "tools": [], "groups": [],
        "column": [empty_column]});
    assert_eq!((kept.replaces(), kept.value), (Replaces::No, of(expected)));
    // A computed list that is null in the state is computed anew, whatever else changes.
    let anew = planned(&of(v!({"name": "t", "column": columns()})), v!({"name": "t", "column": columns()}));
    assert_eq!(anew.value.at("groups").unwrap(), Value::unknown(texts()));
    assert_eq!(anew.value.get(&"column[0].hint".parse().unwrap()).unwrap(), Value::from(""));
    // Perhaps nothing changes.
    let open = planned(&nulls, v!({"name": unknown(), "column": columns()})).value;
    assert!(open.may_become(&nulls));
    assert!(open.may_become(&planned(&nulls, v!({"name": "u", "column": columns()})).value));
    let note = planned(&empty, v!({"name": "u", "note": unknown(), "column": columns()}));
    assert!(is_maybe(&note) && note.value.at("note").unwrap().may_become(&"".into()));
}
