//! The types of a schema: schemas, blocks and attributes.

use std::fmt;
use std::sync::OnceLock;

use plantime::{Error, Result, Type};

use super::implied::Compiled;
use super::{DeclaredMap, Other};

/// The schema of a resource, data source or provider.
#[derive(Clone)]
pub struct Schema {
    version: u64,
    block: Block,
    other: Other,
    /// What was found wrong while it was built.
    wrong: Vec<Error>,
    compiled: OnceLock<Result<Compiled, Error>>,
}

impl Schema {
    /// A schema with this version and block.
    ///
    /// ```
    /// use plantime_schema::{Block, Schema};
    ///
    /// let schema = Schema::new(3, Block::default());
    /// assert_eq!(schema.version(), 3);
    /// assert!(schema.block().attributes.is_empty());
    /// ```
    pub fn new(version: u64, block: Block) -> Schema {
        Schema::with_other(version, block, Other::new())
    }

    /// A schema with this version and block, and the values under JSON keys that this library does not know.
    pub(super) fn with_other(version: u64, block: Block, other: Other) -> Schema {
        Schema { version, block, other, wrong: Vec::new(), compiled: OnceLock::new() }
    }

    /// Adds errors that were found while the schema was built, such as a name given twice: [`check`](Schema::check) reports them.
    ///
    /// ```
    /// use plantime::{Error, Path};
    /// use plantime_schema::{Block, Schema};
    ///
    /// let twice = Error::custom("name defined twice").at(Path::new().attr("id"));
    /// let schema = Schema::new(0, Block::default()).with_errors([twice]);
    /// assert_eq!(schema.check()[0].to_string(), "id: name defined twice");
    /// ```
    #[must_use]
    pub fn with_errors(mut self, errors: impl IntoIterator<Item = Error>) -> Schema {
        self.wrong.extend(errors);
        self
    }

    /// What was found wrong while the schema was built.
    pub(super) fn wrong(&self) -> &[Error] {
        &self.wrong
    }

    /// The version of the schema, which the provider counts.
    ///
    /// [Example](Schema::new)
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The attributes and nested blocks of the resource.
    ///
    /// [Example](Schema::new)
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// The values under keys that this version does not know.
    pub fn other(&self) -> &Other {
        &self.other
    }

    /// The type of values of the schema; computed once. See [`Block::implied_type`].
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_schema::{Attribute, AttributeType, Block, Schema};
    ///
    /// let mut block = Block::default();
    /// block.attributes.insert("id".to_owned(), Attribute::new(AttributeType::Plain(Type::String)));
    /// assert_eq!(Schema::new(0, block).implied_type()?.to_string(), "object({id = string})");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Block::implied_type`].
    pub fn implied_type(&self) -> Result<&Type> {
        self.compiled().map(Compiled::ty)
    }

    /// The compiled schema; computed once.
    #[doc(hidden)]
    pub fn compiled(&self) -> Result<&Compiled> {
        self.compiled.get_or_init(|| Compiled::new(&self.block)).as_ref().map_err(Clone::clone)
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Schema) -> bool {
        (self.version, &self.block, &self.other) == (other.version, &other.block, &other.other)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema")
            .field("version", &self.version)
            .field("block", &self.block)
            .finish_non_exhaustive()
    }
}

/// A configuration block: attributes, and blocks inside it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Block {
    /// The attributes, by name, as they are declared.
    pub attributes: DeclaredMap<Attribute>,
    /// Blocks inside this one, by name, as they are declared.
    pub block_types: DeclaredMap<NestedBlock>,
    /// What the block is for.
    pub description: Option<String>,
    /// How the description is written: `plain` or `markdown`.
    pub description_kind: Option<String>,
    /// Whether the block should no longer be used.
    pub deprecated: bool,
    /// The message of a deprecation: what to use instead.
    pub deprecation_message: Option<String>,
    /// Keys that this version does not know.
    pub other: Other,
}

/// An attribute of a block: its type, who sets it, and what it is for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attribute {
    /// Its type, plain or nested.
    pub ty: AttributeType,
    /// Whether the configuration must set the attribute.
    pub required: bool,
    /// Whether the configuration may set the attribute.
    pub optional: bool,
    /// Whether the provider may set the attribute.
    pub computed: bool,
    /// Whether the value must not be shown.
    pub sensitive: bool,
    /// Whether the value goes to the provider and is never stored.
    pub write_only: bool,
    /// Whether the attribute should no longer be used.
    pub deprecated: bool,
    /// The message of a deprecation: what to use instead.
    pub deprecation_message: Option<String>,
    /// What the attribute is for.
    pub description: Option<String>,
    /// How the description is written: `plain` or `markdown`.
    pub description_kind: Option<String>,
    /// Keys that this version does not know.
    pub other: Other,
}

impl Attribute {
    /// An attribute of this type, with no flag set.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_schema::{Attribute, AttributeType};
    ///
    /// let mut id = Attribute::new(AttributeType::Plain(Type::String));
    /// id.computed = true;
    /// assert!(!id.required);
    /// ```
    pub fn new(ty: AttributeType) -> Attribute {
        Attribute {
            ty,
            required: false,
            optional: false,
            computed: false,
            sensitive: false,
            write_only: false,
            deprecated: false,
            deprecation_message: None,
            description: None,
            description_kind: None,
            other: Other::new(),
        }
    }
}

/// The two ways to give an attribute a type.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeType {
    /// The value is of this type.
    Plain(Type),
    /// The attribute consists of nested attributes, each with a schema of its own (protocol 6 of Terraform).
    Nested(NestedType),
}

/// The nested attributes that an attribute consists of, and whether its value is one object of them or a collection of
/// such objects.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NestedType {
    /// The attributes, by name, as they are declared.
    pub attributes: DeclaredMap<Attribute>,
    /// The nesting mode: whether the value is one object, or a list, set or map of objects. Never [`Nesting::Group`].
    pub nesting: Nesting,
    /// Keys that this version does not know.
    pub other: Other,
}

impl NestedType {
    /// The nested attributes of an attribute, with this nesting mode.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_schema::{Attribute, AttributeType, Block, NestedType, Nesting};
    ///
    /// let port = Attribute::new(AttributeType::Plain(Type::Number));
    /// let ports = NestedType::new(Nesting::List, [("port".to_owned(), port)].into());
    /// let mut block = Block::default();
    /// block.attributes.insert("ports".to_owned(), Attribute::new(AttributeType::Nested(ports)));
    /// assert_eq!(block.implied_type()?.to_string(), "object({ports = list(object({port = number}))})");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn new(nesting: Nesting, attributes: DeclaredMap<Attribute>) -> NestedType {
        NestedType { attributes, nesting, other: Other::new() }
    }
}

/// A nested block type: the schema of the blocks that a block may contain under one name.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NestedBlock {
    /// The nesting mode: how many blocks are allowed, and which type of value they become.
    pub nesting: Nesting,
    /// The attributes and nested blocks of each block of this type.
    pub block: Block,
    /// The minimum number of blocks; 0 if the file has none.
    pub min_items: u64,
    /// The maximum number of blocks; 0 for no limit.
    pub max_items: u64,
    /// Keys that this version does not know.
    pub other: Other,
}

impl NestedBlock {
    /// A block type without limits.
    ///
    /// ```
    /// use plantime_schema::{Block, NestedBlock, Nesting};
    ///
    /// let mut vpc = Block::default();
    /// vpc.block_types.insert("timeouts".to_owned(), NestedBlock::new(Nesting::Single, Block::default()));
    /// assert_eq!(vpc.implied_type()?.to_string(), "object({timeouts = object({})})");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn new(nesting: Nesting, block: Block) -> NestedBlock {
        NestedBlock { nesting, block, min_items: 0, max_items: 0, other: Other::new() }
    }
}

/// How blocks or nested attributes become a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nesting {
    /// The value is one object, or null if it is absent.
    Single,
    /// The value is one object that is never null; only for blocks.
    Group,
    /// A list of objects.
    List,
    /// A set of objects.
    Set,
    /// A map of objects.
    Map,
}

impl Nesting {
    /// The name in schema files.
    ///
    /// ```
    /// use plantime_schema::Nesting;
    ///
    /// assert_eq!(Nesting::List.as_str(), "list");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Nesting::Single => "single",
            Nesting::Group => "group",
            Nesting::List => "list",
            Nesting::Set => "set",
            Nesting::Map => "map",
        }
    }

    /// The nesting mode with this name in schema files; `None` if there is none.
    pub(super) fn from_text(text: &str) -> Option<Nesting> {
        let all = [Nesting::Single, Nesting::Group, Nesting::List, Nesting::Set, Nesting::Map];
        all.into_iter().find(|nesting| nesting.as_str() == text)
    }
}
