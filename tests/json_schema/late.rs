//! Parts whose type is decided by their values: what would be left out of them is listed when the schema is read, and
//! nothing is refused that the schema allows.

use plantime::rule::json_schema::{Import, Reading, import};
use plantime::{Type, Value, json};

fn read(schema: &str, ty: Option<&str>) -> Import {
    let ty = ty.map(|ty| ty.parse::<Type>().unwrap());
    import(&json::from_slice(schema.as_bytes()).unwrap(), ty.as_ref(), &Reading::default()).unwrap()
}

fn object(a: Value) -> Value {
    Value::object([("a", a)]).unwrap()
}

#[test]
fn what_a_part_leaves_out_is_listed_before_its_type_is_known() {
    for (schema, ty, keyword) in [
        (r#"{"contains":{"const":1},"maxContains":1}"#, None, "maxContains"),
        (r#"{"type":"object","properties":{"a":{"format":"nonsense"}}}"#, None, "format"),
        (r#"{"pattern":"(?=a)"}"#, Some("any"), "pattern"),
        (r#"{"items":{"items":{"pattern":"(?=a)"}}}"#, Some("any"), "pattern"),
        (r#"{"allOf":[{"properties":{"a":{"pattern":"(?=a)"}}}]}"#, Some("any"), "pattern"),
        (r#"{"minProperties":2}"#, Some("any"), "minProperties"),
    ] {
        let read = read(schema, ty);
        let listed: Vec<&str> = read.unsupported.iter().map(|left_out| left_out.keyword()).collect();
        assert_eq!(listed, [keyword], "{schema}");
    }
    // A keyword for values that the type rules out is none.
    assert!(read(r#"{"type":["string","null"],"minProperties":2}"#, Some("any")).unsupported.is_empty());
}

#[test]
fn nothing_is_negated_that_is_read_only_in_part() {
    for (schema, value) in [
        (
            r#"{"properties":{"a":{}},"not":{"properties":{"a":{"contains":{"const":1},"minContains":2}}}}"#,
            object(Value::tuple([1]).unwrap()),
        ),
        (
            r#"{"oneOf":[{"properties":{"a":{"format":"nonsense"}}},{"properties":{"a":{"const":"x"}}}]}"#,
            object("x".into()),
        ),
        (
            r#"{"if":{"properties":{"a":{"format":"nonsense"}}},"then":{"required":["b"]}}"#,
            object("x".into()),
        ),
    ] {
        let read = read(schema, Some("object({a=any})"));
        assert!(!read.unsupported.is_empty(), "{schema}");
        assert!(read.rule.check_value(&value).unwrap().is_pass(), "{schema}: {}", read.rule);
        let open = object(Value::unknown(value.ty()));
        assert!(!read.rule.check_value(&open).is_ok_and(|outcome| outcome.is_fail()), "{schema}");
    }
}

#[test]
fn a_schema_that_refers_to_itself_is_looked_at_once() {
    let tree = r##"{"properties":{"name":{"type":"string"},"next":{"$ref":"#"}},"required":["name"]}"##;
    let read_tree = read(tree, Some("any"));
    assert!(read_tree.unsupported.is_empty(), "{:?}", read_tree.unsupported);
    let value = |text: &str| json::from_slice(text.as_bytes()).unwrap();
    let word = |text: &str| read_tree.rule.check_value(&value(text)).unwrap().name();
    assert_eq!(word(r#"{"name":"a","next":{"name":"b"}}"#), "pass");
    assert_eq!(word(r#"{"name":"a","next":{"next":{}}}"#), "fail");
    // What one part of a circle leaves out makes all of it inexact.
    let open = tree.replace(r#""type":"string""#, r#""pattern":"(?=a)""#);
    let read_open = read(
        &format!(
            r##"{{"not":{{"$ref":"#/$defs/t"}},"$defs":{{"t":{}}}}}"##,
            open.replace("\"#\"", "\"#/$defs/t\"")
        ),
        Some("any"),
    );
    assert!(read_open.rule.check_value(&value(r#"{"name":"a"}"#)).unwrap().is_pass(), "{}", read_open.rule);
    assert!(read_open.unsupported.iter().any(|left_out| left_out.keyword() == "not"));
}

#[test]
fn a_map_in_a_part_decided_late_is_read_as_an_object_is() {
    let read = read(r#"{"properties":{"x":{"type":"string"}},"additionalProperties":false}"#, Some("any"));
    assert!(read.unsupported.is_empty());
    let map = |key: &str| Value::map([(key, "v")]).unwrap();
    assert!(read.rule.check_value(&map("x")).unwrap().is_pass());
    assert!(read.rule.check_value(&map("y")).unwrap().is_fail());
    let unknown = Value::unknown("map(string)".parse().unwrap());
    assert!(read.rule.check_value(&unknown).unwrap().is_undetermined());
}

#[test]
fn the_schema_of_all_elements_is_read_once_for_each_type() {
    let schema = r#"{"items":{"enum":["x"],"minLength":1}}"#;
    let long = |element: Type| Type::tuple(vec![element; 70_000]).unwrap();
    let import = |ty: &Type| {
        let schema = json::from_slice(schema.as_bytes()).unwrap();
        import(&schema, Some(ty), &Reading::default()).unwrap()
    };
    let texts = import(&long(Type::String));
    assert_eq!(texts.rule.to_string(), "at([*], all(not_null, one_of(\"x\"), min_len(1)))");
    let mixed = Type::tuple((0..70_000).map(|i| if i % 2 == 0 { Type::String } else { Type::Number }));
    assert!(import(&mixed.unwrap()).unsupported.is_empty());
}
