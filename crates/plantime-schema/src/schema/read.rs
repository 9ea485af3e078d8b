//! Reads schema files from JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::json::shape::{array, object, read_count, read_flag, read_text, ty};
use plantime::unstable::error::Kind;
use plantime::unstable::json::{Reader, Token, implied};
use plantime::{Error, Result};

use super::on_demand::{File, Unread, UnreadSchema};
use super::{
    Attribute, AttributeType, Block, DeclaredMap, Function, IdentityAttribute, IdentitySchema, NestedBlock,
    NestedType, Nesting, Other, Parameter, ProviderSchema, ProviderSchemas, Schema,
};

/// The format version of a file without `format_version`.
pub(super) const VERSION: &str = "1.0";

/// Reads all schemas of a file.
pub(super) fn file(text: &[u8]) -> Result<ProviderSchemas> {
    read(Reader::new(text)?, None)
}

/// Opens a file: reads everything but the schemas of resources, data sources and ephemeral resources, which are
/// read on demand.
pub(super) fn open(name: String, text: Vec<u8>) -> Result<ProviderSchemas> {
    let text = match String::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            Reader::new(error.as_bytes())?;
            return Err(Error::new(Kind::Syntax, "not JSON: invalid UTF-8"));
        }
    };
    let file = Arc::new(File { name, text });
    read(Reader::new(file.text.as_bytes())?, Some(&file))
}

/// Reads a schema file. If `lazily` is given, the schemas of its resource types are not parsed but recorded by their
/// positions in that file.
fn read(mut reader: Reader<'_>, lazily: Option<&Arc<File>>) -> Result<ProviderSchemas> {
    let mut file = ProviderSchemas::new();
    let (mut is_schema_file, mut has_version) = (false, false);
    object(&mut reader, |key, reader| match key {
        "format_version" => {
            if let Some(version) = crate::json::shape::read_text(reader)? {
                check_version(&version)?;
                file.format_version = version;
                has_version = true;
            }
            Ok(())
        }
        "provider_schemas" => {
            is_schema_file = true;
            read_map(reader, &mut file.providers, |reader| provider(reader, lazily))
        }
        _ => keep_unknown_key(reader, &mut file.other, key),
    })?;
    reader.end()?;
    // Of a configuration without providers Terraform writes the version alone.
    if !is_schema_file && (!has_version || !file.other.is_empty()) {
        return Err(Error::new(Kind::Syntax, "not a provider schema file: it has no provider_schemas"));
    }
    Ok(file)
}

/// Fails if this format version of schema files is not supported.
fn check_version(version: &str) -> Result<()> {
    let major = version.split('.').next().and_then(|major| major.parse::<u64>().ok());
    match major {
        Some(0 | 1) => Ok(()),
        _ => Err(Error::new(
            Kind::Argument,
            format!("provider schemas of format {version:?} are not supported, expected 1.x"),
        )),
    }
}

/// Stores the value of a JSON key that this library does not know in `other`.
fn keep_unknown_key(reader: &mut Reader<'_>, other: &mut Other, key: &str) -> Result<()> {
    other.insert(key.to_owned(), implied(reader)?);
    Ok(())
}

/// Reads a JSON object into a map: its keys, and each value by the function `read`. An empty array counts as an empty
/// object.
fn read_map<'a, T>(
    reader: &mut Reader<'a>,
    into: &mut impl Extend<(String, T)>,
    mut read: impl FnMut(&mut Reader<'a>) -> Result<T>,
) -> Result<()> {
    // Writers without typed maps write an empty array for an empty object.
    if reader.peek()? == Token::Array {
        return array(reader, |reader| Err(reader.mismatch("an object in place of an array with elements")));
    }
    object(reader, |key, reader| {
        into.extend([(key.to_owned(), read(reader)?)]);
        Ok(())
    })
}

/// Reads the schemas of types into `now`; if `lazily` is given, records their positions in that file in `later`
/// instead.
fn read_schemas(
    reader: &mut Reader<'_>,
    now: &mut BTreeMap<String, Schema>,
    later: &mut BTreeMap<String, UnreadSchema>,
    lazily: Option<&Arc<File>>,
) -> Result<()> {
    match lazily {
        None => read_map(reader, now, schema),
        Some(file) => read_map(reader, later, |reader| UnreadSchema::skip(reader, file)),
    }
}

/// Reads the schemas of a provider. If `lazily` is given, those of its resource types are recorded by their positions
/// in that file.
fn provider(reader: &mut Reader<'_>, lazily: Option<&Arc<File>>) -> Result<ProviderSchema> {
    let mut provider = ProviderSchema::default();
    let mut unread = Unread::default();
    object(reader, |key, reader| match key {
        "provider" => {
            provider.provider = (reader.peek()? != Token::Null).then(|| schema(reader)).transpose()?;
            if provider.provider.is_none() { reader.null() } else { Ok(()) }
        }
        "resource_schemas" => {
            read_schemas(reader, &mut provider.resource_schemas, &mut unread.resources, lazily)
        }
        "data_source_schemas" => {
            read_schemas(reader, &mut provider.data_source_schemas, &mut unread.data_sources, lazily)
        }
        "ephemeral_resource_schemas" => {
            let unread = &mut unread.ephemeral_resources;
            read_schemas(reader, &mut provider.ephemeral_resource_schemas, unread, lazily)
        }
        "list_resource_schemas" => read_map(reader, &mut provider.list_resource_schemas, schema),
        "action_schemas" => read_map(reader, &mut provider.action_schemas, schema),
        "state_store_schemas" => read_map(reader, &mut provider.state_store_schemas, schema),
        "functions" => read_map(reader, &mut provider.functions, function),
        "resource_identity_schemas" => read_map(reader, &mut provider.resource_identity_schemas, identity),
        _ => keep_unknown_key(reader, &mut provider.other, key),
    })?;
    provider.unread = unread;
    Ok(provider)
}

/// Reads a schema.
pub(super) fn schema(reader: &mut Reader<'_>) -> Result<Schema> {
    let (mut version, mut content, mut other) = (0, Block::default(), Other::new());
    object(reader, |key, reader| {
        match key {
            "version" => version = read_count(reader)?,
            "block" => content = block(reader)?,
            _ => keep_unknown_key(reader, &mut other, key)?,
        }
        Ok(())
    })?;
    Ok(Schema::with_other(version, content, other))
}

/// Reads a block.
fn block(reader: &mut Reader<'_>) -> Result<Block> {
    let mut block = Block::default();
    object(reader, |key, reader| {
        match key {
            "attributes" => read_map(reader, &mut block.attributes, attribute)?,
            "block_types" => read_map(reader, &mut block.block_types, nested_block)?,
            "description" => block.description = read_text(reader)?,
            "description_kind" => block.description_kind = read_text(reader)?,
            "deprecated" => block.deprecated = read_flag(reader)?,
            "deprecation_message" => block.deprecation_message = read_text(reader)?,
            _ => keep_unknown_key(reader, &mut block.other, key)?,
        }
        Ok(())
    })?;
    Ok(block)
}

/// Reads an attribute.
fn attribute(reader: &mut Reader<'_>) -> Result<Attribute> {
    let mut attribute = Attribute::new(AttributeType::Plain(plantime::Type::Dynamic));
    let (mut plain, mut nested) = (None, None);
    object(reader, |key, reader| {
        match key {
            "type" => plain = Some(ty(reader)?),
            "nested_type" => nested = Some(nested_type(reader)?),
            "required" => attribute.required = read_flag(reader)?,
            "optional" => attribute.optional = read_flag(reader)?,
            "computed" => attribute.computed = read_flag(reader)?,
            "sensitive" => attribute.sensitive = read_flag(reader)?,
            "write_only" => attribute.write_only = read_flag(reader)?,
            "deprecated" => attribute.deprecated = read_flag(reader)?,
            "deprecation_message" => attribute.deprecation_message = read_text(reader)?,
            "description" => attribute.description = read_text(reader)?,
            "description_kind" => attribute.description_kind = read_text(reader)?,
            _ => keep_unknown_key(reader, &mut attribute.other, key)?,
        }
        Ok(())
    })?;
    attribute.ty = match (plain, nested) {
        (Some(ty), None) => AttributeType::Plain(ty),
        (None, Some(nested)) => AttributeType::Nested(nested),
        (None, None) => {
            return Err(reader.error("either type or nested_type must be defined by an attribute that ends"));
        }
        (Some(_), Some(_)) => {
            return Err(reader.error("type and nested_type cannot both be set by an attribute that ends"));
        }
    };
    Ok(attribute)
}

/// Reads the attributes inside an attribute.
fn nested_type(reader: &mut Reader<'_>) -> Result<NestedType> {
    let (mut nesting_mode, mut attributes, mut other) = (None, DeclaredMap::new(), Other::new());
    object(reader, |key, reader| {
        match key {
            "attributes" => read_map(reader, &mut attributes, attribute)?,
            "nesting_mode" => nesting_mode = Some(nesting(reader)?),
            _ => keep_unknown_key(reader, &mut other, key)?,
        }
        Ok(())
    })?;
    match nesting_mode {
        None => Err(reader.error("nesting_mode is missing in a nested type that ends")),
        Some(Nesting::Group) => Err(reader.error("a nested type cannot be of nesting mode group; it ends")),
        Some(nesting) => Ok(NestedType { attributes, nesting, other }),
    }
}

/// Reads a nested block.
fn nested_block(reader: &mut Reader<'_>) -> Result<NestedBlock> {
    let mut nesting_mode = None;
    let mut nested = NestedBlock::new(Nesting::Single, Block::default());
    object(reader, |key, reader| {
        match key {
            "nesting_mode" => nesting_mode = Some(nesting(reader)?),
            "block" => nested.block = block(reader)?,
            "min_items" => nested.min_items = read_count(reader)?,
            "max_items" => nested.max_items = read_count(reader)?,
            _ => keep_unknown_key(reader, &mut nested.other, key)?,
        }
        Ok(())
    })?;
    nested.nesting =
        nesting_mode.ok_or_else(|| reader.error("nesting_mode is missing in a block type that ends"))?;
    Ok(nested)
}

/// Reads a nesting mode.
fn nesting(reader: &mut Reader<'_>) -> Result<Nesting> {
    let found = read_text(reader)?.unwrap_or_default();
    Nesting::from_text(&found).ok_or_else(|| reader.error(&format!("invalid nesting mode {found:?}")))
}

/// Reads a provider function.
fn function(reader: &mut Reader<'_>) -> Result<Function> {
    let mut function = Function {
        description: None,
        summary: None,
        deprecation_message: None,
        return_type: plantime::Type::Dynamic,
        parameters: Vec::new(),
        variadic_parameter: None,
        other: Other::new(),
    };
    object(reader, |key, reader| {
        match key {
            "description" => function.description = read_text(reader)?,
            "summary" => function.summary = read_text(reader)?,
            "deprecation_message" => function.deprecation_message = read_text(reader)?,
            "return_type" => function.return_type = ty(reader)?,
            "parameters" => array(reader, |reader| {
                function.parameters.push(parameter(reader)?);
                Ok(())
            })?,
            "variadic_parameter" => function.variadic_parameter = Some(parameter(reader)?),
            _ => keep_unknown_key(reader, &mut function.other, key)?,
        }
        Ok(())
    })?;
    Ok(function)
}

/// Reads a parameter of a function.
fn parameter(reader: &mut Reader<'_>) -> Result<Parameter> {
    let mut parameter = Parameter {
        name: String::new(),
        description: None,
        ty: plantime::Type::Dynamic,
        is_nullable: false,
        other: Other::new(),
    };
    object(reader, |key, reader| {
        match key {
            "name" => parameter.name = read_text(reader)?.unwrap_or_default(),
            "description" => parameter.description = read_text(reader)?,
            "type" => parameter.ty = ty(reader)?,
            "is_nullable" => parameter.is_nullable = read_flag(reader)?,
            _ => keep_unknown_key(reader, &mut parameter.other, key)?,
        }
        Ok(())
    })?;
    Ok(parameter)
}

/// Reads the schema of an identity.
fn identity(reader: &mut Reader<'_>) -> Result<IdentitySchema> {
    let mut identity = IdentitySchema::default();
    object(reader, |key, reader| {
        match key {
            "version" => identity.version = read_count(reader)?,
            "attributes" => read_map(reader, &mut identity.attributes, identity_attribute)?,
            _ => keep_unknown_key(reader, &mut identity.other, key)?,
        }
        Ok(())
    })?;
    Ok(identity)
}

/// Reads an attribute of an identity.
fn identity_attribute(reader: &mut Reader<'_>) -> Result<IdentityAttribute> {
    let mut attribute = IdentityAttribute {
        ty: plantime::Type::Dynamic,
        description: None,
        required_for_import: false,
        optional_for_import: false,
        other: Other::new(),
    };
    object(reader, |key, reader| {
        match key {
            "type" => attribute.ty = ty(reader)?,
            "description" => attribute.description = read_text(reader)?,
            "required_for_import" => attribute.required_for_import = read_flag(reader)?,
            "optional_for_import" => attribute.optional_for_import = read_flag(reader)?,
            _ => keep_unknown_key(reader, &mut attribute.other, key)?,
        }
        Ok(())
    })?;
    Ok(attribute)
}
