//! Schemas out of messages, as far as types and secrecy need them: descriptions are left out.

use bytes::Bytes;
use plantime::{Error, Result, Type};
use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, NestedType, Nesting, Schema};
use prost::Message;

use crate::handshake::Protocol;
use crate::message::schema as messages;
use crate::message::schema::{v5, v6};

/// The schema in a message of a protocol.
pub(crate) fn schema(message: Bytes, protocol: Protocol) -> Result<Schema> {
    let wrong = |_| Error::custom("the schema is not a message");
    match protocol {
        Protocol::V5 => schema5(&v5::Schema::decode(message).map_err(wrong)?),
        Protocol::V6 => schema6(&v6::Schema::decode(message).map_err(wrong)?),
    }
}

/// The nesting mode with a number.
fn nesting(number: i32) -> Result<Nesting> {
    match number {
        1 => Ok(Nesting::Single),
        2 => Ok(Nesting::List),
        3 => Ok(Nesting::Set),
        4 => Ok(Nesting::Map),
        5 => Ok(Nesting::Group),
        _ => Err(Error::custom(format!("{number} is not a nesting mode"))),
    }
}

/// Writes the conversion of schemas of one protocol.
macro_rules! schema_conversion {
    ($protocol:ident, $name:ident, $block:ident, $attribute:ident) => {
        /// The schema in a message of this protocol.
        fn $name(schema: &$protocol::Schema) -> Result<Schema> {
            let block = schema.block.as_ref().map(|block| $block(block)).transpose()?;
            Ok(Schema::new(u64::try_from(schema.version).unwrap_or(0), block.unwrap_or_default()))
        }

        /// The block in a message of this protocol.
        fn $block(message: &$protocol::Block) -> Result<Block> {
            let mut block = Block::default();
            for attribute in &message.attributes {
                block.attributes.insert(attribute.name.clone(), $attribute(attribute)?);
            }
            for nested in &message.block_types {
                let inner = nested.block.as_ref().map(|block| $block(block)).transpose()?.unwrap_or_default();
                let mut block_type = NestedBlock::new(nesting(nested.nesting)?, inner);
                block_type.min_items = u64::try_from(nested.min_items).unwrap_or(0);
                block_type.max_items = u64::try_from(nested.max_items).unwrap_or(0);
                block.block_types.insert(nested.type_name.clone(), block_type);
            }
            Ok(block)
        }
    };
}

schema_conversion!(v5, schema5, block5, attribute5);
schema_conversion!(v6, schema6, block6, attribute6);

/// The type that is written as JSON.
fn plain_type(json: &[u8]) -> Result<AttributeType> {
    let text = std::str::from_utf8(json).map_err(|_| Error::custom("a type is not text"))?;
    Type::from_json_text(text).map(AttributeType::Plain)
}

/// The attribute in a message of protocol 5.
fn attribute5(message: &messages::Attribute5) -> Result<Attribute> {
    let mut attribute = Attribute::new(plain_type(&message.r#type)?);
    (attribute.required, attribute.optional) = (message.required, message.optional);
    attribute.computed = message.computed;
    // What is never stored must not be recorded either.
    attribute.sensitive = message.sensitive || message.write_only;
    attribute.write_only = message.write_only;
    Ok(attribute)
}

/// The attribute in a message of protocol 6.
fn attribute6(message: &messages::Attribute6) -> Result<Attribute> {
    let ty = match &message.nested_type {
        None => plain_type(&message.r#type)?,
        Some(nested) => {
            let attributes = nested.attributes.iter();
            let attributes = attributes.map(|attribute| Ok((attribute.name.clone(), attribute6(attribute)?)));
            AttributeType::Nested(NestedType::new(
                nesting(nested.nesting)?,
                attributes.collect::<Result<_>>()?,
            ))
        }
    };
    let mut attribute = Attribute::new(ty);
    (attribute.required, attribute.optional) = (message.required, message.optional);
    attribute.computed = message.computed;
    // What is never stored must not be recorded either.
    attribute.sensitive = message.sensitive || message.write_only;
    attribute.write_only = message.write_only;
    Ok(attribute)
}
