//! What each rule becomes, and what each keyword means.

use std::collections::BTreeSet;

use plantime::rule::json_schema::{Dialect, Import, Reading, export, import};
use plantime::rule::{Rule, keywords};
use plantime::{Type, TypeConstraint, Value, json};

fn read(text: &str) -> Value {
    json::from_slice(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The blocks of lines of a file, without comments.
fn blocks(file: &str) -> Vec<Vec<&str>> {
    file.split("\n\n").map(|block| block.lines().filter(|line| !line.is_empty()).collect()).collect()
}

fn without_dialect(schema: &Value) -> serde_json::Value {
    let mut schema = serde_json::Value::try_from(schema).unwrap();
    let named = schema.as_object_mut().unwrap().remove("$schema");
    assert!(named.is_none_or(|name| name == "https://json-schema.org/draft/2020-12/schema"));
    schema
}

#[test]
fn each_rule_becomes_the_keywords_of_its_dialect() {
    let mut dialect = None;
    let mut seen = BTreeSet::new();
    for block in blocks(include_str!("exports.txt")) {
        match block.as_slice() {
            ["# JsonSchema"] => dialect = Some(Dialect::JsonSchema),
            ["# OpenApi"] => dialect = Some(Dialect::OpenApi),
            ["# Kubernetes"] => dialect = Some(Dialect::Kubernetes),
            [ty, rule, schema] => {
                let constraint: TypeConstraint = ty.parse().unwrap();
                let rule = Rule::from_form(&read(rule)).unwrap();
                let dialect = dialect.unwrap();
                let exported = export(&constraint, &rule, dialect).unwrap();
                let expected: serde_json::Value = serde_json::from_str(schema).unwrap();
                assert_eq!(without_dialect(&exported), expected, "{dialect:?} {ty} {rule}");
                let reading = Reading { dialect, ..Reading::default() };
                let back = import(&exported, None, &reading).unwrap();
                assert_eq!(back.constraint, constraint);
                assert!(back.unsupported.is_empty(), "{exported}: {:?}", back.unsupported);
                seen.insert(rule.name());
            }
            other => assert!(other.iter().all(|line| line.starts_with('#')), "{other:?}"),
        }
    }
    // Rules without an example of their own have no keyword of their own.
    let plain = ["all", "any", "not", "implies", "when"];
    let count = keywords().iter().filter(|row| seen.contains(row.name) || plain.contains(&row.name)).count();
    assert!(count >= 35, "only {count}");
}

#[test]
fn each_keyword_is_read_as_rules_and_a_refinement() {
    for block in blocks(include_str!("imports.txt")) {
        let [schema, ty, rule, refinement, left_out @ ..] = block.as_slice() else { continue };
        let (given, shown) = match ty.split_once(' ').unwrap() {
            ("for", ty) => (Some(ty.parse::<Type>().unwrap()), ty),
            (_, ty) => (None, ty),
        };
        let Import { constraint, rule: found, refinement: bounds, unsupported, .. } =
            import(&read(schema), given.as_ref(), &Reading::default()).unwrap();
        assert_eq!(constraint, shown.parse().unwrap(), "{schema}");
        assert_eq!(found.to_string(), *rule, "{schema}");
        assert_eq!(bounds.to_string(), *refinement, "{schema}");
        let unsupported: Vec<String> = unsupported.iter().map(ToString::to_string).collect();
        assert_eq!(unsupported.join("; "), left_out.join("; "), "{schema}");
    }
}

#[test]
fn an_unknown_of_a_schema_is_as_narrow_as_the_schema_says() {
    let unknown = |schema: &str| import(&read(schema), None, &Reading::default()).unwrap().unknown();
    let id = unknown(r#"{"type":"string","pattern":"^vpc-[0-9a-f]{17}$"}"#).unwrap();
    assert_eq!(id.to_string(), "(known after apply, matches ^vpc-[0-9a-f]{17}$)");
    assert_eq!(id.equals(&"vpc-xyz".into()).unwrap(), Value::from(false));
    assert_eq!(id.equals(&"subnet-1".into()).unwrap(), Value::from(false));
    let port = unknown(r#"{"type":"integer","minimum":1,"maximum":65535}"#).unwrap();
    assert_eq!(port.less_than(&70_000.into()).unwrap(), Value::from(true));
    let zones = unknown(r#"{"type":"array","items":{"type":"string"},"minItems":2}"#).unwrap();
    assert!(Rule::min_len(2).check_value(&zones).unwrap().is_pass());
    assert_eq!(unknown(r#"{"type":"number","const":5}"#).unwrap(), Value::from(5));
    assert_eq!(unknown("{}").unwrap(), Value::dynamic());
}

#[test]
fn a_null_attribute_is_one_that_is_left_out_or_a_value() {
    let schema = read(r#"{"properties":{"a":{"type":"string"}},"required":["b"]}"#);
    let value = plantime::value!({ "a": null, "b": "x" }).unwrap();
    let word = |nulls, value: &Value| {
        let reading = Reading { nulls, ..Reading::default() };
        let rule = import(&schema, Some(&value.ty()), &reading).unwrap().rule;
        rule.check_value(value).unwrap().name()
    };
    use plantime::rule::json_schema::Nulls;
    assert_eq!(word(Nulls::AreAbsent, &value), "pass");
    assert_eq!(word(Nulls::AreValues, &value), "fail");
    let value = plantime::value!({ "a": "x", "b": null }).unwrap();
    assert_eq!(word(Nulls::AreAbsent, &value), "fail");
    assert_eq!(word(Nulls::AreValues, &value), "pass");
}

#[test]
fn formats_are_asked_for_unless_they_are_notes() {
    let schema = read(r#"{"type":"string","format":"ipv4"}"#);
    let notes = Reading { formats: false, ..Reading::default() };
    assert_eq!(import(&schema, None, &notes).unwrap().rule, Rule::NotNull);
}

#[test]
fn a_value_of_undecided_type_is_read_when_it_is_known() {
    let schema = read(r#"{"type":["string","number"],"minLength":2,"minimum":5}"#);
    let rule = import(&schema, Some(&Type::Dynamic), &Reading::default()).unwrap().rule;
    let word = |value: Value| rule.check_value(&value).unwrap().name();
    assert_eq!(word(Value::dynamic()), "undetermined");
    assert_eq!(word(Value::null(Type::Dynamic)), "fail");
    assert_eq!(word("a".into()), "fail");
    assert_eq!(word("ab".into()), "pass");
    assert_eq!(word(4.into()), "fail");
    assert_eq!(word(5.into()), "pass");
    assert_eq!(word(true.into()), "fail");
    assert_eq!(word(Value::unknown(Type::Bool)), "fail");
    assert_eq!(word(Value::unknown(Type::Number)), "undetermined");
}

#[test]
fn what_is_left_out_says_why() {
    let schema = json::from_slice(br#"{"type": "string", "pattern": "(?=a)b"}"#).unwrap();
    let import = import(&schema, None, &Reading::default()).unwrap();
    for left_out in &import.unsupported {
        assert!(!left_out.why().is_empty());
        assert!(left_out.to_string().ends_with(left_out.why()), "{left_out}");
    }
    assert_eq!(import.unsupported.len(), 1);
}

#[test]
fn a_marked_part_of_a_schema_is_called_so() {
    let marked = Value::from("string").mark(plantime::Mark::SENSITIVE);
    let schema = Value::object([("type", marked)]).unwrap();
    let error = import(&schema, None, &Reading::default()).unwrap_err();
    assert!(error.to_string().contains("marked"), "{error}");
}

#[test]
fn what_no_condition_speaks_of_satisfies_contains() {
    let import = import(
        &read(r#"{"contains": {"minimum": 5}}"#),
        Some(&"list(number)".parse().unwrap()),
        &Reading::default(),
    );
    let rule = import.unwrap().rule;
    let passes = |items: [Value; 1]| rule.check_value(&Value::list(items).unwrap()).unwrap().is_pass();
    assert!(passes([Value::null(Type::Number)]) && passes([Value::from(5)]) && !passes([Value::from(4)]));
}

#[test]
fn an_attribute_named_twice_is_asked_for_once() {
    let path = |path: &str| path.parse().unwrap();
    let ty: TypeConstraint = "object({a = string, b = string})".parse().unwrap();
    let rule = Rule::also_requires(path("b"), [path("a"), path("a")]);
    let schema = serde_json::Value::try_from(&export(&ty, &rule, Dialect::JsonSchema).unwrap()).unwrap();
    assert_eq!(schema.pointer("/anyOf/1/required"), Some(&serde_json::json!(["a"])), "{schema}");
}
