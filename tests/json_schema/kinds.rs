//! Whether a schema says a rule by its keywords, by an expression, or by the key for what has neither.

use std::collections::BTreeSet;

use plantime::rule::json_schema::{Dialect, export};
use plantime::rule::{Rule, keywords};
use plantime::{TypeConstraint, Value, json};

/// How a schema says a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// By its keywords alone.
    Keywords,
    /// By CEL, exactly.
    Cel,
    /// Keywords say a part of it, the key `x-plantime-rules` all.
    Part,
    /// By that key alone.
    Key,
}

use How::{Cel, Key, Keywords, Part};

/// A type, a rule in its form, and how JSON Schema, OpenAPI and Kubernetes say it.
pub(super) const KINDS: [(&str, &str, [How; 3]); 77] = [
    ("string", r#"{"not_null":true}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"sequence":[{"starts_with":"a"},{"min_len":3}]}"#, [Part, Part, Cel]),
    ("string", r#"{"is_null":true}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"equals":"a"}"#, [Keywords, Keywords, Keywords]),
    ("number", r#"{"one_of":[1,2]}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"none_of":["a"]}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"starts_with":"a"}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"ends_with":"a"}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"not_before":"a"}"#, [Key, Key, Cel]),
    ("string", r#"{"not_after":"a"}"#, [Key, Key, Cel]),
    ("string", r#"{"contains":"a"}"#, [Keywords, Keywords, Keywords]),
    ("list(string)", r#"{"contains":"a"}"#, [Keywords, Key, Cel]),
    ("string", r#"{"min_len":1}"#, [Keywords, Keywords, Keywords]),
    ("list(string)", r#"{"max_len":1}"#, [Keywords, Keywords, Keywords]),
    ("map(string)", r#"{"len":1}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"min_byte_len":9}"#, [Part, Part, Cel]),
    ("string", r#"{"max_byte_len":9}"#, [Part, Part, Cel]),
    ("string", r#"{"byte_len":9}"#, [Part, Part, Cel]),
    ("string", r#"{"min_grapheme_len":9}"#, [Part, Part, Part]),
    ("string", r#"{"max_grapheme_len":9}"#, [Key, Key, Key]),
    ("string", r#"{"grapheme_len":9}"#, [Part, Part, Part]),
    ("number", r#"{"min":1}"#, [Keywords, Keywords, Keywords]),
    ("number", r#"{"max":1}"#, [Keywords, Keywords, Keywords]),
    ("number", r#"{"not":{"max":1}}"#, [Keywords, Keywords, Keywords]),
    ("number", r#"{"multiple_of":3}"#, [Keywords, Keywords, Keywords]),
    ("number", r#"{"even":true}"#, [Keywords, Keywords, Keywords]),
    ("number", r#"{"odd":true}"#, [Part, Part, Part]),
    ("string", r#"{"format":"uuid"}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"format":"hostname"}"#, [Part, Part, Part]),
    ("string", r#"{"format":"regex"}"#, [Key, Key, Key]),
    ("string", r#"{"one_of_ignoring_case":["a","s3"]}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"one_of_ignoring_case":["é"]}"#, [Key, Key, Key]),
    ("string", r#"{"none_of_ignoring_case":["a"]}"#, [Keywords, Keywords, Cel]),
    ("list(string)", r#"{"no_nulls":true}"#, [Part, Key, Key]),
    ("list(string)", r#"{"unique":true}"#, [Keywords, Keywords, Cel]),
    ("map(string)", r#"{"has_key":"a"}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"matches":"^a+$"}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"matches":"(?i)a"}"#, [Key, Key, Key]),
    ("object({a=string,b=string})", r#"{"exactly_one_of":["a","b"]}"#, [Part, Part, Cel]),
    ("object({a=string,b=string})", r#"{"at_least_one_of":["a","b"]}"#, [Part, Part, Cel]),
    ("object({a=string,b=string})", r#"{"conflicting":["a","b"]}"#, [Key, Key, Cel]),
    ("object({a=string,b=string})", r#"{"required_together":["a","b"]}"#, [Key, Key, Cel]),
    ("object({a=string,b=string})", r#"{"also_requires":["a","b"]}"#, [Part, Part, Cel]),
    (
        "object({a=string,b=string})",
        r#"{"required_when":{"path":"a","one_of":["x"],"required":["b"]}}"#,
        [Part, Part, Cel],
    ),
    // A warning, which no schema has.
    ("object({a=string,b=string})", r#"{"prefer_write_only":["a","b"]}"#, [Key, Key, Key]),
    ("object({a=string,b=string})", r#"{"one_not_null":true}"#, [Part, Part, Cel]),
    ("object({a=string,b=string})", r#"{"one_not_null":["a","b"]}"#, [Part, Part, Cel]),
    ("map(string)", r#"{"one_not_null":["a","b"]}"#, [Key, Key, Key]),
    ("string", r#"{"not_zero":true}"#, [Keywords, Keywords, Keywords]),
    ("number", r#"{"not_zero":true}"#, [Keywords, Keywords, Keywords]),
    ("any", r#"{"type_is":"string"}"#, [Key, Key, Key]),
    ("number", r#"{"port":true}"#, [Keywords, Keywords, Keywords]),
    ("number", r#"{"port_or_zero":true}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"url":["https"]}"#, [Part, Part, Part]),
    ("string", r#"{"cidr_network":[8,24]}"#, [Part, Part, Part]),
    ("map(string)", r#"{"keys":{"starts_with":"a"}}"#, [Keywords, Key, Cel]),
    ("map(string)", r#"{"keys":{"max_byte_len":3}}"#, [Part, Key, Cel]),
    ("object({n=number,a=number})", r#"{"at":["n",{"at_least_sum_of":["<.a"]}]}"#, [Key, Key, Cel]),
    ("object({n=number,a=number})", r#"{"at":["n",{"at_most_sum_of":["<.a"]}]}"#, [Key, Key, Cel]),
    ("object({n=number,a=number})", r#"{"at":["n",{"equal_to_sum_of":["<.a"]}]}"#, [Key, Key, Cel]),
    ("object({n=number,a=number})", r#"{"at":["n",{"equal_to_product_of":["<.a"]}]}"#, [Key, Key, Cel]),
    ("object({a=string})", r#"{"at":["a",{"min_len":1}]}"#, [Keywords, Keywords, Keywords]),
    ("list(string)", r#"{"at":["[*]",{"min_len":1}]}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"all":[{"min_len":1},{"max_len":3}]}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"any":[{"len":1},{"len":3}]}"#, [Part, Part, Cel]),
    ("string", r#"{"not":{"len":1}}"#, [Part, Part, Cel]),
    ("string", r#"{"implies":[{"len":1},{"starts_with":"a"}]}"#, [Part, Part, Cel]),
    ("string", r#"{"when":[{"len":1},{"starts_with":"a"}]}"#, [Key, Key, Cel]),
    ("number", r#"{"only_increase":true}"#, [Key, Key, Cel]),
    ("number", r#"{"only_decrease":true}"#, [Key, Key, Cel]),
    // The remainder of numbers that are not whole is nothing in CEL.
    ("number", r#"{"multiple_of_old":true}"#, [Key, Key, Key]),
    ("string", r#"{"immutable":true}"#, [Key, Key, Cel]),
    // Names that stand for others say what those say.
    ("number", r#"{"between":[1,5]}"#, [Keywords, Keywords, Keywords]),
    ("string", r#"{"not_blank":true}"#, [Keywords, Key, Key]),
    ("string", r#"{"without_characters":"/-"}"#, [Part, Part, Cel]),
    ("map(string)", r#"{"value_len_between":[1,5]}"#, [Part, Part, Cel]),
    ("string", r#"{"is_ipv4":true}"#, [Keywords, Keywords, Keywords]),
];

fn read(text: &str) -> Value {
    json::from_slice(text.as_bytes()).unwrap()
}

/// Takes a key out, wherever it stands; whether it was there.
fn take(schema: &mut serde_json::Value, key: &str) -> bool {
    let mut found = false;
    match schema {
        serde_json::Value::Object(object) => {
            found = object.remove(key).is_some();
            object.values_mut().for_each(|part| found |= take(part, key));
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(|part| found |= take(part, key)),
        _ => {}
    }
    found
}

fn how(constraint: &TypeConstraint, rule: &Rule, dialect: Dialect) -> How {
    let exported =
        |rule: &Rule| serde_json::Value::try_from(&export(constraint, rule, dialect).unwrap()).unwrap();
    let (mut schema, plain) = (exported(rule), exported(&Rule::all([]).unwrap()));
    let key = take(&mut schema, "x-plantime-rules");
    take(&mut schema, "description");
    let cel = take(&mut schema, "x-kubernetes-validations");
    match (key, cel, schema == plain) {
        (false, false, _) => Keywords,
        (_, true, _) => Cel,
        (true, false, false) => Part,
        (true, false, true) => Key,
    }
}

#[test]
fn each_rule_is_said_by_keywords_by_an_expression_or_by_its_key() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for (ty, form, expected) in KINDS {
        let form = read(form);
        let plantime::View::Object(object) = form.view() else { panic!("{form}") };
        seen.extend(object.iter().map(|(name, _)| name.to_owned()));
        let rule = Rule::from_form(&form).unwrap();
        if let Rule::At(_, inside) = &rule {
            seen.insert(inside.name().to_owned());
        }
        let constraint: TypeConstraint = ty.parse().unwrap();
        let found = [Dialect::JsonSchema, Dialect::OpenApi, Dialect::Kubernetes]
            .map(|dialect| how(&constraint, &rule, dialect));
        if found != expected {
            wrong.push(format!("{ty} {form}: {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<&str> = keywords()
        .iter()
        .filter(|keyword| !keyword.composed && !seen.contains(keyword.name))
        .map(|keyword| keyword.name)
        .collect();
    assert!(
        missing.is_empty(),
        "say in KINDS of tests/json_schema/kinds.rs how each is exported: {missing:?}"
    );
}
