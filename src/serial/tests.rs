//! Every kind of node as text, and what is no form.

use crate::constraint::TypeConstraint;
use crate::mark::{Mark, Marks};
use crate::number::Number;
use crate::path::Path;
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::Value;

/// The JSON text of the node.
fn node(value: &Value) -> String {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), *value, "{text}");
    let bytes = postcard::to_stdvec(value).unwrap();
    assert_eq!(postcard::from_bytes::<Value>(&bytes).unwrap(), *value, "{text}");
    text.strip_prefix(r#"{"plantime":1,"value":"#).unwrap().strip_suffix('}').unwrap().to_owned()
}

fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

fn of(ty: &str, refinement: &str) -> Value {
    Value::refined(self::ty(ty), refinement.parse().unwrap()).unwrap()
}

#[test]
fn each_kind_of_value_has_its_node() {
    let unknown = Value::unknown(Type::String);
    let list = Value::list([Value::from("a"), unknown.clone()]).unwrap();
    let set =
        Value::set([Value::from(1), Value::unknown(Type::Number), Value::unknown(Type::Number)]).unwrap();
    let two = set.assume(&Refinement::length(LengthRange::exactly(2))).unwrap();
    let secret = Value::from("hunter2").mark(Mark::SENSITIVE).mark(Mark::DEPRECATED.with_note("use keys"));
    for (value, expected) in [
        (Value::dynamic(), r#"["dynamic"]"#),
        (unknown, r#"["unknown","string"]"#),
        (of("number", "numbermin(1)"), r#"["refined","number","numbermin(1)"]"#),
        (
            of("list(string)", "notnull(lengthmin(1))"),
            r#"["refined","list(string)","notnull(lengthmin(1))"]"#,
        ),
        (of("list(dynamic)", "null()"), r#"["refined","list(dynamic)","null()"]"#),
        (Value::null(Type::Dynamic), r#"["null","dynamic"]"#),
        (Value::null(ty("list(bool)")), r#"["null","list(bool)"]"#),
        (Value::from(true), r#"["bool",true]"#),
        (Value::from("0.1".parse::<Number>().unwrap()), r#"["number","0.1"]"#),
        (Value::from(Number::NEG_INFINITY), r#"["number","-inf"]"#),
        (Value::from("a\"b"), r#"["string","a\"b"]"#),
        (list, r#"["list","string",["string","a"],["unknown","string"]]"#),
        (Value::list_of(Type::Bool, Vec::<Value>::new()).unwrap(), r#"["list","bool"]"#),
        (Value::set([1, 2]).unwrap(), r#"["set","number",["number","1"],["number","2"]]"#),
        (set, r#"["partial_set","number",1,3,["number","1"],["unknown","number"],["unknown","number"]]"#),
        (two, r#"["partial_set","number",2,2,["number","1"],["unknown","number"],["unknown","number"]]"#),
        (Value::map([("k", 1)]).unwrap(), r#"["map","number","k",["number","1"]]"#),
        (
            Value::tuple([Value::from(1), Value::from(false)]).unwrap(),
            r#"["tuple",["number","1"],["bool",false]]"#,
        ),
        (
            Value::object([("a b", secret)]).unwrap(),
            r#"["object","a b",["marked",[["deprecated","use keys"],["sensitive"]],["string","hunter2"]]]"#,
        ),
    ] {
        assert_eq!(node(&value), expected);
    }
}

#[test]
fn what_has_a_text_form_is_that_text() {
    fn same<T>(value: &T, text: &str)
    where
        T: PartialEq + std::fmt::Debug + serde_core::Serialize + serde_core::de::DeserializeOwned,
    {
        assert_eq!(serde_json::to_string(value).unwrap(), text);
        assert_eq!(serde_json::from_str::<T>(text).unwrap(), *value);
        assert_eq!(postcard::from_bytes::<T>(&postcard::to_stdvec(value).unwrap()).unwrap(), *value);
    }
    same(&ty("object({a = list(string)})"), r#""object({a = list(string)})""#);
    let constraint: TypeConstraint = "object({a = optional(number, 1)})".parse().unwrap();
    same(&constraint, r#""object({a = optional(number, 1)})""#);
    same(&Refinement::prefix("vpc-"), r#""stringprefix(\"vpc-\")""#);
    same(&"1e-3".parse::<Number>().unwrap(), r#""0.001""#);
    same(&Marks::from(Mark::EPHEMERAL), r#"[["ephemeral"]]"#);
    let path: Path = r#"a[0]["k"]"#.parse().unwrap();
    let path = path.index(Value::set([true]).unwrap());
    let text = r#"[["attr","a"],["index",["number","0"]],["index",["string","k"]],["index",["set","bool",["bool",true]]]]"#;
    same(&path, text);
}

#[cfg(feature = "rules")]
#[test]
fn a_rule_is_the_value_that_it_is_written_as() {
    use crate::rule::Rule;

    let rule = Rule::all([Rule::NotNull, Rule::starts_with("vpc-")]).unwrap();
    let text = serde_json::to_string(&rule).unwrap();
    assert!(text.contains(r#"["object","all",["tuple",["object","not_null",["bool",true]]"#), "{text}");
    assert_eq!(serde_json::from_str::<Rule>(&text).unwrap(), rule);
    assert_eq!(postcard::from_bytes::<Rule>(&postcard::to_stdvec(&rule).unwrap()).unwrap(), rule);
}

#[test]
fn what_is_no_form_is_refused() {
    for (text, message) in [
        (r#"["value"]"#, "invalid type"),
        (r#"[2,["dynamic"]]"#, "version 1 of the form is read, but this is version 2"),
        (r#"{"value":["dynamic"]}"#, "missing field `plantime`"),
        (r#"{"plantime":1}"#, "missing field `value`"),
        (r#"{"plantime":1,"plantime":1,"value":["dynamic"]}"#, "field plantime is given twice"),
        (r#"{"plantime":1,"other":1}"#, "unknown field `other`"),
    ] {
        let error = serde_json::from_str::<Value>(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    for (node, message) in [
        (r#"[]"#, "a node has fewer parts than it needs"),
        (r#"["secret"]"#, "expected the word that a node begins with"),
        (r#"["null"]"#, "a node has fewer parts than it needs"),
        (r#"["dynamic",1]"#, "a node has more parts than it needs"),
        (r#"["null","secret"]"#, "expected the text of a type"),
        (r#"["number","secret"]"#, "expected the text of a number"),
        (r#"["refined","string","numbermin(1)"]"#, "the refinement does not fit the type"),
        (r#"["number","1e8000"]"#, "with its digits written out"),
        (r#"["refined","number","numbermin(1e8000)"]"#, "with its digits written out"),
        (r#"["refined","bool","secret"]"#, "expected the text of a refinement"),
        (r#"["list","string",["bool",true]]"#, "string required, but have bool"),
        (r#"["set","string",["string","secret"],["bool",true]]"#, "string required, but have bool"),
        (r#"["set","string",["string","secret"],["string","secret"]]"#, "a member is given twice"),
        (r#"["map","string","secret"]"#, "a node has fewer parts than it needs"),
        (r#"["map","string","secret",["string",""],"secret",["string",""]]"#, "a key is given twice"),
        (r#"["object","secret",["string",""],"secret",["string",""]]"#, "a key is given twice"),
        (r#"["partial_set","string",3,5,["unknown","string"]]"#, "length"),
        (r#"["partial_set","string",5,3,["unknown","string"]]"#, ""),
        (r#"["marked",[["m"]],["marked",[["n"]],["dynamic"]]]"#, "a node with marks has marks again"),
        (r#"["marked",[[]],["dynamic"]]"#, "the name of a mark"),
    ] {
        let text = format!(r#"{{"plantime":1,"value":{node}}}"#);
        let error = serde_json::from_str::<Value>(&text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
        assert!(!error.contains("secret"), "{text}: {error}");
    }
    for (text, message) in [
        (r#"[["attr"]]"#, "a node has fewer parts than it needs"),
        (r#"[["key","a"]]"#, "a step of a path begins with attr or index"),
        (r#"[["attr","a","b"]]"#, "a step of a path has two parts"),
    ] {
        let error = serde_json::from_str::<Path>(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn a_capsule_cannot_be_written() {
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    struct Token;

    impl crate::capsule::Capsule for Token {
        const NAME: &'static str = "token";
    }

    let token = Value::list([Value::capsule(Token)]).unwrap();
    let cannot = |value: &Value| serde_json::to_string(value).unwrap_err().to_string();
    assert_eq!(cannot(&Value::tuple([Value::capsule(Token)]).unwrap()), "a capsule cannot be written");
    assert_eq!(cannot(&token), "a capsule type cannot be written");
    assert_eq!(cannot(&Value::null(token.ty())), "a capsule type cannot be written");
}
