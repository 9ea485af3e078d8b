//! Configurations that Terraform's core sent to a provider: they have the type of the schema already, and are the same
//! again if what is null or empty is left out.

use plantime::{Type, Value, View};
use plantime_schema::{Attribute, Block, NestedBlock, Nesting};

use super::recorded::recorded;

#[test]
fn recorded_configurations_are_coerced_to_themselves() {
    let (mut count, mut shorter) = (0, 0);
    recorded(&mut |call| {
        let (block, rpc) = (call.schema.block(), call.rpc);
        for value in ["config", "proposed_new_state"].into_iter().filter_map(|key| call.value(key)) {
            assert_eq!(block.coerce(&value).as_ref(), Ok(&value), "{rpc}");
            let sparse = without_nothing(block, &value);
            assert_eq!(block.coerce(&sparse).as_ref(), Ok(&value), "{rpc}: {sparse:?}");
            count += 1;
            shorter += usize::from(sparse != value);
        }
    });
    println!("{count} values are coerced to themselves, {shorter} of them also from a shorter one");
}

/// The value of a block without the attributes that are null and the blocks that are empty.
fn without_nothing(block: &Block, value: &Value) -> Value {
    let View::Object(object) = value.view() else { return value.clone() };
    let is_left_out = |name: &str, part: &Value| match block.attributes.get(name) {
        Some(Attribute { required, .. }) => !required && part.is_null(),
        None => is_empty(block.block_types.get(name).unwrap(), part),
    };
    let parts = object.iter().filter(|(name, part)| !is_left_out(name, part));
    let shortened = |(name, part): (&str, &Value)| {
        let nested = block.block_types.get(name);
        (name.to_owned(), nested.map_or_else(|| part.clone(), |nested| blocks_without_nothing(nested, part)))
    };
    Value::object(parts.map(shortened)).unwrap()
}

/// Whether the blocks are those that there are if nothing is written.
fn is_empty(nested: &NestedBlock, blocks: &Value) -> bool {
    match nested.nesting {
        Nesting::Single => blocks.is_null(),
        Nesting::Group => Some(blocks) == nested.block.empty_value().ok().as_ref(),
        _ => !blocks.is_null() && blocks.elements().count() == 0 && blocks.is_known(),
    }
}

/// The blocks, each without what is null or empty. They differ in type then, so they are a tuple or an object.
fn blocks_without_nothing(nested: &NestedBlock, blocks: &Value) -> Value {
    let shorter = |part: &Value| without_nothing(&nested.block, part);
    match blocks.view() {
        View::List(list) => Value::tuple(list.iter().map(shorter)).unwrap(),
        View::Set(set) => Value::tuple(set.iter().map(shorter)).unwrap(),
        View::Map(map) => Value::object(map.iter().map(|(key, part)| (key, shorter(part)))).unwrap(),
        _ => shorter(blocks),
    }
}

/// The schemas that providers publish have empty values, of the type of the schema.
#[test]
fn an_empty_object_with_what_is_required_is_the_empty_value() {
    let mut count = 0;
    for schemas in super::schemas::published() {
        let providers = schemas.providers.values();
        for schema in providers.flat_map(|provider| provider.resource_schemas.values()) {
            let block = schema.block();
            let empty = block.empty_value().unwrap();
            let required = block.attributes.iter().filter(|(_, attribute)| attribute.required);
            let given = Value::object(required.map(|(name, _)| (name, Value::null(Type::Dynamic)))).unwrap();
            let strict = block.attributes.values().all(|one| one.required || one.optional || one.computed);
            if strict {
                assert_eq!(block.coerce(&given), Ok(empty.clone()));
                count += 1;
            }
            assert_eq!(block.coerce(&empty), Ok(empty));
        }
    }
    println!("{count} schemas have an empty value");
}
