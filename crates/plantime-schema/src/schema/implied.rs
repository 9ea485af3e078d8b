//! Computes the type that a schema implies, and the facts about attributes that the type cannot express.

use plantime::{Error, ObjectType, Result, Step, Type};

use super::{Attribute, AttributeType, Block, NestedBlock, NestedType, Nesting};

impl Block {
    /// The type of the values of the block.
    ///
    /// | part | type |
    /// |---|---|
    /// | attribute | its type |
    /// | single or group | object |
    /// | list, set, map | list, set, map of object |
    /// | list or map of blocks with an attribute of type dynamic | dynamic: its values are tuples or objects |
    ///
    /// ```
    /// use plantime_schema::{Block, NestedBlock, Nesting};
    ///
    /// let mut block = Block::default();
    /// block.block_types.insert("rule".to_owned(), NestedBlock::new(Nesting::Set, Block::default()));
    /// assert_eq!(block.implied_type()?.to_string(), "object({rule = set(object({}))})");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) above [`limits::DEPTH`](plantime::limits::DEPTH) levels, and
    /// [`is_syntax`](Error::is_syntax) where two names are equal once normalised.
    pub fn implied_type(&self) -> Result<Type> {
        block_type(self).map(Type::Object)
    }
}

/// The object type of a block's values: its attributes and nested blocks. `dynamic` for lists and maps of blocks with
/// `dynamic` inside.
fn block_type(block: &Block) -> Result<ObjectType> {
    let mut parts = Vec::with_capacity(block.attributes.len().saturating_add(block.block_types.len()));
    for (name, attribute) in &block.attributes {
        parts.push((name, attribute_type(attribute).map_err(|error| error.under(Step::attr(name)))?));
    }
    for (name, nested) in &block.block_types {
        let pattern = block_pattern(nested).map_err(|error| error.under(Step::attr(name)))?;
        let undecided = matches!(nested.nesting, Nesting::List | Nesting::Map) && pattern.has_dynamic();
        parts.push((name, if undecided { Type::Dynamic } else { pattern }));
    }
    ObjectType::new(parts)
}

/// The type of a nested block's values; unlike the implied type, `dynamic` may occur inside a collection.
fn block_pattern(nested: &NestedBlock) -> Result<Type> {
    nest_type(nested.nesting, Type::Object(block_type(&nested.block)?))
}

/// The type of nested objects in this nesting mode: the object type itself, or a list, set or map of it.
pub(crate) fn nest_type(nesting: Nesting, object: Type) -> Result<Type> {
    match nesting {
        Nesting::Single | Nesting::Group => Ok(object),
        Nesting::List => Type::list(object),
        Nesting::Set => Type::set(object),
        Nesting::Map => Type::map(object),
    }
}

/// The type of an attribute's values.
pub(super) fn attribute_type(attribute: &Attribute) -> Result<Type> {
    match &attribute.ty {
        AttributeType::Plain(ty) => Ok(ty.clone()),
        AttributeType::Nested(nested) => nested_type(nested),
    }
}

/// The type of an attribute that consists of nested attributes: an object, or a collection of objects.
fn nested_type(nested: &NestedType) -> Result<Type> {
    let attribute = |(name, attribute)| {
        let name: &String = name;
        attribute_type(attribute).map(|ty| (name, ty)).map_err(|error: Error| error.under(Step::attr(name)))
    };
    let parts = nested.attributes.iter().map(attribute).collect::<Result<Vec<_>>>()?;
    nest_type(nested.nesting, Type::object(parts)?)
}

/// A schema prepared for reading values: the type of its values, and the facts that the type cannot express.
#[derive(Clone, Debug)]
pub struct Compiled {
    ty: Type,
    shape: Shape,
}

/// The facts of a schema that a type cannot express (what is sensitive, the type of dynamic blocks), for an
/// attribute, block or element and, as a tree, for those inside it.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The value is sensitive.
    pub sensitive: bool,
    /// The type of the blocks with `dynamic` inside, if the implied type is `dynamic` as a whole.
    pub pattern: Option<Type>,
    /// The facts about attributes, by their position in the object type, ascending.
    pub(crate) attributes: Vec<(usize, Shape)>,
    /// The facts about every element.
    pub element: Option<Box<Shape>>,
}

impl Shape {
    /// Whether there is no fact, neither here nor inside.
    fn is_empty(&self) -> bool {
        !self.sensitive && self.pattern.is_none() && self.attributes.is_empty() && self.element.is_none()
    }

    /// The facts about the attribute at a position of the object type (attributes sorted by name); `None` if there
    /// are none.
    pub fn attribute(&self, slot: usize) -> Option<&Shape> {
        let place = self.attributes.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
        self.attributes.get(place).map(|(_, shape)| shape)
    }
}

impl Compiled {
    /// Compiles a block.
    pub(super) fn new(block: &Block) -> Result<Compiled> {
        let ty = block_type(block)?;
        let shape = block_shape(block, &ty)?;
        Ok(Compiled { ty: Type::Object(ty), shape })
    }

    /// The type of the values of the schema.
    #[doc(hidden)]
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The facts that the type cannot express.
    #[doc(hidden)]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
}

/// The facts about a block whose object type is `ty`.
fn block_shape(block: &Block, ty: &ObjectType) -> Result<Shape> {
    let mut attributes = attribute_shapes(block.attributes.iter(), ty);
    for (name, nested) in &block.block_types {
        let Some(slot) = ty.index_of(name) else { continue };
        let inner = block_shape(&nested.block, &block_type(&nested.block)?)?;
        let mut shape = nest_shape(nested.nesting, inner);
        if ty.type_at(slot) == Some(&Type::Dynamic) {
            shape.pattern = Some(block_pattern(nested)?);
        }
        if !shape.is_empty() {
            attributes.push((slot, shape));
        }
    }
    attributes.sort_by_key(|(slot, _)| *slot);
    Ok(Shape { attributes, ..Shape::default() })
}

/// The facts about each attribute that the type cannot express, with the attribute's position in the object type,
/// ascending. Attributes without such facts are left out.
fn attribute_shapes<'b>(
    attributes: impl Iterator<Item = (&'b String, &'b Attribute)>,
    ty: &ObjectType,
) -> Vec<(usize, Shape)> {
    let shape = |(name, attribute): (&String, &Attribute)| {
        let slot = ty.index_of(name)?;
        let mut shape = match &attribute.ty {
            AttributeType::Plain(_) => Shape::default(),
            AttributeType::Nested(nested) => nested_shape(nested, ty.type_at(slot)?),
        };
        shape.sensitive = attribute.sensitive;
        (!shape.is_empty()).then_some((slot, shape))
    };
    let mut shapes: Vec<(usize, Shape)> = attributes.filter_map(shape).collect();
    shapes.sort_by_key(|(slot, _)| *slot);
    shapes
}

/// The facts about nested attributes; `ty` is the type of the attribute that they are in.
fn nested_shape(nested: &NestedType, ty: &Type) -> Shape {
    let Type::Object(object) = ty.element_type().unwrap_or(ty) else { return Shape::default() };
    let inner = Shape { attributes: attribute_shapes(nested.attributes.iter(), object), ..Shape::default() };
    nest_shape(nested.nesting, inner)
}

/// The facts `inner` about an object, moved to the elements of a collection if the nesting mode makes one.
fn nest_shape(nesting: Nesting, inner: Shape) -> Shape {
    match nesting {
        Nesting::Single | Nesting::Group => inner,
        _ if inner.is_empty() => inner,
        _ => Shape { element: Some(Box::new(inner)), ..Shape::default() },
    }
}
