//! What CEL says of rules that no keyword says.

use plantime::rule::Rule;
use plantime::rule::json_schema::{Dialect, export};
use plantime::{TypeConstraint, json};

/// The expression for the rule on values of the type.
fn cel(ty: &str, rule: &str) -> Option<String> {
    let constraint: TypeConstraint = ty.parse().unwrap();
    let rule = Rule::from_form(&json::from_slice(rule.as_bytes()).unwrap()).unwrap();
    let schema = export(&constraint, &rule, Dialect::Kubernetes).unwrap();
    let schema = serde_json::Value::try_from(&schema).unwrap();
    schema.pointer("/x-kubernetes-validations/0/rule")?.as_str().map(str::to_owned)
}

#[test]
fn attributes_are_there_or_not() {
    let ty = "object({a=optional(string),b=optional(string),c=optional(number)})";
    for (rule, expected) in [
        (
            r#"{"any":[{"at":["a",{"not_null":true}]},{"at":["b",{"is_null":true}]}]}"#,
            "(has(self.a)) || (!has(self.b))",
        ),
        (r#"{"not":{"at":["a",{"min_len":2}]}}"#, "!(!has(self.a) || (size(self.a) >= 2))"),
        (
            r#"{"not":{"at":["a",{"all":[{"not_null":true},{"min_len":2}]}]}}"#,
            "!(has(self.a) && ((true) && (size(self.a) >= 2)))",
        ),
        (
            r#"{"implies":[{"at":["c",{"min":3}]},{"exactly_one_of":["a","b"]}]}"#,
            "!(!has(self.c) || (self.c >= 3.0)) || ([has(self.a), has(self.b)].filter(x, x).size() == 1)",
        ),
        (r#"{"not":{"at":["c",{"one_of":[1,2]}]}}"#, "!(!has(self.c) || (self.c in [1.0, 2.0]))"),
    ] {
        assert_eq!(cel(ty, rule).as_deref(), Some(expected), "{rule}");
    }
}

#[test]
fn what_cel_cannot_name_is_not_said() {
    for name in ["in", "while", "__x", "a-b", "é"] {
        let ty = format!("object({{{name}=optional(string)}})");
        assert_eq!(
            cel(&ty, &format!(r#"{{"not":{{"at":["{name}",{{"not_null":true}}]}}}}"#)),
            None,
            "{name}"
        );
    }
    let ty = "object({a_1=optional(string),_b=optional(string)})";
    for name in ["a_1", "_b"] {
        let rule = format!(r#"{{"not":{{"at":["{name}",{{"not_null":true}}]}}}}"#);
        assert_eq!(cel(ty, &rule), Some(format!("!(has(self.{name}))")));
    }
    // Deeper than an attribute.
    assert_eq!(cel("object({a=list(string)})", r#"{"not":{"at":["a[0]",{"not_null":true}]}}"#), None);
}

#[test]
fn operands_are_written_as_cel_reads_them() {
    for (ty, rule, expected) in [
        ("string", r#"{"not":{"equals":"a\"\\\n"}}"#, Some(r#"!(self == "a\"\\\n")"#)),
        ("bool", r#"{"not":{"equals":true}}"#, Some("!(self == true)")),
        ("number", r#"{"not":{"none_of":[1.5,-2]}}"#, Some("!(!(self in [1.5, -2.0]))")),
        ("string", r#"{"any":[{"one_of":[null]}]}"#, None),
        ("list(string)", r#"{"not":{"contains":"a"}}"#, Some(r#"!("a" in self)"#)),
        ("list(string)", r#"{"not":{"equals":{"type":"list(string)","value":["a"]}}}"#, None),
        ("string", r#"{"not":{"matches":"^a[0-9]$"}}"#, Some(r#"!(self.matches("^a[0-9]$"))"#)),
        ("string", r#"{"not":{"matches":"\\p{Greek}"}}"#, None),
        ("map(string)", r#"{"not":{"len":2}}"#, Some("!(size(self) == 2)")),
        ("object({a=string})", r#"{"not":{"len":2}}"#, None),
        ("string", r#"{"not":{"byte_len":2}}"#, Some("!(size(bytes(self)) == 2)")),
        ("number", r#"{"not":{"only_decrease":true}}"#, Some("!(self <= oldSelf)")),
        ("object({a=number})", r#"{"not":{"at":["a",{"only_decrease":true}]}}"#, None),
        ("string", r#"{"not":{"any":[]}}"#, Some("!(false)")),
    ] {
        assert_eq!(cel(ty, rule).as_deref(), expected, "{ty} {rule}");
    }
}
