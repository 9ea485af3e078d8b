//! Schemas in a few lines, and states built from plans.

use plantime::{Error, Path, Result, Type, Value, View};
use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, Schema, nearest_name};

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
    SchemaBuilder { version: 0, block: Block::default(), edits: Vec::new(), wrong: Vec::new() }
}

/// A schema under construction: see [`schema`].
///
/// A name that is given twice, and a flag of an attribute that does not exist, are errors of the schema: a provider that has it
/// says so to its host in the place of its schemas, and [`Provider::check`](crate::Provider::check) and
/// [`Harness::schemas`](crate::Harness::schemas) say it too.
///
/// ```
/// use plantime::Type;
/// use plantime_provider::schema;
///
/// let errors = schema().optional("token", Type::String).sensitive("tokn").build().check();
/// assert_eq!(errors[0].to_string(), "tokn: no such attribute to be sensitive; did you mean \"token\"?");
/// let errors = schema().required("name", Type::String).optional("name", Type::Number).build().check();
/// assert_eq!(errors[0].to_string(), "name: name defined twice");
/// ```
#[derive(Clone, Debug)]
#[must_use = "a builder is used by its `build`"]
pub struct SchemaBuilder {
    version: u64,
    block: Block,
    /// What attributes are said to be, which may be said before they are added.
    edits: Vec<(String, Edit)>,
    wrong: Vec<Error>,
}

/// What is said of an attribute by its name.
#[derive(Clone, Debug)]
enum Edit {
    Sensitive,
    WriteOnly,
    Deprecated(String),
    Described(String),
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
    pub fn sensitive(self, name: &str) -> SchemaBuilder {
        self.edit(name, Edit::Sensitive)
    }

    /// The same schema in which an attribute is taken from the configuration and stored nowhere: it is null in plans and
    /// states, and [`Call::config`](crate::Call::config) has it.
    pub fn write_only(self, name: &str) -> SchemaBuilder {
        self.edit(name, Edit::WriteOnly)
    }

    /// The same schema in which an attribute should no longer be used: a configuration that sets it is warned with this text.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_provider::schema;
    ///
    /// let schema = schema().optional("zone", Type::String).deprecated("zone", "Use zones.").describe("zone", "One zone.").build();
    /// assert!(schema.block().attributes.get("zone").is_some_and(|zone| zone.deprecated));
    /// ```
    pub fn deprecated(self, name: &str, message: impl Into<String>) -> SchemaBuilder {
        self.edit(name, Edit::Deprecated(message.into()))
    }

    /// The same schema with a description of an attribute in Markdown.
    ///
    /// [Example](SchemaBuilder::deprecated)
    pub fn describe(self, name: &str, description: impl Into<String>) -> SchemaBuilder {
        self.edit(name, Edit::Described(description.into()))
    }

    /// The same schema with any attribute.
    pub fn attribute(mut self, name: &str, attribute: impl Into<Attribute>) -> SchemaBuilder {
        if self.block.attributes.insert(name.to_owned(), attribute.into()).is_some() {
            self.repeat(name);
        }
        self
    }

    /// The same schema with a block type inside it.
    pub fn block(mut self, name: &str, block: impl Into<NestedBlock>) -> SchemaBuilder {
        if self.block.block_types.insert(name.to_owned(), block.into()).is_some() {
            self.repeat(name);
        }
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
        for (name, attribute) in block.attributes.iter() {
            self = self.attribute(name, attribute.clone());
        }
        for (name, nested) in block.block_types.iter() {
            self = self.block(name, nested.clone());
        }
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

    /// The schema, with what is wrong with it as errors of [`Schema::check`].
    pub fn build(mut self) -> Schema {
        for (name, edit) in std::mem::take(&mut self.edits) {
            let Some(attribute) = self.block.attributes.get_mut(&name) else {
                self.miss(&name, edit.verb());
                continue;
            };
            match edit {
                Edit::Sensitive => attribute.sensitive = true,
                Edit::WriteOnly => attribute.write_only = true,
                Edit::Deprecated(message) => {
                    (attribute.deprecated, attribute.deprecation_message) = (true, Some(message));
                }
                Edit::Described(description) => attribute.description = Some(description),
            }
        }
        Schema::new(self.version, self.block).with_errors(self.wrong)
    }

    /// Adds an attribute of a type.
    fn plain(self, name: &str, ty: Type, flag: impl FnOnce(&mut Attribute)) -> SchemaBuilder {
        let mut attribute = Attribute::new(AttributeType::Plain(ty));
        flag(&mut attribute);
        self.attribute(name, attribute)
    }

    /// Remembers what is said of an attribute.
    fn edit(mut self, name: &str, edit: Edit) -> SchemaBuilder {
        self.edits.push((name.to_owned(), edit));
        self
    }

    /// Remembers that a name is given twice.
    fn repeat(&mut self, name: &str) {
        self.wrong.push(Error::custom("name defined twice").at(Path::new().attr(name)));
    }

    /// Remembers that something is said of an attribute that is not there.
    fn miss(&mut self, name: &str, verb: &str) {
        let what = match self.block.block_types.contains_key(name) {
            true => format!("it is a block type, which cannot be {verb}"),
            false => {
                format!("no such attribute to be {verb}{}", did_you_mean(name, self.block.attributes.keys()))
            }
        };
        self.wrong.push(Error::custom(what).at(Path::new().attr(name)));
    }
}

impl Edit {
    /// What the attribute is to be.
    fn verb(&self) -> &'static str {
        match self {
            Edit::Sensitive => "sensitive",
            Edit::WriteOnly => "write-only",
            Edit::Deprecated(_) => "deprecated",
            Edit::Described(_) => "described",
        }
    }
}

/// The question after a name that does not exist; empty where no name is near.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = impl AsRef<str> + 'a>,
) -> String {
    let candidates: Vec<String> = candidates.into_iter().map(|one| one.as_ref().to_owned()).collect();
    let near = nearest_name(name, candidates.iter().map(String::as_str));
    near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default()
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
