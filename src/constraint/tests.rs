//! The text forms, their errors, and what is equal.

use super::{AttributeConstraint, TypeConstraint};
use crate::Type;
use crate::value::Value;

#[track_caller]
fn read(text: &str) -> TypeConstraint {
    text.parse().unwrap()
}

#[test]
fn what_is_written_reads_back() {
    for text in [
        "any",
        "list(object({a = optional(string)}))",
        "map(tuple([any, set(object({a = optional(any)}))]))",
        "object({name = string, tags = optional(map(string), {})})",
        r#"object({a = optional(list(number), [1, -2.5]), b = optional(string, "x\"$${y}%%{z}")})"#,
        r#"object({n = optional(string, null), "odd name" = optional(map(bool), {"a b" = true})})"#,
        r#"object({n = optional(number, "inf"), o = object({p = optional(number, 3)})})"#,
        "object({a = optional(object({b = optional(number, 1)}), {\"b\" = 1})})",
    ] {
        let constraint = read(text);
        assert_eq!(constraint.to_string(), text);
        assert_eq!(read(&constraint.to_string()), constraint);
        assert!(constraint.has_optional() || text == "any");
    }
    let spread = read("object({\n  a = string\n  b : optional ( number , 1e2 , ) ,\n})");
    assert_eq!(spread.to_string(), "object({a = string, b = optional(number, 100)})");
}

#[test]
fn texts_that_are_none_have_the_messages_of_hcl() {
    let rows = [
        ("list", "The list type constructor requires one argument specifying the element type."),
        (
            "set(string, string)",
            "The set type constructor requires one argument specifying the element type.",
        ),
        ("map()", "The map type constructor requires one argument specifying the element type."),
        (
            "object",
            "The object type constructor requires one argument specifying the attribute types and values as a map.",
        ),
        (
            "tuple()",
            "The tuple type constructor requires one argument specifying the element types as a list.",
        ),
        ("strng", "The keyword \"strng\" is not a valid type specification."),
        ("lst(string)", "Keyword \"lst\" is not a valid type constructor."),
        (
            "\"string\"",
            "A type specification is either a primitive type keyword (bool, number, string) or a complex type \
             constructor call, like list(string).",
        ),
        ("string()", "Primitive type keyword \"string\" does not expect arguments."),
        ("any()", "Type constraint keyword \"any\" does not expect arguments."),
        (
            "object(string)",
            "Object type constructor requires a map whose keys are attribute names and whose values are the \
             corresponding attribute types.",
        ),
        ("object({\"a\" = string})", "Object constructor map keys must be attribute names."),
        ("object({a = string, a = string})", "Object constructor map keys must be unique."),
        ("tuple(string)", "Tuple type constructor requires a list of element types."),
        ("optional(string)", "Keyword \"optional\" is valid only as a modifier for object type attributes."),
        (
            "object({a = optional()})",
            "a: Optional attribute modifier requires the attribute type as its argument.",
        ),
        (
            "object({a = optional(string, 1, 2)})",
            "a: Optional attribute modifier expects at most two arguments: the attribute type, and a default value.",
        ),
        (
            "object({a = list(optional(string))})",
            "a: Keyword \"optional\" is valid only as a modifier for object type attributes.",
        ),
        (
            "object({a = optional(number, \"x\")})",
            "a: This default value is not compatible with the attribute's type constraint: a number is required.",
        ),
        ("object({a = optional(string, f())})", "a: a default is a constant: \"f\" may not be called"),
        ("object({a = optional(string, \"${b}\")})", "a: a default is a constant: it has no template"),
    ];
    for (text, message) in rows {
        assert_eq!(text.parse::<TypeConstraint>().unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| format!("{}string{}", "list(".repeat(levels), ")".repeat(levels));
    assert!(nested(256).parse::<TypeConstraint>().is_ok());
    for levels in [257, 100_000] {
        assert!(nested(levels).parse::<TypeConstraint>().unwrap_err().is_limit());
    }
    let objects =
        |levels: usize| format!("{}string{}", "object({a = optional(".repeat(levels), ")})".repeat(levels));
    let deep = read(&objects(250));
    assert_eq!(read(&deep.to_string()), deep);
    assert_eq!(TypeConstraint::from_json_text(&deep.to_json_text().unwrap()).unwrap(), deep);
    assert!(objects(100_000).parse::<TypeConstraint>().unwrap_err().is_limit());
    assert!("[".repeat(100_000).parse::<TypeConstraint>().unwrap_err().is_limit());
}

#[test]
fn json_names_what_is_optional() {
    let text = r#"["list",["object",{"a":"string","b":["tuple",[["object",{"c":"bool"},["c"]]]]},["a"]]]"#;
    let constraint = TypeConstraint::from_json_text(text).unwrap();
    assert_eq!(constraint.to_json_text().unwrap(), text);
    assert_eq!(
        constraint.to_string(),
        "list(object({a = optional(string), b = tuple([object({c = optional(bool)})])}))"
    );
    let undeclared = TypeConstraint::from_json_text(r#"["object",{"a":"string"},["b"]]"#).unwrap_err();
    assert_eq!(undeclared.to_string(), "optional contains undeclared attribute \"b\"");
    let none = TypeConstraint::from_json_text(r#"["object",{"a":"string"},[]]"#).unwrap();
    assert!(!none.has_optional());
}

#[test]
fn a_constraint_without_optional_attributes_is_its_type() {
    let ty: Type = "map(object({a = list(any)}))".parse().unwrap();
    assert_eq!(read("map(object({a = list(any)}))"), TypeConstraint::from(&ty));
    assert_eq!(read("map(object({a = optional(list(any))}))").to_type(), ty);
    assert_ne!(read("object({a = optional(string)})"), read("object({a = string})"));
    assert_ne!(read("object({a = optional(string)})"), read("object({a = optional(string, \"x\")})"));
}

#[test]
fn a_default_is_known_and_unmarked_and_converted() {
    let unknown = AttributeConstraint::with_default(Type::String, &Value::unknown(Type::String));
    assert!(unknown.unwrap_err().is_unknown());
    let marked =
        AttributeConstraint::with_default(Type::String, &Value::from("x").mark(crate::Mark::SENSITIVE));
    assert!(marked.unwrap_err().is_marked());
    let number = AttributeConstraint::with_default(Type::String, &Value::from(1)).unwrap();
    assert_eq!(number.default(), Some(&Value::from("1")));
}
