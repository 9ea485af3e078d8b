use super::*;
use plantime::{Mark, Marks, Type, Value};

mod coerce;
mod exports;
mod fields;

const NETWORK: &[u8] = include_bytes!("../../tests/data/network-schemas.json");

fn one(block: &str) -> Schema {
    let text =
        format!(r#"{{"provider_schemas": {{"p": {{"resource_schemas": {{"r": {{"block": {block}}}}}}}}}}}"#);
    ProviderSchemas::from_json(text.as_bytes()).unwrap().resource("p", "r").unwrap().clone()
}

fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

#[test]
fn nesting_modes_imply_types() {
    let schema = one(
        r#"{"attributes": {"a": {"type": ["list", "string"]}, "n": {"nested_type": {"nesting_mode": "map", "attributes": {"x": {"type": "number"}}}}},
            "block_types": {
                "one": {"nesting_mode": "single", "block": {"attributes": {"x": {"type": "bool"}}}},
                "grp": {"nesting_mode": "group", "block": {}},
                "lst": {"nesting_mode": "list", "block": {"attributes": {"x": {"type": "bool"}}}},
                "set": {"nesting_mode": "set", "block": {"block_types": {"in": {"nesting_mode": "map", "block": {}}}}},
                "dyn": {"nesting_mode": "list", "block": {"attributes": {"x": {"type": "dynamic"}}}}}}"#,
    );
    let want = "object({a = list(string), dyn = dynamic, grp = object({}), lst = list(object({x = bool})), \
                n = map(object({x = number})), one = object({x = bool}), set = set(object({in = map(object({}))}))})";
    assert_eq!(schema.implied_type().unwrap(), &ty(want));
    assert_eq!(schema.block().implied_type().unwrap(), ty(want));
}

#[test]
fn everything_in_a_file_survives() {
    let text = r#"{"format_version": "1.0", "future": [1, {"x": null}], "provider_schemas": {"p": {
        "provider": {"version": 3, "block": {"later": true}},
        "resource_schemas": {"r": {"version": 1, "odd": {"k": 1.5}, "block": {"attributes": {
            "a": {"type": "string", "optional": true, "computed": true, "sensitive": true, "write_only": true,
                  "deprecated": true, "deprecation_message": "use b", "description": "d", "description_kind": "plain", "new": 1}}}}},
        "functions": {"f": {"return_type": ["list", "string"], "parameters": [{"name": "x", "type": "dynamic", "is_nullable": true}],
                            "variadic_parameter": {"name": "y", "type": "bool"}}},
        "resource_identity_schemas": {"r": {"version": 0, "attributes": {"id": {"type": "string", "required_for_import": true}}}},
        "weather_schemas": {"w": {}}}}}"#;
    let schemas = ProviderSchemas::from_json(text.as_bytes()).unwrap();
    let json = schemas.to_json().unwrap();
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(text).unwrap());
    let again = ProviderSchemas::from_json(json.to_string().as_bytes()).unwrap();
    assert_eq!(again, schemas);
}

#[test]
fn digits_of_keys_that_are_not_known_are_kept_or_refused() {
    let text = r#"{"provider_schemas": {}, "future": {"n": 18446744073709551616, "half": 1.5}}"#;
    let schemas = ProviderSchemas::from_json(text.as_bytes()).unwrap();
    match schemas.to_json() {
        Ok(json) => {
            assert_eq!(ProviderSchemas::from_json(json.to_string().as_bytes()), Ok(schemas));
        }
        Err(error) => {
            assert!(error.is_limit(), "{error}");
            assert_eq!(error.path().to_string(), "future.n");
        }
    }
}

#[test]
fn the_example_schemas_are_read_and_written() {
    let schemas = ProviderSchemas::from_json(NETWORK).unwrap();
    let json: serde_json::Value = serde_json::from_slice(NETWORK).unwrap();
    assert_eq!(schemas.to_json().unwrap(), json);
    let vpc = schemas.resource("registry.terraform.io/example/aws", "aws_vpc").unwrap();
    let Type::Object(vpc) = vpc.implied_type().unwrap() else { panic!("no object") };
    assert_eq!(vpc.get("tags"), Some(&ty("map(string)")));
}

#[test]
fn versions_are_checked() {
    let read = |text: &str| ProviderSchemas::from_json(text.as_bytes());
    for version in ["", r#""format_version": "0.1", "#, r#""format_version": "1.7", "#] {
        assert!(read(&format!(r#"{{{version}"provider_schemas": {{}}}}"#)).is_ok(), "{version}");
    }
    assert_eq!(read(r#"{"provider_schemas": {}}"#).unwrap().format_version, "1.0");
    let error = read(r#"{"format_version": "2.0", "provider_schemas": {}}"#).unwrap_err();
    assert!(error.to_string().contains("\"2.0\" are not supported"), "{error}");
    // What Terraform writes for a configuration without providers.
    assert!(read(r#"{"format_version": "1.0"}"#).unwrap().providers.is_empty());
    for other in ["{}", r#"{"format_version": "1.0", "values": {}}"#] {
        let error = read(other).unwrap_err();
        assert!(error.to_string().contains("no provider_schemas"), "{error}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_path() {
    for (attribute, message) in [
        (r#"{"type": "strin"}"#, "invalid primitive type name \"strin\""),
        (r#"{"optional": true}"#, "either type or nested_type must be defined"),
        (r#"{"type": "bool", "nested_type": {"nesting_mode": "list"}}"#, "cannot both be set"),
        (r#"{"nested_type": {"nesting_mode": "heap"}}"#, "invalid nesting mode \"heap\""),
        (r#"{"nested_type": {"nesting_mode": "group"}}"#, "nesting mode group"),
        (r#"{"type": "bool", "required": "yes"}"#, "bool required, but have string"),
        (r#"{"type": "bool", "type": "bool"}"#, "duplicate \"type\""),
    ] {
        let text = format!(
            r#"{{"provider_schemas": {{"p": {{"resource_schemas": {{"r": {{"block": {{"attributes": {{"a": {attribute}}}}}}}}}}}}}}}"#
        );
        let error = ProviderSchemas::from_json(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert!(
            error.path().to_string().starts_with("provider_schemas.p.resource_schemas.r.block.attributes.a")
        );
    }
}

#[test]
fn marks_are_found_at_their_places() {
    let schema = one(
        r#"{"attributes": {"pw": {"type": "string", "sensitive": true}, "old": {"type": "string", "deprecated": true, "deprecation_message": "use new"}},
            "block_types": {"b": {"nesting_mode": "list", "block": {"attributes": {"key": {"type": "string", "sensitive": true}}}}}}"#,
    );
    let entry = Value::object([("key", Value::from("k"))]).unwrap();
    let value = Value::object([
        ("pw", Value::null(Type::String)),
        ("old", Value::from("x")),
        ("b", Value::list([entry]).unwrap()),
    ])
    .unwrap();
    let found: Vec<String> =
        schema.marks_for(&value).iter().map(|(path, marks)| format!("{path}: {marks}")).collect();
    assert_eq!(found, ["old: deprecated (use new)", "pw: sensitive", "b[0].key: sensitive"]);
    let marked = value.mark_with_paths(&schema.marks_for(&value));
    let key = marked.get(&"b[0].key".parse().unwrap()).unwrap();
    assert_eq!(key.marks(), &Marks::from(Mark::SENSITIVE));
}

#[test]
fn providers_are_found_by_older_and_other_addresses() {
    let schemas = ProviderSchemas::from_json(NETWORK).unwrap();
    for provider in ["registry.terraform.io/example/aws", "registry.opentofu.org/example/aws", "aws"] {
        assert!(schemas.resource(provider, "aws_vpc").is_some(), "{provider}");
    }
    assert!(schemas.resource("registry.terraform.io/other/aws", "aws_vpc").is_none());
    assert!(schemas.resource("ws", "aws_vpc").is_none());
    assert!(schemas.data_source("aws", "aws_subnets").is_some());
}

/// Two types, of which one is no schema, and a data source.
const HALF_BROKEN: &str = r#"{"provider_schemas": {"p": {
    "resource_schemas": {"r": {"block": {"attributes": {"a": {"type": "string"}}}},
                         "broken": {"block": {"attributes": {"a": {}}}}},
    "data_source_schemas": {"d": {"block": {}}},
    "ephemeral_resource_schemas": {"e": {"block": {}}}}}}"#;

#[test]
fn a_schema_that_is_read_on_demand_is_the_one_that_is_read_at_once() {
    let at_once = ProviderSchemas::from_json(NETWORK).unwrap();
    let on_demand = ProviderSchemas::open("schemas.json", NETWORK.to_vec()).unwrap();
    for (address, provider) in &at_once.providers {
        assert!(provider.resource_types().eq(on_demand.providers[address].resource_types()));
        for (ty, schema) in &provider.resource_schemas {
            assert_eq!(on_demand.resource(address, ty), Some(schema), "{ty}");
        }
    }
    assert_eq!(on_demand.to_json().unwrap(), at_once.to_json().unwrap());
}

#[test]
fn a_type_that_nobody_asks_for_is_not_read() {
    assert!(ProviderSchemas::from_json(HALF_BROKEN.as_bytes()).is_err());
    let schemas = ProviderSchemas::open("schemas.json", HALF_BROKEN.into()).unwrap();
    assert!(schemas.providers["p"].resource_schemas.is_empty());
    assert!(schemas.resource("p", "r").is_some());
    assert!(schemas.resource("p", "d").is_none());
    assert!(schemas.data_source("p", "d").is_some());
    assert!(schemas.ephemeral_resource("p", "e").is_some());
    assert!(schemas.resource("p", "broken").is_none());
    assert_eq!(
        schemas.read_resource("p", "broken").unwrap_err().to_string(),
        "schemas.json: broken: block.attributes.a: either type or nested_type must be defined by an attribute that ends \
         at line 3 column 69"
    );
    assert!(schemas.to_json().is_err());
}

#[test]
fn what_is_no_schema_file_is_told_when_it_is_opened() {
    for text in [
        &b"{\"provider_schemas\": {\"p\": {\"resource_schemas\": {\"r\": {\"block\": {,}}}}}}"[..],
        b"{}",
        b"\"\xff\"",
    ] {
        let at_once = ProviderSchemas::from_json(text).unwrap_err();
        assert_eq!(ProviderSchemas::open("s", text.to_vec()).unwrap_err().message(), at_once.message());
    }
}

#[test]
fn a_schema_is_checked_for_all_that_no_provider_may_declare() {
    let schema = one(
        r#"{"attributes": {"none": {"type": "string"}, "both": {"type": "string", "optional": true, "required": true},
                           "made": {"type": "string", "computed": true, "required": true},
                           "n": {"optional": true, "nested_type": {"nesting_mode": "list", "attributes": {"x": {"type": "bool"}}}},
                           "s": {"optional": true, "nested_type": {"nesting_mode": "set", "attributes": {"x": {"type": "dynamic", "optional": true}}}},
                           "twice": {"type": "string", "optional": true}},
            "block_types": {
                "twice": {"nesting_mode": "list", "block": {}},
                "Up": {"nesting_mode": "list", "block": {}},
                "lst": {"nesting_mode": "list", "min_items": 3, "max_items": 2, "block": {"attributes": {"y": {"type": "bool"}}}},
                "open": {"nesting_mode": "list", "min_items": 3, "block": {}},
                "one": {"nesting_mode": "single", "min_items": 1, "block": {}},
                "two": {"nesting_mode": "single", "min_items": 2, "max_items": 2, "block": {}},
                "grp": {"nesting_mode": "group", "max_items": 1, "block": {}},
                "map": {"nesting_mode": "map", "min_items": 1, "block": {}},
                "set": {"nesting_mode": "set", "min_items": 2, "max_items": 1, "block": {"block_types": {
                    "in": {"nesting_mode": "single", "block": {"attributes": {"x": {"type": "dynamic", "optional": true}}}}}}}}}"#,
    );
    let mut errors: Vec<String> = schema.check().iter().map(ToString::to_string).collect();
    errors.sort();
    let mut want = [
        "both: cannot set both Optional and Required",
        "made: cannot set both Computed and Required",
        "n.x: must set Optional, Required or Computed",
        "none: must set Optional, Required or Computed",
        "s: NestingSet blocks may not contain attributes of cty.DynamicPseudoType",
        "Up: name may contain only lowercase letters, digits and underscores",
        "grp: MinItems and MaxItems cannot be used in NestingGroup mode",
        "lst: MinItems must be less than or equal to MaxItems in NestingList mode",
        "lst.y: must set Optional, Required or Computed",
        "map: MinItems and MaxItems must both be 0 in NestingMap mode",
        "one: MinItems and MaxItems must match in NestingSingle mode",
        "set: MinItems must be less than or equal to MaxItems in NestingSet mode",
        "set: NestingSet blocks may not contain attributes of cty.DynamicPseudoType",
        "twice: name defined as both attribute and child block type",
        "two: MinItems and MaxItems must be set to either 0 or 1 in NestingSingle mode",
    ];
    want.sort_unstable();
    assert_eq!(errors, want);
    assert_eq!(one(r#"{"attributes": {"id": {"type": "dynamic", "computed": true}}}"#).check(), []);
}
