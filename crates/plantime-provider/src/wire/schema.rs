//! Schemas and signatures as messages.

use plantime::{Result, Type};
use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, Nesting, Schema};

use crate::function::{Parameter, Signature};
use crate::message::schema as messages;
use crate::message::schema::{v5, v6};

/// The number of Markdown among the kinds of a description.
const MARKDOWN: i32 = 1;

/// The type of an attribute; of one with nested attributes, the type of its values.
fn attribute_type(attribute: &Attribute) -> Result<Type> {
    match &attribute.ty {
        AttributeType::Plain(ty) => Ok(ty.clone()),
        _ => {
            let mut block = Block::default();
            block.attributes.insert("a".to_owned(), attribute.clone());
            match block.implied_type()? {
                Type::Object(object) => Ok(object.get("a").cloned().unwrap_or(Type::Dynamic)),
                _ => Ok(Type::Dynamic),
            }
        }
    }
}

/// A count as the protocol has it.
fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The number of a nesting mode, which both protocols share.
fn nesting(nesting: Nesting) -> i32 {
    match nesting {
        Nesting::Single => 1,
        Nesting::List => 2,
        Nesting::Set => 3,
        Nesting::Map => 4,
        _ => 5,
    }
}

/// The number of the kind of a description.
fn kind(kind: Option<&str>) -> i32 {
    if kind == Some("markdown") { MARKDOWN } else { 0 }
}

/// Writes the conversion of schemas for one protocol.
macro_rules! schema_conversion {
    ($protocol:ident, $name:ident, $block:ident, $nested:ident, $attribute:ident) => {
        /// The schema as a message of this protocol.
        pub(crate) fn $name(schema: &Schema) -> Result<$protocol::Schema> {
            let version = count(schema.version());
            Ok($protocol::Schema { version, block: Some($block(schema.block(), version)?) })
        }

        /// The block as a message of this protocol.
        fn $block(block: &Block, version: i64) -> Result<$protocol::Block> {
            let attributes = block.attributes.iter().map(|(name, attribute)| $attribute(name, attribute));
            let nested = block.block_types.iter().map(|(name, nested)| $nested(name, nested));
            Ok($protocol::Block {
                version,
                attributes: attributes.collect::<Result<_>>()?,
                block_types: nested.collect::<Result<_>>()?,
                description: block.description.clone().unwrap_or_default(),
                description_kind: kind(block.description_kind.as_deref()),
                deprecated: block.deprecated,
                deprecation_message: block.deprecation_message.clone().unwrap_or_default(),
            })
        }

        /// The nested block as a message of this protocol.
        fn $nested(name: &str, nested: &NestedBlock) -> Result<$protocol::NestedBlock> {
            Ok($protocol::NestedBlock {
                type_name: name.to_owned(),
                block: Some($block(&nested.block, 0)?),
                nesting: nesting(nested.nesting),
                min_items: count(nested.min_items),
                max_items: count(nested.max_items),
            })
        }
    };
}

schema_conversion!(v5, schema5, block5, nested5, attribute5);
schema_conversion!(v6, schema6, block6, nested6, attribute6);

/// The attribute of protocol 5, which has no nested attributes: these are an object there.
fn attribute5(name: &str, attribute: &Attribute) -> Result<messages::Attribute5> {
    Ok(messages::Attribute5 {
        name: name.to_owned(),
        r#type: attribute_type(attribute)?.to_json_text()?.into_bytes(),
        description: attribute.description.clone().unwrap_or_default(),
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        sensitive: attribute.sensitive,
        description_kind: kind(attribute.description_kind.as_deref()),
        deprecated: attribute.deprecated,
        write_only: attribute.write_only,
        deprecation_message: attribute.deprecation_message.clone().unwrap_or_default(),
    })
}

/// The attribute of protocol 6.
fn attribute6(name: &str, attribute: &Attribute) -> Result<messages::Attribute6> {
    let (ty, nested_type) = match &attribute.ty {
        AttributeType::Plain(ty) => (ty.to_json_text()?.into_bytes(), None),
        AttributeType::Nested(nested) => {
            let attributes = nested.attributes.iter().map(|(name, attribute)| attribute6(name, attribute));
            let attributes = attributes.collect::<Result<_>>()?;
            (Vec::new(), Some(messages::NestedObject { attributes, nesting: nesting(nested.nesting) }))
        }
    };
    Ok(messages::Attribute6 {
        name: name.to_owned(),
        r#type: ty,
        description: attribute.description.clone().unwrap_or_default(),
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        sensitive: attribute.sensitive,
        description_kind: kind(attribute.description_kind.as_deref()),
        deprecated: attribute.deprecated,
        nested_type,
        write_only: attribute.write_only,
        deprecation_message: attribute.deprecation_message.clone().unwrap_or_default(),
    })
}

/// The signature of a function as a message.
pub(crate) fn function(signature: &Signature) -> Result<messages::Function> {
    let variadic = signature.variadic.as_ref().map(parameter).transpose()?;
    Ok(messages::Function {
        parameters: signature.parameters.iter().map(parameter).collect::<Result<_>>()?,
        variadic_parameter: variadic,
        r#return: Some(messages::Return { r#type: signature.result.to_json_text()?.into_bytes() }),
        summary: signature.summary.clone(),
        description: signature.description.clone(),
        description_kind: MARKDOWN,
        deprecation_message: String::new(),
    })
}

/// The parameter of a function as a message.
fn parameter(parameter: &Parameter) -> Result<messages::Parameter> {
    Ok(messages::Parameter {
        name: parameter.name.clone(),
        r#type: parameter.ty.to_json_text()?.into_bytes(),
        allow_null_value: parameter.nullable,
        allow_unknown_values: parameter.unknown,
        description: parameter.description.clone(),
        description_kind: MARKDOWN,
    })
}
