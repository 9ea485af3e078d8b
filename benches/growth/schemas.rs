//! Objects and sets of blocks of any size through a schema.

use plantime::rule::json_schema::Dialect;
use plantime::{Type, Value};
use plantime_schema::planning::{
    Behaviours, TypeSystem, assert_object_compatible, assert_plan_valid, plan_resource, proposed_new, refines,
};
use plantime_schema::{Attribute, Block, NestedBlock};

use crate::Growth::Sorting;
use crate::Row;
use crate::rows::{row, work};

pub const ROWS: &[Row] = &[
    row("schemas/attributes-described", Sorting, 100, |n| work(wide(n), described)),
    row("schemas/attributes-coerced", Sorting, 100, |n| work(wide(n), coerced)),
    row("schemas/attributes-proposed", Sorting, 100, |n| work(wide(n), proposed)),
    row("schemas/attributes-planned", Sorting, 100, |n| work(wide(n), planned)),
    row("schemas/attributes-kept", Sorting, 100, |n| work(wide(n), kept)),
    row("schemas/blocks-coerced", Sorting, 100, |n| work(many(n), coerced)),
    row("schemas/blocks-proposed", Sorting, 100, |n| work(many(n), proposed)),
    row("schemas/blocks-planned", Sorting, 100, |n| work(many(n), planned)),
    row("schemas/blocks-kept", Sorting, 100, |n| work(many(n), kept)),
];

/// A schema, what a configuration says, and the values of one object: before, planned and applied.
pub struct Resource {
    block: Block,
    config: Value,
    prior: Value,
    planned: Value,
    applied: Value,
}

fn object(attributes: Vec<(String, Value)>) -> Value {
    Value::object(attributes).expect("an object")
}

/// So many arguments, and as many attributes that the provider chooses.
pub fn wide(count: usize) -> Resource {
    let block = (0..count).fold(Block::builder(), |block, i| {
        block
            .attribute(&format!("a{i}"), Attribute::optional(Type::String))
            .attribute(&format!("id{i}"), Attribute::computed(Type::String))
    });
    let block = block.build().expect("a block");
    let of = |argument: &dyn Fn(usize) -> Value, id: &dyn Fn(usize) -> Value| {
        object((0..count).flat_map(|i| [(format!("a{i}"), argument(i)), (format!("id{i}"), id(i))]).collect())
    };
    let (new, old) = (|i| Value::from(format!("new {i}")), |i| Value::from(format!("old {i}")));
    let (chosen, unknown) = (|i| Value::from(format!("id-{i}")), |_| Value::unknown(Type::String));
    Resource {
        config: object((0..count).map(|i| (format!("a{i}"), new(i))).collect()),
        prior: of(&old, &chosen),
        planned: of(&new, &unknown),
        applied: of(&new, &chosen),
        block,
    }
}

/// So many blocks in a set, each with an id that the provider chooses.
pub fn many(count: usize) -> Resource {
    let rule = Block::builder()
        .attribute("port", Attribute::required(Type::Number))
        .attribute("id", Attribute::computed(Type::String))
        .build()
        .expect("a block");
    let block = Block::builder().block("rule", NestedBlock::set(rule)).build().expect("a block");
    let of = |id: &dyn Fn(usize) -> Option<Value>| {
        let rules = (0..count).map(|i| {
            let port = ("port".to_owned(), Value::from(i64::try_from(i).expect("a number")));
            object(id(i).map(|id| ("id".to_owned(), id)).into_iter().chain([port]).collect())
        });
        object(vec![("rule".to_owned(), Value::set(rules).expect("a set"))])
    };
    Resource {
        config: of(&|_| None),
        prior: of(&|i| Some(Value::from(format!("id-{i}")))),
        planned: of(&|_| Some(Value::unknown(Type::String))),
        applied: of(&|i| Some(Value::from(format!("id-{i}")))),
        block,
    }
}

/// The self-check, the type, JSON Schema and completions.
pub fn described(resource: &Resource) -> (usize, Type, usize) {
    let block = &resource.block;
    let problems =
        block.check().len() + block.to_json_schema(Dialect::JsonSchema).expect("a schema").to_string().len();
    (problems, block.implied_type().expect("a type"), block.completions().len())
}

pub fn coerced(resource: &Resource) -> Value {
    resource.block.coerce(&resource.config).expect("a value of the schema")
}

pub fn proposed(resource: &Resource) -> Value {
    proposed_new(&resource.block, &resource.prior, &coerced(resource)).expect("a proposal")
}

/// A new object, and an update.
pub fn planned(resource: &Resource) -> [Value; 2] {
    [&Value::null(Type::Dynamic), &resource.prior].map(|prior| {
        plan_resource(&resource.block, &Behaviours::sdk(), prior, &resource.config).expect("a plan").value
    })
}

/// The promises of a new object.
pub fn kept(resource: &Resource) -> bool {
    let Resource { block, planned, applied, .. } = resource;
    let (none, config) = (Value::null(Type::Dynamic), coerced(resource));
    let valid =
        assert_plan_valid(block, &none, &config, planned, TypeSystem::Strict).expect("values of the schema");
    let compatible = assert_object_compatible(block, planned, applied, TypeSystem::Strict).expect("the same");
    assert!(valid.is_accepted() && compatible.is_accepted() && refines(planned, applied));
    true
}
