//! Schemas as JSON Schema: what it accepts is what the schema accepts.

use super::*;
use crate::schema::{Attribute, Block, NestedBlock, NestedType};
use plantime::Value;
use plantime::rule::json_schema::{Dialect, Reading, import};
use plantime::value;

#[test]
fn a_json_schema_accepts_what_the_schema_accepts() {
    let inner = || {
        Block::builder()
            .attribute("port", Attribute::required(Type::Number))
            .attribute("note", Attribute::optional(Type::String))
            .build()
            .unwrap()
    };
    let block = Block::builder()
        .attribute("name", Attribute::required(Type::String).describe("Its name."))
        .attribute("id", Attribute::computed(Type::String))
        .attribute("zones", Attribute::optional(ty("list(string)")))
        .attribute("tags", Attribute::optional(ty("map(string)")).deprecate("use labels"))
        .attribute("secret", Attribute::optional(Type::String).sensitive().write_only())
        .attribute("listener", Attribute::optional(NestedType::single(inner())))
        .block("rule", NestedBlock::list(inner()).at_least(1).at_most(2))
        .block("named", NestedBlock::map(inner()))
        .build()
        .unwrap();
    let v = |value: plantime::Result<Value>| value.unwrap();
    let one = || v(value!({"port": 80}));
    let accepted = [
        v(value!({"name": "a", "rule": [one()]})),
        v(value!({"name": "a", "rule": [one(), one()], "zones": ["a"], "tags": {"k": "v"}})),
        v(
            value!({"name": "a", "rule": [one()], "listener": {"port": 1, "note": "n"}, "named": {"k": one()}}),
        ),
    ];
    let refused = [
        v(value!({"rule": [one()]})),
        v(value!({"name": "a"})),
        v(value!({"name": "a", "rule": []})),
        v(value!({"name": "a", "rule": [one(), one(), one()]})),
        v(value!({"name": "a", "rule": [{"note": "n"}]})),
        v(value!({"name": "a", "rule": [one()], "other": 1})),
        v(value!({"name": "a", "rule": [one()], "zones": [[1]]})),
        v(value!({"name": "a", "rule": [one()], "named": {"k": {}}})),
    ];
    for dialect in [Dialect::JsonSchema, Dialect::OpenApi] {
        let json = block.to_json_schema(dialect).unwrap();
        let schema = Value::try_from(&json).unwrap();
        let rule = |value: &Value| {
            let read = import(&schema, Some(&value.ty()), &Reading::default()).unwrap();
            read.rule.check_value(value).unwrap()
        };
        for value in &accepted {
            assert!(rule(value).is_pass(), "{dialect:?}: {value}: {}", rule(value));
            let coerced = block.coerce(value).unwrap();
            assert!(block.check_block_counts(&coerced).is_empty(), "{value}");
        }
        for value in &refused {
            assert!(rule(value).is_fail(), "{dialect:?}: {value}");
            let coerced = block.coerce(value);
            assert!(coerced.is_err() || !block.check_block_counts(&coerced.unwrap()).is_empty(), "{value}");
        }
        let properties = &json["properties"];
        assert_eq!(properties["id"]["readOnly"], true);
        assert_eq!(properties["name"]["description"], "Its name.");
        assert_eq!(properties["tags"]["deprecated"], true);
        assert_eq!(
            (&properties["secret"]["x-sensitive"], &properties["secret"]["writeOnly"]),
            (&true.into(), &true.into())
        );
    }
}
