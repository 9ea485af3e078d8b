//! Schemas in a few lines, and states built from plans.

use plantime::{Result, Type, Value, View};
use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, Schema};

use crate::timeouts::Operation;

/// An empty schema of version 0, to which attributes and blocks are added.
///
/// ```
/// use plantime::Type;
/// use plantime_provider::schema;
///
/// let schema = schema().required("cidr", Type::String).computed("id", Type::String).build();
/// assert_eq!(schema.implied_type()?.to_string(), "object({cidr = string, id = string})");
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn schema() -> SchemaBuilder {
    SchemaBuilder { version: 0, block: Block::default() }
}

/// A schema under construction: see [`schema`].
#[derive(Clone, Debug)]
pub struct SchemaBuilder {
    version: u64,
    block: Block,
}

impl SchemaBuilder {
    /// The same schema with this version.
    pub fn version(mut self, version: u64) -> SchemaBuilder {
        self.version = version;
        self
    }

    /// The same schema with an attribute that the configuration must set.
    pub fn required(self, name: &str, ty: Type) -> SchemaBuilder {
        self.plain(name, ty, |attribute| attribute.required = true)
    }

    /// The same schema with an attribute that the configuration may set.
    pub fn optional(self, name: &str, ty: Type) -> SchemaBuilder {
        self.plain(name, ty, |attribute| attribute.optional = true)
    }

    /// The same schema with an attribute that the provider chooses.
    pub fn computed(self, name: &str, ty: Type) -> SchemaBuilder {
        self.plain(name, ty, |attribute| attribute.computed = true)
    }

    /// The same schema with an attribute that the provider chooses where the configuration does not.
    pub fn optional_computed(self, name: &str, ty: Type) -> SchemaBuilder {
        self.plain(name, ty, |attribute| (attribute.optional, attribute.computed) = (true, true))
    }

    /// The same schema in which the value of an attribute must not be shown.
    pub fn sensitive(mut self, name: &str) -> SchemaBuilder {
        if let Some(attribute) = self.block.attributes.get_mut(name) {
            attribute.sensitive = true;
        }
        self
    }

    /// The same schema in which an attribute is taken from the configuration and stored nowhere: it is null in plans and
    /// states, and [`Call::config`](crate::Call::config) has it.
    pub fn write_only(mut self, name: &str) -> SchemaBuilder {
        if let Some(attribute) = self.block.attributes.get_mut(name) {
            attribute.write_only = true;
        }
        self
    }

    /// The same schema with any attribute.
    pub fn attribute(mut self, name: &str, attribute: Attribute) -> SchemaBuilder {
        self.block.attributes.insert(name.to_owned(), attribute);
        self
    }

    /// The same schema with a block type inside it.
    pub fn block(mut self, name: &str, block: NestedBlock) -> SchemaBuilder {
        self.block.block_types.insert(name.to_owned(), block);
        self
    }

    /// The same schema with all attributes and block types of a block, such as one that
    /// [`fields_of`](plantime_schema::BlockBuilder::fields_of) makes from a struct.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_schema::Block;
    /// use plantime_provider::schema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Vpc {
    ///     cidr: String,
    ///     name: Option<String>,
    /// }
    ///
    /// let vpc = Block::builder().fields_of::<Vpc>()?.build()?;
    /// let schema = schema().with(vpc).computed("id", Type::String).build();
    /// assert_eq!(schema.implied_type()?.to_string(), "object({cidr = string, id = string, name = string})");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn with(mut self, block: Block) -> SchemaBuilder {
        self.block
            .attributes
            .extend(block.attributes.iter().map(|(name, part)| (name.clone(), part.clone())));
        self.block
            .block_types
            .extend(block.block_types.iter().map(|(name, part)| (name.clone(), part.clone())));
        self
    }

    /// The same schema with a block `timeouts`, in which a user says how long these operations may take: see
    /// [`Call::until_cancelled`](crate::Call::until_cancelled).
    ///
    /// [Example](crate::Resource)
    pub fn timeouts(self, operations: &[Operation]) -> SchemaBuilder {
        let (name, block) = crate::timeouts::block(operations);
        self.block(name, block)
    }

    /// The schema.
    pub fn build(self) -> Schema {
        Schema::new(self.version, self.block)
    }

    /// Adds an attribute of a type.
    fn plain(self, name: &str, ty: Type, flag: impl FnOnce(&mut Attribute)) -> SchemaBuilder {
        let mut attribute = Attribute::new(AttributeType::Plain(ty));
        flag(&mut attribute);
        self.attribute(name, attribute)
    }
}

/// An object with other values of some attributes: the state after a create is the planned one with the chosen values.
///
/// ```
/// use plantime::{Type, Value};
/// use plantime_provider::with_attributes;
///
/// let planned = Value::object([("cidr", Value::from("10.0.0.0/8")), ("id", Value::unknown(Type::String))])?;
/// let state = with_attributes(&planned, [("id", Value::from("vpc-1"))])?;
/// assert_eq!(state.get_attr("id")?, Value::from("vpc-1"));
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As those of [`Value::object`]. A value that is not an object is returned unchanged.
pub fn with_attributes<'a>(
    object: &Value,
    changed: impl IntoIterator<Item = (&'a str, Value)>,
) -> Result<Value> {
    let View::Object(view) = object.view() else { return Ok(object.clone()) };
    let kept = view.iter().map(|(name, value)| (name.to_owned(), value.clone()));
    let changed = changed.into_iter().map(|(name, value)| (name.to_owned(), value));
    let attributes: std::collections::BTreeMap<String, Value> = kept.chain(changed).collect();
    Value::object(attributes)
}
