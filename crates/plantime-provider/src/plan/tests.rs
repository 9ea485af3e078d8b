//! The plan that follows from the schema.

use plantime::value;
use plantime::{Refinement, Result, Type, Value};
use plantime_schema::planning::{TypeSystem, assert_plan_valid, proposed_new};
use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, NestedType, Nesting, Schema};

use super::Change;
use crate::schema;

/// A machine with disks, in blocks or nested attributes of a nesting mode: the name of a disk is configured, its id computed.
fn machine(nesting: Nesting, as_attribute: bool) -> Schema {
    let attribute = |computed: bool| {
        let mut attribute = Attribute::new(AttributeType::Plain(Type::String));
        (attribute.optional, attribute.computed) = (!computed, computed);
        attribute
    };
    let parts = [("name".to_owned(), attribute(false)), ("id".to_owned(), attribute(true))];
    let base = schema().computed("id", Type::String).optional("token", Type::String).write_only("token");
    if as_attribute {
        let mut disk = Attribute::new(AttributeType::Nested(NestedType::new(nesting, parts.into())));
        disk.optional = true;
        return base.attribute("disk", disk).build();
    }
    let mut block = Block::default();
    block.attributes.extend(parts);
    base.block("disk", NestedBlock::new(nesting, block)).build()
}

/// The text of the plan for a configuration, after core's own checks of it. `disks` is the path of the ids of disks.
fn planned(schema: &Schema, prior: &Value, config: &Value, disks: &'static str) -> Result<String> {
    let block = schema.block();
    let (prior, config) = (block.coerce(prior)?, block.coerce(config)?);
    let proposed = proposed_new(block, &prior, &config)?;
    let change = Change { prior, proposed, config };
    let facts = [("id", Refinement::prefix("vm-")), (disks, Refinement::prefix("d-").and_not_null())];
    let plan = change.default_plan(schema, &facts, &[])?;
    let verdict = assert_plan_valid(block, &change.prior, &change.config, &plan.planned, TypeSystem::Strict)?;
    assert_eq!(verdict.violations, []);
    Ok(plan.planned.to_string())
}

#[test]
fn what_is_computed_is_unknown_at_every_depth_of_what_is_created() -> Result<()> {
    let disks = [
        (Nesting::List, value!([{ "name": "a" }])?),
        (Nesting::Map, value!({ "k": { "name": "a" } })?),
        (Nesting::Single, value!({ "name": "a" })?),
    ];
    for as_attribute in [false, true] {
        for (nesting, disk) in &disks {
            let schema = machine(*nesting, as_attribute);
            let path = if *nesting == Nesting::Single { "disk.id" } else { "disk[*].id" };
            let config = value!({ "disk": disk.clone(), "token": "t" })?;
            let text = planned(&schema, &Value::null(Type::Dynamic), &config, path)?;
            assert!(
                text.contains("id = \"d-${(known after apply)}\"") && text.contains("token = null"),
                "{text}"
            );
            assert!(!text.contains("id = null"), "{text}");
        }
    }
    Ok(())
}

#[test]
fn an_update_keeps_what_is_there_and_chooses_what_is_new() -> Result<()> {
    for nesting in [Nesting::List, Nesting::Set] {
        let schema = machine(nesting, false);
        let prior = value!({ "id": "vm-1", "disk": [{ "name": "a", "id": "d-1" }] })?;
        let text =
            planned(&schema, &prior, &value!({ "disk": [{ "name": "a" }, { "name": "b" }] })?, "disk[*].id")?;
        assert!(text.contains("id = \"vm-1\"") && text.contains("id = \"d-1\""), "{text}");
        assert!(text.contains("{id = \"d-${(known after apply)}\", name = \"b\"}"), "{text}");
    }
    Ok(())
}
