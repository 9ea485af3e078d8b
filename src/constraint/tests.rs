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

/// A list below `any` was read back as a tuple, a map as an object, and a null of a type as an untyped one.
#[test]
fn a_default_of_a_type_that_the_attribute_leaves_open_reads_back() {
    let lists = Value::list_of(Type::list(Type::Number).unwrap(), [Value::list([1]).unwrap()]).unwrap();
    let defaults = [
        (Value::list([true]).unwrap(), "convert([true], list(bool))"),
        (Value::set(["b", "a"]).unwrap(), r#"convert(["a", "b"], set(string))"#),
        (Value::map([("a", 1)]).unwrap(), r#"convert({"a" = 1}, map(number))"#),
        (Value::null(Type::String), "convert(null, string)"),
        (Value::list_of(Type::String, Vec::<Value>::new()).unwrap(), "convert([], list(string))"),
        (lists, "convert([[1]], list(list(number)))"),
        (Value::tuple([1, 2]).unwrap(), "[1, 2]"),
        (Value::from(crate::Number::INFINITY), "convert(\"inf\", number)"),
        (Value::null(Type::Dynamic), "null"),
        (Value::from("inf"), "\"inf\""),
    ];
    for (default, written) in defaults {
        let attribute = AttributeConstraint::with_default(Type::Dynamic, &default).unwrap();
        let constraint = TypeConstraint::object([("a", attribute)]).unwrap();
        assert_eq!(constraint.to_string(), format!("object({{a = optional(any, {written})}})"));
        assert_eq!(read(&constraint.to_string()), constraint, "{default:?}");
    }
    let below = AttributeConstraint::with_default(read("list(any)"), &Value::list([true]).unwrap()).unwrap();
    let constraint = TypeConstraint::object([("a", below)]).unwrap();
    assert_eq!(constraint.to_string(), "object({a = optional(list(any), [true])})");
    assert_eq!(read(&constraint.to_string()), constraint);
}

#[test]
fn texts_that_are_none_are_answered_with_the_place_and_what_was_meant() {
    let misplaced =
        "`optional` stands only before the type of an object attribute, but there is one at column";
    let rows = [
        ("list", "`list` requires one argument, the element type, at column 1"),
        ("set(string, string)", "`set` requires one argument, the element type, at column 1"),
        ("map()", "`map` requires one argument, the element type, at column 1"),
        ("object", "`object` requires one argument, the attribute types in braces, at column 1"),
        ("tuple()", "`tuple` requires one argument, the element types in brackets, at column 1"),
        ("strng", "unknown type keyword `strng` at column 1; did you mean `string`?"),
        ("lst(string)", "unknown type keyword `lst` at column 1; did you mean `list`?"),
        ("list(frobnicate)", "unknown type keyword `frobnicate` at column 6"),
        ("object({a = strin})", "a: unknown type keyword `strin` at column 13; did you mean `string`?"),
        (
            "\"string\"",
            "a type is a keyword or a call like `list(string)`, but there is another value at column 1",
        ),
        ("string()", "`string` takes no arguments, but there are some at column 1"),
        ("any()", "`any` takes no arguments, but there are some at column 1"),
        ("object(string)", "`object` requires one argument, the attribute types in braces, at column 8"),
        ("object({\"a\" = string})", "the attribute name `a` needs no quotes, but has some at column 9"),
        ("object({1 = string})", "an attribute name expected, but there is another value at column 9"),
        ("object({a = string, a = string})", "duplicate attribute `a` at column 21"),
        ("tuple(string)", "`tuple` requires one argument, the element types in brackets, at column 7"),
        ("optional(string)", &format!("{misplaced} 1")),
        ("object({a = optional()})", "a: `optional` requires the type of the attribute, at column 13"),
        (
            "object({a = optional(string, 1, 2)})",
            "a: `optional` takes a type and a default, but there is more at column 33",
        ),
        ("object({a = list(optional(string))})", &format!("a: {misplaced} 18")),
        (
            "object({a = optional(number, \"x\")})",
            "a: the default does not fit the type: a number is required at column 30",
        ),
        (
            "object({a = optional(string, f())})",
            "a: a default is a constant, but there is a call of `f` at column 30",
        ),
        ("object({a = optional(string, f)})", "a: a default is a constant, but there is `f` at column 30"),
        (
            "object({a = optional(string, \"${b}\")})",
            "a: a default is a constant, but there is a template at column 30",
        ),
        (
            "object({a = optional(any, convert([1]))})",
            "a: `convert` requires a constant and a type, at column 27",
        ),
        ("list(string", "unexpected end of the type constraint"),
        ("list(string; bool)", "\",\" or \")\" expected, but found ';' at column 12"),
        (
            "object({\n  a = strin\n})",
            "a: unknown type keyword `strin` at line 2, column 7; did you mean `string`?",
        ),
    ];
    for (text, message) in rows {
        assert_eq!(text.parse::<TypeConstraint>().unwrap_err().to_string(), message, "{text}");
    }
}

/// A type is a constraint too, so a misspelt one is answered alike by both.
#[test]
fn a_misspelt_keyword_is_told_alike_by_types_and_constraints() {
    for text in ["strin", "list(strin)", "object({a = strin})", "tuple([bool, object({b = strin})])"] {
        let [ty, constraint] =
            [text.parse::<Type>().unwrap_err(), text.parse::<TypeConstraint>().unwrap_err()];
        assert_eq!(ty.to_string(), constraint.to_string());
        assert_eq!(ty.path(), constraint.path());
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
