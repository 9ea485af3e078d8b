//! Schemas built in Rust: combinations that no provider may declare cannot be written, or are found when the block is built.

use std::fmt;
use std::marker::PhantomData;

use plantime::unstable::error::Kind;
use plantime::{Error, Path, Type};

use super::{Attribute, AttributeType, Block, NestedBlock, NestedType, Nesting};

/// A block under construction, in the order of its parts.
///
/// | part | constructors |
/// |---|---|
/// | attributes | [`Attribute::required`], [`Attribute::optional`], [`Attribute::computed`], [`Attribute::optional_computed`] |
/// | their types | a [`Type`], or nested attributes: [`NestedType::single`], [`list`](NestedType::list), [`set`](NestedType::set), [`map`](NestedType::map) |
/// | blocks | [`NestedBlock::single`], [`group`](NestedBlock::group), [`list`](NestedBlock::list), [`set`](NestedBlock::set), [`map`](NestedBlock::map) |
///
/// ```
/// use plantime::Type;
/// use plantime_schema::{Attribute, Block, NestedBlock};
///
/// let rule = Block::builder()
///     .attribute("port", Attribute::required(Type::Number).describe("Where it listens."))
///     .attribute("id", Attribute::computed(Type::String))
///     .build()?;
/// let block = Block::builder()
///     .attribute("name", Attribute::required(Type::String))
///     .attribute("password", Attribute::optional(Type::String).sensitive().write_only())
///     .attribute("arn", Attribute::computed(Type::String))
///     .block("rule", NestedBlock::list(rule).at_least(1).at_most(4))
///     .build()?;
/// assert_eq!(block.attributes.keys().collect::<Vec<_>>(), ["name", "password", "arn"]);
/// assert!(block.check().is_empty());
///
/// let error = Block::builder().attribute("a", Attribute::optional(Type::Bool)).block("a", NestedBlock::map(block)).build();
/// assert_eq!(error.unwrap_err().to_string(), "a: name defined as both attribute and child block type");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct BlockBuilder {
    block: Block,
    /// Names that were given twice, and names of attributes that do not exist.
    misnamed: Vec<Error>,
}

/// The error of [`BlockBuilder::build`]: the block declares what no provider may declare. It contains at least one
/// error.
///
/// [Example](BlockBuilder)
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidBlock(Vec<Error>);

/// An attribute under construction. `Who` says who may set it: [`ByConfiguration`] or [`ByProvider`].
///
/// ```
/// use plantime::Type;
/// use plantime_schema::Attribute;
///
/// let attribute: Attribute = Attribute::optional_computed(Type::String).sensitive().deprecate("use zones").into();
/// assert!(attribute.optional && attribute.computed && !attribute.required);
/// assert_eq!(attribute.deprecation_message.as_deref(), Some("use zones"));
/// ```
///
/// A computed attribute cannot be write-only: that does not compile.
///
/// ```compile_fail
/// use plantime::Type;
/// use plantime_schema::Attribute;
///
/// Attribute::computed(Type::String).write_only();
/// ```
#[derive(Clone, Debug)]
pub struct AttributeBuilder<Who> {
    attribute: Attribute,
    who: PhantomData<Who>,
}

/// Type argument of an [`AttributeBuilder`]: only the configuration sets the attribute.
///
/// [Example](AttributeBuilder)
#[derive(Clone, Copy, Debug)]
pub enum ByConfiguration {}

/// Type argument of an [`AttributeBuilder`]: the provider sets the attribute, or may set it.
///
/// [Example](AttributeBuilder)
#[derive(Clone, Copy, Debug)]
pub enum ByProvider {}

/// A block type under construction. `Number` says what its number of blocks can be: [`Several`], [`AtMostOne`] or
/// [`Unlimited`].
///
/// [Example](BlockBuilder)
#[derive(Clone, Debug)]
pub struct NestedBlockBuilder<Number> {
    nested: NestedBlock,
    number: PhantomData<Number>,
}

/// Type argument of a [`NestedBlockBuilder`]: the number of blocks can have a minimum and a maximum.
///
/// [Example](BlockBuilder)
#[derive(Clone, Copy, Debug)]
pub enum Several {}

/// Type argument of a [`NestedBlockBuilder`]: there is one block of the type, or none.
///
/// [Example](BlockBuilder)
#[derive(Clone, Copy, Debug)]
pub enum AtMostOne {}

/// Type argument of a [`NestedBlockBuilder`]: the number of blocks has no minimum and no maximum.
///
/// [Example](BlockBuilder)
#[derive(Clone, Copy, Debug)]
pub enum Unlimited {}

impl Block {
    /// A block under construction.
    ///
    /// [Example](BlockBuilder)
    pub fn builder() -> BlockBuilder {
        BlockBuilder::default()
    }
}

impl BlockBuilder {
    /// Adds an attribute at the end of the block.
    ///
    /// [Example](BlockBuilder)
    #[must_use]
    pub fn attribute(mut self, name: &str, attribute: impl Into<Attribute>) -> BlockBuilder {
        if self.block.attributes.insert(name.to_owned(), attribute.into()).is_some() {
            self.repeat(name);
        }
        self
    }

    /// Adds a block type.
    ///
    /// [Example](BlockBuilder)
    #[must_use]
    pub fn block(mut self, name: &str, nested: impl Into<NestedBlock>) -> BlockBuilder {
        if self.block.block_types.insert(name.to_owned(), nested.into()).is_some() {
            self.repeat(name);
        }
        self
    }

    /// Changes an attribute that was added before. A name that is no attribute is an error of [`build`](BlockBuilder::build).
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_schema::{Attribute, Block};
    ///
    /// let block = Block::builder().attribute("key", Attribute::required(Type::String));
    /// let secret = block.clone().edit("key", |key| key.sensitive = true).build()?;
    /// assert!(secret.attributes.get("key").unwrap().sensitive);
    /// assert_eq!(block.edit("kye", |_| {}).build().unwrap_err().to_string(), "kye: no such attribute");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn edit(mut self, name: &str, change: impl FnOnce(&mut Attribute)) -> BlockBuilder {
        match self.block.attributes.get_mut(name) {
            Some(attribute) => change(attribute),
            None => {
                let error = Error::new(Kind::NotFound, "no such attribute").at(Path::new().attr(name));
                self.misnamed.push(error);
            }
        }
        self
    }

    /// Says what the block is for.
    ///
    /// [Example](BlockBuilder::deprecate)
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> BlockBuilder {
        self.block.description = Some(description.into());
        self
    }

    /// Says that the block should no longer be used, and what to use in its place.
    ///
    /// ```
    /// use plantime_schema::Block;
    ///
    /// let block = Block::builder().describe("A classic network.").deprecate("use a vpc").build()?;
    /// assert!(block.deprecated);
    /// assert_eq!(block.description.as_deref(), Some("A classic network."));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn deprecate(mut self, message: impl Into<String>) -> BlockBuilder {
        self.block.deprecated = true;
        self.block.deprecation_message = Some(message.into());
        self
    }

    /// Returns the block, if nothing in it is forbidden.
    ///
    /// [Example](BlockBuilder)
    ///
    /// # Errors
    ///
    /// Everything that [`Block::check`] finds, names that were given twice, and names of attributes that do not exist.
    pub fn build(self) -> Result<Block, InvalidBlock> {
        let mut errors = self.misnamed;
        errors.extend(self.block.check());
        if errors.is_empty() { Ok(self.block) } else { Err(InvalidBlock(errors)) }
    }

    /// Records that a name is declared twice: [`BlockBuilder::build`] reports it.
    fn repeat(&mut self, name: &str) {
        let error = Error::new(Kind::Argument, "name defined twice").at(Path::new().attr(name));
        self.misnamed.push(error);
    }
}

impl InvalidBlock {
    /// The errors, each with its path.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_schema::{Attribute, Block, NestedBlock};
    ///
    /// let x = || Attribute::optional(Type::Bool);
    /// let wrong = Block::builder().attribute("x", x()).attribute("x", x()).block("Up", NestedBlock::group(Block::default()));
    /// let errors = wrong.build().unwrap_err();
    /// assert_eq!(errors.errors().len(), 2);
    /// assert_eq!(
    ///     errors.to_string(),
    ///     "x: name defined twice\nUp: name may contain only lowercase letters, digits and underscores"
    /// );
    /// ```
    pub fn errors(&self) -> &[Error] {
        &self.0
    }
}

impl fmt::Display for InvalidBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, error) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidBlock {}

impl From<InvalidBlock> for Error {
    /// The first error.
    fn from(invalid: InvalidBlock) -> Error {
        let first = invalid.0.into_iter().next();
        first.unwrap_or_else(|| Error::new(Kind::Argument, "invalid block"))
    }
}

impl Attribute {
    /// An attribute that the configuration must set.
    ///
    /// [Example](BlockBuilder)
    pub fn required(ty: impl Into<AttributeType>) -> AttributeBuilder<ByConfiguration> {
        AttributeBuilder::of(Attribute { required: true, ..Attribute::new(ty.into()) })
    }

    /// An attribute that the configuration may set.
    ///
    /// [Example](BlockBuilder)
    pub fn optional(ty: impl Into<AttributeType>) -> AttributeBuilder<ByConfiguration> {
        AttributeBuilder::of(Attribute { optional: true, ..Attribute::new(ty.into()) })
    }

    /// An attribute that only the provider sets.
    ///
    /// [Example](BlockBuilder)
    pub fn computed(ty: impl Into<AttributeType>) -> AttributeBuilder<ByProvider> {
        AttributeBuilder::of(Attribute { computed: true, ..Attribute::new(ty.into()) })
    }

    /// An attribute that the configuration may set, or else the provider.
    ///
    /// [Example](AttributeBuilder)
    pub fn optional_computed(ty: impl Into<AttributeType>) -> AttributeBuilder<ByProvider> {
        AttributeBuilder::of(Attribute { optional: true, computed: true, ..Attribute::new(ty.into()) })
    }
}

impl<Who> AttributeBuilder<Who> {
    /// A builder that continues from this attribute.
    fn of(attribute: Attribute) -> AttributeBuilder<Who> {
        AttributeBuilder { attribute, who: PhantomData }
    }

    /// Says that the value must not be shown.
    ///
    /// [Example](AttributeBuilder)
    #[must_use]
    pub fn sensitive(mut self) -> AttributeBuilder<Who> {
        self.attribute.sensitive = true;
        self
    }

    /// Says what the attribute is for.
    ///
    /// [Example](BlockBuilder)
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> AttributeBuilder<Who> {
        self.attribute.description = Some(description.into());
        self
    }

    /// Says that the attribute should no longer be used, and what to use in its place.
    ///
    /// [Example](AttributeBuilder)
    #[must_use]
    pub fn deprecate(mut self, message: impl Into<String>) -> AttributeBuilder<Who> {
        self.attribute.deprecated = true;
        self.attribute.deprecation_message = Some(message.into());
        self
    }
}

impl AttributeBuilder<ByConfiguration> {
    /// Says that the value goes to the provider and is never stored.
    ///
    /// [Example](BlockBuilder)
    #[must_use]
    pub fn write_only(mut self) -> AttributeBuilder<ByConfiguration> {
        self.attribute.write_only = true;
        self
    }
}

impl<Who> From<AttributeBuilder<Who>> for Attribute {
    fn from(builder: AttributeBuilder<Who>) -> Attribute {
        builder.attribute
    }
}

impl From<Type> for AttributeType {
    fn from(ty: Type) -> AttributeType {
        AttributeType::Plain(ty)
    }
}

impl From<NestedType> for AttributeType {
    fn from(nested: NestedType) -> AttributeType {
        AttributeType::Nested(nested)
    }
}

impl NestedType {
    /// One object with the attributes of this block, which has no blocks.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_schema::{Attribute, Block, NestedType};
    ///
    /// let x = || Block::builder().attribute("x", Attribute::optional(Type::Bool)).build();
    /// let block = Block::builder()
    ///     .attribute("one", Attribute::optional(NestedType::single(x()?)))
    ///     .attribute("list", Attribute::optional(NestedType::list(x()?)))
    ///     .attribute("set", Attribute::computed(NestedType::set(x()?)))
    ///     .attribute("map", Attribute::required(NestedType::map(x()?)))
    ///     .build()?;
    /// assert!(block.implied_type()?.to_string().contains("set = set(object({x = bool}))"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn single(block: Block) -> NestedType {
        NestedType::new(Nesting::Single, block.attributes)
    }

    /// A list of objects with the attributes of this block, which has no blocks.
    ///
    /// [Example](NestedType::single)
    pub fn list(block: Block) -> NestedType {
        NestedType::new(Nesting::List, block.attributes)
    }

    /// A set of objects with the attributes of this block, which has no blocks.
    ///
    /// [Example](NestedType::single)
    pub fn set(block: Block) -> NestedType {
        NestedType::new(Nesting::Set, block.attributes)
    }

    /// A map of objects with the attributes of this block, which has no blocks.
    ///
    /// [Example](NestedType::single)
    pub fn map(block: Block) -> NestedType {
        NestedType::new(Nesting::Map, block.attributes)
    }
}

impl NestedBlock {
    /// A block type of which there is one block or none.
    ///
    /// ```
    /// use plantime_schema::{Block, NestedBlock};
    ///
    /// let timeouts: NestedBlock = NestedBlock::single(Block::default()).into();
    /// let backend: NestedBlock = NestedBlock::single(Block::default()).required().into();
    /// assert_eq!((timeouts.min_items, timeouts.max_items, backend.min_items, backend.max_items), (0, 0, 1, 1));
    /// ```
    pub fn single(block: Block) -> NestedBlockBuilder<AtMostOne> {
        NestedBlockBuilder::of(Nesting::Single, block)
    }

    /// A block type whose value is never null.
    ///
    /// [Example](InvalidBlock::errors)
    pub fn group(block: Block) -> NestedBlockBuilder<Unlimited> {
        NestedBlockBuilder::of(Nesting::Group, block)
    }

    /// A block type whose blocks are a list.
    ///
    /// [Example](BlockBuilder)
    pub fn list(block: Block) -> NestedBlockBuilder<Several> {
        NestedBlockBuilder::of(Nesting::List, block)
    }

    /// A block type whose blocks are a set.
    ///
    /// [Example](BlockBuilder)
    pub fn set(block: Block) -> NestedBlockBuilder<Several> {
        NestedBlockBuilder::of(Nesting::Set, block)
    }

    /// A block type whose blocks are a map by their label.
    ///
    /// [Example](BlockBuilder)
    pub fn map(block: Block) -> NestedBlockBuilder<Unlimited> {
        NestedBlockBuilder::of(Nesting::Map, block)
    }
}

impl<Number> NestedBlockBuilder<Number> {
    /// A builder of a block type with this nesting mode.
    fn of(nesting: Nesting, block: Block) -> NestedBlockBuilder<Number> {
        NestedBlockBuilder { nested: NestedBlock::new(nesting, block), number: PhantomData }
    }
}

impl NestedBlockBuilder<AtMostOne> {
    /// Requires that the configuration has the block.
    ///
    /// [Example](NestedBlock::single)
    #[must_use]
    pub fn required(mut self) -> NestedBlockBuilder<AtMostOne> {
        (self.nested.min_items, self.nested.max_items) = (1, 1);
        self
    }
}

impl NestedBlockBuilder<Several> {
    /// Sets the minimum number of blocks.
    ///
    /// [Example](BlockBuilder)
    #[must_use]
    pub fn at_least(mut self, count: u64) -> NestedBlockBuilder<Several> {
        self.nested.min_items = count;
        self
    }

    /// Sets the maximum number of blocks; 0 for no limit.
    ///
    /// [Example](BlockBuilder)
    #[must_use]
    pub fn at_most(mut self, count: u64) -> NestedBlockBuilder<Several> {
        self.nested.max_items = count;
        self
    }
}

impl<Number> From<NestedBlockBuilder<Number>> for NestedBlock {
    fn from(builder: NestedBlockBuilder<Number>) -> NestedBlock {
        builder.nested
    }
}
