//! Reads the schemas that OpenTofu puts into a plan: the message `Schemas` in the file `tfschemas`.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::address::provider_name;
use super::budget::Budget;
use super::protobuf::{self, Field, Message, malformed};
use plantime::unstable::error::Kind;
use plantime::{Error, Result, Type, limits};
use plantime_schema::{
    Attribute, AttributeType, Block, DeclaredMap, IdentityAttribute, IdentitySchema, NestedBlock, NestedType,
    Nesting, ProviderSchema, ProviderSchemas, Schema,
};

/// The most attributes, blocks and resource types of all schemas in a plan, which has those that it needs: they take less
/// than 100 MB.
const PARTS: usize = 1 << 17;

/// Reads the schemas, provider by provider.
pub(super) fn read_schemas(source: &mut dyn BufRead, budget: &Budget) -> Result<ProviderSchemas> {
    let mut schemas = ProviderSchemas::new();
    let mut bounds = Bounds { parts: PARTS, depth: limits::DEPTH };
    protobuf::for_each_field(
        source,
        budget,
        &[],
        |number| number == 1,
        |number, field| {
            if number == 1 {
                let (name, provider) = entry(field)?;
                let provider = bounds.provider(provider)?;
                schemas.providers.insert(provider_name(name).to_owned(), provider);
            }
            Ok(())
        },
    )?;
    Ok(schemas)
}

/// Reads an entry of a map from names to messages. A message without fields may be absent.
fn entry(field: Field<'_>) -> Result<(&str, Message<'_>)> {
    let entry = field.message()?;
    let (mut name, mut message) = ("", entry.empty());
    entry.for_each(&[1, 2], |number, field| {
        match number {
            1 => name = field.text()?,
            2 => message = field.message()?,
            _ => {}
        }
        Ok(())
    })?;
    Ok((name, message))
}

/// How many parts may still be read, and how many levels they may still nest.
struct Bounds {
    parts: usize,
    depth: usize,
}

impl Bounds {
    /// Counts an attribute, a block or a resource type.
    fn count(&mut self) -> Result<()> {
        self.parts = self.parts.checked_sub(1).ok_or_else(|| {
            Error::new(
                Kind::Limit,
                format!("the schemas in a plan may have at most {PARTS} attributes and blocks"),
            )
        })?;
        Ok(())
    }

    /// Runs `read`, which reads what an attribute or a block contains, and counts a level of nesting meanwhile.
    fn one_level_down<T>(&mut self, read: impl FnOnce(&mut Bounds) -> Result<T>) -> Result<T> {
        self.depth = self.depth.checked_sub(1).ok_or_else(|| {
            Error::new(Kind::Limit, format!("a schema may nest at most {} levels", limits::DEPTH))
        })?;
        let result = read(self);
        self.depth = self.depth.saturating_add(1);
        result
    }

    /// Reads a message `ProviderSchema`.
    fn provider(&mut self, message: Message<'_>) -> Result<ProviderSchema> {
        let mut provider = ProviderSchema::default();
        message.for_each(&[1], |number, field| {
            match number {
                1 => provider.provider = Some(self.schema(field.message()?)?),
                2 => {
                    let (resources, identities) =
                        (&mut provider.resource_schemas, &mut provider.resource_identity_schemas);
                    self.resource(field, resources, identities)?;
                }
                // Data sources have no identity.
                3 => self.resource(field, &mut provider.data_source_schemas, &mut BTreeMap::new())?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(provider)
    }

    /// Reads an entry of a map to messages `ResourceSchema`.
    fn resource(
        &mut self,
        field: Field<'_>,
        into: &mut BTreeMap<String, Schema>,
        identities: &mut BTreeMap<String, IdentitySchema>,
    ) -> Result<()> {
        self.count()?;
        let (name, message) = entry(field)?;
        let mut schema = None;
        message.for_each(&[1, 2], |number, field| {
            match number {
                1 => schema = Some(self.schema(field.message()?)?),
                2 => {
                    identities.insert(name.to_owned(), self.identity(field.message()?)?);
                }
                _ => {}
            }
            Ok(())
        })?;
        into.insert(name.to_owned(), schema.unwrap_or_else(|| Schema::new(0, Block::default())));
        Ok(())
    }

    /// Reads a message `ResourceIdentitySchema`.
    fn identity(&mut self, message: Message<'_>) -> Result<IdentitySchema> {
        let mut identity = IdentitySchema::default();
        message.for_each(&[1, 2], |number, field| {
            match number {
                1 => identity.version = field.varint()?,
                2 => {
                    let (attributes, _) = self.object(field.message()?)?;
                    for (name, attribute) in attributes {
                        let AttributeType::Plain(ty) = attribute.ty else { return Err(malformed()) };
                        let mut of_identity = IdentityAttribute::new(ty);
                        of_identity.required_for_import = attribute.required;
                        of_identity.optional_for_import = attribute.optional;
                        identity.attributes.insert(name, of_identity);
                    }
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(identity)
    }

    /// Reads a message `Schema`.
    fn schema(&mut self, message: Message<'_>) -> Result<Schema> {
        let (mut version, mut block) = (0, Block::default());
        message.for_each(&[1, 2], |number, field| {
            match number {
                1 => version = field.varint()?,
                2 => block = self.block(field.message()?)?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(Schema::new(version, block))
    }

    /// Reads a message `SchemaBlock`.
    fn block(&mut self, message: Message<'_>) -> Result<Block> {
        let mut block = Block::default();
        self.one_level_down(|bounds| {
            message.for_each(&[], |number, field| {
                match number {
                    1 => {
                        let (name, attribute) = bounds.attribute(field.message()?)?;
                        block.attributes.insert(name, attribute);
                    }
                    2 => {
                        let (name, nested) = bounds.nested_block(field.message()?)?;
                        block.block_types.insert(name, nested);
                    }
                    _ => {}
                }
                Ok(())
            })
        })?;
        Ok(block)
    }

    /// Reads a message `SchemaNestedBlock`, with its name.
    fn nested_block(&mut self, message: Message<'_>) -> Result<(String, NestedBlock)> {
        self.count()?;
        let (mut name, mut nesting) = (String::new(), None);
        let mut nested = NestedBlock::new(Nesting::Single, Block::default());
        message.for_each(&[1, 2, 3, 4, 5], |number, field| {
            match number {
                1 => field.text()?.clone_into(&mut name),
                2 => nested.block = self.block(field.message()?)?,
                3 => nesting = Some(nesting_mode(field.varint()?)?),
                4 => nested.min_items = field.varint()?,
                5 => nested.max_items = field.varint()?,
                _ => {}
            }
            Ok(())
        })?;
        nested.nesting = nesting.ok_or_else(malformed)?;
        Ok((name, nested))
    }

    /// Reads a message `SchemaAttribute`, with its name.
    fn attribute(&mut self, message: Message<'_>) -> Result<(String, Attribute)> {
        self.count()?;
        let (mut name, mut plain, mut nested) = (String::new(), None, None);
        let mut attribute = Attribute::new(AttributeType::Plain(Type::Dynamic));
        message.for_each(&[1, 2, 3, 4, 5, 6, 7, 8], |number, field| {
            match number {
                1 => field.text()?.clone_into(&mut name),
                2 if !field.bytes()?.is_empty() => plain = Some(Type::from_json_text(field.text()?)?),
                3 => nested = Some(self.nested_type(field.message()?)?),
                4 => attribute.required = field.flag()?,
                5 => attribute.optional = field.flag()?,
                6 => attribute.computed = field.flag()?,
                7 => attribute.sensitive = field.flag()?,
                8 => attribute.write_only = field.flag()?,
                _ => {}
            }
            Ok(())
        })?;
        attribute.ty = match (plain, nested) {
            (Some(ty), None) => AttributeType::Plain(ty),
            (None, Some(nested)) => AttributeType::Nested(nested),
            (None, None) | (Some(_), Some(_)) => return Err(malformed()),
        };
        Ok((name, attribute))
    }

    /// Reads a message `SchemaObject` as the type of an attribute.
    fn nested_type(&mut self, message: Message<'_>) -> Result<NestedType> {
        match self.object(message)? {
            // An attribute is never a group.
            (_, None | Some(Nesting::Group)) => Err(malformed()),
            (attributes, Some(nesting)) => Ok(NestedType::new(nesting, attributes)),
        }
    }

    /// Reads the attributes and the nesting of a message `SchemaObject`.
    fn object(&mut self, message: Message<'_>) -> Result<(DeclaredMap<Attribute>, Option<Nesting>)> {
        let (mut attributes, mut nesting) = (DeclaredMap::new(), None);
        self.one_level_down(|bounds| {
            message.for_each(&[2], |number, field| {
                match number {
                    1 => {
                        let (name, attribute) = bounds.attribute(field.message()?)?;
                        attributes.insert(name, attribute);
                    }
                    2 => nesting = Some(nesting_mode(field.varint()?)?),
                    _ => {}
                }
                Ok(())
            })
        })?;
        Ok((attributes, nesting))
    }
}

/// The value of the enumeration `SchemaNestingMode`.
fn nesting_mode(number: u64) -> Result<Nesting> {
    Ok(match number {
        1 => Nesting::Single,
        2 => Nesting::Group,
        3 => Nesting::List,
        4 => Nesting::Set,
        5 => Nesting::Map,
        _ => return Err(malformed()),
    })
}
