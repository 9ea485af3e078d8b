//! The draft that `$schema` names decides which keywords a document has.

use plantime::rule::json_schema::{Import, Reading, import};
use plantime::{Type, Value, json};

fn read(schema: &str, ty: &str) -> Import {
    let ty: Type = ty.parse().unwrap();
    import(&json::from_slice(schema.as_bytes()).unwrap(), Some(&ty), &Reading::default()).unwrap()
}

fn word(read: &Import, value: &Value) -> &'static str {
    read.rule.check_value(value).unwrap().name()
}

const SEVEN: &str = r#""$schema":"http://json-schema.org/draft-07/schema#""#;
const TWENTY: &str = r#""$schema":"https://json-schema.org/draft/2020-12/schema""#;

#[test]
fn until_draft_7_nothing_beside_a_reference_is_read() {
    let rest = r##""$defs":{"r":{"type":"array"}},"properties":{"foo":{"$ref":"#/$defs/r","maxItems":2}}"##;
    let three = Value::object([("foo", Value::list([1, 2, 3]).unwrap())]).unwrap();
    for (draft, expected) in [(SEVEN, "pass"), (TWENTY, "fail")] {
        let read = read(&format!("{{{draft},{rest}}}"), "object({foo=list(number)})");
        assert!(read.unsupported.is_empty(), "{:?}", read.unsupported);
        assert_eq!(word(&read, &three), expected, "{draft}");
    }
}

#[test]
fn a_keyword_that_the_draft_does_not_have_is_listed_and_not_read() {
    for (schema, ty, keyword) in [
        (format!(r#"{{{SEVEN},"dependentRequired":{{"a":["b"]}}}}"#), "map(string)", "dependentRequired"),
        (format!(r#"{{{SEVEN},"prefixItems":[false]}}"#), "list(string)", "prefixItems"),
        (format!(r#"{{{TWENTY},"nullable":true}}"#), "string", "nullable"),
        (r#"{"$schema":"http://json-schema.org/draft-04/schema#","const":1}"#.to_owned(), "number", "const"),
    ] {
        let read = read(&schema, ty);
        let listed: Vec<&str> = read.unsupported.iter().map(|left_out| left_out.keyword()).collect();
        assert_eq!(listed, [keyword], "{schema}");
        assert_eq!(word(&read, &Value::unknown(ty.parse().unwrap())), "pass", "{schema}: {}", read.rule);
    }
}

#[test]
fn of_a_document_with_a_metaschema_of_its_own_nothing_is_read() {
    let own = r#"{"$schema":"https://example.com/own","type":"string","minLength":2}"#;
    let read = read(own, "string");
    assert_eq!(
        read.unsupported.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["/$schema: the metaschema is not known, so nothing is read"]
    );
    assert_eq!(word(&read, &"a".into()), "pass");
    let shown = import(&json::from_slice(own.as_bytes()).unwrap(), None, &Reading::default()).unwrap();
    assert_eq!(shown.constraint, plantime::TypeConstraint::ANY);
}

#[test]
fn a_part_in_another_draft_than_the_document_is_not_read() {
    let schema = format!(r#"{{{TWENTY},"items":{{{SEVEN},"minLength":2}}}}"#);
    let read = read(&schema, "list(string)");
    assert_eq!(read.unsupported[0].pointer(), "/items/$schema");
    assert_eq!(word(&read, &Value::list(["a"]).unwrap()), "pass");
}
