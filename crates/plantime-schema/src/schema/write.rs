//! Writes schemas as JSON.

use serde_json::{Map, Value as Json};

use plantime::unstable::json::lossless;
use plantime::{Result, Step, Type};

use super::{
    Attribute, AttributeType, Block, Function, IdentityAttribute, IdentitySchema, NestedBlock, NestedType,
    Other, Parameter, ProviderSchema, ProviderSchemas, Schema,
};

/// A JSON object under construction. The methods `text`, `flag`, `count` and `map` omit empty values.
struct Object(Map<String, Json>);

impl Object {
    /// An object that holds the keys that the reader of the schema did not know.
    fn new(other: &Other) -> Result<Object> {
        let mut object = Object(Map::new());
        for (key, value) in other {
            let json = lossless(value).map_err(|error| error.under(Step::attr(key)))?;
            object.0.insert(key.clone(), json);
        }
        Ok(object)
    }

    /// Adds a property.
    fn put(&mut self, key: &str, value: impl Into<Json>) {
        self.0.insert(key.to_owned(), value.into());
    }

    /// Adds a string, unless it is `None`.
    fn text(&mut self, key: &str, text: Option<&String>) {
        if let Some(text) = text {
            self.put(key, text.as_str());
        }
    }

    /// Adds `true` if the flag is set, else nothing.
    fn flag(&mut self, key: &str, set: bool) {
        if set {
            self.put(key, true);
        }
    }

    /// Adds a number, if it is not 0.
    fn count(&mut self, key: &str, count: u64) {
        if count > 0 {
            self.put(key, count);
        }
    }

    /// Adds an object with each value of a map written by `write`; nothing if the map is empty.
    fn map<'m, T: 'm>(
        &mut self,
        key: &str,
        map: impl IntoIterator<Item = (&'m String, &'m T), IntoIter: ExactSizeIterator>,
        write: fn(&T) -> Result<Json>,
    ) -> Result<()> {
        let map = map.into_iter();
        if map.len() == 0 {
            return Ok(());
        }
        let mut object = Map::new();
        for (name, value) in map {
            let json = write(value).map_err(|error| error.under(Step::attr(name)).under(Step::attr(key)))?;
            object.insert(name.clone(), json);
        }
        self.put(key, object);
        Ok(())
    }

    /// The finished object.
    fn finish(self) -> Result<Json> {
        Ok(Json::Object(self.0))
    }
}

/// The JSON form of a type.
fn ty(ty: &Type) -> Result<Json> {
    // The text form of a type is JSON by construction.
    Ok(serde_json::from_str(&ty.to_json_text()?).unwrap_or(Json::Null))
}

/// The JSON form of a whole schema file.
pub(super) fn file(schemas: &ProviderSchemas) -> Result<Json> {
    let mut object = Object::new(&schemas.other)?;
    object.put("format_version", schemas.format_version.as_str());
    object.put("provider_schemas", Map::new());
    object.map("provider_schemas", &schemas.providers, provider)?;
    object.finish()
}

/// The JSON form of a provider's schemas.
fn provider(provider: &ProviderSchema) -> Result<Json> {
    let provider = &*provider.read_whole()?;
    let mut object = Object::new(&provider.other)?;
    if let Some(found) = &provider.provider {
        object.put("provider", schema(found)?);
    }
    object.map("resource_schemas", &provider.resource_schemas, schema)?;
    object.map("data_source_schemas", &provider.data_source_schemas, schema)?;
    object.map("ephemeral_resource_schemas", &provider.ephemeral_resource_schemas, schema)?;
    object.map("list_resource_schemas", &provider.list_resource_schemas, schema)?;
    object.map("action_schemas", &provider.action_schemas, schema)?;
    object.map("state_store_schemas", &provider.state_store_schemas, schema)?;
    object.map("functions", &provider.functions, function)?;
    object.map("resource_identity_schemas", &provider.resource_identity_schemas, identity)?;
    object.finish()
}

/// The JSON form of a schema.
fn schema(schema: &Schema) -> Result<Json> {
    let mut object = Object::new(schema.other())?;
    object.put("version", schema.version());
    object.put("block", block(schema.block())?);
    object.finish()
}

/// The JSON form of a block.
fn block(block: &Block) -> Result<Json> {
    let mut object = Object::new(&block.other)?;
    object.map("attributes", &block.attributes, attribute)?;
    object.map("block_types", &block.block_types, nested_block)?;
    object.text("description", block.description.as_ref());
    object.text("description_kind", block.description_kind.as_ref());
    object.flag("deprecated", block.deprecated);
    object.text("deprecation_message", block.deprecation_message.as_ref());
    object.finish()
}

/// The JSON form of an attribute.
fn attribute(attribute: &Attribute) -> Result<Json> {
    let mut object = Object::new(&attribute.other)?;
    match &attribute.ty {
        AttributeType::Plain(plain) => object.put("type", ty(plain)?),
        AttributeType::Nested(nested) => object.put("nested_type", nested_type(nested)?),
    }
    object.flag("required", attribute.required);
    object.flag("optional", attribute.optional);
    object.flag("computed", attribute.computed);
    object.flag("sensitive", attribute.sensitive);
    object.flag("write_only", attribute.write_only);
    object.flag("deprecated", attribute.deprecated);
    object.text("deprecation_message", attribute.deprecation_message.as_ref());
    object.text("description", attribute.description.as_ref());
    object.text("description_kind", attribute.description_kind.as_ref());
    object.finish()
}

/// The JSON form of nested attributes.
fn nested_type(nested: &NestedType) -> Result<Json> {
    let mut object = Object::new(&nested.other)?;
    object.map("attributes", &nested.attributes, attribute)?;
    object.put("nesting_mode", nested.nesting.as_str());
    object.finish()
}

/// The JSON form of a nested block.
fn nested_block(nested: &NestedBlock) -> Result<Json> {
    let mut object = Object::new(&nested.other)?;
    object.put("nesting_mode", nested.nesting.as_str());
    object.put("block", block(&nested.block)?);
    object.count("min_items", nested.min_items);
    object.count("max_items", nested.max_items);
    object.finish()
}

/// The JSON form of a provider function.
fn function(function: &Function) -> Result<Json> {
    let mut object = Object::new(&function.other)?;
    object.text("description", function.description.as_ref());
    object.text("summary", function.summary.as_ref());
    object.text("deprecation_message", function.deprecation_message.as_ref());
    object.put("return_type", ty(&function.return_type)?);
    if !function.parameters.is_empty() {
        object.put("parameters", function.parameters.iter().map(parameter).collect::<Result<Vec<_>>>()?);
    }
    if let Some(variadic) = &function.variadic_parameter {
        object.put("variadic_parameter", parameter(variadic)?);
    }
    object.finish()
}

/// The JSON form of a function's parameter.
fn parameter(parameter: &Parameter) -> Result<Json> {
    let mut object = Object::new(&parameter.other)?;
    object.put("name", parameter.name.as_str());
    object.text("description", parameter.description.as_ref());
    object.put("type", ty(&parameter.ty)?);
    object.flag("is_nullable", parameter.is_nullable);
    object.finish()
}

/// The JSON form of an identity schema.
fn identity(identity: &IdentitySchema) -> Result<Json> {
    let mut object = Object::new(&identity.other)?;
    object.put("version", identity.version);
    object.map("attributes", &identity.attributes, identity_attribute)?;
    object.finish()
}

/// The JSON form of an attribute of an identity.
fn identity_attribute(attribute: &IdentityAttribute) -> Result<Json> {
    let mut object = Object::new(&attribute.other)?;
    object.put("type", ty(&attribute.ty)?);
    object.text("description", attribute.description.as_ref());
    object.flag("required_for_import", attribute.required_for_import);
    object.flag("optional_for_import", attribute.optional_for_import);
    object.finish()
}
