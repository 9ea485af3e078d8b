//! Values that are given the type of a schema, empty values, and numbers of blocks.

use super::{one, ty};
use crate::schema::{Attribute, AttributeType, Block, NestedBlock, Nesting, Schema};
use plantime::value;
use plantime::{LengthRange, Mark, Refinement, Type, Value, View};

const SHAPES: &str = r#"{
    "attributes": {
        "id": {"type": "string", "computed": true},
        "name": {"type": "string", "required": true},
        "port": {"type": "number", "optional": true},
        "any": {"type": "dynamic", "optional": true},
        "rules": {"optional": true, "nested_type": {"nesting_mode": "list", "attributes": {
            "from": {"type": "number", "required": true}, "to": {"type": "number", "optional": true}}}}},
    "block_types": {
        "one": {"nesting_mode": "single", "block": {"attributes": {"x": {"type": "bool", "required": true}}}},
        "grp": {"nesting_mode": "group", "block": {"attributes": {"x": {"type": "bool", "required": true}},
            "block_types": {"in": {"nesting_mode": "list", "block": {}}}}},
        "lst": {"nesting_mode": "list", "block": {"attributes": {"x": {"type": "number", "optional": true}},
            "block_types": {"deep": {"nesting_mode": "single", "block": {"attributes": {"y": {"type": "string", "optional": true}}}}}}},
        "set": {"nesting_mode": "set", "block": {"attributes": {"x": {"type": "number", "optional": true}}}},
        "map": {"nesting_mode": "map", "block": {"attributes": {"x": {"type": "number", "optional": true}}}}}}"#;

const ITEM: &str = "object({deep = object({y = string}), x = number})";

/// What the value with a name, and this part beside it, becomes; the part alone.
fn part(name: &str, given: Value) -> Result<Value, String> {
    let whole = Value::object([("name", Value::from("n")), (name, given)]).unwrap();
    let coerced = one(SHAPES).block().coerce(&whole).map_err(|error| error.to_string())?;
    assert_eq!(one(SHAPES).block().coerce(&coerced), Ok(coerced.clone()), "a second time");
    Ok(coerced.elements().find(|(step, _)| format!("{step:?}") == format!(".{name}")).unwrap().1.clone())
}

#[track_caller]
fn refuses(name: &str, given: Value, message: &str) {
    assert_eq!(part(name, given).unwrap_err(), message);
}

#[test]
fn what_is_missing_is_null_or_empty() {
    let schema = one(SHAPES);
    let coerced = schema.block().coerce(&value!({"name": "n"}).unwrap()).unwrap();
    let empty = schema.block().empty_value().unwrap();
    let named = |value: Value| {
        value.transform(|path, part| Ok(if path.to_string() == "name" { "n".into() } else { part })).unwrap()
    };
    assert_eq!(coerced, named(empty.clone()));
    assert_eq!(&coerced.ty().to_string(), &Schema::implied_type(&schema).unwrap().to_string());
    let object = |name: &str| {
        part(
            name,
            empty.elements().find(|(step, _)| format!("{step:?}") == format!(".{name}")).unwrap().1.clone(),
        )
        .unwrap()
    };
    assert_eq!(object("one"), Value::null(ty("object({x = bool})")));
    let inside = Value::list_of(ty("object({})"), Vec::<Value>::new()).unwrap();
    assert_eq!(object("grp"), Value::object([("in", inside), ("x", Value::null(Type::Bool))]).unwrap());
    assert_eq!(object("lst"), Value::list_of(ty(ITEM), Vec::<Value>::new()).unwrap());
    assert_eq!(object("set"), Value::set_of(ty("object({x = number})"), Vec::<Value>::new()).unwrap());
    assert_eq!(
        object("map"),
        Value::map_of(ty("object({x = number})"), Vec::<(&str, Value)>::new()).unwrap()
    );
    assert_eq!(object("any"), Value::null(Type::Dynamic));
}

#[test]
fn attributes_and_blocks_are_converted() {
    assert_eq!(part("port", "80".into()), Ok(Value::from(80)));
    assert_eq!(part("any", "80".into()), Ok(Value::from("80")));
    let rules = part("rules", value!([{"from": "1"}]).unwrap()).unwrap();
    assert_eq!(rules.ty(), ty("list(object({from = number, to = number}))"));
    let lst = part("lst", value!([{"x": "1"}, {"deep": {}}]).unwrap()).unwrap();
    assert_eq!(lst.ty(), ty(&format!("list({ITEM})")));
    let set = part("set", value!([{"x": "1"}, {"x": 1}, {}]).unwrap()).unwrap();
    assert_eq!(set.elements().count(), 2);
    let map = part("map", value!({"a": {"x": "1"}, "b": {}}).unwrap()).unwrap();
    assert_eq!(map.ty(), ty("map(object({x = number}))"));
    assert_eq!(
        part("grp", value!({"x": "true"}).unwrap()).unwrap().ty(),
        ty("object({in = list(object({})), x = bool})")
    );
}

#[test]
fn what_does_not_fit_is_refused_with_the_words_of_terraform() {
    refuses("nmae", "x".into(), "unexpected attribute \"nmae\"");
    refuses("port", "x".into(), "port: a number is required");
    refuses("port", value!([1]).unwrap(), "port: number required, but have tuple");
    refuses("rules", value!([{}]).unwrap(), "rules: element 0: attribute \"from\" is required");
    refuses("rules", value!([{"from": 1}, {"from": "x"}]).unwrap(), "rules[1].from: a number is required");
    // A list for a block, and what is no collection for blocks.
    refuses("one", value!([{"x": true}]).unwrap(), "one: an object is required");
    refuses("one", value!({}).unwrap(), "one: attribute \"x\" is required");
    refuses("grp", value!({}).unwrap(), "grp: attribute \"x\" is required");
    refuses("lst", "x".into(), "lst: must be a list");
    refuses("set", 1.into(), "set: must be a set");
    refuses("map", value!([{}]).unwrap(), "map: must be a map");
    refuses("lst", value!([{}, 1]).unwrap(), "lst[1]: an object is required");
    refuses(
        "lst",
        value!([{}, {"deep": {"y": []}}]).unwrap(),
        "lst[1].deep.y: string required, but have tuple",
    );
    refuses("map", value!({"k": {"z": 1}}).unwrap(), "map.k: unexpected attribute \"z\"");
    let map = Value::map([("k", value!({"z": 1}).unwrap())]).unwrap();
    refuses("map", map, "map[\"k\"]: unexpected attribute \"z\"");
    let block = one(SHAPES);
    let error = |given: Value| block.block().coerce(&given).unwrap_err().to_string();
    assert_eq!(error(value!({}).unwrap()), "attribute \"name\" is required");
    assert_eq!(error(value!([]).unwrap()), "an object is required");
    assert_eq!(error(value!({"name": "n", "z": 1, "a": 1}).unwrap()), "unexpected attribute \"a\"");
}

#[test]
fn unknowns_and_nulls_are_kept() {
    let block = one(SHAPES);
    let whole = block.block().implied_type().unwrap();
    assert_eq!(block.block().coerce(&Value::dynamic()), Ok(Value::unknown(whole.clone())));
    assert_eq!(block.block().coerce(&Value::null(Type::Dynamic)), Ok(Value::null(whole)));
    let items = ty(&format!("list({ITEM})"));
    assert_eq!(part("lst", Value::dynamic()), Ok(Value::unknown(items.clone())));
    assert_eq!(part("lst", Value::unknown(Type::String)), Ok(Value::unknown(items.clone())));
    assert_eq!(part("lst", Value::null(Type::Dynamic)), Ok(Value::null(items.clone())));
    let several = Refinement::length(LengthRange::at_least(2)).and_not_null();
    let known_length = Value::refined(items.clone(), several).unwrap();
    assert_eq!(part("lst", known_length.clone()), Ok(known_length));
    let other = Value::refined(ty("set(string)"), Refinement::not_null()).unwrap();
    assert_eq!(part("lst", other), Ok(Value::refined(items, Refinement::not_null()).unwrap()));
    // A set whose members may turn out equal is a list of one or two.
    let member = || Value::object([("x", Value::unknown(Type::Number))]).unwrap();
    let unsure = part("lst", Value::set([member(), member()]).unwrap()).unwrap();
    assert_eq!(unsure.range().length_range(), Some(LengthRange::new(1, Some(2)).unwrap()));
    // Unknown blocks and attributes inside blocks.
    let partly =
        part("lst", value!([{"x": Value::unknown(Type::String)}, Value::dynamic()]).unwrap()).unwrap();
    let View::List(list) = partly.view() else { panic!() };
    assert_eq!(list.get(1), Some(&Value::unknown(ty(ITEM))));
}

#[test]
fn marks_are_kept_and_nothing_behind_them_is_told() {
    let secret = |value: Value| value.mark(Mark::SENSITIVE);
    assert_eq!(part("port", secret("80".into())), Ok(secret(80.into())));
    let blocks = part("lst", secret(value!([{"x": "1"}]).unwrap())).unwrap();
    assert!(blocks.is_marked());
    assert_eq!(blocks.unmark().0, part("lst", value!([{"x": 1}]).unwrap()).unwrap());
    assert!(part("lst", value!([{"x": secret("1".into())}]).unwrap()).unwrap().contains_marks());
    assert!(part("lst", secret(Value::dynamic())).unwrap().is_marked());
    let whole = secret(value!({"name": "n"}).unwrap());
    assert!(one(SHAPES).block().coerce(&whole).unwrap().is_marked());
    let hidden = "the value is not fit, and it is marked, so the reason is not shown";
    refuses("map", secret(value!({"hunter2": {"x": "hunter3"}}).unwrap()), &format!("map: {hidden}"));
    refuses("lst", secret("hunter2".into()), "lst: must be a list");
    let inside = part("port", secret("hunter2".into())).unwrap_err();
    assert!(inside.starts_with("port: ") && !inside.contains("hunter2"), "{inside}");
}

#[test]
fn blocks_with_dynamic_inside_are_tuples_and_objects() {
    let block = one(r#"{"block_types": {
            "lst": {"nesting_mode": "list", "block": {"attributes": {"x": {"type": "dynamic", "optional": true}}}},
            "map": {"nesting_mode": "map", "block": {"attributes": {"x": {"type": "dynamic", "optional": true}}}}}}"#);
    let none = value!({"lst": [], "map": {}}).unwrap();
    assert_eq!(block.block().empty_value(), Ok(none.clone()));
    assert_eq!(block.block().coerce(&value!({}).unwrap()), Ok(none));
    let given = value!({"lst": [{"x": 1}, {"x": "a"}], "map": {"k": {"x": 1}}}).unwrap();
    assert_eq!(block.block().coerce(&given), Ok(given));
    let unsure = value!({"lst": Value::unknown(ty("list(string)")), "map": {}}).unwrap();
    assert_eq!(block.block().coerce(&unsure), value!({"lst": Value::dynamic(), "map": {}}));
}

fn counts(limits: &str, name: &str, value: Value) -> Vec<String> {
    let block = one(&format!(r#"{{"block_types": {{"{name}": {{{limits}, "block": {{}}}}}}}}"#));
    let whole = block.block().coerce(&Value::object([(name, value)]).unwrap()).unwrap();
    block.block().check_block_counts(&whole).iter().map(ToString::to_string).collect()
}

#[test]
fn too_few_and_too_many_blocks_are_errors_only_if_that_is_certain() {
    let list = r#""nesting_mode": "list", "min_items": 2, "max_items": 3"#;
    let blocks = |n: usize| Value::list_of(ty("object({})"), vec![value!({}).unwrap(); n]).unwrap();
    let few = ["b: Insufficient b blocks: At least 2 \"b\" blocks are required."];
    let many = ["b: Too many b blocks: No more than 3 \"b\" blocks are allowed"];
    assert_eq!(counts(list, "b", blocks(1)), few);
    assert!(counts(list, "b", blocks(2)).is_empty() && counts(list, "b", blocks(3)).is_empty());
    assert_eq!(counts(list, "b", blocks(4)), many);
    assert_eq!(counts(list, "b", Value::null(Type::Dynamic)), few);
    let length = |min, max| {
        let range = LengthRange::new(min, max).unwrap();
        Value::refined(ty("list(object({}))"), Refinement::length(range).and_not_null()).unwrap()
    };
    assert!(counts(list, "b", Value::dynamic()).is_empty());
    assert!(
        counts(list, "b", length(0, Some(2))).is_empty() && counts(list, "b", length(3, None)).is_empty()
    );
    assert_eq!(counts(list, "b", length(0, Some(1))), few);
    assert_eq!(counts(list, "b", length(4, None)), many);
    // If it may be null, there may be no blocks.
    let maybe = Refinement::length(LengthRange::at_least(4));
    assert!(
        counts(
            r#""nesting_mode": "list", "max_items": 3"#,
            "b",
            Value::refined(ty("list(object({}))"), maybe).unwrap()
        )
        .is_empty()
    );
    let single = r#""nesting_mode": "single", "min_items": 1, "max_items": 1"#;
    assert_eq!(
        counts(single, "b", Value::null(Type::Dynamic)),
        ["b: Missing b block: A block of type \"b\" is required here."]
    );
    assert!(
        counts(single, "b", Value::dynamic()).is_empty()
            && counts(single, "b", value!({}).unwrap()).is_empty()
    );
}

#[test]
fn equal_blocks_of_a_set_are_counted_as_one_at_least() {
    let set = r#""nesting_mode": "set", "min_items": 2, "max_items": 2"#;
    let with = |numbers: &[i64], unknowns: usize| {
        let known = numbers.iter().map(|n| Value::object([("x", Value::from(*n))]).unwrap());
        let unknown = (0..unknowns).map(|_| Value::object([("x", Value::unknown(Type::Number))]).unwrap());
        let block = one(&format!(
            r#"{{"block_types": {{"b": {{{set}, "block": {{"attributes": {{"x": {{"type": "number", "optional": true}}}}}}}}}}}}"#
        ));
        let value = Value::set_of(ty("object({x = number})"), known.chain(unknown)).unwrap();
        let whole = block.block().coerce(&Value::object([("b", value)]).unwrap()).unwrap();
        block.block().check_block_counts(&whole).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let few = ["b: Insufficient b blocks: At least 2 \"b\" blocks are required."];
    assert_eq!(with(&[], 0), few);
    assert!(with(&[1], 0).is_empty(), "two equal blocks become one member");
    assert!(with(&[1, 2], 0).is_empty() && with(&[1, 2], 3).is_empty() && with(&[], 9).is_empty());
    assert_eq!(with(&[1, 2, 3], 1), ["b: Too many b blocks: No more than 2 \"b\" blocks are allowed"]);
}

#[test]
fn blocks_in_blocks_are_counted_with_their_paths() {
    let block = one(r#"{"block_types": {"a": {"nesting_mode": "list", "block": {"block_types": {
            "b": {"nesting_mode": "list", "min_items": 1, "block": {}}}}}}}"#);
    let whole = block.block().coerce(&value!({"a": [{"b": [{}]}, {}]}).unwrap()).unwrap();
    let errors = block.block().check_block_counts(&whole);
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["a[1].b: Insufficient b blocks: At least 1 \"b\" blocks are required."]);
}

#[test]
fn many_attributes_and_many_blocks_are_coerced_in_time() {
    let mut item = Block::default();
    let mut x = Attribute::new(AttributeType::Plain(Type::Number));
    x.optional = true;
    item.attributes.insert("x".to_owned(), x.clone());
    let mut block = Block::default();
    block.block_types.insert("set".to_owned(), NestedBlock::new(Nesting::Set, item));
    let names: Vec<String> = (0..10_000).map(|n| format!("a{n}")).collect();
    block.attributes.extend(names.iter().map(|name| (name.clone(), x.clone())));
    let members = (0..10_000).map(|n| Value::object([("x", Value::from(n))]).unwrap());
    let set = Value::set(members).unwrap();
    let given = names.iter().map(|name| (name.as_str(), Value::from("1"))).chain([("set", set.clone())]);
    let coerced = block.coerce(&Value::object(given).unwrap()).unwrap();
    let View::Object(object) = coerced.view() else { panic!() };
    assert_eq!((object.get("set"), object.get("a77")), (Some(&set), Some(&Value::from(1))));
}

/// Knowing more of a value makes its coerced value no different, and refuses nothing that was accepted as a whole.
#[test]
fn what_a_value_may_become_is_coerced_to_what_its_coerced_value_may_become() {
    use plantime::testing::Domain;

    let item = r#""block": {"attributes": {"a": {"type": "bool", "optional": true}, "b": {"type": "bool", "optional": true}}}"#;
    let of_type = |ty: &str| format!(r#"{{"attributes": {{"v": {{"type": {ty}, "optional": true}}}}}}"#);
    let of_blocks =
        |nesting: &str| format!(r#"{{"block_types": {{"v": {{"nesting_mode": "{nesting}", {item}}}}}}}"#);
    let types = [
        r#""bool""#,
        r#""string""#,
        r#""dynamic""#,
        r#"["list", "bool"]"#,
        r#"["set", "string"]"#,
        r#"["map", "bool"]"#,
    ];
    let schemas: Vec<Schema> = types
        .iter()
        .map(|ty| of_type(ty))
        .chain(["single", "group", "list", "set", "map"].iter().map(|nesting| of_blocks(nesting)))
        .map(|text| one(&text))
        .collect();
    let coerce = |schema: &Schema, value: &Value| {
        schema.block().coerce(&Value::object([("v", value.clone())]).unwrap())
    };
    let (mut tried, mut refused) = (0, 0);
    for domain in [Domain::small(), Domain::nested()] {
        for value in domain.abstracts() {
            let outcomes: Vec<&Value> = domain.concretisations(value).take(12).collect();
            for schema in &schemas {
                let coerced = coerce(schema, value);
                for outcome in &outcomes {
                    match (&coerced, coerce(schema, outcome)) {
                        (Ok(coerced), Ok(of_outcome)) => {
                            assert!(
                                coerced.may_become(&of_outcome),
                                "{value:?}: {coerced:?}, but {outcome:?}: {of_outcome:?}"
                            );
                        }
                        (Err(error), Ok(_)) => panic!("{value:?}: {error}, but {outcome:?} is accepted"),
                        (_, Err(_)) => refused += 1,
                    }
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > refused && refused > 0, "{refused} of {tried} refused");
}
